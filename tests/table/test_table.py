"""The table: weights, policies, axes and merging."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ordeval as oe
from ordeval import Table
from tests.tables import random_counts, tables

POLICIES = ["error", "zero", "farthest", "drop"]


# --- counting and policies


def test_gold_is_in_rows_and_predictions_in_columns():
    table = Table.from_labels([1, 1, 2, 3], [1, 2, 2, 1])
    assert table.counts.tolist() == [[1, 1, 0], [0, 1, 0], [1, 0, 0]]
    assert table.gold.tolist() == [2, 1, 1]
    assert table.predicted.tolist() == [2, 2, 0]
    assert (table.n, table.axes, table.shape) == (4, (), ())
    assert table.counts.dtype == np.int64
    assert isinstance(table.n, int)


def test_weights_make_float_counts():
    table = Table.from_labels([1, 1, 2], [1, 2, 2], sample_weight=[0.5, 0.25, 2])
    assert table.counts.tolist() == [[0.5, 0.25], [0, 2]]
    assert table.counts.dtype == np.float64
    assert (table.n, table.weight) == (3, 2.75)
    assert isinstance(table.n, int)
    assert repr(table) == "Table(n=3, weight=2.75, classes=[1, 2])"


def test_an_item_of_weight_0_is_no_item_but_its_class_is_on_the_scale():
    table = Table.from_labels([1, 2, 3], [1, 2, 3], sample_weight=[1, 1, 0])
    assert table.scale.labels == (1, 2, 3)
    assert table.n == 2
    assert oe.macro_accuracy(table) == 1.0
    with pytest.raises(oe.OrdevalError, match="no items"):
        oe.accuracy([1, 2], [1, 2], sample_weight=[0, 0])


def test_what_each_policy_makes_of_a_missing_answer():
    def count(policy):
        return Table.from_labels([1, 2, 3, 3], [1, 2, None, float("nan")], missing=policy)

    zero, farthest, drop = (count(policy) for policy in POLICIES[1:])
    assert zero.counts.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert (zero.unanswered.tolist(), zero.n, zero.coverage) == ([0, 0, 2], 4, 0.5)
    assert farthest.counts.tolist() == [[1, 0, 0], [0, 1, 0], [2, 0, 0]]
    assert (farthest.unanswered.tolist(), farthest.n, farthest.coverage) == ([0, 0, 0], 4, 0.5)
    assert drop.counts.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert (drop.unanswered.tolist(), drop.n, drop.coverage) == ([0, 0, 0], 2, 0.5)
    for table in (zero, farthest, drop):
        assert table.touched == {"missing": 2}
        assert table.policy.missing in POLICIES
    with pytest.raises(
        ValueError, match=r"2 of 4 answers are missing, first at items 2, 3\."
    ) as caught:
        count("error")
    assert isinstance(caught.value, oe.OrdevalError)


def test_the_farther_end_is_the_one_of_smaller_proximity_and_the_lower_one_on_a_tie():
    # gold 5, 1, 2: for the middle class mass(lower) = 5/2 + 1 = 3.5 and mass(upper) = 2/2 + 1 = 2, so the lower
    table = Table.from_labels(
        [1] * 5 + [2] + [3] * 2, [1] * 5 + [None] + [3] * 2, missing="farthest"
    )
    assert table.counts[1].tolist() == [1, 0, 0]
    # gold 2, 1, 5: now the upper; gold 2, 1, 2: a tie, the lower
    table = Table.from_labels(
        [1] * 2 + [2] + [3] * 5, [1] * 2 + [None] + [3] * 5, missing="farthest"
    )
    assert table.counts[1].tolist() == [0, 0, 1]
    table = Table.from_labels([1, 1, 2, 3, 3], [1, 1, None, 3, 3], missing="farthest")
    assert table.counts[1].tolist() == [1, 0, 0]


def test_an_item_without_gold_is_an_error_unless_it_is_dropped():
    with pytest.raises(
        ValueError, match=r"1 of 3 gold labels is missing, first at item 1\. Pass gold_missing"
    ):
        Table.from_labels([1, None, 2], [1, 2, 2])
    with pytest.raises(ValueError, match="first at item 'b'"):
        Table.from_labels([1, None, 2], [1, 2, 2], item=["a", "b", "c"])
    table = Table.from_labels([1, None, 2], [1, None, 2], gold_missing="drop")
    assert table.counts.tolist() == [[1, 0], [0, 1]]
    assert table.touched == {"gold_missing": 1}


@pytest.mark.parametrize("name", ["missing", "unknown", "gold_missing"])
def test_a_policy_that_does_not_exist_is_refused(name):
    for odd in ("zer", None, 3, ["zero"], {"a": 1}, np.array([1, 2])):
        with pytest.raises(ValueError, match=f"{name}=.* is not a policy; it is one of error"):
            oe.accuracy([1, 2], [1, 2], **{name: odd})


def test_a_label_off_the_scale_is_an_error_that_names_it_the_scale_and_the_first_item():
    gold, predicted = ["low", "mid", "high", "mid"], ["low", "huge", "high", "vast"]
    with pytest.raises(ValueError, match="huge") as caught:
        Table.from_labels(
            gold, predicted, labels=["low", "mid", "high"], item=["d7", "d17", "d3", "d4"]
        )
    assert str(caught.value) == (
        "label 'huge' is not on the scale ['low', 'mid', 'high'] (lowest first); 2 of 4 answers lie outside it, "
        "first at item 'd17'. Add the class to labels=[...], or pass unknown='missing'."
    )
    with pytest.raises(
        ValueError, match=r"label 9 is not on the scale \[1, 2\].* gold labels lies outside it"
    ):
        Table.from_labels([1, 9], [1, 2], labels=[1, 2])
    with pytest.raises(
        ValueError, match=r"1 of 2 answers lies outside it, first at item 1\. Pass missing"
    ):
        Table.from_labels([1, 2], [1, 9], labels=[1, 2], unknown="missing")
    table = Table.from_labels([1, 2], [1, 9], labels=[1, 2], unknown="missing", missing="zero")
    assert (table.unanswered.tolist(), table.touched) == ([0, 1], {"unknown": 1})


# --- counts from elsewhere


def test_counts_made_elsewhere_are_a_table_on_the_scale_0_to_k():
    table = Table.from_counts([[1, 2], [3, 4]])
    assert (table.scale.labels, table.n) == ((0, 1), 10)
    named = Table.from_counts([[1, 2], [3, 4]], labels=["no", "yes"], values=[0, 5])
    assert (named.scale.labels, named.scale.values) == (("no", "yes"), (0, 5))
    with_missed = Table.from_counts([[1, 0], [0, 1]], unanswered=[0, 2])
    assert oe.accuracy(with_missed) == 0.5


@pytest.mark.parametrize(
    ("counts", "options", "says"),
    [
        ([1, 2], {}, r"counts has shape \(2,\)"),
        ([[1, 2, 3], [4, 5, 6]], {}, r"counts has shape \(2, 3\)"),
        ([[]], {}, "counts has shape"),
        (5, {}, "counts has shape"),
        ([[1, 2], [3]], {}, "counts is ragged"),
        ([[1, -2], [3, 4]], {}, "counts holds -2; a count is 0 or more"),
        ([[1, np.nan], [3, 4]], {}, "NaN or infinity"),
        ([[1, np.inf], [3, 4]], {}, "NaN or infinity"),
        ([["1", "2"], ["3", "4"]], {}, "counts are numbers"),
        ([[None, 1], [2, 3]], {}, "counts are numbers"),
        ([[1j, 1], [2, 3]], {}, "counts are numbers"),
        ([[10**30, 1], [2, 3]], {}, "counts are numbers"),
        (np.array([[2**64 - 1, 0], [0, 1]], dtype="uint64"), {}, "a whole count is below"),
        ([[1, 2], [3, 4]], {"unanswered": [1, 2, 3]}, r"unanswered has shape \(3,\)"),
        ([[1, 2], [3, 4]], {"unanswered": [1, -1]}, "unanswered holds -1"),
        ([[1, 2], [3, 4]], {"labels": ["a"]}, "the counts have 2 classes and the scale 1"),
        ([[1, 2], [3, 4]], {"axes": [("system", ["a"])]}, "leading axes"),
        ([[[1, 2], [3, 4]]], {"axes": [("system", ["a", "b"])]}, "leading axes"),
    ],
)
def test_counts_that_are_no_table_are_refused(counts, options, says):
    with pytest.raises(oe.OrdevalError, match=says) as caught:
        Table.from_counts(counts, **options)
    assert isinstance(caught.value, ValueError)


# --- axes


@pytest.fixture
def batch():
    counts = random_counts(seed=3, size=6, k=3).reshape(2, 3, 3, 3)
    axes = [("system", ["a", "b"]), ("case", [10, 20, 30])]
    return Table.from_counts(counts, labels=["low", "mid", "high"], axes=axes)


def test_a_batch_has_its_values_over_the_leading_axes(batch):
    assert batch.shape == (2, 3)
    assert [axis.name for axis in batch.axes] == ["system", "case"]
    values = oe.accuracy(batch)
    assert values.shape == (2, 3)
    assert batch.n.shape == (2, 3)
    for i, system in enumerate(["a", "b"]):
        for j, case in enumerate([10, 20, 30]):
            alone = batch.select(system=system, case=case)
            assert alone.axes == ()
            assert np.array_equal(alone.counts, batch.counts[i, j])
            assert oe.accuracy(alone) == pytest.approx(values[i, j])


def test_a_batch_pools_over_one_axis_or_all(batch):
    assert np.array_equal(batch.pooled("case").counts, batch.counts.sum(axis=1))
    assert [axis.name for axis in batch.pooled("case").axes] == ["system"]
    assert np.array_equal(batch.pooled().counts, batch.counts.sum(axis=(0, 1)))
    assert batch.pooled("case").select(system="b") == batch.select(system="b").pooled("case")


def test_an_axis_or_an_entry_that_is_not_there_is_refused(batch):
    for door, says in [
        (
            lambda: batch.select(topic=1),
            "there is no axis 'topic'; this table has 'system', 'case'",
        ),
        (lambda: batch.select(system="c"), "the axis 'system' has no entry 'c'; it has 'a', 'b'"),
        (lambda: batch.pooled("topic"), "there is no axis 'topic'"),
        (
            lambda: Table.from_counts([[1]]).pooled("case"),
            "there is no axis 'case'; this table has none",
        ),
    ]:
        with pytest.raises(oe.OrdevalError, match=says):
            door()


# --- merging


@given(first=tables(max_k=4, least_k=4), second=tables(max_k=4, least_k=4))
def test_tables_add_cell_by_cell(first, second):
    a, b = Table.from_counts(first), Table.from_counts(second)
    assert np.array_equal((a + b).counts, first + second)
    assert a + b == b + a
    assert sum([a, b, a]) == a + b + a


@given(cut=st.integers(0, 12), seed=st.integers(0, 50), weighted=st.booleans())
def test_shards_merge_to_the_table_of_all_items(cut, seed, weighted):
    rng = np.random.default_rng(seed)
    gold, predicted = rng.integers(-2, 4, size=(2, 12)).tolist()
    predicted = [None if p == -2 else p for p in predicted]
    weight = (rng.integers(1, 9, size=12) / 4).tolist() if weighted else None
    parts = []
    for part in (slice(0, cut), slice(cut, 12)):
        if gold[part] and any(p is not None for p in predicted[part]):
            w = None if weight is None else weight[part]
            parts.append(
                Table.from_labels(gold[part], predicted[part], sample_weight=w, missing="zero")
            )
    if len(parts) == 2:  # scales that were inferred from integers are widened to hold both
        whole = Table.from_labels(gold, predicted, sample_weight=weight, missing="zero")
        assert parts[0] + parts[1] == whole
        assert (parts[0] + parts[1]).touched == whole.touched
        assert (parts[1] + parts[0]).counts.dtype == whole.counts.dtype


def test_the_farther_end_is_told_after_merging_from_all_items():
    a = Table.from_labels([1, 1, 1, 2], [1, 1, 1, None], labels=[1, 2, 3], missing="farthest")
    b = Table.from_labels([3] * 9, [3] * 9, labels=[1, 2, 3], missing="farthest")
    assert a.counts[1].tolist() == [1, 0, 0]
    assert (a + b).counts[1].tolist() == [0, 0, 1]


def test_axes_are_united_by_their_entries():
    a = Table.from_counts([[[1, 0], [0, 1]]], axes=[("case", ["x"])])
    b = Table.from_counts([[[2, 0], [0, 0]], [[0, 3], [0, 0]]], axes=[("case", ["y", "x"])])
    both = a + b
    assert both.axes[0].labels == ("x", "y")
    assert both.counts.tolist() == [[[1, 3], [0, 1]], [[2, 0], [0, 0]]]


def test_many_entries_of_an_axis_merge_in_little_time():
    n = 20_000
    ones = np.ones((n, 1, 1), dtype=int)
    a = Table.from_counts(ones, axes=[("case", range(n))])
    b = Table.from_counts(ones, axes=[("case", range(n // 2, n + n // 2))])
    assert (a + b).counts.shape == (n + n // 2, 1, 1)


@pytest.mark.parametrize(
    ("a", "b", "says"),
    [
        (
            lambda: Table.from_labels([1, 2], [1, 2], labels=[1, 2]),
            lambda: Table.from_labels([1, 3], [1, 3], labels=[1, 2, 3]),
            "the scales differ",
        ),
        (
            lambda: Table.from_labels([1, 2], [1, 2]),
            lambda: Table.from_labels([1, 3], [1, 3], labels=[1, 2, 3]),
            "the scales differ",
        ),
        (
            lambda: Table.from_labels([1, 2], [1, 2]),
            lambda: Table.from_labels([1, 2], [1, 2], values=[0, 5]),
            "the scales differ",
        ),
        (
            lambda: Table.from_labels([1, 2], [1, 2]),
            lambda: Table.from_labels([1, 2], [1, 2], missing="zero"),
            "different policies",
        ),
        (
            lambda: Table.from_counts([[[1]]], axes=[("case", ["x"])]),
            lambda: Table.from_counts([[[1]]], axes=[("system", ["x"])]),
            "only tables with the same axes can be added",
        ),
        (
            lambda: Table.from_labels([0, 1], [0, 1]),
            lambda: Table.from_labels([1500, 1501], [1500, 1501]),
            "more than the 1000",
        ),
    ],
)
def test_tables_that_do_not_fit_are_not_added(a, b, says):
    for pair in ((a(), b()), (b(), a())):
        with pytest.raises(oe.OrdevalError, match=says) as caught:
            pair[0] + pair[1]
        assert isinstance(caught.value, ValueError)


def test_a_declared_scale_is_not_widened_by_way_of_an_inferred_one():
    declared = Table.from_labels([1, 2], [1, 2], labels=[1, 2])
    inferred = Table.from_labels([1, 2], [2, 2])
    wide = Table.from_labels([1, 5], [1, 5])
    for both in (declared + inferred, inferred + declared):
        with pytest.raises(oe.OrdevalError, match="the scales differ"):
            both + wide


def test_only_tables_add_to_tables():
    with pytest.raises(TypeError):
        Table.from_counts([[1]]) + 1
    with pytest.raises(TypeError):
        "1" + Table.from_counts([[1]])


def test_a_sum_refuses_the_gaps_that_one_pass_over_all_items_refuses():
    zero, marks = Table.from_labels([0, 0], [0, 0]), Table.from_labels([25], [25])
    with pytest.raises(oe.errors.ScaleError, match=r"only 2 of these 26 .* Pass labels=\[0, 25\]"):
        zero + marks
    declared = [Table.from_labels([at], [at], labels=[0, 25]) for at in (0, 25)]
    assert sum(declared).counts.tolist() == [[1, 0], [0, 1]]
    low, high = (list(range(at, at + 13)) for at in (0, 13))
    assert (Table.from_labels(low, low) + Table.from_labels(high, high)).scale.k == 26
