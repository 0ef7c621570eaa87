"""Tables in Markdown from rows of numbers."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

Row = dict[str, Any]
Writer = Callable[[list[Row]], str]


def short(measure: str) -> str:
    """Return the name of a measure as a table shows it."""
    named = measure.replace("weighted_kappa(weights='quadratic')", "quadratic kappa")
    return re.sub(r"^(\w+)\(weights='quadratic'\)", r"\1, quadratic", named)


def percent(share: float) -> str:
    """Write a share with one decimal."""
    return f"{100 * share:.1f}%"


def error_of(simulations: int, share: float = 0.95) -> str:
    """Say how many simulations there were, and how far a share may be from the real one."""
    points = 200 * np.sqrt(share * (1 - share) / simulations)
    return f"{simulations:,} simulations per row; two standard errors are {points:.1f} points"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """Write a table in Markdown."""
    names = list(head)
    yield "| " + " | ".join(names) + " |"
    yield "|" + "---|" * len(names)
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def grouped(rows: list[Row], *keys: str) -> dict[tuple[Any, ...], list[Row]]:
    """Return the rows by the values of some keys, in the order in which these come."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[key] for key in keys), []).append(row)
    return groups


def pivot(rows: list[Row], keys: dict[str, str], column: str, write: Writer) -> Iterator[str]:
    """Write a row for each value of the keys, whose titles are given, and a column for each value of another."""
    columns = list(dict.fromkeys(row[column] for row in rows))
    body = []
    for values, own in grouped(rows, *keys).items():
        cells = grouped(own, column)
        written = [write(cells[(one,)]) if (one,) in cells else "" for one in columns]
        body.append([*map(shown, values), *written])
    yield from table([*keys.values(), *map(shown, columns)], body)


def shown(value: Any) -> str:
    """Write the value of a key."""
    return short(value) if isinstance(value, str) else f"{value:,}"


def spread(rows: list[Row]) -> str:
    """Write the lowest, the mean and the highest coverage."""
    values = [row["coverage"] for row in rows]
    return " / ".join(f"{100 * x:.1f}" for x in (min(values), np.mean(values), max(values)))


def one_by_one(rows: list[Row]) -> str:
    """Write the coverage of each row."""
    return " / ".join(f"{100 * row['coverage']:.1f}" for row in rows)


def lowest_and_mean(rows: list[Row]) -> str:
    """Write the lowest and the mean coverage."""
    values = [row["coverage"] for row in rows]
    return " / ".join(f"{100 * x:.1f}" for x in (min(values), np.mean(values)))


def mean_of(key: str) -> Writer:
    """Return a writer of the mean of a share."""
    return lambda rows: percent(float(np.mean([row[key] for row in rows])))
