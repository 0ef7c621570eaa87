"""One sheet in every form: rounding, dashes, arrows, alignment, emphasis and notes are decided by the writers."""

import json
import re
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordeval import ties
from ordeval.errors import ParameterError
from ordeval.formats import frames
from ordeval.formats.csv import to_csv
from ordeval.formats.document import Document, Section
from ordeval.formats.frames import make_frame
from ordeval.formats.html import to_html
from ordeval.formats.json import head, json_pieces, ready, to_json
from ordeval.formats.latex import escape, to_latex
from ordeval.formats.markdown import to_markdown
from ordeval.formats.result import Result
from ordeval.formats.sheet import (
    CSV,
    PEOPLE,
    Cell,
    Column,
    Footnotes,
    Kind,
    Sheet,
    below,
    heading_lines,
    superscript,
    text_sheet,
    written,
)
from ordeval.formats.shortening import room, shortened
from ordeval.formats.terminal import to_text, wrapped

WHY = "mae: undefined when there are no items"
SHEET = Sheet(
    [
        Column("system"),
        Column("items", Kind.COUNT, forms=CSV),
        Column("answered", Kind.SHARE, forms=PEOPLE),
        Column("cem_ord", Kind.NUMBER, greater_is_better=True, interval=True),
        Column("mae", Kind.NUMBER, greater_is_better=False, key="error"),
    ],
    [
        [Cell("a_1"), Cell(1200), Cell(1.0), Cell(0.98765, 0.9, 0.99949, best=True), Cell(0.25)],
        [Cell("b|c"), Cell(30), Cell(0.9999), Cell(-0.0001, None, None), Cell(np.nan, note=WHY)],
    ],
    ["A caption."],
)


def test_text_aligns_columns_and_puts_notes_before_the_caption():
    assert to_text(SHEET) == (
        "system  answered             cem_ord ↑  mae ↓\n"
        "─────────────────────────────────────────────\n"
        "a_1         100%  0.988 [0.900, 0.999]  0.250\n"
        "b|c        99.9%                 0.000     –¹\n"  # noqa: RUF001
        "\n"
        "¹ mae: undefined when there are no items.\n"
        "A caption.\n"
    )


def test_a_narrow_screen_stacks_intervals_then_leaves_columns_out_and_says_so():
    # With intervals beside the values a line has 45 letters, with them below 35.
    assert to_text(SHEET, width=40) == (
        "system  answered  cem_ord ↑  mae ↓\n"
        "──────────────────────────────────\n"
        "a_1         100%      0.988  0.250\n"
        "                  0.90–1.00\n"  # noqa: RUF001
        "b|c        99.9%      0.000     –¹\n"  # noqa: RUF001
        "\n"
        "¹ mae: undefined when there are no\n"
        "items.\n"
        "A caption.\n"
    )
    shown = to_text(SHEET, width=30).splitlines()
    assert shown[0] == "system  answered  cem_ord ↑"
    said = "Hidden, because the terminal is too narrow: mae. Widen it, or use --format csv, json or markdown."
    assert said in " ".join(shown)
    assert "undefined when there are no items" not in " ".join(shown)  # the note of a hidden column


def test_colour_makes_headings_and_the_best_bold_and_rules_faint():
    lines = to_text(SHEET, colour=True).splitlines()
    assert lines[0].startswith("\x1b[1msystem")
    assert lines[1].startswith("\x1b[2m─")
    assert "\x1b[1m0.988\x1b[0m [0.900" in lines[2]
    assert "\x1b" not in lines[3]


def test_sentences_are_wrapped_before_anything_else_gives_way():
    sheet = Sheet(
        [Column("name"), Column("what it is", prose=True)],
        [[Cell("x"), Cell("one two three four five six seven eight")]],
    )
    assert to_text(sheet, width=30).splitlines() == [
        "name  what it is",
        "─" * 29,  # 4 of the name, 2 between, and 23 of the longest line
        "x     one two three four five",
        "      six seven eight",
    ]


def test_markdown_marks_the_best_and_escapes_names():
    assert to_markdown(SHEET) == (
        "| system | answered | cem_ord ↑ | mae ↓ |\n"
        "| --- | ---: | ---: | ---: |\n"
        "| a_1 | 100% | **0.988** [0.900, 0.999] | 0.250 |\n"
        "| b\\|c | 99.9% | 0.000 | –¹ |\n"  # noqa: RUF001
        "\n"
        "¹ mae: undefined when there are no items.  \n"
        "A caption.  \n"
    )


def test_latex_is_a_tabular_with_comments_or_a_float_with_a_caption():
    table = (
        "\\begin{tabular}{lrrr}\n\\toprule\n"
        "system & answered & cem\\_ord $\\uparrow$ & mae $\\downarrow$ \\\\\n\\midrule\n"
        "a\\_1 & 100\\% & \\textbf{0.988} [0.900, 0.999] & 0.250 \\\\\n"
        "b\\textbar{}c & 99.9\\% & 0.000 & --\\textsuperscript{1} \\\\\n"
        "\\bottomrule\n\\end{tabular}\n"
    )
    note = "mae: undefined when there are no items."
    assert to_latex(SHEET) == f"{table}% ¹ {note}\n% A caption.\n"
    floating = to_latex(SHEET, label="tab:x")
    assert floating.startswith("\\begin{table}\n\\centering\n" + table + "\\caption{")
    assert floating.endswith(f"{note} A caption.}}\n\\label{{tab:x}}\n\\end{{table}}\n")


def test_latex_escapes_what_it_cannot_set():
    assert escape("50% [x] 🦉 a--b") == "50\\% {[}x] {[}U+1F989] a-{}-b"


def test_html_escapes_and_marks_the_best():
    page = to_html(Sheet(SHEET.columns, SHEET.rows, ["<b>"], "A & B"))
    assert "<caption>A &amp; B</caption>" in page
    assert "><b>0.988</b> [0.900, 0.999]</td>" in page
    assert page.endswith("<small>&lt;b&gt;</small></p>")


def test_csv_has_raw_numbers_under_names_for_programs():
    assert to_csv(SHEET) == (
        "system,items,cem_ord,cem_ord_low,cem_ord_high,error\n"
        "a_1,1200,0.98765,0.9,0.99949,0.25\n"
        "b|c,30,-0.0001,,,\n"
    )


@pytest.mark.parametrize(
    ("cell", "column", "text"),
    [
        (0.12345, Column("x", Kind.NUMBER, digits=4), "0.1235"),
        (0.5, Column("x", Kind.NUMBER, sign=True), "+0.500"),
        (0.0, Column("x", Kind.NUMBER, sign=True), "0.000"),
        (1234.0, Column("x", Kind.COUNT), "1,234"),
        (0.00005, Column("x", Kind.P_VALUE), "<0.0001"),
        (0.0001, Column("x", Kind.P_VALUE), "0.0001"),
        (None, Column("x", Kind.P_VALUE), "–"),  # noqa: RUF001
        (None, Column("x"), ""),
        (7, Column("x"), "7"),
    ],
)
def test_the_kind_of_a_column_decides_how_a_value_is_written(cell, column, text):
    assert written(Cell(cell), column) == text


def test_notes_are_numbered_once_each_in_the_order_of_the_cells():
    cells = [[Cell("a", note="x"), Cell("b", note="y")], [Cell("c", note="x"), Cell("d")]]
    notes = Footnotes(Sheet([Column("p"), Column("q")], cells))
    assert notes.lines == ["¹ x.", "² y."]
    assert [[notes.mark(cell) for cell in row] for row in cells] == [["¹", "²"], ["¹", ""]]
    assert superscript(105) == "¹⁰⁵"


def test_long_names_lose_their_middle_and_wide_letters_count_twice():
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    assert shortened(["a" * 24, alphabet], 24) == {
        "a" * 24: "a" * 24,
        alphabet: "abcdefghijkl…pqrstuvwxyz",
    }
    assert shortened(["数据数据数据数据"], 8) == {
        "数据数据数据数据": "数据…据"
    }  # 2 + 2, 1, and 2 of 3 columns
    assert [room("ab"), room("数据"), room("e\u0301")] == [2, 4, 1]


names = st.lists(
    st.text(st.sampled_from("ab-数"), min_size=1, max_size=40), min_size=1, max_size=12, unique=True
)


@given(names, st.sampled_from([24, 16, 12, 8]))
def test_names_that_differ_stay_different_when_they_are_cut(names, length):
    found = shortened(names, length)
    assert list(found) == names
    assert len(set(found.values())) == len(names)
    assert all(room(short) <= length for short in found.values())


def test_names_that_would_look_alike_show_where_they_differ_and_are_numbered_if_even_that_is_alike():
    start, end = "llama-3-70b-instruct-temperature-", "-seed-42-fp16"
    assert shortened([f"{start}0.1{end}", f"{start}0.7{end}"], 24) == {
        f"{start}0.1{end}": "llama-…e-0.1-seed-42-fp…",
        f"{start}0.7{end}": "llama-…e-0.7-seed-42-fp…",
    }
    long = [
        f"{start}{way}{'-' * 20}{seed}{end}" for way, seed in (("0.1", 1), ("0.1", 2), ("0.7", 1))
    ]
    assert list(shortened(long, 24).values()) == [
        "llama-3-70b-instruct-t…1",
        "llama-3-70b-instruct-t…2",
        "llama-…e-0.7-----------…",
    ]


def test_headings_break_after_underscores_and_before_settings():
    column = Column("weighted_kappa(weights='quadratic')", Kind.NUMBER, greater_is_better=True)
    assert heading_lines(column) == ["weighted_", "kappa", "quadratic ↑"]
    assert heading_lines(Column("mae", Kind.NUMBER, greater_is_better=False)) == ["mae ↓"]
    assert heading_lines(Column("cem_ord: a - b"), 11) == ["cem_ord:", "a - b"]
    assert heading_lines(Column("cem_ord: a - b"), 14) == ["cem_ord: a - b"]
    assert heading_lines(Column("chance that a leads again")) == [
        "chance",
        "that a",
        "leads",
        "again",
    ]


def test_sentences_are_wrapped_at_the_width_but_never_below_40():
    assert wrapped("a a", None, "  ") == "  a a"
    assert max(map(len, wrapped("word " * 30, 10).splitlines())) == 39
    assert wrapped("x y", 60, "  ") == "  x y"


def test_a_sheet_without_intervals_keeps_those_of_named_columns():
    rows = [[Cell(1.0, 0.5, 1.5), Cell(2.0, 1.5, 2.5)]]
    sheet = Sheet([Column("a", Kind.NUMBER), Column("b", Kind.NUMBER)], rows)
    first, second = sheet.without_intervals("b").rows[0]
    assert (first.low, second.low) == (None, 1.5)


def test_json_has_plain_numbers_and_null_for_what_is_undefined():
    content = {"a": np.float64(np.nan), "b": (np.int64(1), [np.array([2.5])]), "c": float("inf")}
    assert ready(content) == {"a": None, "b": [1, [[2.5]]], "c": None}
    text = to_json({**head("evaluate"), "é": 1})
    assert text.startswith('{\n  "schema": 1,\n  "ordeval": "')
    assert text.endswith('  "é": 1\n}\n')
    assert json.loads(text)["command"] == "evaluate"


def test_a_document_is_written_in_every_form_with_words():
    sheet = text_sheet(["x", "y"], [["a", "1"]])
    section = Section("Part", sheet, block="█", items=["one & two"], note="End.")
    document = Document("Title", [section, Section("Empty")])
    assert document.to_text() == (
        "Title\n\nPart\nx  y\n────\na  1\n█\n  one & two\nEnd.\n\nEmpty\n"
    )
    assert document.to_markdown() == (
        "## Title\n\n### Part\n\n| x | y |\n| --- | ---: |\n| a | 1 |\n\n```text\n█\n```\n\n"
        "- one & two\n\nEnd.\n\n### Empty\n"
    )
    latex = document.to_latex()
    assert latex.startswith("\\section*{Title}\n\n\\subsection*{Part}\n\n\\begin{tabular}{lr}")
    assert "\\begin{verbatim}\n#\n\\end{verbatim}" in latex
    assert "\\begin{itemize}\n\\item one \\& two\n\\end{itemize}" in latex
    page = document.to_html()
    assert page.startswith("<h2>Title</h2><h3>Part</h3><table ")
    assert "<pre>█</pre><ul><li>one &amp; two</li></ul><p>End.</p><h3>Empty</h3>" in page


def test_values_that_differ_by_rounding_alone_are_best_together():
    assert ties.best([0.5, 0.5 + 1e-13, 0.4], greater_is_better=True) == [True, True, False]
    assert ties.best([0.5, 0.5 + 1e-11, 0.4], greater_is_better=True) == [False, True, False]
    assert ties.best([0.5, np.nan, 0.4], greater_is_better=False) == [False, False, True]
    assert ties.best([np.nan, np.nan], greater_is_better=True) == [False, False]
    assert ties.best([0.5], greater_is_better=True) == [False]  # one system is not the best of any


def test_html_is_one_table_with_its_notes_below():
    page = to_html(
        Sheet(
            [Column("name"), Column("x", Kind.NUMBER, greater_is_better=True)],
            [[Cell("<a>"), Cell(1.0, above="2")], [Cell("b"), Cell(None, note="why")]],
            ["Caption."],
        )
    )
    assert re.sub(' (style|scope)="[^"]*"', "", page) == (
        "<table><thead><tr><th>name</th><th>x ↑</th></tr></thead><tbody>"
        "<tr><td>&lt;a&gt;</td><td>1.000<sup>2</sup></td></tr>"
        "<tr><td>b</td><td>\N{EN DASH}¹</td></tr></tbody></table>"
        "<p><small>¹ why.</small></p><p><small>Caption.</small></p>"
    )


def test_html_sets_numbers_on_the_right_and_no_colour_link_or_script():
    page = to_html(replace(SHEET, faint=frozenset({1}), lead=["Lead."]))
    cells = re.findall(r'<td style="[^"]*text-align:(\w+)">([^<]*)', page)
    assert [side for side, _ in cells] == ["left", "right", "right", "right"] * 2
    assert page.startswith("<p>Lead.</p><table")
    assert page.count('<tr style="opacity') == 1
    for word in ("color:", "background", "#", "src=", "href", "<script", "<style"):
        assert word not in page.replace("currentColor", "")


class Small(Result):
    """A result of one number."""

    def sheet(self):
        return Sheet([Column("x", Kind.NUMBER)], [[Cell(0.5)]])

    def to_dict(self):
        return {"x": 0.5}


def test_a_result_writes_itself_in_every_format():
    small = Small()
    assert small.write("text") == "    x\n─────\n0.500\n"
    assert small.write("text", width=80).startswith("\x1b[1m    x\x1b[0m\n")
    assert small.write("json") == '{\n  "x": 0.5\n}\n'
    assert small.write("csv") == "x\n0.5\n"
    assert small.write("markdown") == "| x |\n| ---: |\n| 0.500 |\n"
    assert small.write("latex") == small.to_latex()
    assert str(small) == "    x\n─────\n0.500"
    assert small._repr_html_() == to_html(small.sheet())


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_columns_become_a_frame_of_the_library_asked_for(backend):
    frame = make_frame({"a": [1, 2], "b": ["x", "y"]}, backend)
    assert type(frame).__module__.partition(".")[0] == backend
    columns = {
        name: frame[name].to_pylist() if backend == "pyarrow" else frame[name].to_list()
        for name in ("a", "b")
    }
    assert columns == {"a": [1, 2], "b": ["x", "y"]}


def test_a_frame_of_no_library_or_an_absent_one_is_refused(monkeypatch):
    first = make_frame({"a": [1]}, None)  # of the first library that is installed
    assert type(first).__module__.startswith("pandas")
    with pytest.raises(ParameterError, match=r"backend='spark' .*one of pandas, polars, pyarrow"):
        make_frame({"a": [1]}, "spark")
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(ParameterError, match="backend='polars' is not installed"):
        make_frame({"a": [1]}, "polars")
    monkeypatch.setattr(frames, "find_spec", lambda _: None)
    with pytest.raises(ParameterError, match="pandas, polars or pyarrow, and none is installed"):
        make_frame({"a": [1]}, None)


def test_the_best_values_stay_bold_and_intervals_faint_where_they_are_stacked():
    lines = to_text(SHEET, width=40, colour=True).splitlines()
    assert "\x1b[1m0.988\x1b[0m" in lines[2]
    assert lines[3] == "\x1b[2m                  0.90–1.00\x1b[0m"  # noqa: RUF001


def test_headings_of_several_lines_are_aligned_at_the_bottom():
    long = Column("very_long_name_of_a_measure", Kind.NUMBER)
    sheet = Sheet([Column("a"), long], [[Cell("x"), Cell(1)]])
    assert to_text(sheet, width=29).splitlines()[:3] == [
        "   very_long_",
        "   name_of_a_",
        "a     measure",
    ]


def test_headings_stay_on_one_line_where_there_is_room():
    sheet = Sheet([Column("a"), Column("two words of it", Kind.COUNT)], [[Cell("x"), Cell(1)]])
    assert to_text(sheet, width=18).splitlines()[0] == "a  two words of it"
    assert to_text(sheet, width=17).splitlines()[:2] == ["   two words", "a      of it"]


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_no_colour_is_written_if_the_environment_asks_for_none(monkeypatch, name, value):
    assert "\x1b" in to_text(SHEET, colour=True)
    monkeypatch.setenv(name, value)
    assert "\x1b" not in to_text(SHEET, colour=True)


MARKED = Sheet(
    [Column("system"), Column("p", Kind.P_VALUE)],
    [
        [Cell("a", leading=True), Cell(0.5)],
        [Cell("b"), Cell(0.01, star=True)],
        [Cell("always"), Cell("")],
    ],
    star="significantly worse",
    faint=frozenset({2}),
    lead=["First.", "Second."],
)


def test_an_asterisk_moves_no_number_and_is_explained_below():
    assert to_text(MARKED) == (
        "First.\nSecond.\n\n"
        "system        p\n───────────────\na       0.5000\nb       0.0100*\nalways\n\n"
        "* significantly worse.\n"
    )
    assert to_markdown(MARKED) == (
        "First.  \nSecond.  \n\n| system | p |\n| --- | ---: |\n| a | 0.5000 |\n| b | 0.0100\\* |\n"
        "| *always* |  |\n\n\\* significantly worse.  \n"
    )
    latex = to_latex(MARKED).splitlines()
    assert latex[5:7] == [r"b & 0.0100\textsuperscript{{*}} \\", r"\textit{always} &  \\"]
    assert latex[-3:] == ["% First.", "% Second.", "% * significantly worse."]
    assert to_csv(MARKED) == "system,p\na,0.5\nb,0.01\nalways,\n"


def test_a_terminal_with_colour_shows_the_leading_green_and_reference_rows_faint():
    lines = to_text(MARKED, colour=True).splitlines()
    assert lines[5].startswith("\x1b[32ma\x1b[0m ")
    assert lines[7] == "\x1b[2malways\x1b[0m"


def test_an_interval_below_zero_is_written_in_words_where_room_is_scarce():
    column = Column("x", Kind.NUMBER, interval=True)
    assert below(Cell(-0.1, -0.123, -0.061), column) == "-0.12 to -0.06"
    assert below(Cell(0.1, 0.061, 0.123), column) == "0.06–0.12"  # noqa: RUF001


def test_json_in_pieces_is_what_python_writes():
    content = {"a": [{"b": 1, "c": "x\ny"}, [], 2], "d": {}, "e": [], "f": {"g": [0.5]}}
    expected = json.dumps(content, indent=2) + "\n"
    assert to_json(content) == expected
    pieces = list(json_pieces({**content, "a": iter(content["a"]), "e": iter([])}))
    assert "".join(pieces) == expected
    assert len(pieces) > len(content) + len(content["a"])
    assert to_json({}) == "{}\n"
    assert to_json([1]) == "[\n  1\n]\n"


def test_columns_that_can_be_spared_are_hidden_before_the_last_ones():
    columns = [Column("family", spare=True), Column("name"), Column("x", Kind.COUNT)]
    sheet = Sheet(columns, [[Cell("of measures"), Cell("accuracy"), Cell(1)]])
    assert to_text(sheet, width=24).splitlines()[:3] == [
        "family       name      x",
        "─" * 24,
        "of measures  accuracy  1",
    ]
    assert to_text(sheet, width=23).splitlines()[0] == "name      x"
    assert "too narrow: family." in " ".join(to_text(sheet, width=23).split())


def test_long_headings_are_broken_on_pages_too():
    kappa = Column("weighted_kappa(weights='quadratic')", Kind.NUMBER, greater_is_better=True)
    sheet = Sheet([Column("system"), kappa], [[Cell("a"), Cell(0.5)]])
    assert ">weighted_kappa<br>quadratic ↑</th>" in to_html(sheet)
    head = r"system & \shortstack[r]{weighted\_kappa\\quadratic $\uparrow$} \\"
    assert to_latex(sheet).splitlines()[2] == head
    assert "| weighted_kappa(weights='quadratic') ↑ |" in to_markdown(sheet)


def test_of_the_columns_that_can_be_spared_the_last_is_hidden_first():
    columns = [
        Column("name"),
        Column("first", spare=True),
        Column("second", spare=True),
        Column("end"),
    ]
    sheet = Sheet(columns, [[Cell("a"), Cell("b" * 8), Cell("c" * 8), Cell("d")]], least=3)
    shown = to_text(sheet, width=20)  # 4 + 2 + 8 + 2 + 3
    assert shown.splitlines()[0].split() == ["name", "first", "end"]
    assert "narrow: second." in " ".join(shown.split())


def test_a_sentence_has_24_columns_however_narrow_the_screen_is():
    words = "one two three four five six seven eight nine ten"
    sheet = Sheet([Column("name"), Column("what", prose=True)], [[Cell("n" * 8), Cell(words)]])
    lines = [line.split("n" * 8)[-1].strip() for line in to_text(sheet, width=12).splitlines()[2:]]
    assert [line for line in lines if line] == [
        "one two three four five",
        "six seven eight nine ten",
    ]


def test_a_wrapped_sentence_is_not_faint_and_the_best_is_bold_once():
    cell = Cell("same same same same same same", best=True)
    sheet = Sheet([Column("name"), Column("what", prose=True)], [[Cell("n"), cell]])
    lines = to_text(sheet, width=32, colour=True).splitlines()[2:]
    assert len(lines) == 2
    assert "\x1b" not in lines[1]


def test_full_width_letters_take_two_columns():
    assert room("\uff21\u65e5a") == 5  # a full-width A, a Chinese letter, an a


def test_html_escapes_superscripts_and_makes_reference_rows_alone_faint():
    sheet = Sheet(
        [Column("name")], [[Cell("system", above="<1>")], [Cell("always 1")]], faint=frozenset({1})
    )
    first, second = re.findall(r"<tr([^>]*)><td[^>]*>(.*?)</td>", to_html(sheet))
    assert first == ("", "system<sup>&lt;1&gt;</sup>")
    assert "opacity" in second[0]
