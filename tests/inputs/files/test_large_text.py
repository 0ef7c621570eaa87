"""Large text files are scanned without the engine: what comes out is what the engine makes of them."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ordeval as oe
from ordeval.inputs.files import engine, large_join, large_text, large_wide
from ordeval.inputs.files.large_text import Keys, Layout, Rows, UnevenError
from tests.examples import ALL, examples, grid
from tests.inputs.files.left import left_to_the_engine
from tests.run_content import content

GENERATED = settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
NEVER = 1 << 60

# spellings of numbers, missing ones, letters of one byte and more, and texts around the ends of words of eight bytes
LABELS = ["1", "2", "1.0", "01", " 1", "1 ", "", "nan", "NaN", "NA", "-1", "a", "é", "高い", "b" * 7, "b" * 8,
          "b" * 9, "b" * 16, "b" * 17, "b" * 64, "b" * 65]  # fmt: skip
SCALE = [
    "-1",
    "1",
    "2",
    "a",
    "b" * 7,
    "b" * 8,
    "b" * 9,
    "b" * 16,
    "b" * 17,
    "b" * 64,
    "b" * 65,
    "é",
    "高い",
]
FORGIVING = {"labels": SCALE, "unknown": "missing", "missing": "zero", "gold_missing": "drop"}


@pytest.fixture(autouse=True)
def short_names(monkeypatch, tmp_path):
    """Let files have short names."""
    monkeypatch.chdir(tmp_path)


def outcome(door):
    """Return all that was read, in terms that can be compared, or what the error says."""
    try:
        return content(door())
    except oe.OrdevalError as error:
        return f"{type(error).__name__}: {error}"


def both_ways(door, piece=1 << 19):
    """Return what a door gives with scans of pieces of some bytes, whether they served, and what it gives without."""
    scanned, served = by_scan(door, piece)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(large_text, "LARGE", NEVER)
        engines = outcome(door)
    return scanned, served, engines


def by_scan(door, piece=1 << 19):
    """Return what a door gives with scans of pieces of some bytes, and whether they served."""
    served = []

    def spied(count):
        def spying(*arguments):
            counted = count(*arguments)
            served.append(counted is not None)
            return counted

        return spying

    with pytest.MonkeyPatch.context() as patch:
        for module, name in ((large_wide, "count_large_wide"), (large_join, "count_large_long")):
            patch.setattr(module, name, spied(getattr(module, name)))
        patch.setattr(large_text, "LARGE", 0)
        patch.setattr(large_text, "PIECE", piece)
        return outcome(door), served[0]


def left(door, piece=1 << 19):
    """Tell whether a scan of pieces of some bytes leaves what a door reads to the engine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(large_text, "LARGE", 0)
        patch.setattr(large_text, "PIECE", piece)
        return left_to_the_engine(door)


def assert_same(door, piece):
    """Compare scans with the engine; in `make test` not where they leave all to it, and it would meet itself."""
    if ALL or not left(door, piece):
        scanned, _, engines = both_ways(door, piece)
        assert scanned == engines


def wide(**options):
    """Read a wide file."""
    return lambda: oe.Runs.from_wide("wide.csv", gold="gold", predicted="pred", **options)


def two(**options):
    """Read gold and a system."""
    return lambda: oe.Runs.from_files("gold.csv", "run.csv", **options)


def write(name, rows, *, delimiter=",", end="\n", last=True, mark=False, spoiled=None):
    """Write a text file; `spoiled` is a place and bytes that are put there."""
    text = end.join(delimiter.join(row) for row in rows) + end * last
    data = b"\xef\xbb\xbf" * mark + text.encode()
    if spoiled is not None:
        at, what = spoiled
        at = at % (len(data) + 1)
        data = data[:at] + what + data[at:]
    Path(name).write_bytes(data)


forms = st.fixed_dictionaries(
    {
        "delimiter": st.sampled_from([",", ";", "\t", "|"]),
        "end": st.sampled_from(["\n", "\r\n"]),
        "last": st.booleans(),
        "mark": st.booleans(),
        "spoiled": st.none()
        | st.none()
        | st.tuples(
            st.integers(0, 1000),
            st.sampled_from(
                [b'"', b"\n", b"\r", b",", b"\0", b"\xff", b"\n\n", b" ", "ü".encode(), b'""', b"#"]
            ),
        ),
    }
)
labels = st.sampled_from(LABELS)
pieces = st.integers(80, 300)


@GENERATED
@given(data=st.data())
def test_a_scan_of_a_wide_file_gives_what_the_engine_gives(data):
    columns = data.draw(st.permutations(["gold", "pred", *data.draw(st.sets(st.sampled_from(
        ["item", "case", "note", "part", "gold ", "n"])))]))  # fmt: skip
    ids = st.sampled_from([f"d{at}" for at in range(30)] + ["", "a long name of an item, " * 2])
    values = {"gold": labels, "pred": labels, "item": ids.filter(lambda text: "," not in text),
              "case": st.sampled_from(["x", "y"]), "n": st.sampled_from("123")}  # fmt: skip
    rows = [
        [data.draw(values.get(column, labels)) for column in columns]
        for _ in range(data.draw(st.integers(0, 12)))
    ]
    write("wide.csv", [columns, *rows], **data.draw(forms))
    by = {"by": "part"} if "part" in columns and data.draw(st.booleans()) else {}
    duplicates = data.draw(st.sampled_from(["error", "first"]))
    door = wide(**FORGIVING, **by, duplicates=duplicates)
    assert_same(door, data.draw(pieces))


@GENERATED
@given(data=st.data())
def test_a_scan_of_two_files_gives_what_the_engine_gives(data):
    ids = [f"d{at}" for at in range(12)] + ["e" * 8, "e" * 9, "e" * 17, "é", "D1", " d1"]
    extras = data.draw(st.sets(st.sampled_from(["case", "note", "part"])))
    for name, some in (
        ("gold.csv", extras),
        ("run.csv", extras - data.draw(st.sets(st.just("case")))),
    ):
        columns = data.draw(st.permutations(["item", "label", *sorted(some)]))
        repeats = data.draw(st.integers(0, 4)) == 0
        chosen = data.draw(
            st.lists(st.sampled_from([*ids, *([""] * repeats)]), unique=not repeats, max_size=14)
        )
        cases = st.sampled_from(["x", "y", *([""] * repeats)])
        values = {
            "label": labels,
            "case": cases,
            "note": labels,
            "part": st.sampled_from(["p", "q"]),
        }
        rows = [
            [item if column == "item" else data.draw(values[column]) for column in columns]
            for item in chosen
        ]
        write(name, [columns, *rows], **data.draw(forms))
    by = {"by": "part"} if "part" in extras and data.draw(st.booleans()) else {}
    door = two(**FORGIVING, **by, duplicates=data.draw(st.sampled_from(["error", "first"])))
    assert_same(door, data.draw(pieces))


ITEMS = [("item", "gold", "pred")] + [
    (f"d{at}", str(at % 3), str(at * 7 % 5 % 3)) for at in range(40)
]


@grid("last, end", itertools.product([False, True], ["\n", "\r\n"]), every=2)
def test_pieces_may_end_at_every_offset(end, last):
    write("wide.csv", ITEMS, end=end, last=last)
    write("gold.csv", [(item, gold) for item, gold, _ in ITEMS], end=end, last=last)
    write(
        "run.csv",
        [(item, label) for item, _, label in ITEMS[:1] + ITEMS[:4:-1]],
        end=end,
        last=last,
    )
    expected = outcome(wide())
    # 36 of 40 items are answered
    answered = outcome(two(missing="zero"))
    assert answered["touched"]["missing"] == 4
    for piece in range(12, 40):
        assert by_scan(wide(), piece) == (expected, True)
    for piece in range(12, 26):
        assert by_scan(two(missing="zero"), piece) == (answered, True)


def test_labels_are_taken_as_text_whatever_they_are_spelled_like():
    numbers = ["1", "2", "1.0", "01", " 1", "1 ", "", "nan", "NaN", "-1", "+1", "1e0"]
    write("wide.csv", [("gold", "pred"), *((text, "1") for text in numbers)])
    scanned, served, engines = both_ways(wide(gold_missing="drop"))
    assert served
    assert isinstance(scanned, dict)
    assert scanned == engines


NOT_PLAIN = [
    "gold,pred\n1,2\n1\n",
    "gold,pred\n1,2\n1,2,2\n",
    "gold,pred\n1\n2,1,2\n",
    "gold,pred\n1,2\n\n2,1\n",
    "gold,pred\n1,2\n2,1\n\n",
    'gold,pred\n1,"2"\n2,1\n',
    '"gold","pred"\n1,2\n2,1\n',
    "gold,pred\n1,2\r\n2,1\n",
    "gold,pred\r\n1,2\n2,1\r\n",
    "gold,pred\n1,2\r2,1\n",
    "gold,pred\r1,2\r2,1\r",
    "gold,pred\r\n1,\r2\n2,1\r\n",
    "\ngold,pred\n1,2\n2,1\n",
    "gold,pred\n1,\0\n2,1\n",
    "gold,pred\n",
    "gold,pred",
    "gold,pred,case\n",
    "gold,pred,case,item\n",
    "gold,pred,gold\n1,2,1\n2,1,2\n",
    "gold,pred,item\n1,2,d1\n2,1,d1\n",
    "gold,pred,item\n1,2,d1\n2,1,\n",
    "gold,pred,case\n1,2,x\n2,1,\n",
    "gold,pred,count\n1,2,3\n2,1,3\n",
    f"gold,pred\n1,2\n2,{'1' * 65}\n",
    f"gold,pred\n1,2\n2,1\n{'1' * 600},2\n",
    "gold,pred\n1,2\nx,1\n",
    "gold,pred\n1,2\n,1\n",
]


@pytest.mark.parametrize("text", NOT_PLAIN)
def test_a_scan_leaves_what_is_not_plain(text):
    Path("wide.csv").write_bytes(text.encode())
    assert left(wide(), 512)


@grid("text", NOT_PLAIN, every=5)
def test_what_is_not_plain_is_left_to_the_engine(text):
    Path("wide.csv").write_bytes(text.encode())
    scanned, served, engines = both_ways(wide(), 512)
    assert not served
    assert scanned == engines


def test_other_encodings_and_texts_cut_within_a_letter_are_left_to_the_engine():
    Path("wide.csv").write_bytes("gold,pred\n1,é\n2,1\n".encode("latin1"))
    scanned, served, engines = both_ways(wide())
    assert not served
    assert scanned == engines
    assert "is not UTF-8 text (line 2)" in scanned


FAULTY_PAIRS = [
    ("item,label\nd1,1\nd2,2\nd1,1\n", "item,label\nd1,1\nd2,2\n"),
    ("item,label\nd1,1\nd2,2\nd3,1\nd3,1\n", "item,label\nd1,1\nd2,2\n"),
    ("item,label\nd1,1\nd2,2\n", "item,label\nd1,1\nd2,2\nd1,1\n"),
    ("item,label\nd1,1\n,2\n", "item,label\nd1,1\nd2,2\n"),
    ("item,label\nd1,1\nd2,2\n", "item,label\nd1,1\n,2\n"),
    ("item,label\nd1,1\nd2,2\n", "item,label\nx1,1\nx2,2\n"),
    ("item,label\nd1,1\nd2,2\n", "item,label\n"),
    ("item,label\n", "item,label\nd1,1\n"),
    ("case,item,label\n", "case,item,label\n"),
    ("item,label\nd1,1\nd2,2\n", "item,system,label\nd1,a,1\nd2,a,2\n"),
    ("item,label\nd1,1\nd2,2\n", "item,case,label\nd1,x,1\nd2,x,2\n"),
    ("item,label,judge\nd1,1,x\nd2,2,x\n", "item,label\nd1,1\nd2,2\n"),
    ("case,item,label\nx,d1,1\n,d2,2\n", "item,label\nd1,1\nd2,2\n"),
    ("item,label\nd1,1\nd2,2\n", "item,label\nd1,1\n"),
]


@pytest.mark.parametrize("duplicates", ["error", "first"])
@pytest.mark.parametrize(("gold", "run"), FAULTY_PAIRS)
def test_a_scan_leaves_two_files_with_a_fault(gold, run, duplicates):
    Path("gold.csv").write_text(gold)
    Path("run.csv").write_text(run)
    assert left(two(duplicates=duplicates))


@grid("files, duplicates", itertools.product(FAULTY_PAIRS, ["error", "first"]), every=5, ids=ascii)
def test_two_files_with_a_fault_are_left_to_the_engine(files, duplicates):
    for name, text in zip(("gold.csv", "run.csv"), files, strict=True):
        Path(name).write_text(text)
    scanned, served, engines = both_ways(two(duplicates=duplicates))
    assert not served
    assert scanned == engines


def test_ids_of_which_the_hashes_are_the_same_are_told_apart(monkeypatch):
    write("gold.csv", [("item", "label")] + [(f"d{at}", str(at % 3)) for at in range(30)])
    write("run.csv", [("item", "label")] + [(f"d{at}", str(at % 2)) for at in range(40, 5, -1)])
    door = two(missing="zero", labels=[0, 1, 2])
    expected = outcome(door)
    assert expected["ignored"]["not_in_gold"] == 11
    assert expected["touched"]["missing"] == 6
    for different in (1, 2, 7, 20):

        def hashes(words, _, k=different):
            return (words[0] >> np.uint64(8)) % np.uint64(k) << np.uint64(50)

        monkeypatch.setattr(large_join, "hashes", hashes)
        assert by_scan(door) == (expected, True)
    monkeypatch.setattr(large_join, "MOST_TANGLED", 3)
    assert by_scan(door) == (expected, False)
    monkeypatch.setattr(large_wide, "hashes", hashes)
    write("wide.csv", ITEMS)
    expected = outcome(wide())
    assert by_scan(wide()) == (expected, False)


def test_pairs_are_compared_across_the_parts_that_threads_take(monkeypatch):
    write("gold.csv", [(item, gold) for item, gold, _ in ITEMS])
    write("run.csv", [(item, label) for item, _, label in ITEMS[:1] + ITEMS[:4:-1]])
    expected = outcome(two(missing="zero"))
    for part in (1, 2, 3, 7):
        monkeypatch.setattr(large_join, "PART", part)
        assert by_scan(two(missing="zero")) == (expected, True)


def test_too_little_memory_for_ids_and_too_many_different_rows_are_left_to_the_engine(monkeypatch):
    write("wide.csv", ITEMS)
    write("gold.csv", [(item, gold) for item, gold, _ in ITEMS])
    write("run.csv", [(item, label) for item, _, label in ITEMS])
    expected, joined = outcome(wide()), outcome(two())
    with monkeypatch.context() as patch:
        patch.setattr(large_text, "MOST_KEYS", 2)
        assert by_scan(wide()) == (expected, False)
    for module in (large_wide, large_join):
        monkeypatch.setattr(module, "MB", 0)
    assert by_scan(wide()) == (expected, False)
    assert by_scan(two()) == (joined, False)


def rows_of(texts):
    """Return rows of two columns as a scan sees them."""
    data = b"".join(b"%s,x\n" % text for text in texts)
    buffer = bytearray(data + bytes(large_text.WORD * (large_text.MOST_WORDS + 1)))
    return Rows(buffer, len(data), Layout(("a", "b"), b",", b"\n", 0, len(data)))


@pytest.mark.later
def test_keys_give_every_row_the_code_of_its_own_text(monkeypatch):
    texts = [b"%d" % (at % 37) for at in range(3000)] + [b"", b"3" * 9, b"3" * 8, b"3" * 17]
    monkeypatch.setattr(
        large_text, "SLOT_BITS", 8
    )  # 41 keys in 256 slots: most hashes do not serve
    monkeypatch.setattr(large_text, "TRIES", 10_000)
    monkeypatch.setattr(large_text, "SOME", 5)
    keys = Keys(1)
    for part in (texts[:10], texts, texts[::-1]):
        codes = keys.codes(rows_of(part), [0])
        known = keys.texts()
        assert [known[code] for code in codes] == [(text.decode() or None,) for text in part]
    monkeypatch.setattr(large_text, "SLOT_BITS", 5)
    with pytest.raises(UnevenError):
        Keys(1).codes(rows_of(texts), [0])


def test_a_scan_needs_no_engine(monkeypatch):
    write("wide.csv", ITEMS)
    write("gold.csv", [(item, gold) for item, gold, _ in ITEMS])
    write("run.csv", [(item, label) for item, _, label in ITEMS])
    monkeypatch.setattr(large_text, "LARGE", 0)
    monkeypatch.setattr(engine, "Database", None)
    assert wide()().n == two()().n == 40


def test_a_scan_tells_how_far_it_has_come_and_can_be_stopped(monkeypatch):
    write("wide.csv", ITEMS * 200 + ITEMS[1:])
    write("gold.csv", [("item", "label")] + [(f"d{at}", "1") for at in range(9000)])
    monkeypatch.setattr(large_text, "LARGE", 0)
    monkeypatch.setattr(large_text, "PIECE", 64)
    monkeypatch.setattr(large_text, "LOOK", 1e-4)
    told = []
    oe.Runs.from_files(
        "gold.csv", "gold.csv", progress=lambda *step: told.append(step[0] / step[1])
    )
    assert told == sorted(told)
    assert 0 <= told[0] <= told[-1] <= 1
    assert len(told) > 2

    def stop(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        wide(progress=stop)()


def test_a_file_that_changes_during_a_scan_is_an_error(monkeypatch):
    write("wide.csv", ITEMS)

    def meanwhile(file, *arguments):
        scan(file, *arguments)
        with Path(file).open("a") as stream:
            stream.write("d99,1,1\n")

    scan = large_wide.scan
    monkeypatch.setattr(large_text, "LARGE", 0)
    monkeypatch.setattr(large_wide, "scan", meanwhile)
    assert outcome(wide()) == (
        "DataError: cannot read 'wide.csv': it changed while it was read. Wait until it is written, and try again."
    )
