"""Every measure, as a pure function of the contingency table.

>>> oe.metrics.resolve(["mae", "qwk"])["mae"]
<measure mae>
"""

from ordeval.metrics import (  # noqa: F401, I001 - each file adds its family to the registry, in this order
    closeness,
    classification,
    error,
    correlation,
    agreement,
    clustering,
    path,
    probabilistic,
    soft,
    distribution,
)
from ordeval.metrics.metric import Metric
from ordeval.vocabulary import Family, ScaleType
from ordeval.metrics.own import measure
from ordeval.metrics.parameters import Parameter
from ordeval.metrics.registry import Registry, metric, registry, resolve

__all__ = [
    "Family",
    "Metric",
    "Parameter",
    "Registry",
    "ScaleType",
    "measure",
    "metric",
    "registry",
    "resolve",
]
