"""Whether two measures rank the systems alike."""

import pytest
from scipy.stats import kendalltau

import ordeval as oe


@pytest.fixture(scope="module")
def made():
    return oe.simulate.collection(
        labels=4, cases=12, items=50, deviation=(0.7, 1.2), ratios=[0.1, 0.5, 0.9], rng=2
    )


def test_rank_agreement_is_kendalls_tau_b_between_the_rankings(made):
    names = ["cem_ord", "mae", "accuracy", "kendall_tau_b"]
    found = oe.meta.rank_agreement(made.table, names)
    for a in names:
        for b in names:
            x, y = (oe.registry[name](made.table).mean(axis=-1).round(12) for name in (a, b))
            turn = 1 if oe.registry[a].greater_is_better == oe.registry[b].greater_is_better else -1
            assert found[a, b] == pytest.approx(turn * kendalltau(x, y).statistic)


def test_it_shows_itself(made):
    result = oe.meta.rank_agreement(made.table, ["mae", "mse"])
    assert "\n" not in repr(result)
    assert "mae" in str(result)
    assert "<table " in result._repr_html_()
    assert result.to_dict()["schema"] == 1
