"""From grouped raw labels to runs: the scale, the code of every label, and what the policies say of the rest.

An engine hands over one row for each distinct pattern (case, gold, answers), labels as they came; there are few of them,
so the labels are read with care here, once each, and never item by item.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ordeval.errors import DataError, LabelError, NoItemsError, quoted
from ordeval.labels.columns import MISSING, canonical, read_column
from ordeval.labels.encoding import place
from ordeval.labels.policies import Policy
from ordeval.scale import Scale

__all__ = ["Found", "Patterns", "Raw", "from_array", "from_list", "natural_order", "resolve"]

SHOWN = 5  # items that an error names
GOLD = -1  # the side of an example that is not a system's

Codes = npt.NDArray[np.intp]
Examples = Callable[
    [int, Sequence[Any]], list[Any]
]  # side and raw labels in, the first few items that have them out


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
    notes: tuple[str, ...] = field(default=())


def from_list(values: Iterable[Any]) -> Raw:
    """Read a column of Python objects; NaN of any kind is None."""
    places: dict[Any, int] = {}
    tidy = (None if value is None or value != value else value for value in values)  # noqa: PLR0124
    codes = [places.setdefault((type(value), value), len(places)) for value in tidy]
    return Raw([value for _, value in places], np.array(codes, dtype=np.intp))


def from_array(array: Any) -> Raw:
    """Read a NumPy array, masked where null."""
    masked = np.ma.getmaskarray(array)
    data = np.ma.getdata(array)
    if data.dtype.kind not in "iubf":
        return from_list(
            None if gone else value
            for value, gone in zip(data.tolist(), masked.tolist(), strict=True)
        )
    if data.dtype.kind == "f":
        masked = masked | np.isnan(data)
    there, codes = np.unique(data[~masked], return_inverse=True)
    every = np.full(data.shape, len(there), dtype=np.intp)
    every[~masked] = codes
    return Raw([*there.tolist(), None], every)


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
    """Return a label as people mean it: no spaces around a text, and nothing (or NaN, as programs write it) is missing."""
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
    policy: Policy,
    labels: Any,
    values: Any,
    examples: Examples,
    ignored: dict[str, int],
    notes: Sequence[str] = (),
) -> Found:
    """Place every label on the scale and apply the policies; what they refuse is an error that names items."""
    if not len(patterns.count):
        raise NoItemsError("there are no items: gold has no rows. Check the input.")
    gold_missing_only = all(plain(value) is MISSING for value in used(patterns.gold))
    if gold_missing_only:
        raise NoItemsError(
            "there are no items: every gold label is missing. Check the gold column."
        )
    scale = tell_scale([patterns.gold, *patterns.predicted], labels, values)
    k, count = scale.k, patterns.count
    gold = coded(patterns.gold, scale)
    there = check_gold(patterns.gold, gold, count, scale, policy, examples)
    predicted, touched = [], {"missing": 0, "unknown": 0}
    for at, raw in enumerate(patterns.predicted):
        codes = coded(raw, scale)
        check_answers(
            raw, codes, count, scale, policy, systems[at], at, examples, there, len(systems)
        )
        touched["missing"] += whole(count[there & (codes == k)].sum())
        touched["unknown"] += whole(count[there & (codes == k + 1)].sum())
        predicted.append(np.minimum(codes, k))
    lost = whole(count[~there].sum())
    if lost:
        ignored = {**ignored, "gold_missing": lost}
    cases, case = case_codes(patterns.case, there, len(count))
    rows = np.stack([case, gold, *predicted])[:, there]
    touched = {what: times for what, times in touched.items() if times}
    return Found(
        scale, tuple(systems), cases, rows, count[there], policy, ignored, touched, tuple(notes)
    )


def whole(total: Any) -> Any:
    """Return a total as a Python number."""
    return total.item()


def used(raw: Raw) -> list[Any]:
    """Return the distinct values that occur."""
    return [raw.values[code] for code in np.unique(raw.codes).tolist()]


def coded(raw: Raw, scale: Scale) -> Codes:
    """Return the code of each pattern's label."""
    table = np.array([code_of(value, scale) for value in raw.values], dtype=np.intp)
    return np.asarray(table[raw.codes])


def case_codes(
    raw: Raw | None, there: npt.NDArray[np.bool_], n: int
) -> tuple[tuple[Any, ...], Codes]:
    """Return the test cases in natural order and each pattern's."""
    if raw is None:
        return (), np.zeros(n, dtype=np.intp)
    names = [str(canonical(raw.values[code])) for code in np.unique(raw.codes[there]).tolist()]
    cases = tuple(sorted(set(names), key=natural_order))
    position = {name: at for at, name in enumerate(cases)}
    table = np.array(
        [position.get(str(canonical(value)), 0) for value in raw.values], dtype=np.intp
    )
    return cases, np.asarray(table[raw.codes])


def having(raw: Raw, codes: Codes, code: int) -> list[Any]:
    """Return the raw labels that have a code."""
    return [raw.values[at] for at in np.unique(raw.codes[codes == code]).tolist()]


def check_gold(
    raw: Raw,
    codes: Codes,
    count: npt.NDArray[Any],
    scale: Scale,
    policy: Policy,
    examples: Examples,
) -> npt.NDArray[np.bool_]:
    """Refuse gold labels that are off the scale or missing; return which patterns have a gold label."""
    k, n = scale.k, whole(count.sum())
    unknown, missing = codes == k + 1, codes == k
    if unknown.any():
        off = having(raw, codes, k + 1)
        raise LabelError(
            f"label {off[0]!r} is not on the scale {list(scale.labels)} (lowest first); {whole(count[unknown].sum())} of {n} "
            f"gold labels lie outside it, first at {named(examples(GOLD, off))}. Add the class to labels=[...]."
        )
    if missing.any() and policy.gold_missing == "error":
        raise LabelError(
            f"{whole(count[missing].sum())} of {n} gold labels are missing, first at "
            f"{named(examples(GOLD, having(raw, codes, k)))}. Pass gold_missing='drop' to leave these items out."
        )
    return ~missing


def check_answers(
    raw: Raw,
    codes: Codes,
    count: npt.NDArray[Any],
    scale: Scale,
    policy: Policy,
    system: str,
    at: int,
    examples: Examples,
    there: npt.NDArray[np.bool_],
    systems: int,
) -> None:
    """Refuse answers that are off the scale or missing, where the policy says so."""
    k, n = scale.k, whole(count[there].sum())
    unknown, missing = there & (codes == k + 1), there & (codes == k)
    of = f"the answers of {system!r}" if systems > 1 else "predictions"
    if unknown.any() and (policy.unknown == "error" or policy.missing == "error"):
        off = having(raw, np.where(there, codes, -1), k + 1)
        remedy = (
            "Add the class to labels=[...], or pass unknown='missing'."
            if policy.unknown == "error"
            else "Pass missing='zero', 'farthest' or 'drop' to say what such an item is worth."
        )
        raise LabelError(
            f"label {off[0]!r} is not on the scale {list(scale.labels)} (lowest first); {whole(count[unknown].sum())} of {n} "
            f"{of} lie outside it, first at {named(examples(at, off))}. {remedy}"
        )
    if missing.any() and policy.missing == "error":
        raise LabelError(
            f"{whole(count[missing].sum())} of {n} {of} are missing, first at "
            f"{named(examples(at, having(raw, np.where(there, codes, -1), k)))}. Pass missing='zero', 'farthest' or 'drop' to "
            f"say what an item without an answer is worth."
        )


def named(items: Sequence[Any]) -> str:
    """List the first few items."""
    if not items:
        return "an item without an id"
    return f"{'item' if len(items) == 1 else 'items'} {', '.join(map(repr, items[:SHOWN]))}"


def no_overlap(system: str, theirs: Sequence[Any], ours: Sequence[Any]) -> DataError:
    """Return the error for a system none of whose answers is about an item of gold."""
    return DataError(
        f"no answer of {system!r} is about an item of gold: its items are named like {quoted(theirs, 2)} and gold's like "
        f"{quoted(ours, 2)}. Check the columns of items and test cases."
    )
