"""Inputs beside their plain count: the tables that the package reads must be those."""

import math
from collections.abc import Callable

import ordeval as oe
from tools.fuzz.plain import PlainTable, Refused
from tools.fuzz.plain_files import Unclear
from tools.fuzz.trial import Finding, Outcome, Try, attempt

Expect = Callable[[], list[PlainTable]]  # or it raises Refused
Read = Callable[[], list[oe.Table]]


def difference(expected: PlainTable, table: oe.Table) -> str | None:
    """Say how a table differs from the plain one, or None."""
    if list(table.scale.labels) != expected.classes:
        return f"classes {list(table.scale.labels)} instead of {expected.classes}"
    answers = [*expected.classes, None]
    cells = [[expected.cells.get((g, a), 0) for a in answers] for g in expected.classes]
    if table.cells.tolist() != cells:
        return f"cells {table.cells.tolist()} instead of {cells}"
    if table.policy.missing in {"error", "drop"}:
        asked = sum(sum(row[:-1]) for row in cells)
        right = sum(row[at] for at, row in enumerate(cells))
        found = oe.accuracy(table) if asked else math.nan
        if asked and not math.isclose(found, right / asked, rel_tol=1e-12, abs_tol=1e-12):
            return f"accuracy {found} instead of {right / asked}"
    return None


def beside_plain_count(shown: str, expect: Expect, read: Read) -> Try:
    """Return a try that reads an input and compares its tables with the plain ones."""

    def read_and_score() -> list[oe.Table]:
        tables = read()
        for table in tables:  # a table without items is no number: every measure refuses it
            oe.accuracy(table) if not table.n else None
        return tables

    def judge() -> Outcome:
        try:
            expected = expect()
        except Unclear:
            return Outcome("refused" if attempt(read)[1] else "unclear")
        except Refused:
            if attempt(read_and_score)[1] is None:
                raise Finding("a table instead of an error") from None
            return Outcome("refused")
        tables, error = attempt(read)
        if error is not None:
            return Outcome("stricter", str(error)[:60])
        found = next(filter(None, map(difference, expected, tables)), None)
        if found is not None and any(table.ignored.get("unreadable") for table in tables):
            return Outcome("stricter", "rows that cannot be read, and a note that says so")
        if found is not None:
            raise Finding(found, "another table")
        return Outcome("answered")

    return Try(shown, judge)
