"""Intervals from 9,999 resamples, against those who draw items: theirs is scaled from fewer resamples, and says so."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import ordeval as oe
from benchmarks.one import labels
from benchmarks.rivals import CLASSES
from benchmarks.timing import absent, row, seconds, side_by_side

__all__ = ["rows"]

RESAMPLES = 9999
PATIENCE = 5.0  # seconds that theirs may take, all repeats together

Drawn = Callable[[int], Any]  # the number of resamples in, intervals out


def scipy_mae(gold: Any, predicted: Any) -> Drawn:
    """SciPy's bootstrap of a vectorised statistic: the quickest that it can be given."""
    from scipy.stats import bootstrap

    def mae(a: Any, b: Any, axis: int) -> Any:
        return np.abs(a - b).mean(axis=axis)

    batch = max(1, 10**7 // len(gold))
    return lambda size: bootstrap(
        (gold, predicted), mae, paired=True, n_resamples=size, batch=batch, method="percentile"
    )


def scipy_kappa(gold: Any, predicted: Any) -> Drawn:
    """SciPy's bootstrap of scikit-learn's kappa."""
    from scipy.stats import bootstrap
    from sklearn.metrics import cohen_kappa_score

    def kappa(a: Any, b: Any) -> Any:
        return cohen_kappa_score(a, b, weights="quadratic")

    return lambda size: bootstrap(
        (gold, predicted),
        kappa,
        paired=True,
        vectorized=False,
        n_resamples=size,
        method="percentile",
    )


def confidenceinterval_accuracy(gold: Any, predicted: Any) -> Drawn:
    """Bootstrap of confidenceinterval."""
    from confidenceinterval import accuracy_score

    names = gold.tolist(), predicted.tolist()
    return lambda size: accuracy_score(*names, method="bootstrap_percentile", n_resamples=size)


def torch_accuracy(gold: Any, predicted: Any) -> Drawn:
    """BootStrapper of torchmetrics: a copy of the metric for each resample."""
    import torch
    from torchmetrics.classification import MulticlassAccuracy
    from torchmetrics.wrappers import BootStrapper

    columns = torch.from_numpy(predicted), torch.from_numpy(gold)

    def draw(size: int) -> Any:
        one = MulticlassAccuracy(CLASSES, average="micro", validate_args=False)
        many = BootStrapper(one, num_bootstraps=size, quantile=torch.tensor([0.025, 0.975]))
        many.update(*columns)
        return many.compute()

    return draw


RIVALS: tuple[tuple[str, str, Callable[[Any, Any], Drawn]], ...] = (
    ("SciPy bootstrap, vectorised", "mae", scipy_mae),
    ("SciPy bootstrap, scikit-learn", "weighted_kappa(weights='quadratic')", scipy_kappa),
    ("confidenceinterval", "accuracy", confidenceinterval_accuracy),
    ("torchmetrics BootStrapper", "accuracy", torch_accuracy),
)


def rows(*, quick: bool) -> Iterator[dict[str, Any]]:
    """Time the interval of one measure, counting included, at two sizes."""
    for n in (10**4, 10**5) if quick else (10**4, 10**6):
        gold, predicted = labels(n)
        goal = "500 times faster" if n == 10**6 else "first"
        for name, measure, load in RIVALS:
            work = f"{oe.registry[measure].name}, {RESAMPLES:,} resamples, {n:,} items"
            try:
                theirs = load(gold, predicted)
                times, size = against(theirs, gold, predicted, measure)
                yield row(
                    work, name if size == RESAMPLES else f"{name} (from {size:,})", times, goal
                )
            except ImportError:
                yield absent(work, name, "not installed", goal)
            except Exception as error:  # noqa: BLE001 - theirs may break, ours goes on
                yield absent(work, name, f"{type(error).__name__}: {str(error)[:60]}", goal)


def against(
    theirs: Drawn, gold: Any, predicted: Any, measure: str
) -> tuple[tuple[list[float], list[float]], int]:
    """Return the times, theirs scaled from as many resamples as there is patience for, and how many these are."""
    few = 10
    theirs(few)
    each = seconds(lambda: theirs(few)) / few
    size = int(min(RESAMPLES, max(few, PATIENCE / 5 / each)))
    times = side_by_side(
        lambda: oe.evaluate(
            gold, predicted, metrics=[measure], method="percentile", n_resamples=RESAMPLES
        ),
        lambda: theirs(size),
        budget=PATIENCE,
    )
    return (times[0], [one * RESAMPLES / size for one in times[1]]), size
