"""Files in every format and layout give one answer."""

import itertools

import pytest

import ordeval as oe
from tests.duckdb_files import writer
from tests.examples import grid
from tests.inputs.files.three_classes import (
    CASES,
    FIRST,
    GOLD,
    ITEMS,
    LABELS,
    SECOND,
    check,
    compressed,
    rows_of_answers,
    rows_of_gold,
    write,
)

pytestmark = pytest.mark.usefixtures("own_engine")


@grid(
    "kind, how",
    itertools.product(["csv", "tsv", "jsonl", "parquet"], ["", "gz", "zst"]),
    every=3,
)
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


@grid("with_item, kind", itertools.product([True, False], ["csv", "tsv", "jsonl", "parquet"]))
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
    with writer() as connection:
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
