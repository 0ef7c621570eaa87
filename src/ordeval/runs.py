"""Gold and the answers of one or many systems, item by item, as compact codes.

Items with the same case, gold label and answers are one pattern with a count: all that a comparison needs to know, and
no more than the number of items, however many there are.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ordeval.errors import DataError, LabelError, LabelTypeError, NoItemsError
from ordeval.inputs.arrays import Array, item_name, read_weight, split
from ordeval.inputs.encoding import encoder
from ordeval.inputs.policy import Policy
from ordeval.labels import Column, read_column
from ordeval.scale import Scale
from ordeval.table import Axis, Table

if TYPE_CHECKING:
    from ordeval.inputs.patterns import Found


@dataclass(frozen=True, eq=False, repr=False)
class Runs:
    """The distinct joint answers of all systems, and how many items have each.

    `case` and `gold` are codes over patterns, `predicted` codes over systems and patterns; the code K means no answer.

    >>> runs = Runs.from_labels([1, 2, 2, 3], {"a": [1, 2, 3, 3], "b": [1, 1, 1, 1]})
    >>> runs
    Runs(items=4, systems=['a', 'b'], classes=[1, 2, 3])
    >>> runs.table.counts.shape
    (2, 3, 3)
    """

    scale: Scale
    systems: tuple[str, ...]
    cases: tuple[Any, ...]  # empty where the data has no test cases
    case: Array
    gold: Array
    predicted: Array
    count: Array
    policy: Policy = field(default_factory=Policy)
    ignored: Mapping[str, int] = field(default_factory=dict)  # rows left out, and why
    touched: Mapping[str, int] = field(default_factory=dict)  # answers that a policy touched
    notes: tuple[str, ...] = ()  # what a reader should know: which lines could not be read

    @classmethod
    def from_labels(
        cls,
        y_true: Any,
        systems: Mapping[str, Any],
        *,
        case: Any = None,
        item: Any = None,
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        sample_weight: Any = None,
        missing: str = "error",
        unknown: str = "error",
        gold_missing: str = "error",
    ) -> "Runs":
        """Take gold labels and each system's answers to the same items, in the same order.

        `case` tells the test case of each item; `item` names the items for error messages.
        """
        policy = Policy(missing, unknown, gold_missing)
        if not (hasattr(systems, "items") and len(systems)):
            raise LabelTypeError(
                f"systems is {systems!r:.60}; it must map at least one system's name to its answers."
            )
        gold = read_column(y_true, "y_true")
        if not len(gold):
            raise NoItemsError("there are no items: y_true is empty. Pass at least one label.")
        answers = {
            str(name): read_column(column, f"system {name!r}") for name, column in systems.items()
        }
        for name, column in answers.items():
            if len(column) != len(gold):
                raise LabelError(
                    f"y_true has {len(gold)} labels and system {name!r} has {len(column)}; they must be as long as "
                    f"each other, item by item."
                )
        scale = Scale.infer(gold, *answers.values(), labels=labels, values=values)
        touched: dict[str, int] = {}
        codes = []
        for column in answers.values():  # each is refused, or its missing answers counted, alike
            pair = encoder(gold, scale), encoder(column, scale)
            read = split(scale, (gold, column), pair, weight=None, item=item, policy=policy)
            for what, times in read.touched.items():
                touched[what] = touched.get(what, 0) + times if what != "gold_missing" else times
            codes.append(np.minimum(pair[1](0, len(gold)), scale.k))
        gold_codes = encoder(gold, scale)(0, len(gold))
        weight = None if sample_weight is None else read_weight(sample_weight, len(gold))
        cases, case_codes = read_cases(case, len(gold))
        there = gold_codes < scale.k
        ignored = {} if there.all() else {"gold_missing": touched.pop("gold_missing", 0)}
        patterns = distinct_patterns(
            np.stack([case_codes, gold_codes, *codes])[:, there],
            [max(len(cases), 1), scale.k, *[scale.k + 1] * len(codes)],
            None if weight is None else weight[there],
        )
        return cls(scale, tuple(answers), cases, *patterns, policy, ignored, touched)

    @classmethod
    def from_files(
        cls,
        gold: Any,
        systems: Any,
        *,
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        missing: str = "error",
        unknown: str = "error",
        duplicates: str = "error",
        gold_missing: str = "error",
        case: str | None = None,
        item: str | None = None,
        label: str | None = None,
        system: str | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> "Runs":
        """Read a gold file and the files of one or many systems, aligned by test case and item.

        CSV, TSV, JSON lines and Parquet, also .gz and .zst; a glob is one table. `case`, `item`, `label` and `system`
        name the columns where they are not found by name. The files are counted by DuckDB, not loaded;
        `progress` is called with what is done and the whole.
        """
        from ordeval.inputs.files.read import count_files

        policy = Policy(missing, unknown, gold_missing, duplicates)
        told = {"case": case, "item": item, "label": label, "system": system}
        return cls.from_patterns(
            count_files(
                gold,
                systems,
                policy=policy,
                labels=labels,
                values=values,
                told=told,
                progress=progress,
            )
        )

    @classmethod
    def from_wide(
        cls,
        data: Any,
        *,
        gold: str,
        predicted: str | Sequence[str],
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        missing: str = "error",
        unknown: str = "error",
        duplicates: str = "error",
        gold_missing: str = "error",
        case: str | None = None,
        item: str | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> "Runs":
        """Read a wide file: one row for each item, a column `gold`, and a column of answers for each system."""
        from ordeval.inputs.files.read import count_wide_file

        policy = Policy(missing, unknown, gold_missing, duplicates)
        told = {"case": case, "item": item}
        columns = [predicted] if isinstance(predicted, str) else list(predicted)
        return cls.from_patterns(
            count_wide_file(
                data,
                gold,
                columns,
                policy=policy,
                labels=labels,
                values=values,
                told=told,
                progress=progress,
            )
        )

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        gold: Any,
        predicted: str | Sequence[str] | None = None,
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        missing: str = "error",
        unknown: str = "error",
        duplicates: str = "error",
        gold_missing: str = "error",
        case: str | None = None,
        item: str | None = None,
        label: str | None = None,
        system: str | None = None,
    ) -> "Runs":
        """Count a data frame of pandas, polars, Arrow, DuckDB, Ibis, Dask or PySpark.

        Wide: a row for each item, the column `gold`, and the columns `predicted`, one for each system. Long: a row for
        each item and system, with the column `system`; `gold` is then a column too, or a frame of its own.
        """
        from ordeval.inputs.frames.layouts import frame_runs
        from ordeval.inputs.patterns import Options

        policy = Policy(missing, unknown, gold_missing, duplicates)
        told = {"case": case, "item": item, "label": label, "system": system}
        options = Options(labels, values, policy, told)
        return cls.from_patterns(frame_runs(frame, gold=gold, predicted=predicted, options=options))

    @classmethod
    def from_patterns(cls, found: "Found") -> "Runs":
        """Take patterns that an engine counted."""
        limits = [
            max(len(found.cases), 1),
            found.scale.k,
            *[found.scale.k + 1] * len(found.systems),
        ]
        patterns = distinct_patterns(found.rows, limits, found.count)
        return cls(
            found.scale,
            found.systems,
            found.cases,
            *patterns,
            found.policy,
            found.ignored,
            found.touched,
            found.notes,
        )

    @cached_property
    def table(self) -> Table:
        """The tables of all systems (and cases): axes `system` and, where the data has test cases, `case`."""
        k, cases, systems = self.scale.k, max(len(self.cases), 1), len(self.systems)
        row = (self.case.astype(np.intp) * k + self.gold) * (k + 1)
        counts = np.zeros((systems, cases, k, k + 1), dtype=self.count.dtype)
        weight = self.count.astype(np.float64)  # exact for counts below 2**53
        for system, answers in enumerate(self.predicted):
            cells = np.bincount(row + answers, weights=weight, minlength=cases * k * (k + 1))
            counts[system] = cells.reshape(cases, k, k + 1)
        axes = [Axis("system", self.systems), Axis("case", self.cases)]
        if not self.cases:
            counts, axes = counts[:, 0], axes[:1]
        answered, missed = counts[..., :k].copy(), counts[..., k].copy()
        return Table(
            self.scale, answered, missed, tuple(axes), self.policy, self.touched, self.ignored
        )

    @property
    def n(self) -> Any:
        """The number of gold items (their weight, with weights)."""
        return self.count.sum().item()

    def pooled(self) -> "Runs":
        """Return the same answers as one test: all items together."""
        if not self.cases:
            return self
        limits = [1, self.scale.k, *[self.scale.k + 1] * len(self.systems)]
        rows = np.stack(
            [np.zeros_like(self.case), self.gold.astype(self.case.dtype), *self.predicted]
        )
        patterns = distinct_patterns(rows, limits, self.count)
        return Runs(
            self.scale,
            self.systems,
            (),
            *patterns,
            self.policy,
            self.ignored,
            self.touched,
            self.notes,
        )

    def select(self, systems: Sequence[str]) -> "Runs":
        """Return the same items with some of the systems."""
        unknown = [name for name in systems if name not in self.systems]
        if unknown:
            raise DataError(f"there is no system {unknown[0]!r} among {list(self.systems)}.")
        chosen = self.predicted[[self.systems.index(name) for name in systems]]
        return Runs(
            self.scale,
            tuple(systems),
            self.cases,
            self.case,
            self.gold,
            chosen,
            self.count,
            self.policy,
            self.ignored,
            self.touched,
            self.notes,
        )

    def __repr__(self) -> str:
        cases = f", cases={len(self.cases)}" if self.cases else ""
        names = list(self.systems) if len(self.systems) <= 5 else f"<{len(self.systems)}>"
        return f"Runs(items={self.n:g}, systems={names}{cases}, classes={list(self.scale.labels)})"


def read_cases(case: Any, n: int) -> tuple[tuple[Any, ...], Array]:
    """Return the distinct test cases, in the order in which they come, and the code of each item's."""
    if case is None:
        return (), np.zeros(n, dtype=np.intp)
    column = read_column(case, "case")
    if len(column) != n:
        raise LabelError(
            f"case names {len(column)} test cases for {n} items; it must name one for each item."
        )
    places: dict[Any, int] = {}
    codes = np.fromiter(
        (places.setdefault(name, len(places)) for name in names_of(column)), dtype=np.intp, count=n
    )
    if any(name is None or name != name for name in places):  # noqa: PLR0124 - NaN alone differs from itself
        raise LabelError(
            "case is missing for some items; every item belongs to a test case. Fill the column."
        )
    return tuple(places), codes


def names_of(column: Column) -> Iterable[Any]:
    """Return the names in a column one by one."""
    return (item_name(column, at) for at in range(len(column)))


def distinct_patterns(
    rows: Array, limits: Sequence[int], weight: Array | None
) -> tuple[Array, Array, Array, Array]:
    """Return the distinct columns of rows[case, gold, system...] in ascending order, and how many items have each.

    `limits` are the numbers of codes of each row: as digits of one number they make the columns comparable at once.
    """
    size = int(np.prod([float(limit) for limit in limits]) if limits else 1)
    if size < 2**62:
        key = np.zeros(rows.shape[1], dtype=np.int64)
        for row, limit in zip(rows, limits, strict=True):
            key *= limit
            key += row.astype(np.int64)
        _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    else:
        wide = np.ascontiguousarray(rows.T.astype(">u4" if max(limits) > 255 else "u1"))
        _, first, inverse = np.unique(
            wide.view(f"V{wide.shape[1] * wide.itemsize}").ravel(),
            return_index=True,
            return_inverse=True,
        )
    counted = np.bincount(inverse, weights=weight, minlength=len(first))
    if weight is not None and weight.dtype.kind != "f":  # counts of counts: exact below 2**53
        counted = counted.astype(np.int64)
    found = rows[:, first]
    narrow = np.min_scalar_type(max(limits[1:], default=1))
    return found[0].astype(np.intp), found[1].astype(narrow), found[2:].astype(narrow), counted
