"""The comparison of systems: leaderboard with rank intervals, paired differences, the set of the best."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from ordeval.aliases import Array
from ordeval.arguments import is_choice, is_true
from ordeval.comparison.about import about_input
from ordeval.comparison.captions import (
    beyond_gold_sentence,
    human_row_sentence,
    interval_sentence,
    left_out_sentence,
    meaning_sentence,
    missing_sentence,
    pairs_sentence,
    size_of,
    skipped_sentence,
    soft_sentences,
)
from ordeval.comparison.case_scores import detail_frame, with_details
from ordeval.comparison.leaderboard_sheet import (
    folds_pairs,
    leaderboard_sheet,
    paper_leaderboard,
    shown_leaderboard,
)
from ordeval.comparison.pairs import PairValues, cases_needed, outcome_of, pair_sheet
from ordeval.comparison.plan import Plan, plan_pairs, plan_sheet
from ordeval.comparison.results import (
    Baseline,
    PairDifference,
    PairDifferences,
    Score,
    Standing,
    undefined_as_none,
)
from ordeval.comparison.scores import Scores
from ordeval.comparison.verdict import verdict_lines
from ordeval.errors import ParameterError, by_caller
from ordeval.formats.frames import frame_of_rows, make_frame
from ordeval.formats.json import head, json_pieces, to_json
from ordeval.formats.latex import to_latex
from ordeval.formats.names import short
from ordeval.formats.numbers import counted
from ordeval.formats.result import Result
from ordeval.formats.sheet import Sheet
from ordeval.runs import Runs
from ordeval.stats.ranks import rank_intervals, tiers_of
from ordeval.table import Table

if TYPE_CHECKING:
    from ordeval.comparison.slices import Slice


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """Systems on the same items, best first by the primary measure.

    `leaderboard`, `pairs` and `tiers` hold the results; `caption` says how they were made.

    >>> gold = [1, 1, 2, 2, 3, 3] * 20
    >>> a, b = [1, 1, 2, 2, 3, 2] * 20, [2, 1, 3, 2, 1, 2] * 20
    >>> c = oe.compare(gold, {"a": a, "b": b}, metrics=["accuracy"], primary="accuracy")
    >>> c.systems, c.best
    (('a', 'b'), ('a',))
    >>> round(c.leaderboard[0].scores["accuracy"].value, 3)
    0.833
    >>> round(c.pairs[0].difference, 3)
    0.5
    """

    runs: Runs | Table  # a table of systems that share no items
    scores: Scores
    primary: str  # the measure that ranks the systems
    order: tuple[int, ...]  # the systems, best first
    better: Array  # [system, system]: significantly better by the primary measure
    ranked: Array  # [system]: has a score and answered something
    pair_values: PairValues | None  # None if there is only one system
    test: str  # the test of differences
    correction: str  # how p-values are corrected over pairs
    alpha: float  # the level of significance
    margin: float | None = None  # the smallest difference that matters, if one was given
    plans: tuple[Plan, ...] = ()  # how many items would settle each pair, if asked for

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, best first."""
        return tuple(self.scores.systems[s] for s in self.order)

    @property
    def paired(self) -> bool:
        """Whether the systems answered the same items."""
        return isinstance(self.runs, Runs)

    @property
    def cells(self) -> Array:
        """The tables with their unanswered items: cells[system, case, gold, answer]."""
        return self.scores.cells

    @property
    def baseline(self) -> Baseline:
        """The best constant answer, and the systems that do not beat it significantly."""
        return self.scores.baseline

    @property
    def ceiling(self) -> "Mapping[str, Score]":
        """What a human reaches by each measure, against the other raters; empty unless raters made the gold."""
        return self.scores.ceiling

    @property
    def slices(self) -> "tuple[Slice, ...]":
        """The slices that were asked for by `by`, in the order of their names."""
        return self.scores.slices

    @property
    def row(self) -> int:
        """The place of the primary measure among the measures."""
        return self.scores.metrics.index(self.primary)

    @property
    def measure_order(self) -> list[int]:
        """The places of the measures, the primary first."""
        return [self.row, *(m for m in range(len(self.scores.metrics)) if m != self.row)]

    @cached_property
    def tiers(self) -> tuple[tuple[str, ...], ...]:
        """The systems, best first, cut where every system above is significantly better than every system below."""
        tiers = tiers_of(self.order, self.better, self.ranked)
        return tuple(tuple(self.scores.systems[s] for s in tier) for tier in tiers)

    @cached_property
    def best(self) -> tuple[str, ...]:
        """The confidence set of the best: the systems that no other is significantly better than."""
        beaten = np.asarray(self.better.any(axis=0))
        return tuple(self.scores.systems[s] for s in self.order if self.ranked[s] and not beaten[s])

    @cached_property
    def verdict(self) -> str:
        """Who is best, in one or two sentences."""
        return " ".join(verdict_lines(self))

    @cached_property
    def leaderboard(self) -> tuple[Standing, ...]:
        """The systems, best first: the ranks they may have, their scores by all measures, and whom they beat."""
        tier_of = {system: tier for tier, systems in enumerate(self.tiers, 1) for system in systems}
        low, high = rank_intervals(self.better, self.ranked)
        items, answered = self.scores.items.sum(axis=-1), self.scores.answered.sum(axis=-1)
        return tuple(
            Standing(
                rank,
                int(low[s]) or None,
                int(high[s]) or None,
                tier_of[name],
                name,
                {metric: self.scores.score(m, s) for m, metric in enumerate(self.scores.metrics)},
                tuple(self.scores.systems[b] for b in self.order if self.better[s, b]),
                float(answered[s] / max(items[s], 1)),
            )
            for rank, (s, name) in enumerate(zip(self.order, self.systems, strict=True), 1)
        )

    @cached_property
    def pairs(self) -> Sequence[PairDifference]:
        """All pairs by all measures, the primary first; a stands before b on the leaderboard."""
        values = self.pair_values
        if values is None:
            return ()
        size, measures = len(values.first), self.measure_order

        def made(start: int, stop: int) -> Iterator[PairDifference]:
            for place, m in enumerate(measures):
                part = slice(max(start - place * size, 0), max(min(stop - place * size, size), 0))
                yield from self.pair_differences(values, m, part)

        return PairDifferences(size * len(measures), made)

    def pair_difference(self, values: PairValues, m: int, q: int) -> PairDifference:
        """Return the difference of the two systems of the pair q by the measure m."""
        return next(self.pair_differences(values, m, slice(q, q + 1)))

    def pair_differences(self, values: PairValues, m: int, part: slice) -> Iterator[PairDifference]:
        """Give the differences of the systems of some pairs by the measure m."""
        metric, names = self.scores.metrics[m], self.scores.systems
        undefined = np.isnan(self.scores.values[m]).tolist()
        up = self.scores.measures[metric].greater_is_better
        pairs = zip(
            values.first[part].tolist(), values.second[part].tolist(), values.difference[m, part].tolist(),
            *(
                undefined_as_none(numbers[m, part])
                for numbers in (
                    values.low, values.high, values.error, values.p, values.p_adjusted, values.win,
                    values.effect,
                )
            ),
            strict=True,
        )  # fmt: skip
        with_interval = self.scores.level is not None
        for q, numbers in enumerate(pairs, part.start):
            a, b, difference, low, high, error, p, p_adjusted, win, effect = numbers
            without = [names[s] for s in (a, b) if undefined[s]]
            yield PairDifference(
                a=names[a],
                b=names[b],
                metric=metric,
                difference=difference,
                low=low if with_interval else None,
                high=high if with_interval else None,
                error=error,
                p=p,
                p_adjusted=p_adjusted,
                win=win,
                outcome=outcome_of(values, m, q, self.alpha, up=up),
                effect=effect,
                reason=f"{metric} of {' and '.join(without)} is undefined" if without else None,
            )

    def planned(self, power: float = 0.8, difference: float | None = None) -> "Comparison":
        """Return the comparison with a plan for each pair: how many items (or test cases) would settle it."""
        if self.pair_values is None:
            return self
        values = self.pair_values
        pairs = list(zip(values.first.tolist(), values.second.tolist(), strict=True))
        if not isinstance(self.runs, Runs):
            raise ParameterError(
                by_caller(
                    "the tables of a comparison share no items; plan them two by two with oe.plan(table_a, table_b).",
                    "--plan needs the answers item by item; these are tables of counts. Leave it out.",
                )
            )
        plans = plan_pairs(
            self.runs,
            pairs,
            power=power,
            metric=self.primary,
            level=1 - self.alpha,
            difference=difference,
            comparisons=len(pairs),
        )
        return replace(self, plans=tuple(plans))

    @property
    def caption(self) -> str:
        """What was compared, and how: the policy, the intervals, the test and the correction."""
        scores = self.scores
        sentences = [
            f"{size_of(self)}.",
            *soft_sentences(self.runs, scores.measures),
            human_row_sentence(scores),
            skipped_sentence([file for file, _ in getattr(self.runs, "skipped", ())]),
            *self.policy_sentences,
            interval_sentence(scores),
        ]
        if self.pair_values is not None:
            sentences += [pairs_sentence(self, self.pair_values), self.impossible]
        return " ".join(filter(None, sentences))

    @property
    def policy_sentences(self) -> list[str]:
        """What was missing, left out, or outside the classes of gold."""
        table = self.scores.table
        missing = missing_sentence(self.runs.policy, self.cells, table.touched.get("unknown", 0))
        return [missing, left_out_sentence(table.ignored), beyond_gold_sentence(table)]

    @property
    def lead(self) -> tuple[str, ...]:
        """What stands above the table: the verdict, and what a score by the primary measure means."""
        meaning = meaning_sentence(self.scores.measures[self.primary], self.baseline)
        human = self.scores.human_sentence(self.primary, self.order[0])
        return *verdict_lines(self), meaning, *([human] if human else [])

    @property
    def impossible(self) -> str:
        """Say that no difference could be significant, and how many test cases it would take; empty if one could."""
        if self.pair_values is None or self.scores.resample != "cases":
            return ""
        cases = int(self.scores.samples[0].estimate.units.max())
        needed = cases_needed(self.alpha, len(self.pair_values.first), self.test, self.correction)
        if cases >= needed:
            return ""
        return (
            f"With {counted(cases, 'test case')} no difference can be significant at {self.alpha:g}, however large: it "
            f"takes at least {needed} test cases."
        )

    def sheet(self) -> Sheet:
        """Return the leaderboard, best first, the primary measure before the others."""
        return leaderboard_sheet(self)

    def csv_sheet(self) -> Sheet:
        """Return the leaderboard for programs, with a row for each slice and test case that was asked for."""
        return with_details(self.sheet(), self.scores, self.measure_order, self.order)

    def sheets(self) -> Sequence[Sheet]:
        """Return the leaderboard, the pairs and the plans, as far as there are any; the caption stands below all."""
        sheets = [shown_leaderboard(self)]
        folded = folds_pairs(self)
        if self.pair_values is not None and not folded:
            sheets.append(pair_sheet(self.pairs[: self.number_of_pairs]))
        if self.plans:
            sheets.append(plan_sheet(self.plans[: len(self.order) - 1] if folded else self.plans))
        sheets += self.scores.detail_sheets(self.measure_order, self.order)
        sheets[-1] = replace(sheets[-1], caption=[*sheets[-1].caption, self.caption])
        return sheets

    @property
    def number_of_pairs(self) -> int:
        """How many pairs of systems were compared."""
        return 0 if self.pair_values is None else len(self.pair_values.first)

    @property
    def corrected(self) -> bool:
        """Whether p-values were corrected: one pair needs no correction."""
        return self.number_of_pairs > 1 and self.correction != "none"

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON, as the command `compare` writes it."""
        content = self.content()
        return {**content, "systems": list(content["systems"]), "pairs": list(content["pairs"])}

    def to_json(self) -> str:
        """Return everything as JSON."""
        return to_json(self.content())

    def pieces(self, form: str, *, width: int | None = None) -> Iterator[str]:
        """Give the comparison in one of the formats piece by piece: a thousand systems are a gigabyte of JSON."""
        return json_pieces(self.content()) if form == "json" else super().pieces(form, width=width)

    def content(self) -> dict[str, Any]:
        """Return everything for JSON; the systems and the pairs, which may be many, are made one after the other."""
        content = {
            **head("compare"),
            **about_input(self.runs),
            "intervals": self.scores.interval_content(),
            "primary": self.primary,
            "test": {
                "name": self.test,
                "correction": self.correction,
                "alpha": self.alpha,
                "draws": None if self.pair_values is None else self.pair_values.flips,
                "margin": self.margin,
                "seed": self.scores.seed,
            },
            "verdict": self.verdict,
            "systems": self.systems_content(),
            "best": list(self.best),
            "baseline": self.baseline.to_dict(),
            **self.scores.ceiling_content(),
            "tiers": [list(tier) for tier in self.tiers],
            "pairs": (pair.to_dict() for pair in self.pairs),
            "caption": self.caption,
            **self.scores.slice_content(),
        }
        return (
            {**content, "plan": [plan.to_dict() for plan in self.plans]} if self.plans else content
        )

    def systems_content(self) -> Iterator[dict[str, Any]]:
        """Give each system for JSON: its scores, its ranks, and whom it beats."""
        standings = {one.system: one for one in self.leaderboard}
        for s, name in enumerate(self.scores.systems):
            one = standings[name]
            yield {
                **self.scores.system_content(s),
                "rank": one.rank,
                "rank_low": one.rank_low,
                "rank_high": one.rank_high,
                "tier": one.tier,
                "beats": list(one.beats),
            }

    def to_frame(self, what: str = "leaderboard", backend: str | None = None) -> Any:
        """Return "leaderboard" (a row for each system and measure), "pairs", "cases" or "slices" as a frame."""
        if is_choice(what, {"pairs"}):
            fields = (
                "a", "b", "metric", "difference", "low", "high", "p", "p_adjusted", "win", "outcome",
                "effect",
            )  # fmt: skip
            return frame_of_rows(fields, map(attrgetter(*fields), self.pairs), backend)
        if not is_choice(what, {"leaderboard"}):
            return detail_frame(self.scores, what, backend, ("leaderboard", "pairs"))
        scored = [(one, score) for one in self.leaderboard for score in one.scores.values()]
        columns: dict[str, list[Any]] = {
            name: [getattr(one, name) for one, _ in scored]
            for name in ("rank", "rank_low", "rank_high", "tier", "system")
        }
        for name in ("metric", "value", "low", "high", "error", "reason"):
            columns[name] = [getattr(score, name) for _, score in scored]
        return make_frame(columns, backend)

    def to_latex(self, *, label: str | None = None, intervals: bool = False) -> str:
        """Return the leaderboard in LaTeX, for the package booktabs; with intervals if they are asked for.

        A superscript names the systems that a system beats, by their number on the leaderboard. Slices and test cases
        that were asked for follow as tables of their own.
        """
        details = self.scores.detail_sheets(self.measure_order, self.order)
        board = to_latex(
            paper_leaderboard(self, intervals=is_true(intervals, "intervals")), label=label
        )
        return "\n".join([board, *map(to_latex, details)])

    def __repr__(self) -> str:
        best = ", ".join(map(short, self.best[:3])) + (", ..." if len(self.best) > 3 else "")
        return f"Comparison({len(self.order)} systems by {self.primary}: best {{{best}}})"
