"""The correctness board: traps, and what each library answers when it is run on them. `python -m benchmarks board`."""

import contextlib
import io
import math
import warnings
from collections.abc import Iterator
from importlib import metadata
from typing import Any

from benchmarks.traps import LIBRARIES, TRAPS, Ask, Trap

__all__ = ["answers", "lines", "verdicts"]

COMMON = "import numpy as np; import pandas as pd"
CLOSE = 5e-5  # the right values are written to four digits


def version(library: str) -> str | None:
    """Return the installed version, or None."""
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return None


def answer(ask: Ask, data: str) -> dict[str, Any]:
    """Run one call on its data and judge what comes back."""
    known: dict[str, Any] = {}
    quiet = io.StringIO()
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(quiet):
        warnings.simplefilter("always")
        try:
            # What is printed is what ran: the calls are texts of ours, in traps.py.
            exec(f"{COMMON}\n{LIBRARIES[ask.library]}\n{data}", known)  # noqa: S102
        except Exception as error:  # noqa: BLE001 - absent, or broken in its own way
            return {"value": first_line(error), "verdict": "not installed"}
        try:
            value = eval(ask.call, known)  # noqa: S307
        except Exception as error:  # noqa: BLE001 - any refusal is an answer
            return {
                "value": f"{type(error).__name__}: {first_line(error)}",
                "verdict": "right" if ask.right in {"an error", "NaN"} else "refused",
            }
    found = number(value)
    return {
        "value": shown(found) + (" (and a warning)" if caught else ""),
        "verdict": judged(found, ask),
    }


def judged(found: float | str, ask: Ask) -> str:
    """Return the verdict on a value: what a library documents as its own convention is not called wrong."""
    if same(found, ask.right):
        return "right"
    if found == "None":
        return "refused"
    return "as documented" if ask.documented else "wrong"


def first_line(error: Exception) -> str:
    """Return the beginning of an error's message."""
    text = " ".join(str(error).split())
    return text if len(text) <= 90 else f"{text[:87]}..."


def number(value: Any) -> float | str:
    """Return a number, or what was given in its place."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return str(value)


def shown(value: float | str) -> str:
    """Write a value to four digits."""
    return value if isinstance(value, str) else f"{value:.4f}"


def same(value: float | str, right: float | str) -> bool:
    """Tell whether an answer is the right one; 'None' is a way of saying NaN."""
    if right == "NaN":
        return value == "None" or (isinstance(value, float) and math.isnan(value))
    return isinstance(value, float) and isinstance(right, float) and abs(value - right) < CLOSE


def answers(trap: Trap) -> list[dict[str, Any]]:
    """Return one row for each call of a trap."""
    return [
        {
            "trap": trap.title,
            "library": ask.library,
            "version": version(ask.library),
            "call": ask.call,
            "right": ask.right,
            "documented": ask.documented,
            **answer(ask, trap.data),
        }
        for ask in trap.asks
    ]


def verdicts(rows: list[dict[str, Any]]) -> dict[str, str]:
    """Return a word for each library on one trap: of the calls to one measure, the most favourable counts.

    Calls to one measure are those that begin alike; a library that fails one measure of several is wrong.
    """
    found: dict[str, str] = {}
    for library in LIBRARIES:
        calls: dict[str, list[str]] = {}
        for row in rows:
            if row["library"] == library:
                calls.setdefault(row["call"].partition("(")[0] + str(row["right"]), []).append(
                    row["verdict"]
                )
        best = [min(words, key=RANK.index) for words in calls.values()]
        found[library] = max(best, key=RANK.index, default="not offered")
        plain = [words[0] for words in calls.values()]
        if found[library] == "right" and any(word != "right" for word in plain):
            found[library] = "right with an option"
    return found


RANK = ["not offered", "right", "as documented", "refused", "wrong", "not installed"]


def lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Write the board in Markdown: who is right where, then every call and its answer."""
    versions = {row["library"]: row["version"] for row in rows}
    libraries = list(LIBRARIES)
    yield "| trap | " + " | ".join(libraries) + " |"
    yield "|---|" + "---|" * len(libraries)
    yield "| *version* | " + " | ".join(str(versions.get(name) or "-") for name in libraries) + " |"
    for trap in TRAPS:
        words = verdicts([row for row in rows if row["trap"] == trap.title])
        marks = {"not offered": "", "wrong": "**wrong**"}
        yield (
            f"| {trap.title} | "
            + " | ".join(marks.get(words[n], words[n]) for n in libraries)
            + " |"
        )
    for trap in TRAPS:
        yield from ("", f"### {trap.title}", "", trap.why, "")
        if trap.data:
            yield from (
                "```py",
                trap.data,
                "```",
                "",
            )  # not "python": the pages' sessions show results
        yield from (
            f"Right: {trap.hand}.",
            "",
            "| library | call | answer | |",
            "|---|---|---|---|",
        )
        for row in rows:
            if row["trap"] == trap.title:
                value = str(row["value"] if row["value"] is not None else "").replace("|", "\\|")
                verdict = row["verdict"]
                if verdict == "as documented":
                    verdict += f": {row['documented']}"
                yield f"| {row['library']} | `{row['call']}` | {value} | {verdict} |"


def board() -> list[dict[str, Any]]:
    """Run every call of every trap."""
    return [row for trap in TRAPS for row in answers(trap)]


if __name__ == "__main__":
    print("\n".join(lines(board())))
