"""Small files that are read without the engine: what comes of them is what the engine makes of them, or nothing."""

import csv
import gzip
import io
import itertools
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ordeval as oe
from ordeval.inputs.files import small_files, small_text
from ordeval.inputs.files.locate import find
from ordeval.inputs.files.read import columns_of_files
from tests.examples import ALL, examples, grid
from tests.inputs.files.left import left_to_the_engine
from tests.run_content import content

SMALL = 1 << 20
# What a field may hold: numbers in several spellings, words for booleans and nothing, spaces, quotes, other letters.
LABELS = (
    "1", "2", "3", "1.0", "01", "+1", "1e0", " 1", "1 ", "true", "False", "NaN", "nan", "NA", "null", "", " ",
    '"1"', '"2"', '" 1"', '""', '"1', '1"', '"a""b"', '"1,2"', "'1'", "é", "\u2028", "\u00a0", "\x0b", "low", "mid",
    "#1", "\\N", "1;2", "\ufeff", "-0", "inf",
)  # fmt: skip
NAMES = (
    "gold", "pred", "item", "id", "case", "label", "text", "Gold", " pred", "n", "count", "weight", "rater",
    "system", "model", "", '"gold"', '"a b"',
)  # fmt: skip
PLAIN = ("1", "2", "3")


@contextmanager
def reading(small):
    """Read files up to a size without the engine, and tell by a list whether that was done."""
    done = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(small_text, "SMALL", small)
        before = small_files.counted_unchanged

        def watched(work, sources):
            counted = before(work, sources)
            done.append(counted is not None)
            return counted

        patch.setattr(small_files, "counted_unchanged", watched)
        yield done


def assert_same(read, *files, **options):
    """Compare what a call gives without the engine and with it, runs or errors; tell whether it did without."""
    outcomes, without = [], []
    for small in (SMALL, 0):
        with reading(small) as done:
            try:
                outcomes.append(content(read(*files, **options)))
            except oe.OrdevalError as error:
                outcomes.append((type(error), str(error)))
        without.append(any(done))
    assert outcomes[0] == outcomes[1]
    assert not without[1]
    return without[0]


def assert_same_unless_left(read, *files, **options):
    """Compare them; in `make test` not where the files are left to the engine, which would be compared with itself."""
    with reading(SMALL):
        left = left_to_the_engine(lambda: read(*files, **options))
    if ALL or not left:
        assert_same(read, *files, **options)


def test_a_plain_wide_file_is_read_without_the_engine_and_the_counts_are_those_made_by_hand(write):
    data = write("data.csv", "gold,pred\n1,1\n1,2\n2,2\n3,2\n1,1\n")
    with reading(SMALL) as done:
        runs = oe.Runs.from_wide(data, gold="gold", predicted="pred")
    assert done == [True]
    assert runs.scale.labels == (1, 2, 3)
    assert runs.table.answered[0].tolist() == [[2, 1, 0], [0, 1, 0], [0, 1, 0]]


def test_gold_and_one_system_are_joined_without_the_engine_and_the_counts_are_those_made_by_hand(
    write,
):
    gold = write("gold.csv", "item,label\na,1\nb,2\nc,3\n")
    run = write("run.tsv", "label\tid\n3\tc\n1\tb\n1\tz\n")
    with reading(SMALL) as done:
        runs = oe.Runs.from_files(gold, run, missing="zero")
    assert done == [True]
    assert runs.systems == ("run",)
    # a has no answer, b was answered 1 and c 3; z is no item of gold
    assert runs.table.answered[0].tolist() == [[0, 0, 0], [1, 0, 0], [0, 0, 1]]
    assert runs.table.missed[0].tolist() == [1, 0, 0]
    assert runs.ignored == {"not_in_gold": 1, "duplicate": 0, "unreadable": 0}


def test_gold_and_several_systems_are_joined_without_the_engine_and_the_counts_are_those_made_by_hand(
    write,
):
    gold = write("gold.csv", "item,label\na,1\nb,2\nc,3\n")
    one = write("one.tsv", "label\tid\n3\tc\n1\tb\n1\tz\n")
    two = write("two.csv", "item,label\nc,2\nb,\na,1\ny,1\nx,3\n")
    with reading(SMALL) as done:
        runs = oe.Runs.from_files(gold, [one, two], missing="zero")
    assert done == [True]
    assert runs.systems == ("one", "two")
    # one answers b by 1 and c by 3, two a by 1 and c by 2; x, y and z are no items of gold
    assert runs.table.answered[0].tolist() == [[0, 0, 0], [1, 0, 0], [0, 0, 1]]
    assert runs.table.answered[1].tolist() == [[1, 0, 0], [0, 0, 0], [0, 1, 0]]
    assert runs.table.missed.tolist() == [[1, 0, 0], [0, 1, 0]]
    assert runs.ignored == {"not_in_gold": 3, "duplicate": 0, "unreadable": 0}


def test_files_that_look_like_parts_of_one_table_are_left_to_the_engine(write):
    gold = write("gold.csv", "item,label\na,1\nb,2\n")
    write("run1.csv", "item,label\na,1\n")
    write("run2.csv", "item,label\nb,1\n")
    assert not assert_same(oe.Runs.from_files, gold, "run*.csv", missing="zero")


def test_two_systems_of_one_name_and_very_many_systems_are_left_to_the_engine(write, monkeypatch):
    monkeypatch.setattr(small_files, "MOST_SYSTEMS", 2)
    gold, one, two, three = (
        write(f"{name}.csv", "item,label\na,1\nb,2\n") for name in ("gold", "one", "two", "three")
    )
    assert assert_same(oe.Runs.from_files, gold, [one, two])
    assert not assert_same(oe.Runs.from_files, gold, [one, two, three])
    assert not assert_same(oe.Runs.from_files, gold, [one, one])


def test_a_file_without_usual_names_among_several_is_an_error_with_a_way_out(write):
    gold = write("gold.csv", "item,label\na,1\nb,2\n")
    odd = write("odd.csv", "x,y\na,1\nb,2\n")
    with pytest.raises(
        oe.errors.DataError, match=r"none of which has a usual name.*Pass skip_bad="
    ):
        oe.Runs.from_files(gold, [gold, odd])


def test_an_evaluation_of_small_files_does_not_load_the_engine(write):
    write("data.csv", "gold,pred\n1,1\n1,2\n2,2\n3,2\n")
    write("gold.csv", "item,label\na,1\nb,2\nc,3\n")
    write("run.csv", "item,label\na,1\nb,3\nc,3\n")
    commands = (["data.csv", "--gold", "gold", "--pred", "pred"], ["gold.csv", "run.csv"])
    code = (
        "import sys, numpy\nbefore = {*sys.modules}\nfrom ordeval.cli import main\n"
        f"for arguments in {commands!r}:\n"
        "    main.main(['evaluate', *arguments], standalone_mode=False)\n"
        "heavy = {'duckdb', 'rich', 'jinja2', 'narwhals', 'numpy.ma', 'numpy.random'}\n"
        "sys.exit(bool(heavy & {*sys.modules} - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("field", [*LABELS, "\0", '"', '"""', '"a"b"', 'a"b'], ids=ascii)
def test_a_field_is_read_as_the_csv_module_reads_it_or_left_to_the_engine(write, field):
    text = f"gold,pred\n1,{field}\n2,1\n"
    source = find(write("data.csv", text))
    with reading(SMALL):
        tables = small_text.small_tables([source], {})
    if '"' in field.strip('"') or "\0" in field or field in ('"1', '1"', '"1,2"', '"', '"""'):
        assert tables is None
    else:
        assert tables is not None
        assert [[*tables[0].columns], *tables[0].rows] == [*csv.reader(text.split("\n")[:-1])]


FORGIVING = {"missing": "drop", "unknown": "missing", "gold_missing": "drop", "labels": ["1", "2"]}


@grid(
    "label, options, row",
    itertools.product(LABELS, [{}, FORGIVING], ["{0},1", "2,{0}", "{0},{0}"]),
    every=6,
    ids=ascii,
)
def test_every_spelling_of_a_label_is_read_as_the_engine_reads_it(write, label, options, row):
    data = write("data.csv", f"gold,pred\n1,1\n2,1\n{row.format(label)}\n1,2\n")
    assert_same_unless_left(oe.Runs.from_wide, data, gold="gold", predicted="pred", **options)


SHAPES = [
    "gold,pred\n1,1\n2,2",  # no line end at the end
    "gold,pred\n1,1\n2,2\n\n",
    "gold,pred\n1,1\n\n2,2\n",
    "\ngold,pred\n1,1\n2,2\n",
    "\ufeffgold,pred\n1,1\n2,2\n",
    "\ufeff\ufeffgold,pred\n1,1\n2,2\n",
    "gold,pred\r1,1\r2,2\r",
    "gold,pred\r\n1,1\n2,2\r\n",
    "gold,pred\n1,1\r\n2,2\n",
    "gold,pred\n1,1\n2,2,3\n",
    "gold,pred\n1,1\n2\n",
    "gold,pred\n1,1\n2,\n",
    "gold,pred\n1,1\n,\n",
    "gold,pred\n1,1\n   \n2,2\n",
    "gold,pred,\n1,1,\n2,2,\n",
    "gold,pred\n",
    "gold,pred",
    "",
    "gold;pred\n1;1\n2;2\n",
    "gold|pred\n1|1\n2|2\n",
    "gold\tpred\n1\t1\n2\t2\n",
    "gold\tpred\n1\t1\n\t\n2\t2\n",
    "gold,pred\n1,1\n2,2\n\x00,1\n",
    'gold,pred\n"1","1"\n"2","2"\n',
    '"gold","pred"\n"1","1"\n"2","2"\n',
    'gold,pred\n"1\n","1"\n"2","2"\n',
    'gold,pred\n1,"1" \n2,2\n',
    'gold,pred\n1, "1"\n2,2\n',
    "gold,pred,gold\n1,1,1\n2,2,2\n",
    "gold,pred,Gold\n1,1,2\n2,2,1\n",
    "item,gold,pred\na,1,1\na,2,2\n",
    "item,gold,pred\na,1,1\n,2,2\n",
    "item,gold,pred\n,1,1\n,2,2\n",
    "case,item,gold,pred\nq10,a,1,1\nq2,a,2,2\nq2,b,1,2\n",
    "case,gold,pred\nq10,1,1\n,2,2\n",
    "n,gold,pred\n4,1,1\n5,2,2\n7,1,2\n6,2,1\n",
    "n,gold,pred\n4,1,1\n5,2,2\n7,1,1\n6,2,1\n",
    "weight,gold,pred\nx,1,1\ny,2,2\n",
    "gold,pred\nlow,mid\nmid,low\n",
    "gold,pred\n1,high\n2,2\n",
    "gold,pred\nlow,1\n2,2\n",
    "gold,pred\n1,1.5\n2,2\n",
    "gold,pred\n,1\n,2\n",
    "gold,pred\ntrue,TRUE\nfalse,true\n",
    "gold,pred\n1,1\n10,1\n2,10\n",
]  # fmt: skip
POLICIES_OF_SHAPES = (
    {},
    {"missing": "zero", "gold_missing": "drop", "duplicates": "first", "round": "nearest"},
)


@grid(
    "text, name, options",
    itertools.product(SHAPES, ["data.csv", "data.tsv", "data.txt"], POLICIES_OF_SHAPES),
    every=6,
    ids=ascii,
)
def test_every_shape_of_a_wide_file_is_read_as_the_engine_reads_it(
    tmp_path, monkeypatch, text, name, options
):
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(text.encode())
    assert_same_unless_left(oe.Runs.from_wide, name, gold="gold", predicted="pred", **options)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("data.csv", "gold,pred\n1,1\n2,2"),
        ("data.csv", "gold,pred\r\n1,1\r\n2,2\r\n"),
        ("data.csv", "\ufeffgold,pred\n1,1\n2,2\n"),
        ("data.csv", '"gold","pred"\n"1","1"\n"2","2"\n'),
        ("data.csv", "gold;pred\n1;1\n2;2\n"),
        ("data.csv", "case,item,gold,pred,text\nq1,a,1,1,\nq2,a,2,2,well\n"),
        ("data.tsv", "gold\tpred\n1\t1\n2\t2\n"),
        ("data.txt", "gold\tpred\ttext\n1\t1\t\n2\t2\ta, b\n"),
    ],
    ids=ascii,
)
def test_clean_files_of_every_kind_are_read_without_the_engine(tmp_path, monkeypatch, name, text):
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(text.encode())
    assert assert_same(oe.Runs.from_wide, name, gold="gold", predicted="pred")


def test_bytes_that_are_not_utf8_are_refused_in_the_engines_words(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for data in (b"gold,pred\n1,\xe9\n", b"gold,pr\xe9d\n1,1\n", b"gold,pred\n1,\xed\xa0\x80\n"):
        Path("data.csv").write_bytes(data)
        assert not assert_same(oe.Runs.from_wide, "data.csv", gold="gold", predicted="pred")


@st.composite
def tables(draw):
    """Return the bytes of a text file, clean or not, and the names in its header."""
    width = draw(st.integers(2, 4))
    labels = draw(st.sampled_from([PLAIN, PLAIN, ("low", "mid", "high", ""), LABELS]))
    header = ["gold", "pred", *draw(st.lists(st.sampled_from(NAMES), max_size=width - 2))]
    header = draw(st.permutations(header))
    ids = st.sampled_from(["a", "b", "c", "d1", "d2", "d10", "1", "01", "é", "", " a", '"a"'])
    rows = draw(
        st.lists(
            st.tuples(
                *(
                    ids if name in ("item", "id", "case", "text") else st.sampled_from(labels)
                    for name in header
                )
            ),
            max_size=8,
        )
    )
    delimiter = draw(st.sampled_from([",", ",", "\t", ";"]))
    end = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    lines = [delimiter.join(row) for row in [header, *rows]]
    odd = draw(st.sampled_from(["", "", "", "", "\n", " ", '"', delimiter, "\r"]))
    if odd:
        lines.insert(draw(st.integers(0, len(lines))), odd)
    text = end.join(lines) + draw(st.sampled_from([end, end, ""]))
    return draw(st.sampled_from(["", "", "\ufeff"])) + text


POLICIES = st.fixed_dictionaries(
    {},
    optional={
        "missing": st.sampled_from(["zero", "farthest", "drop"]),
        "unknown": st.just("missing"),
        "gold_missing": st.just("drop"),
        "duplicates": st.just("first"),
        "round": st.just("nearest"),
        "labels": st.sampled_from(
            [["1", "2", "3"], [3, 2, 1], ["low", "mid", "high"], ["1", "01"]]
        ),
    },
)
OFTEN = settings(
    max_examples=examples(80),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@OFTEN
@given(
    text=tables(),
    options=POLICIES,
    packed=st.booleans(),
    named=st.sampled_from(["item", "case", None]),
)
def test_wide_files_are_read_as_the_engine_reads_them(tmp_path, text, options, packed, named):
    name = tmp_path / ("data.csv.gz" if packed else "data.csv")
    data = text.encode()
    name.write_bytes(gzip.compress(data) if packed else data)
    columns = {named: "text"} if named else {}
    assert_same_unless_left(
        oe.Runs.from_wide, str(name), gold="gold", predicted="pred", **columns, **options
    )


@st.composite
def long_file(draw, ids):
    """Return the text of a long file, and the name of its column of labels."""
    label = draw(st.sampled_from(["label", "gold", "pred", "value", "mark"]))
    others = draw(
        st.sampled_from(
            [(), ("case",), ("case",), ("topic", "note"), ("note",), ("system",), ("rater",)]
        )
    )
    item = draw(st.sampled_from(["item", "id", "doc"]))
    labels = draw(st.sampled_from([PLAIN, PLAIN, (*PLAIN, ""), ("low", "mid", "high"), LABELS]))
    unique = draw(st.booleans()) or draw(st.booleans())
    keys = draw(st.lists(st.sampled_from(ids), min_size=1, max_size=8, unique=unique))
    header = [*others, item, label]
    rows = [
        [
            *(draw(st.sampled_from(["q1", "q2", "q10"])) for _ in others),
            key,
            draw(st.sampled_from(labels)),
        ]
        for key in keys
    ]
    out = io.StringIO()
    quoting = draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    end = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    csv.writer(out, lineterminator=end, quoting=quoting).writerows([header, *rows])
    return out.getvalue()


IDS = ("a", "b", "c", "d1", "d2", "1", "01", "1.0", "é", "a b", " a", "NULL", "nan", "")


@OFTEN
@given(
    gold=long_file(IDS),
    run=long_file(IDS),
    options=POLICIES,
    named=st.sampled_from([{}, {}, {"label": "mark"}, {"case": "note"}]),
)
def test_gold_and_a_system_are_joined_as_the_engine_joins_them(tmp_path, gold, run, options, named):
    files = [tmp_path / "gold.csv", tmp_path / "run.csv"]
    for file, text in zip(files, (gold, run), strict=True):
        file.write_bytes(text.encode())
    assert_same_unless_left(oe.Runs.from_files, str(files[0]), str(files[1]), **named, **options)


@settings(OFTEN, max_examples=examples(40))
@given(
    gold=long_file(IDS),
    runs=st.lists(long_file(IDS), min_size=2, max_size=3),
    options=POLICIES,
    named=st.sampled_from([{}, {}, {"label": "mark"}, {"case": "note"}]),
)
def test_gold_and_several_systems_are_joined_as_the_engine_joins_them(
    tmp_path, gold, runs, options, named
):
    files = [tmp_path / f"{at}.csv" for at in range(1 + len(runs))]
    for file, text in zip(files, (gold, *runs), strict=True):
        file.write_bytes(text.encode())
    assert_same(oe.Runs.from_files, str(files[0]), [*map(str, files[1:])], **named, **options)


PAIRS = [
    ("item,label\na,1\nb,2\n", "item,label\na,1\nb,2\n"),
    ("item,label\na,1\nb,2\n", "item,label\nb,1\n"),  # a has no answer
    ("item,label\na,1\nb,2\n", "item,label\na,\nb,2\n"),  # a's is empty
    ("item,label\na,1\nb,2\n", "item,label\nx,1\ny,2\n"),  # nothing in common
    ("item,label\na,1\na,2\n", "item,label\na,1\n"),  # a twice in gold
    ("item,label\na,1\nb,2\n", "item,label\na,1\na,2\n"),  # and in the answers
    ("item,label\na,1\n,2\n", "item,label\na,1\n,2\n"),  # no id
    ("case,item,label\nq1,a,1\nq2,a,2\n", "case,item,label\nq2,a,1\nq1,a,2\n"),
    ("case,item,label\nq1,a,1\nq2,b,2\n", "case,item,label\nq2,a,1\nq2,b,2\n"),
    ("case,item,label\nq1,a,1\nq2,b,2\n", "item,label\na,1\nb,2\n"),
    ("case,item,label\nq1,a,1\nq2,a,2\n", "item,label\na,1\n"),
    ("item,label\na,1\nb,2\n", "case,item,label\nq1,a,1\nq2,b,2\n"),
    ("case,item,label\nq1,a,1\n,b,2\n", "case,item,label\nq1,a,1\nq2,b,2\n"),
    ("item,label,system\na,1,x\nb,2,x\n", "item,label\na,1\nb,2\n"),
    ("item,label\na,1\nb,2\n", "item,label,run\na,1,x\nb,2,y\n"),
    ("item,rater,label\na,r,1\nb,r,2\n", "item,label\na,1\nb,2\n"),
    ("item,rater,label\na,r,1\nb,s,2\n", "item,label\na,1\nb,2\n"),
    ("item,label\na,1\nb,2\n", "q\ta\t1\nq\tb\t2\n"),
    ("item,gold,pred\na,1,2\nb,2,1\n", "item,gold,pred\na,1,2\nb,2,1\n"),
    ("item,name\na,1\nb,2\n", "item,label\na,1\nb,2\n"),
]


@grid(
    "files, options",
    itertools.product(PAIRS, [{}, {"missing": "zero"}, {"duplicates": "first", "missing": "drop"}]),
    every=3,
    ids=ascii,
)
def test_every_way_to_join_two_files_is_the_engines(write, files, options):
    gold, run = files
    assert_same_unless_left(
        oe.Runs.from_files, write("gold.csv", gold), write("run.txt", run), **options
    )


@grid("files", PAIRS, every=3, ids=ascii)
def test_a_system_whose_columns_have_other_names_ends_as_it_does_in_the_engine(write, files):
    gold, run = write("gold.csv", files[0]), write("run.txt", files[1])
    write("other.csv", "id,mark\nb,2\na,1\n")
    assert_same_unless_left(oe.Runs.from_files, gold, [run, "other.csv"], missing="zero")


@pytest.mark.parametrize(
    "options",
    [
        {"weight": "w"}, {"count": "w"}, {"count": 1}, {"by": "w"}, {"item": "w"}, {"case": "w"}, {"case": "no"},
        {"label": "w"}, {"system": "w"}, {"rater": "w"}, {"skip_bad": True}, {"shards": True},
    ],
    ids=str,
)  # fmt: skip
def test_columns_that_are_named_are_found_as_the_engine_finds_them(write, options):
    gold = write("gold.csv", "item,label,w\na,1,1\nb,2,2\nc,2,3\n")
    run = write("run.csv", "item,label,w\na,1,1\nb,2,2\nc,1,3\n")
    assert_same(oe.Runs.from_files, gold, run, **options)


def test_many_items_give_the_same_patterns_in_the_same_order(write):
    rng = np.random.default_rng(1)
    words = ["a", "B", "é", "10", "9", "ab", "a b", "Z", "\u00df", "\U0001f600"]
    rows = [(f"d{i}", rng.choice(words), rng.choice([*words, ""])) for i in range(400)]
    gold = write("gold.csv", "item,label\n" + "".join(f"{i},{g}\n" for i, g, _ in rows))
    run = write("run.csv", "item,label\n" + "".join(f"{i},{p}\n" for i, _, p in rows[::-3]))
    other = write("other.csv", "item,label\n" + "".join(f"{i},{p}\n" for i, p, _ in rows[::-2]))
    wide = write("wide.csv", "item,gold,pred\n" + "".join(f"{i},{g},{p}\n" for i, g, p in rows))
    options = {"labels": words, "missing": "zero"}
    assert assert_same(oe.Runs.from_files, gold, run, **options)
    assert assert_same(oe.Runs.from_files, gold, [run, other, gold], **options)
    assert assert_same(oe.Runs.from_wide, wide, gold="gold", predicted="pred", **options)


def test_larger_files_are_left_to_the_engine(write):
    text = "gold,pred\n" + "1,2\n2,1\n" * 10
    data = write("data.csv", text)
    gold = write("gold.csv", "item,label\na,1\nb,2\n")
    for limit, without in ((len(text), True), (len(text) - 1, False)):
        with reading(limit) as done:
            oe.Runs.from_wide(data, gold="gold", predicted="pred")
        assert done == [without]
    # the size is that of both files together
    for limit, without in (
        (2 * Path(gold).stat().st_size, True),
        (2 * Path(gold).stat().st_size - 1, False),
    ):
        with reading(limit) as done:
            oe.Runs.from_files(gold, gold)
        assert done == [without]


@pytest.mark.parametrize("how", ["more", "other", "gone"])
def test_a_small_file_that_changes_while_it_is_read_is_an_error(write, monkeypatch, how):
    text = "item,label\na,1\nb,2\n"
    gold, run = write("gold.csv", text), write("run.csv", text)
    place = small_files.placed

    def meanwhile(*arguments, **options):
        if how == "more":
            Path(run).write_text(f"{text}c,1\n")
        elif how == "other":
            write("new.csv", text)
            Path("new.csv").replace(run)
        else:
            Path(run).unlink()
        return place(*arguments, **options)

    monkeypatch.setattr(small_files, "placed", meanwhile)
    what = {"gone": "No such file or directory."}.get(
        how, "it changed while it was read. Wait until it is written, and try again."
    )
    with reading(SMALL), pytest.raises(oe.OrdevalError) as caught:
        oe.Runs.from_files(gold, run)
    assert str(caught.value) == f"cannot read 'run.csv': {what}"


def test_a_packed_file_that_is_cut_or_goes_on_is_refused_in_the_engines_words(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    whole = gzip.compress(b"gold,pred\n1,1\n2,2\n")
    for data in (
        whole[:-1],
        whole[:-4] + b"\0\0\0\0",
        whole + b"more",
        b"",
        b"gold,pred\n1,1\n2,2\n",
    ):
        Path("data.csv.gz").write_bytes(data)
        assert not assert_same(oe.Runs.from_wide, "data.csv.gz", gold="gold", predicted="pred")
    Path("data.csv.gz").write_bytes(whole)
    assert assert_same(oe.Runs.from_wide, "data.csv.gz", gold="gold", predicted="pred")


def test_progress_that_cannot_be_called_is_refused_however_small_the_file(write):
    data = write("data.csv", "gold,pred\n1,1\n2,2\n")
    with (
        reading(SMALL),
        pytest.raises(oe.OrdevalError, match="progress is 3; it must be a function, or None"),
    ):
        oe.Runs.from_wide(data, gold="gold", predicted="pred", progress=3)


@pytest.mark.parametrize(
    "text",
    [
        "item,label\na,1\n",
        "q\ta\t1\nq\tb\t2\n",
        "x,y\na,1\n",
        '"item","a b"\na,1\n',
        '"item","a,b"\na,1\n',
        "item,item,Label \na,1,2\n",
        "item,label\n",
        "item,label\na,1,2\n",
        "",
    ],
    ids=ascii,
)
def test_the_names_of_columns_are_those_that_the_engine_finds(write, text):
    file = write("marks.txt", text)
    found = []
    for small in (SMALL, 0):
        with reading(small):
            try:
                found.append(columns_of_files(file, {"item": None, "label": "mark"}))
            except oe.OrdevalError as error:
                found.append(str(error))
    assert found[0] == found[1]
