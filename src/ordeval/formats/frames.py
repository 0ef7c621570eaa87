"""Results as a data frame of whichever library the user has; none of them is imported before it is asked for."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ordeval.arguments import is_choice
from ordeval.errors import ParameterError

BACKENDS = ("pandas", "polars", "pyarrow")


def make_frame(columns: dict[str, list[Any]], backend: str | None) -> Any:
    """Return the columns as a frame of the library asked for, or of the first that is installed."""
    if backend is None:
        backend = next((name for name in BACKENDS if find_spec(name) is not None), None)
        if backend is None:
            raise ParameterError(
                "a data frame needs pandas, polars or pyarrow, and none is installed; to_dict() needs none."
            )
    if not is_choice(backend, BACKENDS):
        raise ParameterError(
            f"backend={backend!r} is not a library for frames; it is one of {', '.join(BACKENDS)}."
        )
    try:
        library = import_module(backend)
    except ImportError:
        raise ParameterError(
            f"backend={backend!r} is not installed; install it or pass one of {', '.join(BACKENDS)}."
        ) from None
    return library.table(columns) if backend == "pyarrow" else library.DataFrame(columns)
