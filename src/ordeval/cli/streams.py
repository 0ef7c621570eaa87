"""stdout and stderr as the command line has them, whatever they are connected to.

What is written to stdout arrives there or is an error; what is written to stderr may be lost, because a remark that
nobody can read changes nothing about the result. Both take every character.
"""

import codecs
import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

import click

from ordeval.formats.formulas import ABOVE, BELOW, MACRON, WORDS

GREEK = {
    letter: name for name, letter in WORDS.items() if letter.isalpha() and not letter.isascii()
}
# How characters of ours look where the encoding does not have them; others are escaped, so that names stay apart.
LOOK_ALIKES = {
    "─": "-", "█": "#", "●": "*", "★": "*", "✓": "yes", "✗": "no", "↑": "^", "↓": "v", "…": "...", "—": "-",
    "“": '"', "”": '"', "±": "+-", "≠": "!=", "≤": "<=", "≥": ">=", "κ": "kappa",
    "∫": "int", "√": "sqrt", "·": ".", MACRON: "", **GREEK,
    **{chr(small): f"_{GREEK.get(chr(letter), chr(letter))}" for letter, small in BELOW.items()},
    **{chr(small): f"^{GREEK.get(chr(letter), chr(letter))}" for letter, small in ABOVE.items()},
    **{mark: f"[{number}]" for number, mark in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
}  # fmt: skip


class OutputError(click.ClickException):
    """The result cannot be written to where it should go."""

    exit_code = 2

    def __init__(self, target: str, why: str) -> None:
        shown = target if target and target.isprintable() else repr(target)
        super().__init__(f"cannot write {shown}: {why}.")


class ReaderGoneError(click.ClickException):
    """Whoever read the result through a pipe has left, as `head` does, and wants no more of it, nor a word about it."""

    exit_code = 141  # 128 and the number of SIGPIPE, as a shell has it

    def show(self, file: Any = None) -> None:
        """Say nothing."""


def unwritable(target: str, error: OSError) -> click.ClickException:
    """Return the error that ends a command if the result cannot be written to its target."""
    if error.errno == errno.EPIPE:
        return ReaderGoneError(f"the reader of {target} has left.")
    return OutputError(target, error.strerror or "it is closed")


def look_alike(error: UnicodeError) -> tuple[str, int]:
    """Replace characters that an encoding does not have, as a handler of such errors."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(LOOK_ALIKES.get(each, ascii(each)[1:-1]) for each in missing), error.end


codecs.register_error("ordeval.look_alike", look_alike)


class StandardStream:
    """A standard stream that takes every character, and loses what cannot be written: stderr, with remarks."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="ordeval.look_alike")

    def __getattr__(self, name: str) -> Any:
        # Without a buffer click and others have to write here.
        if name == "buffer":
            raise AttributeError(name)
        return getattr(self.stream, name)

    def write(self, text: str | bytes) -> int:
        """Write text. Words that click completes are bytes, in UTF-8."""
        if text == "":
            return 0  # click tries so whether it may write, and takes no notice of an error
        if isinstance(text, bytes):
            if not text:
                raise TypeError  # to this trial, too, the answer is that text is written here
            self.write_utf8(text.decode())
            return len(text)
        try:
            return self.stream.write(text)
        except OSError as error:
            self.fail(error)
            return len(text)

    def flush(self) -> None:
        """Send off what has been written."""
        try:
            self.stream.flush()
        except OSError as error:
            self.fail(error)

    def write_utf8(self, text: str) -> None:
        """Write text for programs: always as UTF-8, whatever the stream's encoding is."""
        buffer = getattr(self.stream, "buffer", None)
        if buffer is None:
            self.write(text)
            return
        self.flush()
        try:
            buffer.write(utf8(text))
            buffer.flush()
        except OSError as error:
            self.fail(error)

    def fail(self, error: OSError) -> None:
        """Lose what could not be written, and all that follows."""
        # Python would write the rest when it ends, fail again, and end with another status.
        with suppress(OSError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.stream.fileno())
            os.close(nowhere)


class Stdout(StandardStream):
    """stdout, with results: what cannot be written is an error."""

    def fail(self, error: OSError) -> None:
        """Lose the rest, and say so."""
        super().fail(error)
        raise unwritable("to stdout", error) from error


def utf8(text: str) -> bytes:
    """Return text as UTF-8; what a file name may hold and UTF-8 cannot is escaped, which is also how JSON has it."""
    return text.encode("utf-8", "backslashreplace")


@contextmanager
def standard_streams() -> Iterator[None]:
    """Put our streams in the place of Python's, which are None if they were closed when it started."""
    before = sys.stdout, sys.stderr
    # a file that is open for reading fails as a closed stream should
    nowhere = Path(os.devnull)
    with nowhere.open(encoding="utf-8") as closed, nowhere.open("w", encoding="utf-8") as lost:
        sys.stdout, sys.stderr = Stdout(sys.stdout or closed), StandardStream(sys.stderr or lost)
        try:
            yield
        finally:
            sys.stdout, sys.stderr = before
