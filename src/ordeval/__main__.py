"""`ordeval` and `python -m ordeval`: the process, which ends with a status whatever signal it gets.

Signals are looked after before anything else is imported: Ctrl-C while NumPy is being loaded is no error of ours.
"""

import _thread
import gc
import os
import signal
import sys
import time
from collections.abc import Callable
from types import FrameType

# SIGINT is Ctrl-C; SIGTERM what `kill`, `timeout` and schedulers send; SIGHUP the end of a terminal.
SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]
A_MOMENT = 0.005  # seconds
PATIENCE = 5  # seconds, in which to clear up
# New objects before garbage is looked for. What is imported is none, and a small file makes far fewer.
MANY_OBJECTS = 100_000


class Stopped(KeyboardInterrupt):
    """Raised where a signal arrives. If it were a KeyboardInterrupt itself, Python might end by SIGINT all the same."""


class Stops:
    """The signals that have asked the process to end."""

    def __init__(self) -> None:
        # A signal that whoever started us ignores (`nohup`) stays ignored.
        self.signals = [each for each in SIGNALS if signal.getsignal(each) != signal.SIG_IGN]
        self.number: int | None = None  # of the last one
        self.raised: float | None = None  # when it was passed on to what is at work
        self.over = False

    def answer(self, handler: Callable[[int, FrameType | None], object] | signal.Handlers) -> None:
        """Answer the signals in one way from now on."""
        for each in self.signals:
            signal.signal(each, handler)

    def leave(self, number: int, _: FrameType | None) -> None:
        """End at once, where there is nothing to clear up yet."""
        os._exit(128 + number)

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        """Let what is at work clear up, as after Ctrl-C; other signals that come meanwhile are not needed."""
        if self.raised is not None and time.monotonic() < self.raised + PATIENCE:
            return
        self.number = number
        if is_delicate(frame):
            _thread.start_new_thread(self.send_again, (A_MOMENT,))
            return
        self.raised = time.monotonic()
        interrupt_engine()
        # Code in C may lose what is raised, and go on: then it is told once more.
        _thread.start_new_thread(self.send_again, (PATIENCE,))
        raise Stopped

    def send_again(self, seconds: float) -> None:
        """Send the signal to this process once more after some time, unless it has ended by then."""
        time.sleep(seconds)
        if self.number is not None and not self.over:
            interrupt_engine()
            signal.raise_signal(self.number)


def interrupt_engine() -> None:
    """Let the engine that reads files leave what it is doing."""
    engine = sys.modules.get("ordeval.inputs.files.engine")
    if engine is not None and hasattr(engine, "interrupt"):  # it may still be on its way in
        engine.interrupt()


def is_delicate(frame: FrameType | None) -> bool:
    """Tell whether what is at work should not be interrupted, which takes a moment.

    Extensions in C that are being imported would make another error of it. A temporary folder that is being made or
    removed would stay.
    """
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith("<frozen importlib") or file.endswith("tempfile.py"):
            return True
        frame = frame.f_back
    return False


def open_standard_files() -> None:
    """Open what was closed of the standard files, so that no other file gets its number and what is written to it.

    stdout is opened for reading: whoever writes to it finds that out.
    """
    for number, mode in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)


def main() -> None:
    """Run the command line, and end with its status: 128 and the number of the signal, if one has ended it."""
    stops = Stops()
    stops.answer(stops.leave)
    open_standard_files()
    gc.set_threshold(MANY_OBJECTS)
    from ordeval.cli import main as run

    try:
        stops.answer(stops.interrupt)
        run(prog_name="ordeval")
    except BaseException:
        # What is at work may turn the interrupt into an error of its own.
        if stops.number is None:
            raise
        sys.exit(128 + stops.number)
    finally:
        stops.over = True
        stops.answer(signal.SIG_DFL)  # there is nothing left to clear up
        # Nor to look for among all that is loaded, whose memory the system takes back at once; but the engine reports
        # what is left of it.
        if "duckdb" not in sys.modules:
            gc.freeze()


if __name__ == "__main__":
    main()
