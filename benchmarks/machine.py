"""The machine that is measured: its name is on every page of figures."""

import os
import platform
from pathlib import Path

from benchmarks.rivals import version

__all__ = ["machine"]


def machine() -> str:
    """Describe what this runs on."""
    name = platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        name = next(
            line.partition(":")[2].strip() for line in lines if line.startswith("model name")
        )
    except (OSError, StopIteration):
        pass
    return f"{name}, {os.cpu_count()} cores, Python {platform.python_version()}, NumPy {version('numpy')}"
