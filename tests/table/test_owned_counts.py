"""A table owns its numbers, and no sum of tables leaves the range of whole numbers."""

import json

import numpy as np
import pytest

import ordeval as oe

HALF = 2**62  # two of them are beyond what a count can be


def test_a_table_does_not_change_when_the_callers_array_does():
    for kind in (np.int64, np.float64, np.int8):
        counts, missed = np.array([[3, 1], [2, 4]], dtype=kind), np.array([1, 0], dtype=kind)
        made = oe.Table.from_counts(counts, unanswered=missed)
        direct = oe.Table(made.scale, counts, missed, policy=made.policy)
        counts[:], missed[:] = 100, 100
        for table in (made, direct):
            assert table.counts.tolist() == [[3, 1], [2, 4]]
            assert table.unanswered.tolist() == [1, 0]


def test_a_view_that_cannot_be_written_is_copied_if_what_lies_below_can():
    below = np.array([[3, 1], [2, 4]])
    view = below.view()
    view.setflags(write=False)
    table = oe.Table.from_counts(view)
    below[:] = 100
    assert table.counts.tolist() == [[3, 1], [2, 4]]


def test_runs_and_tables_do_not_change_when_the_callers_labels_and_weights_do():
    gold, answer, weight = np.array([0, 1, 1]), np.array([0, 1, 0]), np.array([1.0, 2.0, 3.0])
    runs = oe.Runs.from_labels(gold, {"a": answer}, sample_weight=weight)
    table = oe.Table.from_labels(gold, answer, sample_weight=weight)
    gold[:], answer[:], weight[:] = 0, 0, 100
    assert table.counts.tolist() == [[1, 0], [3, 2]]
    assert runs.table.select(system="a").counts.tolist() == [[1, 0], [3, 2]]


@pytest.mark.parametrize("missing", ["zero", "farthest"])
def test_the_arrays_that_tables_and_runs_show_cannot_be_written(missing):
    runs = oe.Runs.from_labels(
        [0, 1, 1], {"a": [0, None, 1]}, sample_weight=[1, 2, 3], labels=[0, 1], missing=missing
    )
    table = runs.table
    shown = [
        table.counts, table.answered, table.missed, table.weighting.items, table.weighting.squares,
        (table + table).counts, table.pooled().counts, table.select(system="a").counts, table.scaled.counts,
        oe.Table.from_json(table.to_json()).counts,
        runs.case, runs.gold, runs.predicted, runs.count,
    ]  # fmt: skip
    for array in shown:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 5


def test_the_callers_own_array_stays_open_to_changes():
    counts = np.array([[3, 1], [2, 4]])
    oe.Table.from_counts(counts)
    counts[0, 0] = 5


def test_tables_whose_counts_add_up_to_2_to_the_63_are_refused():
    half = oe.Table.from_counts([[HALF, 0], [0, 0]])
    other = oe.Table.from_counts([[0, 0], [0, HALF]])
    almost = oe.Table.from_counts([[0, 0], [0, HALF - 1]])
    for both in (half, other):
        with pytest.raises(oe.errors.TableError, match=r"below 2\*\*63"):
            half + both
    assert (half + almost).n == 2**63 - 1
    stacked = oe.Table.from_counts([[[HALF, 0], [0, 0]], [[1, 0], [0, 0]]])
    with pytest.raises(oe.errors.TableError, match=r"below 2\*\*63"):
        stacked + stacked  # no cell is too large, but their sum over the axis would be


def test_a_weighted_table_counts_its_items_without_overflow_too():
    content = json.loads(oe.Table.from_labels([0, 1], [0, 1], sample_weight=[1, 2]).to_json())
    content["weighting"]["items"][0][0] = HALF
    table = oe.Table.from_json(json.dumps(content))
    with pytest.raises(oe.errors.TableError, match=r"below 2\*\*63"):
        table + table


def test_counts_of_a_file_that_add_up_to_2_to_the_63_are_refused(tmp_path):
    path = tmp_path / "matrix.csv"
    path.write_text(f"gold,0,1\n0,{HALF},0\n1,0,{HALF}\n")
    with pytest.raises(oe.errors.TableError, match=r"below 2\*\*63"):
        oe.Table.from_file(path)
    content = json.loads(oe.Table.from_counts([[1, 0], [0, 1]]).to_json())
    content["answered"] = [[HALF, 0], [0, HALF]]
    with pytest.raises(oe.errors.TableError, match=r"below 2\*\*63"):
        oe.Table.from_json(json.dumps(content))
