"""Names that need escaping: LaTeX compiles with booktabs alone, Markdown keeps its cells, a terminal its columns."""

import csv
import re
import subprocess

import pytest
from click.testing import CliRunner

from ordeval.cli import main
from ordeval.formats.latex import LETTERS, SPECIAL, escape, to_latex
from ordeval.formats.markdown import to_markdown
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.formats.terminal import room, to_text
from tests.report import comparisons

NAMES = Sheet(
    [Column("system"), Column("cem_ord", Kind.NUMBER, greater_is_better=True, interval=True)],
    [
        [Cell(name), Cell(0.5, 0.4, 0.6, best=True, note="a reason")]
        for name in ("[x] first", "*starred", *comparisons.HOSTILE)
    ],
    ["A caption with\na line break & 50%."],
)


def compiled(text: str, folder) -> None:
    """Run pdflatex on a text in a plain article with booktabs."""
    lines = [
        r"\documentclass{article}",
        r"\usepackage{booktabs}",
        r"\begin{document}",
        text,
        r"\end{document}",
    ]
    (folder / "page.tex").write_text("\n".join(lines), encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]


@pytest.mark.full
def test_a_comparison_of_hostile_names_compiles(tmp_path):
    compiled(comparisons.hostile().to_latex(label="tab:hostile"), tmp_path)


@pytest.mark.full
def test_every_character_that_is_passed_on_to_latex_is_one_that_it_has(tmp_path):
    compiled("\n\n".join(escape(letter) for letter in [*SPECIAL, *sorted(LETTERS)]), tmp_path)


@pytest.mark.full
def test_a_table_of_the_command_line_with_hostile_names_compiles(tmp_path):
    compiled(to_latex(NAMES), tmp_path)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Gold and two systems whose names want escaping."""
    folder = tmp_path_factory.mktemp("files")
    gold, systems = folder / "gold.csv", folder / "systems.csv"
    with gold.open("w", newline="") as file:
        csv.writer(file).writerows(
            [["case", "item", "label"], *([f"c_{i % 4}", i, i % 3] for i in range(40))]
        )
    with systems.open("w", newline="") as file:
        rows = [
            [f"c_{i % 4}", i, name, (i * step) % 3]
            for i in range(40)
            for name, step in (("a_b & 5%", 1), ("🦉 | #", 4))
        ]
        csv.writer(file).writerows([["case", "item", "system", "label"], *rows])
    return [str(gold), str(systems)]


COMMANDS = {
    "evaluate": ["--resamples", "49"],
    "compare": ["--resamples", "49"],
    "meta": ["--resamples", "49", "--metrics", "cem_ord,accuracy"],
}


@pytest.mark.full
@pytest.mark.parametrize("command", COMMANDS)
def test_the_latex_of_a_command_over_files_compiles(command, files, tmp_path):
    result = CliRunner().invoke(main, [command, *files, *COMMANDS[command], "--format", "latex"])
    assert result.exit_code == 0, result.output
    compiled(result.stdout, tmp_path)


@pytest.mark.full
@pytest.mark.parametrize(
    "words",
    [
        ["properties", "accuracy", "mae"],
        ["reproduce", "appendix-a"],
        ["reproduce", "figure1"],
        ["reproduce", "table2"],
        ["reproduce", "table3", "--seeds", "1"],
        ["reproduce", "robustness", "--seeds", "1"],
    ],
)
def test_the_latex_of_the_other_commands_compiles(words, tmp_path):
    result = CliRunner().invoke(main, [*words, "--format", "latex"])
    assert result.exit_code == 0, result.output
    compiled(result.stdout, tmp_path)


def test_a_row_of_markdown_has_as_many_cells_as_its_head_whatever_the_names_hold():
    lines = to_markdown(NAMES).splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 2 + len(NAMES.rows)
    for line in table:
        assert len(re.findall(r"(?<!\\)\|", line)) == 3
        assert not re.search(r"(?<!\\)[<>]", line)


def test_a_name_moves_no_cursor_and_no_column():
    names = ("ordinary", "\x1b[2Jwiped\n", "日本")
    sheet = Sheet(
        [Column("system"), Column("value", Kind.COUNT)],
        [[Cell(name), Cell(value)] for value, name in enumerate(names)],
    )
    lines = to_text(sheet, width=80).splitlines()
    assert "\x1b" not in "".join(lines)
    assert len({room(line) for line in lines}) == 1


def test_long_names_are_cut_in_the_middle_before_a_column_is_dropped():
    columns = [Column(f"measure {n}", Kind.NUMBER, interval=True) for n in range(4)]
    long = Sheet(
        [Column("tier", Kind.COUNT), Column("system"), *columns],
        [[Cell(1), Cell("a" * 60 + "z"), *(Cell(0.123, 0.1, 0.2) for _ in columns)]],
    )
    text = to_text(long, width=80)
    assert max(map(room, text.splitlines())) <= 80
    assert "aaa…aaa" in text
    assert "Hidden" in text or "measure 3" in text.replace("\n", " ")


def test_a_notebook_gets_tables_without_a_script_and_with_every_name_escaped():
    comparison = comparisons.hostile()
    for result in (comparison, comparison.runs.table):
        shown = result._repr_html_()
        assert "<table" in shown
        assert "<script" not in shown
        assert "<img" not in shown
        assert len(shown) < 30_000
