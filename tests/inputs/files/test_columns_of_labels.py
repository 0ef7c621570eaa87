"""Columns of labels in files: the names that they are found by, booleans by type, and the items that errors name."""

import itertools

import pytest

import ordeval as oe
from tests.duckdb_files import writer
from tests.examples import grid

GOLD = "id,label\nd1,1\nd2,2\n"


@pytest.mark.parametrize("name", ["score", "rating", "grade", "Score"])
def test_a_column_of_scores_ratings_or_grades_holds_labels(write, name):
    gold = write("gold.csv", GOLD.replace("label", name))
    run = write("run.csv", f"{name},id\n1,d1\n1,d2\n")
    assert oe.accuracy(oe.Runs.from_files(gold, run).table).tolist() == [0.5]


def test_a_declared_scale_keeps_its_values_and_names_in_files(write):
    scale = oe.Scale([1, 2, 3], values=[1, 5, 100], names=["bad", "fair", "good"])
    gold = write("gold.csv", "id,label\na,1\nb,2\nc,3\n")
    run = write("run.csv", "id,label\na,3\nb,2\nc,3\n")
    wide = write("wide.csv", "id,gold,run\na,1,3\nb,2,2\nc,3,3\n")
    for runs in (
        oe.Runs.from_files(gold, run, labels=scale),
        oe.Runs.from_wide(wide, gold="gold", predicted="run", labels=scale),
    ):
        assert runs.scale.names == ("bad", "fair", "good")
        assert oe.mae(runs.table).tolist() == [33.0]  # (99 + 0 + 0) / 3


def test_a_label_is_taken_before_a_score(write):
    gold = write("gold.csv", "id,score,label\nd1,0.5,1\nd2,0.1,2\n")
    run = write("run.csv", "score,prediction,id\n0.7,1,d1\n0.3,2,d2\n")
    runs = oe.Runs.from_files(gold, run)
    assert runs.scale.labels == (1, 2)
    assert oe.accuracy(runs.table).tolist() == [1.0]


@grid(
    "labels, systems",
    itertools.product([None, [False, True], ["false", "true"], ["False", "True"], [0, 1]], [1, 2]),
    every=2,
)
def test_booleans_of_parquet_are_those_of_csv(write, systems, labels):
    answers = {"gold": "tft", "a": "ttt", "b": "fft"}
    for name, letters in answers.items():
        rows = ", ".join(f"('d{at}', {letter == 't'})" for at, letter in enumerate(letters))
        with writer() as connection:
            table = f"SELECT * FROM (VALUES {rows}) t(id, label)"
            connection.execute(f"COPY ({table}) TO '{name}.parquet'")
            connection.execute(f"COPY ({table}) TO '{name}.csv' (HEADER)")
    for ending in ("csv", "parquet"):
        files = [f"{name}.{ending}" for name in ("a", "b")][:systems]
        counts = oe.Runs.from_files(f"gold.{ending}", files, labels=labels).table.counts
        # gold t f t: a says t t t and b says f f t; false is the lower class
        assert counts.tolist() == [[[0, 1], [0, 2]], [[1, 0], [1, 1]]][:systems]


def test_booleans_of_parquet_meet_numbers_of_csv(write):
    gold = write("gold.csv", "id,label\nd1,1\nd2,0\n")
    for name in ("a", "b"):
        with writer() as connection:
            table = "SELECT * FROM (VALUES ('d1', true), ('d2', true)) t(id, label)"
            connection.execute(f"COPY ({table}) TO '{name}.parquet'")
    runs = oe.Runs.from_files(gold, ["a.parquet", "b.parquet"])
    assert runs.scale.labels == (0, 1)
    assert oe.accuracy(runs.table).tolist() == [0.5, 0.5]


CASED = "case,id,label\nq1,d1,1\nq2,d1,2\nq2,d2,2\n"


@pytest.mark.parametrize("systems", [1, 2])
def test_a_missing_answer_is_named_with_its_test_case(write, systems):
    gold, whole = write("gold.csv", CASED), write("whole.csv", CASED)
    run = write("run.csv", "case,id,label\nq1,d1,1\nq2,d2,2\n")
    of = "answers" if systems == 1 else "answers of 'run'"
    with pytest.raises(oe.errors.LabelError) as caught:
        oe.Runs.from_files(gold, [run, whole][:systems])
    says = f"1 of 3 {of} is missing, first at item 'd1' of case 'q2'."
    assert says in str(caught.value)


@pytest.mark.parametrize("systems", [1, 2])
def test_an_answer_off_the_scale_and_a_second_one_are_named_with_their_test_case(write, systems):
    gold, whole = write("gold.csv", CASED), write("whole.csv", CASED)
    run = write("run.csv", CASED.replace("q2,d1,2", "q2,d1,7"))
    with pytest.raises(oe.errors.LabelError, match=r"first at item 'd1' of case 'q2'"):
        oe.Runs.from_files(gold, [run, whole][:systems], labels=[1, 2])
    run = write("run.csv", CASED + "q2,d2,1\n")
    with pytest.raises(oe.errors.DataError, match=r"than one row for item 'd2' of case 'q2'\."):
        oe.Runs.from_files(gold, [run, whole][:systems])


def test_a_wide_file_names_the_test_case_of_an_item_too(write):
    data = write("wide.csv", "topic,id,human,a\nq1,d1,1,1\nq2,d1,2,\n")
    with pytest.raises(oe.errors.LabelError, match=r"first at item 'd1' of case 'q2'"):
        oe.Runs.from_wide(data, gold="human", predicted="a")
