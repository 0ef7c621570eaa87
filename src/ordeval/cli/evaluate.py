"""`ordeval evaluate`: the scores of one or more systems, with intervals."""

import click

from ordeval.cli.inputs import Data, Scoring, data_options, scoring_options
from ordeval.cli.output import output_options
from ordeval.cli.scores import fail_under_option, read_limits, score, show_scores, worse_than


@click.command()
@data_options
@scoring_options
@fail_under_option
@output_options
def command(
    data: Data, scoring: Scoring, fail_under: tuple[str, ...], form: str, output: str | None
) -> None:
    """Score one or more systems.

    GOLD and each SYSTEM are files of labels: CSV, TSV, JSON lines or Parquet, also .gz and .zst; a glob in quotes is
    one table. DATA is one wide file, with a column for gold and one for each system (--gold, --pred).
    """
    limits = read_limits(fail_under)
    runs = data.read()
    scores = score(runs, scoring, limits)
    show_scores("evaluate", runs, scores, runs.ignored, form=form, output=output)
    failed = worse_than(scores, limits)
    for complaint in failed:
        click.echo(complaint, err=True)
    if failed:
        click.get_current_context().exit(1)
