"""The charts of raters: who agrees with whom, who marks high or low, what people confuse, where they disagree."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ordeval.agreement.disagreement import most_confused, spread_by_class
from ordeval.agreement.pairs import ENOUGH
from ordeval.agreement.raters import AGAINST, AGREEMENT, AT_RANDOM, TOO_HIGH, TOO_LOW
from ordeval.formats import numbers
from ordeval.formats.names import clean, quoted_label, short
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.report import palette
from ordeval.report.charts import Figure, Groups, interval_chart, name_tip
from ordeval.report.class_figures import amount_and_share, counts_matrix
from ordeval.report.matrix import ColourKey, matrix_chart
from ordeval.report.stacked_bars import shares_of, stacked_bars

if TYPE_CHECKING:
    from ordeval.agreement.agreement import Agreement

ROOM_FOR_NUMBERS = 14  # raters: up to so many a cell has room for a number
WITHIN = "does not stand apart"
VERDICTS = (TOO_HIGH, TOO_LOW, AT_RANDOM, WITHIN, AGAINST)
COLOURS = tuple(palette.GROUPS[at] for at in (1, 3, 4, 5, 2))
SPREADS = ("all marks equal", "neighbouring classes", "farther apart")


def chosen_raters(agreement: "Agreement", limit: int | None) -> list[int]:
    """Return the raters that are drawn: those who stand apart, and then those who share most items with others."""
    raters = agreement.raters
    apart = raters.standing_apart.tolist()
    most = np.argsort(-raters.shared_items, kind="stable").tolist()
    return list(dict.fromkeys([*apart, *most]))[:limit]


def shown_of(places: Sequence[int], agreement: "Agreement") -> str:
    """Say how many of the raters a chart shows."""
    total = len(agreement.ratings.raters)
    return f"{total:,} raters" if len(places) == total else f"{len(places):,} of {total:,} raters"


def raters_figure(agreement: "Agreement", limit: int | None = None) -> Figure:
    """Draw how well every two raters agree, those who agree best with all others first."""
    places = chosen_raters(agreement, limit)
    own = agreement.raters.agreement.value[0]
    places.sort(key=lambda at: -np.nan_to_num(own[at], nan=-2.0))
    scores, items = agreement.pairs.matrix(places, AGREEMENT)
    enough = items >= ENOUGH
    shown = np.where(enough, scores, np.nan)
    names = [agreement.ratings.raters[at] for at in places]
    few = len(places) <= ROOM_FOR_NUMBERS
    chart = matrix_chart(
        names,
        names,
        shown,
        [[numbers.number(x, 2) if np.isfinite(x) else "" for x in row] for row in shown]
        if few
        else None,
        tips=[
            [
                pair_tip(names[a], names[b], scores[a, b], int(items[a, b])) if a != b else ""
                for b in range(len(names))
            ]
            for a in range(len(names))
        ],
        key=ColourKey(
            "-1",
            "1 quadratic weighted kappa",
            diverging=True,
            marks=(f"empty: fewer than {ENOUGH} items in common",),
        ),
        step=34 if few else 16,
        row_step=22 if few else 16,
    )
    known = np.argwhere(np.triu(np.isfinite(shown), 1))
    by_score = sorted(known.tolist(), key=lambda pair: -shown[pair[0], pair[1]])
    said = "No two raters have so many items in common."
    if by_score:
        (a, b), (c, d) = by_score[0], by_score[-1]
        said = (
            f"Best: {short(names[a])} and {short(names[b])} ({numbers.number(shown[a, b], 2)}); worst: "
            f"{short(names[c])} and {short(names[d])} ({numbers.number(shown[c, d], 2)})."
        )
    pairs = np.argwhere(np.triu(items > 0, 1)).tolist()
    return Figure(
        chart,
        f"Agreement between {shown_of(places, agreement)}",
        f"Quadratic weighted kappa of every two raters with at least {ENOUGH} items in common. {said}",
        Sheet(
            [
                Column("a"),
                Column("b"),
                Column("items in common", Kind.COUNT),
                Column("quadratic weighted kappa", Kind.NUMBER),
            ],
            [
                [
                    Cell(clean(names[a])),
                    Cell(clean(names[b])),
                    Cell(int(items[a, b])),
                    Cell(float(scores[a, b])),
                ]
                for a, b in pairs
            ]
            or [[Cell("none"), Cell("none"), Cell(0), Cell(None)]],
        ),
    )


def pair_tip(a: str, b: str, score: float, items: int) -> str:
    """Write how well two raters agree."""
    shared = numbers.counted(items, "item")
    kappa = f"{numbers.number(score, 2)}, " if items else ""
    return f"{short(a, 30)} and {short(b, 30)}: {kappa}{shared} in common"


def rater_differences_figure(agreement: "Agreement", limit: int | None = None) -> Figure:
    """Draw by how much each rater marks higher than the others, the highest first."""
    raters, places = agreement.raters, chosen_raters(agreement, limit)
    apart = raters.differences
    places = sorted(
        (at for at in places if np.isfinite(apart.value[at])), key=lambda at: -apart.value[at]
    )
    names = [agreement.ratings.raters[at] for at in places]
    verdicts = [(raters.verdicts(at) or (WITHIN,))[-1] for at in places]
    profiles = [raters.profile(at) for at in places]
    used = [at for at, verdict in enumerate(VERDICTS) if verdict in verdicts]
    level = agreement.level
    interval = "" if level is None else f", with {numbers.confidence(level)} interval"
    chart = interval_chart(
        names,
        [one.difference.value for one in profiles],
        [(one.difference.low, one.difference.high) for one in profiles],
        Groups(
            verdicts,
            [VERDICTS[at] for at in used],
            [COLOURS[at] for at in used],
            [palette.SHAPES[at] for at in used],
        ),
        title=f"mark minus the mean of the others, in classes{interval}",
        marked={"no difference": 0.0},
        at_edge=False,
        tips=[
            f"{name_tip(short(name, 30), one.difference.value, one.difference.low, one.difference.high)}, "
            f"{numbers.counted(one.items, 'item')}{''.join(f', {verdict}' for verdict in one.verdicts)}"
            for name, one in zip(names, profiles, strict=True)
        ],
    )
    found = [f"{short(one.rater)} ({', '.join(one.verdicts)})" for one in profiles if one.verdicts]
    said = numbers.in_words(found, 6) if found else "nobody"
    return Figure(
        chart,
        f"Who marks higher or lower than the others: {shown_of(places, agreement)}",
        f"A rater's mark minus the mean mark of the others, in classes. Significantly apart: {said}.",
        Sheet(
            [
                Column("rater"),
                Column("items", Kind.COUNT),
                Column("difference", Kind.NUMBER, sign=True),
                Column("low", Kind.NUMBER, sign=True),
                Column("high", Kind.NUMBER, sign=True),
                Column("stands apart"),
            ],
            [
                [
                    Cell(clean(one.rater)),
                    Cell(one.items),
                    Cell(one.difference.value),
                    Cell(one.difference.low),
                    Cell(one.difference.high),
                    Cell(", ".join(one.verdicts)),
                ]
                for one in profiles
            ],
        ),
    )


def confusion_figure(agreement: "Agreement") -> Figure:
    """Draw which class another rater gives where one rater gives the class of the row."""
    scale, counts = agreement.ratings.scale, np.asarray(agreement.confusion.counts)
    chart, data = counts_matrix(
        scale.names,
        scale.names,
        counts,
        titles=("one rater", "another rater"),
        whole="the pairs of the row",
        words=("one rater", "another"),
    )
    confused = most_confused(agreement.confusion)[:1]
    said = "All marks on the same item are equal."
    for low, high, _, share in confused:
        said = (
            f"Most often confused: {quoted_label(scale.names[low])} and {quoted_label(scale.names[high])}, "
            f"{numbers.percent(share)} of the pairs."
        )
    return Figure(
        chart,
        "Confusion between raters",
        f"Pairs of marks on the same item: one rater's class in rows, another's in columns. {said}",
        data,
    )


def disagreement_figure(agreement: "Agreement") -> Figure:
    """Draw for each class on how many items people agree whose median mark it is."""
    scale, parts = agreement.ratings.scale, spread_by_class(agreement.ratings)
    shares, total = shares_of(parts), parts.sum(axis=1)
    chart = stacked_bars(
        scale.names,
        parts,
        SPREADS,
        (palette.RIGHT_PALE, palette.WARM_PALE, palette.WARM),
        signs=("=", "~", "≠"),
        title="median mark",
        tips=[
            [
                f"median {short(name, 24)}, {spread}: {amount_and_share(n, x)}"
                for spread, n, x in zip(SPREADS, parts[g], shares[g], strict=True)
            ]
            for g, name in enumerate(scale.names)
        ],
        notes=[numbers.counted(n, "item") for n in total.tolist()],
    )
    equal = parts[:, 0].sum() / max(total.sum(), 1)
    far = np.where(total > 0, shares[:, 2], -1.0)
    worst = int(np.argmax(far))
    return Figure(
        chart,
        "Where raters disagree",
        f"A bar for each class, of the items whose median mark it is, cut by how far apart their marks lie. All marks "
        f"are equal on {numbers.percent(float(equal))} of the items; marks two classes apart or more are most frequent "
        f"around {quoted_label(scale.names[worst])} ({numbers.percent(float(max(far[worst], 0.0)))}).",
        Sheet(
            [
                Column("median mark"),
                Column("items", Kind.COUNT),
                *(Column(spread, Kind.NUMBER) for spread in SPREADS),
            ],
            [
                [Cell(clean(name)), Cell(int(n)), *(Cell(numbers.percent(x, 1)) for x in row)]
                for name, n, row in zip(scale.names, total, shares, strict=True)
            ],
        ),
    )
