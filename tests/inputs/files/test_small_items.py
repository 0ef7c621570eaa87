"""Small JSON lines, matrices and files of numbers without the engine: what comes of them is what the engine makes."""

import subprocess
import sys
from dataclasses import fields

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ordeval as oe
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.files import small_items, small_text
from ordeval.inputs.files.locate import find
from ordeval.inputs.files.matrix import read_matrix
from ordeval.inputs.files.read import read_item_file, read_probability_file
from ordeval.inputs.policy import Policy
from tests.examples import examples, grid
from tests.inputs.files.left import left_to_the_engine
from tests.inputs.files.test_small_files import POLICIES, assert_same
from tests.run_content import plain

SMALL = 1 << 20
OFTEN = settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def up_to(small, work):
    """Return what work gives, or its error, where files up to a size are read without the engine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(small_text, "SMALL", small)
        try:
            return work()
        except oe.OrdevalError as error:
            return type(error), str(error)


def alike(work):
    """Compare what work gives without the engine and with it; tell whether it was done without."""
    assert up_to(SMALL, work) == up_to(0, work)
    return not up_to(SMALL, lambda: left_to_the_engine(work))


# --- JSON lines

VALUES = (
    "1", "2", "3", '"1"', '"2"', "1.0", "1.10", "1e0", "-0", "-1", "true", "null", '""', '" 1"', '"low"', '"é"',
    '"\\u00e9"', '"\\ud83d\\ude00"', '"\\ud83d"', '"\\u0000"', "[1]", '{"a": 1}', "NaN", "12345678901234567890",
    "0.1", "1E2", "100000000000000000000.0", "nothing",
)  # fmt: skip


@grid("value", VALUES, every=3)
def test_every_value_of_json_is_read_as_the_engine_reads_it(write, value):
    file = write(
        "data.jsonl",
        f'{{"gold": 1, "pred": 1}}\n{{"gold": {value}, "pred": 2}}\n{{"gold": 2, "pred": 2}}\n',
    )
    assert_same(oe.Runs.from_wide, file, gold="gold", predicted="pred")
    assert_same(
        oe.Runs.from_wide, file, gold="gold", predicted="pred", labels=["1", "2"],
        gold_missing="drop", unknown="missing",
    )  # fmt: skip


@grid("value", VALUES, every=2)
def test_a_field_of_json_has_the_text_that_the_engine_makes_of_it(write, value):
    source = find(write("data.jsonl", f'{{"a": {value}}}\n{{"a": "x", "b": 1}}\n'))
    tables = up_to(SMALL, lambda: small_text.small_tables([source], {}))
    with duckdb.connect() as engine:
        line = f'{{"a": {value}}}'
        try:
            (text,) = engine.execute(
                "SELECT json_extract_string(?, '$.a') WHERE json_valid(?)", [line, line]
            ).fetchone() or (None,)
        except duckdb.Error:
            text = None
    if tables is not None:
        assert tables[0].rows == [[text or "", ""], ["x", "1"]]
    else:
        odd = ("1.10", "1e0", "-0", '"\\ud83d\\ude00"', '"\\ud83d"', '"\\u0000"', "[1]", '{"a": 1}', "NaN",
               "1E2", "100000000000000000000.0", "nothing")  # fmt: skip
        assert value in odd


def test_a_key_that_comes_twice_is_left_to_the_engine_which_takes_the_first(write):
    file = write("data.jsonl", '{"gold": 1, "pred": 1}\n{"gold": 2, "pred": 2, "pred": 1}\n')
    assert not assert_same(oe.Runs.from_wide, file, gold="gold", predicted="pred")
    assert oe.accuracy(oe.Runs.from_wide(file, gold="gold", predicted="pred").table).tolist() == [1]


def test_clean_json_lines_are_read_without_the_engine_and_the_counts_are_those_made_by_hand(write):
    gold = write("gold.jsonl", '{"item": "a", "label": 1}\n{"label": 2, "item": "b"}\n')
    run = write("run.jsonl", '{"id": "b", "label": "1"}\n{"id": "a", "label": 1, "note": "x"}\n')
    assert assert_same(oe.Runs.from_files, gold, run)
    runs = up_to(SMALL, lambda: oe.Runs.from_files(gold, run))
    assert runs.table.answered[0].tolist() == [[1, 0], [1, 0]]  # both are answered 1


def test_keys_that_come_late_in_a_long_file_are_left_to_the_engine(write):
    lines = ['{"gold": 1, "pred": 2}'] * 4000 + ['{"gold": 2, "pred": 2, "case": "q"}']
    assert len("\n".join(lines)) > 1 << 16
    file = write("data.jsonl", "\n".join(lines))
    assert not assert_same(oe.Runs.from_wide, file, gold="gold", predicted="pred")
    file = write("data.jsonl", "\n".join(lines[:-1]))
    assert assert_same(oe.Runs.from_wide, file, gold="gold", predicted="pred")


@OFTEN
@given(
    rows=st.lists(
        st.lists(
            st.tuples(
                st.sampled_from(["gold", "pred", "item", "case", "Gold", "n", ""]),
                st.sampled_from(VALUES[:10]),
            ),
            max_size=5,
        ),
        min_size=1,
        max_size=5,
    ),
    odd=st.sampled_from(["", "", "", "\n", "[1]", '"a"', "{", " "]),
    options=POLICIES,
)
def test_json_lines_are_read_as_the_engine_reads_them(tmp_path, rows, odd, options):
    lines = ["{" + ", ".join(f'"{key}": {value}' for key, value in row) + "}" for row in rows]
    file = tmp_path / "data.jsonl"
    file.write_text("\n".join([*lines, odd]) if odd else "\n".join(lines))
    assert_same(oe.Runs.from_wide, str(file), gold="gold", predicted="pred", **options)


# --- matrices of counts

MATRICES = [
    "gold,1,2\n1,3,1\n2,0,4\n",
    ",1,2\n1,3,1\n2,0,4\n",
    "gold,2,1\n2,4,0\n1,1,3\n",
    "gold,1,2,total\n1,3,1,4\n2,0,4,4\ntotal,3,5,8\n",
    "gold,1,2\n1,3,x\n2,0,4\n",
    "gold,1,2\n1,3,1.5\n2,0,4\n",
    "gold,1,2\n1,3\n2,0,4\n",
    "gold,1,2\n1,3,1\n\n2,0,4\n",
    "gold,1,2\nlow,3,1\n2,0,4\n",
    "gold,1,2\n1,3,1\n1,0,4\n",
    "gold,low,high\nlow,3,1\nhigh,0,4\n",
    'gold,"1","2"\n"1",3,1\n"2",0,4\n',
    'gold,1,2\n"1,3,1\n2,0,4\n',
    "gold;1;2\n1;3;1\n2;0;4\n",
    "gold,1,2\n",
    "item,label\na,1\n",
    "\ufeffgold,1,2\n1,3,1\n2,0,4\n",
    "gold,1,2\r\n1,3,1\r\n2,0,4\r\n",
]


@grid("text", MATRICES, every=2, ids=ascii)
def test_a_matrix_is_read_as_the_engine_reads_it(write, text):
    for name in ("data.csv", "data.txt"):
        source = find(write(name, text))
        alike(lambda source=source: read_matrix(source, None))
        alike(lambda source=source: read_matrix(source, oe.Scale(["low", "high"])))


def test_a_matrix_in_json_lines_is_read_as_the_engine_reads_it(write):
    for text in (
        '{"gold": 1, "1": 3, "2": 1}\n{"gold": 2, "1": 0, "2": 4}\n',
        '{"gold": 1, "1": 3}\n{"gold": 2, "1": 0, "2": 4}\n',
        '{"gold": 1, "1": 3, "2": 1}\n3\n',
    ):
        source = find(write("data.jsonl", text))
        assert alike(lambda source=source: read_matrix(source, None))


def test_a_clean_matrix_is_read_without_the_engine_and_its_counts_are_in_their_places(write):
    file = write("data.csv", "gold,2,1\n1,1,3\n2,4,0\n")
    assert alike(lambda: read_matrix(find(file), None))
    assert up_to(SMALL, lambda: oe.Table.from_file(file)).counts.tolist() == [[3, 1], [0, 4]]


# --- probabilities and scores


def rows_of(file, labels=None, **asked):
    """Return everything that the rows of a file hold."""
    columns = {"item": None, "case": None, "weight": None, "count": None}
    rows = read_item_file(file, ReadingChoices(labels, None, Policy(), columns), **asked)
    held = {
        one.name: plain(getattr(rows, one.name)) for one in fields(rows) if one.name != "beside"
    }
    gold = None if rows.gold is None else [plain(part) for part in rows.gold.coded()]
    scale = rows.scale and (rows.scale.labels, rows.scale.values)
    names = [rows.names(role) for role in ("item", "case")]
    return {**held, "scale": scale, "gold": gold, "names": names}


ITEMS = [
    "item,gold,1,2\na,1,0.75,0.25\nb,2,0.5,0.5\n",
    "gold,1,2\n1,0.333,0.667\n2,0.33,0.66\n",  # the sums are off by what is printed
    "gold,1,2\n1,0.3,0.6\n2,0.33,0.66\n",
    "gold,1,2\n1,0.3,\n2,0.4,0.6\n",
    "gold,1,2\n1,0.3,x\n2,0.4,0.6\n",
    "gold,1,2\n1,0.3,inf\n2,0.4,0.6\n",
    "gold,1,2\n1,.25,0.75\n2,0.4,0.6\n",
    "gold,1,2\n1, 0.25,0.75\n2,0.4,0.6\n",
    "gold,1,2\n1,2.5e-1,7.5E-1\n2,+0.4,0.6\n",
    "gold,1,2\n1,1e-400,1\n2,0.4,0.6\n",
    "gold,1,2\n,0.25,0.75\n2,0.4,0.6\n",
    "gold,1,2\n3,0.25,0.75\n2,0.4,0.6\n",
    "item,gold,1,2\na,1,0.25,0.75\na,2,0.4,0.6\n",
    "item,gold,1,2\na,1,0.25,0.75\n,2,0.4,0.6\n",
    "case,item,label,1,2\nq,a,1,0.25,0.75\nr,a,2,0.4,0.6\n",
    "n,gold,1,2\n3,1,0.25,0.75\n5,2,0.4,0.6\n",
    "weight,gold,1,2\n3,1,0.25,0.75\n5,2,0.4,0.6\n",
    "gold,1,1.0\n1,0.25,0.75\n",
    "gold,low,high\nlow,0.25,0.75\n",
    "gold,score\n1,0.25\n2,-3\n",
    "gold,score\n1,0.25\n2,1_000\n",
    "gold,score\n1,0.25\n2,1e999\n",
    "x,y\n1,2\n",
]


@grid("text", ITEMS, every=2, ids=ascii)
def test_numbers_beside_gold_are_read_as_the_engine_reads_them(write, text):
    file = write("data.csv", text)
    alike(lambda: rows_of(file, wants_gold=True))
    alike(lambda: rows_of(file, [1, 2], wants_gold=True))
    alike(lambda: rows_of(file, ["low", "high"], gold="gold", wants_gold=True))
    alike(lambda: rows_of(file))
    alike(lambda: rows_of(file, wants_gold=True, score="score"))


@grid("text", ITEMS, every=3, ids=ascii)
def test_probabilities_of_a_system_are_read_as_the_engine_reads_them(write, text):
    source = find(write("data.csv", text))
    choices = ReadingChoices(oe.Scale([1, 2]), None, Policy(), {"item": None, "case": None})
    alike(lambda: [plain(part) for part in read_probability_file(source, choices)])


def test_clean_numbers_are_read_without_the_engine_and_are_those_of_the_file(write):
    file = write("data.csv", "item,gold,1,2\na,1,0.75,0.25\nb,2,0.5,0.5\n")
    assert alike(lambda: rows_of(file, wants_gold=True))
    choices = ReadingChoices(oe.Scale([1, 2]), None, Policy(), {"item": None, "case": None})
    assert alike(lambda: plain(read_probability_file(find(file), choices)[1]))
    printed = write(
        "printed.csv", "gold,1,2,3\n1,0.33,0.33,0.33\n"
    )  # off by less than the digits tell
    assert alike(lambda: rows_of(printed, wants_gold=True))
    for rows in (
        up_to(SMALL, lambda: read_item_file(file, choices, wants_gold=True)).numbers,
        up_to(SMALL, lambda: read_probability_file(find(file), choices))[1],
    ):
        assert rows.tolist() == [[0.75, 0.25], [0.5, 0.5]]


@OFTEN
@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from(["1", "2", "", "3"]),
            st.sampled_from(["0.5", "0.25", "0.333", "1", "5e-1", "", "x", "-0.5", "0.50"]),
            st.sampled_from(["0.5", "0.75", "0.667", "0", "5e-1", "1.5", "0.50"]),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_files_of_numbers_are_read_as_the_engine_reads_them(tmp_path, rows):
    file = tmp_path / "data.csv"
    file.write_text("\n".join(["gold,1,2", *map(",".join, rows), ""]))
    alike(lambda: rows_of(str(file), wants_gold=True))


def test_a_number_is_plain_only_if_every_language_reads_it_so():
    plain_number = small_items.PLAIN_NUMBER.fullmatch
    assert all(map(plain_number, ["1", "0.5", "-2", "+3.25", "1e-3", "6.8E-05"]))
    assert not any(
        map(plain_number, ["", ".5", "5.", "1_0", " 1", "nan", "inf", "0x1", "\u0661", "1,5"])
    )


def test_decisions_and_matrices_of_small_files_do_not_load_the_engine(write):
    write("proba.csv", "gold,1,2\n1,0.75,0.25\n2,0.5,0.5\n1,0.6,0.4\n2,0.1,0.9\n")
    write("matrix.csv", "gold,1,2\n1,3,1\n2,0,4\n")
    write("wide.csv", "item,ann,bob\na,1,2\nb,2,2\n")
    write("gold.jsonl", '{"item": "a", "label": 1}\n{"label": 2, "item": "b"}\n')
    commands = (
        ["evaluate", "proba.csv", "--gold", "gold", "--proba"],
        ["evaluate", "matrix.csv"],
        ["agree", "wide.csv", "--raters", "ann,bob"],
        ["evaluate", "gold.jsonl", "gold.jsonl"],
    )
    code = (
        "import sys\nfrom ordeval.cli import main\n"
        f"for arguments in {commands!r}:\n"
        "    main.main(arguments, standalone_mode=False)\n"
        "sys.exit('duckdb' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
