"""A short how-to is a question with the words that people search for, and fits on about one screen."""

import re

import pytest

from tests.prose import DOCS, without_front_matter

HOWTO = DOCS / "howto"
# The pages that end by naming others; the guides are longer.
SHORT = sorted(
    page for page in HOWTO.glob("*.md") if "\n## See also\n" in page.read_text(encoding="utf-8")
)


def test_there_are_fifteen_short_answers_and_the_index_links_every_page_of_the_folder():
    assert len(SHORT) >= 15
    linked = set(re.findall(r"\]\((\w+)\.md\)", (HOWTO / "index.md").read_text(encoding="utf-8")))
    assert linked == {page.stem for page in HOWTO.glob("*.md")} - {"index"}


@pytest.mark.parametrize("page", SHORT, ids=lambda page: page.stem)
def test_a_short_answer_is_a_question_with_search_words_that_fits_on_one_screen(page):
    words = re.match(r"---\nsearch: (.*?)\n---\n", page.read_text(encoding="utf-8"), re.DOTALL)
    assert words is not None
    assert len(words[1].split(", ")) >= 8
    rest = without_front_matter(page).splitlines()
    assert "?" in rest[0]
    assert len(rest) <= 80
    code, wide = False, []
    for line in rest:
        code ^= line.startswith("```")
        wide += [line] if code and len(line) > 88 else []
    assert not wide
