"""Tables as `ordeval count` writes them, read back and merged."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ordeval.errors import DataError, OrdevalError, TableError
from ordeval.inputs.patterns import natural_order
from ordeval.table import Axis, Table


def to_text(table: Table, ignored: Mapping[str, int]) -> str:
    """Write a table and what was left out of it as JSON."""
    content = {**table.to_dict(), "ignored": dict(ignored)}
    return json.dumps(content, default=str, ensure_ascii=False) + "\n"


def read(path: str) -> tuple[Table, dict[str, int]]:
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
        table = Table.from_json(text)
        ignored = json.loads(text).get("ignored", {})
        return table, {str(what): int(times) for what, times in ignored.items()}
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


def merge_files(paths: Sequence[str]) -> tuple[Table, dict[str, int]]:
    """Add tables up; test cases come in the order of one pass over everything."""
    tables, left_out = zip(*map(read, paths), strict=True)
    merged, ignored = tables[0], dict(left_out[0])
    for path, table, more in zip(paths[1:], tables[1:], left_out[1:], strict=True):
        try:
            merged = merged + table
        except (TableError, OrdevalError) as error:
            raise DataError(f"{path!r} cannot be merged with {paths[0]!r}: {error}") from None
        ignored = {what: ignored.get(what, 0) + more.get(what, 0) for what in {**ignored, **more}}
    return in_order(merged), ignored


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
    return replace(
        table,
        answered=np.take(table.answered, order, axis=at),
        missed=np.take(table.missed, order, axis=at),
        axes=tuple(axes),
    )
