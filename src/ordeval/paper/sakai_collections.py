"""The two criteria by which Sakai compares measures, on each collection of a data folder."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ordeval.aliases import Progress
from ordeval.formats.numbers import counted
from ordeval.meta.per_measure import PerMeasure
from ordeval.meta.power import DiscriminativePower, discriminative_power
from ordeval.meta.resamples import read_amount
from ordeval.meta.split_halves import RankingSimilarity, split_halves
from ordeval.meta.values import label_measures
from ordeval.metrics import Family, ScaleType, registry
from ordeval.paper.campaigns import SETS, DataSet, read_set, sets_in
from ordeval.progress import each, portion
from ordeval.runs import Runs
from ordeval.stats.streams import read_seed

ALPHA = 0.05
QUADRATIC = "weighted_kappa(weights='quadratic')"


def measures() -> list[str]:
    """Return the measures that are compared: every measure of labels with its usual settings, two also with others."""
    return [*label_measures(), QUADRATIC, "krippendorff_alpha(level='interval')"]


def uses_order(name: str) -> bool:
    """Tell whether a measure looks at the order of the classes, item by item; measures of the two margins do not."""
    measure = registry[name]
    return measure.scale_type is not ScaleType.NOMINAL and measure.family is not Family.DISTRIBUTION


@dataclass(frozen=True, eq=False)
class MeasuredCollection:
    """System ranking consistency and discriminative power of every measure on one collection."""

    data_set: DataSet
    items: int
    classes: int
    cases: int  # 0: the items are the sample
    consistency: RankingSimilarity
    power: DiscriminativePower

    @property
    def systems(self) -> int:
        """How many systems there are."""
        return self.consistency.systems

    @property
    def halved(self) -> str:
        """What is divided into halves, and what the tests take as the sample."""
        return counted(self.cases, "test case") if self.cases else "items"

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain Python objects."""

        def row(result: PerMeasure, name: str) -> dict[str, float]:
            return {"value": result[name], **result.interval(name).to_dict()}

        return {
            "key": self.data_set.key,
            "title": self.data_set.title,
            "systems_are": self.data_set.kind,
            "items": self.items,
            "systems": self.systems,
            "classes": self.classes,
            "cases": self.cases,
            "metrics": {
                name: {
                    "ranking_similarity": row(self.consistency, name),
                    "discriminative_power": row(self.power, name),
                }
                for name in self.consistency.metrics
            },
        }


def as_one_sample(runs: Runs) -> Runs:
    """Return the same answers without their test cases, so that items are the sample."""
    return replace(runs, cases=(), clusters=(), case=np.zeros_like(runs.case))


def measure_collections(
    folder: str | Path,
    *,
    splits: int = 1000,
    flips: int = 999,
    resamples: int = 999,
    rng: int = 0,
    progress: Progress = None,
) -> tuple[MeasuredCollection, ...]:
    """Measure every collection of the folder that has several systems."""
    several = [one for one in SETS if one.kind != "one run"]
    seed = read_seed(rng)
    read_amount(resamples, "resamples", 1)
    return tuple(
        measure_collection(
            one, Path(folder), splits=splits, flips=flips, resamples=resamples, rng=seed, progress=step
        )
        for one, step in each(sets_in(folder, several), progress)
    )  # fmt: skip


def measure_collection(
    data_set: DataSet,
    root: Path,
    *,
    splits: int,
    flips: int,
    resamples: int,
    rng: int,
    progress: Progress = None,
) -> MeasuredCollection:
    """Measure one collection.

    Without test cases, every split has its own two halves of the items: two random parts, divided once.
    """
    runs = read_set(data_set, root)
    if data_set.pooled:
        runs = as_one_sample(runs)
    drawn: dict[str, Any] = {"resamples": resamples, "rng": rng}
    halves = split_halves(
        runs, measures(), splits=splits, parts=2, repeats=splits, **drawn,
        progress=portion(progress, 0, 0.7),
    )  # fmt: skip
    power = discriminative_power(
        runs, measures(), alpha=ALPHA, correction="maxt", flips=flips, **drawn
    )
    return MeasuredCollection(
        data_set, int(runs.n), runs.scale.k, len(runs.cases), halves.ranking_similarity, power
    )
