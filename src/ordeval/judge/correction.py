"""The result of `oe.judge.correct`: the mean mark and the class shares as humans would give them, by every method."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ordeval.comparison.about import scale_content
from ordeval.comparison.results import Score, fields_content, none_if_undefined
from ordeval.formats.frames import frame_of_rows
from ordeval.formats.json import head
from ordeval.formats.numbers import interval, number
from ordeval.formats.result import Result
from ordeval.formats.sheet import Sheet
from ordeval.judge.correction_sheets import csv_rows, method_sheet, share_sheet
from ordeval.judge.correction_words import lead_of
from ordeval.judge.judged import JudgedItems
from ordeval.judge.method_names import HUMAN, NAIVE, no_worth
from ordeval.judge.methods import StatisticEstimates
from ordeval.scale import Scale

MEAN_MARK = "mean mark"

if TYPE_CHECKING:
    from ordeval.judge.budget import BudgetPlan
    from ordeval.judge.corrected_scores import CorrectedScores


@dataclass(frozen=True, slots=True)
class Corrected:
    """The mean mark, or the share of the class `label`, by one method; NaN and no ends where it is undefined.

    `naive` is what the judge says as it stands, `human` what the human marks alone say, with its interval. `worth` is
    how many human marks alone would have as small a standard error; None where that says nothing.

    >>> human, judge, rest = (
    ...     [1, 2, 2, 3, 3, 3],
    ...     [1, 1, 2, 2, 3, 3],
    ...     [1, 1, 2, 2, 2, 3, 3, 3, 3, 3],
    ... )
    >>> x = oe.judge.correct(human, judge, rest, method="ppi")
    >>> x.mean.naive, round(x.mean.value, 4), round(x.mean.human.value, 4)
    (2.1875, 2.6333, 2.3333)
    """

    method: str  # the method of correction
    value: float  # the corrected number; NaN if it is undefined
    low: float | None  # the lower end of the interval
    high: float | None  # the upper end of the interval
    error: float | None  # the standard error
    naive: float  # what the judge says as it stands
    human: Score  # what the human marks alone say
    worth: float | None  # how many human marks alone would be as precise
    label: Any = None  # the class of a share; None for the mean mark
    reason: str | None = None  # why it is undefined

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON."""
        without = [name for name in ("label", "reason") if getattr(self, name) is None]
        content = {**fields_content(self, without=without), "human": self.human.to_dict()}
        if self.worth is None and self.reason is None:
            content["reason"] = no_worth(self.method)
        return content


@dataclass(frozen=True, slots=True)
class CorrectedBy:
    """What one method says: the mean mark, and the share of each class.

    >>> human, judge, rest = (
    ...     [1, 2, 2, 3, 3, 3],
    ...     [1, 1, 2, 2, 3, 3],
    ...     [1, 1, 2, 2, 2, 3, 3, 3, 3, 3],
    ... )
    >>> x = oe.judge.correct(human, judge, rest, method="ppi")
    >>> list(x.methods)
    ['naive', 'rogan_gladen', 'ppi', 'ppi++', 'poststratification', 'human']
    >>> round(x.methods["ppi"].mean.value, 4)
    2.6333
    """

    method: str  # the method of correction
    mean: Corrected  # the mean mark
    shares: tuple[Corrected, ...]  # the share of each class, lowest first

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON."""
        shares = [one.to_dict() for one in self.shares]
        return {"method": self.method, "mean": self.mean.to_dict(), "shares": shares}


@dataclass(frozen=True, eq=False, repr=False)
class Correction(Result):
    """What humans would have said of all items: `mean`, `shares` (one for each class), and all `methods` side by side.

    `marked` items have marks of humans and the judge, `unmarked` of the judge alone. `lam` is the weight that PPI++
    gives the judge in the mean mark, `lam_shares` in the class shares: 0 if it tells nothing, 1 if it is trusted in
    full.

    >>> human, judge, rest = (
    ...     [1, 2, 2, 3, 3, 3],
    ...     [1, 1, 2, 2, 3, 3],
    ...     [1, 1, 2, 2, 2, 3, 3, 3, 3, 3],
    ... )
    >>> x = oe.judge.correct(human, judge, rest, method="ppi")
    >>> round(x.mean.value, 4), x.mean.naive
    (2.6333, 2.1875)
    >>> x.marked, x.unmarked
    (6, 10)
    """

    judged: JudgedItems
    method: str  # the method of correction
    level: float  # the level of the intervals
    methods: Mapping[str, CorrectedBy]  # the numbers by all methods
    lam: float  # the weight that PPI++ gives the judge in the mean mark
    lam_shares: float  # the same in the class shares
    warnings: tuple[str, ...] = ()  # what a reader should be warned of, in sentences
    notes: tuple[str, ...] = ()  # what a reader should know, in sentences
    systems: "CorrectedScores | None" = None  # the scores of systems, if these were asked for
    budget: "BudgetPlan | None" = None  # a plan for more marks, if one was asked for

    @property
    def mean(self) -> Corrected:
        """The corrected mean mark."""
        return self.methods[self.method].mean

    @property
    def shares(self) -> tuple[Corrected, ...]:
        """The corrected share of each class, lowest first."""
        return self.methods[self.method].shares

    @property
    def worth(self) -> float | None:
        """How many human marks alone would give as precise a mean mark."""
        return self.mean.worth

    @property
    def scale(self) -> Scale:
        """The classes."""
        return self.judged.scale

    @property
    def marked(self) -> int:
        """The number of items that humans and the judge marked."""
        return self.judged.n

    @property
    def unmarked(self) -> int:
        """The number of items that only the judge marked."""
        return self.judged.others

    @property
    def lead(self) -> Sequence[str]:
        """What the judge says, what humans would have said, and what the judge is worth, in sentences."""
        return lead_of(self)

    def sheet(self) -> Sheet:
        """Return the mean mark by each method."""
        return method_sheet(self)

    def sheets(self) -> Sequence[Sheet]:
        """Return the mean mark and the class shares by each method; then the systems and the plan, if there are any."""
        systems = [] if self.systems is None else self.systems.sheets()
        budget = [] if self.budget is None else self.budget.sheets()
        return [self.sheet(), share_sheet(self), *systems, *budget]

    def csv_sheet(self) -> Sheet:
        """Return a row for each method and statistic; the scores of the systems, if these were asked for."""
        return csv_rows(self) if self.systems is None else self.systems.csv_sheet()

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON, as the command `correct` writes it."""
        systems = [] if self.systems is None else self.systems.systems_content()
        return {
            **head("correct"),
            "scale": scale_content(self.scale),
            "input": {
                "marked": self.marked,
                "unmarked": self.unmarked,
                "unjudged": self.judged.unjudged,
            },
            "level": self.level,
            "method": self.method,
            "verdict": " ".join(self.lead),
            "mean": self.mean.to_dict(),
            "shares": [one.to_dict() for one in self.shares],
            "worth": self.worth,
            **({} if self.worth is not None else {"reason": self.mean.to_dict()["reason"]}),
            "lam": self.lam,
            "lam_shares": self.lam_shares,
            "methods": [one.to_dict() for one in self.methods.values()],
            "warnings": list(self.warnings),
            "notes": list(self.notes),
            "systems": systems,
            "plan": None if self.budget is None else self.budget.to_dict(),
        }

    def to_frame(self, backend: str | None = None) -> Any:
        """Return a row for each method and statistic as a frame of pandas, polars or pyarrow."""
        sheet = csv_rows(self)
        rows = ([cell.value for cell in row] for row in sheet.rows)
        return frame_of_rows([column.name for column in sheet.columns], rows, backend)

    def __repr__(self) -> str:
        mean = self.mean
        ends = interval(mean.low, mean.high, 4)
        return (
            f"Correction(mean={number(mean.value, 4)}{f' {ends}' if ends else ''}, naive={number(mean.naive, 4)}, "
            f"method={self.method!r}, marked={self.marked}, unmarked={self.unmarked})"
        )


def corrected_by(
    method: str, found: Mapping[str, StatisticEstimates], judged: JudgedItems, level: float
) -> CorrectedBy:
    """Return what one of the methods says of each statistic, next to the judge as it stands and the humans alone."""
    own, naive, alone = found[method], found[NAIVE], found[HUMAN]

    def one(at: int, label: Any = None) -> Corrected:
        numbers = [float(part[at]) for part in own[:4]]
        error, of_humans = numbers[1], float(alone.error[at])
        known = method != NAIVE and error > 0 and of_humans > 0
        worth = judged.n * (of_humans / error) ** 2 if known else None
        name = MEAN_MARK if label is None else f"share of {label}"
        human = Score(
            name, float(alone.value[at]), float(alone.low[at]), float(alone.high[at]), of_humans, level=level
        )  # fmt: skip
        low, high, error_or_none = map(none_if_undefined, (numbers[2], numbers[3], error))
        return Corrected(
            method, numbers[0], low, high, error_or_none, float(naive.value[at]), human,
            worth, label, own.reason,
        )  # fmt: skip

    shares = tuple(one(at, label) for at, label in enumerate(judged.scale.labels))
    return CorrectedBy(method, one(judged.scale.k), shares)
