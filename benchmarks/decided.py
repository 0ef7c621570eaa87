"""What does `oe.decide.fit` gain on real data? Print a board of seven public sets, and write its page.

Of each set a logistic regression is trained on one half, ten times. The rules are fitted on its out-of-fold
probabilities for that half, and scored on the other half, which neither the model nor the rules have seen. The answers
of the most probable class, the median and the rounded mean need no fitting; the optimised rounder moves the cut points
of the mean by Nelder and Mead's simplex, as people write it by hand. `--splits` says how many; `--page FILE` writes the
board as a page. The data lies in ../shared/data, beside the repository, and is not part of it.
"""

import argparse
import csv
import gzip
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import ordeval as oe
from benchmarks.written import write_page

DATA = Path(__file__).parents[2] / "shared" / "data"
SETS = ("balance_scale", "swd", "lev", "era", "esl", "anes96_party_id", "wine_quality_white")
MEASURES = (
    "cem_ord",
    "weighted_kappa(weights='quadratic')",
    "macro_f1",
    "macro_mae",
    "kendall_tau_b",
)
PLAIN = ("mode", "median", "rounded mean")
ROUNDER, CUTS, RULE = "optimised rounder", "cut points", "rule"
ANSWERS = (*PLAIN, ROUNDER, CUTS, RULE)
FOLDS = 5
ABOUT = """\
Written by `make decided`. A logistic regression was trained on one half of each set, {splits} times. Each rule was
fitted on the out-of-fold probabilities of that half ({folds} folds) and scored on the other half. The mode, the median
and the rounded mean need no fitting. The optimised rounder is the one that people write by hand: cut points of the
mean, moved by Nelder and Mead's simplex while the measure gets better. Cut points are those of `oe.decide.cut` of the
same mean, and the rule is that of `oe.decide.fit`. All values are means over the splits."""

Scores = dict[
    tuple[str, str, str], list[float]
]  # of each set, measure and kind of answers, by split


def read(name: str) -> tuple[Any, Any]:
    """Return the features of a set, and its gold labels as codes."""
    with gzip.open(DATA / "classic_ordinal" / f"{name}.csv.gz", "rt", encoding="utf-8") as text:
        rows = list(csv.DictReader(text))
    features = [[float(row[key]) for key in row if key != "label"] for row in rows]
    gold = np.array([int(row["label"]) for row in rows])
    return np.array(features), np.unique(gold, return_inverse=True)[1]


def trained(features: Any, gold: Any) -> Any:
    """Return a logistic regression of scaled features."""
    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)).fit(features, gold)


def probabilities(model: Any, features: Any, k: int) -> Any:
    """Return a column for each class; a class that the model has not seen has probability 0."""
    rows = np.zeros((len(features), k))
    rows[:, model.classes_] = model.predict_proba(features)
    return rows


def out_of_fold(features: Any, gold: Any, k: int, seed: int) -> Any:
    """Return the probabilities of models that were trained without the item."""
    rows = np.zeros((len(gold), k))
    for fit_on, out in KFold(FOLDS, shuffle=True, random_state=seed).split(features):
        rows[out] = probabilities(trained(features[fit_on], gold[fit_on]), features[out], k)
    return rows


def plain_answers(rows: Any) -> dict[str, Any]:
    """Return the answers that need no fitting."""
    k = rows.shape[1]
    return {
        "mode": rows.argmax(axis=1),
        "median": (rows.cumsum(axis=1) < 0.5).sum(axis=1).clip(0, k - 1),
        "rounded mean": np.floor(rows @ np.arange(k) + 0.5).astype(int).clip(0, k - 1),
    }


def rounder(scores: Any, gold: Any, metric: str, k: int) -> Any:
    """Return cut points of a score, moved by a simplex while the measure gets better."""
    measure = oe.registry[metric]
    sign = -1 if measure.greater_is_better else 1

    def cost(points: Any) -> float:
        answers = np.searchsorted(np.sort(points), scores, side="right")
        value = measure.from_counts(np.bincount(gold * k + answers, minlength=k * k).reshape(k, k))
        return sign * float(np.nan_to_num(value))

    return np.sort(minimize(cost, np.arange(k - 1) + 0.5, method="nelder-mead").x)


def split_scores(name: str, seed: int, scores: Scores) -> None:
    """Train, fit and score on one random split of a set."""
    features, gold = read(name)
    k = int(gold.max()) + 1
    order = np.random.default_rng(seed).permutation(len(gold))
    half, other = order[: len(gold) // 2], order[len(gold) // 2 :]
    fitting = out_of_fold(features[half], gold[half], k, seed)
    rows = probabilities(trained(features[half], gold[half]), features[other], k)
    means = [each @ np.arange(k) for each in (fitting, rows)]
    for metric in MEASURES:
        rule = oe.decide.fit(fitting, gold[half], metric=metric, labels=range(k))
        cuts = oe.decide.cut(means[0], gold[half], metric=metric, labels=range(k))
        points = rounder(means[0], gold[half], metric, k)
        answers = {
            **plain_answers(rows),
            ROUNDER: np.searchsorted(points, means[1], side="right"),
            CUTS: cuts.predict(means[1]),
            RULE: rule.predict(rows),
        }
        for kind, given in answers.items():
            value = oe.registry[metric](gold[other], given, labels=range(k))
            scores.setdefault((name, metric, kind), []).append(float(value))


def rows_of(metric: str, scores: Scores) -> list[str]:
    """Write the table of one measure: the mean over splits, the best in bold, and in how many splits the rule leads."""
    up = 1 if oe.registry[metric].greater_is_better else -1
    lines = [
        f"| set | {' | '.join(ANSWERS)} | gain over the mode | splits in which the rule beats mode / best other |",
        "|---|" + "---:|" * (len(ANSWERS) + 2),
    ]
    for name in SETS:
        by_kind = {kind: np.array(scores[name, metric, kind]) for kind in ANSWERS}
        means = {kind: float(values.mean()) for kind, values in by_kind.items()}
        best = max(means.values(), key=lambda value: up * value)
        cells = [
            f"**{value:.3f}**" if f"{value:.3f}" == f"{best:.3f}" else f"{value:.3f}"
            for value in means.values()
        ]
        others = np.max([up * by_kind[kind] for kind in ANSWERS if kind != RULE], axis=0)
        wins = [
            int((up * by_kind[RULE] > rest + 1e-12).sum())
            for rest in (up * by_kind["mode"], others)
        ]
        gain = up * (means[RULE] - means["mode"])
        lines.append(f"| {name} | {' | '.join(cells)} | {gain:+.3f} | {wins[0]} / {wins[1]} |")
    return lines


def summary(scores: Scores) -> list[str]:
    """Count the sets in which the rule is better than the others, by the means over the splits."""
    lines = [
        "| measure | than the mode | than the median | than the rounded mean | than the rounder | best of all six |",
        "|---|" + "---:|" * 5,
    ]
    for metric in MEASURES:
        up = 1 if oe.registry[metric].greater_is_better else -1

        def mean(name: str, kind: str, metric: str = metric, up: int = up) -> float:
            return up * float(np.mean(scores[name, metric, kind]))

        counts = [
            sum(mean(name, RULE) > mean(name, kind) for name in SETS) for kind in (*PLAIN, ROUNDER)
        ]
        first = sum(max(ANSWERS, key=lambda kind: mean(name, kind)) == RULE for name in SETS)
        cells = " | ".join(f"{count} of {len(SETS)}" for count in (*counts, first))
        lines.append(f"| {metric} | {cells} |")
    return lines


def losses(scores: Scores) -> list[str]:
    """List where some plain answers are better than the rule, by the means over the splits."""
    lines = []
    for metric in MEASURES:
        up = 1 if oe.registry[metric].greater_is_better else -1
        behind = []
        for name in SETS:
            means = {kind: float(np.mean(scores[name, metric, kind])) for kind in (*PLAIN, RULE)}
            best = max(PLAIN, key=lambda kind: up * means[kind])
            if up * means[best] > up * means[RULE]:
                behind.append(f"{name} ({best} {means[best]:.3f}, rule {means[RULE]:.3f})")
        lines.append(f"- {metric}: {'; '.join(behind) or 'nowhere'}.")
    return lines


def page(scores: Scores, splits: int) -> str:
    """Write the board as a page."""
    lines = [
        "# Decisions on seven public data sets",
        "",
        ABOUT.format(splits=splits, folds=FOLDS),
        "",
        "In how many of the sets the rule is better:",
        "",
        *summary(scores),
        "",
        "Where plain answers are better than the rule:",
        "",
        *losses(scores),
    ]
    for metric in MEASURES:
        arrow = "larger" if oe.registry[metric].greater_is_better else "smaller"
        lines += ["", f"## {metric}", "", f"The {arrow}, the better.", "", *rows_of(metric, scores)]
    return "\n".join([*lines, ""])


def board(splits: int, sets: tuple[str, ...] = SETS) -> Scores:
    """Score all splits of the sets."""
    scores: Scores = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of scikit-learn, about rare classes
        for name in sets:
            for seed in range(splits):
                split_scores(name, seed, scores)
            print(f"{name}: done", file=sys.stderr)
    return scores


def main() -> None:
    """Print the board, and write it if a page is named."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.decided", description=__doc__)
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--page", type=Path)
    options = parser.parse_args()
    text = page(board(options.splits), options.splits)
    print(text)
    if options.page is not None:
        write_page(options.page, text)


if __name__ == "__main__":
    main()
