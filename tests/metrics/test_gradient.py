"""The gradient of a measure by the counts of its table is the derivative, whatever the measure."""

import tracemalloc

import numpy as np
import pytest

import ordeval as oe
from ordeval.metrics.gradient import gradient
from ordeval.metrics.own import own_measure
from tests.prose import table_below

OF_TABLES = [name for name, metric in oe.registry.items() if metric.per_item is None]
VALUES = np.array([1.0, 2.0, 4.0, 7.0])


def soft_table(seed, k=4, n=60, sharpness=1.0):
    """The soft table of items whose gold and probabilities are drawn."""
    rng = np.random.default_rng(seed)
    odds = np.exp(sharpness * rng.normal(size=(n, k)))
    gold = np.eye(k)[np.concatenate([np.arange(k), rng.integers(0, k, n - k)])]
    return gold.T @ (odds / odds.sum(axis=1, keepdims=True))


def wide_difference(metric, counts, values):
    """Central differences of the kernel in numbers of 64 bits or more of precision, one cell at a time."""
    slope, wide = np.empty(counts.shape), counts.astype(np.longdouble)
    for cell in np.ndindex(counts.shape):
        step = wide[cell] / 10**5
        ends = []
        for sign in (1, -1):
            moved = wide.copy()
            moved[cell] += sign * step
            ends.append(metric.evaluate(moved, values.astype(np.longdouble), None, None))
        slope[cell] = (ends[0] - ends[1]) / (2 * step)
    return slope


@pytest.mark.parametrize("name", OF_TABLES)
@pytest.mark.parametrize("sharpness", [1.0, 4.0])
def test_the_gradient_of_a_measure_is_its_difference_in_wider_numbers(name, sharpness):
    counts = soft_table(3, sharpness=sharpness)
    found = gradient(oe.registry[name], counts, VALUES)
    wanted = wide_difference(oe.registry[name], counts, VALUES)
    # the difference in wide numbers is itself exact to the square of 1e-5, times what the third derivative is
    assert found == pytest.approx(wanted, rel=1e-8, abs=1e-8 * np.abs(wanted).max())


def test_the_gradient_of_a_mean_cost_is_the_cost_minus_the_mean_over_n():
    # mae = sum(n_ij c_ij) / N, so its derivative by n_ij is (c_ij - mae) / N
    counts = soft_table(0)
    cost = np.abs(VALUES[:, None] - VALUES)
    n = counts.sum()
    wanted = (cost - (counts * cost).sum() / n) / n
    assert gradient(oe.mae, counts, VALUES) == pytest.approx(wanted, abs=1e-12)


def test_the_gradient_of_rmse_is_that_of_mse_over_twice_the_root():
    counts = soft_table(1)
    squares, n = (VALUES[:, None] - VALUES) ** 2, counts.sum()
    mse = (counts * squares).sum() / n
    wanted = (squares - mse) / n / (2 * np.sqrt(mse))
    assert gradient(oe.rmse, counts, VALUES) == pytest.approx(wanted, abs=1e-11)


def test_the_gradient_of_quadratic_kappa_is_the_quotient_rule():
    # kappa = 1 - N O / E with O = sum(n_ij w_ij) and E = sum(n_i. w_ij n_.j):
    # dkappa = -(O + N w_ij) / E + N O / E^2 * dE, where dE = sum_b w_ib n_.b + sum_a n_a. w_aj
    counts = soft_table(2)
    w, n = (VALUES[:, None] - VALUES) ** 2, counts.sum()
    gold, answers = counts.sum(axis=1), counts.sum(axis=0)
    observed, expected = (counts * w).sum(), gold @ w @ answers
    change = (w @ answers)[:, None] + (gold @ w)
    wanted = -(observed + n * w) / expected + n * observed / expected**2 * change
    quadratic = oe.weighted_kappa.with_parameters(weights="quadratic")
    assert gradient(quadratic, counts, VALUES) == pytest.approx(wanted, abs=1e-11)


def test_the_gradient_of_macro_f1_is_the_sum_over_row_and_column():
    # F_k = 2 n_kk / (n_k. + n_.k); n_ij is in the sums of F_i and F_j, and on the diagonal also above
    counts = soft_table(4)
    both = counts.sum(axis=1) + counts.sum(axis=0)
    right = np.diag(counts)
    per_class = -2 * right / both**2
    wanted = (per_class[:, None] + per_class + np.diag(2 / both)) / 4
    assert gradient(oe.macro_f1, counts, VALUES) == pytest.approx(wanted, abs=1e-11)


def test_a_cell_without_items_has_the_gradient_from_above():
    # accuracy = right / N, so its derivative is (1 - accuracy) / N on the diagonal and -accuracy / N elsewhere
    counts = np.array([[6.0, 2.0], [0.0, 0.0]]), np.array([[0.0, 4.0], [3.0, 1.0]])
    found = gradient(oe.accuracy, np.stack(counts), np.arange(2.0))
    assert found[0] == pytest.approx(np.array([[1 / 32, -3 / 32], [0, 0]]), abs=1e-9)  # no gold: 0
    assert found[1] == pytest.approx(np.array([[7, -1], [-1, 7]]) / 64, abs=1e-9)


def test_a_measure_that_bends_where_a_cell_is_empty_has_the_slope_of_more_items():
    def size_of_one_error(counts):
        return 3 * np.abs(counts[..., 0, 1])

    counts = np.array([[5.0, 0.0], [1.0, 4.0]])
    found = gradient(
        own_measure(size_of_one_error, greater_is_better=False), counts, np.arange(2.0)
    )
    assert found == pytest.approx(
        np.array([[0, 3], [0, 0]]), abs=1e-9
    )  # between both sides it would be 0


def test_many_tables_have_the_gradients_of_each_alone():
    counts = np.stack([[soft_table(seed) for seed in (row, row + 5)] for row in range(3)])
    found = gradient(oe.cem_ord, counts, VALUES)
    assert found.shape == counts.shape
    for at in np.ndindex(3, 2):
        assert (found[at] == gradient(oe.cem_ord, counts[at], VALUES)).all()


def test_the_gradient_by_many_classes_takes_no_more_memory_than_a_part_of_them():
    # at once, the tables next to one of 60 x 60 would be 4 * 3600 * 3600 numbers, 415 MB, before a kernel copies them
    counts = np.ones((60, 60))
    tracemalloc.start()
    gradient(oe.accuracy, counts, np.arange(60.0))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200e6


@pytest.mark.later
def test_the_page_on_losses_says_what_kind_of_loss_each_measure_is(root):
    """As a line through random tables shows it: no bend anywhere, bends at points, or a curve."""
    from benchmarks import trained

    shown = table_below(root / "docs" / "howto" / "torch.md", "losses")
    assert shown == list(trained.kinds())
