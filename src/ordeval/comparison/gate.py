"""Decide whether a candidate may replace a baseline: pass, fail or inconclusive, by non-inferiority."""

import math
from typing import Any, Unpack

from ordeval.arguments import is_number, is_whole
from ordeval.comparison.compare import compare
from ordeval.comparison.comparison import Comparison
from ordeval.comparison.drift import drift_of
from ordeval.comparison.gate_result import Gate, Outcome
from ordeval.comparison.plan import check_probabilities
from ordeval.comparison.settling import ItemsNeeded, items_needed
from ordeval.errors import DataError, LabelTypeError, ParameterError, argument, quoted
from ordeval.formats.numbers import floored_share
from ordeval.inputs.policy import Reading, shows_keywords
from ordeval.runs import Runs
from ordeval.table import Table
from ordeval.ties import TIE

NAMES = ("baseline", "candidate")


@shows_keywords(Reading)
def gate(
    baseline: Any,
    candidate: Any,
    *,
    gold: Any = None,
    runs: Runs | Table | None = None,
    metric: Any = "cem_ord",
    margin: float = 0.01,
    level: float = 0.95,
    power: float = 0.8,
    case: Any = None,
    item: Any = None,
    sample_weight: Any = None,
    count: Any = None,
    resample: str | None = None,
    undefined: str = "omit",
    n_resamples: int = 9999,
    rng: Any = 0,
    **options: Unpack[Reading],
) -> Gate:
    """Return whether a candidate is at most so much worse than a baseline: "pass", "fail" or "inconclusive".

    A gate passes if the whole interval of the difference is better than a loss of `margin`; it fails if the whole
    interval is worse than no difference; else it is inconclusive, with the number of items that would settle it.
    The interval is that of `compare`: paired if both were given the same items. A candidate that answered nothing
    does not pass, nor one that answered fewer items than the baseline where items without an answer are left out.

    Takes two tables that share no items, such as yesterday's and today's, and then also tells how their class shares
    differ (`drift`); with `gold`, the answers of both to the same items; with `runs`, the names of two of its systems.

    The arguments are:

    - `baseline`: the answers of the old system, its `Table`, or its name in `runs`.
    - `candidate`: the answers of the new system, its `Table`, or its name in `runs`.
    - `gold`: the gold labels of the items, if answers are given.
    - `runs`: `Runs`, or a table with an axis `system`, if names are given.
    - `metric`: the measure.
    - `margin`: the loss that is accepted, in units of the measure; 0 asks for a candidate that is shown to be
      better.
    - `level`: the level of the interval.
    - `power`: the probability with which the number of items in an inconclusive result would settle it.
    - `case`: the test case of each item.
    - `item`: the names of the items, for error messages.
    - `sample_weight`: how much each item matters; only the ratios of the weights count.
    - `count`: how many items each row stands for.
    - `resample`: what another sample would draw anew, "items" or "cases"; by default cases, if there are at least
      two.
    - `undefined`: what a test case without a score counts as: "omit", "zero", "lowest" or "error".
    - `n_resamples`: how many random draws the test for a drift of the class shares takes.
    - `rng`: a seed, or a generator of NumPy.

    >>> gold = [1, 2, 3, 4] * 300
    >>> old, new = [1, 2, 3, 3] * 300, [1, 2, 3, 3] * 150 + [1, 2, 3, 4] * 150
    >>> oe.gate(old, new, gold=gold, metric="accuracy").outcome
    'pass'
    >>> runs = oe.Runs.from_labels(gold, {"main": new, "branch": old})
    >>> oe.gate("main", "branch", runs=runs, metric="accuracy")
    Gate('fail', accuracy -0.1250 [-0.1438, -0.1062], margin=0.01)
    """
    check_probabilities(power, level)
    if not is_number(margin) or margin < 0:
        raise ParameterError(
            f"{argument('margin', margin)} is not a margin; it is a number of 0 or more, in units of the measure."
        )
    if not is_whole(n_resamples, 1):
        raise ParameterError(
            f"{argument('n_resamples', n_resamples)} is not a number of draws; it is 1 or more."
        )
    columns = {"case": case, "item": item, "sample_weight": sample_weight, "count": count}
    given = {name: value for name, value in {**columns, **options}.items() if value is not None}
    data, systems = read_pair(baseline, candidate, gold, runs, given)
    comparison = compare(
        data, metrics=[metric], primary=metric, level=level, rng=rng, resample=resample, undefined=undefined,
        correction="none",
    )  # fmt: skip
    return judged(comparison, systems, margin=float(margin), power=power, size=int(n_resamples))


def read_pair(
    baseline: Any, candidate: Any, gold: Any, runs: Any, given: dict[str, Any]
) -> tuple[Any, tuple[str, str]]:
    """Return what `compare` takes, with two systems, and the names of baseline and candidate."""
    if gold is not None and runs is None:
        answers = dict(zip(NAMES, (baseline, candidate), strict=True))
        if any(isinstance(one, Table | Runs) for one in answers.values()):
            raise LabelTypeError(
                "gate was given gold= and tables or runs; with gold= baseline and candidate are answers to its items."
            )
        return Runs.from_labels(gold, answers, **given), NAMES
    if given or (gold is not None and runs is not None):
        raise LabelTypeError(
            f"gate was given {', '.join(given) or 'gold and runs'}, which say how labels are read; tables and runs "
            f"contain their labels already. Pass gold= and labels, or leave these out."
        )
    if runs is None:
        for table, name in zip((baseline, candidate), NAMES, strict=True):
            if not isinstance(table, Table) or table.axes:
                raise LabelTypeError(
                    f"gate was given a {type(table).__name__} as {name}; it takes two single tables (oe.Table), the "
                    f"answers of both with gold=, or the names of two systems with runs=."
                )
        return dict(zip(NAMES, (baseline, candidate), strict=True)), NAMES
    return two_of(runs, baseline, candidate), (baseline, candidate)


def two_of(runs: Any, baseline: Any, candidate: Any) -> Runs | Table:
    """Return the runs, or the table, of two systems alone."""
    known: tuple[Any, ...]
    if isinstance(runs, Runs):
        known = runs.systems
    elif isinstance(runs, Table) and runs.axes and runs.axes[0].name == "system":
        known = runs.axes[0].labels
    else:
        raise LabelTypeError(
            f"gate was given a {type(runs).__name__} as runs; it takes oe.Runs, or a table with an axis 'system'."
        )
    for name in (baseline, candidate):
        if not isinstance(name, str) or name not in known:
            raise DataError(
                f"there is no system {name!r:.60} among {quoted(known)}; with runs= baseline and candidate are names "
                f"of its systems."
            )
    if baseline == candidate:
        raise ParameterError(
            f"baseline and candidate are the same system, {baseline!r:.60}. Name two systems."
        )
    if isinstance(runs, Runs):
        return runs.select([baseline, candidate])
    table: Table = runs
    return table.only("system", [known.index(baseline), known.index(candidate)])


def judged(
    comparison: Comparison, systems: tuple[str, str], *, margin: float, power: float, size: int
) -> Gate:
    """Return the gate of a comparison of two systems."""
    scores, (pair,) = comparison.scores, comparison.pairs
    sign = 1.0 if pair.a == systems[1] else -1.0
    difference, low, high = sign * pair.difference + 0.0, pair.low, pair.high  # and never -0
    if low is not None and high is not None and sign < 0:
        low, high = -high, -low
    places = [scores.systems.index(name) for name in systems]
    before, after = (scores.score(0, s) for s in places)
    reason = None
    if low is None or high is None:
        reason = before.reason or after.reason or pair.reason or "the sample is too small"
    up = 1.0 if scores.measures[comparison.primary].greater_is_better else -1.0
    outcome = outcome_of(up, low, high, margin)
    needed = ItemsNeeded()
    silent = None
    if outcome == "pass":
        silent = unanswered(comparison, places)
    if silent is not None:
        outcome, needed = "inconclusive", ItemsNeeded(reason=silent)
    elif outcome == "inconclusive":
        needed = items_needed(
            scores, (places[1], places[0]), up * difference, margin=margin, power=power, level=1 - comparison.alpha
        )  # fmt: skip
    return Gate(
        outcome=outcome,
        difference=difference,
        low=low,
        high=high,
        margin=margin,
        metric=comparison.primary,
        baseline=before,
        candidate=after,
        systems=systems,
        settled_by=needed,
        comparison=comparison,
        power=float(power),
        drift=None if comparison.paired else drift_of(
            *(scores.table.select(system=name) for name in systems), size=size, seed=scores.seed,
            level=1 - comparison.alpha,
        ),
        reason=reason,
        silent=silent,
    )  # fmt: skip


def unanswered(comparison: Comparison, places: list[int]) -> str | None:
    """Return why a candidate cannot pass, whatever its score: it answered nothing, or fewer items where these count."""
    scores = comparison.scores
    answered, items = (part[places].sum(axis=-1) for part in (scores.answered, scores.items))
    if not answered[1]:
        return "the candidate answered nothing"
    shares = answered / items
    if comparison.runs.policy.missing == "drop" and shares[1] < shares[0] - TIE:
        return (
            f"the candidate answered {floored_share(shares[1])} of the items and the baseline "
            f"{floored_share(shares[0])}, and items without an answer are left out. Use "
            f"{argument('missing', 'zero')}, or compare them on items that both answered"
        )
    return None


def outcome_of(up: float, low: float | None, high: float | None, margin: float) -> Outcome:
    """Return the outcome for the interval of a difference; `up` is -1 for errors, of which less is better."""
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return "inconclusive"
    worst, best = sorted((up * low, up * high))
    if worst > -margin:
        return "pass"
    return "fail" if best < 0 else "inconclusive"
