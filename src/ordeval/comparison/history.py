"""The history of gates: a file of JSON lines, one for each gate, to which lines are only ever added."""

import errno
import json
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ordeval.arguments import is_choice, is_number
from ordeval.comparison.results import Score, none_if_undefined
from ordeval.errors import DataError, ParameterError
from ordeval.formats.json import SCHEMA, ready

if TYPE_CHECKING:
    from ordeval.comparison.gate_result import Gate

__all__ = ["GateRecord", "append_record", "read_history"]

OUTCOMES = ("pass", "fail", "inconclusive")


@dataclass(frozen=True, slots=True)
class GateRecord:
    """One line of a history: when a gate was, what came of it, and what it rests on."""

    time: datetime
    metric: str
    greater_is_better: bool
    outcome: str
    baseline: tuple[
        float | None, float | None, float | None
    ]  # a score and the ends of its interval
    candidate: tuple[float | None, float | None, float | None]
    systems: tuple[str, str]
    difference: float | None
    low: float | None
    high: float | None
    margin: float
    level: float
    items: float
    paired: bool
    name: str | None = None  # such as a commit

    def to_dict(self) -> dict[str, Any]:
        """Return the line for JSON."""
        return {
            "schema": SCHEMA,
            "time": self.time.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
            **({} if self.name is None else {"name": self.name}),
            "metric": self.metric,
            "greater_is_better": self.greater_is_better,
            "outcome": self.outcome,
            "baseline": side_content(self.systems[0], self.baseline),
            "candidate": side_content(self.systems[1], self.candidate),
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "margin": self.margin,
            "level": self.level,
            "items": self.items,
            "paired": self.paired,
        }

    @classmethod
    def from_dict(cls, content: Any, where: str) -> "GateRecord":
        """Read a line; `where` names it in an error."""
        if not isinstance(content, dict):
            raise not_a_record(where, "it is no object")
        try:
            sides = [content["baseline"], content["candidate"]]
            record = cls(
                time=datetime.fromisoformat(content["time"]),
                metric=content["metric"],
                greater_is_better=content["greater_is_better"],
                outcome=content["outcome"],
                baseline=ends_of(sides[0]),
                candidate=ends_of(sides[1]),
                systems=(str(sides[0]["name"]), str(sides[1]["name"])),
                difference=number_or_none(content["difference"]),
                low=number_or_none(content["low"]),
                high=number_or_none(content["high"]),
                margin=a_number(content["margin"]),
                level=a_number(content["level"]),
                items=a_number(content["items"]),
                paired=content["paired"],
                name=content.get("name"),
            )
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise not_a_record(where, error) from None
        texts = (record.metric, record.name or "")
        flags = (record.greater_is_better, record.paired)
        if not (
            is_choice(record.outcome, OUTCOMES)
            and all(isinstance(text, str) for text in texts)
            and all(isinstance(flag, bool) for flag in flags)
            and record.time.tzinfo is not None
        ):
            raise not_a_record(where, "a field of another kind")
        return record


def not_a_record(where: str, why: object) -> DataError:
    """Return the error for a line that no gate has written."""
    said = f"it lacks {why}" if isinstance(why, KeyError) else str(why)
    return DataError(
        f"{where} is not what a gate has written ({said}). Repair or remove it, or pass another history."
    )


def a_number(value: Any) -> float:
    """Return a number; refuse what is none."""
    if not is_number(value):
        raise TypeError(f"{value!r:.40} is not a number")
    found: float = value
    return found


def number_or_none(value: Any) -> float | None:
    """Return a number, or None for what was undefined."""
    return None if value is None else a_number(value)


def ends_of(side: Any) -> tuple[float | None, float | None, float | None]:
    """Return a score and the ends of its interval, from what a line says of one of the two."""
    value, low, high = (number_or_none(side[name]) for name in ("value", "low", "high"))
    return value, low, high


def side_content(name: str, score: tuple[float | None, ...]) -> dict[str, Any]:
    """Return what a line says of one of the two."""
    return {"name": name, **dict(zip(("value", "low", "high"), score, strict=True))}


def record_of(gate: "Gate", *, name: str | None = None, time: datetime | None = None) -> GateRecord:
    """Return the line that a gate adds to a history.

    Without a `time` it is that of SOURCE_DATE_EPOCH, which makes results repeatable, or else now.
    """
    given: Any = name
    if not isinstance(given, str | None):
        raise ParameterError(f"name is {name!r:.60}; it is a text, such as a commit, or None.")
    clock: Any = time
    if not (clock is None or (isinstance(clock, datetime) and clock.tzinfo is not None)):
        raise ParameterError(
            f"time is {time!r:.60}; it is a datetime with a time zone, such as datetime.now(UTC), or None."
        )
    return GateRecord(
        time=time or now(),
        metric=gate.metric,
        greater_is_better=gate.comparison.scores.measures[gate.metric].greater_is_better,
        outcome=gate.outcome,
        baseline=of_score(gate.baseline),
        candidate=of_score(gate.candidate),
        systems=gate.systems,
        difference=none_if_undefined(gate.difference),
        low=gate.low,
        high=gate.high,
        margin=gate.margin,
        level=gate.level,
        items=gate.items,
        paired=gate.paired,
        name=name,
    )


def of_score(score: Score) -> tuple[float | None, float | None, float | None]:
    """Return a score and the ends of its interval."""
    return none_if_undefined(score.value), score.low, score.high


def now() -> datetime:
    """Return the time of SOURCE_DATE_EPOCH, or the present."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given is None:
        return datetime.now(UTC)
    try:
        return datetime.fromtimestamp(int(given), UTC)
    except (ValueError, OverflowError, OSError):
        raise ParameterError(
            f"SOURCE_DATE_EPOCH is {given!r:.60}; it is a whole number of seconds since 1970."
        ) from None


def read_history(history: Any) -> list[GateRecord]:
    """Return the lines of a history, from its file or from records as they stand in it, the oldest first."""
    if isinstance(history, str | os.PathLike):
        path = Path(history)
        try:
            data = path.read_bytes()
        except (OSError, ValueError) as error:
            raise DataError(f"the history {str(path)!r} cannot be read: {error}.") from None
        records = parsed(data, str(path))
    elif isinstance(history, Iterable):
        records = [
            one if isinstance(one, GateRecord) else GateRecord.from_dict(one, f"record {at}")
            for at, one in enumerate(history, 1)
        ]
    else:
        raise ParameterError(
            f"history is {history!r:.60}; it is the name of a file, or the records that such a file holds."
        )
    return sorted(records, key=lambda record: record.time)


def parsed(data: bytes, name: str) -> list[GateRecord]:
    """Return the records of a file's bytes; an error names the line."""
    records = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        where = f"line {number} of the history {name!r}"
        try:
            content = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise not_a_record(where, error) from None
        records.append(GateRecord.from_dict(content, where))
    return records


def append_record(path: Any, record: GateRecord) -> None:
    """Add a line to a history, which is made if it does not exist.

    The file is locked, where the system can; it gets the whole line or stays as it was. A file with a line that no gate
    has written is refused.
    """
    if not isinstance(path, str | os.PathLike) or "\0" in str(path):
        raise ParameterError(f"history is {path!r:.60}; it is the name of a file.")
    line = json.dumps(ready(record.to_dict()), allow_nan=False)
    descriptor = os.open(
        path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666
    )
    with os.fdopen(descriptor, "r+b", buffering=0) as file:
        lock(descriptor)  # until it is closed
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise DataError(
                f"the history {os.fspath(path)!r} is not a plain file. Pass another name."
            )
        before = file.read()
        parsed(before, os.fsdecode(path))
        start = b"" if before.endswith(b"\n") or not before else b"\n"
        whole = start + line.encode("utf-8") + b"\n"
        try:
            written = os.write(descriptor, whole)
            os.fsync(descriptor)
        except OSError:
            os.ftruncate(descriptor, len(before))
            raise
        if written < len(whole):
            os.ftruncate(descriptor, len(before))
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), os.fspath(path))


def lock(descriptor: int) -> None:
    """Wait until no other process adds a line; systems without such locks go on."""
    with suppress(ImportError, OSError):
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)
