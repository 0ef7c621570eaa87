"""Measures of one's own: a function of counts[..., gold, predicted], used like those of the registry."""

import inspect
import math
from collections.abc import Callable
from typing import Any

from ordeval.arguments import is_true
from ordeval.errors import ParameterError
from ordeval.metrics.metric import Family, Metric, ScaleType
from ordeval.metrics.registry import registry


def measure_of(given: Any, *, greater_is_better: bool | None = None) -> Metric:
    """Return a measure of the registry by its name, or make one of a function of counts[..., gold, predicted].

    A function may also take `values`, the numbers of the classes. `greater_is_better` is asked of functions alone.
    """
    up = greater_is_better is None or is_true(greater_is_better, "greater_is_better")
    if isinstance(given, Metric) or not callable(given):
        return registry[given]
    return own_measure(given, greater_is_better=up)


def own_measure(kernel: Callable[..., Any], *, greater_is_better: bool) -> Metric:
    """Make a measure of a function of counts[..., gold, predicted]; it is not entered into the registry."""
    name = str(getattr(kernel, "__name__", None) or type(kernel).__name__)
    try:
        names = set(inspect.signature(kernel).parameters)
    except (TypeError, ValueError):
        names = set()
    if name in registry:
        raise ParameterError(
            f"there is a measure {name!r} already. Give the function another name."
        )
    return Metric(
        name=name,
        settings=(),
        kernel=kernel,
        family=Family.CLASSIFICATION if greater_is_better else Family.ERROR,
        scale_type=ScaleType.ORDINAL,
        greater_is_better=greater_is_better,
        bounds=(-math.inf, math.inf),
        perfect=None,
        formula="",
        undefined_when="the function gives NaN",
        references=(),
        parameters=(),
        claims={},
        needs=frozenset(names & {"values", "unanswered", "reference"}),
    )
