"""The option `--fail-under`: exit with status 1 if a score is worse than a limit."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from ordeval.errors import ParameterError
from ordeval.metrics.registry import registry
from ordeval.ties import same

if TYPE_CHECKING:
    from ordeval.comparison.results import Scores

fail_under_option = click.option(
    "--fail-under",
    multiple=True,
    metavar="NAME=X",
    help="Exit with status 1 if a system's score is worse than X; may be repeated.",
)


class Limit(NamedTuple):
    """A measure and the worst score that passes."""

    metric: str
    bound: float


def read_limits(texts: Sequence[str]) -> tuple[Limit, ...]:
    """Read limits such as "cem_ord=0.7"; the name may have parameters."""
    limits = []
    for text in texts:
        name, equals, bound = text.rpartition("=")
        try:
            limit = float(bound) if equals else math.nan
        except ValueError:
            limit = math.nan
        if math.isnan(limit):
            raise ParameterError(
                f"--fail-under is {text!r}; it is a measure and a number, as in --fail-under cem_ord=0.7."
            )
        limits.append(Limit(str(registry[name]), limit))
    return tuple(limits)


def exit_if_worse(scores: "Scores", limits: Sequence[Limit]) -> None:
    """Name each score that is worse than its limit on stderr, and exit with status 1 if there is one."""
    complaints = [complaint for limit in limits for complaint in complaints_of(scores, limit)]
    for complaint in complaints:
        click.echo(complaint, err=True)
    if complaints:
        click.get_current_context().exit(1)


def complaints_of(scores: "Scores", limit: Limit) -> list[str]:
    """Return a sentence for each system whose score is worse than the limit, or undefined."""
    up = scores.measures[limit.metric].greater_is_better
    complaints = []
    for system, value in zip(
        scores.systems, scores.values[scores.metrics.index(limit.metric)].tolist(), strict=True
    ):
        worse = value < limit.bound if up else value > limit.bound
        if math.isnan(value):
            complaints.append(f"{limit.metric} of {system!r} is undefined.")
        elif worse and not same(value, limit.bound):
            side = "below" if up else "above"
            complaints.append(
                f"{limit.metric} of {system!r} is {value:.6g}, {side} {limit.bound:g}."
            )
    return complaints
