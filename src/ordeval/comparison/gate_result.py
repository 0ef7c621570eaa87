"""The result of a gate: pass, fail or inconclusive, what it rests on, and what would settle it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from ordeval.comparison.about import about_input, whole_number
from ordeval.comparison.captions import missing_sentence, soft_sentences
from ordeval.comparison.history import append_record, record_of
from ordeval.comparison.results import Score, none_if_undefined
from ordeval.comparison.verdict import coverage_sentence
from ordeval.errors import DataError
from ordeval.formats.json import head
from ordeval.formats.junit import to_junit
from ordeval.formats.names import short
from ordeval.formats.numbers import amount, confidence, counted, interval, number, percent, round_up
from ordeval.formats.result import Result
from ordeval.formats.sheet import CSV, Cell, Column, Kind, Sheet

if TYPE_CHECKING:
    from ordeval.comparison.comparison import Comparison
    from ordeval.comparison.drift import Drift
    from ordeval.comparison.settling import ItemsNeeded

Outcome = Literal["pass", "fail", "inconclusive"]
DIGITS = 4


@dataclass(frozen=True, eq=False, repr=False)
class Gate(Result):
    """Whether a candidate is good enough to replace a baseline.

    `outcome` is "pass" (not worse by more than the margin, shown), "fail" (worse, shown) or "inconclusive".
    `difference` is candidate - baseline in the units of the measure, with its interval; `verdict` says all this in
    words.

    >>> gold, old, new = [1, 2, 3, 4] * 300, [1, 2, 3, 3] * 300, [1, 2, 3, 4] * 300
    >>> g = oe.gate(old, new, gold=gold, metric="accuracy")
    >>> g.outcome, g.difference
    ('pass', 0.25)
    """

    outcome: Outcome  # "pass", "fail" or "inconclusive"
    difference: float  # candidate - baseline, in units of the measure
    low: float | None  # the lower end of the interval
    high: float | None  # the upper end of the interval
    margin: float  # the loss that is accepted, in units of the measure
    metric: str  # the measure
    baseline: Score  # the score of the old system
    candidate: Score  # the score of the new system
    systems: tuple[str, str]  # the names of baseline and candidate
    settled_by: "ItemsNeeded"
    comparison: "Comparison"  # that it rests on
    power: float  # the probability with which more items would settle it
    drift: "Drift | None" = None  # of samples that share no items
    reason: str | None = None  # why there is no difference with an interval
    silent: str | None = None  # why the candidate cannot pass, whatever its score

    @property
    def paired(self) -> bool:
        """Whether both answered the same items."""
        return self.comparison.paired

    @property
    def level(self) -> float:
        """The level of the interval."""
        return float(self.comparison.scores.level or 1 - self.comparison.alpha)

    @property
    def items(self) -> float | int:
        """The number of items of the candidate: those of both, if they are paired."""
        return self.items_of(1)

    @property
    def needed(self) -> int | None:
        """How many items would settle an inconclusive gate (for each of two samples); None if there is no number."""
        return self.settled_by.items

    @property
    def needed_cases(self) -> int | None:
        """How many test cases would settle it, where these are the sample."""
        return self.settled_by.cases

    @property
    def verdict(self) -> str:
        """The outcome in a sentence, with what it rests on."""
        coverage = "" if self.silent else coverage_sentence(self.comparison)
        return f"{self.finding} {coverage}".rstrip()

    @property
    def finding(self) -> str:
        """The outcome in one sentence."""
        new, old = (
            f"the {role}" if name == role else short(name)
            for name, role in zip(self.systems[::-1], ("candidate", "baseline"), strict=True)
        )
        if self.low is None or self.high is None:
            return f"Inconclusive: the difference in {self.metric} has no interval: {self.reason}."
        facts = (
            f"difference {number(self.difference, DIGITS, sign=True)}, {confidence(self.level)} interval "
            f"{interval(self.low, self.high, DIGITS)}"
        )
        if self.silent is not None:
            return f"Inconclusive: {self.silent} (in {self.metric}, {facts})."
        return f"{self.outcome.capitalize()}: {self.in_words(new, old)} ({facts})."

    def in_words(self, new: str, old: str) -> str:
        """Say what the outcome means for the candidate, `new`; part of a sentence."""
        where, lost = f"than {old} in {self.metric}", f"{self.margin:g}"
        if self.outcome == "fail":
            return f"{new} is worse {where}"
        if self.outcome == "inconclusive":
            if not self.margin:
                return f"{new} may be worse or better {where}"
            return f"{new} may be worse {where} by {lost} or more, and may be as good"
        if not self.margin:
            return f"{new} is better {where}"
        if self.certainly_worse:
            return f"{new} is worse {where}, but by less than the margin of {lost}"
        return f"{new} is not worse {where} by {lost} or more"

    @property
    def certainly_worse(self) -> bool:
        """Whether the whole interval is worse than no difference."""
        up = self.comparison.scores.measures[self.metric].greater_is_better
        end = self.high if up else self.low
        return end is not None and (end < 0 if up else end > 0)

    @property
    def settling(self) -> str:
        """What would settle an inconclusive gate, in a sentence; empty for a pass and a fail."""
        if self.outcome != "inconclusive":
            return ""
        found = self.settled_by
        if found.items is None:
            return (
                ""
                if self.reason or self.silent
                else f"No number of items can be given that would settle it: {found.reason}."
            )
        cases = len(self.comparison.scores.cases or getattr(self.comparison.runs, "clusters", ()))
        size, there = f"{round_up(found.items):,} items", amount(self.items)
        each = "" if self.paired else " in each of the two samples"
        if found.cases is not None:
            size, there = f"{round_up(found.cases):,} test cases", amount(cases)
        elif not self.paired:
            there = f"{amount(self.items_of(0))} and {there}"
        return (
            f"About {size}{each} would settle it (there are {there}): if the true difference is the one found here, so "
            f"many show a {found.outcome} with a chance of {percent(self.power)}."
        )

    @property
    def caption(self) -> str:
        """What was compared, and how."""
        scores, runs = self.comparison.scores, self.comparison.runs
        kind = f"Paired: {counted(self.items, 'item')}, the same for both"
        if not self.paired:
            kind = f"Independent samples of {counted(self.items_of(0), 'item')} and {counted(self.items, 'item')}"
        where = f" in {counted(len(scores.cases), 'test case')}" if scores.cases else ""
        rule = (
            f"Pass: the whole interval of the difference is better than a loss of {self.margin:g}. Otherwise "
            f"fail, if the whole interval is worse than no difference, or inconclusive."
        )
        policy = missing_sentence(runs.policy, self.comparison.cells)
        warning = self.candidate.warning
        caution = f"{self.metric} {warning}." if warning else ""
        said = [f"{kind}{where}.", *soft_sentences(runs, scores.measures), policy, caution, rule]
        return " ".join(filter(None, said))

    def items_of(self, which: int) -> float | int:
        """Return the number of items of the baseline (0) or the candidate (1)."""
        scores = self.comparison.scores
        return whole_number(scores.items[scores.systems.index(self.systems[which])].sum())

    def sheet(self) -> Sheet:
        """Return one row: the outcome, both scores and their difference."""
        up = self.comparison.scores.measures[self.metric].greater_is_better
        score = Column("", Kind.NUMBER, digits=DIGITS, interval=True, greater_is_better=up)
        columns = [
            Column("outcome"),
            Column("measure", key="metric"),
            replace(score, name="baseline"),
            replace(score, name="candidate"),
            replace(score, name="difference", greater_is_better=None, sign=True),
            Column("margin", Kind.NUMBER, digits=DIGITS),
            *(Column(name, forms=CSV) for name in ("baseline_name", "candidate_name")),
            *(Column(name, Kind.COUNT, forms=CSV) for name in ("items", "needed", "needed_cases")),
        ]
        row = [
            Cell(self.outcome, best=self.outcome == "fail", leading=self.outcome == "pass"),
            Cell(self.metric),
            *(Cell(one.value, one.low, one.high) for one in (self.baseline, self.candidate)),
            Cell(none_if_undefined(self.difference), self.low, self.high, note=self.reason or ""),
            Cell(self.margin),
            *map(Cell, self.systems),
            *map(Cell, (self.items, self.needed, self.needed_cases)),
        ]
        lead = [text for text in (self.verdict, self.settling) if text]
        return Sheet(columns, [row], [self.caption], lead=lead, least=5)

    def sheets(self) -> Sequence[Sheet]:
        """Return the gate, and the drift of samples that share no items."""
        return (self.sheet(),) if self.drift is None else (self.sheet(), self.drift.sheet())

    def to_markdown(self) -> str:
        """Return the gate in Markdown, for a comment on a pull request: the outcome in bold, then one table."""
        outcome, _, rest = super().to_markdown().partition(":")
        return f"**{outcome}:**{rest}"

    def to_junit(self) -> str:
        """Return the gate as JUnit XML: a test that passes, has a failure, or for an inconclusive gate an error."""
        kind = {"pass": None, "fail": "failure", "inconclusive": "error"}[self.outcome]
        numbers = ("metric", "outcome", "difference", "low", "high", "margin", "items", "needed")
        content = self.to_dict() | {"items": self.items}
        old, new = self.systems
        return to_junit(
            "ordeval gate", f"{self.metric}: {new} against {old}", kind=kind, message=self.verdict,
            details=self.to_text(), properties={name: content[name] for name in numbers},
        )  # fmt: skip

    def append_to(
        self, history: str | PathLike[str], *, name: str | None = None, time: datetime | None = None
    ) -> None:
        """Add a line to a history of gates, a file of JSON lines that `oe.plot.history` draws.

        `name` says what the candidate is, such as a commit. Without a `time` it is that of the environment variable
        SOURCE_DATE_EPOCH, or else now.
        """
        try:
            append_record(history, record_of(self, name=name, time=time))
        except OSError as error:
            raise DataError(
                f"the history {str(history)!r} cannot be written: {error.strerror or error}."
            ) from error

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON, as the command `gate` writes it."""
        content = {
            **head("gate"),
            **about_input(self.comparison.runs),
            "metric": self.metric,
            "outcome": self.outcome,
            "verdict": self.verdict,
            "difference": none_if_undefined(self.difference),
            "low": self.low,
            "high": self.high,
            "level": self.level,
            "margin": self.margin,
            "baseline": {"name": self.systems[0], "items": self.items_of(0), **self.baseline.to_dict()},
            "candidate": {"name": self.systems[1], "items": self.items, **self.candidate.to_dict()},
            "paired": self.paired,
            "needed": self.needed,
            "needed_cases": self.needed_cases,
            "power": self.power,
        }  # fmt: skip
        reason = self.reason or self.settled_by.reason
        if reason is not None:
            content["reason"] = reason
        return content if self.drift is None else {**content, "drift": self.drift.to_dict()}

    def __repr__(self) -> str:
        ends = interval(self.low, self.high, DIGITS)
        apart = f"{number(self.difference, DIGITS, sign=True)}{f' {ends}' if ends else ''}"
        return f"Gate({self.outcome!r}, {self.metric} {apart}, margin={self.margin:g})"
