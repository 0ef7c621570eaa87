"""`ordeval report`: a comparison as one page that holds everything it shows."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from ordeval.cli.compare import comparing_options
from ordeval.cli.help import OUTPUT, CommandWithExamples, option
from ordeval.cli.inputs import Data, Scoring, data_options, scoring_options
from ordeval.cli.measure_options import check_measures
from ordeval.cli.output import output_option
from ordeval.cli.page_origin import without_folders, without_folders_in
from ordeval.cli.page_output import deliver_page
from ordeval.cli.progress import Job
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
    from ordeval.cli.tables import check_unpaired
    from ordeval.comparison.compare import compare
    from ordeval.report import render
    from ordeval.runs import Runs

    if Path(output).suffix.lower() == ".pdf":
        page = Path(output).with_suffix(".html")
        raise click.UsageError(
            f"the report is an HTML page. Write it with -o {page}, open it in a browser and print it to a PDF file."
        )
    job = Job(counting=1, comparing=2, drawing=3)
    runs = data.read_items_or_counts(job)
    check_unpaired(runs, pooled=data.pooled)
    check_measures([*(scoring.metrics or ()), options["primary"]], runs)
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
    deliver_page(
        partial(render, comparison), output, job=job, title=title, files=data.files, default=DEFAULT_OUTPUT,
        about=counted(len(comparison.order), "system"),
    )  # fmt: skip
