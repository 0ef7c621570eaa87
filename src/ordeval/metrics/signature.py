"""The signature of one measure: what every measure takes, with the settings that this one declares."""

import inspect
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ordeval.metrics.agreement_weights import KAPPA_WEIGHTS, KappaWeights, Weights

if TYPE_CHECKING:
    from ordeval.metrics.metric import Metric
    from ordeval.metrics.parameters import Parameter


def own_signature(measure: "Metric", method: str = "__call__") -> inspect.Signature:
    """Return the signature of a measure's method: `__call__`, `from_counts` or `with_parameters`.

    It is the method's own, with the settings of the measure in place of `**parameters`, and without what this measure
    refuses: `reference` unless it weighs classes by a distribution.
    """
    general = inspect.signature(getattr(type(measure), method))
    refused = {"self", "parameters"}
    if "reference" not in measure.needs:
        refused.add("reference")
    taken = [part for part in general.parameters.values() if part.name not in refused]
    data = [part for part in taken if part.kind is not part.KEYWORD_ONLY]
    options = [part for part in taken if part.kind is part.KEYWORD_ONLY]
    chosen = dict(measure.settings)
    settings = [
        inspect.Parameter(
            parameter.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=chosen[parameter.name],
            annotation=annotation_of(parameter),
        )
        for parameter in measure.parameters
    ]
    return general.replace(parameters=[*data, *settings, *options])


def annotation_of(parameter: "Parameter") -> Any:
    """Return the type of a setting: one of its words, a matrix, or a number."""
    if parameter.matrix and parameter.choices == KAPPA_WEIGHTS:
        return KappaWeights
    if parameter.matrix:
        return Weights if parameter.default is not None else Weights | None
    if parameter.choices:
        return Literal[parameter.choices]
    return int if isinstance(parameter.default, int) else float


class OwnSignature:
    """Give each measure its signature when it is asked for, and leave the class that of its constructor."""

    def __get__(self, measure: "Metric | None", owner: type) -> inspect.Signature:
        """Return the signature of a measure's call, as `help` shows it: 'anything' is not written out."""
        if measure is None:
            raise AttributeError("__signature__")
        signature = own_signature(measure)
        shown = [
            part.replace(annotation=part.empty) if part.annotation is Any else part
            for part in signature.parameters.values()
        ]
        return signature.replace(parameters=shown, return_annotation=float | np.ndarray)
