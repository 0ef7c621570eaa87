"""The name of a system that has a file of its own: the file's, without its endings and the wildcards of a glob."""

import pytest

import ordeval as oe

ROWS = "item,label\nd1,1\nd2,2\n"
SHARDS = "item,label\nd1,1\n", "item,label\nd2,2\n"


@pytest.fixture
def gold(tmp_path):
    """A gold file of two items."""
    (tmp_path / "gold.csv").write_text(ROWS)
    return tmp_path / "gold.csv"


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("run.csv", "run"),
        ("run.CSV", "run"),
        ("run", "run"),
        ("my.run.csv", "my.run"),  # only endings that say what is in the file go
        ("run.v2.csv", "run.v2"),
        ("run.v2", "run.v2"),
        ("csv.run.txt", "csv.run"),
        (".csv", ".csv"),
        ("a run-1.csv", "a run-1"),
    ],
)
def test_a_system_is_named_after_its_file_without_the_endings_that_are_formats(
    gold, tmp_path, file, name
):
    (tmp_path / file).write_text(ROWS)
    assert oe.Runs.from_files(gold, tmp_path / file).systems == (name,)


def test_the_ending_of_a_compression_goes_with_that_of_the_format(gold, tmp_path):
    import gzip

    (tmp_path / "run.v2.csv.gz").write_bytes(gzip.compress(ROWS.encode()))
    assert oe.Runs.from_files(gold, tmp_path / "run.v2.csv.gz").systems == ("run.v2",)


@pytest.mark.parametrize(
    ("files", "glob", "name"),
    [
        (("part-0.csv", "part-1.csv"), "part-*.csv", "part"),
        (("part_0.csv", "part_1.csv"), "part_*.csv", "part"),
        (("run.0.csv", "run.1.csv"), "run.*.csv", "run"),
        (("run0.csv", "run1.csv"), "run?.csv", "run"),
        (("0-run.csv", "1-run.csv"), "*-run.csv", "run"),
        (("run0.csv", "run1.csv"), "run[01].csv", "run01"),
        (("a0b.csv", "a1b.csv"), "a*b.csv", "ab"),
        (("0.csv", "1.csv"), "[01].csv", "01"),
    ],
)
def test_a_system_in_shards_is_named_after_what_is_fixed_in_their_glob(
    gold, tmp_path, files, glob, name
):
    folder = tmp_path / "monday"
    folder.mkdir()
    for file, rows in zip(files, SHARDS, strict=True):
        (folder / file).write_text(rows)
    runs = oe.Runs.from_files(gold, folder / glob, shards=True)
    assert runs.systems == (name,)
    assert oe.accuracy(runs.table).tolist() == [1.0]


@pytest.mark.parametrize("glob", ["*.csv", "?.csv", "*"])
def test_a_system_in_shards_is_named_after_their_folder_if_nothing_is_fixed_in_the_glob(
    gold, tmp_path, glob
):
    folder = tmp_path / "monday"
    folder.mkdir()
    for at, rows in enumerate(SHARDS):
        (folder / f"{at}.csv").write_text(rows)
    assert oe.Runs.from_files(gold, folder / glob, shards=True).systems == ("monday",)


def test_each_file_of_a_glob_is_a_system_in_the_order_in_which_people_count(gold, tmp_path):
    for name in ("run10.csv", "run2.csv", "run1.tsv"):
        (tmp_path / name).write_text(ROWS.replace(",", "\t") if name.endswith("tsv") else ROWS)
    (tmp_path / "run2.csv").write_text("item,label\nd1,2\nd2,2\n")
    runs = oe.Runs.from_files(gold, tmp_path / "run*")
    assert runs.systems == ("run1", "run2", "run10")
    assert oe.accuracy(runs.table).tolist() == [1.0, 0.5, 1.0]


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (("x/run.csv", "y/run.csv"), ("x/run", "y/run")),
        (("x/run.csv", "y/run.csv", "y/other.csv"), ("x/run", "other", "y/run")),
        (("x/1/run.csv", "y/1/run.csv"), ("x/1/run", "y/1/run")),
        (("x/a.csv", "x/a.txt"), ("a.csv", "a.txt")),
        (("x/a.csv", "x/a.txt", "y/a.csv"), ("x/a.csv", "x/a.txt", "y/a.csv")),
    ],
)
def test_files_of_one_stem_are_told_apart_by_the_shortest_path(gold, tmp_path, files, names):
    for file in files:
        (tmp_path / "runs" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "runs" / file).write_text(ROWS)
    assert oe.Runs.from_files(gold, tmp_path / "runs/**/*.*").systems == names
    one_by_one = sorted(tmp_path / "runs" / file for file in files)
    assert oe.Runs.from_files(gold, one_by_one).systems == names


def test_a_glob_that_matches_gold_too_is_refused(gold, tmp_path):
    (tmp_path / "run.csv").write_text(ROWS)
    with pytest.raises(oe.errors.DataError) as caught:
        oe.Runs.from_files(gold, tmp_path / "*.csv")
    assert str(caught.value) == (
        f"{str(tmp_path / '*.csv')!r} also matches {str(gold)!r}, which is gold. Match the systems' files alone, or "
        f"move gold to another folder."
    )


def test_a_file_named_twice_is_refused(gold, tmp_path):
    (tmp_path / "run.csv").write_text(ROWS)
    with pytest.raises(oe.errors.DataError, match=r"run.csv' is named twice. Name each"):
        oe.Runs.from_files(gold, [tmp_path / "r*.csv", tmp_path / "run.csv"])


def test_shards_that_are_taken_for_systems_are_told_from_them(gold, tmp_path):
    for at, rows in enumerate(SHARDS):
        (tmp_path / f"part-{at}.csv").write_text(rows)
    hint = "answer the same item; if they are parts of one table, pass shards=True."
    with pytest.raises(oe.errors.LabelError) as caught:
        oe.Runs.from_files(gold, tmp_path / "part-*.csv")
    assert hint in str(caught.value)
    runs = oe.Runs.from_files(gold, tmp_path / "part-*.csv", missing="zero")
    assert len(runs.systems) == 2
    assert runs.notes[-1].endswith(hint)
    assert oe.Runs.from_files(gold, tmp_path / "part-*.csv", shards=True).notes == ()
