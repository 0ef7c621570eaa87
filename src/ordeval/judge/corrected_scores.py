"""The result of `oe.judge.correct_scores`: what each system would score if humans had marked all items."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ordeval.agreement.sheets import score_cell
from ordeval.arguments import is_choice
from ordeval.comparison.about import scale_content
from ordeval.comparison.results import Score, none_if_undefined
from ordeval.errors import DataError, MetricError, quoted, suggestion
from ordeval.formats.frames import frame_of_rows
from ordeval.formats.json import head
from ordeval.formats.names import clean
from ordeval.formats.numbers import confidence, counted, in_words
from ordeval.formats.result import Result
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.inputs.policy import Policy
from ordeval.judge.method_names import HUMAN, IN_WORDS, METHODS, NAIVE, no_worth
from ordeval.metrics import registry
from ordeval.metrics.names import full_name
from ordeval.scale import Scale

MOST_ROWS = 100  # of a table for people; it then shows fewer measures
MOST_BY_METHOD = 20
TARGETS = {
    "items": "the scores that humans would give on all these items",
    "population": "the scores on all items that these are a random sample of",
}


@dataclass(frozen=True, slots=True)
class CorrectedScore:
    """A score as humans would give it, beside what the judge as it stands gives and the human marks alone.

    >>> human, judge, a = [1, 2, 3, 1, 2, 3], [1, 2, 3, 1, 2, 2], [1, 2, 3, 2, 2, 1]
    >>> many, answers = [1, 2, 3, 3, 2, 1, 2, 3], [1, 2, 2, 3, 2, 2, 2, 3]
    >>> x = oe.judge.correct_scores(
    ...     human, judge, {"a": a}, many, {"a": answers}, metrics=["accuracy"]
    ... )
    >>> score = x["a"]["accuracy"]
    >>> round(score.human.value, 3), round(score.naive, 3), round(score.value, 3)
    (0.667, 0.714, 0.728)
    """

    score: Score  # the corrected score
    method: str  # the method of correction
    worth: float | None  # human marks alone that would give as narrow an interval
    methods: Mapping[str, Score]  # the scores by all methods

    @property
    def value(self) -> float:
        """The corrected score; NaN if it is undefined."""
        return self.score.value

    @property
    def low(self) -> float | None:
        """The lower end of the interval."""
        return self.score.low

    @property
    def high(self) -> float | None:
        """The upper end of the interval."""
        return self.score.high

    @property
    def error(self) -> float | None:
        """The standard error."""
        return self.score.error

    @property
    def naive(self) -> float:
        """The score with the judge's marks as gold."""
        return self.methods[NAIVE].value

    @property
    def human(self) -> Score:
        """The score on the human marks alone."""
        return self.methods[HUMAN]

    def to_dict(self) -> dict[str, Any]:
        """Return the score for JSON."""
        methods = {name: one.to_dict() for name, one in self.methods.items() if name != NAIVE}
        return {
            "naive": none_if_undefined(self.naive),
            **self.score.to_dict(),
            "method": self.method,
            "worth": self.worth,
            **self.why_no_worth(),
            "methods": methods,
        }

    def why_no_worth(self) -> dict[str, str]:
        """Say why a score that is defined is worth no number of human marks."""
        if self.worth is not None or self.score.reason is not None:
            return {}
        return {"reason": no_worth(self.method)}

    def __str__(self) -> str:
        return str(self.score)


@dataclass(frozen=True, eq=False, repr=False)
class CorrectedScores(Result, Mapping[str, Mapping[str, CorrectedScore]]):
    """Corrected scores by the names of systems and measures: `x["a"]["cem_ord"].value`, `.low`, `.high`, `.worth`.

    >>> human, judge, a = [1, 2, 3, 1, 2, 3], [1, 2, 3, 1, 2, 2], [1, 2, 3, 2, 2, 1]
    >>> many, answers = [1, 2, 3, 3, 2, 1, 2, 3], [1, 2, 2, 3, 2, 2, 2, 3]
    >>> x = oe.judge.correct_scores(
    ...     human, judge, {"a": a}, many, {"a": answers}, metrics=["accuracy"]
    ... )
    >>> list(x), x.metrics
    (['a'], ('accuracy',))
    >>> round(x["a"]["accuracy"].value, 3)
    0.728
    """

    scores: Mapping[
        str, Mapping[str, CorrectedScore]
    ]  # the scores by the names of systems and measures
    scale: Scale  # the classes
    policy: Policy  # what was done with missing and unknown labels
    method: str  # the method of correction
    level: float | None  # the level of the intervals
    about: str
    marked: int  # items that humans marked
    unmarked: int  # items that the judge marked alone
    warnings: tuple[str, ...]  # what a reader should be warned of, in sentences

    def __getitem__(self, system: str) -> "SystemScores":
        if not is_choice(system, self.scores):
            near = suggestion(str(system), list(self.scores))
            raise DataError(
                f"there is no system {system!r:.60} among {quoted(list(self.scores))}.{near}"
            )
        return SystemScores(self.scores[system])

    def __iter__(self) -> Iterator[str]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the measures."""
        return tuple(next(iter(self.scores.values())))

    @property
    def lead(self) -> Sequence[str]:
        """What the correction changes and what the judge is worth, in sentences; warnings come first."""
        return [*self.warnings, self.worth_sentence()]

    def worth_sentence(self) -> str:
        """Say how many human marks the judge is worth."""
        every = [one for scores in self.scores.values() for one in scores.values()]
        known = [one.worth for one in every if one.worth is not None]
        if not known:
            if any(none_if_undefined(one.value) is not None for one in every):
                return "How many human marks the judge is worth cannot be told."
            return "No score is defined."
        least, most = (max(round(end(known) - self.marked), 0) for end in (min, max))
        said = (
            f"Beside {counted(self.marked, 'human mark')} the judge's {self.unmarked:,} are worth"
        )
        if least == most:
            return f"{said} {counted(least, 'further human mark')}."
        return f"{said} {least:,} to {most:,} further human marks, depending on the system and the measure."

    def sheet(self) -> Sheet:
        """Return the systems by each measure, best first; the first measure alone if there are very many rows."""
        shown = self.shown_metrics(MOST_ROWS)
        return replace(self.csv_sheet(shown), caption=[self.method_sentence(), *self.hidden(shown)])

    def csv_sheet(self, metrics: Sequence[str] | None = None) -> Sheet:
        """Return a row for each measure and system, best first."""
        ends = self.level is not None
        columns = [
            Column("system"),
            Column("measure"),
            Column("corrected", Kind.NUMBER, interval=ends),
            Column(IN_WORDS[HUMAN], Kind.NUMBER, interval=ends, key=HUMAN),
            Column(IN_WORDS[NAIVE], Kind.NUMBER, key=NAIVE),
            Column("worth", Kind.COUNT, spare=True),
        ]
        rows = [
            [
                Cell(clean(system)), Cell(metric), score_cell(one.score), score_cell(one.human), Cell(one.naive),
                Cell(None if one.worth is None else round(one.worth)),
            ]
            for system, metric, one in self.ranked(self.metrics if metrics is None else metrics)
        ]  # fmt: skip
        return Sheet(columns, rows, [self.method_sentence()], lead=self.lead, least=3)

    def ranked(self, metrics: Sequence[str]) -> Iterator[tuple[str, str, CorrectedScore]]:
        """Give the scores measure by measure, the best system first, and systems without a score last."""
        names = list(self.scores)
        for metric in metrics:
            sign = -1 if registry[metric].greater_is_better else 1
            values = [sign * scores[metric].value for scores in self.scores.values()]
            for at in np.argsort(values, kind="stable").tolist():  # NaN comes last
                yield names[at], metric, self.scores[names[at]][metric]

    def shown_metrics(self, most: int) -> tuple[str, ...]:
        """Return the measures that fit into a table of so many rows, at least the first."""
        return self.metrics[: max(most // len(self.scores), 1)]

    def hidden(self, shown: Sequence[str]) -> list[str]:
        """Say which measures a table leaves out."""
        more = list(self.metrics[len(shown) :])
        return [f"CSV and JSON also have {in_words(more)}."] if more else []

    def sheets(self) -> Sequence[Sheet]:
        """Return the corrected scores, and those by all methods side by side."""
        return [self.sheet(), self.method_sheet()]

    def method_sheet(self) -> Sheet:
        """Return what each method gives for each measure and system; the first measures if there are many rows."""
        names = [name for name in METHODS if name != NAIVE]
        shown = self.shown_metrics(MOST_BY_METHOD)
        columns = [
            Column("system"),
            Column("measure"),
            *(
                Column(IN_WORDS[name], Kind.NUMBER, interval=self.level is not None)
                for name in names
            ),
        ]
        rows = [
            [Cell(clean(system)), Cell(metric), *(score_cell(one.methods[name]) for name in names)]
            for system, metric, one in self.ranked(shown)
        ]
        caption = (
            "Rogan-Gladen presumes that the judge's errors do not depend on the system's answer; where judge and "
            "systems err alike it misleads, and its interval does not show it."
        )
        return Sheet(
            columns,
            rows,
            [caption, *self.hidden(shown)],
            lead=["The same scores by each method:"],
            least=2,
        )

    def method_sentence(self) -> str:
        """Say what the numbers are."""
        target = f"{TARGETS[self.about]}: {self.marked:,} marked by humans, {self.unmarked:,} by the judge alone"
        ends = "" if self.level is None else f"{confidence(self.level)} intervals for "
        return (
            f"Corrected by {IN_WORDS[self.method]}. {(ends + target)[0].upper()}{(ends + target)[1:]}. Worth: how many "
            f"human marks alone would give as narrow an interval."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON, as the command `correct` writes it of the systems."""
        return {
            **head("correct"),
            "scale": scale_content(self.scale),
            "input": {"marked": self.marked, "unmarked": self.unmarked},
            "intervals": {"level": self.level, "about": self.about},
            "warnings": list(self.warnings),
            "systems": self.systems_content(),
        }

    def systems_content(self) -> list[dict[str, Any]]:
        """Return the systems with their scores for JSON."""
        return [
            {"name": system, "scores": {metric: one.to_dict() for metric, one in scores.items()}}
            for system, scores in self.scores.items()
        ]

    def to_frame(self, backend: str | None = None) -> Any:
        """Return a row for each system, measure and method as a frame of pandas, polars or pyarrow."""
        columns = ("system", "metric", "method", "value", "low", "high", "error", "chosen")
        rows = (
            (
                system,
                metric,
                name,
                score.value,
                score.low,
                score.high,
                score.error,
                name == self.method,
            )
            for system, scores in self.scores.items()
            for metric, one in scores.items()
            for name, score in one.methods.items()
        )
        return frame_of_rows(columns, rows, backend)

    def __repr__(self) -> str:
        parts = [
            f"{system}: {', '.join(map(str, scores.values()))}"
            for system, scores in self.scores.items()
        ]
        return f"CorrectedScores({'; '.join(parts[:5])}{'; ...' if len(parts) > 5 else ''})"


@dataclass(frozen=True, eq=False)
class SystemScores(Mapping[str, CorrectedScore]):
    """The corrected scores of one system by the names of the measures, aliases too."""

    scores: Mapping[str, CorrectedScore]

    def __getitem__(self, metric: str) -> CorrectedScore:
        name = full_name(metric)
        if name not in self.scores:
            near = suggestion(name, list(self.scores))
            raise MetricError(
                f"{name!r} was not computed; there are {', '.join(self.scores)}.{near} Ask for it in metrics=[...]."
            )
        return self.scores[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)
