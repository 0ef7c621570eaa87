"""JSON: one object for programs."""

import json
import math
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
    """
    text = json.dumps(ready(content), indent=2, ensure_ascii=False, allow_nan=False, default=str)
    return UNSHOWABLE.sub(escaped, text) + "\n"
