"""Every measure by name: `registry["cem_ord"]`, `registry["weighted_kappa(weights='quadratic')"]`."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ordeval.arguments import entries
from ordeval.errors import MetricError, ParameterError, suggestion
from ordeval.metrics.core import Values
from ordeval.metrics.metric import Metric
from ordeval.metrics.names import ALIASES, WITH_CAPITALS, full_name, parse
from ordeval.metrics.parameters import Parameter
from ordeval.metrics.rater_sums import PARTS
from ordeval.vocabulary import Family, ScaleType


class Registry(Mapping[str, Metric]):
    """All measures; a name may carry settings, in the form that `str(measure)` gives, or be an alias such as `qwk`.

    Aliases are found and not listed.

    >>> oe.registry["mae"]
    <measure mae>
    >>> oe.registry["qwk"]
    <measure weighted_kappa(weights='quadratic')>
    >>> "f1" in oe.registry, len(oe.registry) > 50
    (True, True)
    """

    def __init__(self) -> None:
        self._measures: dict[str, Metric] = {}

    def add(self, measure: Metric) -> Metric:
        """Add a measure under its name. One of one's own may be defined again, as a notebook's cell may run again.

        >>> mine = oe.measure(
        ...     lambda counts: counts[..., 0, 0], greater_is_better=True, name="corner"
        ... )
        >>> oe.registry.add(mine) is oe.registry["corner"]
        True
        """
        name, lower = full_name(measure.name), measure.name.lower()
        known = self._measures.get(name)
        if lower in ALIASES or (known is not None and known.family is not Family.OWN):
            meaning = f", short for {ALIASES[lower]}" if lower in ALIASES else ""
            raise ParameterError(
                f"ordeval has a measure {measure.name!r} already{meaning}. Give yours another name: name='...'."
            )
        self._measures.pop(name, None)
        WITH_CAPITALS.pop(lower, None)
        if measure.name != lower:
            WITH_CAPITALS[lower] = measure.name
        self._measures[measure.name] = measure
        return measure

    def __getitem__(self, name: str) -> Metric:
        if isinstance(name, Metric):
            return name
        bare_name, settings = parse(name)
        if bare_name not in self._measures:
            bare_name = self._of_packages(name)
        measure = self._measures[bare_name]
        return measure.with_parameters(**settings) if settings else measure

    def _of_packages(self, name: str) -> str:
        """Return the name of a measure that an installed package brings; refuse names that none has."""
        from ordeval.metrics.plugins import load_installed

        complaints = load_installed()
        bare_name, _ = parse(name)  # again: it may have capitals
        if bare_name not in self._measures:
            near = suggestion(bare_name.lower(), [*self._measures, *ALIASES], ALIASES)
            also = f" Note that {'; '.join(complaints)}." if complaints else ""
            raise MetricError(
                f"there is no measure {bare_name!r}.{near} 'ordeval metrics' lists them.{also}"
            )
        return bare_name

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str | Metric) and bool(self[name])  # type: ignore[index]
        except (MetricError, ParameterError):
            return False

    def __iter__(self) -> Iterator[str]:
        return iter(self._measures)

    def __len__(self) -> int:
        return len(self._measures)

    def __repr__(self) -> str:
        return f"<registry of {len(self)} measures: {', '.join(self)}>"


registry = Registry()


def named(name: str) -> Any:
    """Return a measure by name, for unpickling and for `ordeval/__init__.py`, which states its precise type."""
    return registry[name]


def resolve(metrics: Any) -> dict[str, Metric]:
    """Return the measures asked for, under the names they were asked by; an alias is written out.

    Measures that were resolved before are returned as they are.

    >>> list(oe.metrics.resolve(["mae", "qwk"]))
    ['mae', "weighted_kappa(weights='quadratic')"]
    """
    if isinstance(metrics, dict) and all(isinstance(one, Metric) for one in metrics.values()):
        return metrics
    if isinstance(metrics, str | Metric):
        metrics = [metrics]
    rule = "it lists measures or their names, as ['cem_ord', 'mae']"
    measures = {full_name(one): registry[one] for one in entries(metrics, "metrics", rule)}
    if not measures:
        raise ParameterError(
            "no measure was asked for. Name at least one; 'ordeval metrics' lists them."
        )
    return measures


def metric(
    *,
    family: Family,
    scale_type: ScaleType,
    formula: str,
    references: tuple[str, ...],
    greater_is_better: bool = True,
    bounds: tuple[float, float] = (0.0, 1.0),
    perfect: float | None = 1.0,
    undefined_when: str = "there are no items",
    parameters: tuple[Parameter, ...] = (),
    claims: Mapping[str, bool] | None = None,
    by_class: bool = False,
    unit: int | None = 0,
    per_item: Callable[..., Values] | None = None,
    of_means: Callable[[Values], Values] | None = None,
) -> Callable[[Callable[..., Values]], Metric]:
    """Return a decorator that makes a measure of a kernel and enters it into the registry.

    `claims` are the marks of the paper's table 2, under test in `ordeval.properties`. `perfect` is the value of a
    perfect output, None where it depends on the gold. `by_class` says that every gold class counts the same, however
    few items it has. `unit` is the power of the values' unit that the result has: 1 for a distance, 2 for its square;
    None if values in another unit give a result that no factor leads back from. `per_item` is what an item costs, if
    the measure is the mean of that: a function of gold[..., K] and answer[..., K], two distributions over the classes.
    If the measure follows from several means, `per_item` gives a column for each, and `of_means` the measure of them.

    >>> from ordeval.metrics import Family, ScaleType, metric
    >>> about = {"family": Family.CLASSIFICATION, "scale_type": ScaleType.NOMINAL}
    >>> @metric(formula="n_{11}", references=(), **about)
    ... def first_cell(counts):
    ...     "Number of items in the first cell."
    ...     return counts[..., 0, 0]
    >>> first_cell.from_counts([[3, 1], [0, 4]])
    3.0
    """

    def register(kernel: Callable[..., Values]) -> Metric:
        code = kernel.__code__
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        return registry.add(
            Metric(
                name=kernel.__name__,
                settings=tuple((parameter.name, parameter.default) for parameter in parameters),
                kernel=kernel,
                family=family,
                scale_type=scale_type,
                greater_is_better=greater_is_better,
                bounds=bounds,
                perfect=perfect,
                formula=formula,
                undefined_when=undefined_when,
                references=references,
                parameters=parameters,
                claims=claims or {},
                needs=frozenset(names) & {"values", "unanswered", "reference", *PARTS},
                by_class=by_class,
                unit=unit,
                per_item=per_item,
                of_means=of_means,
            )
        )

    return register


def paper_marks(invariance: bool, monotonicity: bool, imbalance: bool) -> dict[str, bool]:  # noqa: FBT001
    """Write the three marks of one row of the paper's table 2."""
    return {
        "ordinal_invariance": invariance,
        "ordinal_monotonicity": monotonicity,
        "imbalance": imbalance,
    }
