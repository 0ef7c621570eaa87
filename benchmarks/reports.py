"""The page of as many systems as a large shared task has, from files to the page."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.command import took
from benchmarks.timing import row

__all__ = ["rows"]

CLASSES = 5
GOALS = {100: 20.0, 200: 60.0}  # seconds by the number of systems
MOST_MEGABYTES = 2000


def written(folder: Path, systems: int, items: int) -> list[Path]:
    """Write gold and the answers of systems that are right more and more often, a file each; gold comes first."""
    rng = np.random.default_rng(0)
    gold = rng.integers(CLASSES, size=items)
    columns = {"gold": gold}
    for at, right in enumerate(np.linspace(0.2, 0.8, systems)):
        other = rng.integers(CLASSES, size=items)
        columns[f"system{at}"] = np.where(rng.random(items) < right, gold, other)
    paths = []
    for name, labels in columns.items():
        path = folder / f"{name}.csv"
        lines = [f"{item},{label}" for item, label in enumerate(labels.tolist())]
        path.write_text("\n".join(["item,label", *lines]) + "\n", encoding="utf-8")
        paths.append(path)
    return paths


def rows(*, quick: bool) -> Iterator[dict[str, Any]]:
    """Measure the processor time of `ordeval report`, and refuse a page that takes too much memory."""
    items, repeats = (200, 1) if quick else (1000, 3)
    for systems, goal in GOALS.items():
        if quick and systems > 100:
            continue
        with tempfile.TemporaryDirectory() as folder:
            paths = written(Path(folder), systems, items)
            page = Path(folder) / "report.html"
            runs = [took("report", *paths, "-o", page) for _ in range(repeats)]
            size = page.stat().st_size / 1e6
        memory = max(one.megabytes for one in runs)
        if memory > MOST_MEGABYTES:
            raise MemoryError(f"the report of {systems} systems took {memory:,.0f} MB")
        yield row(
            f"ordeval report, {systems} systems, {items:,} items",
            f"processor time; page {size:.1f} MB, peak {memory:,.0f} MB",
            ([one.seconds for one in runs], [goal] * repeats),
            f"within {goal:g} s, under 2 GB",
        )
