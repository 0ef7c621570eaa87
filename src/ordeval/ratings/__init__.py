"""The marks of several raters: items x raters with gaps, held as distinct patterns with their counts."""

from ordeval.ratings.ratings import Ratings

__all__ = ["Ratings"]
