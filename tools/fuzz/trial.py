"""One try: run what was generated, and tell whether the package answered, refused it, or did what it must not."""

import signal
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import ordeval as oe

SECONDS = 20  # a try that takes longer is a finding
OURS = Path(oe.__file__).parent


class Outcome(NamedTuple):
    """What came of a try: "answered", "refused" or "stricter" (refused where a plain count has a table), and why."""

    word: str
    reason: str = ""


class Finding(Exception):  # noqa: N818 - an outcome of a try, not a mistake of this program
    """What the package must not do; findings of one cause are shown once."""

    def __init__(self, what: str, cause: str | None = None) -> None:
        super().__init__(what)
        self.cause = cause or what


class TooLong(BaseException):
    """The time of a try is over. Not an `Exception`, so that nothing on the way takes it for one of its own."""


@dataclass(frozen=True)
class Try:
    """One generated input: what it is, in words, and how it is run and judged."""

    shown: str
    judge: Callable[[], Outcome]


def raised(error: BaseException) -> Finding:
    """Return an exception that is none of ours as a finding, with the last place in the package that it passed."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [frame for frame in frames if OURS in Path(frame.filename).parents]
    last = places[-1] if places else frames[-1]
    place = f"{Path(last.filename).name}:{last.lineno} ({last.name})"
    message = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    return Finding(f"{message}, at {place}", f"{type(error).__name__} at {place}")


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `TooLong` in what runs longer; again and again, for code that goes on after the first."""

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        raise TooLong(f"more than {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def attempt(call: Callable[[], Any]) -> tuple[Any, oe.OrdevalError | None]:
    """Return what a call returns, or the error of ours that it raises; anything else, or a warning, is a finding."""
    try:
        with limited(SECONDS), warnings.catch_warnings():
            warnings.simplefilter("error")
            return call(), None
    except oe.OrdevalError as error:
        return None, error
    except (Exception, SystemExit, TooLong) as error:
        raise raised(error) from error
