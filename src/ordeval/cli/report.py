"""`ordeval report`: a comparison as one page that holds everything it shows."""

import hashlib
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from ordeval.cli.compare import comparing_options
from ordeval.cli.help import OUTPUT, CommandWithExamples, option
from ordeval.cli.inputs import Data, Scoring, check_measures, data_options, scoring_options
from ordeval.cli.output import deliver, output_option
from ordeval.cli.progress import Job, remark
from ordeval.cli.tables import check_unpaired
from ordeval.formats.numbers import counted

DEFAULT_OUTPUT = "report.html"


@click.command(
    cls=CommandWithExamples,
    examples=(
        ("ordeval report gold.csv 'runs/*.csv' -o report.html", "each file of a folder is a system"),
        ("ordeval report data.csv --gold human --pred a,b --names low,mid,high", "codes shown as words"),
    ),
)  # fmt: skip
@data_options
@scoring_options
@comparing_options
@option(OUTPUT, "--title", metavar="TEXT", help="The title of the page.")
@output_option(default=DEFAULT_OUTPUT, show_default=True, help="Write the page here.")
def command(data: Data, scoring: Scoring, title: str | None, output: str, **options: Any) -> None:
    """Write one self-contained HTML page: who is best, how certain that is, and what each error costs.

    Takes the same files as evaluate and compare. The page needs no network: mail it, print it, keep it.
    """
    from ordeval.comparison.compare import compare
    from ordeval.report import render
    from ordeval.runs import Runs

    if Path(output).suffix.lower() == ".pdf":
        page = Path(output).with_suffix(".html")
        raise click.UsageError(
            f"the report is an HTML page. Write it with -o {page}, open it in a browser and print it to a PDF file."
        )
    context = click.get_current_context()
    job = Job(counting=1, comparing=2, drawing=3)
    runs = data.read_items_or_counts(job)
    check_unpaired(runs, pooled=data.pooled)
    check_measures([*scoring.metrics, options["primary"]], runs)
    if isinstance(runs, Runs):
        runs = replace(
            runs,
            notes=tuple(without_folders_in(note, data.files) for note in runs.notes),
            skipped=tuple((without_folders(file), why) for file, why in runs.skipped),
        )
    with job.stage("comparing") as progress:
        comparison = compare(
            runs, by=data.slicings or None, progress=progress, **scoring.settings(), **options
        )
    with job.stage("drawing") as progress:
        command, files = command_line(context), fingerprints(data.files)
        text = render(comparison, title=title, command=command, files=files, progress=progress)
    deliver(text, output, "html")
    systems = counted(len(comparison.order), "system")
    remark(f"{output}: {systems}, {size_in_words(text)}. Open it in a browser.")


def size_in_words(text: str) -> str:
    """Return the size of a page in kB or MB."""
    size = len(text.encode())
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"


def command_line(context: click.Context, output: str = DEFAULT_OUTPUT) -> str:
    """Return the command as it would be typed again, but with the default file, because the page may be moved."""
    words = ["ordeval", str(context.info_name)]
    for parameter in context.command.get_params(context):
        value: Any = context.params.get(parameter.name or "")
        source = context.get_parameter_source(parameter.name or "")
        if source is not ParameterSource.COMMANDLINE or parameter.name in {"output", "title"}:
            continue
        if isinstance(parameter, click.Argument):
            words += map(without_folders, value)
        elif getattr(parameter, "is_flag", False):
            words.append(parameter.opts[0])
        elif parameter.name in {"metrics", "ceiling"}:
            words += [parameter.opts[0], ",".join(value)]
        elif isinstance(value, tuple):
            words += [word for one in value for word in (parameter.opts[0], str(one))]
        else:
            words += [parameter.opts[0], "none" if value is None else str(value)]
    return shlex.join([*words, "-o", output])


def without_folders(path: str) -> str:
    """Return the name of a file; of a relative path all of it, because it says nothing about the machine."""
    return Path(path).name if Path(path).is_absolute() else path


def without_folders_in(text: str, paths: Sequence[str]) -> str:
    """Return a text in which files are named without the folders of the machine."""
    for folder in {f"{Path(path).parent}/" for path in paths if Path(path).is_absolute()}:
        text = text.replace(folder, "")
    return text


def fingerprints(paths: Sequence[str]) -> list[tuple[str, str]]:
    """Return the names of the files that were read, each with its SHA-256; the files of a glob follow each other."""
    from ordeval.inputs.files.locate import files_of

    found = []
    for path in paths:
        for file in files_of(path)[1]:
            with Path(file).open("rb") as opened:
                digest = hashlib.file_digest(opened, "sha256").hexdigest()
            found.append((Path(file).name, digest))
    return found
