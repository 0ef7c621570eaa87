"""The measures as `ordeval metrics` lists them, which loads no measure for that.

`make door` writes this file from the registry; do not edit it by hand.
"""
# ruff: noqa: E501 - a summary stays on one line

from typing import NamedTuple


class ListedMeasure(NamedTuple):
    """What a list tells of a measure."""

    name: str
    family: str
    greater_is_better: bool
    summary: str


ROWS = (
    (
        "cem_ord",
        "closeness",
        True,
        "Closeness evaluation measure: an answer earns more the fewer gold items lie between it and the true class.",
    ),
    (
        "cem_nom",
        "closeness",
        True,
        "Closeness on a nominal scale: a right answer earns more in a rare class, and a wrong answer earns nothing.",
    ),
    (
        "cem_int",
        "closeness",
        True,
        "Closeness on an interval scale: an answer earns more the fewer gold items have a value at least as near to gold.",
    ),
    (
        "cem_ord_flat",
        "closeness",
        True,
        "Closeness without the logarithm: an answer earns the share of items that are farther from gold than it is.",
    ),
    (
        "accuracy",
        "classification",
        True,
        "Share of items with the right answer.",
    ),
    (
        "accuracy_within",
        "classification",
        True,
        "Share of items whose answer is at most n positions away from gold.",
    ),
    (
        "macro_accuracy",
        "classification",
        True,
        "Mean recall over the gold classes, each with the same weight (balanced accuracy, MAAC).",
    ),
    (
        "macro_f1",
        "classification",
        True,
        "Mean F1 over the gold classes: the harmonic mean of precision and recall.",
    ),
    (
        "macro_precision",
        "classification",
        True,
        "Mean precision over the gold classes: of the answers 'k', the share that are right.",
    ),
    (
        "geometric_mean",
        "classification",
        True,
        "Geometric mean of the recalls of the gold classes: it is 0 if any class is never found.",
    ),
    (
        "min_sensitivity",
        "classification",
        True,
        "Lowest recall of any gold class.",
    ),
    (
        "cohen_kappa",
        "classification",
        True,
        "Agreement above chance: the share of right answers, corrected for what the class frequencies give by chance.",
    ),
    (
        "mae",
        "error",
        False,
        "Mean absolute error: the mean distance between the values of answer and gold.",
    ),
    (
        "mse",
        "error",
        False,
        "Mean squared error: the mean of the squared distances, so large errors count more.",
    ),
    (
        "rmse",
        "error",
        False,
        "Square root of the mean squared error, in the units of the values.",
    ),
    (
        "macro_mae",
        "error",
        False,
        "Mean absolute error of each gold class, averaged over the classes with equal weight.",
    ),
    (
        "macro_mse",
        "error",
        False,
        "Mean squared error of each gold class, averaged over the classes with equal weight.",
    ),
    (
        "max_mae",
        "error",
        False,
        "Largest mean absolute error of any gold class.",
    ),
    (
        "threshold_loss",
        "error",
        False,
        "All-threshold loss of hard labels: the sum of penalties at all thresholds between neighbouring classes.",
    ),
    (
        "cosine",
        "error",
        True,
        "Cosine of the angle between the vector of gold values and the vector of answer values.",
    ),
    (
        "pearson",
        "correlation",
        True,
        "Linear correlation (Pearson's r) of the values of gold and answers.",
    ),
    (
        "spearman",
        "correlation",
        True,
        "Rank correlation (Spearman's rho): the linear correlation of ranks, where tied items share their mean rank.",
    ),
    (
        "kendall_tau_a",
        "correlation",
        True,
        "Concordant minus discordant pairs of items, divided by all pairs; tied pairs count as neither.",
    ),
    (
        "kendall_tau_b",
        "correlation",
        True,
        "Concordant minus discordant pairs, divided by the geometric mean of the pairs not tied in gold and in answers.",
    ),
    (
        "stuart_tau_c",
        "correlation",
        True,
        "Concordant minus discordant pairs, divided by the largest value possible with this number of used classes.",
    ),
    (
        "goodman_kruskal_gamma",
        "correlation",
        True,
        "Concordant minus discordant pairs, divided by the pairs that are tied neither in gold nor in the answers.",
    ),
    (
        "somers_d",
        "correlation",
        True,
        "Concordant minus discordant pairs, divided by the pairs whose gold classes differ.",
    ),
    (
        "reliability",
        "correlation",
        True,
        "Of the order relations between items in the answers, the share that also hold in gold (mean over items).",
    ),
    (
        "sensitivity",
        "correlation",
        True,
        "Of the order relations between items in gold, the share that also hold in the answers (mean over items).",
    ),
    (
        "reliability_sensitivity",
        "correlation",
        True,
        "Harmonic mean of reliability and sensitivity; 0 if both are 0.",
    ),
    (
        "weighted_kappa",
        "agreement",
        True,
        "One minus the ratio of observed to chance disagreement, both weighted by distance.",
    ),
    (
        "krippendorff_alpha",
        "agreement",
        True,
        "Agreement of raters: one minus the ratio of observed disagreement to that between random pairs of labels.",
    ),
    (
        "gwet_ac2",
        "agreement",
        True,
        "Agreement above chance with credit for near misses; chance agreement stays low if one class is very frequent.",
    ),
    (
        "fleiss_kappa",
        "agreement",
        True,
        "Agreement above that of marks drawn at random from those of all raters together; of two raters, Scott's pi.",
    ),
    (
        "conger_kappa",
        "agreement",
        True,
        "Agreement above that of raters who each give their own marks in random order; of two raters, Cohen's kappa.",
    ),
    (
        "brennan_prediger",
        "agreement",
        True,
        "Agreement above that of marks that fall on every class of the scale equally often.",
    ),
    (
        "lin_ccc",
        "agreement",
        True,
        "Concordance correlation: linear correlation, reduced if the two means or the two variances differ.",
    ),
    (
        "mutual_information",
        "clustering",
        True,
        "Information in bits that the answers give about gold; at most the entropy of gold.",
    ),
    (
        "purity",
        "clustering",
        True,
        "Share of items whose gold class is the most frequent one among the items with the same answer.",
    ),
    (
        "inverse_purity",
        "clustering",
        True,
        "Share of items whose answer is the most frequent one among the items of the same gold class.",
    ),
    (
        "purity_f",
        "clustering",
        True,
        "Harmonic mean of purity and inverse purity; 0 if both are 0.",
    ),
    (
        "ordinal_classification_index",
        "path",
        False,
        "Cost of the cheapest path through the table: items off the path and items far from the diagonal both cost.",
    ),
    (
        "uniform_ordinal_index",
        "path",
        False,
        "Ordinal classification index in which all gold classes have the same weight.",
    ),
    (
        "auoc",
        "path",
        False,
        "Area under the uniform ordinal index as beta goes from 0 to 1, computed exactly.",
    ),
    (
        "ranked_probability_score",
        "probabilistic",
        False,
        "Mean squared distance between the cumulative distributions of answer and gold.",
    ),
    (
        "expected_cem",
        "probabilistic",
        True,
        "Expected closeness (`cem_ord`) of an answer that is drawn from the class probabilities.",
    ),
    (
        "log_loss",
        "probabilistic",
        False,
        "Mean of -ln of the probability that was given to the gold class: the logarithmic score.",
    ),
    (
        "brier_score",
        "probabilistic",
        False,
        "Mean squared distance between the class probabilities and gold, added up over the classes.",
    ),
    (
        "calibration_error",
        "probabilistic",
        False,
        "Mean difference between how probable lower classes were said to be and how often they occurred, in bins.",
    ),
    (
        "wasserstein",
        "soft",
        False,
        "Mean Wasserstein distance: how far the answer's probability must be moved to become the gold distribution.",
    ),
    (
        "manhattan",
        "soft",
        False,
        "Mean Manhattan distance between the class probabilities of answer and gold; it ignores the order.",
    ),
    (
        "cross_entropy",
        "soft",
        False,
        "Cross entropy in nats: the mean of -ln of the probability given to the class of a gold drawn from the raters.",
    ),
    (
        "soft_jensen_shannon",
        "soft",
        False,
        "Mean Jensen-Shannon divergence, in bits, between the distributions of answer and gold; it ignores the order.",
    ),
    (
        "soft_rps",
        "soft",
        False,
        "Mean squared distance between the cumulative distributions of answer and soft gold.",
    ),
    (
        "normalised_match_distance",
        "distribution",
        False,
        "Normalised match distance between the class shares of answers and gold: how far shares must be moved.",
    ),
    (
        "rnod",
        "distribution",
        False,
        "Root normalised order-aware divergence between the class shares of answers and gold.",
    ),
    (
        "jensen_shannon",
        "distribution",
        False,
        "Jensen-Shannon divergence, in bits, between the class shares of answers and gold; it ignores the order.",
    ),
)
MEASURES = tuple(ListedMeasure(*row) for row in ROWS)
