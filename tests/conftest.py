"""What every test may ask for."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]

# A loaded machine is no failure, and a change lands or not by what it does, not by the draw.
settings.register_profile("ordeval", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("ordeval")


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of data sets and contracts that lies beside the checkout; without it the test is left out."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("left out: ../shared is absent, and this test reads its data")
    return folder
