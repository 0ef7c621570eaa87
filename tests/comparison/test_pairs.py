"""The shares of wins and the differences behind them."""

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
