"""The charts of judges: beside a human, against each human, class by class, and slice by slice."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ordeval.formats import numbers
from ordeval.formats.names import clean, quoted_label, short
from ordeval.formats.sheet import Column, Kind, Sheet, value_sheet
from ordeval.judge.validation import FIT, UNDECIDED, UNFIT
from ordeval.metrics import registry
from ordeval.report import palette
from ordeval.report.charts import Figure, Groups, interval_chart, name_tip
from ordeval.report.class_figures import counts_matrix
from ordeval.stats.distributions import t_quantile

if TYPE_CHECKING:
    from ordeval.judge.alt_test import AltTest
    from ordeval.judge.validation import JudgeVerdict, Validation

MOST_BARS = 60  # classes in a chart: those with most marks
COLOURS = {  # those of groups, by their numbers
    FIT: 1, UNDECIDED: 6, UNFIT: 5,
    "beaten": 1, "not beaten": 4,
    "higher": 2, "lower": 4, "more often": 2, "less often": 4, "no significant difference": 6,
    "differs from the rest": 4, "does not differ significantly from the rest": 6,
}  # fmt: skip
ENDS = ("low", "high")


def groups_of(rows: Sequence[str], explained: Sequence[str]) -> Groups:
    """Return the groups that the rows of a chart belong to, in the order in which a legend explains them."""
    used = [name for name in explained if name in rows]
    return Groups(
        rows,
        used,
        [palette.GROUPS[COLOURS[name] - 1] for name in used],
        [palette.SHAPES[explained.index(name)] for name in used],
        explained=True,
    )


def side_of(
    low: float | None, high: float | None, words: tuple[str, str] = ("higher", "lower")
) -> str:
    """Say on which side of 0 an interval lies; of one that holds 0, that there is no significant difference."""
    if low is not None and low > 0:
        return words[0]
    return words[1] if high is not None and high < 0 else "no significant difference"


def named(classes: Sequence[Any]) -> str:
    """Name classes in a sentence."""
    return numbers.in_words([quoted_label(name) for name in classes], 8) if classes else "none"


def number_columns(*names: str, digits: int = 3, sign: bool = False) -> list[Column]:
    """Return columns of numbers."""
    return [Column(name, Kind.NUMBER, digits=digits, sign=sign) for name in names]


def judges_figure(validation: "Validation", limit: int | None = None) -> Figure:
    """Draw how far each judge is from a human by the primary measure, best first, with the margin."""
    judges, primary = validation.ranked[:limit], validation.primary
    up = registry[primary].greater_is_better
    margin = -validation.margin if up else validation.margin
    apart = [one.agreement[primary] for one in judges]
    level = numbers.confidence(validation.level)
    chart = interval_chart(
        [one.name for one in judges],
        [each.difference for each in apart],
        [(each.low, each.high) for each in apart],
        groups_of([one.verdict for one in judges], (FIT, UNDECIDED, UNFIT)),
        title=f"{primary}, judge minus human, with {level} interval",
        marked={
            "as good as a human": 0.0,
            f"margin ({numbers.number(margin, 2, sign=True)})": margin,
        },
        at_edge=False,
        tips=[
            f"{name_tip(short(one.name, 30), each.difference, each.low, each.high)}, {one.verdict}"
            for one, each in zip(judges, apart, strict=True)
        ],
    )
    found = [
        f"{sum(one.verdict == verdict for one in judges)} {verdict}"
        for verdict in (FIT, UNDECIDED, UNFIT)
    ]
    return Figure(
        chart,
        f"Judges beside a human, by {primary}",
        f"A dot for each of {numbers.counted(len(judges), 'judge')}: its {primary} minus that of a human, with its "
        f"interval; {'higher' if up else 'lower'} is better. Verdicts: {', '.join(found)}.",
        value_sheet(
            [
                Column("judge"),
                Column("verdict"),
                *number_columns("judge reaches", "a human reaches"),
                *number_columns("difference", *ENDS, sign=True),
                Column("items", Kind.COUNT),
            ],
            [
                (clean(one.name), one.verdict, each.judge, each.human, each.difference, each.low, each.high, one.shared)
                for one, each in zip(judges, apart, strict=True)
            ],
        ),
    )  # fmt: skip


def alt_test_figure(test: "AltTest", limit: int | None = None) -> Figure:
    """Draw for each human how often the human is closer to the others than the judge is, minus the reverse.

    The interval is the one whose upper end lies below epsilon where the test is significant at q before correction.
    """
    humans = sorted(test.humans, key=lambda one: one.difference)[:limit]
    freedom = np.array([one.items - 1.0 for one in humans])
    known = test.q < 0.5
    reach = (
        t_quantile(np.full(len(humans), 1 - test.q), freedom) if known else np.zeros(len(humans))
    )
    ends: list[tuple[float | None, float | None]] = [
        (one.difference - t * one.error, one.difference + t * one.error) if known else (None, None)
        for one, t in zip(humans, reach.tolist(), strict=True)
    ]
    beaten = ["beaten" if one.beaten else "not beaten" for one in humans]
    level = f", with {numbers.confidence(1 - 2 * test.q)} interval" if known else ""
    chart = interval_chart(
        [one.rater for one in humans],
        [one.difference for one in humans],
        ends,
        groups_of(beaten, ("beaten", "not beaten")),
        title=f"human's wins minus judge's wins, as a share of items{level}",
        marked={"equal": 0.0, f"epsilon ({test.epsilon:g})": test.epsilon},
        at_edge=False,
        tips=[
            f"{name_tip(short(one.rater, 30), one.difference, *each)}, {numbers.counted(one.items, 'item')}, {said}"
            for one, each, said in zip(humans, ends, beaten, strict=True)
        ],
    )
    return Figure(
        chart,
        f"{short(test.judge)} against each human",
        f"A dot for each of {numbers.counted(len(humans), 'human')}: the share of items on which the human is at least "
        f"as close to the others as the judge, minus the share on which the judge is. {beaten.count('beaten')} are "
        f"beaten: significantly below epsilon.",
        value_sheet(
            [
                Column("human"),
                Column("items", Kind.COUNT),
                *number_columns("advantage of the judge"),
                *number_columns("human minus judge", *ENDS, sign=True),
                *(Column(name, Kind.P_VALUE) for name in ("p", "p adjusted")),
                Column("beaten"),
            ],
            [
                (clean(one.rater), one.items, one.advantage, one.difference, *each, one.p, one.p_adjusted,
                 "yes" if one.beaten else "no")
                for one, each in zip(humans, ends, strict=True)
            ],
        ),
    )  # fmt: skip


def drawn_classes(one: "JudgeVerdict", limit: int | None) -> list[int]:
    """Return the places of the classes that are drawn: those with most marks, in the order of the scale."""
    weight = [each.judge_share + each.human_share for each in one.bias.by_class]
    return sorted(np.argsort(-np.array(weight), kind="stable")[:limit].tolist())


def bias_figure(one: "JudgeVerdict", level: float, limit: int | None = MOST_BARS) -> Figure:
    """Draw how much higher a judge marks than the other humans where a human gives each class, and on average."""
    bias = one.bias
    classes = [bias.by_class[at] for at in drawn_classes(one, limit)]
    rows: list[tuple[str, Any]] = [
        ("all items", (bias.mean, bias.low, bias.high)),
        *((short(each.name, 24), (each.difference, each.low, each.high)) for each in classes),
    ]
    sides = [side_of(low, high) for _, (_, low, high) in rows]
    chart = interval_chart(
        [name for name, _ in rows],
        [value for _, (value, _, _) in rows],
        [(low, high) for _, (_, low, high) in rows],
        groups_of(sides, ("higher", "lower", "no significant difference")),
        title=f"judge minus humans, in values of the scale, with {numbers.confidence(level)} interval",
        marked={"as the humans": 0.0},
        at_edge=False,
    )
    higher, lower = (
        [each.name for each, side in zip(classes, sides[1:], strict=True) if side == way]
        for way in ("higher", "lower")
    )
    return Figure(
        chart,
        f"Where {short(one.name)} marks higher or lower than humans",
        "The mean mark of the judge minus that of the other humans on the items that a human gave each class. "
        f"Significantly higher: {named(higher)}; lower: "
        f"{named(lower)}.",
        bias_data(one),
    )


def bias_data(one: "JudgeVerdict") -> Sheet:
    """Return the means of a judge and of the other humans by class, and how they differ."""
    bias = one.bias
    return value_sheet(
        [
            Column("a human gives"),
            Column("marks", Kind.COUNT),
            *number_columns("judge", "other humans", digits=2),
            *number_columns("difference", *ENDS, digits=2, sign=True),
        ],
        [
            ("any class", one.items, None, None, bias.mean, bias.low, bias.high),
            *(
                (clean(each.name), each.marks, each.judge, each.others, each.difference, each.low, each.high)
                for each in bias.by_class
            ),
        ],
    )  # fmt: skip


def shares_figure(one: "JudgeVerdict", level: float, limit: int | None = MOST_BARS) -> Figure:
    """Draw how much more often a judge gives each class than the humans do, in percentage points."""
    classes = [one.bias.by_class[at] for at in drawn_classes(one, limit)]
    words = ("more often", "less often")
    sides = [side_of(each.share_low, each.share_high, words) for each in classes]
    chart = interval_chart(
        [short(each.name, 24) for each in classes],
        [100 * each.share_difference for each in classes],
        [(points(each.share_low), points(each.share_high)) for each in classes],
        groups_of(sides, (*words, "no significant difference")),
        title=f"share, judge minus humans, in percentage points, with {numbers.confidence(level)} interval",
        marked={"as often": 0.0},
        at_edge=False,
        tips=[
            f"{short(each.name, 30)}: {numbers.percent(each.judge_share)} of the judge's marks, "
            f"{numbers.percent(each.human_share)} of the humans', {side}"
            for each, side in zip(classes, sides, strict=True)
        ],
    )
    more, less = ([each.name for each in group] for group in (one.bias.preferred, one.bias.avoided))
    return Figure(
        chart,
        f"How often {short(one.name)} gives each class",
        "The share of each class among the judge's marks minus that among the humans'. Significantly more often: "
        f"{named(more)}; less often: {named(less)}.",
        value_sheet(
            [
                Column("class"),
                *number_columns("share, judge", "share, humans", digits=4),
                *number_columns("difference", *ENDS, digits=4, sign=True),
            ],
            [
                (clean(each.name), each.judge_share, each.human_share, each.share_difference, each.share_low,
                 each.share_high)
                for each in one.bias.by_class
            ],
        ),
    )  # fmt: skip


def points(share: float | None) -> float | None:
    """Return a share in percentage points."""
    return None if share is None else 100 * share


def judge_confusion_figure(one: "JudgeVerdict") -> Figure:
    """Draw the marks of the humans against those of the judge."""
    scale, counts = one.table.scale, np.asarray(one.table.counts)[:, : one.table.scale.k]
    chart, data = counts_matrix(
        scale.names,
        scale.names,
        counts,
        titles=("humans", "judge"),
        whole="the row",
        words=("humans", "judge"),
    )
    return Figure(
        chart,
        f"Marks of the humans and of {short(one.name)}",
        f"The humans' marks in rows, the judge's in columns; every item counts once, shared among the marks of its "
        f"humans. {numbers.percent(share_equal(one))} of the marks are on the diagonal.",
        data,
    )


def share_equal(one: "JudgeVerdict") -> float:
    """Return the share of equal marks, an item counting once, shared among the marks of its humans."""
    counts = np.asarray(one.table.counts)
    return float(np.trace(counts[:, : one.table.scale.k]) / counts.sum())


def judge_slices_figure(
    validation: "Validation", one: "JudgeVerdict", limit: int | None = None
) -> Figure:
    """Draw how far a judge is from a human in every slice; slices that differ from the rest stand out."""
    primary = validation.primary
    slices = one.slices[:limit]
    said = ("differs from the rest", "does not differ significantly from the rest")
    alpha = 1 - validation.level
    sides = [
        said[0] if each.p_adjusted is not None and each.p_adjusted <= alpha else said[1]
        for each in slices
    ]
    names = [each.name for each in slices]
    level = numbers.confidence(validation.level)
    chart = interval_chart(
        names,
        [each.difference for each in slices],
        [(each.low, each.high) for each in slices],
        groups_of(sides, said),
        title=f"{primary}, judge minus human, with {level} interval",
        marked={
            "as good as a human": 0.0,
            "all items": one.agreement[primary].difference,
        },
    )
    return Figure(
        chart,
        f"{short(one.name)} beside a human in every slice",
        f"A dot for each of {numbers.counted(len(slices), 'slice')}: the {primary} of the judge minus that of a human. "
        f"In {sides.count(said[0])} of them the difference is significantly another than on the rest of the items.",
        value_sheet(
            [
                Column("slice"),
                Column("items", Kind.COUNT),
                *number_columns("judge", "a human"),
                *number_columns("difference", *ENDS, "minus the rest", sign=True),
                Column("p adjusted", Kind.P_VALUE),
            ],
            [
                (name, each.items, each.judge, each.human, each.difference, each.low, each.high, each.apart,
                 each.p_adjusted)
                for name, each in zip(names, slices, strict=True)
            ],
        ),
    )  # fmt: skip
