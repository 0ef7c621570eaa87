"""`ordeval metrics [NAME]`: the list of measures, or everything known about one."""

import inspect
import math
import textwrap
from itertools import groupby
from typing import Any

import click

from ordeval.cli.output import write_json, write_table
from ordeval.metrics import Metric, registry
from ordeval.metrics.references import REFERENCES


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
        write_json("metrics", {"metrics": [_facts(metric) for metric in chosen]})
    elif name is None:
        _list(chosen)
    else:
        _describe(chosen[0])


def _list(metrics: list[Metric]) -> None:
    for family, members in groupby(metrics, key=lambda metric: metric.family.value):
        click.echo(click.style(family, bold=True))
        rows = [(m.name, "higher" if m.greater_is_better else "lower", m.summary) for m in members]
        write_table(("measure", "better", "what it is"), rows, indent=2)
        click.echo()
    click.echo(f"{len(metrics)} measures. 'ordeval metrics NAME' tells more about one.")


def _describe(metric: Metric) -> None:
    low, high = (_number(bound) for bound in metric.bounds)
    facts = {
        "family": metric.family.value,
        "better": "higher" if metric.greater_is_better else "lower",
        "range": f"{low} to {high}",
        "perfect": "depends on the gold" if metric.perfect is None else _number(metric.perfect),
        "scale": metric.scale_type.value,
        "undefined": f"when {metric.undefined_when}",
        "formula": metric.formula,
    }
    click.echo(click.style(str(metric), bold=True))
    click.echo(f"{inspect.getdoc(metric)}\n")
    for fact, value in facts.items():
        click.echo(f"{fact:<11}{value}")
    if metric.parameters:
        click.echo("\nparameters")
        rows = [(p.name, repr(p.default), p.allowed, p.meaning) for p in metric.parameters]
        write_table(("name", "default", "allowed", "meaning"), rows, indent=2)
    click.echo("\nreferences")
    for key in metric.references:
        click.echo(
            textwrap.fill(
                str(REFERENCES[key]),
                width=100,
                initial_indent="  ",
                subsequent_indent="    ",
                break_long_words=False,
                break_on_hyphens=False,
            )
        )


def _number(value: float) -> str:
    return ("infinity" if value > 0 else "-infinity") if math.isinf(value) else f"{value:g}"


def _bounds(bounds: tuple[float, float]) -> list[float | None]:
    """The two ends for JSON, which has no infinity: null is no bound on that side."""
    return [None if math.isinf(bound) else bound for bound in bounds]


def _facts(metric: Metric) -> dict[str, Any]:
    return {
        "name": str(metric),
        "family": metric.family.value,
        "summary": metric.summary,
        "formula": metric.formula,
        "greater_is_better": metric.greater_is_better,
        "bounds": _bounds(metric.bounds),
        "perfect": metric.perfect,
        "scale_type": metric.scale_type.value,
        "undefined_when": metric.undefined_when,
        "parameters": [
            {
                "name": parameter.name,
                "default": parameter.default,
                "choices": list(parameter.choices) or None,
                "bounds": None if parameter.choices else _bounds(parameter.bounds),
                "meaning": parameter.meaning,
            }
            for parameter in metric.parameters
        ],
        "references": [
            {"key": key, "text": str(REFERENCES[key]), "bibtex": REFERENCES[key].bibtex}
            for key in metric.references
        ],
    }
