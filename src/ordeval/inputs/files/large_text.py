"""Large text files of even lines, scanned by NumPy in a few threads, which is faster than the engine.

Only what surely means the same to the engine is read here. Anything else (a quote, a line that does not fit, a field
that is very long) raises `UnevenError`: the engine then reads the file, and says what there is to say of it.
"""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import wraps
from hashlib import blake2b
from io import FileIO
from pathlib import Path
from typing import ParamSpec, Protocol

import numpy as np

from ordeval.aliases import Array, Progress
from ordeval.errors import OrdevalError
from ordeval.inputs.files.locate import Source
from ordeval.inputs.files.memory import address_rooms
from ordeval.inputs.files.sniff import decoded, delimiter_and_header, head_of
from ordeval.inputs.placing import PlacedPatterns

Arguments = ParamSpec("Arguments")

LARGE = 1 << 20  # bytes of a file
FORMS = frozenset({"csv", "tsv", "text"})
PIECE = 1 << 19  # bytes that a thread scans at a time: few enough to stay in the processor's cache
WORD = 8  # bytes
MOST_WORDS = 8  # of a field
MOST_KEYS = 1000  # different rows of labels: more of them are counted better by the engine
SLOT_BITS = 18  # of a table in which that many keys have a place each
TRIES = 200
SOME = 2000  # rows that are looked at for new keys
LOOK = 0.2  # seconds between two reports of how far the scan has come
LINE_FEED, RETURN = b"\n", b"\r"
UINT64 = np.dtype("<u8")
# MASKS[word, width]: what belongs to a field of some bytes in each of its words; the first byte is the lowest
MASKS = np.array(
    [
        [(1 << 8 * min(max(width - WORD * word, 0), WORD)) - 1 for width in range(WORD * MOST_WORDS + 1)]
        for word in range(MOST_WORDS)
    ],
    dtype=UINT64,
)  # fmt: skip


class UnevenError(Exception):
    """A file is not as plain as a scan needs it."""


def unless_uneven(
    work: Callable[Arguments, PlacedPatterns | None],
) -> Callable[Arguments, PlacedPatterns | None]:
    """Let work return None where it fails for whatever reason: the engine will say why, or read the file."""

    @wraps(work)
    def tried(*args: Arguments.args, **kwargs: Arguments.kwargs) -> PlacedPatterns | None:
        try:
            return work(*args, **kwargs)
        except (UnevenError, OrdevalError, OSError, MemoryError):
            return None

    return tried


@dataclass(frozen=True, slots=True)
class Layout:
    """How the rows of a text file look, and where they begin."""

    columns: tuple[str, ...]
    delimiter: bytes
    line_end: bytes
    start: int
    size: int  # of the file

    @property
    def most_rows(self) -> int:
        """How many rows there can be if one column is never empty."""
        return (self.size - self.start) // (len(self.columns) + 1) + 1


def layout_of(source: Source, chosen: Iterable[str | None]) -> Layout:
    """Return the layout of a large text file; `chosen` are the columns that the caller named."""
    if len(source.files) > 1 or source.form not in FORMS or source.compression != "none":
        raise UnevenError
    # The threads of a scan keep addresses that the engine may need after it.
    if any(address_rooms()):
        raise UnevenError
    size = source.size
    if size < LARGE:
        raise UnevenError
    header, line_feed, _ = head_of(source.files[0], source.compression).partition(LINE_FEED)
    line_end = RETURN + LINE_FEED if header.endswith(RETURN) else LINE_FEED
    text = decoded(header, source.files[0])
    if not line_feed or not text.strip() or '"' in text or text.count("\r") >= len(line_end):
        raise UnevenError
    named = [name for name in chosen if name is not None]
    shape = delimiter_and_header([text.rstrip("\r")], source.form, named, repr(source.spec))
    if len(shape.columns) < 2:
        raise UnevenError
    start = len(header) + len(LINE_FEED)
    return Layout(shape.columns, shape.delimiter.encode(), line_end, start, size)


class Rows:
    """Some whole lines, and where their fields are."""

    def __init__(self, buffer: bytearray, size: int, layout: Layout) -> None:
        text = np.frombuffer(buffer, np.uint8, size)
        check_text(buffer, text)
        marks = text == LINE_FEED[0]
        self.n = int(np.count_nonzero(marks))
        marks |= text == layout.delimiter[0]
        ends = np.flatnonzero(marks)
        if len(ends) != self.n * len(layout.columns):
            raise UnevenError
        self.ends = ends.reshape(self.n, len(layout.columns))
        last = self.ends[:, -1]
        self.returns = len(layout.line_end) - 1  # before each line feed
        if (text[last] != LINE_FEED[0]).any():
            raise UnevenError
        if buffer.count(RETURN, 0, size) != self.n * self.returns:
            raise UnevenError
        if self.returns and (text[last - 1] != RETURN[0]).any():
            raise UnevenError
        last -= self.returns
        # every eight bytes that follow each other, wherever they begin
        self.eights = np.ndarray((len(buffer) - WORD + 1,), UINT64, buffer, strides=(1,))

    def field(self, column: int, *, empty: bool = True) -> list[Array]:
        """Return the fields of a column in words of eight bytes, filled up with zeros."""
        start = self.ends[:, column - 1] + 1 if column else self.first_fields()
        width = self.ends[:, column] - start
        widest, narrowest = int(width.max()), int(width.min())
        if widest > WORD * MOST_WORDS or not (narrowest or empty):
            raise UnevenError
        words = []
        for at in range(-(-widest // WORD)):
            word = self.eights[start + WORD * at if at else start]
            word &= MASKS[at][width] if narrowest < widest else MASKS[at][widest]
            words.append(word)
        return words

    def first_fields(self) -> Array:
        """Return where the first field of each row begins."""
        return np.concatenate(([0], self.ends[:-1, -1] + self.returns + 1))

    def fields(self, columns: Sequence[int], *, empty: bool = True) -> dict[int, Array]:
        """Return the words of some columns, each in its place; where there is none, all are zero."""
        return {
            MOST_WORDS * place + at: word
            for place, column in enumerate(columns)
            for at, word in enumerate(self.field(column, empty=empty))
        }


def check_text(buffer: bytearray, text: Array) -> None:
    """Refuse quotes, zero bytes, and what is not UTF-8."""
    if buffer.find(b'"', 0, len(text)) >= 0 or not text.min():
        raise UnevenError
    if text.max() >= 0x80:
        try:
            text.tobytes().decode()
        except UnicodeDecodeError:
            raise UnevenError from None


class Keys:
    """The different rows of some columns, each with a code; a row is found by its hash, and then compared."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.known: dict[tuple[int, ...], None] = {}  # the words of each row
        self.words = np.zeros((columns * MOST_WORDS, 0), dtype=UINT64)
        self.used: list[int] = []  # the places at which some row has a word that is not zero

    def codes(self, rows: Rows, columns: Sequence[int]) -> Array:
        """Return the code of each row, which is its position among the known ones."""
        fields = rows.fields(columns)
        while True:
            codes, fits = self.find(fields, rows.n)
            if fits.all():
                return codes
            new = np.flatnonzero(~fits)[:SOME]
            words = np.zeros((len(self.words), len(new)), dtype=UINT64)
            for place, word in fields.items():
                words[place] = word[new]
            self.learn(dict.fromkeys(map(tuple, words.T.tolist())))

    def find(self, fields: Mapping[int, Array], n: int) -> tuple[Array, Array]:
        """Return the code that each of n rows has, if it is known, and whether it is."""
        if not self.known:
            return np.zeros(n, dtype=np.int16), np.zeros(n, dtype=bool)
        codes = self.slots[self.slot_of(fields, n)]
        fits = np.ones(n, dtype=bool)
        for place in {*fields, *self.used}:
            fits &= self.words[place][codes] == fields.get(place, 0)
        return codes, fits

    def slot_of(self, fields: Mapping[int, Array], n: int) -> Array:
        """Return the place of each of n rows in the table of codes."""
        total = np.zeros(n, dtype=UINT64)
        for place, word in fields.items():
            total += word * self.multipliers[place]
        return (total >> np.uint64(64 - SLOT_BITS)).astype(np.intp)

    def learn(self, rows: Mapping[tuple[int, ...], None]) -> None:
        """Give codes to more rows, and each of all a slot of its own."""
        self.known |= rows
        if len(self.known) > MOST_KEYS:
            raise UnevenError
        self.words = np.array(list(self.known), dtype=UINT64).T
        self.used = np.flatnonzero(self.words.any(axis=1)).tolist()
        for attempt in range(TRIES):
            self.multipliers = [multiplier(attempt, place) for place in range(len(self.words))]
            slots = self.slot_of(dict(enumerate(self.words)), len(self.known))
            if len(np.unique(slots)) == len(slots):
                self.slots = np.zeros(1 << SLOT_BITS, dtype=np.int16)
                self.slots[slots] = np.arange(len(slots))
                return
        raise UnevenError

    def texts(self) -> list[tuple[str | None, ...]]:
        """Return the fields of each known row; None for an empty one, as the engine has it."""
        return [
            tuple(text_of(row[MOST_WORDS * at :][:MOST_WORDS]) for at in range(self.columns))
            for row in self.known
        ]


def text_of(words: Sequence[int]) -> str | None:
    """Return the text of a field; None if it is empty."""
    return b"".join(word.to_bytes(WORD, "little") for word in words).rstrip(b"\0").decode() or None


def multiplier(*of: int) -> np.uint64:
    """Return an odd number that looks random, the same one for the same arguments."""
    digest = blake2b(repr(of).encode(), digest_size=WORD).digest()
    return np.uint64(int.from_bytes(digest, "little") | 1)


FIRST, SECOND = ([multiplier(step, place) for place in range(2 * MOST_WORDS)] for step in (-1, -2))


def hashes(fields: Mapping[int, Array], n: int) -> Array:
    """Return a hash of the words of n rows; words of zeros change nothing, so that it is the same in every piece."""
    total = np.zeros(n, dtype=UINT64)
    for place, word in fields.items():
        mixed = word * FIRST[place]
        mixed ^= mixed >> np.uint64(32)
        mixed *= SECOND[place]
        total += mixed
    return total


class Room:
    """The memory that all threads together may take for ids; the engine can do with less."""

    def __init__(self, size: int) -> None:
        self.left = size  # bytes
        self.lock = threading.Lock()

    def take(self, size: int) -> None:
        """Take some bytes."""
        with self.lock:
            self.left -= size
        if self.left < 0:
            raise UnevenError


class Collector(Protocol):
    """What one thread makes of the rows that it gets."""

    def add(self, rows: Rows) -> None:
        """Take some rows."""


class Lines:
    """A file that hands out whole lines to several threads."""

    def __init__(self, stream: FileIO, layout: Layout) -> None:
        self.stream, self.layout = stream, layout
        self.held = b""  # the beginning of a line
        self.lock = threading.Lock()
        self.stopped = False
        self.done = stream.seek(layout.start)

    def fill(self, buffer: bytearray) -> int:
        """Put whole lines into a buffer; return how many bytes they have, 0 at the end."""
        with self.lock:
            size = len(self.held)
            buffer[:size] = self.held
            with memoryview(buffer) as view:
                while (
                    not self.stopped
                    and size < PIECE
                    and (read := self.stream.readinto(view[size:PIECE]))
                ):
                    size += read
                    self.done += read
            end = buffer.rfind(LINE_FEED, 0, size) + 1
            if end < size < PIECE:  # the last line has no end
                end = size + len(self.layout.line_end)
                buffer[size:end] = self.layout.line_end
            elif size and not end:
                raise UnevenError  # a line that is longer than the buffer
            self.held = bytes(buffer[end:size])
            return end

    def hand_out(self, collector: Collector) -> None:
        """Let a collector take lines, as long as there are any."""
        buffer = bytearray(PIECE + WORD * (MOST_WORDS + 1))
        try:
            while size := self.fill(buffer):
                collector.add(Rows(buffer, size, self.layout))
        finally:
            self.stopped = True  # there are no more, or the others need not go on


def scan(
    file: str, layout: Layout, collectors: Sequence[Collector], progress: Progress = None
) -> None:
    """Let the collectors take all rows of a file, each in a thread of its own."""
    with Path(file).open("rb", buffering=0) as stream, ThreadPoolExecutor(len(collectors)) as pool:
        lines = Lines(stream, layout)
        left = [pool.submit(lines.hand_out, collector) for collector in collectors]
        try:
            while left:
                finished, unfinished = wait(left, LOOK)
                for work in finished:
                    work.result()
                left = list(unfinished)
                if progress is not None and left:
                    progress(min(100 * lines.done // layout.size, 100), 100)
        finally:
            lines.stopped = True
