"""When to use a measure and when not, how to read its values, and what it is called elsewhere.

The texts lie in the TOML files of this folder, one for each family. They are read when somebody asks for them.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["INPUTS", "Elsewhere", "Guidance", "guidance_of"]

# The names that calls of other packages use, and what they stand for.
INPUTS = {
    "gold": "the gold labels, an array of numbers",
    "predicted": "the answers, an array of numbers",
    "classes": "the list of all classes, lowest first",
    "counts": "the table of counts, gold by predicted",
    "ratings": "a matrix of marks, a row for each item and a column for each rater, here gold and the answers",
    "votes": "how often each item was put into each class, a row for each item",
    "probabilities": "the class probabilities, a row for each item",
    "soft_gold": "the gold shares, a row for each item",
    "gold_shares": "the share of each class in gold",
    "predicted_shares": "the share of each class in the answers",
}


@dataclass(frozen=True)
class Elsewhere:
    """What gives the same value in another package: the call, the measure with its settings, and what to know."""

    library: str
    call: str
    measure: str
    note: str = ""


@dataclass(frozen=True)
class Guidance:
    """When to use a measure, when not, how to read a value, its other names, and calls of other packages."""

    use: str
    avoid: str
    reading: str
    also_called: tuple[str, ...]
    elsewhere: tuple[Elsewhere, ...]


def guidance_of(name: str) -> Guidance | None:
    """Return the guidance for a measure by its name without settings; None for a measure of one's own.

    >>> guidance_of("macro_accuracy").also_called[0]
    'balanced accuracy'
    """
    return _entries().get(name)


@cache
def _entries() -> dict[str, Guidance]:
    """Read all files."""
    texts = [file for file in files(__name__).iterdir() if file.name.endswith(".toml")]
    read = [tomllib.loads(file.read_text(encoding="utf-8")) for file in texts]
    return {name: _entry(name, fields) for family in read for name, fields in family.items()}


def _entry(name: str, fields: dict[str, Any]) -> Guidance:
    """Return one entry; texts are paragraphs, so their line breaks are blanks."""
    use, avoid, reading = (" ".join(fields[key].split()) for key in ("use", "avoid", "reading"))
    elsewhere = tuple(
        Elsewhere(
            library=each["library"],
            call=each["call"],
            measure=f"{name}({each['with']})" if "with" in each else name,
            note=each.get("note", ""),
        )
        for each in fields.get("elsewhere", ())
    )
    return Guidance(use, avoid, reading, tuple(fields["also_called"]), elsewhere)
