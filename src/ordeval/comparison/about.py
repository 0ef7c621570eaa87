"""What the JSON of every result says about its input: the scale, the policy, and how many items and rows there were."""

import math
from typing import Any

import numpy as np

from ordeval.runs import Runs
from ordeval.scale import Scale
from ordeval.table import Table

IGNORED = ("not_in_gold", "duplicate", "unreadable")  # reasons that are always listed


def about_input(data: Runs | Table, read: Runs | Table | None = None) -> dict[str, Any]:
    """Return the scale, the policy and the input as plain Python objects; `read` is what the data was first read as."""
    skipped = getattr(data if read is None else read, "skipped", ())
    table = data.table if isinstance(data, Runs) else data
    policy = {name: getattr(table.policy, name) for name in ("missing", "unknown", "duplicates")}
    for name in ("gold_missing", "round"):
        if getattr(table.policy, name) != "error":
            policy[name] = getattr(table.policy, name)
    axes = {axis.name: axis.labels for axis in table.axes}
    items = table.cells if table.weighting is None else table.weighting.items
    asked = np.asarray(items.sum(axis=(-1, -2)))
    systems = asked.reshape(len(axes.get("system", ("one",))), -1).sum(axis=-1)
    # Systems with different numbers of items cannot have been asked the same ones: each has its own.
    same_items = np.isclose(
        systems, systems[0], rtol=1e-9, atol=0
    ).all()  # soft items add up to whole ones, nearly
    items_in_all = systems[0] if same_items else systems.sum()
    return {
        "scale": scale_content(table.scale),
        "policy": policy,
        "input": {
            "items": whole_number(items_in_all),
            **({} if table.weighting is None else {"effective": effective_items(table)}),
            "cases": len(axes.get("case", ())),
            "ignored": {**dict.fromkeys(IGNORED, 0), **table.ignored},
            "touched": {"missing": 0, "unknown": 0, **table.touched},
            **(
                {"skipped": [{"file": file, "what": what} for file, what in skipped]}
                if skipped
                else {}
            ),
        },
    }


def about_intervals(result: Any, **more: Any) -> dict[str, Any] | None:
    """Return for JSON how the intervals of a result were made, with what else it says of them; None without any."""
    if result.level is None:
        return None
    return {
        "level": result.level,
        "method": result.method,
        "resamples": result.n_resamples or None,
        "resampled": result.resample,
        **more,
        "seed": result.seed,
    }


def scale_content(scale: Scale) -> dict[str, list[Any]]:
    """Return the classes with their values, and with their names if they have any beside the labels."""
    content: dict[str, list[Any]] = {"labels": list(scale.labels), "values": list(scale.values)}
    return content if scale.names == scale.labels else {**content, "names": list(scale.names)}


def effective_items(table: Table) -> float:
    """Return how many items of equal weight would tell as much, added up over test cases: the fewest of any system."""
    effective = np.asarray(table.effective)
    if "case" in [axis.name for axis in table.axes]:
        effective = effective.sum(axis=table.axis("case"))
    return float(effective.min())


def whole_number(count: float) -> float | int:
    """Return a number of items as int, and a sum of weights as it is; a sum in another order is still whole."""
    nearest = round(float(count))
    return nearest if math.isclose(count, nearest, rel_tol=1e-12) else float(count)
