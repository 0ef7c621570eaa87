"""Charts of results, for notebooks and papers: Altair charts, to be shown, changed or saved (`.save("x.pdf")`).

They are the charts of the report, from the same specifications. All take `title` (a text of one's own, or "" for none),
`width` and `height` (pixels of the plot, without its labels). None of them needs a network. `.save("x.png", ppi=200)`
saves more pixels.

>>> gold = [1, 2, 3] * 10
>>> c = oe.compare(gold, {"a": gold, "b": [1, 1, 3] * 10}, metrics=["mae"])
>>> oe.plot.forest(c, title="Two systems").save("forest.svg")
"""

from types import ModuleType
from typing import Final

from ordeval.report.plot import of_comparisons, of_errors, of_measures, of_people, of_probabilities
from ordeval.report.plot.of_comparisons import (
    cases,
    critical_difference,
    differences,
    forest,
    history,
    pairs,
    power,
    ranks,
    systems,
)
from ordeval.report.plot.of_errors import (
    confusion_difference,
    contingency,
    costs,
    error_profile,
    gold,
    proximity,
    recall,
)
from ordeval.report.plot.of_measures import agreement, meta, properties
from ordeval.report.plot.of_people import (
    alt_test,
    bias,
    confusion,
    disagreement,
    judges,
    rater_differences,
    raters,
)
from ordeval.report.plot.of_probabilities import calibration, decision_map, gains

__all__ = [
    "agreement",
    "alt_test",
    "bias",
    "calibration",
    "cases",
    "confusion",
    "confusion_difference",
    "contingency",
    "costs",
    "critical_difference",
    "decision_map",
    "differences",
    "disagreement",
    "error_profile",
    "forest",
    "gains",
    "gold",
    "history",
    "judges",
    "meta",
    "pairs",
    "power",
    "properties",
    "proximity",
    "ranks",
    "rater_differences",
    "raters",
    "recall",
    "systems",
]

# The gallery shows the charts by topic, in the order in which each topic defines them.
TOPICS: Final[tuple[ModuleType, ...]] = (
    of_comparisons,
    of_errors,
    of_probabilities,
    of_people,
    of_measures,
)
