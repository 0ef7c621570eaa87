"""The scores that everything here works on: values[measure, split, system, case], greater is better.

Data with test cases has one split. Data without them is cut into random parts, several times: each cut is a split, and
its parts are the cases.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ordeval.errors import DataError, ParameterError
from ordeval.meta.parts import split_counts
from ordeval.meta.ranking import Array
from ordeval.metrics import Metric, registry, resolve
from ordeval.runs import Runs
from ordeval.table import Table

DEFAULT_REFERENCE = ("accuracy", "kendall_tau_a", "mutual_information")  # section 5 of the paper
UNDEFINED = ("omit", "zero", "lowest")


@dataclass(frozen=True, eq=False)
class CaseValues:
    """Scores of systems on cases, by every measure, turned so that greater is better."""

    metrics: tuple[str, ...]
    systems: tuple[Any, ...]
    cases: tuple[Any, ...]
    values: Array  # [measure, split, system, case]
    split: bool  # the cases are random parts
    undefined: str
    touched: tuple[int, ...]  # undefined values of each measure

    @property
    def repeats(self) -> int:
        """How many random splits there are; 1 with test cases."""
        return int(self.values.shape[1])

    @property
    def means(self) -> Array:
        """The score of each system, the mean over the cases where it is defined: [measure, split, system]."""
        return mean_over_cases(self.values)

    def take(self, metrics: Iterable[str]) -> Array:
        """Return the values of some measures."""
        return self.values[[self.metrics.index(name) for name in metrics]]

    def keep(self, systems: Array) -> "CaseValues":
        """Return the values of some systems, by position."""
        chosen = tuple(self.systems[at] for at in systems)
        return replace(self, systems=chosen, values=self.values[:, :, systems])


def mean_over_cases(values: Array) -> Array:
    """Average over the last axis, leaving NaN out; NaN where there is nothing else."""
    there = ~np.isnan(values)
    amount = there.sum(axis=-1)
    total = np.where(there, values, 0.0).sum(axis=-1)
    return np.asarray(np.divide(total, amount, out=np.full(total.shape, np.nan), where=amount > 0))


def label_measures() -> list[str]:
    """Return every measure that takes labels: all but those of class probabilities."""
    return [name for name, metric in registry.items() if metric.from_probabilities is None]


def read_values(
    data: Any,
    metrics: Any = None,
    *,
    also: Iterable[str] = (),
    parts: int = 10,
    repeats: int = 10,
    rng: Any = 0,
    undefined: str = "omit",
) -> CaseValues:
    """Score every system on every case by every measure; `also` names measures needed beside those asked for."""
    read_undefined(undefined)
    if isinstance(data, CaseValues):
        return data
    wanted = resolve(label_measures() if metrics is None else metrics)
    wanted |= {name: measure for name, measure in resolve_all(also).items() if name not in wanted}
    table, split = tables_of(data, parts, repeats, rng)
    if len(table.axes[1].labels) < 2:
        raise DataError(
            "there is one system; measures are judged by how they rank systems. Give at least 2."
        )
    scored = [oriented(measure, table) for measure in wanted.values()]
    values = np.stack(
        [
            filled(one, measure, undefined)
            for one, measure in zip(scored, wanted.values(), strict=True)
        ]
    )
    touched = tuple(int(np.isnan(one).sum()) for one in scored)
    systems, cases = (axis.labels for axis in table.axes[1:])
    return CaseValues(tuple(wanted), systems, cases, values, split, undefined, touched)


def read_undefined(undefined: str) -> None:
    """Check what an undefined value is to count as."""
    if undefined not in UNDEFINED:
        raise ParameterError(
            f"undefined is {undefined!r}; an undefined value can be left out ('omit'), 'zero' or 'lowest'."
        )


def asked(scored: CaseValues, metrics: Any) -> tuple[str, ...]:
    """Return the measures that were asked for, without those that are there as a reference alone."""
    return scored.metrics if metrics is None else tuple(resolve(metrics))


def resolve_all(names: Iterable[str]) -> dict[str, Metric]:
    """Return measures by name, where there are any names."""
    listed = list(names)
    return resolve(listed) if listed else {}


def oriented(measure: Metric, table: Table) -> Array:
    """Score a table so that greater is better."""
    scores = np.asarray(measure.of_table(table))
    return scores if measure.greater_is_better else -scores


def filled(scores: Array, measure: Metric, undefined: str) -> Array:
    """Put the value that stands for an undefined one: nothing, 0, or the worst that the measure gave anywhere."""
    missing = np.isnan(scores)
    if undefined == "omit" or not missing.any():
        return scores
    if undefined == "zero":
        return np.where(missing, 0.0, scores)
    if missing.all():
        raise DataError(
            f"{measure} is undefined everywhere, so it has no lowest value here. Leave the measure out."
        )
    return np.where(missing, np.nanmin(scores), scores)


def tables_of(data: Any, parts: int, repeats: int, rng: Any) -> tuple[Table, bool]:
    """Return the tables with the axes split, system and case, and whether the cases are random parts."""
    if isinstance(data, Runs):
        if len(data.cases) > 1:
            return with_splits(data.table), False
        return split_counts(data.pooled(), parts, repeats, rng), True
    if isinstance(data, Table):
        if [axis.name for axis in data.axes] == ["system", "case"] and len(data.axes[1].labels) > 1:
            return with_splits(data), False
        raise DataError(
            f"this table has the axes {[axis.name for axis in data.axes]}; it needs 'system' and 'case', with several "
            f"cases. Pass Runs, whose items can be cut into random parts."
        )
    raise DataError(
        f"measures are judged on Runs or on a Table of systems and cases, not on {type(data).__name__}."
    )


def with_splits(table: Table) -> Table:
    """Add the leading axis that random splits run along, with one entry."""
    from ordeval.table import Axis

    return replace(
        table,
        answered=table.answered[None],
        missed=table.missed[None],
        axes=(Axis("split", (0,)), *table.axes),
    )
