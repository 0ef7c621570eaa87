"""`ordeval properties [METRIC...]`: which formal properties each measure has, with counterexamples."""

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from ordeval.cli.output import output_options, screen, write_csv, write_json, written_to
from ordeval.formats.old_text import Cell, Heading, Sheet, to_latex, to_markdown, to_text, wrapped
from ordeval.metrics import registry, resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ordeval.properties import SearchProgress, Verdict, Verdicts

SHORT = ("measure", "property", "verdict", "cases", "paper", "what was found")
FULL = (
    "metric", "property", "verdict", "checked", "undefined", "complete", "paper", "gold", "better", "worse",
    "gold_worse", "value_better", "value_worse", "sentence",
)  # fmt: skip
PAPER = {True: "holds", False: "fails", None: ""}


@click.command()
@click.argument("metrics", nargs=-1, metavar="[METRIC...]")
@click.option(
    "--properties",
    "wanted",
    metavar="NAME,...",
    help="Instead of the paper's three; 'all' is every one.",
)
@click.option(
    "--classes", type=click.IntRange(2), default=4, show_default=True, help="Up to so many classes."
)
@click.option(
    "--items", type=click.IntRange(2), default=6, show_default=True, help="Up to so many items."
)
@click.option(
    "--imbalance-items",
    type=click.IntRange(3),
    default=30,
    show_default=True,
    help="Up to so many items for imbalance, which has few cases of each size.",
)
@click.option(
    "--budget",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="Stop each measure's search after so long.  [default: no limit]",
)
@output_options
@click.option("--list", "listing", is_flag=True, help="List the properties and what each states.")
def command(
    *,
    metrics: tuple[str, ...],
    wanted: str | None,
    classes: int,
    items: int,
    imbalance_items: int,
    budget: float | None,
    form: str,
    output: str | None,
    listing: bool,
) -> None:
    """Search all small cases for one that breaks a formal property.

    A property holds on every case up to the sizes asked for, or the smallest counterexample is shown. METRIC may carry
    parameters, as in "weighted_kappa(weights='quadratic')"; without METRIC every measure is judged.
    """
    from ordeval.properties import PAPER as THREE
    from ordeval.properties import catalogue, check, find_properties

    if listing:
        with written_to(output):
            _list()
        return
    if wanted is None:
        chosen = find_properties(THREE)
    else:
        names = [name.strip() for name in wanted.split(",") if name.strip()]
        chosen = find_properties(list(catalogue) if names == ["all"] else names)
    measures = list(resolve(metrics or registry).values())
    found = []
    with _progress() as progress:
        for measure in measures:
            verdicts = check(
                measure,
                properties=chosen,
                classes=classes,
                items=items,
                imbalance_items=imbalance_items,
                budget=budget,
                progress=progress,
            )
            found.append(verdicts)
    with written_to(output):
        _write(found, form)


def _write(found: "Sequence[Verdicts]", form: str) -> None:
    verdicts = [verdict for one in found for verdict in one]
    if form == "json":
        write_json("properties", {"verdicts": [verdict.to_dict() for verdict in verdicts]})
    elif form == "csv":
        write_csv(FULL, [_full(verdict) for verdict in verdicts])
    elif form == "text":
        _text(found)
    else:
        rows = [[Cell(text) for text in _short(verdict)] for verdict in verdicts]
        headings = [
            Heading(name, numeric=name == "cases", prose=name == SHORT[-1]) for name in SHORT
        ]
        click.echo((to_latex if form == "latex" else to_markdown)(Sheet(headings, rows)), nl=False)


def _text(found: "Sequence[Verdicts]") -> None:
    """A table of all verdicts, then each counterexample in full."""
    rows = [[Cell(text) for text in _short(verdict)[:5]] for one in found for verdict in one]
    headings = [Heading(name, numeric=name == "cases") for name in SHORT[:5]]
    width = screen(None)
    click.echo(to_text(Sheet(headings, rows), width=width, colour=width is not None), nl=False)
    for one in found:
        click.echo("\n" + click.style(one.metric, bold=True))
        for verdict in one:
            click.echo(f"  {verdict.property}: {verdict.verdict}")
            told = [verdict.sentence]
            if verdict.counterexample is not None:
                told.append(str(verdict.counterexample))
            if verdict.undefined_example is not None:
                more = verdict.undefined_example
                told.append(
                    f"{verdict.undefined:,} undefined, the first at {more}: {verdict.reason}"
                )
            for line in told:
                click.echo(wrapped(line, width, "    "))


def _short(verdict: "Verdict") -> list[str]:
    differs = " ≠" if verdict.agrees is False else ""
    return [
        verdict.metric,
        verdict.property,
        verdict.verdict,
        f"{verdict.checked:,}",
        PAPER[verdict.paper] + differs,
        verdict.sentence,
    ]


def _full(verdict: "Verdict") -> list[Any]:
    case = verdict.counterexample
    lists = [None] * 4 if case is None else [case.gold, case.better, case.worse, case.gold_worse]
    return [
        verdict.metric,
        verdict.property,
        verdict.verdict,
        verdict.checked,
        verdict.undefined,
        str(verdict.complete).lower(),
        "" if verdict.paper is None else str(verdict.paper).lower(),
        *("" if labels is None else " ".join(map(str, labels)) for labels in lists),
        *(("", "") if case is None else case.values),
        verdict.sentence,
    ]


def _list() -> None:
    from ordeval.metrics.references import REFERENCES
    from ordeval.properties import catalogue

    for one in catalogue.values():
        click.echo(click.style(one.name, bold=True))
        click.echo(f"  {one.statement}\n  {REFERENCES[one.reference]}\n")


@contextmanager
def _progress() -> "Iterator[Callable[[SearchProgress], None] | None]":
    """Tell on a terminal where the search stands; nothing elsewhere."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    with console.status("") as status:

        def show(at: "SearchProgress") -> None:
            status.update(
                f"{at.metric}: {at.property}, {at.items} items of {at.classes} classes, {at.checked:,} cases"
            )

        yield show
