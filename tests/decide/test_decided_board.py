"""The board of decisions on real data, by fewer splits than `make decided` takes."""

import numpy as np
import pytest

from benchmarks import decided


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lev", "wine_quality_white"])
def test_rules_gain_over_the_most_probable_class_on_real_data(name, shared, monkeypatch):
    monkeypatch.setattr(decided, "DATA", shared / "data")
    scores = decided.board(3, (name,))
    gains = {
        metric: np.mean(scores[name, metric, decided.RULE]) - np.mean(scores[name, metric, "mode"])
        for metric in decided.MEASURES
    }
    assert gains["cem_ord"] > 0
    assert gains["weighted_kappa(weights='quadratic')"] > 0.02
    assert gains["macro_f1"] > 0.02
    assert gains["macro_mae"] < -0.05


def test_the_page_lists_where_plain_answers_are_better():
    kinds = dict.fromkeys(decided.ANSWERS, 0.5) | {decided.RULE: 0.4, "median": 0.6}
    scores = {
        (name, metric, kind): [value]
        for name in decided.SETS
        for metric in decided.MEASURES
        for kind, value in kinds.items()
    }
    text = decided.page(scores, 1)
    # greater is better by cem_ord: the median has 0.6, the rule 0.4; by macro_mae the rule has the smallest error
    assert "- cem_ord: balance_scale (median 0.600, rule 0.400); " in text
    assert "- macro_mae: nowhere." in text
    assert "| cem_ord | 0 of 7 | 0 of 7 | 0 of 7 | 0 of 7 | 0 of 7 |" in text
    assert "| macro_mae | 7 of 7 | 7 of 7 | 7 of 7 | 7 of 7 | 7 of 7 |" in text
