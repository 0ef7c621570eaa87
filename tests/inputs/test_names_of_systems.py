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
def test_a_system_of_a_glob_is_named_after_what_is_fixed_in_it(gold, tmp_path, files, glob, name):
    folder = tmp_path / "monday"
    folder.mkdir()
    for file, rows in zip(files, SHARDS, strict=True):
        (folder / file).write_text(rows)
    runs = oe.Runs.from_files(gold, folder / glob)
    assert runs.systems == (name,)
    assert oe.accuracy(runs.table).tolist() == [1.0]


@pytest.mark.parametrize("glob", ["*.csv", "?.csv", "*"])
def test_a_system_of_a_glob_in_which_nothing_is_fixed_is_named_after_its_folder(
    gold, tmp_path, glob
):
    folder = tmp_path / "monday"
    folder.mkdir()
    for at, rows in enumerate(SHARDS):
        (folder / f"{at}.csv").write_text(rows)
    assert oe.Runs.from_files(gold, folder / glob).systems == ("monday",)
