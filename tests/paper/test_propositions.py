"""Amigó et al. 2020, propositions 1 and 2, on every output of every uniform gold standard up to a size."""

import numpy as np
import pytest

import ordeval as oe
from ordeval.properties.enumeration import Outputs

# Classes, and items in each: all tables with these gold counts, 10,000 at most.
UNIFORM = [(2, 1), (2, 2), (2, 3), (2, 6), (3, 1), (3, 2), (3, 3), (4, 1), (4, 2), (5, 1)]


@pytest.mark.parametrize(("k", "each"), UNIFORM)
def test_proposition_1_accuracy_is_closeness_on_a_nominal_scale(k, each):
    tables = Outputs((each,) * k)[:]
    assert np.allclose(oe.accuracy.from_counts(tables), oe.cem_nom.from_counts(tables), atol=1e-12)


def test_proposition_1_needs_the_uniform_distribution():
    # 2 and 1 gold items, one of the two wrong: accuracy 2/3, closeness (log2 3/2 + log2 3) / (2 log2 3/2 + log2 3).
    assert oe.accuracy([1, 1, 2], [1, 2, 2]) != pytest.approx(oe.cem_nom([1, 1, 2], [1, 2, 2]))


@pytest.mark.parametrize(("k", "each"), UNIFORM)
def test_proposition_2_precision_and_recall_add_up_bits_on_a_nominal_scale(k, each):
    tables = Outputs((each,) * k)[:]
    bits = oe.proximity.from_counts([each] * k, scale_type="nominal")
    for c in range(k):
        right = tables[:, c, c]
        found = (tables[:, c, :] * bits[c]).sum(axis=1)
        assert np.allclose(found / (each * bits[c, c]), right / each)
        answers = tables[:, :, c].sum(axis=1)
        given = (tables[:, :, c] * bits[:, c]).sum(axis=1)
        used = answers > 0
        assert np.allclose(given[used] / (answers[used] * bits[c, c]), right[used] / answers[used])
