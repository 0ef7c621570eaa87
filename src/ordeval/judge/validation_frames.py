"""The parts of a validation as columns and rows, for data frames."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ordeval.judge.validation import Validation

Frame = tuple[Sequence[str], Iterable[Sequence[Any]]]


def rows_of(columns: Sequence[str], parts: Iterable[tuple[str, Any]]) -> Frame:
    """Return a row for each part of a judge: the name of the judge, and these attributes."""
    rows = ((judge, *(getattr(part, name) for name in columns)) for judge, part in parts)
    return ("judge", *columns), rows


def judge_frame(validation: "Validation") -> Frame:
    """Return a row for each judge and measure."""
    columns = ("judge", "verdict", "metric", "value", "human", "difference", "low", "high", "p")
    rows = (
        (
            name, one.verdict, each.metric, each.judge, each.human, each.difference, each.low, each.high, each.p,
        )
        for name, one in validation.items()
        for each in one.agreement.values()
    )  # fmt: skip
    return columns, rows


def human_frame(validation: "Validation") -> Frame:
    """Return a row for each judge and tested human."""
    columns = ("rater", "items", "advantage", "difference", "p", "p_adjusted", "beaten")
    return rows_of(
        columns, ((name, one) for name, each in validation.items() for one in each.alt_test.humans)
    )


def class_frame(validation: "Validation") -> Frame:
    """Return a row for each judge and class."""
    columns = (
        "label", "marks", "judge", "others", "difference", "low", "high", "judge_share", "human_share",
        "share_difference", "share_low", "share_high",
    )  # fmt: skip
    names, rows = rows_of(
        columns, ((name, one) for name, each in validation.items() for one in each.bias.by_class)
    )
    return tuple("mean" if at == 3 else name for at, name in enumerate(names)), rows


def slice_frame(validation: "Validation") -> Frame:
    """Return a row for each judge and slice."""
    columns = (
        "by", "value", "items", "judge", "human", "difference", "low", "high", "apart", "p", "p_adjusted",
    )  # fmt: skip
    names, rows = rows_of(
        columns, ((name, one) for name, each in validation.items() for one in each.slices)
    )
    return tuple("reaches" if at == 4 else name for at, name in enumerate(names)), rows


def item_frame(validation: "Validation") -> Frame:
    """Return a row for each judge and item that it and a human marked, the first to read first."""
    columns = ("item", "gap", "distance", "spread")
    return rows_of(
        columns, ((name, one) for name, each in validation.items() for one in each.disagreement)
    )


FRAMES: dict[str, Callable[["Validation"], Frame]] = {
    "judges": judge_frame,
    "humans": human_frame,
    "classes": class_frame,
    "slices": slice_frame,
    "items": item_frame,
}
