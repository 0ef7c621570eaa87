"""Intervals of agreement and of the ceiling keep their level, by simulation, in the corners of what people have."""

import pytest

from benchmarks.calibration.ratings import COEFFICIENTS, over_items, over_raters

SIMULATIONS = 300
# Two and a half standard errors of a share of 93 or 97% over so many simulations.
LOWEST = 0.93 - 2.5 * (0.93 * 0.07 / SIMULATIONS) ** 0.5
HIGHEST = 0.97 + 2.5 * (0.97 * 0.03 / SIMULATIONS) ** 0.5
FEW = 10  # disagreements: where fewer are expected the promise is at most 99.5%, and sampling can reach 100%


@pytest.mark.slow
@pytest.mark.parametrize(
    "population",
    [
        {"n": 30, "raters": 3, "k": 3, "gold": "even", "agreement": "moderate", "gaps": 0.3},
        {"n": 30, "raters": 3, "k": 5, "gold": "skewed", "agreement": "high", "gaps": 0.3},
        {"n": 30, "raters": 10, "k": 5, "gold": "skewed", "agreement": "moderate", "gaps": 0.0},
        {"n": 100, "raters": 3, "k": 3, "gold": "even", "agreement": "high", "gaps": 0.0},
        {"n": 100, "raters": 10, "k": 5, "gold": "skewed", "agreement": "high", "gaps": 0.3},
    ],
)
def test_intervals_over_items_hold_the_value_of_the_population_in_93_to_97_percent_of_samples(
    population,
):
    rows = over_items(**population, simulations=SIMULATIONS)
    assert all(row["inside"] for row in rows)
    for row in rows:
        assert row["coverage"] >= LOWEST, row
        assert row["coverage"] <= (1.0 if row["errors"] < FEW else HIGHEST), row


@pytest.mark.slow
def test_items_alone_are_too_narrow_where_raters_are_drawn_too_and_both_are_not():
    rows = over_raters(n=100, raters=10, agreement="moderate", simulations=SIMULATIONS)
    found = {(row["drawn"], row["measure"]): row["coverage"] for row in rows}
    for name in COEFFICIENTS[:3]:
        assert found["items", name] < 0.9
        assert found["both", name] >= LOWEST
