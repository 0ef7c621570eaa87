"""JSON: one object for programs."""

import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ordeval.__about__ import __version__
from ordeval.letters import UNSHOWABLE, escaped

SCHEMA = 1


def head(command: str) -> dict[str, Any]:
    """Return what the JSON of every result begins with: the schema, the version and the command."""
    return {"schema": SCHEMA, "ordeval": __version__, "command": command}


def ready(content: Any) -> Any:
    """Return content as plain Python objects: Python numbers, lists for arrays and tuples, None for NaN."""
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
    """Write content, indented, on lines that end with a line feed; what JSON does not know becomes text.

    Characters that steer a terminal are written by their codes, which mean the same.
    The entries of an iterator in an outermost object become a list. They are written one after the other: many of them
    take far less memory as text than as objects.
    """
    if not isinstance(content, dict):
        return written(content) + "\n"
    parts = []
    for key, value in content.items():
        text = written(value) if not isinstance(value, Iterator) else written_list(value)
        parts.append(f"{written(str(key))}: {text}")
    return f"{{{inside(parts)}}}\n"


def written_list(entries: Iterator[Any]) -> str:
    """Write the entries of an iterator as a list."""
    return f"[{inside([written(entry) for entry in entries])}]"


def inside(parts: list[str]) -> str:
    """Return what stands between two brackets, each part on lines of its own."""
    if not parts:
        return ""
    # No string holds a line feed: JSON writes it as two characters.
    return "\n  " + ",\n".join(parts).replace("\n", "\n  ") + "\n"


def written(content: Any) -> str:
    """Write content, indented as if it stood outermost."""
    text = json.dumps(ready(content), indent=2, ensure_ascii=False, allow_nan=False, default=str)
    return UNSHOWABLE.sub(escaped, text)
