"""Formal properties of measures, checked on all small cases: each holds on all of them, or has a counterexample.

>>> oe.properties.check("mae", items=4)["ordinal_monotonicity"].verdict
'holds'
"""

from ordeval.metrics.table_function import as_labels
from ordeval.properties import further  # noqa: F401 - enters its properties into the catalogue
from ordeval.properties.catalogue import (
    Batch,
    Case,
    Property,
    Relation,
    Size,
    catalogue,
    find_properties,
)
from ordeval.properties.paper_three import PAPER, moved_pairs, outputs
from ordeval.properties.search import SearchProgress, check
from ordeval.properties.verdict import Counterexample, Verdict, Verdicts

__all__ = [
    "PAPER",
    "Batch",
    "Case",
    "Counterexample",
    "Property",
    "Relation",
    "SearchProgress",
    "Size",
    "Verdict",
    "Verdicts",
    "as_labels",
    "catalogue",
    "check",
    "find_properties",
    "moved_pairs",
    "outputs",
]
