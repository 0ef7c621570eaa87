"""The sentences below the tables say the numbers that were used, and the intervals have the level that they name."""

import numpy as np
import pytest
from scipy import stats

import ordeval as oe
from ordeval.comparison.captions import meaning_sentence
from ordeval.comparison.score_runs import score_runs


def over_cases(cases, **options):
    gold = [0, 1] * (2 * cases)
    answers = [0, 1, 1, 1] * cases
    runs = oe.Runs.from_labels(gold, {"a": answers}, case=np.repeat(np.arange(cases), 4))
    return score_runs(runs, metrics=["accuracy"], n_resamples=99, **options).caption


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, " 95% t intervals from the jackknife, over items."),
        (
            {"level": 0.9, "method": "percentile", "rng": 7},
            " 90% percentile bootstrap intervals, 499 resamples of items, seed 7.",
        ),
        (
            {"level": 0.995, "method": "bca"},
            " 99.5% bias-corrected and accelerated (BCa) bootstrap intervals, 499 resamples of items, seed 0.",
        ),
        (
            {"metrics": ["cem_ord"], "distribution": "fixed"},
            "over items; closeness measures use the class distribution of the gold labels throughout.",
        ),
    ],
)
def test_the_caption_says_level_method_resamples_and_seed(options, sentence):
    given = {"metrics": ["mae"], "n_resamples": 499, **options}
    found = oe.evaluate([1, 2, 3, 2] * 9, [1, 2, 2, 1] * 9, **given)
    assert sentence in found.caption


def test_a_fixed_distribution_is_named_only_if_a_measure_uses_it():
    found = oe.evaluate([1, 2] * 9, [1, 1] * 9, metrics=["mae"], distribution="fixed")
    assert "distribution" not in found.caption


def test_an_interval_has_the_level_that_its_caption_names():
    # 8,000 of 10,000 right: the standard error is (0.8 * 0.2 / 10,000) ** 0.5 = 0.004, and the ends are 1.96 of them
    # away at 95% and 1.64 at 90%. 9,999 resamples place an end to about 0.0001.
    table = oe.Table.from_counts([[4000, 1000], [1000, 4000]])
    for level in (0.95, 0.9):
        score = oe.evaluate(table, metrics=["accuracy"], level=level)["accuracy"]
        reach = stats.norm.ppf((1 + level) / 2) * 0.004
        assert (score.low, score.high) == pytest.approx((0.8 - reach, 0.8 + reach), abs=4e-4)
        assert score.error == pytest.approx(0.004, rel=0.03)


def test_the_interval_of_a_difference_has_the_level_of_the_comparison():
    # Of 10,000 items a alone is right on 1,000 and b alone on 600: the difference is 0.04, and its standard error is
    # ((0.16 - 0.04 ** 2) / 10,000) ** 0.5.
    gold = np.zeros(10_000, int)
    a, b = gold.copy(), gold.copy()
    b[:1000], a[1000:1600] = 1, 1
    runs = oe.Runs.from_labels(gold, {"a": a, "b": b}, labels=[0, 1])
    error = ((0.16 - 0.0016) / 10_000) ** 0.5
    for level in (0.95, 0.8):
        (pair,) = oe.compare(runs, metrics=["accuracy"], primary="accuracy", level=level).pairs
        reach = stats.norm.ppf((1 + level) / 2) * error
        assert (pair.low, pair.high) == pytest.approx((0.04 - reach, 0.04 + reach), abs=4e-4)


def test_the_caption_says_what_was_drawn():
    assert "t intervals from the jackknife, over whole test cases." in over_cases(12)
    within = over_cases(12, resample="items")
    assert "t intervals from the jackknife, over items within each test case." in within
    drawn = over_cases(12, method="percentile")
    assert "99 resamples of whole test cases, seed 0" in drawn


def test_the_caption_says_how_many_equal_items_weighted_ones_tell_as_much_as():
    """Weights of 1 and 3 in equal numbers: (1 + 3)^2 / (2 * (1 + 9)) = 0.8 of 40 items."""
    found = oe.evaluate([0, 1] * 20, [0, 1] * 20, sample_weight=[1, 1, 3, 3] * 10)
    assert "the weighted items tell as much as 32 items of equal weight" in found.caption


def test_one_item_makes_no_interval_and_two_do():
    one = oe.evaluate([1], [1], labels=[1, 2], metrics=["accuracy"], n_resamples=99)
    assert "No intervals could be made." in one.caption
    assert one["accuracy"].reason == "a single item shows no variation"
    two = oe.evaluate([1, 2], [1, 1], metrics=["accuracy"], n_resamples=99)
    assert (two["accuracy"].low, two["accuracy"].high) == (0.0, 1.0)
    assert two["accuracy"].reason is None


def test_undefined_resamples_are_counted_for_scores_that_are_defined():
    # Ten pairs of a gold class and an answer, nine of them alike: a resample without the tenth has no correlation.
    found = oe.evaluate(
        [1] * 9 + [2],
        [1] * 9 + [2],
        metrics=["kendall_tau_b"],
        method="percentile",
        n_resamples=999,
    )
    score = found["kendall_tau_b"]
    # or the other nine, which is rarer still
    assert score.undefined / 999 == pytest.approx(0.9**10, abs=0.06)
    assert (
        f"up to {score.undefined:,} resamples, in which a score is undefined, are left out"
        in found.caption
    )
    assert found.to_dict()["systems"][0]["scores"]["kendall_tau_b"]["undefined_resamples"] == (
        score.undefined
    )
    # A score that is itself undefined, and so has no interval, says nothing about resamples.
    never = oe.evaluate(
        [1, 1], [1, 2], metrics=["accuracy", "kendall_tau_b"], method="percentile", n_resamples=99
    )
    assert never["kendall_tau_b"].undefined == 99
    assert "99 resamples of items, seed 0." in never.caption


@pytest.mark.parametrize(
    ("runs", "start"),
    [
        (
            oe.Runs.from_labels([1, 2, 3], {"a": [1, 2, 3]}),
            "3 items; 3 classes: 1 < 2 < 3.",
        ),
        (oe.Runs.from_labels([1], {"a": [1]}), "1 item; 1 class: 1."),
        (
            oe.Runs.from_labels([1, 2], {"a": [1, 2]}, case=["x", "x"]),
            "2 items in 1 test case; 2 classes: 1 < 2.",
        ),
        (
            oe.Runs.from_labels([1, 2] * 600, {"a": [1, 2] * 600}, case=["x", "y"] * 600),
            "1,200 items in 2 test cases, whose scores are averaged; 2 classes: 1 < 2.",
        ),
        (
            oe.Runs.from_labels([1, 2], {"a": [1, 2]}, sample_weight=[0.5, 2.7]),
            "2 items; 2 classes: 1 < 2.",
        ),
        (
            oe.Runs.from_labels([1, 8], {"a": [1, 8]}, labels=range(1, 9)),
            "2 items; 8 classes: 1 < ... < 8.",
        ),
        (
            oe.Runs.from_labels([1, 7], {"a": [1, 7]}, labels=range(1, 8)),
            "2 items; 7 classes: 1 < 2 < 3 < 4 < 5 < 6 < 7.",
        ),
    ],
)
def test_the_caption_begins_with_items_cases_and_classes(runs, start):
    caption = score_runs(runs, metrics=["accuracy"], level=None).caption
    assert caption == start


def test_the_caption_counts_answers_that_a_policy_touched_and_rows_that_were_left_out():
    runs = oe.Runs.from_labels(
        [1, 2, 3, None], {"a": [1, None, None, 3], "b": [9, 2, 3, 3]},
        labels=[1, 2, 3], missing="zero", unknown="missing", gold_missing="drop",
    )  # fmt: skip
    assert score_runs(runs, metrics=["accuracy"], level=None).sentences[1:] == (
        "2 answers are missing; 1 answer is not on the scale and counts as missing; a missing answer earns nothing.",
        "Rows left out: 1 without a gold label.",
    )


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        (
            {"n_resamples": 99},
            [
                "Two-sided t test by item, corrected for 3 pairs (step-down max-t, 99 sign flips, seed 0), ",
                "significant at 0.05.",
            ],
        ),
        (
            {
                "n_resamples": 99,
                "test": "randomisation",
                "correction": "none",
                "level": 0.9,
                "rng": 4,
            },
            [
                "studentised randomisation test by item (99 sign flips, seed 4), not corrected for the number of ",
                "pairs (3), significant at 0.1.",
            ],
        ),
        (
            {"correction": "bh"},
            ["t test by item, corrected for 3 pairs (Benjamini and Hochberg),"],
        ),
        (
            {"margin": 0.05},
            ["Equivalent: not more than 0.05 apart, by two one-sided t tests."],
        ),
    ],
)
def test_the_caption_of_a_comparison_says_test_draws_seed_correction_and_alpha(options, parts):
    gold = [1, 2, 3, 2] * 30
    answers = {"a": gold, "b": [1, 2, 2, 2] * 30, "c": [3, 2, 1, 2] * 30}
    caption = oe.compare(oe.Runs.from_labels(gold, answers), metrics=["cem_ord"], **options).caption
    assert caption.startswith("3 systems, 120 items. No answer is missing. ")
    for part in parts:
        assert part in caption


def test_a_test_by_case_and_an_exact_one_are_called_so():
    gold = [1, 2, 3, 2] * 6
    runs = oe.Runs.from_labels(
        gold, {"a": gold, "b": [1, 2, 2, 1] * 6}, case=np.repeat(range(6), 4)
    )
    plain = oe.compare(runs, metrics=["accuracy"], primary="accuracy").caption
    assert "2 systems, 24 items in 6 test cases." in plain
    assert (
        "Two-sided t test by test case, significant at 0.05." in plain
    )  # one pair needs no correction
    exact = oe.compare(runs, metrics=["cem_ord"], test="randomisation", n_resamples=99).caption
    assert "studentised randomisation test by test case (all 32 sign flips), significant" in exact
    wilcoxon = oe.compare(runs, metrics=["cem_ord"], test="wilcoxon").caption
    assert "Wilcoxon signed-rank test by test case, significant" in wilcoxon


# --- what stands above the table ---


def test_a_measure_is_explained_by_its_perfect_score_and_the_best_constant_answer():
    """Gold 1, 2, 3, 2: always 2 is right on half of them and wrong by one step on the other half."""
    found = oe.evaluate([1, 2, 3, 2] * 9, [1, 2, 2, 1] * 9, metrics=["accuracy", "mae"])
    measures = found.scores.measures
    assert meaning_sentence(measures["accuracy"], found.baseline) == (
        "accuracy: 1 is perfect; always answering 2 would score 0.500."
    )
    assert meaning_sentence(measures["mae"], found.baseline) == (
        "mae: 0 is perfect (lower is better); always answering 2 would score 0.500."
    )


def test_a_measure_without_a_perfect_score_or_for_which_a_constant_has_none_says_so():
    found = oe.evaluate(
        [1, 2, 3] * 9, [1, 2, 2] * 9, metrics=["kendall_tau_b", "mutual_information"]
    )
    measures = found.scores.measures
    said = [meaning_sentence(measure, found.baseline) for measure in measures.values()]
    assert said[0] == "kendall_tau_b: 1 is perfect; a constant answer has no score."
    assert said[1] == (
        "mutual_information: higher is better; always answering 1 would score 0.000."
    )


def test_the_scores_of_one_system_begin_with_a_sentence():
    """2 of 4 items are 2, so always answering it has 0.5; the system is right on the first two of four, no more."""
    found = oe.evaluate([1, 2, 3, 2] * 9, [1, 2, 2, 1] * 9, metrics=["accuracy"])
    low, high = (f"{end:.3f}" for end in (found["accuracy"].low, found["accuracy"].high))
    sentence = (
        f"The system scores 0.500 by accuracy (95% interval {low} to {high}); 1 is perfect, and always answering 2 "
        f"would score 0.500."
    )
    second = "The system does not significantly beat always answering 2."
    assert str(found).startswith(f"{sentence}\n{second}\n\nsystem ")
    assert found.to_markdown().startswith(f"{sentence}  \n{second}  \n\n| system |")
    assert found._repr_html_().startswith(f"<p>{sentence}</p><p>{second}</p><table")
    assert sentence not in found.to_csv() + found.to_json()


def test_the_scores_of_several_systems_begin_with_the_best_and_what_a_score_means():
    """Always answering 1 is right on 3 of 4 items; a is right on all of them, b on half."""
    runs = oe.Runs.from_labels([1, 1, 1, 2] * 25, {"a": [1, 1, 1, 2] * 25, "b": [1, 2, 2, 2] * 25})
    scores = score_runs(runs, metrics=["accuracy"], n_resamples=99)
    assert str(scores).startswith(
        "a scores best by accuracy (1.000); compare the systems to see which differences are significant.\n"
        "accuracy: 1 is perfect; always answering 1 would score 0.750.\n1 system does not significantly beat always "
        "answering 1.\n\nsystem "
    )
    worse = score_runs(
        oe.Runs.from_labels([1, 1, 1, 2] * 25, {"a": [2] * 100, "b": [1, 2, 2, 2] * 25}),
        metrics=["accuracy"],
        n_resamples=99,
    )
    assert "Neither of the 2 systems significantly beats always answering 1." in worse.lead
    alike = oe.Runs.from_labels(
        [1, 1, 2, 2], {"a": [1, 1, 1, 1], "b": [2, 2, 2, 2], "c": [2, 2, 1, 1]}
    )
    assert (
        score_runs(alike, metrics=["mae"]).lead[0].startswith("a and b score best by mae (0.500);")
    )


def test_a_comparison_begins_with_the_verdict_and_what_a_score_means():
    gold = [1, 2, 3, 2] * 30
    found = oe.compare(
        gold, {"a": gold, "b": [1, 2, 2, 2] * 30}, metrics=["accuracy"], primary="accuracy"
    )
    verdict = "a is best by accuracy: significantly better than the other system."
    meaning = "accuracy: 1 is perfect; always answering 2 would score 0.500."
    assert str(found).startswith(f"{verdict}\n{meaning}\n\nranks ")
    assert found.to_markdown().startswith(f"{verdict}  \n{meaning}  \n\n| ranks |")
    assert found._repr_html_().startswith(f"<p>{verdict}</p><p>{meaning}</p><table")
    assert verdict not in found.to_csv()
    assert str(found).count(verdict) == str(found).count(meaning) == 1
