"""What to do with an item that has no gold label, no answer, two answers, or an answer that is not a class.

The keywords of these choices, and of the scale, are spelled here alone; everything that reads labels takes them.
"""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeAlias, TypedDict, TypeVar, get_args

from ordeval.errors import ParameterError, argument, suggestion

# What each policy may be. These names annotate the arguments, so that a type checker refuses any other word.
Missing: TypeAlias = Literal["error", "zero", "farthest", "drop"]
Unknown: TypeAlias = Literal["error", "missing"]
GoldMissing: TypeAlias = Literal["error", "drop"]
Round: TypeAlias = Literal["error", "nearest"]
Duplicates: TypeAlias = Literal["error", "first"]

CHOICES: dict[str, tuple[str, ...]] = {
    "missing": get_args(Missing),
    "unknown": get_args(Unknown),
    "gold_missing": get_args(GoldMissing),
    "duplicates": get_args(Duplicates),
    "round": get_args(Round),
}

Function = TypeVar("Function", bound=Callable[..., Any])
ARGUMENTS = "The arguments are:"  # what the list of arguments in a docstring begins with


class Reading(TypedDict, total=False):
    """How labels are read: the classes, lowest first, their values, and the policies.

    The arguments are:

    - `labels`: the classes, lowest first; needed if the type of the labels does not show their order.
    - `values`: a number for each class; by default the labels if these are increasing numbers, else 0, 1, 2 and so
      on.
    - `missing`: what to do with an item that has no answer: refuse it ("error"), count it as an answer that earns
      nothing ("zero") or as the farthest class from gold ("farthest"), or leave it out ("drop").
    - `unknown`: what to do with an answer that is not on the scale: refuse it, or take it for a missing one
      ("missing").
    - `gold_missing`: what to do with an item without a gold label: refuse it, or leave it out ("drop").
    - `round`: what to do with an answer that is a number between two classes: refuse it, or take the "nearest"
      class.
    """

    labels: Iterable[Any] | None
    values: Iterable[float] | None
    missing: Missing
    unknown: Unknown
    gold_missing: GoldMissing
    round: Round


class ReadingRows(Reading, total=False):
    """How rows of files and frames are read: there an item may have more than one row.

    The arguments are:

    - `duplicates`: what to do with a second row for the same item: refuse it, or keep the "first".
    """

    duplicates: Duplicates


class ReadingMarks(TypedDict, total=False):
    """How the marks of raters are read: they are gold and answers at once, and a rater may leave an item out.

    The arguments are:

    - `labels`: the classes, lowest first; needed if the type of the marks does not show their order.
    - `values`: a number for each class; by default the labels if these are increasing numbers, else 0, 1, 2 and so
      on.
    - `unknown`: what to do with a mark that is not on the scale: refuse it, or take it for a missing one
      ("missing").
    - `round`: what to do with a mark that is a number between two classes: refuse it, or take the "nearest" class.
    """

    labels: Iterable[Any] | None
    values: Iterable[float] | None
    unknown: Unknown
    round: Round


class ReadingMarkRows(ReadingMarks, total=False):
    """How the marks of raters are read from files and frames, where a rater may have several rows for an item.

    The arguments are:

    - `duplicates`: what to do with a second row of a rater for the same item: refuse it, or keep the "first".
    """

    duplicates: Duplicates


WIDENED: dict[Any, Any] = {
    ReadingRows: Reading,
    ReadingMarkRows: ReadingMarks,
}  # the keywords they add to


@dataclass(frozen=True, slots=True)
class Policy:
    """The policies that a result was computed under.

    `missing`: no prediction for a gold item. `unknown`: a prediction outside the scale. `gold_missing`: an item
    without a gold label. `duplicates`: a second answer of one system to one item (only files and frames can have it).
    `round`: a prediction that is a number but no class, which may be rounded to the nearest class.
    """

    missing: str = "error"
    unknown: str = "error"
    gold_missing: str = "error"
    duplicates: str = "error"
    round: str = "error"

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            choice = getattr(self, name)
            if not isinstance(choice, str) or choice not in choices:
                near = suggestion(str(choice), choices)
                raise ParameterError(
                    f"{argument(name, choice)} is not a policy; it is one of {', '.join(choices)}.{near}"
                )


kept_policy = lru_cache(maxsize=64)(Policy)  # the same few are asked for again and again


def read_options(options: Any, keywords: Any = ReadingRows) -> tuple[Any, Any, Policy]:
    """Take the keywords of `Reading` apart: the labels, the values and the policy."""
    known = tuple(keywords.__annotations__)
    for name in options:
        if name not in known:
            near = suggestion(name, known)
            raise TypeError(f"there is no argument {name!r}; there are {', '.join(known)}.{near}")
    choices = [options.get(name, "error") for name in CHOICES]
    try:
        policy = kept_policy(*choices)
    except TypeError:  # an unhashable choice: refused in our own words
        policy = Policy(*choices)
    return options.get("labels"), options.get("values"), policy


def shows_keywords(keywords: Any) -> Callable[[Function], Function]:
    """Let `help` and editors show the keywords that a function takes as `**options: Unpack[...]`.

    They join its signature and, if its docstring lists the meaning of its arguments, this list.
    """

    def decorate(function: Function) -> Function:
        signature = inspect.signature(function)
        given = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        data = [p for p in given if p.kind is not p.KEYWORD_ONLY]
        named = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                annotation=kind,
                default="error" if name in CHOICES else None,
            )
            for name, kind in keywords.__annotations__.items()
        ]
        function.__signature__ = signature.replace(parameters=[*data, *named, *given[len(data) :]])  # type: ignore[attr-defined]
        function.__doc__ = with_meanings(function.__doc__, keywords)
        return function

    return decorate


def with_meanings(doc: str | None, keywords: Any) -> str | None:
    """Return a docstring whose list of arguments ends with that of the keywords; one without a list as it is."""
    before, listed, after = (doc or "").partition(f"{ARGUMENTS}\n\n")
    if not listed:
        return doc
    own, rest = after.split("\n\n", 1)
    indent = " " * (len(own) - len(own.lstrip()))
    kinds = [WIDENED[keywords], keywords] if keywords in WIDENED else [keywords]
    lists = [(inspect.getdoc(kind) or "").partition(f"{ARGUMENTS}\n\n")[2] for kind in kinds]
    lines = [f"{indent}{line}" for text in lists for line in text.splitlines()]
    return "\n".join([f"{before}{listed}{own}", *lines]) + f"\n\n{rest}"
