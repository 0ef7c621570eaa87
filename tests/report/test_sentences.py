"""The sentences of the report say what the numbers say."""

import numpy as np

import ordeval as oe
from ordeval.report.measure_agreement import measure_agreement
from ordeval.report.sentences import summary_of
from tests.report import comparisons


def told(comparison) -> str:
    answer = answer_of(comparison)
    return " ".join(["".join(answer.headline), *("".join(parts) for parts in answer.sentences)])


def test_a_clear_winner_stands_alone_and_is_said_to():
    comparison = comparisons.made(systems=2, items=3000)
    assert len(comparison.tiers) == 2
    words = told(comparison)
    assert "system 0 is the best of 2 systems, and the lead is real." in words
    assert "It is ahead of system 1" in words
    assert "more than chance would give" in words


def test_equal_systems_share_a_tier_and_chance_is_named():
    comparison = comparisons.made(systems=2, items=12, seed=1)
    assert len(comparison.tiers) == 1
    words = told(comparison)
    assert "comes first of 2 systems, but not alone" in words
    assert "1 other system shares the only tier" in words
    assert "That is not proof of being equal" in words


def test_one_system_has_nobody_to_be_compared_with():
    assert "There is no other system to compare it with." in told(comparisons.one_system())


def test_without_a_defined_score_there_is_no_winner_and_a_reason():
    comparison = comparisons.nothing_defined()
    answer = answer_of(comparison)
    assert answer.best is None
    assert answer.headline == ("No system has a defined kendall_tau_b.",)
    assert "undefined" in told(comparison)


def test_a_system_whose_rivals_have_no_score_is_not_said_to_beat_them():
    words = told(comparisons.undefined())
    assert "varied is the best of 2 systems, the only one with a score." in words
    assert "1 system cannot be ranked" in words
    assert "real" not in words


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
    assert "Every other measure of the leaderboard puts it first, too" in told(comparison)
    agreement = measure_agreement(comparison)
    assert agreement.best[agreement.metrics.index("accuracy")] == "z"


def test_nothing_is_rounded_to_all_or_to_none():
    assert [percent(x) for x in (0, 0.004, 0.006, 0.994, 0.996, 1)] == [
        "0%", "under 1%", "1%", "99%", "over 99%", "100%",
    ]  # fmt: skip
    # All 20 cases on the side of 'a': the exact p is 2 / 2^20, which four digits would show as 0.
    gold, case = [1, 2] * 20, [f"c{at // 2}" for at in range(40)]
    runs = oe.Runs.from_labels(gold, {"a": gold, "b": [2, 1] * 20}, case=case)
    (row,) = pairs_figure(oe.compare(runs, metrics=["cem_ord"], n_resamples=99)).rows
    assert row[5:7] == ("<0.0001", "<0.0001")


def test_the_share_of_first_ranks_is_that_of_the_table():
    """2 errors against 12 on other items: few resamples, and not none, turn the order round."""
    gold = [1, 2] * 100
    wrong = [3 - label for label in gold]
    few, many = [*wrong[:2], *gold[2:]], [*gold[:188], *wrong[188:]]
    comparison = oe.compare(oe.Runs.from_labels(gold, {"few": few, "many": many}))
    share = comparison.leaderboard[0].rank_shares[0]
    assert 0.995 < share < 1
    words = f"{int(1000 * share) / 10:.1f}%"
    assert f"it comes first in {words} of the resamples" in told(comparison)
    assert ranks_figure(comparison).rows[0][1] == words


def test_every_second_part_of_a_sentence_is_a_name():
    comparison = comparisons.hostile()
    answer = answer_of(comparison)
    for parts in [answer.headline, *answer.sentences]:
        assert all(name in comparisons.HOSTILE for name in parts[1::2])
        assert not any(name in text for text in parts[::2] for name in comparisons.HOSTILE)


def test_a_case_is_hard_where_all_fail_and_turned_where_the_order_is_reversed():
    # On case b the better system errs and the worse does not; case c defeats both.
    from ordeval.comparison.compare import compare
    from ordeval.runs import Runs

    gold = [1, 2, 3] * 3
    case = ["a"] * 3 + ["b"] * 3 + ["c"] * 3
    better = [1, 2, 3, 1, 2, 2, 3, 2, 1]
    worse = [3, 3, 1, 1, 2, 3, 3, 3, 1]
    comparison = compare(
        Runs.from_labels(gold, {"better": better, "worse": worse}, case=case), n_resamples=99
    )
    work = casework(comparison)
    assert work.cases[work.hardest[0]] == "c"
    assert work.cases[work.turned[0]] == "b"
    turn = work.turns[1]
    assert (turn.ahead, turn.behind) == ("better", "worse")
    assert turn.overall > 0
    assert turn.here > 0
    assert work.turns[0] is None
    assert work.agreement.tolist() == [1, -1, 1]
    assert work.best == ("better", "worse", "better")


def test_runs_without_test_cases_have_no_casework():
    assert casework(comparisons.one_system()) is None


def test_the_agreement_of_measures_begins_with_the_primary_and_falls_from_there():
    found = measure_agreement(comparisons.made(systems=6, items=200))
    assert found.metrics[0] == "cem_ord"
    first = found.matrix[0][1:]
    assert (np.diff(first[~np.isnan(first)]) <= 1e-12).all()
    assert np.allclose(np.diagonal(found.matrix), 1)
    assert found.best[0] == "system 0"


def test_names_from_outside_become_one_line_that_a_page_may_hold():
    assert shown("a\nb\tc") == "a b c"
    assert shown("\x07bell \u202eturned") == "\ufffdbell \ufffdturned"
    assert shown("  ") == "(empty)"
    assert shown(3) == "3"
    assert short("x" * 300, 10) == "x" * 9 + "…"


def test_numbers_agree_with_their_nouns():
    assert plural(1, "class", "classes") == "1 class"
    assert plural(1200, "item") == "1,200 items"
    assert counted(2.5) == "2.5"
