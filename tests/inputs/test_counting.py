"""The only pass over the items, against a count one by one: every integer type, range, length and memory layout."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ordeval as oe
from ordeval.inputs.counting import (
    CHUNK,
    LARGE,
    MANY,
    count_integers,
    count_joint,
    integer_range,
    items_at_once,
)
from ordeval.inputs.weighting import RowWeights
from tests.examples import examples, grid

INTEGERS = "bhilqBHILQ"
EVERY = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


def naive(gold, predicted, low, high):
    """Add one for each pair, one by one; labels stay within the range, so that no difference is too large."""
    k = high - low + 1
    counts = np.zeros(k * k, dtype=np.int64)
    g, p = ((side - side.dtype.type(low)).astype(np.int64) for side in (gold, predicted))
    np.add.at(counts, g * k + p, 1)
    return counts.reshape(k, k)


def draw(seed, n, low, high, dtype="int64"):
    rng = np.random.default_rng(seed)
    gold = rng.integers(low, high, size=n, endpoint=True, dtype=dtype)
    return gold, rng.integers(low, high, size=n, endpoint=True, dtype=dtype)


def check(gold, predicted, low, high):
    counts = count_integers(gold, predicted, low, high)
    assert counts.dtype == np.int64
    assert np.array_equal(counts, naive(gold, predicted, low, high))


LENGTHS = [1, 2, 3, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 2 * CHUNK + 3]


@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize(("low", "high"), [(0, 4), (1, 5), (-2, 2), (0, 0), (0, 40)])
def test_counts_are_those_of_a_count_one_by_one_around_the_borders_of_a_chunk(n, low, high):
    check(*draw(n, n, low, high), low, high)


@grid(
    "n, k",
    itertools.product(
        [MANY - 1, MANY, MANY + 5, CHUNK - 1, CHUNK + 6, 2 * CHUNK + 1],
        [1, 2, 3, 4, 5, 6, 7, 11, 12, 16, 17],
    ),
    every=3,
)
def test_few_classes_are_counted_several_items_at_once_to_the_same_end(k, n):
    at_once = items_at_once(k * k, n)
    assert (at_once > 1) == (n >= (MANY if k <= 6 else CHUNK - 1) and k <= 11)
    for low in (0, 7, -k):
        gold, predicted = draw(n + k, n, low, low + k - 1)
        check(gold, predicted, low, low + k - 1)
        for at in (n - 1, n - at_once, n // 2):  # the last few are not in a group
            gold[at], kept = low + k, gold[at]
            assert count_integers(gold, predicted, low, low + k - 1) is None
            gold[at] = kept


@grid("dtype, n", itertools.product(EVERY, [1000, 2 * CHUNK + 1]), every=2)
def test_every_integer_type_is_counted_from_0_and_from_elsewhere(dtype, n):
    for low, high in (
        (0, 4),
        (3, 9),
        (100, 120),
        *(() if dtype[0] == "u" else ((-5, 3), (-120, -100))),
    ):
        check(*draw(1, n, low, high, dtype), low, high)


@pytest.mark.parametrize("dtype", EVERY)
@pytest.mark.parametrize("n", [1000, CHUNK + 7])
def test_the_ends_of_every_type_are_labels_like_others(dtype, n):
    limits = np.iinfo(dtype)
    for low, high in ((limits.min, limits.min + 3), (limits.max - 3, limits.max)):
        check(*draw(2, n, low, high, dtype), low, high)


@pytest.mark.parametrize("n", [1000, CHUNK + 7])
def test_the_two_sides_may_have_different_types(n):
    gold, predicted = draw(3, n, 0, 4)
    for a in EVERY:
        check(gold.astype(a), predicted.astype("int8"), 0, 4)
        check(gold.astype("uint64"), predicted.astype(a), 0, 4)


@pytest.mark.parametrize("n", [1001, 2 * CHUNK + 3])
@pytest.mark.parametrize("low", [0, 2, -3])
def test_memory_may_lie_in_any_way(n, low):
    gold, predicted = draw(4, 2 * n, low, low + 4)
    check(gold[::2], predicted[::2], low, low + 4)
    check(gold[::-1], predicted, low, low + 4)
    table = np.stack([gold, predicted], axis=1)  # columns of one array
    check(table[:, 0], table[:, 1], low, low + 4)
    for order in ("<", ">"):
        for width in ("i2", "i8"):
            check(gold.astype(order + width), predicted.astype(order + width), low, low + 4)
    gold.setflags(write=False)
    predicted.setflags(write=False)
    check(gold, predicted, low, low + 4)


@pytest.mark.parametrize("dtype", ["int64", "uint8", "int8", ">i8"])
@pytest.mark.parametrize("n", [10, CHUNK + 5, 2 * CHUNK + 3])
@pytest.mark.parametrize(("low", "high"), [(0, 4), (1, 5)])
def test_a_label_outside_the_range_is_noticed_wherever_it_stands(dtype, n, low, high):
    gold, predicted = (side.astype(dtype) for side in draw(5, n, low, high))
    for at in (0, n // 2, n - 1):
        for outside in {high + 1, 100, *(() if "u" in dtype else (-1, -100))}:
            for side in (gold, predicted):
                kept = side[at]
                side[at] = outside
                assert count_integers(gold, predicted, low, high) is None
                side[at] = kept
    check(gold, predicted, low, high)


@pytest.mark.parametrize("late", [9, -4])
def test_a_label_outside_what_the_first_chunk_showed_widens_the_inferred_scale(late):
    gold, predicted = draw(6, 2 * CHUNK + 3, 0, 4)
    predicted[-1] = late
    table = oe.Table.from_labels(gold, predicted)
    low, high = min(0, late), max(4, late)
    assert table.scale.labels == tuple(range(low, high + 1))
    assert np.array_equal(table.counts, naive(gold, predicted, low, high))


@grid("cores, k", itertools.product([1, 2, 3], [2, 5, 13]), every=3)
def test_any_number_of_threads_counts_many_items_to_the_same_end(monkeypatch, cores, k):
    monkeypatch.setattr("ordeval.inputs.counting.scanning_threads", lambda: cores)
    gold, predicted = draw(7, 2 * LARGE + 12345, 0, k - 1, "uint8")
    expected = np.histogram2d(gold, predicted, bins=np.arange(k + 1))[0]
    assert np.array_equal(count_integers(gold, predicted, 0, k - 1), expected)
    for at in (0, LARGE, -1):
        gold[at], kept = 200, gold[at]
        assert count_integers(gold, predicted, 0, k - 1) is None
        gold[at] = kept


def test_the_range_of_two_arrays_is_exact_in_every_type():
    assert integer_range(np.array([3], "uint64"), np.array([-1], "int8")) == (-1, 3)
    big = np.array([2**64 - 1], dtype="uint64")
    assert integer_range(big, np.array([2**64 - 2], dtype="uint64")) == (2**64 - 2, 2**64 - 1)


@settings(max_examples=examples(30))
@given(
    codes=st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 6), st.sampled_from([0.5, 1.0, 4.0]))
    ),
    dtype=st.sampled_from(["uint8", "uint16", "int64"]),
)
def test_pairs_of_codes_are_counted_with_and_without_weights(codes, dtype):
    gold, predicted = (np.array([row[i] for row in codes], dtype=dtype) for i in (0, 1))
    weight = np.array([row[2] for row in codes], dtype=np.float64)
    expected = np.zeros((4, 7, 7))  # rows of count 3: 3, 3 w, 3 w^2, and 3 that matter
    for g, p, w in codes:
        expected[:, g, p] += [3, 3 * w, 3 * w * w, 3]
    if codes:
        rows = RowWeights(np.full(len(codes), 3.0), weight, some_zero=True)
        found = [each.reshape(8, 8) for each in count_joint([gold, predicted], [8, 8], rows)]
        assert not any(each[0].any() or each[:, 0].any() for each in found)  # no label is missing
        assert np.array_equal(found[0][1:, 1:], expected[0] / 3)
        assert np.array_equal([each[1:, 1:] for each in found[1:]], expected)
        plain = count_joint([gold, predicted], [8, 8], RowWeights(None, weight))
        inner = [each.reshape(8, 8)[1:, 1:] for each in plain[1:]]
        assert np.array_equal(inner, expected[1:3] / 3)


@settings(max_examples=examples(50))
@given(
    rows=st.lists(
        st.tuples(st.integers(-1, 2), st.integers(-1, 4), st.integers(-1, 0), st.integers(-1, 6)),
        min_size=1,
    )
)
def test_joint_codes_of_four_sides_are_counted_with_the_last_side_fastest(rows):
    sides = [np.array(side, dtype="int8") for side in zip(*rows, strict=True)]
    (found,) = count_joint(sides, [4, 6, 2, 8])
    expected = np.zeros((4, 6, 2, 8), dtype=int)
    for row in rows:
        expected[tuple(code + 1 for code in row)] += 1
    assert np.array_equal(found, expected.ravel())


@pytest.mark.parametrize("n", [CHUNK + 11, LARGE + CHUNK + 11])
def test_weights_are_added_up_across_chunks_and_threads(n):
    gold, predicted = draw(8, n, 0, 6, "uint8")
    rows = RowWeights(None, np.full(n, 0.25))
    expected = np.bincount(gold.astype(int) * 7 + predicted, minlength=49).reshape(7, 7)
    counts, sums, squares = (
        each.reshape(8, 8)[1:, 1:] for each in count_joint([gold, predicted], [8, 8], rows)
    )
    assert np.array_equal(counts, expected)
    assert np.array_equal(sums, expected / 4)
    assert np.array_equal(squares, expected / 16)


def test_sums_of_weights_do_not_depend_on_the_number_of_cores(monkeypatch):
    gold, predicted = draw(9, 2 * LARGE + 5, 0, 2)
    rows = RowWeights(None, np.random.default_rng(1).random(len(gold)))
    found = []
    for cores in (1, 2, 3):
        monkeypatch.setattr("ordeval.inputs.counting.scanning_threads", lambda cores=cores: cores)
        found.append(count_joint([gold, predicted], [4, 4], rows))
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])


@pytest.mark.parametrize("dtype", INTEGERS)
def test_the_friendly_door_counts_every_integer_type_alike(dtype):
    gold, predicted = draw(9, 5000, 1, 5, dtype)
    expected = naive(gold, predicted, 1, 5)
    for options in (
        {},
        {"labels": [1, 2, 3, 4, 5]},
        {"labels": [1, 2, 3, 4, 5.0]},
        {"labels": ["1", "2", "3", "4", "5"]},
        {"sample_weight": np.ones(5000)},
        {"labels": range(1, 6), "missing": "zero"},
    ):
        assert np.array_equal(oe.Table.from_labels(gold, predicted, **options).counts, expected)
    turned = oe.Table.from_labels(gold, predicted, labels=[5, 4, 3, 2, 1]).counts
    assert np.array_equal(turned, expected[::-1, ::-1])
    sparse = oe.Table.from_labels(gold * 2, predicted * 2, labels=[2, 4, 6, 8, 10]).counts
    assert np.array_equal(sparse, expected)


@pytest.mark.parametrize("order", ["<u2", ">u2", ">u8", ">i4"])
def test_integers_of_either_order_of_bytes_are_counted_with_weights(order):
    gold, predicted = draw(10, 50, 3, 7, "uint16")
    table = oe.Table.from_labels(
        gold.astype(order), predicted.astype(order), sample_weight=np.full(50, 2.0)
    )
    assert np.array_equal(table.counts, 2 * naive(gold, predicted, 3, 7))


def test_labels_above_two_to_the_63_are_counted():
    gold = np.array([2**63 + 5, 2**63 + 6, 2**63 + 6], dtype="uint64")
    labels = [2**63 + 5, 2**63 + 6]
    table = oe.Table.from_labels(gold, gold[::-1], labels=labels, values=[0, 1])
    assert table.counts.tolist() == [[0, 1], [1, 1]]
    check(gold, gold[::-1], *labels)
