"""One rule for when two values are the same, and which of several is best."""

import numpy as np

from ordeval.ties import DECIMALS, TIE, best, rounded, same


def test_values_up_to_one_in_a_million_million_apart_are_the_same():
    """2**-40 is 0.91e-12 and 2**-39 is 1.8e-12; both are exact, as is 1 plus or minus them."""
    assert TIE == 10.0**-12
    assert same(
        [1.0, 1.0, 1.0, 1.0], [1 + 2**-40, 1 - 2**-40, 1 + 2**-39, 1 - 2**-39]
    ).tolist() == [
        True,
        True,
        False,
        False,
    ]
    assert same(TIE, 0.0)
    assert not same(1.001 * TIE, 0.0)


def test_infinite_values_are_the_same_as_themselves_and_undefined_ones_are_not():
    a = np.array([np.inf, -np.inf, np.inf, np.nan, np.nan])
    b = np.array([np.inf, -np.inf, -np.inf, np.nan, 0.0])
    assert same(a, b).tolist() == [True, True, False, False, False]


def test_rounding_makes_the_same_values_equal_and_takes_the_sign_from_zero():
    assert DECIMALS == 12
    found = rounded(np.array([0.1 + 0.2, 0.3, -1e-14, 0.123456789012345]))
    assert found[0] == found[1]
    assert not np.signbit(found[2])
    assert found[3] == 0.123456789012


def test_all_that_tie_with_the_best_are_marked():
    assert best([0.3, 0.1 + 0.2, 0.2], greater_is_better=True) == [True, True, False]
    assert best([0.3, 0.1 + 0.2, 0.2], greater_is_better=False) == [False, False, True]
    assert best([np.nan, 0.2, 0.5], greater_is_better=False) == [False, True, False]


def test_one_value_is_not_the_best_of_anything_and_neither_is_an_undefined_one():
    assert best([0.3], greater_is_better=True) == [False]
    assert best([], greater_is_better=True) == []
    assert best([np.nan, np.nan], greater_is_better=True) == [False, False]
    assert best([np.nan, 0.2], greater_is_better=True) == [False, True]
