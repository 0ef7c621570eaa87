"""Random tables for every test: absent classes, gold of one class, weights; and their items one by one."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st

__all__ = ["SETTINGS", "Items", "items", "measures", "random_counts", "settings_of", "tables"]

# Settings beside the defaults, for every measure that has any: the laws hold for these too.
SETTINGS: dict[str, list[dict[str, Any]]] = {
    "accuracy_within": [{"n": 0}, {"n": 2}],
    "threshold_loss": [{"penalty": "logistic"}, {"penalty": "zero_one"}],
    "weighted_kappa": [{"weights": "quadratic"}, {"weights": "identity"}],
    "krippendorff_alpha": [{"level": "interval"}, {"level": "nominal"}, {"weights": "linear"}],
    "gwet_ac2": [{"weights": "linear"}, {"weights": "quadratic"}, {"weights": "identity"}],
    "fleiss_kappa": [{"weights": "radical"}],
    "conger_kappa": [{"weights": "ordinal"}, {"weights": "quadratic"}],
    "brennan_prediger": [{"weights": "ordinal"}, {"weights": "bipolar"}],
    "ordinal_classification_index": [{"beta": 0.25, "gamma": 2.0}, {"beta": 0.0}],
    "uniform_ordinal_index": [{"beta": 0.25}, {"beta": 1.0}],
    "wasserstein": [{"divide_by": "classes"}],
    "cross_entropy": [{"epsilon": 1e-9}],
    "log_loss": [{"epsilon": 1e-9}],
    "calibration_error": [{"bins": 1}],
}


def settings_of(metric: Any) -> list[Any]:
    """Return a measure with its defaults, and with each of the settings above."""
    return [metric, *(metric.with_parameters(**chosen) for chosen in SETTINGS.get(metric.name, []))]


def measures() -> list[Any]:
    """Return every measure of the registry, in all settings under test."""
    import ordeval as oe

    return [setting for metric in oe.registry.values() for setting in settings_of(metric)]


@dataclass(frozen=True)
class Items:
    """Items one by one, as positions on a scale of k classes; an answer may be None."""

    k: int
    gold: list[int]
    predicted: list[int | None]
    weight: list[float]
    values: list[float]
    reference: list[float] = field(default_factory=list)

    def __iter__(self) -> Iterator[tuple[int, int | None, float]]:
        return zip(self.gold, self.predicted, self.weight, strict=True)

    def answering(self, answer: Any) -> "Items":
        """Return the items with `answer(gold class)` in place of each missing answer."""
        given = [answer(g) if s is None else s for g, s, _ in self]
        return replace(self, predicted=given)

    @property
    def scaled(self) -> "Items":
        """The items with weights of the mean 1: what measures see."""
        factor = len(self.weight) / sum(self.weight)
        return replace(self, weight=[w * factor for w in self.weight])

    @property
    def counts(self) -> np.ndarray:
        table = np.zeros((self.k, self.k))
        for g, s, w in self:
            if s is not None:
                table[g, s] += w
        return table

    @property
    def unanswered(self) -> np.ndarray:
        missed = np.zeros(self.k)
        for g, s, w in self:
            if s is None:
                missed[g] += w
        return missed


# Strategies are made once: to make and check them again in every example takes longer than the example.
@cache
def classes(k: int) -> Any:
    """Some of the k classes, at least one."""
    return st.sets(st.integers(0, k - 1), min_size=1).map(lambda some: tuple(sorted(some)))


@cache
def rows(gold: tuple[int, ...], answers: tuple[int | None, ...], *, weighted: bool, n: int) -> Any:
    """Up to n items with gold and answers of these classes, and weights."""
    answer = st.sampled_from([each for each in answers if each is not None])
    weight = st.sampled_from([0.5, 1.0, 1.25, 3.0]) if weighted else st.just(1.0)
    row = st.tuples(
        st.sampled_from(gold), st.none() | answer if None in answers else answer, weight
    )
    return st.lists(row, min_size=1, max_size=n)


@cache
def steps_between(k: int, *, equal: bool) -> Any:
    """The distances between the values of neighbouring classes, and one that is not used."""
    step = st.just(1.0) if equal else st.sampled_from([0.25, 1.0, 1.5, 4.0])
    return st.lists(step, min_size=k, max_size=k)


@cache
def cells(k: int) -> Any:
    """Counts of a table, one at least above 0."""
    count = st.sampled_from([0, 0, 1, 1, 2, 3, 7, 40])
    return st.lists(count, min_size=k * k, max_size=k * k).filter(any)


@cache
def some_classes(k: int) -> Any:
    """Some of the k classes, or none."""
    return st.sets(st.integers(0, k - 1))


@cache
def whole(least: int, most: int) -> Any:
    """A whole number."""
    return st.integers(least, most)


STARTS = st.sampled_from([-2.0, 0.0, 1.0])


@st.composite
def items(draw: Any, *, missing: bool = False, max_k: int = 4, max_n: int = 9) -> Items:
    """Draw items whose classes, in gold and in the answers, are any part of the scale."""
    k = draw(whole(1, max_k))
    gold, answers = draw(classes(k)), draw(classes(k))
    # Dyadic numbers, so that sums and distances are exact and a tie is a tie.
    weighted, uneven = draw(st.booleans()), draw(st.booleans())
    given = (None, *answers) if missing else answers
    drawn = draw(rows(gold, given, weighted=weighted, n=max_n))
    steps = draw(steps_between(k, equal=not uneven))
    start = draw(STARTS)
    values = [start + sum(steps[:i]) for i in range(k)]
    return Items(k, *map(list, zip(*drawn, strict=True)), values)


@st.composite
def tables(draw: Any, *, max_k: int = 5, least_k: int = 1) -> np.ndarray:
    """Draw whole counts[gold, predicted] with at least one item; whole rows and columns may be empty."""
    k = draw(whole(least_k, max_k))
    counts = np.array(draw(cells(k))).reshape(k, k)
    rows, columns = draw(some_classes(k)), draw(some_classes(k))
    thinned = counts.copy()
    thinned[sorted(rows)] = 0
    thinned[:, sorted(columns)] = 0
    return thinned if thinned.any() else counts


def random_counts(seed: int, size: int, k: int, *, weighted: bool = False) -> np.ndarray:
    """Return a stack of tables: sparse and dense, with empty classes, and every tenth with gold of one class."""
    rng = np.random.default_rng(seed)
    counts = rng.poisson(rng.choice([0.3, 1.0, 6.0], size=(size, 1, 1)), size=(size, k, k))
    counts[:, rng.integers(k)] *= rng.integers(0, 2, size=(size, 1))
    counts[..., rng.integers(k)] *= rng.integers(0, 2, size=(size, 1))
    lone = np.arange(size) % 10 == 9
    counts[lone, 1:] = 0
    counts[:, 0, 0] += counts.sum(axis=(1, 2)) == 0
    return counts * rng.uniform(0.1, 2.0, size=counts.shape) if weighted else counts
