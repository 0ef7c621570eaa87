"""What a comparison found: the leaderboard, the pairs and the tiers, and every form in which they are shown."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ordeval.comparison.cells import Array, cells_of
from ordeval.comparison.pairs import PairValues
from ordeval.comparison.results import (
    Score,
    head,
    interval_content,
    many,
    or_none,
    policy_words,
    score_of,
    systems_content,
)
from ordeval.comparison.scores import RunScores
from ordeval.errors import ParameterError
from ordeval.formats.frames import make_frame
from ordeval.formats.old_layout import (
    chance,
    html_table,
    markdown_escaped,
    markdown_table,
    number,
    text_table,
    with_interval,
)
from ordeval.runs import Runs

TEST_WORDS = {
    "randomisation": "randomisation",
    "bootstrap": "paired bootstrap",
    "wilcoxon": "Wilcoxon signed-rank",
    "t": "paired t",
}
CORRECTION_WORDS = {
    "holm": "corrected by Holm",
    "bh": "corrected by Benjamini and Hochberg",
    "none": "not corrected",
}


@dataclass(frozen=True, slots=True)
class Standing:
    """One row of the leaderboard; `rank_shares` tells in how many resamples the system is first, second, ..."""

    rank: int
    tier: int
    system: str
    scores: dict[str, Score]
    beats: tuple[str, ...]
    rank_shares: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """The difference a - b of two systems by one measure; `win` is the share of resamples in which a is better."""

    a: str
    b: str
    metric: str
    difference: float
    low: float | None
    high: float | None
    error: float | None
    p: float | None
    p_adjusted: float | None
    win: float | None
    undefined: int = 0
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the pair for JSON."""
        content: dict[str, Any] = {
            "a": self.a, "b": self.b, "metric": self.metric, "difference": or_none(self.difference), "low": self.low,
            "high": self.high, "p": self.p, "p_adjusted": self.p_adjusted, "win_probability": self.win,
        }  # fmt: skip
        if self.undefined:
            content["undefined_resamples"] = self.undefined
        if self.reason is not None:
            content["reason"] = self.reason
        return content


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Systems on the same items, best first by the primary measure.

    `leaderboard`, `pairs` and `tiers` hold the findings; `caption` says how they were made.
    """

    runs: Runs
    scores: RunScores
    primary: str
    order: tuple[int, ...]  # the systems, best first
    tiers: tuple[tuple[str, ...], ...]
    pair_values: PairValues | None  # None where there is but one system
    test: str
    correction: str
    alpha: float

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, best first."""
        return tuple(self.scores.systems[s] for s in self.order)

    @cached_property
    def cells(self) -> Array:
        """The tables with their unanswered items: cells[system, case, gold, answer]."""
        return cells_of(self.runs)

    @cached_property
    def leaderboard(self) -> tuple[Standing, ...]:
        """The systems, best first: their tiers, their scores by all measures, and whom they beat by the primary."""
        tier = {
            system: number for number, systems in enumerate(self.tiers, 1) for system in systems
        }
        beaten: dict[str, list[str]] = {system: [] for system in self.systems}
        for pair in self.pairs:
            if (
                pair.metric == self.primary
                and pair.p_adjusted is not None
                and pair.p_adjusted <= self.alpha
            ):
                beaten[pair.a].append(pair.b)
        ranks = np.ones((1, 1)) if self.pair_values is None else self.pair_values.ranks[self.row]
        return tuple(
            Standing(
                rank,
                tier[name],
                name,
                {
                    metric: score_of(self.scores, m, s)
                    for m, metric in enumerate(self.scores.metrics)
                },
                tuple(beaten[name]),
                tuple(ranks[s].tolist()),
            )
            for rank, (s, name) in enumerate(zip(self.order, self.systems, strict=True), 1)
        )

    @property
    def row(self) -> int:
        """The place of the primary measure among the measures."""
        return self.scores.metrics.index(self.primary)

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """All pairs by all measures, the primary first; a stands before b on the leaderboard."""
        values = self.pair_values
        if values is None:
            return ()
        names, asked = self.scores.systems, self.scores.level is not None
        found = []
        for m in [self.row, *(m for m in range(len(self.scores.metrics)) if m != self.row)]:
            metric = self.scores.metrics[m]
            for q, (a, b) in enumerate(
                zip(values.first.tolist(), values.second.tolist(), strict=True)
            ):
                lost = [names[s] for s in (a, b) if np.isnan(self.scores.values[m, s])]
                why = f"{metric} of {' and '.join(lost)} is undefined" if lost else None
                undefined = int(np.nan_to_num(values.undefined[m, q]))
                low, high = (or_none(x[m, q]) if asked else None for x in (values.low, values.high))
                error, p, p_adjusted, win = (
                    or_none(x[m, q])
                    for x in (values.error, values.p, values.p_adjusted, values.win)
                )
                found.append(
                    Pair(
                        a=names[a],
                        b=names[b],
                        metric=metric,
                        difference=float(values.difference[m, q]),
                        low=low,
                        high=high,
                        error=error,
                        p=p,
                        p_adjusted=p_adjusted,
                        win=win,
                        undefined=undefined,
                        reason=why,
                    )
                )
        return tuple(found)

    @property
    def caption(self) -> str:
        """What was compared, and how: the test, the correction, the resamples, the seed and the policy."""
        cases = len(self.scores.cases)
        where = f" in {many(cases, 'test case')}" if cases else ""
        parts = [f"{many(len(self.order), 'system')}, {many(self.cells[0].sum(), 'item')}{where}."]
        parts.append(f"{policy_words(self.runs.policy, self.cells)}.")
        parts.append(self.scores.caption)
        if self.pair_values is not None:
            parts.append(self.test_words(self.pair_values))
        return " ".join(parts)

    def test_words(self, values: PairValues) -> str:
        """Say which test was used, on what, with how many draws, and how it was corrected."""
        over = "by case" if self.scores.resample != "items" else "by item"
        drawn = f"{values.n_draws:,} draws, seed {self.scores.seed}" if values.n_draws else "exact"
        drawn = "" if self.test in {"wilcoxon", "t"} else f" ({drawn})"
        told = f"Tiers by {self.primary}: two-sided {TEST_WORDS[self.test]} test {over}{drawn}, "
        lost = int(np.where(np.isnan(values.difference), 0, values.undefined).max(initial=0))
        more = (
            f" Up to {lost:,} of {values.n_resamples:,} resamples of a difference are undefined and left out."
            if lost
            else ""
        )
        pairs = many(len(values.first), "pair")
        return f"{told}{CORRECTION_WORDS[self.correction]} over {pairs}, significant at {self.alpha:g}.{more}"

    def rows(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and the rows of the leaderboard that people see."""
        metrics = [self.primary, *(name for name in self.scores.metrics if name != self.primary)]
        arrows = {
            name: " ↑" if self.scores.measures[name].greater_is_better else " ↓" for name in metrics
        }
        header = ["tier", "system", *(name + arrows[name] for name in metrics)]
        body = []
        for standing in self.leaderboard:
            first = standing.scores[self.primary]
            others = [number(standing.scores[name].value) for name in metrics[1:]]
            body.append(
                [
                    str(standing.tier),
                    standing.system,
                    with_interval(first.value, first.low, first.high),
                    *others,
                ]
            )
        return header, body

    def pair_rows(self, limit: int = 10) -> tuple[list[str], list[list[str]]]:
        """Return the pairs by the primary measure; where they are many, the best system against each other."""
        pairs = [pair for pair in self.pairs if pair.metric == self.primary]
        if len(pairs) > limit:
            pairs = [pair for pair in pairs if pair.a == self.systems[0]]
        header = ["a", "b", f"{self.primary}: a - b", "p", "p adjusted", "a wins"]
        return header, [
            [
                pair.a,
                pair.b,
                with_interval(pair.difference, pair.low, pair.high),
                chance(pair.p),
                chance(pair.p_adjusted),
                number(pair.win, 3),
            ]
            for pair in pairs
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON, in the form of the command `compare`."""
        systems = systems_content(self.scores, self.cells)
        standing = {one.system: one for one in self.leaderboard}
        for system in systems:
            one = standing[system["name"]]
            system |= {
                "rank": one.rank,
                "tier": one.tier,
                "beats": list(one.beats),
                "rank_shares": list(one.rank_shares),
            }
        values = self.pair_values
        return {
            **head(
                "compare",
                scale=self.runs.scale,
                policy=self.runs.policy,
                cells=self.cells,
                cases=len(self.scores.cases),
                ignored=self.runs.ignored,
                touched=self.runs.touched,
            ),
            "intervals": interval_content(self.scores),
            "primary": self.primary,
            "test": {
                "name": self.test, "correction": self.correction, "alpha": self.alpha,
                "draws": None if values is None else values.n_draws, "seed": self.scores.seed,
            },
            "systems": systems,
            "tiers": [list(tier) for tier in self.tiers],
            "pairs": [pair.to_dict() for pair in self.pairs],
            "caption": self.caption,
        }  # fmt: skip

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

    def to_markdown(self) -> str:
        """Return the leaderboard in Markdown, with its caption."""
        header, body = self.rows()
        cells = [list(map(markdown_escaped, row)) for row in [header, *body]]
        return (
            f"{markdown_table(cells[0], cells[1:], left=2)}\n\n{markdown_escaped(self.caption)}\n"
        )

    def to_latex(self, *, label: str | None = None) -> str:
        """Return the leaderboard as a LaTeX table that needs the package booktabs alone."""
        from ordeval.comparison.latex import latex_table

        return latex_table(self, label)

    def __repr__(self) -> str:
        tiers = " > ".join("{" + ", ".join(tier) + "}" for tier in self.tiers[:3]) + (
            " > ..." if len(self.tiers) > 3 else ""
        )
        return f"Comparison({len(self.order)} systems by {self.primary}: {tiers})"

    def __str__(self) -> str:
        parts = [text_table(*self.rows(), left=2)]
        if self.pair_values is not None:
            parts.append(text_table(*self.pair_rows(), left=2))
        return "\n\n".join([*parts, self.caption])

    def _repr_html_(self) -> str:
        return html_table(*self.rows(), self.caption)
