"""What the calibration error would be by chance alone, if the probabilities of systems were perfectly calibrated."""

import numpy as np

from ordeval.aliases import Array
from ordeval.metrics.calibration_bins import ScoredItems, cumulative_gaps, gap_by_chance
from ordeval.metrics.metric import Metric
from ordeval.runs import Runs
from ordeval.stats.jackknife import mean_where


def is_calibration_error(measure: Metric) -> bool:
    """Tell whether a measure is the calibration error, with whatever settings."""
    return measure.per_item is cumulative_gaps


def gives_probabilities(runs: Runs) -> Array:
    """Return for each system whether some of its answers are probabilities."""
    return np.asarray((runs.predicted > runs.scale.k).any(axis=1))


def weights_of(runs: Runs) -> tuple[Array, Array]:
    """Return the weight of each pattern and the sum of its items' squared weights, in a unit that overflows nowhere."""
    weight = runs.count.astype(np.float64)
    if runs.weighting is None:
        return weight, weight
    exponent = int(np.frexp(weight.max(initial=0.0))[1])
    squares = np.ldexp(runs.weighting.squares, 2 * (runs.weighting.unit - exponent))
    return np.ldexp(weight, -exponent), squares


def errors_by_chance(runs: Runs, bins: int) -> Array:
    """Return the calibration error to expect of each system if it were perfectly calibrated: the mean over the cases.

    It is 0 for a system of labels, which say that they are sure.
    """
    answers = np.eye(runs.scale.k + 1) if runs.answers is None else runs.answers
    group = runs.case.astype(np.intp) if runs.cases else np.zeros(len(runs.count), dtype=np.intp)
    weight, squares = weights_of(runs)
    errors = []
    for codes in runs.predicted:
        counted = weight
        if runs.policy.missing == "drop":
            counted = np.where(codes == runs.scale.k, 0.0, weight)
        given = answers[codes, :-1]
        errors.append(gap_by_chance(given, ScoredItems(counted, group), squares, bins))
    every = np.array(errors)  # [system, case]
    return mean_where(every, ~np.isnan(every))
