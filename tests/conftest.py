"""What every test may ask for."""

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import is_hypothesis_test, settings

from ordeval.metrics import registry
from ordeval.metrics.names import WITH_CAPITALS
from tests.examples import examples

ROOT = Path(__file__).resolve().parents[1]

# A loaded machine is no failure, and a change lands or not by what it does, not by the draw.
settings.register_profile(
    "ordeval",
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    max_examples=examples(100),
)
settings.load_profile("ordeval")

# Without compiled files each worker would rewrite all tests, and each process that a test starts compile the package.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# Thousands of tests are collected, and none of them is garbage.
gc.disable()

# What a terminal is shown must not depend on the one in which the tests are started.
os.environ["TERM"] = "xterm-256color"
for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES"):
    os.environ.pop(name, None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what takes more examples in `make test-full`, which runs it again."""
    for item in items:
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker("examples")


def pytest_collection_finish() -> None:
    """Collect garbage again."""
    gc.enable()


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


@pytest.fixture(autouse=True)
def no_measure_stays() -> Iterator[None]:
    """Forget the measures that a test declares, so that no other test finds them in the registry."""
    before, capitals = dict(registry._measures), dict(WITH_CAPITALS)
    yield
    for kept, known in ((registry._measures, before), (WITH_CAPITALS, capitals)):
        if kept != known or list(kept) != list(known):
            kept.clear()
            kept.update(known)
