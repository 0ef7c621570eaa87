"""Faults at random moments of real processes: signals, full disks, closed pipes, little memory, files that change.

After each the status is one that is documented, the output is the old one or the new one, nothing is left behind, and
there is no traceback. What the output must be is what the same command writes undisturbed; for the data here, that
is compared with a plain count first.
"""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from tools.fuzz.processes import Command, Disturb, after, run_anew, run_forked, send, undisturbed
from tools.fuzz.small_disk import fill, small_disk
from tools.fuzz.trial import Finding, Outcome, Try
from tools.fuzz.workload import (
    CHANGES,
    COMMANDS,
    ENDINGS,
    baseline,
    changed_file,
    contents,
    lay_out,
    line_of,
)

KILLED = 128 + signal.SIGKILL
OLD = b"what was there before\n"
NOISE = (
    "Traceback",
    "Exception ignored",
    "Fatal Python",
    "excepthook",
    "terminate called",
    "core dumped",
    "Warning: ",
)
SIGNALS = {
    "kill": signal.SIGKILL,
    "terminate": signal.SIGTERM,
    "interrupt": signal.SIGINT,
    "hang up": signal.SIGHUP,
}


@dataclass
class Fault:
    """What happens to a command: its surroundings, the moment of a disturbance, and which statuses may follow."""

    shown: str
    statuses: set[int]  # beside 0, as a shell counts them
    changes: dict[str, Any] = field(default_factory=dict)  # of the command
    disturb: Disturb = undisturbed
    anew: bool = False  # in a Python of its own
    change: str = ""  # of an input
    loses: bool = False  # the result cannot be written, so that status 0 is wrong
    small: int = 0  # pages left on the disk
    on_small: str = ""  # what lies on it: "tmp" or "out"


def by_signal(rng: Random, moment: Callable[[], float], **_: Any) -> Fault:
    """Send a signal, now and then a second one."""
    word = rng.choice(list(SIGNALS))
    number = SIGNALS[word]
    seconds, again = moment(), rng.choice([None, None, 0.0, 0.01, 0.05])

    def disturb(process: int) -> None:
        time.sleep(seconds)
        send(process, number)
        if again is not None:
            time.sleep(again)
            send(process, number)

    shown = f"{word} after {seconds:.3f} s" + (
        f", again after {again} s" if again is not None else ""
    )
    return Fault(shown, {128 + number}, disturb=disturb, anew=rng.random() < 0.2)


def by_change(
    rng: Random, moment: Callable[[], float], name: str, ending: str, folder: Path, **_: Any
) -> Fault:
    """Change an input."""
    change, seconds = rng.choice(list(CHANGES)), moment()
    path = folder / changed_file(name, ending)
    act = after(seconds, lambda _: CHANGES[change](path, name, ending))
    return Fault(
        f"{path.name} {change} after {seconds:.3f} s", {1, 2, 3}, disturb=act, change=change
    )


def by_small_disk(rng: Random, **_: Any) -> Fault:
    """Let the disk of the output or of the temporary folder be full, or nearly."""
    place, pages = rng.choice(["tmp", "out"]), rng.choice([0, 1, 2, 5, 20])
    return Fault(f"{pages} pages left for {place}", {2, 3}, small=pages, on_small=place)


def by_small_files(rng: Random, written: int, **_: Any) -> Fault:
    """Let no file grow beyond some size."""
    most = rng.randint(0, max(1, written))
    return Fault(f"no file beyond {most} bytes", {2, 3}, {"limits": {"RLIMIT_FSIZE": most}})


def by_memory(rng: Random, **_: Any) -> Fault:
    """Give a process little memory beyond what Python and the imports take.

    With less than this the threads of NumPy's library do not start, and end as they like.
    """
    most = int(2 ** rng.uniform(27, 31))
    return Fault(f"{most:,} bytes of memory", {2, 3}, {"limits": {"RLIMIT_AS": most}})


def by_streams(rng: Random, to_stdout: bool, written: int, **_: Any) -> Fault:  # noqa: FBT001
    """Close stdout or stderr, fill their disk, or leave while they are written."""
    stdout = rng.choice(["file", "closed", "full", "leaving"])
    stderr = rng.choice(
        ["closed", "full"] if stdout == "file" else ["file", "file", "closed", "full"]
    )
    read = rng.choice([0, 1, rng.randint(0, max(1, written))])
    statuses = (
        {"file": set[int](), "closed": {2}, "full": {2}, "leaving": {141}}[stdout]
        if to_stdout
        else set()
    )
    loses = to_stdout and stdout in {"closed", "full"}
    changes = {"stdout": stdout, "stderr": stderr, "read": read}
    return Fault(
        f"stdout {stdout}, stderr {stderr}, read {read}", statuses, changes, anew=True, loses=loses
    )


FAULTS: dict[str, tuple[int, Callable[..., Fault]]] = {
    "signals": (40, by_signal),
    "changes": (20, by_change),
    "small disk": (12, by_small_disk),
    "small files": (8, by_small_files),
    "memory": (10, by_memory),
    "streams": (10, by_streams),
}


def drawn(rng: Random, choices: dict[str, tuple[int, Any]]) -> str:
    """Draw a name by its weight."""
    return rng.choices(list(choices), [weight for weight, _ in choices.values()])[0]


def fault(rng: Random) -> Try:
    """Draw a command, what happens to it, and whether there is an output already."""
    kind, name, ending = drawn(rng, FAULTS), drawn(rng, COMMANDS), rng.choice(ENDINGS)
    to_stdout, old = name != "report" and rng.random() < 0.4, rng.random() < 0.5
    again = rng.getrandbits(64)  # what follows depends on how long the command takes

    def judge() -> Outcome:
        usual = baseline(name, ending)
        late = Random(again)
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            lay_out(folder, contents(ending), name)
            chosen = FAULTS[kind][1](
                late, moment=lambda: late.uniform(0, 1.2 * usual.seconds), name=name, ending=ending,
                folder=folder, written=len(usual.written), to_stdout=to_stdout,
            )  # fmt: skip
            allowed = {usual.written}
            if chosen.change:
                allowed.add(baseline(name, ending, chosen.change).written)
            return injected(
                chosen, folder, line_of(name, ending), allowed, to_stdout=to_stdout, old=old
            )

    return Try(
        f"ordeval {' '.join(line_of(name, ending))}{'' if to_stdout else ' -o out'}, {kind}", judge
    )


def injected(
    chosen: Fault, folder: Path, line: list[str], allowed: set[bytes], *, to_stdout: bool, old: bool
) -> Outcome:
    """Run a command with its fault, and look at what it leaves."""
    with small_disk() if chosen.on_small else nullcontext(folder) as disk:
        temporary = disk if chosen.on_small == "tmp" else folder / "tmp"
        place = disk if chosen.on_small == "out" else folder
        output = place / "out"
        if old and not to_stdout:
            output.write_bytes(OLD)
        if chosen.on_small:
            fill(disk, chosen.small)
        command = Command(line if to_stdout else [*line, "-o", str(output)], folder, temporary)
        try:
            run = run_anew if chosen.anew else run_forked
            status = run(replace(command, **chosen.changes), chosen.disturb)
        except subprocess.TimeoutExpired:
            raise Finding(f"{chosen.shown}: it hangs", "it hangs") from None
        seen = Seen(
            status if status >= 0 else 128 - status,
            output.read_bytes() if output.exists() else None,
            read(folder / "stdout"),
            read(folder / "stderr").decode(errors="replace"),
            sorted(left.name for left in [*temporary.iterdir(), *place.glob(".*")]),
        )
    wrong = seen.wrong(chosen, allowed, OLD if old else None, to_stdout=to_stdout)
    if wrong:
        told = f", stderr {seen.stderr[-600:]!r}" if seen.stderr else ""
        raise Finding(f"{chosen.shown}: {wrong}, status {seen.status}{told}", wrong)
    return Outcome("answered" if seen.status == 0 else "refused")


def read(path: Path) -> bytes:
    """Return what a file has, nothing if there is none."""
    return path.read_bytes() if path.exists() else b""


@dataclass(frozen=True)
class Seen:
    """What a process leaves: its status, its output, what it said, and files that should be gone."""

    status: int
    output: bytes | None
    stdout: bytes
    stderr: str
    left: list[str]

    def too_early(self) -> bool:
        """Tell whether Ctrl-C came while Python itself was starting, before there was anybody to answer it."""
        ours = [line for line in self.stderr.splitlines() if f"{os.sep}ordeval{os.sep}" in line]
        return (
            self.status in {1, 128 + signal.SIGINT}
            and "KeyboardInterrupt" in self.stderr
            and all("__main__.py" in line or f"ordeval{os.sep}__init__.py" in line for line in ours)
        )

    def wrong(
        self, chosen: Fault, allowed: set[bytes], old: bytes | None, *, to_stdout: bool
    ) -> str:
        """Say what must not be; nothing if all is well."""
        noise = next((word for word in NOISE if word in self.stderr and not self.too_early()), "")
        to_file = {"stdout": "file", "stderr": "file", **chosen.changes}
        wrong = {
            "another status than documented": self.status not in {0, *chosen.statuses}
            and not self.too_early(),
            f"{noise} on stderr": bool(noise),
            "files left behind": bool(self.left) and self.status != KILLED,
            "status 0, but no result": self.status == 0 and chosen.loses,
            "an error without a word": self.status in {2, 3}
            and not self.stderr
            and to_file["stderr"] == "file",
        }
        if chosen.change and self.status == 1:
            pass  # `check` tells what it found
        elif to_stdout:
            whole = to_file["stdout"] == "file" and self.status == 0
            fitting = (
                self.stdout == one if whole else one.startswith(self.stdout) for one in allowed
            )
            wrong["another result"] = not any(fitting)
        else:
            usual = allowed if self.status == 0 else {old, *allowed}
            wrong["an output that is neither the old nor the new"] = self.output not in usual
        return ", ".join(what for what, is_so in wrong.items() if is_so)
