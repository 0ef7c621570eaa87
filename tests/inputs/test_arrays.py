"""Arrays, lists and columns of labels: what is counted, and what each refusal says."""

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ordeval as oe
from ordeval.inputs import arrays


def message(door):
    """Return what an error of ours says."""
    with pytest.raises(oe.OrdevalError) as caught:
        door()
    return str(caught.value)


# --- what is counted


@pytest.mark.parametrize(
    "hold",
    [list, np.array, pd.Series, pl.Series, pa.array, pd.Categorical],
    ids=lambda h: h.__name__,
)
def test_a_table_has_all_classes_of_the_scale_though_only_the_lowest_occur(hold):
    labels = ["low", "mid", "high"]
    table = oe.Table.from_labels(
        hold(["low", "mid", "mid"]), hold(["low", "low", "mid"]), labels=labels
    )
    assert table.answered.tolist() == [[1, 0, 0], [1, 1, 0], [0, 0, 0]]
    assert table.missed.tolist() == [0, 0, 0]


def test_two_spellings_of_one_class_are_counted_together():
    gold = ["1", "1.0", 1, "2"]
    table = oe.Table.from_labels(gold, ["1.00", 1.0, "2", "2.0"], labels=[1, 2, 3])
    assert table.answered.tolist() == [[2, 1, 0], [0, 1, 0], [0, 0, 0]]


def test_booleans_beside_numbers_show_the_classes_that_occur_and_no_others():
    for hold in (list, np.array, pd.Series, pl.Series, pa.array):
        assert oe.Table.from_labels(hold([True, True]), hold([1, 2])).scale.labels == (1, 2)
        assert oe.Table.from_labels(hold([1, 2]), hold([False, True])).scale.labels == (0, 1, 2)
        assert oe.Table.from_labels(hold([True, True]), hold([True, True])).scale.labels == (
            False,
            True,
        )


def test_categories_that_do_not_occur_are_no_classes_however_many_there_are():
    for unused in (3, 100):
        categories = [*range(5, 7), *range(1000, 1000 + unused)]
        column = pd.Categorical([5, 6, None], categories=categories)
        table = oe.Table.from_labels([5, 6, 6], column, missing="zero")
        assert table.scale.labels == (5, 6)
        assert table.answered.tolist() == [[1, 0], [0, 1]]
        assert table.missed.tolist() == [0, 1]


def test_a_decimal_beside_a_numpy_integer_is_counted_though_the_two_do_not_compare():
    table = oe.Table.from_labels([1, 1, 2], [Decimal(1), np.int8(1), np.int8(2)])
    assert table.answered.tolist() == [[2, 0], [0, 1]]


def test_the_words_true_and_false_are_booleans_in_a_frame_and_words_in_an_array(tmp_path):
    frame = pd.DataFrame({"g": [True, False], "p": ["TRUE", "true"]})
    assert oe.Table.from_frame(frame, gold="g", predicted="p").answered.tolist() == [[0, 1], [0, 1]]
    (tmp_path / "wide.csv").write_text("g,p\nTrue,FALSE\nfalse,false\n")
    runs = oe.Runs.from_wide(tmp_path / "wide.csv", gold="g", predicted="p", labels=[False, True])
    assert runs.table.answered.tolist() == [[[1, 0], [1, 0]]]
    with pytest.raises(oe.errors.LabelError, match="label 'true' is not on the scale"):
        oe.Table.from_labels([True, False], ["true", "false"], labels=[False, True])
    with pytest.raises(oe.errors.LabelError, match="label 'true' is not on the scale"):
        oe.Table.from_labels([True, False], ["true", "false"])


def test_gold_decides_whether_true_and_false_are_booleans(tmp_path):
    def wide(text):
        (tmp_path / "wide.csv").write_text(text)
        return oe.Runs.from_wide(tmp_path / "wide.csv", gold="g", predicted="p").table

    with pytest.raises(oe.errors.ScaleError, match="cannot tell the order"):
        wide("g,p\nTrue,FALSE\nperhaps,false\n")
    with pytest.raises(oe.errors.LabelError, match="label 'perhaps' is not on the scale"):
        wide("g,p\nTrue,FALSE\nfalse,perhaps\n")
    ones = wide("g,p\nTrue,1\nfalse,0\nfalse,1\n")
    assert ones.scale.labels == (False, True)
    assert ones.answered.tolist() == [[[1, 1], [0, 1]]]


@pytest.mark.parametrize("weighted", [False, True])
def test_more_different_labels_than_a_table_could_hold_are_counted_by_their_pairs(weighted):
    # 400 items with 401 labels each: 401 * 401 cells are more than 4 * 400 and more than 65,536
    gold = [f"g{at}" for at in range(400)]
    predicted = [*gold[:-1], "off"]
    weight = [0.5] * 400 if weighted else None
    table = oe.Table.from_labels(
        gold, predicted, labels=gold, sample_weight=weight, missing="zero", unknown="missing"
    )
    each = 0.5 if weighted else 1
    assert np.array_equal(table.answered, np.diag([each] * 399 + [0]))
    assert table.missed.tolist() == [0] * 399 + [each]
    assert table.touched == {"unknown": 1}
    assert table.answered.dtype == (np.float64 if weighted else np.int64)


@pytest.mark.parametrize("far", [10**6, 2**62])
def test_integers_far_apart_are_counted_on_a_scale_that_names_them(far):
    gold, predicted = np.array([0, far, far]), np.array([0, 0, 5])
    table = oe.Table.from_labels(
        gold, predicted, labels=[0, far], values=[0, 1], unknown="missing", missing="zero"
    )
    assert table.answered.tolist() == [[1, 0], [1, 0]]
    assert table.missed.tolist() == [0, 1]
    # as wide as is still inferred, and one wider
    assert oe.Table.from_labels(np.array([0, 999]), [0, 999], labels=[0, 999]).n == 2
    assert oe.Table.from_labels(np.array([0, 1000]), [0, 1000], labels=[0, 1000]).n == 2


def test_values_go_with_an_inferred_scale_of_integers_and_it_widens_no_more():
    table = oe.Table.from_labels(np.array([1, 2]), np.array([2, 2]), values=[0, 10])
    assert (table.scale.labels, table.scale.values) == ((1, 2), (0, 10))
    assert not table.scale.inferred
    assert oe.Table.from_labels(np.array([1, 2]), np.array([2, 2])).scale.inferred


# --- what each refusal says


def test_missing_gold_says_how_many_where_and_what_to_do():
    assert message(lambda: oe.Table.from_labels([1, None, 2, None], [1, 1, 2, 2])) == (
        "2 of 4 gold labels are missing, first at items 1, 3. Pass gold_missing='drop' to leave these items out."
    )
    assert message(lambda: oe.Runs.from_labels([1, None, 2], {"a": [1, 1, 2]})) == (
        "1 of 3 gold labels is missing, first at item 1. Pass gold_missing='drop' to leave these items out."
    )


def test_gold_off_the_scale_says_which_label_where_and_what_to_do():
    assert message(lambda: oe.Table.from_labels(["a", "c", "d"], ["a"] * 3, labels=["a", "b"])) == (
        "label 'c' is not on the scale ['a', 'b'] (lowest first); 2 of 3 gold labels lie outside it, first at item 1. "
        "Add the class to labels=[...]."
    )


def test_missing_answers_say_how_many_where_and_what_to_do():
    rest = (
        "Pass missing='zero', 'farthest' or 'drop' to say what an item without an answer is worth."
    )
    assert message(lambda: oe.Table.from_labels([1, 2, 2], [1, None, None])) == (
        f"2 of 3 answers are missing, first at items 1, 2. {rest}"
    )
    assert message(lambda: oe.Runs.from_labels([1, 2, 2], {"a": [1, 2, 2], "b": [1, 2, None]})) == (
        f"1 of 3 answers of 'b' is missing, first at item 2. {rest}"
    )


def test_answers_off_the_scale_say_which_label_where_and_what_to_do():
    answers = {"a": [1, 9, 9], "b": [1, 1, 1]}
    assert message(lambda: oe.Runs.from_labels([1, 2, 2], answers, labels=[1, 2])) == (
        "label 9 is not on the scale [1, 2] (lowest first); 2 of 3 answers of 'a' lie outside it, first at item 1. "
        "Add the class to labels=[...], or pass unknown='missing'."
    )
    options = {"labels": [1, 2], "unknown": "missing"}
    assert message(lambda: oe.Table.from_labels([1, 2, 2], answers["a"], **options)) == (
        "label 9 is not on the scale [1, 2] (lowest first); 2 of 3 answers lie outside it, first at item 1. "
        "Pass missing='zero', 'farthest' or 'drop' to say what such an item is worth."
    )


def test_an_error_names_five_items_by_their_names_and_twelve_classes():
    names = [f"d{at}" for at in range(9)]
    assert "first at items 'd2', 'd3', 'd4', 'd5', 'd6'. Pass" in message(
        lambda: oe.Table.from_labels([1] * 9, [1, 1] + [None] * 7, item=names)
    )
    assert "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 8 more]" in message(
        lambda: oe.Table.from_labels([1], [99], labels=range(20))
    )


def test_an_answer_to_an_item_without_gold_is_not_named():
    gold, predicted = ["a", None, "b", "a"], ["a", None, None, "x"]
    options = {"labels": ["a", "b"], "gold_missing": "drop"}
    assert message(
        lambda: oe.Table.from_labels(gold, predicted, unknown="missing", **options)
    ).startswith("1 of 4 answers is missing, first at item 2. ")
    predicted = ["a", "x", "b", "x"]
    assert message(lambda: oe.Table.from_labels(gold, predicted, **options)).startswith(
        "label 'x' is not on the scale ['a', 'b'] (lowest first); 1 of 4 answers lies outside it, first at item 3."
    )


def test_the_first_items_are_found_beyond_the_first_chunk(monkeypatch):
    monkeypatch.setattr(arrays, "CHUNK", 4)
    predicted = ["a"] * 6 + [None, "a", None, "a", None]
    assert "first at items 6, 8, 10." in message(
        lambda: oe.Table.from_labels(["a"] * 11, predicted, labels=["a"])
    )
    assert "first at items 0, 1, 2, 3, 4." in message(
        lambda: oe.Table.from_labels(["a"] * 11, [None] * 11, labels=["a"])
    )
    integers = np.array([1, 1, 1, 1, 1, 7, 8])
    assert "label 7 is not on the scale [1, 2] (lowest first); 2 of 7" in message(
        lambda: oe.Table.from_labels(np.ones(7, dtype=int), integers, labels=[1, 2])
    )


def test_columns_that_do_not_line_up_are_refused():
    for door, says in [
        (
            lambda: oe.Table.from_labels([1, 2], [1]),
            "y_true has 2 labels and y_pred has 1; both must have one label for each item.",
        ),
        (
            lambda: oe.Runs.from_labels([1, 2], {"a": [1, 2], "b": [1]}),
            "y_true has 2 labels and system 'b' has 1; both must have one label for each item.",
        ),
        (
            lambda: oe.Runs.from_labels([1, 2], {"a": [1, 2]}, case=["x"]),
            "case names 1 test cases for 2 items; it must name one for each item.",
        ),
        (
            lambda: oe.Runs.from_labels([1, 2], {"a": [1, 2]}, case=["x", None]),
            "case is missing for some items; every item belongs to a test case. Fill the column.",
        ),
        (
            lambda: oe.Table.from_labels([1, 2], [1, None], item=["x"]),
            "item names 1 items and there are 2; it must name each of them.",
        ),
    ]:
        assert message(door) == says


def test_nothing_at_all_is_refused():
    for door, says in [
        (
            lambda: oe.Table.from_labels([], []),
            "there are no items: y_true and y_pred are empty. Pass at least one label.",
        ),
        (
            lambda: oe.Runs.from_labels([], {"a": []}),
            "there are no items: y_true is empty. Pass at least one label.",
        ),
        (
            lambda: oe.Runs.from_labels([1], {}),
            "systems is {}; it must map at least one system's name to its answers.",
        ),
        (
            lambda: oe.Runs.from_labels([1], [[1]]),
            "systems is [[1]]; it must map at least one system's name to its answers.",
        ),
    ]:
        assert message(door) == says


def test_weights_that_are_none_say_so():
    for weight, says in [
        (["x", 1], "sample_weight is ['x', 1]; it must hold one number for each item."),
        ([1, 2j], "sample_weight is [1, 2j], complex numbers; a weight is 0 or more."),
        ([1, 2, 3], "sample_weight has shape (3,); it must hold one number for each of 2 items."),
        ([1, -2], "the weight of item 1 is -2.0; a weight is a finite number, 0 or more."),
        (
            [np.inf, -2],
            "the weight of item 0 is inf; a weight is a finite number, 0 or more.",
        ),
    ]:
        assert (
            message(
                lambda weight=weight: oe.Table.from_labels([1, 2], [1, 2], sample_weight=weight)
            )
            == says
        )


# --- many systems


def test_systems_are_counted_over_cases_in_the_order_in_which_these_come():
    runs = oe.Runs.from_labels(
        [1, 2, 2, 1], {7: [1, 1, 2, 2], "b": [2, 2, 2, 2]}, case=["y", "x", "y", "x"]
    )
    assert runs.systems == ("7", "b")
    assert runs.cases == ("y", "x")
    # y: gold 1 and 2; x: gold 2 and 1
    assert runs.table.answered.tolist() == [
        [[[1, 0], [0, 1]], [[0, 1], [1, 0]]],
        [[[0, 1], [0, 1]], [[0, 1], [0, 1]]],
    ]
    numbered = oe.Runs.from_labels(
        [1, 2, 2, 1], {"a": [1, 1, 2, 2]}, case=np.array([30, 10, 30, 10])
    )
    assert numbered.cases == (30, 10)


def test_items_of_a_case_whose_gold_is_missing_are_dropped_and_the_case_stays():
    runs = oe.Runs.from_labels(
        [1, None, 2, None],
        {"a": [1, 1, 2, 2], "b": [2, 2, 2, None]},
        case=["x", "x", "y", "z"],
        gold_missing="drop",
    )
    assert runs.cases == ("x", "y", "z")
    assert runs.n == 2
    assert dict(runs.ignored) == {"gold_missing": 2}
    assert dict(runs.touched) == {}
    assert runs.table.gold[0].tolist() == [[1, 0], [0, 1], [0, 0]]


def test_what_the_policies_touched_is_summed_over_systems_and_not_over_weights():
    runs = oe.Runs.from_labels(
        [1, 2, 2],
        {"a": [1, None, 9], "b": [9, 9, None]},
        labels=[1, 2],
        sample_weight=[0.5, 2, 4],
        missing="zero",
        unknown="missing",
    )
    assert dict(runs.touched) == {"missing": 2, "unknown": 3}
    assert (runs.n, runs.weight) == (3, 6.5)
    assert runs.table.missed.tolist() == [[0, 6], [0.5, 6]]
    assert runs.table.answered.tolist() == [[[0.5, 0], [0, 0]], [[0, 0], [0, 0]]]


# --- counts


WHOLE = "a count is a whole number, 0 or more. Pass sample_weight= to say how much an item matters."


@pytest.mark.parametrize(
    ("count", "says"),
    [
        (["x", 1], "count is ['x', 1]; it must hold one number for each item."),
        ([1, 2j], "count is [1, 2j], complex numbers; a count is a whole number, 0 or more."),
        ([1, 2, 3], "count has shape (3,); it must hold one number for each of 2 items."),
        ([1, 0.5], f"the count of row 1 is 0.5; {WHOLE}"),
        ([-1, 1], f"the count of row 0 is -1; {WHOLE}"),
        ([0, 0], "there are no items: every count is 0. Pass at least one count above 0."),
        ([2**53, 1], "the counts add up to 9.0072e+15 items; there may be fewer than 2**53."),
    ],
)
def test_a_count_is_a_whole_number(count, says):
    for door in (
        lambda: oe.Table.from_labels([1, 2], [1, 2], count=count),
        lambda: oe.Runs.from_labels([1, 2], {"a": [1, 2]}, count=count),
        lambda: oe.mae([1, 2], [1, 2], count=count),
    ):
        assert message(door) == says


def test_weights_whose_sum_is_no_number_are_refused():
    assert message(lambda: oe.mae([1, 2], [1, 2], sample_weight=[1e308, 1e308])) == (
        "the weights, up to 1e+308, are too large to be added up. Divide all by one number: only their ratios matter."
    )


def test_a_row_of_count_0_is_no_row():
    """Its labels are not on the scale, its case is no case, and it does not shift the items that an error names."""
    gold, answers, count = [1, 9, 2, 2], [1, None, 2, 1], [1, 0, 2, 1]
    assert oe.Table.from_labels(gold, answers, count=count) == oe.Table.from_labels(
        [1, 2, 2, 2], [1, 2, 2, 1]
    )
    runs = oe.Runs.from_labels(gold, {"a": answers}, case=list("xzyx"), count=count)
    assert (runs.cases, runs.scale.labels, runs.n) == (("x", "y"), (1, 2), 4)
    assert runs.table.answered.tolist() == [[[[1, 0], [1, 0]], [[0, 0], [0, 2]]]]
    for names, shown in ((None, "3"), (list("abcd"), "'d'")):
        says = message(
            lambda names=names: oe.Table.from_labels(
                gold, [1, None, 2, None], count=count, item=names
            )
        )
        assert says.startswith(f"1 of 4 answers is missing, first at item {shown}.")
