"""The same ratings in a dozen forms are equal; what each form has of its own is kept."""

import gzip

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

import ordeval as oe
from tests.examples import grid
from tests.inputs.files.workbooks import write_workbook

LIBRARIES = [pd.DataFrame, lambda columns: pl.DataFrame(columns, strict=False), pa.table]


class Sheet:
    """Random ratings as columns of Python's objects: a row for each item, and a row for each mark."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        items, raters = int(rng.integers(1, 40)), int(rng.integers(1, 8))
        words = ["poor", "fair", "good"]
        self.labels = [None, [1, 2, 3, 4, 5], words][rng.integers(3)]
        classes = words if self.labels == words else [1, 2, 3, 4, 5]
        marks = rng.integers(len(classes), size=(items, raters))
        gap = rng.random((items, raters)) < rng.choice([0, 0.2, 0.8])
        gap[rng.integers(items), rng.integers(raters)] = False
        self.marks = [
            [None if absent else classes[mark] for mark, absent in zip(*row, strict=True)]
            for row in zip(marks, gap, strict=True)
        ]
        self.raters = [f"r{at}" for at in range(raters)]
        self.items = [f"d{at}" for at in rng.permutation(items)]
        self.wide = {"item": self.items} | {
            rater: [row[at] for row in self.marks] for at, rater in enumerate(self.raters)
        }
        self.long = {
            "item": [item for item in self.items for _ in self.raters],
            "rater": self.raters * items,
            "label": [mark for row in self.marks for mark in row],
        }

    def expected(self):
        """Return the ratings of the list of rows."""
        return oe.Ratings.from_array(
            self.marks, raters=self.raters, item=self.items, labels=self.labels
        )


def lines_of(columns, separator):
    rows = [columns, *zip(*columns.values(), strict=True)]
    text = [separator.join("" if each is None else str(each) for each in row) for row in rows]
    return ("\n".join(text) + "\n").encode()


def write_all(folder, name, columns):
    """Write columns in every format of files and return the files."""
    frame = pd.DataFrame(columns)
    rows = [list(columns), *map(list, zip(*columns.values(), strict=True))]
    (folder / f"{name}.csv").write_bytes(lines_of(columns, ","))
    (folder / f"{name}.tsv").write_bytes(lines_of(columns, "\t"))
    (folder / f"{name}.csv.gz").write_bytes(gzip.compress(lines_of(columns, ",")))
    frame.to_json(folder / f"{name}.jsonl", orient="records", lines=True)
    pq.write_table(pa.table(columns), folder / f"{name}.parquet")
    write_workbook(folder / f"{name}.xlsx", {"marks": rows})
    endings = ("csv", "tsv", "csv.gz", "jsonl", "parquet", "xlsx")
    return [folder / f"{name}.{ending}" for ending in endings]


@grid("seed", range(25))
def test_frames_arrays_and_json_give_the_ratings_of_the_rows(seed):
    sheet = Sheet(seed)
    known, labels = sheet.expected(), sheet.labels
    for make in LIBRARIES:
        wide = oe.Ratings.from_wide(make(sheet.wide), raters=sheet.raters, labels=labels)
        assert wide == known
        assert oe.Ratings.from_frame(make(sheet.long), labels=labels) == known
    marks = make_array(sheet)
    named = {"raters": sheet.raters, "item": sheet.items, "labels": labels}
    for array in (marks, np.asfortranarray(marks), np.repeat(marks, 2, axis=0)[::2]):
        assert oe.Ratings.from_array(array, **named) == known
    assert oe.Ratings.from_json(known.to_json()) == known
    lazy = oe.Ratings.from_frame(pl.DataFrame(sheet.long, strict=False).lazy(), labels=labels)
    grouped = oe.Ratings.from_wide(
        pl.DataFrame(sheet.wide, strict=False).lazy(), raters=sheet.raters, labels=labels
    )
    assert lazy == grouped
    assert lazy.item_names is None
    assert lazy.mark.tolist() == known.mark.tolist()
    assert lazy.count.tolist() == known.count.tolist()


def make_array(sheet):
    """Return the marks as an array: floats with NaN, or objects."""
    words = any(isinstance(mark, str) for row in sheet.marks for mark in row)
    return np.array(sheet.marks, dtype=object if words else np.float64)


@grid("seed", range(4))
def test_files_of_all_formats_give_the_ratings_of_the_rows(seed, tmp_path):
    sheet = Sheet(100 + seed)
    known = sheet.expected()
    for path in write_all(tmp_path, "long", sheet.long):
        assert oe.Ratings.from_file(path, labels=sheet.labels) == known, path.name
    for path in write_all(tmp_path, "wide", sheet.wide):
        wide = oe.Ratings.from_file(path, raters=sheet.raters, labels=sheet.labels)
        assert wide == known, path.name


def test_parts_of_a_table_and_a_file_for_each_rater_give_the_whole(tmp_path):
    sheet = Sheet(7)
    known, half = sheet.expected(), len(sheet.long["item"]) // 2
    for at, part in enumerate((slice(half), slice(half, None))):
        columns = {name: values[part] for name, values in sheet.long.items()}
        (tmp_path / f"part{at}.csv").write_bytes(lines_of(columns, ","))
    for rater in sheet.raters:
        columns = {"item": sheet.items, "label": sheet.wide[rater]}
        (tmp_path / f"{rater}.tsv").write_bytes(lines_of(columns, "\t"))
    assert oe.Ratings.from_file(tmp_path / "part*.csv", labels=sheet.labels) == known
    files = [tmp_path / f"{rater}.tsv" for rater in sheet.raters]
    assert oe.Ratings.from_file(files, labels=sheet.labels) == known


def test_marks_of_every_kind_of_number_are_the_same():
    known = oe.Ratings.from_array([[1, 2], [3, 1]])
    for kind in ("i1", "u8", "f2", "f4", "f8", "O", "U"):
        assert oe.Ratings.from_array(np.array([[1, 2], [3, 1]]).astype(kind)) == known
    masked = np.ma.array([[1, 2], [3, 9]], mask=[[0, 0], [0, 1]])
    assert oe.Ratings.from_array(masked) == oe.Ratings.from_array([[1, 2], [3, None]])
    flags = oe.Ratings.from_array(np.array([[True, False]]))
    assert flags.scale.labels == (False, True)


def test_a_frame_passed_as_an_array_names_the_raters():
    frame = pd.DataFrame({"ann": [1, 2], "bob": [2, None]})
    for given in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame)):
        ratings = oe.Ratings.from_array(given)
        assert ratings.raters == ("ann", "bob")
        assert ratings == oe.Ratings.from_array([[1, 2], [2, None]], raters=["ann", "bob"])


def test_raters_without_names_are_numbered_from_one_and_items_from_zero():
    ratings = oe.Ratings.from_array([[1, 2], [2, 2]])
    assert ratings.raters == ("rater 1", "rater 2")
    assert ratings.items == (0, 1)


def test_items_of_a_long_frame_come_as_they_first_appear_and_raters_in_natural_order():
    frame = {"doc": ["z", "a", "z"], "judge": ["j10", "j2", "j2"], "grade": [1, 2, 3]}
    ratings = oe.Ratings.from_frame(pd.DataFrame(frame))
    assert ratings.items == ("z", "a")
    assert ratings.raters == ("j2", "j10")
    assert ratings.shares().tolist() == [[0.5, 0, 0.5], [0, 1, 0]]
    assert ratings.consensus() == [1, 2]


def test_an_item_is_one_of_its_test_case():
    columns = {"case": ["x", "x", "y"], "item": [1, 2, 1], "rater": "aab", "label": [1, 2, 3]}
    columns["rater"] = list(columns["rater"])
    ratings = oe.Ratings.from_frame(pd.DataFrame(columns))
    assert ratings.items == ((1, "x"), (2, "x"), (1, "y"))
    assert repr(ratings.items[2]) == "1 of case 'y'"
    assert oe.Ratings.from_json(ratings.to_json()) == ratings
    counted = oe.Ratings.from_frame(pl.DataFrame(columns).lazy())
    assert counted.n == 3


def test_an_item_that_nobody_marked_stays_without_a_mark(tmp_path):
    path = tmp_path / "marks.csv"
    path.write_text("item,rater,label\na,x,1\nb,x,\nb,y,\nc,y,2\n")
    long = {"item": list("abbc"), "rater": list("xxyy"), "label": [1, None, None, 2]}
    for ratings in (
        oe.Ratings.from_file(path),
        oe.Ratings.from_frame(pd.DataFrame(long)),
        oe.Ratings.from_array([[1, None], [None, None], [None, 2]]),
    ):
        assert ratings.n == 3
        assert ratings.marks == 2
        assert ratings.consensus() == [1, None, 2]
        assert np.isnan(ratings.shares()[1]).all()
    assert oe.Ratings.from_frame(pl.DataFrame(long).lazy()).n == 3


def test_one_rater_is_enough_to_read():
    assert oe.Ratings.from_array([[1], [2]], raters=["ann"]).raters == ("ann",)


def test_an_ordered_type_gives_the_order_of_the_classes():
    words = pd.CategoricalDtype(["bad", "fair", "good"], ordered=True)
    frame = pd.DataFrame({"a": ["good", "bad"], "b": ["bad", None]}).astype(words)
    ratings = oe.Ratings.from_wide(frame, raters=["a", "b"])
    assert ratings.scale.labels == ("bad", "fair", "good")
    assert ratings.mark.tolist() == [[0, 3], [2, 0]]
    enum = pl.DataFrame(
        {"item": [1, 1], "rater": ["a", "b"], "label": ["good", "bad"]},
        schema_overrides={"label": pl.Enum(["bad", "fair", "good"])},
    )
    assert oe.Ratings.from_frame(enum).scale.labels == ("bad", "fair", "good")
    assert oe.Ratings.from_frame(enum.lazy()).scale.labels == ("bad", "fair", "good")


def test_counts_say_how_many_items_a_row_stands_for(tmp_path):
    columns = {"a": [1, 2, 1], "b": [1, 1, None], "n": [3, 2, 5]}
    path = tmp_path / "counted.csv"
    path.write_bytes(lines_of(columns, ","))
    wide = {"raters": ["a", "b"], "count": "n"}
    for ratings in (
        oe.Ratings.from_wide(pd.DataFrame(columns), **wide),
        oe.Ratings.from_wide(pl.DataFrame(columns).lazy(), **wide),
        oe.Ratings.from_file(path, **wide),
    ):
        assert ratings.n == 10
        assert ratings.marks == 15
        assert ratings.item_names is None


def test_more_raters_than_an_engine_has_columns_for_are_fetched():
    raters = [f"w{at}" for at in range(70)]
    long = {"item": [at // 2 for at in range(70)], "rater": raters, "label": [1, 2] * 35}
    ratings = oe.Ratings.from_frame(pl.DataFrame(long).lazy())
    assert ratings == oe.Ratings.from_frame(pd.DataFrame(long))
    assert ratings.items == tuple(range(35))


def test_many_raters_who_marked_few_items_each_are_the_same_in_an_array_and_in_rows():
    rng = np.random.default_rng(3)
    marks = np.full((50, 90), np.nan)
    where = rng.random(marks.shape) < 0.05
    marks[where] = rng.integers(1, 5, where.sum())
    raters = [f"w{at:02}" for at in range(90)]
    item, rater = np.nonzero(where)
    long = pd.DataFrame(
        {"item": item, "rater": [raters[at] for at in rater], "label": marks[where]}
    )
    kept = np.unique(item)
    chosen = [raters[at] for at in np.unique(rater)]
    known = oe.Ratings.from_array(marks[kept], raters=raters, item=kept).select(chosen)
    assert oe.Ratings.from_frame(long) == known


def test_policies_touch_marks_and_say_how_many():
    rounded = oe.Ratings.from_array([[1, 7.2], [2.5, 3]], labels=[1, 2, 3], round="nearest")
    assert rounded.consensus() == [1, 3]
    assert dict(rounded.touched) == {"rounded": 2}
    unknown = oe.Ratings.from_array([[1, 9], [2, 3]], labels=[1, 2, 3], unknown="missing")
    assert unknown.marks == 3
    assert dict(unknown.touched) == {"unknown": 1}
    long = pd.DataFrame({"item": [1, 1, 1], "rater": ["a", "a", "b"], "label": [2, 1, 2]})
    first = oe.Ratings.from_frame(long, duplicates="first", labels=[1, 2])
    assert first.shares().tolist() == [[0, 1]]
    assert dict(first.ignored) == {"duplicate": 1}
