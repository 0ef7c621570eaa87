"""May a model mark in place of a human: the validation of judges as one HTML page."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ordeval.formats import numbers
from ordeval.formats.names import short
from ordeval.formats.sheet import Sheet
from ordeval.judge import validation_sheets as sheets
from ordeval.judge import validation_words as words
from ordeval.metrics import registry
from ordeval.report import judge_figures
from ordeval.report.blocks import Block, Fold, bare, page_of_blocks
from ordeval.report.comparison_figures import forest_figure
from ordeval.report.drawing import DrawnFigure, FigureDrawer
from ordeval.report.judge_method import judge_references, method_rows

if TYPE_CHECKING:
    from ordeval.aliases import Progress
    from ordeval.judge.validation import JudgeVerdict, Validation

MOST_JUDGES = 40  # in the charts
MOST_DETAILS = 12  # judges with parts of their own
MOST_ROWS = 800  # in the table below a chart
MOST_CLASSES = 40  # for which a matrix of classes can be read
MOST_READ = 20  # items that are listed
MOST_SLICES = 60

Figures = list[tuple[DrawnFigure, str]]

BESIDE = (
    "Each human in turn is scored against the marks of the other humans. The judge is put in the place of this human, "
    "and scored on the same items against the same others, so that the difference is paired."
)
NOT_ENOUGH = (
    "A judge passes if it is about as close to the other humans as a human is. That is little where humans disagree: "
    "then nobody is close, and even a constant answer can beat many of them. So passing is not enough for the verdict "
    "'fit': the judge must also reach what a human reaches, up to the margin."
)
REGRESSION = (
    "Where a human gives an end of the scale, the others often give a mark nearer to its middle. So the judge is held "
    "against the other humans on the same items, and not against the class itself: only the difference is bias."
)
CONFUSION = (
    "Each item counts once, shared among the marks of its humans, who differ among themselves, too. So not all that is "
    "off the diagonal is the judge's error."
)
READING = (
    "On these items the judge is farthest from the humans, beyond how far they are from each other. Read them before "
    "you trust or dismiss a judge: the reason is often in the instructions, and sometimes the humans are wrong."
)
RANKED = (
    "The judges are scored as systems here: on all items, against the shares of all humans. The first in this list is "
    "not thereby as good as a human."
)


def render_judges(
    validation: "Validation",
    *,
    title: str | None = None,
    command: str | None = None,
    files: Sequence[tuple[str, str]] = (),
    progress: "Progress" = None,
) -> str:
    """Return the validation of judges as one HTML page. The same validation gives the same bytes.

    `command` is the command that gives the page again, and `files` are the names of its files with their SHA-256.

    >>> from ordeval.report import render_judges
    >>> humans = oe.Ratings.from_array([[1, 2, 1], [3, 3, 3], [4, 5, 5]] * 20)
    >>> judges = oe.Ratings.from_array([[1], [3], [5]] * 20, raters=["gpt"])
    >>> page = render_judges(oe.judge.validate(humans, judges), title="One judge")
    >>> page[:15], "One judge" in page
    ('<!doctype html>', True)
    """
    humans = validation.humans
    facts = [
        numbers.counted(len(validation), "judge"),
        numbers.counted(len(humans.raters), "human"),
        numbers.counted(humans.n, "item"),
        numbers.counted(humans.marks, "human mark"),
        numbers.counted(humans.scale.k, "class", "classes"),
    ]
    one = f"May {short(validation.best.name)} mark in place of a human?"
    content = {
        "kind": "judges",
        "command": "judge",
        "tone": judge_figures.COLOURS[validation.best.verdict],
        "title": title or (one if len(validation) == 1 else "May a judge mark in place of a human?"),
        "method": method_rows(validation, command),
        "fingerprints": files,
        "references": judge_references(validation),
    }  # fmt: skip
    drawer = FigureDrawer(progress, expected_figures(validation))
    blocks = judge_blocks(validation, drawer)
    return page_of_blocks(answer_block(validation), blocks, facts, content)


def expected_figures(validation: "Validation") -> int:
    """Return how many figures the page will have, about."""
    each = 4 + bool(validation.by)
    return 1 + (len(validation) > 1) + each * len(detailed(validation))


def judge_blocks(validation: "Validation", drawer: FigureDrawer) -> list[Block]:
    """Return the parts of the page below the answer; those without content are left out by the page."""
    return [
        human_block(validation, drawer),
        test_block(validation, drawer),
        bias_block(validation, drawer),
        confusion_block(validation, drawer),
        consistency_block(validation),
        slices_block(validation, drawer),
        items_block(validation),
        ranking_block(validation, drawer),
    ]


def detailed(validation: "Validation") -> Sequence["JudgeVerdict"]:
    """Return the judges with parts of their own, best first."""
    return validation.ranked[:MOST_DETAILS]


def shown_sentence(validation: "Validation") -> list[str]:
    """Say which judges the page shows in detail, if these are not all."""
    total, shown = len(validation), len(detailed(validation))
    if shown == total:
        return []
    drawn = "" if total <= MOST_JUDGES else f" The charts have the best {MOST_JUDGES}."
    return [f"Here and below, the best {shown} of {total:,} judges are shown in detail.{drawn}"]


def fold(one: "JudgeVerdict", summary: str) -> Fold:
    """Return the part of a judge, still without content."""
    return Fold(name=one.name, summary=summary, group=judge_figures.COLOURS[one.verdict])


def named(*found: Sheet | None) -> list[Sheet]:
    """Return the sheets that there are, as a page shows them, each with its heading as its title."""
    return [
        replace(sheet, title=sheet.lead[0].rstrip(":") if sheet.lead else sheet.title)
        for sheet in bare(found)
    ]


def answer_block(validation: "Validation") -> Block:
    """Return the verdict on the best judge with its reason and what weakens it, and the verdicts on all judges."""
    best = validation.best
    verdict = words.verdict_words(best.name, best.verdict)
    reason = best.reason.removeprefix(f"{verdict}: ")
    for caution in reversed(best.cautions):
        reason = reason.removesuffix(caution).rstrip()
    said = [
        f"{verdict}.",
        f"{reason[:1].upper()}{reason[1:]}",
        *best.cautions,
        *words.others_sentences(validation),
        words.humans_sentence(validation),
        *validation.notes,
    ]
    sheet = replace(sheets.verdict_sheet(validation), lead=["Every judge and its verdict"])
    return Block(
        target="answer",
        name="Verdict",
        title="The verdict",
        sentences=[text for text in said if text],
        sheets=named(sheet),
    )


def human_block(validation: "Validation", drawer: FigureDrawer) -> Block:
    """Return how far every judge is from a human, and by all measures beside the ceiling."""
    figure = judge_figures.judges_figure(validation, MOST_JUDGES)
    better = "right" if registry[validation.primary].greater_is_better else "left"
    caption = (
        f"A dot at 0 is as good as a human, and one to the {better} is better. A judge is unfit if its whole interval "
        f"lies beyond the margin."
    )
    folds = []
    for one in detailed(validation):
        main = one.agreement[validation.primary]
        summary = (
            f"{one.verdict} · {validation.primary} {numbers.number(main.judge)}, a human "
            f"{numbers.number(main.human)}"
        )
        folds.append(replace(fold(one, summary), sheets=named(sheets.agreement_sheet(one))))
    return Block(
        target="human",
        name="Beside a human",
        title="How good is a judge beside a human?",
        sentences=[BESIDE, *shown_sentence(validation)],
        figures=[(drawer.draw(figure, rows=MOST_ROWS), caption)],
        folds=folds,
    )


def test_block(validation: "Validation", drawer: FigureDrawer) -> Block:
    """Return the alternative annotator test of every judge, and why passing it is not enough."""
    caption = (
        "A human is beaten if the difference is significantly below epsilon, after correction; the interval is not "
        "corrected, so its upper end may lie below epsilon although the human is not beaten."
    )
    folds = []
    for one in detailed(validation):
        test = one.alt_test
        passed = "passed" if test.passed else "not passed"
        summary = f"{passed} · {words.beaten_words(test)}"
        figures: Figures = []
        if test.humans:
            drawn = judge_figures.alt_test_figure(test, MOST_JUDGES)
            figures.append((drawer.draw(drawn, rows=MOST_ROWS), caption))
        part = replace(
            fold(one, summary),
            sentences=[test.sentence, constant_sentence(one)],
            sheets=named(sheets.test_sheet(one)),
            figures=figures,
        )
        folds.append(part)
    return Block(
        target="test",
        name="Alternative annotator test",
        title="The alternative annotator test",
        sentences=[NOT_ENOUGH],
        folds=folds,
    )


def constant_sentence(one: "JudgeVerdict") -> str:
    """Say what the test would find if the same answer were given to every item."""
    constant = one.constant
    done = "would pass this test, too" if constant.passed else "would not pass this test"
    return (
        f"Always answering {short(constant.name)} {done} (winning rate {numbers.number(constant.winning_rate, 2)}) and "
        f"would be called {constant.verdict}."
    )


def bias_block(validation: "Validation", drawer: FigureDrawer) -> Block:
    """Return how every judge marks beside the humans: higher or lower, and how often it gives each class."""
    folds = []
    for one in detailed(validation):
        bias = one.bias
        summary = (
            f"{numbers.number(bias.mean, 2, sign=True)} on average "
            f"{numbers.interval(bias.low, bias.high, 2)}"
        )
        figures: Figures = [
            (
                drawer.draw(judge_figures.bias_figure(one, validation.level), rows=MOST_ROWS),
                "A row for each class that a human gives; the first row is of all items.",
            ),
            (
                drawer.draw(judge_figures.shares_figure(one, validation.level), rows=MOST_ROWS),
                "The first and the last row are the ends of the scale, which judges often avoid.",
            ),
        ]
        part = replace(
            fold(one, summary.rstrip()),
            sentences=[
                text for text in (words.bias_sentence(one), words.classes_sentence(one)) if text
            ],
            sheets=named(sheets.bias_sheet(one), sheets.collapsed_sheet(one)),
            figures=figures,
        )
        folds.append(part)
    return Block(
        target="bias",
        name="Bias",
        title="Does a judge mark higher or lower than humans?",
        sentences=[REGRESSION],
        folds=folds,
    )


def confusion_block(validation: "Validation", drawer: FigureDrawer) -> Block:
    """Return the marks of the humans against those of every judge; nothing for a very long scale."""
    caption = "Each cell has the number of items and their share of the row."
    shown = detailed(validation) if validation.humans.scale.k <= MOST_CLASSES else ()
    folds = []
    for one in shown:
        summary = f"{numbers.percent(judge_figures.share_equal(one))} of the marks are equal"
        figure = judge_figures.judge_confusion_figure(one)
        folds.append(
            replace(fold(one, summary), figures=[(drawer.draw(figure, rows=MOST_ROWS), caption)])
        )
    return Block(
        target="confusion",
        name="Confusion",
        title="Which marks does a judge give?",
        sentences=[CONFUSION],
        folds=folds,
    )


def consistency_block(validation: "Validation") -> Block:
    """Return how well the repeats of every judge agree; nothing without repeats."""
    folds = [
        replace(
            fold(one, f"the same mark again in {numbers.percent(one.consistency.equal)} of the pairs"),
            sentences=[words.consistency_sentence(one)],
            sheets=named(sheets.consistency_sheet(one)),
        )
        for one in detailed(validation)
        if one.consistency is not None
    ]  # fmt: skip
    return Block(
        target="consistency",
        name="Consistency",
        title="Does a judge give the same mark again?",
        folds=folds,
    )


def slices_block(validation: "Validation", drawer: FigureDrawer) -> Block:
    """Return every judge beside a human in every slice; nothing if no slices were asked for."""
    caption = "Coloured slices differ significantly from the rest of the items, after correction."
    folds = []
    for one in detailed(validation):
        if not one.slices:
            continue
        apart = sum(
            each.p_adjusted is not None and each.p_adjusted <= 1 - validation.level
            for each in one.slices
        )
        figure = judge_figures.judge_slices_figure(validation, one, MOST_SLICES)
        part = replace(
            fold(
                one,
                f"{apart:,} of {numbers.counted(len(one.slices), 'slice')} differ from the rest",
            ),
            sheets=named(sheets.slice_sheet(validation, one)),
            figures=[(drawer.draw(figure, rows=MOST_ROWS), caption)],
        )
        folds.append(part)
    return Block(
        target="slices",
        name="Slices",
        title="Is a judge as good on all kinds of items?",
        folds=folds,
    )


def items_block(validation: "Validation") -> Block:
    """Return the items of every judge to read first."""
    folds = []
    for one in detailed(validation):
        sheet = sheets.item_sheet(validation, one, MOST_READ)
        if sheet is not None:
            far = int(np.nansum(one.disagreement.distance - one.disagreement.spread >= 1))
            summary = (
                f"a class or more farther off than the humans on {numbers.counted(far, 'item')}"
            )
            folds.append(replace(fold(one, summary), sheets=named(sheet)))
    return Block(
        target="items",
        name="Items to read",
        title="Which items to read first?",
        sentences=[READING],
        folds=folds,
    )


def ranking_block(validation: "Validation", drawer: FigureDrawer) -> Block:
    """Return the judges ranked as systems; nothing if there is only one."""
    empty = Block(
        target="ranking", name="Ranking", title="Which judge is best?", sentences=[RANKED]
    )
    sheet = sheets.board_sheet(validation)
    if sheet is None:
        return empty
    figure = forest_figure(validation.comparison, limit=MOST_JUDGES)
    caption = "A dot is a score, and its line is its interval. Colours and shapes are the groups."
    return replace(
        empty,
        sentences=[RANKED, sheet.lead[-1]],
        sheets=named(names_first(sheet)),
        figures=[(drawer.draw(figure, rows=MOST_ROWS), caption)],
    )


def names_first(board: Sheet) -> Sheet:
    """Return a leaderboard that begins with the names: they head its rows, which not all have a rank."""
    at = [column.name for column in board.columns].index("system")

    def moved(row: Sequence[Any]) -> list[Any]:
        return [row[at], *row[:at], *row[at + 1 :]]

    return replace(board, columns=moved(board.columns), rows=[moved(row) for row in board.rows])
