"""Random parts of data without test cases."""

import numpy as np
import pytest

import ordeval as oe
from ordeval.meta.parts import part_counts, split_counts


@pytest.fixture(scope="module")
def runs():
    made = oe.simulate.collection(
        labels=4, cases=1, items=103, deviation=1, ratios=[0.2, 0.5], rng=5
    )
    return made.runs.pooled()


def test_the_parts_add_up_to_the_whole_and_are_of_one_size(runs):
    table = split_counts(runs, 10, 4, 0)
    assert table.shape == (4, 10, 10)
    assert np.array_equal(
        table.counts.sum(axis=2), np.broadcast_to(runs.table.counts, (4, 10, 4, 4))
    )
    assert set(table.gold.sum(axis=-1)[:, 0].ravel().tolist()) == {10, 11}


def test_all_systems_are_asked_the_same_items_in_a_part(runs):
    gold = split_counts(runs, 10, 2, 0).gold
    assert (gold == gold[:, :1]).all()


def test_every_item_falls_into_every_part_equally_often():
    # 30 items of one pattern and 10 of another, in 4 parts of 10: 7.5 and 2.5 expected. The variance of a
    # hypergeometric draw of 10 from 40 with 10 marked is 10 * 1/4 * 3/4 * 30/39, and 3,000 draws divide it.
    drawn = part_counts(np.array([30.0, 10.0]), 4, 3000, np.random.default_rng(0))
    assert drawn.sum(axis=2).tolist() == [[30] * 3000, [10] * 3000]
    error = np.sqrt(10 * 0.25 * 0.75 * 30 / 39 / 3000)
    assert np.abs(drawn[1].mean(axis=0) - 2.5).max() < 5 * error
    assert drawn[1].var() == pytest.approx(10 * 0.25 * 0.75 * 30 / 39, rel=0.05)


def test_missing_answers_stay_missing_in_the_parts():
    gold = [0, 1, 2] * 10
    answers = {"a": [0, 1, None] * 10, "b": gold}
    table = split_counts(oe.Runs.from_labels(gold, answers, missing="zero"), 3, 2, 0)
    assert table.missed.sum(axis=(2, 3)).tolist() == [[10, 0], [10, 0]]


def test_coverage_is_averaged_over_the_splits_and_shows_their_spread(runs):
    found = oe.meta.coverage(runs, ["cem_ord", "mae"], parts=5, repeats=6, resamples=20)
    assert (found.cases, found.repeats) == (5, 6)
    assert (found.spread > 0).all()
    assert "spread" in str(found)
    assert (
        found.to_dict()
        == oe.meta.coverage(runs, ["cem_ord", "mae"], parts=5, repeats=6, resamples=20).to_dict()
    )


def test_one_case_counts_as_none():
    gold = [0, 1, 2, 1] * 10
    systems = {"a": [0, 1, 2, 2] * 10, "b": [0, 0, 2, 1] * 10, "c": [1, 1, 1, 1] * 10}
    named = oe.Runs.from_labels(gold, systems, case=["only"] * 40)
    nameless = oe.Runs.from_labels(gold, systems)
    settings = {"parts": 4, "repeats": 3, "resamples": 0}
    found = [oe.meta.coverage(runs, ["cem_ord"], **settings).values for runs in (named, nameless)]
    assert np.array_equal(*found)


@pytest.mark.parametrize(
    ("parts", "repeats", "said"),
    [(1, 5, "parts is 1"), (4, 0, "repeats is 0"), (99, 1, "too few for 99 parts")],
)
def test_impossible_parts_are_refused(runs, parts, repeats, said):
    with pytest.raises(oe.OrdevalError, match=said):
        split_counts(runs, parts, repeats, 0)


def test_weighted_items_cannot_be_split():
    runs = oe.Runs.from_labels(
        [0, 1] * 20, {"a": [0, 1] * 20, "b": [1, 1] * 20}, sample_weight=[0.3, 1.26] * 20
    )
    with pytest.raises(oe.OrdevalError, match="weighted items cannot be divided"):
        oe.meta.coverage(runs, ["mae"])
