"""Columns that stand beside gold in files: weights, counts and slices."""

import itertools
import json

import pytest

import ordeval as oe
from tests.duckdb_files import writer
from tests.examples import grid

# item, gold, answers of a and b, weight, count, country
ROWS = [
    ("d1", 1, 1, 2, 0.5, 3, "es"),
    ("d2", 1, 2, 1, 2.0, 1, "es"),
    ("d3", 2, 2, 2, 1.0, 2, "it"),
    ("d4", 2, 1, 2, 1.5, 0, None),
]
NAMES = ("id", "label", "a", "b", "w", "n", "country")


def written(path, columns, rows=ROWS):
    """Write some of the columns in the format of the file's ending; answers are labels there."""
    at = [NAMES.index(column) for column in columns]
    names = ["label" if name in {"a", "b"} else name for name in columns]
    chosen = [[row[i] for i in at] for row in rows]
    if path.suffix == ".jsonl":
        lines = [json.dumps(dict(zip(names, row, strict=True))) for row in chosen]
        path.write_text("\n".join(lines) + "\n")
        return path
    text = path.with_suffix(".csv")
    lines = [names, *(["" if value is None else value for value in row] for row in chosen)]
    text.write_text("".join(",".join(map(str, line)) + "\n" for line in lines))
    if path.suffix == ".parquet":
        with writer() as connection:
            connection.execute(f"COPY (FROM '{text}') TO '{path}'")
        text.unlink()
    return path


@pytest.fixture
def files(request, tmp_path):
    """Gold with all that stands beside it, and two systems' files."""
    kind = request.param
    gold = written(tmp_path / f"gold.{kind}", ["id", "label", "w", "n", "country"])
    return gold, [written(tmp_path / f"{name}.{kind}", ["id", name]) for name in ("a", "b")]


in_every_form = grid(
    "systems, files",
    itertools.product([1, 2], ["csv", "jsonl", "parquet"]),
    every=3,
    indirect=["files"],
)


@in_every_form
def test_weights_of_a_gold_file_are_added_up(files, systems):
    gold, answers = files
    table = oe.Runs.from_files(gold, answers[:systems], weight="w").table
    # a: d1 of weight 0.5 and d3 of 1 are right, d2 of 2 and d4 of 1.5 wrong; b: d3 and d4 of class 2 are right
    sums = [[[0.5, 2.0], [1.5, 1.0]], [[2.0, 0.5], [0.0, 2.5]]]
    assert table.counts.tolist() == sums[:systems]
    assert table.n.tolist() == [4] * systems


@in_every_form
def test_a_row_of_count_three_is_three_rows(files, systems):
    gold, answers = files
    runs = oe.Runs.from_files(gold, answers[:systems], count="n")
    # d1 three times, d2 once, d3 twice, d4 never
    counts = [[[3, 1], [0, 2]], [[1, 3], [0, 2]]]
    assert runs.table.counts.tolist() == counts[:systems]
    assert runs.table.counts.dtype.kind == "i"
    assert runs.n == 6


@in_every_form
def test_weights_and_counts_stand_beside_each_other(files, systems):
    gold, answers = files
    table = oe.Runs.from_files(gold, answers[:systems], count="n", weight="w").table
    # d1: 3 x 0.5, d2: 1 x 2, d3: 2 x 1
    sums = [[[1.5, 2.0], [0.0, 2.0]], [[2.0, 1.5], [0.0, 2.0]]]
    assert table.counts.tolist() == sums[:systems]
    assert table.n.tolist() == [6] * systems


@in_every_form
def test_slices_of_a_gold_file_come_with_the_same_count(files, systems):
    gold, answers = files
    runs = oe.Runs.from_files(gold, answers[:systems], by=["country"])
    assert [(axis.name, axis.labels) for axis in runs.slices] == [("country", ("es", "it", None))]
    whole = oe.Runs.from_files(gold, answers[:systems]).table
    assert runs.table == whole
    spain = runs.only(runs.slice_codes[0] == 0).table  # d1 and d2
    assert spain.counts.tolist() == [[[1, 1], [0, 0]], [[1, 1], [0, 0]]][:systems]


def test_several_slicings_with_a_weight_of_zero_are_asked_for_again(tmp_path):
    gold = written(tmp_path / "gold.csv", ["id", "label", "w", "n", "country"])
    text = gold.read_text().replace("d2,1,2.0", "d2,1,0")
    gold.write_text(text)
    answers = [written(tmp_path / f"{name}.csv", ["id", name]) for name in ("a", "b")]
    for systems in (1, 2):
        runs = oe.Runs.from_files(gold, answers[:systems], weight="w", by=["country", "n"])
        assert [axis.name for axis in runs.slices] == ["country", "n"]
        assert runs.slices[1].labels == ("0", "1", "2", "3")
        assert runs.n == 3  # an item of weight 0 does not matter
        assert runs.table.counts[0].tolist() == [[0.5, 0.0], [1.5, 1.0]]


def test_a_second_answer_does_not_weigh_twice(tmp_path):
    gold = written(tmp_path / "gold.csv", ["id", "label", "w", "n", "country"])
    again = written(tmp_path / "a.csv", ["id", "a"], [*ROWS, ROWS[0]])
    other = written(tmp_path / "b.csv", ["id", "b"])
    for answers in ([again], [again, other]):
        runs = oe.Runs.from_files(gold, answers, weight="w", by="country", duplicates="first")
        assert runs.table.counts[0].tolist() == [[0.5, 2.0], [1.5, 1.0]]
        assert runs.ignored["duplicate"] == 1


def test_a_test_case_may_be_a_slice_too(tmp_path):
    (tmp_path / "gold.csv").write_text("topic,id,label\nq1,d1,1\nq2,d1,2\n")
    runs = oe.Runs.from_files(tmp_path / "gold.csv", tmp_path / "gold.csv", by="topic")
    assert runs.cases == ("q1", "q2")
    assert runs.slices[0].labels == ("q1", "q2")


def test_slices_and_counts_of_a_wide_file_are_those_of_long_ones(tmp_path):
    wide = tmp_path / "wide.csv"
    lines = [NAMES, *(["" if value is None else value for value in row] for row in ROWS)]
    wide.write_text("".join(",".join(map(str, line)) + "\n" for line in lines))
    long = written(tmp_path / "gold.csv", ["id", "label", "w", "n", "country"])
    answers = [written(tmp_path / f"{name}.csv", ["id", name]) for name in ("a", "b")]
    for beside in ({"count": "n"}, {"weight": "w"}, {"weight": "w", "count": "n"}):
        one = oe.Runs.from_wide(wide, gold="label", predicted=["a", "b"], by="country", **beside)
        two = oe.Runs.from_files(long, answers, by="country", **beside)
        assert one.table == two.table
        assert [axis.labels for axis in one.slices] == [axis.labels for axis in two.slices]
        assert one.slice_codes.tolist() == two.slice_codes.tolist()


def test_types_that_are_no_labels_can_be_slices(tmp_path):
    columns = "'d' || i AS id, 1 + i % 2 AS label, i::DECIMAL(9, 1) AS d, [i] AS l, DATE '2024-01-01' AS day"
    with writer() as connection:
        connection.execute(
            f"COPY (SELECT {columns} FROM range(2) t(i)) TO '{tmp_path}/gold.parquet'"
        )
    gold = tmp_path / "gold.parquet"
    runs = oe.Runs.from_files(gold, gold, by=["d", "l", "day"])
    assert [axis.labels for axis in runs.slices] == [(0, 1), ("[0]", "[1]"), ("2024-01-01",)]


@pytest.mark.parametrize("role", ["weight", "count", "by"])
def test_a_column_that_gold_does_not_have_is_refused(tmp_path, monkeypatch, role):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.csv").write_text("id,label\nd1,1\nd2,2\n")
    (tmp_path / "run.csv").write_text("id,label,n\nd1,1,1\nd2,2,1\n")
    (tmp_path / "evall.tsv").write_text("q\td1\t1\nq\td2\t2\n")
    with pytest.raises(oe.errors.DataError) as caught:
        oe.Runs.from_files("gold.csv", "run.csv", **{role: "n"})
    assert str(caught.value) == f"'gold.csv' has no column 'n' for {role}=; it has 'id', 'label'."
    with pytest.raises(oe.errors.DataError) as caught:
        oe.Runs.from_files("evall.tsv", "run.csv", **{role: "n"})
    assert str(caught.value) == (
        f"'evall.tsv' has no header, so it has no column 'n' for {role}=. Write a header into it."
    )


@pytest.mark.parametrize("systems", [1, 2])
def test_a_count_that_is_none_is_refused(tmp_path, systems):
    gold = tmp_path / "gold.csv"
    runs = [tmp_path / "a.csv", tmp_path / "b.csv"][:systems]
    for run in runs:
        run.write_text("id,label\nd1,1\nd2,2\nd9,1\n")
    for bad, says in [
        ("x", "missing, negative or not whole"),
        ("-1", "not whole"),
        ("", "missing"),
    ]:
        gold.write_text(f"id,label,n\nd1,1,1\nd2,2,{bad}\n")
        with pytest.raises(oe.errors.LabelError, match=f"column 'n' holds a count that is.*{says}"):
            oe.Runs.from_files(gold, runs, count="n")
        with pytest.raises(oe.errors.LabelError, match="column 'n' holds a weight"):
            oe.Runs.from_files(gold, runs, weight="n")
    gold.write_text("id,label,n\nd1,1,0\nd2,2,0\n")
    with pytest.raises(oe.errors.NoItemsError, match="every count is 0"):
        oe.Runs.from_files(gold, runs, count="n")


def test_a_column_of_counts_is_not_offered_as_the_labels_that_are_missing(tmp_path):
    for name in ("gold.csv", "run.csv"):
        (tmp_path / name).write_text("id,label\na,1\nb,2\n")
    with pytest.raises(oe.errors.DataError, match="has no column of labels: it has 'id', and such"):
        oe.Runs.from_files(tmp_path / "gold.csv", tmp_path / "run.csv", count="label")
