"""The result of `oe.decide.fit`: a rule for class probabilities, what it is expected to reach, and what it gains."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.arguments import is_number
from ordeval.comparison.results import none_if_undefined
from ordeval.decide.held_out import HeldOut, Trial, gains_sheet, label_array
from ordeval.decide.reading import ProbableItems, columns_for
from ordeval.decide.recalibrate import Recalibration, recalibrated
from ordeval.decide.rules import answers_of, losses_of, plain_rules
from ordeval.decide.search import Objective, best_rule
from ordeval.decide.stored import (
    EXPECTED,
    holds_values,
    numbers_in,
    read_rule,
    rule_head,
    stored_measure,
    stored_scale,
    stored_values,
)
from ordeval.decide.words import PLAIN, lead_of, rule_caption
from ordeval.errors import DataError
from ordeval.formats.names import clean
from ordeval.formats.numbers import number
from ordeval.formats.result import Result
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.metrics.metric import Metric
from ordeval.scale import Scale

KIND = "decision"


def is_square(content: Any) -> bool:
    """Tell whether something is a square table of numbers."""
    rows = content if isinstance(content, list) else [None]
    return all(numbers_in(row, len(rows)) for row in rows)


SHAPES: Mapping[str, Callable[[Any], bool]] = {
    "worth": is_square,
    "exact": lambda content: isinstance(content, bool),
    "expected": is_number,
    "expected_of": lambda content: holds_values(content, PLAIN),
    "input": lambda content: (
        isinstance(content, dict)
        and all(is_number(content.get(name)) for name in ("items", "ties", "unanswered"))
    ),
    "abstain": is_number,
    "limit": lambda content: content is None or is_number(content),
    "calibration": lambda content: (
        content is None
        or (
            isinstance(content, dict)
            and is_number(content.get("sharpness"))
            and numbers_in(content.get("offsets"))
        )
    ),
}


@dataclass(frozen=True, kw_only=True)
class TrialOfRules(Trial):
    """The items that a rule was fitted on, with their gold labels."""

    items: ProbableItems


@dataclass(frozen=True, eq=False, repr=False)
class Decision(Result):
    """A rule: `worth[gold, answer]` says what an answer is worth if a class is gold; `predict` gives the best answers.

    `expected` is the measure of the expected table, `expected_of` the same for the most probable class ("mode"), the
    median and the rounded mean ("mean"). `exact` says that no other answers are expected to score better. `ties`
    counts the items with several best answers, which get the lowest. `held_out` is what the rule reaches on items that
    it was not fitted on, and what it gains there; None if it was fitted without gold labels.

    >>> rows = [[0.4, 0.2, 0.4], [0.2, 0.7, 0.1], [0.1, 0.3, 0.6]] * 10
    >>> rule = oe.decide.fit(rows, [1, 2, 3] * 10, metric="mae", labels=[1, 2, 3])
    >>> rule.predict([[0.4, 0.2, 0.4]]).tolist()
    [2]
    >>> rule.exact, round(rule.expected, 3)
    (True, 0.533)
    """

    measure: Metric  # the measure
    scale: Scale  # the classes
    worth: Array  # what an answer is worth if a class is gold
    exact: bool  # whether no other answers are expected to score better
    expected: float  # the measure of the expected table
    expected_of: Mapping[str, float]  # the same for plain rules
    n: int  # the number of items
    ties: int  # items with several best answers
    calibration: Recalibration | None = None  # what is done to probabilities first
    abstain: float = 0.0  # the share of items to leave unanswered
    limit: float | None = None  # the expected loss from which an item is left unanswered
    unanswered: float = 0.0  # the share of the items here that this leaves out
    trial: TrialOfRules | None = None

    def predict(self, probabilities: Any) -> Array:
        """Return an answer to each item: a label of the scale; None where the rule abstains.

        >>> rows = [[0.4, 0.2, 0.4], [0.2, 0.7, 0.1], [0.1, 0.3, 0.6]] * 10
        >>> rule = oe.decide.fit(rows, [1, 2, 3] * 10, metric="mae", labels=[1, 2, 3])
        >>> rule.predict([[0.4, 0.2, 0.4], [0.9, 0.1, 0.0]]).tolist()
        [2, 1]
        """
        columns = columns_for(self.scale, probabilities)
        if self.calibration is not None:
            columns = self.calibration(columns)
        codes = answers_of(self.worth, columns)
        answers = label_array(self.scale)[codes]
        if self.limit is None:
            return answers
        answers = answers.astype(object)
        answers[losses_of(self.worth, columns, codes) >= self.limit] = None
        return answers

    @cached_property
    def held_out(self) -> HeldOut | None:
        """What rules reach and gain on items that they were not fitted on; computed when it is first asked for."""
        trial = self.trial
        if trial is None or trial.folds < 2:
            return None
        items = trial.items
        objective = Objective(self.measure, self.scale)

        def answer(fitted_on: Array, others: Array) -> Array:
            part, rest = items.only(fitted_on), items.only(others)
            if self.calibration is not None:
                change = recalibrated(part, trial.gold[fitted_on])
                part, rest = (replace(each, columns=change(each.columns)) for each in (part, rest))
            return answers_of(best_rule(objective, part.columns, part.weighted).worth, rest.columns)

        plain = plain_rules(self.scale)
        return trial.gains(
            trial.out_of_fold(answer),
            {name: answers_of(rule, items.columns) for name, rule in plain.items()},
            measure=self.measure,
            scale=self.scale,
        )

    @property
    def lead(self) -> Sequence[str]:
        """What the rule is expected to reach, and what it gains on other items, in sentences."""
        return lead_of(self)

    def sheet(self) -> Sheet:
        """Return a row for the rule and for each plain one: expected and held-out value, and the gain over it."""
        here = Column("expected", Kind.NUMBER, self.measure.greater_is_better)
        values = {PLAIN[name]: value for name, value in self.expected_of.items()}
        return gains_sheet(
            here, self.expected, values, self.held_out, rule_caption(self), lead=self.lead
        )

    def worth_sheet(self) -> Sheet:
        """Return what each answer is worth for each gold class."""
        names = [clean(name) for name in self.scale.names]
        columns = [Column("gold"), *(Column(f"answer {name}", Kind.NUMBER) for name in names)]
        rows = [
            [Cell(name), *map(Cell, row)]
            for name, row in zip(names, self.worth.tolist(), strict=True)
        ]
        return Sheet(
            columns, rows, lead=["What each answer is worth, for each gold class (0: the worst answer to it):"]
        )  # fmt: skip

    def sheets(self) -> Sequence[Sheet]:
        """Return the gains, and the rule itself."""
        return [self.sheet(), self.worth_sheet()]

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON; `Decision.from_json` reads the rule back."""
        return {
            **rule_head(self, KIND),
            "worth": self.worth.tolist(),
            "exact": self.exact,
            "calibration": None if self.calibration is None else self.calibration.to_dict(),
            "input": {"items": self.n, "ties": self.ties, "unanswered": self.unanswered},
            "abstain": self.abstain,
            "limit": self.limit,
            "expected": self.expected,
            "expected_of": {
                name: none_if_undefined(value) for name, value in self.expected_of.items()
            },
            "held_out": None if self.held_out is None else self.held_out.to_dict(),
        }

    @classmethod
    def from_json(cls, text: str | bytes) -> "Decision":
        """Read a rule that `to_json` wrote, without the items that it was fitted on.

        >>> rows = [[0.4, 0.2, 0.4], [0.2, 0.7, 0.1], [0.1, 0.3, 0.6]] * 10
        >>> rule = oe.decide.fit(rows, [1, 2, 3] * 10, metric="mae", labels=[1, 2, 3])
        >>> again = oe.decide.Decision.from_json(rule.to_json())
        >>> again.predict([[0.4, 0.2, 0.4]]).tolist()
        [2]
        """
        content = read_rule(text, KIND, SHAPES)
        scale = stored_scale(content["scale"])
        worth = np.array(content["worth"], dtype=np.float64)
        calibration = content["calibration"]
        sizes = {len(worth), scale.k if calibration is None else len(calibration["offsets"])}
        if sizes != {scale.k}:
            raise DataError(
                f"this rule is for {len(worth)} classes, and its scale has {scale.k}. {EXPECTED}."
            )
        if calibration is not None:
            calibration = Recalibration(calibration["sharpness"], tuple(calibration["offsets"]))
        return cls(
            measure=stored_measure(content), scale=scale, worth=worth, exact=content["exact"],
            expected=content["expected"], expected_of=stored_values(content["expected_of"]),
            n=content["input"]["items"], ties=content["input"]["ties"], calibration=calibration,
            abstain=content["abstain"], limit=content["limit"], unanswered=content["input"]["unanswered"],
        )  # fmt: skip

    def __repr__(self) -> str:
        return (
            f"Decision({self.measure}, expected={number(self.expected, 4)}, classes={list(self.scale.labels)}, "
            f"items={self.n})"
        )
