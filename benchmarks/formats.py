"""Files by format, wide and joined, against the bare queries of DuckDB and polars, and pandas with scikit-learn."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb

import ordeval as oe
from benchmarks.timing import absent, row, side_by_side

__all__ = ["rows"]

GOALS = {  # by whether files are joined, and by format
    ("wide", "parquet"): "at most 1.3 times",
    ("wide", "csv"): "at most 1.2 times",
    ("joined", "parquet"): "at most 1.3 times",
    ("joined", "csv"): "at most 1.15 times",
}


def rows(*, quick: bool) -> Iterator[dict[str, Any]]:
    """Time counting a file, reading included."""
    n = 10**5 if quick else 10**7
    with tempfile.TemporaryDirectory() as folder:
        for format_ in ("parquet", "csv"):
            wide = write(
                Path(folder), "wide", format_, n, "(i % 7 % 5) AS gold, (i * 31 % 11 % 5) AS pred"
            )
            yield from of_one(f"count {n:,} rows, wide {format_}", wide, GOALS["wide", format_])
            item = "'d' || lpad((i * {} % {})::VARCHAR, 8, '0') AS item, (i % {} % 5) AS label"
            gold = write(Path(folder), "gold", format_, n, item.format(7919, n, 7))
            run = write(Path(folder), "run", format_, n, item.format(104729, n, 11))
            name = f"count {n:,} rows, joined {format_}"
            yield from of_two(name, gold, run, GOALS["joined", format_])
            for path in (wide, gold, run):
                path.unlink()


def write(folder: Path, name: str, format_: str, n: int, columns: str) -> Path:
    """Write a file with DuckDB."""
    path = folder / f"{name}.{format_}"
    with duckdb.connect() as connection:
        connection.execute(f"COPY (SELECT {columns} FROM range({n}) t(i)) TO '{path}'")
    return path


def query(text: str) -> Any:
    """Run a query in a database of its own."""
    with duckdb.connect() as connection:
        return connection.execute(text).fetchall()


def scan(path: Path) -> Any:
    """Return polars' lazy frame of a file."""
    import polars as pl

    return pl.scan_parquet(path) if path.suffix == ".parquet" else pl.scan_csv(path)


def read(path: Path) -> Any:
    """Return pandas' frame of a file."""
    import pandas as pd

    return pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_csv(path)


def kappa(gold: Any, predicted: Any) -> Any:
    """Score with scikit-learn."""
    from sklearn.metrics import cohen_kappa_score

    return cohen_kappa_score(gold, predicted, weights="quadratic")


def of_one(work: str, path: Path, goal: str) -> Iterator[dict[str, Any]]:
    """Time one wide file."""

    def pandas() -> Any:
        frame = read(path)
        return kappa(frame["gold"], frame["pred"])

    theirs = {
        "DuckDB GROUP BY": lambda: query(f"SELECT gold, pred, count(*) FROM '{path}' GROUP BY ALL"),
        "polars group_by": lambda: scan(path).group_by("gold", "pred").len().collect(),
        "pandas, scikit-learn": pandas,
    }
    yield from against(
        work,
        lambda: oe.cem_ord(oe.Runs.from_wide(path, gold="gold", predicted="pred").table),
        theirs,
        goal,
    )


def of_two(work: str, gold: Path, run: Path, goal: str) -> Iterator[dict[str, Any]]:
    """Time gold and answers in two files, joined by item."""

    def polars() -> Any:
        joined = scan(gold).join(scan(run), on="item", suffix="_run")
        return joined.group_by("label", "label_run").len().collect()

    def pandas() -> Any:
        joined = read(gold).merge(read(run), on="item")
        return kappa(joined["label_x"], joined["label_y"])

    text = f"SELECT g.label, s.label, count(*) FROM '{gold}' g JOIN '{run}' s USING (item) GROUP BY ALL"
    theirs = {
        "DuckDB JOIN, GROUP BY": lambda: query(text),
        "polars join": polars,
        "pandas, scikit-learn": pandas,
    }
    yield from against(
        work, lambda: oe.cem_ord(oe.Runs.from_files(gold, [run]).table), theirs, goal
    )


def against(
    work: str, ours: Callable[[], Any], theirs: dict[str, Callable[[], Any]], aim: str
) -> Iterator[dict[str, Any]]:
    """Time ours and each of theirs in turn."""
    for name, call in theirs.items():
        goal = "first" if name.startswith("pandas") else aim
        try:
            yield row(work, name, side_by_side(ours, call, budget=20.0), goal)
        except ImportError:
            yield absent(work, name, "not installed", goal)
