"""Coverage against its formula, and its bootstrap against systems and cases drawn one by one."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ordeval as oe
from ordeval.meta.resamples import coverage_of, one_split
from ordeval.meta.unanimity import unanimous
from tests.meta import plain

REFERENCE = ("accuracy", "kendall_tau_a", "mutual_information")


@pytest.fixture(scope="module")
def made():
    return oe.simulate.collection(
        labels=5, cases=5, items=40, mean=1.5, deviation=(0.6, 1.5), ratios=[0.2, 0.6, 1.0], rng=3
    )


def scores(table, name):
    sign = 1 if oe.registry[name].greater_is_better else -1
    return sign * oe.registry[name](table)


def test_three_systems_come_out_as_worked_by_hand():
    # The means of a, b, c are 0.65, 0.65, 0.55 and UIR is -1/4 (a, b), 1/4 (a, c), 1/4 (b, c). Over the six ordered
    # pairs ab, ba, ac, ca, bc, cb the centred ranks are 0, 0, 2, -2, 2, -2 and -3/2, 3/2, 3/2, -3/2, 3/2, -3/2:
    # (0 + 0 + 3 + 3 + 3 + 3) / sqrt(16 * 13.5).
    found = coverage_of(np.array([[0.65, 0.65, 0.55]]), np.array([-0.25, 0.25, 0.25]))
    assert found[0] == pytest.approx(12 / math.sqrt(16 * 13.5))


@pytest.mark.parametrize("name", ["cem_ord", "mae", "accuracy", "macro_mse", "pearson"])
def test_it_equals_the_formula_pair_by_pair(made, name):
    reference = [scores(made.table, one) for one in REFERENCE]
    expected = plain.coverage(scores(made.table, name), reference)
    found = oe.meta.coverage(made.table, [name], resamples=0)
    assert found[name] == pytest.approx(expected, abs=1e-12)


@given(st.integers(0, 2**32), st.integers(3, 6))
def test_it_is_spearman_over_both_directions_of_all_pairs(seed, systems):
    from scipy.stats import spearmanr

    rng = np.random.default_rng(seed)
    means = rng.integers(0, 5, systems) / 4
    ratio = rng.integers(-2, 3, systems * (systems - 1) // 2) / 2
    first, second = np.triu_indices(systems, 1)
    change = means[first] - means[second]
    both = np.r_[change, -change], np.r_[ratio, -ratio]
    if np.any(change) and np.any(ratio):
        expected = spearmanr(*both).statistic
        assert coverage_of(means[None], ratio)[0] == pytest.approx(expected, abs=1e-12)
    else:
        assert np.isnan(coverage_of(means[None], ratio)[0])


def test_runs_of_the_same_answers_give_the_same_coverage(made):
    names = ["cem_ord", "mse"]
    by_table = oe.meta.coverage(made.table, names, resamples=20)
    by_runs = oe.meta.coverage(made.runs, names, resamples=20)
    assert np.allclose(by_table.values, by_runs.values, rtol=0, atol=1e-15)
    assert np.allclose(by_table.draws["both"], by_runs.draws["both"], rtol=0, atol=1e-12)


def test_systems_drawn_again_are_weights_on_their_pairs(made):
    values = np.stack([scores(made.table, name) for name in (*REFERENCE, "cem_ord", "pearson")])
    reference = values[:3]
    drawn = np.random.default_rng(1).multinomial(15, np.full(15, 1 / 15), size=3).astype(float)
    found = one_split(values, unanimous(reference), drawn, np.ones((3, 5)))["systems"]
    for at, times in enumerate(drawn.astype(int)):
        chosen = np.repeat(np.arange(15), times)
        for measure in (3, 4):
            means = [plain.mean(row) for row in values[measure][chosen]]
            pairs = [
                (i, j)
                for i in range(15)
                for j in range(15)
                if chosen[i] != chosen[j] and not math.isnan(means[i] - means[j])
            ]
            change = [means[i] - means[j] for i, j in pairs]
            ratio = [plain.uir(reference, chosen[i], chosen[j]) for i, j in pairs]
            assert found[measure, at] == pytest.approx(plain.spearman(change, ratio), abs=1e-12)


def test_cases_drawn_again_are_weights_in_every_mean_and_ratio(made):
    values = np.stack([scores(made.table, name) for name in (*REFERENCE, "cem_ord", "spearman")])
    drawn = np.random.default_rng(2).multinomial(5, np.full(5, 0.2), size=3).astype(float)
    found = one_split(values, unanimous(values[:3]), np.ones((3, 15)), drawn)["cases"]
    for at, times in enumerate(drawn.astype(int)):
        chosen = np.repeat(np.arange(5), times)
        again = values[:, :, chosen]
        for measure in (3, 4):
            expected = plain.coverage(again[measure], again[:3])
            assert found[measure, at] == pytest.approx(expected, abs=1e-12)


def test_systems_and_cases_drawn_together_weigh_both(made):
    values = np.stack([scores(made.table, name) for name in (*REFERENCE, "cem_ord")])
    rng = np.random.default_rng(3)
    systems = rng.multinomial(15, np.full(15, 1 / 15), size=2)
    cases = rng.multinomial(5, np.full(5, 0.2), size=2)
    found = one_split(values, unanimous(values[:3]), systems.astype(float), cases.astype(float))
    for at in range(2):
        kept = values[:, :, np.repeat(np.arange(5), cases[at])]
        alone = one_split(kept, unanimous(kept[:3]), systems[[at]].astype(float), np.ones((1, 5)))
        assert found["both"][3, at] == pytest.approx(alone["systems"][3, 0], abs=1e-12)
    # systems alone are drawn over all cases as they are
    fixed = one_split(values, unanimous(values[:3]), systems.astype(float), np.ones((2, 5)))
    assert np.array_equal(found["systems"], fixed["systems"])


def test_an_undefined_score_is_left_out_or_stands_for_what_is_asked(made):
    # The system "maj 1" answers with one class: its correlations are undefined in all 5 cases.
    reference = [scores(made.table, one) for one in REFERENCE]
    pearson = scores(made.table, "pearson")
    assert np.isnan(pearson).sum() == 5
    left_out = oe.meta.coverage(made.table, ["pearson"], resamples=0)
    assert left_out.touched == (5,)
    assert left_out.left_out == (14,)
    as_zero = oe.meta.coverage(made.table, ["pearson"], resamples=0, undefined="zero")
    assert (as_zero.touched, as_zero.left_out) == ((5,), (0,))
    assert as_zero["pearson"] == pytest.approx(
        plain.coverage(np.nan_to_num(pearson), reference), abs=1e-12
    )
    low = np.where(np.isnan(pearson), np.nanmin(pearson), pearson)
    as_lowest = oe.meta.coverage(made.table, ["pearson"], resamples=0, undefined="lowest")
    assert as_lowest["pearson"] == pytest.approx(plain.coverage(low, reference), abs=1e-12)
    assert "pearson 5" in str(left_out)


def test_intervals_hold_the_estimate_and_repeat_with_the_seed(made):
    first = oe.meta.coverage(made.table, ["cem_ord", "mae"], resamples=199, rng=7)
    again = oe.meta.coverage(made.table, ["cem_ord", "mae"], resamples=199, rng=7)
    assert first.to_dict() == again.to_dict()
    for over in ("systems", "cases", "both"):
        ends = first.interval("cem_ord", over)
        assert -1 <= ends.low <= first["cem_ord"] <= ends.high <= 1


def test_a_measure_cannot_be_told_from_itself_and_can_from_its_opposite(made):
    found = oe.meta.coverage(made.table, ["cem_ord", "max_mae"], resamples=199)
    same = found.difference("cem_ord", "cem_ord")
    assert (same.value, same.low, same.high, same.told_apart) == (0, 0, 0, False)
    assert found.difference("max_mae", "cem_ord").value == pytest.approx(
        -found.difference("cem_ord", "max_mae").value
    )


def test_a_wider_spread_of_systems_makes_a_narrower_interval():
    """The interval says how much the choice of systems matters: with four times the systems it is clearly narrower."""
    width = []
    for ratios in ([0.3, 0.7], np.linspace(0.1, 1, 12)):
        made = oe.simulate.collection(
            labels=5, cases=8, items=60, ratios=ratios, deviation=(0.8, 1.6), rng=0
        )
        ends = oe.meta.coverage(made.table, ["cem_ord"], resamples=299).interval(
            "cem_ord", "systems"
        )
        width.append(ends.high - ends.low)
    assert width[1] < 0.8 * width[0]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"undefined": "guess"}, "undefined is 'guess'"),
        ({"over": ["items"]}, "over holds 'items'"),
        ({"level": 2}, "level is 2"),
        ({"metrics": ["cem_odr"]}, "Did you mean cem_ord"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(made, options, said):
    with pytest.raises(oe.OrdevalError, match=said):
        oe.meta.coverage(made.table, **{"metrics": ["mae"], **options})


def test_one_system_and_tables_without_cases_are_refused(made):
    with pytest.raises(oe.OrdevalError, match="one system"):
        oe.meta.coverage(made.runs.select(["maj 0.2"]), ["mae"])
    with pytest.raises(oe.OrdevalError, match="'system' and 'case'"):
        oe.meta.coverage(made.table.pooled("case"), ["mae"])
    with pytest.raises(oe.OrdevalError, match="Runs or on a Table"):
        oe.meta.coverage({"a": 1}, ["mae"])


def test_it_shows_itself(made):
    found = oe.meta.coverage(made.table, ["cem_ord", "accuracy"], resamples=19)
    assert repr(found).endswith("best of 2 measures, systems=15, cases=5)")
    assert str(found).splitlines()[0].split()[:2] == ["measure", "coverage"]
    assert "<table " in found._repr_html_()
    with pytest.raises(oe.OrdevalError, match="no coverage of 'mae'"):
        found["mae"]
