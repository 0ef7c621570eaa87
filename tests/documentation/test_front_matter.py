"""A page that a benchmark writes keeps the words that the search finds it by."""

from benchmarks.written import write_page
from tests.prose import without_front_matter


def test_a_page_that_is_written_again_keeps_its_front_matter(tmp_path):
    page = tmp_path / "board.md"
    write_page(page, "# Old\n")
    assert page.read_text() == "# Old\n"
    page.write_text("---\nsearch: speed, fast\n---\n\n# Old\n\n---\n\nmore\n")
    write_page(page, "# New\n\n---\n\nmore\n")
    assert page.read_text() == "---\nsearch: speed, fast\n---\n\n# New\n\n---\n\nmore\n"
    assert without_front_matter(page) == "# New\n\n---\n\nmore\n"
