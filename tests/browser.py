"""A browser for tests: Debian's chromium, which stays away from the network."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["chromium"]

ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


@contextmanager
def chromium() -> Iterator[Any]:
    """Start the browser, and close it at the end."""
    from playwright.sync_api import sync_playwright

    names = ("chromium", "chromium-browser", "google-chrome")
    found = next(filter(None, map(shutil.which, names)), None)
    assert found, "there is no chromium; 'make test-full' installs it"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=list(ARGUMENTS))
        yield started
        started.close()
