"""Slices: groups of items that are scored beside the whole, each with its difference from the rest of the items."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.comparison.about import about_input
from ordeval.comparison.captions import CORRECTIONS
from ordeval.comparison.results import Score, none_if_undefined
from ordeval.comparison.scores import Scores
from ordeval.errors import ParameterError, quoted, suggestion
from ordeval.formats.names import clean
from ordeval.formats.numbers import counted
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.metrics.names import full_name

MOST_ROWS = 40  # beyond, people are shown the first system in each slice; CSV and JSON have all
NO_VALUE = "(none)"  # the slice of the items without a value


@dataclass(frozen=True, slots=True)
class SliceDifference:
    """The score of a slice minus that of the rest of the items, its interval and its p-values.

    All are None if one of the two is undefined. `p_adjusted` is corrected over all slices.
    """

    value: float | None
    low: float | None
    high: float | None
    p: float | None
    p_adjusted: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the difference for JSON."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, eq=False, repr=False)
class Slice:
    """The items that have one value in a column: their scores, and how these differ from the rest of the items."""

    by: str
    value: Any  # None: the items without a value
    scores: Scores
    apart: Array  # [number, measure, system]: the numbers of `SliceDifference`

    @property
    def name(self) -> str:
        """The slice in words, such as country = DE."""
        return f"{self.by} = {NO_VALUE if self.value is None else self.value}"

    @property
    def items(self) -> int | float:
        """The number of items."""
        items: int | float = about_input(self.scores.table)["input"]["items"]
        return items

    def score(self, metric: str, system: str | None = None) -> Score:
        """Return the score of a system, the only one unless named, by a measure."""
        return self.scores.score(*self.places(metric, system))

    def difference(self, metric: str, system: str | None = None) -> SliceDifference:
        """Return how the score of a system differs from that on the rest of the items."""
        m, s = self.places(metric, system)
        return SliceDifference(*(none_if_undefined(number) for number in self.apart[:, m, s]))

    def places(self, metric: str, system: str | None) -> tuple[int, int]:
        """Return the places of a measure and of a system."""
        name = self.scores.systems[0] if system is None else system
        for what, word, words in (
            ("measure", full_name(metric), self.scores.metrics),
            ("system", name, self.scores.systems),
        ):
            if word not in words:
                near = suggestion(word, words)
                raise ParameterError(
                    f"no {what} {word!r} was scored; there are {quoted(words)}.{near}"
                )
        return self.scores.metrics.index(full_name(metric)), self.scores.systems.index(name)

    def to_dict(self) -> dict[str, Any]:
        """Return the slice for JSON."""
        systems = []
        for s, name in enumerate(self.scores.systems):
            content = self.scores.system_content(s)
            for metric, score in content["scores"].items():
                score["difference"] = self.difference(metric, name).to_dict()
            systems.append({key: part for key, part in content.items() if key != "cases"})
        return {"by": self.by, "value": self.value, "items": self.items, "systems": systems}

    def __repr__(self) -> str:
        return f"Slice({clean(self.name)}, items={self.items})"


def slice_sheet(scores: Scores, measures: Sequence[int], systems: Sequence[int]) -> Sheet:
    """Return a row for each slice and system: its scores, and by the first measure its difference from the rest."""
    slices = scores.slices
    shown = list(systems) if len(slices) * len(systems) <= MOST_ROWS else list(systems)[:1]
    names = scores.score_columns(measures)
    columns = [
        Column("slice"),
        Column("items", Kind.COUNT),
        *([Column("system")] if len(shown) > 1 else []),
        names[0],
        Column("minus the rest", Kind.NUMBER, sign=True, interval=scores.level is not None),
        Column("p adjusted", Kind.P_VALUE),
        *names[1:],
    ]
    rows = []
    for one in slices:
        cells = one.scores.score_cells(measures, shown)
        for s, own in zip(shown, cells, strict=True):
            value, low, high, _, p = one.apart[:, measures[0], s]
            unmarked = [replace(cell, best=False) for cell in own]
            row = [Cell(one.name), Cell(one.items)]
            row += [Cell(scores.systems[s])] if len(shown) > 1 else []
            ends = (None, None) if np.isnan(low) else (float(low), float(high))
            rows.append(
                [*row, unmarked[0], Cell(float(value), *ends), Cell(float(p)), *unmarked[1:]]
            )
    least = columns.index(names[0]) + 1
    return Sheet(columns, rows, slice_sentences(scores, shown), least=least)


def slice_sentences(scores: Scores, shown: Sequence[int]) -> list[str]:
    """Say what a slice is, what it is compared with, and which systems are shown."""
    how = CORRECTIONS.get(scores.slices_corrected)
    corrected = f"corrected for {counted(len(scores.slices), 'slice')}{f' ({how})' if how else ''}"
    words = "not corrected" if scores.slices_corrected == "none" else corrected
    sentences = [
        f"Each slice is scored by itself. Minus the rest: its score minus that of all other items; p is {words}."
    ]
    if len(shown) < len(scores.systems):
        sentences.insert(
            0,
            f"Only the slices of {scores.systems[shown[0]]} are shown; CSV and JSON have those of all systems.",
        )
    return sentences
