"""ordeval: score, compare and trust systems that predict ordered classes."""

from ordeval.__about__ import __version__

# As type checkers know it. Nothing is imported here, typing included: `ordeval` on the command line comes by, and looks
# after signals next.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from ordeval import errors as errors
    from ordeval import meta as meta
    from ordeval import metrics as metrics
    from ordeval import paper as paper
    from ordeval import properties as properties
    from ordeval import simulate as simulate
    from ordeval.comparison.compare import compare
    from ordeval.comparison.evaluate import evaluate
    from ordeval.comparison.plan import plan
    from ordeval.errors import OrdevalError
    from ordeval.metrics import Metric, measure_types, registry
    from ordeval.metrics.closeness import proximity
    from ordeval.report import plot as plot
    from ordeval.runs import Runs
    from ordeval.scale import Scale
    from ordeval.table import Table

__all__ = [
    "Metric",
    "OrdevalError",
    "Runs",
    "Scale",
    "Table",
    "__version__",
    "compare",
    "evaluate",
    "plan",
    "proximity",
    "registry",
]

# Loaded when first asked for, as the measures are: the name, its module, and the attribute there (None: the module
# itself).
LAZY: dict[str, tuple[str, str | None]] = {
    "OrdevalError": ("ordeval.errors", "OrdevalError"),
    "Metric": ("ordeval.metrics", "Metric"),
    "registry": ("ordeval.metrics", "registry"),
    "proximity": ("ordeval.metrics.closeness", "proximity"),
    "Scale": ("ordeval.scale", "Scale"),
    "Table": ("ordeval.table", "Table"),
    "Runs": ("ordeval.runs", "Runs"),
    "evaluate": ("ordeval.comparison.evaluate", "evaluate"),
    "compare": ("ordeval.comparison.compare", "compare"),
    "plan": ("ordeval.comparison.plan", "plan"),
    "errors": ("ordeval.errors", None),
    "metrics": ("ordeval.metrics", None),
    "properties": ("ordeval.properties", None),
    "meta": ("ordeval.meta", None),
    "simulate": ("ordeval.simulate", None),
    "paper": ("ordeval.paper", None),
    "plot": ("ordeval.report.plot", None),
}

# Hidden from type checkers, which would take this function for a promise that every name exists.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Load a part of the package, or a measure, when it is first asked for."""
        from importlib import import_module

        if name in LAZY:
            module, attribute = LAZY[name]
            found = import_module(module)
            found = found if attribute is None else getattr(found, attribute)
        elif name in __all__:
            found = import_module("ordeval.metrics").registry[name]
        else:
            raise AttributeError(f"module 'ordeval' has no attribute {name!r}")
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted({*__all__, *LAZY, *(name for name in globals() if name[:2] == "__")})


# --- The measures. `make door` writes what follows from the registry; do not edit it by hand. ---

__all__ += [
    "accuracy",
    "accuracy_within",
    "auoc",
    "cem_int",
    "cem_nom",
    "cem_ord",
    "cem_ord_flat",
    "cohen_kappa",
    "cosine",
    "expected_cem",
    "geometric_mean",
    "goodman_kruskal_gamma",
    "gwet_ac2",
    "inverse_purity",
    "kendall_tau_a",
    "kendall_tau_b",
    "krippendorff_alpha",
    "lin_ccc",
    "macro_accuracy",
    "macro_f1",
    "macro_mae",
    "macro_mse",
    "macro_precision",
    "mae",
    "max_mae",
    "min_sensitivity",
    "mse",
    "mutual_information",
    "ordinal_classification_index",
    "pearson",
    "purity",
    "purity_f",
    "ranked_probability_score",
    "reliability",
    "reliability_sensitivity",
    "rmse",
    "sensitivity",
    "somers_d",
    "spearman",
    "stuart_tau_c",
    "threshold_loss",
    "uniform_ordinal_index",
    "weighted_kappa",
]

# closeness
cem_ord: "measure_types.MeasureWithReference"
"""Closeness evaluation measure: an answer is worth the bits that separate it from the gold class."""
cem_nom: "measure_types.MeasureWithReference"
"""Closeness on a nominal scale: a right answer is worth its bits, a wrong one nothing."""
cem_int: "measure_types.MeasureWithReference"
"""Closeness on an interval scale: an answer loses by every item within its distance, on either side of gold."""
cem_ord_flat: "measure_types.MeasureWithReference"
"""Closeness without the logarithm: the share of items farther from gold than the answer is."""

# classification
accuracy: "measure_types.MeasureWithoutSettings"
"""Share of items put into their own class."""
accuracy_within: "measure_types.AccuracyWithin"
"""Share of items put at most n positions away from their class."""
macro_accuracy: "measure_types.MeasureWithoutSettings"
"""Mean recall over the gold classes, each with the same weight (balanced accuracy, MAAC)."""
macro_f1: "measure_types.MeasureWithoutSettings"
"""Mean over the gold classes of the harmonic mean of precision and recall."""
macro_precision: "measure_types.MeasureWithoutSettings"
"""Mean over the gold classes of the share of the answers 'k' that are right."""
geometric_mean: "measure_types.MeasureWithoutSettings"
"""Geometric mean of the recalls of the gold classes: one class never found makes it 0."""
min_sensitivity: "measure_types.MeasureWithoutSettings"
"""Recall of the gold class that is found least."""
cohen_kappa: "measure_types.MeasureWithoutSettings"
"""Agreement beyond what two raters with these margins would reach by chance."""

# error
mae: "measure_types.MeasureWithoutSettings"
"""Mean absolute error: the average distance between the values of answer and gold."""
mse: "measure_types.MeasureWithoutSettings"
"""Mean squared error: far errors count more than proportionally."""
rmse: "measure_types.MeasureWithoutSettings"
"""Root of the mean squared error, in the units of the values."""
macro_mae: "measure_types.MeasureWithoutSettings"
"""Mean over the gold classes of their mean absolute error."""
macro_mse: "measure_types.MeasureWithoutSettings"
"""Mean over the gold classes of their mean squared error."""
max_mae: "measure_types.MeasureWithoutSettings"
"""Mean absolute error of the gold class that fares worst."""
threshold_loss: "measure_types.ThresholdLoss"
"""All-threshold loss of hard labels: the penalties at all thresholds between neighbouring classes, added up."""
cosine: "measure_types.MeasureWithoutSettings"
"""Cosine of the angle between the two vectors of values over the items."""

# correlation
pearson: "measure_types.MeasureWithoutSettings"
"""Linear correlation of the values."""
spearman: "measure_types.MeasureWithoutSettings"
"""Linear correlation of the mid-ranks: items of one class share the middle of their places."""
kendall_tau_a: "measure_types.MeasureWithoutSettings"
"""Concordant minus discordant pairs, divided by all pairs: ties count as neither."""
kendall_tau_b: "measure_types.MeasureWithoutSettings"
"""Concordant minus discordant pairs, divided by the geometric mean of the pairs untied in gold and in answers."""
stuart_tau_c: "measure_types.MeasureWithoutSettings"
"""Concordant minus discordant pairs, divided by the most that a table with as many used classes can have."""
goodman_kruskal_gamma: "measure_types.MeasureWithoutSettings"
"""Concordant minus discordant pairs, divided by the pairs tied in neither."""
somers_d: "measure_types.MeasureWithoutSettings"
"""Concordant minus discordant pairs, divided by the pairs that differ in gold."""
reliability: "measure_types.MeasureWithoutSettings"
"""Mean over items of the share of the order relations in the output that hold in gold, too."""
sensitivity: "measure_types.MeasureWithoutSettings"
"""Mean over items of the share of the order relations in gold that hold in the output, too."""
reliability_sensitivity: "measure_types.MeasureWithoutSettings"
"""Harmonic mean of reliability and sensitivity, 0 where both are 0."""

# agreement
weighted_kappa: "measure_types.WeightedKappa"
"""One minus the observed disagreement divided by that expected by chance, both weighted by distance."""
krippendorff_alpha: "measure_types.KrippendorffAlpha"
"""Reliability of two raters: one minus the observed disagreement divided by that expected among all labels."""
gwet_ac2: "measure_types.GwetAc2"
"""Agreement with credit for near misses, corrected by a chance that stays low where one class prevails."""
lin_ccc: "measure_types.MeasureWithoutSettings"
"""Concordance correlation: linear correlation, lowered where scale or location differ."""

# clustering
mutual_information: "measure_types.MeasureWithoutSettings"
"""Bits that the answers tell about gold; at most the entropy of gold."""
purity: "measure_types.MeasureWithoutSettings"
"""Share of items that are of the gold class most frequent among those with the same answer."""
inverse_purity: "measure_types.MeasureWithoutSettings"
"""Share of items that have the answer most frequent among those of the same gold class."""
purity_f: "measure_types.MeasureWithoutSettings"
"""Harmonic mean of purity and inverse purity, 0 where both are 0."""

# path
ordinal_classification_index: "measure_types.OrdinalClassificationIndex"
"""Cost of the cheapest monotone walk through the table: items off the walk are errors, and distance costs, too."""
uniform_ordinal_index: "measure_types.UniformOrdinalIndex"
"""The ordinal classification index of the row shares, so that all gold classes have the same weight."""
auoc: "measure_types.MeasureWithoutSettings"
"""Area under the uniform ordinal index over beta from 0 to 1, exactly."""

# probabilistic
ranked_probability_score: "measure_types.ProbabilisticMeasureWithoutSettings"
"""Mean squared distance between the cumulative distributions of answer and gold, from 0 to 1."""
expected_cem: "measure_types.ProbabilisticMeasureWithReference"
"""Closeness that an answer drawn from the class probabilities has on average."""
