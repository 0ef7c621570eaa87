"""The shape of a text file, told from its first lines, and what is said of those that have none."""

import gzip
import itertools
import sys

import pytest

import ordeval as oe
from ordeval.inputs.files import sniff
from tests.examples import grid

GOLD = "item,label\nd1,1\nd2,2\n"


@pytest.fixture
def gold(tmp_path):
    """A gold file of two items."""
    (tmp_path / "gold.csv").write_text(GOLD)
    return tmp_path / "gold.csv"


def message(door):
    """Return what an error of ours says."""
    with pytest.raises(oe.OrdevalError) as caught:
        door()
    return str(caught.value)


@grid("mark, ending", itertools.product([",", "\t", ";", "|"], ["csv", "tsv", "txt"]), every=3)
def test_columns_are_split_at_the_mark_that_the_header_has(gold, tmp_path, ending, mark):
    run = tmp_path / f"run.{ending}"
    run.write_text(GOLD.replace(",", mark))
    assert oe.accuracy(oe.Runs.from_files(gold, run).table).tolist() == [1.0]


@pytest.mark.parametrize(
    ("ending", "header", "row"),
    [
        ("csv", "item,label,a;b;c;d", "d1,1,x"),  # at commas, if a CSV has any
        ("tsv", "item\tlabel\ta,b,c,d", "d1\t1\tx"),  # at tabs, if a TSV has any
        ("txt", "item;label;a,b", "d1;1;x"),  # otherwise at the most frequent mark
        ("csv", "item;label;a|b", "d1;1;x"),
    ],
)
def test_of_several_marks_the_usual_one_wins_and_then_the_most_frequent(
    gold, tmp_path, ending, header, row
):
    run = tmp_path / f"run.{ending}"
    run.write_text(f"{header}\n{row}\n")
    runs = oe.Runs.from_files(gold, run, missing="zero")
    assert runs.table.answered.tolist() == [[[1, 0], [0, 0]]]


def test_names_in_a_header_may_be_quoted_and_have_spaces_around_them(gold, tmp_path):
    (tmp_path / "run.csv").write_text('"item" , Label ,"a,b"\nd1,1,x\nd2,2,y\n')
    runs = oe.Runs.from_files(gold, tmp_path / "run.csv")
    assert oe.accuracy(runs.table).tolist() == [1.0]


@pytest.mark.parametrize("ending", ["tsv", "txt", "dat"])
def test_three_columns_without_a_known_name_are_evalls_unless_the_file_is_a_csv(tmp_path, ending):
    text = "t1\td1\t1\nt1\td2\t2\nt2\td1\t1\n"
    (tmp_path / f"gold.{ending}").write_text(text)
    (tmp_path / "gold.csv").write_text(text)
    runs = oe.Runs.from_files(tmp_path / f"gold.{ending}", tmp_path / f"gold.{ending}")
    assert (runs.cases, runs.n) == (("t1", "t2"), 3)
    file = str(tmp_path / "gold.csv")
    assert message(lambda: oe.Runs.from_files(file, file)) == (
        f"{file!r} has the columns 't1', 'd1', '1', none of which has a usual name; name them with case=, item= and "
        f"label=. If there is a column for each rater, name these: raters=[...]."
    )


def test_a_blank_line_or_an_odd_one_does_not_hide_evalls_format(tmp_path):
    (tmp_path / "gold.tsv").write_text("t1\td1\t1\n\nt1\td2\t2\n")
    (tmp_path / "run.tsv").write_text("odd\nt1\td1\t1\n\nt1\td2\t2\n")
    runs = oe.Runs.from_files(tmp_path / "gold.tsv", tmp_path / "run.tsv")
    assert oe.accuracy(runs.table).tolist() == [[1.0]]
    assert "line 1 (1 column, not 3)" in runs.notes[0]


def test_two_or_four_columns_without_a_known_name_are_no_format(tmp_path):
    for row in ("d1\t1", "t1\td1\t1\tx"):
        file = tmp_path / "gold.tsv"
        file.write_text(f"{row}\n{row}\n")
        assert "none of which has a usual name" in message(
            lambda file=file: oe.Runs.from_files(file, file)
        )


def test_a_column_that_the_caller_named_makes_a_header(tmp_path):
    (tmp_path / "gold.tsv").write_text("a\tb\tc\nt1\td1\t1\n")
    data = tmp_path / "gold.tsv"
    runs = oe.Runs.from_files(data, data, case="A", item="b", label="C")
    assert (runs.cases, runs.n) == (("t1",), 1)
    # without these names it is EvALL's format, in which c is a label
    assert oe.Runs.from_files(data, data, labels=["1", "c"]).n == 2


def test_a_line_longer_than_what_is_looked_at_is_read_to_its_end(gold, tmp_path, monkeypatch):
    monkeypatch.setattr(sniff, "HEAD", 10)
    for name, pack in (("run.csv", bytes), ("run.csv.gz", gzip.compress)):
        (tmp_path / name).write_bytes(
            pack(b"a very long name of a column,item,label\nx,d1,1\n,d2,2\n")
        )
        runs = oe.Runs.from_files(gold, tmp_path / name)
        assert oe.accuracy(runs.table).tolist() == [1.0]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty: it has no rows."),
        (b" \n\r\n", "is empty: it has no rows."),
        (
            b"item,label\nd1\x00,1\n",
            "is not a text file: it holds zero bytes. CSV, TSV, JSONL, Parquet and .xlsx are read, by their endings.",
        ),
        (
            b"item,label\nd1,1\nd2,\xe9\n",
            "is not UTF-8 text (line 3); convert it, as with: iconv -f latin1 -t utf-8 run.csv.",
        ),
        (
            b"\xe9tem,label\nd1,1\n",
            "is not UTF-8 text (line 1); convert it, as with: iconv -f latin1 -t utf-8 run.csv.",
        ),
    ],
)
def test_a_file_that_is_no_text_is_refused_with_the_line(gold, tmp_path, content, says):
    run = tmp_path / "run.csv"
    run.write_bytes(content)
    assert message(lambda: oe.Runs.from_files(gold, run)) == f"{str(run)!r} {says}"


def test_text_in_another_encoding_is_found_beyond_the_first_lines(gold, tmp_path):
    run = tmp_path / "run.csv"
    run.write_bytes(GOLD.encode() + b"x,1\n" * 30_000 + b"\xe9,1\n")
    # a header, two items and 30,000 rows come before it
    assert message(lambda: oe.Runs.from_files(gold, run, missing="zero", duplicates="first")) == (
        f"{str(run)!r} is not UTF-8 text (line 30004); convert it, as with: iconv -f latin1 -t utf-8 run.csv."
    )


def test_a_letter_cut_in_two_at_the_end_of_the_longest_line_is_no_fault(monkeypatch):
    monkeypatch.setattr(sniff, "LONGEST", 10)
    assert sniff.decoded("0123456789é".encode()[:-1], "run.csv") == "0123456789"
    with pytest.raises(oe.errors.DataError, match="line 1"):
        sniff.decoded("01234é".encode()[:-1], "run.csv")
    with pytest.raises(oe.errors.DataError, match="line 2"):
        sniff.decoded(b"a\n\xe9 and more than four bytes", "run.csv")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("t0", "1 column, not 3"),
        ("t0\td1", "2 columns, not 3"),
        ("a\tb\tc\td", "4 columns, not 3"),
        ("\td1\t1", "no test case"),
        ('""\td1\t1', "no test case"),
        ("t0\t \t1", "no item"),
        ('t0\td1\t""', "no label"),
        ("t0\td1\thola", "label 'hola'"),
        ('t0\td1\t"hola"', "label 'hola'"),
    ],
)
def test_the_reason_why_a_line_of_evall_was_not_read(line, why):
    assert sniff.why_unread(line, json=False) == why
    assert sniff.why_unread(line, json=True) == "no JSON object with an item"


def test_mixed_line_ends_and_parquet_inside_zstd_need_a_newer_python(gold, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    packed = str(tmp_path / "run.parquet.zst")
    empty = bytes.fromhex("28b52ffd 2000 010000")  # a frame of one block with nothing in it
    (tmp_path / "run.parquet.zst").write_bytes(empty)
    assert message(lambda: oe.Runs.from_files(gold, packed)) == (
        f"{packed!r} is Parquet inside zstd, which Python reads from 3.14 on. Unpack it: unzstd {packed}."
    )
    with pytest.raises(oe.errors.DataError) as caught:
        sniff.unpack("run.csv.zst", "zstd", str(tmp_path / "copy"), lines=True)
    assert str(caught.value) == (
        "'run.csv.zst' is text whose lines end in several ways inside zstd, which Python reads from 3.14 on. "
        "Unpack it: unzstd run.csv.zst."
    )


@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.parametrize("packed", [False, True])
def test_a_file_is_copied_piece_by_piece(tmp_path, monkeypatch, lines, packed):
    monkeypatch.setattr(sniff, "PIECE", 3)
    text = b"a\r\nb\rc\n"
    (tmp_path / "file").write_bytes(gzip.compress(text) if packed else text)
    sniff.unpack(
        str(tmp_path / "file"), "gzip" if packed else "none", str(tmp_path / "copy"), lines=lines
    )
    assert (tmp_path / "copy").read_bytes() == (b"a\nb\nc\n" if lines else text)


def test_a_file_that_cannot_be_copied_is_refused(tmp_path):
    (tmp_path / "file").write_bytes(b"not gzip")
    file = str(tmp_path / "file")
    assert message(lambda: sniff.unpack(file, "gzip", str(tmp_path / "copy"))) == (
        f"cannot read {file!r}: Not a gzipped file (b'no')."
    )
