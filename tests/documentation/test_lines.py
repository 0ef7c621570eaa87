"""Lines of code and rows of tables fit a page: only sentences may be longer, because they wrap."""

import re

import pytest

from tests.conftest import ROOT
from tests.prose import PAGES, blocks

MOST = 125  # characters that a column has room for at 1,440 pixels; a test in a browser checks it
TYPED = (">>> ", "... ", "$ ")
COLUMNS = re.compile(r"\S {2,}\S.* {2,}\S")  # three words or more that are kept apart


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_line_that_is_typed_and_no_row_of_a_table_is_longer_than_a_page_is_wide(page):
    long = [
        line
        for block in blocks(page)
        for line in block.text.splitlines()
        if len(line) > MOST and (line.startswith(TYPED) or COLUMNS.search(line))
    ]
    assert not long
