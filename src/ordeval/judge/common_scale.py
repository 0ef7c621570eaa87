"""One scale for the marks of humans and of judges."""

from dataclasses import replace
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.errors import ScaleError, argument, listed
from ordeval.formats.names import clean
from ordeval.formats.numbers import amount, counted
from ordeval.ratings import Ratings
from ordeval.scale import FEW, Scale, check_density


def classes_for_judges(humans: Ratings, judges: Ratings) -> Scale | None:
    """Return the classes to read the judges' marks with again, if they have made classes of their own; else None.

    A judge can use more whole numbers than the humans did, but it cannot make classes between them.
    """
    if not humans.scale.inferred or judges.scale.inferred:
        return None
    more = [label for label in judges.scale.labels if isinstance(label, int)]
    return Scale.infer([*humans.scale.labels, *more])


def common_scale(humans: Ratings, judges: Ratings) -> Scale:
    """Return the scale that holds the marks of both; refuse marks of judges that are not on a declared scale."""
    ours, theirs = humans.scale, judges.scale
    if ours == theirs or (ours.inferred and theirs.inferred):
        scale = ours.widened(theirs)
        if scale.inferred and scale.k > FEW:
            used = {*used_labels(humans), *used_labels(judges)}
            check_density(scale.labels[0], scale.labels[-1], sorted(used))
        return scale if scale.names != scale.labels or ours.labels != scale.labels else ours
    between = [label for label in used_labels(judges) if not whole(label)]
    if ours.inferred and between:
        raise ScaleError(
            f"a judge gave the mark {between[0]!r}, which is not on the humans' scale {listed(ours.labels)}. Read "
            f"the judge with {argument('labels', list(ours.labels))} and {argument('round', 'nearest')}."
        )
    wide, narrow, who = (theirs, humans, "a human") if ours.inferred else (ours, judges, "a judge")
    off = [label for label in used_labels(narrow) if wide.position(label) is None]
    if off or (not wide.inferred and not narrow.scale.inferred):
        if not off:
            return ours.widened(theirs)  # which says how they differ
        raise ScaleError(
            f"{who} gave the mark {off[0]!r}, which is not on the scale {listed(wide.labels)} of the others. Read "
            f"both with the same {argument('labels', ...)}."
        )
    return wide


def whole(label: Any) -> bool:
    """Tell whether a label is a whole number, or not a number at all."""
    return not isinstance(label, float) or label.is_integer()


def used_labels(ratings: Ratings) -> list[Any]:
    """Return the labels that somebody gave."""
    used = np.unique(ratings.mark[ratings.mark < ratings.scale.k]).tolist()
    return [ratings.scale.labels[code] for code in used]


def on_scale(ratings: Ratings, scale: Scale) -> Ratings:
    """Return the same marks on a scale that has all of their labels."""
    if ratings.scale.labels == scale.labels:
        return replace(ratings, scale=scale)
    place = [scale.position(label) for label in ratings.scale.labels]
    codes = np.array([*(scale.k if at is None else at for at in place), scale.k])
    return replace(ratings, scale=scale, mark=codes[ratings.mark])


def beyond_humans(scale: Scale, humans: Array, judge: Array, who: str) -> list[str]:
    """Warn of a judge that gives classes beyond all that humans gave, where nobody said which classes there are.

    `humans[class]` and `judge[class]` are numbers of marks.
    """
    used = np.flatnonzero(humans)
    beyond = float(judge[: used[0]].sum() + judge[used[-1] + 1 :].sum())
    if not scale.inferred or not beyond:
        return []
    low, high = (clean(scale.names[place]) for place in (used[0], used[-1]))
    use = f"{low} to {high}" if low != high else f"{low} alone"
    verb = "is" if beyond == 1 else "are"
    said = (
        f"{amount(beyond)} of {counted(float(judge.sum()), 'mark')} of {who} {verb} beyond those of all humans, who "
        f"use {use}: are both on the same scale? If not, bring the judge's marks onto that of the humans first; if so, "
        f"{argument('labels', ...)} says which classes there are."
    )
    return [said]
