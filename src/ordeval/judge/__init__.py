"""Validate models that mark items in place of humans, and correct scores for the errors of such a judge."""

from ordeval.judge.budget import BudgetPlan, plan
from ordeval.judge.correct import correct
from ordeval.judge.correction import Corrected, CorrectedBy, Correction

__all__ = ["BudgetPlan", "Corrected", "CorrectedBy", "Correction", "correct", "plan"]
