"""The contingency table `counts[..., gold, predicted]`: everything that any measure needs to know."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Unpack

import numpy as np

from ordeval.aliases import Array
from ordeval.arguments import is_choice
from ordeval.errors import ParameterError, TableError, quoted
from ordeval.formats.result import Result
from ordeval.inputs.arrays import count_pair
from ordeval.inputs.choices import ReadingChoices, TableParts, read_choices
from ordeval.inputs.crosstabs import named_amounts, read_names
from ordeval.inputs.named_counts import by_class
from ordeval.inputs.policy import Policy, Reading, read_options, shows_keywords
from ordeval.inputs.weighting import Weighting
from ordeval.scale import Scale
from ordeval.table import display
from ordeval.table.checks import check_sum, frozen, owned, read_counts
from ordeval.table.folding import fold_to_farthest
from ordeval.table.merging import merged
from ordeval.table.scaling import scaled_to_items

if TYPE_CHECKING:
    from ordeval.formats.sheet import Sheet

SCHEMA = 1


class Axis(NamedTuple):
    """A leading axis of a batch of tables: what it runs over, and the name of each entry.

    >>> counts, axes = [[[3, 1], [0, 4]], [[2, 2], [1, 3]]], [("day", ["mon", "tue"])]
    >>> oe.Table.from_counts(counts, axes=axes).axes
    (Axis(name='day', labels=('mon', 'tue')),)
    """

    name: str  # what the axis runs over
    labels: tuple[Any, ...]  # the name of each entry


@dataclass(frozen=True, eq=False, repr=False)
class Table(Result):
    """K x K counts, gold in rows and predictions in columns, with any number of leading axes.

    `answered` and `missed` are what was counted; `counts` and `unanswered` are the same after the policy for missing
    answers, which is what the measures see. Tables add: shards, streams and groups merge by `+`.

    With weights all of these are sums of weights, and `n` is still the number of items. Without them every item has
    weight 1.

    >>> t = oe.Table.from_labels([1, 1, 2, 3], [1, 2, 2, 3])
    >>> t.counts.tolist()
    [[1, 1, 0], [0, 1, 0], [0, 0, 1]]
    >>> t.n, t.gold.tolist(), t.predicted.tolist()
    (4, [2, 1, 1], [1, 2, 1])
    >>> (t + t).n
    8
    >>> oe.mae(t)
    0.25
    """

    scale: Scale  # the classes
    answered: Array  # the counts of answered items, [..., gold, predicted]
    missed: Array  # the items of each gold class without an answer
    axes: tuple[Axis, ...] = ()  # what the leading axes run over
    policy: Policy = field(default_factory=Policy)  # what was done with missing and unknown labels
    touched: Mapping[str, int] = field(default_factory=dict)  # how many items each policy touched
    ignored: Mapping[str, int] = field(default_factory=dict)  # how many rows were left out, and why
    weighting: Weighting | None = None  # of cells[..., gold, answer]

    def __post_init__(self) -> None:
        """Hold numbers that nobody else can change."""
        object.__setattr__(self, "answered", owned(self.answered))
        object.__setattr__(self, "missed", owned(self.missed))

    @classmethod
    @shows_keywords(Reading)
    def from_labels(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        sample_weight: Any = None,
        count: Any = None,
        item: Any = None,
        **options: Unpack[Reading],
    ) -> "Table":
        """Count two columns of labels: lists, arrays, or columns of pandas, polars or Arrow.

        The arguments are:

        - `y_true`: the gold labels.
        - `y_pred`: the answers, in the same order.
        - `sample_weight`: how much each item matters; only the ratios of the weights count.
        - `count`: how many items each row stands for; a row of count 3 is the same as three rows.
        - `item`: the names of the items, for error messages.

        >>> order, answers = ["low", "mid", "high"], ["low", "high", None]
        >>> t = oe.Table.from_labels(order, answers, labels=order, missing="zero")
        >>> t.counts.tolist(), t.unanswered.tolist()
        ([[1, 0, 0], [0, 0, 1], [0, 0, 0]], [0, 0, 1])
        """
        choices = read_choices(options)
        parts = count_pair(
            y_true, y_pred, sample_weight=sample_weight, count=count, item=item, choices=choices
        )
        return cls.from_parts(parts, choices.policy)

    @classmethod
    def from_parts(cls, parts: TableParts, policy: Policy) -> "Table":
        """Make a table of what was counted."""
        axes = tuple(Axis(name, entries) for name, entries in parts.axes)
        return cls(
            parts.scale, frozen(parts.answered), frozen(parts.missed), axes, policy, parts.touched,
            weighting=parts.weighting,
        )  # fmt: skip

    @classmethod
    @shows_keywords(Reading)
    def from_soft(
        cls,
        shares: Any,
        predicted: Any,
        *,
        sample_weight: Any = None,
        count: Any = None,
        item: Any = None,
        **options: Unpack[Reading],
    ) -> "Table":
        """Count soft gold: every item is spread over the gold classes by the shares of its raters.

        Every measure then scores a gold label that is drawn at random from the raters. If each row has a single 1,
        it is the table that `from_labels` counts.

        A table does not show how single items are spread, so that intervals made from it are wider than they need to
        be: for these, pass the shares themselves to `evaluate` or `compare`.

        The arguments are:

        - `shares`: a row for each item and a column for each class, or `Ratings`.
        - `predicted`: labels, or class probabilities, over which the item is spread, too.
        - `sample_weight`: how much each item matters; only the ratios of the weights count.
        - `count`: how many items each row stands for.
        - `item`: the names of the items, for error messages.

        >>> shares = [[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]
        >>> oe.Table.from_soft(shares, [1, 3], labels=[1, 2, 3]).counts.tolist()
        [[0.5, 0.0, 0.0], [0.5, 0.0, 0.0], [0.0, 0.0, 1.0]]
        """
        from ordeval.inputs.array_patterns import count_systems
        from ordeval.inputs.soft import called_shares

        choices = ReadingChoices(*read_options(options))
        placed = count_systems(
            called_shares(shares), {"predicted": predicted}, case=None, item=item, by=None,
            sample_weight=sample_weight, count=count, choices=choices,
        )  # fmt: skip
        return cls.from_parts(placed.table(), choices.policy)

    @classmethod
    def from_counts(
        cls,
        counts: Any,
        *,
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        unanswered: Any = None,
        axes: Iterable[tuple[str, Iterable[Any]]] = (),
    ) -> "Table":
        """Take counts that were made elsewhere, gold in rows: a confusion matrix, or a stack of them.

        Counts with names are read by these: a crosstab of pandas, a frame whose first column holds the gold classes (as
        pivots give it), `{gold: {predicted: n}}`, or `{(gold, predicted): n}`. Rows and columns are put in the order of
        the scale, and a class that only one side has gets its place.

        The arguments are:

        - `counts`: the counts, with or without names.
        - `labels`: the classes, lowest first; names that are not numbers need them, and counts without names are in
          this order.
        - `values`: a number for each class.
        - `unanswered`: the items of each gold class that have no answer and earn nothing.
        - `axes`: the name and the entries of each leading axis, as `[("case", ["a", "b"])]`.

        >>> counts = {"low": {"low": 3, "high": 1}, "high": {"high": 2}}
        >>> oe.Table.from_counts(counts, labels=["low", "mid", "high"]).counts.tolist()
        [[3, 0, 1], [0, 0, 0], [0, 0, 2]]
        """
        declared = None if labels is None else Scale(labels, values)
        names = read_names(counts, declared)
        if names is not None:
            declared, counts = names.placed(declared, values)
            missed_by_name = named_amounts(unanswered)
            if missed_by_name is not None:
                unanswered = by_class(missed_by_name, declared)
        answered, missed = read_counts(counts, unanswered)
        check_sum(answered, missed)
        k = answered.shape[-1]
        scale = Scale(range(k), values) if declared is None else declared
        named = read_axes(axes)
        if scale.k != k:
            raise TableError(
                f"the counts have {k} classes and the scale {scale.k}: {scale}. Give one label for each class."
            )
        leading = answered.shape[:-2]
        if not named:
            named = tuple(Axis(f"axis {i}", tuple(range(size))) for i, size in enumerate(leading))
        sizes = tuple(len(axis.labels) for axis in named)
        if sizes != leading:
            raise TableError(
                f"the counts have leading axes of the sizes {leading} and axes= names {sizes} entries. "
                f"Name each entry of each axis, or none."
            )
        policy = Policy("error" if unanswered is None else "zero")
        return cls(scale, answered, missed, named, policy)

    @classmethod
    def from_file(
        cls,
        path: Any,
        *,
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
    ) -> "Table":
        r"""Read a file of counts: a matrix, or the JSON that `to_json` and `ordeval count` write.

        A matrix is CSV, TSV, JSON lines, Parquet or .xlsx: the first column holds the gold classes, and every other
        column is named by a predicted class. It is read by these names, as in `from_counts`.

        The arguments are:

        - `path`: the file.
        - `labels`: the classes, lowest first; needed if their names are not numbers.
        - `values`: a number for each class.

        >>> from pathlib import Path
        >>> _ = Path("counts.csv").write_text("gold,1,2\n1,8,2\n2,1,9\n")
        >>> oe.Table.from_file("counts.csv").counts.tolist()
        [[8, 2], [1, 9]]
        """
        from ordeval.table.counted_files import read_counted_file

        return read_counted_file(path, labels, values)

    @classmethod
    @shows_keywords(Reading)
    def from_frame(
        cls,
        frame: Any,
        *,
        gold: str,
        predicted: str,
        by: str | Sequence[str] | None = None,
        weight: str | None = None,
        count: str | Literal[1] | None = None,
        **options: Unpack[Reading],
    ) -> "Table":
        """Count two columns of a data frame in its own engine: pandas, polars, Arrow, DuckDB, Dask, Ibis, PySpark.

        The arguments are:

        - `frame`: the data frame, with a row for each item.
        - `gold`: the column of gold labels.
        - `predicted`: the column of answers.
        - `by`: columns whose groups become leading axes.
        - `weight`: the column that says how much each item matters.
        - `count`: the column that says how many items each row stands for; 1 says that each row is one item, even
          if a column has a name like `count`.

        >>> import pandas as pd
        >>> frame = pd.DataFrame(
        ...     {"gold": [1, 1, 2], "answer": [1, 2, 2], "day": ["m", "t", "m"]}
        ... )
        >>> t = oe.Table.from_frame(frame, gold="gold", predicted="answer", by="day")
        >>> t.select(day="m").counts.tolist()
        [[1, 0], [0, 1]]
        """
        from ordeval.inputs.frames.layouts import count_columns

        columns = {"weight": weight, "count": count}
        choices = ReadingChoices(*read_options(options), columns)
        parts = count_columns(frame, gold, predicted, by=by, choices=choices)
        return cls.from_parts(parts, choices.policy)

    @cached_property
    def counts(self) -> Array:
        """The counts that measures see: under `missing="farthest"` with the missed items at the farther end."""
        if self.policy.missing == "farthest":
            return frozen(fold_to_farthest(self.answered, self.missed))
        return self.answered

    @property
    def unanswered(self) -> Array:
        """Per gold class, the items that earn nothing: those missed under `missing="zero"`."""
        return self.missed if self.policy.missing == "zero" else np.zeros_like(self.missed)

    @property
    def gold(self) -> Array:
        """Items of each gold class."""
        return np.asarray(self.counts.sum(axis=-1) + self.unanswered)

    @property
    def predicted(self) -> Array:
        """Items put into each class."""
        return np.asarray(self.counts.sum(axis=-2))

    @property
    def cells(self) -> Array:
        """What was counted, [..., gold, answer]: K columns of answers, and one of items without an answer."""
        return np.concatenate([self.answered, self.missed[..., None]], axis=-1)

    @property
    def n(self) -> Any:
        """The number of items scored, without those of weight 0: a number, or an array over the leading axes."""
        if self.weighting is None:
            return self.weight
        return number_or_array(self.scored(self.weighting.items))

    @property
    def weight(self) -> Any:
        """The sum of the weights of the items scored; without weights, their number."""
        return number_or_array(self.gold.sum(axis=-1))

    @property
    def effective(self) -> Any:
        """The effective number of items (Kish): (sum of the weights)^2 / sum of their squares, `n` without weights."""
        if self.weighting is None:
            return self.n
        scaled = self.scaled
        assert scaled.weighting is not None  # noqa: S101 - scaling keeps it
        squares, items = scaled.scored(scaled.weighting.squares), np.asarray(self.n, np.float64)
        return number_or_array(
            np.divide(items * items, squares, out=np.zeros(np.shape(items)), where=squares > 0)
        )

    def scored(self, cells: Array) -> Array:
        """Sum cells[..., gold, answer] over the items that are scored: those without an answer only if they count."""
        counted = self.policy.missing in {"zero", "farthest"}
        return np.asarray((cells if counted else cells[..., :-1]).sum(axis=(-1, -2)))

    @cached_property
    def scaled(self) -> "Table":
        """The same table with all weights multiplied by a constant, so that those of the items scored sum to `n`.

        Measures see this one, each table of a batch with a constant of its own.
        """
        return self.scaled_along()

    def scaled_along(self, *names: str) -> "Table":
        """Return the table with scaled weights, with one constant for all tables along the axes named."""
        if self.weighting is None:
            return replace(self)
        at = tuple(self.axis(name) for name in names)
        weight, items = self.scored(self.cells), self.scored(self.weighting.items)
        if at:
            weight, items = (
                np.broadcast_to(sums.sum(axis=at, keepdims=True), sums.shape)
                for sums in (weight, items)
            )
        cells, weighting = scaled_to_items(self.cells, weight, items, self.weighting)
        return replace(self, answered=cells[..., :-1], missed=cells[..., -1], weighting=weighting)

    @property
    def coverage(self) -> Any:
        """The share of the items asked that were answered."""
        answered = self.answered.sum(axis=(-1, -2))
        asked = answered + self.missed.sum(axis=-1)
        return number_or_array(
            np.divide(answered, asked, out=np.full(np.shape(asked), np.nan), where=asked > 0)
        )

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the leading axes."""
        return self.answered.shape[:-2]

    def select(self, **entries: Any) -> "Table":
        """Return the table of one entry of an axis, or of several: `t.select(system="a")`.

        >>> counts, axes = [[[3, 1], [0, 4]], [[2, 2], [1, 3]]], [("day", ["mon", "tue"])]
        >>> oe.Table.from_counts(counts, axes=axes).select(day="tue").counts.tolist()
        [[2, 2], [1, 3]]
        """
        table = self
        for name, entry in entries.items():
            at = table.axis(name)
            labels = table.axes[at].labels
            if entry not in labels:
                raise ParameterError(
                    f"the axis {name!r} has no entry {entry!r}; it has {quoted(labels)}."
                )
            position = labels.index(entry)
            axes = (*table.axes[:at], *table.axes[at + 1 :])
            table = table.rearranged(partial(np.take, indices=position, axis=at), axes)
        return table

    def only(self, name: str, entries: Sequence[int]) -> "Table":
        """Return the table with some entries of an axis, by their places and in this order."""
        at = self.axis(name)
        kept = Axis(name, tuple(self.axes[at].labels[entry] for entry in entries))
        axes = (*self.axes[:at], kept, *self.axes[at + 1 :])
        return self.rearranged(lambda array: np.take(array, entries, axis=at), axes)

    def pooled(self, *names: str) -> "Table":
        """Return the table summed over the axes named, or over all.

        >>> counts, axes = [[[3, 1], [0, 4]], [[2, 2], [1, 3]]], [("day", ["mon", "tue"])]
        >>> oe.Table.from_counts(counts, axes=axes).pooled("day").counts.tolist()
        [[5, 3], [1, 7]]
        """
        at = tuple(self.axis(name) for name in names) if names else tuple(range(len(self.axes)))
        axes = tuple(axis for i, axis in enumerate(self.axes) if i not in at)
        return self.rearranged(lambda array: array.sum(axis=at), axes)

    def rearranged(self, function: Callable[[Array], Array], axes: tuple[Axis, ...]) -> "Table":
        """Return the table with other leading axes; the function makes them in each of its arrays."""
        weighting = None if self.weighting is None else self.weighting.mapped(function)
        answered, missed = frozen(function(self.answered)), frozen(function(self.missed))
        return replace(self, answered=answered, missed=missed, axes=axes, weighting=weighting)

    def axis(self, name: str) -> int:
        """Return which leading axis has this name."""
        names = [axis.name for axis in self.axes]
        if not is_choice(name, names):
            raise ParameterError(
                f"there is no axis {name!r:.60}; this table has {quoted(names) or 'none'}."
            )
        return names.index(name)

    def __add__(self, other: "Table") -> "Table":
        """Merge two tables, exactly: their scales and axes are brought together, and their counts add."""
        if not isinstance(other, Table):
            return NotImplemented
        parts = merged(self, other)
        axes = tuple(Axis(name, entries) for name, entries in parts.axes)
        touched, ignored = added(self.touched, other.touched), added(self.ignored, other.ignored)
        return Table(
            parts.scale, frozen(parts.answered), frozen(parts.missed), axes, self.policy, touched, ignored,
            parts.weighting,
        )  # fmt: skip

    def __radd__(self, other: object) -> "Table":
        """Let `sum(tables)` work, which starts from 0."""
        return self if other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        """Tell whether two tables hold the same items, of the same weights, on the same scale, axes and policy."""
        if not isinstance(other, Table):
            return NotImplemented
        alike = (self.scale, self.axes, self.policy) == (other.scale, other.axes, other.policy)
        same_counts = np.array_equal(self.answered, other.answered) and np.array_equal(
            self.missed, other.missed
        )
        if not (alike and same_counts) or self.weighting is other.weighting:
            return alike and same_counts
        own, others = (
            table.weighting or Weighting.of_counts(table.cells) for table in (self, other)
        )
        return own.equals(others)

    __hash__ = None  # type: ignore[assignment]  # holds arrays

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python objects, with a schema number.

        >>> oe.Table.from_counts([[3, 1], [0, 4]]).to_dict()["answered"]
        [[3, 1], [0, 4]]
        """
        return display.to_dict(self, SCHEMA)

    def to_json(self) -> str:
        """Return everything as JSON on one line; `Table.from_json` reads it back, exactly.

        >>> t = oe.Table.from_counts([[3, 1], [0, 4]])
        >>> oe.Table.from_json(t.to_json()) == t
        True
        """
        import json  # only needed here, and slow to import

        return json.dumps(self.to_dict(), default=str, ensure_ascii=False)

    def sheet(self) -> "Sheet":
        """Return the counts with their totals, gold in rows; leading axes are summed."""
        from ordeval.table.sheet import counts_sheet

        return counts_sheet(self)

    @classmethod
    def from_json(cls, text: str | bytes) -> "Table":
        """Read a table that `to_json` wrote.

        >>> text = oe.Table.from_counts([[3, 1], [0, 4]]).to_json()
        >>> oe.Table.from_json(text).counts.tolist()
        [[3, 1], [0, 4]]
        """
        content = display.from_json(text, SCHEMA)
        scale = Scale(
            content["scale"]["labels"],
            content["scale"]["values"],
            inferred=content["scale"]["inferred"],
        )
        answered, missed = read_counts(
            content["answered"], content["missed"], weighted=content["weighted"]
        )
        check_sum(answered, missed)
        axes = tuple(Axis(axis["name"], tuple(axis["labels"])) for axis in content["axes"])
        if (*(len(axis.labels) for axis in axes), scale.k, scale.k) != answered.shape:
            raise TableError(
                f"the counts have shape {answered.shape}, which does not fit the axes and the scale {scale}."
            )
        policy = Policy(**content["policy"])
        weighting = display.read_weighting(content["weighting"], (*missed.shape, scale.k + 1))
        return cls(
            scale, answered, missed, axes, policy, content["touched"], content["ignored"], weighting
        )

    def __repr__(self) -> str:
        return display.one_line(self)


def read_axes(axes: Any) -> tuple[Axis, ...]:
    """Return the leading axes, from pairs of a name and its entries."""
    try:
        return tuple(Axis(str(name), tuple(entries)) for name, entries in axes)
    except (TypeError, ValueError):
        raise ParameterError(
            f"axes is {axes!r:.60}; it lists the name and the entries of each leading axis, as [('case', ['a', 'b'])]."
        ) from None


def added(a: Mapping[str, int], b: Mapping[str, int]) -> dict[str, int]:
    """Return the sums of two records, by name."""
    return {name: a.get(name, 0) + b.get(name, 0) for name in {**a, **b}}


def number_or_array(values: Array) -> Any:
    """Return a Python number for a single value, and the array for a batch."""
    return values.item() if np.ndim(values) == 0 else values
