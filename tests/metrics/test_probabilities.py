"""Probabilities as predictions: how far from 1 those of an item may sum, by what they are scored, and from what."""

import math

import ml_dtypes
import numpy as np
import pandas as pd
import pytest

import ordeval as oe

NAMES = [name for name, measure in oe.registry.items() if measure.takes_probabilities]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("off", [0.0, 9e-7, -9e-7])
def test_probabilities_that_sum_to_1_within_a_millionth_are_scored(name, off):
    assert oe.registry[name]([1, 2], [[0.5, 0.5 + off], [0.25, 0.75]]) == pytest.approx(
        oe.registry[name]([1, 2], [[0.5, 0.5], [0.25, 0.75]]), abs=1e-5
    )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("off", [2e-6, -2e-6, 1e-4, -1e-2, 0.1])
def test_probabilities_that_sum_to_something_else_are_refused(name, off):
    rows = [[0.25, 0.75], [0.5, 0.5 + off], [0.5 + off, 0.5]]
    with pytest.raises(oe.errors.LabelError) as caught:
        oe.registry[name]([1, 2, 2], rows)
    assert str(caught.value) == (
        f"the probabilities of item 1 are [0.5, {0.5 + off:.6g}], with the sum {1 + off:.7g}; they must be 0 or more "
        f"and sum to 1. 2 items have such rows. If they were rounded, divide each row by its sum."
    )


def test_rows_beside_soft_gold_are_probabilities_whatever_they_sum_to():
    with pytest.raises(oe.errors.LabelError, match=r"item 0 are \[0.4, 0.5\], with the sum 0.9"):
        oe.wasserstein([[0.5, 0.5], [0, 1]], [[0.4, 0.5], [1, 0]])
    # (0.1 + 1) / 2
    assert oe.wasserstein([[0.5, 0.5], [0, 1]], [[0.4, 0.6], [1, 0]]) == pytest.approx(0.55)


def softmax(dtype, k=5):
    """Return probabilities that were computed in a type of few bits, step by step."""
    scores = np.random.default_rng(0).normal(size=(300, k)).astype(dtype)
    powers = np.exp(scores)
    total = powers[:, :1]
    for at in range(1, k):
        total = (total + powers[:, at : at + 1]).astype(dtype)
    return (powers / total).astype(dtype)


TYPES = [np.float16, ml_dtypes.bfloat16, np.float32]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("k", [2, 5, 30])
def test_half_precision_is_scored_as_the_same_rows_divided_by_their_sums(dtype, k):
    rows, gold = softmax(dtype, k), np.arange(300) % k
    exact = rows.astype(np.float64)
    off = np.abs(exact.sum(axis=1) - 1).max()
    assert off > (1e-8 if dtype is np.float32 else 1e-4)
    exact /= exact.sum(axis=1, keepdims=True)
    expected = oe.ranked_probability_score(gold, exact, labels=range(k))
    assert oe.ranked_probability_score(gold, rows, labels=range(k)) == pytest.approx(expected)
    found = oe.evaluate(gold, rows, labels=range(k), metrics=["rps"], level=None)
    assert found["rps"].value == pytest.approx(expected)


@pytest.mark.parametrize(("dtype", "off"), [(np.float16, 0.004), (ml_dtypes.bfloat16, 0.03)])
def test_rows_that_are_off_by_more_than_their_type_rounds_are_refused(dtype, off):
    # Three numbers are rounded by at most 3 / 2 of the precision, 2**-10 and 2**-7.
    rows = np.full((4, 3), 1 / 3)
    rows[2, 0] += off
    with pytest.raises(oe.errors.LabelError, match=r"item 2 are .* 1 item has such a row"):
        oe.evaluate([0, 1, 2, 0], rows.astype(dtype), labels=range(3))
    with pytest.raises(oe.errors.LabelError, match="item 2 are"):
        oe.evaluate([0, 1, 2, 0], np.where(rows > 0.334, 1 / 3 + 0.002, rows), labels=range(3))


class Tensor:
    """What a tensor of torch offers and refuses: an array only without a gradient, and none of bfloat16."""

    def __init__(self, rows, dtype, *, gradient=False, device="cpu"):
        self.rows, self.dtype, self.gradient, self.device = rows, f"torch.{dtype}", gradient, device
        self.ndim, self.shape = rows.ndim, rows.shape

    def detach(self):
        return Tensor(self.rows, self.dtype[6:], device=self.device)

    def cpu(self):
        return Tensor(self.rows, self.dtype[6:], gradient=self.gradient)

    def float(self):
        return Tensor(
            self.rows.astype(np.float32), "float32", gradient=self.gradient, device=self.device
        )

    def __array__(self, dtype=None, copy=None):
        if self.gradient or self.device != "cpu":
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.")
        if self.dtype == "torch.bfloat16":
            raise TypeError("Got unsupported ScalarType BFloat16")
        return np.asarray(self.rows, dtype=dtype)

    def __len__(self):
        return len(self.rows)


@pytest.mark.parametrize("dtype", TYPES)
def test_tensors_with_a_gradient_on_another_device_are_read(dtype):
    rows, gold = softmax(dtype), np.arange(300) % 5
    given = Tensor(rows, np.dtype(dtype).name, gradient=True, device="cuda:0")
    expected = oe.ranked_probability_score(gold, rows)
    assert oe.ranked_probability_score(gold, given) == expected
    (one,) = oe.compare(gold, {"a": given}, metrics=["rps"]).leaderboard
    assert one.scores["ranked_probability_score"].value == pytest.approx(expected)


def test_columns_of_a_frame_in_any_order_and_in_half_precision_are_read_by_name():
    rows, gold = softmax(np.float16), np.arange(300) % 5
    frame = pd.DataFrame(rows, columns=range(5))[[3, 0, 4, 1, 2]]
    expected = oe.ranked_probability_score(gold, rows)
    assert oe.evaluate(gold, frame, metrics=["rps"])["rps"].value == pytest.approx(expected)


def test_probabilities_alone_have_measures_of_their_own_by_default():
    gold, rows = [1, 2, 3, 2], [[0.5, 0.3, 0.2], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]
    expected = [
        *("cem_ord", "ranked_probability_score", "log_loss", "brier_score", "calibration_error"),
    ]
    assert list(oe.evaluate(gold, rows)) == expected
    assert list(oe.compare(gold, {"a": rows, "b": rows[::-1]}).scores.metrics) == expected
    mixed = oe.compare(gold, {"a": rows, "b": gold})
    assert "accuracy" in mixed.scores.metrics
    assert list(oe.evaluate(gold, gold)) == list(mixed.scores.metrics)
    caption = oe.evaluate(gold, rows).caption
    assert "not of the most probable class" in caption
    assert "reward probabilities that are too sure" in caption


def test_the_brier_score_of_two_classes_is_not_halved():
    # (0.3^2 + 0.3^2 + 0.4^2 + 0.4^2) / 2
    assert oe.brier_score([1, 2], [[0.7, 0.3], [0.4, 0.6]]) == pytest.approx(0.25)


def test_a_probability_of_0_costs_the_precision_of_a_number():
    # -ln(2^-52) = 52 ln 2
    found = oe.log_loss([1, 2], [[0.0, 1.0], [0.0, 1.0]], labels=[1, 2])
    assert found == pytest.approx(52 * math.log(2) / 2)
    assert oe.log_loss([1], [[0.0, 1.0]], labels=[1, 2], epsilon=0.5) == pytest.approx(math.log(2))
