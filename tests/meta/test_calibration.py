"""How often an interval of coverage holds the truth: many samples of systems from one large set of them."""

from dataclasses import replace

import numpy as np
import pytest

import ordeval as oe
from ordeval.meta.coverage import coverage_of_values
from ordeval.meta.values import DEFAULT_REFERENCE, read_values

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
    truth = coverage_of_values(population, NAMES, DEFAULT_REFERENCE)
    gap = truth["cem_ord"] - truth["accuracy"]
    rng = np.random.default_rng(0)
    held, apart = [], []
    for sample in range(SAMPLES):
        some = population.keep(rng.choice(400, systems, replace=False))
        found = coverage_of_values(
            some, NAMES, DEFAULT_REFERENCE, over=("systems",), resamples=299, rng=sample
        )
        ends = [found.interval(name, "systems") for name in NAMES]
        held += [one.low <= truth[name] <= one.high for name, one in zip(NAMES, ends, strict=True)]
        both = found.difference("cem_ord", "accuracy", "systems")
        apart.append(both.low <= gap <= both.high)
    print(f"{systems} systems: single {np.mean(held):.3f}, difference {np.mean(apart):.3f}")  # noqa: T201
    assert single <= np.mean(held) <= 0.98
    assert difference <= np.mean(apart) <= 0.99


def test_few_systems_are_said_to_give_intervals_that_are_too_narrow(population):
    few = coverage_of_values(
        population.keep(np.arange(0, 400, 50)), NAMES, DEFAULT_REFERENCE, resamples=19
    )
    assert "with only 8 systems" in few.caption
    many = coverage_of_values(replace(population), NAMES, DEFAULT_REFERENCE, resamples=0)
    assert "too narrow" not in many.caption
