"""The result of `oe.agree`: how well people agree, and what follows from that."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ordeval.agreement.disagreement import DisputedItems, confusion_table
from ordeval.agreement.pairs import RaterPairs
from ordeval.agreement.raters import RaterProfiles
from ordeval.agreement.sheets import all_sheets, coefficient_sheet
from ordeval.comparison.about import about_intervals, scale_content
from ordeval.comparison.results import Score
from ordeval.errors import MetricError, suggestion
from ordeval.formats.frames import check_part, frame_of_rows
from ordeval.formats.json import head, json_pieces, to_json
from ordeval.formats.result import Result
from ordeval.formats.sheet import Sheet
from ordeval.metrics.names import full_name
from ordeval.ratings import Ratings
from ordeval.table import Table

SCORE = ("value", "low", "high", "error", "reason")


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(Result, Mapping[str, Score]):
    """How well raters agree, by the names of the coefficients: `a["krippendorff_alpha"].value`, `.low`, `.high`.

    `ceiling` is what a human reaches against the others by measures of the registry, `raters` has a profile of each
    rater, `pairs` every two raters, `confusion` the classes that people confuse, and `disagreement` the items on which
    they disagree most.

    >>> ratings = oe.Ratings.from_array([[1, 1, 2], [2, 2, 2], [3, 3, 3], [1, 2, 1]])
    >>> a = oe.agree(ratings, level=None)
    >>> round(a["krippendorff_alpha"].value, 4)
    0.7054
    >>> a.confusion.counts.tolist()
    [[4, 4, 0], [4, 6, 0], [0, 0, 6]]
    """

    ratings: Ratings  # the marks of the raters
    coefficients: Mapping[str, Score]  # the coefficients by their names
    ceiling: Mapping[str, Score]  # what a human reaches by each measure
    level: float | None  # the level of the intervals
    method: str  # the kind of interval
    n_resamples: int  # how many resamples were drawn
    seed: int  # the random seed
    resample: str  # what another sample would draw anew

    def __getitem__(self, metric: str) -> Score:
        name = full_name(metric)
        if name not in self.coefficients:
            near = suggestion(name, list(self.coefficients))
            raise MetricError(
                f"{name!r} was not computed; there are {', '.join(self.coefficients)}.{near} Ask for it in "
                f"metrics=[...]."
            )
        return self.coefficients[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.coefficients)

    def __len__(self) -> int:
        return len(self.coefficients)

    @cached_property
    def raters(self) -> RaterProfiles:
        """The raters one by one: too high, too low, at random, and alpha without each."""
        return RaterProfiles(self.ratings, self.level)

    @cached_property
    def pairs(self) -> RaterPairs:
        """Every two raters who marked an item together."""
        return RaterPairs(self.ratings, self.level)

    @cached_property
    def confusion(self) -> Table:
        """All ordered pairs of marks on the same item: in the row one rater's, in the column another's."""
        return confusion_table(self.ratings)

    @cached_property
    def disagreement(self) -> DisputedItems:
        """The items with at least two marks, those on which people disagree most first."""
        return DisputedItems(self.ratings)

    @property
    def lead(self) -> Sequence[str]:
        """How well people agree, what a human reaches and who stands apart, in sentences."""
        return self.sheet().lead

    def sheet(self) -> Sheet:
        """Return a row for each coefficient."""
        return coefficient_sheet(self)

    def sheets(self) -> Sequence[Sheet]:
        """Return the coefficients, the ceiling, the raters, their pairs, the confusion and the disputed items."""
        return all_sheets(self)

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON, as the command `agree` writes it."""
        content = self.content()
        return {
            name: list(part) if isinstance(part, Iterator) else part
            for name, part in content.items()
        }

    def to_json(self) -> str:
        """Return everything as JSON."""
        return to_json(self.content())

    def pieces(self, form: str, *, width: int | None = None) -> Iterator[str]:
        """Give the agreement in one of the formats piece by piece: many raters make very many pairs."""
        return json_pieces(self.content()) if form == "json" else super().pieces(form, width=width)

    def content(self) -> dict[str, Any]:
        """Return everything for JSON; raters, pairs and items, which may be many, are made one after the other."""
        ratings = self.ratings
        policy = {name: getattr(ratings.policy, name) for name in ("unknown", "duplicates")}
        scores = [{"name": name, **score.to_dict()} for name, score in self.items()]
        return {
            **head("agree"),
            "scale": scale_content(ratings.scale),
            "policy": policy,
            "input": {"ignored": dict(ratings.ignored), "touched": dict(ratings.touched)},
            "raters": len(ratings.raters),
            "items": ratings.n,
            "marks": ratings.marks,
            "intervals": about_intervals(self),
            "verdict": " ".join(self.lead),
            "coefficients": scores,
            "ceiling": {name: score.to_dict() for name, score in self.ceiling.items()},
            "confusion": self.confusion.counts.tolist(),
            "rater_profiles": (one.to_dict() for one in self.raters.values()),
            "pairs": (pair.to_dict() for pair in self.pairs),
            "disagreement": (item.to_dict() for item in self.disagreement),
        }

    def to_frame(self, what: str = "coefficients", backend: str | None = None) -> Any:
        """Return "coefficients", "ceiling", "raters", "pairs" or "items" as a frame of pandas, polars or pyarrow."""
        check_part(what, FRAMES)
        return frame_of_rows(*FRAMES[what](self), backend)

    def __repr__(self) -> str:
        return f"Agreement({', '.join(str(score) for score in self.values())})"


Frame = tuple[Sequence[str], Iterable[Sequence[Any]]]


def parts_of(score: Score) -> tuple[Any, ...]:
    """Return what a frame has of a score."""
    return tuple(getattr(score, part) for part in SCORE)


def score_frame(column: str, scores: Mapping[str, Score]) -> Frame:
    """Return a row for each score."""
    return (column, *SCORE), ((name, *parts_of(score)) for name, score in scores.items())


def rater_frame(agreement: Agreement) -> Frame:
    """Return a row for each rater."""
    columns = (
        "rater", "marks", "items", "difference", "difference_low", "difference_high", "p", "p_adjusted",
        "agreement", "agreement_low", "agreement_high", "alpha_without", "verdict",
    )  # fmt: skip
    rows = (
        (
            one.rater, one.marks, one.items, *parts_of(one.difference)[:3], one.p, one.p_adjusted,
            *parts_of(one.agreement)[:3], one.alpha_without, ", ".join(one.verdicts),
        )
        for one in agreement.raters.values()
    )  # fmt: skip
    return columns, rows


def pair_frame(agreement: Agreement) -> Frame:
    """Return a row for each pair of raters and measure."""
    rows = (
        (pair.a, pair.b, pair.items, metric, *parts_of(score))
        for pair in agreement.pairs
        for metric, score in pair.scores.items()
    )
    return ("a", "b", "items", "metric", *SCORE), rows


def item_frame(agreement: Agreement) -> Frame:
    """Return a row for each item with at least two marks, the most disputed first, with the votes of each class."""
    about = ("item", "spread")
    labels = map(str, agreement.ratings.scale.labels)
    votes = (f"class {label}" if label in about else label for label in labels)  # a name once
    rows = ((one.item, one.spread, *one.votes) for one in agreement.disagreement)
    return (*about, *votes), rows


FRAMES: dict[str, Callable[[Agreement], Frame]] = {
    "coefficients": lambda agreement: score_frame("coefficient", agreement.coefficients),
    "ceiling": lambda agreement: score_frame("metric", agreement.ceiling),
    "raters": rater_frame,
    "pairs": pair_frame,
    "items": item_frame,
}
