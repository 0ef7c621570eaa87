"""Tables as `ordeval count` writes them, read back and merged."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ordeval.errors import DataError, OrdevalError
from ordeval.labels import natural_order
from ordeval.table import Axis, Table


def read(path: str) -> Table:
    """Read one table."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except IsADirectoryError:
        raise DataError(
            f"{path!r} is a folder; pass the tables in it, as in {path}/*.json."
        ) from None
    except OSError as error:
        raise DataError(f"cannot read {path!r}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise DataError(f"{path!r} is not a table: it is not text.") from None
    try:
        return Table.from_json(text)
    except OrdevalError as error:
        raise DataError(f"{path!r} cannot be read: {error}") from None
    except (
        TypeError,
        ValueError,
        KeyError,
        AttributeError,
        OverflowError,
        RecursionError,
    ) as error:
        raise DataError(
            f"{path!r} is not a table that 'ordeval count' wrote ({type(error).__name__}: {error})."
        ) from None


def merge_files(paths: Sequence[str]) -> Table:
    """Add tables up; test cases come in the order of one pass over everything."""
    merged = read(paths[0])
    for path in paths[1:]:
        table = read(path)
        try:
            merged = merged + table
        except OrdevalError as error:
            raise DataError(f"{path!r} cannot be merged with {paths[0]!r}: {error}") from None
    return in_order(merged)


def in_order(table: Table) -> Table:
    """Put the test cases in natural order, so that means are summed as in one pass, to the last bit."""
    names = [axis.name for axis in table.axes]
    if "case" not in names:
        return table
    at = names.index("case")
    labels = table.axes[at].labels
    order: Any = sorted(range(len(labels)), key=lambda i: natural_order(labels[i]))
    axes = list(table.axes)
    axes[at] = Axis("case", tuple(labels[i] for i in order))
    return table.rearranged(lambda array: np.take(array, order, axis=at), tuple(axes))
