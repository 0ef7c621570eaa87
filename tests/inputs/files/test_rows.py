"""Which rows count: repeated items, items that are not in gold, columns by name, and the policies."""

import itertools

import pytest

import ordeval as oe
from tests.examples import grid
from tests.inputs.files.three_classes import (
    FIRST_COUNTS,
    LABELS,
    SECOND_COUNTS,
    rows_of_answers,
    rows_of_gold,
    write,
)


@grid("systems, kind", itertools.product([1, 2], ["csv", "tsv", "jsonl", "parquet"]))
def test_answers_that_are_not_in_gold_and_repeated_ones_are_counted(tmp_path, kind, systems):
    gold = write(tmp_path / f"gold.{kind}", rows_of_gold(), kind)
    rows = [row for row in rows_of_answers() if systems == 2 or row["system"] == "first"]
    rows.append({"case": "t1", "item": "a", "system": "first", "label": "high"})  # a second answer
    rows.append({"case": "t9", "item": "z", "system": "first", "label": "low"})  # another item
    answers = write(tmp_path / f"run.{kind}", rows, kind)
    with pytest.raises(
        oe.errors.DataError, match=r"more than one row for item 'a'.*duplicates='first'"
    ):
        oe.Runs.from_files(gold, answers, labels=LABELS, missing="zero")
    runs = oe.Runs.from_files(gold, answers, labels=LABELS, missing="zero", duplicates="first")
    assert runs.table.answered.tolist() == [FIRST_COUNTS, SECOND_COUNTS][:systems]
    assert dict(runs.ignored) == {"not_in_gold": 1, "duplicate": 1, "unreadable": 0}
    assert runs.policy.duplicates == "first"


@pytest.mark.parametrize("systems", [1, 2])
@pytest.mark.parametrize("answered", [True, False])
def test_an_item_twice_in_gold_is_an_error_or_its_first_row(tmp_path, systems, answered):
    rows = rows_of_gold()
    again = {"case": "t1", "item": "a" if answered else "new", "label": "high"}
    gold = write(tmp_path / "gold.csv", [*rows, again, again], "csv")
    kept = [row for row in rows_of_answers() if systems == 2 or row["system"] == "first"]
    answers = write(tmp_path / "run.csv", kept, "csv")
    with pytest.raises(oe.errors.DataError, match=r"gold.*more than one row for item"):
        oe.Runs.from_files(gold, answers, labels=LABELS, missing="zero")
    runs = oe.Runs.from_files(gold, answers, labels=LABELS, missing="zero", duplicates="first")
    assert runs.n == (6 if answered else 7)
    assert runs.ignored["duplicate"] == (2 if answered else 1)


def test_a_wide_file_keeps_the_first_row_of_an_item_if_told_so(tmp_path):
    data = tmp_path / "data.csv"
    data.write_text("id,gold,pred\nx,1,1\ny,2,1\nx,2,2\n")
    with pytest.raises(oe.errors.DataError, match="more than one row for item 'x'"):
        oe.Runs.from_wide(data, gold="gold", predicted="pred")
    runs = oe.Runs.from_wide(data, gold="gold", predicted="pred", duplicates="first")
    assert runs.table.counts.tolist() == [[[1, 0], [1, 0]]]
    assert runs.ignored["duplicate"] == 1


def test_an_id_in_two_test_cases_is_two_items(tmp_path):
    (tmp_path / "gold.csv").write_text("case,item,label\nx,1,1\ny,1,2\n")
    (tmp_path / "run.csv").write_text("case,item,label\nx,1,1\ny,1,1\n")
    runs = oe.Runs.from_files(tmp_path / "gold.csv", tmp_path / "run.csv")
    assert runs.cases == ("x", "y")
    assert runs.table.counts.tolist() == [[[[1, 0], [0, 0]], [[0, 0], [1, 0]]]]


@pytest.mark.parametrize("systems", [1, 2])
def test_a_file_without_test_cases_is_joined_by_item_where_that_is_enough(tmp_path, systems):
    (tmp_path / "gold.csv").write_text("case,item,label\nx,1,1\ny,2,2\n")
    runs = [tmp_path / "a.csv", tmp_path / "b.csv"][:systems]
    for run in runs:
        run.write_text("item,label\n1,1\n2,1\n9,1\n")
    found = oe.Runs.from_files(tmp_path / "gold.csv", runs)
    assert found.cases == ("x", "y")
    assert found.table.counts.tolist() == [[[[1, 0], [0, 0]], [[0, 0], [1, 0]]]] * systems
    assert found.ignored["not_in_gold"] == systems
    (tmp_path / "gold.csv").write_text("case,item,label\nx,1,1\ny,1,2\ny,2,2\n")
    with pytest.raises(oe.errors.DataError, match="column of test cases"):
        oe.Runs.from_files(tmp_path / "gold.csv", runs)


@pytest.mark.parametrize("systems", [1, 2])
def test_gold_without_test_cases_ignores_those_of_the_systems(tmp_path, systems):
    (tmp_path / "gold.csv").write_text("item,label\n1,1\n2,2\n")
    runs = [tmp_path / "a.csv", tmp_path / "b.csv"][:systems]
    for run in runs:
        run.write_text("case,item,label\nx,1,1\ny,2,1\n")
    assert oe.Runs.from_files(tmp_path / "gold.csv", runs).cases == ()
    for run in runs:
        run.write_text("case,item,label\nx,1,1\ny,2,1\ny,1,1\n")
    with pytest.raises(oe.errors.DataError, match="column of test cases"):
        oe.Runs.from_files(tmp_path / "gold.csv", runs)


def test_columns_are_found_by_name_whatever_their_case_or_told(tmp_path):
    (tmp_path / "gold.csv").write_text("Topic,DOC,Value\nx,1,1\n")
    (tmp_path / "run.csv").write_text("rating,docno,entity,who\n1,1,x,sys\n")
    told = {"item": "docno", "case": "entity", "label": "Rating", "system": "who"}
    runs = oe.Runs.from_files(tmp_path / "gold.csv", tmp_path / "run.csv", **told)
    assert (runs.systems, runs.cases, runs.n) == (("sys",), ("x",), 1)


def test_a_column_that_no_file_has_is_an_error_with_what_there_is(tmp_path):
    (tmp_path / "gold.csv").write_text("item,label\n1,1\n")
    (tmp_path / "run.csv").write_text("item,label\n1,1\n")
    with pytest.raises(oe.errors.DataError, match="no file has the column 'entity' for case="):
        oe.Runs.from_files(tmp_path / "gold.csv", tmp_path / "run.csv", case="entity")
    (tmp_path / "wide.csv").write_text("human,model\n1,1\n")
    with pytest.raises(
        oe.errors.DataError, match=r"has no column 'humn' for gold=.*Did you mean human\?"
    ):
        oe.Runs.from_wide(tmp_path / "wide.csv", gold="humn", predicted="model")


@pytest.mark.parametrize("role", ["case", "item", "label", "system"])
def test_a_told_column_that_no_file_has_is_never_replaced_by_one_known_by_its_name(tmp_path, role):
    (tmp_path / "gold.csv").write_text("case,item,label\nx,1,1\n")
    (tmp_path / "run.csv").write_text("case,item,label,system\nx,1,1,a\n")
    with pytest.raises(
        oe.errors.DataError,
        match=f"no file has the column '{role}s' for {role}=.*Did you mean {role}",
    ):
        oe.Runs.from_files(tmp_path / "gold.csv", tmp_path / "run.csv", **{role: f"{role}s"})


@pytest.mark.parametrize("systems", [1, 2])
def test_unknown_answers_are_an_error_or_missing(tmp_path, systems):
    (tmp_path / "gold.csv").write_text("item,label\nd1,1\nd2,2\nd3,1\n")
    runs = [tmp_path / "a.csv", tmp_path / "b.csv"][:systems]
    for run in runs:
        run.write_text("item,label\nd1,1\nd2,9\nd3,2\n")
    with pytest.raises(
        oe.errors.LabelError, match=r"label '9' is not on the scale \[1, 2\].*1 of 3.*'d2'"
    ):
        oe.Runs.from_files(tmp_path / "gold.csv", runs, labels=[1, 2])
    with pytest.raises(oe.errors.LabelError, match="Pass missing="):
        oe.Runs.from_files(tmp_path / "gold.csv", runs, labels=[1, 2], unknown="missing")
    found = oe.Runs.from_files(
        tmp_path / "gold.csv", runs, labels=[1, 2], unknown="missing", missing="drop"
    )
    assert found.table.counts.tolist() == [[[1, 1], [0, 0]]] * systems
    assert dict(found.touched) == {"unknown": systems}


@pytest.mark.parametrize("systems", [1, 2])
def test_missing_answers_are_an_error_that_names_the_items(tmp_path, systems):
    (tmp_path / "gold.csv").write_text(
        "item,label\n" + "".join(f"d{i},{1 + i % 2}\n" for i in range(9))
    )
    runs = [tmp_path / "a.csv", tmp_path / "b.csv"][:systems]
    for run in runs:
        run.write_text("item,label\nd0,1\nd1,\n")
    with pytest.raises(
        oe.errors.LabelError,
        match=r"8 of 9 .* are missing, first at items 'd1', 'd2', 'd3', 'd4', 'd5'",
    ):
        oe.Runs.from_files(tmp_path / "gold.csv", runs)


@pytest.mark.parametrize("systems", [1, 2])
def test_a_missing_gold_label_is_an_error_or_dropped(tmp_path, systems):
    (tmp_path / "gold.csv").write_text("item,label\nd1,1\nd2,\nd3,2\n")
    runs = [tmp_path / "a.csv", tmp_path / "b.csv"][:systems]
    for run in runs:
        run.write_text("item,label\nd1,1\nd2,2\nd3,2\n")
    with pytest.raises(
        oe.errors.LabelError, match=r"1 of 3 gold labels is missing, first at item 'd2'"
    ):
        oe.Runs.from_files(tmp_path / "gold.csv", runs)
    found = oe.Runs.from_files(tmp_path / "gold.csv", runs, gold_missing="drop")
    assert found.n == 2
    assert found.ignored["gold_missing"] == 1
