"""A weight says how much an item matters, a count how many items a row stands for: laws of all measures and doors."""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ordeval as oe
from tests.examples import examples
from tests.tables import items, measures, random_counts

ALL = measures()
POLICIES = ["zero", "farthest", "drop"]
FACTORS = [0.1, 3, 1e-298, 1e160, *(10.0**power for power in range(-300, 301, 50))]


def same(ours, theirs):
    assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-9, nan_ok=True)


def table_of(data, policy="zero", **options):
    return oe.Table.from_labels(
        data.gold,
        data.predicted,
        labels=range(data.k),
        values=data.values,
        missing=policy,
        **options,
    )


def repeated(column, count):
    return [value for value, times in zip(column, count, strict=True) for _ in range(times)]


def value_of(metric, table):
    """The value of a table; infinity, which no measure has, if it has no items."""
    try:
        return metric(table)
    except oe.errors.NoItemsError:
        return np.inf


# --- weights


@settings(max_examples=examples(25))
@given(data=items(missing=True), factor=st.sampled_from(FACTORS), policy=st.sampled_from(POLICIES))
def test_no_value_changes_if_all_weights_are_multiplied_by_a_constant(data, factor, policy):
    weighted = table_of(data, policy, sample_weight=data.weight)
    multiplied = table_of(data, policy, sample_weight=[w * factor for w in data.weight])
    assert multiplied.n == weighted.n
    same(multiplied.effective, weighted.effective)
    for metric in ALL:
        same(value_of(metric, multiplied), value_of(metric, weighted))


@settings(max_examples=examples(25))
@given(data=items(), factor=st.sampled_from(FACTORS))
def test_no_value_of_labels_or_probabilities_changes_either(data, factor):
    options = {"labels": range(data.k), "values": data.values}
    weight = [w * factor for w in data.weight]
    for metric in oe.registry.values():
        answers = data.predicted
        if metric.takes_probabilities:
            answers = np.full((len(data.gold), data.k), 1 / data.k)
        same(
            metric(data.gold, answers, sample_weight=weight, **options),
            metric(data.gold, answers, sample_weight=data.weight, **options),
        )
    same(
        oe.proximity(data.gold, sample_weight=weight, **options),
        oe.proximity(data.gold, sample_weight=data.weight, **options),
    )


# What more items of the same kind tell more by; the others do not depend on the unit of counts either.
COUNT_MATTERS = {"kendall_tau_a", "krippendorff_alpha", "ordinal_classification_index"}


@pytest.mark.parametrize("power", [-300, -298, -200, -100, -30, 30, 100, 160, 200, 300])
def test_no_value_changes_if_all_counts_are_multiplied_by_a_power_of_ten(power):
    counts, factor = random_counts(seed=3, size=30, k=4).astype(float), 10.0**power
    missed = np.full(counts.shape[:-1], 2.0)
    for metric in ALL:
        if metric.name not in COUNT_MATTERS:
            same(metric.from_counts(counts * factor), metric.from_counts(counts))
            same(
                metric.from_counts(counts * factor, unanswered=missed * factor),
                metric.from_counts(counts, unanswered=missed),
            )


@pytest.mark.parametrize("method", ["t", "percentile"])
@pytest.mark.parametrize("cases", [None, 4])
@pytest.mark.parametrize("missing", ["drop", "zero"])
def test_no_interval_and_no_p_changes_if_all_weights_are_multiplied(method, cases, missing):
    rng = np.random.default_rng(0)
    gold, weight = rng.integers(3, size=40), rng.integers(1, 8, size=40) / 4
    answers = {
        name: np.where(np.arange(40) % 7 == 0, None, (gold + (rng.random(40) < 0.4)) % 3)
        for name in "ab"
    }
    case = None if cases is None else np.arange(40) % cases

    def numbers(factor):
        runs = oe.Runs.from_labels(
            gold, answers, sample_weight=weight * factor, case=case, labels=range(3), missing=missing
        )  # fmt: skip
        found = oe.compare(runs, metrics=["cem_ord", "mae"], method=method, n_resamples=49)
        return [
            *((p.difference, p.low, p.high, p.p, p.win) for p in found.pairs),
            *((s.value, s.low, s.high, s.error) for s in found.leaderboard[0].scores.values()),
        ]

    expected = numbers(1.0)
    for factor in (1e-300, 1e-298, 1e-160, 1e160, 1e300):
        for ours, theirs in zip(numbers(factor), expected, strict=True):
            same(ours, theirs)


@settings(max_examples=examples(25))
@given(data=items(missing=True), policy=st.sampled_from(POLICIES))
def test_weights_of_1_are_no_weights(data, policy):
    ones, plain = table_of(data, policy, sample_weight=[1] * len(data.gold)), table_of(data, policy)
    assert ones == plain
    assert (ones.n, ones.weight, ones.effective) == (plain.n, plain.n, plain.n)
    for metric in ALL:
        ours, theirs = value_of(metric, ones), value_of(metric, plain)
        assert ours == theirs or (np.isnan(ours) and np.isnan(theirs))


@settings(max_examples=examples(25))
@given(data=items(missing=True), policy=st.sampled_from(POLICIES))
def test_a_weighted_value_lies_within_the_bounds(data, policy):
    table = table_of(data, policy, sample_weight=data.weight)
    for metric in ALL:
        value = value_of(metric, table)
        if np.isfinite(value):
            assert metric.bounds[0] - 1e-12 <= value <= metric.bounds[1] + 1e-12


def test_tau_a_of_weighted_items_counts_pairs_of_items():
    # Two concordant items make one pair: 1 / 1.
    assert oe.kendall_tau_a([1, 2], [1, 2], sample_weight=[0.6, 0.6]) == pytest.approx(1)
    # Weights of 1 and 3, scaled to 0.5 and 1.5, are concordant by 0.75 of the one pair.
    assert oe.kendall_tau_a([1, 2], [1, 2], sample_weight=[1, 3]) == pytest.approx(0.75)
    # Three items of equal weight, two pairs concordant and one discordant: (2 - 1) / 3.
    assert oe.kendall_tau_a([1, 2, 3], [1, 3, 2], sample_weight=[0.2] * 3) == pytest.approx(1 / 3)


def test_alpha_of_weighted_items_counts_values():
    """Two items, (1, 1) and (1, 2), are 4 values of which three are 1s.

    Coincidences that differ: 2 of 4; by chance 2 * 3 * 1 / (4 * 3) = 1/2. So alpha = 1 - (2/4) / (1/2) = 0.
    """
    for weight in ([1, 1], [0.6, 0.6], [50, 50]):
        alpha = oe.krippendorff_alpha([1, 1], [1, 2], level="nominal", sample_weight=weight)
        assert alpha == pytest.approx(0)


def test_the_effective_number_of_items_is_kishs():
    # (1 + 1 + 2)^2 / (1 + 1 + 4) = 16 / 6
    table = oe.Table.from_labels([1, 2, 2], [1, 1, 2], sample_weight=[1, 1, 2])
    assert table.effective == pytest.approx(16 / 6)
    assert oe.Table.from_labels([1, 2, 2], [1, 1, 2]).effective == 3
    assert oe.Table.from_labels(
        [1, 2], [1, 1], sample_weight=[0.3, 0.3]
    ).effective == pytest.approx(2)
    assert oe.Table.from_labels([1, 2], [1, 1], sample_weight=[0, 7]).effective == pytest.approx(1)
    # only what is scored counts: under "drop" the weights 1 and 2, (1 + 2)^2 / (1 + 4)
    options = {"labels": [1, 2], "sample_weight": [1, 5, 2]}
    dropped = oe.Table.from_labels([1, 2, 2], [1, None, 2], missing="drop", **options)
    assert (dropped.n, dropped.weight) == (2, 3)
    assert dropped.effective == pytest.approx(9 / 5)
    # (1 + 5 + 2)^2 / (1 + 25 + 4)
    for policy in ("zero", "farthest"):
        kept = oe.Table.from_labels([1, 2, 2], [1, None, 2], missing=policy, **options)
        assert (kept.n, kept.weight) == (3, 8)
        assert kept.effective == pytest.approx(64 / 30)


def test_each_table_of_a_batch_is_scaled_by_a_constant_of_its_own():
    frame = pd.DataFrame({
        "by": list("aabbc"),
        "g": [1, 2, 1, 2, 1],
        "p": [1, 2, 2, 1, 1],
        "w": [0.6, 0.6, 3e-200, 3e-200, 0.0],
    })  # fmt: skip
    table = oe.Table.from_frame(frame, gold="g", predicted="p", by="by", weight="w")
    assert table.n.tolist() == [2, 2, 0]
    assert table.effective[0] == pytest.approx(2)
    assert table.scaled.weight == pytest.approx([2, 2, 0])
    # one pair each: concordant, and discordant; and no items at all
    assert oe.kendall_tau_a(table) == pytest.approx([1, -1, np.nan], nan_ok=True)


def test_weights_of_which_one_would_vanish_beside_another_are_refused():
    """Class 2 has a recall of 0 and so has half a say in the mean of recalls, however little its item weighs."""
    assert oe.macro_accuracy([1, 2], [1, 1], sample_weight=[1e150, 1e-150]) == 0.5
    for measure in (oe.macro_accuracy, oe.pearson, oe.accuracy):
        with pytest.raises(
            oe.errors.LabelError, match=r"beside a sum of 1e\+300, weights of 1e-300"
        ):
            measure([1, 2], [1, 1], sample_weight=[1e300, 1e-300])


def test_scaled_weights_sum_to_the_number_of_items_and_tell_the_same():
    table = oe.Table.from_labels([1, 2, 2], [1, 1, 2], sample_weight=[1, 1, 2])
    assert table.scaled.counts.ravel().tolist() == pytest.approx([0.75, 0, 0.75, 1.5])
    assert table.scaled.weight == pytest.approx(3)
    assert (table.scaled.n, table.scaled.effective) == (3, pytest.approx(16 / 6))
    plain = oe.Table.from_labels([1, 2, 2], [1, 1, 2])
    assert plain.scaled == plain
    assert plain.scaled.counts is plain.counts


def test_equal_weights_that_round_leave_a_tie_a_tie():
    """The middle class is as far from both ends, so an item without an answer gets the lower one."""
    for weight in (1, 0.1, 0.7, 1e-298):
        table = oe.Table.from_labels(
            [1, 1, 1, 2, 3, 3, 3], [1, 1, 1, None, 3, 3, 3],
            sample_weight=[weight] * 7, labels=[1, 2, 3], missing="farthest",
        )  # fmt: skip
        assert (table.counts[1] > 0).tolist() == [True, False, False]
        assert (table.scaled.counts[1] > 0).tolist() == [True, False, False]


# --- weighted tables are tables


@settings(max_examples=examples(50))
@given(data=items(missing=True), cut=st.integers(1, 8), policy=st.sampled_from(POLICIES))
def test_weighted_shards_merge_to_the_table_of_all_items(data, cut, policy):
    whole = table_of(data, policy, sample_weight=data.weight)
    parts = [
        replace(data, gold=data.gold[at], predicted=data.predicted[at], weight=data.weight[at])
        for at in (slice(0, cut), slice(cut, None))
        if data.gold[at]
    ]
    tables = [table_of(part, policy, sample_weight=part.weight) for part in parts]
    assert sum(tables) == whole
    assert sum(tables).effective == whole.effective
    for table in (whole, *tables):
        again = oe.Table.from_json(table.to_json())
        assert again == table
        assert again.weighting.items.dtype == np.int64


def test_tables_with_and_without_weights_add_up():
    weighted = oe.Table.from_labels([1, 2], [1, 3], sample_weight=[0.5, 2])
    plain = oe.Table.from_labels([2, 4, 4], [2, 4, 4])
    ones = oe.Table.from_labels([2, 4, 4], [2, 4, 4], sample_weight=[1, 1, 1])
    for both in (weighted + plain, plain + weighted):
        assert both == weighted + ones
        assert (both.n, both.weight) == (5, 5.5)
        # (0.5 + 2 + 3)^2 / (0.25 + 4 + 3)
        assert both.effective == pytest.approx(5.5**2 / 7.25)
        assert both.weighting.items.dtype == np.int64
    assert weighted != oe.Table.from_labels([1, 1, 2], [1, 1, 3], sample_weight=[0.25, 0.25, 2])


def test_tables_of_huge_and_tiny_weights_add_up():
    huge, tiny = (
        oe.Table.from_labels([1, 2], [1, 2], sample_weight=[w, w]) for w in (1e300, 1e-300)
    )
    both = huge + tiny
    assert both.n == 4
    assert both.effective == pytest.approx(2)  # beside the first two the others do not matter
    assert oe.Table.from_json(both.to_json()) == both == tiny + huge
    assert (tiny + tiny).effective == pytest.approx(4)


def test_entries_pools_and_selections_keep_the_number_of_items():
    frame = pd.DataFrame({
        "by": list("abbc"), "g": [1, 2, 1, 2], "p": [1, 2, 2, 1], "w": [1, 1, 2, 5.0]
    })  # fmt: skip
    table = oe.Table.from_frame(frame, gold="g", predicted="p", by="by", weight="w")
    assert table.n.tolist() == [1, 2, 1]
    assert table.effective == pytest.approx([1, 9 / 5, 1])
    assert table.select(by="b").effective == pytest.approx(9 / 5)
    assert (table.pooled().n, table.pooled().weight) == (4, 9)
    assert table.pooled().effective == pytest.approx(81 / 31)


# --- counts


counts = st.lists(st.integers(0, 3), min_size=9, max_size=9)


@settings(max_examples=examples(40))
@given(data=items(missing=True), drawn=counts, policy=st.sampled_from(POLICIES))
def test_a_row_of_count_c_is_c_rows_for_every_measure(data, drawn, policy):
    count = drawn[: len(data.gold)]
    if not any(count):
        with pytest.raises(oe.errors.NoItemsError, match="every count is 0"):
            table_of(data, policy, count=count)
        return
    rows = replace(
        data,
        gold=repeated(data.gold, count),
        predicted=repeated(data.predicted, count),
        weight=repeated(data.weight, count),
    )
    counted = table_of(data, policy, count=count)
    assert counted == table_of(rows, policy)
    assert counted.counts.dtype == np.int64
    assert counted.weighting is None
    assert table_of(data, policy, sample_weight=data.weight, count=count) == table_of(
        rows, policy, sample_weight=rows.weight
    )


@settings(max_examples=examples(15))
@given(data=items(), drawn=counts.filter(lambda drawn: drawn[0] > 0))
def test_every_measure_takes_counts_beside_labels(data, drawn):
    count = drawn[: len(data.gold)]
    options = {"labels": range(data.k), "values": data.values}
    for metric, weighted in itertools.product(oe.registry.values(), (False, True)):
        answers = data.predicted
        if metric.takes_probabilities:
            answers = np.eye(data.k)[data.predicted]
        weight = {"sample_weight": data.weight} if weighted else {}
        again = {"sample_weight": repeated(data.weight, count)} if weighted else {}
        same(
            metric(data.gold, answers, count=count, **options, **weight),
            metric(repeated(data.gold, count), repeated(answers, count), **options, **again),
        )
    assert np.array_equal(
        oe.proximity(data.gold, count=count, **options),
        oe.proximity(repeated(data.gold, count), **options),
    )
