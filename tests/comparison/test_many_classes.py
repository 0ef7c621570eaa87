"""Tables of many cells are scored by threads, and running sums in integers: no number depends on either."""

import threading

import numpy as np
import pytest

import ordeval as oe
from ordeval.comparison import scorer as scoring
from ordeval.comparison.scorer import Scorer
from ordeval.inputs.policy import Policy
from ordeval.metrics import correlation
from ordeval.metrics.registry import resolve
from ordeval.threads import in_threads

MEASURES = ["cem_ord", "macro_f1", "weighted_kappa(weights='quadratic')", "kendall_tau_b", "mae"]


def cells(k, tables=5):
    """Tables of k classes in which some items have no answer."""
    return np.random.default_rng(0).poisson(0.3, size=(tables, 2, k, k + 1)).astype(float)


@pytest.mark.parametrize("distribution", ["resampled", "fixed"])
def test_threads_give_the_values_of_one_table_after_the_other(monkeypatch, distribution):
    k = 9
    score = Scorer(resolve(MEASURES), oe.Scale(range(k)), Policy(missing="zero"), distribution)
    alone = score(cells(k), cells(k)[:1])
    monkeypatch.setattr(scoring, "MANY_CELLS", 1)
    monkeypatch.setattr(scoring, "CELLS_AT_A_TIME", 1)
    monkeypatch.setattr("ordeval.threads.cores", lambda: 3)
    np.testing.assert_array_equal(score(cells(k), cells(k)[:1]), alone)


def test_a_function_of_ones_own_is_called_by_no_other_thread(monkeypatch):
    called_by = set()

    @oe.measure(greater_is_better=True, bounds=(0, 1))
    def share_of_first(counts):
        called_by.add(threading.current_thread())
        return counts[..., 0, 0] / counts.sum(axis=(-1, -2))

    monkeypatch.setattr(scoring, "MANY_CELLS", 1)
    monkeypatch.setattr(scoring, "CELLS_AT_A_TIME", 1)
    monkeypatch.setattr("ordeval.threads.cores", lambda: 3)
    Scorer(resolve([share_of_first]), oe.Scale(range(3)), Policy())(cells(3))
    assert called_by == {threading.current_thread()}


def test_every_part_is_worked_on_once_and_an_error_of_one_is_raised(monkeypatch):
    monkeypatch.setattr("ordeval.threads.cores", lambda: 4)
    done = []
    in_threads(done.append, range(20))
    assert sorted(done) == list(range(20))
    with pytest.raises(ZeroDivisionError):
        in_threads(lambda part: 1 / part, range(3))


@pytest.mark.parametrize("parts", [1.0, 0.1, 2.0**60])
def test_running_sums_of_integers_are_those_of_floats(monkeypatch, parts):
    # 0.1: counts that are not whole; 2^60: whole, and beyond what a float64 holds to the last digit
    counts = cells(30)[..., :30] * parts
    plain = correlation.concordance(counts)
    monkeypatch.setattr(correlation, "MANY_CELLS", 1)
    for ours, expected in zip(correlation.concordance(counts), plain, strict=True):
        np.testing.assert_array_equal(ours, expected)


def test_pairs_are_counted_one_by_one_in_a_table_of_many_cells():
    # every pair of items, looked at by itself
    rng = np.random.default_rng(1)
    gold, predicted = rng.integers(70, size=(2, 60))
    table = oe.Table.from_labels(gold, predicted, labels=range(70))
    signs = np.sign(gold[:, None] - gold) * np.sign(predicted[:, None] - predicted)
    concordant, discordant = correlation.concordance(table.counts.astype(float))
    assert table.counts.size >= correlation.MANY_CELLS
    assert (concordant, discordant) == ((signs > 0).sum() / 2, (signs < 0).sum() / 2)
