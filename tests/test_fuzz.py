"""A bounded part of `make fuzz`: whatever is generated or injected ends as the contract says."""

import gzip
import math
import sys
import warnings
from random import Random

import pyarrow as pa
import pytest

from tests.examples import examples
from tools.fuzz.__main__ import main
from tools.fuzz.beside import beside_plain_count
from tools.fuzz.check import FAULT, KINDS, Tally, try_one
from tools.fuzz.faults import OLD, Fault, Seen
from tools.fuzz.plain import PlainTable, Refused, meaning, nearest, plain_count
from tools.fuzz.plain_files import unpacked
from tools.fuzz.processes import Command, run_anew, run_forked, undisturbed
from tools.fuzz.rated import Rated, plain_alpha, plain_marks
from tools.fuzz.workload import contents, lay_out, line_of

POLICIES = {"missing": "error", "unknown": "error", "gold_missing": "error", "round": "error"}
INPUTS = [kind for kind in KINDS if kind != FAULT]
TRIES = examples(2000)
NEW = b"the result\n"


def numbers_of(shown, kind):
    return [int(number.replace(",", "")) for number in shown.split(f"\n{kind}")[1].split()[:2]]


@pytest.mark.examples
def test_no_generated_input_differs_from_its_plain_count(capsys):
    assert main(["--tries", str(TRIES), "--faults", "0", "--seed", "17", "--processes", "1"]) == 0
    shown = capsys.readouterr().out
    assert f"tried {TRIES:,}, 0 findings" in shown
    assert "seed 17" in shown
    for kind in INPUTS:
        answered, refused = numbers_of(shown, kind)
        assert answered > 1, kind
        assert refused > 1, kind
    with capsys.disabled():  # a run of the tests tells how many were tried
        sys.stdout.write(f"\n{shown}")


@pytest.mark.full
def test_no_fault_at_any_moment_ends_otherwise_than_documented(capsys):
    assert main(["--tries", "400", "--faults", "60", "--seed", "14"]) == 0
    shown = capsys.readouterr().out
    assert "tried 460, 0 findings" in shown
    answered, stopped = numbers_of(shown, FAULT)
    assert answered > 4
    assert stopped > 4


@pytest.mark.full
@pytest.mark.parametrize("name", ["evaluate", "merge"])
def test_a_forked_process_writes_what_a_new_one_does(tmp_path, name):
    lay_out(tmp_path, contents(".csv"), name)
    written = []
    for run in (run_forked, run_anew):
        command = Command([*line_of(name, ".csv"), "-o", "out"], tmp_path, tmp_path / "tmp")
        assert run(command, undisturbed) == 0
        written.append((tmp_path / "out").read_bytes())
        (tmp_path / "out").unlink()
    assert written[0] == written[1]


def test_a_try_is_made_again_by_its_name(capsys):
    assert main(["--only", "13:7"]) == 0
    assert "tried 1," in capsys.readouterr().out
    for kind, make in KINDS.items():
        first, again = (make(Random("13:7")).shown for _ in range(2))  # noqa: S311
        assert first == again, kind


def test_no_try_begins_after_the_time(capsys):
    assert main(["--tries", "100", "--seconds", "0", "--processes", "1"]) == 0
    assert "tried 0," in capsys.readouterr().out


@pytest.mark.parametrize(
    ("read", "says"),
    [
        (list, None),
        (lambda: 1 / 0, "ZeroDivisionError"),
        (lambda: sys.exit(3), "SystemExit"),
        (lambda: warnings.warn("careful", stacklevel=1), "UserWarning: careful"),
    ],
)
def test_what_is_neither_a_table_nor_an_error_of_ours_is_a_finding(read, says):
    def refuse():
        raise Refused

    tally = Tally()
    made = {kind: lambda _: beside_plain_count("shown", refuse, read) for kind in KINDS}
    try_one("1:5", tally, made)
    ((_, finding),) = tally.findings
    assert finding.startswith("--only 1:5 ")
    assert (says or "a table instead of an error") in finding


@pytest.mark.parametrize(
    ("seen", "says"),
    [
        (Seen(0, NEW, b"", "", []), ""),
        (Seen(143, OLD, b"", "", []), ""),
        (Seen(143, NEW, b"", "", []), ""),
        (Seen(137, OLD, b"", "", ["ordeval-x"]), ""),  # nobody can tidy up after kill -9
        (Seen(0, OLD, b"", "", []), "an output that is neither the old nor the new"),
        (Seen(143, NEW[:4], b"", "", []), "an output that is neither the old nor the new"),
        (Seen(143, OLD, b"", "", ["ordeval-x"]), "files left behind"),
        (Seen(143, OLD, b"", "Traceback (most", []), "Traceback on stderr"),
        (Seen(139, OLD, b"", "", []), "another status than documented"),
    ],
)
def test_a_process_that_is_stopped_leaves_the_old_output_or_the_new(seen, says):
    fault = Fault("terminated", {143, 137})
    assert seen.wrong(fault, {NEW}, OLD, to_stdout=False) == says


def test_the_plain_reader_refuses_archives_that_are_cut_or_changed():
    text = b"id,gold\n" + b"".join(b"d%d,%d\n" % (at, at % 3) for at in range(1000))
    zipped = gzip.compress(text, mtime=0)
    with pa.output_stream(sink := pa.BufferOutputStream(), compression="zstd") as packing:
        packing.write(text)
    packed = bytes(sink.getvalue())
    assert unpacked("x.csv.gz", zipped) == unpacked("x.csv.zst", packed) == (".csv", text)
    changed = zipped[:-8] + bytes([zipped[-8] ^ 1]) + zipped[-7:]  # its checksum
    for name, data in (
        ("x.csv.gz", zipped[:-20]),
        ("x.csv.gz", changed),
        ("x.csv.zst", packed[:-9]),
    ):
        with pytest.raises(Refused):
            unpacked(name, data)


def test_the_plain_count_follows_the_contract():
    assert [meaning(x) for x in (" 1 ", "1.0", 2.0, "x", "", None, float("nan"), 1.5)] == [
        1, 1, 2, "x", None, None, None, 1.5,
    ]  # fmt: skip
    assert nearest(2.5, [1, 2, 3]) == 3
    rows = [(1, ["1"], 1), (3, [1.0], 2), ("3", [3], 1)]
    # integers from the smallest to the largest seen, and the amounts of equal cells added
    assert plain_count(rows, None, POLICIES) == [
        PlainTable([1, 2, 3], {(1, 1): 1, (3, 1): 2, (3, 3): 1})
    ]
    for refused in (
        [("low", ["low"], 1)],  # strings without an order
        [(1, [2.5], 1)],  # an answer between two classes
        [(100, [600], 1)],  # codes with gaps
        [(1, [None], 1)],
        [(None, [1], 1)],
        [(1, ["x"], 1)],
    ):
        with pytest.raises(Refused):
            plain_count(refused, None, POLICIES)


def test_the_plain_loop_over_pairs_of_marks_gives_alpha_as_worked_by_hand():
    # ordinal: 3, 3 and 2 labels fall on the classes, the squared distances are 9, 30.25 and 6.25: 1 - 7 * 18 / 600
    units = [[1, 1], [1, 2], [2, 2], [3, 3], [3]]
    assert plain_alpha("ordinal", [1, 2, 3], units) == pytest.approx(1 - 7 * 18 / 600)
    # nominal: one pair of 8 labels differs both ways; of all ordered pairs 64 - 9 - 9 - 4 differ: 1 - 7 * 2 / 42
    assert plain_alpha("nominal", [1, 2, 3], units) == pytest.approx(1 - 7 * 2 / 42)
    assert math.isnan(plain_alpha("nominal", [1, 2], [[1, 1]]))


def test_the_plain_marks_are_those_that_the_policies_leave():
    rows = [("d0", "r0", "1"), ("d0", "r1", None), ("d1", "r0", 7), ("d0", "r0", 2)]
    rated = Rated(rows, ["r0", "r1"], ["d0", "d1"], [1, 2], {"duplicates": "first"})
    with pytest.raises(Refused):
        plain_marks(rated)
    rated.options["unknown"] = "missing"
    assert plain_marks(rated) == ([1, 2], {("d0", "r0"): 1})
    del rated.options["duplicates"]
    with pytest.raises(Refused):
        plain_marks(rated)
