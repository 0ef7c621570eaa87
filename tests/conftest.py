"""What every test may ask for."""

import atexit
import gc
import os
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import is_hypothesis_test, settings

from ordeval.metrics import registry
from ordeval.metrics.names import WITH_CAPITALS
from tests.examples import ALL, LEFT_OUT, examples
from tests.one_engine import a_private_engine, one_engine

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
# What jsonschema checks addresses with, where it is installed, takes a second to import, and none is checked here.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
# Thousands of tests are collected, and none of them is garbage.
gc.disable()

FOLDERS = count()

# What all tests of a folder share, so that one runs at a time.
SHARED = {"documentation": "the checkout", "packaging": "the checkout", "engines": "the engines"}

# What a terminal is shown must not depend on the one in which the tests are started.
os.environ["TERM"] = "xterm-256color"
for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES"):
    os.environ.pop(name, None)


def pytest_configure(config: pytest.Config) -> None:
    """Tell grids whether their other cells are left out."""
    LEFT_OUT[:] = ["later"] if "not later" in config.option.markexpr else []


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what takes more examples in `make test-full`, which runs it again."""
    for item in items:
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker("examples")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give one worker all tests of a file by `--dist loadfile`, and in some folders all tests that share a thing.

    Engines are then started once, and a browser once for each file. The site and a release are both made of the pages
    in the checkout, one after the other.
    """
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class ByWhatIsStarted(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            return SHARED.get(Path(file).parent.name, file)

    return ByWhatIsStarted(config, log)


def pytest_collection_finish() -> None:
    """Collect garbage again, but for what was collected, which would be looked through each time.

    Once the process ends, libraries that report leaks expect that everything can be collected.
    """
    gc.freeze()
    atexit.register(gc.unfreeze)
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


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new folder. That of pytest looks through all others first, and keeps a link to the newest."""
    folder = tmp_path_factory.getbasetemp() / str(next(FOLDERS))
    folder.mkdir()
    return folder


@pytest.fixture(scope="session", autouse=True)
def _one_engine() -> Iterator[None]:
    """Start the engine once, but in `make test-full`."""
    if ALL:
        yield
        return
    with one_engine():
        yield


@pytest.fixture
def own_engine() -> Iterator[None]:
    """An engine for each database, as users have it."""
    with a_private_engine():
        yield


@pytest.fixture(autouse=True)
def no_measure_stays() -> Iterator[None]:
    """Forget the measures that a test declares, so that no other test finds them in the registry."""
    before, capitals = dict(registry._measures), dict(WITH_CAPITALS)
    yield
    for kept, known in ((registry._measures, before), (WITH_CAPITALS, capitals)):
        if kept != known or list(kept) != list(known):
            kept.clear()
            kept.update(known)
