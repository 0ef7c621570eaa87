"""Files: wide and long, as CSV, TSV, JSON lines and Parquet, packed or not, with what people's files have in them.

What a file says is read back from its text by the modules `csv` and `json`.
"""

import csv
import io
import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet

import ordeval as oe
from tools.fuzz.beside import beside_plain_count
from tools.fuzz.data import NUMBERS, TEXT_OR_NUMBERS, Rows, draw_rows, spelled
from tools.fuzz.forms import options_of
from tools.fuzz.plain import Refused
from tools.fuzz.trial import Try

Content = list[dict[str, Any]]
PACKED = (("", None), ("", None), (".gz", "gzip"), (".zst", "zstd"))


def delimited(delimiter: str) -> Callable[[Content, Random], bytes]:
    """Return a writer of separated values, with one of the usual ends of line and ways to quote."""

    def write(content: Content, rng: Random) -> bytes:
        text = io.StringIO()
        writer = csv.DictWriter(
            text, list(content[0]), delimiter=delimiter,
            lineterminator=rng.choice(["\n", "\r\n"]),
            quoting=rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
        )  # fmt: skip
        writer.writeheader()
        writer.writerows(content)
        return rng.choice(["", "\ufeff"]).encode() + text.getvalue().encode()

    return write


def json_lines(content: Content, rng: Random) -> bytes:
    """Write an object a line."""
    end = rng.choice(["\n", "\r\n"])
    return "".join(json.dumps(row, ensure_ascii=False) + end for row in content).encode()


def separated_rows(data: bytes, delimiter: str) -> Content:
    """Read separated values, all as text."""
    text = io.StringIO(data.decode("utf-8-sig"), newline="")
    return list(csv.DictReader(text, delimiter=delimiter))


READERS: dict[str, Callable[[bytes], Content]] = {
    ".csv": lambda data: separated_rows(data, ","),
    ".tsv": lambda data: separated_rows(data, "\t"),
    ".jsonl": lambda data: [json.loads(line) for line in data.decode().splitlines()],
}
WRITERS = {".csv": delimited(","), ".tsv": delimited("\t"), ".jsonl": json_lines}


@dataclass(frozen=True)
class File:
    """A file that is not written yet: its name, its bytes, and the rows that it says."""

    name: str
    data: bytes
    says: Content


def drawn_file(name: str, content: Content, rng: Random) -> File:
    """Put rows into a file of some format."""
    ending = rng.choice([*WRITERS, ".parquet"])
    stream = pa.BufferOutputStream()
    if ending == ".parquet":
        pyarrow.parquet.write_table(pa.Table.from_pylist(content), stream)
        return File(f"{name}.parquet", stream.getvalue().to_pybytes(), content)
    data = WRITERS[ending](content, rng)
    packed, compression = rng.choice(PACKED)
    with pa.output_stream(stream, compression=compression) as packing:
        packing.write(data)
    return File(f"{name}{ending}{packed}", stream.getvalue().to_pybytes(), READERS[ending](data))


def read_from_disk(files: list[File], read: Callable[[list[str]], Any]) -> Any:
    """Write the files, and give their paths to a reader."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / one.name for one in files]
        for path, one in zip(paths, files, strict=True):
            path.write_bytes(one.data)
        return read([str(path) for path in paths])


def file(rng: Random) -> Try:
    """Draw a wide file, or a gold file and one or two systems' files."""
    systems = rng.choice([1, 1, 2])
    rows = draw_rows(rng, rng.choice([NUMBERS, TEXT_OR_NUMBERS]), systems=systems)
    return (wide if rng.random() < 0.5 else long)(rng, rows)


def text_columns(rows: Rows, rng: Random) -> tuple[list[Any], list[list[Any]]]:
    """Spell all labels as text."""
    gold = [spelled(label, rng) for label in rows.gold]
    return gold, [[spelled(label, rng) for label in labels] for labels in rows.answers]


def amounts_beside(rows: Rows) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the columns of counts and weights, row by row, and the arguments that name them."""
    given = {role: amounts for role in ("count", "weight") if (amounts := getattr(rows, role))}
    columns = [
        {f"the {role}": amounts[at] for role, amounts in given.items()}
        for at in range(len(rows.gold))
    ]
    return columns, {role: f"the {role}" for role in given}


def wide(rng: Random, rows: Rows) -> Try:
    """Write one file: a row for each item, and a column for gold and for each system."""
    gold, answers = text_columns(rows, rng)
    beside, named = amounts_beside(rows)
    content = [
        {"id": f"d{at}", "truth": g, **dict(zip(rows.systems, given, strict=True)), **beside[at]}
        for at, (g, given) in enumerate(zip(gold, zip(*answers, strict=True), strict=True))
    ]
    one = drawn_file("wide", content, rng)

    def read(paths: list[str]) -> list[oe.Table]:
        runs = oe.Runs.from_wide(
            paths[0], gold="truth", predicted=rows.systems, **named, **options_of(rows)
        )
        return [runs.table.select(system=system) for system in rows.systems]

    def expect() -> Any:
        return rows.expected(
            [row["truth"] for row in one.says],
            [[row[system] for row in one.says] for system in rows.systems],
        )

    shown = f"wide file {one.name}: {content}, {rows}"
    return beside_plain_count(shown, expect, lambda: read_from_disk([one], read))


def long(rng: Random, rows: Rows) -> Try:
    """Write a gold file, and one for each system in another order, with items left out or answered twice."""
    gold, answers = text_columns(rows, rng)
    beside, named = amounts_beside(rows)
    ids = [f"d{at}" for at in range(len(gold))]
    duplicates: Any = rng.choice(["error", "first"])
    content = [{"id": i, "gold": g, **more} for i, g, more in zip(ids, gold, beside, strict=True)]
    gold_file, files = drawn_file("gold", content, rng), []
    for system, given in zip(rows.systems, answers, strict=True):
        lines = [{"id": i, "pred": a} for i, a in zip(ids, given, strict=True)]
        lines = [line for line in lines if rng.random() > 0.05] or lines
        rng.shuffle(lines)
        if rng.random() < 0.1:
            lines.append(dict(rng.choice(lines), pred=rng.choice(given)))
        files.append(drawn_file(system, lines, rng))

    def expect() -> Any:
        answered: list[dict[str, Any]] = []
        for one in files:
            first: dict[str, Any] = {}
            for line in one.says:
                first.setdefault(line["id"], line["pred"])
            if len(first) < len(one.says) and duplicates == "error":
                raise Refused
            answered.append(first)
        return rows.expected(
            [row["gold"] for row in gold_file.says],
            [[given.get(row["id"]) for row in gold_file.says] for given in answered],
        )

    def read(paths: list[str]) -> list[oe.Table]:
        runs = oe.Runs.from_files(
            paths[0], paths[1:], duplicates=duplicates, **named, **options_of(rows)
        )
        return [runs.table.select(system=system) for system in rows.systems]

    say = {one.name: one.says for one in files}
    shown = f"{gold_file.name}: {content}; {say}; duplicates={duplicates}, {rows}"
    return beside_plain_count(shown, expect, lambda: read_from_disk([gold_file, *files], read))
