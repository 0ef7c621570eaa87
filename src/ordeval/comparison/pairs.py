"""Compare all pairs of systems: paired intervals from one set of resamples, a test, and a correction."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ordeval.aliases import Array, Progress
from ordeval.comparison.results import PairDifference
from ordeval.comparison.scoring import Scorer, are_whole, over_cases
from ordeval.errors import ParameterError, argument
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.stats.bootstrap import CasePatterns, resampled_scores
from ordeval.stats.case_tests import EXACT_FLIPS, flips_p, paired_t_p, wilcoxon_p
from ordeval.stats.chunks import chunks
from ordeval.stats.intervals import bootstrap_interval, jackknife_acceleration, leave_one_out
from ordeval.stats.item_tests import swap_p
from ordeval.stats.multiple_testing import adjusted
from ordeval.stats.ranks import rank_shares
from ordeval.stats.streams import Purpose
from ordeval.ties import TIE, same

TESTS = ("randomisation", "bootstrap", "wilcoxon", "t")
FINER = 2  # the smallest adjusted p that draws can give is below alpha by at least this factor
MOST_DRAWS = 1_000_000  # the number of draws asked for is not raised beyond this


@dataclass(frozen=True)
class PairValues:
    """The differences a - b over [measure, pair]: intervals, p-values, and the shares of resamples that a wins."""

    first: Array  # the systems of each pair
    second: Array
    difference: Array
    low: Array
    high: Array
    error: Array
    undefined: Array
    p: Array
    p_adjusted: Array
    win: Array
    ranks: Array  # [measure, system, rank]
    n_resamples: int  # behind the intervals and the shares of wins
    n_draws: int  # behind the p-values; 0 if they are exact


def pair_sheet(pairs: Sequence[PairDifference], of: int) -> Sheet:
    """Return a row for each difference by one measure; `of` is how many there are with those that are not shown."""
    columns = [
        Column("a"),
        Column("b"),
        Column(f"{pairs[0].metric}: a - b", Kind.NUMBER, digits=4, interval=True),
        Column("p adjusted", Kind.P_VALUE),
        Column("a wins", Kind.NUMBER),
        Column("p", Kind.P_VALUE),  # last, because a narrow screen leaves the last columns out
    ]
    rows = [
        [
            Cell(pair.a),
            Cell(pair.b),
            Cell(pair.difference, pair.low, pair.high),
            Cell(pair.p_adjusted),
            Cell(pair.win),
            Cell(pair.p),
        ]
        for pair in pairs
    ]
    rest = f"The best system against each of the others; JSON has all {of} pairs by all measures."
    return Sheet(columns, rows, [rest] if len(pairs) < of else ())


def read_test(test: str | None, unit: str, cases: int) -> str:
    """Return the test to be used; the default is randomisation, which keeps its level for all measures."""
    if test is None:
        return "randomisation"
    if test not in TESTS:
        raise ParameterError(f"test={test!r} is no choice; it is one of {', '.join(TESTS)}.")
    if test in {"wilcoxon", "t"} and cases < 2:
        number = "one test case" if cases else "no test cases"
        raise ParameterError(
            f"{argument('test', test)} compares scores over test cases; the data has {number}. Pass "
            f"{argument('test', 'randomisation')}."
        )
    if test in {"wilcoxon", "t"} and unit == "items":
        raise ParameterError(
            f"{argument('test', test)} takes the test cases for a sample, and {argument('resample', 'items')} holds "
            f"them fixed. Pass {argument('resample', 'cases')}."
        )
    return test


def draws_for(asked: int, pairs: int, alpha: float, correction: str) -> int:
    """Return how many draws a sampled test takes: more than asked for if Holm's correction needs finer p-values.

    The smallest p that R draws can give is 1 / (R + 1), and Holm multiplies it by the number of pairs. Draws are not
    raised beyond a million: at a level of 0.9999999 even all draws that fit in memory would be too few.
    """
    if correction != "holm":
        return asked
    wanted = FINER * pairs / alpha if alpha > 0 else MOST_DRAWS
    return max(asked, math.ceil(min(wanted, MOST_DRAWS)) - 1)


def bootstrap_p(differences: Array, observed: Array) -> Array:
    """Return two-sided p by the paired bootstrap, from differences[..., resample] around observed[...].

    Resampled differences minus the observed one are what chance alone would give; p is the share of them at least as
    far from 0 as the observed one, with one added to both counts. Undefined resamples are left out.
    """
    with np.errstate(invalid="ignore"):
        reached = np.abs(differences - observed[..., None]) >= np.abs(observed)[..., None] - TIE
    defined = (~np.isnan(differences)).sum(axis=-1)
    return np.where(np.isnan(observed), np.nan, (reached.sum(axis=-1) + 1.0) / (defined + 1.0))


def compare_pairs(
    patterns: list[CasePatterns],
    scorer: Scorer,
    order: list[int],
    *,
    unit: str,
    test: str,
    correction: str,
    alpha: float,
    n_resamples: int,
    seed: int,
    bca: bool,
    progress: Progress = None,
) -> PairValues:
    """Return the differences of all pairs of systems by all measures; a is the one that comes first in `order`."""
    check_items(patterns, unit, test)
    per_case = np.stack(
        [scorer(case.observed) for case in patterns], axis=-1
    )  # [measure, system, case]
    values = per_case.mean(axis=-1)
    pairs = np.array(
        [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]], dtype=np.intp
    ).reshape(-1, 2)
    first, second = pairs.T
    drawn = draws_for(n_resamples, len(pairs), alpha, correction)
    size = drawn if test == "bootstrap" else n_resamples
    samples = resampled_scores(
        patterns, scorer, unit=unit, size=size, seed=seed, purpose=Purpose.JOINT, progress=progress
    )
    better = np.array(
        [1.0 if measure.greater_is_better else -1.0 for measure in scorer.measures.values()]
    )
    influence = leave_one_out(patterns, scorer) if bca and unit == "items" else None
    low, high, error, undefined, p, win = (
        np.full((len(values), len(pairs)), np.nan) for _ in range(6)
    )
    for m, some in pieces(len(values), len(pairs), size):
        a, b = first[some], second[some]
        draws, observed = samples[m, a] - samples[m, b], values[m, a] - values[m, b]
        acceleration = None
        if influence is not None:
            acceleration = jackknife_acceleration(
                influence[0][m, a] - influence[0][m, b], *influence[1:]
            )
        elif bca:
            acceleration = over_cases(per_case[m, a] - per_case[m, b])
        low[m, some], high[m, some], error[m, some], undefined[m, some] = bootstrap_interval(
            draws, observed, 1 - alpha, acceleration=acceleration
        )
        win[m, some] = wins(draws * better[m])
        if test == "bootstrap":
            p[m, some] = bootstrap_p(draws, observed)
    exact = False
    if test == "randomisation" and unit == "items":
        p, exact = swapped(patterns, scorer, pairs, size=drawn, seed=seed, progress=progress)
    elif test != "bootstrap":
        apart = per_case[:, first] - per_case[:, second]
        p, exact = over_case_scores(apart, test, size=drawn, seed=seed, progress=progress)
    if unit != "cases" and sum(case.items for case in patterns) < 2:
        # A single item does not vary, so no interval can be made.
        low, high, error = (np.full_like(low, np.nan) for _ in range(3))
    ranks = [
        rank_shares(sample, greater_is_better=sign > 0)
        for sample, sign in zip(samples, better, strict=True)
    ]
    return PairValues(
        first=first,
        second=second,
        difference=values[:, first] - values[:, second],
        low=low,
        high=high,
        error=error,
        undefined=undefined,
        p=p,
        p_adjusted=adjusted(p, correction),
        win=win,
        ranks=np.stack(ranks),
        n_resamples=size,
        n_draws=0 if exact else drawn,
    )


def swapped(
    patterns: list[CasePatterns],
    scorer: Scorer,
    pairs: Array,
    *,
    size: int,
    seed: int,
    progress: Progress,
) -> tuple[Array, bool]:
    """Return p[measure, pair] by randomisation over items, and whether all of them are exact."""
    p, exact = np.full((len(scorer.measures), len(pairs)), np.nan), True
    for at, (a, b) in enumerate(pairs.tolist()):
        randomised = swap_p(patterns, scorer, (a, b), size=size, seed=seed)
        p[:, at], exact = randomised.p, exact and randomised.exact
        if progress is not None:
            progress(at + 1, len(pairs))
    return p, exact


def over_case_scores(
    differences: Array, test: str, *, size: int, seed: int, progress: Progress
) -> tuple[Array, bool]:
    """Return p from differences[measure, pair, case], and whether it is exact, without draws."""
    if test == "wilcoxon":
        return wilcoxon_p(differences), True
    if test == "t":
        return paired_t_p(differences), True
    return flips_p(differences, size=size, seed=seed, progress=progress), differences.shape[
        -1
    ] <= EXACT_FLIPS


def pieces(measures: int, pairs: int, size: int) -> Iterator[tuple[int, slice]]:
    """Cut the work into measures and slices of pairs whose resampled differences fit in memory."""
    for m in range(measures):
        for part in chunks(pairs, numbers=size):
            yield m, part


def wins(draws: Array) -> Array:
    """Return the share of defined draws[..., resample] in which a is ahead, ties counting half."""
    with np.errstate(all="ignore"):
        defined = (~np.isnan(draws)).sum(axis=-1)
        return np.asarray(
            ((draws > TIE).sum(axis=-1) + same(draws, 0.0).sum(axis=-1) / 2) / defined
        )


def check_items(patterns: list[CasePatterns], unit: str, test: str) -> None:
    """Refuse to resample items that have weights, and to bootstrap a single item."""
    if unit == "cases":
        return
    if not all(are_whole(case.count) for case in patterns):
        raise ParameterError(
            "the items are weighted, and weights are not numbers of items: items cannot be resampled. Compare without "
            f"sample_weight, or give test cases and pass {argument('resample', 'cases')}."
        )
    if test == "bootstrap" and sum(case.items for case in patterns) < 2:
        raise ParameterError(
            f"a single item cannot be resampled. Pass more items, or {argument('test', 'randomisation')}."
        )
