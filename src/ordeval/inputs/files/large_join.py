"""Two large text files without a fault, gold and one system, scanned and joined by item.

Ids are joined by sorting their hashes, and every two that meet are compared, word by word. The result is what the
engine would return, pattern by pattern, or None where there is anything to refuse or to choose between.
"""

import threading
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ordeval.aliases import Array, Progress
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.files.large_text import (
    UINT64,
    Keys,
    Layout,
    Room,
    Rows,
    UnevenError,
    hashes,
    layout_of,
    scan,
    unless_uneven,
)
from ordeval.inputs.files.large_wide import SUMS, slices_in
from ordeval.inputs.files.locate import Source
from ordeval.inputs.files.memory import MB, engine_memory
from ordeval.inputs.files.row_counts import Texts, placed
from ordeval.inputs.placing import PlacedPatterns
from ordeval.inputs.roles import NAMES, long_roles, lower
from ordeval.progress import portion
from ordeval.threads import scanning_threads

RATERS = frozenset(NAMES["rater"]) - frozenset(NAMES["system"])
PER_ROW, PER_WORD = 16, 8  # bytes: hash, label and flags of a row; a word of its id
PART = 1 << 18  # rows that a thread compares at a time
MOST_TANGLED = (
    100_000  # rows with a hash that more of them have than one of gold and one of the answers
)


class Side:
    """The rows of one file, in arrays with room for as many as there can be: only what is used takes memory."""

    def __init__(self, capacity: int, first: int, hashed: Array, room: Room) -> None:
        self.first = first  # the number of the first row, where the rows of both files are numbered
        self.hashed = (
            hashed  # the upper bits of each id's hash, and below them the number of the row
        )
        self.room = room
        self.n = 0
        self.codes = np.empty(capacity, dtype=np.int16)  # of labels
        self.labels: dict[Texts, int] = {}
        self.words: dict[int, Array] = {}  # of ids, by their places
        self.lock = threading.Lock()

    def reserve(self, n: int, places: Iterable[int]) -> tuple[slice, dict[int, Array]]:
        """Reserve room for some rows; return where it is, and the arrays of all words."""
        with self.lock:
            own = slice(self.n, self.n + n)
            self.n += n
            for place in places:
                if place not in self.words:
                    self.words[place] = np.empty(len(self.codes), dtype=UINT64)
                    self.words[place][: self.n] = 0
            self.room.take(n * (PER_ROW + PER_WORD * len(self.words)))
            return own, dict(self.words)

    def word(self, place: int, rows: Array) -> Array:
        """Return the words of some rows at a place, where this side may have none."""
        if place not in self.words:
            return np.zeros(rows.shape, dtype=UINT64)
        return self.words[place][rows]


class SideRows:
    """The rows that one thread adds to a side."""

    def __init__(
        self, side: Side, labels: Sequence[int], ids: Sequence[int], below: np.uint64
    ) -> None:
        self.side, self.labels, self.ids, self.below = side, labels, ids, below
        self.keys = Keys(len(labels))
        self.added: list[slice] = []

    def add(self, rows: Rows) -> None:
        """Add some rows."""
        words, codes = rows.fields(self.ids, empty=False), self.keys.codes(rows, self.labels)
        own, every = self.side.reserve(rows.n, words)
        for place, array in every.items():
            array[own] = words.get(place, 0)
        hashed = hashes(words, rows.n)
        hashed &= ~self.below
        hashed |= np.arange(own.start, own.stop, dtype=UINT64) + np.uint64(self.side.first)
        self.side.hashed[own] = hashed
        self.side.codes[own] = codes
        self.added.append(own)

    def finish(self) -> None:
        """Replace the codes of this thread by those of all threads."""
        labels, codes = self.side.labels, self.side.codes
        every = [labels.setdefault(texts, len(labels)) for texts in self.keys.texts()]
        for own in self.added:
            codes[own] = np.array(every, dtype=np.int16)[codes[own]]


@unless_uneven
def count_large_long(
    gold: Source, systems: Sequence[Source], choices: ReadingChoices, progress: Progress = None
) -> PlacedPatterns | None:
    """Count a large gold file and that of one system; None if the engine has to."""
    if len(systems) != 1:
        return None
    chosen = {role: choices.columns.get(role) for role in NAMES}
    beside = {**chosen, **choices.beside_gold}
    layouts = layout_of(gold, beside.values()), layout_of(systems[0], chosen.values())
    in_gold = long_roles(layouts[0].columns, beside, "gold", "").positions()
    in_answers = long_roles(layouts[1].columns, chosen, "system", "").positions()
    if not can_be_joined(layouts, in_gold, in_answers, chosen):
        return None
    by = [role for role in ("case", "item") if role in in_answers]
    of_case = [in_gold["case"]] if "case" in in_gold else []
    labels = [*of_case, in_gold["label"], *slices_in(in_gold)], [in_answers["label"]]
    ids = [[at[role] for role in by] for at in (in_gold, in_answers)]
    most = [layout.most_rows for layout in layouts]
    below = np.uint64((1 << sum(most).bit_length()) - 1)
    hashed, room = np.empty(sum(most), dtype=UINT64), Room(engine_memory() * MB)
    sides: list[Side] = []
    for at, source in enumerate((gold, *systems)):
        n = sum(side.n for side in sides)
        sides.append(Side(most[at], sum(most[:at]), hashed[n : n + most[at]], room))
        threads = [
            SideRows(sides[at], labels[at], ids[at], below) for _ in range(scanning_threads())
        ]
        scan(source.files[0], layouts[at], threads, portion(progress, at / 2, (at + 1) / 2))
        for thread in threads:
            thread.finish()
    if not all(side.n for side in sides):
        return None
    both = joint_counts(sides[0], sides[1], hashed[: sides[0].n + sides[1].n], below)
    return joined(sides[0], sides[1], both, systems[0].name, choices, cases=len(of_case))


def can_be_joined(
    layouts: Sequence[Layout],
    in_gold: Mapping[str, int],
    in_answers: Mapping[str, int],
    chosen: Mapping[str, str | None],
) -> bool:
    """Tell whether the columns leave nothing to the engine: no raters, systems or weights, and none that is lacking."""
    every = {lower(name) for layout in layouts for name in layout.columns}
    return not (
        any(lower(name) not in every for name in chosen.values() if name is not None)
        or any(lower(name) in RATERS for name in layouts[0].columns)
        or {*SUMS, "system"} & {*in_gold, *in_answers}
        or ("case" in in_answers and "case" not in in_gold)
    )


def joined(
    gold: Side, answers: Side, both: Array, system: str, choices: ReadingChoices, *, cases: int
) -> PlacedPatterns | None:
    """Put the joint counts of both sides on the scale, and the items of gold that have no answer."""
    matched = int(both.sum())
    if not matched:
        return None
    alone = np.bincount(gold.codes[: gold.n], minlength=len(gold.labels)) - both.sum(axis=1)
    rows: dict[Texts, int] = {}
    for at, texts in enumerate(gold.labels):
        item, slices = texts[: cases + 1], texts[cases + 1 :]
        for (answer,), of in answers.labels.items():
            rows["", *item, answer, *slices] = int(both[at, of])
        # Items without an answer come after the others, as in the engine's join.
        rows[None, *item, None, *slices] = int(alone[at])
    return placed(
        {row: n for row, n in rows.items() if n},
        [system],
        choices,
        by_case=bool(cases),
        flags=1,
        not_in_gold=answers.n - matched,
    )


def joint_counts(gold: Side, answers: Side, hashed: Array, below: np.uint64) -> Array:
    """Count the items that have each label of gold and each of the answers; refuse ids that repeat.

    After sorting, an item of both files is two neighbours with the same hash, gold's first. Where more rows have a
    hash, or rows of one file, or where the ids differ all the same, the rows are looked up.
    """
    hashed.sort()
    n = len(hashed)
    same = np.zeros(n + 1, dtype=bool)  # as the one before

    def compare(start: int) -> None:
        part = hashed[start : start + PART + 1]
        same[start + 1 : start + len(part)] = part[1:] ^ part[:-1] <= below

    def count(start: int) -> tuple[Array, Array]:
        end = min(start + PART, n)
        alone = same[start:end] & ~same[start + 1 : end + 1]
        alone[1:] &= ~same[start : end - 1]
        alone[0] &= not same[start - 1]  # of the first row of all nothing is the same
        second = np.flatnonzero(alone) + start
        of_gold = (hashed[second - 1] & below).astype(np.intp)
        of_answers = (hashed[second] & below).astype(np.intp) - answers.first
        fits = (of_gold < answers.first) & (of_answers >= 0)
        if not fits.all():
            of_gold, of_answers, second = of_gold[fits], of_answers[fits], second[fits]
            fits = fits[fits]
        for place in {*gold.words, *answers.words}:
            fits &= gold.word(place, of_gold) == answers.word(place, of_answers)
        return counts_of(gold, answers, of_gold[fits], of_answers[fits]), second[fits]

    starts = range(0, n, PART)
    with ThreadPoolExecutor(scanning_threads()) as pool:
        for _ in pool.map(compare, starts):
            pass
        counted = list(pool.map(count, starts))
    both = sum(counts for counts, _ in counted)
    for _, second in counted:
        same[second] = False
    left = np.flatnonzero(same)
    rows = (hashed[np.union1d(left - 1, left)] & below).astype(np.intp)
    pairs = looked_up(gold, answers, rows[rows < answers.first], rows[rows >= answers.first])
    return np.asarray(both + counts_of(gold, answers, *pairs))


def counts_of(gold: Side, answers: Side, of_gold: Array, of_answers: Array) -> Array:
    """Count the labels of pairs of rows."""
    k = len(answers.labels)
    codes = gold.codes[of_gold].astype(np.intp) * k + answers.codes[of_answers]
    return np.bincount(codes, minlength=len(gold.labels) * k).reshape(-1, k)


def looked_up(gold: Side, answers: Side, of_gold: Array, of_answers: Array) -> tuple[Array, Array]:
    """Find the pairs among some rows of gold and some of the answers by their ids."""
    if len(of_gold) + len(of_answers) > MOST_TANGLED:
        raise UnevenError
    places = sorted({*gold.words, *answers.words})
    known: list[dict[tuple[int, ...], int]] = []
    for side, rows in ((gold, of_gold), (answers, of_answers - answers.first)):
        ids = map(tuple, np.stack([side.word(place, rows) for place in places], axis=1).tolist())
        known.append(dict(zip(ids, rows.tolist(), strict=True)))
        if len(known[-1]) < len(rows):
            raise UnevenError  # an id repeats
    pairs = [(row, known[1][words]) for words, row in known[0].items() if words in known[1]]
    found = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    return found[:, 0], found[:, 1]
