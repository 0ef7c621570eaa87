"""Score the marks of several raters: by a coefficient of agreement as one sum, by any other measure pair by pair."""

from typing import Any

import numpy as np

from ordeval.errors import DataError, NoItemsError
from ordeval.formats.names import quoted_label
from ordeval.metrics.metric import Metric
from ordeval.metrics.rater_sums import RaterSums
from ordeval.ratings import Ratings


def score_ratings(measure: Metric, ratings: Ratings, reference: Any = None) -> float:
    """Return how well the raters agree; NaN where it is undefined, as where no item has two marks.

    A measure of two raters is averaged over all ordered pairs of raters, each weighted by the items that both marked.
    Pairs for which it is undefined are left out.
    """
    if len(ratings.raters) < 2:
        alone = f"{quoted_label(ratings.raters[0])} alone" if ratings.raters else "no rater"
        raise DataError(
            f"{measure} tells how well raters agree, and these ratings have {alone}. Give the marks of two raters or "
            f"more."
        )
    if not ratings.marks:
        raise NoItemsError(f"there are no marks to score: {measure} of empty ratings has no value.")
    if measure.rater_parts:
        if reference is not None:
            raise measure.no_reference()
        sums = RaterSums.of_ratings(ratings, measure.rater_parts)
        return float(measure.of_sums(sums, ratings.scale.numbers))
    _, _, counts = ratings.pair_tables
    both_ways = np.concatenate([counts, counts.swapaxes(-1, -2)])
    values = measure.compute(both_ways, ratings.scale.numbers, None, reference)
    items = both_ways.sum(axis=(-1, -2))
    defined = ~np.isnan(values)
    if not defined.any():
        return float("nan")
    return float(np.average(values[defined], weights=items[defined]))
