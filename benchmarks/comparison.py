"""Resampling one system of a million items, and comparing many."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import ordeval as oe
from benchmarks.timing import seconds

__all__ = ["rows"]

METRICS = [
    "cem_ord",
    "accuracy",
    "macro_f1",
    "cohen_kappa",
    "mae",
    "macro_mae",
    "kendall_tau_b",
    "spearman",
    "weighted_kappa(weights='quadratic')",
    "krippendorff_alpha",
]
RESAMPLES = 9999
MOST_SECONDS = 5.0
SYSTEMS, CASES, ITEMS, CLASSES = 33, 25, 4423, 4  # as many as the LLMJudge challenge has


def rows(*, quick: bool) -> Iterator[dict[str, Any]]:
    """Time ten measures over all resamples against one measure over some, and all pairs of many systems."""
    yield one_system(10**5 if quick else 10**6, 3 if quick else 20)
    yield many_systems()


def evaluated(table: oe.Table) -> Any:
    """Draw percentile intervals of ten measures; the default ones need no resamples."""
    return oe.evaluate(table, metrics=METRICS, method="percentile", n_resamples=RESAMPLES)


def one_system(n: int, theirs: int) -> dict[str, Any]:
    """Time intervals of ten measures against resampling items for scikit-learn's kappa, extrapolated."""
    from sklearn.metrics import cohen_kappa_score

    rng = np.random.default_rng(0)
    gold = rng.integers(0, 5, n)
    answer = np.clip(gold + rng.choice([-1, 0, 0, 0, 1], n), 0, 4)
    table = oe.Table.from_labels(gold, answer)
    ours = min(seconds(lambda: evaluated(table)) for _ in range(3))

    def resample() -> None:
        at = rng.integers(0, n, n)
        cohen_kappa_score(gold[at], answer[at], weights="quadratic")

    each = [seconds(resample) for _ in range(theirs)]
    whole = float(np.mean(each)) * RESAMPLES
    return {
        "work": f"{RESAMPLES:,} resamples, 10 measures, {n:,} items",
        "competitor": f"items, kappa alone ({theirs}, scaled)",
        "ours": ours,
        "theirs": whole,
        "ratio": whole / ours,
        "goal": "500 times faster",
    }


def many_systems() -> dict[str, Any]:
    """Time the whole comparison of 33 pooled systems: the shared data if it lies beside the checkout, else the like."""
    folder = Path(__file__).parents[2] / "shared" / "data" / "llmjudge2024"
    if folder.is_dir():
        runs = oe.Runs.from_files(
            folder / "gold.csv.gz", [folder / "systems.csv.gz"], missing="zero"
        )
    else:
        rng = np.random.default_rng(0)
        gold = rng.integers(0, CLASSES, ITEMS)
        systems = {
            f"system {i}": np.where(
                rng.random(ITEMS) < 0.4 + i / 100, rng.integers(0, CLASSES, ITEMS), gold
            )
            for i in range(SYSTEMS)
        }
        runs = oe.Runs.from_labels(gold, systems, case=np.arange(ITEMS) % CASES)
    pooled = runs.pooled()
    start = time.perf_counter()
    found = oe.compare(pooled, metrics=METRICS, n_resamples=RESAMPLES)
    taken = time.perf_counter() - start
    assert len(found.pairs) == len(METRICS) * SYSTEMS * (SYSTEMS - 1) // 2
    return {
        "work": f"compare {SYSTEMS} systems, {ITEMS:,} items, 10 measures, {RESAMPLES:,} draws",
        "competitor": f"{MOST_SECONDS:g} seconds",
        "ours": taken,
        "theirs": MOST_SECONDS,
        "ratio": MOST_SECONDS / taken,
        "goal": f"within {MOST_SECONDS:g} seconds",
    }
