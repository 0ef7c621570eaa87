"""The charts of judges: where the margin and epsilon are drawn, and what the intervals are."""

import numpy as np
import pytest
from scipy import stats

import ordeval as oe
from ordeval.errors import LabelTypeError, ParameterError, RaterError
from ordeval.report import judge_figures
from tests.report import validations


def lines(figure):
    """The values at which dashed lines are drawn, by their names."""
    own = [layer["data"]["values"] for layer in figure.spec["layer"] if "data" in layer]
    return {
        row["note"]: row["value"]
        for rows in own
        for row in rows
        if "note" in row and row.get("value") is not None
    }


def cells(figure, name):
    at = [column.name for column in figure.data.columns].index(name)
    return [row[at].value for row in figure.data.rows]


def test_the_margin_lies_on_the_side_that_is_worse():
    found = validations.made()
    assert lines(judge_figures.judges_figure(found)) == {
        "as good as a human": 0,
        "margin (-0.05)": -0.05,
    }
    lower = oe.judge.validate(found.humans, found.judges, primary="mae", margin=0.1)
    assert lines(judge_figures.judges_figure(lower))["margin (+0.10)"] == 0.1


def test_judges_are_drawn_best_first_in_the_colours_of_their_verdicts():
    found = validations.made()
    figure = judge_figures.judges_figure(found)
    assert cells(figure, "judge") == [one.name for one in found.ranked]
    assert cells(figure, "verdict") == [one.verdict for one in found.ranked]
    groups = {row["name"]: row["group"] for row in figure.spec["data"]["values"]}
    assert groups == {one.name: one.verdict for one in found.ranked}


def test_the_interval_of_a_human_is_that_of_scipy_and_ends_where_the_test_is_significant():
    # The humans agree on 40 items. On 30 the judge gives their mark: a tie, 1 - 1; on 10 it does not: 1 - 0.
    apart = [0.0] * 30 + [1.0] * 10
    humans = validations.ratings({"ann": [1] * 40, "bob": [1] * 40})
    judge = validations.ratings({"gpt": [1] * 30 + [3] * 10})
    figure = judge_figures.alt_test_figure(oe.judge.alt_test(humans, judge))
    low, high = stats.ttest_1samp(apart, 0).confidence_interval(0.90)
    assert cells(figure, "low") == pytest.approx([low] * 2)
    assert cells(figure, "high") == pytest.approx([high] * 2)
    p = stats.ttest_1samp(apart, high, alternative="less").pvalue
    assert p == pytest.approx(0.05)  # where epsilon is the upper end, the test is just significant
    assert lines(figure) == {"equal": 0, "epsilon (0.2)": 0.2}


def test_bias_is_drawn_by_class_below_that_of_all_items():
    marks = [1, 2, 3] * 20
    humans = validations.ratings({"ann": marks, "bob": marks})
    found = oe.judge.validate(
        humans, validations.ratings({"low": [max(mark - 1, 1) for mark in marks]})
    )
    # the judge gives 1, 1 and 2: 0, -1 and -1, and so -2/3 on average
    data = oe.plot.bias(found).data.values
    assert [row["name"] for row in data] == ["all items", "1", "2", "3"]
    assert [row["value"] for row in data] == pytest.approx([-2 / 3, 0, -1, -1], abs=1e-6)
    assert data[0]["group"] == "lower"


def test_the_share_of_equal_marks_counts_every_item_once():
    # Of two items one has the marks 1 and 2, and the judge gives 1: half of it is equal; the other is equal.
    humans = validations.ratings({"ann": [1, 3] * 30, "bob": [2, 3] * 30})
    found = oe.judge.validate(humans, validations.ratings({"gpt": [1, 3] * 30}))
    assert judge_figures.share_equal(found.best) == pytest.approx(0.75)


def test_slices_that_differ_from_the_rest_stand_out():
    # On poems the judge is always wrong, and else always right.
    marks = [1, 2, 3, 4] * 40
    kinds = ["poem" if at % 2 else "essay" for at in range(160)]
    given = [5 - mark if kind == "poem" else mark for mark, kind in zip(marks, kinds, strict=True)]
    rng = np.random.default_rng(0)
    other = np.clip(np.array(marks) + rng.integers(-1, 2, 160), 1, 5)
    humans = validations.ratings({"ann": marks, "bob": other})
    found = oe.judge.validate(humans, validations.ratings({"gpt": given}), by={"kind": kinds})
    figure = judge_figures.judge_slices_figure(found, found.best)
    assert cells(figure, "slice") == ["kind = essay", "kind = poem"]
    assert {row["group"] for row in figure.spec["data"]["values"]} == {"differs from the rest"}


def test_only_the_classes_with_most_marks_are_drawn_of_a_long_scale():
    marks = [1, 2, 3, 4, 5, 5, 5, 4] * 10
    humans = validations.ratings({"ann": marks, "bob": marks})
    found = oe.judge.validate(humans, validations.ratings({"gpt": marks}))
    data = oe.plot.bias(found, limit=2).data.values
    assert [row["name"] for row in data] == ["all items", "4", "5"]


def test_a_chart_of_judges_takes_a_judge_by_name_and_refuses_what_is_none():
    found = validations.made()
    assert "against each human" in oe.plot.alt_test(found, "poor").to_dict(validate=False)["title"]
    assert (
        oe.plot.alt_test(found["poor"].alt_test).to_dict(validate=False)["title"].startswith("poor")
    )
    with pytest.raises(RaterError, match=r"there is no judge 'pour' among .* Did you mean"):
        oe.plot.bias(found, "pour")
    with pytest.raises(LabelTypeError, match="it draws the validation of judges"):
        oe.plot.judges(found.comparison)


def test_a_test_of_nobody_cannot_be_drawn():
    humans = validations.ratings({"ann": [1, 2, 3], "bob": [1, 2, 3]})
    found = oe.judge.alt_test(humans, validations.ratings({"gpt": [1, 2, 3]}))
    with pytest.raises(ParameterError, match="there is nothing to draw: no human marked 30 items"):
        oe.plot.alt_test(found)
