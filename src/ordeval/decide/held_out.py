"""What a rule gains on items that it was not fitted on, over answers that need no fitting."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.comparison.compare import compare
from ordeval.comparison.results import PairDifference, Score, fields_content
from ordeval.errors import ParameterError, argument
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.metrics.metric import Metric
from ordeval.runs import Runs
from ordeval.scale import Scale

RULE = "this rule"
FOLDS = 5


@dataclass(frozen=True, slots=True)
class Gain:
    """How much better a rule is than other answers to the same items, which it was not fitted on.

    `gain` is positive where the rule is better, for errors, too. `outcome` is that of the rule: "better", "worse" or
    "undecided".

    >>> rows = [[0.4, 0.2, 0.4], [0.2, 0.7, 0.1], [0.1, 0.3, 0.6]] * 10
    >>> rule = oe.decide.fit(rows, [2, 2, 3] * 10, metric="mae", labels=[1, 2, 3])
    >>> gain = rule.held_out.over("mode")
    >>> gain.over, round(gain.value, 3), round(gain.gain, 3)
    ('mode', 0.333, 0.333)
    """

    over: str  # what the rule is compared with
    value: float  # of the other answers, by the measure
    gain: float  # how much better the rule is
    low: float | None  # the lower end of the interval
    high: float | None  # the upper end of the interval
    p: float | None  # the p-value
    outcome: str | None  # "better", "worse" or "undecided"
    reason: str | None = None  # why there is no value

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return fields_content(self, without=[] if self.reason else ["reason"])


@dataclass(frozen=True)
class HeldOut:
    """The score of a rule on items that it was not fitted on, and its gains over other answers.

    >>> rows = [[0.4, 0.2, 0.4], [0.2, 0.7, 0.1], [0.1, 0.3, 0.6]] * 10
    >>> rule = oe.decide.fit(rows, [2, 2, 3] * 10, metric="mae", labels=[1, 2, 3])
    >>> rule.held_out.folds, [gain.over for gain in rule.held_out.gains]
    (5, ['mode', 'median', 'mean'])
    """

    score: Score  # the score of the rule
    gains: tuple[Gain, ...]  # its gains over other answers
    folds: int  # the number of parts of the items

    def over(self, name: str) -> Gain:
        """Return the gain over one kind of other answers.

        >>> rows = [[0.4, 0.2, 0.4], [0.2, 0.7, 0.1], [0.1, 0.3, 0.6]] * 10
        >>> rule = oe.decide.fit(rows, [2, 2, 3] * 10, metric="mae", labels=[1, 2, 3])
        >>> rule.held_out.over("mode").outcome
        'better'
        """
        return next(gain for gain in self.gains if gain.over == name)

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return {
            **self.score.to_dict(),
            "folds": self.folds,
            "gains": [gain.to_dict() for gain in self.gains],
        }


def check_folds(folds: Any, n: int) -> int:
    """Return the number of parts that items are split into; it must leave something to fit on and to hold out."""
    if not isinstance(folds, int | np.integer) or isinstance(folds, bool) or folds < 2:
        raise ParameterError(
            f"{argument('folds', folds)} is not a number of folds; it is a whole number, 2 or more."
        )
    return min(int(folds), n)


@dataclass(frozen=True, kw_only=True)
class Trial:
    """The gold codes and the weights of the items that a rule was fitted on, to try such rules on other items."""

    gold: Array
    folds: int
    level: float
    sample_weight: Any = None
    count: Any = None

    def out_of_fold(self, answer: Callable[[Array, Array], Array], seed: int = 0) -> Array:
        """Return an answer to each item, by a rule that was fitted on the items of the other folds.

        `answer(fitted_on, items)` fits a rule on some items and returns its answers to others, both given by place.
        """
        fold_of = np.random.default_rng(seed).permutation(len(self.gold)) % self.folds
        answers = np.empty(len(self.gold), dtype=np.intp)
        for fold in range(self.folds):
            out = fold_of == fold
            answers[out] = answer(np.flatnonzero(~out), np.flatnonzero(out))
        return answers

    def gains(
        self, answers: Array, others: Mapping[str, Array], *, measure: Metric, scale: Scale
    ) -> HeldOut:
        """Compare the answers of a rule with others to the same items, all given as codes."""
        labels = label_array(scale)
        systems = {name: labels[codes] for name, codes in {RULE: answers, **others}.items()}
        runs = Runs.from_labels(
            labels[self.gold], systems, labels=scale.labels, values=scale.values,
            sample_weight=self.sample_weight, count=self.count,
        )  # fmt: skip
        compared = compare(
            runs, metrics=[measure], primary=measure, level=self.level, correction="none"
        )
        scores = {row.system: row.scores[compared.primary] for row in compared.leaderboard}
        gains = {}
        for pair in compared.pairs:
            if RULE in {pair.a, pair.b}:
                other = pair.b if pair.a == RULE else pair.a
                gains[other] = gain_of(
                    pair, scores[other].value, greater_is_better=measure.greater_is_better
                )
        return HeldOut(scores[RULE], tuple(gains[name] for name in others), self.folds)


def gain_of(pair: PairDifference, value: float, *, greater_is_better: bool) -> Gain:
    """Return the gain of the rule from its comparison with other answers, which have this value."""
    first = pair.a == RULE
    sign = 1.0 if first == greater_is_better else -1.0
    ends = [None if end is None else sign * end for end in (pair.low, pair.high)]
    low, high = ends if sign > 0 else ends[::-1]
    outcome = pair.outcome
    if not first:
        outcome = {"better": "worse", "worse": "better"}.get(str(outcome), outcome)
    over = pair.b if first else pair.a
    return Gain(over, value, sign * pair.difference + 0.0, low, high, pair.p, outcome, pair.reason)


def gains_sheet(
    here: Column,
    value: float,
    values: Mapping[str, float],
    held_out: HeldOut | None,
    caption: Sequence[str],
    *,
    lead: Sequence[str] = (),
) -> Sheet:
    """Return a row for the rule and for each kind of other answers, named as people call them.

    The column `here` holds their values on the items that the rule was fitted on; the gains, in the same order, and
    the values on other items follow if they are known.
    """
    columns = [Column("answers"), here]
    rows = [[Cell(RULE), Cell(value)], *([Cell(name), Cell(one)] for name, one in values.items())]
    if held_out is not None:
        columns += [
            replace(here, name="on other items", key="held_out", interval=True),
            Column("gain of the rule", Kind.NUMBER, sign=True, interval=True, key="gain"),
        ]
        score = held_out.score
        rows[0] += [Cell(score.value, score.low, score.high), Cell(None)]
        for row, gain in zip(rows[1:], held_out.gains, strict=True):
            star = gain.outcome == "better"
            row += [Cell(gain.value), Cell(gain.gain, gain.low, gain.high, star=star)]
    return Sheet(columns, rows, caption, lead=lead, star="significantly better than these answers")


def label_array(scale: Scale) -> Array:
    """Return the labels of the classes as an array: of numbers or of text, else of objects."""
    labels = np.array(scale.labels)
    same = (
        labels.ndim == 1 and labels.dtype.kind in "iufbU" and labels.tolist() == list(scale.labels)
    )
    if same:
        return labels
    objects = np.empty(scale.k, dtype=object)
    objects[:] = scale.labels
    return objects
