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
    """How the value of the better side must compare with that of the worse side.

    >>> import numpy as np
    >>> better, worse = np.array([0.5, 0.7]), np.array([0.4, 0.7])
    >>> oe.properties.Relation.HIGHER.broken(better, worse).tolist()
    [False, True]
    """

    HIGHER = "higher"
    AT_LEAST = "at least as high"
    EQUAL = "equal"

    def broken(self, better: Values, worse: Values) -> npt.NDArray[np.bool_]:
        """Tell where two defined values violate the relation; tied values are equal.

        >>> import numpy as np
        >>> better, worse = np.array([0.5, 0.7]), np.array([0.4, 0.7])
        >>> oe.properties.Relation.EQUAL.broken(better, worse).tolist()
        [True, False]
        """
        if self is Relation.HIGHER:
            return np.asarray(better <= worse + TIE)
        if self is Relation.AT_LEAST:
            return np.asarray(better < worse - TIE)
        return np.asarray((better != worse) & ~same(better, worse))


@dataclass(frozen=True, slots=True)
class Size:
    """How far a search goes.

    >>> size = oe.properties.Size(classes=3, items=4, imbalance_items=4)
    >>> size.labels(3).tolist()
    [1, 2, 3]
    """

    classes: int  # the largest number of classes
    items: int  # the largest number of items
    imbalance_items: int  # the same for imbalance
    labels_from: int = 1  # the label of the first class

    def labels(self, k: int) -> npt.NDArray[np.int64]:
        """Return the labels of k classes, which are their values, too.

        >>> size = oe.properties.Size(classes=3, items=4, imbalance_items=4)
        >>> size.labels(2).tolist()
        [1, 2]
        """
        return np.arange(k, dtype=np.int64) + self.labels_from


@dataclass(frozen=True, slots=True)
class Case:
    """One case as labels: gold, the output that should score better (or equally), and the other.

    The sentence may name {measure}, {better} and {worse} (the values), {change} (what happened from worse to better)
    and {wanted} ("higher" or "lower", whichever is better).

    >>> size = oe.properties.Size(classes=3, items=4, imbalance_items=4)
    >>> pairs = oe.properties.moved_pairs(lambda every, _: every[:][:, 0, 0], size)
    >>> first = next(pairs)
    >>> case = first.show(0)
    >>> case.gold.tolist(), case.worse.tolist(), case.better.tolist()
    ([1, 2], [1, 1], [1, 2])
    """

    labels: Labels  # the classes, lowest first
    gold: Labels  # the gold labels
    better: Labels  # the output that should score better
    worse: Labels  # the other output
    sentence: str  # what happened, in words
    labels_worse: Labels | None = None  # where the second side has other labels
    gold_worse: Labels | None = None  # where the second side has another gold standard


@dataclass(frozen=True, slots=True)
class Batch:
    """Cases of one size, in order: the values of both sides, and how to show any of them.

    >>> size = oe.properties.Size(classes=3, items=4, imbalance_items=4)
    >>> pairs = oe.properties.moved_pairs(lambda every, _: every[:][:, 0, 0], size)
    >>> first = next(pairs)
    >>> first.items, first.classes, first.better.tolist(), first.worse.tolist()
    (2, 2, [1, 1, 0, 1], [1, 0, 0, 0])
    """

    items: int  # the number of items
    classes: int  # the number of classes
    better: Values  # the values of the better sides
    worse: Values  # the values of the worse sides
    show: Callable[[int], Case]  # a function that shows one of the cases


@dataclass(frozen=True, slots=True)
class Property:
    """A statement about measures that can be searched for counterexamples.

    `cases` yields batches from the smallest on: fewest items, then fewest classes, then in dictionary order. It
    is given a function from tables and labels to values (higher is better), and the size.

    >>> found = oe.properties.catalogue["symmetry"]
    >>> found.name, found.relation
    ('symmetry', <Relation.EQUAL: 'equal'>)
    """

    name: str  # its name
    statement: str  # what it says, in a sentence
    reference: str  # a key of references.bib, or any text
    relation: Relation  # how the two values must compare
    cases: Callable[[Evaluate, Size], Iterator[Batch]]  # a function that yields the cases
    items_of: Callable[[Size], int] = lambda size: (
        size.items
    )  # how many items the search goes up to

    def __repr__(self) -> str:
        return f"<property {self.name}>"


_entries: dict[str, Property] = {}
catalogue: Mapping[str, Property] = MappingProxyType(_entries)
"""All properties by their names.

>>> oe.properties.catalogue["symmetry"]
<property symmetry>
"""


def enter(entry: Property) -> Property:
    """Add a property to the catalogue, and return it."""
    if entry.name in _entries:
        raise ParameterError(f"there is a property {entry.name!r} already. Give it another name.")
    _entries[entry.name] = entry
    return entry


def find_properties(wanted: Iterable[str | Property]) -> tuple[Property, ...]:
    """Return the properties asked for, each by its name or as a `Property`.

    >>> oe.properties.find_properties(["symmetry"])
    (<property symmetry>,)
    """
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
