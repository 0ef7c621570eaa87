"""The sentences of the report say what the numbers say."""

from types import SimpleNamespace

import numpy as np
import pytest

import ordeval as oe
from ordeval.metrics.closeness import proximity
from ordeval.report.measure_agreement import measure_agreement
from ordeval.report.sentences import chance_words, scale_sentences, summary_of
from ordeval.scale import Scale
from tests.report import comparisons


def words_of(comparison) -> str:
    summary = summary_of(comparison)
    return " ".join(["".join(summary.headline), *("".join(parts) for parts in summary.sentences)])


SEVERAL = [
    comparisons.hostile,
    comparisons.one_case,
    comparisons.undefined,
    comparisons.nothing_defined,
    comparisons.weighted,
    comparisons.unanswered,
    comparisons.without_intervals,
]


@pytest.mark.parametrize("case", SEVERAL, ids=lambda case: case.__name__)
def test_the_headline_is_the_verdict_and_names_exactly_those_that_may_be_the_best(case):
    comparison = case()
    headline = summary_of(comparison).headline
    assert comparison.verdict.startswith("".join(headline))
    assert headline[1::2] == (comparison.best if len(comparison.best) <= 4 else ())


def test_a_clear_winner_is_said_to_be_better_than_the_other():
    comparison = comparisons.made(systems=2, items=3000)
    assert comparison.best == ("system 0",)
    words = words_of(comparison)
    assert "system 0 is best by cem_ord: significantly better than the other system." in words
    assert "It leads system 1" in words
    assert "a significant difference" in words
    assert "its rank" not in words  # it is 1


def test_equal_systems_may_both_be_the_best_and_chance_is_named():
    comparison = comparisons.made(systems=2, items=12, seed=1)
    assert set(comparison.best) == {"system 0", "system 1"}
    words = words_of(comparison)
    assert "are not significantly different. That does not prove that they are equal." in words
    assert "More items or test cases may settle it." in words
    assert "which is not significant" in words
    assert "; its rank may be anything from 1 to 2." in words


def test_too_few_test_cases_to_show_anything_are_named_with_the_number_that_could():
    # Of 2^n sign flips 2 leave all cases on one side: 2/2^5 is above 0.05, 2/2^6 is not.
    words = words_of(comparisons.by_right_answers({"a": (4, 3), "b": (2, 1), "c": (1, 0)}, 4))
    assert "With 2 test cases no difference can be significant at 0.05, however large" in words
    assert "it takes at least 6 test cases" in words


def test_one_system_is_told_with_its_interval_and_without_a_contest():
    comparison = comparisons.one_system()
    score = comparison.leaderboard[0].scores["cem_ord"]
    words = words_of(comparison)
    assert words.startswith(
        f"system 0 scores {score.value:.3f} by cem_ord (95% interval {score.low:.3f} to {score.high:.3f}). "
        "cem_ord: 1 is perfect; "
    )
    assert "best" not in words
    assert "rank" not in words


def test_without_a_defined_score_there_is_no_winner_and_a_reason():
    comparison = comparisons.nothing_defined()
    assert summary_of(comparison).headline == ("No system has a score by kendall_tau_b.",)
    assert "undefined" in words_of(comparison)


def test_a_system_whose_rivals_have_no_score_is_not_said_to_beat_them():
    words = words_of(comparisons.undefined())
    assert "varied is the only system that can be ranked by kendall_tau_b." in words
    assert "1 system cannot be ranked: kendall_tau_b is undefined for it." in words
    assert "ahead" not in words
    assert "kendall_tau_b: 1 is perfect; a constant answer has no score." in words


def test_a_system_that_answered_nothing_is_said_to():
    gold = [1, 2, 3] * 10
    runs = oe.Runs.from_labels(gold, {"mute": [None] * 30, "right": gold}, missing="zero")
    words = words_of(oe.compare(runs, metrics=["accuracy"], primary="accuracy", level=None))
    assert "1 system cannot be ranked: no item was answered." in words
    mute = oe.Runs.from_labels(gold, {"mute": [None] * 30}, missing="zero")
    words = words_of(oe.compare(mute, metrics=["accuracy"], primary="accuracy", level=None))
    assert "The reason: no system answered anything." in words


def test_a_measure_by_which_two_systems_are_equal_is_not_said_to_disagree():
    """Both err once in ten, so accuracy is 0.9 for both; the error of 'z' is the smaller, by mae and by cem_ord."""
    gold = [1, 1, 1, 2, 2, 3, 3, 3, 4, 4] * 10
    near, far = (
        [answer if at % 10 else wrong for at, answer in enumerate(gold)] for wrong in (2, 4)
    )
    comparison = oe.compare(
        oe.Runs.from_labels(gold, {"a": far, "z": near}),
        metrics=["cem_ord", "accuracy", "mae"],
        n_resamples=99,
    )
    words = words_of(comparison)
    assert "mae puts the same system first. By accuracy, several systems share the best" in words
    agreement = measure_agreement(comparison)
    assert agreement.winners[agreement.metrics.index("accuracy")] == ("z", "a")


def test_where_two_systems_tie_by_every_measure_none_of_them_is_said_to_be_first():
    """Both take one item of each class for the class above, or 3 for 1; each does so on items of its own."""
    gold = [1, 2, 3] * 20
    left = [label % 3 + 1 if at < 6 else label for at, label in enumerate(gold)]
    right = [label % 3 + 1 if at >= 54 else label for at, label in enumerate(gold)]
    words = words_of(oe.compare(gold, {"left": left, "right": right}, metrics=["cem_ord", "mae"]))
    assert "By mae, several systems share the best score." in words
    assert "same system first" not in words


def test_every_second_part_of_a_sentence_is_a_name():
    comparison = comparisons.hostile()
    summary = summary_of(comparison)
    for parts in [summary.headline, *summary.sentences]:
        assert all(name in comparisons.HOSTILE for name in parts[1::2])
        assert not any(name in text for text in parts[::2] for name in comparisons.HOSTILE)


def test_the_agreement_of_measures_begins_with_the_primary_and_falls_from_there():
    found = measure_agreement(comparisons.made(systems=6, items=200))
    assert found.metrics[0] == "cem_ord"
    first = found.tau_b[0][1:]
    assert (np.diff(first[~np.isnan(first)]) <= 1e-12).all()
    assert np.allclose(np.diagonal(found.tau_b), 1)
    assert found.winners[0] == ("system 0",)


def test_the_lead_over_the_second_is_told_with_its_interval_and_its_p_value():
    # Accuracy 0.875 and 0.25: on every one of 8 cases a is 4/8 or 6/8 ahead, so that t is about 13 with 7 degrees of
    # freedom. One pair needs no correction.
    comparison = comparisons.by_right_answers({"b": (3, 1) * 4, "a": (7, 7) * 4}, 8)
    pair = comparison.pairs[0]
    words = words_of(comparison)
    assert "a is best by accuracy: significantly better than the other system." in words
    ends = f"({pair.low:.4f} to {pair.high:.4f})"
    assert f"It leads b by 0.6250 {ends}, a significant difference (p < 0.001)." in words
    score = comparison.leaderboard[0].scores["accuracy"]
    interval = f"95% interval {score.low:.3f} to {score.high:.3f}"
    assert f"a has the best score: 0.875 ({interval}). It leads" in words


def test_an_interval_that_rests_on_a_rare_class_is_doubted_in_the_same_sentence():
    gold = [1] * 20 + [2] * 20 + [3] * 2
    runs = oe.Runs.from_labels(gold, {"s": [*gold[1:], 3]})
    words = words_of(oe.compare(runs, metrics=["macro_f1"], primary="macro_f1"))
    assert (
        "; macro_f1 rests on the rare class 3 (2 items), so its interval may be too narrow)"
        in words
    )


def test_what_a_constant_answer_would_score_is_told_with_the_systems_that_do_not_beat_it():
    # Of 40 items 20 are of each class: always answering 1 is right on half of them, as 'flat' is.
    gold = [1, 2] * 20
    systems = {"flat": [2] * 40, "right": gold}
    options = {"metrics": ["accuracy"], "primary": "accuracy"}
    words = words_of(oe.compare(oe.Runs.from_labels(gold, systems), **options))
    told = "accuracy: 1 is perfect; always answering 1 would score 0.500. "
    assert words.endswith(f"{told}flat does not significantly beat that.")
    words = words_of(oe.compare(oe.Runs.from_labels(gold, {"right": gold, "too": gold}), **options))
    assert words.endswith(f"{told}Every system is significantly better than that.")
    four = {f"s{n}": [2] * 40 for n in range(4)}
    words = words_of(oe.compare(oe.Runs.from_labels(gold, {**four, "right": gold}), **options))
    assert words.endswith("s0, s1, s2 and s3 do not significantly beat that.")
    five = {f"s{n}": [2] * 40 for n in range(5)}
    words = words_of(oe.compare(oe.Runs.from_labels(gold, {**five, "right": gold}), **options))
    assert words.endswith("5 of 6 systems do not significantly beat that.")


def test_the_lead_of_a_measure_that_is_the_better_the_lower_is_told_as_a_positive_number():
    comparison = comparisons.by_right_answers(
        {"b": (3, 1) * 4, "a": (7, 7) * 4}, 8, metrics=["mae"], primary="mae", level=None
    )
    assert "It leads b by 0.6250, a significant difference" in words_of(comparison)
    comparison = comparisons.by_right_answers(
        {"b": (3, 1) * 4, "a": (7, 7) * 4}, 8, metrics=["mae"], primary="mae"
    )
    pair = comparison.pairs[0]
    assert pair.high < 0
    assert f"It leads b by 0.6250 ({-pair.high:.4f} to {-pair.low:.4f})" in words_of(comparison)


@pytest.mark.parametrize(
    ("p", "p_adjusted", "outcome", "words"),
    [
        (0.01, 0.04, "better", ", a significant difference (p = 0.040 after correction)."),
        (0.01, 0.05, "better", ", a significant difference (p = 0.050 after correction)."),
        (0.02, 0.06, "undecided", (". Alone, this difference would be significant (p = 0.020); among 6 pairs it is "
                                   "not (p = 0.060 after correction).")),
        (0.06, 0.3, "not worse", ", which is not significant (p = 0.30 after correction)."),
        (0.06, 0.3, "equivalent", ". That is within the margin of 0.02: the two are equivalent."),
        (None, None, None, "; the difference could not be tested."),
    ],
)  # fmt: skip
def test_chance_is_judged_by_the_outcome_and_a_single_test_is_told_as_such(
    p, p_adjusted, outcome, words
):
    four_systems = SimpleNamespace(alpha=0.05, number_of_pairs=6, corrected=True, margin=0.02)
    pair = SimpleNamespace(p=p, p_adjusted=p_adjusted, outcome=outcome)
    assert chance_words(four_systems, pair) == words


def test_what_is_not_corrected_is_not_said_to_be():
    four_systems = SimpleNamespace(alpha=0.05, number_of_pairs=6, corrected=False, margin=None)
    pair = SimpleNamespace(p=0.01, p_adjusted=0.01, outcome="better")
    assert chance_words(four_systems, pair) == ", a significant difference (p = 0.010)."


@pytest.mark.parametrize(
    ("correction", "meaning"),
    [
        ("maxt", "With 95% confidence the best system is one of these 3."),
        ("holm", "With 95% confidence the best system is one of these 3."),
        ("none", "No system is significantly better than any of these 3."),
    ],
)
def test_systems_that_may_be_the_best_are_named_with_what_that_means(correction, meaning):
    # a, b and c swap places from case to case; d is behind all three by at least 3/8 on every one of 12.
    right = {"a": (6, 5) * 6, "b": (5, 6) * 6, "c": (6, 4, 5, 6) * 3, "d": (1, 1) * 6}
    comparison = comparisons.by_right_answers(right, 8, correction=correction, n_resamples=999)
    words = words_of(comparison)
    assert words.startswith(
        "No clear winner by accuracy: a, b and c may be the best, because no other is significantly better. "
        + meaning
    )
    # a and b have 66/96 right, c has 63/96.
    assert "; its rank may be anything from 1 to 3. b has the same score." in words


def test_systems_without_a_score_are_counted():
    gold = [1, 2, 3, 2, 1, 3]
    right, near, flat = gold, [1, 2, 2, 2, 1, 3], [2] * 6

    def words(systems):
        runs = oe.Runs.from_labels(gold, systems)
        return words_of(
            oe.compare(runs, metrics=["kendall_tau_b"], primary="kendall_tau_b", level=None)
        )

    lacking = "cannot be ranked: kendall_tau_b is undefined for"
    assert f"1 system {lacking} it." in words({"flat": flat, "right": right, "near": near})
    assert f"2 systems {lacking} them." in words({"flat": flat, "too": flat, "right": right})


def test_measures_that_put_other_systems_first_are_named():
    # Accuracy 6/8, 5/8 and 4/8 for A, B and C; the mean absolute error is the smallest for B, and so is the squared.
    gold = [1, 1, 1, 1, 4, 4, 4, 4]
    systems = {
        "A": [4, 1, 1, 1, 1, 4, 4, 4], "B": [2, 2, 1, 1, 3, 4, 4, 4], "C": [4, 4, 1, 1, 1, 1, 4, 4],
    }  # fmt: skip
    runs = oe.Runs.from_labels(gold, systems, labels=[1, 2, 3, 4])
    options = {"primary": "accuracy", "level": None, "n_resamples": 99}
    both = oe.compare(runs, metrics=["accuracy", "mae", "mse"], **options)
    assert "Other measures disagree: B is first by mae and mse." in words_of(both)
    # Of each class A has 3 of 4 right and answers it 4 times: the mean over classes is 6/8 for A, 5/8 for B.
    three = oe.compare(runs, metrics=["accuracy", "macro_accuracy", "mae"], **options)
    assert (
        "Not every measure agrees: macro_accuracy puts the same system first; B is first by mae."
        in words_of(three)
    )
    alone = oe.compare(runs, metrics=["accuracy"], **options)
    assert "easure" not in words_of(alone)


def test_the_farthest_and_the_closest_neighbours_are_named_with_the_bits_between_them():
    # Gold 2, 1, 1. Right answers earn 2, 3 and 3 bits. 'low' for 'mid' earns -log2((2/2 + 1) / 4) = 1 and loses 2.
    # 'mid' for 'low' earns -log2((1/2 + 2) / 4) = 0.68 and loses 1.32; the steps between 'mid' and 'high' lose 1.58.
    gold = np.array([2.0, 1.0, 1.0])
    first, second = scale_sentences(
        Scale(["low", "mid", "high"]), gold, proximity.from_counts(gold)
    )
    assert first == (
        "Answering 'low' where gold says 'mid' loses 2.00 bits: 2 of 4 items are at least as close (of the answer's "
        "own class, half are counted)."
    )
    assert second == (
        "Answering 'mid' for 'low', also one step away, loses 1.32: the cost of a step depends on how many items it "
        "passes."
    )


def test_steps_that_cost_the_same_are_said_to():
    gold = np.array([2.0, 2.0])
    _, second = scale_sentences(Scale([1, 2]), gold, proximity.from_counts(gold))
    assert second == "Here every step between neighbouring classes costs the same."


def test_gold_of_one_class_has_no_steps():
    gold = np.array([0.0, 3.0, 0.0])
    assert scale_sentences(Scale([1, 2, 3]), gold, proximity.from_counts(gold)) == [
        "Gold uses one class only, so every error costs the same."
    ]


def test_measures_that_cannot_be_compared_come_last_in_the_agreement():
    # Accuracy puts A before B (6/8 and 5/8), the error B before A (6/8 and 3/8): tau-b is -1. No answer is more than
    # three classes off, so that within 3 both are all right, and there is nothing to agree on.
    gold = [1, 1, 1, 1, 4, 4, 4, 4]
    systems = {"A": [4, 1, 1, 1, 1, 4, 4, 4], "B": [2, 2, 1, 1, 3, 4, 4, 4]}
    runs = oe.Runs.from_labels(gold, systems, labels=[1, 2, 3, 4])
    metrics = ["accuracy", "accuracy_within(n=3)", "mae"]
    agreement = measure_agreement(oe.compare(runs, metrics=metrics, primary="accuracy", n_resamples=99))  # fmt: skip
    row = dict(zip(agreement.metrics, agreement.tau_b[0], strict=True))
    assert row["accuracy"] == 1
    assert row["mae"] == -1
    assert np.isnan(row["accuracy_within(n=3)"])
    assert agreement.metrics[-1] == "accuracy_within(n=3)"
    winners = dict(zip(agreement.metrics, agreement.winners, strict=True))
    assert (winners["accuracy"], winners["mae"]) == (("A",), ("B",))
    assert winners["accuracy_within(n=3)"] == ("A", "B")  # a tie


def test_the_primary_measure_is_the_first_of_those_that_rank_alike():
    comparison = comparisons.by_right_answers(
        {"a": (4, 4), "b": (2, 2)}, 4, metrics=["mae", "accuracy"], level=None
    )
    assert measure_agreement(comparison).metrics[0] == "accuracy"


def test_a_measure_that_is_compared_by_its_default_settings_is_not_shown_twice():
    comparison = comparisons.by_right_answers(
        {"a": (4, 3), "b": (2, 2)}, 4, metrics=["accuracy", "weighted_kappa"], level=None
    )
    names = measure_agreement(comparison).metrics
    kappas = {name for name in names if "kappa" in name}
    assert kappas == {"weighted_kappa", "weighted_kappa(weights='quadratic')"}


def test_a_case_without_a_score_counts_in_the_agreement_as_it_does_on_the_leaderboard():
    # Tau-b is 1 for a and b on case y; on case x it is -1 for a and undefined for b, whose answers are all alike. If
    # it is left out, b has 1 and a 0; if it counts as the lowest value, which is -1, both have 0.
    gold, case = [1, 2, 3, 1, 2, 3], list("xxxyyy")
    systems = {"a": [3, 2, 1, 1, 2, 3], "b": [2, 2, 2, 1, 2, 3], "c": [3, 2, 1, 3, 2, 1]}
    runs = oe.Runs.from_labels(gold, systems, case=case)
    options = {"metrics": ["kendall_tau_b"], "primary": "kendall_tau_b", "level": None}
    for undefined, first in (("omit", "b"), ("lowest", "a")):
        comparison = oe.compare(runs, undefined=undefined, **options)
        assert measure_agreement(comparison).winners[0][0] == comparison.systems[0] == first


def test_measures_by_which_a_constant_answer_beats_systems_are_told_with_their_number():
    # Of 10 items 6 are of class 2: always answering 2 has an accuracy of 6/10 and a mean error of 4/10. 'wide' has 4/10
    # right and errs by 1, 'far' 5/10 right and errs by 2 twice, which is 7/10 on average; both are behind by both.
    gold = [1, 1, 2, 2, 2, 2, 2, 2, 3, 3]
    systems = {
        "right": gold,
        "wide": [1, 1, 1, 1, 1, 1, 1, 1, 3, 3],
        "far": [3, 3, 2, 2, 2, 1, 1, 1, 3, 3],
    }
    options = {"metrics": ["cem_ord", "accuracy", "mae"], "level": None}
    words = words_of(oe.compare(gold, systems, **options))
    assert (
        "This constant answer scores better than 2 of 3 systems by accuracy and 2 of 3 systems by mae."
        in words
    )
    alone = words_of(oe.compare(gold, {"wide": systems["wide"]}, **options))
    assert "By accuracy and mae, this constant answer scores better than the system." in alone
    assert "constant answer scores" not in words_of(oe.compare(gold, {"right": gold}, **options))
