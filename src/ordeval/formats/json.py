"""JSON: one object for programs."""

import json
import math
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from ordeval.__about__ import __version__
from ordeval.letters import UNSHOWABLE, escaped

SCHEMA = 1
ENTRIES = 256  # of a list that are written at a time
PLAIN = {str, int, bool, type(None)}
LEAVES = PLAIN | {float}
NESTED = json.JSONEncoder(indent=2, ensure_ascii=False, allow_nan=False, default=str)
# Without an indent Python writes with compiled code, and an object of single values needs only its separators.
FLAT = json.JSONEncoder(
    separators=(",\n  ", ": "), ensure_ascii=False, allow_nan=False, default=str
)


def head(command: str) -> dict[str, Any]:
    """Return what the JSON of every result begins with: the schema, the version and the command."""
    return {"schema": SCHEMA, "ordeval": __version__, "command": command}


def ready(content: Any) -> Any:
    """Return content as plain Python objects: Python numbers, lists for arrays and tuples, None for NaN."""
    kind = type(content)
    if kind in PLAIN:  # nearly all that there is
        return content
    if kind is float:
        return content if math.isfinite(content) else None
    if isinstance(content, dict):
        return {key: ready(value) for key, value in content.items()}
    if isinstance(content, np.ndarray):
        return ready(content.tolist())
    if isinstance(content, list | tuple):
        return [ready(value) for value in content]
    if isinstance(content, np.generic):
        content = content.item()
    return None if isinstance(content, float) and not math.isfinite(content) else content


def to_json(content: Any) -> str:
    """Write content, indented, on lines that end with a line feed; what JSON does not know becomes text."""
    return "".join(json_pieces(content))


def json_pieces(content: Any) -> Iterator[str]:
    """Write content piece by piece, which joined are its JSON.

    Characters that steer a terminal are written by their codes, which mean the same. The entries of an iterator in an
    outermost object become a list; they are made one after the other, and so may be very many.
    """
    if not isinstance(content, dict):
        yield f"{written(content)}\n"
        return
    before = "{"
    for key, value in content.items():
        yield f"{before}\n  {written(str(key))}: "
        if isinstance(value, Iterator):
            yield from list_pieces(value)
        else:
            yield indented(written(value), "  ")
        before = ","
    yield "\n}\n" if content else "{}\n"


def list_pieces(entries: Iterator[Any]) -> Iterator[str]:
    """Write the entries of an iterator as a list within an outermost object, some entries to a piece."""
    before = "["
    while some := list(islice(entries, ENTRIES)):
        yield before + ",".join(f"\n    {indented(written(entry), '    ')}" for entry in some)
        before = ","
    yield "[]" if before == "[" else "\n  ]"


def indented(text: str, indent: str) -> str:
    """Indent all lines but the first; no string holds a line feed, which JSON writes as two characters."""
    return text.replace("\n", f"\n{indent}")


def written(content: Any) -> str:
    """Write content, indented as if it stood outermost."""
    plain = content if is_flat(content) else ready(content)
    if is_flat(plain):
        try:
            text = FLAT.encode(plain)
        except ValueError:  # a number that is not finite
            text = FLAT.encode(ready(plain))
        text = f"{{\n  {text[1:-1]}\n}}"
    else:
        text = NESTED.encode(plain)
    return UNSHOWABLE.sub(escaped, text)


def is_flat(content: Any) -> bool:
    """Tell whether content is an object of single values, as nearly all entries of long lists are."""
    return (
        type(content) is dict and bool(content) and LEAVES.issuperset(map(type, content.values()))
    )
