"""What `compare` can be given: runs, labels, or tables that share no items."""

from collections.abc import Mapping
from typing import Any

from ordeval.errors import LabelTypeError
from ordeval.inputs.policy import Reading
from ordeval.ratings import Ratings
from ordeval.runs import Runs
from ordeval.table import Axis, Table


def read_data(data: Any, systems: Any, options: Reading, by: Any) -> tuple[Runs | Table, Any]:
    """Return runs, or one table with an axis of systems that were tested on items of their own.

    With them come the names of what slices go by; `by` names those of runs, and holds those of labels.
    """
    if isinstance(data, Runs | Table | Mapping) and (systems is not None or options):
        raise LabelTypeError(
            f"compare was given a {type(data).__name__} and labels or policies; it already contains these. Pass "
            f"them when it is made."
        )
    if isinstance(data, Runs):
        return data, by
    if isinstance(data, Table | Mapping):
        if by is not None:
            raise LabelTypeError(
                "compare was given tables and by=; slices need the answers item by item. Pass oe.Runs with by=[...]."
            )
        return in_order_of_names(data) if isinstance(data, Table) else read_tables(data), None
    if isinstance(systems, Mapping | Ratings):
        runs = Runs.from_labels(data, systems, by=by, **options)
        return runs, [slicing.name for slicing in runs.slices]
    raise LabelTypeError(
        f"compare was given a {type(data).__name__}; it takes oe.Runs, gold labels and {{'a': answers, 'b': answers}}, "
        f"or tables that share no items, {{'monday': table, 'tuesday': table}}, or one with an axis 'system'."
    )


def in_order_of_names(table: Table) -> Table:
    """Return a table with its systems in the order of their names, so that no draw depends on how they came."""
    names = table.axes[table.axis("system")].labels
    return table.only("system", sorted(range(len(names)), key=lambda at: str(names[at])))


def read_tables(tables: Mapping[str, Any]) -> Table:
    """Return tables by name as one table with an axis of systems."""
    if not tables:
        raise LabelTypeError("compare was given no tables; pass at least one, by its name.")
    for name, table in tables.items():
        if not isinstance(table, Table):
            raise LabelTypeError(
                f"compare was given a {type(table).__name__} as {name!r}; a mapping alone holds tables. For labels "
                f"pass the gold labels first: compare(y_true, {{...}})."
            )
        if table.axes:
            raise LabelTypeError(
                f"the table {name!r} has the axes {[axis.name for axis in table.axes]}; samples that share no items "
                f"are single tables. Pass table.pooled()."
            )
    # By name, so that no draw depends on the order in which they are given.
    named = [as_system(tables[name], str(name)) for name in sorted(tables, key=str)]
    return sum(named[1:], named[0])


def as_system(table: Table, name: str) -> Table:
    """Return a single table as the table of one system, so that it can be added to that of another."""
    return table.rearranged(lambda array: array[None], (Axis("system", (name,)),))
