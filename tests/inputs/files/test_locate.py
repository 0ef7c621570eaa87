"""Which files a name stands for, what their endings say, and what is said of names that stand for none."""

import gzip
import json
import os

import pytest

import ordeval as oe
from ordeval.inputs.files.locate import exists, find
from tests.duckdb_files import writer
from tests.examples import grid

pytestmark = pytest.mark.usefixtures("own_engine")

ROWS = [("d1", 1), ("d2", 2)]


def write(path, kind):
    """Write the two items in a format."""
    if kind == "parquet":
        with writer() as connection:
            connection.execute(
                f"COPY (SELECT * FROM (VALUES ('d1', 1), ('d2', 2)) t(item, label)) TO '{path}' (FORMAT parquet)"
            )
        return path
    if kind == "jsonl":
        lines = [json.dumps({"item": item, "label": label}) for item, label in ROWS]
    else:
        mark = {"csv": ",", "tsv": "\t"}[kind]
        lines = [f"item{mark}label", *(f"{item}{mark}{label}" for item, label in ROWS)]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def gold(tmp_path):
    """A gold file of two items, in a folder of its own."""
    (tmp_path / "gold").mkdir()
    return write(tmp_path / "gold" / "gold.csv", "csv")


def message(door):
    """Return what an error about data says."""
    with pytest.raises(oe.errors.DataError) as caught:
        door()
    return str(caught.value)


@grid(
    "ending, kind",
    [
        (".csv", "csv"),
        (".tsv", "tsv"),
        (".tab", "tsv"),
        (".txt", "csv"),
        (".txt", "tsv"),
        (".data", "csv"),
        ("", "tsv"),
        (".jsonl", "jsonl"),
        (".ndjson", "jsonl"),
        (".json", "jsonl"),
        (".JSONL", "jsonl"),
        (".parquet", "parquet"),
        (".pq", "parquet"),
        (".2024.csv", "csv"),
    ],
    every=2,
)
def test_an_ending_says_what_is_in_a_file(gold, tmp_path, ending, kind):
    runs = oe.Runs.from_files(gold, write(tmp_path / f"run{ending}", kind))
    assert oe.accuracy(runs.table).tolist() == [1.0]


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("ending", ["gz", "GZ"])
def test_an_ending_says_how_a_file_is_compressed(gold, tmp_path, kind, ending):
    packed = tmp_path / f"run.{kind}.{ending}"
    packed.write_bytes(gzip.compress(write(tmp_path / f"plain.{kind}", kind).read_bytes()))
    assert oe.accuracy(oe.Runs.from_files(gold, packed).table).tolist() == [1.0]


def test_a_path_may_be_text_bytes_of_a_path_or_a_list_of_them(gold, tmp_path):
    run, other = write(tmp_path / "run.csv", "csv"), write(tmp_path / "other.csv", "csv")
    for systems in (str(run), run, [str(run)], (run,), iter([run])):
        assert oe.Runs.from_files(str(gold), systems).systems == ("run",)
    assert oe.Runs.from_files(gold, [run, str(other)]).systems == ("run", "other")


def test_a_glob_takes_files_in_every_folder_below_and_no_folder(gold, tmp_path):
    (tmp_path / "runs" / "deep").mkdir(parents=True)
    (tmp_path / "runs" / "folder.csv").mkdir()
    (tmp_path / "runs" / "part-0.csv").write_text("item,label\nd1,1\n")
    (tmp_path / "runs" / "deep" / "part-1.csv").write_text("item,label\nd2,2\n")
    runs = oe.Runs.from_files(gold, tmp_path / "runs" / "**" / "part-*.csv", shards=True)
    assert oe.accuracy(runs.table).tolist() == [1.0]
    one = oe.Runs.from_files(gold, tmp_path / "runs" / "*.csv", missing="zero")
    assert one.table.missed.tolist() == [[0, 1]]


def test_shards_come_in_the_order_of_their_names(gold, tmp_path):
    for name, label in (("b", 2), ("a", 1), ("c", 2)):
        (tmp_path / f"run-{name}.csv").write_text(f"item,label\nd1,{label}\nd2,2\n")
    runs = oe.Runs.from_files(gold, tmp_path / "run-*.csv", shards=True, duplicates="first")
    assert oe.accuracy(runs.table).tolist() == [1.0]  # the first row of d1 is that of file a
    assert runs.ignored["duplicate"] == 4


def test_what_is_no_name_of_a_file_is_refused(gold):
    for systems, says in [
        (5, "5 names no file; pass a path, a glob, or a list of them."),
        ([], "no system's file was named. Pass at least one."),
        ([5], "5 is a int, not a file's name; pass a path or a glob."),
        ([None], "None is a NoneType, not a file's name; pass a path or a glob."),
        ("", "'' is not a file's name."),
        ("a\0b", "'a\\x00b' is not a file's name."),
    ]:
        assert message(lambda systems=systems: oe.Runs.from_files(gold, systems)) == says


def test_a_name_that_stands_for_no_file_is_refused_with_a_near_one(gold, tmp_path):
    write(tmp_path / "run.csv", "csv")
    absent = str(tmp_path / "rum.csv")
    assert message(lambda: oe.Runs.from_files(gold, absent)) == (
        f"there is no file {absent!r}. Did you mean run.csv?"
    )
    absent = str(tmp_path / "nowhere" / "run.csv")
    assert message(lambda: oe.Runs.from_files(gold, absent)) == (
        f"there is no file {absent!r}. The folder does not exist or cannot be read."
    )
    absent = str(tmp_path / "*.parquet")
    assert message(lambda: oe.Runs.from_files(gold, absent)) == (
        f"no file matches {absent!r}. Check the pattern and the folder that you are in."
    )
    assert message(lambda: oe.Runs.from_files(gold, str(tmp_path))) == (
        f"{str(tmp_path)!r} is a folder; pass a file in it, or {str(tmp_path / '*.csv')!r} for all such files in it."
    )


def test_shards_of_several_formats_are_refused(gold, tmp_path):
    write(tmp_path / "run-0.csv", "csv")
    write(tmp_path / "run-1.tsv", "tsv")
    glob = str(tmp_path / "run-*")
    assert message(lambda: oe.Runs.from_files(gold, glob, shards=True)) == (
        f"{glob!r} matches files of different formats: 'run-0.csv', 'run-1.tsv'. Match one."
    )


def test_a_pipe_and_a_name_that_is_no_text_are_refused(gold, tmp_path):
    pipe = str(tmp_path / "run.csv")
    os.mkfifo(pipe)
    assert message(lambda: oe.Runs.from_files(gold, pipe)) == (
        f"{pipe!r} is a pipe or a device, which can be read only once. Save what it holds to a file and pass that."
    )
    name = os.fsdecode(os.fsencode(tmp_path) + b"/run\xff.csv")
    with open(name, "w") as file:  # noqa: PTH123 - a name that a Path would not show
        file.write("item,label\nd1,1\n")
    assert message(lambda: oe.Runs.from_files(gold, name)) == (
        f"the file's name {name!r} is not UTF-8. Rename it."
    )


def test_a_file_that_exists_is_taken_before_a_glob_of_the_same_letters(gold, tmp_path):
    write(tmp_path / "run[0].csv", "csv")
    (tmp_path / "run0.csv").write_text("item,label\nd1,2\nd2,1\n")
    runs = oe.Runs.from_files(gold, tmp_path / "run[0].csv")
    assert oe.accuracy(runs.table).tolist() == [1.0]


def test_a_name_exists_if_a_file_or_a_glob_of_files_does(tmp_path):
    write(tmp_path / "run.csv", "csv")
    (tmp_path / "folder.d").mkdir()
    for name, there in [
        ("run.csv", True),
        ("r*.csv", True),
        ("run.tsv", False),
        ("*.tsv", False),
        ("*.d", False),
        ("folder.d", True),
    ]:
        assert exists(tmp_path / name) is there
        assert exists(str(tmp_path / name)) is there


def test_the_size_of_a_source_is_that_of_all_its_files(tmp_path):
    (tmp_path / "run-0.csv").write_text("x" * 10)
    (tmp_path / "run-1.csv").write_text("x" * 5)
    assert find(tmp_path / "run-*.csv").size == 15
