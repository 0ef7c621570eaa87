"""The grammar of measure names: `name` or `name(setting=value, ...)`, values as Python writes them; and short names."""

import ast
from typing import Any

from ordeval.errors import MetricError

# What people type, and the measure that they mean. A result always shows the full name.
ALIASES = {
    "cem": "cem_ord",
    "nmd": "normalised_match_distance",
    "acc": "accuracy",
    "ccr": "accuracy",
    "off1": "accuracy_within",
    "bacc": "macro_accuracy",
    "balanced_accuracy": "macro_accuracy",
    "macro_recall": "macro_accuracy",
    "uar": "macro_accuracy",
    "f1": "macro_f1",
    "gmean": "geometric_mean",
    "kappa": "cohen_kappa",
    "amae": "macro_mae",
    "mmae": "max_mae",
    "rho": "spearman",
    "tau": "kendall_tau_b",
    "kendall": "kendall_tau_b",
    "tau_a": "kendall_tau_a",
    "tau_b": "kendall_tau_b",
    "tau_c": "stuart_tau_c",
    "gamma": "goodman_kruskal_gamma",
    "lwk": "weighted_kappa(weights='linear')",
    "linear_weighted_kappa": "weighted_kappa(weights='linear')",
    "qwk": "weighted_kappa(weights='quadratic')",
    "quadratic_weighted_kappa": "weighted_kappa(weights='quadratic')",
    "alpha": "krippendorff_alpha",
    "ac2": "gwet_ac2",
    "ac1": "gwet_ac2(weights='identity')",
    "gwet_ac1": "gwet_ac2(weights='identity')",
    "scott_pi": "fleiss_kappa",
    "ccc": "lin_ccc",
    "oci": "ordinal_classification_index",
    "uoc": "uniform_ordinal_index",
    "rps": "ranked_probability_score",
    "logloss": "log_loss",
    "nll": "log_loss",
    "brier": "brier_score",
    "ece": "calibration_error",
}

# Aliases under which the literature knows a coefficient of its own; these are names of the package, too.
OFFERED = ("gwet_ac1", "scott_pi")


# Measures of one's own whose names have capitals, by the same name in small letters.
WITH_CAPITALS: dict[str, str] = {}


def full_name(name: object) -> str:
    """Return the name of a measure with an alias written out, and with its capitals; none of ours has any.

    >>> full_name("qwk"), full_name("alpha(level='interval')"), full_name("MAE")
    ("weighted_kappa(weights='quadratic')", "krippendorff_alpha(level='interval')", 'mae')
    """
    text = str(name)
    typed, bracket, settings = text.partition("(")
    lower = typed.strip().lower()
    full = ALIASES.get(lower)
    if full is None:
        return f"{WITH_CAPITALS.get(lower, typed.lower())}{bracket}{settings}"
    if not bracket:
        return full
    return f"{full[:-1]}, {settings}" if full.endswith(")") else f"{full}({settings}"


def aliases_of(name: str) -> list[str]:
    """Return the aliases of a measure, with whatever settings.

    >>> aliases_of("krippendorff_alpha")
    ['alpha']
    """
    return [alias for alias, full in ALIASES.items() if full.partition("(")[0] == name]


def parse(text: str) -> tuple[str, dict[str, Any]]:
    """Return the name and the settings that a text spells, or the measure and the settings that an alias stands for.

    >>> parse("qwk") == parse("weighted_kappa(weights='quadratic')")
    True
    """
    if callable(text):
        known = getattr(text, "__name__", type(text).__name__)
        raise MetricError(
            f"the function {known} is not a measure yet. Declare it: if it takes counts, with "
            f"@oe.measure(greater_is_better=...); if it takes gold and predicted labels, with "
            f"oe.measure.from_labels({known}, greater_is_better=...)."
        )
    if not isinstance(text, str):
        raise MetricError(
            f"{text!r:.60} is not the name of a measure; a name is text. 'ordeval metrics' lists them."
        )
    text = full_name(text).strip()
    if text.isidentifier():
        return text, {}
    try:
        call = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        call = None
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)) or call.args:
        raise MetricError(
            f"{text!r} is not the name of a measure; write it as name or name(setting=value)."
        )
    settings: dict[str, Any] = {}
    for keyword in call.keywords:
        if keyword.arg in settings:
            raise MetricError(f"{text!r} sets {keyword.arg} twice; set it once.")
        try:
            settings[str(keyword.arg)] = ast.literal_eval(keyword.value)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            word = ast.unparse(keyword.value)
            raise MetricError(
                f"{word} in {text!r} is not a value; write a number or a word in quotes."
            ) from None
    return call.func.id, settings


def split_names(text: str) -> list[str]:
    """Split a comma-separated list of names, leaving the commas inside brackets alone.

    >>> split_names("mae, ordinal_classification_index(beta=0.25, gamma=1), cem_ord")
    ['mae', 'ordinal_classification_index(beta=0.25, gamma=1)', 'cem_ord']
    """
    names, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            names.append(text[start:at])
            start = at + 1
    names.append(text[start:])
    return [name.strip() for name in names if name.strip()]
