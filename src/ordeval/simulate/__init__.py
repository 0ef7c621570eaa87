"""Synthetic collections: gold and systems with known mistakes, as tables, to plan a task or to test a measure.

>>> made = oe.simulate.collection(labels=3, cases=6, items=40, ratios=[0.2, 0.6])
>>> oe.compare(made.runs, metrics=["mae"], level=None).systems[0]
'oDisp 0.2'
"""

from ordeval.simulate.collection import Collection, collection, paper
from ordeval.simulate.mistakes import KINDS

__all__ = ["KINDS", "Collection", "collection", "paper"]
