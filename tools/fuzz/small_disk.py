"""A disk that is nearly full: a small file system in memory where root may make one, else a folder like any other."""

import functools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PAGE = 4096
PAGES = 64


@functools.cache
def may_mount() -> bool:
    """Tell whether such a disk can be made here."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        return mounted(folder) and unmounted(folder)


def mounted(folder: str) -> bool:
    """Make a file system of 64 pages."""
    line = ["mount", "-t", "tmpfs", "-o", f"size={PAGES * PAGE}", "tmpfs", folder]
    return subprocess.run(line, check=False, capture_output=True).returncode == 0  # noqa: S603


def unmounted(folder: str) -> bool:
    """Remove it again, as soon as nobody uses it."""
    return subprocess.run(["umount", "--lazy", folder], check=False).returncode == 0  # noqa: S603, S607


@contextmanager
def small_disk(pages: int | None) -> Iterator[Path]:
    """Give a folder on a disk that has some pages left; None: no such disk is asked for."""
    with tempfile.TemporaryDirectory() as folder:
        if pages is None or not may_mount() or not mounted(folder):
            yield Path(folder)
            return
        try:
            (inner := Path(folder) / "inner").mkdir()
            (Path(folder) / "ballast").write_bytes(b"x" * (PAGES - pages) * PAGE)
            yield inner
        finally:
            unmounted(folder)
