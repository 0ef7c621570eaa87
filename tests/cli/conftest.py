"""What tests of commands may ask for."""

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module")
def undrawn() -> Iterator[None]:
    """Leave the drawings out of the pages that the commands of a module write: tests of the report look at these."""
    from tests.report.pages import undrawn as without_drawings

    with without_drawings():
        yield
