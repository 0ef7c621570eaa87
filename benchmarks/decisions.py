"""Decisions: rules beside `argmax`, cut points beside a sort of the scores, and losses beside cross-entropy."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import ordeval as oe
from benchmarks.timing import absent, row, side_by_side

__all__ = ["rows"]

CLASSES = 5
BATCH = 256  # items of a step of training
MEASURES = (
    "accuracy",
    "cem_ord",
    "weighted_kappa(weights='quadratic')",
    "macro_f1",
    "kendall_tau_b",
)


def rows(*, quick: bool) -> Iterator[dict[str, Any]]:
    """Time rules, cut points and sets, each with all checks of what goes in."""
    items = 100_000 if quick else 1_000_000
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(np.ones(CLASSES), items)
    gold = (shares.cumsum(axis=1) < rng.random(items)[:, None]).sum(axis=1)
    scores = gold + rng.normal(size=items)
    labels = range(CLASSES)

    def fit(metric: str) -> Callable[[], Any]:
        return lambda: oe.decide.fit(shares, gold, metric=metric, labels=labels)

    def cut(metric: str) -> Callable[[], Any]:
        return lambda: oe.decide.cut(scores, gold, metric=metric, labels=labels)

    size = f"{items:,} x {CLASSES}"
    for metric in MEASURES:
        pair = side_by_side(fit(metric), lambda: shares.argmax(axis=1))
        yield row(
            f"decide.fit by {metric}, {size}",
            "argmax over the probabilities",
            pair,
            "at most 20 times",
        )
    rule = oe.decide.fit(shares, gold, metric=MEASURES[2], labels=labels)
    pair = side_by_side(lambda: rule.predict(shares), lambda: shares.argmax(axis=1))
    yield row(f"predict, {size}", "argmax over the probabilities", pair, "at most 20 times")
    for metric in MEASURES[1:4]:
        for name, sort in (("np.sort", np.sort), ("np.argsort", np.argsort)):
            pair = side_by_side(cut(metric), partial(sort, scores))
            yield row(
                f"decide.cut by {metric}, {items:,} scores",
                f"{name} of the scores",
                pair,
                "at most 3 times",
            )
    pair = side_by_side(
        lambda: oe.decide.sets(shares, gold, level=0.9, labels=labels), lambda: shares.argmax(axis=1)
    )  # fmt: skip
    yield row(f"decide.sets, {size}", "argmax over the probabilities", pair, "at most 20 times")
    yield from loss_rows()


def loss_rows() -> Iterator[dict[str, Any]]:
    """Time a step of training, forward and back, with the loss of a measure beside torch's cross-entropy."""
    for metric in MEASURES[1:3]:
        work = f"a step of expected_loss by {metric}, {BATCH} x {CLASSES}"
        competitor = "torch.nn.CrossEntropyLoss"
        try:
            import torch

            from ordeval.adapters.torch import expected_loss
        except ImportError:
            yield absent(work, competitor, "not installed")
            continue
        torch.manual_seed(0)
        logits = torch.randn(BATCH, CLASSES, requires_grad=True)
        gold = torch.randint(CLASSES, (BATCH,))

        def step(loss: Any, logits: Any = logits, gold: Any = gold) -> None:
            logits.grad = None
            loss(logits, gold).backward()

        ours, theirs = expected_loss(metric, classes=CLASSES), torch.nn.CrossEntropyLoss()
        yield row(
            work, competitor, side_by_side(partial(step, ours), partial(step, theirs)), goal=""
        )
