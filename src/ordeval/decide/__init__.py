"""Turn probabilities or scores into answers that serve a measure, or into sets that hold the gold class.

>>> rows = [[0.4, 0.2, 0.4], [0.2, 0.7, 0.1], [0.1, 0.3, 0.6]]
>>> oe.decide.fit(rows, metric="mae", labels=[1, 2, 3]).predict(rows).tolist()
[2, 2, 3]
"""

from ordeval.decide.cut import cut
from ordeval.decide.cut_points import Cuts
from ordeval.decide.decision import Decision
from ordeval.decide.fit import fit
from ordeval.decide.held_out import Gain, HeldOut
from ordeval.decide.prediction_sets import ClassCoverage, PredictionSets
from ordeval.decide.sets import sets

__all__ = [
    "ClassCoverage",
    "Cuts",
    "Decision",
    "Gain",
    "HeldOut",
    "PredictionSets",
    "cut",
    "fit",
    "sets",
]
