"""Turn probabilities or scores into answers that serve a measure, or into sets that hold the gold class."""

from ordeval.decide.decision import Decision
from ordeval.decide.fit import fit
from ordeval.decide.held_out import Gain, HeldOut

__all__ = ["Decision", "Gain", "HeldOut", "fit"]
