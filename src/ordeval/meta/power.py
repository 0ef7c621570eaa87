"""Discriminative power: the share of system pairs with a significant difference by a measure (Sakai 2006)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ordeval.arguments import is_number
from ordeval.comparison.pairs import compare_pairs
from ordeval.comparison.samples import by_name, cells_of, joint_patterns, one_sample, sampling_unit
from ordeval.comparison.scorer import Scorer
from ordeval.errors import ParameterError, spelled
from ordeval.meta.per_measure import PerMeasure
from ordeval.meta.ranking import Array, quotient, systems_drawn
from ordeval.meta.resamples import read_amount, read_level
from ordeval.meta.values import (
    CaseValues,
    check_data,
    check_per_item,
    filled,
    label_measures,
    read_undefined,
)
from ordeval.metrics import Metric, resolve
from ordeval.runs import Runs
from ordeval.stats.jackknife import CaseSample, CaseTables, ItemSample, case_sample
from ordeval.stats.multiple_testing import read_correction
from ordeval.stats.streams import read_seed
from ordeval.table import Table


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class DiscriminativePower(PerMeasure):
    """The share of system pairs with a significant difference, for each measure.

    >>> made = oe.simulate.collection(labels=3, cases=6, items=40, ratios=[0.2, 0.6])
    >>> oe.meta.discriminative_power(made.runs, ["cem_ord", "mae"], resamples=0)
    DiscriminativePower(mae=0.733 best of 2 measures, alpha=0.05)
    """

    kind = "discriminative_power"
    called = "discriminative power"
    default_over = "systems"
    limits = (0.0, 1.0)
    settings = ("alpha", "test", "resample", "correction", "flips", "level", "systems", "undefined")
    counts = (("pairs_left_out", "left_out"),)
    in_repr = ("alpha",)

    p: Array  # [measure, pair]: adjusted as `correction` says, NaN where a score is undefined
    alpha: float  # the level of significance
    resample: str  # what another sample would draw anew: cases or items
    correction: str  # how p-values are corrected over pairs
    test: str = "t"  # the test of differences
    flips: int = 0  # sign flips behind the correction "maxt"; the others need none


def discriminative_power(
    data: Any,
    metrics: Any = None,
    *,
    alpha: float = 0.05,
    correction: str = "none",
    flips: int = 9_999,
    resamples: int = 999,
    level: float = 0.95,
    rng: Any = 0,
    undefined: str = "omit",
) -> DiscriminativePower:
    """Return the share of system pairs whose difference is significant at `alpha` by the t test of `ordeval.compare`.

    Test cases are the sample where there are several, items where there are none. `correction` adjusts over the pairs
    ("maxt", from `flips` joint sign flips, "holm" or "bh"); none, as in Sakai's paper, unless asked for. The
    interval draws the systems again, and `resamples=0` leaves it out. `undefined` says what an undefined score counts
    as, as in `coverage`; a pair that still has one is left out and counted.

    >>> made = oe.simulate.collection(labels=3, cases=6, items=40, ratios=[0.2, 0.6])
    >>> power = oe.meta.discriminative_power(
    ...     made.runs, ["cem_ord", "accuracy"], resamples=0
    ... )
    >>> round(power["cem_ord"], 3)
    0.711
    """
    seed = read_seed(rng)
    read_undefined(undefined)
    read_correction(correction)
    read_amount(flips, "flips", 1)
    read_amount(resamples, "resamples", 0)
    read_level(level)
    if not (is_number(alpha) and 0 < alpha < 1):
        raise ParameterError(
            f"{spelled('alpha')} is {alpha!r}; the level of a test must be between 0 and 1, such as 0.05."
        )
    if isinstance(data, CaseValues):
        metrics = data.metrics if metrics is None else metrics
        data, undefined = data.data, data.undefined
    systems = len(check_data(data))
    measures = resolve(label_measures() if metrics is None else metrics)
    check_per_item(data, measures)
    cases = data.axes[1].labels if isinstance(data, Table) else data.cases or data.clusters
    unit = sampling_unit(None, len(cases))
    sample = sample_of(data, measures, unit, undefined)
    pairs = compare_pairs(
        sample, measures, range(systems), test="t", correction=correction, level=level, margin=None,
        size=flips, seed=seed,
    )  # fmt: skip
    defined = ~np.isnan(pairs.p_adjusted)
    apart = np.where(defined, pairs.p_adjusted <= alpha, 0.0)
    generator = np.random.default_rng([seed, systems])
    mass = systems_drawn(systems, resamples, generator)
    drawn = quotient(apart @ mass, defined.astype(np.float64) @ mass)
    return DiscriminativePower(
        metrics=tuple(measures),
        values=quotient(apart.sum(axis=-1), defined.sum(axis=-1)),
        spread=np.full(len(measures), np.nan),
        draws={"systems": drawn} if resamples else {},
        level=level,
        systems=systems,
        undefined=undefined,
        left_out=tuple((~defined).sum(axis=-1).tolist()),
        p=pairs.p_adjusted,
        alpha=alpha,
        resample=unit,
        correction=correction,
        flips=pairs.flips,
    )


def sample_of(
    data: Runs | Table, measures: Mapping[str, Metric], unit: str, undefined: str
) -> CaseSample | ItemSample:
    """Return the sample of test cases whose scores are averaged, or of one score: of items, or of pooled test cases."""
    scorer = Scorer(measures, data.scale, data.policy)
    if isinstance(data, Runs) and (unit == "items" or not data.cases):
        patterns, pooled = joint_patterns(data, scorer=scorer), bool(data.clusters)
        items = one_sample(patterns, scorer, unit=unit, undefined="omit", pooled=pooled)
        assert isinstance(items, ItemSample)  # noqa: S101 - the only kind of one score
        value = all_filled(items.estimate.value, measures, undefined)
        return replace(items, estimate=replace(items.estimate, value=value))
    table = data.table if isinstance(data, Runs) else data
    weight = np.ones(table.shape)
    if table.weighting is not None:
        weight = np.asarray(table.n) / np.maximum(table.effective, 1.0)
    cells = cells_of(table)
    order = by_name(table.axes[1].labels)  # as compare numbers the cases, for the same flips
    tables = [CaseTables(cells[:, at], weight[:, at]) for at in order]
    scores = all_filled(scorer(cells)[..., order], measures, undefined)
    return case_sample(tables, scorer, scores)


def all_filled(scores: Array, measures: Mapping[str, Metric], undefined: str) -> Array:
    """Replace undefined values in scores[measure, ...] as asked."""
    rows = []
    for row, measure in zip(scores, measures.values(), strict=True):
        up = 1.0 if measure.greater_is_better else -1.0
        rows.append(up * filled(up * row, measure, undefined))
    return np.stack(rows)
