"""Gold and the answers of one or many systems, item by item, as compact codes.

Items with the same case, gold label and answers are one pattern with a count: all that a comparison needs to know, and
no more than the number of items, however many there are.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Literal, Unpack

import numpy as np

from ordeval.aliases import Array
from ordeval.arguments import column_names, entries, is_choice, is_true
from ordeval.errors import DataError, LabelTypeError, ParameterError, argument, flag, quoted
from ordeval.inputs.array_patterns import count_systems
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.patterns import added_up, group
from ordeval.inputs.placing import PlacedPatterns
from ordeval.inputs.policy import Policy, Reading, ReadingRows, read_options, shows_keywords
from ordeval.inputs.soft import Probabilities
from ordeval.inputs.spreading import spread_cells
from ordeval.inputs.weighting import Weighting
from ordeval.ratings import Ratings
from ordeval.ratings.matching import labels_for
from ordeval.ratings.rated_files import (
    RatedFiles,
    asks_for_references,
    read_rated_files,
    read_rated_wide,
)
from ordeval.scale import Scale
from ordeval.table import Axis, Table
from ordeval.table.checks import frozen, owned


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
    weighting: Weighting | None = None  # of `count`, which then holds sums of weights
    clusters: tuple[Any, ...] = ()  # the test cases of pooled runs, whose codes `case` still holds
    slices: tuple[Axis, ...] = ()  # the columns that slices go by, and the names of the slices
    slice_codes: Array | None = None  # [slicing, pattern]: which slice a pattern is of
    skipped: tuple[tuple[str, str], ...] = ()  # files that could not be scored, and why
    # [kind, class]: the shares that the codes of gold stand for; None: each code is a class
    shares: Array | None = None
    # [kind, class or none]: the probabilities that the codes of answers stand for; None as above
    answers: Array | None = None
    ratings: Ratings | None = None  # whose patterns the codes of gold are, if raters made the gold

    def __post_init__(self) -> None:
        """Hold codes and counts that nobody else can change."""
        for name in ("case", "gold", "predicted", "count"):
            object.__setattr__(self, name, owned(getattr(self, name)))

    @classmethod
    @shows_keywords(Reading)
    def from_labels(
        cls,
        y_true: Any,
        systems: "Mapping[str, Any] | Ratings",
        *,
        case: Any = None,
        item: Any = None,
        sample_weight: Any = None,
        count: Any = None,
        by: Any = None,
        **options: Unpack[Reading],
    ) -> "Runs":
        """Take gold labels and each system's answers to the same items, in the same order.

        Gold may be soft, with a row of shares for each item, or `Ratings`; the answers of a system may be class
        probabilities, with a row for each item and a column for each class. If both gold and systems are `Ratings`,
        their items are matched by name.

        `case` is the test case of each item; `item` names the items for error messages. `sample_weight` says how much
        each item matters, `count` how many items each row stands for. `by` gives the slice of each item: a column, or
        several by name, `{"country": [...], "device": [...]}`.
        """
        choices = ReadingChoices(*read_options(options))
        if isinstance(systems, Ratings):
            if not isinstance(y_true, Ratings):
                raise LabelTypeError(
                    "the systems are Ratings, which are matched by item with the Ratings of gold; gold is something "
                    "else. Pass a column of answers for each system."
                )
            systems = labels_for(y_true.items, systems)[0]
        runs = cls.from_patterns(
            count_systems(
                y_true, systems, case=case, item=item, sample_weight=sample_weight, count=count,
                by=by, choices=choices,
            )
        )  # fmt: skip
        return replace(runs, ratings=y_true) if isinstance(y_true, Ratings) else runs

    @classmethod
    @shows_keywords(ReadingRows)
    def from_files(
        cls,
        gold: Any,
        systems: Any,
        *,
        case: str | None = None,
        item: str | None = None,
        label: str | None = None,
        system: str | None = None,
        weight: str | None = None,
        count: str | Literal[1] | None = None,
        by: str | Sequence[str] | None = None,
        rater: str | None = None,
        proba: bool = False,
        shards: bool = False,
        skip_bad: bool = False,
        progress: Callable[[int, int], None] | None = None,
        **options: Unpack[ReadingRows],
    ) -> "Runs":
        """Read a gold file and the files of one or many systems, aligned by test case and item.

        CSV, TSV, JSON lines and Parquet, also .gz and .zst. Each file of a glob is a system, named by the file; with
        `shards` its files are the parts of one table, as those of a glob for gold always are. `case`, `item`, `label`
        and `system` name the columns that have no usual name. `weight` names the column that says how much each item
        matters, `count` the one that says how many items each row stands for, and `by` the columns whose groups are
        slices; all of these stand in the gold file.

        If the gold file has a column of raters (`rater` names it, if it is not called rater, annotator, worker or
        judge), gold is the share of raters that gave each class. With `proba` the systems' files have a column for each
        class, named as the class, that holds its probability. The
        systems "@uniform" and "@most_frequent" need no file: they give all classes the same probability, and the class
        that the raters gave most often.

        `skip_bad` leaves out systems' files that cannot be scored; `Runs.skipped` says which. The files are counted by
        DuckDB, not loaded; `progress` is called with the work done and the whole.
        """
        from ordeval.inputs.files.read import count_files
        from ordeval.ratings.rated_check import read_good_files

        columns = {
            "case": case, "item": item, "label": label, "system": system,
            "weight": weight, "count": count,
        }  # fmt: skip
        choices = ReadingChoices(*read_options(options), columns, names_of_slicings(by))
        proba = is_true(proba, "proba")
        if rater is None and not proba and not asks_for_references(systems):
            plain = weight is not None or count is not None or bool(choices.by)
            counted = count_files(
                gold, systems, choices, progress,
                shards=shards, skip_bad=skip_bad, unless_rated=not plain,
            )  # fmt: skip
            if counted is not None:
                return cls.from_patterns(counted)
        read = read_good_files if is_true(skip_bad, "skip_bad") else read_rated_files
        rated = read(
            gold, systems, choices, rater=rater, proba=proba, shards=shards, progress=progress
        )
        return cls.from_rated(rated, options)

    @classmethod
    @shows_keywords(ReadingRows)
    def from_wide(
        cls,
        data: Any,
        *,
        gold: str | None = None,
        predicted: str | Sequence[str] | None = None,
        raters: str | Sequence[str] | None = None,
        case: str | None = None,
        item: str | None = None,
        weight: str | None = None,
        count: str | Literal[1] | None = None,
        by: str | Sequence[str] | None = None,
        proba: bool = False,
        progress: Callable[[int, int], None] | None = None,
        **options: Unpack[ReadingRows],
    ) -> "Runs":
        """Read a wide file: one row for each item, a column `gold`, and a column of answers for each system.

        With `proba` the file is that of one system and has in place of answers a column for each class, named as the
        class, that holds its probability.

        If several people made the gold, name their columns as `raters` in place of `gold`: gold is then the share of
        them that gave each class.

        `weight` names the column that says how much each item matters, `count` the one that says how many items each
        row stands for, and `by` the columns whose groups are slices. `count=1` says that each row is one
        item, even if a column has a name like `count`.
        """
        from ordeval.inputs.files.read import count_wide_file, read_item_file

        columns = {"case": case, "item": item, "weight": weight, "count": count}
        choices = ReadingChoices(*read_options(options), columns, names_of_slicings(by))
        if is_true(proba, "proba"):
            if predicted is not None or raters is not None or choices.by:
                raise ParameterError(
                    f"{flag('proba')} reads the probabilities of one system beside {argument('gold')}, and takes no "
                    f"{argument('predicted')}, {argument('raters')} or {argument('by')}. Leave these out."
                )
            rows = read_item_file(data, choices, progress, gold=gold, wants_gold=True)
            scale: Any = rows.scale
            runs = cls.from_labels(
                rows.gold, {rows.name: Probabilities(rows.numbers)}, labels=scale,
                case=rows.names("case"), item=rows.names("item"),
                sample_weight=rows.weights("weight"), count=rows.weights("count"),
            )  # fmt: skip
            return replace(runs, notes=tuple(rows.notes))
        names, people = column_names(predicted, "predicted"), column_names(raters, "raters")
        if people and gold is None:
            return cls.from_rated(read_rated_wide(data, people, names, choices, progress), options)
        if people:
            raise ParameterError(
                f"{argument('gold')} and {argument('raters')} are both given, and either is the gold. Leave one of "
                f"them out."
            )
        if not isinstance(gold, str):
            raise ParameterError(
                f"gold is {gold!r:.60}; it is the name of a column. If several people made the gold, name their "
                f"columns with {argument('raters', ...)}."
            )
        return cls.from_patterns(count_wide_file(data, gold, names, choices, progress))

    @classmethod
    @shows_keywords(ReadingRows)
    def from_frame(
        cls,
        frame: Any,
        *,
        gold: Any,
        predicted: str | Sequence[str] | None = None,
        case: str | None = None,
        item: str | None = None,
        label: str | None = None,
        system: str | None = None,
        weight: str | None = None,
        count: str | Literal[1] | None = None,
        by: str | Sequence[str] | None = None,
        **options: Unpack[ReadingRows],
    ) -> "Runs":
        """Count a data frame of pandas, polars, Arrow, DuckDB, Ibis, Dask or PySpark.

        Wide: a row for each item, the column `gold`, and the columns `predicted`, one for each system. Long: a row for
        each item and system, with the column `system`; `gold` is then a column too, or a frame of its own. `weight`
        names the column that says how much each item matters, `count` the one that says how many items each row stands
        for, and `by` the columns whose groups are slices; all of these are columns of the gold file.
        """
        from ordeval.inputs.frames.layouts import count_frame

        columns = {
            "case": case, "item": item, "label": label, "system": system,
            "weight": weight, "count": count,
        }  # fmt: skip
        choices = ReadingChoices(*read_options(options), columns, names_of_slicings(by))
        return cls.from_patterns(count_frame(frame, gold, predicted, choices))

    @classmethod
    def from_rated(cls, rated: RatedFiles, options: Any) -> "Runs":
        """Make runs of files in which several raters made the gold, or systems give probabilities."""
        policies = {name: options[name] for name in ("missing", "gold_missing") if name in options}
        ratings = rated.ratings
        runs = cls.from_patterns(rated.place(Policy(**policies)))
        policy = replace(ratings.policy, **policies)
        ignored = {
            "not_in_gold": rated.not_in_gold,
            "duplicate": 0,
            "unreadable": 0,
            **ratings.ignored,
        }
        several = rated.gold if isinstance(rated.gold, Ratings) else None
        return replace(
            runs, policy=policy, ignored=ignored, ratings=several, skipped=rated.skipped,
            notes=(*rated.notes, *ratings.notes),
        )  # fmt: skip

    @classmethod
    def from_patterns(cls, placed: PlacedPatterns) -> "Runs":
        """Make runs of patterns that were counted and put on the scale."""
        return cls.from_rows(
            placed.scale, placed.systems, placed.cases, placed.rows, placed.count,
            weighting=placed.weighting, policy=placed.policy, ignored=placed.ignored,
            touched=placed.touched, notes=placed.notes, skipped=placed.skipped,
            slices=tuple(Axis(name, entries) for name, entries in placed.slices), slice_codes=placed.slice_codes,
            shares=placed.shares, answers=placed.answers,
        )  # fmt: skip

    @classmethod
    def from_rows(
        cls,
        scale: Scale,
        systems: tuple[str, ...],
        cases: tuple[Any, ...],
        rows: Array,
        count: Array | None = None,
        *,
        weighting: Weighting | None = None,
        slices: tuple[Axis, ...] = (),
        slice_codes: Array | None = None,
        shares: Array | None = None,
        answers: Array | None = None,
        **about: Any,
    ) -> "Runs":
        """Make runs of rows of codes, [case, gold, system...] by item or pattern; equal columns are merged.

        `slice_codes[slicing, item]` says which slice an item is of; those of different slices are not equal.
        """
        kinds = scale.k if shares is None else len(shares)
        answer_kinds = scale.k + 1 if answers is None else len(answers)
        limits = [max(len(cases), 1), kinds, *[answer_kinds] * len(systems)]
        every = rows
        if slice_codes is not None:
            limits += [len(slicing.labels) for slicing in slices]
            every = np.concatenate([rows, slice_codes])
        first, inverse = group(every, limits)
        added = partial(added_up, inverse, len(first))
        distinct = rows[:, first]
        narrow = np.min_scalar_type(max(kinds, answer_kinds))
        codes = frozen(distinct[1:].astype(narrow))
        return cls(
            scale,
            systems,
            cases,
            frozen(distinct[0].astype(np.intp)),
            codes[0],
            codes[1:],
            added(count),
            weighting=None if weighting is None else weighting.mapped(added),
            slices=slices,
            slice_codes=None if slice_codes is None else slice_codes[:, first],
            shares=shares,
            answers=answers,
            **about,
        )

    @cached_property
    def table(self) -> Table:
        """The tables of all systems (and cases): axes `system` and, where the data has test cases, `case`."""
        k, cases, systems = self.scale.k, max(len(self.cases), 1), len(self.systems)
        case = self.case.astype(np.intp) if self.cases else 0
        # codes are as narrow as can be
        row = (case * k + self.gold.astype(np.intp)) * (k + 1)

        def spread(amounts: Array) -> Array:
            every = [
                spread_cells(
                    self.gold, answers, amounts, k, shares=self.shares, answers=self.answers,
                    case=self.case if self.cases else None, cases=cases,
                )
                for answers in self.predicted
            ]  # fmt: skip
            return np.stack(every) if self.cases else np.stack(every)[:, 0]

        def cells(amounts: Array) -> Array:
            if self.soft:
                return spread(amounts)
            sums = np.zeros((systems, cases, k, k + 1), dtype=amounts.dtype)
            weight = amounts.astype(np.float64)  # exact for counts below 2**53
            for system, answers in enumerate(self.predicted):
                added = np.bincount(row + answers, weights=weight, minlength=cases * k * (k + 1))
                sums[system] = added.reshape(cases, k, k + 1)
            return sums if self.cases else sums[:, 0]

        axes = (Axis("system", self.systems), Axis("case", self.cases))
        counts = cells(self.count)
        answered, missed = frozen(counts[..., :k].copy()), frozen(counts[..., k].copy())
        return Table(
            self.scale, answered, missed, axes if self.cases else axes[:1],
            self.policy, self.touched, self.ignored,
            None if self.weighting is None else self.weighting.mapped(cells),
        )  # fmt: skip

    @property
    def soft(self) -> bool:
        """Whether gold or some answers are distributions over the classes."""
        return self.shares is not None or self.answers is not None

    @property
    def n(self) -> Any:
        """The number of gold items, without those of weight 0."""
        return (self.count if self.weighting is None else self.weighting.items).sum().item()

    @property
    def weight(self) -> Any:
        """The sum of the weights of the gold items; without weights, their number."""
        return self.count.sum().item()

    def pooled(self) -> "Runs":
        """Return the same answers as one test: all items together.

        `clusters` keeps the test cases: another sample would have other cases, so intervals and tests still draw these.
        """
        return replace(self, cases=(), clusters=self.cases) if self.cases else self

    def only(self, which: Array) -> "Runs":
        """Return the runs of some of the patterns, with the test cases that these are of."""
        weighting = None
        if self.weighting is not None:
            weighting = self.weighting.mapped(lambda amounts: amounts[which])
        used, case = np.unique(self.case[which], return_inverse=True)
        cases, clusters = (
            tuple(names[at] for at in used.tolist()) if names else ()
            for names in (self.cases, self.clusters)
        )
        return replace(
            self, cases=cases, clusters=clusters, case=case, gold=self.gold[which],
            predicted=self.predicted[:, which], count=self.count[which], weighting=weighting,
            slices=(), slice_codes=None,
        )  # fmt: skip

    def select(self, systems: Sequence[str]) -> "Runs":
        """Return the same items with some of the systems."""
        systems = entries(systems, "systems", "it lists names of systems")
        unknown = [name for name in systems if not is_choice(name, self.systems)]
        if unknown:
            raise DataError(
                f"there is no system {unknown[0]!r:.60} among {quoted(self.systems)}. Check its name."
            )
        chosen = self.predicted[[self.systems.index(name) for name in systems]]
        return replace(self, systems=tuple(systems), predicted=chosen)

    def __repr__(self) -> str:
        cases = f", cases={len(self.cases)}" if self.cases else ""
        names = list(self.systems) if len(self.systems) <= 5 else f"<{len(self.systems)}>"
        return f"Runs(items={self.n:g}, systems={names}{cases}, classes={list(self.scale.labels)})"


def names_of_slicings(by: Any) -> tuple[str, ...]:
    """Return the columns that slices go by, each once, from one name, several or none."""
    return tuple(dict.fromkeys(column_names(by, "by")))
