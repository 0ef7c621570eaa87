"""Everything that runs hold, in a form that can be compared."""

from collections.abc import Mapping
from dataclasses import asdict, is_dataclass

import numpy as np

__all__ = ["content"]


def content(runs):
    """Return everything that runs hold: labels, codes and counts with their types, policy, notes, what was left out."""
    held = {
        name: getattr(runs, name)
        for name in ("systems", "cases", "case", "gold", "predicted", "count", "policy", "notes", "skipped",
                     "ignored", "touched", "slices", "weighting")
    }  # fmt: skip
    return {
        **{name: plain(value) for name, value in held.items()},
        "scale": (
            runs.scale.labels,
            runs.scale.values,
            [type(label) for label in runs.scale.labels],
        ),
        "ratings": runs.ratings is None,
        "answered": plain(runs.table.answered),
        "unanswered": plain(runs.table.unanswered),
    }


def plain(value):
    """Return a value without arrays, which have no truth value."""
    if isinstance(value, np.ndarray):
        return str(value.dtype), value.shape, value.tolist()
    if is_dataclass(value):
        return plain(asdict(value))
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list | tuple) else value
