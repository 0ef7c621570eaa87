"""The most memory that this process has held."""

import sys
from pathlib import Path

__all__ = ["peak_megabytes"]


def peak_megabytes() -> float:
    """Return the peak of this process alone: the system's own figure may be that of the process that started it."""
    status = Path("/proc/self/status")
    if status.exists():
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
        return int(lines["VmHWM"].split()[0]) / 1024
    import resource

    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10  # bytes there, kilobytes elsewhere
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
