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
    """The answers of many systems to the same items: the distinct joint answers, and how many items have each.

    `case` and `gold` are codes over patterns, `predicted` codes over systems and patterns; the code K means no answer.

    >>> runs = oe.Runs.from_labels([1, 2, 2, 3], {"a": [1, 2, 3, 3], "b": [1, 1, 1, 1]})
    >>> runs
    Runs(items=4, systems=['a', 'b'], classes=[1, 2, 3])
    >>> runs.n, runs.systems
    (4, ('a', 'b'))
    >>> runs.table.counts.shape
    (2, 3, 3)
    """

    scale: Scale  # the classes
    systems: tuple[str, ...]  # the names of the systems
    cases: tuple[Any, ...]  # empty where the data has no test cases
    case: Array
    gold: Array
    predicted: Array
    count: Array
    policy: Policy = field(default_factory=Policy)  # what was done with missing and unknown labels
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

        The arguments are:

        - `y_true`: the gold labels, a row of shares for each item, or `Ratings`.
        - `systems`: the answers of each system by its name, or `Ratings`.
        - `case`: the test case of each item.
        - `item`: the names of the items, for error messages.
        - `sample_weight`: how much each item matters; only the ratios of the weights count.
        - `count`: how many items each row stands for.
        - `by`: the slice of each item: a column, or several by name, `{"country": [...], "device": [...]}`.

        >>> gold, cases = ["low", "high", "mid", "high"], ["t1", "t1", "t2", "t2"]
        >>> systems = {"a": ["low", "high", "mid", "mid"], "b": ["mid", "mid", "mid", "mid"]}
        >>> oe.Runs.from_labels(gold, systems, case=cases, labels=["low", "mid", "high"])
        Runs(items=4, systems=['a', 'b'], cases=2, classes=['low', 'mid', 'high'])
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
        r"""Read a gold file and the files of one or many systems, aligned by test case and item.

        Reads CSV, TSV, JSON lines and Parquet, also .gz and .zst. Each file of a glob is a system, named by the
        file. The files are counted by DuckDB, not loaded. The systems "@uniform" and "@most_frequent" need no file:
        they give all classes the same probability, and the class that the raters gave most often.

        The arguments are:

        - `gold`: the file of gold labels, or a glob whose files are its parts.
        - `systems`: a file, a glob, a list of these, or files by the names of systems.
        - `case`: the column of test cases, if it has no usual name.
        - `item`: the column of item names, if it has no usual name.
        - `label`: the column of labels, if it has no usual name.
        - `system`: the column of systems, if it has no usual name.
        - `weight`: the column that says how much each item matters, in the gold file.
        - `count`: the column that says how many items each row stands for; 1 says that each row is one item, even
          if a column has a name like `count`.
        - `by`: the columns whose groups are slices, in the gold file.
        - `rater`: the column of raters in the gold file, if it is not called rater, annotator, worker or judge;
          gold is then the share of raters that gave each class.
        - `proba`: whether the systems' files have a column for each class, named as the class, that holds its
          probability.
        - `shards`: whether the files of a glob are the parts of one table.
        - `skip_bad`: whether to leave out systems' files that cannot be scored; `Runs.skipped` says which.
        - `progress`: a function that is called with the work done and the whole.

        >>> from pathlib import Path
        >>> _ = Path("gold.csv").write_text("item,label\na,1\nb,2\nc,3\n")
        >>> _ = Path("mine.csv").write_text("item,label\na,1\nb,3\nc,3\n")
        >>> oe.Runs.from_files("gold.csv", "mine.csv")
        Runs(items=3, systems=['mine'], classes=[1, 2, 3])
        """
        from ordeval.inputs.files.read import count_files

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
        read = read_rated_files
        if is_true(skip_bad, "skip_bad"):
            from ordeval.ratings.rated_check import read_good_files as read
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
        r"""Read a wide file or frame: one row for each item, a column `gold`, and a column of answers for each system.

        The arguments are:

        - `data`: the file, or the data frame.
        - `gold`: the column of gold labels.
        - `predicted`: the columns of answers, one for each system.
        - `raters`: the columns of several people who made the gold, in place of `gold`; gold is then the share of
          them that gave each class.
        - `case`: the column of test cases.
        - `item`: the column of item names.
        - `weight`: the column that says how much each item matters.
        - `count`: the column that says how many items each row stands for; 1 says that each row is one item, even
          if a column has a name like `count`.
        - `by`: the columns whose groups are slices.
        - `proba`: whether the file is that of one system and has in place of answers a column for each class, named
          as the class, that holds its probability.
        - `progress`: a function that is called with the work done and the whole.

        >>> from pathlib import Path
        >>> _ = Path("wide.csv").write_text("gold,a,b\n1,1,2\n2,2,2\n3,2,3\n")
        >>> oe.Runs.from_wide("wide.csv", gold="gold", predicted=["a", "b"])
        Runs(items=3, systems=['a', 'b'], classes=[1, 2, 3])
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
        each item and system, with the column `system`; `gold` is then a column too, or a frame of its own.

        The arguments are:

        - `frame`: the data frame.
        - `gold`: the column of gold labels; of a long frame it may be a frame of its own.
        - `predicted`: the columns of answers, one for each system, of a wide frame.
        - `case`: the column of test cases.
        - `item`: the column of item names.
        - `label`: the column of labels of a long frame.
        - `system`: the column of systems of a long frame.
        - `weight`: the column that says how much each item matters.
        - `count`: the column that says how many items each row stands for; 1 says that each row is one item, even
          if a column has a name like `count`.
        - `by`: the columns whose groups are slices.

        >>> import polars as pl
        >>> frame = pl.DataFrame({"gold": [1, 2, 3], "a": [1, 2, 2], "b": [2, 2, 3]})
        >>> oe.Runs.from_frame(frame, gold="gold", predicted=["a", "b"])
        Runs(items=3, systems=['a', 'b'], classes=[1, 2, 3])
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

        >>> runs = oe.Runs.from_labels([1, 2, 2], {"a": [1, 2, 1]}, case=["t1", "t1", "t2"])
        >>> runs.cases, runs.pooled().cases
        (('t1', 't2'), ())
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
        """Return the same items with some of the systems.

        >>> runs = oe.Runs.from_labels([1, 2], {"a": [1, 2], "b": [2, 2], "c": [1, 1]})
        >>> runs.select(["c", "a"])
        Runs(items=2, systems=['c', 'a'], classes=[1, 2])
        """
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
