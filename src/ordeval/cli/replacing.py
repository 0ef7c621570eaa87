"""A file that gets all of a result or, if that fails, stays as it was; and what stands in the way of writing it."""

import os
import re
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from ordeval.cli.streams import OutputError, unwritable

OPEN_FILE = re.compile(r"/(?:dev|proc/(?:self|thread-self))/fd/([0-9]+)")
MOST_LINKS = 40  # as Linux has it


def open_descriptor(name: str) -> int | None:
    """Return the number of the open file that a name such as /dev/stdout or /dev/fd/3 stands for, else None.

    To open it by that name would be to open the file behind it once more, and to write from its beginning.
    """
    for _ in range(MOST_LINKS):
        name = os.path.abspath(name).replace(f"/proc/{os.getpid()}/", "/proc/self/")  # noqa: PTH100
        if found := OPEN_FILE.fullmatch(name):
            return int(found[1])
        try:
            name = str(Path(name).parent / Path(name).readlink())
        except OSError:
            return None
    return None


def check_target(name: str, sources: Iterable[str], option: str = "-o") -> None:
    """Refuse a target that cannot be written, or that is one of the files that are read, before any work is done.

    `option` is the one that names it.
    """
    target = Path(os.path.realpath(name))
    try:
        there = target.stat()
    except FileNotFoundError:
        there = None
    except OSError as error:
        raise unwritable(name, error) from error
    if open_descriptor(name) is not None or (there and not stat.S_ISREG(there.st_mode)):
        return
    folder = str(Path(name).parent)
    if not target.parent.is_dir():
        raise OutputError(name, f"there is no folder {folder!r}")
    for source in sources if there else ():
        if there and is_file(source, there):
            raise OutputError(
                name, f"this command reads it, as {source!r}. Pass another name with {option}"
            )
    if there and not os.access(target, os.W_OK):
        raise OutputError(name, f"it is write-protected. Pass another name with {option}")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise OutputError(name, f"you may not write to the folder {folder!r}")


def is_file(name: str, file: os.stat_result) -> bool:
    """Tell whether a name stands for a certain file, by whatever path and links."""
    try:
        return os.path.samestat(Path(name).stat(), file)
    except (OSError, ValueError):
        return False


def write_to(name: str, data: Iterable[bytes]) -> None:
    """Put a new file in the place of an old one, or write into a pipe, a device or what is open already.

    A link stays a link: the file that it points to is replaced.
    """
    target = Path(os.path.realpath(name))
    try:
        descriptor = open_descriptor(name)
        if descriptor is not None:
            fill(os.dup(descriptor), data)
        elif target.exists() and not target.is_file():
            fill(os.open(target, os.O_WRONLY), data)
        else:
            replace_file(target, data)
    except OSError as error:
        raise unwritable(name, error) from error


def replace_file(target: Path, data: Iterable[bytes]) -> None:
    """Write a new file beside the old one, with its owner and its mode, and rename it."""
    try:
        old = target.stat()
    except FileNotFoundError:
        old = None
    # The target's own name may be as long as names can be.
    part = target.with_name(f".ordeval-{os.urandom(4).hex()}.part")
    try:
        mode = 0o600 if old else 0o666  # from which the system takes the umask off
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        fill(descriptor, data)
        if old:
            with suppress(OSError, AttributeError):  # only root gives files away
                os.chown(part, old.st_uid, old.st_gid)
            part.chmod(stat.S_IMODE(old.st_mode))
        part.replace(target)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


def fill(descriptor: int, data: Iterable[bytes]) -> None:
    """Write into an open file, and close it."""
    with os.fdopen(descriptor, "wb") as file:
        for block in data:
            file.write(block)
