"""`ordeval meta`: which measure to trust on given systems."""

from typing import Any

import click

from ordeval.cli.inputs import Data, data_options, measures_of_labels, read_level
from ordeval.cli.output import deliver, output_options, screen
from ordeval.cli.progress import working
from ordeval.meta.values import DEFAULT_REFERENCE, UNDEFINED


def read_names(
    ctx: click.Context, parameter: click.Parameter, text: str | None
) -> tuple[str, ...] | None:
    """Read the names of measures, and check them before any file is opened."""
    from ordeval.metrics.names import split_names

    return None if text is None else measures_of_labels(split_names(text))


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
              help="The level at which a difference of two systems is significant.")  # fmt: skip
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
    """Judge measures on your systems: coverage, robustness, discriminative power, swap rate, ranking similarity.

    Coverage tells how well differences in a measure follow improvements that all reference measures agree on,
    robustness how alike it ranks the systems from one test case to another, and discriminative power how many pairs of
    systems it tells apart. Swap rate and ranking similarity tell whether its order of the systems holds from one half
    of the test cases to the other. Inputs are those of 'ordeval compare'; at least two systems.
    """
    from ordeval.meta.study import study

    data.refuse_slices()
    runs = data.read()
    with working("judging measures"):
        result = study(runs, metrics, reference=reference, rng=seed, **settings)
    deliver(result.write(form, width=screen(output)), output, form)
