"""Properties by name: what each states, where it comes from, and how its cases are made.

A property is a value. To add one, write a generator of cases and hand the property to `check`:

    Property("name", "what it states", "reference", Relation.EQUAL, cases)
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from ordeval.arguments import entries, is_choice
from ordeval.errors import ParameterError, suggestion
from ordeval.metrics.core import Values
from ordeval.properties.subject import Evaluate, Labels
from ordeval.ties import TIE, same


class Relation(StrEnum):
    """How the value of the better side must compare with that of the worse side."""

    HIGHER = "higher"
    AT_LEAST = "at least as high"
    EQUAL = "equal"

    def broken(self, better: Values, worse: Values) -> npt.NDArray[np.bool_]:
        """Tell where two defined values violate the relation; tied values are equal."""
        if self is Relation.HIGHER:
            return np.asarray(better <= worse + TIE)
        if self is Relation.AT_LEAST:
            return np.asarray(better < worse - TIE)
        return np.asarray((better != worse) & ~same(better, worse))


@dataclass(frozen=True, slots=True)
class Size:
    """How far a search goes."""

    classes: int
    items: int
    imbalance_items: int
    labels_from: int = 1

    def labels(self, k: int) -> npt.NDArray[np.int64]:
        """Return the labels of k classes, which are their values, too."""
        return np.arange(k, dtype=np.int64) + self.labels_from


@dataclass(frozen=True, slots=True)
class Case:
    """One case as labels: gold, the output that should score better (or equally), and the other.

    The sentence may name {measure}, {better} and {worse} (the values), {change} (what happened from worse to better)
    and {wanted} ("higher" or "lower", whichever is better).
    """

    labels: Labels
    gold: Labels
    better: Labels
    worse: Labels
    sentence: str
    labels_worse: Labels | None = None  # where the second side has other labels
    gold_worse: Labels | None = None  # where the second side has another gold standard


@dataclass(frozen=True, slots=True)
class Batch:
    """Cases of one size, in order: the values of both sides, and how to show any of them."""

    items: int
    classes: int
    better: Values
    worse: Values
    show: Callable[[int], Case]


@dataclass(frozen=True, slots=True)
class Property:
    """A statement about measures that can be searched for counterexamples.

    `cases` yields batches from the smallest on: fewest items, then fewest classes, then in dictionary order. It
    is given a function from tables and labels to values (higher is better), and the size.
    """

    name: str
    statement: str
    reference: str  # a key of references.bib, or any text
    relation: Relation
    cases: Callable[[Evaluate, Size], Iterator[Batch]]
    items_of: Callable[[Size], int] = lambda size: size.items

    def __repr__(self) -> str:
        return f"<property {self.name}>"


_entries: dict[str, Property] = {}
catalogue: Mapping[str, Property] = MappingProxyType(_entries)


def enter(entry: Property) -> Property:
    """Add a property to the catalogue, and return it."""
    if entry.name in _entries:
        raise ParameterError(f"there is a property {entry.name!r} already. Give it another name.")
    _entries[entry.name] = entry
    return entry


def find_properties(wanted: Iterable[str | Property]) -> tuple[Property, ...]:
    """Return the properties asked for, each by its name or as a `Property`."""
    chosen = []
    several = [wanted] if isinstance(wanted, str | Property) else wanted
    for one in entries(several, "properties", "it names properties, as 'ordinal_monotonicity'"):
        if not isinstance(one, Property) and not is_choice(one, catalogue):
            near = suggestion(str(one), list(catalogue)) or f" There are {', '.join(catalogue)}."
            raise ParameterError(f"there is no property {one!r:.60}.{near}")
        chosen.append(one if isinstance(one, Property) else catalogue[one])
    if not chosen:
        raise ParameterError(f"no property was asked for. There are {', '.join(catalogue)}.")
    return tuple(chosen)
