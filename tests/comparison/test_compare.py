"""The comparison as a whole: leaderboard, pairs, tiers. How they are shown is tested in test_sheets.py."""

import json
import re

import numpy as np
import pytest

import ordeval as oe
from ordeval.comparison.score_runs import score_runs
from ordeval.errors import LabelTypeError, MetricError, OrdevalError, ParameterError

GOLD = np.arange(300) % 4
NOISE = np.random.default_rng(0)


def noisy(share):
    return np.where(NOISE.random(len(GOLD)) < share, NOISE.integers(0, 4, len(GOLD)), GOLD)


SYSTEMS = {"fair": noisy(0.4), "good": noisy(0.15), "bad": noisy(0.9), "same": None}
SYSTEMS["same"] = SYSTEMS["good"]


@pytest.fixture(scope="module")
def comparison():
    runs = oe.Runs.from_labels(GOLD, SYSTEMS)
    return oe.compare(runs, metrics=["cem_ord", "mae"], n_resamples=499)


def test_systems_stand_best_first_and_equal_ones_by_name(comparison):
    assert comparison.systems == ("good", "same", "fair", "bad")
    assert [one.rank for one in comparison.leaderboard] == [1, 2, 3, 4]


def test_systems_that_cannot_be_told_apart_share_a_tier(comparison):
    assert comparison.tiers == (("good", "same"), ("fair",), ("bad",))
    assert [one.tier for one in comparison.leaderboard] == [1, 1, 2, 3]
    assert comparison.leaderboard[0].beats == ("fair", "bad")


def test_a_pair_is_the_difference_of_the_scores_a_minus_b(comparison):
    scores = {one.system: one.scores for one in comparison.leaderboard}
    assert len(comparison.pairs) == 2 * 6
    for pair in comparison.pairs:
        expected = scores[pair.a][pair.metric].value - scores[pair.b][pair.metric].value
        assert pair.difference == pytest.approx(expected, abs=1e-12)
        assert pair.low <= pair.difference <= pair.high
        assert 0 < pair.p <= pair.p_adjusted <= 1


def test_identical_systems_do_not_differ_but_might_on_items_to_come(comparison):
    twins = next(
        p for p in comparison.pairs if {p.a, p.b} == {"good", "same"} and p.metric == "cem_ord"
    )
    assert twins.difference == 0.0
    assert twins.low == -twins.high < 0.0
    assert (twins.p, twins.p_adjusted, twins.win, twins.effect) == (1.0, 1.0, 0.5, 0.0)
    assert twins.outcome == "undecided"


def test_a_wins_where_it_is_better_also_when_lower_is_better(comparison):
    """good has the smaller error, so that a - b is negative and a still wins."""
    pair = next(p for p in comparison.pairs if (p.a, p.b, p.metric) == ("good", "bad", "mae"))
    assert pair.difference < 0
    assert pair.win > 0.999
    assert pair.outcome == "better"


def test_a_measure_of_error_ranks_the_smallest_first():
    runs = oe.Runs.from_labels(GOLD, SYSTEMS)
    by_error = oe.compare(runs, metrics=["mae"], primary="mae", n_resamples=199)
    assert by_error.systems[0] == "good"
    assert by_error.systems[-1] == "bad"


def test_the_primary_measure_is_added_where_it_was_not_asked_for():
    runs = oe.Runs.from_labels(GOLD, SYSTEMS)
    found = oe.compare(
        runs, metrics=["mae"], primary="weighted_kappa(weights='linear')", n_resamples=99
    )
    assert found.primary == "weighted_kappa(weights='linear')"
    assert set(found.scores.metrics) == {"mae", "weighted_kappa(weights='linear')"}
    with pytest.raises(MetricError, match="Did you mean cem_ord"):
        oe.compare(runs, primary="cem_odr")


@pytest.mark.parametrize("test", ["randomisation", "wilcoxon", "t"])
def test_every_test_finds_a_large_difference_over_cases_and_none_between_twins(test):
    runs = oe.Runs.from_labels(GOLD, SYSTEMS, case=np.repeat(np.arange(12), 25))
    found = oe.compare(runs, metrics=["cem_ord"], test=test, n_resamples=199)
    assert found.tiers == (("good", "same"), ("fair",), ("bad",))
    assert found.test == test


def test_scores_with_cases_are_means_over_cases():
    """Case x: 1 of 2 right; case y: 4 of 4: the mean is 0.75 and not 5/6."""
    runs = oe.Runs.from_labels([0, 1, 0, 0, 1, 1], {"a": [0, 0, 0, 0, 1, 1]}, case=list("xxyyyy"))
    found = oe.compare(runs, metrics=["accuracy"], primary="accuracy", n_resamples=99)
    assert found.leaderboard[0].scores["accuracy"].value == 0.75
    pooled = oe.compare(runs.pooled(), metrics=["accuracy"], primary="accuracy", n_resamples=99)
    assert pooled.leaderboard[0].scores["accuracy"].value == pytest.approx(5 / 6)


def test_one_system_has_a_leaderboard_and_no_pairs():
    found = oe.compare(oe.Runs.from_labels(GOLD, {"only": GOLD}), n_resamples=99)
    assert found.tiers == (("only",),)
    assert found.pairs == ()
    assert found.leaderboard[0].ranks == "1"
    assert "Tiers" not in found.caption
    assert "only" in str(found)
    json.dumps(found.to_dict(), allow_nan=False)


def test_one_item_gives_scores_and_no_evidence():
    found = oe.compare(
        oe.Runs.from_labels([1], {"a": [1], "b": [2]}, labels=[1, 2, 3]), metrics=["cem_ord", "mae"]
    )
    assert found.tiers == (("a", "b"),)
    assert {(pair.p, pair.low, pair.outcome) for pair in found.pairs} == {(None, None, None)}
    assert found.leaderboard[0].scores["cem_ord"].low is None
    assert found.best == ("a", "b")


def test_one_case_is_resampled_by_items():
    runs = oe.Runs.from_labels(GOLD, SYSTEMS, case=["x"] * len(GOLD))
    found = oe.compare(runs, metrics=["cem_ord"], n_resamples=99)
    assert found.scores.resample == "items"
    assert found.scores.cases == ("x",)
    assert found.tiers == (("good", "same"), ("fair",), ("bad",))


def test_one_class_is_perfect_by_closeness_and_undefined_by_correlation():
    runs = oe.Runs.from_labels([5, 5, 5], {"a": [5, 5, 5], "b": [5, 5, 5]})
    found = oe.compare(runs, metrics=["cem_ord", "kendall_tau_b"], n_resamples=99)
    assert found.tiers == (("a", "b"),)
    assert found.leaderboard[0].scores["cem_ord"].value == 1.0
    undefined = [pair for pair in found.pairs if pair.metric == "kendall_tau_b"]
    assert undefined[0].p is None
    assert undefined[0].reason == "kendall_tau_b of a and b is undefined"
    by_tau = oe.compare(runs, metrics=["kendall_tau_b"], primary="kendall_tau_b", n_resamples=99)
    assert by_tau.tiers == (("a", "b"),)
    json.dumps(by_tau.to_dict(), allow_nan=False)
    assert "--" in by_tau.to_latex()


def test_a_perfect_system_beats_the_others():
    runs = oe.Runs.from_labels(GOLD, SYSTEMS | {"perfect": GOLD})
    found = oe.compare(runs, n_resamples=199)
    best = found.leaderboard[0]
    assert best.system == "perfect"
    assert 0.97 < best.scores["cem_ord"].low < 1.0  # 300 items without an error are no proof
    assert best.scores["cem_ord"].high == 1.0
    assert set(best.beats) == {"good", "same", "fair", "bad"}


def test_missing_answers_count_against_a_system_under_the_policy_that_the_caption_names():
    half = [None if i % 2 else int(g) for i, g in enumerate(GOLD)]
    runs = oe.Runs.from_labels(GOLD, {"full": GOLD, "half": half}, missing="zero")
    found = oe.compare(runs, metrics=["cem_ord", "accuracy"], n_resamples=199)
    assert found.tiers == (("full",), ("half",))
    assert (
        "150 answers are missing (every system answered at least 50.0% of the items); a missing answer earns nothing."
        in found.caption
    )
    dropped = oe.compare(
        oe.Runs.from_labels(GOLD, {"full": GOLD, "half": half}, missing="drop"), n_resamples=199
    )
    assert dropped.tiers == (("full", "half"),)  # on what it answered, half is perfect too


def test_the_caption_says_test_correction_resamples_seed_and_policy(comparison):
    caption = comparison.caption
    for word in ("t test by item", "499 sign flips, seed 0", "corrected for 6 pairs (step-down max-t", "t intervals",
                 "No answer is missing.", "significant at 0.05"):  # fmt: skip
        assert word in caption
    runs = oe.Runs.from_labels(GOLD, SYSTEMS, case=np.repeat(np.arange(12), 25))
    other = oe.compare(
        runs,
        test="wilcoxon",
        correction="bh",
        rng=3,
        n_resamples=99,
        level=0.9,
        method="percentile",
    ).caption
    for word in (
        "Wilcoxon signed-rank test by test case",
        "Benjamini and Hochberg",
        "seed 3",
        "90% percentile",
        "significant at 0.1",
    ):
        assert word in other


def test_json_has_the_keys_of_the_contract(comparison):
    content = json.loads(json.dumps(comparison.to_dict(), allow_nan=False))
    assert content["schema"] == 1
    assert content["command"] == "compare"
    assert content["scale"] == {"labels": [0, 1, 2, 3], "values": [0, 1, 2, 3]}
    assert content["policy"] == {"missing": "error", "unknown": "error", "duplicates": "error"}
    assert content["input"]["items"] == 300
    assert content["primary"] == "cem_ord"
    assert content["tiers"] == [["good", "same"], ["fair"], ["bad"]]
    assert {"a", "b", "metric", "difference", "low", "high", "p", "p_adjusted"} <= set(
        content["pairs"][0]
    )
    assert {"value", "low", "high"} <= set(content["systems"][0]["scores"]["cem_ord"])
    assert {system["name"] for system in content["systems"]} == set(SYSTEMS)


def test_frames_of_three_libraries_hold_the_same(comparison):
    pandas = comparison.to_frame(backend="pandas")
    polars = comparison.to_frame(backend="polars")
    arrow = comparison.to_frame(backend="pyarrow")
    assert list(pandas.columns) == polars.columns == arrow.column_names
    assert pandas["system"].tolist() == polars["system"].to_list() == arrow["system"].to_pylist()
    assert pandas["value"].tolist() == polars["value"].to_list()
    pairs = comparison.to_frame("pairs")
    assert len(pairs) == 12
    with pytest.raises(ParameterError, match="what='tiers' is not a part"):
        comparison.to_frame("tiers")
    with pytest.raises(ParameterError, match="backend='excel' is not a library"):
        comparison.to_frame(backend="excel")


HOSTILE = "a_b & 50% $x$ #1 {y} ~^ \\ <script>alert(1)</script> | `c` *d*\nnext"


def test_hostile_names_are_escaped_everywhere():
    runs = oe.Runs.from_labels(GOLD, {HOSTILE: SYSTEMS["good"], "plain": SYSTEMS["bad"]})
    found = oe.compare(runs, metrics=["cem_ord"], n_resamples=99)
    html = found._repr_html_()
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    row = next(line for line in found.to_latex().splitlines() if "alert" in line)
    assert (
        r"a\_b \& 50\% \$x\$ \#1 \{y\} \textasciitilde{}\textasciicircum{} \textbackslash{}" in row
    )
    cells = re.split(
        r"(?<!\\)\|",
        next(line for line in found.to_markdown().splitlines() if re.match(r"\|.*alert", line)),
    )
    assert len(cells) == 5  # tier, system and one measure between two ends
    # a line break in a name breaks no row: the heading, the rule, two systems and the constant answer
    assert len(str(found).split("\n\n")[1].splitlines()) == 5


def test_text_repr_and_html_show_the_best_and_the_ranks(comparison):
    assert repr(comparison) == "Comparison(4 systems by cem_ord: best {good, same})"
    assert [line.split()[:2] for line in str(comparison).splitlines()[5:10]] == [
        ["1-2", "good"],
        ["1-2", "same"],
        ["3", "fair"],
        ["always", "1"],
        ["4", "bad"],
    ]
    # the heads and the rows of the leaderboard and of the six pairs, and the faint row of the constant answer
    assert comparison._repr_html_().count("<tr>") == 1 + 4 + 1 + 6
    assert comparison._repr_html_().count("<tr style=") == 1


def test_something_that_is_no_runs_is_refused_with_the_way_out():
    with pytest.raises(LabelTypeError, match=r"compare was given a list; it takes oe.Runs"):
        oe.compare([1, 2])


@pytest.mark.parametrize(
    "given", [{"test": "z"}, {"correction": "x"}, {"resample": "cases"}, {"level": 2}, {"rng": "x"}]
)
def test_odd_options_end_in_our_own_errors(given):
    with pytest.raises(OrdevalError):
        oe.compare(oe.Runs.from_labels(GOLD, SYSTEMS), **{"n_resamples": 9} | given)


def test_without_a_level_there_are_p_values_and_no_intervals():
    found = oe.compare(
        oe.Runs.from_labels(GOLD, SYSTEMS), level=None, metrics=["cem_ord"], n_resamples=199
    )
    assert {pair.low for pair in found.pairs} == {None}
    assert all(pair.p is not None for pair in found.pairs)
    assert found.tiers[0] == ("good", "same")


@pytest.mark.parametrize("test", ["randomisation", "t"])
def test_the_order_in_which_systems_are_given_changes_nothing(test):
    found = [
        oe.compare(
            oe.Runs.from_labels(GOLD, {name: SYSTEMS[name] for name in names}),
            metrics="cem_ord",
            n_resamples=99,
            test=test,
        )
        for names in (list(SYSTEMS), list(SYSTEMS)[::-1])
    ]
    assert found[0].tiers == found[1].tiers
    assert found[0].pairs == found[1].pairs
    assert found[0].leaderboard == found[1].leaderboard


def test_a_system_beats_another_only_if_the_adjusted_p_is_significant():
    # a alone is right on 6 of 40 items, b and c answer alike; Holm's factor is 3, as the two p-values are the same.
    gold = [1, 2] * 20
    other = [3 if at < 12 and g == 1 else g for at, g in enumerate(gold)]
    runs = oe.Runs.from_labels(gold, {"a": gold, "b": other, "c": other})
    found = {
        correction: oe.compare(
            runs, metrics="accuracy", primary="accuracy", correction=correction, n_resamples=99
        )
        for correction in ("holm", "none")
    }
    p = found["holm"].pairs[0].p
    assert 0.05 / 3 < p < 0.05
    assert [pair.p for pair in found["holm"].pairs] == [p, p, 1.0]
    assert [pair.p_adjusted for pair in found["holm"].pairs] == [3 * p, 3 * p, 1.0]
    assert found["holm"].leaderboard[0].beats == ()
    assert found["holm"].tiers == (("a", "b", "c"),)
    assert found["none"].leaderboard[0].beats == ("b", "c")
    assert found["none"].tiers == (("a",), ("b", "c"))


@pytest.mark.parametrize("resample", ["cases", "items"])
@pytest.mark.parametrize("method", ["t", "percentile"])
def test_weights_of_items_of_different_test_cases_keep_their_ratios_where_all_are_pooled(
    resample, method
):
    """Right are the first, the third and the fourth item: 10 + 10 + 1 of 33."""
    gold, answers, weight = [1, 1, 2, 2, 1, 2], [1, 2, 2, 2, 2, 1], [10, 10, 10, 1, 1, 1]
    systems = {"a": answers, "b": gold}
    runs = oe.Runs.from_labels(gold, systems, case=list("ppqqrr"), sample_weight=weight)
    settings = {"resample": resample, "method": method, "n_resamples": 99}
    found = oe.compare(runs.pooled(), metrics=["accuracy"], primary="accuracy", **settings)
    assert found.scores.values[0].tolist() == pytest.approx([21 / 33, 1])
    assert found.pairs[0].difference == pytest.approx(12 / 33)
    for data in (runs, runs.table):
        scores = score_runs(data, metrics=["accuracy"], pooled=True, **settings)
        assert scores.values[0].tolist() == pytest.approx([21 / 33, 1])


@pytest.mark.parametrize("resample", [None, "items"])
@pytest.mark.parametrize("cases", [None, 3])
def test_measures_that_count_items_see_those_that_a_system_answered_where_others_are_dropped(
    cases, resample
):
    rng = np.random.default_rng(2)
    gold, weight = rng.integers(1, 4, 60), rng.random(60) * 5
    answers = {
        name: [None if rng.random() < 0.3 else int(one) for one in rng.integers(1, 4, 60)]
        for name in "ab"
    }
    case = None if cases is None else np.arange(60) % cases
    runs = oe.Runs.from_labels(gold, answers, case=case, sample_weight=weight, missing="drop")
    metrics = ["kendall_tau_a", "krippendorff_alpha"]
    found = oe.compare(runs, metrics=metrics, primary="kendall_tau_a", resample=resample)
    for one in found.leaderboard:
        given = np.array([answer is not None for answer in answers[one.system]])
        own = np.array(answers[one.system])[given].astype(int)
        groups = np.zeros(given.sum()) if case is None else case[given]
        for metric in metrics:
            # the mean over cases of the measure on the answered items alone
            expected = np.mean(
                [
                    oe.registry[metric](
                        gold[given][groups == at],
                        own[groups == at],
                        sample_weight=weight[given][groups == at],
                    )
                    for at in np.unique(groups)
                ]
            )
            assert one.scores[metric].value == pytest.approx(expected)
