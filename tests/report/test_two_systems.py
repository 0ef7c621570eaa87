"""The data from which a reader sets two systems against each other are those of the comparison."""

import ordeval as oe
from ordeval.report.two_systems import two_systems_data
from tests.report import comparisons

# Right answers of 4 on six cases: a is better than b by 1/4 on each case, and than c by 1/2 or 3/4.
RIGHT = {"a": (4, 4, 4, 4, 4, 4), "b": (3, 3, 3, 3, 3, 2), "c": (2, 1, 2, 1, 2, 1)}


def test_only_what_was_corrected_is_called_corrected():
    two = {name: RIGHT[name] for name in "ab"}
    assert not two_systems_data(comparisons.by_right_answers(two, 4))["corrected"]
    assert two_systems_data(comparisons.by_right_answers(RIGHT, 4))["corrected"]
    plain = comparisons.by_right_answers(RIGHT, 4, correction="none")
    assert not two_systems_data(plain)["corrected"]


def test_the_outcomes_are_those_of_the_comparison_with_a_margin_too():
    """b and d differ by 1/40 of all answers: within a margin of 0.2."""
    right = {"a": (40,) * 6, "b": (29, 30, 31) * 2, "d": (30, 29, 30) * 2}
    comparison = comparisons.by_right_answers(right, 40, margin=0.2)
    letters = two_systems_data(comparison)["outcomes"]
    assert [pair.outcome for pair in comparison.pairs] == ["better", "better", "equivalent"]
    assert letters == ["bbe"]


def test_a_difference_that_is_just_not_significant_stays_so_although_p_is_rounded():
    """p = 0.05003 is 0.0500 with four decimals."""
    comparison = comparisons.by_right_answers(RIGHT, 4)
    comparison.pair_values.p_adjusted[0] = [0.04998, 0.05003, 0.00007]
    data = two_systems_data(comparison)
    assert data["outcomes"] == ["bub"]
    assert data["differences"][0][3] == [0.05, 0.05, 0]  # the last is written as <0.0001


def test_scores_are_rounded_once_as_on_the_leaderboard():
    """1730/1900 = 0.91053 is 0.911; rounded to 0.9105 first, a browser makes it 0.910."""
    gold = [1, 2] * 950
    answers = [3 - label if at < 170 else label for at, label in enumerate(gold)]
    runs = oe.Runs.from_labels(gold, {"all": gold, "most": answers})
    data = two_systems_data(oe.compare(runs, metrics=["accuracy"], primary="accuracy"))
    assert data["values"] == [["1.000", "0.911"]]
