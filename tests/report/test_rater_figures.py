"""What the charts of raters show, worked out by hand."""

import numpy as np
import pytest

import ordeval as oe
from ordeval.report import rater_figures
from tests.agreement.marks import ratings_of, simulated
from tests.report.test_figures import cells, data_of


@pytest.fixture(scope="module")
def agreement():
    """Five raters, of whom the first marks too high and the second at random."""
    return oe.agree(ratings_of(simulated(0, shifted=1.0, random=True)), metrics=["accuracy"])


def test_the_heat_map_has_the_kappa_of_every_pair_with_those_who_agree_best_first(agreement):
    chart = oe.plot.raters(agreement)
    texts = cells(chart, "text")
    kappas = {
        frozenset((pair.a, pair.b)): pair.scores["weighted_kappa(weights='quadratic')"].value
        for pair in agreement.pairs
    }
    assert len(texts) == 25
    for (a, b), text in texts.items():
        assert text == ("" if a == b else f"{kappas[frozenset((a, b))]:.2f}")
    by_agreement = sorted(agreement.raters.values(), key=lambda one: -one.agreement.value)
    assert list(dict.fromkeys(row for row, _ in texts)) == [one.rater for one in by_agreement]
    assert by_agreement[-1].rater == "r1"


def test_a_pair_that_shares_few_items_has_no_colour():
    marks = simulated(0, items=60, raters=3, each=3)
    marks[9:, 2] = np.nan
    strengths = cells(oe.plot.raters(oe.agree(ratings_of(marks))), "strength", "text", "tip")
    strength, text, tip = strengths["r0", "r2"]
    assert (strength, text) == (0, "")
    assert tip.endswith("9 items in common")
    assert strengths["r0", "r1"][0] > 0


def test_the_differences_are_drawn_highest_first_with_intervals_and_verdicts(agreement):
    data = oe.plot.rater_differences(agreement).data.values
    values = [row["value"] for row in data]
    assert values == sorted(values, reverse=True)
    rows = {row["name"]: row for row in data}
    assert rows["r0"]["group"] == "too high"
    assert rows["r1"]["group"] == "at random"
    assert rows["r2"]["group"] == "does not stand apart"
    one = agreement.raters["r0"].difference
    assert (rows["r0"]["low"], rows["r0"]["high"]) == (round(one.low, 6), round(one.high, 6))


def test_of_many_raters_those_who_stand_apart_and_those_with_most_items_are_drawn(agreement):
    assert set(rater_figures.chosen_raters(agreement, 2)) == {0, 1}
    names = [row["name"] for row in oe.plot.rater_differences(agreement, limit=3).data.values]
    assert len(names) == 3
    assert {"r0", "r1"} < set(names)
    assert (
        oe.plot.raters(agreement, limit=3).to_dict(validate=False)["title"]
        == "Agreement between 3 of 5 raters"
    )


def test_the_confusion_shows_pairs_of_marks_and_their_share_of_the_row():
    # Pairs in both orders: 1 and 1 twice (one item), 1 and 2, 2 and 1.
    chart = oe.plot.confusion(oe.agree(ratings_of([[1, 1], [1, 2]]), level=None))
    found = cells(chart, "text", "more")
    assert found["1", "1"] == ("2", "67%")
    assert found["1", "2"] == ("1", "33%")
    assert found["2", "1"] == ("1", "100%")
    assert found["2", "2"] == ("", "")
    assert chart.to_dict(validate=False)["description"].endswith(
        "Most often confused: '1' and '2', 50% of the pairs."
    )


def test_the_disagreement_is_cut_by_how_far_apart_marks_lie():
    # Medians: 2 (equal), 2 (neighbours), 1 (lower median of 1 and 4: far apart).
    found = oe.agree(ratings_of([[2, 2], [2, 3], [1, 4]]), level=None)
    rows = data_of(rater_figures.disagreement_figure(found))
    assert rows[0] == ["1", "1", "0.0%", "0.0%", "100.0%"]
    assert rows[1] == ["2", "2", "50.0%", "50.0%", "0.0%"]
    assert rows[2] == ["3", "0", "0.0%", "0.0%", "0.0%"]
    description = oe.plot.disagreement(found).to_dict(validate=False)["description"]
    assert "All marks are equal on 33% of the items" in description
    assert "most frequent around '1' (100%)" in description


def test_charts_of_raters_refuse_anything_else(agreement):
    for name in ("raters", "rater_differences", "confusion", "disagreement"):
        with pytest.raises(
            TypeError, match=r"it draws the agreement of raters. Pass oe.agree\(ratings\)"
        ):
            getattr(oe.plot, name)([1, 2])


def test_raters_who_share_few_items_are_drawn_without_an_error():
    found = oe.agree(ratings_of([[1, 2, np.nan], [np.nan, 2, 3]]))
    assert (
        "No two raters have so many items in common."
        in oe.plot.raters(found).to_dict(validate=False)["description"]
    )
    assert oe.plot.rater_differences(found).to_dict(validate=False)["title"]
