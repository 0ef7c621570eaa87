"""`ordeval meta`: which measure to trust on given systems."""

from typing import Any

import click

from ordeval.cli.help import MEASURES, CommandWithExamples, option
from ordeval.cli.inputs import Data, data_options
from ordeval.cli.measure_options import PLUGIN, read_level, read_measures_of_labels
from ordeval.cli.output import deliver, output_options, screen
from ordeval.cli.progress import Job
from ordeval.vocabulary import DEFAULT_REFERENCE, UNDEFINED_VALUES


@click.command(
    cls=CommandWithExamples,
    examples=(
        ("ordeval meta gold.csv 'runs/*.csv' --metrics cem,qwk,mae", "three measures on the systems of a folder"),
        ("ordeval meta data.csv --gold human --pred a,b --level none", "all measures on a wide file"),
    ),
)  # fmt: skip
@data_options
@PLUGIN
@option(
    MEASURES,
    "--metrics",
    metavar="NAME,...",
    callback=read_measures_of_labels,
    help="The measures to judge.  [default: all]",
)
@option(
    MEASURES,
    "--reference",
    metavar="NAME,...",
    callback=read_measures_of_labels,
    default=",".join(DEFAULT_REFERENCE),
    show_default=True,
    help="Coverage counts the improvements that all these measures agree on.",
)
@option(
    MEASURES,
    "--parts",
    type=click.IntRange(2),
    metavar="N",
    default=10,
    show_default=True,
    help="Without test cases: how many random parts the items are cut into.",
)
@option(
    MEASURES,
    "--repeats",
    type=click.IntRange(1),
    metavar="N",
    default=10,
    show_default=True,
    help="Without test cases: how often the parts are drawn.",
)
@option(
    MEASURES,
    "--undefined",
    type=click.Choice(UNDEFINED_VALUES),
    default="omit",
    show_default=True,
    help="What happens to an undefined score: left out, 0, or the lowest found.",
)
@option(MEASURES, "--alpha", type=click.FloatRange(0, 1, min_open=True, max_open=True), metavar="NUMBER",
        default=0.05, show_default=True,
              help="Two systems differ significantly if p is at most this.")  # fmt: skip
@option(MEASURES, "--level", default="0.95", show_default=True, metavar="LEVEL|none", callback=read_level,
              help="The confidence level of the intervals.")  # fmt: skip
@option(
    MEASURES,
    "--resamples",
    type=click.IntRange(1),
    metavar="N",
    default=999,
    show_default=True,
    help="The number of random draws behind each interval.",
)
@option(
    MEASURES,
    "--seed",
    type=click.IntRange(0),
    metavar="N",
    default=0,
    show_default=True,
    help="Where the random draws start.",
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
    """Judge measures on your systems: coverage, robustness, discriminative power, swap rate, ranking similarity.

    Coverage tells how well differences in a measure follow improvements that all reference measures agree on,
    robustness how alike it ranks the systems from one test case to another, and discriminative power how many pairs of
    systems it finds significantly different. Swap rate and ranking similarity tell whether its order of the systems
    holds from one half of the test cases to the other. Inputs are those of 'ordeval compare'; at least two systems.
    """
    from ordeval.meta.study import study

    data.refuse_slices()
    job = Job(counting=1, judging_measures=9)
    runs = data.read(job)
    with job.stage("judging_measures") as progress:
        result = study(runs, metrics, reference=reference, rng=seed, progress=progress, **settings)
    deliver(result.write(form, width=screen(output)), output, form)
