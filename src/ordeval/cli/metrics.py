"""`ordeval metrics [NAME]`: the list of measures, or everything known about one."""

import inspect
import math
import textwrap
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import click

from ordeval.cli.output import deliver, screen
from ordeval.formats.json import head, to_json
from ordeval.formats.sheet import Cell, Column, Sheet
from ordeval.formats.terminal import BOLD, styled, to_text
from ordeval.metrics import Metric, registry
from ordeval.metrics.references import REFERENCES

INDENT = "  "
WIDTH_OF_REFERENCES = 100
LEAST_WIDTH = 80  # of the table of parameters


@click.command()
@click.argument("name", required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="For people or for programs.",
)
def command(name: str | None, form: str) -> None:
    """List the measures, or tell everything known about one.

    NAME may carry parameters: "weighted_kappa(weights='linear')".
    """
    chosen = list(registry.values()) if name is None else [registry[name]]
    if form == "json":
        text = to_json({**head("metrics"), "metrics": [facts_of(metric) for metric in chosen]})
    elif name is None:
        text = list_of(chosen, width=screen(None))
    else:
        text = description_of(chosen[0], width=screen(None))
    deliver(text, None, form)


def list_of(metrics: list[Metric], *, width: int | None) -> str:
    """Return a table for each family, for a screen of a width."""
    parts = []
    for family, members in groupby(metrics, key=lambda metric: metric.family.value):
        rows = [(m.name, "higher" if m.greater_is_better else "lower", m.summary) for m in members]
        heading = styled(family, BOLD, colour=width is not None)
        parts.append(
            f"{heading}\n{indented_table(('measure', 'better', 'what it is'), rows, width)}"
        )
    return "\n".join(
        [*parts, f"{len(metrics)} measures. 'ordeval metrics NAME' tells more about one.\n"]
    )


def description_of(metric: Metric, *, width: int | None) -> str:
    """Return everything known about a measure, for a screen of a width."""
    low, high = (bound_in_words(bound) for bound in metric.bounds)
    facts = {
        "family": metric.family.value,
        "better": "higher" if metric.greater_is_better else "lower",
        "range": f"{low} to {high}",
        "perfect": "depends on the gold"
        if metric.perfect is None
        else bound_in_words(metric.perfect),
        "scale": metric.scale_type.value,
        "undefined": f"when {metric.undefined_when}",
        "formula": metric.formula,
    }
    lines = [
        styled(str(metric), BOLD, colour=width is not None),
        inspect.getdoc(metric) or "",
        "",
        *(f"{fact:<11}{value}" for fact, value in facts.items()),
    ]
    if metric.parameters:
        rows = [(p.name, repr(p.default), p.allowed, p.meaning) for p in metric.parameters]
        # A narrower screen would leave the meaning out, which is the point of the table.
        room = None if width is None else max(width, LEAST_WIDTH)
        table = indented_table(("name", "default", "allowed", "meaning"), rows, room)
        lines += ["", "parameters", table.rstrip("\n")]
    lines += ["", "references"]
    lines += [
        textwrap.fill(
            str(REFERENCES[key]),
            width=WIDTH_OF_REFERENCES,
            initial_indent=INDENT,
            subsequent_indent=2 * INDENT,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for key in metric.references
    ]
    return "\n".join(lines) + "\n"


def indented_table(names: Sequence[str], rows: Sequence[Sequence[str]], width: int | None) -> str:
    """Return a table of text, indented; the last column holds sentences, which a narrow screen wraps."""
    columns = [*(Column(name) for name in names[:-1]), Column(names[-1], prose=True)]
    sheet = Sheet(columns, [[Cell(text) for text in row] for row in rows])
    room = None if width is None else width - len(INDENT)
    return textwrap.indent(to_text(sheet, width=room, colour=width is not None), INDENT)


def bound_in_words(value: float) -> str:
    """Return a bound as text."""
    return ("infinity" if value > 0 else "-infinity") if math.isinf(value) else f"{value:g}"


def finite_bounds(bounds: tuple[float, float]) -> list[float | None]:
    """Return the two ends for JSON; None means that there is no bound on that side."""
    return [None if math.isinf(bound) else bound for bound in bounds]


def facts_of(metric: Metric) -> dict[str, Any]:
    """Return everything known about a measure, for JSON."""
    return {
        "name": str(metric),
        "family": metric.family.value,
        "summary": metric.summary,
        "formula": metric.formula,
        "greater_is_better": metric.greater_is_better,
        "bounds": finite_bounds(metric.bounds),
        "perfect": metric.perfect,
        "scale_type": metric.scale_type.value,
        "undefined_when": metric.undefined_when,
        "parameters": [
            {
                "name": parameter.name,
                "default": parameter.default,
                "choices": list(parameter.choices) or None,
                "bounds": None if parameter.choices else finite_bounds(parameter.bounds),
                "meaning": parameter.meaning,
            }
            for parameter in metric.parameters
        ],
        "references": [
            {"key": key, "text": str(REFERENCES[key]), "bibtex": REFERENCES[key].bibtex}
            for key in metric.references
        ],
    }
