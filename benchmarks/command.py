"""A command line in a process of its own: its processor time, and the most memory that it held."""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.peak import peak_megabytes

__all__ = ["Took", "took"]


class Took(NamedTuple):
    """What a command took; the seconds are those of the processor, which other work on the machine does not change."""

    megabytes: float
    seconds: float


def took(*words: str | Path) -> Took:
    """Run `ordeval` with these words, from its start to its last output."""
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "took.json"
        command = [sys.executable, "-m", "benchmarks.command", kept, *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return Took(*json.loads(kept.read_text(encoding="utf-8")))


def run_one(kept: Path, words: list[str]) -> None:
    """Run a command in this process, and write what it took."""
    from ordeval.cli import main

    sys.argv = ["ordeval", *words]
    try:
        main()
    finally:
        spent = Took(peak_megabytes(), time.process_time())
        kept.write_text(json.dumps(spent), encoding="utf-8")


if __name__ == "__main__":
    run_one(Path(sys.argv[1]), sys.argv[2:])
