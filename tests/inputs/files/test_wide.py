"""Wide files: a row for each item, a column for gold and one for each system."""

import pytest

import ordeval as oe
from ordeval.inputs.files import wide
from tests.duckdb_files import writer
from tests.examples import grid


def message(door):
    """Return what an error of ours says."""
    with pytest.raises(oe.OrdevalError) as caught:
        door()
    return str(caught.value)


def parquet(name, select):
    """Write what a query selects."""
    with writer() as connection:
        connection.execute(f"COPY ({select}) TO '{name}' (FORMAT parquet)")
    return name


def test_columns_of_answers_are_named_once_and_at_least_one(write):
    data = write("wide.csv", "human,a,b\n1,1,2\n")
    assert message(lambda: oe.Runs.from_wide(data, gold="human", predicted=[])) == (
        "no column of answers was named. Name it with predicted=."
    )
    assert message(lambda: oe.Runs.from_wide(data, gold="human", predicted=["a", "b", "A"])) == (
        "a column of answers is named twice: 'a', 'b', 'a'. Name each once."
    )
    assert message(lambda: oe.Runs.from_wide(data, gold="human", predicted="c")) == (
        "'wide.csv' has no column 'c' for predicted=; it has 'human', 'a', 'b'."
    )
    assert message(lambda: oe.Runs.from_wide(data, gold="humans", predicted="a")) == (
        "'wide.csv' has no column 'humans' for gold=; it has 'human', 'a', 'b'. Did you mean human?"
    )


def test_systems_have_the_names_of_their_columns_as_they_stand_there(write):
    data = write("wide.csv", "human,Alice,b c\n1,1,2\n2,2,2\n")
    runs = oe.Runs.from_wide(data, gold="HUMAN", predicted=["ALICE", "b c"])
    assert runs.systems == ("Alice", "b c")
    assert runs.table.answered.tolist() == [[[1, 0], [0, 1]], [[0, 1], [0, 1]]]


def test_a_wide_file_without_rows_a_header_or_cases_is_refused(write):
    data = write("wide.csv", "human,a\n")
    assert message(lambda: oe.Runs.from_wide(data, gold="human", predicted="a")) == (
        "'wide.csv' has no rows. Check the file."
    )
    data = write("wide.csv", "case,human,a\nx,1,1\n,2,2\n")
    assert message(lambda: oe.Runs.from_wide(data, gold="human", predicted="a")) == (
        "'wide.csv' has rows without a test case; every item belongs to one. Fill the column."
    )
    data = write("wide.tsv", "t1\td1\t1\nt1\td2\t2\n")
    assert message(lambda: oe.Runs.from_wide(data, gold="human", predicted="a")) == (
        "'wide.tsv' has no header, so it has no column 'human'; a wide file names its columns."
    )
    data = write("wide.csv", "human,a\n1,1\n1\n2,2,2\n")
    assert message(lambda: oe.Runs.from_wide(data, gold="human", predicted="a")) == (
        "2 rows of 'wide.csv' cannot be read: line 3 (too few columns), line 4 (too many columns). Correct the file."
    )
    data = write("wide.jsonl", '{"human": 1, "a": 1}\nno\n')
    assert message(lambda: oe.Runs.from_wide(data, gold="human", predicted="a")) == (
        "1 row of 'wide.jsonl' cannot be read. Correct the file."
    )


@pytest.mark.parametrize("cased", [False, True])
def test_an_item_twice_in_a_wide_file_is_refused_or_its_first_row(write, cased):
    # with cases, x d1 stands twice and y d1 once; without them d1 stands three times
    rows = [("x", "d1", 1, 1), ("x", "d2", 2, 2), ("y", "d1", 2, 1), ("x", "d1", 2, 2), ("x", "", 2, 2),
            ("x", "", 2, 2)]  # fmt: skip
    rows = [row if cased else row[1:] for row in rows]
    header = "case,item,human,a" if cased else "item,human,a"
    text = "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"
    data = write("wide.csv", text)
    assert message(lambda: oe.Runs.from_wide(data, gold="human", predicted="a")) == (
        f"'wide.csv' has more than one row for item 'd1'{' of case ' + repr('x') if cased else ''}. Remove the others, "
        "or pass duplicates='first' to keep the first."
    )
    runs = oe.Runs.from_wide(data, gold="human", predicted="a", duplicates="first")
    assert runs.ignored == {"not_in_gold": 0, "duplicate": 1 if cased else 2, "unreadable": 0}
    pooled = runs.pooled().table.answered.tolist()
    assert pooled == ([[[1, 0], [1, 3]]] if cased else [[[1, 0], [0, 3]]])


def test_rows_without_an_item_are_items_of_their_own(write):
    data = write("wide.csv", "item,human,a\n,1,1\n,1,1\n,2,1\n")
    runs = oe.Runs.from_wide(data, gold="human", predicted="a")
    assert runs.table.answered.tolist() == [[[2, 0], [1, 0]]]


@pytest.mark.parametrize("with_item", [True, False])
def test_an_error_names_the_first_items_or_rows_in_the_order_of_the_file(write, with_item):
    rows = [("d9", 1, 1), ("d3", 1, ""), ("d7", "", 1), ("d1", 1, "x"), ("d2", 1, "")]
    header = "item,human,a" if with_item else "human,a"
    lines = [",".join(map(str, row if with_item else row[1:])) for row in rows]
    data = write("wide.csv", "\n".join([header, *lines]) + "\n")
    options = {"gold": "human", "predicted": "a", "labels": [1]}
    first = "'d7'" if with_item else "3"
    assert message(lambda: oe.Runs.from_wide(data, **options)) == (
        f"1 of 5 gold labels is missing, first at item {first}. Pass gold_missing='drop' to leave these items out."
    )
    options["gold_missing"] = "drop"
    first = "'d1'" if with_item else "4"
    assert message(lambda: oe.Runs.from_wide(data, **options)).startswith(
        f"label 'x' is not on the scale [1] (lowest first); 1 of 5 answers lies outside it, first at item {first}. "
    )
    first = "'d3', 'd2'" if with_item else "2, 5"
    assert message(lambda: oe.Runs.from_wide(data, **options, unknown="missing")).startswith(
        f"2 of 5 answers are missing, first at items {first}. "
    )


def test_shards_of_a_wide_file_are_one_whatever_the_order_of_their_columns(write):
    write("part-0.csv", "item,human,a\nd1,1,2\n")
    write("part-1.csv", "a,human,item\n1,2,d2\n")
    runs = oe.Runs.from_wide("part-*.csv", gold="human", predicted="a")
    assert runs.table.answered.tolist() == [[[0, 1], [1, 0]]]


WHOLE = [
    ("1, 2, 3", True),
    ("1, 2, 2", False),
    ("0, 191, 5", True),  # 192 numbers, 64 for each of three ids
    ("0, 192, 5", True),
    ("0, 192, 192", False),
    ("-5, -5, 0", False),
]
KINDS = ["TINYINT", "UTINYINT", "SMALLINT", "INTEGER", "BIGINT", "UBIGINT"]


@grid("ids, unique, kind", [(*ids, kind) for kind in KINDS for ids in WHOLE], every=3)
def test_ids_that_are_whole_numbers_are_told_apart_in_every_type(write, ids, unique, kind):
    del write
    numbers = [int(number) for number in ids.split(", ")]
    if "U" in kind:
        numbers = [abs(number) for number in numbers]
    if kind == "TINYINT":
        numbers = [number % 128 for number in numbers]
    rows = ", ".join(f"({number}::{kind}, 1, 1)" for number in numbers)
    data = parquet("wide.parquet", f"SELECT * FROM (VALUES {rows}) t(item, human, a)")
    if unique:
        assert oe.Runs.from_wide(data, gold="human", predicted="a").n == 3
    else:
        assert "has more than one row for item" in message(
            lambda: oe.Runs.from_wide(data, gold="human", predicted="a")
        )


def test_ids_too_far_apart_for_a_bit_each_are_told_apart_all_the_same(write, monkeypatch):
    del write
    monkeypatch.setattr(wide, "MOST_BITS", 2)
    for ids, n in (((1, 2, 3), 3), ((1, 3, 3), None)):
        rows = ", ".join(f"({number}, 1, 1)" for number in ids)
        data = parquet("wide.parquet", f"SELECT * FROM (VALUES {rows}) t(item, human, a)")
        if n:
            assert oe.Runs.from_wide(data, gold="human", predicted="a").n == n
        else:
            assert "has more than one row for item 3." in message(
                lambda data=data: oe.Runs.from_wide(data, gold="human", predicted="a")
            )


def test_nulls_among_whole_numbers_are_no_ids(write):
    del write
    data = parquet(
        "wide.parquet",
        "SELECT * FROM (VALUES (1, 1, 1), (NULL, 1, 1), (NULL, 2, 2)) t(item, human, a)",
    )
    assert oe.Runs.from_wide(data, gold="human", predicted="a").n == 3
    data = parquet("wide.parquet", "SELECT NULL::INTEGER AS item, 1 AS human, 1 AS a")
    assert oe.Runs.from_wide(data, gold="human", predicted="a").n == 1


# --- weights and counts


def test_weights_and_counts_of_a_wide_file_are_those_of_its_columns(write):
    rows = [(1, 1, 0.5, 1), (2, 1, 2, 2), (2, 2, 0.25, 3), (9, 9, 1, 0)]
    text = "human,a,w,c\n" + "".join(f"{g},{p},{w},{c}\n" for g, p, w, c in rows)
    lines = "".join(f'{{"human": {g}, "a": {p}, "w": {w}, "c": {c}}}\n' for g, p, w, c in rows)
    files = [
        write("wide.csv", text),
        write("wide.jsonl", lines),
        parquet("wide.parquet", "SELECT * FROM 'wide.csv'"),
    ]
    known = oe.Table.from_labels(
        [1, 2, 2], [1, 1, 2], count=[1, 2, 3], sample_weight=[0.5, 2, 0.25]
    )
    for data in files:
        names = {"gold": "human", "predicted": "a", "count": "c"}
        runs = oe.Runs.from_wide(data, weight="W", **names)
        assert runs.table.select(system="a") == known
        assert (runs.n, runs.weight) == (6, 5.25)
        counted = oe.Runs.from_wide(data, **names).table.select(system="a")
        assert counted.answered.tolist() == [[1, 0], [2, 3]]
        assert counted.weighting is None


@pytest.mark.parametrize("factor", [1e-298, 1e160])
def test_huge_and_tiny_weights_of_a_wide_file_keep_their_ratios(write, factor):
    data = write("wide.csv", f"human,a,w\n1,1,{factor}\n2,2,{factor}\n2,1,{2 * factor}\n")
    runs = oe.Runs.from_wide(data, gold="human", predicted="a", weight="w")
    assert runs.table.effective == pytest.approx([16 / 6])  # (1 + 1 + 2)^2 / (1 + 1 + 4)


def test_weights_and_counts_of_a_wide_file_that_are_none_are_refused(write):
    data = write("wide.csv", "human,a,w,c\n1,1,x,1\n2,2,1,1.5\n")
    read = {"data": data, "gold": "human", "predicted": "a"}
    assert message(lambda: oe.Runs.from_wide(**read, weight="w")) == (
        "column 'w' holds a weight that is missing, negative or not finite; a weight is a finite number, 0 or more."
    )
    assert message(lambda: oe.Runs.from_wide(**read, count="c")) == (
        "column 'c' holds a count that is missing, negative or not whole; a count is a whole number, 0 or more. Pass "
        "weight= to say how much an item matters."
    )
    assert message(lambda: oe.Runs.from_wide(**read, weight="v")) == (
        "'wide.csv' has no column 'v' for weight=; it has 'human', 'a', 'w', 'c'."
    )
