"""`ordeval evaluate`: the scores of one or more systems, with intervals."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ordeval.cli.fail_under import FailUnder, Limit, exit_if_worse, fail_under_options
from ordeval.cli.help import CommandWithExamples
from ordeval.cli.inputs import Data, Scoring, data_options, scoring_options
from ordeval.cli.measure_options import check_measures
from ordeval.cli.output import deliver, output_options, per_case_option, screen, with_cases
from ordeval.cli.progress import Job

if TYPE_CHECKING:
    from ordeval.comparison.scores import Scores
    from ordeval.runs import Runs
    from ordeval.table import Table


@click.command(
    cls=CommandWithExamples,
    examples=(
        ("ordeval evaluate gold.csv run1.csv run2.csv", "gold labels, and a file for each system"),
        ("ordeval evaluate data.csv --gold human --pred a --fail-under cem_ord=0.5", "fail if the score is too low"),
        ("ordeval evaluate gold.csv run1.csv --missing zero --names low,mid,high", "codes shown as words"),
    ),
)  # fmt: skip
@data_options
@scoring_options
@per_case_option
@fail_under_options
@output_options
def command(
    *,
    data: Data,
    scoring: Scoring,
    per_case: bool,
    fail_under: FailUnder,
    form: str,
    output: str | None,
) -> None:
    """Score one or more systems.

    GOLD and each SYSTEM are files of labels: CSV, TSV, JSON lines, Parquet or .xlsx, also .gz and .zst. DATA is one
    wide file, with a column for gold and one for each system (--gold, --pred). COUNTS are tables of counts: either
    matrices, one for each system, with a first column of gold classes and a column for each predicted class, or what
    'ordeval count' wrote.

    A pattern in quotes, such as 'runs/*.csv', stands for many files. For SYSTEM each file is a system with the name of
    the file (with --shards, all files are parts of one table). For GOLD and DATA they are always parts of one table.
    """
    limits = fail_under.limits(scoring.level)
    job = Job(counting=1, scoring=1)
    read = data.read_items_or_counts(job)
    scores = score(read, scoring, limits, job, pooled=data.pooled)
    if data.slicings:
        from ordeval.comparison.score_slices import with_slices

        scores = with_slices(scores, read, data.slicings)
    scores = with_cases(scores) if per_case else scores
    deliver(scores.write(form, width=screen(output)), output, form)
    exit_if_worse(scores, limits)


def score(
    data: "Runs | Table",
    scoring: Scoring,
    limits: Sequence[Limit],
    job: Job,
    *,
    pooled: bool = False,
) -> "Scores":
    """Return the scores by the measures asked for and by those that have a limit."""
    from ordeval.comparison.score_runs import score_runs
    from ordeval.comparison.scorer import default_metrics
    from ordeval.metrics import resolve

    check_measures(scoring.metrics, data)
    measures = resolve(scoring.metrics or default_metrics(data))
    for limit in limits:
        if limit.metric not in measures.values():
            measures[str(limit.metric)] = limit.metric
    with job.stage("scoring") as progress:
        return score_runs(
            data,
            pooled=pooled,
            progress=progress,
            **{**scoring.settings(), "metrics": list(measures)},
        )
