"""For users of scikit-learn: scorers, and classifiers that answer as serves a measure of ordered classes."""

from ordeval.errors import MissingPackageError

try:
    import sklearn  # noqa: F401
except ModuleNotFoundError as error:
    raise MissingPackageError(
        "ordeval.adapters.sklearn needs the package scikit-learn, which is not installed. Run: pip install scikit-learn"
    ) from error

from ordeval.adapters.sklearn.cut_points import CutPoints
from ordeval.adapters.sklearn.ordinal_decision import OrdinalDecision
from ordeval.adapters.sklearn.scoring import ProbabilityScorer, scorer

__all__ = ["CutPoints", "OrdinalDecision", "ProbabilityScorer", "scorer"]
