"""Two large text files without a fault, gold and one system, scanned and joined by item.

Ids are joined by sorting their hashes, and every two that meet are compared, word by word. The result is what the
engine would return, pattern by pattern, or None where there is anything to refuse or to choose between.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from ordeval.aliases import Array, Progress
from ordeval.errors import OrdevalError
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.files.engine import cores
from ordeval.inputs.files.large_text import Keys, Layout, Room, Rows, UnevenError, hashes, layout_of, scan
from ordeval.inputs.files.large_wide import SUMS, Texts, placed, slices_in
from ordeval.inputs.files.locate import Source
from ordeval.inputs.files.memory import MB, engine_memory
from ordeval.inputs.placing import PlacedPatterns
from ordeval.inputs.roles import NAMES, long_roles, lower
from ordeval.progress import portion

RATERS = frozenset(NAMES["rater"]) - frozenset(NAMES["system"])
PER_ROW, PER_WORD = 32, 8  # bytes, while all rows are brought together
PART = 1 << 18  # pairs that a thread compares at a time
MOST_TANGLED = 100_000  # rows whose hashes meet, but not as one id of gold and one of the answers


class LongRows:
    """The rows that one thread found: the codes of their labels, their ids in words, and hashes of these."""

    def __init__(self, labels: Sequence[int], ids: Sequence[int], room: Room) -> None:
        self.labels, self.ids, self.room = labels, ids, room
        self.keys = Keys(len(labels))
        self.codes: list[Array] = []
        self.words: list[dict[int, Array]] = []
        self.hashes: list[Array] = []

    def add(self, rows: Rows) -> None:
        """Keep some rows."""
        words = rows.fields(self.ids, empty=False)
        self.room.take(rows.n * (PER_ROW + PER_WORD * len(words)))
        self.codes.append(self.keys.codes(rows, self.labels))
        self.words.append(words)
        self.hashes.append(hashes(words, rows.n))


class JoinSide(NamedTuple):
    """All rows of a file: the code of each one's labels, what the codes stand for, its id in words, and its hash."""

    codes: Array
    labels: list[Texts]
    words: dict[int, Array]
    hashes: Array

    @classmethod
    def of(cls, found: Sequence[LongRows]) -> "JoinSide":
        """Bring together what several threads found."""
        labels: dict[Texts, int] = {}
        codes = []
        for one in found:
            own = [labels.setdefault(texts, len(labels)) for texts in one.keys.texts()]
            codes += [np.array(own, dtype=np.int16)[each] for each in one.codes]
        if not codes:
            raise UnevenError
        pieces = [words for one in found for words in one.words]
        none = [np.broadcast_to(np.uint64(0), each.shape) for each in codes]
        words = {}
        for place in sorted({place for piece in pieces for place in piece}):
            # taken out of the pieces, so that there are never two copies of all
            own = [piece.pop(place, zeros) for piece, zeros in zip(pieces, none, strict=True)]
            words[place] = np.concatenate(own)
        hashed = np.concatenate([each for one in found for each in one.hashes])
        return cls(np.concatenate(codes), list(labels), words, hashed)


def count_large_long(
    gold: Source, systems: Sequence[Source], choices: ReadingChoices, progress: Progress = None
) -> PlacedPatterns | None:
    """Count a large gold file and that of one system; None if the engine has to."""
    chosen = {role: choices.columns.get(role) for role in NAMES}
    if len(systems) != 1:
        return None
    try:
        named = [*chosen.values(), *choices.beside_gold.values()]
        (layout, columns), (of_system, in_system) = layout_of(gold, named), layout_of(systems[0], chosen.values())
        at = long_roles(columns, {**chosen, **choices.beside_gold}, "gold", "").positions()
        of_answers = long_roles(in_system, chosen, "system", "").positions()
        every = {lower(name) for name in (*columns, *in_system)}
        if not {lower(name) for name in chosen.values() if name is not None} <= every:
            return None
        if RATERS & {lower(name) for name in columns} or {*SUMS, "system"} & {*at, *of_answers}:
            return None
        if "case" in of_answers and "case" not in at:
            return None
        by = [role for role in ("case", "item") if role in of_answers]
        of_case = [at["case"]] if "case" in at else []
        labels = [*of_case, at["label"], *slices_in(at)]
        room = Room(engine_memory() * MB)
        sides = (
            side_of(gold, layout, labels, [at[role] for role in by], room, portion(progress, 0, 0.5)),
            side_of(systems[0], of_system, [of_answers["label"]], [of_answers[role] for role in by], room,
                    portion(progress, 0.5, 1)),
        )  # fmt: skip
        return counted(*sides, systems[0].name, choices, cases=len(of_case))
    except (UnevenError, OrdevalError, OSError):
        return None


def side_of(
    source: Source, layout: Layout, labels: Sequence[int], ids: Sequence[int], room: Room, progress: Progress
) -> JoinSide:
    """Scan one of the two files."""
    found = [LongRows(labels, ids, room) for _ in range(cores())]
    scan(source.files[0], layout, found, progress)
    return JoinSide.of(found)


def counted(
    gold: JoinSide, answers: JoinSide, system: str, choices: ReadingChoices, *, cases: int
) -> PlacedPatterns | None:
    """Count what gold and the answers are for the same items, and the items without an answer."""
    both = joint_counts(gold, answers)
    matched = int(both.sum())
    if not matched:
        return None
    alone = np.bincount(gold.codes, minlength=len(gold.labels)) - both.sum(axis=1)
    rows: dict[Texts, int] = {}
    for at, labels in enumerate(gold.labels):
        # Items without an answer come after the others, as in the engine's join.
        for flag, answer, count in [
            *(("", answers.labels[of][0], both[at, of]) for of in np.flatnonzero(both[at])),
            (None, None, alone[at]),
        ]:
            if count:
                rows[flag, *labels[: cases + 1], answer, *labels[cases + 1 :]] = int(count)
    return placed(rows, [system], choices, by_case=bool(cases), flags=1, not_in_gold=len(answers.codes) - matched)


def joint_counts(gold: JoinSide, answers: JoinSide) -> Array:
    """Return how many items have each label of gold and each of the answers; refuse ids that repeat.

    What is sorted holds the upper bits of a hash and, below them, the row that it is of, gold's rows first. So an id
    of both files is two neighbours with the same hash. Of others with the same hash each is looked up.
    """
    n, every = len(gold.codes), len(gold.codes) + len(answers.codes)
    bits = np.uint64(every.bit_length())
    below = (np.uint64(1) << bits) - np.uint64(1)
    hashed = np.concatenate([gold.hashes, answers.hashes])
    hashed &= ~below
    hashed |= np.arange(every, dtype=np.uint64)
    hashed.sort()
    same = (hashed[1:] ^ hashed[:-1]) <= below
    hashed &= below
    rows = hashed.view(np.int64)
    pairs = same.copy()
    pairs[1:] &= ~same[:-1]
    pairs[:-1] &= ~same[1:]

    def compared(start: int) -> Array:
        first = np.flatnonzero(pairs[start : start + PART]) + start
        of_gold, of_answers = rows[first], rows[first + 1] - n
        fits = (of_gold < n) & (of_answers >= 0)
        of_gold, of_answers = np.where(fits, of_gold, 0), np.where(fits, of_answers, 0)
        for place in {*gold.words, *answers.words}:
            fits &= word_of(gold, place, of_gold) == word_of(answers, place, of_answers)
        same[first[fits]] = False  # what stays is to be looked up
        return counts_of(gold, answers, of_gold[fits], of_answers[fits])

    with ThreadPoolExecutor(cores()) as pool:
        both = sum(pool.map(compared, range(0, every, PART)), start=counts_of(gold, answers, rows[:0], rows[:0]))
    tangled = np.zeros(every, dtype=bool)
    tangled[1:] |= same
    tangled[:-1] |= same
    left = rows[tangled]
    return both + counts_of(gold, answers, *looked_up(gold, answers, left[left < n], left[left >= n] - n))


def word_of(side: JoinSide, place: int, rows: Array) -> Array | int:
    """Return the words of some rows at a place."""
    return side.words[place][rows] if place in side.words else 0


def counts_of(gold: JoinSide, answers: JoinSide, of_gold: Array, of_answers: Array) -> Array:
    """Count the labels of pairs of rows."""
    k = len(answers.labels)
    codes = gold.codes[of_gold].astype(np.intp) * k + answers.codes[of_answers]
    return np.bincount(codes, minlength=len(gold.labels) * k).reshape(-1, k)


def looked_up(gold: JoinSide, answers: JoinSide, of_gold: Array, of_answers: Array) -> tuple[Array, Array]:
    """Find the pairs among some rows of gold and of the answers by their ids."""
    if len(of_gold) + len(of_answers) > MOST_TANGLED:
        raise UnevenError
    places = sorted({*gold.words, *answers.words})
    known = []
    for side, rows in ((gold, of_gold), (answers, of_answers)):
        words = [np.broadcast_to(word_of(side, place, rows), rows.shape).tolist() for place in places]
        known.append(dict(zip(zip(*words, strict=True), rows.tolist(), strict=True)))
        if len(known[-1]) < len(rows):
            raise UnevenError  # an id repeats
    pairs = [(row, known[1][words]) for words, row in known[0].items() if words in known[1]]
    found = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    return found[:, 0], found[:, 1]
