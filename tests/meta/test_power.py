"""Discriminative power: the t tests of compare, against SciPy's and against Sakai's bootstrap."""

import itertools

import numpy as np
import pytest
from scipy.stats import false_discovery_control, ttest_rel

import ordeval as oe
from ordeval.meta.power import sample_of
from tests.meta import plain


@pytest.fixture(scope="module")
def made():
    return oe.simulate.collection(
        labels=4, cases=12, items=50, deviation=(0.7, 1.2), ratios=[0.1, 0.5, 0.9], rng=2
    )


@pytest.fixture(scope="module")
def judges(shared):
    folder = shared / "data" / "llmjudge2024"
    return oe.Runs.from_files(
        str(folder / "gold.csv.gz"), str(folder / "systems.csv.gz"), missing="zero"
    )


def case_differences(scores):
    """differences[pair, case] of scores[system, case], in the order of the pairs."""
    pairs = itertools.combinations(range(len(scores)), 2)
    return np.array([scores[a] - scores[b] for a, b in pairs])


@pytest.mark.parametrize("correction", ["none", "maxt", "holm", "bh"])
@pytest.mark.parametrize("kind", ["cases", "pooled cases", "items"])
def test_the_share_told_apart_is_that_of_compare(made, kind, correction):
    runs = made.runs if kind == "cases" else made.runs.pooled()
    if kind == "items":
        runs = oe.Runs.from_rows(
            runs.scale, runs.systems, (),
            np.concatenate([np.zeros_like(runs.gold)[None], runs.gold[None], runs.predicted]), runs.count,
        )  # fmt: skip
    names = ["cem_ord", "mae"]
    found = oe.meta.discriminative_power(runs, names, correction=correction, flips=499, rng=0)
    assert found.resample == kind.split()[-1]
    compared = oe.compare(runs, metrics=names, correction=correction, n_resamples=499, rng=0)
    for name in names:
        p = [pair["p_adjusted"] for pair in compared.to_dict()["pairs"] if pair["metric"] == name]
        assert found[name] == pytest.approx(np.mean([one <= 0.05 for one in p]))
        assert np.sort(found.p[names.index(name)]) == pytest.approx(np.sort(p))


@pytest.mark.later
@pytest.mark.parametrize("name", ["cem_ord", "accuracy", "mae", "macro_f1", "kendall_tau_b"])
def test_on_llmjudge_the_share_is_that_of_a_plain_paired_t_test(judges, name):
    """Two pseudo-items among 4,423 move next to no p across 0.05, whatever they do to pairs that hardly differ."""
    apart = case_differences(oe.registry[name](judges.table))
    told = [ttest_rel(one, 0 * one, nan_policy="omit").pvalue <= 0.05 for one in apart]
    ours = oe.meta.discriminative_power(judges, [name], resamples=0)[name]
    assert ours == pytest.approx(np.mean(told), abs=0.01)


def test_p_is_that_of_a_t_test_with_the_variance_of_pseudo_items_added(made):
    names = {name: oe.registry[name] for name in ("cem_ord", "mae")}
    pseudo = sample_of(made.table, names, "cases", "omit").estimate.pseudo
    found = oe.meta.discriminative_power(made.runs, list(names))
    for at, metric in enumerate(names.values()):
        apart = case_differences(metric(made.table))
        more = [a + b for a, b in itertools.combinations(pseudo[at], 2)]
        plain_t = ttest_rel(apart, 0 * apart, axis=1).statistic
        error = apart.std(axis=1, ddof=1) / np.sqrt(12)
        larger = np.sqrt(error**2 + more)
        # SciPy's p of the same t, made smaller by the larger error: 12 cases with this t
        expected = [
            ttest_rel(*sample_with_t(t * one / two, 12)).pvalue
            for t, one, two in zip(plain_t, error, larger, strict=True)
        ]
        assert found.p[at] == pytest.approx(expected)


def sample_with_t(t, cases):
    """Two samples whose paired t is `t`: deviations of mean 0 and standard error 1, moved by t."""
    wave = np.resize([1.0, -1.0], cases)
    return wave / (wave.std(ddof=1) / np.sqrt(cases)) + t, np.zeros(cases)


@pytest.mark.later
def test_on_llmjudge_as_many_pairs_are_told_apart_as_by_sakais_studentised_bootstrap(judges):
    """His bootstrap and Student's t are two answers to one question; on 25 cases they agree within a few of 528 pairs.

    Without dividing each resample by its own error the share is higher by more than that.
    """
    apart = case_differences(oe.cem_ord(judges.table))
    some = apart[::4]  # every fourth pair, because the definition is written out in plain Python
    sakai = np.mean(
        [plain.sakai_p(one.tolist(), 399, seed) <= 0.05 for seed, one in enumerate(some)]
    )
    found = oe.meta.discriminative_power(judges, ["cem_ord"], resamples=0)
    assert np.mean(found.p[0, ::4] <= 0.05) == pytest.approx(sakai, abs=0.035)
    often = np.random.default_rng(0).multinomial(25, np.full(25, 1 / 25), size=2000) / 25
    observed = apart.mean(axis=1)
    far = np.abs(apart @ often.T - observed[:, None]) >= np.abs(observed)[:, None]
    not_studentised = np.mean(far.mean(axis=1) <= 0.05)
    assert found["cem_ord"] < not_studentised - 0.035


def test_bh_is_that_of_scipy(made):
    plain_p = oe.meta.discriminative_power(made.runs, ["cem_ord"]).p[0]
    found = oe.meta.discriminative_power(made.runs, ["cem_ord"], correction="bh").p[0]
    assert found == pytest.approx(false_discovery_control(plain_p))


def test_runs_and_their_table_tell_the_same_pairs_apart(made):
    found = [
        oe.meta.discriminative_power(data, ["cem_ord", "macro_f1"]).p
        for data in (made.runs, made.table)
    ]
    assert found[0] == pytest.approx(found[1])


def test_identical_systems_are_never_told_apart_and_opposite_ones_always():
    gold = [0, 1, 2] * 40
    case = [at // 12 for at in range(120)]
    same = oe.Runs.from_labels(gold, {"a": gold, "b": gold}, case=case)
    assert oe.meta.discriminative_power(same, ["cem_ord", "mae"])["cem_ord"] == 0
    apart = oe.Runs.from_labels(gold, {"a": gold, "b": [2, 0, 0] * 40}, case=case)
    assert oe.meta.discriminative_power(apart, ["cem_ord", "mae"])["mae"] == 1


def test_a_pair_is_told_apart_if_p_is_alpha(made):
    p = oe.meta.discriminative_power(made.runs, ["mae"]).p[0]
    one = float(np.sort(p)[50])  # 51 of 105 pairs have this p or a smaller one
    assert oe.meta.discriminative_power(made.runs, ["mae"], alpha=one)["mae"] == 51 / 105
    below = np.nextafter(one, 0)
    assert oe.meta.discriminative_power(made.runs, ["mae"], alpha=below)["mae"] == 50 / 105


def test_the_interval_draws_the_systems_again():
    # a and b are alike, c differs from both: 2 of 3 pairs. Of three systems drawn, all three give 2/3, c once or twice
    # with a or b gives 1, a with b gives 0, and one system three times gives no pair.
    gold, case = [0, 1, 2] * 10, [at // 3 for at in range(30)]
    systems = {"a": gold, "b": gold, "c": [1, 2, 0] * 10}
    runs = oe.Runs.from_labels(gold, systems, case=case)
    found = oe.meta.discriminative_power(runs, ["accuracy"], resamples=199)
    assert found["accuracy"] == pytest.approx(2 / 3)
    draws = found.draws["systems"][0]
    assert set(draws[~np.isnan(draws)].round(6).tolist()) == {0.0, 0.666667, 1.0}
    # all three: 6 of 27, c with one of the others: 12 of 27, a with b: 6 of 27, one alone: 3 of 27
    assert np.isnan(draws).mean() == pytest.approx(3 / 27, abs=0.08)
    assert (draws == 1).mean() == pytest.approx(12 / 27, abs=0.12)


def test_every_correction_tells_fewer_pairs_apart_and_maxt_more_than_holm(made):
    told = {
        correction: oe.meta.discriminative_power(made.runs, ["cem_ord"], correction=correction)
        for correction in ("none", "bh", "maxt", "holm")
    }
    shares = [found["cem_ord"] for found in told.values()]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > shares[-1]
    # 12 cases have 2 ** 11 flips, up to a change of all signs, which are counted and not drawn
    assert [found.flips for found in told.values()] == [0, 0, 2**11, 0]


def test_the_interval_can_be_left_out(made):
    found = oe.meta.discriminative_power(made.runs, ["mae"], resamples=0)
    assert found.draws == {}
    assert "over systems" not in str(found)


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
        oe.meta.discriminative_power(made.runs, ["mae"])["mse"]


def test_it_shows_itself(made):
    result = oe.meta.discriminative_power(made.runs, ["mae", "mse"], resamples=19)
    assert "\n" not in repr(result)
    assert "mae" in str(result)
    assert "<table " in result._repr_html_()
    content = result.to_dict()
    assert (content["schema"], content["test"], content["resample"]) == (1, "t", "cases")
