"""`ordeval metrics [NAME]`: the list of measures, or everything known about one."""

import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

import click

from ordeval.cli.help import OUTPUT, SEARCH, CommandWithExamples, option
from ordeval.cli.measure_options import plugin_option
from ordeval.cli.output import deliver, screen
from ordeval.cli.progress import remark
from ordeval.errors import suggestion
from ordeval.formats.numbers import counted
from ordeval.formats.sheet import Cell, Column, Sheet
from ordeval.formats.terminal import BOLD, styled, to_text
from ordeval.measure_list import MEASURES, ListedMeasure
from ordeval.vocabulary import ENTRY_POINTS, Family, ScaleType

if TYPE_CHECKING:
    from ordeval.metrics import Metric

INDENT = "  "
FUNCTION = re.compile(r"[\w.]*(?:\.|::)[\w.]+(?=\()")  # in a call of another package


FAMILIES = [family.value for family in Family]
# What --needs asks for, and the measures that it finds.
NEEDS: "dict[str, Callable[[Metric], bool]]" = {
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
    asked = (name, search, family, needs, wanted)
    if form == "text" and not any(asked) and only_ours():
        deliver(list_of(MEASURES, width=screen(None), every=True), None, form)
        return
    from ordeval.cli.measure_facts import description_of, facts_of
    from ordeval.formats.json import head, to_json
    from ordeval.metrics import registry
    from ordeval.metrics.names import ALIASES
    from ordeval.metrics.plugins import load_installed

    for complaint in load_installed():
        remark(f"Note that {complaint}.")
    chosen = found(search, family, needs, wanted) if name is None else [registry[name]]
    if form == "json":
        text = to_json({**head("metrics"), "metrics": [facts_of(metric) for metric in chosen]})
    elif name is not None:
        text = description_of(chosen[0], width=screen(None))
    elif chosen:
        text = list_of(chosen, width=screen(None), every=len(chosen) == len(registry))
    else:
        near = suggestion((search or "").lower(), [*registry, *ALIASES], ALIASES)
        text = f"No measure is like this.{near} 'ordeval metrics' lists them all.\n"
    deliver(text, None, form)


def only_ours() -> bool:
    """Tell whether no measure is known but those of this package, whose list is at hand without the registry."""
    from importlib.metadata import entry_points

    return "ordeval.metrics" not in sys.modules and not entry_points(group=ENTRY_POINTS)


def found(
    search: str | None, family: str | None, needs: str | None, wanted: str | None
) -> "list[Metric]":
    """Return the measures that fit everything that was asked for."""
    from ordeval.metrics import registry

    return [
        metric
        for metric in registry.values()
        if all(word in words_of(metric) for word in (search or "").lower().split())
        and family in (None, metric.family)
        and (needs is None or NEEDS[needs](metric))
        and (wanted is None or metric.claims.get(PROPERTIES[wanted], False))
    ]


def words_of(metric: "Metric") -> str:
    """Return what --search looks into: the names of a measure here and elsewhere, its family and what it is."""
    from ordeval.metrics.names import aliases_of

    names = [metric.name, *aliases_of(metric.name)]
    if metric.guidance is not None:
        called = [FUNCTION.findall(each.call) for each in metric.guidance.elsewhere]
        names += [*metric.guidance.also_called, *(name for names in called for name in names)]
    return " ".join([*names, metric.family, metric.summary]).lower()


def list_of(
    metrics: "Iterable[Metric | ListedMeasure]", *, width: int | None, every: bool = False
) -> str:
    """Return a table for each family, for a screen of a width; `every`: nothing in particular was searched for."""
    parts, total = [], 0
    for family, members in groupby(metrics, key=lambda metric: str(metric.family)):
        rows = [(m.name, "higher" if m.greater_is_better else "lower", m.summary) for m in members]
        total += len(rows)
        heading = styled(family, BOLD, colour=width is not None)
        parts.append(
            f"{heading}\n{indented_table(('measure', 'better', 'what it is'), rows, width)}"
        )
    end = f"{counted(total, 'measure')}. 'ordeval metrics NAME' tells more about one.\n"
    if every:
        end += "'ordeval metrics --help-me' asks you and recommends one.\n"
    return "\n".join([*parts, end])


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
