"""Tables with a column for 'no answer', scored by many measures at once.

`cells[..., gold, answer]` is K x (K + 1): the last column holds the items without an answer. It is what resampling
draws and what the policy for missing answers is applied to, after the draw.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ordeval.aliases import Array as Array  # noqa: PLC0414 - others import it from here
from ordeval.errors import NoItemsError, ParameterError
from ordeval.inputs.patterns import distinct_patterns
from ordeval.inputs.policy import Policy
from ordeval.metrics.metric import Metric
from ordeval.runs import Runs
from ordeval.scale import Scale
from ordeval.stats.bootstrap import CasePatterns
from ordeval.table import Table
from ordeval.table.folding import fold_to_farthest

DISTRIBUTIONS = ("resampled", "fixed")


@dataclass(frozen=True)
class Scorer:
    """The measures, and everything that they must be told besides the counts."""

    measures: Mapping[str, Metric]
    scale: Scale
    policy: Policy
    distribution: str = "resampled"

    def __post_init__(self) -> None:
        if self.distribution not in DISTRIBUTIONS:
            raise ParameterError(
                f"distribution={self.distribution!r} is no choice; the class distribution of closeness measures is "
                f"'resampled' with the items or 'fixed' at the gold's."
            )

    @property
    def k(self) -> int:
        """The number of classes."""
        return self.scale.k

    def seen(self, cells: Array) -> tuple[Array, Array | None]:
        """Return the counts and the unanswered items that measures see under the policy."""
        answered, missed = cells[..., : self.k], cells[..., self.k]
        if self.policy.missing == "zero" and missed.any():
            return answered, missed
        if self.policy.missing == "farthest" and missed.any():
            return fold_to_farthest(answered, missed), None
        return answered, None

    def __call__(self, cells: Array, observed: Array | None = None) -> Array:
        """Return values[measure, ...]: NaN where undefined.

        `observed` are the cells that were resampled, whose gold distribution closeness measures keep if it is fixed.
        """
        values = np.array(self.scale.values, dtype=np.float64)
        counts, unanswered = self.seen(cells)
        result = np.empty((len(self.measures), *cells.shape[:-2]))
        for at, measure in enumerate(self.measures.values()):
            reference = None
            if (
                self.distribution == "fixed"
                and observed is not None
                and "reference" in measure.needs
            ):
                reference = np.broadcast_to(self.gold(observed), counts.shape[:-1])
            try:
                result[at] = measure.compute(counts, values, unanswered, reference)
            except NoItemsError:
                result[at] = np.nan
        return result

    def gold(self, cells: Array) -> Array:
        """Return the gold counts of what is scored; those of a table without items are made even."""
        counts, unanswered = self.seen(cells)
        gold = counts.sum(axis=-1) + (0.0 if unanswered is None else unanswered)
        return np.where(gold.sum(axis=-1, keepdims=True) > 0, gold, 1.0)


def cells_of(data: Runs | Table) -> Array:
    """Return cells[system, case, gold, answer] as floats; one system or case where the data names none."""
    table = data.table if isinstance(data, Runs) else data
    cells = np.concatenate([table.answered, table.missed[..., None]], axis=-1).astype(np.float64)
    names = [axis.name for axis in table.axes]
    systems = len(table.axes[names.index("system")].labels) if "system" in names else 1
    return np.asarray(cells.reshape(systems, -1, *cells.shape[-2:]))


def system_patterns(cells: Array) -> list[CasePatterns]:
    """Return, for each case, the patterns of one system: the cells of its table[case, gold, answer] that have items."""
    k = cells.shape[-2]
    flat = cells.reshape(len(cells), -1)
    used = [np.flatnonzero(row) for row in flat]
    return [CasePatterns(row[at], at[None], k) for row, at in zip(flat, used, strict=True)]


def joint_patterns(runs: Runs) -> list[CasePatterns]:
    """Return, for each case, the distinct joint answers of all systems.

    Runs from which systems were removed may have patterns that are equal now; they are merged. Patterns are numbered by
    the systems' names, so that no draw depends on the order in which the systems were given.
    """
    k, cases = runs.scale.k, max(len(runs.cases), 1)
    by_name = sorted(range(len(runs.systems)), key=lambda system: runs.systems[system])
    as_given = np.argsort(by_name)
    answers = runs.predicted[by_name]
    rows = np.concatenate([runs.case[None], runs.gold[None], answers]).astype(np.intp)
    limits = [cases, k, *[k + 1] * len(runs.systems)]
    (case, gold, *predicted), count = distinct_patterns(rows, limits, runs.count.astype(np.float64))
    cell = (gold * (k + 1) + np.stack(predicted))[as_given]
    of_case = [np.flatnonzero((case == at) & (count > 0)) for at in range(cases)]
    return [CasePatterns(count[at], cell[:, at], k) for at in of_case]


def whole(counts: Array) -> bool:
    """Tell whether the counts are numbers of items, and not weights."""
    return bool((counts == np.rint(counts)).all())
