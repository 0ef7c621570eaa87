"""What a test takes in `make test`, where somebody waits, and what is left for `make test-full`, which takes all."""

import os
from collections.abc import Iterable
from typing import Any

import pytest

__all__ = ["ALL", "LEFT_OUT", "examples", "grid"]

ALL = os.environ.get("ORDEVAL_EXAMPLES") == "all"
LEFT_OUT: list[str] = []  # the mark `later`, if the run leaves out what has it; conftest.py says so


def examples(number: int) -> int:
    """Return how many of a number of random examples a test takes in this run: a tenth, or all."""
    return number if ALL else max(number // 10, 3)


def grid(
    names: str, cells: Iterable[Any], *, every: int = 4, **options: Any
) -> pytest.MarkDecorator:
    """Parametrize a test by a large grid: `make test` takes one cell in `every`, `make test-full` the others.

    Which ones these are does not change. They are spread so that no row or column is left out as a whole. Cells that
    the run leaves out are not collected.
    """
    single = "," not in names
    called = options.pop("ids") if isinstance(options.get("ids"), list) else None
    chosen: list[Any] = []
    for place, cell in enumerate(cells):
        if isinstance(cell, type(pytest.param())):
            values, marks, name = cell.values, [*cell.marks], cell.id
        else:
            values, marks = (cell,) if single else tuple(cell), []
            name = None if called is None else called[place]
        if place % every != place // every % every:
            if LEFT_OUT:
                continue
            marks.append(pytest.mark.later)
        chosen.append(pytest.param(*values, marks=marks, id=name))
    return pytest.mark.parametrize(names, chosen, **options)
