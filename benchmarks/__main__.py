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
    "meta",
    "reports",
    "properties",
    "growth",
)


def measured(names: list[str], *, quick: bool) -> list[dict[str, Any]]:
    """Run parts and print rows as they come; a part that fails says so, and the next one runs."""
    print(f"{'work':<50} {'against':<52} {'ours':>9} {'theirs':>9}  ours is (spread)")
    kept: list[dict[str, Any]] = []
    for name in names:
        try:
            for row in importlib.import_module(f"benchmarks.{name}").rows(quick=quick):
                kept.append({"part": name, **row})
                print(page.line(row), flush=True)
        except Exception as error:  # noqa: BLE001 - the other parts are worth having
            kept.append({"part": name, **absent(name, "", f"{type(error).__name__}: {error}")})
            print(f"{name} stopped: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
    return kept


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
    timed = [name for name in names if name != "board"]
    content["rows"] = measured(timed, quick=arguments.quick) if timed else []
    content["board"] = board.board() if "board" in names else []
    if content["board"]:
        print("", *board.lines(content["board"]), sep="\n")
    content["versions"] = {library: version(library) for library in page.LIBRARIES}
    if arguments.json:
        arguments.json.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
