"""The shares of wins and the differences behind them."""

import numpy as np
import pytest

import ordeval as oe
from ordeval.comparison.pairs import wins


def test_draws_that_tie_up_to_rounding_count_half_and_undefined_ones_not_at_all():
    # Of three defined draws one is ahead and one, 1e-13 behind, ties: (1 + 1/2) / 3.
    assert wins(np.array([0.2, -1e-13, -0.2, np.nan])) == pytest.approx(0.5)
    assert wins(np.array([0.2, 1e-11])) == 1.0
    assert wins(np.array([1e-13, -0.2])) == 0.25


def test_the_reason_of_a_difference_names_the_systems_without_a_score():
    runs = oe.Runs.from_labels(
        [1, 1, 2, 3], {"a": [1, 1, 2, 3], "constant": [2] * 4, "also": [3] * 4}
    )
    found = oe.compare(runs, metrics=["kendall_tau_b", "cem_ord"], n_resamples=19)
    reasons = {
        (pair.a, pair.b): pair.reason for pair in found.pairs if pair.metric == "kendall_tau_b"
    }
    assert set(reasons.values()) == {
        "kendall_tau_b of constant is undefined",
        "kendall_tau_b of also is undefined",
        f"kendall_tau_b of {' and '.join(found.systems[1:])} is undefined",
    }
    assert {pair.reason for pair in found.pairs if pair.metric == "cem_ord"} == {None}
