"""Discriminative power, swap rate and rank agreement."""

import numpy as np
import pytest
from scipy.stats import kendalltau

import ordeval as oe


@pytest.fixture(scope="module")
def made():
    return oe.simulate.collection(
        labels=4, cases=12, items=50, deviation=(0.7, 1.2), ratios=[0.1, 0.5, 0.9], rng=2
    )


@pytest.mark.parametrize("cases", [True, False])
def test_the_share_told_apart_is_that_of_the_paired_bootstrap_of_compare(made, cases):
    runs = made.runs if cases else made.runs.pooled()
    names = ["cem_ord", "mae"]
    size = 9999  # compare draws no fewer for this many pairs
    found = oe.meta.discriminative_power(runs, names, n_resamples=size, rng=0)
    pairs = oe.compare(
        runs, metrics=names, test="bootstrap", correction="none", n_resamples=size, rng=0
    ).to_dict()["pairs"]
    for name in names:
        p = [pair["p"] for pair in pairs if pair["metric"] == name]
        assert found[name] == pytest.approx(np.mean([one <= 0.05 for one in p]))


def test_identical_systems_are_never_told_apart_and_opposite_ones_always():
    gold = [0, 1, 2] * 40
    case = [at // 12 for at in range(120)]
    same = oe.Runs.from_labels(gold, {"a": gold, "b": gold}, case=case)
    assert oe.meta.discriminative_power(same, ["cem_ord", "mae"])["cem_ord"] == 0
    apart = oe.Runs.from_labels(gold, {"a": gold, "b": [2, 0, 0] * 40}, case=case)
    assert oe.meta.discriminative_power(apart, ["cem_ord", "mae"])["mae"] == 1


def test_a_pair_is_told_apart_if_p_is_alpha():
    # One system is right everywhere and one nowhere, so no resample is as far from the difference as 0 is: with 19
    # resamples p is 1 / 20.
    gold, case = [0, 1, 2] * 10, [at // 3 for at in range(30)]
    runs = oe.Runs.from_labels(gold, {"right": gold, "wrong": [1, 2, 0] * 10}, case=case)
    found = oe.meta.discriminative_power(runs, ["accuracy"], n_resamples=19, alpha=0.05)
    assert found.p[0, 0] == pytest.approx(0.05)
    assert found["accuracy"] == 1


def test_the_interval_draws_the_systems_again():
    # a and b are alike, c differs from both: 2 of 3 pairs. Of three systems drawn, all three give 2/3, c once or twice
    # with a or b gives 1, a with b gives 0, and one system three times gives no pair.
    gold, case = [0, 1, 2] * 10, [at // 3 for at in range(30)]
    systems = {"a": gold, "b": gold, "c": [1, 2, 0] * 10}
    runs = oe.Runs.from_labels(gold, systems, case=case)
    found = oe.meta.discriminative_power(runs, ["accuracy"], n_resamples=199)
    assert found["accuracy"] == pytest.approx(2 / 3)
    draws = found.draws["systems"][0]
    assert set(draws[~np.isnan(draws)].round(6).tolist()) == {0.0, 0.666667, 1.0}
    # all three: 6 of 27, c with one of the others: 12 of 27, a with b: 6 of 27, one alone: 3 of 27
    assert np.isnan(draws).mean() == pytest.approx(3 / 27, abs=0.08)
    assert (draws == 1).mean() == pytest.approx(12 / 27, abs=0.12)


def test_a_correction_tells_fewer_pairs_apart(made):
    plain = oe.meta.discriminative_power(made.runs, ["cem_ord"])
    holm = oe.meta.discriminative_power(made.runs, ["cem_ord"], correction="holm")
    assert holm["cem_ord"] < plain["cem_ord"]


def test_holm_has_resamples_enough_to_tell_clear_pairs_apart():
    # 8 systems make 28 pairs, and 99 resamples give no p below 0.01, which Holm makes 0.28. Each system is wrong by one
    # class more often than the one before by at least 3 of 24 items in every case, so that all pairs differ clearly.
    gold, case = [0] * 24 * 20, [at // 24 for at in range(24 * 20)]
    systems = {f"s{s}": [int(at % 24 < 3 * s) for at in range(24 * 20)] for s in range(8)}
    runs = oe.Runs.from_labels(gold, systems, case=case)
    for data in (runs, runs.pooled()):
        found = oe.meta.discriminative_power(data, ["mae"], correction="holm", n_resamples=99)
        assert found["mae"] == 1
        assert found.n_resamples == 1119  # 2 * 28 / 0.05 - 1, as compare has it


def test_a_resample_as_far_off_as_the_observed_difference_counts():
    # The differences of the two cases are 1/3 and 1, and 2/3 on the whole; resamples of them are 1/3, 2/3, 2/3 and 1.
    # None is 2/3 from 2/3: p is 1 / (R + 1). With 0 and 4/3 they are 0, 2/3, 2/3 and 4/3, of which one half is 2/3 off.
    gold, good = [0, 0, 0] * 2, [0, 0, 0] * 2
    for wrong, least in (([1, 0, 0, 1, 1, 1], 0.0), ([0, 0, 0, 2, 1, 1], 0.5)):
        runs = oe.Runs.from_labels(
            gold, {"good": good, "bad": wrong}, case=[1, 1, 1, 2, 2, 2], labels=[0, 1, 2]
        )
        found = oe.meta.discriminative_power(runs, ["mae"], n_resamples=3999)
        assert found.p[0, 0] == pytest.approx(least, abs=0.05)


def test_a_pair_without_a_score_is_left_out_and_counted():
    gold = [0, 1, 2] * 40
    systems = {"a": gold, "b": [0, 1, 1] * 40, "constant": [1] * 120}
    runs = oe.Runs.from_labels(gold, systems, case=[at // 12 for at in range(120)])
    found = oe.meta.discriminative_power(runs, ["pearson", "mae"])
    assert found.left_out == (2, 0)


@pytest.mark.parametrize("undefined", ["zero", "lowest"])
def test_an_undefined_score_counts_as_is_asked_with_test_cases_and_without(undefined):
    gold = [0, 1, 2] * 40
    systems = {"a": gold, "b": [0, 1, 1] * 40, "constant": [1] * 120}
    runs = oe.Runs.from_labels(gold, systems, case=[at // 12 for at in range(120)])
    for data in (runs, runs.pooled()):
        found = oe.meta.discriminative_power(data, ["pearson"], undefined=undefined)
        assert found.left_out == (0,)
        # a is at 1 and b at 0.87; the constant system is at 0, or beside the lowest of them
        assert found.p[0, 1] < 0.05
        with pytest.raises(oe.OrdevalError, match="undefined is 'x'"):
            oe.meta.discriminative_power(data, ["pearson"], undefined="x")


def test_alpha_and_names_are_checked(made):
    with pytest.raises(oe.OrdevalError, match="alpha is 5"):
        oe.meta.discriminative_power(made.runs, ["mae"], alpha=5)
    with pytest.raises(oe.OrdevalError, match="no discriminative power of 'mse'"):
        oe.meta.discriminative_power(made.runs, ["mae"], n_resamples=19)["mse"]


def test_rank_agreement_is_kendalls_tau_b_between_the_rankings(made):
    names = ["cem_ord", "mae", "accuracy", "kendall_tau_b"]
    found = oe.meta.rank_agreement(made.table, names)
    for a in names:
        for b in names:
            x, y = (oe.registry[name](made.table).mean(axis=-1).round(12) for name in (a, b))
            turn = 1 if oe.registry[a].greater_is_better == oe.registry[b].greater_is_better else -1
            assert found[a, b] == pytest.approx(turn * kendalltau(x, y).statistic)


def test_the_swap_rate_is_one_where_two_cases_disagree_and_zero_where_they_agree():
    gold = [0, 1, 2, 0, 1, 2]
    turned = {"a": [0, 1, 2, 1, 1, 1], "b": [1, 1, 1, 0, 1, 2]}
    agreed = {"a": [0, 1, 2, 0, 1, 2], "b": [1, 1, 1, 1, 1, 1]}
    case = [1, 1, 1, 2, 2, 2]
    rates = [
        oe.meta.swap_rate(oe.Runs.from_labels(gold, systems, case=case), ["mae"], splits=10)["mae"]
        for systems in (turned, agreed)
    ]
    assert rates == [1, 0]


def test_the_swap_rate_counts_reversed_pairs_between_random_halves(made):
    splits = 50
    found = oe.meta.swap_rate(made.table, ["mae"], splits=splits, rng=9)
    order = np.random.default_rng(9).permuted(np.broadcast_to(np.arange(12), (splits, 12)), axis=1)
    scores = oe.mae(made.table)
    swapped = 0
    for row in order:
        halves = [scores[:, half].mean(axis=1) for half in (row[:6], row[6:])]
        left, right = ((half[:, None] - half).round(12) for half in halves)
        swapped += (left * right < 0).sum() / 2
    assert found["mae"] == pytest.approx(swapped / (splits * 105))


def test_all_three_show_themselves(made):
    for result in (
        oe.meta.discriminative_power(made.runs, ["mae", "mse"], n_resamples=19),
        oe.meta.swap_rate(made.table, ["mae", "mse"], splits=5),
        oe.meta.rank_agreement(made.table, ["mae", "mse"]),
    ):
        assert "\n" not in repr(result)
        assert "mae" in str(result)
        assert "<table>" in result._repr_html_()
        assert result.to_dict()["schema"] == 1
