"""Run the benchmarks and print one table; `--quick` shrinks the work, `--json FILE` keeps the numbers.

`python -m benchmarks board` runs the correctness board alone; `python -m benchmarks page FILE` writes
docs/evidence/benchmarks.md from the numbers that a run kept.
"""

import argparse
import datetime as dt
import importlib
import json
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import board, page
from benchmarks.machine import machine
from benchmarks.rivals import version
from benchmarks.timing import absent

PARTS = (
    "one",
    "core",
    "intervals",
    "paired",
    "ratings",
    "judges",
    "decisions",
    "files",
    "formats",
    "comparison",
    "many",
    "meta",
    "reports",
    "properties",
    "growth",
)


def measured(name: str, *, quick: bool) -> Iterator[dict[str, Any]]:
    """Run a part, and print and give its rows as they come; if it fails, a row says so."""
    try:
        for row in importlib.import_module(f"benchmarks.{name}").rows(quick=quick):
            print(page.line(row), flush=True)
            yield {"part": name, **row}
    except Exception as error:  # noqa: BLE001 - the other parts are worth having
        yield {"part": name, **absent(name, "", f"{type(error).__name__}: {error}")}
        print(f"{name} stopped: {type(error).__name__}: {error}", file=sys.stderr, flush=True)


def main() -> None:
    """Do what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "parts",
        nargs="*",
        help=f"which of {', '.join(PARTS)}, board; all unless told. Or: page FILE",
    )
    parser.add_argument("--quick", action="store_true", help="smaller inputs")
    parser.add_argument("--json", type=Path, help="also write the numbers to this file")
    arguments = parser.parse_args()
    if arguments.parts[:1] == ["page"]:
        page.write(Path(*arguments.parts[1:2] or ["bench.json"]))
        return
    warnings.simplefilter("ignore")  # theirs, about the traps they fall into
    names = arguments.parts or [*PARTS, "board"]
    content: dict[str, Any] = {
        "date": f"{dt.datetime.now(dt.UTC):%Y-%m-%d}",
        "machine": machine(),
        "quick": arguments.quick,
    }
    print(f"{content['date']}, {content['machine']}{', quick' * arguments.quick}\n")
    content |= {"rows": [], "board": []}
    content["versions"] = {library: version(library) for library in page.LIBRARIES}
    timed = [name for name in names if name != "board"]
    if timed:
        print(f"{'work':<50} {'against':<52} {'ours':>9} {'theirs':>9}  ours is (spread)")
    for name in names:  # what is written after each part, no later one can lose
        if name == "board":
            content["board"] = board.board()
            print("", *board.lines(content["board"]), sep="\n")
        else:
            content["rows"] += measured(name, quick=arguments.quick)
        if arguments.json:
            arguments.json.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
