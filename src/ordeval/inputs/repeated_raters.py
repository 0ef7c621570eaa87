"""Marks that a rater gave the same item more than once: each repeat is a rater of its own, who knows whose it is."""

from typing import Any, Self

import numpy as np

from ordeval.aliases import Array
from ordeval.errors import DataError, argument
from ordeval.label_column import LabelColumn
from ordeval.labels import MISSING, Missing, natural_order, number, tidy

MOST_REPEATS = 1000  # of one table; a column with more of them holds something else, such as times


class RepeatedRater(str):
    """One repeat of a rater that marks items several times; its text is the rater's name and the repeat.

    >>> judge = RepeatedRater("gpt", 2)
    >>> judge, judge.rater, judge.repeat
    ('gpt #2', 'gpt', 2)
    """

    __slots__ = ("rater", "repeat")
    rater: str
    repeat: float | str

    def __new__(cls, rater: str, repeat: float | str) -> Self:
        """Write the name of the rater, a number sign and the repeat."""
        text = super().__new__(cls, f"{rater} #{repeat}")
        text.rater, text.repeat = str(rater), repeat
        return text

    def __getnewargs__(self) -> tuple[str, float | str]:  # type: ignore[override]
        """Return what makes the same text again when it is copied or unpickled."""
        return self.rater, self.repeat


def with_repeats(
    raters: tuple[str, ...], of_rater: Array, column: LabelColumn, where: str
) -> tuple[tuple[str, ...], Array]:
    """Return the raters, each repeat as one of its own, and the place of each mark's among them.

    A mark without a repeat is one of the rater itself.
    """
    codes, values = column.coded()
    if len(values) > MOST_REPEATS:
        raise DataError(
            f"{where} has {len(values)} different values in its column of repeats, which says the how-manieth mark of "
            f"a rater on an item this is. Name another column with {argument('repeat')}, or rename this one."
        )
    repeats = [MISSING, *map(read_repeat, values)]
    pairs, of_pair = np.unique(of_rater * len(repeats) + codes + 1, return_inverse=True)
    rater, repeat = np.divmod(pairs, len(repeats))
    found = [
        raters[at] if repeats[of] is MISSING else RepeatedRater(raters[at], repeats[of])
        for at, of in zip(rater.tolist(), repeat.tolist(), strict=True)
    ]
    names = dict(zip(found, found, strict=True))
    for one in found:
        if type(one) is not type(names[one]):
            raise DataError(
                f"{where} has a rater {str(one)!r}, which is also the name of a repeat. Rename the rater."
            )
    order = sorted(names.values(), key=rater_order)
    place = {name: at for at, name in enumerate(order)}
    return tuple(order), np.array([place[name] for name in found], dtype=np.intp)[of_pair.ravel()]


def read_repeat(value: Any) -> float | str | Missing:
    """Return a repeat as the number that it is or spells, else as text; MISSING if there is none."""
    label = tidy(value)
    if isinstance(label, str):
        spelled = number(label)
        return label if spelled is None else spelled
    return label if isinstance(label, int | float | Missing) else str(label)


def rater_order(name: str) -> tuple[Any, ...]:
    """Return a key that sorts raters as people do, the repeats of each after it and in their order."""
    if isinstance(name, RepeatedRater):
        return natural_order(name.rater)[0], 1, natural_order(str(name.repeat))
    return natural_order(name)[0], 0, ()
