"""The weights of coefficients of agreement: eight with a name, and any matrix of agreement as a setting."""

import pickle

import numpy as np
import pandas as pd
import pytest

import ordeval as oe
from ordeval.metrics.agreement_weights import NAMED, disagreement
from ordeval.metrics.names import split_names

COEFFICIENTS = [
    "krippendorff_alpha",
    "gwet_ac2",
    "fleiss_kappa",
    "conger_kappa",
    "brennan_prediger",
]
MATRIX = [[1, 0.5, 0], [0.5, 1, 0.25], [0, 0.25, 1]]
TABLE = [[5, 1, 0], [2, 7, 2], [0, 1, 3]]


def weights_of(name, values):
    return 1 - disagreement(name, np.array(values, dtype=float))


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("values", [[1, 2], [1, 2, 3, 4, 5], [0.5, 1, 2.5, 7], [0, 1, 2]])
def test_named_weights_are_matrices_of_agreement(name, values):
    weights = weights_of(name, values)
    assert (weights == weights.T).all()
    assert (weights.diagonal() == 1).all()
    assert weights.min() == pytest.approx(0, abs=1e-15)
    oe.fleiss_kappa.with_parameters(weights=np.clip(weights, 0, 1))


def test_weights_by_hand():
    """Of the classes 1, 2 and 4, for 1 and 2."""
    by_hand = {
        "identity": 0,
        "linear": 1 - 1 / 3,
        "quadratic": 1 - 1 / 9,
        "ordinal": 1 - 1 / 3,  # 1 of 3 pairs of classes
        "radical": 1 - (1 / 3) ** 0.5,
        "ratio": 1 - (1 / 3) ** 2 / (3 / 5) ** 2,
        "circular": 1
        - 0.5,  # sin^2(45 degrees) on a circle of 4, of the largest, sin^2(90 degrees)
        "bipolar": 1 - 1 / ((0 + 1) * (3 + 2)),
    }
    assert set(by_hand) == set(NAMED)
    for name, expected in by_hand.items():
        assert weights_of(name, [1, 2, 4])[0, 1] == pytest.approx(expected), name


def test_neighbours_on_a_circle_are_the_first_and_the_last_class():
    weights = weights_of("circular", [1, 2, 3, 4, 5, 6, 7])
    assert weights[0, 6] == pytest.approx(weights[0, 1]) == pytest.approx(weights[3, 4])
    assert weights[0, 3] == pytest.approx(0)


def test_a_ratio_of_values_below_0_is_an_error_and_0_is_a_zero_point():
    for setting in ({"weights": "ratio"}, {"level": "ratio"}):
        with pytest.raises(oe.OrdevalError, match="the lowest class has the value -1"):
            oe.krippendorff_alpha.from_counts(TABLE, values=[-1, 0, 1], **setting)
    # (0 - 1) / (0 + 1) and (0 - 2) / (0 + 2) are both 1, (1 - 2) / (1 + 2) is 1/3
    assert weights_of("ratio", [0, 1, 2])[0].tolist() == pytest.approx([1, 0, 0])
    assert weights_of("ratio", [0, 1, 2])[1, 2] == pytest.approx(1 - 1 / 9)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_a_matrix_is_a_setting_like_others(name):
    measure = oe.registry[name].with_parameters(weights=MATRIX)
    again = oe.registry[name].with_parameters(weights=np.array(MATRIX))
    assert measure == again
    assert hash(measure) == hash(again)
    assert measure != oe.registry[name]
    text = str(measure)
    assert text == f"{name}(weights=((1.0, 0.5, 0.0), (0.5, 1.0, 0.25), (0.0, 0.25, 1.0)))"
    assert oe.registry[text] == measure
    assert oe.registry[f"{name}(weights=[[1, .5, 0], [.5, 1, .25], [0, .25, 1]])"] == measure
    assert split_names(f"mae, {text}, mse") == ["mae", text, "mse"]
    assert pickle.loads(pickle.dumps(measure)) == measure  # noqa: S301
    assert measure.from_counts(TABLE) == oe.registry[name].from_counts(TABLE, weights=MATRIX)


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize("weights", NAMED)
def test_named_weights_written_out_as_a_matrix_give_the_same_value(name, weights):
    written = weights_of(weights, [1, 2, 3]).clip(0, 1)
    options = {"values": [1, 2, 3]}
    found = oe.registry[name].from_counts(TABLE, weights=written, **options)
    expected = oe.registry[name].from_counts(TABLE, weights=weights, **options)
    assert found == pytest.approx(expected, rel=1e-12)


def test_weights_take_the_place_of_the_level_of_alpha():
    for level, weights in (("nominal", "identity"), ("interval", "quadratic"), ("ratio", "ratio")):
        by_level = oe.krippendorff_alpha.from_counts(TABLE, level=level)
        assert oe.krippendorff_alpha.from_counts(TABLE, weights=weights) == by_level


def test_circular_weights_keep_the_unit_of_the_values_however_large():
    """The circle is one unit longer than the scale: nothing for values as large as these, so both ends are opposite."""
    for name in COEFFICIENTS:
        found = oe.registry[name].from_counts(
            TABLE, weights="circular", values=[0, 2.0**300, 2.0**301]
        )
        # sin^2 of 0, 90 and 180 degrees
        expected = oe.registry[name].from_counts(TABLE, weights=[[1, 0, 1], [0, 1, 0], [1, 0, 1]])
        assert found == pytest.approx(expected)


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        ([[1, 0.5], [0.4, 1]], "row i, column j and row j, column i differ"),
        ([[1, 2], [2, 1]], "some are not numbers from 0 to 1"),
        ([[1, -0.1], [-0.1, 1]], "some are not numbers from 0 to 1"),
        ([[1, float("nan")], [float("nan"), 1]], "some are not numbers from 0 to 1"),
        ([[0, 1], [1, 0]], "some on the diagonal are not 1"),
        ([[1, 1], [1, 1]], "nothing is a disagreement"),
        ([[1, 0, 0], [0, 1, 0]], "no square matrix of numbers"),
        ([[1, 0], [0]], "no square matrix of numbers"),
        ([["a", "b"], ["c", "d"]], "no square matrix of numbers"),
        ([], "no square matrix of numbers"),
        (1, "no square matrix of numbers"),
        ({"a": {"a": 1}}, "its rows have names, which are not read"),
        (pd.DataFrame([[1, 0.5], [0.5, 1]]), "its rows have names, which are not read"),
        ("kwadratic", "it is one of 'identity', 'linear'"),
    ],
)
@pytest.mark.parametrize("name", COEFFICIENTS)
def test_what_is_no_matrix_of_agreement_is_refused(name, weights, says):
    with pytest.raises(oe.OrdevalError) as caught:
        oe.registry[name].from_counts([[2, 1], [0, 1]], weights=weights)
    assert isinstance(caught.value, ValueError)
    assert says in str(caught.value)
    assert name in str(caught.value)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_a_matrix_for_another_scale_is_refused(name):
    with pytest.raises(
        oe.OrdevalError, match="weights has 3 rows and columns, and the scale has 2 classes"
    ):
        oe.registry[name].from_counts([[2, 1], [0, 1]], weights=MATRIX)


def test_with_weights_that_forgive_all_but_two_errors_alpha_has_no_lower_bound():
    """Four classes in equal use, and every item is one of the two errors that count: D_o = 1, D_e = 1/4 nearly.

    alpha = 1 - 15 * 16 / (4 * 4 * 4) = -2.75 for eight items.
    """
    weights = np.ones((4, 4))
    weights[0, 1] = weights[1, 0] = weights[2, 3] = weights[3, 2] = 0
    measure = oe.krippendorff_alpha.with_parameters(weights=weights)
    assert measure.bounds[0] == -np.inf
    counts = np.zeros((4, 4))
    counts[0, 1] = counts[1, 0] = counts[2, 3] = counts[3, 2] = 2
    assert measure.from_counts(counts) == pytest.approx(-2.75)
    assert oe.krippendorff_alpha.bounds[0] == -1
