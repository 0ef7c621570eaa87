"""`ordeval score`: the scores of tables that were counted before."""

from dataclasses import replace

import click

from ordeval.cli.evaluate import score
from ordeval.cli.fail_under import FailUnder, exit_if_worse, fail_under_options
from ordeval.cli.help import CommandWithExamples
from ordeval.cli.inputs import POOLED, Scoring, scoring_options
from ordeval.cli.output import deliver, output_options, per_case_option, screen, with_cases
from ordeval.cli.progress import Job
from ordeval.cli.scale_options import CLASS_OPTIONS, scale_options, split_list
from ordeval.errors import DataError


@click.command(
    cls=CommandWithExamples,
    examples=(
        ("ordeval score both.json --metrics qwk,mae", "what 'ordeval merge' wrote"),
        ("ordeval score monday.json tuesday.json --level none", "tables that are added up first"),
        ("ordeval score matrix.csv --labels 1,2,3 --names low,mid,high", "a matrix of counts"),
    ),
)  # fmt: skip
@click.argument("tables", nargs=-1, required=True, metavar="TABLE...")
@scale_options
@CLASS_OPTIONS[2]
@scoring_options
@POOLED
@per_case_option
@fail_under_options
@output_options
def command(
    *,
    tables: tuple[str, ...],
    labels: str | None,
    values: str | None,
    names: str | None,
    scoring: Scoring,
    pooled: bool,
    per_case: bool,
    fail_under: FailUnder,
    form: str,
    output: str | None,
) -> None:
    """Add up tables that 'ordeval count' or 'ordeval merge' wrote, or matrices of counts, and score the sum."""
    from ordeval.cli.tables import merge_files

    limits = fail_under.limits(scoring.level)
    table = merge_files(tables, labels, values)
    if names is not None:
        table = replace(table, scale=table.scale.named(split_list(names)))
    axes = [axis.name for axis in table.axes]
    if axes not in ([], ["system"], ["system", "case"]):
        raise DataError(
            f"the table has the axes {', '.join(axes)}; scores are made over system and case. Pool the others."
        )
    scores = score(table, scoring, limits, Job(scoring=1), pooled=pooled)
    scores = replace(with_cases(scores) if per_case else scores, command="score")
    deliver(scores.write(form, width=screen(output)), output, form)
    exit_if_worse(scores, limits)
