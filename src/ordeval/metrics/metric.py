"""A measure as a value: named, parametrised, comparable, printable, parseable, and callable."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, overload

import numpy as np

from ordeval.docstrings import docstring
from ordeval.errors import LabelTypeError, NoItemsError, ParameterError, TableError, suggestion
from ordeval.inputs.arrays import count_pair, count_plain
from ordeval.inputs.choices import read_choices
from ordeval.inputs.crosstabs import has_names, named_amounts
from ordeval.inputs.named_counts import by_class
from ordeval.inputs.policy import GoldMissing, Missing, Reading, Round, Unknown, shows_keywords
from ordeval.inputs.soft import is_soft
from ordeval.metrics import float_range
from ordeval.metrics.calibration_bins import ScoredItems
from ordeval.metrics.core import Counts, Values, quietly
from ordeval.metrics.parameters import Parameter
from ordeval.metrics.rater_sums import PARTS, RaterSums
from ordeval.metrics.signature import OwnSignature
from ordeval.ratings import Ratings
from ordeval.scale import Scale
from ordeval.table import Table
from ordeval.table.checks import as_numbers, read_counts
from ordeval.table.folding import fold_to_farthest, fold_to_largest_error
from ordeval.vocabulary import Family, ScaleType

if TYPE_CHECKING:
    from ordeval.metrics.guidance import Guidance


# Under missing="zero" these families get a wrong answer for each missing one; the others get the number of
# unanswered items.
FOLDS_TO_LARGEST_ERROR = frozenset({Family.ERROR, Family.PATH})
KEYWORDS = frozenset(Reading.__annotations__)
FOLDS_TO_FARTHEST = frozenset(
    {Family.CORRELATION, Family.AGREEMENT, Family.DISTRIBUTION, Family.OWN}
)


@dataclass(frozen=True, repr=False)
class Metric:
    """A measure of the registry, with its settings.

    Call it on gold and predicted labels, like scikit-learn's functions, on a `Table`, or on `Ratings`; `from_counts`
    takes counts with any leading axes. Two measures are equal if their names and settings are equal.

    To `help`, `inspect`, Sphinx and editors a measure looks like a function: it has a name, a docstring and a signature
    of its own.

    >>> oe.mae([1, 2, 3], [1, 3, 3]), oe.mae.greater_is_better, oe.mae.bounds
    (0.3333333333333333, False, (0.0, inf))
    >>> quadratic = oe.weighted_kappa.with_parameters(weights="quadratic")
    >>> quadratic == oe.registry["weighted_kappa(weights='quadratic')"]
    True
    """

    name: str  # its name
    settings: tuple[tuple[str, Any], ...]  # its settings, if they are not the defaults
    kernel: Callable[..., Values] = field(compare=False)
    family: Family = field(compare=False)  # what it looks at
    scale_type: ScaleType = field(compare=False)  # how it treats the classes
    greater_is_better: bool = field(compare=False)  # the direction
    bounds: tuple[float, float] = field(compare=False)  # the lowest and the highest value
    perfect: float | None = field(
        compare=False
    )  # the value of a perfect output; None if it depends on gold
    formula: str = field(compare=False)  # its formula in LaTeX
    undefined_when: str = field(compare=False)  # when there is no value, in words
    references: tuple[str, ...] = field(compare=False)  # keys of the papers that define it
    parameters: tuple[Parameter, ...] = field(compare=False)  # the settings that it takes
    claims: Mapping[str, bool] = field(compare=False)
    # what the kernel takes beside counts: values, unanswered, reference; or, in place of counts, parts of RaterSums
    needs: frozenset[str] = field(compare=False)
    by_class: bool = field(compare=False, default=False)  # every gold class counts the same
    # the power of the values' unit in the result
    unit: int | None = field(compare=False, default=0)
    # of measures that are a mean over items: what an item costs, from gold[..., K] and answer[..., K] as distributions
    per_item: Callable[..., Values] | None = field(compare=False, default=None)
    # of measures that follow from several such means: the measure of means[..., column]; per_item then gives columns
    of_means: Callable[[Values], Values] | None = field(compare=False, default=None)

    __signature__ = OwnSignature()

    def __post_init__(self) -> None:
        """Take over from the kernel what tools read from a function (the class keeps its own docstring)."""
        vars(self).update(
            __doc__=docstring(self.kernel),
            __module__=self.kernel.__module__,
            __qualname__=self.name,
            __wrapped__=getattr(self.kernel, "function", self.kernel),
        )

    def __get__(self, instance: object, owner: type | None = None) -> Self:
        """Return the measure itself. `help` and Sphinx take an object with this method for a function."""
        return self

    @overload
    def __call__(
        self,
        y_true: Any,
        y_pred: Any,
        *,
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        sample_weight: Any = None,
        count: Any = None,
        missing: Missing = "error",
        unknown: Unknown = "error",
        gold_missing: GoldMissing = "error",
        round: Round = "error",
        reference: Any = None,
        **parameters: Any,
    ) -> float: ...
    @overload
    def __call__(self, y_true: Ratings, *, reference: Any = None, **parameters: Any) -> float: ...
    @overload
    def __call__(
        self, y_true: Table, *, reference: Any = None, **parameters: Any
    ) -> float | Values: ...
    @shows_keywords(Reading)
    def __call__(
        self,
        y_true: Any,
        y_pred: Any = None,
        *,
        sample_weight: Any = None,
        count: Any = None,
        reference: Any = None,
        **options: Any,
    ) -> Any:
        """Score labels or ratings (a float), or a table (a float, or an array over its leading axes).

        `sample_weight` says how much each item matters, `count` how many items each row stands for.
        """
        # Most calls pass two arrays of integers and nothing else. All that follows would come to this for them.
        if not options and sample_weight is None and count is None and not self.takes_probabilities:
            plain = count_plain(y_true, y_pred)
            if plain is not None:
                return self.of_counts(plain[0], plain[1], None, reference)
        measure = self
        if options and not options.keys() <= KEYWORDS:
            parameters = {name: options.pop(name) for name in options.keys() - KEYWORDS}
            measure = self.with_parameters(**parameters)
        if isinstance(y_true, Table) or (isinstance(y_true, Ratings) and y_pred is None):
            if options or not (y_pred is sample_weight is count is None):
                a_table = isinstance(y_true, Table)
                kind, has = ("a Table", "contains") if a_table else ("Ratings", "contain")
                raise LabelTypeError(
                    f"{self} was given {kind} together with labels, values or policies; {kind} already {has} these. "
                    f"Pass them when you make the {'table' if a_table else 'ratings'}."
                )
            if isinstance(y_true, Ratings):
                return measure.of_ratings(y_true, reference=reference)
            return measure.of_table(y_true, reference=reference)
        if y_pred is None:
            raise LabelTypeError(
                f"{self} was called without y_pred. Pass gold and predicted labels, one Table, or Ratings."
            )
        if measure.takes_probabilities or is_soft(y_true):
            from ordeval.metrics.soft_scores import score_soft

            return score_soft(
                measure, y_true, y_pred, sample_weight=sample_weight, count=count, reference=reference, **options
            )  # fmt: skip
        choices = read_choices(options)
        parts = count_pair(
            y_true, y_pred, sample_weight=sample_weight, count=count, item=None, choices=choices
        )
        if (
            parts.weighting is None and choices.policy.missing == "error"
        ):  # nothing to add to the counts
            return measure.of_counts(parts.answered, parts.scale, None, reference)
        return measure.of_table(Table.from_parts(parts, choices.policy), reference=reference)

    def of_table(self, table: Table, *, reference: Any = None) -> float | Values:
        """Score a table, with its weights scaled so that they sum to the number of items."""
        if table.weighting is not None:
            table = table.scaled
        unanswered = table.missed if table.policy.missing == "zero" else None
        return self.of_counts(table.counts, table.scale, unanswered, reference)

    def of_counts(
        self, counts: Counts, scale: Scale, unanswered: Counts | None, reference: Any
    ) -> float | Values:
        """Score counts of the classes of a scale, which somebody has checked."""
        named = None if reference is None else named_amounts(reference)
        if named is not None:
            reference = by_class(named, scale)
        if self.family is Family.OWN:
            self.check_observed(counts, scale.numbers)
        result = self.compute(counts, scale.numbers, unanswered, reference)
        return float(result) if result.ndim == 0 else result

    def of_ratings(self, ratings: Ratings, *, reference: Any = None) -> float:
        """Score the marks of several raters: how well they agree."""
        from ordeval.metrics.ratings_input import score_ratings

        return score_ratings(self, ratings, reference)

    def from_counts(
        self,
        counts: Any,
        *,
        labels: Iterable[Any] | None = None,
        values: Any = None,
        unanswered: Any = None,
        reference: Any = None,
        **parameters: Any,
    ) -> float | Values:
        """Score counts[..., gold, predicted]: a float, or an array over the leading axes.

        Counts with names, such as a crosstab, are read by these, as in `Table.from_counts`; `labels` lists the classes,
        lowest first. `values` are the classes' numbers (the labels if they are numbers and increasing, else 0 to
        K - 1), `unanswered` the items of each gold class that have no answer and earn nothing.

        >>> oe.accuracy.from_counts([[3, 1], [0, 4]])
        0.875
        >>> oe.accuracy.from_counts([[[3, 1], [0, 4]], [[4, 0], [0, 4]]]).tolist()
        [0.875, 1.0]
        """
        measure = self.with_parameters(**parameters) if parameters else self
        if labels is not None or has_names(counts) or named_amounts(reference) is not None:
            table = Table.from_counts(counts, labels=labels, values=values, unanswered=unanswered)
            return measure.of_table(table, reference=reference)
        answered, missed = read_counts(counts, unanswered)
        k = answered.shape[-1]
        numbers = np.arange(k, dtype=np.float64) if values is None else as_numbers(values, "values")
        if numbers.shape != (k,) or not (numbers[1:] > numbers[:-1]).all():
            raise TableError(
                f"values is {values!r}; it must have {k} strictly increasing numbers, one for each class."
            )
        measure.check_observed(answered, numbers)
        result = measure.compute(
            answered, numbers, None if unanswered is None else missed, reference
        )
        return float(result) if result.ndim == 0 else result

    def compute(
        self,
        counts: Counts,
        values: Values,
        unanswered: Counts | None = None,
        reference: Any = None,
        *,
        moderate: bool = False,
    ) -> Values:
        """Score checked counts: NaN where the value is undefined; an error only where there are no items at all.

        With `moderate` all amounts but the reference are known to be of moderate size, and are not looked at again.
        """
        if reference is not None:
            reference = self.checked_reference(reference, counts, unanswered)
        amounts = (reference,) if moderate else (counts, unanswered, reference)
        exponent, number = float_range.number_type(
            values if "values" in self.needs else None, *amounts
        )
        if number is np.float64 and not exponent:
            result = self.evaluate(counts.astype(number, copy=False), values, unanswered, reference)
        else:

            def evaluate(number: Any, quotients: Values) -> Values:
                mass = None if reference is None else reference.astype(number)
                return self.evaluate(counts.astype(number), quotients, unanswered, mass)

            result = self.in_range(evaluate, values, counts.shape[:-2], exponent, number)
        if result.ndim == 0 and not math.isnan(result):
            return result
        empty = result.size and np.isnan(result).all() and not counts.any()
        if empty and (unanswered is None or not unanswered.any()):
            raise NoItemsError(
                f"there are no items to score: {self} of an empty table has no value."
            )
        return result

    @quietly
    def evaluate(
        self, counts: Counts, values: Values, unanswered: Counts | None, reference: Values | None
    ) -> Values:
        """Apply the kernel; items without an answer are given one if the kernel does not take unanswered items."""
        if unanswered is not None:
            unanswered = unanswered.astype(counts.dtype)
            own_error = self.family is Family.OWN and not self.greater_is_better
            if (
                self.family in FOLDS_TO_LARGEST_ERROR or own_error
            ) and "unanswered" not in self.needs:
                positions = np.arange(len(values)) if self.family is Family.PATH else values
                counts, unanswered = fold_to_largest_error(counts, unanswered, positions), None
            elif self.family in FOLDS_TO_FARTHEST and "unanswered" not in self.needs:
                counts, unanswered = fold_to_farthest(counts, unanswered), None
        given: dict[str, Any] = dict(self.settings)
        if "values" in self.needs:
            given["values"] = values
        if unanswered is not None and "unanswered" in self.needs:
            given["unanswered"] = unanswered
        if reference is not None:
            given["reference"] = reference
        if self.rater_parts:
            return self.apply(RaterSums.of_table(counts, self.rater_parts), values)
        return np.asarray(self.kernel(counts, **given))

    def check_observed(self, counts: Counts, values: Values) -> None:
        """Refuse counts that a measure of one's own cannot score."""
        if self.family is Family.OWN:
            self.kernel.check(counts, values)  # type: ignore[attr-defined]

    def check_parts(self, values: Values) -> None:
        """Refuse to score parts of items by a measure of one's own that takes whole items only."""
        if self.family is Family.OWN:
            self.kernel.check_parts(values)  # type: ignore[attr-defined]

    @cached_property
    def rater_parts(self) -> frozenset[str]:
        """The parts of `RaterSums` that a coefficient of any number of raters is a function of; else none."""
        return self.needs & PARTS

    @quietly
    def apply(self, sums: RaterSums, values: Values) -> Values:
        """Apply the kernel of a coefficient to its parts of the sums."""
        parts = {part: getattr(sums, part) for part in self.rater_parts}
        return np.asarray(self.kernel(**parts, values=values, **dict(self.settings)))

    def of_sums(self, sums: RaterSums, values: Values) -> Values:
        """Return a coefficient of sums over items, with their leading axes; NaN where it is undefined."""
        exponent, number = float_range.number_type(values, *sums)
        if number is np.float64 and not exponent:
            return self.apply(sums, values)
        matrix = sums.coincided if sums.agreed is None else sums.agreed
        shape = () if matrix is None else matrix.shape[:-2]
        return self.in_range(
            lambda number, quotients: self.apply(sums.astype(number), quotients),
            values, shape, exponent, number,
        )  # fmt: skip

    def in_range(
        self,
        evaluate: Callable[[Any, Values], Values],
        values: Values,
        shape: tuple[int, ...],
        exponent: int,
        number: Any,
    ) -> Values:
        """Evaluate with wider numbers and values divided by 2**exponent; NaN if the machine has none so wide."""
        if exponent and (self.unit is None or self.in_fixed_unit):
            exponent, number = 0, float_range.WIDE  # the result for the quotients would be another
        if number is None:
            return np.full(shape, np.nan)
        result = evaluate(number, np.ldexp(values.astype(number), -exponent))
        with np.errstate(all="ignore"):
            if self.unit == 0:
                return result.astype(np.float64)
            return float_range.in_unit(result, exponent * (self.unit or 0))

    @cached_property
    def takes_probabilities(self) -> bool:
        """Whether the measure is made for distributions over the classes instead of labels."""
        return self.family is Family.PROBABILISTIC or self.family is Family.SOFT

    def item_costs(
        self,
        gold: Values,
        answers: Values,
        values: Values,
        upper: Values | None = None,
        items: ScoredItems | None = None,
    ) -> Values:
        """Return what items cost whose gold[..., class] and answers[..., class or none] are distributions.

        There are costs[..., column] for each item, from whose means `from_means` makes the score. An item without an
        answer, whose row is all on the last column, costs the most that its gold allows. With `upper[..., class]` it is
        given an end of the scale: the upper one for gold classes where that is true. `items` says which items are
        scored together, for a measure that cuts them into bins.
        """
        assert self.per_item is not None  # noqa: S101 - asked only of measures that are means over items
        given: dict[str, Any] = dict(self.settings)
        if "values" in self.needs:
            given["values"] = values
        several = self.of_means is not None

        def cost(gold: Values, answer: Values, **more: Any) -> Values:
            costs = np.asarray(self.per_item(gold, answer, **given, **more))  # type: ignore[misc]
            return costs if several else costs[..., None]

        with np.errstate(all="ignore"):
            costs = np.array(cost(gold, answers[..., :-1], **({"items": items} if several else {})))
            missed = np.broadcast_to(answers[..., -1] > 0, costs.shape[:-1])
            if missed.any():
                k = gold.shape[-1]
                some = np.broadcast_to(gold, (*missed.shape, k))[missed]
                given_each = cost(
                    some[None], np.eye(k)[:, None]
                )  # [class that is given, item, column]
                costs[missed] = given_each.max(axis=0)
                if upper is not None:
                    ends = np.broadcast_to(upper, (*missed.shape, k))[missed][..., None]
                    of_class = np.where(ends, given_each[-1][:, None], given_each[0][:, None])
                    costs[missed] = (some[..., None] * of_class).sum(axis=-2)
        return costs

    def from_means(self, means: Values) -> Values:
        """Return the score from the means[..., column] over items of what they cost."""
        return np.asarray(means[..., 0] if self.of_means is None else self.of_means(means))

    @property
    def in_fixed_unit(self) -> bool:
        """Whether the settings are such that values in another unit give another result."""
        chosen = dict(self.settings)
        return any(chosen[each.name] in each.in_fixed_unit for each in self.parameters)

    def no_reference(self) -> ParameterError:
        """Return the error for a reference that the measure does not take."""
        return ParameterError(
            f"{self} takes no reference=; only closeness measures use a class distribution."
        )

    def checked_reference(
        self, reference: Any, counts: Counts, unanswered: Counts | None
    ) -> Values:
        """Check class counts from outside: one number for each class, and mass wherever gold has items."""
        if "reference" not in self.needs:
            raise self.no_reference()
        k = counts.shape[-1]
        mass = as_numbers(reference, "reference")
        if mass.shape not in {(k,), counts.shape[:-1]} or (mass < 0).any():
            raise ParameterError(
                f"reference is {reference!r}; it must have {k} counts or probabilities, none of them negative."
            )
        gold = counts.any(axis=-1)
        if unanswered is not None:
            gold = gold | (unanswered > 0)
        lacking = (gold & (mass <= 0)).reshape(-1, k).any(axis=0)
        if lacking.any():
            raise ParameterError(
                f"the reference is 0 for class {int(np.argmax(lacking))} (counted from 0), which occurs in gold; "
                f"it must be positive for every gold class."
            )
        return mass

    def with_parameters(self, **parameters: Any) -> "Metric":
        """Return the same measure with other settings.

        >>> str(oe.accuracy_within.with_parameters(n=2))
        'accuracy_within(n=2)'
        """
        declared = {parameter.name: parameter for parameter in self.parameters}
        unknown = [name for name in parameters if name not in declared]
        if unknown:
            near = suggestion(unknown[0], list(declared))
            allowed = f"it has {', '.join(declared)}" if declared else "it has none"
            raise ParameterError(f"{self.name} has no parameter {unknown[0]!r}; {allowed}.{near}")
        checked = {
            name: declared[name].check(value, self.name) for name, value in parameters.items()
        }
        settings = tuple((name, checked.get(name, value)) for name, value in self.settings)
        # Weights of a matrix may be such that agreement can be lower than the named weights allow.
        free = any(isinstance(value, tuple) for value in checked.values())
        bounds = (-math.inf, self.bounds[1]) if free else self.bounds
        # Nothing else changes, so nothing else is checked or made again.
        changed = object.__new__(Metric)
        vars(changed).update(vars(self), settings=settings, bounds=bounds)
        return changed

    @property
    def __name__(self) -> str:
        """The name by which other libraries show a function."""
        return self.name

    @property
    def summary(self) -> str:
        """What the measure is, in one line."""
        return str(self.__doc__).partition("\n")[0]

    @property
    def guidance(self) -> "Guidance | None":
        """When to use the measure, how to read it, and what it is called elsewhere; None for one of one's own."""
        from ordeval.metrics.guidance import guidance_of

        return guidance_of(self.name)

    def __str__(self) -> str:
        """Return the name with the settings that differ from their defaults; `registry[...]` reads it back."""
        defaults = {parameter.name: parameter.default for parameter in self.parameters}
        changed = [f"{name}={value!r}" for name, value in self.settings if value != defaults[name]]
        return f"{self.name}({', '.join(changed)})" if changed else self.name

    def __repr__(self) -> str:
        return f"<measure {self}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy by name: the measure is looked up again where it is unpacked.

        A measure of one's own takes its function and its declaration along.
        """
        if self.family is Family.OWN:
            from ordeval.metrics.own import packed

            return packed(self)
        from ordeval.metrics.registry import named

        return named, (str(self),)
