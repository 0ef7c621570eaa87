"""Compare any number of systems on the same items: leaderboard, paired differences, tiers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from ordeval.aliases import Array, Progress
from ordeval.comparison.about import about_input
from ordeval.comparison.captions import interval_sentence, missing_sentence, most_undefined
from ordeval.comparison.pairs import PairValues, compare_pairs, pair_sheet, read_test
from ordeval.comparison.plan import Plan, plan_pairs, plan_sheet
from ordeval.comparison.results import PairDifference, Scores, Standing, none_if_undefined
from ordeval.comparison.scoring import (
    DEFAULT_METHOD,
    DEFAULT_METRICS,
    Scorer,
    joint_patterns,
    score_runs,
)
from ordeval.errors import LabelTypeError, ParameterError
from ordeval.formats.frames import make_frame
from ordeval.formats.json import head
from ordeval.formats.latex import to_latex
from ordeval.formats.numbers import counted
from ordeval.formats.result import Result
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.metrics.registry import registry, resolve
from ordeval.runs import Runs
from ordeval.stats.bootstrap import resample_unit
from ordeval.stats.multiple_testing import read_correction
from ordeval.stats.ranks import best_first, tiers_of

AboutPair = TypeVar("AboutPair", PairDifference, Plan)

ALPHA = 0.05  # if no level is asked for
MANY_PAIRS = 10  # beyond, people are shown the best system against each of the others; JSON has all
NUMBERED = frozenset({"latex", "csv", "page"})  # forms that show the rank as a number
PAGE = frozenset({"page"})
SUPERSCRIPTS = "A superscript names the systems, by their number, that a system beats."
TEST_NAMES = {
    "randomisation": "randomisation",
    "bootstrap": "paired bootstrap",
    "wilcoxon": "Wilcoxon signed-rank",
    "t": "paired t",
}
CORRECTION_NAMES = {
    "holm": "corrected by Holm",
    "bh": "corrected by Benjamini and Hochberg",
    "none": "not corrected",
}


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """Systems on the same items, best first by the primary measure.

    `leaderboard`, `pairs` and `tiers` hold the results; `caption` says how they were made.
    """

    runs: Runs
    scores: Scores
    primary: str
    order: tuple[int, ...]  # the systems, best first
    tiers: tuple[tuple[str, ...], ...]
    pair_values: PairValues | None  # None if there is only one system
    test: str
    correction: str
    alpha: float
    plans: tuple[Plan, ...] = ()  # how many items would settle each pair, if asked for

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, best first."""
        return tuple(self.scores.systems[s] for s in self.order)

    @property
    def cells(self) -> Array:
        """The tables with their unanswered items: cells[system, case, gold, answer]."""
        return self.scores.cells

    @property
    def row(self) -> int:
        """The place of the primary measure among the measures."""
        return self.scores.metrics.index(self.primary)

    @property
    def measure_order(self) -> list[int]:
        """The places of the measures, the primary first."""
        return [self.row, *(m for m in range(len(self.scores.metrics)) if m != self.row)]

    @cached_property
    def leaderboard(self) -> tuple[Standing, ...]:
        """The systems, best first: their tiers, their scores by all measures, and whom they beat by the primary."""
        tier_of = {system: tier for tier, systems in enumerate(self.tiers, 1) for system in systems}
        beaten: dict[str, list[str]] = {system: [] for system in self.systems}
        for pair in self.pairs:
            significant = pair.p_adjusted is not None and pair.p_adjusted <= self.alpha
            if pair.metric == self.primary and significant:
                beaten[pair.a].append(pair.b)
        ranks = np.ones((1, 1)) if self.pair_values is None else self.pair_values.ranks[self.row]
        return tuple(
            Standing(
                rank,
                tier_of[name],
                name,
                {metric: self.scores.score(m, s) for m, metric in enumerate(self.scores.metrics)},
                tuple(beaten[name]),
                tuple(ranks[s].tolist()),
            )
            for rank, (s, name) in enumerate(zip(self.order, self.systems, strict=True), 1)
        )

    @cached_property
    def pairs(self) -> tuple[PairDifference, ...]:
        """All pairs by all measures, the primary first; a stands before b on the leaderboard."""
        values = self.pair_values
        if values is None:
            return ()
        both = list(zip(values.first.tolist(), values.second.tolist(), strict=True))
        return tuple(
            self.pair_difference(values, m, q, a, b)
            for m in self.measure_order
            for q, (a, b) in enumerate(both)
        )

    def pair_difference(self, values: PairValues, m: int, q: int, a: int, b: int) -> PairDifference:
        """Return the difference of the systems a and b, which are the pair q, by the measure m."""
        metric, names = self.scores.metrics[m], self.scores.systems
        undefined = [names[s] for s in (a, b) if np.isnan(self.scores.values[m, s])]
        low, high, error, p, p_adjusted, win = (
            none_if_undefined(numbers[m, q])
            for numbers in (
                values.low, values.high, values.error, values.p, values.p_adjusted, values.win
            )
        )  # fmt: skip
        with_interval = self.scores.level is not None
        return PairDifference(
            a=names[a],
            b=names[b],
            metric=metric,
            difference=float(values.difference[m, q]),
            low=low if with_interval else None,
            high=high if with_interval else None,
            error=error,
            p=p,
            p_adjusted=p_adjusted,
            win=win,
            undefined=int(np.nan_to_num(values.undefined[m, q])),
            reason=f"{metric} of {' and '.join(undefined)} is undefined" if undefined else None,
        )

    def planned(self, power: float = 0.8) -> "Comparison":
        """Return the comparison with a plan for each pair: how many items (or test cases) would settle it."""
        if self.pair_values is None:
            return self
        values = self.pair_values
        pairs = list(zip(values.first.tolist(), values.second.tolist(), strict=True))
        plans = plan_pairs(self.runs, pairs, power=power, metric=self.primary, level=1 - self.alpha)
        return replace(self, plans=tuple(plans))

    @property
    def caption(self) -> str:
        """What was compared, and how: the policy, the resamples, the seed, the test and the correction."""
        cases = len(self.scores.cases)
        where = f" in {counted(cases, 'test case')}" if cases else ""
        items = counted(self.cells[0].sum(), "item")
        sentences = [
            f"{counted(len(self.order), 'system')}, {items}{where}.",
            missing_sentence(self.runs.policy, self.cells),
            interval_sentence(self.scores),
        ]
        if self.pair_values is not None:
            sentences.append(self.test_words(self.pair_values))
        return " ".join(sentences)

    def test_words(self, values: PairValues) -> str:
        """Say which test was used, on what, with how many draws, and how it was corrected."""
        over = "by item" if self.scores.resample == "items" else "by case"
        drawn = f"{values.n_draws:,} draws, seed {self.scores.seed}" if values.n_draws else "exact"
        drawn = "" if self.test in {"wilcoxon", "t"} else f" ({drawn})"
        undefined = most_undefined(values.difference, values.undefined)
        left_out = (
            f" Up to {undefined:,} of {values.n_resamples:,} resamples of a difference are undefined and left out."
            if undefined
            else ""
        )
        return (
            f"Tiers by {self.primary}: two-sided {TEST_NAMES[self.test]} test {over}{drawn}, "
            f"{CORRECTION_NAMES[self.correction]} over {counted(len(values.first), 'pair')}, significant at "
            f"{self.alpha:g}.{left_out}"
        )

    def sheet(self) -> Sheet:
        """Return the leaderboard, best first, the primary measure before the others."""
        columns = [
            Column("", Kind.COUNT, key="rank", forms=NUMBERED),
            Column("tier", Kind.COUNT),
            Column("system"),
            *self.scores.score_columns(self.measure_order),
        ]
        scores = self.scores.score_cells(self.measure_order, self.order)
        rows = [
            [Cell(one.rank), Cell(one.tier), Cell(one.system), *cells]
            for one, cells in zip(self.leaderboard, scores, strict=True)
        ]
        items, answered = self.scores.items.sum(axis=-1), self.scores.answered.sum(axis=-1)
        if self.cells[..., -1].any():
            columns.append(Column("answered", Kind.SHARE, forms=PAGE))
            for row, s in zip(rows, self.order, strict=True):
                row.append(Cell(float(answered[s] / max(items[s], 1))))
        return Sheet(columns, rows, [self.caption], floating=True)

    def sheets(self) -> Sequence[Sheet]:
        """Return the leaderboard, the pairs and the plans, as far as there are any; the caption stands below all."""
        sheets = [replace(self.sheet(), caption=())]
        if self.pair_values is not None:
            pairs = [pair for pair in self.pairs if pair.metric == self.primary]
            sheets.append(pair_sheet(self.for_people(pairs), len(pairs)))
        if self.plans:
            sheets.append(plan_sheet(self.for_people(self.plans)))
        sheets[-1] = replace(sheets[-1], caption=[*sheets[-1].caption, self.caption])
        return sheets

    def for_people(self, pairs: Sequence[AboutPair]) -> Sequence[AboutPair]:
        """Return all pairs, or if they are many those of the best system."""
        if len(pairs) <= MANY_PAIRS:
            return pairs
        return [pair for pair in pairs if pair.a == self.systems[0]]

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON, as the command `compare` writes it."""
        standings = {one.system: one for one in self.leaderboard}
        systems = []
        for s, name in enumerate(self.scores.systems):
            one = standings[name]
            place = {
                "rank": one.rank,
                "tier": one.tier,
                "beats": list(one.beats),
                "rank_shares": list(one.rank_shares),
            }
            systems.append({**self.scores.system_content(s), **place})
        content = {
            **head("compare"),
            **about_input(self.runs),
            "intervals": self.scores.interval_content(),
            "primary": self.primary,
            "test": {
                "name": self.test,
                "correction": self.correction,
                "alpha": self.alpha,
                "draws": None if self.pair_values is None else self.pair_values.n_draws,
                "seed": self.scores.seed,
            },
            "systems": systems,
            "tiers": [list(tier) for tier in self.tiers],
            "pairs": [pair.to_dict() for pair in self.pairs],
            "caption": self.caption,
        }
        return (
            {**content, "plan": [plan.to_dict() for plan in self.plans]} if self.plans else content
        )

    def to_frame(self, what: str = "leaderboard", backend: str | None = None) -> Any:
        """Return "leaderboard" (a row for each system and measure) or "pairs" as a frame of the library asked for."""
        if what == "pairs":
            fields = ("a", "b", "metric", "difference", "low", "high", "p", "p_adjusted", "win")
            return make_frame(
                {name: [getattr(pair, name) for pair in self.pairs] for name in fields}, backend
            )
        if what != "leaderboard":
            raise ParameterError(
                f"what={what!r} is no part of a comparison; it is 'leaderboard' or 'pairs'. A library is named "
                f"by backend=, as in backend='polars'."
            )
        rows = [(one, score) for one in self.leaderboard for score in one.scores.values()]
        columns: dict[str, list[Any]] = {
            name: [getattr(one, name) for one, _ in rows] for name in ("rank", "tier", "system")
        }
        for name in ("metric", "value", "low", "high", "error", "reason"):
            columns[name] = [getattr(score, name) for _, score in rows]
        return make_frame(columns, backend)

    def to_latex(self, *, label: str | None = None) -> str:
        """Return the leaderboard in LaTeX, for the package booktabs, without intervals and footnotes.

        A superscript names the systems that a system beats, by their number on the leaderboard.
        """
        board = self.sheet().without_intervals()
        at = [column.name for column in board.columns].index(self.primary)
        number_of = {one.system: one.rank for one in self.leaderboard}
        rows = []
        for one, row in zip(self.leaderboard, board.rows, strict=True):
            cells = [replace(cell, note="") for cell in row]  # its mark would be taken for a system
            above = ranges(sorted(number_of[name] for name in one.beats))
            rows.append([*cells[:at], replace(cells[at], above=above), *cells[at + 1 :]])
        board = replace(board, rows=rows, caption=[*board.caption, SUPERSCRIPTS])
        return to_latex(board, label=label)

    def __repr__(self) -> str:
        tiers = " > ".join("{" + ", ".join(tier) + "}" for tier in self.tiers[:3])
        more = " > ..." if len(self.tiers) > 3 else ""
        return f"Comparison({len(self.order)} systems by {self.primary}: {tiers}{more})"


def ranges(numbers: Sequence[int]) -> str:
    """Write ascending numbers for LaTeX, with three or more in a row as a range.

    >>> ranges([2, 4, 5, 6, 9])
    '2,4--6,9'
    """
    runs: list[list[int]] = []
    for one in numbers:
        if runs and one == runs[-1][-1] + 1:
            runs[-1].append(one)
        else:
            runs.append([one])
    return ",".join(
        f"{run[0]}--{run[-1]}" if len(run) > 2 else ",".join(map(str, run)) for run in runs
    )


def compare(
    runs: Runs,
    *,
    metrics: Any = None,
    primary: Any = "cem_ord",
    level: float | None = 0.95,
    n_resamples: int = 9999,
    rng: Any = 0,
    resample: str | None = None,
    method: str = DEFAULT_METHOD,
    distribution: str = "resampled",
    test: str | None = None,
    correction: str = "holm",
    progress: Progress = None,
) -> Comparison:
    """Compare systems: a leaderboard with intervals, all paired differences, and tiers by the primary measure.

    `resample` says what is drawn: "items", "cases" (whole test cases, the default if there are at least two) or "both".
    `test` is "randomisation" (the default), "bootstrap", or over test cases "wilcoxon" or "t". Its p-values are
    corrected over all pairs of one measure by `correction`: "holm", "bh" (Benjamini and Hochberg) or "none". A
    difference is significant if its adjusted p is at most 1 - level.

    >>> gold = [1, 1, 2, 2, 3, 3] * 20
    >>> good, poor = [1, 1, 2, 2, 3, 2] * 20, [2, 1, 3, 2, 1, 2] * 20
    >>> compare(Runs.from_labels(gold, {"poor": poor, "good": good}), n_resamples=999).tiers
    (('good',), ('poor',))
    """
    if not isinstance(runs, Runs):
        raise LabelTypeError(
            f"compare was given a {type(runs).__name__}; it takes oe.Runs. Make them with oe.Runs.from_labels(y_true, "
            f"{{'a': ..., 'b': ...}}), Runs.from_files or Runs.from_frame."
        )
    main = registry[primary]
    measures = resolve(DEFAULT_METRICS if metrics is None else metrics)
    leading = next((name for name, measure in measures.items() if measure == main), str(primary))
    if leading not in measures:
        measures = {leading: main, **measures}
    unit = resample_unit(resample, len(runs.cases))
    chosen, correction = read_test(test, unit, len(runs.cases)), read_correction(correction)
    scores = score_runs(
        runs, metrics=list(measures), level=level, n_resamples=n_resamples, rng=rng, resample=unit, method=method,
        distribution=distribution, progress=progress,
    )  # fmt: skip
    alpha = ALPHA if level is None else round(1 - level, 12)  # 1 - 0.9 is a little less than 0.1
    row = list(measures).index(leading)
    order = best_first(scores.values[row], scores.systems, greater_is_better=main.greater_is_better)
    pairs = None
    p = np.full((len(order), len(order)), np.nan)
    if len(order) > 1:
        pairs = compare_pairs(
            joint_patterns(runs),
            Scorer(measures, runs.scale, runs.policy, distribution),
            order,
            unit=unit,
            test=chosen,
            correction=correction,
            alpha=alpha,
            n_resamples=n_resamples,
            seed=scores.seed,
            bca=method == "bca",
            progress=progress,
        )
        p[pairs.first, pairs.second] = p[pairs.second, pairs.first] = pairs.p_adjusted[row]
    tiers = tiers_of(order, scores.values[row], p, alpha)
    return Comparison(
        runs=runs,
        scores=scores,
        primary=leading,
        order=tuple(order),
        tiers=tuple(tuple(scores.systems[s] for s in tier) for tier in tiers),
        pair_values=pairs,
        test=chosen,
        correction=correction,
        alpha=alpha,
    )
