"""Plain files: their one name, what they were like when they were first seen, and when they cannot grow."""

import errno
import os
import stat
from pathlib import Path
from typing import NamedTuple

from ordeval.errors import DataError

# What the system says where a file cannot grow: no disk, no more of it for this user, or no file so large.
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class FileState(NamedTuple):
    """What changes when a file is written again or replaced."""

    device: int
    inode: int
    size: int
    modified: int


def state_of(file: str) -> FileState:
    """Return the state of a plain file; refuse what can be read only once, for every file is read twice."""
    found = Path(file).stat()
    if not stat.S_ISREG(found.st_mode):
        raise DataError(
            f"{file!r} is a pipe or a device, which can be read only once. Save what it holds to a file and pass that."
        )
    return FileState(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


def full_name(file: str) -> str:
    """Return the one name of a file that means the same to everybody.

    The engine would take `~`, `file:` and `http:` at the start of a name for something else than folders.
    """
    return os.path.realpath(file)
