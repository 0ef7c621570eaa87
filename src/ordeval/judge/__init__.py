"""Validate models that mark items in place of humans, and correct scores for the errors of such a judge."""

from ordeval.judge.correct_scores import correct_scores
from ordeval.judge.corrected_scores import CorrectedScore, CorrectedScores

__all__ = ["CorrectedScore", "CorrectedScores", "correct_scores"]
