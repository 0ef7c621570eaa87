"""Work is cut into chunks of bounded size that together cover all of it."""

import pytest

from ordeval.stats import chunks as module
from ordeval.stats.chunks import NUMBERS_AT_A_TIME, chunks


@pytest.fixture
def hundred(monkeypatch):
    monkeypatch.setattr(module, "NUMBERS_AT_A_TIME", 100)


def test_a_chunk_holds_as_many_rows_as_fit(hundred):
    """Rows of 30 numbers: 3 of them are 90 numbers, a fourth would be too much."""
    assert list(chunks(7, numbers=30)) == [slice(0, 3), slice(3, 6), slice(6, 7)]
    assert list(chunks(200)) == [slice(0, 100), slice(100, 200)]
    assert list(chunks(0)) == []


def test_a_row_that_does_not_fit_is_a_chunk_of_its_own(hundred):
    assert list(chunks(2, numbers=101)) == [slice(0, 1), slice(1, 2)]


def test_no_chunk_has_more_rows_than_asked_for(hundred):
    assert list(chunks(5, numbers=10, most=2)) == [slice(0, 2), slice(2, 4), slice(4, 5)]
    assert list(chunks(5, numbers=50, most=3)) == [slice(0, 2), slice(2, 4), slice(4, 5)]


def test_a_chunk_of_floats_takes_32_megabytes():
    assert NUMBERS_AT_A_TIME * 8 == 32_000_000
