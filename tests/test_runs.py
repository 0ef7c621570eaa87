"""Runs: the distinct joint answers of systems, their tables, and parts of them."""

import numpy as np
import pytest

import ordeval as oe
from ordeval.inputs.patterns import added_up, group


@pytest.fixture
def runs():
    """Two systems over two cases, with missing answers, dropped gold and weights."""
    return oe.Runs.from_labels(
        [1, 2, 2, 1, None, 2],
        {"a": [1, 1, 2, None, 1, 2], "b": [2, 2, 2, 1, 1, 2]},
        case=["x", "x", "y", "y", "y", "x"],
        sample_weight=[1, 2, 4, 8, 16, 32],
        missing="zero",
        gold_missing="drop",
    )


def test_patterns_are_the_distinct_joint_answers_in_ascending_order():
    runs = oe.Runs.from_labels(
        [2, 1, 2, 1, 2], {"a": [2, 1, 2, 1, 1], "b": [1, 2, 1, 2, None]}, missing="drop"
    )
    assert runs.gold.tolist() == [0, 1, 1]
    assert runs.predicted.tolist() == [[0, 0, 1], [1, 2, 0]]  # 2 means no answer
    assert runs.count.tolist() == [2, 1, 2]
    assert runs.case.tolist() == [0, 0, 0]
    assert (runs.case.dtype, runs.count.dtype) == (np.intp, np.int64)
    assert runs.gold.dtype == runs.predicted.dtype == np.uint8


def test_the_codes_of_many_classes_take_a_wider_type():
    labels = list(range(300))
    runs = oe.Runs.from_labels(labels, {"a": labels})
    assert runs.gold.dtype == runs.predicted.dtype == np.uint16
    assert runs.gold.tolist() == runs.predicted[0].tolist() == labels


def test_tables_of_runs_have_the_axes_system_and_case(runs):
    # x: 1-1 (weight 1), 2-1 (2), 2-2 (32) of a; y: 2-2 (4), 1 without an answer (8)
    table = runs.table
    assert [(axis.name, axis.labels) for axis in table.axes] == [
        ("system", ("a", "b")),
        ("case", ("x", "y")),
    ]
    assert table.answered.tolist() == [
        [[[1, 0], [2, 32]], [[0, 0], [0, 4]]],
        [[[0, 1], [0, 34]], [[8, 0], [0, 4]]],
    ]
    assert table.missed.tolist() == [[[0, 0], [8, 0]], [[0, 0], [0, 0]]]
    assert table.answered.dtype == np.float64
    assert (table.policy, table.touched, table.ignored) == (
        runs.policy,
        {"missing": 1},
        {"gold_missing": 1},
    )
    assert (runs.n, runs.weight) == (5, 47)


def test_pooled_runs_are_the_same_answers_as_one_test(runs):
    pooled = runs.pooled()
    assert pooled.cases == ()
    assert [axis.name for axis in pooled.table.axes] == ["system"]
    assert pooled.table.answered.tolist() == [[[1, 0], [2, 36]], [[8, 1], [0, 38]]]
    for part in ("scale", "systems", "policy", "ignored", "touched", "notes"):
        assert getattr(pooled, part) == getattr(runs, part)
    assert (pooled.n, pooled.weight) == (5, 47)
    assert pooled.table == runs.table.pooled("case")
    assert pooled.pooled() is pooled


def test_selected_runs_are_the_same_items_with_some_systems_in_that_order(runs):
    turned = runs.select(["b", "a"])
    assert turned.systems == ("b", "a")
    assert turned.table.answered.tolist() == runs.table.answered[::-1].tolist()
    alone = runs.select(["b"])
    assert alone.table.select(system="b") == runs.table.select(system="b")
    for part in ("scale", "cases", "policy", "ignored", "touched", "notes", "n", "weight"):
        assert getattr(alone, part) == getattr(runs, part)
    with pytest.raises(oe.errors.DataError) as caught:
        runs.select(["a", "c", "d"])
    assert str(caught.value) == "there is no system 'c' among 'a', 'b'. Check its name."


def test_runs_show_themselves_in_one_line(runs):
    assert repr(runs) == "Runs(items=5, systems=['a', 'b'], cases=2, classes=[1, 2])"
    assert repr(runs.pooled()) == "Runs(items=5, systems=['a', 'b'], classes=[1, 2])"
    many = oe.Runs.from_labels([1, 2], {f"s{at}": [1, 2] for at in range(5)})
    assert repr(many) == "Runs(items=2, systems=['s0', 's1', 's2', 's3', 's4'], classes=[1, 2])"
    more = oe.Runs.from_labels([1, 2], {f"s{at}": [1, 2] for at in range(6)})
    assert repr(more) == "Runs(items=2, systems=<6>, classes=[1, 2])"


def test_a_wide_reader_takes_one_column_by_name_or_several(tmp_path):
    (tmp_path / "wide.csv").write_text("human,ab\n1,1\n2,2\n")
    one = oe.Runs.from_wide(tmp_path / "wide.csv", gold="human", predicted="ab")
    several = oe.Runs.from_wide(tmp_path / "wide.csv", gold="human", predicted=iter(["ab"]))
    assert one.systems == several.systems == ("ab",)


# --- patterns


@pytest.mark.parametrize("systems", [1, 30, 63, 200])
@pytest.mark.parametrize("classes", [2, 300])
@pytest.mark.parametrize("weighted", [False, True])
def test_distinct_columns_are_those_of_a_count_one_by_one(systems, classes, weighted):
    # 200 systems of 300 classes make far more combinations than a 64-bit number counts
    rng = np.random.default_rng(systems)
    rows = rng.integers(0, classes, (systems, 5))[:, [0, 1, 0, 2, 3, 1, 4, 0]]
    weight = np.arange(8) + 0.5 if weighted else None
    first, inverse = group(rows, [classes] * systems)
    distinct, counted = rows[:, first], added_up(inverse, len(first), weight)
    expected = {}
    for at, column in enumerate(rows.T.tolist()):
        expected[tuple(column)] = expected.get(tuple(column), 0) + (at + 0.5 if weighted else 1)
    assert [tuple(column) for column in distinct.T.tolist()] == sorted(expected)
    assert counted.tolist() == [expected[key] for key in sorted(expected)]
    assert np.array_equal(rows[:, first][:, inverse], rows)
    assert first.tolist() == [
        next(i for i, column in enumerate(rows.T.tolist()) if tuple(column) == key)
        for key in sorted(expected)
    ]


def test_a_thousand_systems_are_counted():
    answers = {f"s{at}": [1, 2, 1 + at % 2] for at in range(1000)}
    runs = oe.Runs.from_labels([1, 2, 1], answers)
    assert oe.accuracy(runs.table).tolist() == [1.0, 2 / 3] * 500


def test_counts_of_counts_stay_whole_and_weights_do_not():
    groups = np.array([0, 1, 0])
    assert added_up(groups, 2, np.array([2, 3, 5])).tolist() == [7, 3]
    assert added_up(groups, 2, np.array([2, 3, 5])).dtype == np.int64
    assert added_up(groups, 2, np.array([0.5, 3, 5])).dtype == np.float64
    assert added_up(groups, 2, None).tolist() == [2, 1]


@pytest.mark.parametrize("k", [2, 15, 16, 17, 255, 256, 257])
def test_the_table_of_runs_is_that_of_labels_however_many_classes_there_are(k):
    gold, answers = [1, k, k], [k, 1, k]
    table = oe.Runs.from_labels(gold, {"a": answers}, labels=range(1, k + 1)).table
    # gold 1 answered k, and gold k answered 1 and k
    expected = np.zeros((k, k + 1))
    expected[[0, -1, -1], [k - 1, 0, k - 1]] = 1
    assert np.array_equal(table.cells[0], expected)


def test_an_error_names_an_item_of_arrays_with_its_test_case():
    with pytest.raises(oe.errors.LabelError, match=r"is missing, first at item 'd1' of case 'y'\."):
        oe.Runs.from_labels([1, 2], {"a": [1, None]}, case=["x", "y"], item=["d1", "d1"])
    with pytest.raises(oe.errors.LabelError, match=r"is missing, first at item 1\."):
        oe.Runs.from_labels([1, 2], {"a": [1, None]}, case=["x", "y"])
