"""From raw labels to codes on the scale, and what the policies say of the rest: the one place where this is decided."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ordeval.aliases import Array
from ordeval.columns import read_column
from ordeval.errors import DataError, LabelError, NoItemsError, argument, listed, quoted
from ordeval.inputs.choices import ReadingChoices, TableParts
from ordeval.inputs.patterns import GOLD, Codes, Examples, RawColumn, RawPatterns, entries_of
from ordeval.inputs.policy import Policy
from ordeval.inputs.rounding import NearestClass
from ordeval.inputs.spreading import spread_cells
from ordeval.inputs.weighting import Weighting
from ordeval.labels import MISSING, canonical, natural_order
from ordeval.scale import (
    Scale,
    finite_numbers,
    infer_scale,
    words_among_numbers,
    words_in_gold,
)

SHOWN = 5  # items that an error names
MOST_SLICES = 1000  # a column of more values does not hold groups
BOOLEANS = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class PlacedPatterns:
    """Patterns on the scale: everything that tables and runs are made of.

    In `rows` are the codes of the test case, of gold and of each system's answer; K means no answer.
    """

    scale: Scale
    systems: tuple[str, ...]
    cases: tuple[Any, ...]
    rows: Array
    count: Array
    policy: Policy
    ignored: dict[str, int]
    touched: dict[str, int]
    # the raw patterns that have a gold label, and so a column in `rows`
    kept: npt.NDArray[np.bool_]
    notes: tuple[str, ...] = ()
    weighting: Weighting | None = None  # of `count`, if it holds sums of weights
    slices: tuple[tuple[str, tuple[Any, ...]], ...] = ()  # what slices go by, and the names of each
    slice_codes: Array | None = None  # [slicing, pattern]: which slice a pattern is of
    skipped: tuple[tuple[str, str], ...] = ()  # files that could not be scored, and why
    # [kind, class]: the distributions that the codes of gold stand for; None: each code is a class
    shares: Array | None = None
    # [kind, class or no answer]: the distributions that the codes of answers stand for; None as above
    answers: Array | None = None

    @property
    def items(self) -> Any:
        """The number of items, without those of weight 0."""
        return (self.count if self.weighting is None else self.weighting.items).sum().item()

    def table(
        self, axes: Sequence[tuple[str, tuple[Any, ...]]] = (), groups: Sequence[Codes] = ()
    ) -> TableParts:
        """Count one system's patterns into a table; `groups` are the codes of its leading axes."""
        k = self.scale.k
        sizes = [len(entries) for _, entries in axes]

        def cells(amounts: Array) -> Array:
            if self.shares is not None or self.answers is not None:
                spread: Array = spread_cells(
                    self.rows[1], self.rows[2], amounts, k, shares=self.shares, answers=self.answers
                )[0]
                return spread
            sums = np.zeros((*sizes, k, k + 1), dtype=amounts.dtype)
            np.add.at(sums, (*groups, self.rows[1], self.rows[2]), amounts)
            return sums

        counts = cells(self.count)
        weighting = None if self.weighting is None else self.weighting.mapped(cells)
        touched = {**self.touched, **self.ignored}
        answered, missed = counts[..., :k].copy(), counts[..., k].copy()
        return TableParts(self.scale, answered, missed, touched, tuple(axes), weighting)


def place(
    patterns: RawPatterns,
    systems: Sequence[str],
    choices: ReadingChoices,
    examples: Examples,
    *,
    scale: Scale | None = None,
    ignored: Mapping[str, int],
    notes: Sequence[str] = (),
) -> PlacedPatterns:
    """Put every label on the scale and apply the policies; what they refuse is an error that names items."""
    labels = [patterns.gold.labels, *(column.labels for column in patterns.predicted)]
    nothing_to_place = scale is None or choices.policy.gold_missing == "error"
    gold_used = patterns.gold.occurring
    if nothing_to_place and all(labels[0][code] is MISSING for code in gold_used):
        raise NoItemsError(
            "there are no items: every gold label is missing. Check the gold column."
        )
    if scale is None:
        if choices.labels is None:
            check_gold_words(patterns, examples)
        scale = declared_or_inferred_scale(labels, choices)
    nearest = NearestClass.on(scale) if choices.policy.round == "nearest" else None
    gold = codes_on(scale, labels[0], patterns.gold)[patterns.gold.codes]
    judge = Judge(scale, choices.policy, patterns.count, examples)
    judge.check_gold(patterns.gold, gold)
    kept = gold < scale.k
    predicted, touched = [], {"missing": 0, "unknown": 0, "rounded": 0}
    for at, column in enumerate(patterns.predicted):
        codes_of_labels = codes_on(scale, labels[at + 1], column)
        if nearest is not None:
            changed = nearest.move(codes_of_labels, labels[at + 1], off=scale.k + 1)
            touched["rounded"] += judge.items(changed[column.codes] & kept)
        codes = np.where(kept, codes_of_labels[column.codes], 0)
        of = f"answers of {systems[at]!r}" if len(systems) > 1 else "answers"
        judge.check_answers(column, codes, at, of)
        touched["missing"] += judge.items(codes == scale.k)
        touched["unknown"] += judge.items(codes > scale.k)
        predicted.append(np.minimum(codes, scale.k))
    without_gold = judge.items(~kept)
    slices, of_slice = place_slices(patterns.slices, kept)
    cases, case = case_codes(patterns.case, kept)
    return PlacedPatterns(
        scale=scale,
        systems=tuple(systems),
        cases=cases,
        rows=np.stack([case, gold, *predicted])[:, kept],
        count=(patterns.count if patterns.weight is None else patterns.weight)[kept],
        policy=choices.policy,
        ignored={**ignored, **({"gold_missing": without_gold} if without_gold else {})},
        touched={what: times for what, times in touched.items() if times},
        kept=kept,
        notes=tuple(notes),
        weighting=None
        if patterns.weighting is None
        else patterns.weighting.mapped(lambda amounts: amounts[kept]),
        slices=slices,
        slice_codes=of_slice,
    )


def place_slices(
    columns: Mapping[str, RawColumn], kept: npt.NDArray[np.bool_]
) -> tuple[tuple[tuple[str, tuple[Any, ...]], ...], Array | None]:
    """Return the names of the slices that the patterns kept are of, and codes[slicing, pattern]; None without any."""
    if not columns:
        return (), None
    placed = {
        name: entries_of(replace(column, codes=column.codes[kept]))
        for name, column in columns.items()
    }
    for name, (entries, _) in placed.items():
        if len(entries) > MOST_SLICES:
            raise DataError(
                f"{name!r} has {len(entries)} different values, such as {quoted(entries, 3)}; there can be at most "
                f"{MOST_SLICES} slices. Slice by a column with fewer values."
            )
    names = tuple((name, entries) for name, (entries, _) in placed.items())
    return names, np.stack([codes for _, codes in placed.values()])


def check_gold_words(patterns: RawPatterns, examples: Examples) -> None:
    """Refuse gold labels that are words where the others are numbers, and say how many items have one."""
    column, every = patterns.gold, patterns.gold.labels
    used = column.occurring
    labels = {code: every[code] for code in used if every[code] is not MISSING}
    words = set(words_among_numbers(labels.values()))
    if not words:
        return
    codes = [code for code, label in labels.items() if label in words]
    which = np.isin(column.codes, codes)
    items = examples(GOLD, column.used(which))
    how_many = (
        f"{patterns.count[which].sum()} of {patterns.count.sum()} gold labels are not numbers"
    )
    numbers = finite_numbers(labels.values())
    raise words_in_gold([*words], min(numbers), f"; {how_many}{first_items(items[:1])}")


def declared_or_inferred_scale(labels: Sequence[list[Any]], choices: ReadingChoices) -> Scale:
    """Return the scale that the caller declared, or that the labels of all sides together show."""
    if choices.labels is not None:
        return Scale(choices.labels, choices.values)
    seen = [[label for label in side if label is not MISSING] for side in labels]
    words = [
        {label if isinstance(label, bool) else str(label).lower() for label in side}
        for side in seen
    ]
    if not words[0] - {True, False, *BOOLEANS} and set().union(*words) & set(BOOLEANS):
        return Scale([False, True], choices.values)
    gold, *answers = (read_column(side, "the labels") for side in seen)
    return infer_scale([gold], answers, choices.values, widen=choices.policy.round == "error")


def codes_on(scale: Scale, labels: Sequence[Any], column: RawColumn) -> Codes:
    """Return the code of each label of a column: its position, K if missing, K + 1 if not on the scale."""
    return np.array(
        [code_of(label, scale, tidied=column.tidied) for label in labels], dtype=np.intp
    )


def code_of(label: Any, scale: Scale, *, tidied: bool) -> int:
    """Return the code of one label; in what is tidied, booleans and the words for them stand for each other."""
    if label is MISSING:
        return scale.k
    at = scale.position(label)
    if at is None and tidied and str(label).lower() in BOOLEANS:
        word = str(label).lower()
        spelled = (BOOLEANS[word], word, word.title(), word.upper())
        at = next((p for one in spelled if (p := scale.position(one)) is not None), None)
    return scale.k + 1 if at is None else at


@dataclass(frozen=True, slots=True)
class Judge:
    """The policies, applied to codes; what they refuse is an error that names the first few items."""

    scale: Scale
    policy: Policy
    count: Array
    examples: Examples

    def items(self, which: npt.NDArray[np.bool_]) -> Any:
        """Return how many items some of the patterns stand for."""
        return self.count[which].sum().item()

    def share(self, which: npt.NDArray[np.bool_], of: str) -> str:
        """Say how many of all items some of the patterns stand for, with the verb that agrees."""
        some = self.items(which)
        return f"{some} of {self.count.sum().item()} {of} {'is' if some == 1 else 'are'}"

    def check_gold(self, column: RawColumn, codes: Codes) -> None:
        """Refuse gold labels that are not on the scale, and missing ones unless the policy leaves them out."""
        k, n = self.scale.k, self.count.sum().item()
        if (codes > k).any():
            remedy = f"Add the class to {argument('labels', ...)}."
            raise self.off_scale(column, codes, GOLD, f"{n} gold labels", remedy)
        missing = codes == k
        if missing.any() and self.policy.gold_missing == "error":
            first = first_items(self.examples(GOLD, column.used(missing)))
            raise LabelError(
                f"{self.share(missing, 'gold labels')} missing{first}. Pass {argument('gold_missing', 'drop')} "
                f"to leave these items out."
            )

    def check_answers(self, column: RawColumn, codes: Codes, side: int, of: str) -> None:
        """Refuse answers that are not on the scale or missing, where the policy says so."""
        k, n, policy = self.scale.k, self.count.sum().item(), self.policy
        worth = f"Pass {argument('missing', 'zero', 'farthest', 'drop')} to say what"
        if (codes > k).any() and policy.unknown == "error":
            raise self.off_scale(column, codes, side, f"{n} {of}")
        missing = codes == k
        if missing.any() and policy.missing == "error":
            first = first_items(self.examples(side, column.used(missing)))
            raise LabelError(
                f"{self.share(missing, of)} missing{first}. {worth} an item without an answer is worth."
            )
        if (codes > k).any() and policy.missing == "error":
            raise self.off_scale(
                column, codes, side, f"{n} {of}", f"{worth} such an item is worth."
            )

    def off_scale(
        self, column: RawColumn, codes: Codes, side: int, of: str, remedy: str | None = None
    ) -> LabelError:
        """Return the error for labels that are not on the scale; without a remedy, the one for answers."""
        unknown = codes > self.scale.k
        labels = column.used(unknown)
        items = self.examples(side, labels)
        label = items[0][1] if items else labels[0]
        if remedy is None:
            remedy = f"Add the class to {argument('labels', ...)}, or pass {argument('unknown', 'missing')}."
            if self.policy.round == "error" and self.scale.is_between_classes(label):
                remedy = (
                    f"Pass {argument('round', 'nearest')} to round such answers to the nearest class, halves up, or "
                    f"turn the scores into classes first."
                )
        lie = "lies" if self.items(unknown) == 1 else "lie"
        return LabelError(
            f"label {label!r} is not on the scale {listed(self.scale.labels)} "
            f"(lowest first); {self.items(unknown)} of {of} {lie} outside it{first_items(items[:1])}. {remedy}"
        )


def case_codes(
    column: RawColumn | None, kept: npt.NDArray[np.bool_]
) -> tuple[tuple[Any, ...], Codes]:
    """Return the test cases in natural order (q2 before q10), and each pattern's."""
    if column is None:
        return (), np.zeros(len(kept), dtype=np.intp)
    names = [str(canonical(value)) for value in column.values]
    used = {names[code] for code in replace(column, codes=column.codes[kept]).occurring}
    cases = tuple(sorted(used, key=natural_order))
    position = {name: at for at, name in enumerate(cases)}
    table = np.array([position.get(name, 0) for name in names], dtype=np.intp)
    return cases, np.asarray(table[column.codes])


def first_items(items: Sequence[tuple[Any, Any]]) -> str:
    """Name the first few items, where they have names."""
    if not items:
        return ""
    names = ", ".join(repr(item) for item, _ in items[:SHOWN])
    return f", first at {'item' if len(items) == 1 else 'items'} {names}"


def repeated_items(
    what: str, items: Sequence[Any], *, cases_differ: bool = False, in_gold: bool = False
) -> DataError:
    """Return the error for items with more than one row; `cases_differ`: not every file names the test cases.

    The rows of a gold file may be those of several raters.
    """
    shown = quoted(items, SHOWN)
    if cases_differ:
        return DataError(
            f"{what} has more than one row for item {shown}, and not all files have a column of test cases to tell "
            f"these apart. Add it to the others, or name it with {argument('case')}."
        )
    raters = f" If several raters marked the items, name their column with {argument('rater')}."
    raters = raters if in_gold else ""
    return DataError(
        f"{what} has more than one row for item {shown}. Remove the others, or pass {argument('duplicates', 'first')} "
        f"to keep the first.{raters}"
    )
