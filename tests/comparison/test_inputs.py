"""What compare can be given, what it is not, and what is refused with the way out."""

import numpy as np
import pytest
from scipy import stats

import ordeval as oe
from ordeval.comparison.samples import sampling_unit
from ordeval.errors import LabelTypeError, ParameterError, ScaleError, TableError

GOLD = [1, 2, 3, 2] * 15
GOOD, POOR = [1, 2, 3, 1] * 15, [1, 3, 2, 2] * 15


def test_labels_in_one_call_are_compared_as_runs_of_them():
    options = {"labels": [1, 2, 3, 4], "missing": "zero"}
    runs = oe.Runs.from_labels(GOLD, {"a": GOOD, "b": POOR}, **options)
    at_once = oe.compare(GOLD, {"a": GOOD, "b": POOR}, **options)
    assert at_once.to_dict() == oe.compare(runs).to_dict()
    assert at_once.paired


def table(right, n, k=2):
    counts = np.zeros((k, k), int)
    counts[0, 0], counts[0, 1] = right, n - right
    return oe.Table.from_counts(counts)


def test_tables_that_share_no_items_are_compared_as_independent_samples():
    """80 of 100 and 60 of 120 right: a t test of two shares; pseudo-items change little."""
    found = oe.compare(
        {"monday": table(80, 100), "tuesday": table(60, 120)},
        metrics="accuracy",
        primary="accuracy",
    )
    (pair,) = found.pairs
    right = [np.repeat([1.0, 0.0], [80, 20]), np.repeat([1.0, 0.0], [60, 60])]
    theirs = stats.ttest_ind(*right, equal_var=False)
    assert pair.difference == pytest.approx(0.3)
    assert pair.difference / pair.error == pytest.approx(theirs.statistic, rel=0.02)
    assert not found.paired
    assert found.systems == ("monday", "tuesday")
    assert found.best == ("monday",)
    assert "2 samples that share no items." in found.caption
    assert "Two-sided unpaired t test by item" in found.caption


def test_each_independent_table_is_scored_as_it_is_alone():
    tables = {"a": table(80, 100), "b": table(60, 120), "c": table(3, 7)}
    found = oe.compare(tables)
    for one in found.leaderboard:
        alone = oe.evaluate(tables[one.system])
        for name, score in one.scores.items():
            assert score.value == pytest.approx(alone[name].value, nan_ok=True)
            assert score.low == pytest.approx(alone[name].low)
            assert score.high == pytest.approx(alone[name].high)


def test_an_independent_table_of_one_item_has_no_interval_and_leaves_the_others_theirs():
    for order in (["one", "many"], ["many", "one"]):
        tables = {"one": table(1, 1), "many": table(60, 120)}
        found = oe.compare(
            {name: tables[name] for name in order}, metrics="accuracy", primary="accuracy"
        )
        scores = {one.system: one.scores["accuracy"] for one in found.leaderboard}
        assert scores["one"].low is None
        assert scores["one"].reason == "a single item shows no variation"
        assert 0.3 < scores["many"].low < 0.5


def test_a_rare_class_of_any_independent_table_is_named():
    many = oe.Table.from_counts([[40, 10], [10, 40]])
    few = oe.Table.from_counts([[40, 10], [1, 4]])
    for tables in ({"a": many, "b": few}, {"b": few, "a": many}):
        found = oe.compare(tables, metrics=["macro_f1"], primary="macro_f1")
        scores = {one.system: one.scores["macro_f1"] for one in found.leaderboard}
        assert "the rare class 1 (5 items)" in scores["b"].warning


RUNS = oe.Runs.from_labels(GOLD, {"a": GOOD, "b": POOR})
OVER_CASES = oe.Runs.from_labels(GOLD, {"a": GOOD, "b": POOR}, case=np.arange(60) // 10)
TABLES = {"a": table(80, 100), "b": table(60, 120)}


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((RUNS, {"a": GOOD}), {}, LabelTypeError, "compare was given a Runs and labels or policies; it already"),
        ((RUNS,), {"missing": "zero"}, LabelTypeError, "compare was given a Runs and labels or policies"),
        ((TABLES,), {"labels": [1, 2]}, LabelTypeError, "compare was given a dict and labels or policies"),
        ((GOLD,), {}, LabelTypeError, "compare was given a list; it takes oe.Runs, gold labels and {'a': answers,"),
        ((GOLD, GOOD), {}, LabelTypeError, "compare was given a list; it takes oe.Runs"),
        (({},), {}, LabelTypeError, "compare was given no tables; pass at least one, by its name."),
        (({"a": GOOD},), {}, LabelTypeError, "compare was given a list as 'a'; a mapping alone holds tables."),
        (({"a": RUNS.table},), {}, LabelTypeError, r"the table 'a' has the axes ['system']; samples that share no"),
        (({"a": TABLES["a"], "b": oe.Table.from_counts(np.eye(2, dtype=int), labels=["x", "y"])},), {}, ScaleError,
         ""),
        (({"a": TABLES["a"], "b": oe.Table.from_labels([0, 1], [0, None], labels=[0, 1], missing="zero")},), {},
         TableError, "different policies"),
        ((RUNS,), {"test": "z"}, ParameterError, "test='z' is not a choice; it is one of t, randomisation, wilcoxon."),
        ((RUNS,), {"test": "wilcoxon"}, ParameterError,
         "test='wilcoxon' compares scores over test cases, and here items are the sample. Pass test='t'."),
        ((TABLES,), {"test": "randomisation"}, ParameterError,
         "test='randomisation' pairs the answers to the same items, and these samples share none. Pass test='t'."),
        ((OVER_CASES,), {"test": "wilcoxon", "correction": "maxt"}, ParameterError,
         "is of differences divided by their errors, and test='wilcoxon' of ranks. Pass correction='holm'."),
        ((RUNS,), {"correction": "x"}, ParameterError, "correction='x' is not a choice; it is one of maxt, holm, bh,"),
        ((RUNS,), {"resample": "both"}, ParameterError, "resample='both' is not a choice; it is one of items, cases."),
        ((RUNS,), {"undefined": "no"}, ParameterError, "undefined='no' is not a choice; it is one of omit, zero,"),
        ((RUNS,), {"level": 2}, ParameterError, "level=2 is not a confidence level"),
        ((RUNS,), {"method": "z"}, ParameterError, "method='z' is not a kind of interval; it is one of t,"),
    ],
)  # fmt: skip
def test_what_cannot_be_compared_is_refused_with_the_way_out(arguments, options, error, message):
    with pytest.raises(error) as refused:
        oe.compare(*arguments, **options)
    assert message in str(refused.value)


def test_independent_tables_are_not_planned_together():
    with pytest.raises(ParameterError, match="plan them two by two"):
        oe.compare(TABLES).planned()


def test_cases_are_the_sample_unless_there_are_fewer_than_two():
    assert [sampling_unit(None, cases) for cases in (0, 1, 2, 25)] == [
        "items",
        "items",
        "cases",
        "cases",
    ]
    assert [sampling_unit(unit, 2) for unit in ("items", "cases")] == ["items", "cases"]


@pytest.mark.parametrize(
    ("requested", "cases", "message"),
    [
        ("rows", 3, "resample='rows' is not a choice; it is one of items, cases."),
        (
            "cases",
            1,
            "resample='cases' needs at least two test cases; the data has one test case. Pass resample='items'.",
        ),
        (
            "cases",
            0,
            "resample='cases' needs at least two test cases; the data has no test cases. Pass resample='items'.",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_the_way_out(requested, cases, message):
    with pytest.raises(ParameterError) as refused:
        sampling_unit(requested, cases)
    assert str(refused.value) == message
