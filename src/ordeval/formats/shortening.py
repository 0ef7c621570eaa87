"""Names cut to fit a narrow screen; names that differ stay different."""

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest

CUT = "…"


def shortened(names: Sequence[str], length: int) -> dict[str, str]:
    """Return each name in at most so many columns of a terminal, all different if the names are.

    Long names lose their middle. If that makes some alike, these show the part where they begin to differ; if even
    that is alike, they are numbered.

    >>> list(shortened(["short", "a-name-that-is-too-long"], 12).values())
    ['short', 'a-name…-long']
    >>> list(
    ...     shortened(
    ...         ["model-with-seed-1-and-more", "model-with-seed-2-and-more"], 16
    ...     ).values()
    ... )
    ['mode…eed-1-and-…', 'mode…eed-2-and-…']
    """
    found = {name: middle_cut(name, length) for name in names}
    for group in alike(found):
        letters = enumerate(zip_longest(*group))  # one of the names may be the beginning of another
        shared = next(at for at, each in letters if len(set(each)) > 1)
        start = max(shared - 4, 0)  # a few letters before the place
        for name in group:
            found[name] = cut_from(name, start, length)
    for name in [name for group in alike(found) for name in group]:
        mark = f"{CUT}{names.index(name) + 1}"
        found[name] = f"{fitting(name, length - len(mark))}{mark}"
    return found


def alike(found: dict[str, str]) -> Iterator[list[str]]:
    """Give the groups of names that are written alike."""
    for text, times in Counter(found.values()).items():
        if times > 1:
            yield [name for name, short in found.items() if short == text]


def middle_cut(name: str, length: int) -> str:
    """Leave the middle of a long name out."""
    if room(name) <= length:
        return name
    half = (length - 1) // 2
    tail = fitting(name[::-1], half)[::-1]
    return f"{fitting(name, length - 1 - half)}{CUT}{tail}"


def cut_from(name: str, start: int, length: int) -> str:
    """Return the first letters of a name, and what follows from a place."""
    first = fitting(name, length // 4)
    rest = name[start:]
    left = length - room(first) - 1
    return f"{first}{CUT}{rest if room(rest) <= left else fitting(rest, left - 1) + CUT}"


def fitting(text: str, length: int) -> str:
    """Return the first letters of a text that fit into so many columns of a terminal."""
    taken = 0
    for at, letter in enumerate(text):
        taken += room(letter)
        if taken > length:
            return text[:at]
    return text


def room(text: str) -> int:
    """Return how many columns of a terminal a text takes: wide letters take two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.combining(letter)
        else 2
        if unicodedata.east_asian_width(letter) in "WF"
        else 1
        for letter in text
    )
