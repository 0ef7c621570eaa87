"""The tables of a validation: the verdicts, and for the best judge everything that its verdict rests on."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ordeval.agreement.sheets import marks_of, score_cell
from ordeval.agreement.words import left_out_sentences
from ordeval.comparison.captions import MOST_LABELS
from ordeval.comparison.leaderboard_sheet import shown_leaderboard
from ordeval.errors import argument
from ordeval.formats.names import clean, rising
from ordeval.formats.numbers import confidence, counted, percent
from ordeval.formats.sheet import CSV, Cell, Column, Kind, Sheet, value_sheet
from ordeval.judge.validation_words import lead_of
from ordeval.metrics import registry

if TYPE_CHECKING:
    from ordeval.judge.reading import ItemToRead
    from ordeval.judge.validation import JudgeVerdict, Validation

MOST_READ = 8  # items that are listed
MOST_HUMANS = 20
MOST_CLASSES = 20
HIGHER_MARK = (
    "How often an item of the upper class gets a higher mark than one of the lower class; a tie counts half, so that "
    "0.5 is chance."
)


def verdict_sheet(validation: "Validation") -> Sheet:
    """Return a row for each judge, best first: its verdict, and the numbers behind it."""
    primary = validation.primary
    up = registry[primary].greater_is_better
    columns = [
        Column("judge"),
        Column("verdict"),
        Column(primary, Kind.NUMBER, greater_is_better=up),
        Column("a human", Kind.NUMBER, key="human"),
        Column("minus a human", Kind.NUMBER, sign=True, interval=True, key="difference"),
        Column("winning rate", Kind.NUMBER, digits=2, key="winning_rate"),
        Column("advantage", Kind.NUMBER, digits=2),
        Column("bias", Kind.NUMBER, digits=2, sign=True, interval=True),
        Column("items", Kind.COUNT, spare=True),
        Column("needed", Kind.COUNT, forms=CSV),
        Column("reason", forms=CSV),
    ]
    rows = []
    for one in validation.ranked:
        agreement, test = one.agreement[primary], one.alt_test
        rows.append(
            [
                Cell(one.name),
                Cell(one.verdict),
                Cell(agreement.judge),
                Cell(agreement.human),
                Cell(agreement.difference, agreement.low, agreement.high),
                Cell(test.winning_rate, note=test.reason or ""),
                Cell(test.advantage),
                Cell(one.bias.mean, one.bias.low, one.bias.high),
                Cell(one.items),
                Cell(one.needed),
                Cell(one.reason),
            ]
        )
    return Sheet(columns, rows, caption_of(validation), lead=lead_of(validation))


def caption_of(validation: "Validation") -> list[str]:
    """Say what the numbers are, how many marks there were, and what was left out."""
    humans, level = validation.humans, confidence(validation.level)
    scale = rising([clean(name) for name in humans.scale.names], MOST_LABELS)
    said = [
        (
            f"Judge and human are scored against the same other humans, on the same items, by {validation.primary}. "
            f"Unfit: worse than a human by more than {validation.margin:g}, shown by the {level} interval; fit: not "
            f"worse by more than that, and at least half of the humans beaten (winning rate) in the alternative "
            f"annotator test, with epsilon = {validation.epsilon:g}."
        ),
        "Bias: the judge's mark minus the mean mark of the humans.",
        (
            f"{counted(len(humans.raters), 'human')}, {counted(humans.n, 'item')}, {counted(humans.marks, 'mark')}; "
            f"{counted(humans.scale.k, 'class', 'classes')}: {scale}."
        ),
    ]
    said += left_out_sentences(humans, " of humans")
    said += left_out_sentences(validation.judges, " of judges")
    for one in validation.ranked:
        if one.unjudged:
            how = "left out" if validation.missing == "drop" else f"taken as {validation.missing}"
            said.append(f"{clean(one.name)} did not mark {counted(one.unjudged, 'item')}, {how}.")
        if one.ignored:
            verb = "is" if one.ignored == 1 else "are"
            said.append(
                f"{counted(one.ignored, 'mark')} of {clean(one.name)} on items of no human {verb} ignored."
            )
    return said


def agreement_sheet(one: "JudgeVerdict") -> Sheet:
    """Return what a judge and a human reach by each measure."""
    columns = [
        Column("measure"),
        Column("judge", Kind.NUMBER),
        Column("a human", Kind.NUMBER, interval=True),
        Column("minus a human", Kind.NUMBER, sign=True, interval=True),
        Column("p", Kind.P_VALUE),
    ]
    rows = [
        [
            Cell(f"{name} {'↑' if registry[name].greater_is_better else '↓'}"),
            Cell(each.judge),
            score_cell(one.ceiling[name]),
            Cell(each.difference, each.low, each.high),
            Cell(each.p),
        ]
        for name, each in one.agreement.items()
    ]
    name = one.constant.agreement.metric
    constant = one.constant.agreement
    caption = [
        (
            f"Always answering {clean(one.constant.name)} reaches {constant.judge:.3f} by {name} and would be called "
            f"{one.constant.verdict}."
        )
    ]
    return Sheet(columns, rows, caption, lead=[f"{clean(one.name)} beside a human:"])


def test_sheet(one: "JudgeVerdict") -> Sheet | None:
    """Return the alternative annotator test of a judge; None if nobody could be tested."""
    sheet = one.alt_test.sheet()
    if not sheet.rows:
        return None
    shown = sheet.rows[:MOST_HUMANS]
    caption = list(sheet.caption)
    if len(shown) < len(sheet.rows):
        caption.append(f"The first {MOST_HUMANS} of {len(sheet.rows):,} humans.")
    heading = f"The alternative annotator test of {clean(one.name)}:"
    return replace(sheet, rows=shown, caption=caption, lead=[heading])


def bias_sheet(one: "JudgeVerdict") -> Sheet | None:
    """Return what a judge gives where a human gives each class; None for a long scale."""
    if len(one.bias.by_class) > MOST_CLASSES:
        return None
    columns = [
        Column("a human gives"),
        Column("marks", Kind.COUNT, spare=True),
        Column("the judge", Kind.NUMBER, digits=2),
        Column("other humans", Kind.NUMBER, digits=2),
        Column("difference", Kind.NUMBER, digits=2, sign=True, interval=True),
        Column("share, judge", Kind.NUMBER),
        Column("share, humans", Kind.NUMBER),
    ]
    rows = [
        [
            Cell(clean(each.name)),
            Cell(each.marks),
            Cell(each.judge),
            Cell(each.others),
            Cell(each.difference, each.low, each.high),
            Cell(percent(each.judge_share)),
            Cell(percent(each.human_share)),
        ]
        for each in one.bias.by_class
    ]
    caption = [
        "The mean mark of the judge, and of the other humans, on the items that a human gave the class of the row."
    ]
    return Sheet(columns, rows, caption, lead=[f"How {clean(one.name)} marks, class by class:"])


def collapsed_sheet(one: "JudgeVerdict") -> Sheet | None:
    """Return the neighbouring classes that a judge does not tell apart; None if there are none."""
    if not one.collapsed_classes:
        return None
    sheet = value_sheet(
        [
            Column("classes"),
            Column("the judge", Kind.NUMBER, digits=2, interval=True),
            Column("a human", Kind.NUMBER, digits=2),
        ],
        [
            (
                " and ".join(clean(name) for name in pair.names),
                Cell(pair.judge, pair.low, pair.high),
                pair.human,
            )
            for pair in one.collapsed_classes
        ],
    )
    heading = f"Classes that {clean(one.name)} does not tell apart:"
    return replace(sheet, caption=[HIGHER_MARK], lead=[heading])


def consistency_sheet(one: "JudgeVerdict") -> Sheet | None:
    """Return the repeats of a judge; None if it has none."""
    again = one.consistency
    if again is None:
        return None
    columns = [
        Column("repeat"),
        Column("items", Kind.COUNT),
        Column("minus the others", Kind.NUMBER, digits=2, sign=True, interval=True),
        Column("p", Kind.P_VALUE),
    ]
    rows = [
        [
            Cell(clean(each.repeat)),
            Cell(each.items),
            Cell(each.difference, each.low, each.high),
            Cell(each.p_adjusted),
        ]
        for each in again.repeats
    ]
    alpha = "undefined" if again.alpha.value != again.alpha.value else f"{again.alpha.value:.3f}"
    caption = [
        (
            f"Two marks of the judge on the same item are equal in {percent(again.equal)} of the pairs and "
            f"{again.distance:.2f} classes apart on average; Krippendorff's alpha over repeats is {alpha} "
            f"({counted(again.items, 'item')}). p: Holm's correction over the repeats."
        )
    ]
    return Sheet(columns, rows, caption, lead=[f"The repeats of {clean(one.name)}:"])


def slice_sheet(validation: "Validation", one: "JudgeVerdict") -> Sheet | None:
    """Return the slices of a judge; None if none were asked for."""
    if not one.slices:
        return None
    columns = [
        Column("slice"),
        Column("items", Kind.COUNT),
        Column("judge", Kind.NUMBER),
        Column("a human", Kind.NUMBER),
        Column("minus a human", Kind.NUMBER, sign=True, interval=True),
        Column("p", Kind.P_VALUE),
    ]
    rows = [
        [
            Cell(each.name),
            Cell(each.items),
            Cell(each.judge, note=each.reason or ""),
            Cell(each.human),
            Cell(each.difference, each.low, each.high),
            Cell(each.p_adjusted),
        ]
        for each in one.slices
    ]
    caption = [
        (
            f"By {validation.primary}. p: of the difference in the slice being that on the other items (Holm's "
            f"correction over the slices)."
        )
    ]
    return Sheet(columns, rows, caption, lead=[f"{clean(one.name)} beside a human, by slice:"])


def item_sheet(
    validation: "Validation", one: "JudgeVerdict", most: int = MOST_READ
) -> Sheet | None:
    """Return the items to read first; None if the judge is nowhere farther away than the humans from each other."""
    far = [each for each in one.disagreement[:most] if each.gap > 0]
    if not far:
        return None
    columns = [
        Column("item"),
        Column("humans"),
        Column("judge"),
        Column("distance", Kind.NUMBER, digits=2),
        Column("spread", Kind.NUMBER, digits=2),
    ]
    rows = [
        [
            Cell(clean(each.item)),
            Cell(marks_of(each.scale, each.votes)),
            Cell(judges_marks(each)),
            Cell(each.distance),
            Cell(each.spread),
        ]
        for each in far
    ]
    caption = [
        (
            "Distance: the mean distance of the judge from the humans; spread: that between two humans, both in "
            "classes. The items with the largest distance minus spread come first."
        )
    ]
    if isinstance(validation.humans.item_names, range):
        caption.append(f"Items have no names ({argument('item')} gives them): the first is 0.")
    return Sheet(columns, rows, caption, lead=[f"Items of {clean(one.name)} to read first:"])


def judges_marks(each: "ItemToRead") -> str:
    """Write the marks of the judge, lowest first, with their shares if it gave several."""
    return ", ".join(
        clean(name) if share == 1 else f"{clean(name)} ({percent(share)})"
        for name, share in zip(each.scale.names, each.answer, strict=True)
        if share
    )


def board_sheet(validation: "Validation") -> Sheet | None:
    """Return the judges ranked as systems; None if there is only one."""
    if len(validation) < 2:
        return None
    board = validation.comparison
    sheet = shown_leaderboard(board)
    return replace(
        sheet,
        lead=["The judges ranked as systems, against the shares of all humans:", board.verdict],
        caption=[
            *sheet.caption,
            "The scores differ a little from those beside a human, where one human at a time is left out.",
            board.caption,
        ],
    )


def all_sheets(validation: "Validation") -> Sequence[Sheet]:
    """Return every table that people are shown: the verdicts, the best judge in detail, and the ranking."""
    best = validation.best
    sheets = [
        agreement_sheet(best),
        test_sheet(best),
        bias_sheet(best),
        consistency_sheet(best),
        slice_sheet(validation, best),
        item_sheet(validation, best),
        board_sheet(validation),
    ]
    return [verdict_sheet(validation), *(sheet for sheet in sheets if sheet is not None)]
