"""The Unanimous Improvement Ratio, by hand and against its formula."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ordeval as oe
from tests.meta import plain

# Two measures of three systems on four cases.
VALUES = np.array(
    [
        [[0.8, 0.6, 0.5, 0.7], [0.7, 0.6, 0.6, 0.7], [0.5, 0.7, 0.4, 0.6]],
        [[0.9, 0.5, 0.5, 0.4], [0.8, 0.6, 0.7, 0.4], [0.6, 0.6, 0.3, 0.5]],
    ]
)


def test_three_systems_and_four_cases_come_out_as_worked_by_hand():
    found = oe.meta.uir(VALUES, systems=["a", "b", "c"])
    # a and b: case 1 for a, case 2 for b (the first measure is tied), case 3 for b, case 4 for both: (2 - 3) / 4
    assert found["a", "b"] == -0.25
    # a and c: cases 1 and 3 for a, case 2 for c, case 4 for neither: (2 - 1) / 4
    assert found["a", "c"] == 0.25
    # b and c: cases 1 and 3 for b, case 2 for c (the second measure is tied), case 4 for neither: (2 - 1) / 4
    assert found["b", "c"] == 0.25
    assert np.array_equal(found.matrix, -found.matrix.T)


def test_a_difference_below_the_twelfth_decimal_is_a_tie():
    values = np.array([[[0.3, 0.3], [0.1 + 0.2, 0.3 + 1e-10]]])
    # case 1 is a tie, for both; case 2 is for the second: (1 - 2) / 2
    assert oe.meta.uir(values).matrix[0, 1] == -0.5


def test_an_undefined_value_improves_on_nothing_and_nothing_on_it():
    values = np.array([[[math.nan, 0.5], [0.2, 0.4]], [[1.0, 1.0], [0.0, 0.0]]])
    assert oe.meta.uir(values).matrix[0, 1] == 0.5


@given(st.integers(0, 2**32), st.integers(1, 3), st.integers(2, 5), st.integers(1, 6))
def test_it_equals_the_formula_pair_by_pair(seed, measures, systems, cases):
    values = np.random.default_rng(seed).integers(0, 4, (measures, systems, cases)) / 3
    expected = [[plain.uir(values, s, t) for t in range(systems)] for s in range(systems)]
    assert np.allclose(oe.meta.uir(values).matrix, expected, rtol=0, atol=1e-12)


def test_runs_and_the_values_of_their_measures_give_the_same():
    made = oe.simulate.collection(
        cases=6, items=40, labels=4, deviation=(0.5, 1), ratios=[0.3, 0.8]
    )
    values = np.stack([oe.accuracy(made.table), -oe.mae(made.table)])
    found = oe.meta.uir(made.runs, reference=["accuracy", "mae"])
    assert np.array_equal(found.matrix, oe.meta.uir(values).matrix)
    assert found.systems == made.systems


def test_large_collections_are_compared_in_blocks_with_the_same_result(monkeypatch):
    values = np.random.default_rng(0).random((2, 12, 7))
    whole = oe.meta.uir(values).matrix
    monkeypatch.setattr("ordeval.meta.unanimity.BLOCK", 40)
    assert np.array_equal(oe.meta.uir(values).matrix, whole)


def test_values_of_another_shape_are_refused():
    with pytest.raises(oe.OrdevalError, match=r"values\[measure, system, case\]"):
        oe.meta.uir(np.zeros((3, 4)))


def test_it_shows_itself():
    found = oe.meta.uir(VALUES, systems=["<a>", "b", "c"])
    assert repr(found) == "UIR(systems=3, cases=4, reference=['measure 0', 'measure 1'])"
    assert "-0.25" in str(found)
    assert "&lt;a&gt;" in found._repr_html_()
    assert found.to_dict()["matrix"][0][1] == -0.25
