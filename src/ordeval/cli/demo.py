"""`ordeval demo`: the main job on a built-in shared task, from files to a report, in seconds."""

import csv
import io
import os
import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ordeval.cli.compare import leaderboard
from ordeval.cli.output import deliver, screen
from ordeval.cli.report import size_words
from ordeval.errors import MissingPackageError
from ordeval.formats.old_text import Cell, Heading, Sheet, to_text

if TYPE_CHECKING:
    from ordeval.comparison.result import Comparison
    from ordeval.simulate import Collection

FOLDER = "ordeval-demo"
LABELS = ("very bad", "bad", "fair", "good", "very good")
CASES = (
    "books", "cameras", "cars", "films", "games", "hotels", "lamps", "museums", "phones", "radios", "recipes",
    "schools", "shoes", "songs", "trains", "wines",
)  # fmt: skip
ITEMS = 50  # of each case
# The kinds of mistake of the paper's section 5.3, by what they do.
KINDS = {
    "maj": "majority",
    "rand": "random",
    "tDisp": "one-up",
    "oDisp": "shifted",
    "prox": "near-miss",
}
CHECKED = ("cem_ord", "accuracy", "mae", "kendall_tau_b")
METRICS = ("cem_ord", "accuracy", "mae", "kendall_tau_b")


@click.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False),
    metavar="DIR",
    default=FOLDER,
    show_default=True,
    help="Write the data and the report here.",
)
def command(output: str) -> None:
    """Run a shared task from files to a report: score, compare, check, report.

    Ten systems that make five kinds of mistake judge reviews on a scale of five classes, in sixteen test cases.
    """
    folder = Path(output)
    gold, systems, report = (folder / name for name in ("gold.csv", "systems.csv", "report.html"))
    width = screen(None) or 80

    _step(
        1,
        "A shared task",
        f"{len(CASES) * ITEMS} reviews in {len(CASES)} test cases, judged by ten systems on a scale of five classes: "
        f"{' < '.join(LABELS)}.",
    )
    _write_task(folder, gold, systems)
    for path, what in ((gold, "case, item, label"), (systems, "case, item, system, label")):
        click.echo(f"   {path}: {what}")
    click.echo()

    _step(
        2,
        "Score and compare",
        "Systems that no test can tell apart share a tier. Mistakes weigh by how many items they pass over.",
    )
    comparison = _compare(gold, systems)
    click.echo(
        to_text(_short(leaderboard(comparison)), width=width, colour=screen(None) is not None)
    )
    click.echo(_wrapped(comparison.caption, width) + "\n")

    _step(
        3,
        "Check the measures",
        "Each measure is tried on every small table there is; a property holds, or here is what breaks it.",
    )
    _check(width)

    _step(4, "Report", "Everything above and more, on one page that needs no network.")
    try:
        from ordeval.report import render

        text = render(
            comparison,
            title="Demo: ten systems judge reviews",
            command=_commands(gold, systems)[1],
        )
    except MissingPackageError as error:
        click.echo(f"   No report: {error}\n")
    else:
        deliver(text, str(report))
        click.echo(f"   {report.resolve()} ({size_words(text)})\n   Open it in a browser.\n")

    click.echo(click.style("The same with your own files:", bold=True))
    for line in _commands(gold, systems):
        click.echo(f"   {line}")
    click.echo("\n'ordeval reproduce appendix-a' shows step by step how closeness is computed.")


def _step(number: int, title: str, explanation: str) -> None:
    click.echo(click.style(f"{number}. {title}", bold=True))
    click.echo(_wrapped(explanation, screen(None) or 80) + "\n")


def _wrapped(text: str, width: int) -> str:
    import textwrap

    return textwrap.fill(text, width=width)


def _short(sheet: Sheet) -> Sheet:
    """Return a leaderboard with the intervals of the primary measure alone."""
    rows = [[*row[:3], *(replace(cell, beside="") for cell in row[3:])] for row in sheet.rows]
    return Sheet(sheet.headings, rows, sheet.caption, sheet.footnotes)


def shared_task() -> "Collection":
    """Return the synthetic collection: most reviews are good, and each kind of mistake is made rarely and often."""
    from ordeval.simulate import collection

    return collection(
        labels=LABELS,
        cases=len(CASES),
        items=ITEMS,
        mean=2.7,
        deviation=(0.8, 1.5),
        kinds=tuple(KINDS),
        ratios=(0.25, 0.4),
        rng=1,  # one whose tiers come in the order of the scores
    )


def _write_task(folder: Path, gold: Path, systems: Path) -> None:
    task = shared_task()
    right, answers = [["case", "item", "label"]], [["case", "item", "system", "label"]]
    names = [
        f"{KINDS[kind]}-{round(100 * ratio)}%"
        for kind, ratio in zip(task.kinds, task.ratios, strict=True)
    ]
    for c, case in enumerate(CASES):
        for i in range(ITEMS):
            item = f"{case}-{i + 1:03d}"
            right.append([case, item, LABELS[task.gold[c, i]]])
            answers += [
                [case, item, name, LABELS[task.predicted[s, c, i]]] for s, name in enumerate(names)
            ]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(
            f"cannot make the folder {folder}: {error.strerror}. Pass another with -o."
        ) from error
    for path, rows in ((gold, right), (systems, answers)):
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows)
        deliver(text.getvalue(), str(path))


def _compare(gold: Path, systems: Path) -> "Comparison":
    from ordeval.comparison.compare import compare
    from ordeval.runs import Runs

    runs = Runs.from_files(str(gold), [str(systems)], labels=LABELS)
    return compare(runs, metrics=METRICS)


def _check(width: int) -> None:
    from ordeval.properties import check

    rows, broken = [], []
    for name in CHECKED:
        verdicts = check(name)
        rows.append(
            [
                Cell(name),
                *(Cell("holds" if one.verdict == "holds" else "fails") for one in verdicts),
            ]
        )
        broken += [
            f"{one.property.replace('_', ' ')} of {name}: {one.sentence}."
            for one in verdicts
            if one.counterexample
        ]
    headings = [
        Heading("measure", numeric=False),
        *(Heading(name, numeric=False) for name in ("invariance", "monotonicity", "imbalance")),
    ]
    click.echo(to_text(Sheet(headings, rows), width=width, colour=screen(None) is not None))
    click.echo(_wrapped(f"For instance, {broken[0]}", width) + "\n")


def _commands(gold: Path, systems: Path) -> list[str]:
    """Return the commands that do the same again; they run as they are."""
    files = shlex.join([os.fspath(gold), os.fspath(systems), "--labels", ",".join(LABELS)])
    metrics = shlex.join(["--metrics", ",".join(METRICS)])
    return [
        f"ordeval compare {files} {metrics}",
        f"ordeval report {files} {metrics} -o report.html",
        "ordeval properties cem_ord accuracy",
    ]
