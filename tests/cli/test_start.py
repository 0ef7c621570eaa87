"""What a command loads before it does anything: help, lists and completed words need no NumPy."""

import json
import os
import subprocess
import sys

import pytest

import ordeval as oe
from ordeval.cli import COMMANDS, main

HEAVY = {"numpy", "duckdb", "rich", "jinja2", "narwhals"}


def run(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "ordeval", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        check=False,
    )


def completed(*words):
    return run(
        _ORDEVAL_COMPLETE="bash_complete",
        COMP_WORDS=" ".join(["ordeval", *words]),
        COMP_CWORD=str(len(words)),
    )


def loaded_by(*commands):
    """Run commands, one after the other, in one process, and return what it has loaded then."""
    code = f"""
import contextlib, io, json, sys
from ordeval.cli import main
for command in {commands!r}:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        main.main(list(command), prog_name="ordeval")
print(json.dumps(sorted(sys.modules)))
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not out.stderr
    return set(json.loads(out.stdout))


def test_no_help_loads_numpy_or_anything_heavier():
    loaded = loaded_by(("--help",), ("--version",), *((name, "--help") for name in COMMANDS))
    assert {f"ordeval.cli.{name}" for name in COMMANDS} <= loaded
    assert not loaded & HEAVY


def test_the_list_of_measures_loads_no_measure():
    loaded = loaded_by(("metrics",))
    assert not loaded & (HEAVY | {"ordeval.metrics"})


def test_the_list_of_measures_is_the_same_with_and_without_the_registry():
    shown = run("metrics")
    assert shown.returncode == 0, shown.stderr
    code = "import ordeval.metrics; from ordeval.cli import main; main.main(['metrics'])"
    listed = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        check=True,
    )
    assert shown.stdout == listed.stdout
    assert all(metric.summary in shown.stdout for metric in oe.registry.values())


def test_a_measure_of_ones_own_is_in_the_list_of_measures(tmp_path):
    plugin = tmp_path / "mine.py"
    plugin.write_text(
        "import ordeval as oe\n"
        "oe.registry.add(oe.measure(lambda counts: counts[..., 0, 0], greater_is_better=True, name='corner'))\n"
    )
    shown = run("metrics", "--plugin", str(plugin))
    assert shown.returncode == 0, shown.stderr
    assert "corner" in shown.stdout


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("ev",), ["evaluate"]),
        (("me",), ["metrics", "merge", "meta"]),
        (("--ver",), ["--version"]),
        (("evaluate", "--met"), ["--metrics"]),
        (("compare", "--pri"), ["--primary"]),
        (("metrics", "--family", "clu"), ["clustering"]),
    ],
    ids=" ".join,
)
def test_a_shell_completes_commands_options_and_choices(words, found):
    result = completed(*words)
    assert result.returncode == 0, result.stderr
    names = [line.partition(",")[2] for line in result.stdout.splitlines()]
    assert sorted(names) == sorted(found)


def test_a_shell_is_offered_every_command_in_the_order_of_the_help():
    result = completed("")
    assert [line.partition(",")[2] for line in result.stdout.splitlines()] == list(COMMANDS)


def test_completing_loads_the_one_command_whose_options_are_asked_for():
    code = """
import json, os, sys
sys.stdout.reconfigure(errors="strict")
from ordeval.cli import main
try:
    main.main(prog_name="ordeval")
except SystemExit:
    print("\\n" + json.dumps(sorted(sys.modules)))
"""
    words = {
        "_ORDEVAL_COMPLETE": "bash_complete",
        "COMP_WORDS": "ordeval gate --",
        "COMP_CWORD": "2",
    }
    out = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **words},
    )
    assert "--margin" in out.stdout
    loaded = set(json.loads(out.stdout.splitlines()[-1]))
    assert not loaded & HEAVY
    assert "ordeval.cli.gate" in loaded
    assert "ordeval.cli.evaluate" not in loaded


def test_what_a_shell_is_told_of_a_command_is_what_the_help_says_of_it():
    with main.make_context("ordeval", [], resilient_parsing=True) as ctx:
        offered = {item.value: item.help for item in main.shell_complete(ctx, "")}
    assert offered == COMMANDS
