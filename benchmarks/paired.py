"""Paired comparisons of 2 and 33 systems, against SciPy's permutation test, scaled from fewer permutations."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import ordeval as oe
from benchmarks.one import labels
from benchmarks.timing import row, seconds

__all__ = ["rows"]

RESAMPLES = 9999
METRICS = ["mae", "weighted_kappa(weights='quadratic')"]
PATIENCE = 6.0


def rows(*, quick: bool) -> Iterator[dict[str, Any]]:
    """Time all pairs: intervals and p-values of two measures for ours, p-values of one for theirs."""
    patience = 1.0 if quick else PATIENCE
    for systems, n in (
        (2, 10_000),
        (6 if quick else 33, 4423),
    ):  # the second as the LLMJudge challenge has them
        gold, answers = outputs(systems, n)
        runs = oe.Runs.from_labels(gold, answers)
        repeats = 1 if systems > 2 else 3
        ours = [seconds(lambda runs=runs: compare(runs)) for _ in range(repeats)]
        pairs = systems * (systems - 1) // 2
        for theirs, name in ((vectorised, "vectorised, MAE"), (itemwise, "of kappa")):
            taken, size = of_one_pair(theirs, gold, answers, patience)
            kept = f"from {size:,}" + (", one pair" if pairs > 1 else "")
            yield row(
                f"{len(METRICS)} measures, {pairs} pair{'s' * (pairs > 1)} of systems, {n:,} items",
                f"SciPy permutation_test {name} ({kept})",
                (ours, [taken * pairs * RESAMPLES / size] * repeats),
                "first",
            )


def compare(runs: oe.Runs) -> Any:
    """Compare all pairs by randomisation, as they do, corrected over the pairs."""
    return oe.compare(
        runs, metrics=METRICS, primary="mae", test="randomisation", n_resamples=RESAMPLES
    )


def of_one_pair(
    theirs: Any, gold: Any, answers: dict[str, Any], patience: float
) -> tuple[float, int]:
    """Return the seconds that one pair takes with as many permutations as there is patience for, and their number."""
    first, second = list(answers.values())[:2]
    few = 20
    each = seconds(lambda: theirs(gold, first, second, few)) / few
    size = int(min(RESAMPLES, max(few, patience / each)))
    return seconds(lambda: theirs(gold, first, second, size)), size


def outputs(systems: int, n: int) -> tuple[Any, dict[str, Any]]:
    """Return gold and answers of systems that are wrong more and more often."""
    rng = np.random.default_rng(0)
    gold, near = labels(n)
    return gold, {
        f"system {i}": np.where(
            rng.random(n) < 0.5 + 0.4 * i / systems, gold, near[rng.permutation(n)]
        )
        for i in range(systems)
    }


def vectorised(gold: Any, a: Any, b: Any, size: int) -> Any:
    """SciPy's permutation test of a difference in mean absolute error: the quickest that it can be given."""
    from scipy.stats import permutation_test

    errors = np.abs(a - gold).astype(np.float64), np.abs(b - gold).astype(np.float64)
    return permutation_test(
        errors,
        lambda x, y, axis: (x - y).mean(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=size,
        batch=max(1, 10**6 // len(gold)),
    )


def itemwise(gold: Any, a: Any, b: Any, size: int) -> Any:
    """SciPy's permutation test of a difference in scikit-learn's kappa."""
    from scipy.stats import permutation_test
    from sklearn.metrics import cohen_kappa_score

    def difference(x: Any, y: Any) -> Any:
        return cohen_kappa_score(gold, x, weights="quadratic") - cohen_kappa_score(
            gold, y, weights="quadratic"
        )

    return permutation_test(
        (a, b), difference, permutation_type="samples", vectorized=False, n_resamples=size
    )
