"""Everything known about one measure, for people and for programs: what `ordeval metrics NAME` writes."""

import inspect
import math
import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from ordeval.cli.metrics import INDENT, folded, indented_table
from ordeval.formats.formulas import in_unicode
from ordeval.formats.terminal import BOLD, styled
from ordeval.metrics import Metric
from ordeval.metrics.names import aliases_of, full_name
from ordeval.metrics.references import REFERENCES

__all__ = ["description_of", "facts_of"]

WIDTH_OF_REFERENCES = 100
LEAST_WIDTH = 80  # of the table of parameters


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
    }
    if metric.formula:
        facts["formula"] = in_unicode(metric.formula).replace(",  ", ",\n")
    aliases = aliases_of(metric.name)
    if aliases:
        facts = {"aliases": ", ".join(map(alias_in_words, aliases)), **facts}
    lines = [
        styled(str(metric), BOLD, colour=width is not None),
        *(
            folded(paragraph, width) + "\n"
            for paragraph in (inspect.getdoc(metric) or "").split("\n\n")
        ),
        *(folded(f"{fact:<11}{value}", width, " " * 11) for fact, value in facts.items()),
    ]
    lines += guidance_of(metric, width)
    if metric.parameters:
        lines += ["", "parameters", *parameters_of(metric, width)]
    lines += ["", "references"] if metric.references else []
    lines += [
        textwrap.fill(
            str(REFERENCES[key]),
            width=min(width or WIDTH_OF_REFERENCES, WIDTH_OF_REFERENCES),
            initial_indent=INDENT,
            subsequent_indent=2 * INDENT,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for key in metric.references
    ]
    return "\n".join(lines) + "\n"


def guidance_of(metric: Metric, width: int | None) -> Iterator[str]:
    """Yield when to use a measure, how to read it, and its names elsewhere; nothing for one of one's own."""
    guidance = metric.guidance
    if guidance is None:
        return
    texts = {"use": guidance.use, "avoid": guidance.avoid, "reading": guidance.reading}
    for topic, text in {**texts, "names": ", ".join(guidance.also_called)}.items():
        yield folded(f"{topic:<11}{text.replace('`', '')}", width, " " * 11)
    if guidance.elsewhere:
        yield from ("", "in other packages")
    for each in guidance.elsewhere:
        settings = each.measure.removeprefix(metric.name)[1:-1]
        remarks = "; ".join(part for part in (settings, each.note) if part)
        line = f"{each.library}: {each.call}" + (f" ({remarks})" if remarks else "")
        yield INDENT + folded(line, None if width is None else width - 2, 2 * INDENT)


def parameters_of(metric: Metric, width: int | None) -> list[str]:
    """Return the parameters as a table, or as sentences on a screen that is too narrow for the table."""
    allowed = max(len(parameter.allowed) for parameter in metric.parameters)
    if width is None or width >= max(LEAST_WIDTH, 2 * allowed):
        rows = [(p.name, repr(p.default), p.allowed, p.meaning) for p in metric.parameters]
        table = indented_table(("name", "default", "allowed", "meaning"), rows, width)
        return [table.rstrip("\n")]
    return [
        INDENT
        + folded(
            f"{p.name}: {p.meaning}; {p.allowed} (default {p.default!r})", width - 2, 2 * INDENT
        )
        for p in metric.parameters
    ]


def alias_in_words(alias: str) -> str:
    """Return an alias, with the settings that it stands for."""
    _, bracket, settings = full_name(alias).partition("(")
    return f"{alias} ({settings}" if bracket else alias


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
        "aliases": aliases_of(metric.name),
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
                "matrix": parameter.matrix,
                "bounds": None if parameter.choices else finite_bounds(parameter.bounds),
                "meaning": parameter.meaning,
            }
            for parameter in metric.parameters
        ],
        "references": [
            {"key": key, "text": str(REFERENCES[key]), "bibtex": REFERENCES[key].bibtex}
            for key in metric.references
        ],
        "guidance": None if metric.guidance is None else asdict(metric.guidance),
    }
