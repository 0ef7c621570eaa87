"""One measure, all measures, and the import."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

import ordeval as oe
from benchmarks.timing import in_turn, row

__all__ = ["rows"]

CLASSES = 5


def rows(*, quick: bool) -> Iterator[dict[str, Any]]:
    """Time the core against scikit-learn's kappa and against reading both arrays once."""
    from sklearn.metrics import cohen_kappa_score

    def kappa(gold: Any, predicted: Any) -> Any:
        return lambda: cohen_kappa_score(gold, predicted, weights="quadratic")

    def closeness(gold: Any, predicted: Any, **options: Any) -> Any:
        return lambda: oe.cem_ord(gold, predicted, **options)

    rng = np.random.default_rng(0)
    small = rng.integers(0, CLASSES, (2, 1000))
    times = in_turn(closeness(*small), kappa(*small), repeats=15, calls=50)
    yield row(
        "one measure, 1,000 items, int64", "scikit-learn quadratic kappa", times, "20 times faster"
    )

    n = 10**6 if quick else 10**7
    for dtype, goal in ((np.int64, "at most 2.5 times"), (np.uint8, "at most 3 times")):
        gold, predicted = rng.integers(0, CLASSES, (2, n)).astype(dtype)
        times = in_turn(
            closeness(gold, predicted), lambda g=gold, p=predicted: (g.sum(), p.sum()), repeats=15
        )
        yield row(
            f"one measure, {n:,} items, {np.dtype(dtype).name}",
            "NumPy's sum of both arrays",
            times,
            goal,
        )

    n = 10**5 if quick else 10**6
    words = np.array(["awful", "bad", "fair", "good", "great"], dtype=object)
    texts = [words[codes].tolist() for codes in rng.integers(0, CLASSES, (2, n))]
    times = in_turn(closeness(*texts, labels=words.tolist()), kappa(*texts), repeats=3)
    yield row(
        f"one measure, {n:,} Python strings",
        "scikit-learn quadratic kappa",
        times,
        "20 times faster",
    )

    gold, predicted = rng.integers(0, CLASSES, (2, 10**6))

    def everything() -> list[Any]:
        table = oe.Table.from_labels(gold, predicted)
        return [measure(table) for measure in oe.registry.values()]

    times = in_turn(everything, closeness(gold, predicted), repeats=15)
    yield row(
        f"all {len(oe.registry)} measures, 1,000,000 items", "one of them", times, "at most 2 times"
    )

    def fresh(module: str) -> Any:
        return lambda: subprocess.run([sys.executable, "-c", f"import {module}"], check=True)

    times = in_turn(fresh("ordeval"), fresh("numpy"), repeats=9)
    yield row("import ordeval, fresh process", "import numpy", times, "at most 1.5 times")
