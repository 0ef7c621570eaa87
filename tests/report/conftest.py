"""What tests of pages share."""

from collections.abc import Iterator

import pytest

from tests.report import pages


@pytest.fixture
def undrawn() -> Iterator[None]:
    """Pages without their drawings, for tests that read the text."""
    with pages.undrawn():
        yield
