"""What rules, cut points and sets refuse, and what they say."""

import numpy as np
import pandas as pd
import pytest

import ordeval as oe
from ordeval.errors import LabelError, LabelTypeError, ScaleError

ROWS = np.array([[0.5, 0.1, 0.4], [0.2, 0.7, 0.1], [0.1, 0.3, 0.6], [0.3, 0.3, 0.4]])


@pytest.mark.parametrize("find", [oe.decide.fit, oe.decide.sets])
@pytest.mark.parametrize("gold", [[0, None, 2, None], np.array([0, np.nan, 2, np.nan])])
def test_missing_gold_is_refused_without_naming_an_argument_that_there_is_not(find, gold):
    with pytest.raises(
        LabelError, match=r"2 gold labels are missing, first at item 1. Leave these items out.$"
    ):
        find(ROWS, gold, labels=[0, 1, 2])


def test_cut_points_refuse_missing_gold_in_the_same_words():
    with pytest.raises(LabelError, match=r"1 gold label is missing, first at item 2. Leave"):
        oe.decide.cut([0.0, 1.0, 2.0], [0, 1, None])


@pytest.mark.parametrize("labels", [None, [0, 1, 2]])
def test_a_frame_with_a_column_that_is_no_class_is_refused_by_its_name(labels):
    frame = pd.DataFrame(ROWS).assign(alcohol=0.1)
    with pytest.raises(ScaleError, match=r"columns 0, 1, 2, 'alcohol'.* and no others"):
        oe.decide.fit(frame, [0, 1, 2, 2], labels=labels)


def test_a_frame_with_two_columns_of_one_class_is_refused():
    frame = pd.DataFrame(ROWS, columns=[0, 1, 1])
    with pytest.raises(ScaleError, match="columns 0, 1, 1; it needs one for each class"):
        oe.decide.fit(frame, [0, 1, 1, 1])


@pytest.mark.parametrize("shape", [(12,), (1, 4, 3)])
def test_arrays_of_another_shape_are_refused_by_their_shape(shape):
    with pytest.raises(LabelTypeError, match="probabilities has the shape"):
        oe.decide.fit(ROWS.reshape(shape))


def test_logits_are_told_to_become_probabilities():
    with pytest.raises(LabelError, match="If they are logits, take their softmax"):
        oe.decide.fit(np.log(ROWS))


def test_a_probability_below_0_by_rounding_is_0():
    # the difference of cumulative probabilities 0.7 and 0.7 + 1e-16
    rows = np.array([[0.7, -1.1e-16, 0.3], [0.2, 0.7, 0.1]])
    assert oe.decide.fit(rows, metric="accuracy").expected == 0.7
    assert oe.brier_score([0, 1], rows, labels=[0, 1, 2]) == pytest.approx(
        (0.09 + 0.09 + 0.04 + 0.09 + 0.01) / 2
    )
    with pytest.raises(LabelError, match=r"-1e-06"):
        oe.decide.fit([[0.7, -1e-6, 0.300001]])


@pytest.mark.parametrize("given", [100 * ROWS, np.log(ROWS)])
def test_evaluate_says_what_probabilities_are_where_it_gets_percentages_or_logits(given):
    with pytest.raises(
        LabelError, match="probabilities, they must be 0 or more and sum to 1 in each row"
    ):
        oe.evaluate([0, 1, 2, 2], given)
