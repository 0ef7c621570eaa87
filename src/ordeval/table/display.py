"""How a table shows itself: one line, text, HTML, JSON."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from ordeval.errors import TableError
from ordeval.inputs.policy import CHOICES

KEYS = ("scale", "axes", "policy", "touched", "ignored", "weighted", "answered", "missed")


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
        "policy": asdict(table.policy),
        "touched": dict(table.touched),
        "ignored": dict(table.ignored),
        "weighted": table.answered.dtype.kind == "f",
        "answered": table.answered.tolist(),
        "missed": table.missed.tolist(),
    }


def to_json(content: dict[str, Any]) -> str:
    """Write a table's content as JSON; entries of an axis that JSON does not know become text."""
    import json  # not before a table is written: nothing else here needs it

    return json.dumps(content, default=str, ensure_ascii=False)


def from_json(text: str | bytes, schema: int) -> dict[str, Any]:
    """Read and check the outer shape of a table's JSON."""
    import json

    try:
        content = json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise TableError(
            f"this is not JSON ({error}); expected what Table.to_json wrote."
        ) from None
    if not isinstance(content, dict) or content.get("kind") != "table":
        raise TableError(
            'this JSON is not a table: it lacks "kind": "table". Expected what Table.to_json wrote.'
        )
    if content.get("schema") != schema:
        raise TableError(
            f"this table has schema {content.get('schema')!r}; this version reads schema {schema}."
        )
    lacking = [key for key in KEYS if key not in content]
    if lacking:
        raise TableError(
            f"this table lacks {', '.join(lacking)}. Expected what Table.to_json wrote."
        )
    odd = [name for name, fits in SHAPES.items() if not fits(content[name])]
    if odd:
        raise TableError(
            f"the {odd[0]} of this table is {content[odd[0]]!r:.60}. Expected what Table.to_json wrote."
        )
    return content


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
    "policy": lambda part: has(part) and set(part) == set(CHOICES),
    "touched": lambda part: has(part, **dict.fromkeys(part, int)) if has(part) else False,
    "ignored": lambda part: has(part, **dict.fromkeys(part, int)) if has(part) else False,
}


def amount(count: float) -> str:
    """Return a count in full, and a sum of weights to six digits."""
    return str(int(count)) if float(count).is_integer() else f"{count:.6g}"


def one_line(table: Any) -> str:
    """Return the one-line form."""
    axes = "".join(f", {axis.name}={len(axis.labels)}" for axis in table.axes)
    total = table.gold.sum().item()
    return f"Table(n={amount(total)}, classes={list(table.scale.labels)}{axes})"


def rows(table: Any) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of a table; leading axes are summed, for the sake of the eye."""
    pooled = table.pooled() if table.axes else table
    gone = pooled.unanswered.any()
    header = [
        "gold \\ predicted",
        *map(str, table.scale.labels),
        *(["unanswered"] if gone else []),
        "total",
    ]
    body = []
    for label, line, left, total in zip(
        table.scale.labels,
        pooled.counts.tolist(),
        pooled.unanswered.tolist(),
        pooled.gold.tolist(),
        strict=True,
    ):
        body.append(
            [str(label), *map(amount, line), *([amount(left)] if gone else []), amount(total)]
        )
    columns = [amount(x) for x in pooled.predicted.tolist()]
    left_all = [amount(pooled.unanswered.sum().item())] if gone else []
    body.append(["total", *columns, *left_all, amount(pooled.n)])
    return header, body


def text(table: Any) -> str:
    """Return the table as aligned text."""
    header, body = rows(table)
    widths = [max(len(line[i]) for line in [header, *body]) for i in range(len(header))]
    lines = [
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in [header, *body]
    ]
    if table.axes:
        lines.insert(0, f"{one_line(table)}, summed:")
    return "\n".join(lines)


def html(table: Any) -> str:
    """Return the table as HTML, every label escaped."""
    import html as escape

    header, body = rows(table)
    head = "".join(f"<th>{escape.escape(cell)}</th>" for cell in header)
    lines = "".join(
        "<tr>"
        f"<th>{escape.escape(line[0])}</th>"
        + "".join(f"<td>{escape.escape(cell)}</td>" for cell in line[1:])
        + "</tr>"
        for line in body
    )
    caption = escape.escape(one_line(table))
    return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"
