"""Compare all pairs of systems: differences with intervals, a test, a correction, and the outcome of each."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ordeval.aliases import Array, Progress
from ordeval.arguments import check_choice
from ordeval.comparison.results import PairDifference
from ordeval.errors import ParameterError, argument
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.metrics.metric import Metric
from ordeval.progress import portion
from ordeval.stats.case_tests import wilcoxon_p
from ordeval.stats.chunks import chunks
from ordeval.stats.differences import differences, paired_scores
from ordeval.stats.distributions import t_cdf
from ordeval.stats.jackknife import CaseSample, Sample
from ordeval.stats.joint_draws import count_reached
from ordeval.stats.multiple_testing import adjusted, flipped_p, maximum_p, reached_at
from ordeval.stats.sign_flips import counts_all_flips, flipped_t, measures_at_a_time

TESTS = ("t", "randomisation", "wilcoxon")
OUTCOMES = {outcome: f"a is {outcome}" for outcome in ("better", "worse", "not worse")}


@dataclass(frozen=True)
class PairValues:
    """The differences a - b over [measure, pair]: intervals, p-values, and outcomes.

    `flips` is how many sign flips were drawn or counted (0 if the p-values need none), `exact` whether those are all.
    """

    first: Array  # the systems of each pair
    second: Array
    difference: Array
    low: Array
    high: Array
    error: Array
    p: Array
    p_adjusted: Array
    win: Array
    effect: Array
    equivalent: Array  # p-values, NaN without a margin
    not_worse: Array
    flips: int
    exact: bool


def pair_sheet(pairs: Sequence[PairDifference]) -> Sheet:
    """Return a row for each difference by one measure."""
    again = (
        "Chance that a leads again: on another sample of this size, if nothing is known of the systems beforehand; it "
        "is lower for systems that are known to be close."
    )
    effect = "Effect: the difference divided by the standard deviation of the differences of items or test cases."
    columns = [
        Column("a"),
        Column("b"),
        Column(f"{pairs[0].metric}: a - b", Kind.NUMBER, digits=4, sign=True, interval=True),
        Column("p adjusted", Kind.P_VALUE),
        Column("outcome"),
        Column("chance that a leads again", Kind.NUMBER, meaning=again),
        Column("effect", Kind.NUMBER, meaning=effect),
        Column("p", Kind.P_VALUE),  # last, because a narrow screen hides the last columns
    ]
    rows = [
        [
            Cell(pair.a),
            Cell(pair.b),
            Cell(pair.difference, pair.low, pair.high),
            Cell(pair.p_adjusted),
            Cell(OUTCOMES.get(pair.outcome or "", pair.outcome or "")),
            Cell(pair.win),
            Cell(pair.effect),
            Cell(pair.p),
        ]
        for pair in pairs
    ]
    return Sheet(columns, rows, least=4)


def read_test(test: str | None, unit: str, *, paired: bool) -> str:
    """Return the test to be used; the default is t, whose null hypothesis is that two scores are equal."""
    if test is None:
        return "t"
    check_choice("test", test, TESTS)
    if test == "wilcoxon" and unit != "cases":
        raise ParameterError(
            f"{argument('test', test)} compares scores over test cases, and here items are the sample. Pass "
            f"{argument('test', 't')}."
        )
    if test != "t" and not paired:
        raise ParameterError(
            f"{argument('test', test)} pairs the answers to the same items, and these samples share none. Pass "
            f"{argument('test', 't')}."
        )
    return test


def compare_pairs(
    sample: Sample,
    measures: Mapping[str, Metric],
    order: Sequence[int],
    *,
    test: str,
    correction: str,
    level: float,
    margin: float | None,
    size: int,
    seed: int,
    progress: Progress = None,
) -> PairValues:
    """Return the differences of all pairs of systems by all measures; a is the one that comes first in `order`."""
    ahead, behind = np.triu_indices(len(order), 1)
    first, second = np.array(order)[ahead], np.array(order)[behind]
    shape = (len(measures), len(first))
    values, low, high, error, p, corrected, win, effect, equivalent, not_worse = (
        np.full(shape, np.nan) for _ in range(10)
    )
    observed = np.full(shape, np.nan)  # the t that sign flips are held against
    for m, measure in enumerate(measures.values()):
        apart = differences(sample, m, first, second)
        values[m], error[m] = apart.value, apart.error
        most = measure.bounds[1] - measure.bounds[0]  # two scores cannot be farther apart
        low[m], high[m] = (np.clip(end, -most, most) for end in apart.interval(level))
        up = 1.0 if measure.greater_is_better else -1.0
        defined = ~np.isnan(apart.t)
        with np.errstate(all="ignore"):
            again = t_cdf(
                np.where(defined, up * apart.t / math.sqrt(2), 0.0), np.maximum(apart.freedom, 1.0)
            )
            effect[m] = np.where(np.isfinite(apart.t), apart.t / np.sqrt(apart.freedom + 1), np.nan)
        win[m] = np.where(defined, again, np.nan)
        if test == "wilcoxon" and isinstance(sample, CaseSample):
            for part in chunks(len(first), numbers=sample.scores.shape[-1]):
                apart_in_cases, _ = paired_scores(sample, m, first[part], second[part])
                p[m, part] = np.where(defined[part], wilcoxon_p(apart_in_cases), np.nan)
        else:
            p[m] = apart.p
        observed[m] = apart.seen.t if test == "randomisation" else apart.t
        if margin is not None:
            better = replace(apart, value=up * apart.value)
            not_worse[m] = better.one_sided_p(-margin)
            worse = replace(apart, value=-up * apart.value)
            equivalent[m] = np.maximum(not_worse[m], worse.one_sided_p(-margin))
    joint, alone = correction == "maxt" and len(first) > 1, test == "randomisation"
    cases = sample.scores.shape[-1] if isinstance(sample, CaseSample) else None
    exact = cases is not None and counts_all_flips(cases, size)
    for some in measures_at_a_time(sample, len(first)) if joint or alone else ():
        t = observed[some]
        reached = count_reached(
            reached_at(t),
            flipped_t(
                sample, range(some.start, some.stop), first, second, size=size, seed=seed, unseen=not alone
            ),
            alone=alone, largest=joint, size=size,
            progress=portion(progress, some.start / len(p), some.stop / len(p)),
        )  # fmt: skip
        if alone:
            p[some] = flipped_p(t, reached, exact=exact)
        if joint:
            corrected[some] = np.maximum(maximum_p(t, reached, exact=exact), p[some])
    if progress is not None:
        progress(1, 1)
    if not joint:
        corrected = adjusted(p, "none" if correction == "maxt" else correction)
    one_by_one = "holm" if correction == "maxt" else correction
    flips = 2 ** (cases - 1) if exact and cases is not None else size
    return PairValues(
        first=first,
        second=second,
        difference=values,
        low=low,
        high=high,
        error=error,
        p=p,
        p_adjusted=corrected,
        win=win,
        effect=effect,
        equivalent=adjusted(equivalent, one_by_one),
        not_worse=adjusted(not_worse, one_by_one),
        flips=flips if joint or alone else 0,
        exact=exact,
    )


def outcome_of(values: PairValues, m: int, q: int, alpha: float, *, up: bool) -> str | None:
    """Return what system a is to b in the pair q: better, worse, equivalent, not worse or undecided."""
    difference, p = values.difference[m, q], values.p_adjusted[m, q]
    if math.isnan(difference) or math.isnan(p):
        return None
    if p <= alpha:
        return "better" if (difference > 0) == up else "worse"
    if values.equivalent[m, q] <= alpha:
        return "equivalent"
    return "not worse" if values.not_worse[m, q] <= alpha else "undecided"


def cases_needed(alpha: float, pairs: int, test: str, correction: str) -> int:
    """Return how many test cases it takes until some difference can be significant at all."""
    smallest = alpha / pairs if correction == "holm" and test != "t" else alpha
    flipped = test != "t" or (correction == "maxt" and pairs > 1)
    # All n cases on one side are the smallest p of sign flips, and of signed ranks: 2 / 2^n.
    return math.ceil(1 - math.log2(smallest)) if flipped else 2
