"""Functions of one's own as kernels: of counts, or of gold and predicted labels."""

import inspect
import math
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Self

import numpy as np

from ordeval.docstrings import docstring
from ordeval.errors import MeasureError
from ordeval.metrics.core import Counts, Values

__all__ = ["CountsFunction", "LabelsFunction", "as_labels", "name_of"]

MEMORY = 1 << 17  # values that are kept, for many tables come up more than once
MOST_TRIED = 20_000  # items on which it is tried what weights mean
ROUNDING = 1e-9  # up to which two ways to the same value may differ
UNBOUNDED = (-math.inf, math.inf)
WHOLE = 2.0**53  # up to which every whole number is a float


def name_of(function: Callable[..., Any]) -> str:
    """Return the name of a function, also of one whose arguments are partly set."""
    inner = function.func if isinstance(function, partial) else function
    return str(getattr(inner, "__name__", None) or type(inner).__name__)


def parameters_of(function: Callable[..., Any]) -> set[str]:
    """Return the names of what a function takes; none if it does not tell."""
    try:
        return set(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return set()


class TableFunction(ABC):
    """A function as a kernel, with its name, its docstring and the bounds that are declared."""

    def __init__(
        self, function: Callable[..., Any], name: str, bounds: tuple[float, float] = UNBOUNDED
    ) -> None:
        self.function = self.original = function
        self.bounds = bounds
        self.__name__ = name
        self.__doc__ = self.described(docstring(function)) or f"{name}, a measure of one's own."
        self.__module__ = getattr(function, "__module__", None) or type(function).__module__
        self.__wrapped__ = function
        self.takes = parameters_of(function)

    def described(self, text: str) -> str:
        """Return what is shown of the function's docstring."""
        return text

    def __get__(self, instance: object, owner: type | None = None) -> Self:
        """Return the kernel itself. `inspect` takes an object with this method for a function."""
        return self

    @abstractmethod
    def __call__(self, counts: Counts, **given: Any) -> Values:
        """Return the values of counts with any leading axes."""

    def check(self, counts: Counts, values: Values) -> None:  # noqa: B027 - most have nothing to refuse
        """Refuse observed counts that the function cannot be called on."""

    def check_parts(self, values: Values) -> None:  # noqa: B027 - most take parts of items
        """Refuse to score parts of items if the function takes whole items only."""

    def within_bounds(self, values: Values, counts: Counts) -> Values:
        """Return the values, NaN for infinite ones; refuse those of whole items that are not within the bounds."""
        low, high = self.bounds
        values = np.where(np.isinf(values), np.nan, values)  # a division by 0
        beyond = (values < low - ROUNDING) | (values > high + ROUNDING)
        if beyond.any():
            whole = (np.floor(counts) == counts).all(axis=(-1, -2))
            wrong = np.asarray(values)[beyond & whole]
            if wrong.size:
                raise MeasureError(
                    f"the measure {self.__name__} returned {wrong.flat[0]:.6g}, and its bounds are declared as "
                    f"({low:g}, {high:g}). Correct the function or its bounds."
                )
        return np.clip(values, low, high)


class CountsFunction(TableFunction):
    """A function of counts[..., gold, predicted] that may also be one of a single table.

    Whether it takes many tables at once is tried on a few before it is given any: a function that adds up all counts,
    for example, gives a value for many tables, and a wrong one. Such a function is called on one table after the other.
    """

    def __init__(
        self, function: Callable[..., Any], name: str, bounds: tuple[float, float] = UNBOUNDED
    ) -> None:
        super().__init__(function, name, bounds)
        self.takes_many: dict[int, bool] = {}  # by the number of classes

    def __call__(self, counts: Counts, **given: Any) -> Values:
        """Return the values of counts with any leading axes."""
        return self.within_bounds(self.values_of(counts, given), counts)

    def values_of(self, counts: Counts, given: dict[str, Any]) -> Values:
        """Return what the function gives for all tables at once, or for one after the other."""
        leading, k = counts.shape[:-2], counts.shape[-1]
        if not leading:
            return self.called(counts, **given)
        if k not in self.takes_many:
            self.takes_many[k] = self.tried(k, given)
        if self.takes_many[k]:
            return self.called(counts, **given)
        values = [self.called(table, **own) for table, own in one_by_one(counts, given)]
        return np.array(values, dtype=np.float64).reshape(leading)

    @property
    def takes_many_tables(self) -> bool:
        """Whether the function takes many tables at once, as far as tables of three classes show."""
        given = {"values": np.arange(3.0), "unanswered": None}
        return self.tried(3, {name: one for name, one in given.items() if name in self.takes})

    def called(self, counts: Counts, **given: Any) -> Values:
        """Call the function, and refuse what is not a number for each table."""
        # copies, for it may compute in place
        own = {name: None if one is None else np.array(one) for name, one in given.items()}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                values = as_real(self.function(np.array(counts), **own))
        except (Exception, SystemExit) as error:
            raise MeasureError(
                f"the measure {self.__name__} {said(error)}. It was given counts of the shape {counts.shape}: gold "
                f"classes in rows, predicted classes in columns. Return NaN where it is undefined."
            ) from error
        if values.shape != counts.shape[:-2]:
            raise MeasureError(
                f"the measure {self.__name__} returned an array of the shape {values.shape} for counts of the shape "
                f"{counts.shape}; it must return one number for each table, of the shape {counts.shape[:-2]}."
            )
        return values

    def tried(self, k: int, given: dict[str, Any]) -> bool:
        """Tell whether the function gives many tables the values that it gives each of them."""
        tables = np.stack([*trial_tables(k)[-3:], np.zeros((k, k))]).reshape(2, 2, k, k)
        missed = {"unanswered": np.ones((2, 2, k))} if given.get("unanswered") is not None else {}
        plain = {name: one for name, one in given.items() if name != "reference"} | missed

        def value(table: Counts, own: dict[str, Any]) -> float:
            try:
                return float(self.called(table, **own))
            except MeasureError:
                return math.nan

        try:
            together = self.called(tables, **plain)
        except MeasureError:
            return False
        each = np.array([value(table, own) for table, own in one_by_one(tables, plain)])
        return np.allclose(together.ravel(), each, rtol=ROUNDING, atol=ROUNDING, equal_nan=True)


def one_by_one(counts: Counts, given: dict[str, Any]) -> Iterator[tuple[Counts, dict[str, Any]]]:
    """Give each table with what belongs to it: its unanswered items, and its reference."""
    leading, k = counts.shape[:-2], counts.shape[-1]
    own = {
        name: np.broadcast_to(one, (*leading, k)).reshape(-1, k)
        for name, one in given.items()
        if name in {"unanswered", "reference"} and one is not None
    }
    for at, table in enumerate(counts.reshape(-1, k, k)):
        yield table, given | {name: one[at] for name, one in own.items()}


class LabelsFunction(TableFunction):
    """A function f(y_true, y_pred), such as one of scikit-learn's, as a kernel.

    It is called on the cells of a table that have items, with their counts as `sample_weight`, so that a million items
    cost no more than a few. Without `sample_weight`, or if weights give it another value than repeated items do, it is
    called on the items of the table. Parts of items, which some intervals need, are then interpolated between whole
    ones. A table on which it raises, or returns no number, has no value.
    """

    def __init__(
        self, function: Callable[..., Any], name: str, bounds: tuple[float, float] = UNBOUNDED
    ) -> None:
        super().__init__(function, name, bounds)
        self.first_error: BaseException | None = None
        self.weighs: dict[bytes, bool] = {}  # by the labels of the classes
        self.remembered: dict[tuple[bytes, bytes], float] = {}

    def described(self, text: str) -> str:
        """Return the first paragraph: the others are about arguments that a measure does not have."""
        return text.strip().partition("\n\n")[0]

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is only remembered."""
        return vars(self) | {"first_error": None, "weighs": {}, "remembered": {}}

    def __call__(self, counts: Counts, **given: Any) -> Values:
        """Return the values of counts with any leading axes."""
        k = counts.shape[-1]
        labels, tables = (
            as_class_labels(given["values"]),
            counts.reshape(-1, k, k).astype(np.float64),
        )
        result = np.array([self.value(table, labels) for table in tables])
        return self.within_bounds(result.reshape(counts.shape[:-2]), counts)

    def check(self, counts: Counts, values: Values) -> None:
        """Refuse counts on which the function always raises, and parts of items if it takes whole ones only.

        Weights are tried once more, on the tables that were observed, if they are few and small.
        """
        labels, tables = as_class_labels(values), counts.reshape(-1, *counts.shape[-2:])
        if not np.equal(np.floor(counts), counts).all():
            self.check_parts(values)
        elif (
            counts.sum() <= MOST_TRIED
            and self.takes_weights(labels)
            and any(self.same_by_weights(table, labels) is False for table in tables)
        ):
            self.weighs[labels.tobytes()] = False
            self.remembered.clear()
        undefined = np.isnan(self(counts, values=values)).all()
        error = self.first_error
        if error is not None and undefined and counts.any():
            raise MeasureError(
                f"the measure {self.__name__} {said(error)}. It was called on two arrays, the gold and the predicted "
                f"values of the classes."
            ) from error

    def check_parts(self, values: Values) -> None:
        """Refuse to score parts of items if the function takes whole items only."""
        if not self.takes_weights(as_class_labels(values)):
            raise MeasureError(
                f"the measure {self.__name__} is a function that does not use weights, so it cannot score items with "
                f"weights, soft gold or probabilities. Leave it out, or give the function an argument for weights."
            )

    def value(self, table: Counts, labels: Counts) -> float:
        """Return the value of one table; NaN if there is none."""
        key = labels.tobytes(), table.tobytes()
        value = self.remembered.get(key)
        if value is None:
            value = self.computed(table, labels)
            if len(self.remembered) < MEMORY:
                self.remembered[key] = value
        return value

    def computed(self, table: Counts, labels: Counts) -> float:
        """Call the function on one table."""
        used = np.nonzero(table)
        amounts = table[used]
        if not amounts.size:
            return math.nan
        if self.takes_weights(labels):
            return self.called(labels[used[0]], labels[used[1]], sample_weight=amounts)
        whole = np.floor(table)
        value = change = self.of_items(whole, labels)
        for gold, predicted in np.argwhere(table > whole):
            more = whole.copy()
            more[gold, predicted] += 1
            part = table[gold, predicted] - whole[gold, predicted]
            change += part * (self.value(more, labels) - value)
        return change

    def of_items(self, table: Counts, labels: Counts) -> float:
        """Call the function on the items of a table."""
        gold, predicted = as_labels(table, labels)
        return self.called(gold, predicted) if gold.size else math.nan

    def takes_weights(self, labels: Counts) -> bool:
        """Tell whether the function takes weights, and gives the cells of tables the values that their items have."""
        if "sample_weight" not in self.takes:
            return False
        key = labels.tobytes()
        if key not in self.weighs:
            before = self.first_error  # what is raised here is nobody's concern
            same = [self.same_by_weights(table, labels) for table in trial_tables(len(labels))]
            self.weighs[key] = False not in same and True in same
            self.first_error = before
        return self.weighs[key]

    def same_by_weights(self, table: Counts, labels: Counts) -> bool | None:
        """Tell whether the cells of a table have the value that its items have; None if both are undefined."""
        used = np.nonzero(table)
        cells = self.called(labels[used[0]], labels[used[1]], sample_weight=table[used])
        items = self.of_items(table, labels)
        if math.isnan(cells) and math.isnan(items):
            return None
        return math.isclose(cells, items, rel_tol=ROUNDING, abs_tol=ROUNDING)

    def called(self, gold: Counts, predicted: Counts, **weights: Any) -> float:
        """Call the function without its warnings; NaN if it raises, or returns no number."""
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                values = as_real(self.function(gold, predicted, **weights))
                return float(values.item() if values.size == 1 else refused(values))
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever it is, the table has no value then
            self.first_error = self.first_error or error
            return math.nan


def trial_tables(k: int) -> list[Counts]:
    """Return small tables of all kinds: few items and more, even and odd numbers, right and wrong answers."""
    rng = np.random.default_rng(k)
    tables = []
    for n in (2, 3, 4, 5, 6, 8, 13, 40):
        gold = rng.integers(0, k, n)
        answers = np.where(rng.random(n) < 0.6, gold, rng.integers(0, k, n))
        table = np.zeros((k, k))
        np.add.at(table, (gold, answers), 1)
        tables += [table, 2 * table]
    return tables


class NoNumberError(Exception):
    """A function returned something that is not a number."""

    def __init__(self, returned: object) -> None:
        super().__init__(f"returned {returned!r:.60}, which is not a number")


def as_real(returned: Any) -> Values:
    """Return what a function returned as numbers; refuse what are none."""
    try:
        given = np.asarray(returned)
        real = given.dtype.kind in "biuf" or (given.dtype == object and returned is not None)
        return given.astype(np.float64) if real else refused(returned)
    except (TypeError, ValueError):
        return refused(returned)


def refused(returned: object) -> Values:
    """Raise the error for something that is not a number."""
    raise NoNumberError(returned)


def said(error: BaseException) -> str:
    """Say what a function did in place of returning a number; part of a sentence."""
    text = str(error).replace(".__wrapped__()", "()").rstrip(".")
    return text if isinstance(error, NoNumberError) else f"raised {type(error).__name__}: {text}"


def as_class_labels(values: Values) -> Counts:
    """Return the values of the classes as whole numbers, if they are: many functions of labels take only these."""
    numbers = np.asarray(values, dtype=np.float64)
    whole = (numbers == np.floor(numbers)).all() and (np.abs(numbers) < WHOLE).all()
    return numbers.astype(np.int64) if whole else numbers


def as_labels(table: Counts, labels: Counts) -> tuple[Counts, Counts]:
    """Return the gold and the predicted labels of a table's items, sorted by gold class and then by answer.

    >>> import numpy as np
    >>> gold, predicted = oe.properties.as_labels(
    ...     np.array([[2, 1], [0, 1]]), np.array([1, 2])
    ... )
    >>> gold.tolist(), predicted.tolist()
    ([1, 1, 1, 2], [1, 1, 2, 2])
    """
    k = len(labels)
    cells = np.repeat(np.arange(k * k), np.asarray(table).ravel().astype(np.int64))
    return labels[cells // k], labels[cells % k]
