"""scikit-learn, on random items with weights, absent classes and gold of one class."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from sklearn import metrics as sk

import ordeval as oe
from tests.tables import items


def agree(ours, theirs):
    assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-12)


def theirs(function, data, **options):
    """scikit-learn's value of the same items; what it warns of are absent classes, which are meant here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(data.gold, data.predicted, sample_weight=data.weight, **options)


def ours(metric, data, **options):
    labels = range(data.k)
    return metric(data.gold, data.predicted, labels=labels, sample_weight=data.weight, **options)


def present(data):
    return {"labels": sorted(set(data.gold)), "average": "macro", "zero_division": 0.0}


@given(items(max_k=5, max_n=20))
def test_the_table_is_the_confusion_matrix(data):
    matrix = theirs(sk.confusion_matrix, data, labels=list(range(data.k)))
    table = oe.Table.from_labels(
        data.gold, data.predicted, labels=range(data.k), sample_weight=data.weight
    )
    assert np.array_equal(table.counts, matrix)


@given(items(max_k=5, max_n=20))
def test_accuracy(data):
    agree(ours(oe.accuracy, data), theirs(sk.accuracy_score, data))


@given(items(max_k=5, max_n=20))
def test_macro_accuracy_is_balanced_accuracy(data):
    agree(ours(oe.macro_accuracy, data), theirs(sk.balanced_accuracy_score, data))


@given(items(max_k=5, max_n=20))
def test_macro_averages_are_those_over_the_gold_classes(data):
    agree(ours(oe.macro_f1, data), theirs(sk.f1_score, data, **present(data)))
    agree(ours(oe.macro_precision, data), theirs(sk.precision_score, data, **present(data)))
    agree(ours(oe.macro_accuracy, data), theirs(sk.recall_score, data, **present(data)))


@given(items(max_k=5, max_n=20))
def test_min_sensitivity_is_the_least_recall(data):
    recalls = theirs(sk.recall_score, data, **{**present(data), "average": None})
    agree(ours(oe.min_sensitivity, data), recalls.min())


@given(items(max_k=5, max_n=20))
def test_kappa_with_and_without_weights_is_nan_where_the_other_divides_nothing_by_nothing(data):
    for metric, weights in [
        (oe.cohen_kappa, None),
        (oe.weighted_kappa, "linear"),
        (oe.weighted_kappa.with_parameters(weights="quadratic"), "quadratic"),
    ]:
        value = ours(metric, data)
        if set(data.gold) | set(data.predicted) == {data.gold[0]}:
            assert math.isnan(value)
        else:
            # without labels= it takes the classes seen for neighbours, whatever lies between them
            labels = list(range(data.k))
            agree(value, theirs(sk.cohen_kappa_score, data, weights=weights, labels=labels))


@given(items(max_k=5, max_n=20))
def test_errors_in_the_values_of_the_classes(data):
    gold, predicted = ([data.values[c] for c in side] for side in (data.gold, data.predicted))
    given_values = {"values": data.values}
    weight = {"sample_weight": data.weight}
    agree(ours(oe.mae, data, **given_values), sk.mean_absolute_error(gold, predicted, **weight))
    agree(ours(oe.mse, data, **given_values), sk.mean_squared_error(gold, predicted, **weight))
    agree(
        ours(oe.rmse, data, **given_values), sk.root_mean_squared_error(gold, predicted, **weight)
    )


@given(items(max_k=5, max_n=20))
def test_mutual_information_is_theirs_in_bits(data):
    counts = data.counts * 4  # weights are quarters, and theirs takes whole numbers only
    agree(
        oe.mutual_information.from_counts(counts),
        sk.mutual_info_score(None, None, contingency=counts) / math.log(2),
    )


@given(items(max_k=5, max_n=20))
def test_cosine_of_values_over_items(data):
    v = np.array(data.values)
    scale = np.sqrt(data.weight)
    gold, predicted = v[data.gold] * scale, v[data.predicted] * scale
    value = ours(oe.cosine, data, values=data.values)
    if not gold.any() or not predicted.any():
        assert math.isnan(value)
    else:
        agree(value, sk.pairwise.cosine_similarity([gold], [predicted]).item())
