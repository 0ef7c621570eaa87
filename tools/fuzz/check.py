"""Make inputs by a seed, read them, and compare: what was tried, what was refused, and what differs."""

import math
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import ordeval as oe
from tools.fuzz.files import file
from tools.fuzz.forms import counted, frame, labels_in_memory
from tools.fuzz.plain import PlainTable, Refused

KINDS = {"labels": labels_in_memory, "frame": frame, "crosstab": counted, "file": file}
SHARES = {"labels": 65, "frame": 15, "crosstab": 10, "file": 10}  # of a hundred


@dataclass
class Tally:
    """How many inputs of each kind were compared and refused, and those that failed."""

    compared: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)  # as the contract has it
    # refused where a plain count has a table
    stricter: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)  # how the errors of these begin
    failures: list[str] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """Take in what another process found."""
        for name in ("compared", "refused", "stricter", "reasons"):
            getattr(self, name).update(getattr(other, name))
        self.failures += other.failures

    @property
    def tried(self) -> int:
        """The number of inputs."""
        return sum(
            sum(part.values()) for part in (self.compared, self.refused, self.stricter)
        ) + len(self.failures)

    def __str__(self) -> str:
        lines = [f"{'kind':10} {'compared':>9} {'refused':>9} {'stricter':>9}"]
        for kind in KINDS:
            parts = (part[kind] for part in (self.compared, self.refused, self.stricter))
            lines.append(" ".join([f"{kind:10}", *(f"{part:9,}" for part in parts)]))
        lines.append(f"tried {self.tried:,} inputs, {len(self.failures)} failures")
        return "\n".join(lines)


def kind_of(index: int) -> str:
    """Return the kind of the input of an index, so that every hundred have the shares above."""
    at = index * 37 % 100  # mixed, so that a short run has all kinds
    for kind, share in SHARES.items():
        at -= share
        if at < 0:
            return kind
    raise AssertionError


def difference(expected: PlainTable, table: oe.Table) -> str | None:
    """Say how a table differs from the plain one, or None."""
    if list(table.scale.labels) != expected.classes:
        return f"classes {list(table.scale.labels)} instead of {expected.classes}"
    answers = [*expected.classes, None]
    cells = [[expected.cells.get((g, a), 0) for a in answers] for g in expected.classes]
    if table.cells.tolist() != cells:
        return f"cells {table.cells.tolist()} instead of {cells}"
    if table.policy.missing in {"error", "drop"}:
        asked = sum(sum(row[:-1]) for row in cells)
        right = sum(row[at] for at, row in enumerate(cells))
        found = oe.accuracy(table) if asked else math.nan
        if asked and not math.isclose(found, right / asked, rel_tol=1e-12, abs_tol=1e-12):
            return f"accuracy {found} instead of {right / asked}"
    return None


def try_one(seed: int, index: int, tally: Tally, kinds: Mapping[str, Any] = KINDS) -> None:
    """Make the input of an index, read it and compare it."""
    kind = kind_of(index)
    generated = kinds[kind](Random(f"{seed}:{index}"))
    expected: list[PlainTable] | None
    try:
        expected = generated.expect()
    except Refused:
        expected = None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            tables = generated.read()
            if expected is None:  # a table without items is no number: every measure refuses it
                for table in tables:
                    oe.accuracy(table) if not table.n else None
    except oe.OrdevalError as error:
        if expected is None:
            tally.refused[kind] += 1
        else:
            tally.stricter[kind] += 1
            tally.reasons[str(error)[:60]] += 1
        return
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever it is, it is no error of ours
        found: str | None = f"{type(error).__name__}: {error}"
    else:
        found = "a table instead of an error" if expected is None else None
        if expected is not None:
            differences = map(difference, expected, tables)
            found = next((one for one in differences if one is not None), None)
    if found is None:
        tally.compared[kind] += 1
    else:
        tally.failures.append(f"--only {seed}:{index} ({kind})\n  {found}\n  {generated.shown}")


def try_many(seed: int, indices: Iterable[int]) -> Tally:
    """Try the inputs of several indices."""
    tally = Tally()
    for index in indices:
        try_one(seed, index, tally)
    return tally
