"""Simulate what intervals, tests, ranks and plans promise, print it, and write docs/evidence/calibration.md from it.

`--quick` takes a hundredth of the simulations and writes no page; `--json FILE` keeps the numbers, and `--from FILE`
writes the page from numbers that were kept. Parts of the board can be named.
"""

import argparse
import json
import multiprocessing
import os
import sys
import time
import warnings
from pathlib import Path
from typing import Any

from benchmarks.calibration import coverage, page, planning, ratings, systems, testing
from benchmarks.calibration.coverage import Task
from benchmarks.summaries import summarised
from benchmarks.written import write_page

Job = tuple[str, Task]
MODULES = (coverage, ratings, testing, systems, planning)


def worked(job: Job) -> tuple[str, list[dict[str, Any]], float]:
    """Do one job; return the name of its part, its rows and its seconds."""
    name, (work, options) = job
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", RuntimeWarning
        )  # a mean of nothing is NaN, which is counted
        rows = work(**options)
    return name, rows, time.perf_counter() - start


def simulated(parts: list[str], divisor: int, processes: int) -> dict[str, list[dict[str, Any]]]:
    """Do all jobs and return the rows of each part, in the order of the jobs."""

    def number(asked: int) -> int:
        return max(asked // divisor, 4)

    jobs: list[Job] = []
    for module in MODULES:
        for name, tasks in module.tasks(number).items():
            if not parts or name in parts:
                jobs += [(name, task) for task in tasks]
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name, _ in jobs}
    spent = dict.fromkeys(rows, 0.0)
    with multiprocessing.Pool(processes) as pool:
        for done, (name, found, taken) in enumerate(pool.imap(worked, jobs), 1):
            rows[name] += found
            spent[name] += taken
            if done % 20 == 0 or done == len(jobs):
                print(f"{done} of {len(jobs)} jobs", file=sys.stderr, flush=True)
    told = ", ".join(f"{name} {taken:.0f} s" for name, taken in spent.items())
    print(f"processor time: {told}", file=sys.stderr)
    return rows


def main() -> None:
    """Do what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration", description=__doc__)
    parser.add_argument("parts", nargs="*", help="items, methods, cases, ...; all unless told")
    parser.add_argument("--quick", action="store_true", help="a hundredth of the simulations")
    parser.add_argument("--divisor", type=int, default=1, help="so many times fewer simulations")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--json", type=Path, help="also write the numbers to this file")
    parser.add_argument("--from", dest="source", type=Path, help="numbers of an earlier run")
    arguments = parser.parse_args()
    if arguments.source:
        content = json.loads(arguments.source.read_text(encoding="utf-8"))
    else:
        divisor = 100 if arguments.quick else arguments.divisor
        rows = simulated(arguments.parts, divisor, arguments.processes)
        content = {"divisor": divisor, "rows": rows}
    if arguments.json:
        arguments.json.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    lines = list(page.lines(content))
    print(*lines, sep="\n")
    if not (arguments.quick or arguments.parts):
        write_page(page.PAGE, summarised(page.PAGE, "\n".join(lines) + "\n"))


if __name__ == "__main__":
    main()
