"""Summaries of the long pages of results, computed from the tables that stand on them.

`python -m benchmarks.summaries` puts a summary and contents on top of docs/evidence/benchmarks.md and calibration.md,
and folds their long tables. It needs no numbers but those of the pages, so that a page of an older run can have them.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median

from ordeval.formats.long_page import condensed, expanded

__all__ = [
    "PAGES",
    "benchmarks_answer",
    "benchmarks_summary",
    "calibration_summary",
    "summarised",
    "three",
]

EVIDENCE = Path(__file__).parents[1] / "docs" / "evidence"
Table = list[dict[str, str]]
NUMBER = re.compile(r"\d[\d,]*\.?\d*")


def tables_of(text: str) -> dict[str, list[Table]]:
    """Return the tables of a page by the heading that stands above them, each row with the names of its columns."""
    found: dict[str, list[Table]] = {}
    heading, head = "", None
    for line in text.split("\n"):
        if line.startswith("#"):
            heading = line.lstrip("# ")
        cells = [cell.strip() for cell in line.strip("|").split(" | ")] if line[:1] == "|" else None
        if cells is None:
            head = None
        elif head is None:
            head = cells
            found.setdefault(heading, []).append([])
        elif not line.startswith(("|---", "| ---")):
            found[heading][-1].append(dict(zip(head, cells, strict=True)))
    return found


def times(row: dict[str, str]) -> float | None:
    """Return how many times faster than the other ours is; None where no times were compared."""
    said = row["ours is (spread over repeats)"]
    match = re.match(r"([\d,.]+) times (faster|the time)", said)
    if match is None:
        return None
    ratio = float(match[1].replace(",", ""))
    return ratio if match[2] == "faster" else 1 / ratio


def three(number: float) -> str:
    """Write three digits of a number."""
    return f"{float(f'{number:.3g}'):,.0f}" if number >= 100 else f"{number:.3g}"


def benchmarks_summary(text: str) -> list[str]:
    """Return what the page of benchmarks shows, in a few sentences."""
    tables = tables_of(expanded(text))
    timed = {title: own[0] for title, own in tables.items() if own[0] and "reached" in own[0][0]}
    goals = [row["reached"] for rows in timed.values() for row in rows if row["reached"]]
    ratios = {
        title: [ratio for row in rows if (ratio := times(row)) is not None]
        for title, rows in timed.items()
    }
    every = [ratio for own in ratios.values() for ratio in own]
    slowest = min(
        (row for rows in timed.values() for row in rows if times(row)),
        key=lambda row: times(row) or 0,
    )
    middle = [f"{title} {three(median(own))}" for title, own in ratios.items() if own]
    missed = {title: sum(row["reached"] == "no" for row in rows) for title, rows in timed.items()}
    told = [f"{title} {number}" for title, number in missed.items() if number]
    traps = tables["Correctness"][0]
    traps = [row for row in traps if row["trap"] != "*version*"]
    libraries = [name for name in traps[0] if name not in {"trap", "ordeval"}]
    wrong = {name: sum(row[name] == "**wrong**" for row in traps) for name in libraries}
    right = sum(row["ordeval"] == "right" for row in traps)
    return [
        f"ordeval is faster than what it is compared with in {sum(x > 1 for x in every)} of {len(every)} comparisons.",
        f"Median of their time divided by ours (above 1, ours is faster), by section: {'; '.join(middle)}.",
        (
            f"The slowest beside its competitor: {slowest['work']} takes {three(1 / (times(slowest) or 1))} "
            f"times the time of {slowest['against']}."
        ),
        f"{goals.count('yes')} of {len(goals)} goals were reached. Goals missed: {'; '.join(told) or 'none'}.",
        (
            f"Correctness: ordeval is right on {right} of {len(traps)} traps. Wrong on at least one: "
            f"{', '.join(f'{name} ({number})' for name, number in wrong.items() if number) or 'none'}."
        ),
    ]


def benchmarks_answer(text: str) -> str:
    """Return what the index of results says about the page of benchmarks."""
    summary = "\n".join(benchmarks_summary(text))
    faster, right = re.findall(r"in (\d+ of \d+) comparisons|on (\d+ of \d+) traps", summary)
    return (
        f"Faster in {faster[0]} comparisons, and right on {right[1]} traps. "
        f"It is slower to start than to import NumPy."
    )


def shares(rows: Iterable[dict[str, str]], columns: Iterable[str] | None = None) -> list[float]:
    """Return the percentages in some columns of rows; without columns, in all that hold one or several of them."""
    found: list[float] = []
    for row in rows:
        for name, cell in row.items():
            if name in columns if columns is not None else re.search(r"\d\.\d", cell):
                found += [float(number) for number in NUMBER.findall(cell)]
    return found


def ends(numbers: list[float]) -> str:
    """Write the lowest and the highest of some percentages."""
    return f"{min(numbers):.1f} to {max(numbers):.1f}%"


def calibration_summary(text: str) -> list[str]:
    """Return what the page of calibration shows, in a few sentences."""
    text = expanded(text)
    tables = tables_of(text)
    flat = " ".join(text.split())
    inside = re.findall(r"(\d+) of (\d+) rows lie within 93 to 97%", flat)
    items = tables["Intervals over items"][0]
    low = min(items, key=lambda row: min(shares([row])))
    methods = tables["Comparison with the bootstrap"][0]
    lowest = {row["method"]: min(shares([row])) for row in methods if row["system"] == "99% right"}
    cases = tables["The bootstrap over test cases"][0]
    fewest = {row["method"]: ends(shares([row])) for row in cases if row["cases"] == "5"}
    pooled = tables["Pooled scores of clustered cases"][0]
    whole, single = (
        ends(shares(row for row in pooled if row["left out"] == unit))
        for unit in ("whole cases", "items")
    )
    sizes = re.search(r"\d+ of \d+ sizes of t and [^:]*", flat)
    many = [row for row in tables["Many systems"][0] if row["correction"] == "maxt"]
    best = tables["The best set and the ranks"][0]
    plans = re.search(r"\d+ of \d+ plans have a power within 5 points of 80%", flat)
    units = ("items", "test cases", "marks of raters")
    counted = ", ".join(
        f"{unit} {some} of {every}" for unit, (some, every) in zip(units, inside, strict=True)
    )
    few = re.findall(r"\*\*Fewer than three errors are expected[^*]*\*\* (\d+) row", flat)
    others = sum(int(every) - int(some) for some, every in inside[:2])
    return [
        f"Populations in which a 95% interval contains the true score in 93 to 97% of samples: {counted}.",
        (
            f"Of the {others} other populations of items and test cases, {sum(map(int, few))} expect fewer than three "
            f"errors; there the intervals contain the true score more often than 97%."
        ),
        f"The lowest coverage over items is {min(shares([low])):.1f}%, of {low['measure']}.",
        (
            f"For systems that are 99% right, the lowest coverage is {lowest['t']:.1f}% by t, "
            f"{lowest['percentile']:.1f}% by the percentile bootstrap and {lowest['bca']:.1f}% by BCa."
        ),
        f"With five test cases, coverage is {fewest['t']} by t and {fewest['percentile']} by the percentile bootstrap.",
        f"For pooled scores of clustered cases it is {whole} if whole cases are left out, and {single} if items are.",
        f"Tests of two systems with equal scores at 0.05: {sizes[0] if sizes else ''}.",
        (
            f"Ten equal systems: any false difference among the 45 pairs is found in {ends(shares(many))} of samples "
            f"(maxt, the default)."
        ),
        (
            f"The set of the best has the best system in at least {min(shares(best, ['best is in the set'])):.1f}% "
            f"of samples, and all ranks hold in at least {min(shares(best, ['all ranks hold'])):.1f}%."
        ),
        f"Planning: {plans[0] if plans else ''}.",
    ]


PAGES: dict[Path, Callable[[str], list[str]]] = {
    EVIDENCE / "benchmarks.md": benchmarks_summary,
    EVIDENCE / "calibration.md": calibration_summary,
}


def summarised(path: Path, text: str) -> str:
    """Return the text of a page with its summary and contents on top, and its long tables folded."""
    return condensed(text, PAGES[path](text))


if __name__ == "__main__":
    for path in PAGES:
        path.write_text(summarised(path, path.read_text(encoding="utf-8")), encoding="utf-8")
        print(path)
