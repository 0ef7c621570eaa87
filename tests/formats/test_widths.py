"""Every table of every result fits the screen: no line is too long, no word is broken, and what is hidden is named."""

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import ordeval as oe
from ordeval.cli.metrics import list_of
from ordeval.comparison.score_runs import score_runs
from ordeval.formats.html import to_html
from ordeval.formats.latex import to_latex
from ordeval.formats.markdown import to_markdown
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.formats.shortening import room
from ordeval.formats.terminal import to_text
from ordeval.inputs.files.problems import CheckedFile, FilesCheck, Problem
from tests.examples import grid

WIDTHS = (60, 80, 140)


def answers_of(names, *, seed=0, items=120):
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, 4, items)
    wrong = np.linspace(0.1, 0.7, len(names))
    systems = {
        name: np.where(rng.random(items) < share, rng.integers(0, 4, items), gold)
        for name, share in zip(names, wrong, strict=True)
    }
    return gold, systems


def runs_of(number, **options):
    """Return runs of systems with long names that differ in the middle, in eight test cases."""
    names = [f"organisation-model-70b-run{n:02}-temperature-zero" for n in range(number)]
    gold, systems = answers_of(names)
    return oe.Runs.from_labels(gold, systems, case=np.repeat(np.arange(8), 15), **options)


def some_missing():
    gold, systems = answers_of(["first", "second"])
    some = [None if n % 4 == 0 else int(label) for n, label in enumerate(systems["second"])]
    return oe.compare(gold, {"first": systems["first"], "second": some}, missing="drop")


def checked():
    off_scale = "label 'nonsense' is not on the scale [0, 1, 2] (lowest first); 1 prediction has it, first at item 2."
    files = (CheckedFile("good.csv"), CheckedFile("bad.csv", (Problem(off_scale, line=3),)))
    return FilesCheck(None, None, files)


def sliced(kind):
    gold, systems = answers_of(["one-system", "another-system"])
    country = np.where(np.arange(120) % 3, "a country with a long name", "US")
    if kind == "evaluate":
        return oe.evaluate(gold, systems["one-system"], by={"country": country})
    return oe.compare(gold, systems, by={"country": country}, n_resamples=99)


def per_case(number):
    return replace(score_runs(runs_of(number), n_resamples=99), per_case=True)


RESULTS = {
    "compare, a few": lambda: oe.compare(runs_of(3), n_resamples=99),
    "compare, many": lambda: oe.compare(runs_of(7), n_resamples=99),
    "compare, a margin": lambda: oe.compare(runs_of(7), n_resamples=99, margin=0.2),
    "compare, planned": lambda: oe.compare(runs_of(3), n_resamples=99).planned(),
    "compare, without intervals": lambda: oe.compare(runs_of(3), n_resamples=99, level=None),
    "compare, answers missing": some_missing,
    "compare, slices": lambda: sliced("compare"),
    "plan": lambda: oe.plan(runs_of(2), difference=0.1),
    "evaluate, one": lambda: oe.evaluate(*(list(x) for x in ([1, 2, 3] * 9, [1, 2, 2] * 9))),
    "evaluate, several": lambda: score_runs(runs_of(3), n_resamples=99),
    "evaluate, every measure": lambda: score_runs(
        runs_of(2),
        metrics=[n for n, m in oe.registry.items() if not m.takes_probabilities],
        n_resamples=99,
    ),
    "evaluate, slices": lambda: sliced("evaluate"),
    "evaluate, cases": lambda: per_case(1),
    "evaluate, cases of several": lambda: per_case(3),
    "table": lambda: runs_of(2).table,
    "meta study": lambda: oe.meta.study(
        runs_of(4), ["cem_ord", "mae", "weighted_kappa"], resamples=9
    ),
    "meta coverage": lambda: oe.meta.coverage(runs_of(4), ["cem_ord", "mae"], resamples=9),
    "properties": lambda: oe.properties.check("accuracy", classes=3, items=3),
    "check": checked,
    "appendix A": oe.paper.appendix_a,
    "figure 1": oe.paper.figure1,
}
TAKE_SECONDS = {"table 2": oe.paper.table2, "table 3": lambda: oe.paper.table3(seeds=1)}
SHEETS = [name for name in RESULTS if name not in {"appendix A", "figure 1"}]


@cache
def made(name):
    return {**RESULTS, **TAKE_SECONDS}[name]()


def words_in(text):
    """Return the words of a text, without the numbers; a name that was cut is no word."""
    kept = " ".join(word for word in text.split() if "…" not in word)
    return set(re.findall(r"[^\W\d_]+", kept))


def assert_fits(narrow, wide, width):
    longest = max(narrow.splitlines(), key=room)
    assert room(longest) <= width, longest
    added = words_in(
        "Hidden, because the terminal is too narrow: . Widen it, or use --format csv, json or markdown."
    )
    assert words_in(narrow) - words_in(wide) - added - {"to"} == set()


@grid("width", WIDTHS, every=2)
@pytest.mark.parametrize(
    "name", [*RESULTS, *(pytest.param(name, marks=pytest.mark.slow) for name in TAKE_SECONDS)]
)
def test_a_result_fits_the_screen_without_a_broken_word(name, width):
    assert_fits(made(name).to_text(width=width), made(name).to_text(), width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", SHEETS)
def test_every_column_is_shown_or_named_as_hidden_and_the_first_of_them_always_stay(name, width):
    for sheet in made(name).sheets():
        columns = sheet.seen_in("text").columns
        text = to_text(sheet, width=width)
        hidden = re.search(r"too narrow: (.*)\. Widen it", " ".join(text.split()))
        named = [] if hidden is None else hidden[1].split(", ")
        head = text.split("─")[0]
        for at, column in enumerate(columns):
            if column.name in named:
                assert at >= sheet.least or column.spare
            else:
                assert words_in(column.name.partition("(")[0]) <= words_in(head)


def test_on_60_columns_the_leaderboard_has_ranks_system_and_primary_measure():
    for name in ("compare, many", "compare, a few", "compare, a margin"):
        table = made(name).to_text(width=60).split("\n\n")[1]
        assert table.splitlines()[0].split()[:3] == ["ranks", "system", "cem_ord"]


def test_shortened_names_stay_distinct_in_the_leaderboard():
    table = made("compare, many").to_text(width=60).split("\n\n")[1]
    names = re.findall(r"\S+…\S+", table)
    assert len(names) == len(set(names)) == 7


@pytest.mark.parametrize("width", WIDTHS)
def test_the_list_of_measures_fits_too(width):
    metrics = list(oe.registry.values())
    text = re.sub("\x1b\\[\\d*m", "", list_of(metrics, width=width))
    assert_fits(text, list_of(metrics, width=None), width)


def test_what_a_column_means_is_said_only_where_the_column_is_shown():
    columns = [
        Column("system"),
        Column("score", Kind.NUMBER, meaning="Score: the share of right answers."),
        Column("chance", Kind.NUMBER, meaning="Chance: of leading again."),
    ]
    sheet = Sheet(columns, [[Cell("a"), Cell(0.5), Cell(0.25)]], ["Three items."], least=1)
    # system, score and chance need 6 + 5 + 6 columns with two spaces between them
    assert to_text(sheet, width=21).splitlines()[-3:] == [
        "Score: the share of right answers.",
        "Chance: of leading again.",
        "Three items.",
    ]
    narrow = to_text(sheet, width=20)
    assert "Chance: of" not in narrow
    assert "Score: the share" in narrow
    for write in (to_markdown, to_html, to_latex):
        assert write(sheet).index("Chance: of leading again") < write(sheet).index("Three items")
