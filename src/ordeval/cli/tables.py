"""Tables that are counted already: matrices, and what `ordeval count` writes; each a system, or shards that add up."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ordeval.cli.progress import tell
from ordeval.cli.scale_options import read_scale
from ordeval.errors import DataError, OrdevalError, ParameterError
from ordeval.formats.numbers import counted
from ordeval.inputs.files.locate import find, matching, named_apart
from ordeval.inputs.files.problems import CheckedFile, FilesCheck, Problem
from ordeval.inputs.policy import Policy
from ordeval.labels import natural_order
from ordeval.runs import Runs
from ordeval.scale import Scale
from ordeval.table import Axis, Table
from ordeval.table.counted_files import table_or_reason

UNPAIRED = (
    "tables of counts do not show which answers are to the same item, so the systems are compared as if each had "
    "items of its own. Paired differences, which show more, need the answers item by item."
)


def read(path: str, labels: Sequence[str] | None, values: list[float] | None) -> Table | str:
    """Read one table; if the file does not hold one, return the reason."""
    try:
        declared = None if labels is None else Scale(labels, values)
        return table_or_reason(find(path), declared, values, tell)
    except DataError:
        raise
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


def read_systems(
    files: Sequence[str],
    labels: Sequence[str] | None,
    values: list[float] | None,
    *,
    skip_bad: bool = False,
) -> Table | str:
    """Return the tables of all files as one table with an axis of systems, or why the first file is not a table.

    A table without an axis of systems holds one system, named by its file.
    With `skip_bad` files that cannot be scored with those before them are left out.
    """
    if skip_bad:
        tried = try_each(files, labels, values)
        if isinstance(tried, str):
            return tried
        good, bad = tried
        left_out = "; ".join(f"{path} ({Problem(why).brief})" for path, why in bad)
        if not good:
            raise DataError(f"no file can be scored: {left_out}.")
        if bad:
            total = counted(len(good) + len(bad), "file")
            tell(f"left out {len(bad)} of {total}: {left_out}.")
        return together(good)
    paths = paths_of(files)
    tables: list[tuple[str, Table]] = []
    for path in paths:
        table = read(path, labels, values)
        if isinstance(table, str) and not tables:
            return table
        if isinstance(table, str):
            raise DataError(
                f"{paths[0]!r} is a table of counts and {path!r} is not: {table}. Pass files of one kind."
            )
        tables.append((path, table))
    return together(tables)


def paths_of(files: Sequence[str]) -> list[str]:
    """Return the files that names and globs stand for."""
    return [path for file in files for path in (matching(file) or (file,))]


def try_each(
    files: Sequence[str], labels: Sequence[str] | None, values: list[float] | None
) -> tuple[list[tuple[str, Table]], list[tuple[str, str]]] | str:
    """Return the tables that can be scored together, by file, and the other files with what is wrong with them.

    If the first file is no table, or no file is a good one, return what the first one lacks.
    """
    good: list[tuple[str, Table]] = []
    bad: list[tuple[str, str]] = []
    paths = paths_of(files)
    for path in paths:
        try:
            table = read(path, labels, values)
            if isinstance(table, str) and path == paths[0]:
                return table
            if isinstance(table, str):
                bad.append((path, f"it is no table of counts: {table}."))
                continue
            together([*good, (path, table)])
            good.append((path, table))
        except DataError as error:
            bad.append((path, str(error)))
    return (good, bad) if good or len(paths) == 1 else bad[0][1].rstrip(".")


def check_tables(
    files: Sequence[str], labels: Sequence[str] | None, values: list[float] | None
) -> FilesCheck | str:
    """Return what is wrong with each file of counts; if no file is one, what the first one lacks."""
    tried = try_each(files, labels, values)
    if isinstance(tried, str):
        return tried
    problems = {path: (Problem(why),) for path, why in tried[1]}
    return FilesCheck(
        None, None, tuple(CheckedFile(path, problems.get(path, ())) for path in paths_of(files))
    )


def as_systems(table: Table, name: str) -> Table:
    """Return a table with an axis of systems in front; without such an axis it holds one system."""
    if "system" in [axis.name for axis in table.axes]:
        return table
    axes = (Axis("system", (name,)), *table.axes)
    return table.rearranged(lambda array: array[None], axes)


def together(tables: Sequence[tuple[str, Table]]) -> Table:
    """Return the tables of files as one with an axis of systems; each system is in one file alone.

    A table without such an axis is that of one system, named by its file.
    """
    sources = named_apart([find(path) for path, _ in tables])
    tables = [
        (path, as_systems(table, source.name))
        for (path, table), source in zip(tables, sources, strict=True)
    ]
    holder: dict[Any, str] = {}
    first = tables[0][0]
    for path, table in tables:
        if not table.cells.any():
            raise DataError(f"{path!r} has no items: all its counts are 0. Leave it out.")
        if len(table.axes) != len(tables[0][1].axes):
            raise DataError(
                f"one of {first!r} and {path!r} has test cases and the other has none. Count again, with --pooled for "
                f"no test cases, or score them apart."
            )
        for name in table.axes[table.axis("system")].labels:
            if name in holder:
                raise DataError(
                    f"two systems are named {name!r}, in {holder[name]!r} and {path!r}. Rename one of "
                    f"them, or add them up with 'ordeval merge' if they are parts of one table."
                )
            holder[name] = path
    return added_up(tables)


def added_up(tables: Sequence[tuple[str, Table]]) -> Table:
    """Add up the tables of files, in natural order of their test cases.

    A matrix was counted under no policy: it takes that of the others.
    """
    policies = [table.policy for _, table in tables if table.policy != Policy()]
    policy = policies[0] if policies else Policy()
    alike = [
        (path, replace(table, policy=policy) if table.policy == Policy() else table)
        for path, table in tables
    ]
    (first, total), *others = alike
    for path, table in others:
        try:
            total = total + table
        except OrdevalError as error:
            raise DataError(f"{path!r} cannot be merged with {first!r}: {error}") from None
    return in_order(total)


def merge_files(paths: Sequence[str], labels: str | None, values: str | None) -> Table:
    """Add tables up; test cases come in the order of one pass over everything."""
    classes, given = read_scale(labels, values)
    tables = []
    for path in paths:
        table = read(path, classes, given)
        if isinstance(table, str):
            raise DataError(
                f"{path!r} is neither a matrix of counts nor a table that 'ordeval count' wrote: {table}."
            )
        tables.append((path, table))
    tell_of_repeats(tables)
    return added_up(tables)


def tell_of_repeats(tables: Sequence[tuple[str, Table]]) -> None:
    """Warn of counts that seem to be added twice: two tables that are equal, or one that is the sum of all others."""
    sizes = [float(np.sum(table.n)) for _, table in tables]
    for place, (path, table) in enumerate(tables):
        others = [*tables[:place], *tables[place + 1 :]]
        twin = next((other for other, one in others if one == table), None)
        if twin is not None:
            tell(f"{path!r} and {twin!r} hold the same counts, which are added twice.")
            return
        whole = len(others) > 1 and 2 * sizes[place] == sum(sizes)
        if whole and added_up(others) == table:
            tell(f"{path!r} is the sum of all others: its counts are added twice.")
            return


def check_unpaired(data: Runs | Table, *, pooled: bool) -> None:
    """Say what a comparison of tables cannot know; refuse one whose test cases are to be pooled."""
    if isinstance(data, Runs):
        return
    if pooled and "case" in [axis.name for axis in data.axes]:
        raise ParameterError(
            "--pooled needs the answers item by item to compare systems; these are tables of counts. Leave it out, or "
            "score them with 'ordeval score --pooled'."
        )
    if len(data.axes[data.axis("system")].labels) > 1:
        tell(UNPAIRED)


def in_order(table: Table) -> Table:
    """Put the test cases in natural order, so that means are summed as in one pass, to the last bit."""
    if "case" not in [axis.name for axis in table.axes]:
        return table
    names = table.axes[table.axis("case")].labels
    return table.only("case", sorted(range(len(names)), key=lambda at: natural_order(names[at])))
