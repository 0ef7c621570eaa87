"""What a pair says: its reason, the chance to be ahead again; and where a score is warned of."""

import numpy as np
import pytest
from scipy import stats

import ordeval as oe


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


def test_ahead_again_is_the_chance_that_a_difference_of_two_such_samples_is_above_0():
    """Two samples of one size differ by an error larger by the root of 2: the t of the difference is divided by it."""
    gold = [0, 1, 2] * 20
    answers = {"a": [0, 1, 1] * 20, "b": [0, 2, 1] * 20}
    pair = oe.compare(gold, answers, metrics=["cem_ord"]).pairs[0]
    expected = stats.t.cdf(pair.difference / pair.error / np.sqrt(2), 59)
    assert pair.win == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("items", "warned"), [(9, True), (10, False)])
def test_a_measure_by_class_is_warned_of_below_ten_items_of_a_class(items, warned):
    gold = [0] * 40 + [1] * items
    found = oe.evaluate(gold, gold, metrics=["macro_f1", "accuracy"])
    assert (found["macro_f1"].warning is not None) == warned
    assert found["accuracy"].warning is None
