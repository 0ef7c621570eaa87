"""Files in every format and layout give one answer, and the policies hold for each."""

import gzip
import json
import os
from pathlib import Path

import duckdb
import numpy as np
import pytest

import ordeval as oe

LABELS = ["low", "mid", "high"]
CASES = ["t1", "t1", "t1", "t2", "t2", "t10"]
ITEMS = ["a", "b", "c", "a", "d", "007"]
GOLD = ["low", "mid", "high", "low", "low", "mid"]
FIRST = ["low", "high", "high", "mid", "low", "mid"]
SECOND = ["mid", "mid", "high", None, "low", "low"]

# By hand: t1 has low-low, mid-high, high-high; t2 low-mid, low-low; t10 mid-mid. Cases in natural order.
FIRST_COUNTS = [
    [[1, 0, 0], [0, 0, 1], [0, 0, 1]],
    [[1, 1, 0], [0, 0, 0], [0, 0, 0]],
    [[0, 0, 0], [0, 1, 0], [0, 0, 0]],
]
# t1 has low-mid, mid-mid, high-high; t2 low-nothing, low-low; t10 mid-low.
SECOND_COUNTS = [
    [[0, 1, 0], [0, 1, 0], [0, 0, 1]],
    [[1, 0, 0], [0, 0, 0], [0, 0, 0]],
    [[0, 0, 0], [1, 0, 0], [0, 0, 0]],
]


def rows_of_gold():
    return [
        dict(zip(("case", "item", "label"), row, strict=True))
        for row in zip(CASES, ITEMS, GOLD, strict=True)
    ]


def rows_of_answers():
    rows = []
    for system, answers in (("first", FIRST), ("second", SECOND)):
        for case, item, label in zip(CASES, ITEMS, answers, strict=True):
            if label is not None:
                rows.append({"case": case, "item": item, "system": system, "label": label})
    return rows


def write(path: Path, rows: list[dict], kind: str) -> Path:
    """Write rows by hand, or by DuckDB where the format is binary."""
    columns = list(rows[0])
    if kind in {"csv", "tsv"}:
        mark = "," if kind == "csv" else "\t"
        lines = [
            mark.join(columns),
            *(mark.join("" if row[c] is None else str(row[c]) for c in columns) for row in rows),
        ]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    elif kind == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    else:
        values = ", ".join(
            "(" + ", ".join("NULL" if row[c] is None else f"'{row[c]}'" for c in columns) + ")"
            for row in rows
        )
        named = ", ".join(f'"{column}"' for column in columns)
        with duckdb.connect() as connection:
            connection.execute(
                f"COPY (SELECT * FROM (VALUES {values}) t({named})) TO '{path}' (FORMAT parquet)"
            )
    return path


def compressed(path: Path, how: str) -> Path:
    target = path.with_name(f"{path.name}.{how}")
    if how == "gz":
        target.write_bytes(gzip.compress(path.read_bytes()))
    else:
        with duckdb.connect() as connection:
            connection.execute(
                f"COPY (SELECT * FROM read_csv('{path}', all_varchar=true, header=false, delim='\x01', quote='')) "
                f"TO '{target}' (FORMAT csv, HEADER false, COMPRESSION zstd, DELIM '\x01', QUOTE '')"
            )
    return target


def check(runs: oe.Runs) -> None:
    assert runs.systems == ("first", "second")
    assert runs.cases == ("t1", "t2", "t10")
    assert runs.scale.labels == tuple(LABELS)
    assert runs.table.answered.tolist() == [FIRST_COUNTS, SECOND_COUNTS]
    assert runs.table.missed.tolist() == [
        np.zeros((3, 3)).tolist(),
        [[0, 0, 0], [1, 0, 0], [0, 0, 0]],
    ]
    assert dict(runs.ignored) == {"not_in_gold": 0, "duplicate": 0, "unreadable": 0}
    assert dict(runs.touched) == {"missing": 1}
    assert runs.n == 6


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet"])
@pytest.mark.parametrize("how", ["", "gz", "zst"])
def test_every_format_gives_the_counts_made_by_hand(tmp_path, kind, how):
    if (kind, how) == ("parquet", "zst"):  # the usual way: compressed inside
        how = ""
    gold = write(tmp_path / f"gold.{kind}", rows_of_gold(), kind)
    answers = write(tmp_path / f"answers.{kind}", rows_of_answers(), kind)
    if how:
        gold, answers = compressed(gold, how), compressed(answers, how)
    check(oe.Runs.from_files(gold, answers, labels=LABELS, missing="zero"))


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet"])
def test_a_glob_of_shards_is_one_table(tmp_path, kind):
    gold, answers = rows_of_gold(), rows_of_answers()
    for at in range(3):
        write(tmp_path / f"gold-{at}.{kind}", gold[at::3], kind)
        write(tmp_path / f"part-{at}.{kind}", answers[at::3], kind)
    check(
        oe.Runs.from_files(
            tmp_path / f"gold-*.{kind}",
            tmp_path / f"part-*.{kind}",
            shards=True,
            labels=LABELS,
            missing="zero",
        )
    )


def test_shards_whose_columns_stand_in_another_order_are_one_table(tmp_path):
    gold = rows_of_gold()
    write(tmp_path / "gold-0.csv", gold[:3], "csv")
    write(tmp_path / "gold-1.csv", [dict(reversed(row.items())) for row in gold[3:]], "csv")
    answers = write(tmp_path / "answers.csv", rows_of_answers(), "csv")
    check(oe.Runs.from_files(tmp_path / "gold-*.csv", answers, labels=LABELS, missing="zero"))


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet"])
def test_a_file_for_each_system_is_named_after_it(tmp_path, kind):
    gold = write(tmp_path / f"gold.{kind}", rows_of_gold(), kind)
    files = []
    for system in ("first", "second"):
        rows = [
            {k: v for k, v in row.items() if k != "system"}
            for row in rows_of_answers()
            if row["system"] == system
        ]
        files.append(write(tmp_path / f"{system}.{kind}", rows, kind))
    check(oe.Runs.from_files(gold, files, labels=LABELS, missing="zero"))


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet"])
@pytest.mark.parametrize("with_item", [True, False])
def test_a_wide_file_has_a_column_for_each_rater(tmp_path, kind, with_item):
    rows = [
        {
            "case": case,
            **({"item": item} if with_item else {}),
            "human": gold,
            "first": a,
            "second": b,
        }
        for case, item, gold, a, b in zip(CASES, ITEMS, GOLD, FIRST, SECOND, strict=True)
    ]
    data = write(tmp_path / f"data.{kind}", rows, kind)
    check(
        oe.Runs.from_wide(
            data, gold="human", predicted=["first", "second"], labels=LABELS, missing="zero"
        )
    )


def test_the_evall_format_has_no_header_and_may_be_quoted(tmp_path):
    gold, first, second = tmp_path / "gold.tsv", tmp_path / "first.tsv", tmp_path / "second.tsv"
    gold.write_text(
        "".join(f'"{c}"\t"{i}"\t"{g}"\n' for c, i, g in zip(CASES, ITEMS, GOLD, strict=True))
    )
    first.write_text(
        "".join(f"{c}\t{i}\t{g}\n" for c, i, g in zip(CASES, ITEMS, FIRST, strict=True))
    )
    second.write_text(
        "".join(f'{c}\t"{i}"\t{g}\n' for c, i, g in zip(CASES, ITEMS, SECOND, strict=True) if g)
    )
    check(oe.Runs.from_files(gold, [first, second], labels=LABELS, missing="zero"))


def test_formats_mix(tmp_path):
    gold = write(tmp_path / "gold.parquet", rows_of_gold(), "parquet")
    check(
        oe.Runs.from_files(
            gold,
            write(tmp_path / "a.jsonl", rows_of_answers(), "jsonl"),
            labels=LABELS,
            missing="zero",
        )
    )


def test_one_one_point_oh_and_the_number_are_one_class(tmp_path):
    gold, text, number = tmp_path / "gold.csv", tmp_path / "text.csv", tmp_path / "number.parquet"
    gold.write_text('id,label\n1,1\n2,2.0\n3," 3 "\n')
    text.write_text("id,label\n1,1.00\n2,2\n3,3\n")
    with duckdb.connect() as connection:
        connection.execute(
            f"COPY (SELECT i AS id, i::DOUBLE AS label FROM range(1, 4) t(i)) TO '{number}' (FORMAT parquet)"
        )
    runs = oe.Runs.from_files(gold, [text, number])
    assert runs.scale.labels == (1, 2, 3)
    assert oe.accuracy(runs.table).tolist() == [1.0, 1.0]
    alone = oe.Runs.from_files(gold, number)
    assert oe.accuracy(alone.table).tolist() == [1.0]


def test_ids_keep_their_leading_zeros_and_their_length(tmp_path):
    (tmp_path / "gold.csv").write_text(
        "item,label\n007,1\n7,2\n220520345218711553,3\n220520345218711554,1\n"
    )
    (tmp_path / "run.csv").write_text(
        "item,label\n7,2\n007,1\n220520345218711554,1\n220520345218711553,3\n"
    )
    runs = oe.Runs.from_files(tmp_path / "gold.csv", tmp_path / "run.csv")
    assert oe.accuracy(runs.table).tolist() == [1.0]


def test_true_and_false_are_a_scale(tmp_path):
    (tmp_path / "gold.csv").write_text("item,label\n1,True\n2,False\n3,true\n")
    (tmp_path / "run.csv").write_text("item,label\n1,true\n2,true\n3,TRUE\n")
    runs = oe.Runs.from_files(tmp_path / "gold.csv", tmp_path / "run.csv")
    assert runs.scale.labels == (False, True)
    assert runs.table.counts.tolist() == [[[0, 1], [0, 2]]]


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet"])
@pytest.mark.parametrize("systems", [1, 2])
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
        oe.errors.LabelError, match=r"1 of 3 gold labels are missing, first at item 'd2'"
    ):
        oe.Runs.from_files(tmp_path / "gold.csv", runs)
    found = oe.Runs.from_files(tmp_path / "gold.csv", runs, gold_missing="drop")
    assert found.n == 2
    assert found.ignored["gold_missing"] == 1


def test_a_wide_file_larger_than_what_is_kept_is_scanned_where_it_lies(tmp_path, monkeypatch):
    monkeypatch.setattr("ordeval.inputs.files.wide.SMALL", 0)
    rows = "t1,d1,1,1\nt1,d2,2,1\nt1,d3,2,2\n"
    (tmp_path / "wide.csv").write_text("case,item,gold,a\n" + rows)
    runs = oe.Runs.from_wide(tmp_path / "wide.csv", gold="gold", predicted=["a"])
    assert runs.pooled().table.answered[0].tolist() == [[1, 0], [1, 1]]
    (tmp_path / "wide.csv").write_text("case,item,gold,a\n" + rows + rows)
    with pytest.raises(oe.errors.DataError, match="more than one row for item 'd1'"):
        oe.Runs.from_wide(tmp_path / "wide.csv", gold="gold", predicted=["a"])


@pytest.mark.parametrize("small", [0, 1 << 20])
def test_lines_that_do_not_fit_are_found_in_files_of_any_size(tmp_path, monkeypatch, small):
    monkeypatch.setattr("ordeval.inputs.files.wide.SMALL", small)
    rows = "d1,1,1\nd2,2,1,2,3\nd3,2,2\n"
    (tmp_path / "wide.csv").write_text("item,gold,label\n" + rows)
    with pytest.raises(
        oe.errors.DataError, match=r"1 row of .* cannot be read: line 3 \(too many columns\)"
    ):
        oe.Runs.from_wide(tmp_path / "wide.csv", gold="gold", predicted=["label"])
    (tmp_path / "gold.csv").write_text("item,label,more\n" + rows)
    (tmp_path / "whole.csv").write_text("item,label\nd1,1\nd2,2\nd3,2\n")
    with pytest.raises(
        oe.errors.DataError, match=r"1 row of gold, .* cannot be read: line 3 \(too many columns\)"
    ):
        oe.Runs.from_files(tmp_path / "gold.csv", tmp_path / "whole.csv")
    answers = oe.Runs.from_files(tmp_path / "whole.csv", tmp_path / "gold.csv", missing="zero")
    assert answers.ignored["unreadable"] == 1


def test_patterns_of_files_are_those_of_labels(tmp_path):
    rng = np.random.default_rng(3)
    gold, a, b = rng.integers(1, 5, (3, 400))
    rows = "".join(f"{i},{g},{x},{y}\n" for i, (g, x, y) in enumerate(zip(gold, a, b, strict=True)))
    (tmp_path / "wide.csv").write_text("id,gold,a,b\n" + rows)
    read = oe.Runs.from_wide(tmp_path / "wide.csv", gold="gold", predicted=["a", "b"])
    known = oe.Runs.from_labels(gold, {"a": a, "b": b})
    for part in ("case", "gold", "predicted", "count"):
        assert np.array_equal(getattr(read, part), getattr(known, part))
    assert read.count.dtype == known.count.dtype


def test_what_was_left_out_stays_with_runs_that_are_pooled_or_selected(tmp_path):
    gold = write(tmp_path / "gold.csv", rows_of_gold(), "csv")
    rows = [*rows_of_answers(), {"case": "t9", "item": "z", "system": "first", "label": "low"}]
    runs = oe.Runs.from_files(
        gold, write(tmp_path / "run.csv", rows, "csv"), labels=LABELS, missing="zero"
    )
    assert runs.pooled().ignored == runs.select(["first"]).ignored == runs.ignored
    assert runs.pooled().table.answered.dtype == np.int64
    assert runs.pooled().table.answered.tolist() == runs.table.pooled("case").answered.tolist()


@pytest.mark.parametrize(
    "ids",
    [
        "1, 2, 3",
        "-4, 9, 2",
        "0, 100000000000, 5",
        "9223372036854775807, -9223372036854775808, 0",
        "-9223372036854775808, -9223372036854775807, -9223372036854775806",
    ],
)
@pytest.mark.parametrize("again", [False, True])
def test_whole_numbered_ids_of_a_wide_file_are_told_apart(tmp_path, ids, again):
    numbers = ids.split(", ") + [ids.split(", ")[1]] * again
    rows = ", ".join(f"('{number}'::BIGINT, 1, 2)" for number in numbers)
    data = tmp_path / "wide.parquet"
    with duckdb.connect() as connection:
        connection.execute(f"COPY (SELECT * FROM (VALUES {rows}) t(id, gold, pred)) TO '{data}'")
    if again:
        with pytest.raises(oe.errors.DataError, match="more than one row"):
            oe.Runs.from_wide(data, gold="gold", predicted="pred")
    else:
        assert oe.Runs.from_wide(data, gold="gold", predicted="pred").n == 3


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_what_does_not_fit_in_memory_is_counted_all_the_same(tmp_path, monkeypatch, form):
    monkeypatch.setattr("ordeval.inputs.files.engine.MEMORY", 250)
    n = 2_000_000  # ids of 20 letters and more: some 120 MB a file, before a hash table is built over them
    with duckdb.connect() as connection:
        for name, step in (("gold", 7919), ("run", 104729), ("other", 104723)):
            rows = f"SELECT 'the name of an item ' || (i * {step} % {n}) AS item, i * {step} % {n} % 5 AS label"
            connection.execute(f"COPY ({rows} FROM range({n}) t(i)) TO '{tmp_path / name}.{form}'")
    gold, run, other = (tmp_path / f"{name}.{form}" for name in ("gold", "run", "other"))
    for systems in ([run], [run, other]):
        runs = oe.Runs.from_files(gold, systems)
        assert runs.n == n
        assert oe.accuracy(runs.table).tolist() == [1.0] * len(systems)


GOLD_OF_THREE = "item,label\nd1,1\nd2,2\nd3,3\n"


@pytest.mark.parametrize("name", ["run[1].csv", "ru?1.csv", "r*.csv"])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_file_whose_name_looks_like_a_pattern_is_that_file_and_no_other(tmp_path, name, kind):
    name = name.replace("csv", kind)
    rows = [{"item": "d1", "label": "1"}, {"item": "d2", "label": "2"}]
    gold = write(tmp_path / f"gold.{kind}", rows, kind)
    write(tmp_path / f"run1.{kind}", [{"item": "d1", "label": "2"}, rows[1]], kind)
    write(tmp_path / name, rows, kind)
    runs = oe.Runs.from_files(gold, tmp_path / name)
    assert oe.accuracy(runs.table).tolist() == [1.0]


def test_a_pipe_is_refused_for_its_first_rows_would_be_lost(tmp_path):
    (tmp_path / "run.csv").write_text(GOLD_OF_THREE)
    os.mkfifo(tmp_path / "gold.csv")
    with pytest.raises(oe.errors.DataError, match=r"can be read only once\. Save what it holds"):
        oe.Runs.from_files(tmp_path / "gold.csv", tmp_path / "run.csv")


def test_a_name_that_is_not_utf_8_is_refused(tmp_path):
    name = os.fsencode(tmp_path) + b"/run\xff.csv"
    with open(name, "w") as file:  # noqa: PTH123 - a name that a Path would not show
        file.write(GOLD_OF_THREE)
    with pytest.raises(oe.errors.DataError, match=r"not UTF-8\. Rename it"):
        oe.Runs.from_files(os.fsdecode(name), os.fsdecode(name))


@pytest.mark.parametrize("role", ["case", "item", "label", "system"])
def test_a_column_told_that_no_file_has_is_an_error_though_another_is_known_by_name(tmp_path, role):
    (tmp_path / "data.csv").write_text("case,item,label,label2,system\nc,d1,1,2,a\n")
    data = tmp_path / "data.csv"
    with pytest.raises(oe.errors.DataError, match=f"no file has the column 'labl2' for {role}="):
        oe.Runs.from_files(data, data, **{role: "labl2"})


def test_a_header_of_thousands_of_columns_is_read_to_its_end(tmp_path):
    raters = [f"the_annotator_of_number_{at}" for at in range(5000)]
    rows = [",".join(["item", "gold", *raters]), ",".join(["d1", "2", *["1"] * 4999, "2"])]
    (tmp_path / "wide.csv").write_text("\n".join(rows) + "\n")
    chosen = [raters[0], raters[-1]]
    runs = oe.Runs.from_wide(tmp_path / "wide.csv", gold="gold", predicted=chosen)
    assert oe.accuracy(runs.table).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("text", ["x" * 200_000, "a\u2028b\x85c"])
def test_json_objects_may_hold_long_texts_and_any_letter(tmp_path, text):
    rows = [{"text": text, "item": "d1", "label": 1}, {"text": text, "item": "d2", "label": 2}]
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    (tmp_path / "run.jsonl").write_text("".join(lines), encoding="utf-8")
    runs = oe.Runs.from_files(tmp_path / "run.jsonl", tmp_path / "run.jsonl")
    assert runs.n == 2


def test_a_system_none_of_whose_rows_has_an_item_is_unreadable_rows(tmp_path):
    (tmp_path / "gold.csv").write_text("item,label\nd1,1\nd2,2\n")
    rows = "item,label,system\nd1,1,a\nd2,2,a\n,1,b\nd1,2,c\nd2,2,c\n"
    (tmp_path / "runs.csv").write_text(rows)
    runs = oe.Runs.from_files(tmp_path / "gold.csv", tmp_path / "runs.csv")
    assert runs.systems == ("a", "c")
    assert dict(runs.ignored) == {"not_in_gold": 0, "duplicate": 0, "unreadable": 1}
    assert runs.table.answered.tolist() == [[[1, 0], [0, 1]], [[0, 1], [0, 1]]]
