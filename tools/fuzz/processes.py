"""Processes of the command line: started in a folder of their own, disturbed on the way, and waited for."""

import atexit
import functools
import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

LONGEST = 30.0  # seconds until a process counts as hanging
REPOSITORY = Path(__file__).parents[2]
Disturb = Callable[[int], None]  # of a process by its id


@dataclass(frozen=True)
class Command:
    """A command line, the folder that it runs in, and what is unusual about its surroundings.

    `stdout` and `stderr` say where these go: "file" (of that name in the folder), "closed", "full" or "leaving", a
    reader that goes away after some bytes.
    """

    arguments: list[str]
    folder: Path
    temporary: Path
    stdout: str = "file"
    stderr: str = "file"
    read: int = 0  # bytes until a reader leaves
    limits: dict[str, int] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        """Return what the process finds in its environment beside ours."""
        return {"TMPDIR": str(self.temporary), "PYTHONPATH": ":".join(sys.path), "COLUMNS": "80"}


class ForkServer:
    """The other end of `fork_server.py`."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tools.fuzz.fork_server"], cwd=REPOSITORY, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
        )  # fmt: skip
        self.answer()

    def answer(self) -> str:
        """Return the next line that the server says."""
        assert self.process.stdout is not None  # noqa: S101
        return self.process.stdout.readline().strip()

    def run(self, command: Command, disturb: Disturb) -> int:
        """Run a command in a copy of the server, and return its status."""
        request = {
            "arguments": command.arguments,
            "folder": str(command.folder),
            "environment": command.environment,
            "limits": command.limits,
        }
        for name in ("stdout", "stderr"):
            (command.folder / name).touch()
        assert self.process.stdin is not None  # noqa: S101
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        process = int(self.answer())
        disturb(process)
        assert self.process.stdout is not None  # noqa: S101
        ended, _, _ = select.select([self.process.stdout], [], [], LONGEST)
        if not ended:
            send(process, signal.SIGKILL)
            self.answer()
            raise subprocess.TimeoutExpired(command.arguments, LONGEST)
        return int(self.answer())

    def stop(self) -> None:
        """End the server."""
        assert self.process.stdin is not None  # noqa: S101
        self.process.stdin.close()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


@functools.cache
def fork_server() -> ForkServer:
    """Return the server of this process."""
    server = ForkServer()
    atexit.register(server.stop)
    return server


def run_forked(command: Command, disturb: Disturb) -> int:
    """Run a command where the imports are done already."""
    return fork_server().run(command, disturb)


def run_anew(command: Command, disturb: Disturb) -> int:
    """Run a command in a Python of its own, and return its status."""

    def prepare() -> None:
        for descriptor, where in ((1, command.stdout), (2, command.stderr)):
            if where == "closed":
                os.close(descriptor)
        for limit, most in command.limits.items():
            resource.setrlimit(getattr(resource, limit), (most, most))

    def opened(name: str, where: str) -> int:
        if where == "leaving":
            return subprocess.PIPE
        path = "/dev/full" if where == "full" else command.folder / name
        return stack.enter_context(open(path, "wb")).fileno()  # noqa: PTH123

    with ExitStack() as stack:
        process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "ordeval", *command.arguments],
            cwd=command.folder,
            stdin=subprocess.DEVNULL,
            stdout=opened("stdout", command.stdout),
            stderr=opened("stderr", command.stderr),
            preexec_fn=prepare,  # noqa: PLW1509
            env={**os.environ, **command.environment},
        )
        disturb(process.pid)
        for pipe in filter(None, (process.stdout, process.stderr)):
            pipe.read(command.read)
            pipe.close()
        try:
            return process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise


def after(seconds: float, act: Disturb) -> Disturb:
    """Return an act that waits first."""

    def disturb(process: int) -> None:
        time.sleep(seconds)
        act(process)

    return disturb


def undisturbed(process: int) -> None:
    """Leave a process to itself."""
    del process


def send(process: int, number: int) -> None:
    """Send a signal to a process that may have ended."""
    with suppress(ProcessLookupError):
        os.kill(process, number)
