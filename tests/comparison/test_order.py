"""No result depends on the order of systems, items, cases or shards; the same seed gives the same bytes."""

import json

import numpy as np
import pytest

import ordeval as oe
from tests.examples import grid

RNG = np.random.default_rng(0)
N = 240
GOLD = RNG.integers(0, 4, N)
ANSWERS = {
    name: np.where(RNG.random(N) < share, GOLD, RNG.integers(0, 4, N))
    for name, share in {"d": 0.8, "a": 0.7, "c": 0.75, "b": 0.3}.items()
}
WEIGHT = RNG.random(N) + 0.5
CASE = np.arange(N) % 8
METRICS = ["cem_ord", "mae", "macro_f1", "kendall_tau_b"]


def compared(items, systems, *, data, **options):
    """Compare some of the items, in that order, by the systems in theirs."""
    case = None if data in {"items", "weights"} else CASE[items]
    weight = WEIGHT[items] if data == "weights" else None
    runs = oe.Runs.from_labels(
        GOLD[items], {name: ANSWERS[name][items] for name in systems}, case=case, sample_weight=weight, labels=range(4)
    )  # fmt: skip
    runs = runs.pooled() if data == "pooled" else runs
    return oe.compare(runs, metrics=METRICS, n_resamples=299, margin=0.05, **options).to_dict()


def flat(content, path=()):
    """Return every number and word of a result by its path; systems and cases by their names."""
    if isinstance(content, dict):
        parts = content.items()
    elif isinstance(content, list):
        named = [
            one.get("name", one.get("case")) if isinstance(one, dict) else None for one in content
        ]
        parts = zip(
            [at if name is None else name for at, name in enumerate(named)], content, strict=True
        )
    else:
        return {path: content}
    return {
        place: value
        for key, part in parts
        for place, value in flat(
            sorted(part) if key == "not_beaten_by" else part, (*path, key)
        ).items()
    }


def assert_same(first, second):
    one, two = flat(first), flat(second)
    assert one.keys() == two.keys()
    for path, value in one.items():
        if isinstance(value, float):
            assert two[path] == pytest.approx(value, rel=1e-9, abs=1e-12), path
        else:
            assert two[path] == value, path


@pytest.mark.parametrize("data", ["items", "weights", "cases", "pooled"])
@grid(
    "options",
    [{}, {"method": "bca"}, {"test": "randomisation", "correction": "holm"}],
    every=3,
)
def test_the_order_of_systems_and_items_changes_nothing(data, options):
    everything = np.arange(N)
    straight = compared(everything, sorted(ANSWERS), data=data, **options)
    shuffled = np.random.default_rng(1).permutation(N)
    assert_same(straight, compared(everything, list(ANSWERS), data=data, **options))
    assert_same(straight, compared(shuffled, sorted(ANSWERS)[::-1], data=data, **options))


@pytest.mark.parametrize("method", ["t", "percentile", "bca"])
def test_shards_that_are_added_up_are_the_whole_in_either_order(method):
    halves = [
        oe.Table.from_labels(GOLD[part], ANSWERS["a"][part], labels=range(4))
        for part in (slice(0, 100), slice(100, N))
    ]
    whole = oe.Table.from_labels(GOLD, ANSWERS["a"], labels=range(4))
    expected = oe.evaluate(whole, method=method, n_resamples=99).to_dict()
    for table in (halves[0] + halves[1], halves[1] + halves[0]):
        assert oe.evaluate(table, method=method, n_resamples=99).to_dict() == expected


def test_independent_tables_may_come_in_any_order():
    tables = {
        name: oe.Table.from_labels(GOLD[at::4], ANSWERS[name][at::4], labels=range(4))
        for at, name in enumerate(ANSWERS)
    }
    straight = oe.compare(tables, metrics=METRICS, n_resamples=199).to_dict()
    turned = dict(reversed(tables.items()))
    assert_same(straight, oe.compare(turned, metrics=METRICS, n_resamples=199).to_dict())


@pytest.mark.parametrize("data", ["items", "weights", "cases", "pooled"])
def test_the_same_seed_gives_the_same_bytes_and_another_one_other_draws(data):
    items = np.arange(N)
    one, two, three = (
        json.dumps(compared(items, sorted(ANSWERS), data=data, rng=rng)) for rng in (5, 5, 6)
    )
    assert one == two
    # all flips of 8 cases are counted
    assert json.loads(one)["pairs"] != json.loads(three)["pairs"] or data == "cases"
