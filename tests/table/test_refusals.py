"""What is said of counts that are no table, of tables that do not add, of axes that are not there, and of JSON."""

import json

import numpy as np
import pytest

import ordeval as oe
from ordeval import Table
from ordeval.inputs.policy import CHOICES


def message(door):
    """Return what an error of ours says."""
    with pytest.raises(oe.OrdevalError) as caught:
        door()
    return str(caught.value)


SQUARE = [[1, 0], [0, 1]]
GOLD_IN_ROWS = "gold in rows and predicted in columns."
BY_NAME = "Counts with names may lack a class on one side: pass a frame."
NAME_ALL = "Name each entry of each axis, or none."


@pytest.mark.parametrize(
    ("counts", "options", "says"),
    [
        (
            [[1, 2, 3]],
            {},
            f"counts has shape (1, 3); it must end in two equal sizes, K x K, {GOLD_IN_ROWS} {BY_NAME}",
        ),
        ([[1], [2, 3]], {}, "counts is ragged; it must be an array of shape (..., K, K)."),
        ([["a"]], {}, "counts holds something other than numbers; counts are numbers, 0 or more."),
        ([[-1]], {}, "counts holds -1; a count is 0 or more."),
        ([[-0.5]], {}, "counts holds -0.5; a count is 0 or more."),
        ([[np.nan]], {}, "counts holds NaN or infinity; a count is a finite number, 0 or more."),
        (
            np.array([[2**63]], dtype=np.uint64),
            {},
            "counts holds 9223372036854775808; a whole count is below 2**63.",
        ),
        (
            SQUARE,
            {"unanswered": [1]},
            "unanswered has shape (1,); it must have (2,), one per gold class.",
        ),
        (SQUARE, {"unanswered": [[1], [2, 3]]}, "unanswered is ragged; it must be an array of shape (..., K, K)."),
        (SQUARE, {"unanswered": [0, -1]}, "unanswered holds -1; a count is 0 or more."),
        (
            SQUARE,
            {"labels": ["a", "b", "c"]},
            "the counts have 2 classes and the scale 3: Scale(['a', 'b', 'c']). Give one label for each class.",
        ),
        (
            [SQUARE],
            {"axes": [("system", ["a", "b"])]},
            f"the counts have leading axes of the sizes (1,) and axes= names (2,) entries. {NAME_ALL}",
        ),
    ],
)  # fmt: skip
def test_counts_that_are_no_table_are_refused_in_one_sentence(counts, options, says):
    assert message(lambda: Table.from_counts(counts, **options)) == says


def test_counts_keep_their_kind():
    for dtype in ("int8", "uint8", "int32", "uint64", "bool"):
        assert Table.from_counts(np.array([[1]], dtype=dtype)).answered.dtype == np.int64
    for dtype in ("float16", "float32", "float64"):
        assert Table.from_counts(np.array([[1]], dtype=dtype)).answered.dtype == np.float64
    assert Table.from_counts(np.array([[2**63 - 1]], dtype=np.uint64)).n == 2**63 - 1
    mixed = Table.from_counts(SQUARE, unanswered=[0.5, 0])
    assert mixed.answered.dtype == mixed.missed.dtype == np.float64
    assert Table.from_counts(SQUARE).missed.dtype == np.int64
    assert Table.from_counts([[1.5]]).missed.dtype == np.float64


def test_counts_with_items_unanswered_are_under_the_policy_zero():
    assert Table.from_counts(SQUARE).policy.missing == "error"
    assert Table.from_counts(SQUARE, unanswered=[0, 0]).policy.missing == "zero"


def test_axes_without_names_are_numbered():
    table = Table.from_counts(np.ones((2, 3, 1, 1)))
    assert table.axes == (("axis 0", (0, 1)), ("axis 1", (0, 1, 2)))


def test_tables_that_do_not_add_say_why():
    zero = Table.from_counts(SQUARE, unanswered=[0, 0])
    assert message(lambda: zero + Table.from_counts(SQUARE)) == (
        "the tables were counted under different policies, missing='zero' and missing='error'. Count both with "
        "the same policy."
    )
    one = Table.from_counts([SQUARE], axes=[("case", ["x"])])
    other = Table.from_counts(SQUARE)
    assert message(lambda: one + other) == (
        "one table has the axes ('case') and the other (); only tables with the same axes can be added. Sum over the "
        "others first: table.pooled(...)."
    )


def test_what_was_touched_and_left_out_is_added():
    options = {"labels": [1, 2], "gold_missing": "drop", "missing": "zero", "unknown": "missing"}
    one = Table.from_labels([1, None, 2], [1, 1, None], **options)
    two = Table.from_labels([1, None, 2], [9, 1, None], **options)
    assert one.touched == {"missing": 1, "gold_missing": 1}
    assert (one + two).touched == {"missing": 2, "unknown": 1, "gold_missing": 2}
    runs = oe.Runs.from_labels([1, None], {"a": [1, 1]}, gold_missing="drop")
    assert (runs.table + runs.table).ignored == {"gold_missing": 2}
    assert sum([one, two]) == one + two
    assert (one + two).policy == one.policy


def test_an_axis_or_an_entry_that_is_not_there_is_named():
    table = Table.from_counts([SQUARE], axes=[("case", ["x"])])
    assert (
        message(lambda: table.select(case="y")) == "the axis 'case' has no entry 'y'; it has 'x'."
    )
    assert message(lambda: table.select(system="y")) == (
        "there is no axis 'system'; this table has 'case'."
    )
    assert message(lambda: Table.from_counts(SQUARE).pooled("case")) == (
        "there is no axis 'case'; this table has none."
    )


def test_selecting_from_the_first_of_two_axes_keeps_the_second():
    counts = np.arange(6).reshape(2, 3, 1, 1)
    missed = np.arange(6).reshape(2, 3, 1) * 10
    axes = [("system", ["a", "b"]), ("case", ["x", "y", "z"])]
    table = Table.from_counts(counts, unanswered=missed, axes=axes)
    chosen = table.select(system="b")
    assert chosen.axes == (("case", ("x", "y", "z")),)
    assert chosen.answered.ravel().tolist() == [3, 4, 5]
    assert chosen.missed.ravel().tolist() == [30, 40, 50]
    assert table.select(case="y").missed.ravel().tolist() == [10, 40]
    assert table.select(case="z", system="a").answered.tolist() == [[2]]
    assert table.pooled("system").missed.ravel().tolist() == [30, 50, 70]
    assert table.pooled("case").axes == (("system", ("a", "b")),)
    assert table.pooled("case", "system").answered.tolist() == [[15]]


def test_equal_tables_have_the_same_scale_axes_policy_answers_and_misses():
    table = Table.from_counts(SQUARE, unanswered=[0, 1])
    assert table == Table.from_counts(SQUARE, unanswered=[0, 1])
    assert table != Table.from_counts(SQUARE, unanswered=[1, 0])
    assert table != Table.from_counts([[1, 0], [1, 0]], unanswered=[0, 1])
    assert table != Table.from_counts(SQUARE, unanswered=[0, 1], labels=[1, 2])
    assert Table.from_counts(SQUARE) != Table.from_counts(SQUARE, unanswered=[0, 0])
    assert Table.from_counts([SQUARE], axes=[("a", [1])]) != Table.from_counts(
        [SQUARE], axes=[("b", [1])]
    )


def test_coverage_is_the_share_answered_and_nan_where_nothing_was_asked():
    assert Table.from_counts(SQUARE, unanswered=[0, 6]).coverage == 0.25
    batch = Table.from_counts([SQUARE, [[0, 0], [0, 0]]], unanswered=[[0, 0], [0, 0]])
    assert batch.coverage[0] == 1
    assert np.isnan(batch.coverage[1])


# --- JSON


def test_json_that_is_no_table_is_refused_with_what_is_wrong():
    good = json.loads(Table.from_counts(SQUARE, unanswered=[0, 1]).to_json())
    expected = "Expected what Table.to_json wrote."

    def with_(**change):
        return json.dumps({**good, **change})

    assert message(lambda: Table.from_json("{")).startswith("this is not JSON (")
    assert message(lambda: Table.from_json("{")).endswith("; expected what Table.to_json wrote.")
    assert message(lambda: Table.from_json("[]")) == (
        f'this JSON is not a table: it lacks "kind": "table". {expected}'
    )
    assert message(lambda: Table.from_json(with_(schema=7))) == (
        "this table has schema 7; this version reads schema 1."
    )
    lacking = {key: value for key, value in good.items() if key not in {"axes", "missed"}}
    assert message(lambda: Table.from_json(json.dumps(lacking))) == (
        f"this table lacks axes, missed. {expected}"
    )
    for part, odd in [
        ("scale", {"labels": 1, "values": [], "inferred": True}),
        ("scale", {"labels": [1], "values": [1], "inferred": 1}),
        ("axes", [{"name": 1, "labels": []}]),
        ("axes", {}),
        ("policy", {"missing": "zero"}),
        ("policy", []),
        ("touched", {"missing": "1"}),
        ("ignored", {"missing": 1.5}),
        ("ignored", 3),
    ]:
        assert message(lambda part=part, odd=odd: Table.from_json(with_(**{part: odd}))) == (
            f"the {part} of this table is {odd!r}. {expected}"
        )
    assert message(lambda: Table.from_json(with_(answered=[[1]], missed=[0]))) == (
        "the counts have shape (1, 1), which does not fit the axes and the scale Scale([0, 1])."
    )


def test_json_holds_everything_by_name():
    table = Table.from_labels(
        [1, 2, None], [1, None, 2], missing="zero", gold_missing="drop", sample_weight=[0.5, 1, 1]
    )
    assert table.to_dict() == {
        "schema": 1,
        "kind": "table",
        "scale": {"labels": [1, 2], "values": [1, 2], "inferred": True},
        "axes": [],
        "policy": {
            "missing": "zero",
            "unknown": "error",
            "gold_missing": "drop",
            "duplicates": "error",
        },
        "touched": {"missing": 1, "gold_missing": 1},
        "ignored": {},
        "weighted": True,
        "answered": [[0.5, 0], [0, 0]],
        "missed": [0, 1],
        # the last column holds the items without an answer; that without gold is left out
        "weighting": {
            "items": [[1, 0, 0], [0, 0, 1]],
            "squares": [[0.25, 0, 0], [0, 0, 1]],
            "unit": 0,
        },
    }
    assert set(table.to_dict()["policy"]) == set(CHOICES) - {"round"}
    odd = Table.from_counts([SQUARE], labels=["é", "b"], axes=[("case", [1j])])
    assert "é" in odd.to_json()
    assert json.loads(odd.to_json())["axes"] == [{"name": "case", "labels": ["1j"]}]
    weighted = Table.from_counts([[1.0]])
    assert Table.from_json(weighted.to_json()).answered.dtype == np.float64
    assert Table.from_json(Table.from_counts([[1]]).to_json()).answered.dtype == np.int64


def test_a_table_shows_its_number_of_items_whole_or_to_six_digits():
    assert repr(Table.from_counts([[2.0]])) == "Table(n=2, classes=[0])"
    assert repr(Table.from_counts([[0.12345678]])) == "Table(n=0.123457, classes=[0])"
    axes = [("system", ["a"]), ("case", ["x", "y"])]
    batch = Table.from_counts([[SQUARE, SQUARE]], axes=axes)
    assert repr(batch) == "Table(n=4, classes=[0, 1], system=1, case=2)"


def test_the_sheet_of_a_table_has_totals_of_rows_and_columns():
    table = Table.from_counts([[1, 2], [3, 4]], labels=["a", "b"], unanswered=[5, 0])
    sheet = table.sheet()
    assert [column.name for column in sheet.columns] == [
        "gold \\ predicted",
        "a",
        "b",
        "unanswered",
        "total",
    ]
    assert [[cell.value for cell in row] for row in sheet.rows] == [
        ["a", 1, 2, 5, 8],
        ["b", 3, 4, 0, 7],
        ["total", 4, 6, 5, 15],
    ]
    plain = Table.from_counts([[[1, 2], [3, 4]]] * 2, labels=["a", "b"], axes=[("case", [1, 2])])
    assert [[cell.value for cell in row] for row in plain.sheet().rows] == [
        ["a", 2, 4, 6],
        ["b", 6, 8, 14],
        ["total", 8, 12, 20],
    ]
