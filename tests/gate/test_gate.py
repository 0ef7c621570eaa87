"""The outcome of a gate, by sums worked by hand, by other libraries, and by laws."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import ordeval as oe
from ordeval.errors import DataError, LabelTypeError, ParameterError
from tests.examples import examples


def answers(only_new, only_old, n):
    """Return gold, and a baseline and a candidate of which each alone is right on so many of n items."""
    gold = np.zeros(n, int)
    old, new = gold.copy(), gold.copy()
    old[:only_new], new[only_new : only_new + only_old] = 1, 1
    return gold, old, new


def gated(only_new, only_old, n, **options):
    gold, old, new = answers(only_new, only_old, n)
    return oe.gate(old, new, gold=gold, labels=[0, 1], **options)


@pytest.mark.parametrize("metric", ["accuracy", "mae"])
@pytest.mark.parametrize(
    ("only_new", "only_old", "n", "margin", "outcome"),
    [
        (60, 57, 1000, 0.03, "pass"),  # +0.003, error 0.011: [-0.018, 0.024]
        (20, 60, 1000, 0.1, "pass"),  # -0.04, error 0.009: [-0.057, -0.023] is worse, but within the margin
        (20, 100, 1000, 0.03, "fail"),  # -0.08, error 0.011
        (20, 100, 1000, 0, "fail"),
        (57, 60, 1000, 0.01, "inconclusive"),  # [-0.024, 0.018]
        (57, 60, 1000, 0, "inconclusive"),
        (100, 20, 1000, 0, "pass"),  # better, and a margin of 0 asks for that
        (60, 40, 1000, 0, "pass"),  # +0.02, error 0.0099: [0.0004, 0.0396]
        (60, 41, 1000, 0, "inconclusive"),  # +0.019, error 0.01: [-0.0007, 0.0387]
    ],
)  # fmt: skip
def test_the_interval_of_the_difference_decides(metric, only_new, only_old, n, *, margin, outcome):
    """Of two classes the mean absolute error is 1 - accuracy: what is worse is larger."""
    gate = gated(only_new, only_old, n, metric=metric, margin=margin)
    assert gate.outcome == outcome
    up = 1 if metric == "accuracy" else -1
    assert gate.difference == pytest.approx(up * (only_new - only_old) / n)
    assert gate.low < gate.difference < gate.high
    assert gate.verdict.startswith(f"{outcome.capitalize()}: ")
    assert ("but by less than the margin of 0.1" in gate.verdict) == (margin == 0.1)


def test_paired_answers_have_the_interval_of_a_paired_t_test():
    gold, old, new = answers(300, 360, 5000)
    gate = oe.gate(old, new, gold=gold, labels=[0, 1], metric="accuracy")
    expected = stats.ttest_rel(1.0 * (new == gold), 1.0 * (old == gold)).confidence_interval(0.95)
    # pseudo-items, which t tests do not have, change the fourth digit
    assert (gate.low, gate.high) == pytest.approx(tuple(expected), abs=1e-4)
    assert gate.paired
    assert gate.drift is None


def test_tables_have_the_interval_of_welchs_test():
    old, new = np.repeat([1, 0], [2400, 600]), np.repeat([1, 0], [3100, 900])
    tables = [
        oe.Table.from_counts([[side.sum(), len(side) - side.sum()], [0, 0]]) for side in (old, new)
    ]
    gate = oe.gate(*tables, metric="accuracy")
    expected = stats.ttest_ind(new, old, equal_var=False).confidence_interval(0.95)
    assert gate.difference == pytest.approx(0.775 - 0.8)
    assert (gate.low, gate.high) == pytest.approx(tuple(expected), abs=2e-4)
    assert not gate.paired
    assert gate.outcome == "fail"


def test_test_cases_are_the_sample_where_there_are_any():
    rng = np.random.default_rng(0)
    gold, case = rng.integers(0, 3, 900), np.repeat(np.arange(30), 30)
    old, new = (np.where(rng.random(900) < share, gold, 2 - gold) for share in (0.8, 0.78))
    gate = oe.gate(old, new, gold=gold, case=case, metric="accuracy")
    by_case = [(side == gold).reshape(30, 30).mean(axis=1) for side in (new, old)]
    expected = stats.ttest_rel(*by_case).confidence_interval(0.95)
    assert (gate.low, gate.high) == pytest.approx(tuple(expected), abs=2e-3)
    assert gate.needed_cases > 30
    assert gate.needed == 30 * gate.needed_cases  # each case has 30 items
    assert "test cases would settle it (there are 30)" in gate.settling


@pytest.mark.parametrize(
    ("only_new", "only_old", "outcome", "expected"),
    [
        # -0.003: 0.007 from -0.01, 0.003 from 0; the variance is 0.117 - 0.003^2, and (1.96 + 0.8416)^2 = 7.849
        (57, 60, "pass", 7.849 * 0.117 / 0.007**2),
        # -0.008: 0.002 from -0.01, 0.008 from 0
        (52, 60, "fail", 7.849 * (0.112 - 0.008**2) / 0.008**2),
        # +0.002: 0.012 from -0.01
        (59, 57, "pass", 7.849 * 0.116 / 0.012**2),
    ],
)  # fmt: skip
def test_the_nearer_answer_says_how_many_items_would_settle_it(
    only_new, only_old, outcome, expected
):
    gate = gated(only_new, only_old, 1000, metric="accuracy")
    assert gate.outcome == "inconclusive"
    assert gate.needed == pytest.approx(expected, rel=0.02)
    assert gate.needed_cases is None
    assert f"so many show a {outcome} with a chance of 80%" in gate.settling
    more = gated(only_new, only_old, 1000, metric="accuracy", power=0.95)
    # (1.96 + 1.6449)^2 = 12.995
    assert more.needed == pytest.approx(expected * 12.995 / 7.849, rel=0.02)


def test_samples_that_share_no_items_need_their_variances_together():
    tables = [oe.Table.from_counts([[right, n - right], [0, 0]]) for right, n in ((400, 500), (804, 1000))]  # fmt: skip
    gate = oe.gate(*tables, metric="accuracy")
    # +0.004 is 0.014 from -0.01; the variances are 0.16 and 0.804 * 0.196
    assert gate.needed == pytest.approx(7.849 * (0.16 + 0.804 * 0.196) / 0.014**2, rel=0.02)
    assert "in each of the two samples would settle it (there are 500 and 1,000)" in gate.settling


def test_the_needed_number_of_items_settles_it():
    """As many items as are needed, with the same shares, decide; half as many do not."""
    gate = gated(59, 57, 1000, metric="accuracy", power=0.5)
    times = gate.needed / 1000
    enough, half = (
        [round(share * times * count) for count in (59, 57, 1000)] for share in (1.05, 0.5)
    )
    assert gated(*enough, metric="accuracy").outcome == "pass"
    assert gated(*half, metric="accuracy").outcome == "inconclusive"


def test_two_systems_without_an_error_need_more_than_a_few_items():
    few = oe.gate([1, 2, 3] * 10, [1, 2, 3] * 10, gold=[1, 2, 3] * 10)
    assert few.outcome == "inconclusive"
    assert few.needed > 60
    many = [1, 2, 3] * few.needed
    assert oe.gate(many, many, gold=many).outcome == "pass"


def test_no_number_of_items_shows_with_a_margin_of_0_that_equal_answers_are_not_worse():
    gate = oe.gate([1, 2, 2] * 10, [1, 2, 2] * 10, gold=[1, 2, 3] * 10, margin=0)
    assert (gate.outcome, gate.needed) == ("inconclusive", None)
    assert gate.settling.startswith("No number of items can be given that would settle it: ")


def test_an_undefined_difference_is_inconclusive_and_says_why():
    gate = oe.gate([1, 2], [2, 1], gold=[1, 1], metric="kendall_tau_b", labels=[1, 2])
    assert gate.outcome == "inconclusive"
    assert math.isnan(gate.difference)
    assert (gate.low, gate.high, gate.needed) == (None, None, None)
    content = gate.to_dict()
    assert content["difference"] is None
    assert "all of one class" in content["reason"]
    assert "all of one class" in gate.verdict


def test_one_item_is_inconclusive():
    gate = oe.gate([1], [2], gold=[1], labels=[1, 2], metric="accuracy")
    assert (gate.outcome, gate.low) == ("inconclusive", None)
    assert "a single item shows no variation" in gate.verdict


def test_systems_of_runs_are_named_and_keep_their_roles_in_any_order():
    gold, old, new = answers(100, 20, 1000)
    runs = oe.Runs.from_labels(gold, {"new": new, "other": gold, "old": old}, labels=[0, 1])
    assert oe.gate("old", "new", runs=runs, metric="accuracy").outcome == "pass"
    back = oe.gate("new", "old", runs=runs, metric="accuracy")
    assert back.outcome == "fail"
    assert back.systems == ("new", "old")
    assert back.baseline.value == pytest.approx(0.98)
    assert back.candidate.value == pytest.approx(0.9)
    apart = oe.gate("new", "old", runs=runs.table, metric="accuracy")
    assert (apart.outcome, apart.paired) == ("fail", False)
    assert apart.difference == pytest.approx(-0.08)


def test_probabilities_can_be_gated():
    rng = np.random.default_rng(1)
    sure, unsure = rng.dirichlet([9, 1, 1], 300), rng.dirichlet([1, 1, 1], 300)
    gate = oe.gate(
        sure, unsure, gold=np.ones(300, int), labels=[1, 2, 3], metric="ranked_probability_score"
    )
    assert gate.outcome == "fail"
    assert gate.difference > 0  # the ranked probability score is an error


def test_items_left_out_by_one_of_the_two_are_told():
    gold, old, new = answers(60, 57, 1000)
    some = new.astype(float)
    some[:300] = np.nan
    gate = oe.gate(some, old, gold=gold, labels=[0, 1], metric="accuracy", missing="drop")
    assert gate.outcome == "fail"  # which no item that is left out excuses
    assert "baseline answered 70.0% of all items" in gate.verdict


@settings(max_examples=examples(15))
@given(
    only_new=st.integers(0, 40),
    only_old=st.integers(0, 40),
    margins=st.tuples(st.floats(0, 0.2), st.floats(0, 0.2)),
)
def test_a_larger_margin_never_takes_a_pass_away_and_never_makes_a_fail(
    only_new, only_old, margins
):
    small, large = (
        gated(only_new, only_old, 200, metric="accuracy", margin=margin).outcome
        for margin in sorted(margins)
    )
    assert (small, large) not in {("pass", "fail"), ("pass", "inconclusive"), ("inconclusive", "fail")}  # fmt: skip


@settings(max_examples=examples(15))
@given(only_new=st.integers(0, 40), only_old=st.integers(0, 40))
def test_what_fails_one_way_round_passes_the_other_way(only_new, only_old):
    there = gated(only_new, only_old, 200, metric="accuracy", margin=0)
    back = gated(only_old, only_new, 200, metric="accuracy", margin=0)
    opposite = {"pass": "fail", "fail": "pass", "inconclusive": "inconclusive"}
    assert back.outcome == opposite[there.outcome]
    assert (back.difference, back.low) == pytest.approx((-there.difference, -there.high))


GOLD = [1, 2, 3] * 4
TABLE = oe.Table.from_labels(GOLD, GOLD)
RUNS = oe.Runs.from_labels(GOLD, {"a": GOLD, "b": GOLD})


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: oe.gate(GOLD, GOLD), LabelTypeError, "gold="),
        (lambda: oe.gate(TABLE, GOLD), LabelTypeError, "a list as candidate"),
        (lambda: oe.gate(TABLE, TABLE, gold=GOLD), LabelTypeError, "gold= and tables"),
        (lambda: oe.gate(TABLE, TABLE, missing="zero"), LabelTypeError, "missing"),
        (lambda: oe.gate("a", "b", runs=RUNS, gold=GOLD), LabelTypeError, "gold and runs"),
        (lambda: oe.gate("a", "b", runs=TABLE), LabelTypeError, "axis 'system'"),
        (lambda: oe.gate("a", "c", runs=RUNS), DataError, "no system 'c'"),
        (lambda: oe.gate("a", "a", runs=RUNS), ParameterError, "the same system"),
        (lambda: oe.gate(TABLE, TABLE, margin=-0.1), ParameterError, "margin=-0.1"),
        (lambda: oe.gate(TABLE, TABLE, margin=math.nan), ParameterError, "margin=nan"),
        (lambda: oe.gate(TABLE, TABLE, margin=True), ParameterError, "margin=True"),
        (lambda: oe.gate(TABLE, TABLE, level=None), ParameterError, "level=None"),
        (lambda: oe.gate(TABLE, TABLE, power=1), ParameterError, "power=1"),
        (lambda: oe.gate(TABLE, TABLE, n_resamples=0), ParameterError, "n_resamples=0"),
        (lambda: oe.gate(RUNS.table, TABLE), LabelTypeError, "two single tables"),
    ],
)
def test_what_is_no_gate_is_refused(call, error, said):
    with pytest.raises(error, match=said.replace("(", r"\(")):
        call()


def test_a_candidate_that_answered_nothing_does_not_pass():
    gold = [1, 2, 3, 4, 5] * 40
    opposite = [6 - label for label in gold]
    silent = [None] * len(gold)
    # by tau-b the farthest class is better than the opposite order, and still no answer is no pass
    found = oe.gate(opposite, silent, gold=gold, missing="zero", metric="kendall_tau_b", margin=0)
    assert found.low > 0
    assert found.outcome == "inconclusive"
    assert "the candidate answered nothing" in found.verdict
    assert found.settling == ""
    assert found.to_dict()["reason"] == "the candidate answered nothing"


def test_a_candidate_does_not_pass_by_leaving_items_out():
    gold = [1, 2, 3, 4, 5] * 40
    old = [1, 2, 3, 4, 4] * 40
    some = [answer if answer == label else None for answer, label in zip(old, gold, strict=True)]
    found = oe.gate(old, some, gold=gold, missing="drop")
    assert found.low > 0
    assert found.outcome == "inconclusive"
    assert "the candidate answered 80.0% of the items and the baseline 100%" in found.verdict
    assert oe.gate(some, old, gold=gold, missing="drop").outcome == "fail"
    assert oe.gate(some, some, gold=gold, missing="drop", margin=0.2).outcome == "pass"
