"""A large wide text file without a fault, counted by a scan.

The result is what the engine would return, pattern by pattern. Where there is anything to refuse, to warn of or to
choose between (a row that repeats an item, a column that may hold counts), it is None, and the engine decides.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from ordeval.aliases import Array, Progress
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.files.large_text import Keys, Room, Rows, hashes, layout_of, scan, unless_uneven
from ordeval.inputs.files.locate import Source
from ordeval.inputs.files.memory import MB, engine_memory
from ordeval.inputs.files.row_counts import Texts, placed
from ordeval.inputs.files.wide_columns import UNUSED, find_positions
from ordeval.inputs.placing import PlacedPatterns
from ordeval.inputs.roles import SLICE
from ordeval.threads import scanning_threads

SUMS = frozenset({"weight", "count", UNUSED})  # columns that the engine adds up, or looks at
PER_ID = 16  # bytes: a hash, and once more while all are brought together


class RowCounts:
    """The distinct rows of labels that one thread found, with their counts, and the hashes of all ids."""

    def __init__(self, labels: Sequence[int], ids: Sequence[int], room: Room) -> None:
        self.labels, self.ids, self.room = labels, ids, room
        self.keys = Keys(len(labels))
        self.counts = np.zeros(0, dtype=np.int64)
        self.hashes = [np.zeros(0, dtype=np.uint64)]

    def add(self, rows: Rows) -> None:
        """Count some rows."""
        counts = np.bincount(self.keys.codes(rows, self.labels), minlength=len(self.counts))
        counts[: len(self.counts)] += self.counts
        self.counts = counts
        if self.ids:
            self.room.take(rows.n * PER_ID)
            self.hashes.append(hashes(rows.fields(self.ids, empty=False), rows.n))

    def counted(self) -> dict[Texts, int]:
        """Return the rows with their counts."""
        return dict(zip(self.keys.texts(), self.counts.tolist(), strict=True))


@unless_uneven
def count_large_wide(
    source: Source,
    gold: str,
    predicted: Sequence[str],
    choices: ReadingChoices,
    progress: Progress = None,
) -> PlacedPatterns | None:
    """Count a large wide file; None if the engine has to."""
    layout = layout_of(source, [*choices.columns.values(), *choices.by, gold, *predicted])
    at = find_positions(layout.columns, gold, predicted, choices, source, side="predicted")
    answers = [at[f"p{which}"] for which in range(len(predicted))]
    systems = [layout.columns[answer] for answer in answers]
    if SUMS & {*at} or not systems or len(set(systems)) < len(systems):
        return None
    of_case = [at["case"]] if "case" in at else []
    labels = [*of_case, at["gold"], *answers, *slices_in(at)]
    ids = [*of_case, at["item"]] if "item" in at else []
    room = Room(engine_memory() * MB)
    threads = [RowCounts(labels, ids, room) for _ in range(scanning_threads())]
    scan(source.files[0], layout, threads, progress)
    if repeat([hashed for thread in threads for hashed in thread.hashes]):
        return None
    rows: Counter[Texts] = Counter()
    for thread in threads:
        rows.update(thread.counted())
    return placed(rows, systems, choices, by_case=bool(of_case))


def slices_in(positions: Mapping[str, int]) -> list[int]:
    """Return the positions of the columns whose groups are slices."""
    return [at for role, at in positions.items() if role.startswith(SLICE)]


def repeat(hashed: Sequence[Array]) -> bool:
    """Tell whether two ids have the same hash: if none have, all ids are different."""
    every = np.concatenate(hashed)
    every.sort()
    return bool((every[1:] == every[:-1]).any())
