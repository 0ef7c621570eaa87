"""Labels in, ranks out: the position of every label on the scale, a chunk at a time.

Two codes stand behind the K classes: K for a missing label and K + 1 for one that is off the scale, so a single count
of pairs of codes finds the contingency table and everything that the policies must know.
"""

import sys
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ordeval.labels import MISSING, Column, Kind, canonical, hashable
from ordeval.scale import EXACT, Scale

Codes: TypeAlias = npt.NDArray[Any]
Chunks: TypeAlias = Callable[[int, int], Codes]

FEW = 64  # classes, or distinct objects, up to which comparing all items with each is faster than looking each up
SAMPLE = 64  # items that show whether a column shares its objects
OTHER = 255  # no code: of at most FEW classes, missing and unknown


def encoder(column: Column, scale: Scale) -> Chunks:
    """Return a function from (start, stop) to the codes of these items: small unsigned integers, at most K + 1."""
    if column.kind is Kind.CODES:
        return by_category(column, scale)
    # Integers that a float cannot hold are looked up one by one.
    numeric = all(isinstance(label, int | float) and abs(label) < EXACT for label in scale.labels)
    if column.kind is Kind.OBJECTS or not numeric:
        return by_lookup(column, scale)
    return by_number(column, scale)


def narrow(scale: Scale) -> np.dtype[Any]:
    """Return the smallest unsigned type that holds every code of a scale."""
    return np.min_scalar_type(scale.k + 1)


def by_category(column: Column, scale: Scale) -> Chunks:
    """Codes of a categorical column: one small table from its categories to ours, missing (-1) at its end."""
    table = np.array([*places(column, scale), scale.k], dtype=narrow(scale))
    return lambda start, stop: table[column.data[start:stop]]


def places(column: Column, scale: Scale) -> list[int]:
    """Return the code of every category of a categorical column."""
    if column.categories == scale.labels:  # the most frequent of all: the scale is the column's own
        return list(range(scale.k))
    return [place(label, scale) for label in column.categories]


def by_number(column: Column, scale: Scale) -> Chunks:
    """Codes of a numeric column on a numeric scale: labels are compared as float64, NaN is missing."""
    labels = np.array(scale.labels, dtype=np.float64)
    k, dtype = scale.k, narrow(scale)
    order = np.argsort(labels, kind="stable")
    ranked = labels[order]

    def by_comparing(start: int, stop: int) -> Codes:
        chunk = column.data[start:stop].astype(np.float64, copy=False)
        codes = np.full(len(chunk), k + 1, dtype=np.uint8)
        same = np.empty(len(chunk), dtype=np.bool_)
        one = same.view(np.uint8)
        # Subtracting 0 or 1 times a number is much faster than writing where a mask says.
        for code, label in enumerate(labels):
            np.equal(chunk, label, out=same)
            codes -= one * np.uint8(k + 1 - code)
        np.isnan(chunk, out=same)
        codes -= one
        return codes

    def by_bisection(start: int, stop: int) -> Codes:
        chunk = column.data[start:stop]
        near = np.minimum(np.searchsorted(ranked, chunk), k - 1)
        found = np.where(ranked[near] == chunk, order[near], k + 1)
        return np.where(chunk != chunk, k, found).astype(dtype)  # noqa: PLR0124 - NaN alone differs from itself

    return by_comparing if k <= FEW else by_bisection


class Lookup(dict[Any, bytes]):
    """From label to code, as the bytes of one small number; a label met for the first time is read with care."""

    def __init__(self, scale: Scale) -> None:
        self.scale, self.dtype = scale, narrow(scale)
        super().__init__((label, self.written(code)) for label, code in scale.index.items())

    def __missing__(self, label: Any) -> bytes:
        code = place(label, self.scale)
        if code == self.scale.k:  # every NaN is another object: all of them would fill the memory
            return self.written(code)
        return self.setdefault(label, self.written(code))

    def written(self, code: int) -> bytes:
        """Return a code as it lies in memory."""
        return code.to_bytes(self.dtype.itemsize, sys.byteorder)

    def codes(self, labels: list[Any]) -> Codes:
        """Look up labels one by one: their bytes, joined, are the array."""
        try:
            joined = b"".join(map(self.__getitem__, labels))
        except TypeError:  # something unhashable among them is on no scale
            unknown = self.written(self.scale.k + 1)
            joined = b"".join(self[label] if hashable(label) else unknown for label in labels)
        return np.frombuffer(joined, dtype=self.dtype)


def by_lookup(column: Column, scale: Scale) -> Chunks:
    """Codes of Python objects. Where the items share a few, these are looked up once and told apart by identity."""
    lookup = Lookup(scale)

    def codes(start: int, stop: int) -> Codes:
        chunk = column.data[start:stop]
        if not isinstance(chunk, list):
            chunk = chunk.tolist()
        shared = list({id(label): label for label in chunk[:SAMPLE]}.values())
        if len(chunk) <= SAMPLE or len(shared) > FEW or scale.k > FEW:
            return lookup.codes(chunk)
        found = by_identity(chunk, shared, lookup.codes(shared))
        others = np.flatnonzero(found == OTHER)
        if others.size:
            found[others] = lookup.codes([chunk[at] for at in others.tolist()])
        return found

    return codes


def by_identity(labels: list[Any], shared: list[Any], codes: Codes) -> Codes:
    """Return the code of every label that is one of the shared objects, and OTHER for the rest.

    NumPy keeps the addresses of objects. They are compared as numbers and never followed, and as the shared objects are
    held meanwhile, no other object can have their address.
    """
    objects = np.fromiter(labels, dtype=object, count=len(labels))
    addresses = np.asarray(Addresses(objects))
    found = np.full(len(labels), OTHER, dtype=np.uint8)
    same = np.empty(len(labels), dtype=np.bool_)
    for label, code in zip(shared, codes.tolist(), strict=True):
        np.equal(addresses, id(label), out=same)
        found -= same.view(np.uint8) * np.uint8(OTHER - code)
    return found


class Addresses:
    """An array of objects, seen by NumPy as an array of where they lie."""

    def __init__(self, objects: Codes) -> None:
        self.objects = objects  # kept alive with this
        known = objects.__array_interface__
        self.__array_interface__ = {
            "version": known["version"],
            "typestr": np.dtype(np.intp).str,
            "shape": known["shape"],
            "data": known["data"],
        }


def place(label: object, scale: Scale) -> int:
    """Return the code of one label."""
    if scale.position(label) is not None:
        return int(scale.position(label) or 0)
    return scale.k if canonical(label) is MISSING else scale.k + 1
