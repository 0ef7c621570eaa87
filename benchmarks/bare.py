"""The bare arithmetic of a measure in NumPy: what somebody who knows that the codes are 0 to K - 1 would write.

Nothing is checked. A column of another kind is first turned into codes, in the fastest way that its own library has.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.rivals import CLASSES

__all__ = ["BARE", "CODES", "KAPPA", "bare_call"]

KAPPA = "weighted_kappa(weights='quadratic')"
GAPS = np.abs(np.subtract.outer(np.arange(CLASSES), np.arange(CLASSES)))
SQUARES = GAPS**2


def counted(gold: Any, predicted: Any) -> Any:
    """Count all pairs of codes."""
    pairs = np.bincount(gold * CLASSES + predicted, minlength=CLASSES**2)
    return pairs.reshape(CLASSES, CLASSES)


def kappa(table: Any, n: int) -> Any:
    """Return the quadratic weighted kappa."""
    chance = np.outer(table.sum(axis=1), table.sum(axis=0)) / n
    return 1 - (SQUARES * table).sum() / (SQUARES * chance).sum()


def closeness(table: Any, n: int) -> Any:
    """Return the ordinal closeness."""
    gold = table.sum(axis=1)
    upper = gold.cumsum()
    middle, lower = upper - gold / 2, upper - gold
    worth = -np.log2(np.maximum(upper[:, None] - middle, middle - lower[:, None]) / n)
    return (table * worth).sum() / (gold * worth.diagonal()).sum()


def macro_f1(table: Any, n: int) -> Any:  # noqa: ARG001 - all take the same
    """Return the mean F1 of the classes."""
    return (2 * table.diagonal() / (table.sum(axis=1) + table.sum(axis=0))).mean()


def in_order(table: Any) -> Any:
    """Return the number of pairs of items of which one is above the other on both sides."""
    return (table[1:, 1:] * table.cumsum(axis=0).cumsum(axis=1)[:-1, :-1]).sum()


def untied(margin: Any) -> Any:
    """Return the number of pairs of items in different classes."""
    return (margin[1:] * margin.cumsum()[:-1]).sum()


def tau_b(table: Any, n: int) -> Any:  # noqa: ARG001 - all take the same
    """Return Kendall's tau-b."""
    pairs = untied(table.sum(axis=1)) * untied(table.sum(axis=0))
    return (in_order(table) - in_order(table[:, ::-1])) / np.sqrt(pairs)


BARE: dict[str, Callable[[Any, int], Any]] = {
    KAPPA: kappa,
    "cem_ord": closeness,
    "accuracy": lambda table, n: table.trace() / n,
    "mae": lambda table, n: (table * GAPS).sum() / n,
    "macro_f1": macro_f1,
    "kendall_tau_b": tau_b,
}


def looked_up(labels: list[str], words: list[str]) -> Any:
    """Return the codes of words: one look into a dictionary for each."""
    index = {word: code for code, word in enumerate(words)}
    return np.fromiter(map(index.__getitem__, labels), np.intp, len(labels))


CODES: dict[str, tuple[str, Callable[[Any, list[str]], Any]]] = {
    "int64": ("", lambda codes, _: codes),
    "uint8": ("", lambda codes, _: codes),
    "strings": ("after a dictionary's lookups", looked_up),
    "Categorical": ("after .array.codes", lambda column, _: column.array.codes),
    "Enum": ("after .to_physical().to_numpy()", lambda column, _: column.to_physical().to_numpy()),
}


def bare_call(measure: str, kind: str, words: list[str]) -> Callable[[Any, Any], Any]:
    """Return the bare arithmetic of a measure, for columns of a kind."""
    codes, formula = CODES[kind][1], BARE[measure]
    return lambda gold, predicted: formula(
        counted(codes(gold, words), codes(predicted, words)), len(gold)
    )
