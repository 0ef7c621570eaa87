"""The history of gates: lines are added whole or not at all, and what is no line of a gate is named."""

import fcntl
import json
import os
import subprocess
import sys
import threading
from datetime import UTC, datetime

import pytest

import ordeval as oe
from ordeval.comparison import history
from ordeval.errors import DataError, ParameterError
from tests.gate import records

GOLD = [1, 2, 3] * 20
WHEN = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def gate():
    return oe.gate(GOLD, [*GOLD[:-1], 1], gold=GOLD, metric="accuracy")


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_line_tells_when_and_what(gate, tmp_path):
    path = tmp_path / "gates.jsonl"
    gate.append_to(path, name="c0ffee", time=WHEN)
    (line,) = lines(path)
    assert (line["time"], line["name"]) == ("2026-03-01T12:00:00Z", "c0ffee")
    assert (line["metric"], line["outcome"], line["items"]) == ("accuracy", "inconclusive", 60)
    assert line["baseline"]["value"] == 1
    assert line["candidate"]["value"] == pytest.approx(59 / 60)
    assert line["difference"] == pytest.approx(-1 / 60)
    assert (line["low"], line["high"]) == (gate.low, gate.high)
    assert (line["margin"], line["level"], line["paired"]) == (0.01, 0.95, True)


def test_the_time_is_that_of_the_environment_or_now(gate, tmp_path, monkeypatch):
    path = tmp_path / "gates.jsonl"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    gate.append_to(path)
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    before = datetime.now(UTC).replace(microsecond=0)
    gate.append_to(path)
    first, second = lines(path)
    assert first["time"] == "1970-01-02T00:00:00Z"
    assert before <= datetime.fromisoformat(second["time"]) <= datetime.now(UTC)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    with pytest.raises(ParameterError, match="SOURCE_DATE_EPOCH is 'soon'"):
        gate.append_to(path)


def test_a_last_line_without_its_end_is_not_lost(gate, tmp_path):
    path = tmp_path / "gates.jsonl"
    path.write_text(json.dumps(records.RECORD))
    gate.append_to(path, time=WHEN)
    assert [line["metric"] for line in lines(path)] == ["cem_ord", "accuracy"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"time": "2026', "line 2"),
        ("[]", "line 2"),
        ("7", "line 2"),
        (json.dumps({"time": records.RECORD["time"]}), "lacks 'baseline'"),
        (json.dumps(records.made(outcome="maybe")), "line 2"),
        (json.dumps(records.made(time="yesterday")), "line 2"),
        (json.dumps(records.made(time="2026-03-01T12:00:00")), "line 2"),
        (json.dumps(records.made(margin="0.1")), "not a number"),
        (json.dumps(records.made(metric=3)), "line 2"),
        (json.dumps(records.made(paired=1)), "line 2"),
        ("\udcff", "line 2"),
    ],
)
def test_a_broken_line_is_named_and_nothing_is_added(gate, tmp_path, line, said):
    path = tmp_path / "gates.jsonl"
    whole = f"{json.dumps(records.RECORD)}\n{line}\n".encode("utf-8", "surrogateescape")
    path.write_bytes(whole)
    with pytest.raises(DataError, match=said) as told:
        gate.append_to(path, time=WHEN)
    assert "line 2 of the history" in str(told.value)
    assert path.read_bytes() == whole


def test_a_disk_that_is_full_leaves_the_file_as_it_was(gate, tmp_path, monkeypatch):
    path = tmp_path / "gates.jsonl"
    gate.append_to(path, time=WHEN)
    before, write = path.read_bytes(), os.write
    monkeypatch.setattr(history.os, "write", lambda to, data: write(to, data[:10]))
    with pytest.raises(DataError, match="No space left"):
        gate.append_to(path, time=WHEN)
    assert path.read_bytes() == before


ADD_SOME = """
import json, sys
from ordeval.comparison.history import GateRecord, append_record
record = GateRecord.from_dict(json.loads(sys.argv[2]), "record")
for _ in range(20):
    append_record(sys.argv[1], record)
"""


def test_lines_of_several_processes_do_not_mix(tmp_path):
    path = tmp_path / "gates.jsonl"
    command = [sys.executable, "-c", ADD_SOME, str(path), json.dumps(records.RECORD)]
    processes = [subprocess.Popen(command) for _ in range(3)]
    assert [process.wait() for process in processes] == [0, 0, 0]
    assert lines(path) == [records.RECORD] * 60


def test_a_line_waits_until_no_other_process_writes(tmp_path):
    path = tmp_path / "gates.jsonl"
    record = history.GateRecord.from_dict(records.RECORD, "record")
    with path.open("wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        writer = threading.Thread(target=history.append_record, args=(path, record))
        writer.start()
        writer.join(0.2)
        assert writer.is_alive()
        assert path.read_bytes() == b""
    writer.join()
    assert lines(path) == [records.RECORD]


def test_records_are_read_in_the_order_of_their_times(tmp_path):
    path = tmp_path / "gates.jsonl"
    later = records.made(time="2026-03-02T01:00:00+02:00")  # 23:00 of the day before, in UTC
    earlier = records.made(time="2026-03-01T22:00:00Z")
    path.write_text(f"{json.dumps(later)}\n\n{json.dumps(earlier)}")
    found = [record.time.hour for record in history.read_history(path)]
    assert found == [22, 1]
    assert history.read_history([later, earlier]) == history.read_history(path)


@pytest.mark.parametrize("odd", [None, 3, [3], ["x"], "nowhere.jsonl", "a\0b"])
def test_what_is_no_history_is_refused(odd):
    with pytest.raises((ParameterError, DataError)):
        history.read_history(odd)


@pytest.mark.parametrize("odd", [None, 3, ["x"], b"x", "a\0b"])
def test_what_is_no_name_of_a_file_is_refused(gate, odd):
    with pytest.raises(ParameterError, match="it is the name of a file"):
        gate.append_to(odd)


def test_a_folder_is_no_history(gate, tmp_path):
    with pytest.raises(DataError, match="directory"):
        gate.append_to(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DataError, match="not a plain file"):
        gate.append_to(tmp_path / "pipe")


@pytest.mark.parametrize(
    "arguments", [{"name": 3}, {"time": "now"}, {"time": WHEN.replace(tzinfo=None)}]
)
def test_odd_arguments_are_refused(gate, tmp_path, arguments):
    with pytest.raises(ParameterError, match=next(iter(arguments))):
        gate.append_to(tmp_path / "gates.jsonl", **arguments)


def drawn(*rows, **options):
    return oe.plot.history(list(rows), **options).data.to_dict()["values"]


def test_the_chart_shows_scores_intervals_and_the_margin():
    (row,) = drawn(records.RECORD)
    assert (row["value"], row["low"], row["high"]) == (0.81, 0.79, 0.83)
    assert row["limit"] == 0.78  # the baseline's 0.8 minus the margin of 0.02
    assert (row["group"], row["time"]) == ("pass", "2026-03-01T12:00:00Z")
    assert row["tip"] == "c0ffee, 2026-03-01T12:00:00Z: pass, 0.810 [0.790, 0.830]"
    (row,) = drawn(records.made(metric="mae", greater_is_better=False))
    assert row["limit"] == 0.82  # an error may be larger by the margin


def test_one_measure_is_drawn():
    other = records.made(metric="mae", greater_is_better=False, time="2026-03-02T12:00:00Z")
    assert len(drawn(records.RECORD, other, records.RECORD)) == 1  # that of the newest gate
    assert len(drawn(records.RECORD, other, records.RECORD, metric="cem")) == 2
    with pytest.raises(ParameterError, match="no gate of this history is by 'rmse'"):
        drawn(other, metric="rmse")
    with pytest.raises(ParameterError, match="no gates yet"):
        drawn()
