"""The charts of errors: how far answers are from gold and to which side, by system and by class."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ordeval.aliases import Array
from ordeval.formats import numbers
from ordeval.formats.names import clean, short
from ordeval.formats.sheet import Cell, Column, Kind, Sheet, text_sheet
from ordeval.report import palette
from ordeval.report.charts import (
    SILENT,
    TIP,
    Figure,
    finite_or_none,
    row_height,
)
from ordeval.report.class_figures import (
    NO_ANSWER,
    ROOM_FOR_SMALL_TEXT,
    ROOM_FOR_TEXT,
    cell_size,
    cell_tips,
)
from ordeval.report.matrix import ColourKey, matrix_chart
from ordeval.report.specification import Specification, field, layered, marks, pixels_each
from ordeval.report.stacked_bars import shares_of, stacked_bars

if TYPE_CHECKING:
    from ordeval.report.error_costs import ErrorCosts

FARTHEST = 6  # classes: errors of as many or more share a bar
GAP = " "  # a place on the axis between errors and what they add up to
RIGHT, NEARLY = "right", "right or nearly right"


@dataclass(frozen=True, eq=False)
class ErrorProfile:
    """The shares of items by how far, and to which side, the answer is from gold, and how many lie within k classes."""

    errors: tuple[str, ...]  # "-1", "right", "+1", ...
    shares: Array
    within: tuple[str, ...]  # "within 1", ...
    cumulative: Array
    unanswered: float

    @property
    def columns(self) -> list[str]:
        """What the bars are called, in order."""
        return [*self.errors, NO_ANSWER, GAP, *self.within]

    @property
    def values(self) -> list[float]:
        """What the bars show; nothing in the gap."""
        return [*self.shares.tolist(), self.unanswered, np.nan, *self.cumulative.tolist()]


def error_profile_of(count: Array) -> ErrorProfile:
    """Return the profile of the errors in count[gold, answer], whose last column is no answer."""
    k = len(count)
    total = float(count.sum()) or 1.0
    reach = min(k - 1, FARTHEST)
    gold, answer = np.indices((k, k))
    error = np.clip(answer - gold, -reach, reach) + reach
    shares = (
        np.bincount(error.ravel(), weights=count[:, :k].ravel(), minlength=2 * reach + 1) / total
    )
    names = [RIGHT if off == 0 else f"{off:+d}" for off in range(-reach, reach + 1)]
    if k - 1 > reach:
        names[0], names[-1] = f"{names[0]} or more", f"{names[-1]} or more"
    away = np.bincount(np.abs(answer - gold).ravel(), weights=count[:, :k].ravel(), minlength=k)
    # the last adds nothing to "all that was answered"; a single class has no neighbours
    near = range(1, min(k, max(2, reach)))
    return ErrorProfile(
        tuple(names),
        shares,
        tuple(f"within {off}" for off in near),
        np.cumsum(away)[1 : near.stop] / total,
        float(count[:, k].sum()) / total,
    )


def error_profile_figure(costs: Sequence["ErrorCosts"], names: Sequence[str]) -> Figure:
    """Draw how far answers are from gold: bars for one system, a row of cells for each of several."""
    profiles = [error_profile_of(one.count) for one in costs]
    chart = one_profile(profiles[0]) if len(profiles) == 1 else many_profiles(profiles, names)
    first = profiles[0]
    middle = len(first.errors) // 2
    low, right, high = (
        first.shares[:middle].sum(),
        first.shares[middle],
        first.shares[middle + 1 :].sum(),
    )
    subject = short(names[0]) if len(names) == 1 else numbers.counted(len(names), "system")
    return Figure(
        chart,
        f"How far the answers of {subject} are from gold",
        f"The share of all items by answer minus gold in classes, and the share within so many classes. "
        f"{short(names[0])}: {numbers.percent(right)} right, {numbers.percent(low)} too low, {numbers.percent(high)} "
        f"too high, {numbers.percent(first.unanswered)} without an answer.",
        text_sheet(
            ["system", *(column for column in first.columns if column != GAP)],
            [
                [
                    clean(name),
                    *(numbers.percent(x, 1) for x in profile.values if not np.isnan(x)),
                ]
                for name, profile in zip(names, profiles, strict=True)
            ],
        ),
    )  # fmt: skip


def one_profile(profile: ErrorProfile) -> Specification:
    """Draw the profile of one system as bars, with what lies within so many classes beside it."""
    sides = (
        ["too low"] * (len(profile.errors) // 2)
        + [RIGHT]
        + ["too high"] * (len(profile.errors) // 2)
        + [NO_ANSWER, GAP]
        + [NEARLY] * len(profile.within)
    )
    data = [
        {
            "column": column,
            "value": finite_or_none(value),
            "side": side,
            "text": numbers.percent(value),
            "tip": f"{column}: {numbers.percent(value, 1)} of the items",
        }
        for column, value, side in zip(profile.columns, profile.values, sides, strict=True)
        if not np.isnan(value) and (value or side != NO_ANSWER)
    ]
    shown = {row["column"] for row in data} | {GAP}
    colours = {
        "too low": palette.WARM,
        RIGHT: palette.GROUPS[0],
        "too high": palette.HEAT,
        NO_ANSWER: palette.GROUPS[5],
        NEARLY: palette.RIGHT_PALE,
    }
    used = [side for side in colours if any(row["side"] == side for row in data)]
    columns = field(
        "column:N",
        scale={"domain": [column for column in profile.columns if column in shown]},
        axis={
            "title": "answer minus gold, in classes",
            "titleAnchor": "start",
            "labelAngle": 0,
            "labelLimit": 70,
            "orient": "bottom",
        },
    )
    bar = {"x": columns, "y": field("value:Q", axis=None, scale={"domainMin": 0})}
    colour = field(
        "side:N",
        scale={"domain": used, "range": [colours[side] for side in used]},
        legend={"symbolType": "square", "columns": 3},
    )
    bars = marks("bar", {**bar, "color": colour, **TIP}, width={"band": 0.8})
    above = {**bar, "text": field("text:N")}
    text = marks("text", above, color=palette.INK, fontSize=11, dy=-8, **SILENT)
    return layered([bars, text], data, width=pixels_each(54), height=180)


def many_profiles(profiles: Sequence[ErrorProfile], names: Sequence[str]) -> Specification:
    """Draw the profiles of several systems: wrong answers are warm."""
    first = profiles[0]
    unanswered = any(profile.unanswered for profile in profiles)
    kept = [
        at
        for at, column in enumerate(first.columns)
        if column != GAP and (unanswered or column != NO_ANSWER)
    ]
    columns = [first.columns[at] for at in kept]
    shares = np.array([profile.values for profile in profiles])[:, kept]
    good = np.array([column == RIGHT or column in first.within for column in columns])
    return matrix_chart(
        names,
        columns,
        np.where(good, shares, -shares),
        [[numbers.percent_in_cell(x) for x in row] for row in shares],
        tips=[
            [
                f"{short(name, 30)}, {column}: {numbers.percent(x, 1)}"
                for column, x in zip(columns, row, strict=True)
            ]
            for name, row in zip(names, shares, strict=True)
        ],
        key=ColourKey("100% wrong", "100% right", diverging=True),
        column_title="answer minus gold, in classes (percent of all items)",
        step=60 if unanswered else 54,
        row_step=max(16, row_height(len(names))),
    )


def recall_figure(costs: "ErrorCosts", name: str) -> Figure:
    """Draw for each gold class how many answers are right, one class off or farther, and to which side."""
    k, scale = costs.scale.k, costs.scale
    gold, answer = np.indices((k, k))
    away = answer - gold
    answered = costs.count[:, :k]
    total = costs.count.sum(axis=1)
    masks = [away <= -2, away == -1, away == 0, away == 1, away >= 2]
    parts = np.stack(
        [*((answered * mask).sum(axis=1) for mask in masks), costs.count[:, k]], axis=1
    )
    shares = shares_of(parts)
    given = answered.sum(axis=1)
    error = np.divide((answered * away).sum(axis=1), given, out=np.full(k, np.nan), where=given > 0)
    names = ["2 or more too low", "1 too low", RIGHT, "1 too high", "2 or more too high", NO_ANSWER]
    signs = ["--", "-", "", "+", "++", "?"]
    colours = [
        palette.WARM, palette.WARM_PALE, palette.RIGHT_PALE, palette.HEAT_PALE, palette.HEAT, palette.SOFT_PALE,
    ]  # fmt: skip
    chart = stacked_bars(
        scale.names,
        parts,
        names,
        colours,
        signs=signs,
        title="gold",
        tips=[
            [
                f"gold {short(scale.names[g], 24)}, {name}: {numbers.amount(n)} ({numbers.percent(x)})"
                for name, n, x in zip(names, parts[g], shares[g], strict=True)
            ]
            for g in range(k)
        ],
        notes=[
            f"{numbers.counted(n, 'item')}, mean error {numbers.number(off, 2, sign=True)}"
            for n, off in zip(total, error, strict=True)
        ],
    )
    worst = int(np.argmin(np.where(total > 0, shares[:, 2], np.inf)))
    return Figure(
        chart,
        f"Right answers of {short(name)} by gold class",
        f"A bar for each gold class, cut into right answers and errors to either side. Class "
        f"{short(scale.names[worst])} has the fewest right answers: {numbers.percent(shares[worst, 2])}.",
        Sheet(
            [
                Column("gold"),
                Column("items", Kind.COUNT),
                *(Column(part, Kind.NUMBER) for part in names),
                Column("mean error", Kind.NUMBER, sign=True),
            ],
            [
                [
                    Cell(clean(label)),
                    Cell(n),
                    *(Cell(numbers.percent(x, 1)) for x in row),
                    Cell(float(off)),
                ]
                for label, n, row, off in zip(scale.names, total, shares, error, strict=True)
            ],
        ),
    )  # fmt: skip


def confusion_difference_figure(a: "ErrorCosts", b: "ErrorCosts", names: tuple[str, str]) -> Figure:
    """Draw how much more often system a than system b gives each answer to each gold class."""
    scale, k = a.scale, a.scale.k
    columns = k + bool(a.count[:, k].any() or b.count[:, k].any())
    answers = [*scale.names, NO_ANSWER][:columns]
    counts = [one.count[:, :columns] for one in (a, b)]
    gold = [one.count.sum(axis=1, keepdims=True) for one in (a, b)]
    shares = [
        np.divide(count, total, out=np.zeros(count.shape), where=total > 0)
        for count, total in zip(counts, gold, strict=True)
    ]
    apart, items = shares[0] - shares[1], counts[0] - counts[1]
    paired = bool(np.allclose(gold[0], gold[1]))
    largest = float(np.abs(apart).max(initial=0.0))
    points = [[percentage_points(x) for x in row] for row in apart]
    texts = [[signed_in_cell(x) for x in row] for row in items] if paired else points
    first, second = (short(name, 30) for name in names)
    tips = [
        [
            f"{first} {amount_of(counts[0][g, at], shares[0][g, at])}, {second} "
            f"{amount_of(counts[1][g, at], shares[1][g, at])}"
            for at in range(columns)
        ]
        for g in range(k)
    ]
    ends = [percentage_points(end) or "0 pp" for end in (-largest, largest)]
    chart = matrix_chart(
        scale.names,
        answers,
        apart / (largest or 1.0),
        texts if k <= ROOM_FOR_TEXT else None,
        points if paired and k <= ROOM_FOR_SMALL_TEXT else None,
        tips=cell_tips(scale.names, answers, tips),
        key=ColourKey(f"less often {ends[0]}", f"{ends[1]} more often", diverging=True),
        row_title="gold",
        column_title="answer",
        **cell_size(columns),
    )  # fmt: skip
    right = a.share_off_by(0) - b.share_off_by(0)
    return Figure(
        chart,
        f"Answers of {first} minus those of {second}",
        f"Gold classes in rows, answers in columns: how much more or less often {first} gives an answer than {second}, "
        f"in items and in percentage points (pp) of the gold class. Right answers in "
        f"all: {percentage_points(right) or '0 pp'}.",
        text_sheet(
            ["gold", *map(clean, answers)],
            [
                [clean(label), *(f"{signed_amount(n) or '0'} ({x or '0 pp'})" for n, x in zip(row, part, strict=True))]
                for label, row, part in zip(scale.names, items, points, strict=True)
            ],
        ),
    )  # fmt: skip


def percentage_points(share: float) -> str:
    """Write a difference of two shares in percentage points; nothing below half a point."""
    return "" if abs(share) < 0.005 else f"{100 * share:+.0f} pp"


def signed_amount(items: float) -> str:
    """Write a difference of two amounts with its sign; nothing for 0."""
    return "" if not items else f"{'+' if items > 0 else '-'}{numbers.amount(abs(items))}"


def signed_in_cell(items: float) -> str:
    """Write a difference of two amounts with its sign for a small cell; nothing for 0."""
    return "" if not items else f"{'+' if items > 0 else '-'}{numbers.amount_in_cell(abs(items))}"


def amount_of(count: float, share: float) -> str:
    """Write the items of a cell and their share of the gold class."""
    return f"{numbers.amount(count)} ({numbers.percent(share)})"
