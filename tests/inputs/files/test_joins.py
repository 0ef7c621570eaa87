"""Gold and answers brought together by test case and item: what is said of rows that do not fit together."""

import itertools
import json
import tempfile

import duckdb
import pytest

import ordeval as oe
from ordeval.inputs.files import engine, join, join_many
from tests.duckdb_files import writer
from tests.examples import grid


@pytest.fixture
def gold(write):
    """Gold of three items."""
    return write("gold.csv", "item,label\nd1,1\nd2,2\nd3,2\n")


WAY_OUT = (
    " Pass skip_bad=True to leave out files that cannot be scored; 'ordeval check' lists the problems of all "
    "files."
)


def message(door):
    """Return what an error of ours says, without the way on that it shows where there are several systems' files."""
    with pytest.raises(oe.OrdevalError) as caught:
        door()
    return str(caught.value).removesuffix(WAY_OUT)


def parquet(name, select):
    """Write what a query selects."""
    with writer() as connection:
        connection.execute(f"COPY ({select}) TO '{name}' (FORMAT parquet)")
    return name


# --- rows that cannot be read


def test_gold_that_cannot_be_read_is_refused_with_its_lines(gold, write):
    bad = write("bad.csv", "item,label\nd1,1\nd2\nd3,2,2\n")
    assert message(lambda: oe.Runs.from_files(bad, gold)) == (
        "2 rows of gold, 'bad.csv', cannot be read: line 3 (too few columns), line 4 (too many columns). Every row of "
        "gold is needed; correct the file."
    )
    bad = write("bad.csv", "item,label\nd1,1\n,2\n")
    assert message(lambda: oe.Runs.from_files(bad, gold)) == (
        "1 row of gold, 'bad.csv', cannot be read: no item id, or no test case. Every row of gold is needed; correct "
        "the file."
    )
    both = [gold, write("other.csv", "item,label\nd1,1\n")]
    assert message(lambda: oe.Runs.from_files(bad, both)) == (
        "1 row of gold, 'bad.csv', cannot be read: no item id, or no test case. Every row of gold is needed; correct "
        "the file."
    )
    bad = write("bad.csv", "item,label\n")
    assert message(lambda: oe.Runs.from_files(bad, gold)) == (
        "'bad.csv' has no rows: there are no gold labels. Check the file."
    )


@pytest.mark.parametrize("systems", [1, 2])
def test_a_system_without_a_row_that_can_be_read_is_refused(gold, write, systems):
    others = [write("other.csv", "item,label\nd1,1\nd2,2\nd3,2\n")][: systems - 1]
    bad = write("bad.csv", "item,label\n")
    assert message(lambda: oe.Runs.from_files(gold, [bad, *others])) == (
        "'bad.csv' has no rows that can be read. Check the file."
    )
    bad = write("bad.csv", "item,label\nd1,1,1\nd2\n")
    assert message(lambda: oe.Runs.from_files(gold, [bad, *others])) == (
        "'bad.csv' has no rows that can be read: line 2 (too many columns), line 3 (too few columns). Check the file."
    )


def test_a_system_whose_rows_name_no_item_or_no_system_is_refused(gold, write):
    bad = write("bad.jsonl", '{"label": 1, "item": null}\n{"item": "", "label": 2}\n')
    assert message(lambda: oe.Runs.from_files(gold, bad)) == (
        "'bad.jsonl' has no rows that can be read: line 1 (no JSON object with an item), line 2 (no JSON object with "
        "an item). Check the file."
    )
    bad = write("bad.csv", "item,label,system\nd1,1,\nd2,2,\n")
    assert (
        message(lambda: oe.Runs.from_files(gold, bad))
        == "'bad.csv' has no rows that can be read. Check the file."
    )


def test_rows_that_were_not_read_are_noted_with_their_files_and_lines(gold, write):
    one = write("one.csv", "item,label\nd1,1\nd2\nd3,2\n")
    two = write("two.jsonl", '{"item": "d1", "label": 1}\nno\n{"item": "d2", "label": 2}\n')
    runs = oe.Runs.from_files(gold, [one, two], missing="zero")
    assert " ".join(runs.notes) == (
        "2 rows could not be read and count as missing answers: one.csv at line 3 (too few columns); two.jsonl at line "
        "2 (no JSON object with an item)."
    )
    assert runs.ignored == {"not_in_gold": 0, "duplicate": 0, "unreadable": 2}
    alone = oe.Runs.from_files(gold, one, missing="zero")
    assert alone.notes == (
        "1 row could not be read and counts as a missing answer: one.csv at line 3 (too few columns).",
    )
    assert message(lambda: oe.Runs.from_files(gold, one)) == (
        "1 of 3 answers is missing, first at item 'd2'. Pass missing='zero', 'farthest' or 'drop' to say what an "
        "item without an answer is worth. Of the systems' files, 1 row could not be read and counts as a missing "
        "answer: one.csv at line 3 (too few columns)."
    )
    without_item = write("three.csv", "item,label\nd1,1\nd2,2\nd3,2\n,1\n")
    assert oe.Runs.from_files(gold, without_item).notes == (
        "1 row could not be read and counts as a missing answer.",
    )


def test_five_lines_that_were_not_read_are_named_and_all_are_counted(gold, write):
    rows = "".join(f"x{at}\n" for at in range(9))
    runs = oe.Runs.from_files(gold, write("run.csv", f"item,label\nd1,1\n{rows}"), missing="zero")
    lines = ", ".join(f"line {at} (too few columns)" for at in range(3, 8))
    assert runs.notes == (
        f"9 rows could not be read and count as missing answers: run.csv at {lines}.",
    )
    objects = [json.dumps({"item": "d1", "label": 1}), *["no"] * 9]
    runs = oe.Runs.from_files(gold, write("run.jsonl", "\n".join(objects)), missing="zero")
    lines = ", ".join(f"line {at} (no JSON object with an item)" for at in range(2, 7))
    assert runs.notes == (
        f"9 rows could not be read and count as missing answers: run.jsonl at {lines}.",
    )


def test_a_quote_that_does_not_end_and_a_line_too_long_are_told(gold, write):
    bad = write("bad.csv", 'item,label\nd1,"1\nd2,2\nd3,2\n')
    assert message(lambda: oe.Runs.from_files(gold, bad)) == (
        "a quote that begins at line 2 of 'bad.csv' does not end. Close it or double it."
    )


# --- items that occur twice, or nowhere


def test_an_item_twice_is_refused_with_its_name_and_the_way_out(gold, write):
    rest = "Remove the others, or pass duplicates='first' to keep the first."
    twice = write("twice.csv", "item,label\nd1,1\nd2,2\nd3,2\nd1,2\nd3,1\n")
    other = write("other.csv", "item,label\nd1,1\nd2,2\nd3,2\n")
    assert message(lambda: oe.Runs.from_files(gold, twice)) == (
        f"'twice.csv' has more than one row for item 'd1', 'd3'. {rest}"
    )
    assert message(lambda: oe.Runs.from_files(gold, [other, twice])) == (
        f"system 'twice' has more than one row for item 'd1', 'd3'. {rest}"
    )
    for systems in (other, [other, gold]):
        assert message(lambda systems=systems: oe.Runs.from_files(twice, systems)) == (
            f"gold, 'twice.csv', has more than one row for item 'd1', 'd3'. {rest} If several raters marked the "
            f"items, name their column with rater=."
        )


def test_an_item_in_two_cases_is_told_apart_only_where_all_files_name_the_cases(write):
    rest = (
        "and not all files have a column of test cases to tell these apart. Add it to the others, or name it with "
        "case=."
    )
    cased = write("cased.csv", "case,item,label\nx,d1,1\ny,d1,2\n")
    bare = write("bare.csv", "item,label\nd1,1\n")
    also = write("also.csv", "item,label\nd1,1\n")
    for systems in (bare, [bare, also]):
        assert message(lambda systems=systems: oe.Runs.from_files(cased, systems)) == (
            f"gold, 'cased.csv', has more than one row for item 'd1', {rest}"
        )
        assert (
            message(lambda systems=systems: oe.Runs.from_files(cased, systems, duplicates="first"))
            == f"gold, 'cased.csv', has more than one row for item 'd1', {rest}"
        )
    assert message(lambda: oe.Runs.from_files(bare, cased)) == (
        f"'cased.csv' has more than one row for item 'd1', {rest}"
    )
    assert message(lambda: oe.Runs.from_files(bare, [also, cased])) == (
        f"system 'cased' has more than one row for item 'd1', {rest}"
    )


@pytest.mark.parametrize("systems", [1, 2])
def test_the_first_row_of_an_item_is_the_first_in_the_file_on_either_side(write, systems):
    # by hand: gold keeps d1 = 1 and d2 = 2; the run answers d1 with 2 and d2 with 2
    gold = write("gold.csv", "item,label\nd1,1\nd2,2\nd1,2\nd1,2\n")
    run = write("run.csv", "item,label\nd1,2\nd1,1\nd2,2\nd2,1\nzz,1\nzz,1\n")
    other = write("other.csv", "item,label\nd1,1\nd2,1\n")
    runs = oe.Runs.from_files(gold, [run, other][:systems], duplicates="first")
    assert runs.table.answered.tolist() == [[[0, 1], [0, 1]], [[1, 0], [1, 0]]][:systems]
    assert runs.ignored == {"not_in_gold": 2, "duplicate": 4, "unreadable": 0}


def test_a_system_about_other_items_is_refused_with_items_of_both(gold, write):
    other = write("other.csv", "item,label\nx1,1\nx2,1\nx3,1\n")
    says = (
        "no answer of 'other' is about an item of gold: its items are named like 'x1', 'x2' and gold's like 'd1', "
        "'d2'. Check the columns of items and test cases."
    )
    assert message(lambda: oe.Runs.from_files(gold, other)) == says
    same = write("same.csv", "item,label\nd1,1\nd2,1\nd3,1\n")
    for systems in ([same, other], [other, same]):
        assert message(lambda systems=systems: oe.Runs.from_files(gold, systems)) == says


@pytest.mark.parametrize("systems", [1, 2])
def test_ids_of_different_types_are_joined_as_people_write_them(write, gold, systems):
    del gold
    texts = write("gold.csv", "case,item,label\n1,1,1\n1,2,2\n2,1,1\n2,2.5,2\n")
    floats = parquet(
        "floats.parquet",
        'SELECT * FROM (VALUES (1::DOUBLE, 1::DOUBLE, 1), (1, 2, 2), (2, 1, 1), (2, 2.5, 2)) t("case", item, label)',
    )
    small = parquet(
        "small.parquet",
        'SELECT * FROM (VALUES (1::TINYINT, 1::FLOAT, 1), (1, 2, 2), (2, 1, 1), (2, 2.5, 2)) t("case", item, label)',
    )
    runs = oe.Runs.from_files(texts, [floats, small][:systems])
    assert runs.cases == ("1", "2")
    assert oe.accuracy(runs.pooled().table).tolist() == [1.0] * systems
    assert oe.accuracy(oe.Runs.from_files(floats, texts).pooled().table).tolist() == [1.0]
    with_texts = oe.Runs.from_files(floats, [texts, small])
    assert oe.accuracy(with_texts.pooled().table).tolist() == [1.0, 1.0]


# --- systems


def test_a_system_in_two_files_is_refused(gold, write):
    one = write("one.csv", "item,label,system\nd1,1,a\n")
    two = write("two.csv", "item,label,system\nd1,1,a\n")
    assert message(lambda: oe.Runs.from_files(gold, [one, two])) == (
        "two systems are named 'a', in 'one.csv' and 'two.csv'. Rename one; parts of one table are passed as a glob "
        "with shards=True."
    )


def test_systems_of_a_column_come_in_the_order_in_which_people_count(gold, write):
    rows = "".join(f"d1,1,s{at}\n" for at in (10, 2, 1))
    runs = oe.Runs.from_files(gold, write("run.csv", f"item,label,system\n{rows}"), missing="zero")
    assert runs.systems == ("s1", "s2", "s10")


def test_more_names_of_systems_than_there_can_be_are_refused(gold, write, monkeypatch):
    monkeypatch.setattr(join, "MANY_SYSTEMS", 3)
    rows = "".join(f"d{at},1,m{at}\n" for at in range(1, 5))
    run = write("run.csv", f"item,label,system\n{rows}")
    assert message(lambda: oe.Runs.from_files(gold, run)) == (
        "the column of systems in 'run.csv' has more than 3 names, such as 'm1', 'm2', 'm3'; it seems to hold "
        "something else, such as ids. Name the right one with system=, or pass so many systems in several files."
    )
    three = write("run.csv", "item,label,system\nd1,1,a\nd1,1,b\nd1,1,c\n")
    assert oe.Runs.from_files(gold, three, missing="zero").systems == ("a", "b", "c")


def test_more_different_labels_than_there_can_be_are_refused(write, monkeypatch):
    monkeypatch.setattr(join_many, "MANY_LABELS", 3)
    gold = write("gold.csv", "item,label\nd1,1\nd2,2\nd3,3\n")
    run, other = write("run.csv", "item,label\nd1,4\n"), write("other.csv", "item,label\nd1,1\n")
    assert message(lambda: oe.Runs.from_files(gold, [run, other])) == (
        "there are more than 3 different labels, such as '1', '2', '3'; these are not classes. Name the column of "
        "labels with label=."
    )
    assert oe.Runs.from_files(gold, [gold, other], missing="zero").scale.k == 3


# --- columns


def test_a_column_that_no_file_has_is_refused_with_what_they_have(gold, write):
    run = write("run.csv", "item,rating\nd1,1\n")
    assert message(lambda: oe.Runs.from_files(gold, run, label="rating", case="zzz")) == (
        "no file has the column 'zzz' for case=; they have 'item', 'label', 'rating'. Check its spelling."
    )
    evall = write("evall.tsv", "t\td1\t1\nt\td2\t1\n")
    assert message(lambda: oe.Runs.from_files(evall, evall, label="rating")) == (
        "no file has the column 'rating' for label=; none has a header. Check its spelling."
    )


def test_shards_with_different_columns_are_refused(gold, write):
    write("run-0.csv", "item,label\nd1,1\n")
    write("run-1.csv", "item,system,label\nd2,a,2\n")
    assert message(lambda: oe.Runs.from_files(gold, "run-*.csv", shards=True)) == (
        "the files of 'run-*.csv' differ: one has the columns item, label and another item, label, system. Give them "
        "the same columns."
    )


def test_json_that_is_not_one_object_on_each_line_is_refused(gold, write):
    array = write("run.json", ' [{"item": "d1"}]')
    assert message(lambda: oe.Runs.from_files(gold, array)) == (
        "'run.json' is a JSON array; JSON lines are read, one object on each line. Write it as JSON lines."
    )
    words = write("run.jsonl", "no\n5\n")
    assert message(lambda: oe.Runs.from_files(gold, words)) == (
        "'run.jsonl' holds no JSON object in its first lines; JSON lines have one object on each line."
    )


def test_keys_of_json_may_come_late_and_hold_quotes(gold, write):
    rows = [{"x": 1}, {"item": "d1", 'la"b\\el': 1}, {"item": "d2", 'la"b\\el': 2}]
    run = write("run.jsonl", "\n".join(map(json.dumps, rows)))
    runs = oe.Runs.from_files(gold, run, label='la"b\\el', missing="zero")
    assert runs.table.answered.tolist() == [[[1, 0], [0, 1]]]
    assert runs.ignored["unreadable"] == 1


def test_labels_of_a_type_that_is_none_are_refused(gold, write):
    dates = parquet("dates.parquet", "SELECT 'd1' AS item, DATE '2020-01-01' AS label")
    says = "column 'label' of 'dates.parquet' has the type DATE; labels are numbers, text or booleans. Convert it."
    assert message(lambda: oe.Runs.from_files(gold, dates)) == says
    assert message(lambda: oe.Runs.from_wide(dates, gold="label", predicted="item")) == says


TYPES = {
    "TINYINT": (1, 2),
    "UBIGINT": (1, 2),
    "HUGEINT": (1, 2),
    "DOUBLE": (1, 2),
    "FLOAT": (1, 2),
    "DECIMAL(9, 2)": (1, 2),
    "VARCHAR": (1, 2),
    "ENUM('1', '2')": (1, 2),
    "BOOLEAN": (False, True),
}


@grid("kind, systems", itertools.product(TYPES, [1, 2]), every=2)
def test_labels_of_every_type_of_parquet_are_read(write, gold, kind, systems):
    del gold, write
    values = ("false", "true") if kind == "BOOLEAN" else ("1", "2")
    rows = ", ".join(f"('d{at}', '{value}'::{kind})" for at, value in enumerate(values))
    for name in ("gold", "run", "other"):
        parquet(f"{name}.parquet", f"SELECT * FROM (VALUES {rows}, ('d9', NULL)) t(item, label)")
    runs = oe.Runs.from_files(
        "gold.parquet", ["run.parquet", "other.parquet"][:systems], gold_missing="drop"
    )
    assert runs.scale.labels == TYPES[kind]
    assert runs.table.answered.tolist() == [[[1, 0], [0, 1]]] * systems
    assert runs.ignored["gold_missing"] == 1


def test_single_precision_is_read_as_the_decimal_that_was_written(write, gold):
    del gold, write
    rows = "SELECT * FROM (VALUES ('d1', 0.1::FLOAT), ('d2', 0.7::FLOAT)) t(item, label)"
    runs = oe.Runs.from_files(parquet("gold.parquet", rows), parquet("run.parquet", rows))
    assert runs.scale.labels == (0.1, 0.7)


# --- the engine


def test_what_the_engine_cannot_do_is_said_in_one_sentence():
    def failing(error):
        def work(database):
            del database
            raise error

        return work

    assert message(lambda: engine.reading(failing(duckdb.OutOfMemoryException("no room")))) == (
        f"the files do not fit into memory and the temporary folder {tempfile.gettempdir()!r}. Make room in it, or "
        f"choose another folder with the environment variable TMPDIR."
    )
    assert message(lambda: engine.reading(failing(duckdb.IOException("No disk.\n\nMore")))) == (
        "the files cannot be read: No disk."
    )
    with pytest.raises(RuntimeError, match="something else"):
        engine.reading(failing(RuntimeError("something else")))
    with pytest.raises(oe.errors.DataError, match=r"^ours$"):
        engine.reading(failing(oe.errors.DataError("ours")))


def test_work_is_done_again_on_copies_only_where_the_engine_meets_mixed_line_ends():
    seen = []

    def work(database):
        seen.append(database.same_line_ends)
        if len(seen) == 1:
            raise duckdb.InvalidInputException("set strict_mode=false")
        return "done"

    assert engine.reading(work) == "done"
    assert seen == [False, True]

    def other(database):
        seen.append(database.same_line_ends)
        raise duckdb.InvalidInputException("another fault")

    assert message(lambda: engine.reading(other)) == "the files cannot be read: another fault."
    assert seen == [False, True, False]


def test_progress_is_told_in_percent_while_the_engine_works(monkeypatch):
    monkeypatch.setattr(engine, "LOOK", 0.001)
    steps = []

    def work(database):
        database.rows("SELECT count(*) FROM range(60000000) a(i) WHERE hash(i) % 7 = 0")
        while not steps:
            database.rows("SELECT count(*) FROM range(60000000) a(i) WHERE hash(i) % 7 = 0")

    engine.reading(work, lambda done, whole: steps.append((done, whole)))
    assert steps
    assert all(0 <= done <= whole == 100 for done, whole in steps)


@pytest.mark.usefixtures("own_engine")
def test_the_engine_works_in_a_folder_that_is_gone_afterwards():
    folders = []

    def work(database):
        folders.append(database.folder)
        assert database.folder.is_dir()
        settings = database.rows(
            "SELECT current_setting('memory_limit'), current_setting('temp_directory')"
        )
        assert settings[0][1] == str(database.folder)
        assert database.rows("SELECT current_setting('threads')")[0][0] <= 6  # 1,500 MB, 250 each

    engine.reading(work)
    assert not folders[0].exists()
