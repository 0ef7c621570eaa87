"""How far from 1 the probabilities of an item may sum: by rounding, and no further."""

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
