"""What people type into the search of the site, and the pages of which one must be the first or second result."""

__all__ = ["SEARCHES"]

AGREEMENT = "howto/agreement"
ANNOTATORS = "howto/inter_annotator_agreement"
CASES = "howto/missing_predictions"
COMPARISON = "howto/comparison"
ENGINES = "howto/billion_rows"
JUDGE = "howto/llm_judge"
KAPPA = "howto/quadratic_weighted_kappa"
PROBABILITIES = "howto/class_probabilities"
TESTS = "howto/significant_difference"

SEARCHES: dict[str, tuple[str, ...]] = {
    # agreement
    "weighted kappa": (KAPPA, "measures/weighted_kappa"),
    "qwk": (KAPPA, "measures/weighted_kappa"),
    "quadratic weighted kappa": (KAPPA, "measures/weighted_kappa"),
    "inter-annotator agreement": (ANNOTATORS,),
    "inter annotator": (ANNOTATORS,),
    "krippendorff alpha": (ANNOTATORS, "measures/krippendorff_alpha"),
    "fleiss": (ANNOTATORS, "measures/fleiss_kappa"),
    "gwet": (ANNOTATORS, "measures/gwet_ac2"),
    "human agreement": (AGREEMENT, "howto/judges"),
    "how many annotators": (AGREEMENT, "howto/sample_size"),
    "cohen kappa": (KAPPA, "measures/cohen_kappa"),
    # comparing
    "confidence interval": (KAPPA, COMPARISON, "explanation/intervals_and_tests"),
    "confidence intervals": (KAPPA, COMPARISON, "explanation/intervals_and_tests"),
    "mcnemar": (TESTS,),
    "bootstrap": (COMPARISON, "explanation/intervals_and_tests"),
    "sample size": ("howto/sample_size",),
    "p-value": (TESTS,),
    "multiple comparisons": (TESTS,),
    "effect size": (COMPARISON, "howto/sample_size"),
    "statistical significance": (TESTS,),
    "shared task": ("tutorials/shared_task", "howto/rank_systems"),
    # judges
    "llm judge": (JUDGE,),
    "llm-as-a-judge": (JUDGE,),
    "likert": ("howto/order_of_labels",),
    # data
    "spark": (ENGINES,),
    "pandas": ("howto/scores_by_group", "howto/inputs"),
    "polars": ("howto/scores_by_group", "howto/inputs"),
    "excel": ("reference/file_formats",),
    "missing predictions": (CASES,),
    "duplicate predictions": (CASES,),
    "stars": ("reference/scale", "howto/order_of_labels", "quickstart"),
    "confusion matrix": ("howto/confusion_matrix",),
    "json schema": ("reference/json",),
    "evall": ("coming_from",),
    # probabilities
    "auc": ("howto/probabilities",),
    "rps": (PROBABILITIES, "measures/ranked_probability_score"),
    "brier": (PROBABILITIES, "measures/brier_score"),
    "calibration": (PROBABILITIES, "measures/calibration_error"),
    "probabilities": (PROBABILITIES, "howto/probabilities"),
    # measures
    "f1": ("measures/macro_f1",),
    "macro f1": ("measures/macro_f1",),
    "balanced accuracy": ("measures/macro_accuracy",),
    "spearman": ("measures/spearman",),
    "kendall": ("measures/kendall_tau_b", "measures/kendall_tau_a"),
    "mae": ("measures/mae",),
    "imbalanced classes": ("howto/imbalanced_classes",),
    "own metric": ("howto/own_measures",),
    "custom metric": ("howto/own_measures",),
    "which metric": ("which_measure",),
    # tools
    "api": ("reference/index", "reference/api/index"),
    "error message": ("reference/errors",),
    "not on the scale": ("reference/errors",),
    "latex table": ("howto/latex_table",),
    "tables in latex": ("howto/latex_table",),
    "exit status": ("reference/commands/index",),
    "github actions": ("howto/gates", "howto/fail_ci_build"),
    "cross validation": ("howto/cross_validation",),
    "pytorch": ("howto/torch", "howto/torchmetrics"),
    "lightgbm": ("howto/boosting",),
    "install": ("quickstart",),
    "notebook": ("tutorials/index",),
    "plot": ("gallery/index",),
}
