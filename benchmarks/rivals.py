"""The competitors: what each offers that we offer too, called in the way that suits it best.

A rival is one function of another library, without checks where it lets us choose, and the measure of ours that gives
the same number.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module, metadata
from typing import Any

import numpy as np

__all__ = ["CLASSES", "RIVALS", "Rival", "find", "version"]

CLASSES = 5
Call = Callable[[Any, Any], Any]


@dataclass(frozen=True, slots=True)
class Rival:
    """A function of another library, and the measure of ours that it is timed against."""

    library: str  # as pip knows it
    function: str
    measure: str  # ours
    load: Callable[[], Call]
    text: bool = False  # whether it takes text and the order of its classes
    everywhere: bool = True  # whether it is timed on every kind of column, or on int64 alone

    @property
    def name(self) -> str:
        """How the table calls it."""
        return f"{self.library} {self.function}"

    def ready(self) -> Call | str:
        """Return the call, or why there is none."""
        try:
            return self.load()
        except ImportError:
            return "not installed"
        except Exception as error:  # noqa: BLE001 - a library that breaks on import is no reason to stop
            return f"cannot be imported: {type(error).__name__}"


def find(library: str, measure: str) -> Call | str:
    """Return the call of a library for one of our measures, or why there is none."""
    return next(r for r in RIVALS if (r.library, r.measure) == (library, measure)).ready()


def version(library: str) -> str:
    """Return the installed version of a library."""
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return "not installed"


def named(module: str, function: str, **options: Any) -> Callable[[], Call]:
    """Return a loader of `module.function`, called with gold and predicted."""

    def load() -> Call:
        found = getattr(import_module(module), function)
        return lambda gold, predicted: found(gold, predicted, **options)

    return load


def statistic(function: str) -> Callable[[], Call]:
    """Return a loader of one of SciPy's correlations."""

    def load() -> Call:
        found = getattr(import_module("scipy.stats"), function)
        return lambda gold, predicted: found(gold, predicted).statistic

    return load


def pycm_kappa() -> Call:
    """Load pycm; it computes all that it knows of a table, so its weights are added to the default."""
    matrix = import_module("pycm").ConfusionMatrix

    def call(gold: Any, predicted: Any) -> Any:
        table = matrix(gold, predicted)
        order = table.classes
        weight = {a: {b: (i - j) ** 2 for j, b in enumerate(order)} for i, a in enumerate(order)}
        return table.weighted_kappa(weight=weight)

    return call


def torch_kappa() -> Call:
    """Load torchmetrics' kappa, without its checks."""
    torch = import_module("torch")
    found = import_module("torchmetrics.functional").cohen_kappa
    options = {
        "task": "multiclass",
        "num_classes": CLASSES,
        "weights": "quadratic",
        "validate_args": False,
    }

    def call(gold: Any, predicted: Any) -> Any:
        return float(
            found(*(torch.from_numpy(np.asarray(x)) for x in (predicted, gold)), **options)
        )

    return call


def krippendorff_alpha() -> Call:
    """Load krippendorff's alpha."""
    found = import_module("krippendorff").alpha
    return lambda gold, predicted: found(
        reliability_data=np.stack((gold, predicted)), level_of_measurement="ordinal"
    )


def gwet_ac2() -> Call:
    """Load irrCAC's AC2."""
    chance = import_module("irrCAC.raw").CAC
    frame = import_module("pandas").DataFrame
    return lambda gold, predicted: chance(
        frame({"gold": gold, "predicted": predicted}), weights="ordinal"
    ).gwet()


def statsmodels_kappa() -> Call:
    """Load statsmodels' kappa and the function of theirs that makes its table."""
    module = import_module("statsmodels.stats.inter_rater")

    def call(gold: Any, predicted: Any) -> Any:
        table, _ = module.to_table(np.column_stack((gold, predicted)), bins=CLASSES)
        return module.cohens_kappa(table, wt="quadratic", return_results=False)

    return call


def by_hand() -> Call:
    """Load the few lines of NumPy that somebody in a hurry would write: no check, and classes from 0 on."""
    squares = np.subtract.outer(np.arange(CLASSES), np.arange(CLASSES)) ** 2

    def call(gold: Any, predicted: Any) -> Any:
        pairs = np.bincount(gold * CLASSES + predicted, minlength=CLASSES**2)
        table = pairs.reshape(CLASSES, CLASSES)
        chance = np.outer(table.sum(axis=1), table.sum(axis=0)) / len(gold)
        return 1 - (squares * table).sum() / (squares * chance).sum()

    return call


KAPPA = "weighted_kappa(weights='quadratic')"
SKLEARN = "sklearn.metrics"
RIVALS: tuple[Rival, ...] = (
    Rival(
        "scikit-learn",
        "cohen_kappa_score",
        KAPPA,
        named(SKLEARN, "cohen_kappa_score", weights="quadratic"),
        text=True,
    ),
    Rival(
        "scikit-learn",
        "accuracy_score",
        "accuracy",
        named(SKLEARN, "accuracy_score"),
        everywhere=False,
    ),
    Rival(
        "scikit-learn",
        "mean_absolute_error",
        "mae",
        named(SKLEARN, "mean_absolute_error"),
        everywhere=False,
    ),
    Rival(
        "skordinal",
        "average_mean_absolute_error",
        "macro_mae",
        named("skordinal.metrics", "average_mean_absolute_error"),
        text=True,
    ),
    Rival("SciPy", "kendalltau", "kendall_tau_b", statistic("kendalltau")),
    Rival("SciPy", "spearmanr", "spearman", statistic("spearmanr"), everywhere=False),
    Rival("pycm", "weighted_kappa", KAPPA, pycm_kappa, text=True),
    Rival("torchmetrics", "cohen_kappa", KAPPA, torch_kappa),
    Rival("dlordinal", "amae", "macro_mae", named("dlordinal.metrics", "amae"), everywhere=False),
    Rival(
        "ordinal-xai",
        "cem",
        "cem_ord",
        named("ordinal_xai.utils.evaluation_metrics", "cem"),
        everywhere=False,
    ),
    Rival(
        "imbalanced-learn",
        "macro_averaged_mean_absolute_error",
        "macro_mae",
        named("imblearn.metrics", "macro_averaged_mean_absolute_error"),
        everywhere=False,
    ),
    Rival("krippendorff", "alpha", "krippendorff_alpha", krippendorff_alpha, everywhere=False),
    Rival("irrCAC", "gwet", "gwet_ac2", gwet_ac2, everywhere=False),
    Rival("statsmodels", "cohens_kappa", KAPPA, statsmodels_kappa, everywhere=False),
    Rival("NumPy", "by hand, no checks", KAPPA, by_hand, everywhere=False),
)
