"""Numbers for people: a line of the table, and docs/evidence/benchmarks.md from the numbers that a run kept."""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import board
from benchmarks.summaries import benchmarks_answer, summarised, three
from benchmarks.written import answer_in_index, between_marks, write_page

__all__ = ["LIBRARIES", "excerpt", "line", "write"]

LIBRARIES = [
    "ordeval",
    "numpy",
    "scipy",
    "scikit-learn",
    "skordinal",
    "dlordinal",
    "ordinal-xai",
    "pycm",
    "imbalanced-learn",
    "krippendorff",
    "irrCAC",
    "statsmodels",
    "torch",
    "torchmetrics",
    "confidenceinterval",
    "pandas",
    "polars",
    "pyarrow",
    "duckdb",
    "pyspark",
    "dask",
]
TITLES = {
    "one": "One measure",
    "core": "All measures, and starting up",
    "intervals": "Intervals",
    "paired": "Paired comparisons",
    "ratings": "Agreement among raters",
    "judges": "Judges and corrected scores",
    "decisions": "Probabilities and decisions",
    "files": "Files and engines",
    "formats": "Files by format",
    "comparison": "A whole comparison",
    "many": "Many systems, classes and slices",
    "reports": "Reports of many systems",
    "meta": "Meta-evaluation",
    "properties": "Formal properties",
    "growth": "Growth",
}
PAGE = Path(__file__).parents[1] / "docs" / "evidence" / "benchmarks.md"
README = Path(__file__).parents[1] / "README.md"
SHOWN = (  # in the README: five rows, also some where others are faster
    "weighted_kappa, 1,000 items, int64",
    "weighted_kappa, 10,000,000 items, int64",
    "weighted_kappa, 9,999 resamples, 10,000 items",
    "count 10,000,000 rows, wide csv",
    "ordeval evaluate, CSV of 1,000 rows",
)
GIGABYTES = 2  # the most memory that a row with a limit may take


def described(seconds: float) -> str:
    """Write a time with a unit that suits it."""
    unit, size = next(
        ((unit, size) for unit, size in (("s", 1.0), ("ms", 1e-3)) if seconds >= size),
        ("us", 1e-6),
    )
    return f"{three(seconds / size)} {unit}"


def verdict(row: dict[str, Any]) -> str:
    """Say how ours compares with theirs, with the spread over the repeats."""
    if "missing" in row:
        return row["missing"]
    if "exponent" in row:
        memory = f", memory {row['memory']:.2f}" if "memory" in row else ""
        return f"exponent {row['exponent']:.2f}{memory}"
    ratio, spread = row["ratio"], row.get("spread", [])
    if ratio >= 1:
        ends = [three(x) for x in spread]
        text = f"{three(ratio)} times faster"
    else:
        ends = [three(1 / x) for x in reversed(spread)]
        text = f"{three(1 / ratio)} times the time"
    text += f" ({ends[0]} to {ends[1]})" if len(set(ends)) > 1 else ""
    return text + (f", {three(row['megabytes'])} MB" if "megabytes" in row else "")


def reached(row: dict[str, Any]) -> str:
    """Tell whether a row reaches its goal, where that can be told from a number."""
    goal = row.get("goal") or ""
    if "missing" in row or not goal:
        return ""
    words = goal.replace(",", "").split()
    numbers = [float(word) for word in words if word.replace(".", "", 1).isdigit()]
    if "exponent" in row:
        return "yes" if row["exponent"] <= numbers[0] else "no"
    if goal.startswith("at most"):
        return "yes" if 1 / row["ratio"] <= numbers[0] else "no"
    if row.get("megabytes", 0) >= GIGABYTES * 1000:
        return "no"
    least = numbers[0] if numbers and "faster" in words else 1.0
    return "yes" if row["ratio"] >= least else "no"


def line(row: dict[str, Any]) -> str:
    """Return a row as a line of text."""
    ours, theirs = (described(row[key]) if key in row else "" for key in ("ours", "theirs"))
    goal = f"; goal: {row['goal']}" if row.get("goal") else ""
    missed = ", missed" if reached(row) == "no" else ""
    return f"{row['work']:<50} {row['competitor']:<52} {ours:>9} {theirs:>9}  {verdict(row)}{goal}{missed}"


def table(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Write rows in Markdown."""
    yield "| work | against | ours | theirs | ours is (spread over repeats) | goal | reached |"
    yield "|---|---|---:|---:|---|---|---|"
    for row in rows:
        ours, theirs = (described(row[key]) if key in row else "" for key in ("ours", "theirs"))
        cells = (
            row["work"],
            row["competitor"],
            ours,
            theirs,
            verdict(row),
            row.get("goal", ""),
            reached(row),
        )
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def points(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Write the points behind the exponents."""
    yield "| what grows | size: time, peak memory beyond the input |"
    yield "|---|---|"
    for row in rows:
        if "points" in row:
            told = [
                f"{p['size']:,}: {described(p['seconds'])}"
                + (f", {p['bytes'] / 2**20:.2g} MiB" if "bytes" in p else "")
                for p in row["points"]
            ]
            yield f"| {row['work'].removeprefix('growth in ')} | {'; '.join(told)} |"


def best(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return, for each piece of work, the row of the strongest competitor."""
    strongest: dict[str, dict[str, Any]] = {}
    for row in rows:
        if not row.get("goal") or "ratio" not in row:
            continue
        if row["ratio"] < strongest.get(row["work"], {"ratio": math.inf})["ratio"]:
            strongest[row["work"]] = row
    return list(strongest.values())


def page(content: dict[str, Any]) -> Iterator[str]:
    """Write the page of the site."""
    rows = content["rows"]
    goals = [reached(row) for row in rows if reached(row)]
    yield from ("# Benchmarks: comparison with other libraries", "")
    if content["quick"]:
        yield from (
            "**A quick run on small inputs, on a busy machine: the figures show the form, not the speed.**",
            "",
        )
    yield (
        f"`make bench` on {content['date']}: {content['machine']}. ordeval (ours) and the other library (theirs) "
        f"ran in turn in one process. A time is the median of several repeats; a ratio is the median of the ratios of "
        f"the repeats, and its spread is their range. *From N* means that theirs was timed on N items or resamples, "
        f"and the time was scaled up. {goals.count('yes')} of {len(goals)} goals were reached. Times depend on the "
        f"machine, so run it on yours."
    )
    for part, title in TITLES.items():
        own = [row for row in rows if row["part"] == part]
        if own:
            yield from ("", f"## {title}", "", *table(own))
        if part == "growth" and own:
            yield from ("", *points(own))
    if content["board"]:
        yield from ("", "## Correctness", "", INTRODUCTION, "", *board.lines(content["board"]))
    yield from ("", "## Versions", "")
    yield ", ".join(f"{name} {version}" for name, version in content["versions"].items()) + "."


INTRODUCTION = (
    "Each library is called in the way that suits it best. *Right with an option* means that the result is right "
    "only if an option repeats what the data already say; *as documented* means another result, which the "
    "library's documentation describes; *refused* means an error although there is a right result. An empty cell "
    "means that the library does not have the measure."
)


def excerpt(content: dict[str, Any]) -> Iterator[str]:
    """Write the lines that the README shows: the strongest competitor for some of the work."""
    label = " (a quick run on small inputs)" if content["quick"] else ""
    yield f"`make bench` on {content['date']}{label}, {content['machine']}:"
    yield ""
    yield "| work | strongest competitor | ours | theirs | ours is (spread over repeats) |"
    yield "|---|---|---:|---:|---|"
    strongest = best(content["rows"])
    picked = [row for part in SHOWN for row in strongest if row["work"] == part]
    for row in picked:
        times = f"{described(row['ours'])} | {described(row['theirs'])}"
        yield f"| {row['work']} | {row['competitor']} | {times} | {verdict(row)} |"


def write(source: Path) -> None:
    """Write docs/evidence/benchmarks.md, its row in the index, and the excerpt between the marks of the README."""
    content = json.loads(source.read_text(encoding="utf-8"))
    text = "\n".join(page(content)) + "\n"
    write_page(PAGE, summarised(PAGE, text))
    answer_in_index(PAGE.with_name("index.md"), PAGE.name, benchmarks_answer(text))
    between_marks(README, "benchmarks", excerpt(content))
    print(PAGE)
