"""Measures of one's own: declared once, and then used like those of the registry, under their names."""

import math
import sys
from collections.abc import Callable
from functools import reduce
from types import FunctionType
from typing import Any, Required, TypeAlias, TypedDict, Unpack, overload

from ordeval.arguments import is_number, is_true
from ordeval.errors import ParameterError
from ordeval.metrics.metric import Metric
from ordeval.metrics.registry import registry
from ordeval.metrics.table_function import (
    UNBOUNDED,
    CountsFunction,
    LabelsFunction,
    TableFunction,
    name_of,
)
from ordeval.vocabulary import Family, ScaleType

__all__ = ["Declare", "measure", "measure_of", "own_measure"]

Decorator: TypeAlias = Callable[[Callable[..., Any]], Metric]


class Declaration(TypedDict, total=False):
    """What is said of a measure, for type checkers."""

    greater_is_better: Required[bool]
    bounds: tuple[float, float]
    name: str | None
    perfect: float | None
    by_class: bool
    undefined_when: str


class Declare:
    """Make a measure of a function; `oe.measure` is the one of these.

    `oe.measure` takes functions of counts, `oe.measure.from_labels` functions of gold and predicted labels.
    """

    def __init__(self) -> None:
        self.__doc__ = type(self).__call__.__doc__

    @overload
    def __call__(self, function: None = None, **said: Unpack[Declaration]) -> Decorator: ...
    @overload
    def __call__(self, function: Callable[..., Any], **said: Unpack[Declaration]) -> Metric: ...
    def __call__(
        self,
        function: Callable[..., Any] | None = None,
        *,
        greater_is_better: bool | None = None,
        bounds: tuple[float, float] = UNBOUNDED,
        name: str | None = None,
        perfect: float | None = None,
        by_class: bool = False,
        undefined_when: str = "the function returns NaN",
    ) -> Any:
        """Make a measure of a function of counts[..., gold, predicted]; as a decorator or called on the function.

        The function gets an array of counts with gold classes in rows and predicted classes in columns, and returns a
        number for each table. It may take leading axes (many tables at once), or a single table. If it has an argument
        `values`, it gets the numbers of the classes; if it has `unanswered`, the unanswered items of each gold class
        under `missing="zero"`. Without `unanswered`, such items count as answered with the class farthest from gold.

        The arguments are:

        - `function`: the function; none if `oe.measure(...)` is a decorator.
        - `greater_is_better`: the direction; required.
        - `bounds`: the lowest and the highest value there can be.
        - `name`: the name by which the measure is known wherever measures are named; by default the function's.
        - `perfect`: the value of a perfect output, if it is always the same.
        - `by_class`: whether every gold class counts the same, so that results warn of classes with few items.
        - `undefined_when`: when there is no value, in words.

        >>> import numpy as np
        >>> @oe.measure(greater_is_better=True, bounds=(0, 1))
        ... def share_not_lower(counts):
        ...     "Share of answers that are not below gold."
        ...     return np.triu(counts).sum(axis=(-1, -2)) / counts.sum(axis=(-1, -2))
        >>> share_not_lower([1, 2, 3, 3], [1, 3, 3, 1])
        0.75
        """
        declared = declaration(
            greater_is_better, bounds, perfect, by_class=by_class, undefined_when=undefined_when
        )
        return declaring(CountsFunction, function, name, declared)

    @overload
    def from_labels(self, function: None = None, **said: Unpack[Declaration]) -> Decorator: ...
    @overload
    def from_labels(self, function: Callable[..., Any], **said: Unpack[Declaration]) -> Metric: ...
    def from_labels(
        self,
        function: Callable[..., Any] | None = None,
        *,
        greater_is_better: bool | None = None,
        bounds: tuple[float, float] = UNBOUNDED,
        name: str | None = None,
        perfect: float | None = None,
        by_class: bool = False,
        undefined_when: str = "the function raises an error or returns NaN",
    ) -> Any:
        """Make a measure of a function f(y_true, y_pred), such as one of scikit-learn's.

        The function gets the values of the classes: the labels themselves if they are numbers, else 0 to K - 1. It is
        called on the cells of the table, with their counts as `sample_weight` if it takes weights, so its value must
        not depend on the order of the items. The other arguments are those of `oe.measure`.

        >>> from sklearn.metrics import matthews_corrcoef
        >>> mcc = oe.measure.from_labels(
        ...     matthews_corrcoef, greater_is_better=True, bounds=(-1, 1)
        ... )
        >>> round(mcc([1, 2, 3, 3], [1, 3, 3, 1]), 3)
        0.224
        """
        declared = declaration(
            greater_is_better, bounds, perfect, by_class=by_class, undefined_when=undefined_when
        )
        return declaring(LabelsFunction, function, name, declared)


measure = Declare()


def declaration(
    greater_is_better: Any, bounds: Any, perfect: Any, *, by_class: Any, undefined_when: Any
) -> dict[str, Any]:
    """Check what is said of a measure."""
    if greater_is_better is None:
        raise ParameterError(
            "the direction of the measure is not declared. Write @oe.measure(greater_is_better=True), or False for an "
            "error; oe.measure.from_labels takes the same argument."
        )
    try:
        low, high = map(float, bounds)
    except (TypeError, ValueError):
        low = high = math.nan
    if not low < high:
        raise ParameterError(
            f"bounds={bounds!r:.60} are not the lowest and the highest value; pass two numbers, as in bounds=(0, 1), "
            f"or -math.inf and math.inf where there is no bound."
        )
    if perfect is not None and not (is_number(perfect) and low <= perfect <= high):
        raise ParameterError(
            f"perfect={perfect!r:.60} is not the value of a perfect output; it is a number within the bounds."
        )
    return {
        "greater_is_better": is_true(greater_is_better, "greater_is_better"),
        "bounds": (low, high),
        "perfect": None if perfect is None else float(perfect),
        "by_class": is_true(by_class, "by_class"),
        "undefined_when": str(undefined_when),
    }


def declaring(
    kind: type[TableFunction], function: Any, name: str | None, declared: dict[str, Any]
) -> Metric | Decorator:
    """Return the measure of a function, entered into the registry; without a function, what makes it of one."""

    def declare(function: Callable[..., Any]) -> Metric:
        known: Any = name_of(function) if name is None else name
        measure = made(kind, function, known, declared)
        if not isinstance(known, str) or not known.isidentifier():
            raise ParameterError(
                f"a measure cannot be called {known!r:.60}; pass name='...', of letters, digits and underscores."
            )
        return registry.add(measure)

    return declare if function is None else declare(function)


def made(kind: type[TableFunction], function: Any, name: str, declared: dict[str, Any]) -> Metric:
    """Make a measure of a function."""
    if isinstance(function, Metric):
        raise ParameterError(f"{function.name} is a measure already; use it as it is.")
    if not callable(function):
        raise ParameterError(
            f"{function!r:.60} is not a function; a measure is one of counts, or of gold and predicted labels."
        )
    kernel = kind(found_by_pickle(function), name, declared["bounds"])
    kernel.original = function
    needs = kernel.takes & {"values", "unanswered"} if kind is CountsFunction else {"values"}
    return Metric(
        name=name,
        settings=(),
        kernel=kernel,
        family=Family.OWN,
        scale_type=ScaleType.ORDINAL,
        formula="",
        references=(),
        parameters=(),
        claims={},
        needs=frozenset(needs),
        unit=None,
        **declared,
    )


def measure_of(given: Any, *, greater_is_better: bool | None = None) -> Metric:
    """Return a measure of the registry by its name, or make one of a function of counts[..., gold, predicted].

    A function may also take `values`, the numbers of the classes. `greater_is_better` is asked of functions alone.
    """
    up = greater_is_better is None or is_true(greater_is_better, "greater_is_better")
    if isinstance(given, Metric) or not callable(given):
        return registry[given]
    return own_measure(given, greater_is_better=up)


def own_measure(function: Callable[..., Any], *, greater_is_better: bool) -> Metric:
    """Make a measure of a function of counts; it is not entered into the registry."""
    name = name_of(function)
    if name in registry and registry[name].family is not Family.OWN:
        raise ParameterError(
            f"there is a measure {name!r} already. Give the function another name."
        )
    declared = declaration(
        greater_is_better, UNBOUNDED, None, by_class=False, undefined_when="the function gives NaN"
    )
    return made(CountsFunction, function, name, declared)


def found_by_pickle(function: Any) -> Any:
    """Return a function that pickle finds by its name where a decorator has put a measure in its place.

    It is then an attribute of that measure, and a copy says so: the function itself may be in use elsewhere.
    """
    if not isinstance(function, FunctionType):
        return function
    copy = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )  # fmt: skip
    copy.__kwdefaults__, copy.__doc__ = function.__kwdefaults__, function.__doc__
    copy.__annotations__, copy.__module__ = function.__annotations__, function.__module__
    copy.__dict__.update(vars(function))
    copy.__qualname__ = f"{function.__qualname__}.__wrapped__"
    return copy


def packed(own: Metric) -> tuple[Any, ...]:
    """Return what pickle makes a measure of one's own of: its function, by name or by value, and its declaration."""
    kernel: Any = own.kernel
    original, function = kernel.original, kernel.function
    module = sys.modules.get(getattr(original, "__module__", None) or "")
    path = str(getattr(original, "__qualname__", "")).split(".")
    if reduce(lambda at, name: getattr(at, name, None), path, module) is original:
        function = original
    parts = ("greater_is_better", "bounds", "perfect", "by_class", "undefined_when")
    return unpacked, (
        type(kernel),
        function,
        own.name,
        {part: getattr(own, part) for part in parts},
    )


def unpacked(
    kind: type[TableFunction], function: Any, name: str, declared: dict[str, Any]
) -> Metric:
    """Return a measure of one's own where it is unpacked, and enter it into the registry there."""
    known = registry.get(name)
    if known is not None and function in (
        getattr(known.kernel, "function", None),
        getattr(known.kernel, "original", None),
    ):
        return known
    return registry.add(made(kind, function, name, declared))
