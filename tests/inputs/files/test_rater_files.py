"""Files of raters' marks: how columns and raters are found, and what each refusal says."""

import pytest

import ordeval as oe
from ordeval.errors import OrdevalError

LONG = "item,rater,label\np,ann,1\np,bob,2\nq,ann,3\n"
WIDE = "id,ann,bob\np,1,2\nq,3,\n"


def read(*files, **options):
    return oe.Ratings.from_file(files[0] if len(files) == 1 else list(files), **options)


def message(*files, **options):
    """Return what an error of ours says."""
    with pytest.raises(OrdevalError) as caught:
        read(*files, **options)
    return str(caught.value)


def test_columns_are_found_by_their_usual_names_in_any_case(write):
    known = read(write("a.csv", LONG))
    for header in ("doc,annotator,grade", "ID,WORKER,Score", "item_id,judge,rating"):
        assert read(write("b.csv", LONG.replace("item,rater,label", header))) == known
    other = LONG.replace("item,rater,label", "text,who,verdict")
    assert read(write("c.csv", other), item="text", rater="who", label="verdict") == known


def test_a_model_is_a_rater_where_no_column_is_named_so_and_no_system(write):
    marks = "id,model,score\n1,gpt,3\n1,llama,4\n"
    assert read(write("judges.csv", marks)).raters == ("gpt", "llama")


def test_one_file_without_raters_is_refused_and_several_are_a_rater_each(write):
    write("ann.csv", "item,label\np,1\nq,3\n")
    write("bob.jsonl", '{"id": "p", "score": 2}\n')
    said = message("ann.csv")
    assert said.startswith("'ann.csv' has no column of raters: it has 'item', 'label'")
    assert (
        "Name it with rater=. If the table has a column for each rater, name these: raters=" in said
    )
    ratings = read("ann.csv", "bob.jsonl")
    assert ratings == read(write("both.csv", LONG))


def test_a_headerless_table_is_one_of_test_cases_and_items(write):
    write("ann.tsv", "t1\td1\t1\nt1\td2\t2\n")
    write("bob.tsv", "t1\td1\t2\nt2\td1\t2\n")
    assert "has no header, so it does not name the raters" in message("ann.tsv")
    ratings = read("*.tsv")
    assert ratings.raters == ("ann", "bob")
    assert ratings.items == (("d1", "t1"), ("d2", "t1"), ("d1", "t2"))


def test_test_cases_in_some_files_only_are_refused(write):
    write("a.csv", "case,item,label\nx,p,1\n")
    write("b.csv", "item,label\np,1\n")
    assert "some of the files have a column of test cases" in message("a.csv", "b.csv")


def test_columns_that_were_named_must_be_there(write):
    write("a.csv", LONG)
    write("w.csv", WIDE)
    assert "no file has the column 'who' for rater=" in message("a.csv", rater="who")
    assert "no file has the column 'text' for item=" in message("a.csv", item="text")
    assert "'w.csv' has no column 'cy' for raters=" in message("w.csv", raters=["ann", "cy"])
    assert "named twice" in message("w.csv", raters=["ann", "Ann"])
    assert "raters= the columns of a wide one" in message("w.csv", raters=["ann"], rater="x")
    assert "count= is for wide files" in message("a.csv", count="n")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("item,rater,label\np,ann,1\n,bob,2\n", "1 row of 'a.csv' cannot be read: no item id, no rater"),
        ("item,rater,label\np,ann,1\np,,2\n", "1 row of 'a.csv' cannot be read: no item id, no rater"),
        ("item,rater,label\np,ann,1\np,bob\n", "1 row of 'a.csv' cannot be read: line 3 (too few columns)"),
        ("item,rater,label\n", "'a.csv' has no rows"),
        ("item,rater,label\np,ann,\n", "there are no marks"),
        ("item,rater,label\np,ann,1\np,ann,1\n", "more than one mark by rater 'ann' of item 'p'"),
        ("item,rater,label\np,ann,1\np,bob,n/a\n", "the marks have 'n/a' among numbers such as 1"),
        ("item,rater\np,ann\n", "'a.csv' has no column of labels"),
        ("rater,label\nann,1\n", "'a.csv' has no column of item ids"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_named(write, text, what):
    assert what in message(write("a.csv", text))


def test_a_line_that_is_no_object_is_refused(write):
    write("a.jsonl", '{"item": "p", "rater": "x", "label": 1}\nnot json\n')
    assert "line 2 (no JSON object with an item)" in message("a.jsonl")
    write("w.jsonl", '{"item": "p", "x": 1, "y": 2}\nnot json\n')
    assert "1 row of 'w.jsonl' cannot be read" in message("w.jsonl", raters=["x", "y"])


def test_a_wide_file_has_each_item_once(write):
    write("w.csv", WIDE + "q,1,1\n")
    assert message("w.csv", raters=["ann", "bob"]).startswith(
        "'w.csv' has more than one row for item 'q'."
    )
    first = read("w.csv", raters=["ann", "bob"], duplicates="first")
    assert first == read(write("v.csv", WIDE), raters=["ann", "bob"], duplicates="first")
    assert dict(first.ignored) == {"duplicate": 1}


def test_parts_of_a_wide_table_are_one_table(write):
    write("w1.csv", "id,ann,bob\np,1,2\n")
    write("w2.csv", "id,ann,bob\nq,3,\n")
    known = read(write("v.csv", WIDE), raters=["ann", "bob"])
    assert read("w1.csv", "w2.csv", raters=["ann", "bob"]) == known
    assert read("w?.csv", raters="ann") == known.select(["ann"])


def test_a_wide_file_without_item_ids_has_numbered_items(write):
    ratings = read(write("w.csv", "ann,bob\n1,2\n3,3\n"), raters=["ann", "bob"])
    assert ratings.items == (0, 1)


def test_items_of_text_and_of_numbers_are_the_same_items(write):
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(
        pa.table({"item": [1, 2], "rater": ["ann", "ann"], "label": [1, 2]}), write("a.parquet", "")
    )
    write("b.csv", "item,rater,label\n2,bob,1\n1,bob,2\n")
    ratings = read("a.parquet", "b.csv")
    assert ratings.items == ("1", "2")
    assert ratings.shares().tolist() == [[0.5, 0.5], [0.5, 0.5]]


def test_progress_may_be_watched(write):
    assert read(write("a.csv", LONG), progress=lambda *_: None).marks == 3


@pytest.mark.parametrize(
    ("name", "raters", "items", "marks"),
    [  # as the README of the data counts them
        ("restaurant_stars_humans", 10, 711, 2193),
        ("restaurant_stars_judges", 6, 711, 4266),
        ("prompt_quality_humans", 13, 1698, 3844),
        ("prompt_quality_judges", 6, 1698, 10188),
    ],
)
def test_published_marks_are_read_whole(shared, name, raters, items, marks):
    ratings = read(shared / "data" / "llm_judges2025" / f"{name}.csv.gz")
    assert (len(ratings.raters), ratings.n, ratings.marks) == (raters, items, marks)
    assert ratings.scale.labels == (1, 2, 3, 4, 5)


def test_hundreds_of_raters_who_marked_few_items_each_are_read_whole(shared):
    ratings = read(shared / "data" / "lewidi2025" / "sarcasm_dev.csv.gz")
    assert ratings.n == 704
    assert (ratings.marks_of_pattern.min(), ratings.marks_of_pattern.max()) == (4, 6)
    assert ratings.shares().sum(axis=1).round(12).tolist() == [1] * 704
