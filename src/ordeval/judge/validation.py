"""The result of `oe.judge.validate`: for each judge a verdict, and everything that it rests on."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ordeval.arguments import is_choice
from ordeval.comparison.about import scale_content
from ordeval.comparison.compare import compare
from ordeval.comparison.comparison import Comparison
from ordeval.comparison.results import Score, fields_content, none_if_undefined, reasoned
from ordeval.errors import RaterError, quoted, suggestion
from ordeval.formats.frames import check_part, frame_of_rows
from ordeval.formats.json import head
from ordeval.formats.names import clean
from ordeval.formats.result import Result
from ordeval.formats.sheet import Sheet
from ordeval.judge.alt_test import AltTest
from ordeval.judge.bias import Bias, CollapsedClasses
from ordeval.judge.consistency import Consistency
from ordeval.judge.jackknifed_sums import NO_INTERVAL
from ordeval.judge.reading import ItemsToRead
from ordeval.judge.validation_frames import FRAMES
from ordeval.judge.validation_sheets import all_sheets, verdict_sheet
from ordeval.judge.validation_words import FIT, UNDECIDED, UNFIT
from ordeval.metrics.registry import registry
from ordeval.ratings import Ratings
from ordeval.runs import Runs
from ordeval.table import Table

ORDER = (FIT, UNDECIDED, UNFIT)  # best first
MOST_ITEMS = 20  # to read, in JSON


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """What a judge and a human reach against the same other humans, on the same items; the difference is paired."""

    metric: str
    judge: float
    human: float
    difference: float  # judge minus human
    low: float | None
    high: float | None
    p: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the agreement for JSON."""
        content = fields_content(self, without=("metric",))
        if content["difference"] is None:
            return reasoned(content, f"undefined when {registry[self.metric].undefined_when}")
        return reasoned(content, NO_INTERVAL)

    def ahead(self, *, up: bool) -> tuple[float, float | None, float | None]:
        """Return the difference and its interval so that more is better for the judge; `up` if it is so already."""
        if up:
            return self.difference, self.low, self.high
        low, high = (None if end is None else -end for end in (self.high, self.low))
        return -self.difference, low, high


@dataclass(frozen=True, slots=True)
class ConstantAnswer:
    """The best constant answer in a judge's place: what it reaches, and what would be said of it."""

    label: Any
    name: Any  # of the class in print
    agreement: JudgeAgreement  # by the primary measure
    winning_rate: float  # of the alternative annotator test
    passed: bool
    verdict: str

    def to_dict(self) -> dict[str, Any]:
        """Return the constant answer for JSON."""
        agreement = {self.agreement.metric: self.agreement.to_dict()}
        content = {**fields_content(self, without=("name",)), "agreement": agreement}
        return reasoned(content, "no human could be tested")


@dataclass(frozen=True, slots=True)
class JudgeSlice:
    """The items that have one value in a column: what judge and human reach there by the primary measure.

    `apart` is the difference judge - human in the slice minus that on the other items, and `p_adjusted` its p-value,
    corrected over the slices of the judge (Holm).
    """

    by: str
    value: Any  # None: the items without a value
    items: int
    judge: float
    human: float
    difference: float
    low: float | None
    high: float | None
    apart: float | None
    p: float | None
    p_adjusted: float | None
    reason: str | None = None  # why the numbers are missing

    @property
    def name(self) -> str:
        """The name of the slice in print: 'language = de'."""
        return f"{clean(self.by)} = {'(none)' if self.value is None else clean(self.value)}"

    def to_dict(self) -> dict[str, Any]:
        """Return the slice for JSON."""
        content = fields_content(self)
        return content | ({"reason": NO_INTERVAL} if self.low is None is self.reason else {})


@dataclass(frozen=True, eq=False, repr=False)
class JudgeVerdict:
    """One judge: "fit", "unfit" or "undecided" to mark in place of a human, why, and what this rests on.

    >>> humans = oe.Ratings.from_array([[1, 2, 1], [3, 3, 3], [4, 5, 5]] * 20)
    >>> judges = oe.Ratings.from_array(
    ...     [[1, 3], [3, 3], [5, 1]] * 20, raters=["good", "poor"]
    ... )
    >>> poor = oe.judge.validate(humans, judges)["poor"]
    >>> poor.verdict, poor.items, poor.alt_test.passed
    ('unfit', 60, False)
    """

    name: str  # the name of the judge
    verdict: str  # "fit", "unfit" or "undecided"
    reason: str  # in sentences
    cautions: tuple[str, ...]  # what weakens the verdict, in sentences
    alt_test: AltTest  # the alternative annotator test
    agreement: Mapping[str, JudgeAgreement]  # judge and human by each measure
    ceiling: Mapping[str, Score]  # what a human reaches, on the judge's items
    constant: ConstantAnswer  # what the best constant answer reaches
    bias: Bias  # how much the judge marks too high or too low
    consistency: Consistency | None  # None: it never repeats a mark
    unused_classes: tuple[Any, ...]  # labels that humans gave and the judge never did
    collapsed_classes: tuple[CollapsedClasses, ...]  # classes that the judge does not keep apart
    items: int  # that the judge and a human marked
    shared: int  # of these, items that two humans or more marked
    unjudged: int  # items of the humans without its mark
    ignored: int  # marks on items that no human marked
    needed: int | None  # items, in all, that would settle what is undecided
    needed_reason: str | None  # why there is no such number
    slices: tuple[JudgeSlice, ...]  # judge and human on each slice
    table: Table  # the humans' shares x the judge's marks
    disagreement: ItemsToRead  # the items on which judge and humans differ most

    def to_dict(self) -> dict[str, Any]:
        """Return the judge for JSON."""
        content: dict[str, Any] = {
            "name": self.name,
            "verdict": self.verdict,
            "reason": self.reason,
            "cautions": list(self.cautions),
            "items": self.items,
            "shared": self.shared,
            "unjudged": self.unjudged,
            "ignored": self.ignored,
            "needed": self.needed,
            "needed_reason": self.needed_reason,
            "alt_test": self.alt_test.content(),
            "agreement": {name: one.to_dict() for name, one in self.agreement.items()},
            "ceiling": {name: score.to_dict() for name, score in self.ceiling.items()},
            "constant": self.constant.to_dict(),
            "bias": self.bias.to_dict(),
            "unused_classes": list(self.unused_classes),
            "collapsed_classes": [one.to_dict() for one in self.collapsed_classes],
            "consistency": None if self.consistency is None else self.consistency.to_dict(),
            "table": self.table.counts.tolist(),
            "disagreement": [one.to_dict() for one in self.disagreement[:MOST_ITEMS]],
        }
        if self.slices:
            content["slices"] = [one.to_dict() for one in self.slices]
        return content

    def __repr__(self) -> str:
        return f"JudgeVerdict({self.name!r}: {self.verdict})"


@dataclass(frozen=True, eq=False, repr=False)
class Validation(Result, Mapping[str, JudgeVerdict]):
    """A verdict for each judge by its name: `v["gpt"].verdict`, `.reason`, `.agreement`, `.alt_test`, `.bias`.

    `best` is the judge with the best verdict, and of several the one that is best beside a human; `comparison` ranks
    the judges as systems.

    >>> humans = oe.Ratings.from_array([[1, 2, 1], [3, 3, 3], [4, 5, 5]] * 20)
    >>> judges = oe.Ratings.from_array(
    ...     [[1, 3], [3, 3], [5, 1]] * 20, raters=["good", "poor"]
    ... )
    >>> v = oe.judge.validate(humans, judges)
    >>> v.best.name, v["poor"].verdict
    ('good', 'unfit')
    """

    humans: Ratings  # the marks of the humans
    judges: Ratings  # the marks of the judges
    runs: Runs  # the judges as systems, whose gold is the shares of the humans
    verdicts: Mapping[str, JudgeVerdict]  # the verdicts by the names of the judges
    alpha: Score  # Krippendorff's, of the humans
    metrics: tuple[str, ...]  # the primary first
    primary: str  # the measure that the verdicts rest on
    epsilon: float  # how much a human's work is worth more
    margin: float  # the loss that is accepted, in units of the measure
    score: str  # how close a mark is to those of the others
    q: float  # the share of false discoveries
    level: float  # the level of the intervals
    missing: str  # what was done with items that a judge did not mark
    by: tuple[str, ...]  # the columns that slices go by
    notes: tuple[str, ...] = ()  # what a reader should know, in sentences

    def __getitem__(self, judge: str) -> JudgeVerdict:
        if not is_choice(judge, self.verdicts):
            near = suggestion(str(judge), list(self.verdicts))
            raise RaterError(
                f"there is no judge {judge!r:.60} among {quoted(self.verdicts)}.{near}"
            )
        return self.verdicts[judge]

    def __iter__(self) -> Iterator[str]:
        return iter(self.verdicts)

    def __len__(self) -> int:
        return len(self.verdicts)

    @cached_property
    def ranked(self) -> tuple[JudgeVerdict, ...]:
        """The judges, best first: by their verdicts, and then by how far they are from a human."""
        sign = 1 if registry[self.primary].greater_is_better else -1

        def place(one: JudgeVerdict) -> tuple[int, float]:
            apart = none_if_undefined(one.agreement[self.primary].difference)
            return ORDER.index(one.verdict), float("inf") if apart is None else -sign * apart

        return tuple(sorted(self.verdicts.values(), key=place))

    @property
    def best(self) -> JudgeVerdict:
        """The judge with the best verdict; of several, the one that is best beside a human."""
        return self.ranked[0]

    @cached_property
    def comparison(self) -> Comparison:
        """The judges compared and ranked as systems, against the shares of all humans."""
        return compare(
            self.runs, metrics=list(self.metrics), primary=self.primary, level=self.level
        )

    @property
    def lead(self) -> Sequence[str]:
        """The verdict of the best judge with its reason, and how the others stand, in sentences."""
        return self.sheet().lead

    def sheet(self) -> Sheet:
        """Return a row for each judge: its verdict, and the numbers behind it."""
        return verdict_sheet(self)

    def sheets(self) -> Sequence[Sheet]:
        """Return the verdicts, and what the one of the best judge rests on."""
        return all_sheets(self)

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON, as the command `judge` writes it."""
        policy = {name: getattr(self.humans.policy, name) for name in ("unknown", "duplicates")}
        board = self.comparison
        return {
            **head("judge"),
            "scale": scale_content(self.humans.scale),
            "policy": {**policy, "missing": self.missing},
            "input": {
                "humans": len(self.humans.raters),
                "items": self.humans.n,
                "marks": self.humans.marks,
                "ignored": dict(self.humans.ignored),
                "touched": dict(self.humans.touched),
            },
            "settings": {
                "primary": self.primary,
                "margin": self.margin,
                "epsilon": self.epsilon,
                "score": self.score,
                "q": self.q,
                "level": self.level,
            },
            "verdict": " ".join(self.lead),
            "best": self.best.name,
            "humans": {"alpha": self.alpha.to_dict()},
            "judges": [one.to_dict() for one in self.verdicts.values()],
            "ranking": [
                {
                    "name": one.system,
                    "rank": one.rank,
                    "rank_low": one.rank_low,
                    "rank_high": one.rank_high,
                    "scores": {name: score.to_dict() for name, score in one.scores.items()},
                    "beats": list(one.beats),
                }
                for one in board.leaderboard
            ],
            "notes": list(self.notes),
        }

    def to_frame(self, what: str = "judges", backend: str | None = None) -> Any:
        """Return "judges" (a row for each judge and measure), "humans", "classes", "slices" or "items" as a frame."""
        check_part(what, FRAMES)
        return frame_of_rows(*FRAMES[what](self), backend)

    def __repr__(self) -> str:
        said = ", ".join(f"{name!r}: {one.verdict}" for name, one in self.verdicts.items())
        return f"Validation({said})"
