"""`ordeval demo`: the main job on a built-in shared task, from files to a report, in seconds."""

import csv
import io
import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ordeval.cli.help import OUTPUT, CommandWithExamples, option
from ordeval.cli.output import deliver, screen
from ordeval.cli.page_origin import fingerprints, size_in_words
from ordeval.cli.progress import Job
from ordeval.errors import MissingPackageError
from ordeval.formats.sheet import text_sheet
from ordeval.formats.terminal import BOLD, styled, to_text, wrapped

if TYPE_CHECKING:
    from ordeval.aliases import Progress
    from ordeval.comparison.comparison import Comparison
    from ordeval.properties import Verdicts
    from ordeval.simulate import Collection

FOLDER = "ordeval-demo"
LABELS = ("very bad", "bad", "fair", "good", "very good")
CASES = (
    "books", "cameras", "cars", "films", "games", "hotels", "lamps", "museums", "phones", "radios", "recipes",
    "schools", "shoes", "songs", "trains", "wines",
)  # fmt: skip
ITEMS = 50  # of each case
# The kinds of mistakes of the paper's section 5.3, and what the demo calls them.
KINDS = {
    "maj": "majority",
    "rand": "random",
    "tDisp": "one-up",
    "oDisp": "shifted",
    "prox": "near-miss",
}
METRICS = ("cem_ord", "accuracy", "mae", "kendall_tau_b")


@click.command(
    cls=CommandWithExamples,
    examples=(
        ("ordeval demo", "write the data and the report to the folder ordeval-demo"),
        ("ordeval demo -o my-demo", "write them to another folder"),
    ),
)  # fmt: skip
@option(
    OUTPUT,
    "-o",
    "--output",
    type=click.Path(file_okay=False),
    metavar="DIR",
    default=FOLDER,
    show_default=True,
    help="Write data and report here.",
)
def command(output: str) -> None:
    """Run a shared task from files to a report: score, compare, check, report.

    Ten systems that make five kinds of mistake judge reviews on a scale of five classes, in sixteen test cases.
    """
    folder = Path(output)
    gold, systems, report = (folder / name for name in ("gold.csv", "systems.csv", "report.html"))
    width = screen(None) or 80

    announce(
        1,
        "A shared task",
        f"{len(CASES) * ITEMS} reviews in {len(CASES)} test cases, judged by ten systems on a scale of five classes: "
        f"{' < '.join(LABELS)}.",
    )
    job = Job(writing=1, comparing=2, checking=3, drawing=4)
    with job.stage("writing"):
        write_task(folder, gold, systems)
    for path, what in ((gold, "case, item, label"), (systems, "case, item, system, label")):
        click.echo(f"   {path}: {what}")
    click.echo()

    announce(
        2,
        "Score and compare",
        "A system may be the best if no other is significantly better; ranks are those that it may have. A mistake "
        "costs more if more items lie between the answer and the right class.",
    )
    with job.stage("comparing") as progress:
        comparison = compare_files(gold, systems, progress)
    board = comparison.sheets()[0].without_intervals(comparison.primary, "minus the best")
    click.echo(to_text(board, width=width, colour=screen(None) is not None))

    announce(
        3,
        "Check the measures",
        "Each measure is tried on every small table. A property holds on all of them, or one of them breaks it.",
    )
    with job.stage("checking") as progress:
        verdicts = check_measures(progress)
    click.echo(verdicts_in_words(verdicts, width))

    announce(4, "Report", "Everything above and more, on one page that needs no network.")
    try:
        from ordeval.report import render

        with job.stage("drawing") as progress:
            text = render(
                comparison,
                title="Demo: ten systems judge reviews",
                command=commands_of(gold, systems)[1],
                files=fingerprints([str(gold), str(systems)]),
                progress=progress,
            )
    except MissingPackageError as error:
        click.echo(f"   No report: {error}\n")
    else:
        deliver(text, str(report), "html")
        click.echo(f"   {report.resolve()} ({size_in_words(text)})\n   Open it in a browser.\n")

    click.echo(bold("To do the same with your own files, change the names in these commands:"))
    for line in commands_of(gold, systems):
        click.echo(f"   {line}")
    click.echo("\n'ordeval reproduce appendix-a' shows step by step how closeness is computed.")


def bold(text: str) -> str:
    """Return a heading, bold on a terminal that has colour."""
    return styled(text, BOLD, colour=screen(None) is not None)


def announce(number: int, title: str, explanation: str) -> None:
    """Print the title of a step, and what happens in it."""
    click.echo(bold(f"{number}. {title}"))
    click.echo(wrapped(explanation, screen(None) or 80) + "\n")


def shared_task() -> "Collection":
    """Return the synthetic collection: most reviews are good, and each kind of mistake is made at two rates."""
    from ordeval.simulate import collection

    return collection(
        labels=LABELS,
        cases=len(CASES),
        items=ITEMS,
        mean=2.7,
        deviation=(0.8, 1.5),
        kinds=tuple(KINDS),
        ratios=(0.25, 0.4),
        rng=1,
    )


def write_task(folder: Path, gold: Path, systems: Path) -> None:
    """Write the gold labels and the answers of all systems, each as a CSV file."""
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
    files = {path: csv_text(rows) for path, rows in ((gold, right), (systems, answers))}
    for path, text in files.items():
        if path.exists() and path.read_bytes() != text.encode():
            raise click.UsageError(
                f"{str(path)!r} is there already, and it is not the demo's. Pass another folder with -o."
            )
    for path, text in files.items():
        deliver(text, str(path), "csv")


def csv_text(rows: list[list[str]]) -> str:
    """Return rows as comma-separated values."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def compare_files(gold: Path, systems: Path, progress: "Progress") -> "Comparison":
    """Return the comparison of the systems in the files."""
    from ordeval.comparison.compare import compare
    from ordeval.runs import Runs

    runs = Runs.from_files(str(gold), [str(systems)], labels=LABELS)
    return compare(runs, metrics=METRICS, progress=progress)


def check_measures(progress: "Progress") -> "dict[str, Verdicts]":
    """Return which measure has which property."""
    from ordeval.progress import each
    from ordeval.properties import check

    return {name: check(name) for name, _ in each(METRICS, progress)}


def verdicts_in_words(verdicts: "dict[str, Verdicts]", width: int) -> str:
    """Return a table of which measure has which property, and one counterexample."""
    rows = [
        [name, *("holds" if one.verdict == "holds" else "fails" for one in found)]
        for name, found in verdicts.items()
    ]
    broken = [
        f"{one.property.replace('_', ' ')} of {name}: {one.sentence}."
        for name, found in verdicts.items()
        for one in found
        if one.counterexample
    ]
    sheet = text_sheet(("measure", "invariance", "monotonicity", "imbalance"), rows, left=4)
    table = to_text(sheet, width=width, colour=screen(None) is not None)
    return f"{table}\n{wrapped(f'For instance, {broken[0]}', width)}\n"


def commands_of(gold: Path, systems: Path) -> list[str]:
    """Return the commands that do the same again; they can be run as they are."""
    files = shlex.join([os.fspath(gold), os.fspath(systems), "--labels", ",".join(LABELS)])
    metrics = shlex.join(["--metrics", ",".join(METRICS)])
    return [
        f"ordeval compare {files} {metrics}",
        f"ordeval report {files} {metrics} -o report.html",
        "ordeval properties cem_ord accuracy",
    ]
