"""Files and engines: how much counting costs beyond what the engine itself takes."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import duckdb

import ordeval as oe
from benchmarks.timing import in_turn, row, seconds

__all__ = ["rows"]

JAVA = 1.4  # seconds: the authors' own program on 70,412 items, on a machine of two cores
GROUPED = "SELECT gold, pred, count(*) FROM '{}' GROUP BY ALL"
JOINED = "SELECT g.label, s.label, count(*) FROM '{}' g JOIN '{}' s USING (item) GROUP BY ALL"
# The peak of a process's own memory, in kB: what getrusage tells includes that of the process which started it.
PEAK = (
    "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
)


def rows(*, quick: bool) -> Iterator[dict[str, Any]]:
    """Time a wide file, two files joined, Spark, Dask, and a command from start to finish."""
    n = 10**6 if quick else 10**7
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        yield wide(here, n)
        yield from sliced(here, n)
        yield joined(here, n)
        yield from engines(here, n)
        yield command(here)


def evaluate(*arguments: str | Path) -> None:
    """Run `ordeval evaluate` in this process, and keep it quiet."""
    from ordeval.cli import main

    with contextlib.redirect_stdout(io.StringIO()):
        main(["evaluate", *map(str, arguments)], standalone_mode=False)


DATABASE = duckdb.connect()  # opened once: what that costs is no part of a query


def query(text: str) -> None:
    """Run a query."""
    DATABASE.execute(text).fetchall()


def wide(here: Path, n: int) -> dict[str, Any]:
    """Time a wide Parquet file; what the command takes on six rows is its start-up."""
    columns = "(i % 7 % 5)::INTEGER AS gold, (i * 31 % 11 % 5)::INTEGER AS pred"
    for name, size in (("wide", n), ("tiny", 6)):
        query(f"COPY (SELECT {columns} FROM range({size}) t(i)) TO '{here / name}.parquet'")
    options = ("--gold", "gold", "--pred", "pred")
    evaluate(here / "tiny.parquet", *options)
    start = min(seconds(lambda: evaluate(here / "tiny.parquet", *options)) for _ in range(7))
    times = in_turn(
        lambda: evaluate(here / "wide.parquet", *options),
        lambda: query(GROUPED.format(here / "wide.parquet")),
    )
    work = f"evaluate {n:,} rows, wide (+ {start:.2f} s)"
    return row(work, "DuckDB's GROUP BY", times, "at most 1.3 times the time", beyond=start)


def sliced(here: Path, n: int) -> Iterator[dict[str, Any]]:
    """Time the count of a wide file, and of arrays, with eight slices against the same count without."""
    path = str(here / "sliced.parquet")
    columns = "(i % 7 % 5)::INTEGER AS gold, (i * 31 % 11 % 5)::INTEGER AS pred, (i * 7 % 8)::INTEGER AS part"
    query(f"COPY (SELECT {columns} FROM range({n}) t(i)) TO '{path}'")
    goal = "at most 1.2 times the time"
    runs = partial(oe.Runs.from_wide, path, gold="gold", predicted="pred")
    times = in_turn(lambda: runs(by="part"), runs)
    yield row(f"count {n:,} rows of Parquet in 8 slices", "the same without slices", times, goal)
    arrays = DATABASE.execute(f"SELECT gold, pred, part FROM '{path}'").fetchnumpy()
    counted = partial(oe.Runs.from_labels, arrays["gold"], {"system": arrays["pred"]})
    times = in_turn(lambda: counted(by={"part": arrays["part"]}), counted)
    yield row(f"count {n:,} items of arrays in 8 slices", "the same without slices", times, goal)


def joined(here: Path, n: int) -> dict[str, Any]:
    """Time gold and one system in two Parquet files, joined by id, and look at the memory that it takes."""
    for name, step in (("gold", 7919), ("run", 104729)):
        text = f"SELECT 'd' || lpad((i * {step} % {n})::VARCHAR, 8, '0') AS item, (i % 7 % 5)::INTEGER AS label"
        query(f"COPY ({text} FROM range({n}) t(i)) TO '{here / name}.parquet'")
        query(f"COPY ({text} FROM range(6) t(i)) TO '{here / name}6.parquet'")
    files, few = (
        (here / "gold.parquet", here / "run.parquet"),
        (here / "gold6.parquet", here / "gold6.parquet"),
    )
    evaluate(*few)
    start = min(seconds(lambda: evaluate(*few)) for _ in range(5))
    times = in_turn(lambda: evaluate(*files), lambda: query(JOINED.format(*files)), repeats=9)
    code = f"from benchmarks.files import evaluate; evaluate({str(files[0])!r}, {str(files[1])!r}); {PEAK}"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    peak = int(ran.stdout) / 2**20
    work = f"evaluate 2 files of {n:,} ids, {peak:.2f} GB"
    return row(
        work,
        "DuckDB's JOIN and GROUP BY",
        times,
        "at most 1.15 times the time, under 2 GB",
        beyond=start,
    )


def engines(here: Path, n: int) -> Iterator[dict[str, Any]]:
    """Time the count inside Spark and Dask against their own group-by; an engine that is not installed is left out."""
    path = str(here / "wide.parquet")
    for name, engine in (("Dask", dask), ("Spark", spark)):
        before = dict(os.environ)
        try:
            times = engine(path)
        except ImportError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
            continue
        finally:  # Dask leaves settings behind that make every later process give memory back at once
            os.environ.clear()
            os.environ.update(before)
        yield row(
            f"count {n:,} rows in {name}",
            f"{name}'s own group-by",
            times,
            "at most 1.3 times the time",
        )


def dask(path: str) -> tuple[list[float], list[float]]:
    """Time a Dask cluster of two processes."""
    import logging

    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    logging.getLogger("distributed.shuffle").setLevel(logging.ERROR)  # it tells of every group-by
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        Client(cluster),
    ):
        data = dd.read_parquet(path, split_row_groups=True).persist()
        return in_turn(
            lambda: oe.Table.from_frame(data, gold="gold", predicted="pred"),
            lambda: data.groupby(["gold", "pred"]).size().compute(),
            repeats=7,
        )


def spark(path: str) -> tuple[list[float], list[float]]:
    """Time a Spark session on this machine."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )
    try:
        data = session.read.parquet(path)
        return in_turn(
            lambda: oe.Table.from_frame(data, gold="gold", predicted="pred"),
            lambda: data.groupBy("gold", "pred").count().collect(),
            repeats=9,
        )
    finally:
        session.stop()


def command(here: Path) -> dict[str, Any]:
    """Time `ordeval evaluate` on RepLab's items, or as many others, from start to finish."""
    shared = Path(__file__).resolve().parents[2] / "shared" / "data" / "replab2013_polarity"
    files = [shared / "gold.csv.gz", shared / "systems.csv.gz"]
    if not shared.is_dir():
        files = made_up(here)
    arguments = [sys.executable, "-m", "ordeval", "evaluate", *map(str, files), "--missing", "zero"]
    run: Callable[[], Any] = lambda: subprocess.run(arguments, capture_output=True, check=True)  # noqa: E731
    times = [seconds(run) for _ in range(5)]
    return row(
        "evaluate 70,412 items, start to finish",
        "the authors' Java",
        (times, [JAVA] * 5),
        "at least as fast",
    )


def made_up(here: Path) -> list[Path]:
    """Write a collection of the size of RepLab's."""
    files = [here / "gold.csv.gz", here / "systems.csv.gz"]
    label = "(i * 37 % 11 % 3) - 1"
    for file, system in zip(files, ("", "'run' AS system, "), strict=True):
        case = "'t' || (i % 61) AS \"case\", 220520345218711553 + i AS item"
        made = f"SELECT {case}, {system}{label} AS label FROM range(70412) t(i)"
        query(f"COPY ({made}) TO '{file}'")
    return files
