"""Comparisons that a page must survive: hostile names, very many and very few of everything, undefined scores."""

import re

import numpy as np

from ordeval.comparison.compare import compare
from ordeval.ratings import Ratings
from ordeval.runs import Runs
from ordeval.table import Table

HOSTILE = (
    "</script><img src=x onerror=alert(1)>",
    '=HYPERLINK("http://example.org","x")',
    "quotes \" and ' and `, <b>bold</b> & \\ {{ 7 * 7 }} {% raw %}",
    "emoji 🦉🇪🇺👩‍🔬",
    "x" * 300,
    "من اليمين إلى اليسار",
    "\u202eoverride, \u2028 separators \u2029, control \x07",
    "50% & $x_1^2$ ~#{}\\textbf{z}",
)
HOSTILE_LABELS = ("-1 <i>low</i>", "mid \"' & 🎈", "</style><script>alert(2)</script>" + "h" * 300)
HOSTILE_CASES = ("]]><svg onload=alert(3)>", "قضية", "${alert(4)}", "+1+1")


def downloaded_names():
    """The hostile names in a table of comma-separated values: no formula, no control character."""
    first, formula, *others = HOSTILE
    shown = [re.sub("[\u202e\u2028\u2029\x07]", "\ufffd", name) for name in others]
    return {first, f"'{formula}", *shown}


def answers(rng, gold, k, mistakes):
    """The gold labels with a share of them replaced at random."""
    wrong = rng.random(gold.shape) < mistakes
    return np.where(wrong, rng.integers(0, k, gold.shape), gold)


def made(
    *, systems, items, k=3, cases=0, names=None, labels=None, case_names=None, seed=0, **options
):
    """A comparison of systems that are the worse the later they come."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, k, items)
    gold[:k] = range(k)
    labels = list(range(k)) if labels is None else list(labels)
    names = [f"system {s}" for s in range(systems)] if names is None else names
    case = None
    if cases:
        which = np.arange(items) % cases
        case_names = [f"case {c}" for c in range(cases)] if case_names is None else case_names
        case = [case_names[c] for c in which]
    predicted = {
        name: [labels[a] for a in answers(rng, gold, k, 0.1 + 0.5 * at / max(len(names), 1))]
        for at, name in enumerate(names)
    }
    runs = Runs.from_labels([labels[g] for g in gold], predicted, case=case, labels=labels)
    return compare(runs, **{"metrics": ["cem_ord", "mae"], "n_resamples": 99, **options})


def by_right_answers(right, items, **options):
    """Systems that answer so many of the items of each case right, compared by accuracy.

    right["a"] = (4, 1) of 4 items is an accuracy of 1 on case c1 and of 1/4 on case c2, and of 5/8 overall.
    """
    cases = len(next(iter(right.values())))
    gold = [1 + at % 2 for _ in range(cases) for at in range(items)]
    predicted = {
        name: [1 + (at + (at >= of_case)) % 2 for of_case in of_system for at in range(items)]
        for name, of_system in right.items()
    }
    case = [f"c{c}" for c in range(1, cases + 1) for _ in range(items)]
    settings = {"metrics": ["accuracy"], "primary": "accuracy", "n_resamples": 99, **options}
    return compare(Runs.from_labels(gold, predicted, case=case), **settings)


def hostile():
    return made(
        systems=len(HOSTILE), items=160, names=HOSTILE, labels=HOSTILE_LABELS, cases=4, case_names=HOSTILE_CASES
    )  # fmt: skip


def one_system():
    return made(systems=1, items=40)


def one_item():
    """One item and one class: there is nothing that could be wrong, or differ."""
    return compare([1], {"a": [1]}, metrics=["cem_ord", "mae"], n_resamples=99)


def one_class():
    return compare([1] * 4, {"a": [1] * 4, "b": [1] * 4}, metrics=["cem_ord"], n_resamples=99)


def one_case():
    return made(systems=3, items=60, cases=1)


def two_hundred_systems():
    return made(systems=200, items=240, cases=12)


def five_hundred_cases():
    return made(systems=5, items=4000, cases=500)


def undefined():
    """Kendall's tau of a constant, for one system and for all; the primary measure is the one that is lost."""
    gold = [1, 1, 2, 3, 2, 1]
    runs = Runs.from_labels(gold, {"constant": [2] * 6, "varied": [1, 2, 2, 3, 2, 1]})
    return compare(
        runs, metrics=["kendall_tau_b", "cem_ord"], primary="kendall_tau_b", n_resamples=99
    )


def nothing_defined():
    runs = Runs.from_labels([1, 1, 2, 3], {"constant": [2] * 4, "also": [3] * 4})
    return compare(runs, metrics=["kendall_tau_b"], primary="kendall_tau_b", n_resamples=99)


def weighted():
    runs = Runs.from_labels(
        [1, 2, 3, 2, 1, 3], {"a": [1, 2, 3, 2, 1, 2], "b": [1, 1, 1, 1, 1, 1]}, case=list("xxyyzz"),
        sample_weight=[0.5, 1, 2, 0.25, 1, 1],
    )  # fmt: skip
    return compare(runs, metrics=["cem_ord", "accuracy"], n_resamples=99)


def unanswered():
    runs = Runs.from_labels(
        [1, 2, 3, 3, 2, 1] * 5, {"a": [1, 2, None, 3, 2, 2] * 5, "b": [1, 1, 3, 3, None, None] * 5}, missing="zero"
    )  # fmt: skip
    return compare(runs, metrics=["cem_ord", "mae"], n_resamples=99)


def without_intervals():
    return made(systems=4, items=80, level=None)


def many_classes():
    """So many that cells have no room for a text, and matrices are still drawn."""
    return made(systems=2, items=200, k=25)


def by_raters():
    """Gold that several people made, one of them with a hostile name; systems of labels and of probabilities."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 60)
    marks = np.stack([answers(rng, truth, 3, 0.3) for _ in range(4)], axis=1).astype(float)
    marks[rng.random(marks.shape) < 0.2] = np.nan
    ratings = Ratings.from_array(marks, raters=["ann", "bob", "cy", HOSTILE[0]], labels=[0, 1, 2])
    systems = {"labels": answers(rng, truth, 3, 0.2), "shares": np.eye(3)[truth] * 0.7 + 0.1}
    options = {"metrics": ["cem_ord", "wasserstein"], "n_resamples": 99}
    return compare(Runs.from_labels(ratings, systems, gold_missing="drop"), **options)


def independent():
    """Two samples that share no items: 3/4 of 40 answers are right on Monday, 4/5 of 50 on Tuesday."""
    monday = Table.from_labels([1, 2, 3, 3] * 10, [1, 2, 3, 2] * 10)
    tuesday = Table.from_labels([1, 1, 2, 3, 3] * 10, [1, 1, 2, 3, 1] * 10)
    samples = {"monday": monday, "tuesday": tuesday}
    return compare(samples, metrics=["accuracy", "cem_ord"], primary="accuracy")


SMALL = (
    one_system,
    one_item,
    one_class,
    one_case,
    undefined,
    nothing_defined,
    weighted,
    unanswered,
    without_intervals,
    many_classes,
    independent,
)
LARGE = (two_hundred_systems, five_hundred_cases)
