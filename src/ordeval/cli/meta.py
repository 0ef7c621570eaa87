"""`ordeval meta`: which measure to trust on given systems."""

from typing import TYPE_CHECKING, Any

import click

from ordeval.cli.inputs import Data, data_options, read_level, working
from ordeval.cli.output import deliver, output_options, screen, to_json
from ordeval.formats.old_text import Cell, Heading, Sheet, to_csv, to_latex, to_markdown, to_text
from ordeval.meta.display import number
from ordeval.meta.study import MARKS, SHORT
from ordeval.meta.values import DEFAULT_REFERENCE, UNDEFINED

if TYPE_CHECKING:
    from ordeval.meta.study import Study
    from ordeval.runs import Runs

PARTS = ("coverage", "robustness", "discriminative_power")


def read_names(
    ctx: click.Context, parameter: click.Parameter, text: str | None
) -> tuple[str, ...] | None:
    """Read the names of measures, and check them before any file is opened."""
    from ordeval.metrics.names import split_names
    from ordeval.metrics.registry import resolve

    return None if text is None else tuple(resolve(split_names(text)))


@click.command()
@data_options
@click.option(
    "--metrics", metavar="NAME,...", callback=read_names, help="Measures to judge.  [default: all]"
)
@click.option(
    "--reference",
    metavar="NAME,...",
    callback=read_names,
    default=",".join(DEFAULT_REFERENCE),
    show_default=True,
    help="Measures whose unanimous improvements are to be covered.",
)
@click.option(
    "--parts",
    type=click.IntRange(2),
    default=10,
    show_default=True,
    help="Random parts, without test cases.",
)
@click.option(
    "--repeats",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="How often they are drawn.",
)
@click.option(
    "--undefined",
    type=click.Choice(UNDEFINED),
    default="omit",
    show_default=True,
    help="An undefined score.",
)
@click.option("--alpha", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.05, show_default=True,
              help="The level at which two systems are told apart.")  # fmt: skip
@click.option("--level", default="0.95", show_default=True, metavar="LEVEL|none", callback=read_level,
              help="Confidence level of the intervals.")  # fmt: skip
@click.option(
    "--resamples",
    type=click.IntRange(1),
    default=999,
    show_default=True,
    help="Resamples behind each interval.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Where the resampling starts.",
)
@output_options
def command(
    *,
    data: Data,
    metrics: tuple[str, ...] | None,
    reference: tuple[str, ...],
    seed: int,
    form: str,
    output: str | None,
    **settings: Any,
) -> None:
    """Judge measures on your systems: coverage, robustness, discriminative power.

    Coverage tells how well differences in a measure follow improvements that all reference measures agree on,
    robustness how alike it ranks the systems from one test case to another, and discriminative power how many pairs of
    systems it tells apart. Inputs are those of 'ordeval compare'; at least two systems.
    """
    from ordeval.meta.study import study

    runs = data.read()
    with working("judging measures"):
        found = study(runs, metrics, reference=reference, rng=seed, **settings)
    deliver(written(found, runs, form, output), output)


def written(found: "Study", runs: "Runs", form: str, output: str | None) -> str:
    """Write the study in the form asked for."""
    if form == "json":
        content = {
            key: value for key, value in found.to_dict().items() if key not in {"schema", "kind"}
        }
        return to_json("meta", {**about(runs), **content})
    if form == "csv":
        return to_csv(*flat(found))
    sheet = sheet_of(found)
    if form == "markdown":
        return to_markdown(sheet)
    if form == "latex":
        return to_latex(sheet)
    width = screen(output)
    return to_text(sheet, width=width, colour=width is not None)


def about(runs: "Runs") -> dict[str, Any]:
    """Return what was read, and under which policy."""
    told = ("missing", "unknown", "duplicates")
    return {
        "scale": {"labels": list(runs.scale.labels), "values": list(runs.scale.values)},
        "policy": {name: getattr(runs.policy, name) for name in told},
        "input": {"items": runs.n, "cases": len(runs.cases), "ignored": dict(runs.ignored)},
    }


def flat(found: "Study") -> tuple[list[str], list[list[object]]]:
    """Return one line for each measure, for a spreadsheet."""
    header = [
        "measure",
        *(f"{part}{end}" for part in PARTS for end in ("", "_low", "_high")),
        "swap_rate",
    ]
    rows: list[list[object]] = []
    for row in found.rows():
        cells: list[object] = [row["name"]]
        for part in PARTS:
            ends = row.get("coverage_over_both" if part == "coverage" else f"{part}_interval", {})
            cells += [row[part], ends.get("low"), ends.get("high")]
        rows.append([*cells, row["swap_rate"]])
    return header, rows


def sheet_of(found: "Study") -> Sheet:
    """Lay the table out: each value with its interval, the formal properties, and what it amounts to."""
    headings = [
        Heading("measure", numeric=False), Heading("coverage", "↑"), Heading("robustness", "↑"),
        Heading("told apart", "↑"), Heading("swaps", "↓"), *(Heading(name, numeric=False) for name in SHORT),
    ]  # fmt: skip
    best = {found.metrics[0], *found.equals}
    rows = []
    for name in found.metrics:
        values = [
            Cell(value, f"({ends})" if ends else "", best=at == 0 and name in best)
            for at, (value, ends) in enumerate(found.cells(name))
        ]
        marks = [Cell(MARKS[mark]) for mark in found.properties[name]]
        rows.append([Cell(name), *values, Cell(number(found.swaps[name])), *marks])
    bold = "Bold coverage: the best, and those that cannot be told from it."
    return Sheet(headings, rows, [found.recommendation, bold, found.caption])
