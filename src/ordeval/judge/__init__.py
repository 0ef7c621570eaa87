"""Validate models that mark items in place of humans, and correct scores for the errors of such a judge.

>>> humans = oe.Ratings.from_array([[1, 2, 1], [3, 3, 3], [4, 5, 5]] * 20)
>>> judge = oe.Ratings.from_array([[1], [3], [5]] * 20, raters=["gpt"])
>>> oe.judge.validate(humans, judge)["gpt"].verdict
'fit'
"""

from ordeval.judge.alt_test import AltTest, HumanTest, alt_test
from ordeval.judge.budget import BudgetPlan, plan
from ordeval.judge.correct import correct
from ordeval.judge.correct_scores import correct_scores
from ordeval.judge.corrected_scores import CorrectedScore, CorrectedScores
from ordeval.judge.correction import Corrected, CorrectedBy, Correction
from ordeval.judge.validate import validate
from ordeval.judge.validation import JudgeVerdict, Validation

__all__ = [
    "AltTest",
    "BudgetPlan",
    "Corrected",
    "CorrectedBy",
    "CorrectedScore",
    "CorrectedScores",
    "Correction",
    "HumanTest",
    "JudgeVerdict",
    "Validation",
    "alt_test",
    "correct",
    "correct_scores",
    "plan",
    "validate",
]
