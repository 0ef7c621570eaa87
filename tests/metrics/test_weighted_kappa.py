"""Weights of the weighted kappa that are no distances."""

import numpy as np
import pytest

import ordeval as oe

GOLD, ANSWERS = [1, 1, 2, 3, 3, 2, 1, 3], [1, 2, 2, 3, 1, 2, 1, 2]


def test_identity_weights_give_the_plain_kappa():
    assert oe.weighted_kappa(GOLD, ANSWERS, weights="identity") == pytest.approx(
        oe.cohen_kappa(GOLD, ANSWERS)
    )


def test_a_matrix_holds_the_agreement_of_two_classes():
    apart = np.abs(np.subtract.outer([1, 2, 3], [1, 2, 3])) / 2
    for name, matrix in (("linear", 1 - apart), ("quadratic", 1 - apart**2)):
        found = oe.weighted_kappa(GOLD, ANSWERS, weights=matrix)
        assert found == pytest.approx(oe.weighted_kappa(GOLD, ANSWERS, weights=name))
    set_by_hand = oe.weighted_kappa.with_parameters(weights=(1 - apart).tolist())
    assert oe.registry[str(set_by_hand)] == set_by_hand
