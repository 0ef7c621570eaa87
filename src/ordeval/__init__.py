"""ordeval: score, compare and trust systems that predict ordered classes."""

from ordeval.__about__ import __version__

# As type checkers know it. Nothing is imported here, typing included: `ordeval` on the command line comes by, and looks
# after signals next.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from ordeval import decide as decide
    from ordeval import errors as errors
    from ordeval import judge as judge
    from ordeval import meta as meta
    from ordeval import metrics as metrics
    from ordeval import paper as paper
    from ordeval import properties as properties
    from ordeval import simulate as simulate
    from ordeval.agreement.agree import agree
    from ordeval.comparison.compare import compare
    from ordeval.comparison.evaluate import evaluate
    from ordeval.comparison.gate import gate
    from ordeval.comparison.plan import plan
    from ordeval.errors import OrdevalError
    from ordeval.metrics import Metric, measure, measure_types, registry
    from ordeval.metrics.closeness import proximity
    from ordeval.ratings import Ratings
    from ordeval.report import plot as plot
    from ordeval.runs import Runs
    from ordeval.scale import Scale
    from ordeval.table import Table

__all__ = [
    "Metric",
    "OrdevalError",
    "Ratings",
    "Runs",
    "Scale",
    "Table",
    "__version__",
    "agree",
    "compare",
    "evaluate",
    "gate",
    "measure",
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
    "measure": ("ordeval.metrics.own", "measure"),
    "proximity": ("ordeval.metrics.closeness", "proximity"),
    "Scale": ("ordeval.scale", "Scale"),
    "Table": ("ordeval.table", "Table"),
    "Ratings": ("ordeval.ratings", "Ratings"),
    "Runs": ("ordeval.runs", "Runs"),
    "evaluate": ("ordeval.comparison.evaluate", "evaluate"),
    "compare": ("ordeval.comparison.compare", "compare"),
    "gate": ("ordeval.comparison.gate", "gate"),
    "plan": ("ordeval.comparison.plan", "plan"),
    "agree": ("ordeval.agreement.agree", "agree"),
    "errors": ("ordeval.errors", None),
    "metrics": ("ordeval.metrics", None),
    "properties": ("ordeval.properties", None),
    "judge": ("ordeval.judge", None),
    "decide": ("ordeval.decide", None),
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
    "brennan_prediger",
    "brier_score",
    "calibration_error",
    "cem_int",
    "cem_nom",
    "cem_ord",
    "cem_ord_flat",
    "cohen_kappa",
    "conger_kappa",
    "cosine",
    "cross_entropy",
    "expected_cem",
    "fleiss_kappa",
    "geometric_mean",
    "goodman_kruskal_gamma",
    "gwet_ac1",
    "gwet_ac2",
    "inverse_purity",
    "jensen_shannon",
    "kendall_tau_a",
    "kendall_tau_b",
    "krippendorff_alpha",
    "lin_ccc",
    "log_loss",
    "macro_accuracy",
    "macro_f1",
    "macro_mae",
    "macro_mse",
    "macro_precision",
    "mae",
    "manhattan",
    "max_mae",
    "min_sensitivity",
    "mse",
    "mutual_information",
    "normalised_match_distance",
    "ordinal_classification_index",
    "pearson",
    "purity",
    "purity_f",
    "ranked_probability_score",
    "reliability",
    "reliability_sensitivity",
    "rmse",
    "rnod",
    "scott_pi",
    "sensitivity",
    "soft_jensen_shannon",
    "soft_rps",
    "somers_d",
    "spearman",
    "stuart_tau_c",
    "threshold_loss",
    "uniform_ordinal_index",
    "wasserstein",
    "weighted_kappa",
]

# closeness
cem_ord: "measure_types.MeasureWithReference"
"""Closeness evaluation measure: an answer earns more the fewer gold items lie between it and the true class."""
cem_nom: "measure_types.MeasureWithReference"
"""Closeness on a nominal scale: a right answer earns more in a rare class, and a wrong answer earns nothing."""
cem_int: "measure_types.MeasureWithReference"
"""Closeness on an interval scale: an answer earns more the fewer gold items have a value at least as near to gold."""
cem_ord_flat: "measure_types.MeasureWithReference"
"""Closeness without the logarithm: an answer earns the share of items that are farther from gold than it is."""

# classification
accuracy: "measure_types.MeasureWithoutSettings"
"""Share of items with the right answer."""
accuracy_within: "measure_types.AccuracyWithin"
"""Share of items whose answer is at most n positions away from gold."""
macro_accuracy: "measure_types.MeasureWithoutSettings"
"""Mean recall over the gold classes, each with the same weight (balanced accuracy, MAAC)."""
macro_f1: "measure_types.MeasureWithoutSettings"
"""Mean F1 over the gold classes: the harmonic mean of precision and recall."""
macro_precision: "measure_types.MeasureWithoutSettings"
"""Mean precision over the gold classes: of the answers 'k', the share that are right."""
geometric_mean: "measure_types.MeasureWithoutSettings"
"""Geometric mean of the recalls of the gold classes: it is 0 if any class is never found."""
min_sensitivity: "measure_types.MeasureWithoutSettings"
"""Lowest recall of any gold class."""
cohen_kappa: "measure_types.MeasureWithoutSettings"
"""Agreement above chance: the share of right answers, corrected for what the class frequencies give by chance."""

# error
mae: "measure_types.MeasureWithoutSettings"
"""Mean absolute error: the mean distance between the values of answer and gold."""
mse: "measure_types.MeasureWithoutSettings"
"""Mean squared error: the mean of the squared distances, so large errors count more."""
rmse: "measure_types.MeasureWithoutSettings"
"""Square root of the mean squared error, in the units of the values."""
macro_mae: "measure_types.MeasureWithoutSettings"
"""Mean absolute error of each gold class, averaged over the classes with equal weight."""
macro_mse: "measure_types.MeasureWithoutSettings"
"""Mean squared error of each gold class, averaged over the classes with equal weight."""
max_mae: "measure_types.MeasureWithoutSettings"
"""Largest mean absolute error of any gold class."""
threshold_loss: "measure_types.ThresholdLoss"
"""All-threshold loss of hard labels: the sum of penalties at all thresholds between neighbouring classes."""
cosine: "measure_types.MeasureWithoutSettings"
"""Cosine of the angle between the vector of gold values and the vector of answer values."""

# correlation
pearson: "measure_types.MeasureWithoutSettings"
"""Linear correlation (Pearson's r) of the values of gold and answers."""
spearman: "measure_types.MeasureWithoutSettings"
"""Rank correlation (Spearman's rho): the linear correlation of ranks, where tied items share their mean rank."""
kendall_tau_a: "measure_types.MeasureWithoutSettings"
"""Concordant minus discordant pairs of items, divided by all pairs; tied pairs count as neither."""
kendall_tau_b: "measure_types.MeasureWithoutSettings"
"""Concordant minus discordant pairs, divided by the geometric mean of the pairs not tied in gold and in answers."""
stuart_tau_c: "measure_types.MeasureWithoutSettings"
"""Concordant minus discordant pairs, divided by the largest value possible with this number of used classes."""
goodman_kruskal_gamma: "measure_types.MeasureWithoutSettings"
"""Concordant minus discordant pairs, divided by the pairs that are tied neither in gold nor in the answers."""
somers_d: "measure_types.MeasureWithoutSettings"
"""Concordant minus discordant pairs, divided by the pairs whose gold classes differ."""
reliability: "measure_types.MeasureWithoutSettings"
"""Of the order relations between items in the answers, the share that also hold in gold (mean over items)."""
sensitivity: "measure_types.MeasureWithoutSettings"
"""Of the order relations between items in gold, the share that also hold in the answers (mean over items)."""
reliability_sensitivity: "measure_types.MeasureWithoutSettings"
"""Harmonic mean of reliability and sensitivity; 0 if both are 0."""

# agreement
weighted_kappa: "measure_types.WeightedKappa"
"""One minus the ratio of observed to chance disagreement, both weighted by distance."""
krippendorff_alpha: "measure_types.KrippendorffAlpha"
"""Agreement of raters: one minus the ratio of observed disagreement to that between random pairs of labels."""
gwet_ac2: "measure_types.GwetAc2"
"""Agreement above chance with credit for near misses; chance agreement stays low if one class is very frequent."""
fleiss_kappa: "measure_types.FleissKappa"
"""Agreement above that of marks drawn at random from those of all raters together; of two raters, Scott's pi."""
conger_kappa: "measure_types.CongerKappa"
"""Agreement above that of raters who each give their own marks in random order; of two raters, Cohen's kappa."""
brennan_prediger: "measure_types.BrennanPrediger"
"""Agreement above that of marks that fall on every class of the scale equally often."""
lin_ccc: "measure_types.MeasureWithoutSettings"
"""Concordance correlation: linear correlation, reduced if the two means or the two variances differ."""

# clustering
mutual_information: "measure_types.MeasureWithoutSettings"
"""Information in bits that the answers give about gold; at most the entropy of gold."""
purity: "measure_types.MeasureWithoutSettings"
"""Share of items whose gold class is the most frequent one among the items with the same answer."""
inverse_purity: "measure_types.MeasureWithoutSettings"
"""Share of items whose answer is the most frequent one among the items of the same gold class."""
purity_f: "measure_types.MeasureWithoutSettings"
"""Harmonic mean of purity and inverse purity; 0 if both are 0."""

# path
ordinal_classification_index: "measure_types.OrdinalClassificationIndex"
"""Cost of the cheapest path through the table: items off the path and items far from the diagonal both cost."""
uniform_ordinal_index: "measure_types.UniformOrdinalIndex"
"""Ordinal classification index in which all gold classes have the same weight."""
auoc: "measure_types.MeasureWithoutSettings"
"""Area under the uniform ordinal index as beta goes from 0 to 1, computed exactly."""

# probabilistic
ranked_probability_score: "measure_types.ProbabilisticMeasureWithoutSettings"
"""Mean squared distance between the cumulative distributions of answer and gold."""
expected_cem: "measure_types.ProbabilisticMeasureWithReference"
"""Expected closeness (`cem_ord`) of an answer that is drawn from the class probabilities."""
log_loss: "measure_types.LogLoss"
"""Mean of -ln of the probability that was given to the gold class: the logarithmic score."""
brier_score: "measure_types.ProbabilisticMeasureWithoutSettings"
"""Mean squared distance between the class probabilities and gold, added up over the classes."""
calibration_error: "measure_types.CalibrationError"
"""Mean difference between how probable lower classes were said to be and how often they occurred, in bins."""

# soft
wasserstein: "measure_types.Wasserstein"
"""Mean Wasserstein distance: how far the answer's probability must be moved to become the gold distribution."""
manhattan: "measure_types.ProbabilisticMeasureWithoutSettings"
"""Mean Manhattan distance between the class probabilities of answer and gold; it ignores the order."""
cross_entropy: "measure_types.CrossEntropy"
"""Cross entropy in nats: the mean of -ln of the probability given to the class of a gold drawn from the raters."""
soft_jensen_shannon: "measure_types.ProbabilisticMeasureWithoutSettings"
"""Mean Jensen-Shannon divergence, in bits, between the distributions of answer and gold; it ignores the order."""
soft_rps: "measure_types.ProbabilisticMeasureWithoutSettings"
"""Mean squared distance between the cumulative distributions of answer and soft gold."""

# distribution
normalised_match_distance: "measure_types.MeasureWithoutSettings"
"""Normalised match distance between the class shares of answers and gold: how far shares must be moved."""
rnod: "measure_types.MeasureWithoutSettings"
"""Root normalised order-aware divergence between the class shares of answers and gold."""
jensen_shannon: "measure_types.MeasureWithoutSettings"
"""Jensen-Shannon divergence, in bits, between the class shares of answers and gold; it ignores the order."""

# other names
gwet_ac1: "measure_types.GwetAc2"
"""Agreement above chance with credit for near misses; chance agreement stays low if one class is very frequent."""
scott_pi: "measure_types.FleissKappa"
"""Agreement above that of marks drawn at random from those of all raters together; of two raters, Scott's pi."""
