"""Every measure against its formula, written out item by item."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ordeval as oe
from tests.definitions.plain import DEFINITIONS, bits, gold_counts, ordinal
from tests.definitions.relations import ranked
from tests.examples import examples, grid
from tests.tables import Items, items, measures, tables

MEASURES = [pytest.param(metric, id=str(metric)) for metric in measures()]
CLOSENESS = ["cem_ord", "cem_nom", "cem_int", "cem_ord_flat", "expected_cem"]


def expected(metric, data):
    return DEFINITIONS[metric.name](data, **dict(metric.settings))


def score(metric, data, **options):
    """The measure of the items' table, through the strict door."""
    missed = data.unanswered if None in data.predicted else None
    return metric.from_counts(data.counts, values=data.values, unanswered=missed, **options)


def close(value):
    return pytest.approx(value, rel=1e-9, abs=1e-12, nan_ok=True)


def test_every_measure_has_a_definition_and_every_definition_a_measure():
    assert set(DEFINITIONS) == set(oe.registry)


@pytest.mark.parametrize("metric", MEASURES)
@settings(max_examples=examples(25))
@given(data=items())
@example(data=Items(1, [0], [0], [1.0], [1.0]))
@example(data=Items(3, [1, 1], [0, 2], [1.0, 1.0], [0.0, 1.0, 2.0]))
def test_a_measure_is_what_its_definition_says(metric, data):
    assert score(metric, data) == close(expected(metric, data))


@grid("metric", MEASURES, every=2)
@settings(max_examples=examples(25))
@given(data=items(missing=True))
@example(data=Items(3, [0, 1, 2], [0, None, None], [1.0] * 3, [0.0, 1.0, 5.0]))
@example(data=Items(3, [1], [None], [1.0], [0.0, 1.0, 2.0]))
# Here the end that is farther in value is passed by fewer thresholds.
@example(data=Items(4, [2, 3], [None, 3], [1.0] * 2, [0.0, 1.0, 2.0, 6.0]))
def test_under_zero_an_item_without_an_answer_is_seen_as_its_family_says(metric, data):
    assert score(metric, data) == close(expected(metric, data))


@settings(max_examples=examples(40))
@given(data=items(missing=True))
def test_under_farthest_it_is_given_the_end_of_smaller_proximity(data):
    n, top = gold_counts(data), data.k - 1

    def end(g):
        # smaller proximity is a larger mass between; the lower end on a tie
        return top if ordinal(top, g, n) > ordinal(0, g, n) else 0

    table = oe.Table.from_labels(
        data.gold,
        data.predicted,
        labels=range(data.k),
        values=data.values,
        sample_weight=data.weight,
        missing="farthest",
    )
    for metric in measures():
        assert metric(table) == close(expected(metric, data.scaled.answering(end))), metric


@settings(max_examples=examples(40))
@given(data=items(missing=True))
def test_under_drop_it_is_left_out_and_the_coverage_tells_so(data):
    table = oe.Table.from_labels(
        data.gold,
        data.predicted,
        labels=range(data.k),
        values=data.values,
        sample_weight=data.weight,
        missing="drop",
    )
    left = [row for row in data if row[1] is not None]
    assert table.coverage == close(sum(w for *_, w in left) / sum(data.weight))
    if not left:
        for metric in measures():
            with pytest.raises(oe.OrdevalError, match="no items"):
                metric(table)
        return
    gold, predicted, weight = map(list, zip(*left, strict=True))
    rest = replace(data, gold=gold, predicted=predicted, weight=weight)
    for metric in measures():
        assert metric(table) == close(expected(metric, rest.scaled)), metric


@pytest.mark.parametrize("name", CLOSENESS)
@given(data=items(missing=True), more=st.lists(st.sampled_from([0.0, 0.5, 2.0]), min_size=4))
def test_a_reference_takes_the_place_of_the_gold_counts(name, data, more):
    reference = [n + extra for n, extra in zip(gold_counts(data), more, strict=False)]
    metric = oe.registry[name]
    value = score(metric, data, reference=reference)
    assert value == close(expected(metric, replace(data, reference=reference)))
    assert score(metric, data, reference=np.array(reference) / sum(reference)) == close(value)


@given(counts=tables(max_k=6, least_k=2), step=st.sampled_from([0.1, 0.3, 1 / 3, 0.7]))
def test_distances_that_differ_by_rounding_alone_are_one_distance(counts, step):
    # 0.3 - 0.2 is below 0.2 - 0.1 in floating point, and yet both neighbours of 0.2 are equally near
    values = [step * (i + 1) for i in range(len(counts))]
    expected = oe.cem_int.from_counts(counts)
    assert oe.cem_int.from_counts(counts, values=values) == close(expected)


@pytest.mark.parametrize("name", CLOSENESS)
def test_a_reference_that_gives_a_gold_class_no_mass_is_an_error(name):
    with pytest.raises(oe.OrdevalError, match="the reference is 0 for class 1"):
        oe.registry[name].from_counts([[1, 0], [0, 1]], reference=[1, 0])


def test_only_closeness_takes_a_reference():
    for name, metric in oe.registry.items():
        if name not in CLOSENESS:
            with pytest.raises(oe.OrdevalError, match="takes no reference"):
                metric.from_counts([[1, 0], [0, 1]], reference=[1, 1])


@given(data=items(missing=True))
def test_an_unknown_answer_counts_as_missing_where_the_policy_says_so(data):
    odd = ["?" if s is None else s for s in data.predicted]
    options = {"labels": range(data.k), "sample_weight": data.weight, "missing": "zero"}
    known = oe.Table.from_labels(data.gold, data.predicted, **options)
    unknown = oe.Table.from_labels(data.gold, odd, unknown="missing", **options)
    assert np.array_equal(unknown.counts, known.counts)
    assert np.array_equal(unknown.unanswered, known.unanswered)
    assert unknown.touched.get("unknown", 0) == odd.count("?") == known.touched.get("missing", 0)


probabilities = st.lists(st.integers(0, 4), min_size=4, max_size=4).filter(any)


@given(data=items(), drawn=st.lists(probabilities, min_size=9, max_size=9))
def test_the_probabilistic_measures_are_what_their_definitions_say(data, drawn):
    rows = [[p + (i == 0) * 1e-3 for i, p in enumerate(row[: data.k])] for row in drawn]
    rows = [[p / sum(row) for p in row] for row in rows][: len(data.gold)]
    options = {"labels": range(data.k), "sample_weight": data.weight}

    n = sum(data.weight)
    scores = sum(w * ranked(g, p) for g, p, w in zip(data.gold, rows, data.weight, strict=True))
    score = scores / (n * (data.k - 1)) if data.k > 1 else math.nan
    assert oe.ranked_probability_score(data.gold, rows, **options) == close(score)

    gold = gold_counts(data)

    def prox(a, b):
        mass = ordinal(a, b, gold)
        return bits(mass / n) if mass else 0.0

    earned = sum(
        w * sum(p * prox(a, g) for a, p in enumerate(row))
        for g, row, w in zip(data.gold, rows, data.weight, strict=True)
    )
    possible = sum(w * prox(g, g) for g, _, w in data)
    assert oe.expected_cem(data.gold, rows, **options) == close(earned / possible)
