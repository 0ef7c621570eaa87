"""A process that has everything imported, and becomes `python -m ordeval` in a copy of itself for each request.

A request is a line of JSON; the answers are the id of the new process and, once it has ended, its status. The copy
leaves through the end of this file as the real one does, so that what happens while Python shuts down happens here too.
"""

import importlib
import io
import json
import os
import resource
import runpy
import sys
from typing import Any

PRELOADED = ("duckdb", "altair", "jinja2", "rich.table", "ordeval.report", "ordeval.runs")


def preload() -> None:
    """Import what the commands do."""
    cli = importlib.import_module("ordeval.cli")
    for name in (*PRELOADED, *(f"ordeval.cli.{command}" for command in cli.COMMANDS)):
        importlib.import_module(name)


def become(request: dict[str, Any]) -> None:
    """Take on the folder, the environment, the files and the limits of a request."""
    os.chdir(request["folder"])
    os.environ.update(request["environment"])
    for descriptor, path in enumerate(["/dev/null", "stdout", "stderr"]):
        opened = os.open(path, os.O_RDONLY if descriptor == 0 else os.O_WRONLY)
        os.dup2(opened, descriptor)
        os.close(opened)
    sys.stdin = sys.__stdin__ = open(0, closefd=False)  # type: ignore[misc] # noqa: SIM115
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        stream = io.TextIOWrapper(
            io.BufferedWriter(io.FileIO(descriptor, "w", closefd=False)),
            encoding="utf-8",
            errors="strict" if descriptor == 1 else "backslashreplace",
            line_buffering=descriptor == 2,
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    for limit, most in request["limits"].items():
        number = getattr(resource, limit)
        if limit == "RLIMIT_AS":  # beyond what this process has already
            with open("/proc/self/statm") as sizes:  # noqa: PTH123
                most += int(sizes.read().split()[0]) * resource.getpagesize()  # noqa: PLW2901
        resource.setrlimit(number, (most, most))


def serve() -> None:
    """Answer requests until there are no more."""
    preload()
    print("ready", flush=True)
    while line := sys.stdin.readline():
        request = json.loads(line)
        process = os.fork()
        if process == 0:
            become(request)
            sys.argv = ["ordeval", *request["arguments"]]
            runpy.run_module("ordeval", run_name="__main__", alter_sys=True)
            sys.exit()
        print(process, flush=True)
        _, status = os.waitpid(process, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    serve()
