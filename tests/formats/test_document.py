"""Pages of several tables, and documents within documents."""

from ordeval.formats.document import Document, Section
from ordeval.formats.sheet import Cell, Column, Kind, Sheet, value_sheet
from ordeval.formats.terminal import to_text

NUMBERS = value_sheet([Column("name"), Column("n", Kind.COUNT)], [["a", 1200]])


def test_text_has_an_empty_line_between_sections_and_none_within():
    made = Document("Title", [Section("One", NUMBERS, note="Said."), Section("Two", block="x\ny")])
    assert made.to_text() == (
        "Title\n\nOne\nname      n\n───────────\na     1,200\nSaid.\n\nTwo\nx\ny\n"
    )


def test_a_section_that_is_a_picture_leaves_no_gap_in_forms_without_pictures():
    with_picture = Document(
        "T", [Section("One", note="x"), Section("", picture="<svg/>"), Section("Two", note="y")]
    )
    without = Document("T", [Section("One", note="x"), Section("Two", note="y")])
    for form in ("to_text", "to_markdown", "to_latex"):
        assert getattr(with_picture, form)() == getattr(without, form)()
    assert "<p><svg/></p>" in with_picture.to_html()


def test_headings_of_a_document_within_a_document_are_one_level_deeper():
    inner = Document("Inner", [Section("Section", note="x")])
    outer = Document("Outer", [inner], "About <both>.")
    assert outer.to_markdown(1) == "# Outer\n\nAbout <both>.\n\n## Inner\n\n### Section\n\nx\n"
    assert outer.to_html(1) == (
        "<h1>Outer</h1><p>About &lt;both&gt;.</p><h2>Inner</h2><h3>Section</h3><p>x</p>"
    )
    assert outer.to_latex() == (
        "\\section*{Outer}\n\nAbout \\textless{}both\\textgreater{}.\n\n\\subsection*{Inner}\n\n"
        "\\subsubsection*{Section}\n\nx\n"
    )
    assert outer.to_text() == "Outer\n\nAbout <both>.\n\nInner\n\nSection\nx\n"


def test_items_are_indented_as_deep_as_they_are_and_wrapped_there():
    words = "every word of a sentence that is longer than the screen is wide"
    shown = Document("", [Section("List", items=["first", f"  {words}"])]).to_text(width=40)
    assert shown == (
        "List\n  first\n    every word of a sentence that is\n    longer than the screen is wide\n"
    )


def test_titles_are_bold_on_a_screen_with_colour():
    assert Document("T", [Section("S", note="x")]).to_text(width=80, colour=True) == (
        "\x1b[1mT\x1b[0m\n\n\x1b[1mS\x1b[0m\nx\n"
    )


def interval_column(digits):
    column = Column("coverage", Kind.NUMBER, digits=digits, interval=True)
    return Sheet([Column("measure"), column], [[Cell("a"), Cell(0.9512, 0.9012, 0.9889)]])


def test_where_an_interval_goes_below_its_value_it_has_one_decimal_fewer_but_two_at_least():
    below = [
        to_text(interval_column(digits), width=20).splitlines()[3].strip()
        for digits in (4, 3, 2, 1)
    ]
    assert below == ["0.901–0.989", "0.90–0.99", "0.90–0.99", "0.9–1.0"]  # noqa: RUF001


def test_an_interval_without_a_value_stands_alone():
    from ordeval.formats import html, latex, markdown

    sheet = Sheet(
        [Column("measure"), Column("95%", Kind.NUMBER, digits=2)], [[Cell("a"), Cell("", 0.5, 1)]]
    )
    assert to_text(sheet).splitlines()[2] == "a        [0.50, 1.00]"
    assert markdown.to_markdown(sheet).splitlines()[2] == "| a | [0.50, 1.00] |"
    assert latex.to_latex(sheet).splitlines()[4] == r"a & [0.50, 1.00] \\"
    assert ">[0.50, 1.00]</td>" in html.to_html(sheet)
