"""Intervals: SciPy's, the score inside, and what happens where nothing can be said."""

import numpy as np
import pytest
from scipy import stats

import ordeval as oe
from ordeval.comparison.samples import joint_patterns
from ordeval.comparison.score_runs import score_runs
from ordeval.errors import ParameterError
from ordeval.stats.intervals import acceleration_of, bootstrap_interval
from tests.stats.test_resampling import ITEMWISE, sample, scorer_of


def test_the_percentile_interval_is_made_of_quantiles():
    samples = np.random.default_rng(0).normal(size=(3, 1001))
    found = bootstrap_interval(samples, samples.mean(axis=-1), 0.9)
    np.testing.assert_allclose(found.low, np.quantile(samples, 0.05, axis=-1))
    np.testing.assert_allclose(found.high, np.quantile(samples, 0.95, axis=-1))
    np.testing.assert_allclose(found.error, samples.std(axis=-1, ddof=1))
    assert not found.undefined.any()


def test_undefined_resamples_are_counted_and_left_out_of_the_quantiles():
    samples = np.random.default_rng(0).normal(size=200)
    samples[::10] = np.nan
    found = bootstrap_interval(samples, np.array(0.0), 0.95)
    there = samples[~np.isnan(samples)]
    assert found.undefined == 20
    assert found.low == pytest.approx(np.quantile(there, 0.025))
    assert found.high == pytest.approx(np.quantile(there, 0.975))
    assert found.error == pytest.approx(there.std(ddof=1))


@pytest.mark.later
@pytest.mark.parametrize("name", ["accuracy", "mae", "kendall_tau_b"])
def test_the_bca_interval_is_that_of_scipy_on_items(name):
    """Both are simulations, so the ends agree within a few per cent of the interval's width."""
    gold, answer, _ = sample(n=60)
    theirs = stats.bootstrap(
        (gold, answer), ITEMWISE[name], paired=True, vectorized=False, n_resamples=3000, method="BCa",
        random_state=np.random.default_rng(0),
    ).confidence_interval  # fmt: skip
    ours = oe.evaluate(gold, answer, metrics=[name], method="bca", n_resamples=20_000)[name]
    width = theirs.high - theirs.low
    assert ours.low == pytest.approx(theirs.low, abs=0.08 * width)
    assert ours.high == pytest.approx(theirs.high, abs=0.08 * width)


def test_the_acceleration_from_cells_is_that_of_a_jackknife_over_items():
    """Efron's formula, item by item: sum of cubed deviations over 6 times the sum of squares to the power 1.5."""
    gold, answer, _ = sample(n=50)
    for name in ("accuracy", "mae", "kendall_tau_b"):
        keep = ~np.eye(len(gold), dtype=bool)
        jackknife = np.array([ITEMWISE[name](gold[row], answer[row]) for row in keep])
        off = jackknife.mean() - jackknife
        expected = (off**3).sum() / (6 * (off**2).sum() ** 1.5)
        runs = oe.Runs.from_labels(gold, {"a": answer}, labels=range(4))
        found = acceleration_of(
            joint_patterns(runs), scorer_of([name]), unit="items", pooled=False
        )[0, 0]
        assert found == pytest.approx(expected, rel=1e-9)


def test_without_bias_and_acceleration_bca_is_percentile():
    """Symmetric samples around the value have a bias of 0."""
    half = np.abs(np.random.default_rng(0).normal(size=500))
    samples = np.concatenate([half, -half])
    plain = bootstrap_interval(samples, np.array(0.0), 0.95)
    corrected = bootstrap_interval(samples, np.array(0.0), 0.95, acceleration=np.array(0.0))
    assert corrected.low == pytest.approx(plain.low, abs=1e-9)
    assert corrected.high == pytest.approx(plain.high, abs=1e-9)


def test_a_single_item_has_a_score_and_no_interval():
    score = oe.evaluate([1], [2], labels=[1, 2, 3], metrics=["mae"], n_resamples=99)["mae"]
    assert score.value == 1.0
    assert (score.low, score.high, score.error) == (None, None, None)
    assert score.reason == "a single item shows no variation"


def test_an_undefined_score_says_why_and_in_how_many_cases():
    gold, answer = [0, 1, 0, 1, 0, 0], [0, 1, 1, 0, 1, 0]
    runs = oe.Runs.from_labels(gold, {"a": answer}, case=["x", "x", "y", "y", "z", "z"])
    scores = score_runs(runs, metrics=["kendall_tau_b"])
    assert scores.case_values[0, 0].tolist()[:2] == [1.0, -1.0]
    assert scores.values[0, 0] == 0.0  # the mean of the two cases where it is defined
    assert scores.defined[0, 0] == 2
    assert "undefined in 1 of 3 test cases" in scores.reasons["kendall_tau_b", "a"]


def test_resamples_that_lose_a_class_are_counted_in_the_caption():
    """One gold item of 20 is of the other class: (19/20)^20 = 36% of the resamples lack it, and tau-b is undefined."""
    gold, answer = [0] * 19 + [1], [0] * 18 + [1, 1]
    scores = score_runs(
        oe.Table.from_labels(gold, answer),
        metrics=["kendall_tau_b"],
        method="percentile",
        n_resamples=2000,
    )
    share = scores.undefined[0, 0] / 2000
    # undefined also where no item answered 1 is drawn, which implies that the gold 1 is not: 0.36 it is
    assert share == pytest.approx(0.95**20, abs=0.04)
    assert f"{scores.undefined[0, 0]:,} resamples, in which a score is undefined" in scores.caption


def test_no_level_means_no_interval():
    scores = score_runs(oe.Table.from_labels([0, 1], [0, 1]), level=None)
    assert scores.low is None
    assert scores.high is None
    assert np.isnan(scores.error).all()
    assert scores.n_resamples == 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"level": 95}, "level=95 is not a confidence level"),
        ({"level": "high"}, "level='high' is not a confidence level"),
        ({"n_resamples": 0}, "n_resamples=0 is not a number of resamples"),
        ({"n_resamples": 10.5}, "n_resamples=10.5 is not a number"),
        ({"method": "z"}, "method='z' is not a kind of interval"),
        (
            {"undefined": "no"},
            "undefined='no' is not a choice; it is one of omit, zero, lowest, error",
        ),
    ],
)
def test_an_odd_request_is_refused_in_a_sentence(given, message):
    with pytest.raises(ParameterError, match=message):
        score_runs(oe.Table.from_labels([0, 1], [0, 1]), **given)


@pytest.mark.parametrize("method", ["t", "percentile", "bca"])
def test_a_system_has_the_same_interval_alone_and_among_others(method):
    gold, first, second = sample()
    arguments = {"metrics": ["cem_ord"], "n_resamples": 300, "method": method}
    alone = oe.evaluate(gold, second, labels=range(4), **arguments)["cem_ord"]
    runs = oe.Runs.from_labels(gold, {"a": first, "b": second}, labels=range(4))
    among = {one.system: one for one in oe.compare(runs, **arguments).leaderboard}["b"].scores[
        "cem_ord"
    ]
    assert (alone.low, alone.high) == (among.low, among.high)


def test_the_acceleration_over_cases_is_that_of_their_scores():
    """The influences are the deviations / (n - 1), so that the acceleration is their skewness / 6 / sqrt(n)."""
    gold, answer, _ = sample(n=90)
    case = np.arange(90) % 9
    runs = oe.Runs.from_labels(gold, {"a": answer}, labels=range(4), case=case)
    scorer = scorer_of(["accuracy"])
    found = acceleration_of(joint_patterns(runs), scorer, unit="cases", pooled=False)[0, 0]
    scores = [np.mean(gold[case == c] == answer[case == c]) for c in range(9)]
    assert found == pytest.approx(stats.skew(scores) / 6 / np.sqrt(9))


@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("resample", ["items", "cases"])
def test_a_measure_that_no_case_defines_has_no_interval_by_any_method(method, resample):
    runs = oe.Runs.from_labels([0, 0, 1, 1], {"a": [0, 1, 0, 1]}, case=list("xxyy"))
    found = score_runs(
        runs, metrics=["kendall_tau_b"], method=method, resample=resample, n_resamples=50
    )
    assert np.isnan([found.values[0, 0], found.low[0, 0], found.high[0, 0]]).all()


def test_the_item_bootstrap_within_many_small_cases_holds_the_score():
    """Small cases are biased: without centring, the whole interval lies below the score."""
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 3, 800)
    answer = np.where(rng.random(800) < 0.8, gold, rng.integers(0, 3, 800))
    runs = oe.Runs.from_labels(gold, {"a": answer}, case=np.arange(800) // 4, labels=range(3))
    for method in ("t", "percentile", "bca"):
        found = score_runs(
            runs, metrics=["cem_ord", "macro_f1"], method=method, resample="items", n_resamples=300
        )
        assert (found.low < found.values).all()
        assert (found.values < found.high).all()
