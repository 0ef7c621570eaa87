"""The scores that everything here works on: values[measure, split, system, case], greater is better.

Data with test cases has one split. Data without them is cut into random parts, several times: each cut is a split, and
its parts are the cases.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ordeval.arguments import is_choice
from ordeval.errors import DataError, ParameterError, spelled
from ordeval.meta.parts import split_counts
from ordeval.meta.ranking import Array, quotient
from ordeval.metrics import Metric, registry, resolve
from ordeval.runs import Runs
from ordeval.table import Axis, Table
from ordeval.vocabulary import UNDEFINED_VALUES


@dataclass(frozen=True, eq=False)
class CaseValues:
    """Scores of systems on cases by every measure; errors are negated, so that greater is better."""

    metrics: tuple[str, ...]
    systems: tuple[Any, ...]
    cases: tuple[Any, ...]
    values: Array  # [measure, split, system, case]
    split: bool  # the cases are random parts
    undefined: str
    touched: tuple[int, ...]  # undefined values of each measure
    data: Runs | Table | None = None  # what was scored

    @property
    def repeats(self) -> int:
        """How many random splits there are; 1 with test cases."""
        return int(self.values.shape[1])

    def take(self, metrics: Iterable[str]) -> Array:
        """Return the values of some measures."""
        return self.values[self.positions(metrics)]

    def positions(self, metrics: Iterable[str]) -> list[int]:
        """Return the positions of some measures."""
        return [self.metrics.index(name) for name in metrics]

    def keep(self, systems: Array) -> "CaseValues":
        """Return the values of some systems, by position."""
        chosen = tuple(self.systems[at] for at in systems)
        data = self.data
        if isinstance(data, Runs):
            data = data.select(chosen)
        elif data is not None:
            axes = (Axis("system", chosen), *data.axes[1:])
            data = data.rearranged(lambda array: array[systems], axes)
        return replace(self, systems=chosen, values=self.values[:, :, systems], data=data)

    def shape(self, metrics: Iterable[str]) -> dict[str, Any]:
        """Return what results about some measures say of their data, by the names of their attributes."""
        return {
            "systems": len(self.systems),
            "cases": len(self.cases),
            "repeats": self.repeats,
            "split": self.split,
            "undefined": self.undefined,
            "touched": tuple(self.touched[at] for at in self.positions(metrics)),
        }


def mean_of_defined(values: Array) -> Array:
    """Average over the last axis, leaving NaN out; NaN where there is nothing else."""
    defined = ~np.isnan(values)
    return quotient(np.where(defined, values, 0.0).sum(axis=-1), defined.sum(axis=-1))


def label_measures() -> list[str]:
    """Return the names of the measures of labels: all but those of class probabilities."""
    return [name for name, metric in registry.items() if not metric.takes_probabilities]


def check_per_item(data: Any, measures: Mapping[str, Metric]) -> None:
    """Refuse means over items of soft data: they are not functions of the tables that are compared here."""
    if getattr(data, "soft", False):
        names = [name for name, measure in measures.items() if measure.per_item is not None]
        if names:
            raise ParameterError(
                f"{names[0]} is a mean over items, which tables of soft gold or probabilities do not show. Leave it "
                f"out."
            )


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
    """Score every system on every case by the measures asked for and by those named in `also`.

    Values that are scored already are returned as they are.
    """
    read_undefined(undefined)
    if isinstance(data, CaseValues):
        return data
    measures = resolve(label_measures() if metrics is None else metrics)
    measures |= {name: registry[name] for name in also if name not in measures}
    systems = check_data(data)
    check_per_item(data, measures)
    table, split = tables_of(data, parts, repeats, rng)
    cases = table.axes[2].labels
    scores = {name: oriented(measure, table) for name, measure in measures.items()}
    filled_in = [filled(scores[name], measures[name], undefined) for name in measures]
    touched = tuple(int(np.isnan(one).sum()) for one in scores.values())
    values = np.stack(filled_in)
    return CaseValues(tuple(measures), systems, cases, values, split, undefined, touched, data)


def read_undefined(undefined: str) -> None:
    """Check what an undefined value is to count as."""
    if not is_choice(undefined, UNDEFINED_VALUES):
        raise ParameterError(
            f"{spelled('undefined')} is {undefined!r}; it must be 'omit' (leave the value out), 'zero' or 'lowest'."
        )


def asked(scored: CaseValues, metrics: Any) -> tuple[str, ...]:
    """Return the names of the measures asked for, without those that were scored as a reference alone."""
    return scored.metrics if metrics is None else tuple(resolve(metrics))


def oriented(measure: Metric, table: Table) -> Array:
    """Score a table; an error is negated, so that greater is better."""
    scores = np.asarray(measure.of_table(table))
    return scores if measure.greater_is_better else -scores


def filled(scores: Array, measure: Metric, undefined: str) -> Array:
    """Replace undefined values as asked: by nothing, by 0, or by the lowest value that the measure gave anywhere."""
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


def check_data(data: Any) -> tuple[Any, ...]:
    """Return the systems of the data, and refuse data on which measures cannot be evaluated."""
    if not isinstance(data, Runs | Table):
        raise DataError(
            f"measures are evaluated on Runs or on a Table of systems and cases, not on {type(data).__name__}."
        )
    if isinstance(data, Table):
        names = [axis.name for axis in data.axes]
        if names != ["system", "case"] or len(data.axes[1].labels) < 2:
            raise DataError(
                f"this table has the axes {names}; it needs 'system' and 'case', with several cases. Pass Runs, whose "
                f"items can be divided into random parts."
            )
    systems = data.systems if isinstance(data, Runs) else data.axes[0].labels
    if len(systems) < 2:
        raise DataError(
            "there is only one system; measures are evaluated by how they rank systems. Give at least 2."
        )
    return systems


def tables_of(data: Runs | Table, parts: int, repeats: int, rng: Any) -> tuple[Table, bool]:
    """Return the tables with the axes split, system and case, and whether the cases are random parts."""
    if isinstance(data, Runs) and len(data.cases) < 2:
        return split_counts(data.pooled(), parts, repeats, rng), True
    return with_one_split(data.table if isinstance(data, Runs) else data), False


def with_one_split(table: Table) -> Table:
    """Add the leading axis of random splits, with one entry."""
    return table.rearranged(lambda array: array[None], (Axis("split", (0,)), *table.axes))
