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
def small_disk() -> Iterator[Path]:
    """Give a folder on a small disk, or like any other where none can be made."""
    with tempfile.TemporaryDirectory() as folder:
        made = may_mount() and mounted(folder)
        try:
            (inner := Path(folder) / "inner").mkdir()
            yield inner
        finally:
            if made:
                unmounted(folder)


def fill(folder: Path, pages: int) -> None:
    """Leave some pages on the disk of a folder, if it is one of these."""
    disk = os.statvfs(folder)
    if disk.f_blocks <= PAGES and disk.f_bavail > pages:
        (folder.parent / "ballast").write_bytes(b"x" * (disk.f_bavail - pages) * PAGE)
