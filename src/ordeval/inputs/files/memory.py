"""How much memory the engine may take on this machine: in a container, less than the machine has."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from ordeval.errors import DataError

MOST = 1500  # MB; the engine spills beyond: 10 million ids join within it
LEAST = 100  # MB, below which the engine cannot even spill
SHARE = 0.5  # of what is left: the engine takes more than it counts, and Python needs room for the counts
ADDRESSES = 900  # MB that the engine reserves, and does not fill
MB = 1_000_000
# Where the limits of groups of processes are: one tree in the newer version, one for memory in the older.
CGROUPS = (
    ("/sys/fs/cgroup", "", ("memory.max", "memory.high")),
    ("/sys/fs/cgroup/unified", "", ("memory.max", "memory.high")),
    ("/sys/fs/cgroup/memory", "memory", ("memory.limit_in_bytes",)),
)


def engine_memory(most: int = MOST) -> int:
    """Return how many MB the engine may take: a share of what this process may still have."""
    return max(min([most, *(int(SHARE * room / MB) for room in rooms())]), LEAST)


def rooms() -> Iterator[int]:
    """Return how many bytes each of the limits leaves to this process."""
    _, resident = used_bytes()
    for limit in [physical_bytes(), *group_limits()]:
        if limit is not None:
            yield limit - resident
    yield from address_rooms()


def address_rooms() -> Iterator[int]:
    """Return how many bytes the limits of addresses (`ulimit -v`, `ulimit -d`) leave to this process."""
    if sys.platform == "win32":
        return
    import resource

    addresses, _ = used_bytes()
    for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
        soft, _ = resource.getrlimit(kind)
        if soft != resource.RLIM_INFINITY:
            yield soft - addresses


def check_addresses(needed: int, work: str, who: str) -> None:
    """Refuse to begin with too few MB of addresses: who reserves many crashes where it cannot have them."""
    room = min(address_rooms(), default=None)
    if room is not None and room < needed * MB:
        raise DataError(
            f"there is not enough memory to {work}: the limit of this process (ulimit -v or -d) leaves "
            f"{max(room, 0) // MB:,} MB of addresses, and {who} reserves {needed:,} MB. Raise the limit."
        )


def used_bytes() -> tuple[int, int]:
    """Return how many bytes this process has reserved and how many it holds; zeros where nobody tells."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()
        size = os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 0, 0
    return int(pages[0]) * size, int(pages[1]) * size


def physical_bytes() -> int | None:
    """Return how much memory the machine has, where it tells."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return None


def group_limits(root: Path = Path("/")) -> Iterator[int]:
    """Return the limits of the groups that this process is in, and of those around them; below `root` in tests.

    In a container the path of a group may be that of the machine outside, of which only the end can be seen here.
    """
    try:
        lines = (root / "proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return
    paths = [line.split(":", 2)[1:] for line in lines if line.count(":") >= 2]
    for mount, controller, files in CGROUPS:
        for controllers, path in paths:
            if controller in controllers.split(","):
                inside = Path(path.lstrip("/"))
                for group in (inside, *inside.parents):
                    for file in files:
                        yield from number_in(root / mount.lstrip("/") / group / file)


def number_in(file: Path) -> Iterator[int]:
    """Return the number that a file holds, if there is one; 'max' means that there is no limit."""
    try:
        yield int(file.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return
