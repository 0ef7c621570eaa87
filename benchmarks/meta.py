"""The left half of the paper's table 3, and the whole study of a shared task."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import ordeval as oe
from benchmarks.command import took
from benchmarks.timing import in_turn, row, seconds
from ordeval.paper.synthetic import left_half

__all__ = ["rows"]

GOAL_OF_STUDY = 4.0  # seconds of processor time


def plain_scores(gold: Any, predicted: Any) -> list[float]:
    """Score one output on one case by thirteen of the fifteen measures; closeness has no other implementation."""
    from scipy.stats import kendalltau, pearsonr, spearmanr
    from sklearn import metrics

    classes = np.unique(gold)
    recall = metrics.recall_score(gold, predicted, labels=classes, average="macro", zero_division=0)

    def macro(error: Any) -> float:
        return float(np.mean([error(gold[gold == c], predicted[gold == c]) for c in classes]))

    return [
        metrics.accuracy_score(gold, predicted),
        kendalltau(gold, predicted).statistic,
        metrics.mutual_info_score(gold, predicted),
        metrics.f1_score(gold, predicted, labels=classes, average="macro", zero_division=0),
        recall,
        metrics.cohen_kappa_score(gold, predicted),
        float((np.abs(gold - predicted) <= 1).mean()),
        metrics.mean_absolute_error(gold, predicted),
        macro(metrics.mean_absolute_error),
        metrics.mean_squared_error(gold, predicted),
        macro(metrics.mean_squared_error),
        pearsonr(gold, predicted).statistic,
        spearmanr(gold, predicted).statistic,
    ]


def plain_coverage(scores: Any, reference: Any) -> float:
    """Correlate scores[system] with UIR from reference[measure, system, case], pair by pair and case by case."""
    from scipy.stats import spearmanr

    change, ratio = [], []
    for a in range(len(scores)):
        for b in range(len(scores)):
            if a != b:
                ups = sum(
                    all(x >= y for x, y in zip(p, q, strict=True))
                    for p, q in zip(reference[:, a].T, reference[:, b].T, strict=True)
                )
                downs = sum(
                    all(x <= y for x, y in zip(p, q, strict=True))
                    for p, q in zip(reference[:, a].T, reference[:, b].T, strict=True)
                )
                change.append(scores[a] - scores[b])
                ratio.append((ups - downs) / reference.shape[2])
    return float(spearmanr(change, ratio).statistic)


def long_files(made: Any, systems: int, folder: Path) -> tuple[Path, Path]:
    """Write a collection as two files, one row for each item of gold and for each answer of the first systems."""
    gold, answers = ["case,item,label"], ["system,case,item,label"]
    for case, item in np.ndindex(made.gold.shape):
        gold.append(f"{case},{item},{made.gold[case, item]}")
        answers += [
            f"{system},{case},{item},{made.predicted[at, case, item]}"
            for at, system in enumerate(made.systems[:systems])
        ]
    paths = folder / "gold.csv", folder / "systems.csv"
    for path, lines in zip(paths, (gold, answers), strict=True):
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return paths


def rows(*, quick: bool) -> Iterator[dict[str, Any]]:
    """Time one seed of table 3's left half, generation included, and `ordeval meta` of 33 systems and 25 cases."""
    made = oe.simulate.collection(mean=3, ratios=[0.3, 0.6], cases=4 if quick else 10)
    gold, predicted = made.gold + 1, made.predicted.astype(np.int64) + 1
    outputs = [
        (gold[case], predicted[s, case]) for s in range(len(predicted)) for case in range(len(gold))
    ]
    whole = 50 * 100 / len(outputs)
    reference = np.random.default_rng(0).random((3, 10, 100))
    pairs = 50 * 49 / (10 * 9)  # UIR is computed once, for all measures and columns

    def theirs() -> None:
        for output in outputs:
            plain_scores(*output)

    def theirs_coverage() -> None:
        plain_coverage(reference[0].mean(axis=1), reference)

    repeats = 1 if quick else 3
    ours, part = in_turn(lambda: left_half(0), theirs, repeats=repeats)
    extra = seconds(theirs_coverage) * pairs
    yield row(
        "left half of table 3, one seed, generation included",
        "scikit-learn, SciPy (extrapolated)",
        (ours, [one * whole + extra for one in part]),
        "100 times faster, within 3 s",
    )
    judges = oe.simulate.collection(
        labels=4,
        shares=[0.45, 0.28, 0.18, 0.09],
        cases=25,
        items=177,
        ratios=np.linspace(0.2, 0.8, 7),
    )
    with tempfile.TemporaryDirectory() as folder:
        files = long_files(judges, 33, Path(folder))
        spent = [took("meta", *files).seconds for _ in range(repeats)]
    yield row(
        "ordeval meta, 33 systems, 25 cases, all measures",
        f"the goal of {GOAL_OF_STUDY:g} s of processor time",
        (spent, [GOAL_OF_STUDY] * repeats),
        f"within {GOAL_OF_STUDY:g} s",
    )
