"""The options `--fail-under` and `--confident`: exit with status 1 if a score, or its interval, is not good enough."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import click

from ordeval.cli.help import MEASURES, option
from ordeval.cli.inputs import gathered
from ordeval.cli.measure_options import measures_of_labels
from ordeval.cli.progress import remark
from ordeval.errors import ParameterError

if TYPE_CHECKING:
    from ordeval.comparison.scores import Scores
    from ordeval.metrics import Metric


class Limit(NamedTuple):
    """A measure and the worst score that passes; if confident, the whole interval has to pass."""

    metric: "Metric"
    bound: float
    confident: bool


@dataclass(frozen=True, slots=True)
class FailUnder:
    """What `--fail-under` and `--confident` say."""

    fail_under: tuple[str, ...]
    confident: bool

    def limits(self, level: float | None) -> tuple[Limit, ...]:
        """Return the limits; refuse `--confident` without a limit or without intervals."""
        if self.confident and not self.fail_under:
            raise click.UsageError(
                "--confident says how --fail-under is judged; pass --fail-under NAME=X too."
            )
        if self.confident and level is None:
            raise click.UsageError("--confident needs intervals, and --level none leaves them out.")
        return read_limits(self.fail_under, confident=self.confident)


fail_under_options = gathered(
    (
        option(MEASURES, "--fail-under", multiple=True, metavar="NAME=X",
               help="Exit with status 1 if a system's score is worse than X; may be repeated."),
        option(MEASURES, "--confident", is_flag=True,
               help="With --fail-under: judge the lower end of the interval (the upper end for errors) and not the "
                    "score."),
    ),
    FailUnder,
    "fail_under",
)  # fmt: skip


def read_limits(texts: Sequence[str], *, confident: bool = False) -> tuple[Limit, ...]:
    """Read limits such as "cem_ord=0.7"; the name may have parameters."""
    from ordeval.metrics import registry

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
        limits.append(Limit(registry[measures_of_labels([name])[0]], limit, confident))
    return tuple(limits)


def exit_if_worse(scores: "Scores", limits: Sequence[Limit]) -> None:
    """Say on stderr which scores are worse than their limits, and exit with status 1 if there are any."""
    complaints = [complaint for limit in limits for complaint in complaints_of(scores, limit)]
    for complaint in complaints:
        remark(complaint)
    if complaints:
        click.get_current_context().exit(1)


def complaints_of(scores: "Scores", limit: Limit) -> list[str]:
    """Return a sentence for each system whose score, or the worse end of its interval, is worse than the limit."""
    from ordeval.ties import same

    up = limit.metric.greater_is_better
    name = next(name for name, one in scores.measures.items() if one == limit.metric)
    m = scores.metrics.index(name)
    complaints = []
    for s, system in enumerate(scores.systems):
        score = scores.score(m, s)
        value = (score.low if up else score.high) if limit.confident else score.value
        what = f"{name} of {system!r}"
        if math.isnan(score.value):
            complaints.append(f"{what} is undefined.")
        elif value is None:
            complaints.append(f"{what} has no interval: {score.reason}.")
        elif (value < limit.bound) == up and not same(value, limit.bound):
            end = f"may be as {'low' if up else 'high'} as" if limit.confident else "is"
            side = "below" if up else "above"
            complaints.append(f"{what} {end} {value:.6g}, {side} {limit.bound:g}.")
    return complaints
