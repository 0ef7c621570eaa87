"""`ordeval compare`: a leaderboard with intervals, paired differences, and tiers instead of a strict ranking."""

from collections.abc import Callable
from typing import Any

import click

from ordeval.cli.inputs import Data, Scoring, data_options, progress_bar, scoring_options
from ordeval.cli.output import deliver, output_options, screen

OPTIONS = (
    click.option("--primary", metavar="NAME", default="cem_ord", show_default=True,
                 help="The measure that ranks the systems and makes the tiers."),
    click.option("--test", type=click.Choice(["randomisation", "bootstrap", "wilcoxon", "t"]),
                 default="randomisation", show_default=True, help="The test; the last two need test cases."),
    click.option("--correction", type=click.Choice(["holm", "bh", "none"]), default="holm", show_default=True,
                 help="How p-values are corrected over the pairs."),
    click.option("--resample", type=click.Choice(["items", "cases", "both"]),
                 help="What is drawn.  [default: cases where there are at least two, else items]"),
    click.option("--interval", "method", type=click.Choice(["percentile", "bca"]), default="percentile",
                 show_default=True, help="The kind of bootstrap interval."),
    click.option("--distribution", type=click.Choice(["resampled", "fixed"]), default="resampled", show_default=True,
                 help="The class shares behind closeness measures: drawn with the items, or held at the gold's."),
)  # fmt: skip
PLANNING = (
    click.option("--plan", is_flag=True, help="Tell how many items (or test cases) would settle each difference."),
    click.option("--power", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.8, show_default=True,
                 help="With --plan: the chance to find the difference."),
)  # fmt: skip


def comparing_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a comparison to a command."""
    return with_options(command, OPTIONS)


def planning_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that ask how many items would settle a difference."""
    return with_options(command, PLANNING)


def with_options(command: Callable[..., Any], options: tuple[Any, ...]) -> Callable[..., Any]:
    """Add options to a command, in the order in which its help lists them."""
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@data_options
@scoring_options
@comparing_options
@planning_options
@output_options
def command(
    *,
    data: Data,
    scoring: Scoring,
    plan: bool,
    power: float,
    form: str,
    output: str | None,
    **options: Any,
) -> None:
    """Compare systems on the same items: leaderboard, paired differences, tiers.

    Takes the same files as evaluate. Systems that cannot be told apart share a tier: the best one and all that are not
    significantly worse form the first, then the same among the rest.
    """
    from ordeval.comparison.compare import compare

    runs = data.read()
    with progress_bar("resampling") as progress:
        comparison = compare(
            runs,
            metrics=list(scoring.metrics),
            level=scoring.level,
            n_resamples=scoring.n_resamples,
            rng=scoring.seed,
            progress=progress,
            **options,
        )
    if plan:
        comparison = comparison.planned(power)
    deliver(comparison.write(form, width=screen(output)), output)
