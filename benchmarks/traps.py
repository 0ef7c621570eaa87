"""The difficult inputs of the correctness board: the data, the right value, computed by hand, and each library's calls.

A call is the text that the board prints and runs. Each library gets the call that the data suggest and, where it has an
option that helps, the call with that option: the board counts the better of the two.
"""

from dataclasses import dataclass

__all__ = ["LIBRARIES", "TRAPS", "Ask", "Trap"]

# The name that pip knows, and how the calls see it.
LIBRARIES: dict[str, str] = {
    "ordeval": "import ordeval as oe",
    "scikit-learn": "from sklearn.metrics import *",
    "skordinal": "from skordinal.metrics import *",
    "dlordinal": "from dlordinal.metrics import *",
    "ordinal-xai": "from ordinal_xai.utils.evaluation_metrics import *",
    "imbalanced-learn": "from imblearn.metrics import *",
    "pycm": "from pycm import ConfusionMatrix",
    "torchmetrics": "from torch import tensor; from torchmetrics.functional import *",
    "SciPy": "from scipy.stats import *",
    "krippendorff": "from krippendorff import alpha",
    "irrCAC": "from irrCAC.raw import CAC",
    "statsmodels": "from statsmodels.stats.inter_rater import cohens_kappa",
}


@dataclass(frozen=True, slots=True)
class Ask:
    """One question to one library: the call, the right result, and what the library documents about its own result."""

    library: str
    call: str
    right: float | str  # a number, "NaN", or "an error"
    documented: str = ""  # what its documentation says that makes another answer its own convention


@dataclass(frozen=True, slots=True)
class Trap:
    """Data on which many programs give a wrong answer."""

    title: str
    why: str
    data: str  # Python that makes the names which the calls use
    asks: tuple[Ask, ...]
    hand: str = ""  # how the right values come about


ORDER = Trap(
    "A column with an ordered type",
    "A column with the order low < medium < high must not be sorted alphabetically.",
    """order = ["low", "medium", "high"]
ordered = pd.CategoricalDtype(order, ordered=True)
gold = pd.Series(["low", "medium", "high", "high"], dtype=ordered)
predicted = pd.Series(["low", "high", "high", "medium"], dtype=ordered)
squares = {a: {b: (order.index(a) - order.index(b)) ** 2 for b in order} for a in order}""",
    # positions 0 1 2 2 and 0 2 2 1. Squares: 2 observed, 22 / 4 expected. Absolute: 2 observed, 14 / 4 expected.
    hand="quadratic kappa 1 - 2 / 5.5, linear 1 - 2 / 3.5, tau-b (3 - 1) / 5, alpha 1 - 36 / (576 / 7), AC2 from "
    "agreement 5/6 and chance 85/144, macro MAE (0 + 1 + 1/2) / 3",
    asks=(
        Ask("ordeval", "oe.weighted_kappa(gold, predicted, weights='quadratic')", 0.6364),
        Ask("ordeval", "oe.krippendorff_alpha(gold, predicted)", 0.5625),
        Ask("ordeval", "oe.gwet_ac2(gold, predicted)", 0.5932),
        Ask("scikit-learn", "cohen_kappa_score(gold, predicted, weights='quadratic')", 0.6364),
        Ask(
            "scikit-learn",
            "cohen_kappa_score(gold, predicted, weights='quadratic', labels=order)",
            0.6364,
        ),
        Ask("skordinal", "weighted_kappa(gold, predicted)", 0.4286),
        Ask("skordinal", "weighted_kappa(gold, predicted, labels=order)", 0.4286),
        Ask("dlordinal", "amae(gold, predicted)", 0.5, "labels are integers"),
        Ask("ordinal-xai", "weighted_kappa(gold, predicted)", 0.6364, "labels are integers"),
        Ask(
            "imbalanced-learn",
            "macro_averaged_mean_absolute_error(gold, predicted)",
            0.5,
            "labels are numbers",
        ),
        Ask(
            "pycm",
            "ConfusionMatrix(list(gold), list(predicted), classes=order).weighted_kappa(weight=squares)",
            0.6364,
        ),
        Ask("SciPy", "kendalltau(gold, predicted).statistic", 0.4),
        Ask(
            "krippendorff",
            "alpha([list(gold), list(predicted)], level_of_measurement='ordinal')",
            0.5625,
        ),
        Ask(
            "krippendorff",
            "alpha([list(gold), list(predicted)], level_of_measurement='ordinal', value_domain=order)",
            0.5625,
        ),
        Ask(
            "irrCAC",
            "CAC(pd.DataFrame({'a': gold, 'b': predicted}), weights='ordinal').gwet()['est']['coefficient_value']",
            0.5932,
        ),
        Ask(
            "irrCAC",
            "CAC(pd.DataFrame({'a': gold.astype(object), 'b': predicted.astype(object)}), weights='ordinal', "
            "categories=order).gwet()['est']['coefficient_value']",
            0.5932,
        ),
        Ask(
            "statsmodels",
            "cohens_kappa(pd.crosstab(gold, predicted), wt='quadratic').kappa",
            0.6364,
        ),
    ),
)

GAP = Trap(
    "Unused classes between used ones",
    "On a scale from 0 to 4 the answer 4 for gold 0 is four classes away, whether or not 1, 2 or 3 occur.",
    "gold, predicted, scale = np.array([0, 0, 4, 4]), np.array([0, 4, 4, 0]), [0, 1, 2, 3, 4]",
    # within one class: items 1 and 3. Errors: 0, 4 for gold 0 and 0, 4 for gold 4.
    hand="accuracy within one class 2/4; macro MAE ((0 + 4) / 2 + (0 + 4) / 2) / 2",
    asks=(
        Ask("ordeval", "oe.accuracy_within(gold, predicted)", 0.5),
        Ask("ordeval", "oe.macro_mae(gold, predicted)", 2.0),
        Ask(
            "skordinal",
            "accuracy_off1_score(gold, predicted)",
            0.5,
            "ranks among the classes that occur",
        ),
        Ask("skordinal", "accuracy_off1_score(gold, predicted, labels=scale)", 0.5),
        Ask(
            "skordinal",
            "average_mean_absolute_error(gold, predicted)",
            2.0,
            "ranks among the classes that occur",
        ),
        Ask("skordinal", "average_mean_absolute_error(gold, predicted, labels=scale)", 2.0),
        Ask("dlordinal", "accuracy_off1(gold, predicted)", 0.5, "labels come from the data"),
        Ask("dlordinal", "accuracy_off1(gold, predicted, labels=scale)", 0.5),
        Ask("dlordinal", "amae(gold, predicted)", 2.0),
        Ask("ordinal-xai", "adjacent_accuracy(gold, predicted)", 0.5),
        Ask("imbalanced-learn", "macro_averaged_mean_absolute_error(gold, predicted)", 2.0),
    ),
)

OFF_SCALE = Trap(
    "An answer that is not on the scale",
    "This is an error in the data or in the scale. Leaving the item out makes the system look better than it is.",
    "gold, predicted, scale = [1, 2, 3], [1, 2, 9], [1, 2, 3]",
    hand="an error that names it",
    asks=(
        Ask("ordeval", "oe.weighted_kappa(gold, predicted, labels=scale)", "an error"),
        Ask(
            "scikit-learn",
            "cohen_kappa_score(gold, predicted, weights='quadratic', labels=scale)",
            "an error",
            "labels select",
        ),
        Ask(
            "scikit-learn",
            "f1_score(gold, predicted, labels=scale, average='macro')",
            "an error",
            "labels select",
        ),
        Ask("skordinal", "weighted_kappa(gold, predicted, labels=scale)", "an error"),
        Ask("dlordinal", "accuracy_off1(gold, predicted, labels=scale)", "an error"),
        Ask("pycm", "ConfusionMatrix(gold, predicted, classes=scale).Overall_ACC", "an error"),
        Ask(
            "torchmetrics",
            "float(cohen_kappa(tensor(predicted), tensor(gold), task='multiclass', num_classes=4))",
            "an error",
        ),
        Ask(
            "krippendorff",
            "alpha([gold, predicted], level_of_measurement='ordinal', value_domain=scale)",
            "an error",
        ),
        Ask(
            "irrCAC",
            "CAC(pd.DataFrame({'a': gold, 'b': predicted}), weights='ordinal', categories=scale)"
            ".gwet()['est']['coefficient_value']",
            "an error",
        ),
    ),
)

SPELLING = Trap(
    "Three spellings of one class",
    "A gold 1 from a database and an answer '1.0' from a CSV file are the same class.",
    'gold, predicted = [1, 2, 3, 3], ["1.0", "2.0", "3.0", "2.0"]',
    # tau-b: 4 pairs in order, one tie on either side. alpha: 2 disagreements of 8 values against 42 / 7 expected.
    hand="accuracy 3/4, tau-b 4/5, nominal alpha 1 - 2 / 6",
    asks=(
        Ask("ordeval", "oe.accuracy(gold, predicted)", 0.75),
        Ask("scikit-learn", "accuracy_score(gold, predicted)", 0.75),
        Ask("skordinal", "1 - mean_zero_one_error(gold, predicted)", 0.75),
        Ask("ordinal-xai", "accuracy(gold, predicted)", 0.75),
        Ask("pycm", "ConfusionMatrix(gold, predicted).Overall_ACC", 0.75),
        Ask("SciPy", "kendalltau(gold, predicted).statistic", 0.8),
        Ask("krippendorff", "alpha([gold, predicted], level_of_measurement='nominal')", 0.6667),
    ),
)

CLOSENESS = Trap(
    "Closeness with an empty class between others or at the end",
    "An empty class is still a class: an answer in it is an error.",
    "",
    # 1, 2, 3 with 1, 2, 9, N = 3: (prox(9, 3): mass 0/2 + 0 + 1 = 1, log2 3 bits) against mass 1/2, log2 6 bits:
    # (2 log2 6 + log2 3) / (3 log2 6) = 0.8710. The second, N = 4:
    # prox(3, 2) has mass 0/2 + 1 = 1, 2 bits; own 3 bits: 11/12.
    hand="(2 log 6 + log 3) / (3 log 6) = 0.8710 and 11/12 = 0.9167",
    asks=(
        Ask("ordeval", "oe.cem_ord([1, 2, 3], [1, 2, 9])", 0.8710),
        Ask("ordeval", "oe.cem_ord([1, 2, 4, 5], [1, 3, 4, 5])", 0.9167),
        Ask("ordinal-xai", "cem([1, 2, 3], [1, 2, 9])", 0.8710),
        Ask("ordinal-xai", "cem([1, 2, 4, 5], [1, 3, 4, 5])", 0.9167),
    ),
)

MISSING = Trap(
    "An answer that is missing",
    "A missing answer earns nothing, but the item still counts.",
    "gold, predicted = [1.0, 2.0, 3.0], [1.0, 2.0, np.nan]",
    hand="2 of 3 answers are right and the third earns nothing: 0.6667 by accuracy and by closeness",
    asks=(
        Ask("ordeval", "oe.cem_ord(gold, predicted, missing='zero')", 0.6667),
        Ask("ordeval", "oe.accuracy(gold, predicted, missing='zero')", 0.6667),
        Ask("ordeval", "oe.accuracy(gold, predicted)", "an error"),
        Ask("scikit-learn", "accuracy_score(gold, predicted)", 0.6667),
        Ask("skordinal", "1 - mean_zero_one_error(gold, predicted)", 0.6667),
        Ask("ordinal-xai", "accuracy(gold, predicted)", 0.6667),
        Ask("ordinal-xai", "cem(gold, predicted)", 0.6667, "labels are integers"),
        Ask("pycm", "ConfusionMatrix(gold, predicted).Overall_ACC", 0.6667),
    ),
)

CONSTANT = Trap(
    "Chance-corrected agreement of a constant",
    "If everything is one class, agreement by chance is 1, too, and the value is 0 / 0: neither perfect nor bad.",
    "gold = predicted = [2, 2, 2]",
    hand="NaN, with the reason; an error is right, too",
    asks=(
        Ask("ordeval", "oe.weighted_kappa(gold, predicted)", "NaN"),
        Ask("ordeval", "oe.krippendorff_alpha(gold, predicted)", "NaN"),
        Ask("ordeval", "oe.kendall_tau_b(gold, predicted)", "NaN"),
        Ask("scikit-learn", "cohen_kappa_score(gold, predicted, weights='quadratic')", "NaN"),
        Ask("skordinal", "weighted_kappa(gold, predicted)", "NaN"),
        Ask("skordinal", "kendalls_tau(gold, predicted)", "NaN", "0 for a constant"),
        Ask("ordinal-xai", "weighted_kappa(gold, predicted)", "NaN"),
        Ask("pycm", "ConfusionMatrix(gold, predicted).Kappa", "NaN"),
        Ask(
            "torchmetrics",
            "float(cohen_kappa(tensor(predicted), tensor(gold), task='multiclass', num_classes=4, weights='linear'))",
            "NaN",
        ),
        Ask("SciPy", "kendalltau(gold, predicted).statistic", "NaN"),
        Ask("krippendorff", "alpha([gold, predicted], level_of_measurement='ordinal')", "NaN"),
        Ask(
            "irrCAC",
            "CAC(pd.DataFrame({'a': gold, 'b': predicted}), weights='quadratic').conger()['est']['coefficient_value']",
            "NaN",
        ),
        Ask("statsmodels", "cohens_kappa(np.array([[0, 0], [0, 3]]), wt='quadratic').kappa", "NaN"),
    ),
)

ONLY_PREDICTED = Trap(
    "A class that occurs only in the answers",
    "It has no recall, so an average over classes must be over the gold classes only.",
    "gold, predicted = np.array([1, 1, 2, 2]), np.array([1, 3, 2, 2])",
    # recalls 1/2 and 1. CEM of 2, 2, 3, 3 with 1, 2, 3, 3: prox(1, 2) has mass 0/2 + 2 of 4, 1 bit; own 2 bits.
    hand="macro accuracy (1/2 + 1) / 2, minimum sensitivity 1/2, geometric mean sqrt(1/2), macro MAE (1 + 0) / 2, "
    "closeness 7/8",
    asks=(
        Ask("ordeval", "oe.macro_accuracy(gold, predicted)", 0.75),
        Ask("ordeval", "oe.min_sensitivity(gold, predicted)", 0.5),
        Ask("ordeval", "oe.cem_ord([2, 2, 3, 3], [1, 2, 3, 3])", 0.875),
        Ask(
            "scikit-learn",
            "recall_score(gold, predicted, average='macro')",
            0.75,
            "a class without gold has recall 0",
        ),
        Ask(
            "scikit-learn",
            "recall_score(gold, predicted, average='macro', zero_division=np.nan)",
            0.75,
        ),
        Ask("scikit-learn", "balanced_accuracy_score(gold, predicted)", 0.75),
        Ask("skordinal", "minimum_sensitivity(gold, predicted)", 0.5),
        Ask("dlordinal", "minimum_sensitivity(gold, predicted)", 0.5),
        Ask("ordinal-xai", "cem([2, 2, 3, 3], [1, 2, 3, 3])", 0.875),
        Ask("imbalanced-learn", "geometric_mean_score(gold, predicted)", 0.7071),
        Ask("imbalanced-learn", "geometric_mean_score(gold, predicted, labels=[1, 2])", 0.7071),
        Ask("imbalanced-learn", "macro_averaged_mean_absolute_error(gold, predicted)", 0.5),
        Ask("pycm", "ConfusionMatrix(list(gold), list(predicted)).TPR_Macro", 0.75),
        Ask(
            "torchmetrics",
            "float(recall(tensor(predicted), tensor(gold), task='multiclass', num_classes=4, average='macro'))",
            0.75,
            "a class without gold has recall 0",
        ),
    ),
)

TRAPS: tuple[Trap, ...] = (
    ORDER,
    GAP,
    OFF_SCALE,
    SPELLING,
    CLOSENESS,
    MISSING,
    CONSTANT,
    ONLY_PREDICTED,
)
