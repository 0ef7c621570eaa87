"""Tables that are counted already, read wherever items are: matrices, and what `ordeval count` wrote."""

import gzip
import json

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import ordeval as oe
from ordeval.cli import main

# 60 of 80 answers are right; 16 are one class off and 4 two: accuracy 0.75, mae (16 + 2 * 4) / 80 = 0.3
A = "gold\\pred,1,2,3\n3,2,8,20\n1,20,4,2\n2,2,20,2\n"
B = ",2,1\n1,5,15\n2,12,8\n"  # nobody was given class 3, and no item has it: 27 of 40 are right
WORDS = "gold,high,low\nlow,1,3\nhigh,4,0\n"  # 7 of 8 are right

SUMMED_WORDS = "gold,high,low,Total\nlow,1,3,4\nhigh,4,0,4\nTotal,5,3,8\n"


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def scores(*arguments):
    """Return the scores of each system by two measures."""
    result = run(*arguments, "--metrics", "accuracy,mae", "--level", "none", "--format", "json")
    assert result.exit_code == 0, result.stderr
    return {
        system["name"]: tuple(score["value"] for score in system["scores"].values())
        for system in json.loads(result.stdout)["systems"]
    }


@pytest.fixture
def folder(tmp_path):
    for name, text in (("a.csv", A), ("b.csv", B), ("words.csv", WORDS)):
        (tmp_path / name).write_text(text)
    (tmp_path / "items.csv").write_text("item,label\n1,1\n2,2\n")
    return tmp_path


def test_a_matrix_is_a_system_named_by_its_file(folder):
    assert scores("evaluate", folder / "a.csv") == {"a": (0.75, 0.3)}
    both = {"a": (0.75, 0.3), "b": (27 / 40, 13 / 40)}
    assert scores("evaluate", folder / "a.csv", folder / "b.csv") == both
    assert scores("evaluate", folder / "[ab].csv") == both
    shown = run("evaluate", folder / "a.csv", folder / "b.csv", "--level", "none").stdout
    assert "120 items; 3 classes" in shown  # 80 of one system, and 40 of another


def test_words_are_put_in_the_order_of_labels(folder):
    assert scores("evaluate", folder / "words.csv", "--labels", "low,high") == {
        "words": (7 / 8, 1 / 8)
    }
    assert scores(
        "score", folder / "words.csv", "--labels", "low,mid,high", "--values", "0,1,10"
    ) == {"system": (7 / 8, 10 / 8)}


@pytest.mark.parametrize("command", ["evaluate", "score", "compare"])
@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize("text", [WORDS, SUMMED_WORDS])
def test_a_matrix_of_words_is_refused_with_the_option_that_orders_them(folder, command, form, text):
    file = folder / f"words.{form}"
    (folder / "words.csv").write_text(text)
    if form == "parquet":
        pl.read_csv(folder / "words.csv").write_parquet(file)
    result = run(command, file)
    assert result.exit_code == 3
    assert result.stderr == (
        f"Error: {str(file)!r} is a table of counts whose classes are words, and their order is not known. Pass "
        f"--labels high,low, with the lowest class first.\n"
    )


@pytest.mark.parametrize(
    "text", ["gold,high,low,3\nhigh,4,0,1\nlow,1,3,0\n", "gold,high,low\nx,1,2\n"]
)
def test_columns_named_otherwise_than_the_rows_are_no_matrix_of_words(folder, text):
    (folder / "words.csv").write_text(text)
    result = run("evaluate", folder / "words.csv")
    assert result.exit_code == 2
    assert "whose classes are words" not in result.stderr


FORMS = {
    "m.csv": A.encode(),
    "m.tsv": A.replace(",", "\t").encode(),
    "m.txt": A.replace(",", ";").encode(),
    "m.csv.gz": gzip.compress(A.encode(), mtime=0),
    "windows.csv": b"\xef\xbb\xbf" + A.replace("\n", "\r\n").encode(),
    "sums.csv": b"x,1,2,3,Total\n3,2,8,20,30\n1,20,4,2,26\n2,2,20,2,24\nTotal,24,32,24,80\n",
    "m.jsonl": b'{"g": 3, "1": 2, "2": 8, "3": 20}\n{"g": 1, "3": 2, "2": 4, "1": 20}\n'
    b'{"g": 2.0, "1": 2, "2": 20, "3": 2}\n',
}


@pytest.mark.parametrize("name", [*FORMS, "m.parquet"])
def test_a_matrix_is_read_in_every_format(tmp_path, name):
    path = tmp_path / name
    if name == "m.parquet":
        columns = {"g": [3, 1, 2], "1": [2, 20, 2], "2": [8, 4, 20], "3": [20, 2, 2]}
        pl.DataFrame(columns).write_parquet(path)
    else:
        path.write_bytes(FORMS[name])
    assert list(scores("evaluate", path).values()) == [(0.75, 0.3)]
    expected = oe.Table.from_counts([[20, 4, 2], [2, 20, 2], [2, 8, 20]], labels=[1, 2, 3])
    assert oe.Table.from_file(path) == expected


def test_a_matrix_in_zstd_is_read_by_the_engine(tmp_path):
    path = str(tmp_path / "m.csv.zst")
    lines = "SELECT unnest(['gold,1,2', '1,3,4', '2,0,5']) AS line"
    import duckdb

    duckdb.sql(f"COPY ({lines}) TO '{path}' (HEADER false, QUOTE '', COMPRESSION zstd)")
    assert oe.Table.from_file(path).counts.tolist() == [[3, 4], [0, 5]]


def test_count_writes_a_matrix_as_a_table_and_both_are_read_together(folder):
    table = folder / "t.json"
    assert run("count", folder / "b.csv", "-o", table).exit_code == 0
    expected = {"a": (0.75, 0.3), "b": (27 / 40, 13 / 40)}
    assert scores("evaluate", folder / "a.csv", table) == expected
    assert scores("score", table) == {"b": (27 / 40, 13 / 40)}
    assert oe.Table.from_file(table).axes[0].labels == ("b",)
    (folder / "t.json.gz").write_bytes(gzip.compress(table.read_bytes()))
    assert scores("evaluate", folder / "t.json.gz") == {"b": (27 / 40, 13 / 40)}


def test_a_table_of_systems_and_cases_keeps_their_names(folder):
    (folder / "wide.csv").write_text("case,gold,x,y\nq1,1,1,2\nq1,2,2,2\nq2,1,2,1\nq2,2,1,\n")
    wide = ("--gold", "gold", "--pred", "x", "--pred", "y", "--missing", "zero")
    assert run("count", folder / "wide.csv", *wide, "-o", folder / "t.json").exit_code == 0
    expected = scores("evaluate", folder / "wide.csv", *wide)  # x: 1 and 0; y: 0.5 and 0.5
    assert {name: values[0] for name, values in expected.items()} == {"x": 0.5, "y": 0.5}
    assert scores("evaluate", folder / "t.json") == expected
    pooled = scores("evaluate", folder / "wide.csv", *wide, "--pooled")
    assert scores("evaluate", folder / "t.json", "--pooled") == pooled
    result = run("compare", folder / "t.json", "--pooled")
    assert (result.exit_code, result.stdout) == (2, "")
    # a matrix was counted under no policy: it takes that of the others, over the axes of both
    pooled = run("count", folder / "wide.csv", *wide, "--pooled", "-o", folder / "p.json")
    assert pooled.exit_code == 0, pooled.stderr
    assert set(scores("evaluate", folder / "b.csv", folder / "p.json")) == {"b", "x", "y"}


def test_tables_are_compared_as_samples_of_their_own(folder):
    result = run("compare", folder / "b.csv", folder / "a.csv", "--format", "json")
    assert result.exit_code == 0, result.stderr
    assert "Paired differences, which show more, need the answers item by item." in result.stderr
    found = json.loads(result.stdout)
    tables = {name: oe.Table.from_file(folder / f"{name}.csv") for name in ("a", "b")}
    expected = oe.compare(tables).to_dict()
    assert found["pairs"][0]["p"] == pytest.approx(expected["pairs"][0]["p"])
    assert found["pairs"] == json.loads(json.dumps(expected["pairs"]))
    alone = run("compare", folder / "a.csv", "--level", "none")
    assert (alone.exit_code, alone.stderr) == (0, "")


def test_matrices_of_one_name_are_told_apart_by_their_folders(tmp_path):
    for name, text in (("x", A), ("y", B)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "matrix.csv").write_text(text)
    found = scores("evaluate", tmp_path / "x" / "matrix.csv", tmp_path / "y" / "matrix.csv")
    assert found == {"x/matrix": (0.75, 0.3), "y/matrix": (27 / 40, 13 / 40)}
    assert scores("evaluate", tmp_path / "*" / "matrix.csv") == found


BROKEN = {
    "word.csv": ("gold,1,2\n1,x,0\n2,0,3\n", "is 'x'; a count is a number"),
    "sums.csv": ("gold,1,2,Total\n1,5,1,9\n2,2,3,5\n", "does not hold the sums"),
    "zeros.csv": ("gold,1,2\n1,0,0\n2,0,0\n", "has no items: all its counts are 0"),
    "items.csv": ("item,label\n1,1\n2,2\n", "it is no table of counts"),
}


def test_matrices_are_checked_and_bad_ones_are_left_out(folder):
    """Also if a bad one comes first, as long as it is a matrix."""
    for name, (text, _) in BROKEN.items():
        (folder / name).write_text(text)
    names = ["word.csv", "a.csv", "sums.csv", "zeros.csv", "items.csv", "b.csv"]
    paths = [folder / name for name in names]
    result = run("check", *paths, "--format", "json")
    assert result.exit_code == 1
    for name, found in zip(names, json.loads(result.stdout)["files"], strict=True):
        assert found["ok"] == (name not in BROKEN)
        assert BROKEN.get(name, ("", ""))[1] in "".join(one["what"] for one in found["problems"])
    both = {"a": (0.75, 0.3), "b": (27 / 40, 13 / 40)}
    assert scores("evaluate", *paths, "--skip-bad") == both
    assert "left out 4 of 6 files" in run("evaluate", *paths, "--skip-bad").stderr
    fine = run("check", folder / "a.csv", folder / "b.csv")
    assert fine.exit_code == 0
    assert "All 2 files can be scored." in fine.stdout


def test_a_matrix_and_a_table_with_test_cases_are_not_scored_together(folder):
    (folder / "gold.csv").write_text("case,item,label\np,1,1\nq,1,2\n")
    counted = folder / "counted.json"
    assert run("count", folder / "gold.csv", folder / "gold.csv", "-o", counted).exit_code == 0
    result = run("evaluate", folder / "a.csv", counted)
    assert result.exit_code == 3
    assert "has test cases and the other has none. Count again, with --pooled" in result.stderr
    assert run("check", folder / "a.csv", counted).exit_code == 1


@pytest.mark.later
@pytest.mark.usefixtures("undrawn")
def test_a_report_is_made_of_tables(folder):
    result = run("report", folder / "a.csv", folder / "b.csv", "-o", folder / "r.html")
    assert result.exit_code == 0, result.stderr
    assert "2 systems" in result.stderr


def test_matrices_of_shards_are_added_up(folder):
    merged = run("merge", folder / "a.csv", folder / "b.csv", "-o", folder / "m.json")
    assert merged.exit_code == 0, merged.stderr
    # 60 + 27 of 120 are right; errors of 24 + 13
    assert scores("score", folder / "m.json") == {"system": (87 / 120, 37 / 120)}
    assert scores("score", folder / "a.csv", folder / "b.csv") == {"system": (87 / 120, 37 / 120)}
    assert scores("evaluate", folder / "m.json") == {"m": (87 / 120, 37 / 120)}


@pytest.mark.parametrize(
    ("text", "status", "says"),
    [
        ("x,1,2\n1,2.5,3\n", 3, "holds 2.5 in the row '1'; a count is a whole number"),
        ("x,1,2\n1,-2,3\n", 3, "is -2; a count is 0 or more"),
        ("x,1,2\n1,many,3\n", 3, "is 'many'; a count is a number"),
        ("x,1,2\n1,3\n", 3, "2 fields at line 2 and 3 columns"),
        ('x,1,2\n1,"3,4\n', 3, "unexpected end of data"),
        ("x,1,2\n1,3,4\n1.0,5,6\n", 3, "the row '1.0' is the same class as '1'"),
        ("x,1,2,Total\n1,3,4,8\n", 3, "the column 'Total' does not hold the sums"),
        ("x,1,2,\n1,3,4,8\n", 3, "a column without a name holds 8 of the items"),
        ("x,1,9999\n1,3,4\n", 3, "Pass --labels A,B,C"),
        ("x,1,2\nq1,3,4\n", 2, "its row 'q1' does not have the name of a class"),
        ("x,1,other\n1,3,4\n", 2, "its column 'other' does not have the name of a class"),
        ("item,1,2\n1,3,4\n", 2, "its first column, 'item', does not hold gold classes"),
        ("pred\\gold,1,2\n1,3,4\n", 2, "its first column, 'pred\\\\gold', does not hold gold"),
        ("0,1,2\n1,3,4\n", 2, "its first column is named '0', like a class"),
        ("x\n1\n", 2, "it has no columns for predicted classes"),
        ("x,1\n" + "1,1\n" * 1200, 2, "it has more than 1000 rows"),
    ],
)  # fmt: skip
def test_what_is_no_matrix_is_refused_with_the_reason(tmp_path, text, status, says):
    (tmp_path / "m.csv").write_text(text)
    result = run("evaluate", tmp_path / "m.csv")
    assert (result.exit_code, result.stdout) == (status, "")
    assert says in " ".join(result.stderr.split())
    with pytest.raises(oe.OrdevalError):
        oe.Table.from_file(tmp_path / "m.csv")


def test_files_of_counts_and_of_items_do_not_mix(folder):
    for files in (("a.csv", "items.csv"), ("items.csv", "a.csv")):
        result = run("evaluate", *(folder / file for file in files))
        assert (result.exit_code, result.stdout) == (3, "")
    twice = run("evaluate", folder / "a.csv", folder / "a.csv")
    assert twice.exit_code == 3
    assert "a.csv' is named twice" in twice.stderr


def test_a_command_that_needs_items_refuses_counts(folder):
    result = run("meta", folder / "a.csv", folder / "b.csv")
    assert (result.exit_code, result.stdout) == (3, "")
    assert "is a table of counts" in result.stderr


def test_a_table_on_another_scale_than_the_declared_one_is_refused(folder):
    run("count", folder / "a.csv", "-o", folder / "t.json")
    result = run("evaluate", folder / "t.json", "--labels", "1,2,3,4")
    assert result.exit_code == 3
    assert "was counted on the scale 1,2,3" in result.stderr
    assert scores("evaluate", folder / "t.json", "--labels", "1,2,3") == {"a": (0.75, 0.3)}


@pytest.mark.parametrize(
    "text",
    [
        "item,gold,pred\n1,1,1\n2,2,1\n",
        "id,1,2\n1,1,1\n2,2,1\n",
        "gold,a,b\n1,1,1\n2,2,1\n",
        "name,rating\nx,1\ny,2\n",
    ],
)
def test_a_file_of_items_is_never_taken_for_a_matrix(tmp_path, text):
    (tmp_path / "m.csv").write_text(text)
    with pytest.raises(oe.OrdevalError, match="neither a matrix of counts nor"):
        oe.Table.from_file(tmp_path / "m.csv")


def test_the_format_of_the_evall_service_is_never_taken_for_a_matrix(tmp_path):
    (tmp_path / "gold.tsv").write_text("q1\t1\t1\nq1\t2\t3\nq2\t1\t2\n")
    (tmp_path / "run.tsv").write_text("q1\t1\t1\nq1\t2\t3\nq2\t1\t1\n")
    # one of two right and two of two right, a mean over cases: q1 1.0, q2 0.0
    assert scores("evaluate", tmp_path / "gold.tsv", tmp_path / "run.tsv")["run"][0] == 0.5


def test_a_table_with_an_axis_of_systems_is_compared_whatever_their_order():
    counts = np.array([[[20, 5], [5, 20]], [[10, 15], [15, 10]]])
    one = oe.Table.from_counts(counts, axes=[("system", ["b", "a"])])
    other = oe.Table.from_counts(counts[::-1], axes=[("system", ["a", "b"])])
    assert oe.compare(one).to_dict() == oe.compare(other).to_dict()
    assert oe.compare(one).best == ("b",)
    with pytest.raises(oe.OrdevalError, match="already contains these"):
        oe.compare(one, labels=[0, 1])
