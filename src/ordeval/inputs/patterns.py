"""From grouped raw labels to runs: the scale, the code of every label, and what the policies say of the rest.

An engine hands over one row for each distinct pattern (case, gold, answers), labels as they came; there are few of
them, so the labels are read with care here, once each, and never item by item.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ordeval.errors import LabelError, NoItemsError, quoted
from ordeval.inputs.encoding import place
from ordeval.inputs.policy import Policy
from ordeval.labels import MISSING, canonical, is_missing, read_column
from ordeval.scale import Scale

SHOWN = 5  # items that an error names
GOLD = -1  # the side of an example that is not a system's

Codes = npt.NDArray[np.intp]
Examples = Callable[
    [int, Sequence[Any]], list[Any]
]  # side and raw labels in, the first few items that have them out


@dataclass(frozen=True, slots=True)
class Nullable:
    """A column as an engine returns it: values, and which of them are null."""

    data: npt.NDArray[Any]
    null: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, array: Any) -> "Nullable":
        """Take an array apart that may be masked."""
        if isinstance(array, np.ma.MaskedArray):
            return cls(array.data, np.broadcast_to(array.mask, array.shape))
        plain_array = np.asarray(array)
        return cls(plain_array, np.zeros(plain_array.shape, dtype=bool))

    def __getitem__(self, which: npt.NDArray[np.bool_]) -> "Nullable":
        """Return some of the rows."""
        return Nullable(self.data[which], self.null[which])

    def filled(self, value: Any) -> npt.NDArray[Any]:
        """Return the values with another in place of null."""
        return np.where(self.null, value, self.data)


@dataclass(frozen=True, slots=True)
class Raw:
    """One column of patterns: its distinct values as they came, and which of them each pattern has."""

    values: list[Any]
    codes: Codes


@dataclass(frozen=True, slots=True)
class Patterns:
    """Grouped rows: what distinguishes them, and how many items each stands for."""

    case: Raw | None
    gold: Raw
    predicted: list[Raw]
    count: npt.NDArray[Any]
    weight: npt.NDArray[np.float64] | None = (
        None  # what the items of each pattern weigh, where they do
    )


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller said about the scale, the policies and the names of columns."""

    labels: Any
    values: Any
    policy: Policy
    told: Mapping[str, str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Found:
    """Everything that runs are made of."""

    scale: Scale
    systems: tuple[str, ...]
    cases: tuple[Any, ...]
    rows: npt.NDArray[Any]  # case, gold, then one row for each system
    count: npt.NDArray[Any]
    policy: Policy
    ignored: dict[str, int]
    touched: dict[str, int]
    there: npt.NDArray[
        np.bool_
    ]  # which of the patterns have a gold label and so are among the rows
    notes: tuple[str, ...] = field(default=())


def from_list(values: Iterable[Any]) -> Raw:
    """Read a column of Python objects; NaN of any kind is None."""
    places: dict[Any, int] = {}
    unboxed = (value.item() if isinstance(value, np.generic) else value for value in values)
    tidy = (None if is_missing(value) else value for value in unboxed)
    codes = [places.setdefault((type(value), value), len(places)) for value in tidy]
    return Raw([value for _, value in places], np.array(codes, dtype=np.intp))


def from_array(column: Nullable) -> Raw:
    """Read a column as an engine returns it; NaN is null."""
    data, null = column.data, column.null
    if data.dtype.kind not in "iubf":
        pairs = zip(data.tolist(), null.tolist(), strict=True)
        return from_list(None if gone else value for value, gone in pairs)
    if data.dtype.kind == "f":
        null = null | np.isnan(data)
    there, codes = np.unique(data[~null], return_inverse=True)
    every = np.full(data.shape, len(there), dtype=np.intp)
    every[~null] = codes
    # a number of single precision is the decimal that it is written as
    values = [float(str(value)) for value in there] if data.dtype == np.float32 else there.tolist()
    return Raw([*values, None], every)


def natural_order(name: Any) -> tuple[Any, ...]:
    """Return a key that sorts names as people do: q2 before q10."""
    parts: list[tuple[int, int, str]] = []
    digits = ""
    for letter in [*str(name), ""]:
        if letter.isascii() and letter.isdigit():
            digits += letter
            continue
        if digits:
            parts.append((0, int(digits[:300]), digits))
            digits = ""
        parts.append((1, 0, letter))
    return (tuple(parts), str(type(name)))


def plain(label: Any) -> Any:
    """Return a label as people mean it: no spaces around a text; nothing, or NaN in whatever spelling, is missing."""
    if isinstance(label, str):
        text = label.strip()
        return MISSING if not text or text.lower() == "nan" else text
    return canonical(label)


def words_to_booleans(columns: list[list[Any]]) -> list[list[Any]]:
    """Read a text column of nothing but true and false as booleans."""
    words = {"true": True, "false": False}
    seen = {
        label if isinstance(label, bool) else str(label).lower()
        for labels in columns
        for label in labels
    }
    if not seen - {True, False, "true", "false"} and seen & {"true", "false"}:
        return [
            [label if isinstance(label, bool) else words[label.lower()] for label in labels]
            for labels in columns
        ]
    return columns


def tell_scale(columns: Sequence[Raw], labels: Any, values: Any) -> Scale:
    """Tell the scale from the distinct labels of gold and all systems together."""
    if labels is not None:
        return Scale(labels, values)
    seen = [
        [label for label in map(plain, column.values) if label is not MISSING] for column in columns
    ]
    return Scale.infer(
        *(read_column(labels, "the labels") for labels in words_to_booleans(seen)), values=values
    )


def code_of(label: Any, scale: Scale) -> int:
    """Return the code of one raw label: its position, K where missing, K + 1 off the scale."""
    read = plain(label)
    if (
        isinstance(read, str)
        and scale.labels == (False, True)
        and isinstance(scale.labels[0], bool)
    ):
        read = {"true": True, "false": False}.get(read.lower(), read)
    return scale.k if read is MISSING else place(read, scale)


def resolve(
    patterns: Patterns,
    systems: Sequence[str],
    options: Options,
    examples: Examples,
    *,
    ignored: dict[str, int],
    notes: Sequence[str] = (),
) -> Found:
    """Place every label on the scale and apply the policies; what they refuse is an error that names items."""
    if all(plain(value) is MISSING for value in used(patterns.gold)):
        raise NoItemsError(
            "there are no items: every gold label is missing. Check the gold column."
        )
    scale = tell_scale([patterns.gold, *patterns.predicted], options.labels, options.values)
    judge = Judge(scale, options.policy, patterns.count, examples)
    gold = coded(patterns.gold, scale)
    there = judge.gold(patterns.gold, gold)
    predicted, touched = [], {"missing": 0, "unknown": 0}
    for at, raw in enumerate(patterns.predicted):
        codes = np.where(there, coded(raw, scale), 0)
        of = f"answers of {systems[at]!r}" if len(systems) > 1 else "predictions"
        judge.answers(raw, codes, at, of)
        touched["missing"] += judge.items(codes == scale.k)
        touched["unknown"] += judge.items(codes == scale.k + 1)
        predicted.append(np.minimum(codes, scale.k))
    lost = judge.items(~there)
    cases, case = case_codes(patterns.case, there)
    return Found(
        scale=scale,
        systems=tuple(systems),
        cases=cases,
        rows=np.stack([case, gold, *predicted])[:, there],
        count=(patterns.count if patterns.weight is None else patterns.weight)[there],
        policy=options.policy,
        ignored={**ignored, "gold_missing": lost} if lost else ignored,
        touched={what: times for what, times in touched.items() if times},
        there=there,
        notes=tuple(notes),
    )


@dataclass(frozen=True, slots=True)
class Judge:
    """The policies, applied to codes; what they refuse is an error that names the first few items."""

    scale: Scale
    policy: Policy
    count: npt.NDArray[Any]
    examples: Examples

    def items(self, which: npt.NDArray[np.bool_]) -> Any:
        """Return how many items some of the patterns stand for."""
        return self.count[which].sum().item()

    def gold(self, raw: Raw, codes: Codes) -> npt.NDArray[np.bool_]:
        """Refuse gold labels that are off the scale or missing; return which patterns have a gold label."""
        k, n = self.scale.k, self.count.sum().item()
        if (codes == k + 1).any():
            raise self.off_scale(
                raw, codes, GOLD, f"{n} gold labels", "Add the class to labels=[...]."
            )
        missing = codes == k
        if missing.any() and self.policy.gold_missing == "error":
            raise LabelError(
                f"{self.items(missing)} of {n} gold labels are missing"
                f"{named(self.examples(GOLD, having(raw, missing)))}. Pass gold_missing='drop' to leave these "
                f"items out."
            )
        return np.asarray(~missing)

    def answers(self, raw: Raw, codes: Codes, at: int, of: str) -> None:
        """Refuse answers that are off the scale or missing, where the policy says so."""
        k, n, policy = self.scale.k, self.count.sum().item(), self.policy
        if (codes == k + 1).any() and policy.unknown == "error":
            remedy = "Add the class to labels=[...], or pass unknown='missing'."
            raise self.off_scale(raw, codes, at, f"{n} {of}", remedy)
        if policy.missing != "error":
            return
        if (codes == k + 1).any():
            remedy = "Pass missing='zero', 'farthest' or 'drop' to say what such an item is worth."
            raise self.off_scale(raw, codes, at, f"{n} {of}", remedy)
        missing = codes == k
        if missing.any():
            raise LabelError(
                f"{self.items(missing)} of {n} {of} are missing"
                f"{named(self.examples(at, having(raw, missing)))}. Pass missing='zero', 'farthest' or 'drop' to say "
                f"what an item without an answer is worth."
            )

    def off_scale(self, raw: Raw, codes: Codes, side: int, of: str, remedy: str) -> LabelError:
        """Return the error for labels that are not on the scale."""
        unknown = codes == self.scale.k + 1
        off = having(raw, unknown)
        return LabelError(
            f"label {off[0]!r} is not on the scale [{quoted(self.scale.labels, 12)}] (lowest first); "
            f"{self.items(unknown)} of {of} lie outside it{named(self.examples(side, off))}. {remedy}"
        )


def used(raw: Raw) -> list[Any]:
    """Return the distinct values that occur."""
    return [raw.values[code] for code in np.unique(raw.codes).tolist()]


def coded(raw: Raw, scale: Scale) -> Codes:
    """Return the code of each pattern's label."""
    table = np.array([code_of(value, scale) for value in raw.values], dtype=np.intp)
    return np.asarray(table[raw.codes])


def case_codes(raw: Raw | None, there: npt.NDArray[np.bool_]) -> tuple[tuple[Any, ...], Codes]:
    """Return the test cases in natural order and each pattern's."""
    if raw is None:
        return (), np.zeros(len(there), dtype=np.intp)
    names = [str(canonical(value)) for value in raw.values]
    cases = tuple(sorted({names[code] for code in np.unique(raw.codes[there])}, key=natural_order))
    position = {name: at for at, name in enumerate(cases)}
    table = np.array([position.get(name, 0) for name in names], dtype=np.intp)
    return cases, np.asarray(table[raw.codes])


def having(raw: Raw, which: npt.NDArray[np.bool_]) -> list[Any]:
    """Return the raw labels of some of the patterns."""
    return [raw.values[at] for at in np.unique(raw.codes[which]).tolist()]


def named(items: Sequence[Any]) -> str:
    """Name the first few items, where they have names."""
    if not items:
        return ""
    word = "item" if len(items) == 1 else "items"
    return f", first at {word} {', '.join(map(repr, items[:SHOWN]))}"
