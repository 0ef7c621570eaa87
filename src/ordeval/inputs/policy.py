"""What to do with an item that has no answer, an answer off the scale, no gold label, or more than one answer."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias, get_args

from ordeval.errors import ParameterError, suggestion

# What each policy may be. These names annotate the arguments, so that a type checker refuses any other word.
Missing: TypeAlias = Literal["error", "zero", "farthest", "drop"]
Unknown: TypeAlias = Literal["error", "missing"]
GoldMissing: TypeAlias = Literal["error", "drop"]
Duplicates: TypeAlias = Literal["error", "first"]

CHOICES: dict[str, tuple[str, ...]] = {
    "missing": get_args(Missing),
    "unknown": get_args(Unknown),
    "gold_missing": get_args(GoldMissing),
    "duplicates": get_args(Duplicates),
}


@dataclass(frozen=True, slots=True)
class Policy:
    """The policies that a result was computed under.

    `missing`: no prediction for a gold item. `unknown`: a prediction outside the scale. `gold_missing`: an item
    without a gold label. `duplicates`: a second answer of one system to one item (files and frames alone can have it).
    """

    missing: str = "error"
    unknown: str = "error"
    gold_missing: str = "error"
    duplicates: str = "error"

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            choice = getattr(self, name)
            if not isinstance(choice, str) or choice not in choices:
                near = suggestion(str(choice), choices)
                raise ParameterError(
                    f"{name}={choice!r} is not a policy; it is one of {', '.join(choices)}.{near}"
                )


def policy(*choices: str) -> Policy:
    """Return the policy of these choices, in the order of the fields."""
    try:
        return known(*choices)
    except TypeError:  # something unhashable is no choice either, and must say so in our words
        return Policy(*choices)


known = lru_cache(maxsize=64)(Policy)  # the same few over and over: checked once
