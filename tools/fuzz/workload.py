"""The commands that faults happen to: their files, what they write undisturbed, and how their files may change."""

import functools
import json
import math
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet

from tools.fuzz.processes import Command, run_forked, undisturbed
from tools.fuzz.trial import Finding

ITEMS = 4000
SCORED = ["--metrics", "accuracy", "--format", "json"]
# Command lines, and how often each is drawn; JOINED stands for the files of gold and two systems.
COMMANDS: dict[str, tuple[int, list[str]]] = {
    "evaluate": (5, ["evaluate", "JOINED", *SCORED]),
    "compare": (4, ["compare", "JOINED", *SCORED, "--resamples", "199"]),
    "text": (2, ["evaluate", "JOINED"]),
    "wide": (3, ["evaluate", "wide.csv", "--gold", "truth", "--pred", "a", "--pred", "b", *SCORED]),
    "resampled": (2, ["evaluate", "JOINED", *SCORED, "--interval", "bca", "--resamples", "20000"]),
    "check": (2, ["check", "JOINED", "--format", "json"]),
    "count": (3, ["count", "JOINED"]),
    "merge": (2, ["merge", "one.json", "two.json"]),
    "score": (2, ["score", "one.json", "two.json", *SCORED]),
    "report": (1, ["report", "JOINED"]),
}
ENDINGS = [".csv", ".csv", ".csv.gz", ".csv.zst", ".jsonl", ".parquet"]


def labels_of(seed: int) -> tuple[list[int], dict[str, list[int]]]:
    """Return gold and the answers of two systems."""
    rng = Random(seed)
    gold = [rng.randint(1, 5) for _ in range(ITEMS)]
    answers = {
        name: [g if rng.random() < right else rng.randint(1, 5) for g in gold]
        for name, right in (("a", 0.6), ("b", 0.4))
    }
    return gold, answers


def packed(rows: list[dict[str, Any]], ending: str) -> bytes:
    """Write rows as a file of some format."""
    stream = pa.BufferOutputStream()
    if ending == ".parquet":
        pyarrow.parquet.write_table(pa.Table.from_pylist(rows), stream)
        return bytes(stream.getvalue())
    lines = (
        [json.dumps(row) for row in rows]
        if ending == ".jsonl"
        else [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
    )
    compression = {".gz": "gzip", ".zst": "zstd"}.get(Path(ending).suffix)
    with pa.output_stream(stream, compression=compression) as packing:
        packing.write("".join(f"{line}\n" for line in lines).encode())
    return bytes(stream.getvalue())


@functools.cache
def contents(ending: str, seed: int = 1, items: int = ITEMS) -> dict[str, bytes]:
    """Return the files of gold, of two systems and of all three side by side, by name."""
    gold, answers = labels_of(seed)
    columns = {f"gold{ending}": ("gold", gold)} | {
        f"{s}{ending}": ("pred", a) for s, a in answers.items()
    }
    files = {
        name: packed(
            [{"id": f"d{at}", role: label} for at, label in enumerate(labels[:items])], ending
        )
        for name, (role, labels) in columns.items()
    }
    rows = [
        {"id": at, "truth": g, "a": a, "b": b}
        for at, (g, a, b) in enumerate(zip(gold[:items], *answers.values(), strict=False))
    ]
    return files | {"wide.csv": packed(rows, ".csv")}


def line_of(name: str, ending: str) -> list[str]:
    """Return the arguments of a command of the list."""
    joined = [f"{file}{ending}" for file in ("gold", "a", "b")]
    return [one for word in COMMANDS[name][1] for one in (joined if word == "JOINED" else [word])]


@dataclass(frozen=True)
class Baseline:
    """What a command writes undisturbed, and how long it takes."""

    written: bytes
    seconds: float


def lay_out(folder: Path, files: dict[str, bytes], name: str) -> None:
    """Write the files of a command, and make its temporary folder."""
    (folder / "tmp").mkdir()
    for file, data in files.items():
        (folder / file).write_bytes(data)
    if name in {"merge", "score"}:
        for file in ("one.json", "two.json"):
            (folder / file).write_bytes(baseline("count", ".csv").written)


@functools.cache
def baseline(name: str, ending: str, change: str = "") -> Baseline:
    """Run a command undisturbed, on the files or on those that have been changed already."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        lay_out(folder, contents(ending), name)
        if change:
            CHANGES[change](folder / changed_file(name, ending), name, ending)
        command = Command([*line_of(name, ending), "-o", "out"], folder, folder / "tmp")
        start = time.monotonic()
        status = run_forked(command, undisturbed)
        took = time.monotonic() - start
        written = (folder / "out").read_bytes() if (folder / "out").exists() else b""
    if not change:
        if status != 0:
            raise Finding(f"status {status} of the undisturbed {command.arguments}")
        check_numbers(name, written)
    return Baseline(written if status in {0, 1} else b"", took)


def check_numbers(name: str, written: bytes) -> None:
    """Compare the accuracies in an output with those of a plain count."""
    if name not in {"evaluate", "compare", "wide", "resampled", "score"}:
        return
    gold, answers = labels_of(1)
    for system in json.loads(written)["systems"]:
        right = sum(g == a for g, a in zip(gold, answers[system["name"]], strict=True)) / ITEMS
        if not math.isclose(system["scores"]["accuracy"]["value"], right, rel_tol=1e-12):
            raise Finding(f"accuracy of {system} instead of {right}", "another number")


def changed_file(name: str, ending: str) -> str:
    """Return the input that changes."""
    return {"wide": "wide.csv", "merge": "two.json", "score": "two.json"}.get(name, f"a{ending}")


def replaced(path: Path, name: str, ending: str) -> None:
    """Put another file in the place of one, at once."""
    new = (
        baseline("count", ".jsonl").written.replace(b"[", b"[ ")
        if path.suffix == ".json"
        else contents(ending, 2)[path.name]
    )
    (part := path.with_name("part")).write_bytes(new)
    part.replace(path)
    del name


def deleted(path: Path, name: str, ending: str) -> None:
    """Remove a file."""
    del name, ending
    path.unlink()


def emptied(path: Path, name: str, ending: str) -> None:
    """Leave nothing of what a file says."""
    del name, ending
    path.write_bytes(b"")


def truncated(path: Path, name: str, ending: str) -> None:
    """Cut a file, in the middle of a line or of a block."""
    del name, ending
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size * 3 // 5)


def appended(path: Path, name: str, ending: str) -> None:
    """Write more to the end of a file, in one go."""
    del name, ending
    with path.open("ab") as file:
        file.write(b"d1,2\n")


CHANGES = {
    "replaced": replaced,
    "deleted": deleted,
    "emptied": emptied,
    "truncated": truncated,
    "appended": appended,
}
