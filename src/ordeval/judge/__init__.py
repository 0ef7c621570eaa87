"""Validate models that mark items in place of humans, and correct scores for the errors of such a judge."""

__all__: list[str] = []
