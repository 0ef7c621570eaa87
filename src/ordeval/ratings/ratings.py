"""What several raters said about the same items, as compact codes.

Items that the same raters gave the same marks are one pattern with a count: coefficients, leaving a rater out and
resampling look at patterns and never at items.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Unpack

import numpy as np

from ordeval.aliases import Array
from ordeval.arguments import entries, is_true
from ordeval.errors import DataError, ParameterError, RaterError, quoted, suggestion
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.mark_arrays import read_mark_array
from ordeval.inputs.marks import PlacedMarks
from ordeval.inputs.policy import (
    Policy,
    ReadingMarkRows,
    ReadingMarks,
    read_options,
    shows_keywords,
)
from ordeval.ratings.consensus import consensus_codes
from ordeval.ratings.merging import item_key, merged
from ordeval.ratings.slots import (
    distinct_patterns,
    slots_of_marks,
    slots_of_raters,
    tables_of_pairs,
)
from ordeval.scale import Scale
from ordeval.table.checks import owned
from ordeval.table.table import added


@dataclass(frozen=True, eq=False, repr=False)
class Ratings:
    """The marks of several raters on the same items: the distinct patterns of marks, and how many items have each.

    A pattern lists its marks in slots, in the order of the raters: `rater[pattern, slot]` is the place of the rater in
    `raters`, and `mark[pattern, slot]` the code of the mark on the scale. Empty slots come last; there `rater` is the
    number of raters and `mark` the number of classes.

    >>> r = oe.Ratings.from_array([[1, 2, 1], [3, 3, None]], raters=["ann", "bob", "cy"])
    >>> r.n, r.marks, r.raters
    (2, 5, ('ann', 'bob', 'cy'))
    >>> r.consensus()
    [1, 3]
    """

    scale: Scale  # the classes
    raters: tuple[str, ...]  # the names of the raters
    rater: Array
    mark: Array
    count: Array  # [pattern]: how many items have it
    # None if they were counted where they are kept; a range if they have numbers instead of names
    item_names: Sequence[Any] | None = None
    pattern_of: Array | None = None  # [item]: its pattern; None as above
    policy: Policy = field(default_factory=Policy)  # what was done with missing and unknown labels
    ignored: Mapping[str, int] = field(default_factory=dict)  # rows left out, and why
    touched: Mapping[str, int] = field(default_factory=dict)  # marks that a policy touched
    notes: tuple[str, ...] = ()  # what a reader should know

    def __post_init__(self) -> None:
        """Hold codes and counts that nobody else can change."""
        for name in ("rater", "mark", "count", "pattern_of"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, owned(getattr(self, name)))

    @classmethod
    @shows_keywords(ReadingMarks)
    def from_array(
        cls, marks: Any, *, raters: Any = None, item: Any = None, **options: Unpack[ReadingMarks]
    ) -> "Ratings":
        """Take items x raters: an array or a list of rows, with None or NaN where a rater gave no mark.

        The arguments are:

        - `marks`: a row for each item and a column for each rater.
        - `raters`: the names of the raters.
        - `item`: the names of the items.

        >>> oe.Ratings.from_array([[1, 2, None], [3, 3, 3]], raters=["ann", "bob", "cy"])
        Ratings(items=2, raters=['ann', 'bob', 'cy'], marks=5, classes=[1, 2, 3])
        """
        choices = ReadingChoices(*read_options(options, ReadingMarks))
        return cls.from_placed(read_mark_array(marks, raters, item, choices))

    @classmethod
    @shows_keywords(ReadingMarkRows)
    def from_frame(
        cls,
        frame: Any,
        *,
        item: str | None = None,
        rater: str | None = None,
        label: str | None = None,
        case: str | None = None,
        repeat: str | None = None,
        **options: Unpack[ReadingMarkRows],
    ) -> "Ratings":
        """Read a long data frame, with a row for each mark, of pandas, polars, Arrow, DuckDB, Ibis, Dask or PySpark.

        Items come in the order of their first rows. Where the frame is in an engine, that counts the patterns of
        marks, and single items are not known.

        The arguments are:

        - `frame`: the data frame.
        - `item`: the column of item names, if it has no usual name.
        - `rater`: the column of raters, if it has no usual name.
        - `label`: the column of marks, if it has no usual name.
        - `case`: the column of test cases; an item is then one of a test case.
        - `repeat`: the column that tells the marks of a judge apart that marks an item several times; each repeat
          is then a rater of its own, such as `gpt #2`.

        >>> import pandas as pd
        >>> frame = pd.DataFrame(
        ...     {"item": [1, 1, 2], "rater": ["a", "b", "a"], "label": [3, 4, 1]}
        ... )
        >>> oe.Ratings.from_frame(frame)
        Ratings(items=2, raters=['a', 'b'], marks=3, classes=[1, 2, 3, 4])
        """
        from ordeval.inputs.frames.rater_layouts import read_long_frame

        columns = {"item": item, "rater": rater, "label": label, "case": case, "repeat": repeat}
        choices = ReadingChoices(*read_options(options, ReadingMarkRows), columns)
        return cls.from_placed(read_long_frame(frame, choices))

    @classmethod
    @shows_keywords(ReadingMarkRows)
    def from_wide(
        cls,
        frame: Any,
        *,
        raters: str | Sequence[str],
        item: str | None = None,
        case: str | None = None,
        count: str | Literal[1] | None = None,
        **options: Unpack[ReadingMarkRows],
    ) -> "Ratings":
        """Read a wide data frame: one row for each item, and a column for each of the `raters`.

        The arguments are:

        - `frame`: the data frame.
        - `raters`: the columns of marks, one for each rater.
        - `item`: the column of item names.
        - `case`: the column of test cases; an item is then one of a test case.
        - `count`: the column that says how many items each row stands for; 1 says that each row is one item, even
          if a column has a name like `count`.

        >>> import pandas as pd
        >>> frame = pd.DataFrame({"ann": [1, 2, 3], "bob": [1, 3, 3]})
        >>> oe.Ratings.from_wide(frame, raters=["ann", "bob"])
        Ratings(items=3, raters=['ann', 'bob'], marks=6, classes=[1, 2, 3])
        """
        from ordeval.inputs.frames.rater_layouts import read_wide_frame

        columns = {"item": item, "case": case, "count": count}
        choices = ReadingChoices(*read_options(options, ReadingMarkRows), columns)
        return cls.from_placed(read_wide_frame(frame, raters, choices))

    @classmethod
    @shows_keywords(ReadingMarkRows)
    def from_file(
        cls,
        path: Any,
        *,
        item: str | None = None,
        rater: str | None = None,
        label: str | None = None,
        raters: str | Sequence[str] | None = None,
        case: str | None = None,
        repeat: str | None = None,
        count: str | Literal[1] | None = None,
        one_rater: bool = False,
        progress: Callable[[int, int], None] | None = None,
        **options: Unpack[ReadingMarkRows],
    ) -> "Ratings":
        r"""Read one or more files of marks: CSV, TSV, JSON lines, Parquet or .xlsx, also .gz and .zst.

        Long: a row for each mark, with the columns `item`, `rater` and `label`; several files without a column of
        raters are those of one rater each, with the name of the file. Wide: a row for each item, and the columns
        `raters`. Files of what `to_json` wrote are read too, and added; so are logs of Inspect AI, samples of
        lm-evaluation-harness and results of promptfoo and DeepEval, in which `label` chooses a scorer, a measure or
        a metric.

        The arguments are:

        - `path`: a file, a glob, or a list of these.
        - `item`: the column of item names, if it has no usual name.
        - `rater`: the column of raters, if it has no usual name.
        - `label`: the column of marks, if it has no usual name.
        - `raters`: the columns of marks of a wide file, one for each rater.
        - `case`: the column of test cases; an item is then one of a test case.
        - `repeat`: the column that tells the marks of a rater on one item apart.
        - `count`: the column of a wide file that says how many items each row stands for.
        - `one_rater`: whether a single file without a column of raters holds the marks of one, named as the file;
          it is refused otherwise.
        - `progress`: a function that is called with the work done and the whole.

        >>> from pathlib import Path
        >>> _ = Path("marks.csv").write_text("item,rater,label\n1,ann,3\n1,bob,4\n2,ann,1\n")
        >>> oe.Ratings.from_file("marks.csv")
        Ratings(items=2, raters=['ann', 'bob'], marks=3, classes=[1, 2, 3, 4])
        """
        from ordeval.inputs.files.read import read_mark_files
        from ordeval.ratings import stored

        if isinstance(path, Iterator):
            path = list(path)
        texts = stored.texts_of(path, options.get("labels"), options.get("values"))
        if texts is not None:
            return sum((cls.from_json(text) for text in texts[1:]), cls.from_json(texts[0]))
        columns = {
            "item": item, "rater": rater, "label": label, "case": case, "repeat": repeat, "count": count
        }  # fmt: skip
        choices = ReadingChoices(*read_options(options, ReadingMarkRows), columns)
        alone = is_true(one_rater, "one_rater")
        return cls.from_placed(read_mark_files(path, raters, choices, progress, one_rater=alone))

    @classmethod
    def from_placed(cls, placed: PlacedMarks) -> "Ratings":
        """Make ratings of marks that were read and put on the scale."""
        raw = placed.raw
        return cls.from_marks(
            placed.scale, raw.raters, item=raw.item, rater=raw.rater, mark=placed.mark, items=raw.items,
            item_names=raw.item_names, count=raw.count, pattern_of=raw.pattern_of, policy=placed.policy,
            ignored=placed.ignored, touched=placed.touched, notes=placed.notes,
        )  # fmt: skip

    @classmethod
    def from_marks(
        cls,
        scale: Scale,
        raters: tuple[str, ...],
        *,
        item: Array,
        rater: Array,
        mark: Array,
        items: int,
        item_names: Sequence[Any] | None = None,
        count: Array | None = None,
        pattern_of: Array | None = None,
        **about: Any,
    ) -> "Ratings":
        """Make ratings of single marks, given as three columns of codes; `items` also counts those without a mark.

        With `count` the items are patterns, each of which stands for some items; `pattern_of` says for which.
        """
        slots = slots_of_marks(item, rater, mark, items=items, raters=len(raters), k=scale.k)
        return cls.from_slots(
            scale, raters, slots, count=count, pattern_of=pattern_of, item_names=item_names, **about
        )

    @classmethod
    def from_slots(
        cls,
        scale: Scale,
        raters: tuple[str, ...],
        slots: Array,
        *,
        count: Array | None = None,
        pattern_of: Array | None = None,
        item_names: Sequence[Any] | None = None,
        **about: Any,
    ) -> "Ratings":
        """Make ratings of slots[slot, item] = rater * K + mark, R * K where a slot is empty; equal items are merged.

        With `count` the items are patterns, each of which stands for some items; `pattern_of` says for which. Without
        it, single items are not known.
        """
        rater, mark, inverse = distinct_patterns(slots, raters=len(raters), k=scale.k)
        if count is None:
            pattern_of = inverse
        elif pattern_of is not None:
            pattern_of = inverse[pattern_of]
        if pattern_of is None:
            item_names = None
        elif item_names is None:
            item_names = range(len(pattern_of))
        return cls(
            scale,
            raters,
            rater,
            mark,
            np.bincount(inverse, count, len(mark)).astype(np.int64),
            item_names,
            pattern_of,
            **about,
        )

    @property
    def n(self) -> int:
        """The number of items, those that nobody marked included."""
        return int(self.count.sum())

    @property
    def marks(self) -> int:
        """The number of marks that the raters gave in all."""
        return int((self.count * self.marks_of_pattern).sum())

    @property
    def items(self) -> tuple[Any, ...]:
        """The names of the items, in the order in which they came; numbers from 0 if they have no names."""
        return self.named_items()[0]

    def named_items(self) -> tuple[tuple[Any, ...], Array]:
        """Return the names of the items and the pattern of each; an error if they are not known one by one."""
        if self.item_names is None or self.pattern_of is None:
            raise DataError(
                "these ratings were counted where the data is kept, so single items are not known. Collect the frame "
                "first, and read it again."
            )
        return tuple(self.item_names), self.pattern_of

    @cached_property
    def marks_of_pattern(self) -> Array:
        """The number of marks of each pattern."""
        return np.asarray((self.mark < self.scale.k).sum(axis=1))

    @cached_property
    def votes(self) -> Array:
        """How many raters gave each class: votes[pattern, class]."""
        k = self.scale.k
        votes = np.zeros((len(self.count), k + 1), dtype=np.int64)
        rows = np.arange(len(self.count))
        for column in self.mark.T:
            votes[rows, column] += 1  # a rater has one mark, so no place is added to twice
        return votes[:, :k]

    @cached_property
    def pattern_shares(self) -> Array:
        """The share of raters that gave each class: shares[pattern, class]; NaN where nobody marked the item."""
        with np.errstate(all="ignore"):
            return np.asarray(self.votes / self.marks_of_pattern[:, None])

    def shares(self) -> Array:
        """Return the share of raters that gave each class, a row for each item: soft gold labels.

        A row is NaN where nobody marked the item.

        >>> r = oe.Ratings.from_array([[1, 2, 1], [3, 3, None]], raters=["ann", "bob", "cy"])
        >>> r.shares().round(2).tolist()
        [[0.67, 0.33, 0.0], [0.0, 0.0, 1.0]]
        """
        return np.asarray(self.pattern_shares[self.named_items()[1]])

    def consensus(self, rule: str = "majority") -> list[Any]:
        """Return one label for each item; None where nobody marked it.

        The arguments are:

        - `rule`: "majority" is the most frequent mark (of several, their median, the lower of two), "median" the
          lower median of the marks, and "closest" the class with the highest expected proximity, in bits, to the
          marks.

        >>> r = oe.Ratings.from_array([[1, 2, 1], [3, 3, None]], raters=["ann", "bob", "cy"])
        >>> r.consensus()
        [1, 3]
        >>> r.consensus("median")
        [1, 3]
        """
        codes = consensus_codes(rule, self.votes, self.count)[self.named_items()[1]]
        labels = [*self.scale.labels, None]
        return [labels[code] for code in codes.tolist()]

    def select(self, raters: Sequence[str]) -> "Ratings":
        """Return the marks of some of the raters; items that none of them marked stay, without a mark.

        >>> r = oe.Ratings.from_array([[1, 2, 1], [3, 3, None]], raters=["ann", "bob", "cy"])
        >>> r.select(["bob", "ann"])
        Ratings(items=2, raters=['bob', 'ann'], marks=4, classes=[1, 2, 3])
        """
        names = entries(raters, "raters", "it lists names of raters")
        places = [self.place_of(name) for name in names]
        if len(set(places)) < len(places):
            raise ParameterError(f"raters names {quoted(names)}; each rater can be chosen once.")
        return self.of_raters(places)

    def leave_out(self, *raters: str) -> "Ratings":
        """Return the marks of all raters but these.

        >>> r = oe.Ratings.from_array([[1, 2, 1], [3, 3, None]], raters=["ann", "bob", "cy"])
        >>> r.leave_out("cy").raters
        ('ann', 'bob')
        """
        gone = {self.place_of(name) for name in raters}
        return self.of_raters([place for place in range(len(self.raters)) if place not in gone])

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each rater among the raters."""
        return {name: place for place, name in enumerate(self.raters)}

    def place_of(self, name: Any) -> int:
        """Return the place of a rater among the raters; an error if nobody has this name."""
        if not isinstance(name, str) or name not in self.places:
            near = suggestion(str(name), self.raters)
            raise RaterError(f"there is no rater {name!r:.60} among {quoted(self.raters)}.{near}")
        return self.places[name]

    def of_raters(self, places: Sequence[int]) -> "Ratings":
        """Return the marks of the raters at these places, in this order."""
        return Ratings.from_slots(
            self.scale,
            tuple(self.raters[place] for place in places),
            slots_of_raters(self, places),
            count=self.count,
            pattern_of=self.pattern_of,
            item_names=self.item_names,
            policy=self.policy,
            ignored=self.ignored,
            touched=self.touched,
            notes=self.notes,
        )

    def each_mark(self) -> tuple[Array, Array, Array]:
        """Return every mark of every pattern as three columns: its pattern, its rater and its code."""
        pattern, slot = np.nonzero(self.mark < self.scale.k)
        return (
            pattern,
            self.rater[pattern, slot].astype(np.intp),
            self.mark[pattern, slot].astype(np.intp),
        )

    @cached_property
    def pair_tables(self) -> tuple[Array, Array, Array]:
        """The pairs of raters that marked an item together: first, second, and counts[pair, first's, second's].

        The first rater of a pair comes earlier among the raters.
        """
        return tables_of_pairs(self)

    def __add__(self, other: "Ratings") -> "Ratings":
        """Merge two ratings: raters of the same name are one, and so are items where both ratings name theirs.

        Other items follow each other. Without names on either side the items of both have numbers.
        """
        if not isinstance(other, Ratings):
            return NotImplemented
        scale, raters, marks = merged(self, other)
        return Ratings.from_marks(
            scale, raters, **marks, policy=self.policy,
            ignored=added(self.ignored, other.ignored), touched=added(self.touched, other.touched),
            notes=tuple(dict.fromkeys(self.notes + other.notes)),
        )  # fmt: skip

    def __radd__(self, other: object) -> "Ratings":
        """Let `sum(ratings)` work, which starts from 0."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        """Tell whether the same raters gave the same items the same marks, on the same scale and under one policy."""
        if not isinstance(other, Ratings):
            return NotImplemented
        known = self.pattern_of is not None and other.pattern_of is not None
        return (
            (self.scale, self.raters, self.policy) == (other.scale, other.raters, other.policy)
            and all(
                np.array_equal(getattr(self, name), getattr(other, name))
                for name in ("rater", "mark", "count")
            )
            and (self.pattern_of is None) == (other.pattern_of is None)
            and (not known or self.same_items(other))
        )

    def same_items(self, other: "Ratings") -> bool:
        """Tell whether the items are the same, in the same order, and of the same patterns."""
        (ours, pattern), (theirs, others) = self.named_items(), other.named_items()
        return np.array_equal(pattern, others) and (
            ours == theirs or list(map(item_key, ours)) == list(map(item_key, theirs))
        )

    __hash__ = None  # type: ignore[assignment]  # holds arrays

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python objects, with a schema number.

        >>> r = oe.Ratings.from_array([[1, 2, 1], [3, 3, None]], raters=["ann", "bob", "cy"])
        >>> r.to_dict()["raters"]
        ['ann', 'bob', 'cy']
        """
        from ordeval.ratings import stored

        return stored.to_dict(self)

    def to_json(self) -> str:
        """Return everything as JSON on one line; `Ratings.from_json` reads it back, exactly.

        >>> r = oe.Ratings.from_array([[1, 2, 1], [3, 3, None]], raters=["ann", "bob", "cy"])
        >>> oe.Ratings.from_json(r.to_json()) == r
        True
        """
        import json  # only needed here, and slow to import

        return json.dumps(self.to_dict(), default=str, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str | bytes) -> "Ratings":
        """Read ratings that `to_json` wrote.

        >>> r = oe.Ratings.from_array([[1, 2, 1], [3, 3, None]], raters=["ann", "bob", "cy"])
        >>> oe.Ratings.from_json(r.to_json())
        Ratings(items=2, raters=['ann', 'bob', 'cy'], marks=5, classes=[1, 2, 3])
        """
        from ordeval.ratings import stored

        return cls.from_marks(**stored.from_json(text))

    def __repr__(self) -> str:
        names = list(self.raters) if len(self.raters) <= 5 else f"<{len(self.raters)}>"
        return f"Ratings(items={self.n}, raters={names}, marks={self.marks}, classes={list(self.scale.labels)})"
