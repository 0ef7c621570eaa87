"""Marks in small files that are read without the engine: what comes of them is what the engine makes of them."""

import subprocess
import sys
from dataclasses import fields

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ordeval as oe
from ordeval.inputs.files import small_marks, small_text
from tests.examples import examples
from tests.inputs.files.test_small_files import IDS, POLICIES, long_file
from tests.run_content import plain

SMALL = 1 << 20


def outcome(small, *files, **options):
    """Return the ratings or the error, by the engine or without it, and whether it was done without."""
    done = []
    before = small_marks.counted_unchanged

    def watched(work, sources):
        found = before(work, sources)
        done.append(found is not None)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(small_text, "SMALL", small)
        patch.setattr(small_marks, "counted_unchanged", watched)
        try:
            ratings = oe.Ratings.from_file([*map(str, files)], **options)
        except oe.OrdevalError as error:
            return (type(error), str(error)), any(done)
    held = {one.name: plain(getattr(ratings, one.name)) for one in fields(ratings)}
    return {**held, "scale": (ratings.scale.labels, ratings.scale.values)}, any(done)


def assert_same(*files, **options):
    """Compare what comes of files without the engine and with it; tell whether it was done without."""
    found, without = outcome(SMALL, *files, **options)
    wanted, never = outcome(0, *files, **options)
    assert found == wanted
    assert not never
    return without


def test_the_marks_of_a_small_file_are_those_that_it_holds(write):
    file = write("marks.csv", "item,rater,label\na,x,1\na,y,2\nb,x,2\nb,y,\n")
    ratings, without = outcome(SMALL, file)
    assert without
    assert ratings["raters"] == ["x", "y"]
    assert ratings["scale"][0] == (1, 2)
    assert assert_same(file)


@pytest.mark.parametrize(
    "texts",
    [
        ("item,rater,label\na,x,1\na,y,2\nb,x,2\nb,y,1\n",),
        ("item,rater,label\na,x,1\na,x,2\n",),  # one rater twice
        ("item,rater,label,epoch\na,x,1,1\na,x,2,2\nb,x,2,1\n",),
        ("item,rater,label\na,x,1\na,,2\n",),  # no rater
        ("item,rater,label\na,x,1\n,y,2\n",),  # no item
        ("item,rater,label\na,x,\nb,y,\n",),  # no label
        ("case,item,rater,label\nq1,a,x,1\nq2,a,x,2\nq1,a,y,2\n",),
        ("case,item,rater,label\nq1,a,x,1\n,b,x,2\n",),
        ("item,label\na,1\nb,2\n",),  # of nobody
        ("item,label\na,1\nb,2\n", "item,label\nb,1\na,2\n"),  # a file for each rater
        ("item,label\na,1\nb,2\n", "id,rater,mark\nb,x,1\na,y,2\n"),
        ("item,label\na,1\nb,2\n", "item,rater,label,repeat\nb,x,1,1\nb,x,2,2\n"),
        ("item,label\na,1\nb,2\n", "case,item,label\nq,b,1\nq,a,2\n"),
        ("q\ta\t1\nq\tb\t2\n", "item,label\nb,1\na,2\n"),
        ("x,y\na,1\n",),
        ("item,rater,label\n",),
    ],
    ids=ascii,
)
def test_every_shape_of_long_files_is_read_as_the_engine_reads_it(write, texts):
    files = [write(f"{name}.csv", text) for name, text in zip("xyz", texts, strict=False)]
    assert_same(*files)
    assert_same(*files, duplicates="first", unknown="missing", labels=[1, 2])


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=st.lists(long_file(IDS), min_size=1, max_size=2),
    options=POLICIES,
    named=st.sampled_from([{}, {}, {"label": "mark"}, {"case": "note"}]),
)
def test_long_files_are_read_as_the_engine_reads_them(tmp_path, texts, options, named):
    files = [tmp_path / f"{name}.csv" for name in "xy"[: len(texts)]]
    for file, text in zip(files, texts, strict=True):
        file.write_bytes(text.encode())
    taken = {"unknown", "duplicates", "labels", "round"}
    assert_same(
        *files, **named, **{name: value for name, value in options.items() if name in taken}
    )


def test_the_agreement_of_small_files_does_not_load_the_engine(write):
    file = write("marks.csv", "item,rater,label\na,x,1\na,y,2\nb,x,2\nb,y,1\n")
    code = (
        "import sys, ordeval as oe\n"
        f"oe.Ratings.from_file({file!r})\nsys.exit('duckdb' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    "text",
    [
        "item,ann,bob\na,1,2\nb,2,2\n",
        "ann,bob\n1,2\n2,2\n2,\n",
        "case,item,ann,bob\nq1,a,1,2\nq2,a,2,2\n",
        "case,item,ann,bob\nq1,a,1,2\nq1,a,2,2\n",  # an item twice
        "item,ann,bob\na,1,2\n,2,2\n",
        "n,ann,bob\n3,1,2\n4,2,2\n",  # may hold counts
        "item,Ann,bob\na,1,x\nb,2,2\n",
        "item,ann\na,1\n",
        "item,ann,bob\n",
    ],
    ids=ascii,
)
def test_every_shape_of_wide_files_is_read_as_the_engine_reads_it(write, text):
    file = write("wide.csv", text)
    assert_same(file, raters=["ann", "bob"])
    assert_same(file, raters=["ann", "bob"], label="ann")  # which is of a long file
    assert_same(file, raters=["bob", "ann"], duplicates="first", unknown="missing", labels=[1, 2])


def test_a_clean_wide_file_is_read_without_the_engine_and_its_marks_are_those_that_it_holds(write):
    file = write("wide.csv", "item,ann,bob\na,1,2\nb,,3\n")
    ratings, without = outcome(SMALL, file, raters=["ann", "bob"])
    assert without
    assert ratings["raters"] == ["ann", "bob"]
    assert ratings["scale"][0] == (1, 2, 3)
    assert assert_same(file, raters=["ann", "bob"])


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(
        st.tuples(*[st.sampled_from(["1", "2", "3", "3", "", "1.0", "low", '"2"'])] * 3),
        min_size=1,
        max_size=6,
    ),
    ids=st.permutations(IDS),
    options=POLICIES,
)
def test_wide_files_are_read_as_the_engine_reads_them(tmp_path, rows, ids, options):
    file = tmp_path / "wide.csv"
    lines = [f"{one},{','.join(row)}" for one, row in zip(ids, rows, strict=False)]
    file.write_text("\n".join(["item,ann,bob,cy", *lines, ""]))
    taken = {"unknown", "duplicates", "labels", "round"}
    chosen = {name: value for name, value in options.items() if name in taken}
    assert_same(file, raters=["ann", "bob", "cy"], **chosen)


@pytest.mark.parametrize(
    ("gold", "answers"),
    [
        ("item,rater,label\na,x,1\na,y,2\nb,x,2\nb,y,1\n", "item,label\na,1\nb,2\n"),
        ("item,rater,label\na,x,1\na,y,2\nb,x,2\n", "item,system,label\na,s,1\nb,s,2\na,t,2\n"),
        ("item,rater,label\na,x,1\na,y,2\nb,x,2\n", "item,model,label\na,s,1\nb,s,2\n"),
        ("item,rater,label\na,x,1\na,y,2\n", "item,label\na,1\na,2\n"),
        ("item,rater,label\na,x,1\na,y,2\n", "item,label\nz,1\n"),
    ],
    ids=ascii,
)
def test_answers_to_the_items_of_raters_are_read_as_the_engine_reads_them(write, gold, answers):
    files = write("gold.csv", gold), write("answers.csv", answers)
    found = []
    for small in (SMALL, 0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(small_text, "SMALL", small)
            try:
                runs = oe.Runs.from_files(*files, rater="rater", missing="zero")
            except oe.OrdevalError as error:
                found.append((type(error), str(error)))
            else:
                found.append((runs.systems, runs.table.answered.tolist(), runs.ignored, runs.notes))
    assert found[0] == found[1]
