"""The classes that an estimator knows, and their places on the scale."""

from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.columns import as_array
from ordeval.errors import LabelError, quoted
from ordeval.scale import Scale


def places_on(scale: Scale, classes: Any) -> list[int]:
    """Return the place of each class on the scale; refuse a class that has none."""
    places = []
    # Python's own objects, which a message shows as 2 and not as np.int64(2)
    for label in as_array(classes).tolist():
        place = scale.position(label)
        if place is None:
            raise LabelError(
                f"the estimator knows the class {label!r}, which is not on the scale {list(scale.labels)} (lowest "
                f"first). Add the class to labels=[...]."
            )
        places.append(place)
    return places


def probabilities_on(fitted: Any, features: Any, scale: Scale) -> Array:
    """Return `predict_proba` with a column for each class of the scale, lowest first.

    An estimator has its classes in the order of the alphabet. One that it was not trained on has no probability.
    """
    given = as_array(fitted.predict_proba(features))
    placed = np.zeros((len(given), scale.k), dtype=given.dtype)
    placed[:, places_on(scale, fitted.classes_)] = given
    return placed


def narrowed(scale: Scale, classes: Any, codes: Array) -> Scale:
    """Return the scale of the classes that an estimator knows, which keep their values; refuse items of others."""
    places = sorted(places_on(scale, classes))
    unknown = sorted({*np.unique(codes).tolist()} - {*places})
    if unknown:
        raise LabelError(
            f"y has the class {quoted(scale.labels[at] for at in unknown)}, which the estimator was not trained on. "
            f"Pass an estimator that was trained on all classes of y, or leave these items out."
        )
    return Scale([scale.labels[at] for at in places], [scale.values[at] for at in places])
