"""All answers to a few items, and the best of their expected tables: what a search is held against."""

import itertools

import numpy as np

from ordeval.metrics.registry import registry
from ordeval.scale import Scale

SIZES = {2: 9, 3: 7, 4: 5}  # items for which all answers can be tried, by the number of classes


def few_items(seed):
    """Return the probabilities of a few items: flat, or nearly sure."""
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 5))
    return rng.dirichlet(np.full(k, rng.choice([0.3, 1.0, 3.0])), SIZES[k])


def values_of(name, tables, scale):
    """Return the measure of each table, larger is better, by the public kernel."""
    measure = registry[name]
    values = np.asarray(measure.compute(tables, scale.numbers))
    values = values if measure.greater_is_better else -values
    return np.where(np.isnan(values), -np.inf, values)


def expected_of(name, rows, answers):
    """Return the measure of the table that answers (codes) let expect, larger is better."""
    k = rows.shape[1]
    table = np.zeros((k, k))
    for row, answer in zip(rows, answers, strict=True):
        table[:, answer] += row
    return float(values_of(name, table, Scale(range(k))))


def best_of_all(name, rows):
    """Return the measure of the best answers there are, larger is better."""
    n, k = rows.shape
    answers = np.array(list(itertools.product(range(k), repeat=n)))
    tables = np.einsum("ng,mna->mga", rows, np.eye(k)[answers])
    return float(values_of(name, tables, Scale(range(k))).max())
