"""What another person needs to get the same numbers: settings, versions, the command, and the papers behind them."""

import platform
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ordeval.__about__ import __version__
from ordeval.comparison.captions import (
    LEFT_OUT,
    baseline_sentence,
    interval_sentence,
    pairs_sentence,
)
from ordeval.comparison.comparison import Comparison
from ordeval.formats.names import short
from ordeval.formats.numbers import amount, confidence
from ordeval.metrics import registry
from ordeval.metrics.references import REFERENCES
from ordeval.report.sentences import FAMILYWISE
from ordeval.scale import Scale

MOST_CLASSES = 30  # that are listed
BEST = "The systems that no other is significantly better than."
RANKS = (
    "The ranks of a system begin after the systems that are significantly better than it and end before those that are "
    "significantly worse."
)
TIERS = "A tier ends where every system above is significantly better than every system below."
FROM_PYTHON = "made from Python: ordeval.report.render(ordeval.compare(runs))"
CORRECTIONS = {"maxt": ["romano2005"], "holm": ["holm1979"], "bh": ["benjamini1995"]}
TOUCHED = {"missing": "missing", "unknown": "not on the scale", "rounded": "rounded"}


def method_rows(comparison: Comparison, command: str | None) -> list[tuple[str, str]]:
    """Return what was set and done, as terms with their explanations."""
    runs, scores = comparison.runs, comparison.scores
    scale, policy = runs.scale, runs.policy
    policies = {
        "missing answer": policy.missing,
        "answer not on the scale": policy.unknown,
        "duplicates": policy.duplicates,
        "missing gold": policy.gold_missing,
    }
    if policy.round != "error":
        policies["answer between two classes"] = policy.round
    rows = [
        *scale_rows(scale),
        ("Policy", "; ".join(f"{what}: {choice}" for what, choice in policies.items())),
        ("Answers touched by the policy", amounts(runs.touched, TOUCHED)),
        ("Rows left out", amounts(runs.ignored, LEFT_OUT)),
        *(("Note", note) for note in getattr(runs, "notes", ())),  # a table has none
        ("Score of a system", "mean over the test cases" if scores.cases else "over all items"),
        ("Intervals", interval_sentence(scores)),
    ]
    if comparison.pair_values is not None:
        tests = [pairs_sentence(comparison, comparison.pair_values), comparison.impossible]
        rows.append(("Test", " ".join(filter(None, tests))))
        together = ""
        if comparison.correction in FAMILYWISE:
            level = confidence(round(1 - comparison.alpha, 12))
            together = f" All of this holds together with {level} confidence."
        rows += [("Best", BEST), ("Ranks", RANKS), ("Tiers", TIERS + together)]
    rows.append(("Best constant answer", baseline_sentence(comparison.baseline)))
    return [*rows, ("Versions", versions()), ("Command", command or FROM_PYTHON)]


def scale_rows(scale: Scale) -> list[tuple[str, str]]:
    """Return the classes in order and their values."""
    return [
        ("Scale", joined(" < ", (short(label, 24) for label in scale.names))),
        ("Values of the classes", joined(", ", (f"{value:g}" for value in scale.values))),
    ]


def versions() -> str:
    """Return the versions of what computed the numbers."""
    return f"ordeval {__version__}, NumPy {np.__version__}, Python {platform.python_version()}"


def joined(sign: str, texts: Iterable[str]) -> str:
    """Join the texts of the classes, and cut the list where there are very many."""
    parts = list(texts)
    return sign.join([*parts[:MOST_CLASSES], *(["…"] if len(parts) > MOST_CLASSES else [])])


def amounts(times: Mapping[str, int], words: Mapping[str, str]) -> str:
    """Say how often each thing happened, 'none' if nothing did."""
    texts = [f"{amount(n)} {words.get(what, what)}" for what, n in times.items() if n]
    return ", ".join(texts) or "none"


def references_for(comparison: Comparison, metrics: Iterable[str]) -> list[Any]:
    """Return the papers behind the measures that the page shows, and behind the method."""
    keys = ["amigo2020", *(key for name in metrics for key in registry[name].references)]
    if comparison.scores.level is not None:
        keys.append("efron1981" if comparison.scores.method == "t" else "efron1987")
    if comparison.pair_values is not None:
        keys += {"randomisation": ["noreen1989", "yeh2000"]}.get(comparison.test, [])
        keys += [*CORRECTIONS.get(comparison.correction, ()), "mogstad2024"]
    return [REFERENCES[key] for key in dict.fromkeys(keys)]
