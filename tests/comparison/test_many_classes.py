"""Tables of many cells are scored by threads, and running sums in integers: no number depends on either."""

import threading

import numpy as np
import pytest

import ordeval as oe
from ordeval.comparison import scorer as scoring
from ordeval.comparison.scorer import Scorer
from ordeval.inputs.policy import Policy
from ordeval.metrics import core, correlation, float_range
from ordeval.metrics.registry import resolve
from ordeval.threads import MANY_CELLS, ahead, in_threads

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


def test_the_size_of_counts_is_looked_at_once_for_all_measures(monkeypatch):
    seen = []
    monkeypatch.setattr(float_range, "are_moderate", lambda counts: seen.append(counts) is None)
    Scorer(resolve(MEASURES), oe.Scale(range(3)), Policy())(cells(3))
    assert len(seen) == 1


def test_counts_of_any_size_are_scored_alike():
    # twice as many of everything changes no share; beyond 2^100 a wider number is needed
    score = Scorer(resolve(MEASURES), oe.Scale(range(4)), Policy())
    np.testing.assert_allclose(score(cells(4) * 2.0**500), score(cells(4)), rtol=1e-12)


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


@pytest.mark.parametrize("cells_each", [1, MANY_CELLS])
def test_parts_that_are_made_ahead_come_in_order_and_an_error_of_one_is_raised(
    monkeypatch, cells_each
):
    monkeypatch.setattr("ordeval.threads.cores", lambda: 2)
    makers = set()

    def made(part):
        makers.add(threading.current_thread())
        return 12 // part

    assert list(ahead(map(made, [1, 2, 3]), cells_each)) == [12, 6, 4]
    assert (threading.current_thread() in makers) == (cells_each < MANY_CELLS)
    coming = ahead(map(made, [3, 0, 4]), cells_each)
    assert next(coming) == 4
    with pytest.raises(ZeroDivisionError):
        next(coming)


def test_resamples_that_are_drawn_ahead_give_the_same_intervals(monkeypatch):
    gold, predicted = np.random.default_rng(0).integers(0, 50, size=(2, 400))
    bounds = []
    for cores in (1, 2):
        monkeypatch.setattr("ordeval.threads.cores", lambda cores=cores: cores)
        monkeypatch.setattr("ordeval.threads.MANY_CELLS", 1)
        found = oe.evaluate(
            gold, predicted, metrics=["cem_ord"], method="percentile", n_resamples=49
        )
        bounds.append((found["cem_ord"].low, found["cem_ord"].high))
    assert bounds[0] == bounds[1]


@pytest.mark.parametrize("parts", [1.0, 0.1, 100_003.0, 2.0**33, 2.0**60])
def test_running_sums_of_integers_are_those_of_floats(monkeypatch, parts):
    # 0.1: counts that are not whole; 2^33: whole, with more pairs than an int64 holds; 2^60: with nearly as many items
    counts = cells(30)[..., :30] * parts
    plain = correlation.concordance(counts)
    monkeypatch.setattr(correlation, "MANY_CELLS", 1)
    for cached in (1 << 16, 899, 1):
        monkeypatch.setattr(core, "CACHED", cached)
        for ours, expected in zip(correlation.concordance(counts), plain, strict=True):
            np.testing.assert_array_equal(ours, expected)


@pytest.mark.parametrize("name", ["cem_ord", "cem_ord_flat"])
@pytest.mark.parametrize("k", [31, 40])  # beyond the few classes whose masses are products
def test_closeness_row_by_row_has_the_value_of_whole_tables(monkeypatch, name, k):
    measure = oe.registry[name]
    for table in (cells(k), cells(k)[0, 0]):  # of the single one, several rows at a time
        counts = table[..., :k] / 3
        options = {"unanswered": table[..., k], "reference": cells(k)[0, 0, 0, :k] + 1.0}
        for given in ({}, options):
            whole = measure.from_counts(counts, **given)
            for cached in (1, k * k - 1):
                with monkeypatch.context() as patch:
                    patch.setattr(core, "CACHED", cached)
                    np.testing.assert_array_equal(measure.from_counts(counts, **given), whole)


@pytest.mark.parametrize("odd", [2.0**101, 2.0**-251])
def test_one_count_of_another_size_is_seen_in_any_row(monkeypatch, odd):
    monkeypatch.setattr(core, "CACHED", 1)
    for at in ((0, 0, 0, 0), (1, 0, 2, 8), (1, 1, 8, 3)):
        counts = cells(9)[:2]
        assert float_range.are_moderate(counts)
        counts[at] = odd
        assert not float_range.are_moderate(counts)


def test_pairs_are_counted_one_by_one_in_a_table_of_many_cells():
    # every pair of items, looked at by itself
    rng = np.random.default_rng(1)
    gold, predicted = rng.integers(70, size=(2, 60))
    table = oe.Table.from_labels(gold, predicted, labels=range(70))
    signs = np.sign(gold[:, None] - gold) * np.sign(predicted[:, None] - predicted)
    concordant, discordant = correlation.concordance(table.counts.astype(float))
    assert table.counts.size >= correlation.MANY_CELLS
    assert (concordant, discordant) == ((signs > 0).sum() / 2, (signs < 0).sum() / 2)
