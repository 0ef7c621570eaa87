"""The marks of several raters, beside a plain loop over marks and pairs of marks."""

import csv
import io
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

import ordeval as oe
from tools.fuzz.data import WORLDS, spelled
from tools.fuzz.plain import Refused, declared_classes, inferred_classes, meaning, placed
from tools.fuzz.trial import Finding, Outcome, Try, attempt

LEVELS = ("nominal", "ordinal", "interval")
NUMBERS = ("whole", "whole", "sparse", "fractional_gold", "fractional_answers")
IN_FILES = ("low", "mid", "high")  # words that no format of files changes
COLUMNS = ("item", "rater", "label")
ROUNDING = 1e-9

Row = tuple[str, str, Any]  # item, rater, mark
Marks = dict[tuple[str, str], Any]  # the class by item and rater


@dataclass(frozen=True)
class Rated:
    """Marks as their meaning, and how they are read: long rows, in which a rater may have an item twice."""

    rows: list[Row]
    raters: list[str]
    items: list[str]
    labels: list[Any] | None
    options: dict[str, str]

    @property
    def wide(self) -> dict[str, list[Any]]:
        """The marks of each rater, in the order of the items."""
        found = {(item, rater): mark for item, rater, mark in reversed(self.rows)}
        return {r: [found.get((item, r)) for item in self.items] for r in self.raters}


def draw_rated(rng: Random, *, in_file: bool, long: bool) -> Rated:
    """Draw marks of some raters with gaps, declared labels and policies."""
    classes, marks, declare = WORLDS[rng.choice(NUMBERS)](rng)
    if rng.random() < 0.2:
        classes = marks = list(IN_FILES)
    if rng.random() < 0.1 and not in_file:
        marks = [*marks, "a word"]
    items = [f"d{at}" for at in range(rng.choice([1, 2, 5, 12]))]
    raters = [f"r{at}" for at in range(rng.choice([1, 2, 3, 5]))]
    gaps = rng.choice([0, 0.2, 0.8])
    rows: list[Row] = [
        (item, rater, None if rng.random() < gaps else rng.choice(marks))
        for item in items
        for rater in raters
    ]
    if long:
        rng.shuffle(rows)
        if rng.random() < 0.3:
            rows.append(rng.choice(rows))
    policies = {"unknown": ("error", "missing"), "round": ("error", "nearest")}
    if long:
        policies["duplicates"] = ("error", "first")
    options = {name: rng.choice(some) for name, some in policies.items() if rng.random() < 0.5}
    labels = list(classes) if declare and rng.random() < 0.6 else None
    return Rated(rows, raters, items, labels, options)


def plain_marks(rated: Rated) -> tuple[list[Any], Marks]:
    """Return the classes, and the marks that the contract leaves, or raise `Refused`."""
    found: Marks = {}
    for item, rater, label in rated.rows:
        mark = meaning(label)
        if mark is None:
            continue
        if (item, rater) in found:
            if rated.options.get("duplicates", "error") == "error":
                raise Refused
            continue
        found[item, rater] = mark
    if not found:
        raise Refused
    rounded = rated.options.get("round") == "nearest"
    seen = list(found.values())
    if rated.labels is None:
        classes = inferred_classes(seen, [], rounded=rounded)
    else:
        classes = declared_classes(rated.labels, rounded=rounded)
    policies = {"unknown": "error", "round": "error", **rated.options, "missing": "drop"}
    marks = {key: placed(mark, classes, policies) for key, mark in found.items()}
    return classes, {key: mark for key, mark in marks.items() if mark is not None}


def plain_alpha(level: str, classes: list[Any], units: Iterable[list[Any]]) -> float:
    """Return Krippendorff's alpha by a loop over all pairs of marks; NaN where all marks are equal, or none is left."""
    shared = [[classes.index(mark) for mark in unit] for unit in units if len(unit) > 1]
    every = [code for unit in shared for code in unit]
    numbers = [float(one) if isinstance(one, int | float) else at for at, one in enumerate(classes)]

    def apart(a: int, b: int) -> float:
        if level == "nominal":
            return float(a != b)
        if level == "interval":
            return (numbers[a] - numbers[b]) ** 2
        between = sum(min(a, b) <= code <= max(a, b) for code in every)
        return (between - (every.count(a) + every.count(b)) / 2) ** 2 if a != b else 0.0

    observed = sum(
        sum(apart(a, b) for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in shared
    )
    expected = sum(apart(a, b) for a, b in permutations(every, 2))
    return 1 - (len(every) - 1) * observed / expected if expected else math.nan


def differs(ratings: oe.Ratings, rated: Rated, classes: list[Any], marks: Marks) -> str | None:
    """Say how ratings differ from the plain marks, or None."""
    if list(ratings.scale.labels) != classes:
        return f"classes {list(ratings.scale.labels)} instead of {classes}"
    names = dict(zip(map(str, ratings.items), ratings.pattern_of, strict=True))
    found = {
        (item, ratings.raters[rater]): ratings.scale.labels[code]
        for item, pattern in names.items()
        for rater, code in zip(ratings.rater[pattern], ratings.mark[pattern], strict=True)
        if code < len(classes)
    }
    if found != marks or set(names) != set(rated.items):
        return f"marks {found} of {list(names)} instead of {marks}"
    units = [[marks[i, r] for r in rated.raters if (i, r) in marks] for i in names]
    again = oe.Ratings.from_json(ratings.to_json())
    wrong = next(filter(None, numbers_apart(ratings, classes, units)), None)
    return wrong if again == ratings else "other ratings after to_json"


def numbers_apart(
    ratings: oe.Ratings, classes: list[Any], units: list[list[Any]]
) -> Iterator[str | None]:
    """Give what is wrong with the medians, the shares and alpha of the marks of each item."""
    for unit, label, share in zip(
        units, ratings.consensus("median"), ratings.shares(), strict=True
    ):
        ranked = sorted(unit, key=classes.index)
        if label != (ranked[(len(unit) - 1) // 2] if unit else None):
            yield f"median {label!r} of {unit}"
        if unit and [unit.count(one) / len(unit) for one in classes] != share.tolist():
            yield f"shares {share.tolist()} of {unit}"
    for level in LEVELS if len(ratings.raters) > 1 and ratings.marks else ():
        value = oe.krippendorff_alpha(ratings, level=level)
        expected = plain_alpha(level, classes, units)
        same = math.isclose(value, expected, rel_tol=ROUNDING, abs_tol=ROUNDING)
        if not same and not (math.isnan(value) and math.isnan(expected)):
            yield f"alpha(level={level!r}) {value} instead of {expected}"


def as_csv(header: list[str], rows: Iterable[Iterable[Any]], rng: Random) -> str:
    """Write rows as CSV, labels in one of their spellings."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(header)
    for item, *others in rows:
        writer.writerow([item, *(spelled(one, rng) for one in others)])
    return text.getvalue()


def in_memory(form: str, rated: Rated, rng: Random) -> Callable[[], oe.Ratings]:
    """Return what reads marks as an array, as a list of rows, or as a long or wide frame."""
    wide, given = rated.wide, {"labels": rated.labels, **rated.options}
    rows = list(map(list, zip(*wide.values(), strict=True)))
    frame: Callable[[Any], Any] = rng.choice([pd.DataFrame, partial(pl.DataFrame, strict=False)])
    if form == "long":
        columns = dict(zip(COLUMNS, map(list, zip(*rated.rows, strict=True)), strict=True))
        return lambda: oe.Ratings.from_frame(frame(columns), **given)
    if form == "wide":
        columns = {"item": rated.items, **wide}
        return lambda: oe.Ratings.from_wide(frame(columns), raters=rated.raters, **given)
    marks = np.array(rows, dtype=object) if form == "array" else rows
    return lambda: oe.Ratings.from_array(marks, raters=rated.raters, item=rated.items, **given)


def from_file(form: str, rated: Rated, rng: Random) -> Callable[[], oe.Ratings]:
    """Return what writes marks into a long or a wide file and reads them."""
    wide, given = rated.wide, {"labels": rated.labels, **rated.options}
    if form == "long.csv":
        text = as_csv([*COLUMNS], rated.rows, rng)
    else:
        text = as_csv(["item", *wide], zip(rated.items, *wide.values(), strict=True), rng)
        given["raters"] = rated.raters

    def read() -> oe.Ratings:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "marks.csv"
            path.write_text(text, encoding="utf-8")
            return oe.Ratings.from_file(path, **given)

    return read


def ratings(rng: Random) -> Try:
    """Draw marks in one of the forms in which they are read."""
    form = rng.choice(["array", "rows", "long", "wide", "long.csv", "wide.csv"])
    in_file = form.endswith("csv")
    rated = draw_rated(rng, in_file=in_file, long=form.startswith("long"))
    read = (from_file if in_file else in_memory)(form, rated, rng)

    def judge() -> Outcome:
        found, error = attempt(read)
        try:
            classes, marks = plain_marks(rated)
        except Refused:
            if error is None:
                raise Finding("ratings instead of an error") from None
            return Outcome("refused")
        if error is not None:
            return Outcome("stricter", str(error)[:60])
        difference = differs(found, rated, classes, marks)
        if difference is not None:
            raise Finding(difference, "other ratings")
        return Outcome("answered")

    return Try(f"{form} {rated}", judge)
