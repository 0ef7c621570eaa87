"""A bounded part of `make fuzz`: inputs of all forms, made at random, say what a plain count says or are refused."""

import sys
import warnings
from random import Random

import pytest

from tools.fuzz.__main__ import main
from tools.fuzz.check import KINDS, Tally, try_one
from tools.fuzz.forms import Try
from tools.fuzz.plain import PlainTable, Refused, meaning, nearest, plain_count

POLICIES = {"missing": "error", "unknown": "error", "gold_missing": "error", "round": "error"}
TRIES = 800


def test_no_generated_input_differs_from_its_plain_count(capsys):
    assert main(["--tries", str(TRIES), "--seed", "13", "--processes", "1"]) == 0
    shown = capsys.readouterr().out
    assert f"tried {TRIES:,} inputs, 0 failures" in shown
    assert "seed 13" in shown
    for kind in KINDS:
        compared, refused = (
            int(number.replace(",", "")) for number in shown.split(f"\n{kind}")[1].split()[:2]
        )
        assert compared > 30, kind
        assert refused > 10, kind
    with capsys.disabled():  # a run of the tests tells how many were tried
        sys.stdout.write(f"\n{shown}")


def test_an_input_is_made_again_by_its_seed_and_index(capsys):
    assert main(["--only", "13:7"]) == 0
    assert "tried 1 inputs" in capsys.readouterr().out
    for kind, make in KINDS.items():
        first, again = (make(Random("13:7")).shown for _ in range(2))  # noqa: S311
        assert first == again, kind


@pytest.mark.parametrize(
    ("read", "says"),
    [
        (list, None),
        (lambda: 1 / 0, "ZeroDivisionError"),
        (lambda: sys.exit(3), "SystemExit"),
        (lambda: warnings.warn("careful", stacklevel=1), "UserWarning: careful"),
    ],
)
def test_what_is_neither_a_table_nor_an_error_of_ours_is_a_failure(read, says):
    def refuse():
        raise Refused

    tally = Tally()
    made = {kind: lambda _: Try("shown", refuse, read) for kind in KINDS}
    try_one(1, 5, tally, made)
    (failure,) = tally.failures
    assert failure.startswith("--only 1:5 ")
    assert (says or "a table instead of an error") in failure


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
