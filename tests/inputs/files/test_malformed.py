"""Files as people have them: each is read, or refused in a sentence, and what is left out is counted."""

import gzip
import io
import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ordeval as oe
from ordeval.inputs.files.engine import reading
from ordeval.inputs.files.sniff import copy_lines
from tests.duckdb_files import writer
from tests.examples import examples, grid

GOLD = "item,label\nd1,1\nd2,2\nd3,3\n"
RUN = "item,label\nd1,1\nd2,2\nd3,3\n"


@pytest.fixture
def files(tmp_path):
    """A gold file and a run that agree; a test spoils one of them."""
    gold, run = tmp_path / "gold.csv", tmp_path / "run.csv"
    gold.write_text(GOLD)
    run.write_text(RUN)
    return gold, run


REFUSED = {
    "an empty file": (b"", "is empty"),
    "a file of blank lines": (b"\n\n\n", "is empty"),
    "a header alone": (b"item,label\n", "has no rows"),
    "a binary file": (bytes(range(256)) * 4, "not a text file"),
    "a file that claims to be UTF-16": (
        "item,label\nd1,1\n".encode("utf-16"),
        "not UTF-8|not a text file",
    ),
    "a file in Latin-1": (
        "item,label\nd1,1\nd\xe9,2\nd3,3\n".encode("latin-1"),
        r"not UTF-8 text \(line 3\)",
    ),
    "no known column": (b"a,b\n1,2\n", "none of which has a usual name"),
    "no column of labels": (b"item,mark\nd1,2\n", "no column of labels"),
    "no column of items": (b"rating,label\nd1,2\n", "no column of item ids"),
    "two columns of one name": (b"item,label,label\nd1,2,3\n", "2 columns 'label'"),
    "a quote that never ends": (b'item,label\nd1,"1\nd2,2\nd3,3\n', "does not end"),
}


@grid("what, side", itertools.product(REFUSED, [0, 1]), every=2)
def test_a_file_that_cannot_be_read_is_refused_on_either_side(files, side, what):
    content, message = REFUSED[what]
    files[side].write_bytes(content)
    with pytest.raises(oe.OrdevalError, match=message):
        oe.Runs.from_files(files[0], files[1], missing="zero")


READ = {
    "a UTF-8 byte order mark": b"\xef\xbb\xbf" + RUN.encode(),
    "CRLF": RUN.replace("\n", "\r\n").encode(),
    "CR": RUN.replace("\n", "\r").encode(),
    "mixed line ends": RUN.replace("\n", "\r\n", 2).encode(),
    "quotes and mixed line ends": b'"item","label"\n"d1","1"\r"d2","2"\n"d3","3"\n',
    "quotes and all line ends": b'"item","label"\n"d1","1"\r"d2","2"\n"d3","3"\r\n',
    "no end of the last line": RUN.rstrip().encode(),
    "blank lines before the header": b"\n \n" + RUN.encode(),
    "blank lines": RUN.replace("\n", "\n\n").encode(),
    "quotes around everything": b'"item","label"\n"d1","1"\n"d2","2"\n"d3","3"\n',
    "spaces around labels": b"item,label\nd1, 1\nd2,2 \nd3, 3 \n",
    "semicolons": RUN.replace(",", ";").encode(),
    "other columns": b"x,item,y,label,z\n,d1,,1,\n,d2,,2,\n,d3,,3,\n",
}


@grid("what, side", itertools.product(READ, [0, 1]), every=2)
def test_a_file_that_is_merely_unusual_is_read(files, side, what):
    files[side].write_bytes(READ[what])
    runs = oe.Runs.from_files(*files)
    assert oe.accuracy(runs.table).tolist() == [1.0]
    assert sum(runs.ignored.values()) == 0


def test_quotes_commas_and_line_ends_inside_fields_belong_to_the_field(files):
    rows = 'item,label\n"d ""1""",1\n"d,2",2\n"d\n3",3\n'
    for file in files:
        file.write_text(rows)
    assert oe.accuracy(oe.Runs.from_files(*files).table).tolist() == [1.0]


def test_a_label_with_spaces_is_a_label(files):
    for file in files:
        file.write_text("item,label\nd1,very good\nd2,so so\n")
    runs = oe.Runs.from_files(*files, labels=["so so", "very good"])
    assert runs.table.counts.tolist() == [[[1, 0], [0, 1]]]


def test_words_without_an_order_are_refused(files):
    for file in files:
        file.write_text("item,label\nd1,good\nd2,bad\n")
    with pytest.raises(
        oe.errors.ScaleError, match=r"cannot tell the order of the classes 'bad', 'good'"
    ):
        oe.Runs.from_files(*files)


def test_rows_with_the_wrong_number_of_columns_are_counted_in_a_run_and_refused_in_gold(files):
    spoilt = "item,label\nd1,1\nd2\nd3,3,3\nd4\n"
    files[1].write_text(spoilt)
    runs = oe.Runs.from_files(*files, missing="drop")
    assert runs.ignored["unreadable"] == 3
    assert runs.touched["missing"] == 2
    assert "line 3 (too few columns), line 4 (too many columns), line 5" in runs.notes[0]
    files[0].write_text(spoilt)
    with pytest.raises(oe.errors.DataError, match=r"3 rows of gold, .* line 3 \(too few columns\)"):
        oe.Runs.from_files(*files, missing="drop")


def test_an_error_about_missing_answers_says_what_could_not_be_read(files):
    files[1].write_text("item,label\nd1,1\nd2,2\nd3\n")
    with pytest.raises(
        oe.errors.LabelError,
        match=r"1 of 3 answers is missing.*1 row could not be read.*line 4",
    ):
        oe.Runs.from_files(*files)


def test_a_column_that_is_all_null_says_so(files):
    files[0].write_text("item,label\nd1,\nd2,\n")
    with pytest.raises(oe.errors.NoItemsError, match="every gold label is missing"):
        oe.Runs.from_files(*files)
    files[0].write_text(GOLD)
    files[1].write_text("item,label\nd1,\nd2,\nd3,\n")
    with pytest.raises(oe.errors.LabelError, match="3 of 3 answers are missing"):
        oe.Runs.from_files(*files)
    runs = oe.Runs.from_files(*files, missing="zero")
    assert oe.accuracy(runs.table).tolist() == [0.0]


def test_a_row_without_an_id_is_unreadable_in_a_run_and_refused_in_gold(files):
    files[1].write_text("item,label\nd1,1\n,2\nd3,3\n")
    runs = oe.Runs.from_files(*files, missing="zero")
    assert dict(runs.ignored) == {"not_in_gold": 0, "duplicate": 0, "unreadable": 1}
    files[0].write_text("item,label\nd1,1\n,2\nd3,3\n")
    with pytest.raises(oe.errors.DataError, match="1 row of gold"):
        oe.Runs.from_files(*files, missing="zero")


def test_a_folder_a_missing_file_and_a_glob_of_nothing_are_named(files, tmp_path):
    with pytest.raises(oe.errors.DataError, match="is a folder"):
        oe.Runs.from_files(tmp_path, files[1])
    with pytest.raises(
        oe.errors.DataError, match=r"there is no file .*golt\.csv'\. Did you mean gold\.csv\?"
    ):
        oe.Runs.from_files(tmp_path / "golt.csv", files[1])
    with pytest.raises(oe.errors.DataError, match="no file matches"):
        oe.Runs.from_files(files[0], str(tmp_path / "*.parquet"))
    with pytest.raises(oe.errors.DataError, match="not a file's name"):
        oe.Runs.from_files(files[0], [3])
    with pytest.raises(oe.errors.DataError, match="no system's file was named"):
        oe.Runs.from_files(files[0], [])


@pytest.mark.parametrize("systems", [1, 2])
def test_a_system_about_other_items_is_refused_even_where_missing_answers_are_not(files, systems):
    files[1].write_text("item,label\nx1,1\nx2,2\n")
    runs = [files[1], files[1].with_name("other.csv")][:systems]
    runs[-1].write_text("item,label\nx1,1\nx2,2\n")
    with pytest.raises(
        oe.errors.DataError, match=r"no answer of 'run' is about an item of gold.*'x1'.*'d1'"
    ):
        oe.Runs.from_files(files[0], runs, missing="zero")


def test_a_gzip_that_is_none_or_is_cut_short_is_refused(files, tmp_path):
    spoilt = tmp_path / "spoilt.csv.gz"
    spoilt.write_bytes(b"not gzip")
    with pytest.raises(oe.errors.DataError, match=r"cannot read .*spoilt\.csv\.gz"):
        oe.Runs.from_files(files[0], spoilt)
    spoilt.write_bytes(gzip.compress(RUN.encode() * 9999)[:-40])
    with pytest.raises(oe.OrdevalError):
        oe.Runs.from_files(files[0], spoilt)


def test_a_parquet_file_that_is_none_and_labels_that_are_dates_are_refused(files, tmp_path):
    spoilt = tmp_path / "spoilt.parquet"
    spoilt.write_bytes(b"not parquet")
    with pytest.raises(oe.errors.DataError, match="it is not a Parquet file"):
        oe.Runs.from_files(files[0], spoilt)
    with writer() as connection:
        connection.execute(f"COPY (SELECT 'd1' AS item, DATE '2020-01-01' AS label) TO '{spoilt}'")
    with pytest.raises(
        oe.errors.DataError, match="has the type DATE; labels are numbers, text or booleans"
    ):
        oe.Runs.from_files(files[0], spoilt)


def test_json_lines_that_are_no_objects_are_counted_with_their_lines(files, tmp_path):
    run = tmp_path / "run.jsonl"
    run.write_text(
        '{"item": "d1", "label": 1}\nnot json\n\n{"item": "d2", "label": 2}\n{"label": 3}\n[1]\n'
    )
    runs = oe.Runs.from_files(files[0], run, missing="zero")
    assert runs.ignored["unreadable"] == 3
    assert "line 2 (" in runs.notes[0]
    assert "line 5 (" in runs.notes[0]
    assert "line 6 (" in runs.notes[0]
    with pytest.raises(oe.errors.DataError, match=r"3 rows of gold.*line 2"):
        oe.Runs.from_files(run, files[1])
    run.write_text('[{"item": "d1", "label": 1}]')
    with pytest.raises(oe.errors.DataError, match="JSON array"):
        oe.Runs.from_files(files[0], run)


# As the example run of the EvALL service is: empty labels, a row of two columns, a word for a number.
EVALL_GOLD = "".join(f'"t{i % 2}"\t"{i}"\t"{i % 3 - 1}"\n' for i in range(12))
EVALL_RUN = 't0\t0\t-1\nt1\t1\t\nt0\t2\nt1\t3\thola\nt0\t4\t0\nt1\t5\t1\nt9\t99\t1\nt0\t6\t""\n'


def test_the_malformed_rows_of_an_evall_run_are_counted_with_their_lines(tmp_path):
    gold, run = tmp_path / "gold.tsv", tmp_path / "run.tsv"
    gold.write_text(EVALL_GOLD)
    run.write_text(EVALL_RUN)
    runs = oe.Runs.from_files(gold, run, missing="zero")
    assert runs.scale.labels == (-1, 0, 1)
    assert dict(runs.ignored) == {"not_in_gold": 1, "duplicate": 0, "unreadable": 4}
    assert runs.touched == {"missing": 9}
    assert (
        "line 2 (no label), line 3 (2 columns, not 3), line 4 (label 'hola'), line 8 (no label)"
        in runs.notes[0]
    )


def test_a_number_off_the_scale_in_an_evall_run_is_unknown_and_not_unreadable(tmp_path):
    gold, run = tmp_path / "gold.tsv", tmp_path / "run.tsv"
    gold.write_text(EVALL_GOLD)
    run.write_text("t0\t0\t10\nt1\t1\t0\n")
    with pytest.raises(oe.errors.LabelError, match="label '10' is not on the scale"):
        oe.Runs.from_files(gold, run, labels=[-1, 0, 1], missing="zero")
    runs = oe.Runs.from_files(gold, run, labels=[-1, 0, 1], missing="zero", unknown="missing")
    assert dict(runs.touched) == {"missing": 10, "unknown": 1}


@pytest.mark.parametrize(
    ("line", "why"),
    [("t0\t7", "2 columns, not 3"), ("\t7\t1", "no test case"), ("t0\t\t1", "no item")],
)
def test_malformed_rows_of_an_evall_gold_are_an_error_with_their_lines(tmp_path, line, why):
    gold, run = tmp_path / "gold.tsv", tmp_path / "run.tsv"
    gold.write_text(EVALL_GOLD + line + "\n")
    run.write_text(EVALL_RUN)
    with pytest.raises(oe.errors.DataError, match=rf"1 row of gold.*line 13 \({why}\)"):
        oe.Runs.from_files(gold, run, missing="zero")


def test_a_wide_file_with_a_spoilt_row_is_refused(tmp_path):
    data = tmp_path / "data.csv"
    data.write_text("human,model\n1,1\n2\n")
    with pytest.raises(
        oe.errors.DataError, match=r"1 row of .* cannot be read: line 3 \(too few columns\)"
    ):
        oe.Runs.from_wide(data, gold="human", predicted="model")
    data.write_text("human,model\n1,1\n2,\n")
    with pytest.raises(oe.errors.LabelError, match="1 of 2 answers is missing, first at item 2"):
        oe.Runs.from_wide(data, gold="human", predicted="model")
    evall = tmp_path / "data.tsv"
    evall.write_text("t0\t1\t2\nt0\t2\t2\n")
    with pytest.raises(oe.errors.DataError, match="has no header"):
        oe.Runs.from_wide(evall, gold="human", predicted="model")


def test_a_column_of_ids_taken_for_systems_is_refused(files):
    files[1].write_text("item,label,model\n" + "".join(f"d{i},1,m{i}\n" for i in range(10_001)))
    with pytest.raises(
        oe.errors.DataError, match=r"more than 10000 names.* seems to hold something else"
    ):
        oe.Runs.from_files(*files)


ENDINGS = ("csv", "tsv", "txt", "jsonl", "parquet", "csv.gz", "csv.zst", "")
FIELD = st.one_of(
    st.sampled_from(
        [
            "",
            "1",
            "2",
            "1.0",
            "nan",
            "d1",
            "d2",
            "item",
            "label",
            "case",
            "system",
            "gold",
            '"',
            '""',
            "é",
            "\x00",
        ]
    ),
    st.text(max_size=4),
    st.integers(-3, 3).map(str),
)
HEADERS = st.sampled_from(
    ["item,label", "case,item,label", "item,system,label", "case,id,run,value", "a,b,c", ""]
)


def tables(mark):
    row = st.lists(FIELD, max_size=5).map(mark.join)
    return st.tuples(
        HEADERS.map(lambda head: head.replace(",", mark)), st.lists(row, max_size=8)
    ).map(lambda parts: "\n".join([parts[0], *parts[1]]).encode("utf-8", "surrogatepass"))


JSON = st.lists(
    st.one_of(
        st.dictionaries(st.sampled_from(["item", "label", "case",
           "system"]), st.one_of(FIELD, st.integers(), st.none()))
        .map(lambda row: __import__("json").dumps(row)),
        st.text(max_size=8),
    ),
    max_size=6,
).map(lambda lines: "\n".join(lines).encode("utf-8", "surrogatepass"))  # fmt: skip
CONTENT = st.one_of(st.binary(max_size=200), tables(","), tables("\t"), JSON)


@settings(
    max_examples=examples(60),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    gold=st.one_of(st.just(GOLD.encode()), CONTENT),
    run=CONTENT,
    endings=st.tuples(st.sampled_from(ENDINGS), st.sampled_from(ENDINGS)),
    policies=st.sampled_from(
        [
            {},
            {
                "missing": "zero",
                "unknown": "missing",
                "duplicates": "first",
                "gold_missing": "drop",
            },
        ]
    ),
    labels=st.sampled_from([None, [1, 2, 3], ["1", "d1"]]),
)
def test_whatever_the_bytes_there_is_no_error_but_ours(  # noqa: PLR0917
    tmp_path, gold, run, endings, policies, labels
):
    names = [
        f"{name}.{ending}" if ending else name
        for name, ending in zip(("gold", "run"), endings, strict=True)
    ]
    (tmp_path / names[0]).write_bytes(gold)
    (tmp_path / names[1]).write_bytes(run)
    for read in (
        lambda: oe.Runs.from_files(
            tmp_path / names[0], tmp_path / names[1], labels=labels, **policies
        ),
        lambda: oe.Runs.from_wide(
            tmp_path / names[1], gold="label", predicted=["item"], labels=labels, **policies
        ),
    ):
        try:
            runs = read()
        except oe.OrdevalError:
            continue
        assert runs.table.answered.sum() + runs.table.missed.sum() == runs.n * len(runs.systems)


def test_an_interrupt_while_the_engine_works_is_an_interrupt():
    def work(database):
        raise RuntimeError("Query interrupted")  # as the engine says it when Ctrl-C comes

    with pytest.raises(KeyboardInterrupt):
        reading(work)


@pytest.mark.parametrize("pack", [lambda text: text, gzip.compress], ids=["plain", "gz"])
def test_a_line_that_does_not_fit_is_found_though_lines_end_in_several_ways(tmp_path, pack):
    ending = "csv" if pack(b"") == b"" else "csv.gz"
    gold, run, wide = (tmp_path / f"{name}.{ending}" for name in ("gold", "run", "wide"))
    gold.write_bytes(pack(GOLD.encode()))
    run.write_bytes(pack(b"item,label\nd1,1\r\nd2,2\rd3,3,7,7\n"))
    wide.write_bytes(pack(b"g,p\n1,1\r\n2,2\r3,3,7,7\n"))
    runs = oe.Runs.from_files(gold, run, missing="zero")
    assert runs.ignored["unreadable"] == 1
    assert runs.table.missed.tolist() == [[0, 0, 1]]
    assert "line 4 (too many columns)" in runs.notes[0]
    with pytest.raises(oe.errors.DataError, match=r"run\.csv.*line 4 \(too many columns\)"):
        oe.Runs.from_files(run, gold)
    with pytest.raises(oe.errors.DataError, match=r"wide\.csv.*line 4 \(too many columns\)"):
        oe.Runs.from_wide(wide, gold="g", predicted="p")


def test_every_end_of_a_line_is_one_wherever_a_file_is_cut(monkeypatch):
    text = b"a\r\nb\rc\n\r\r\n\nd\r"
    for piece in range(1, len(text) + 1):
        monkeypatch.setattr("ordeval.inputs.files.sniff.PIECE", piece)
        copy_lines(io.BytesIO(text), copy := io.BytesIO())
        assert copy.getvalue() == b"a\nb\nc\n\n\n\nd\n"


@pytest.mark.parametrize("line", ["5", "[1, 2]", '"gold"', "null", "{"])
def test_a_line_that_is_no_object_makes_a_wide_json_file_unreadable(tmp_path, line):
    rows = ['{"gold": 1, "a": 1}', line, '{"gold": 2, "a": 1}']
    (tmp_path / "wide.jsonl").write_text("\n".join(rows) + "\n")
    with pytest.raises(oe.errors.DataError, match=r"1 row of .* cannot be read"):
        oe.Runs.from_wide(
            tmp_path / "wide.jsonl", gold="gold", predicted=["a"], gold_missing="drop"
        )
