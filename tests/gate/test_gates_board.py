"""How often gates are wrong and right, by fewer samples than `make gated` draws."""

import numpy as np
import pytest

from benchmarks import corrected, gates

# One of two systems is always right, the other in half of the items; they swap their answers in half of the items.
EQUAL = gates.joint(
    np.repeat([0, 1], 50),
    [(np.repeat([0, 1, 0, 1], [25, 25, 25, 25]), np.repeat([0, 1], 50), 0.5),
     (np.repeat([0, 1], 50), np.repeat([0, 1, 0, 1], [25, 25, 25, 25]), 0.5)],
    2,
)  # fmt: skip


@pytest.mark.later
def test_systems_that_swap_their_answers_have_equal_scores():
    for metric in gates.MEASURES:
        assert EQUAL.difference(metric) == pytest.approx(0, abs=1e-12)


@pytest.mark.later
@pytest.mark.parametrize("paired", [True, False])
def test_equal_scores_rarely_fail(paired):
    """The rate of 2.5% gives more than 7 of 60 once in 10,000 times."""
    kind = gates.Kind("two classes", "accuracy", paired)
    rate = kind.rate("fail", EQUAL, 200, margin=0.01, samples=60, what="test")
    assert rate <= 7 / 60


@pytest.mark.later
def test_a_loss_of_the_margin_rarely_passes_and_a_larger_margin_lets_it():
    gold = np.repeat([0, 1], 50)
    half_wrong = np.repeat([0, 1, 0, 1], [25, 25, 25, 25])
    poorer = gates.joint(gold, [(gold, gold, 0.8), (gold, half_wrong, 0.2)], 2)
    assert poorer.difference("accuracy") == pytest.approx(-0.1)  # half of a fifth
    kind = gates.Kind("two classes", "accuracy", paired=True)
    settings = {"samples": 60, "what": "test"}
    assert kind.rate("pass", poorer, 200, margin=0.1, **settings) <= 7 / 60
    # the standard error of 200 items is 0.021: a margin 4.7 of them away nearly always lets it pass
    assert kind.rate("pass", poorer, 200, margin=0.2, **settings) >= 0.9
    # and it nearly always fails a margin of 0.01
    assert kind.rate("fail", poorer, 200, margin=0.01, **settings) >= 0.9


@pytest.mark.later
def test_the_page_names_the_largest_rates():
    kinds = [
        gates.Kind(name, "accuracy", paired) for name in gates.SETS for paired in (True, False)
    ]
    rates = {
        kind: gates.Rates(0.05, [0.01 + at / 100, 0.0], [0.02, 0.03], (100, 2000), (0.79, 0.82))
        for at, kind in enumerate(kinds)
    }
    text = gates.page(rates, {"LLMJudge": 10, "RuSentNE": 20}, 100)
    assert "at most 4.0% of the gates fail" in text  # 0.01 + 3 / 100
    assert "at most 3.0% pass" in text
    assert "in 79.0% to 82.0% of the samples" in text
    assert "| RuSentNE | accuracy | independent | 300 | 4.0% | 2.0% |" in text
    assert "| LLMJudge | accuracy | paired | 0.0500 | 100 | 79.0% | 2,000 | 82.0% |" in text


@pytest.mark.later
@pytest.mark.slow
@pytest.mark.parametrize("name", gates.SETS)
def test_gates_keep_their_promises_on_real_data(name, shared, monkeypatch):
    """Of 200 samples: a rate of 2.5% exceeds 6.5%, and a power of 80% is farther off than 11 points, once in 1,000."""
    monkeypatch.setattr(corrected, "DATA", shared / "data")
    rates, _ = gates.board(200, (name,), ("cem_ord",))
    for one in rates.values():
        assert max(one.false_fails + one.false_passes) <= 0.065
        assert all(abs(power - gates.POWER) < 0.11 for power in one.power)


@pytest.mark.later
@pytest.mark.slow
def test_the_planned_number_of_items_settles_four_of_five_gates_of_equal_scores():
    """Of 500 samples the rate is known to within 5.4 points, three standard errors."""
    kind = gates.Kind("two classes", "accuracy", paired=True)
    n = gates.planned(EQUAL, "accuracy", 0.05, paired=True)
    rate = kind.rate("pass", EQUAL, n, margin=0.05, samples=500, what="planned")
    assert rate == pytest.approx(0.8, abs=0.054)
