"""How often 95% intervals of agreement among raters, and of the ceiling, hold the value of the population."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np

from benchmarks.calibration.coverage import Hits, Task
from benchmarks.calibration.populations import (
    GOLD,
    LEVEL,
    draw_answers,
    draw_gold,
    expit,
    logit,
    score_function,
    seeded,
)
from ordeval.comparison.ceiling import ceiling_sample, ceiling_tables
from ordeval.comparison.coefficients import coefficient_scores
from ordeval.metrics.registry import resolve
from ordeval.ratings import Ratings
from ordeval.scale import Scale
from ordeval.stats.t_intervals import t_interval

COEFFICIENTS = (
    "krippendorff_alpha",
    "gwet_ac2(weights='quadratic')",
    "fleiss_kappa",
    "conger_kappa(weights='quadratic')",
)
PAIRS = ("weighted_kappa(weights='quadratic')",)  # any other measure is a mean over pairs
CEILING = ("cem_ord", "accuracy")
RIGHT = {"moderate": 0.7, "high": 0.95}
SIZES = (30, 100, 1_000)
RATERS = (3, 10)
GAPS = (0.0, 0.3)
CLASSES = ((3, "even"), (5, "skewed"))
DECAY, SHARED = (
    0.25,
    0.6,
)  # how errors thin out with distance; how far all raters find the same items hard
RATER_SPREAD = 0.5  # standard deviation of a rater's skill, in logits, where raters are drawn too
LARGE = 200_000  # items that stand for the population
MANY_RATERS = 100


def draw_marks(
    rng: np.random.Generator,
    items: int,
    raters: int,
    *,
    k: int,
    gold: str,
    right: float,
    gaps: float,
    spread: float = 0.0,
    even: bool = False,
) -> Any:
    """Draw marks[item, rater], -1 where there is none; `even` raters have the skills of a whole population."""
    classes = draw_gold(rng, GOLD[k, gold], (items,))
    hard = rng.standard_normal(items)
    apart = rng.standard_normal(raters)
    if even:
        apart = np.array([NormalDist().inv_cdf((at + 0.5) / raters) for at in range(raters)])
    skill = expit(logit(right) + spread * apart)
    marks = [
        draw_answers(rng, classes, own, DECAY, k, difficulty=hard, shared=SHARED) for own in skill
    ]
    gone = rng.random((items, raters)) < gaps
    return np.where(gone, -1, np.stack(marks, axis=1))


def as_ratings(marks: Any, k: int) -> Ratings:
    """Return marks[item, rater] as ratings."""
    items, raters = marks.shape
    item, rater = np.nonzero(marks >= 0)
    return Ratings.from_marks(
        Scale(range(k)),
        tuple(f"r{at}" for at in range(raters)),
        item=item,
        rater=rater,
        mark=marks[item, rater],
        items=items,
    )


@lru_cache
def truths(*, k: int, gold: str, right: float, raters: int, gaps: float, spread: float) -> Any:
    """Return the coefficients, pair means and ceilings of the population: those of a very large sample."""
    rng = seeded("ratings to come", k, gold, right, raters, gaps, spread)
    items = LARGE if not spread else LARGE // 2
    marks = draw_marks(
        rng, items, raters, k=k, gold=gold, right=right, gaps=gaps, spread=spread, even=True
    )
    ratings = as_ratings(marks, k)
    found = coefficient_scores(ratings, measures(spread), level=None)
    values = [score.value for score in found.values()]
    if spread:
        return np.array(values)
    tables = ceiling_tables(ratings)
    human = tables.means(score_function(k, CEILING), tables.count[None])[:, 0, 0]
    return np.array([*values, *human])


def measures(spread: float = 0.0) -> Any:
    """Return the coefficients, and without a spread of raters the pair means too."""
    return resolve([*COEFFICIENTS, *(() if spread else PAIRS)])


def over_items(
    *, n: int, raters: int, k: int, gold: str, agreement: str, gaps: float, simulations: int
) -> list[dict[str, Any]]:
    """Return the coverage of coefficients, of a mean over pairs and of ceilings over samples of n items."""
    rng = seeded("ratings", n, raters, k, gold, agreement, gaps)
    right, score = RIGHT[agreement], score_function(k, CEILING)
    hits = Hits(truths(k=k, gold=gold, right=right, raters=raters, gaps=gaps, spread=0.0))
    bounds = [measure.bounds for measure in score.measures.values()]
    errors = np.zeros(len(hits.real))
    inside = True
    for _ in range(simulations):
        ratings = as_ratings(draw_marks(rng, n, raters, k=k, gold=gold, right=right, gaps=gaps), k)
        found = list(coefficient_scores(ratings, measures(), level=LEVEL).values())
        human = ceiling_sample(ratings, score).estimate
        low, high = t_interval(human, bounds, LEVEL)
        ends = np.array([(s.low, s.high, s.error, s.value) for s in found], dtype=np.float64)
        low, high = np.append(ends[:, 0], low), np.append(ends[:, 1], high)
        value = np.append(ends[:, 3], human.value)
        hits.add(low[:, None], high[:, None])
        known = ~np.isnan(low)
        errors += np.append(ends[:, 2], human.error[0]) ** 2 / simulations
        inside &= bool(((low <= value) & (value <= high) & (low < high))[known].all())
    names = [*measures(), *(f"ceiling {name}" for name in CEILING)]
    return [
        {
            "n": n, "raters": raters, "k": k, "gold": gold, "agreement": agreement, "gaps": gaps,
            "measure": name, "coverage": hits.coverage[m], "simulations": simulations,
            "errors": float((1 - hits.real[m]) ** 2 / errors[m]), "inside": inside,
        }
        for m, name in enumerate(names)
    ]  # fmt: skip


def over_raters(*, n: int, raters: int, agreement: str, simulations: int) -> list[dict[str, Any]]:
    """Return the coverage where another sample has other raters too, by drawing both and by drawing items alone."""
    rng, k, gold = seeded("raters", n, raters, agreement), 5, "even"
    right = RIGHT[agreement]
    real = truths(k=k, gold=gold, right=right, raters=MANY_RATERS, gaps=0.0, spread=RATER_SPREAD)
    hits = {"both": Hits(real), "items": Hits(real)}
    for _ in range(simulations):
        marks = draw_marks(
            rng, n, raters, k=k, gold=gold, right=right, gaps=0.0, spread=RATER_SPREAD
        )
        ratings = as_ratings(marks, k)
        for drawn, found in hits.items():
            scores = coefficient_scores(ratings, measures(RATER_SPREAD), resample=drawn).values()
            ends = np.array([(s.low, s.high) for s in scores], dtype=np.float64)
            found.add(ends[:, :1], ends[:, 1:])
    return [
        {
            "n": n, "raters": raters, "agreement": agreement, "drawn": drawn, "measure": name,
            "coverage": found.coverage[m],
        }
        for drawn, found in hits.items()
        for m, name in enumerate(measures(RATER_SPREAD))
    ]  # fmt: skip


def tasks(simulations: Callable[[int], int]) -> dict[str, Sequence[Task]]:
    """Return the work of each table."""
    many, some, few = simulations(1_000), simulations(200), simulations(300)
    return {
        "ratings": [
            (
                over_items,
                {
                    "n": n, "raters": raters, "k": k, "gold": gold, "agreement": agreement, "gaps": gaps,
                    "simulations": few if n == SIZES[-1] else many,
                },
            )
            for n in SIZES
            for raters in RATERS
            for k, gold in CLASSES
            for agreement in RIGHT
            for gaps in GAPS
        ],
        "raters": [
            (over_raters, {"n": n, "raters": raters, "agreement": agreement, "simulations": some})
            for n in (30, 100, 300)
            for raters in (3, 5, 10)
            for agreement in RIGHT
        ],
    }  # fmt: skip
