"""Changes of files: of their bytes, their columns, their rows, and how their lines are written."""

from collections.abc import Callable
from random import Random
from typing import Any

from tools.fuzz.files import Content

Row = dict[str, Any]
Change = Callable[[Row], Row]

BYTES = b"\",\n\r\t\0 ;|'\\0129-+.eE{}[]:\xff\xc3\xef\xbb\xbf#=xd"


def by_bytes(data: bytes, rng: Random) -> bytes:
    """Flip, change, remove, insert, cut off, repeat or move some bytes."""
    if not data:
        return data
    at, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    end = min(end, at + rng.choice([1, 1, 2, 8, 100, len(data)]))
    spot = min(at, len(data) - 1)
    return rng.choice(
        [
            data[:spot] + bytes([data[spot] ^ 1 << rng.randrange(8)]) + data[spot + 1 :],
            data[:spot] + bytes([rng.choice(BYTES)]) + data[spot + 1 :],
            data[:at] + data[end:],
            data[:at] + bytes([rng.choice(BYTES)]) + data[at:],
            data[:at],
            data[:end] + data[at:],
            data[at:end] + data[:at] + data[end:],
        ]
    )


def by_columns(rows: Content, rng: Random) -> Content:
    """Leave a column out, name it otherwise, put columns in another order, or add one that is easily mistaken."""
    names = list(rows[0])
    one, other = rng.choice(names), rng.choice([*names, "label", "gold", "pred", "query", "x"])
    ways: list[Change] = [
        lambda row: {name: row[name] for name in names if name != one} or row,
        lambda row: {other if name == one else name: row[name] for name in names},
        lambda row: {name: row[name] for name in reversed(names)},
        lambda row: {**row, one.upper(): row[names[0]]},
        lambda row: {one.title(): row[names[-1]], **row},
        lambda row: {**row, other: row.get(other, "1")},
        lambda row: {f" {name} " if name == one else name: row[name] for name in names},
    ]
    return list(map(rng.choice(ways), rows))


def by_rows(rows: Content, rng: Random) -> Content:
    """Repeat, remove or move rows, or say nothing in a cell."""
    rows, at = list(rows), rng.randrange(len(rows))
    ways: list[Callable[[], Content]] = [
        lambda: [*rows, rows[at]],
        lambda: rows[:at] + rows[at + 1 :] or rows,
        lambda: rows[at:] + rows[:at],
        lambda: [*rows[:at], dict.fromkeys(rows[at], ""), *rows[at + 1 :]],
        lambda: [*rows[:at], {**rows[at], rng.choice(list(rows[at])): ""}, *rows[at + 1 :]],
    ]
    return rng.choice(ways)()


def by_lines(text: bytes, rng: Random) -> bytes:
    """Change how a text is written: its encoding, the ends of its lines, blank lines, quotes, fields too many."""
    lines = text.splitlines(keepends=True)
    at = rng.randrange(len(lines)) if lines else 0
    ways: list[Callable[[], bytes]] = [
        lambda: b"\xef\xbb\xbf" + text,
        lambda: text.decode(errors="replace").encode(
            rng.choice(["utf-16", "utf-16-le", "utf-32", "latin-1"]), "replace"
        ),
        lambda: b"".join(
            line.rstrip(b"\r\n") + rng.choice([b"\n", b"\r\n", b"\r"]) for line in lines
        ),
        lambda: text.replace(b"\n", b"\r"),
        lambda: b"".join(
            [
                *lines[:at],
                rng.choice([b"\n", b"\r\n", b"   \n", b"#x\n", b",,\n", b"\t\n"]),
                *lines[at:],
            ]
        ),
        lambda: b"".join(
            [
                *lines[:at],
                *(
                    line.rstrip(b"\r\n") + rng.choice([b",7\n", b"\t7\n", b",\n"])
                    for line in lines[at : at + 1]
                ),
                *lines[at + 1 :],
            ]
        ),
        lambda: text.rstrip(b"\r\n"),
        lambda: text.replace(
            b"d1", rng.choice([b'"d1"', b"'d1'", b'd"1', b'"d1', b'"d\n1"', b" d1", b"d1 "])
        ),
        lambda: text + lines[0] if lines else text,
        lambda: text.replace(b",", b";").replace(b"\t", b" "),
    ]
    return rng.choice(ways)()
