"""`ordeval compare`: who may be the best, a leaderboard with rank intervals, and paired differences."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click
from click.core import ParameterSource

from ordeval.cli.help import COMPARISON, CommandWithExamples, option
from ordeval.cli.inputs import Data, Scoring, data_options, scoring_options
from ordeval.cli.measure_options import check_measures, read_metric
from ordeval.cli.output import deliver, output_options, per_case_option, screen, with_cases
from ordeval.cli.progress import Job

OPTIONS = (
    option(COMPARISON, "--primary", metavar="NAME", default="cem_ord", show_default=True, callback=read_metric,
           help="The measure that ranks the systems."),
    option(COMPARISON, "--test", type=click.Choice(["t", "randomisation", "wilcoxon"]), default="t", show_default=True,
           help="The test of a difference; wilcoxon needs test cases."),
    option(COMPARISON, "--correction", type=click.Choice(["maxt", "holm", "bh", "none"]),
           help="How p-values are corrected over all pairs: by the maximum over joint sign flips, by Holm, by "
                "Benjamini and Hochberg, or not.  [default: maxt; holm with --test wilcoxon]"),
    option(COMPARISON, "--margin", type=float, metavar="NUMBER",
           help="The largest difference that does not matter: pairs may then also be equivalent or not worse."),
)  # fmt: skip
PLANNING = (
    option(COMPARISON, "--plan", is_flag=True,
           help="Tell how many items (or test cases) each difference would need to be significant."),
    option(COMPARISON, "--power", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.8,
           show_default=True, metavar="NUMBER", help="With --plan: the chance to find the difference."),
    option(COMPARISON, "--difference", type=float, metavar="NUMBER",
           help="With --plan: the smallest difference that matters.  [default: the one found here]"),
)  # fmt: skip


def comparing_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a comparison to a command."""
    return with_options(command, OPTIONS)


def planning_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that ask how many items a difference would need to be significant."""
    return with_options(command, PLANNING)


def with_options(command: Callable[..., Any], options: tuple[Any, ...]) -> Callable[..., Any]:
    """Add options to a command, in the order in which its help lists them."""
    for declare in reversed(options):
        command = declare(command)
    return command


@click.command(
    cls=CommandWithExamples,
    examples=(
        ("ordeval compare gold.csv 'runs/*.csv' --missing zero", "each file of a folder is a system"),
        ("ordeval compare data.csv --raters human,a --pred b --primary qwk", "two people made the gold; a wide file"),
        ("ordeval compare gold.csv runs/a.csv runs/b.csv --plan", "how many items would it take?"),
    ),
)  # fmt: skip
@data_options
@scoring_options
@comparing_options
@planning_options
@per_case_option
@output_options
def command(
    *,
    data: Data,
    scoring: Scoring,
    plan: bool,
    power: float,
    difference: float | None,
    per_case: bool,
    form: str,
    output: str | None,
    **options: Any,
) -> None:
    """Compare systems on the same items: who may be the best, the ranks of each, paired differences.

    Takes the same files as evaluate. A system may be the best if no other is significantly better. Its ranks begin
    after the systems that are significantly better and end before those that are significantly worse.
    """
    from ordeval.cli.tables import check_unpaired
    from ordeval.comparison.compare import compare

    powered = click.get_current_context().get_parameter_source("power")
    if powered is ParameterSource.COMMANDLINE and not plan:
        raise click.UsageError("--power is the chance that --plan plans for; pass --plan too.")
    if difference is not None and not plan:
        raise click.UsageError("--difference is what --plan plans for; pass --plan too.")
    job = Job(counting=1, comparing=2)
    runs = data.read_items_or_counts(job)
    check_unpaired(runs, pooled=data.pooled)
    check_measures([*(scoring.metrics or ()), options["primary"]], runs)
    with job.stage("comparing") as progress:
        comparison = compare(
            runs, by=data.slicings or None, progress=progress, **scoring.settings(), **options
        )
    if plan:
        comparison = comparison.planned(power, difference)
    if per_case:
        comparison = replace(comparison, scores=with_cases(comparison.scores))
    deliver(comparison.pieces(form, width=screen(output)), output, form)
