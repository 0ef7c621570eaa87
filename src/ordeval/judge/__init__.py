"""Validate models that mark items in place of humans, and correct scores for the errors of such a judge."""

from ordeval.judge.alt_test import AltTest, HumanTest, alt_test

__all__ = [
    "AltTest",
    "HumanTest",
    "alt_test",
]
