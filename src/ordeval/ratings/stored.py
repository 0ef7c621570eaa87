"""Ratings as plain Python objects and JSON, and back."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.errors import DataError, argument
from ordeval.inputs.patterns import ItemOfCase
from ordeval.inputs.policy import CHOICES, Policy
from ordeval.inputs.repeated_raters import RepeatedRater
from ordeval.scale import Scale
from ordeval.table.display import has, policy_dict

SCHEMA = 1
EXPECTED = "Expected what Ratings.to_json wrote"


def to_dict(ratings: Any) -> dict[str, Any]:
    """Return ratings as plain Python objects: each pattern lists its raters and their marks by their places."""
    scale, filled = ratings.scale, ratings.marks_of_pattern.tolist()
    return {
        "schema": SCHEMA,
        "kind": "ratings",
        "scale": {
            "labels": list(scale.labels),
            "values": list(scale.values),
            "names": list(scale.names),
            "inferred": scale.inferred,
        },
        "raters": list(map(str, ratings.raters)),
        **repeats_dict(ratings.raters),
        "patterns": [
            {"raters": raters[:size], "marks": marks[:size], "count": count}
            for raters, marks, size, count in zip(
                ratings.rater.tolist(), ratings.mark.tolist(), filled, ratings.count.tolist(), strict=True
            )
        ],
        "items": items_dict(ratings.item_names, ratings.pattern_of),
        "policy": policy_dict(ratings.policy),
        "ignored": dict(ratings.ignored),
        "touched": dict(ratings.touched),
        "notes": list(ratings.notes),
    }  # fmt: skip


def repeats_dict(raters: Sequence[str]) -> dict[str, Any]:
    """Return whose repeats some of the raters are; nothing if there are no repeats."""
    found = [
        {"rater": name.rater, "repeat": name.repeat} if isinstance(name, RepeatedRater) else None
        for name in raters
    ]
    return {"repeats": found} if any(found) else {}


def read_raters(raters: Sequence[str], repeats: Sequence[Any] | None) -> tuple[str, ...]:
    """Return the raters that `to_dict` wrote, those that are repeats as such."""
    if repeats is None:
        return tuple(raters)
    read = [
        name if one is None else RepeatedRater(one["rater"], one["repeat"])
        for name, one in zip(raters, repeats, strict=False)
    ]
    if len(repeats) != len(raters) or read != list(raters):
        raise DataError(f"the repeats of these ratings do not fit their raters. {EXPECTED}.")
    return tuple(read)


def items_dict(names: Sequence[Any] | None, pattern_of: Array | None) -> dict[str, Any] | None:
    """Return the names of the items and their patterns; None if they are not known one by one."""
    if names is None or pattern_of is None:
        return None
    named = None if isinstance(names, range) else [plain_name(name) for name in names]
    return {"names": named, "pattern_of": pattern_of.tolist()}


def plain_name(name: Any) -> Any:
    """Return the name of an item; one of a test case as an object of both."""
    if isinstance(name, ItemOfCase):
        return {"item": plain_name(name.item), "case": plain_name(name.case)}
    return name if isinstance(name, str | int | float) else str(name)


def read_name(name: Any) -> Any:
    """Return the name of an item that `plain_name` wrote."""
    return ItemOfCase(name["item"], name["case"]) if isinstance(name, dict) else name


def from_json(text: str | bytes) -> dict[str, Any]:
    """Read ratings that `to_json` wrote, as the arguments of `Ratings.from_marks`."""
    try:
        content = json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise DataError(f"this is not JSON ({error}). {EXPECTED}.") from None
    if not isinstance(content, dict) or content.get("kind") != "ratings":
        raise DataError(f'this JSON holds no ratings: it lacks "kind": "ratings". {EXPECTED}.')
    if content.get("schema") != SCHEMA:
        raise DataError(
            f"these ratings have schema {content.get('schema')!r}; this version reads schema {SCHEMA}."
        )
    for name, fits in SHAPES.items():
        if (name not in content and name != "repeats") or not fits(content.get(name)):
            raise DataError(
                f"the {name} of these ratings is {content.get(name)!r:.60}. {EXPECTED}."
            )
    about = content["scale"]
    scale = Scale(
        about["labels"], about["values"], names=about["names"], inferred=about["inferred"]
    )
    patterns = content["patterns"]
    raters = read_raters(content["raters"], content.get("repeats"))
    rater, mark = (joined(patterns, part) for part in ("raters", "marks"))
    sizes = [len(pattern["marks"]) for pattern in patterns]
    item = np.repeat(np.arange(len(patterns)), sizes)
    if (rater >= len(raters)).any() or (mark >= scale.k).any():
        raise DataError(
            f"a pattern of these ratings has a rater or a class that does not exist. {EXPECTED}."
        )
    if len(np.unique(item * len(raters) + rater)) < len(item):
        raise DataError(f"a pattern of these ratings has two marks of one rater. {EXPECTED}.")
    count = np.array([pattern["count"] for pattern in patterns], dtype=np.int64)
    names, pattern_of = read_items(content["items"], count)
    return {
        "scale": scale, "raters": raters, "item": item, "rater": rater, "mark": mark,
        "items": len(patterns), "item_names": names, "count": count, "pattern_of": pattern_of,
        "policy": Policy(**content["policy"]), "ignored": content["ignored"],
        "touched": content["touched"], "notes": tuple(content["notes"]),
    }  # fmt: skip


def texts_of(files: Any, labels: Any, values: Any) -> list[str] | None:
    """Return the JSON of files all of which hold ratings that `to_json` wrote; None if there is any other file."""
    from ordeval.inputs.files.locate import find_tables
    from ordeval.inputs.files.matrix import stored_json

    sources = find_tables(files, together=False)
    texts = [text for source in sources if (text := stored_json(source, "ratings")) is not None]
    if len(texts) < len(sources):
        return None
    if labels is not None or values is not None:
        raise DataError(
            f"{sources[0].spec!r} holds ratings that are on a scale already. Leave {argument('labels')} and "
            f"{argument('values')} out."
        )
    return texts


def joined(patterns: Sequence[Any], part: str) -> Array:
    """Return the raters or the marks of all patterns in one row."""
    return np.array([code for pattern in patterns for code in pattern[part]], dtype=np.int64)


def read_items(
    content: dict[str, Any] | None, count: Array
) -> tuple[Sequence[Any] | None, Array | None]:
    """Return the names of the items and their patterns, whose numbers must be the counts."""
    if content is None:
        return None, None
    pattern_of = np.array(content["pattern_of"], dtype=np.intp)
    names = content["names"]
    named: Sequence[Any] = range(len(pattern_of)) if names is None else tuple(map(read_name, names))
    in_range = len(pattern_of) == 0 or pattern_of.max() < len(count)
    if not in_range or len(named) != len(pattern_of):
        raise DataError(f"the items of these ratings do not fit their patterns. {EXPECTED}.")
    if not np.array_equal(np.bincount(pattern_of, minlength=len(count)), count):
        raise DataError(f"the items of these ratings do not add up to their counts. {EXPECTED}.")
    return named, pattern_of


def are_places(numbers: Any) -> bool:
    """Tell whether these are whole numbers from 0 that an array can hold."""
    return isinstance(numbers, list) and all(
        type(number) is int and 0 <= number < 2**53 for number in numbers
    )


def is_pattern(part: Any) -> bool:
    """Tell whether this is one pattern with its count."""
    return (
        has(part, raters=list, marks=list)
        and are_places(part["raters"])
        and are_places(part["marks"])
        and len(part["raters"]) == len(part["marks"])
        and are_places([part.get("count")])
    )


def is_name(name: Any) -> bool:
    """Tell whether this is the name of an item."""
    if isinstance(name, dict):
        return set(name) == {"item", "case"} and all(map(is_name, name.values()))
    return isinstance(name, str | int | float)


def are_counts(part: Any) -> bool:
    """Tell whether this is an object of numbers of marks."""
    return isinstance(part, dict) and are_places(list(part.values()))


def are_items(part: Any) -> bool:
    """Tell whether these are the names and the patterns of items, or nothing."""
    if part is None:
        return True
    if not has(part, pattern_of=list) or not are_places(part["pattern_of"]):
        return False
    names = part.get("names")
    return names is None or (isinstance(names, list) and all(map(is_name, names)))


def are_texts(part: Any) -> bool:
    """Tell whether this is a list of different texts."""
    return isinstance(part, list) and all(isinstance(text, str) for text in part)


def is_repeat(part: Any) -> bool:
    """Tell whether this is the repeat of a rater, or nothing."""
    return part is None or (has(part, rater=str) and type(part.get("repeat")) in (int, float, str))


SHAPES: dict[str, Callable[[Any], bool]] = {
    "scale": lambda part: has(part, labels=list, values=list, names=list, inferred=bool),
    "raters": lambda part: are_texts(part) and len(set(part)) == len(part),
    "repeats": lambda part: part is None or (isinstance(part, list) and all(map(is_repeat, part))),
    "patterns": lambda part: isinstance(part, list) and all(map(is_pattern, part)),
    "items": are_items,
    "policy": lambda part: isinstance(part, dict) and set(part) <= set(CHOICES),
    "ignored": are_counts,
    "touched": are_counts,
    "notes": are_texts,
}
