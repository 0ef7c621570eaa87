"""What a machine of 2 GB can do: each case in a process of its own, with its peak memory and processor time.

`python -m benchmarks.limits` prints the table, writes it to docs/reference/limits.md, and ends with status 1 if a case
takes more memory than its limit. `python -m benchmarks.limits NAME...` runs some of the cases and writes nothing.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import ordeval as oe
from benchmarks.machine import machine
from benchmarks.peak import peak_megabytes
from benchmarks.written import between_marks
from ordeval.comparison.score_runs import score_runs

__all__ = ["CASES", "LimitCase", "Measured", "measured"]

TWO_GIGABYTES = 2000  # in megabytes
ONLY = "--only"
PAGE = Path(__file__).parents[1] / "docs" / "reference" / "limits.md"


@dataclass(frozen=True)
class LimitCase:
    """A piece of work, how it is called in the table, and the most memory in megabytes that it may take."""

    name: str
    what: str
    work: Callable[[], Any]
    limit: int = TWO_GIGABYTES


@dataclass(frozen=True)
class Measured:
    """What a case took; the seconds are those of the processor, which other work on the machine does not change."""

    megabytes: float
    seconds: float


def answers(systems: int, items: int, classes: int, **options: Any) -> oe.Runs:
    """Make systems that are right more and more often."""
    rng = np.random.default_rng(0)
    gold = rng.integers(classes, size=items)
    right = np.linspace(0.2, 0.8, systems)
    given = {
        f"system {at}": np.where(
            rng.random(items) < right[at], gold, rng.integers(classes, size=items)
        )
        for at in range(systems)
    }
    return oe.Runs.from_labels(gold, given, labels=range(classes), **options)


def labels_of(items: int, classes: int) -> tuple[Any, Any]:
    """Make gold and predicted labels."""
    gold, predicted = np.random.default_rng(0).integers(classes, size=(2, items))
    return gold, predicted


def cases_of_two_items(cases: int) -> oe.Runs:
    """Make two systems on test cases of two items each."""
    return answers(2, 2 * cases, 5, case=np.repeat(np.arange(cases), 2))


def wide_file(rows: int, folder: Path) -> Path:
    """Write a file of gold and two systems, some rows at a time."""
    path, rng = folder / "wide.csv", np.random.default_rng(0)
    lines = np.array([f"{g},{a},{b}\n" for g in range(5) for a in range(5) for b in range(5)])
    with path.open("w", encoding="utf-8") as file:
        file.write("gold,a,b\n")
        for _ in range(0, rows, 1_000_000):
            file.write("".join(lines[rng.integers(125, size=min(rows, 1_000_000))].tolist()))
    return path


def compare_file(rows: int) -> None:
    """Compare the two systems of a wide file."""
    with tempfile.TemporaryDirectory() as folder:
        path = wide_file(rows, Path(folder))
        oe.compare(oe.Runs.from_wide(path, gold="gold", predicted=["a", "b"]))


def compare_thousand() -> int:
    """Compare very many systems, and write what was found."""
    found = oe.compare(answers(1000, 20, 5), n_resamples=999)
    return sum(len(piece) for form in ("text", "json") for piece in found.pieces(form))


def report_of(systems: int) -> str:
    """Return the page of many systems."""
    from ordeval.report import render

    return render(oe.compare(answers(systems, 1000, 5)))


CASES = (
    LimitCase(
        "1,000 systems of 20 items",
        "`compare`, all 499,500 pairs by six measures, 999 resamples, as text and as JSON, as `ordeval compare` writes",
        compare_thousand,
    ),
    LimitCase(
        "1,000 systems of 1,000 items",
        "scores and intervals by six measures, as `ordeval evaluate`",
        lambda: score_runs(answers(1000, 1000, 5)).write("json"),
    ),
    LimitCase(
        "300 systems of 1,000 items",
        "`compare`, all 44,850 pairs by six measures, as JSON",
        lambda: oe.compare(answers(300, 1000, 5)).write("json"),
    ),
    LimitCase(
        "100,000 test cases of 2 items",
        "`compare` of two systems",
        lambda: oe.compare(cases_of_two_items(100_000)),
    ),
    LimitCase(
        "20,000 test cases, 9,999 resamples",
        "`compare` of two systems, percentile intervals",
        lambda: oe.compare(cases_of_two_items(20_000), method="percentile"),
    ),
    LimitCase(
        "100,000 test cases, 999 resamples",
        "`compare` of two systems, percentile intervals",
        lambda: oe.compare(cases_of_two_items(100_000), method="percentile", n_resamples=999),
    ),
    LimitCase(
        "1,000,000 resamples",
        "`compare` of two systems on 1,000 items, percentile intervals",
        lambda: oe.compare(answers(2, 1000, 5), method="percentile", n_resamples=1_000_000),
    ),
    LimitCase(
        "1,000 classes",
        "`evaluate` of 100,000 items",
        lambda: oe.evaluate(*labels_of(100_000, 1000), labels=range(1000)),
    ),
    LimitCase(
        "10,000,000 rows of a CSV file",
        "`Runs.from_wide` and `compare` of two systems",
        lambda: compare_file(10_000_000),
    ),
    LimitCase(
        "report of 100 systems",
        "`ordeval report` of 1,000 items",
        lambda: report_of(100),
    ),
)


def measured(case: LimitCase) -> Measured:
    """Run a case in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.limits", ONLY, case.name],
        check=True, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    return Measured(**json.loads(done.stdout.splitlines()[-1]))


def run_one(name: str) -> None:
    """Do the work of a case in this process, and print what it took."""
    (case,) = (case for case in CASES if case.name == name)
    case.work()
    print(json.dumps({"megabytes": peak_megabytes(), "seconds": time.process_time()}))


def main(arguments: Sequence[str]) -> int:
    """Print the table; return how many cases took more than their limit."""
    if arguments[:1] == [ONLY]:
        run_one(arguments[1])
        return 0
    wanted = [case for case in CASES if not arguments or case.name in arguments]
    lines = [
        f"{machine()}:",
        "",
        "| size | work | peak memory | processor time |",
        "|---|---|---|---|",
    ]
    print(*lines, sep="\n")
    failed = 0
    for case in wanted:
        took = measured(case)
        over = took.megabytes > case.limit
        failed += over
        mark = f" (more than {case.limit:,} MB)" if over else ""
        lines.append(
            f"| {case.name} | {case.what} | {took.megabytes:,.0f} MB{mark} | {took.seconds:,.0f} s |"
        )
        print(lines[-1], flush=True)
    if not arguments:
        between_marks(PAGE, "limits", lines)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
