"""The command line as a process: signals, closed and full streams, encodings, memory, `python -OO`."""

import fcntl
import itertools
import json
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner

from ordeval.cli import COMMANDS, main
from tests.examples import grid

ORDEVAL = [sys.executable, "-m", "ordeval"]
# Runs the command line on what follows, after a change to what it does.
CHANGED = """
import sys, time
{change}
from ordeval.__main__ import main
main()
"""


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A folder with a gold file and two systems, which is also the current one."""
    (tmp_path / "gold.csv").write_text("id,label\na,1\nb,2\nc,3\n")
    (tmp_path / "one.csv").write_text("id,label\na,1\nb,2\nc,3\n")
    (tmp_path / "two.csv").write_text("id,label\na,1\nb,1\nc,3\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def start(*arguments, ends="", **settings):
    """Run a command to its end, through a shell where something is to be closed."""
    line = [*ORDEVAL, *arguments]
    if ends:
        line = ["sh", "-c", f'exec "$@" {ends}', "sh", *line]
    return subprocess.run(line, capture_output=True, check=False, **settings)


def in_process(*arguments):
    return CliRunner().invoke(main, list(arguments))


EVALUATE = ("evaluate", "gold.csv", "one.csv")


# --- what stdout and stderr are connected to


@grid(
    "arguments,ends",
    itertools.product(
        [("--version",), ("--help",), ("metrics",), EVALUATE, (*EVALUATE, "--format", "json")],
        [">&-", ">/dev/full"],
    ),
    every=3,
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_a_result_that_stdout_does_not_take_is_an_error(files, arguments, ends):
    ended = start(*arguments, ends=ends)
    why = "it is closed" if ends == ">&-" else "No space left on device"
    assert ended.stderr.decode() == f"Error: cannot write to stdout: {why}.\n"
    assert ended.returncode == 2


@pytest.mark.parametrize("arguments", [("--help",), (*EVALUATE, "--format", "csv")], ids=" ".join)
def test_a_reader_that_has_left_ends_a_command_with_141_and_no_word(files, arguments):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as stdout:
        ended = subprocess.run(
            [*ORDEVAL, *arguments], stdout=stdout, stderr=subprocess.PIPE, check=False
        )
    assert (ended.returncode, ended.stderr) == (141, b"")


@grid(
    "arguments,status,ends",
    [
        (arguments, status, ends)
        for ends in ("2>&-", "2>/dev/full")
        for arguments, status in (
            (("evaluate", "nowhere.csv", "one.csv"), 3),
            (("compare", "gold.csv", "two.csv", "--by", "x"), 3),
            ((*EVALUATE, "--fail-under", "accuracy=2"), 1),
        )
    ],
    every=3,
    ids=lambda value: value[0] if isinstance(value, tuple) else str(value),
)
def test_a_stderr_that_takes_nothing_changes_no_status(files, arguments, status, ends):
    assert start(*arguments, ends=ends).returncode == status


def test_a_file_opened_while_stdout_is_closed_does_not_become_stdout(files):
    ended = start(*EVALUATE, "-o", "/dev/stdout", ends=">&-")
    assert ended.returncode == 2
    assert "cannot write to stdout: it is closed" in ended.stderr.decode()


def test_dev_stdout_is_appended_to_where_stdout_is(files):
    log = files / "log"
    log.write_text("before\n")
    assert start(*EVALUATE, "--format", "csv", "-o", "/dev/stdout", ends=">>log").returncode == 0
    assert log.read_text().startswith("before\nsystem,items,")


# --- signals

ENDLESS = {
    "DuckDB": """
from ordeval.inputs.files import small_text
from ordeval.inputs.files.engine import Database
small_text.SMALL = 0
before = Database.columns_of
def endless(self, scan):
    print("ready", file=sys.stderr, flush=True)
    self.rows("SELECT count(*) FROM range(1000000000000) t(i) WHERE hash(i) = 7")
Database.columns_of = endless
""",
    "NumPy": """
import numpy
import ordeval.comparison.score_runs
def endless(*arguments, **settings):
    print("ready", file=sys.stderr, flush=True)
    while True:
        numpy.ones(1000).cumsum()
ordeval.comparison.score_runs.score_runs = endless
""",
    # Python only remarks on what is raised in a destructor
    "a destructor": """
import ordeval.__main__
import ordeval.comparison.score_runs
ordeval.__main__.PATIENCE = 0.3
class Losing:
    def __del__(self):
        print("ready", file=sys.stderr, flush=True)
        time.sleep(0.2)
def endless(*arguments, **settings):
    Losing()
    while True:
        pass
ordeval.comparison.score_runs.score_runs = endless
""",
    "a temporary folder": """
import shutil
from ordeval.inputs.files import small_text
small_text.SMALL = 0
before = shutil.rmtree
def slow(folder, **settings):
    print("ready", file=sys.stderr, flush=True)
    time.sleep(0.3)
    before(folder, **settings)
shutil.rmtree = slow
""",
    # NumPy's extensions make an ImportError of what is raised while they are loaded
    "import": """
class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            print("ready", file=sys.stderr, flush=True)
            time.sleep(0.3)
sys.meta_path.insert(0, Slow())
""",
}


@grid(
    "number,work",
    [
        (signal.SIGINT, "DuckDB"),
        (signal.SIGHUP, "DuckDB"),
        (signal.SIGTERM, "DuckDB"),
        (signal.SIGTERM, "NumPy"),
        (signal.SIGTERM, "a temporary folder"),
        (signal.SIGINT, "import"),
        (signal.SIGTERM, "import"),
        (signal.SIGTERM, "a destructor"),
    ],
    every=3,
)
def test_a_signal_ends_a_command_which_clears_up_first(files, number, work):
    temporary = files / "temporary"
    temporary.mkdir()
    # the tests themselves may have been started by `nohup`
    heard = f"import signal; signal.signal({int(number)}, signal.SIG_DFL)"
    program = CHANGED.format(change=f"{heard}\n{ENDLESS[work]}")
    with subprocess.Popen(
        [sys.executable, "-c", program, *EVALUATE],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(temporary)},
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == b"ready\n"
        process.send_signal(number)
        try:
            _, told = process.communicate(timeout=30)
        finally:
            process.kill()  # if it is still there
    assert process.returncode == 128 + number
    assert told == b"" or work == "a destructor"
    assert list(temporary.iterdir()) == []
    assert {path.name for path in files.iterdir()} == {
        "gold.csv",
        "one.csv",
        "two.csv",
        "temporary",
    }


def test_a_signal_that_is_ignored_by_who_starts_a_command_stays_ignored(files):
    program = CHANGED.format(change="import os, signal; os.kill(os.getpid(), signal.SIGHUP)")
    line = ["sh", "-c", 'trap "" HUP; exec "$@"', "sh", sys.executable, "-c", program]
    assert subprocess.run([*line, "--version"], capture_output=True, check=False).returncode == 0


def test_nothing_heavy_is_imported_before_signals_are_looked_after():
    code = "import sys; before = {*sys.modules}; import ordeval.__main__; print(*{*sys.modules} - before)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(out.stdout.split())
    assert "ordeval.__main__" in loaded
    assert not loaded & {"numpy", "click", "typing", "ordeval.errors", "ordeval.cli"}


# --- encodings

LABELS = ("ok", "é", "好")


@pytest.mark.parametrize(
    ("encoding", "class_names", "footnote"),
    [("cp1252", "ok < é < \\u597d", "1.000¹"), ("ascii", "ok < \\xe9 < \\u597d", "1.000[1]")],
)
def test_text_that_an_encoding_does_not_have_is_replaced(files, encoding, class_names, footnote):
    rows = "id,label\n" + "".join(f"{i},{label}\n" for i, label in enumerate(LABELS))
    (files / "gold.csv").write_text(rows, encoding="utf-8")
    ended = start(
        "evaluate",
        *("gold.csv", "gold.csv", "--labels", ",".join(LABELS)),
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
    shown = ended.stdout.decode(encoding)
    assert class_names in shown
    assert footnote in shown
    assert "cem_ord ^" in shown
    assert "\n----" in shown


def test_json_is_utf8_whatever_the_encoding_of_stdout_is(files):
    rows = "id,label\n" + "".join(f"{i},{label}\n" for i, label in enumerate(LABELS))
    (files / "gold.csv").write_text(rows, encoding="utf-8")
    ended = start(
        "evaluate",
        *("gold.csv", "gold.csv", "--labels", ",".join(LABELS), "--format", "json"),
        env={**os.environ, "PYTHONIOENCODING": "cp1252"},
    )
    assert json.loads(ended.stdout.decode("utf-8"))["scale"]["labels"] == list(LABELS)


# --- docstrings

SEVERAL = """
import json, sys
from click.testing import CliRunner
from ordeval.cli import main
results = []
for arguments in json.loads(sys.argv[1]):
    result = CliRunner().invoke(main, arguments)
    results.append([result.exit_code, result.stdout, result.stderr])
print(json.dumps(results))
"""


SAME = {
    "help": [
        ["metrics"],
        ["metrics", "mae"],
        ["metrics", "--format", "json"],
        *([name, "--help"] for name in COMMANDS),
        ["--help"],
    ],
    "results": [
        [*EVALUATE],
        ["compare", "gold.csv", "one.csv", "two.csv"],
        ["check", "gold.csv", "one.csv"],
        ["count", "gold.csv", "one.csv"],
        ["merge", "table.json", "table.json"],
        ["score", "table.json"],
        ["properties", "mae", "--items", "3"],
        ["reproduce", "appendix-a"],
        ["meta", "gold.csv", "one.csv", "two.csv"],  # refused, for there are too few items
    ],
    "page": [["report", "gold.csv", "one.csv", "two.csv", "-o", "/dev/stdout"]],
    "demo": [["demo"]],
}


@pytest.mark.later
@pytest.mark.parametrize(
    "commands",
    [
        pytest.param(SAME["help"], id="help"),
        pytest.param(SAME["results"], id="results"),
        # two processes draw the same pages, which takes seconds and depends on no other package
        pytest.param(SAME["page"], id="page", marks=pytest.mark.slow),
        pytest.param(SAME["demo"], id="demo", marks=pytest.mark.slow),
    ],
)
def test_every_command_does_the_same_without_docstrings(files, commands):
    (files / "table.json").write_text(in_process("count", "gold.csv", "one.csv").stdout)
    out = subprocess.run(
        [sys.executable, "-OO", "-c", SEVERAL, json.dumps(commands)],
        capture_output=True,
        text=True,
        check=True,
    )
    for command, found in zip(commands, json.loads(out.stdout), strict=True):
        wanted = in_process(*command)
        assert found == [wanted.exit_code, wanted.stdout, wanted.stderr], command


# --- errors that nobody has foreseen, and too little memory


def failing(monkeypatch, work):
    @click.command()
    def command() -> None:
        work()

    monkeypatch.setattr("ordeval.cli.demo.command", command)
    return in_process("demo")


def raising(error):
    def work():
        raise error

    return work


@pytest.mark.parametrize(
    "work",
    [
        raising(MemoryError()),
        lambda: np.empty(10**15),  # NumPy's own kind of MemoryError
        raising(OSError(12, "Cannot allocate memory")),
        raising(ImportError("x.so: failed to map segment from shared object")),
        raising(RuntimeError("can't start new thread")),
    ],
    ids=["MemoryError", "NumPy", "the system", "an import", "a thread"],
)
def test_too_little_memory_is_told_in_a_sentence(monkeypatch, work):
    result = failing(monkeypatch, work)
    assert result.exit_code == 3
    assert result.stderr.startswith("Error: there is not enough memory for this")
    assert result.stderr.count("\n") == 1


def test_an_error_that_nobody_has_foreseen_has_a_status_of_its_own(monkeypatch):
    result = failing(monkeypatch, raising(ZeroDivisionError("division by zero")))
    assert result.exit_code == 70
    assert result.stderr.startswith("Error: this is a fault of ordeval itself")
    assert "(ZeroDivisionError: 'division by zero')" in result.stderr
    assert "Traceback" not in result.stderr
    monkeypatch.setenv("ORDEVAL_TRACEBACK", "1")
    result = failing(monkeypatch, raising(ZeroDivisionError("division by zero")))
    assert result.exit_code == 70
    assert "Traceback (most recent call last)" in result.stderr


def test_an_input_that_cannot_be_opened_is_not_blamed_on_the_output(files):
    name = "x" * 300  # more than the 255 letters that a file's name may have
    for arguments in ((name, "one.csv"), ("gold.csv", name)):
        result = in_process("evaluate", *arguments)
        assert result.exit_code == 3
        assert "write" not in result.stderr
        assert "File name too long" in result.stderr


# --- options


@pytest.mark.parametrize(
    "options",
    [
        ("--labels", "1\n2,3"),
        ("--labels", "\r1,2"),
        ("--gold", "label", "--pred", "label\nid"),
        ("--by", "x\ny"),
        ("--labels", "1" * 200_000),  # longer than the csv module allows
        ("--labels", "1,\0"),
        ("-o", "x\0"),
    ],
    ids=lambda options: repr(options)[:30],
)
def test_a_control_character_in_an_option_is_wrong_usage(files, options):
    result = in_process("evaluate", "gold.csv", *options)
    assert result.exit_code == 2
    assert "Error: " in result.stderr


def test_a_label_in_quotes_may_hold_a_line_break(files):
    rows = 'id,label\na,"1\n2"\nb,3\n'
    (files / "gold.csv").write_text(rows)
    result = in_process("evaluate", "gold.csv", "gold.csv", "--labels", '"1\n2",3')
    assert result.exit_code == 0, result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        (*EVALUATE, "--resamples", "1000000000000"),
        ("compare", "gold.csv", "one.csv", "two.csv", "--resamples", "1000000000000"),
        ("meta", "gold.csv", "one.csv", "two.csv", "--resamples", "1000000000000"),
        ("meta", "gold.csv", "one.csv", "two.csv", "--repeats", "1000000000000"),
        ("reproduce", "table3", "--seeds", "1000000000000"),
        ("properties", "mae", "--items", "1000000000000"),
    ],
    ids=lambda arguments: f"{arguments[0]} {arguments[-2]}",
)
def test_absurd_sizes_are_refused_at_once(files, arguments):
    result = in_process(*arguments)
    assert result.exit_code == 2
    assert "1000000000000" in result.stderr


def test_the_demo_overwrites_no_file_but_its_own(files):
    folder = Path("mine")
    folder.mkdir()
    (folder / "systems.csv").write_text("my own\n")
    result = in_process("demo", "-o", "mine")
    assert result.exit_code == 2
    assert "'mine/systems.csv' is there already" in result.stderr
    assert [path.name for path in folder.iterdir()] == ["systems.csv"]
    assert (folder / "systems.csv").read_text() == "my own\n"


# --- a terminal


def on_a_terminal(columns, *arguments):
    """Return what a terminal of so many columns is sent on stderr."""
    primary, secondary = pty.openpty()
    fcntl.ioctl(secondary, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen([*ORDEVAL, *arguments], stdout=subprocess.DEVNULL, stderr=secondary):
        os.close(secondary)
        shown = b""
        with suppress(OSError):
            while piece := os.read(primary, 65536):
                shown += piece
    os.close(primary)
    return re.sub(r"\x1b\[[\d;?]*\w", "", shown.decode()).replace("\r\n", "\n")


@pytest.mark.later
@grid("columns", [60, 100], every=2)
def test_a_terminal_gets_an_error_and_a_note_broken_between_words(files, columns):
    (files / "bad.csv").write_text("id,label\na,very  good\nb,2\nc,3\n")
    refused = on_a_terminal(columns, "evaluate", "gold.csv", "one.csv", "bad.csv")
    said = in_process("evaluate", "gold.csv", "one.csv", "bad.csv").stderr
    error = refused[refused.index("Error") :]
    assert max(map(len, said.splitlines())) > 100 >= columns >= max(map(len, error.splitlines()))
    assert (
        error.replace("\n", " ").strip() == said.strip()
    )  # no word broken, no space lost in a name
    noted = on_a_terminal(columns, "evaluate", "gold.csv", "one.csv", "bad.csv", "--skip-bad")
    note = noted[noted.index("Note") :].splitlines()
    assert "left out 1 of 2 files" in note[0]
    assert max(map(len, note)) <= columns
