"""ppi-python has the same mean mark and class shares, with the same intervals, by PPI and PPI++."""

import numpy as np
import pytest
from ppi_py import classical_mean_ci, ppi_mean_ci, ppi_mean_pointestimate

import ordeval as oe

EXACT = 1e-9
LAMBDA = {"ppi": 1, "ppi++": None}


def sample(seed, k):
    """Return human marks, the judge's on the same items, and the judge's on others, with a scale of uneven values."""
    rng = np.random.default_rng([seed, k])
    values = np.cumsum(rng.integers(1, 4, k)) * rng.choice([0.5, 1.0, 10.0])
    n, more = rng.integers(2, 60), rng.integers(1, 200)
    shares = rng.dirichlet(np.ones(k))
    confusion = rng.dirichlet(np.full(k, 0.7), k) * 0.5 + np.eye(k) * rng.choice([0, 0.5])
    confusion /= confusion.sum(axis=1, keepdims=True)
    human = rng.choice(k, n + more, p=shares)
    judge = np.array([rng.choice(k, p=confusion[mark]) for mark in human])
    judge[-2:] = [0, k - 1][: min(2, more)]  # a judge that varies
    return values, human[:n], judge[:n], judge[n:]


CASES = [(seed, k) for seed in range(12) for k in range(2, 8)]


@pytest.mark.later
@pytest.mark.parametrize("method", LAMBDA)
@pytest.mark.parametrize("level", [0.95, 0.8])
def test_the_mean_mark_and_its_interval_are_those_of_ppi_python(method, level):
    for seed, k in CASES:
        values, human, judge, others = sample(seed, k)
        ours = oe.judge.correct(
            human, judge, others, labels=range(k), values=values, method=method, level=level
        )
        given = values[human], values[judge], values[others]
        point = ppi_mean_pointestimate(*given, lam=LAMBDA[method])
        low, high = ppi_mean_ci(*given, alpha=1 - level, lam=LAMBDA[method])
        found = ours.mean.value, ours.mean.low, ours.mean.high
        assert found == pytest.approx((*point, *low, *high), rel=EXACT, abs=EXACT)


@pytest.mark.later
@pytest.mark.parametrize("method", LAMBDA)
def test_the_class_shares_are_ppi_pythons_mean_of_the_one_hot_matrix(method):
    for seed, k in CASES:
        _, human, judge, others = sample(seed, k)
        ours = oe.judge.correct(human, judge, others, labels=range(k), method=method)
        given = [np.eye(k)[column] for column in (human, judge, others)]
        theirs = (
            ppi_mean_pointestimate(*given, lam=LAMBDA[method]),
            *ppi_mean_ci(*given, alpha=0.05, lam=LAMBDA[method]),
        )
        for part, expected in zip(("value", "low", "high"), theirs, strict=True):
            found = [getattr(share, part) for share in ours.shares]
            assert found == pytest.approx(expected, rel=EXACT, abs=EXACT)
        assert sum(share.value for share in ours.shares) == pytest.approx(1)


def test_the_human_marks_alone_have_ppi_pythons_classical_interval():
    for seed, k in CASES:
        values, human, judge, others = sample(seed, k)
        ours = (
            oe.judge.correct(human, judge, others, labels=range(k), values=values)
            .methods["human"]
            .mean
        )
        assert (ours.low, ours.high) == pytest.approx(
            classical_mean_ci(values[human], alpha=0.05), rel=EXACT, abs=EXACT
        )


def test_shares_of_several_humans_are_ppi_pythons_mean_of_the_shares():
    rng = np.random.default_rng(7)
    marks = rng.integers(0, 4, (40, 3))
    shares = np.eye(4)[marks].mean(axis=1)
    judge, others = np.clip(marks[:, 0] + rng.integers(0, 2, 40), 0, 3), rng.integers(0, 4, 90)
    for method, lam in LAMBDA.items():
        ours = oe.judge.correct(shares, judge, others, labels=range(4), method=method)
        given = shares @ np.arange(4), judge, others
        assert ours.mean.value == pytest.approx(*ppi_mean_pointestimate(*given, lam=lam), rel=EXACT)
        ends = np.ravel(ppi_mean_ci(*given, alpha=0.05, lam=lam))
        assert (ours.mean.low, ours.mean.high) == pytest.approx(ends, rel=EXACT)
        spread = shares, np.eye(4)[judge], np.eye(4)[others]
        low, _ = ppi_mean_ci(*spread, alpha=0.05, lam=lam)
        assert [share.low for share in ours.shares] == pytest.approx(low, rel=EXACT, abs=EXACT)
