"""Results as a data frame of whichever library the user has; none of them is imported before it is asked for."""

from collections.abc import Collection, Iterable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ordeval.arguments import is_choice
from ordeval.errors import ParameterError, quoted

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


def frame_of_rows(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], backend: str | None
) -> Any:
    """Return rows, of which there may be none, as a frame with these columns."""
    parts = list(zip(*rows, strict=True)) or [()] * len(columns)
    return make_frame(dict(zip(columns, map(list, parts), strict=True)), backend)


def check_part(what: Any, parts: Collection[str]) -> None:
    """Refuse a part that a result does not have; many pass the name of a library in its place."""
    if not is_choice(what, parts):
        raise ParameterError(
            f"what={what!r:.60} is not a part of this result; it is one of {quoted(parts)}. A library is named by "
            f"backend=, as in backend='polars'."
        )
