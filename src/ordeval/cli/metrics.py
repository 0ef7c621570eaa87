"""`ordeval metrics [NAME]`: the list of measures, or everything known about one."""

import inspect
import math
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from itertools import groupby
from typing import Any

import click

from ordeval.cli.help import OUTPUT, SEARCH, CommandWithExamples, option
from ordeval.cli.measure_options import plugin_option
from ordeval.cli.output import deliver, screen
from ordeval.cli.progress import remark
from ordeval.errors import suggestion
from ordeval.formats.formulas import in_unicode
from ordeval.formats.json import head, to_json
from ordeval.formats.numbers import counted
from ordeval.formats.sheet import Cell, Column, Sheet
from ordeval.formats.terminal import BOLD, styled, to_text
from ordeval.metrics import Family, Metric, ScaleType, registry
from ordeval.metrics.names import ALIASES, aliases_of, full_name
from ordeval.metrics.plugins import load_installed
from ordeval.metrics.references import REFERENCES

INDENT = "  "
WIDTH_OF_REFERENCES = 100
LEAST_WIDTH = 80  # of the table of parameters
FUNCTION = re.compile(r"[\w.]*(?:\.|::)[\w.]+(?=\()")  # in a call of another package


FAMILIES = [family.value for family in Family]
# What --needs asks for, and the measures that it finds.
NEEDS: dict[str, Callable[[Metric], bool]] = {
    "nominal": lambda metric: metric.scale_type is ScaleType.NOMINAL,
    "ordinal": lambda metric: metric.scale_type is ScaleType.ORDINAL,
    "interval": lambda metric: metric.scale_type is ScaleType.INTERVAL,
    "values": lambda metric: "values" in metric.needs,
    "probabilities": lambda metric: metric.takes_probabilities,
}
PROPERTIES = {
    "invariance": "ordinal_invariance",
    "monotonicity": "ordinal_monotonicity",
    "imbalance": "imbalance",
}


@click.command(
    cls=CommandWithExamples,
    examples=(
        ("ordeval metrics qwk", "everything about one measure"),
        ("ordeval metrics --help-me", "a few questions, and the measure that fits the answers"),
        ("ordeval metrics --family error --property imbalance", "several conditions"),
    ),
)
@click.argument("name", required=False)
@plugin_option(SEARCH)
@option(
    SEARCH,
    "--search",
    metavar="WORDS",
    help="Only measures with these words in their names, here or in other packages, or descriptions.",
)
@option(
    SEARCH,
    "--family",
    type=click.Choice(FAMILIES),
    metavar="FAMILY",
    help=f"Only measures of one family: {', '.join(FAMILIES)}.",
)
@option(
    SEARCH,
    "--needs",
    type=click.Choice([*NEEDS]),
    metavar="NEED",
    help="Only measures that take the classes as nominal, ordinal or interval, or that need values of the classes "
    "or class probabilities.",
)
@option(
    SEARCH,
    "--property",
    "wanted",
    type=click.Choice([*PROPERTIES]),
    help="Only measures that have a formal property, by the paper's table 2.",
)
@option(
    SEARCH,
    "--help-me",
    is_flag=True,
    help="Ask a few questions and recommend a measure.",
)
@option(
    SEARCH,
    "--answers",
    metavar="N,N,...",
    help="With --help-me: the numbers of the answers, instead of asking; empty for one that you do not know.",
)
@option(
    OUTPUT,
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="For people or for programs.",
)
def command(
    *,
    name: str | None,
    search: str | None,
    family: str | None,
    needs: str | None,
    wanted: str | None,
    help_me: bool,
    answers: str | None,
    form: str,
) -> None:
    """List the measures, search them, or tell everything known about one.

    NAME may be a short name, such as qwk, and carry parameters: "weighted_kappa(weights='linear')".
    """
    if help_me or answers is not None:
        if not help_me:
            raise click.UsageError("--answers answers the questions of --help-me. Pass both.")
        if name or search or family or needs or wanted:
            raise click.UsageError(
                "--help-me asks questions to find a measure, so it takes only --answers and --format. Leave out NAME "
                "and the other options."
            )
        from ordeval.cli import help_me as dialogue

        dialogue.help_me(answers, form)
        return
    if name is not None and (search or family or needs or wanted):
        raise click.UsageError(
            "NAME asks for one measure, and the options for a list. Leave one out."
        )
    for complaint in load_installed():
        remark(f"Note that {complaint}.")
    chosen = found(search, family, needs, wanted) if name is None else [registry[name]]
    if form == "json":
        text = to_json({**head("metrics"), "metrics": [facts_of(metric) for metric in chosen]})
    elif name is not None:
        text = description_of(chosen[0], width=screen(None))
    elif chosen:
        text = list_of(chosen, width=screen(None))
    else:
        near = suggestion((search or "").lower(), [*registry, *ALIASES], ALIASES)
        text = f"No measure is like this.{near} 'ordeval metrics' lists them all.\n"
    deliver(text, None, form)


def found(
    search: str | None, family: str | None, needs: str | None, wanted: str | None
) -> list[Metric]:
    """Return the measures that fit everything that was asked for."""
    return [
        metric
        for metric in registry.values()
        if all(word in words_of(metric) for word in (search or "").lower().split())
        and family in (None, metric.family)
        and (needs is None or NEEDS[needs](metric))
        and (wanted is None or metric.claims.get(PROPERTIES[wanted], False))
    ]


def words_of(metric: Metric) -> str:
    """Return what --search looks into: the names of a measure here and elsewhere, its family and what it is."""
    names = [metric.name, *aliases_of(metric.name)]
    if metric.guidance is not None:
        called = [FUNCTION.findall(each.call) for each in metric.guidance.elsewhere]
        names += [*metric.guidance.also_called, *(name for names in called for name in names)]
    return " ".join([*names, metric.family, metric.summary]).lower()


def list_of(metrics: list[Metric], *, width: int | None) -> str:
    """Return a table for each family, for a screen of a width."""
    parts = []
    for family, members in groupby(metrics, key=lambda metric: metric.family.value):
        rows = [(m.name, "higher" if m.greater_is_better else "lower", m.summary) for m in members]
        heading = styled(family, BOLD, colour=width is not None)
        parts.append(
            f"{heading}\n{indented_table(('measure', 'better', 'what it is'), rows, width)}"
        )
    total = counted(len(metrics), "measure")
    end = f"{total}. 'ordeval metrics NAME' tells more about one.\n"
    if len(metrics) == len(registry):  # nothing in particular was searched for
        end += "'ordeval metrics --help-me' asks you and recommends one.\n"
    return "\n".join([*parts, end])


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


def folded(text: str, width: int | None, indent: str = "") -> str:
    """Return text whose lines fit a screen, all but the first indented; an example is left as it is."""
    first, *others = text.splitlines()
    lines = [first, *(f"{indent}{line}" for line in others)]
    if width is not None and not first.startswith(">>>"):
        lines = lines if indent else [" ".join(lines)]
        fold = partial(textwrap.wrap, width=width, subsequent_indent=indent, break_long_words=False)
        lines = [part for line in lines for part in fold(line)]
    return "\n".join(lines)


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
