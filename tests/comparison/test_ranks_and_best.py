"""Ranks, the set of the best and the tiers of whole comparisons: by hand, and never against the scores."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ordeval as oe
from tests.examples import examples


def nested(right, n=100, cases=1, jitter=0):
    """Return runs of systems that are right on the first so many of n items of every case, a few more or fewer."""
    rng = np.random.default_rng(0)
    answers = {
        name: np.concatenate(
            [
                (np.arange(n) < number + (rng.integers(-jitter, jitter + 1) if jitter else 0))
                for _ in range(cases)
            ]
        ).astype(int)
        for name, number in right.items()
    }
    case = np.repeat(np.arange(cases), n) if cases > 1 else None
    return oe.Runs.from_labels(np.ones(n * cases, int), answers, labels=[0, 1], case=case)


def compared(runs, **options):
    given = {"metrics": "accuracy", "primary": "accuracy", "n_resamples": 999, **options}
    return oe.compare(runs, **given)


def test_ranks_best_and_tiers_of_four_systems_by_hand():
    """a and b are 1 item apart, c 20 items behind, d 2 behind c: two pairs, and a clear step between them."""
    found = compared(nested({"a": 90, "b": 89, "c": 69, "d": 67}))
    assert found.best == ("a", "b")
    assert found.tiers == (("a", "b"), ("c", "d"))
    assert [(one.system, one.rank, one.rank_low, one.rank_high, one.ranks) for one in found.leaderboard] == [
        ("a", 1, 1, 2, "1-2"),
        ("b", 2, 1, 2, "1-2"),
        ("c", 3, 3, 4, "3-4"),
        ("d", 4, 3, 4, "3-4"),
    ]  # fmt: skip
    assert [one.beats for one in found.leaderboard] == [("c", "d"), ("c", "d"), (), ()]
    assert found.verdict.startswith(
        "No clear winner by accuracy: a and b may be the best, because no other is significantly better."
    )


def test_a_chain_of_small_steps_is_one_tier_whose_ends_have_other_ranks():
    """Each is 4 items behind the one before: neighbours cannot be told apart, the first and the last can."""
    found = compared(nested({"a": 80, "b": 76, "c": 72, "d": 68}))
    assert found.tiers == (("a", "b", "c", "d"),)
    assert "d" not in found.best
    assert found.leaderboard[0].rank_low == 1
    assert found.leaderboard[0].rank_high < 4
    assert found.leaderboard[3].rank_low > 1


def test_a_clear_winner_is_called_best_in_the_verdict():
    found = compared(nested({"a": 95, "b": 60, "c": 58}))
    assert found.best == ("a",)
    assert found.verdict.startswith("a is best by accuracy: significantly better than both others.")
    alone = compared(nested({"only": 95}))
    assert alone.verdict.startswith("only scores 0.950 by accuracy.")
    pair = compared(nested({"a": 95, "b": 94}))
    assert pair.verdict.startswith(
        "No clear winner by accuracy: a and b are not significantly different."
    )


def test_more_than_four_names_are_a_number_in_the_verdict():
    close = dict.fromkeys("abcde", 90)
    assert compared(nested(close)).verdict.startswith(
        "No clear winner by accuracy: the 5 systems are not significantly different."
    )
    assert compared(nested({**close, "z": 50})).verdict.startswith(
        "No clear winner by accuracy: 5 of 6 systems may be the best, because no other is significantly better."
    )


def test_up_to_four_names_are_listed_in_the_verdict():
    assert compared(nested(dict.fromkeys("abcd", 90))).verdict.startswith(
        "No clear winner by accuracy: a, b, c and d are not significantly different."
    )


def test_a_winner_is_said_to_beat_only_those_that_can_be_ranked():
    gold = [1, 2] * 50
    answers = {"good": gold, "bad": [2, 1] * 50, "mute": [None] * 100}
    runs = oe.Runs.from_labels(gold, answers, missing="zero")
    assert compared(runs).verdict.startswith(
        "good is best by accuracy: significantly better than the 1 other that can be ranked."
    )


def test_a_single_system_is_not_said_to_be_scored_on_other_items_than_others():
    some = [None, 2] * 10
    alone = oe.compare(
        [1, 2] * 10, {"a": some}, missing="drop", metrics=["accuracy"], primary="accuracy"
    )
    assert "scored only on the items" not in alone.verdict
    two = oe.compare(
        [1, 2] * 10,
        {"a": some, "b": [1, 2] * 10},
        missing="drop",
        metrics=["accuracy"],
        primary="accuracy",
    )
    assert "a answered 50.0% of all items" in two.verdict


def test_a_single_best_system_that_does_not_beat_everybody_is_not_said_to():
    """b is significantly behind a; c is so behind b, but c is so unlike a that its difference to a may be chance."""
    found = replace(
        compared(nested({"a": 95, "b": 60, "c": 58})),
        better=np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], bool),
    )
    assert found.best == ("a",)
    assert found.verdict.startswith(
        "a is the only system that may be the best by accuracy: each of the others is significantly worse than some "
        "system."
    )


@settings(max_examples=examples(25))
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_no_tier_rank_or_best_contradicts_a_score_or_a_pair(seed, with_cases):
    rng = np.random.default_rng(seed)
    n, systems = 120, rng.integers(2, 8)
    gold = rng.integers(0, 3, n)
    answers = {
        f"s{at}": np.where(rng.random(n) < rng.uniform(0.3, 1), gold, rng.integers(0, 3, n))
        for at in range(systems)
    }
    case = np.arange(n) // 15 if with_cases else None
    runs = oe.Runs.from_labels(gold, answers, labels=range(3), case=case)
    found = oe.compare(runs, metrics=["mae"], primary="mae", n_resamples=199)
    score = {one.system: one.scores["mae"].value for one in found.leaderboard}
    better = {(one.system, other) for one in found.leaderboard for other in one.beats}
    for above, below in pairwise(found.tiers):
        assert max(score[s] for s in above) < min(score[s] for s in below)
        assert {(a, b) for a in above for b in below} <= better
    for one in found.leaderboard:
        assert one.rank_low <= one.rank <= one.rank_high
        assert one.rank_low == 1 + sum(b == one.system for _, b in better)
        assert one.rank_high == systems - len(one.beats)
    assert found.best == tuple(
        one.system for one in found.leaderboard if one.system not in {b for _, b in better}
    )
    assert found.systems[0] in found.best
    for a, b in better:
        pair = next(p for p in found.pairs if (p.a, p.b) == (a, b))
        assert pair.p_adjusted <= 0.05
        assert pair.difference < 0
        assert pair.high < 0  # the interval says the same as the test


def test_33_systems_from_54_to_99_per_cent_on_ten_cases_are_no_longer_one_tier():
    """Ten cases of 1,000 items and steps of 14 items; sign flips and Holm over 528 pairs could tell none apart."""
    right = {f"s{at:02d}": round(540 + 450 * at / 32) for at in range(33)}
    found = compared(nested(right, n=1000, cases=10, jitter=1))
    scores = [one.scores["accuracy"] for one in found.leaderboard]
    for above, below in pairwise(scores):
        assert above.low > below.high
    assert found.tiers == tuple((f"s{at:02d}",) for at in reversed(range(33)))
    assert found.best == ("s32",)
    assert found.impossible == ""
    old = compared(
        nested(right, n=1000, cases=10, jitter=1), test="randomisation", correction="holm"
    )
    assert len(old.tiers) == 1  # and this is said
    # 2 / 2^n * 528 <= 0.05 from n = 15 on
    assert old.impossible == (
        "With 10 test cases no difference can be significant at 0.05, however large: it takes at least 15 test cases."
    )
    assert old.impossible in old.caption


@pytest.mark.parametrize(
    ("options", "needed"),
    [
        ({}, 6),  # 2 / 2^6 = 0.031
        ({"level": 0.99}, 8),  # 2 / 2^8 = 0.0078
        ({"test": "randomisation", "correction": "none"}, 6),
        ({"test": "randomisation", "correction": "bh"}, 6),  # all pairs may have the smallest p
        ({"test": "randomisation", "correction": "holm"}, 7),  # 3 * 2 / 2^7 = 0.047
        ({"test": "wilcoxon", "correction": "holm"}, 7),
        ({"test": "wilcoxon", "correction": "none"}, 6),
    ],
)
def test_what_too_few_cases_make_impossible_is_said_and_with_one_more_it_is_possible(
    options, needed
):
    right = {"a": 90, "b": 50, "c": 10}
    short = compared(nested(right, cases=needed - 1, jitter=1), **options)
    assert f"it takes at least {needed} test cases" in short.impossible
    assert {pair.outcome for pair in short.pairs} == {"undecided"}
    enough = compared(nested(right, cases=needed, jitter=1), **options)
    assert enough.impossible == ""
    assert {pair.outcome for pair in enough.pairs} == {"better"}


def test_t_tests_of_two_cases_are_possible_without_flips():
    found = compared(nested({"a": 90, "b": 50}, cases=2, n=1000), correction="holm")
    assert found.impossible == ""
