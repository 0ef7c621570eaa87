"""`ordeval` and `python -m ordeval`: the process, which ends with a status whatever signal it gets.

Signals are looked after before anything else is imported: Ctrl-C while NumPy is being loaded is no error of ours.
"""

import _thread
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
A_MOMENT = 0.02  # seconds
PATIENCE = 5  # seconds, in which to clear up


class Stopped(KeyboardInterrupt):
    """Raised where a signal arrives. If it were a KeyboardInterrupt itself, Python might end by SIGINT all the same."""


class Stops:
    """The signals that have asked the process to end."""

    def __init__(self) -> None:
        # A signal that whoever started us ignores (`nohup`) stays ignored.
        self.signals = [each for each in SIGNALS if signal.getsignal(each) != signal.SIG_IGN]
        self.number: int | None = None
        self.since = 0.0

    def answer(self, handler: Callable[[int, FrameType | None], object] | signal.Handlers) -> None:
        """Answer the signals in one way from now on."""
        for each in self.signals:
            signal.signal(each, handler)

    def leave(self, number: int, _: FrameType | None) -> None:
        """End at once, where there is nothing to clear up yet."""
        os._exit(128 + number)

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        """Let what is at work clear up, as after Ctrl-C; other signals that come meanwhile are not needed."""
        if self.number is not None and time.monotonic() < self.since + PATIENCE:
            return
        if is_importing(frame):
            _thread.start_new_thread(send_again, (number,))
            return
        self.number, self.since = number, time.monotonic()
        raise Stopped


def is_importing(frame: FrameType | None) -> bool:
    """Tell whether a module is being imported. Extensions in C make another error of what is raised meanwhile."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def send_again(number: int) -> None:
    """Send a signal to this process in a moment."""
    time.sleep(A_MOMENT)
    signal.raise_signal(number)


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
        stops.answer(signal.SIG_DFL)  # there is nothing left to clear up


if __name__ == "__main__":
    main()
