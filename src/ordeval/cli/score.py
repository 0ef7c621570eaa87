"""`ordeval score`: the scores of tables that were counted before."""

from dataclasses import replace

import click

from ordeval.cli.evaluate import score
from ordeval.cli.fail_under import FailUnder, exit_if_worse, fail_under_options
from ordeval.cli.inputs import Scoring, scoring_options
from ordeval.cli.output import deliver, output_options, per_case_option, screen, with_cases
from ordeval.cli.scale_options import scale_options
from ordeval.cli.tables import merge_files
from ordeval.errors import DataError


@click.command()
@click.argument("tables", nargs=-1, required=True, metavar="TABLE...")
@scale_options
@scoring_options
@click.option(
    "--pooled", is_flag=True, help="Score all items as one test, not the mean over test cases."
)
@per_case_option
@fail_under_options
@output_options
def command(
    *,
    tables: tuple[str, ...],
    labels: str | None,
    values: str | None,
    scoring: Scoring,
    pooled: bool,
    per_case: bool,
    fail_under: FailUnder,
    form: str,
    output: str | None,
) -> None:
    """Score tables that 'ordeval count' or 'ordeval merge' wrote, or matrices of counts, added up."""
    limits = fail_under.limits(scoring.level)
    table = merge_files(tables, labels, values)
    names = [axis.name for axis in table.axes]
    if names not in ([], ["system"], ["system", "case"]):
        raise DataError(
            f"the table has the axes {', '.join(names)}; scores are made over system and case. Pool the others."
        )
    scores = score(table, scoring, limits, pooled=pooled)
    scores = replace(with_cases(scores) if per_case else scores, command="score")
    deliver(scores.write(form, width=screen(output)), output, form)
    exit_if_worse(scores, limits)
