"""Synthetic collections: gold and systems with known mistakes, as tables, to plan a task or to test a measure."""

from ordeval.simulate.collection import Collection, collection, paper
from ordeval.simulate.mistakes import KINDS

__all__ = ["KINDS", "Collection", "collection", "paper"]
