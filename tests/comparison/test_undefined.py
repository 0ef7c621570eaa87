"""What a test case without a score counts as, and systems that answered nothing."""

import re

import numpy as np
import pytest

import ordeval as oe

# Three cases: in z all gold labels are alike, so that tau-b is undefined; in x it is 1, in y -1 for a and 1 for b.
GOLD = [0, 1, 0, 1, 0, 0]
CASES = list("xxyyzz")
SYSTEMS = {"a": [0, 1, 1, 0, 1, 0], "b": [0, 1, 0, 1, 0, 1]}


def tau(undefined, resample=None):
    runs = oe.Runs.from_labels(GOLD, SYSTEMS, case=CASES)
    return oe.compare(
        runs,
        metrics=["kendall_tau_b"],
        primary="kendall_tau_b",
        undefined=undefined,
        resample=resample,
    )


@pytest.mark.parametrize("resample", ["cases", "items"])
@pytest.mark.parametrize(
    ("undefined", "a", "b"),
    [
        ("omit", 0.0, 1.0),  # (1 - 1) / 2 and (1 + 1) / 2
        ("zero", 0.0, 2 / 3),  # (1 - 1 + 0) / 3
        ("lowest", -1 / 3, 1 / 3),  # (1 - 1 - 1) / 3
        ("error", None, None),
    ],
)
def test_an_undefined_case_counts_as_was_asked_for(undefined, a, b, resample):
    found = tau(undefined, resample)
    scores = {one.system: one.scores["kendall_tau_b"] for one in found.leaderboard}
    for name, expected in (("a", a), ("b", b)):
        if expected is None:
            assert np.isnan(scores[name].value)
        else:
            assert scores[name].value == pytest.approx(expected)
        assert (scores[name].defined, scores[name].cases) == (2, 3)
        assert "undefined in 1 of 3 test cases" in scores[name].reason
    (pair,) = found.pairs
    if a is None:
        assert np.isnan(pair.difference)
        assert found.best == ()
        assert found.verdict.startswith("No system has a score by kendall_tau_b.")
    else:
        assert abs(pair.difference) == pytest.approx(b - a)


def test_items_of_a_case_that_is_left_out_do_not_change_an_interval_over_items():
    """Case z is left out, so the error without pseudo-items is that of x and y alone."""
    settings = {"metrics": ["kendall_tau_b"], "primary": "kendall_tau_b", "resample": "items"}
    gold, answers, cases = GOLD[:4] * 5, SYSTEMS["a"][:3] * 6 + [0, 1], (["x"] * 2 + ["y"] * 2) * 5
    systems = {"a": answers, "b": gold}
    two = oe.compare(oe.Runs.from_labels(gold, systems, case=cases), **settings)
    systems = {"a": [*answers, 0, 1, 0], "b": [*gold, 1, 0, 0]}
    three = oe.compare(
        oe.Runs.from_labels([*gold, 0, 0, 0], systems, case=[*cases, "z", "z", "z"]), **settings
    )
    plain = [found.scores.samples[0].estimate.plain[0, 0] for found in (two, three)]
    n = 20, 23  # the sum of squared influences is the same; it is multiplied by (n - 1) / n
    squares = [error**2 * size / (size - 1) for error, size in zip(plain, n, strict=True)]
    assert squares[0] == pytest.approx(squares[1])


@pytest.mark.parametrize("resample", ["cases", "items"])
def test_a_test_case_whose_items_all_weigh_nothing_is_left_out(resample):
    """In p the right answers have 3 of 3, in q 1 of 2 of the weight: the mean is 0.75."""
    gold, answers, weight = [1, 2, 3, 1, 2, 3], [1, 2, 3, 2, 2, 1], [1, 2, 1, 1, 0, 0]
    runs = oe.Runs.from_labels(
        gold, {"a": answers, "b": gold}, case=list("ppqqrr"), sample_weight=weight
    )
    found = oe.compare(runs, metrics=["accuracy"], primary="accuracy", resample=resample)
    score = {one.system: one.scores["accuracy"] for one in found.leaderboard}["a"]
    assert score.value == pytest.approx(0.75)
    assert (score.defined, score.cases) == (2, 3)
    table = oe.evaluate(runs.table.select(system="a"), metrics=["accuracy"], resample=resample)
    assert table["accuracy"].value == pytest.approx(0.75)


def test_a_verdict_on_one_system_does_not_speak_of_others():
    gold = [1, 2, 3]
    nothing = oe.compare(gold, {"a": [None] * 3}, missing="zero")
    assert nothing.verdict.startswith("No system answered anything.")
    little = oe.compare(gold, {"a": [1, 2, None]}, missing="drop", metrics=["accuracy"])
    assert "different items" not in little.verdict


def test_data_without_any_item_that_matters_is_refused():
    nothing = oe.Table.from_counts(np.zeros((2, 2), dtype=int))
    with pytest.raises(oe.errors.NoItemsError, match="all counts of 'system' are 0"):
        oe.evaluate(nothing)
    with pytest.raises(oe.errors.NoItemsError, match="all counts of 'z' are 0"):
        oe.compare({"a": oe.Table.from_counts([[1, 0], [0, 2]]), "z": nothing})
    with pytest.raises(oe.errors.NoItemsError, match="all of them have the weight 0"):
        oe.compare(GOLD, SYSTEMS, sample_weight=[0] * 6)


def test_the_highest_error_is_the_worst_where_it_is_finite_and_an_infinite_one_is_left_out():
    """By an error from 0 to 1 the worst is 1; mean absolute errors have no largest, and the case is left out."""
    gold, answer = [0, 1, 0, 1], [0, 1, None, None]
    runs = oe.Runs.from_labels(
        gold, {"a": answer, "b": gold}, case=list("xxyy"), labels=[0, 1], missing="drop"
    )
    names = ["ordinal_classification_index", "mae"]
    found = oe.compare(runs, metrics=names, primary="mae", undefined="lowest")
    scores = {one.system: one.scores for one in found.leaderboard}["a"]
    assert scores["ordinal_classification_index"].value == pytest.approx(0.5)  # 0 and 1
    assert scores["mae"].value == 0.0


def test_json_says_over_how_many_cases_a_mean_is():
    content = tau("omit").to_dict()
    assert content["systems"][0]["scores"]["kendall_tau_b"]["defined"] == 2
    assert content["systems"][0]["scores"]["kendall_tau_b"]["cases"] == 3


def test_a_paired_difference_is_over_the_cases_where_both_are_defined():
    """In case z b's answers are all alike: a has 1, 1, 1 and b 1, -1 and nothing; the difference is (0 + 2) / 2."""
    gold = [0, 1] * 3
    runs = oe.Runs.from_labels(gold, {"a": gold, "b": [0, 1, 1, 0, 1, 1]}, case=CASES)
    (pair,) = oe.compare(runs, metrics=["kendall_tau_b"], primary="kendall_tau_b").pairs
    assert (pair.a, pair.difference) == ("a", 1.0)


REVERSED = [2, 1, 0] * 10


@pytest.mark.parametrize("missing", ["zero", "farthest", "drop"])
@pytest.mark.parametrize(
    "primary", ["cem_ord", "accuracy", "mae", "kendall_tau_b", "weighted_kappa"]
)
def test_a_system_that_answered_nothing_is_never_best_first_or_marked(missing, primary):
    """The farther end for every item is a better ranking than the reverse of the right one, and still no answer."""
    gold = [0, 1, 2] * 10
    runs = oe.Runs.from_labels(
        gold, {"nothing": [None] * 30, "reversed": REVERSED}, labels=[0, 1, 2], missing=missing
    )
    found = oe.compare(runs, metrics=[primary], primary=primary)
    assert found.systems == ("reversed", "nothing")
    assert found.best == ("reversed",)
    last = found.leaderboard[1]
    assert (last.rank_low, last.rank_high, last.beats, last.answered) == (None, None, (), 0.0)
    assert found.tiers == (("reversed",), ("nothing",))
    assert found.verdict.startswith("reversed is the only system that can be ranked")
    assert {pair.outcome for pair in found.pairs} <= {"better", "undecided", None}
    row = next(row for row in found.sheet().rows if row[5].value == "nothing")
    assert not any(cell.best for cell in row)


def test_a_system_that_answered_little_is_shown_with_its_coverage_and_a_warning_in_every_form():
    # 'some' answers 2 of 10 items, all right; 'all' answers 10, of which 8 are right.
    gold = [1, 2] * 5
    some = [1, 2, *[None] * 8]
    everything = [1, 2] * 4 + [2, 1]
    found = oe.compare(
        gold,
        {"some": some, "all": everything},
        metrics=["accuracy"],
        primary="accuracy",
        missing="drop",
    )
    words = "some answered 20.0% of all items. Part of a difference may come from the items."
    for form in ("text", "markdown"):
        assert words in found.write(form)
        assert re.search(r"some\W.*1\.000.*\W20\.0%", found.write(form))
    assert words.replace("%", "\\%") in found.to_latex()
    assert r"some & 20.0\%" in found.to_latex()
    assert "some,10,2," in found.to_csv()
    assert {one["name"]: one["answered"] for one in found.to_dict()["systems"]} == {
        "some": 2,
        "all": 10,
    }
    assert words in found.verdict
    complete = oe.compare(gold, {"all": everything}, metrics=["accuracy"], missing="drop")
    assert "come from the items" not in complete.verdict


def test_a_system_without_an_answer_is_listed_and_never_first_by_any_measure():
    gold = [1, 2, 3] * 10
    found = oe.compare(
        gold, {"silent": ["?"] * 30, "wrong": [3, 1, 2] * 10}, missing="farthest", unknown="missing",
        labels=[1, 2, 3], metrics=["accuracy", "mae", "weighted_kappa"], primary="mae",
    )  # fmt: skip
    assert found.systems == ("wrong", "silent")
    assert found.best == ("wrong",)
    assert [one.rank_low for one in found.leaderboard] == [1, None]
    assert not any(cell.best for cell in found.sheet().rows[1])


@pytest.mark.parametrize("method", ["t", "percentile", "bca"])
def test_a_class_without_an_answer_leaves_scores_of_a_fixed_distribution_defined(method):
    # In the second case all items of class 2 are unanswered; the answered items of both cases are right.
    runs = oe.Runs.from_labels(
        [0, 0, 1, 1, 2, 2],
        {"a": [0, None, 1, 1, None, None], "b": [0, 0, 1, 1, None, None]},
        case=[0, 0, 0, 1, 1, 1],
        labels=range(3),
        missing="drop",
    )
    found = oe.compare(
        runs, metrics=["cem_ord"], distribution="fixed", method=method, n_resamples=49
    )
    for standing in found.leaderboard:
        assert standing.scores["cem_ord"].value == 1
