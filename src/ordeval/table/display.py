"""A table in one line, and as JSON that can be read back."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np

from ordeval.errors import TableError, by_caller
from ordeval.inputs.policy import CHOICES, Policy
from ordeval.inputs.weighting import Weighting
from ordeval.table.checks import as_counts, check_sum

KEYS = ("scale", "axes", "policy", "touched", "weighted", "answered", "missed")


def to_dict(table: Any, schema: int) -> dict[str, Any]:
    """Return a table as plain Python objects."""
    scale = {
        "labels": list(table.scale.labels),
        "values": list(table.scale.values),
        "inferred": table.scale.inferred,
    }
    return {
        "schema": schema,
        "kind": "table",
        "scale": scale,
        "axes": [{"name": axis.name, "labels": list(axis.labels)} for axis in table.axes],
        "policy": policy_dict(table.policy),
        "touched": dict(table.touched),
        "weighted": table.answered.dtype.kind == "f",
        "answered": table.answered.tolist(),
        "missed": table.missed.tolist(),
        "ignored": dict(table.ignored),
        "weighting": None if table.weighting is None else weighting_dict(table.weighting),
    }


def policy_dict(policy: Policy) -> dict[str, str]:
    """Return the policies as plain Python objects; rounding is left out if there is none, as in older files."""
    return {
        name: choice
        for name, choice in asdict(policy).items()
        if name != "round" or choice != "error"
    }


def weighting_dict(weighting: Weighting) -> dict[str, Any]:
    """Return a weighting as plain Python objects."""
    items, squares = weighting.items.tolist(), weighting.squares.tolist()
    return {"items": items, "squares": squares, "unit": weighting.unit}


def read_weighting(content: dict[str, Any] | None, shape: tuple[int, ...]) -> Weighting | None:
    """Read the weighting of a table whose cells[..., gold, answer] have this shape."""
    if content is None:
        return None
    items = as_counts(content["items"], "items")
    squares = as_counts(content["squares"], "squares").astype(np.float64)
    check_sum(items)
    if not items.shape == squares.shape == shape:
        raise TableError(
            f"the weighting of this table has the shapes {items.shape} and {squares.shape}; both must be {shape}. "
            f"Expected {wrote()}."
        )
    return Weighting(items, squares, content["unit"])


def from_json(text: str | bytes, schema: int) -> dict[str, Any]:
    """Read and check the outer shape of a table's JSON."""
    import json

    try:
        content = json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise TableError(f"this is not JSON ({error}); expected {wrote()}.") from None
    if not isinstance(content, dict) or content.get("kind") != "table":
        raise TableError(f'this JSON is not a table: it lacks "kind": "table". Expected {wrote()}.')
    if content.get("schema") != schema:
        raise TableError(
            f"this table has schema {content.get('schema')!r}; this version reads schema {schema}."
        )
    lacking = [key for key in KEYS if key not in content]
    if lacking:
        raise TableError(f"this table lacks {', '.join(lacking)}. Expected {wrote()}.")
    content = {"ignored": {}, "weighting": None, **content}
    odd = [name for name, fits in SHAPES.items() if not fits(content[name])]
    if odd:
        raise TableError(
            f"the {odd[0]} of this table is {content[odd[0]]!r:.60}. Expected {wrote()}."
        )
    return content


def wrote() -> str:
    """Say what writes the JSON of a table."""
    return by_caller("what Table.to_json wrote", "what 'ordeval count' or 'ordeval merge' wrote")


def has(content: Any, **types: type) -> bool:
    """Tell whether this is a JSON object with these keys, each of its type."""
    return isinstance(content, dict) and all(
        isinstance(content.get(key), kind) for key, kind in types.items()
    )


SHAPES: dict[str, Callable[[Any], bool]] = {
    "scale": lambda part: has(part, labels=list, values=list, inferred=bool),
    "axes": lambda part: (
        isinstance(part, list) and all(has(axis, name=str, labels=list) for axis in part)
    ),
    "policy": lambda part: has(part) and {*part, "round"} == set(CHOICES),
    "touched": lambda part: has(part, **dict.fromkeys(part, int)) if has(part) else False,
    "ignored": lambda part: has(part, **dict.fromkeys(part, int)) if has(part) else False,
    "weighting": lambda part: part is None or has(part, items=list, squares=list, unit=int),
}


def one_line(table: Any) -> str:
    """Return the one-line form."""
    axes = "".join(f", {axis.name}={len(axis.labels)}" for axis in table.axes)
    total = np.sum(table.n).item()
    items = str(int(total)) if float(total).is_integer() else f"{total:.6g}"
    weight = "" if table.weighting is None else f", weight={np.sum(table.weight):.6g}"
    return f"Table(n={items}{weight}, classes={list(table.scale.labels)}{axes})"
