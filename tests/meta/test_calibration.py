"""How often an interval of coverage holds the truth: many samples of systems from one large set of them."""

import numpy as np
import pytest

import ordeval as oe
from ordeval.meta.values import read_values
from ordeval.vocabulary import DEFAULT_REFERENCE

SAMPLES = 200
NAMES = ("cem_ord", "accuracy", "macro_f1", "mae")


@pytest.fixture(scope="module")
def population():
    """400 systems: five kinds of mistake, ratios drawn evenly; the truth is the coverage over all of them."""
    ratios = np.random.default_rng(5).uniform(0.05, 0.95, 80)
    made = oe.simulate.collection(
        labels=5, mean=1.5, deviation=(0.7, 1.5), cases=25, items=60, ratios=ratios, rng=1
    )
    return read_values(made.table, NAMES, also=DEFAULT_REFERENCE)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("systems", "single", "difference"), [(12, 0.65, 0.75), (30, 0.85, 0.88), (60, 0.87, 0.9)]
)
def test_intervals_over_systems_hold_the_truth_as_often_as_the_docs_say(
    population, systems, single, difference
):
    truth = oe.meta.coverage(population, NAMES, resamples=0)
    gap = truth["cem_ord"] - truth["accuracy"]
    rng = np.random.default_rng(0)
    held, apart = [], []
    for sample in range(SAMPLES):
        some = population.keep(rng.choice(400, systems, replace=False))
        found = oe.meta.coverage(some, NAMES, over=("systems",), resamples=299, rng=sample)
        ends = [found.interval(name, "systems") for name in NAMES]
        held += [one.low <= truth[name] <= one.high for name, one in zip(NAMES, ends, strict=True)]
        both = found.difference("cem_ord", "accuracy", "systems")
        apart.append(both.low <= gap <= both.high)
    print(f"{systems} systems: single {np.mean(held):.3f}, difference {np.mean(apart):.3f}")  # noqa: T201
    assert single <= np.mean(held) <= 0.98
    assert difference <= np.mean(apart) <= 0.99


def test_few_systems_are_said_to_give_intervals_that_are_too_narrow(population):
    few = oe.meta.coverage(population.keep(np.arange(19)), NAMES, resamples=19)
    assert "with only 19 systems the intervals over systems are too narrow" in few.caption
    enough = oe.meta.coverage(population.keep(np.arange(20)), NAMES, resamples=19)
    assert "too narrow" not in enough.caption
    without = oe.meta.coverage(population.keep(np.arange(19)), NAMES, resamples=0)
    assert "too narrow" not in without.caption
