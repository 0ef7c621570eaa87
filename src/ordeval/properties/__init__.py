"""Formal properties, checked by machine on all small cases: it holds, or here is the smallest that breaks it."""

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
from ordeval.properties.search import Progress, check
from ordeval.properties.subject import as_labels
from ordeval.properties.verdict import Counterexample, Verdict, Verdicts

__all__ = [
    "PAPER",
    "Batch",
    "Case",
    "Counterexample",
    "Progress",
    "Property",
    "Relation",
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
