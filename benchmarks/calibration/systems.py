"""Many systems: family-wise error, differences found, the set of the best, ranks, and who is ahead again."""

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import ordeval as oe
from benchmarks.calibration.coverage import Task, batches
from benchmarks.calibration.populations import (
    ALPHA,
    FLIPS,
    GOLD,
    TYPICAL,
    as_patterns,
    draw_answers,
    draw_gold,
    expit,
    logit,
    score_function,
    seeded,
)
from ordeval.stats.differences import differences
from ordeval.stats.distributions import t_cdf
from ordeval.stats.jackknife import item_sample

K, DECAY, SYSTEMS = 5, 0.25, 10
MEASURES = ("cem_ord", "mae", "macro_f1", "weighted_kappa(weights='quadratic')")
SHARED = 0.6  # how far all systems find the same items hard
CASE_SPREAD = 0.5
CASE_ITEMS = 20
SPREADS = {
    "equal": 0.0,
    "narrow": 0.06,
    "wide": 0.30,
}  # from the worst to the best share of right answers
SAMPLES = {"100 items": (100, 0), "300 items": (300, 0), "10 cases": (0, 10), "25 cases": (0, 25)}
PART = 300  # simulations of one job
BINS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
BELIEFS = {"wide": 0.15, "narrow": 0.02}  # standard deviation of true shares of right answers


def draw_runs(rng: np.random.Generator, rights: Any, *, items: int, cases: int) -> oe.Runs:
    """Draw the answers of systems with these shares of right answers to items, or to test cases of 20 items."""
    case = None if not cases else np.repeat(np.arange(cases), CASE_ITEMS)
    n = items or cases * CASE_ITEMS
    gold = draw_gold(rng, GOLD[K, "skewed"], (n,))
    hard = rng.standard_normal(n)
    answers = {}
    for at, right in enumerate(rights):
        ease = right
        if case is not None:
            ease = expit(logit(right) + CASE_SPREAD * rng.standard_normal(cases))[case]
        answers[f"s{at:02}"] = draw_answers(
            rng, gold, ease, DECAY, K, difficulty=hard, shared=SHARED
        )
    return oe.Runs.from_labels(gold, answers, case=case, labels=range(K))


def compared(*, sample: str, spread: str, simulations: int, part: int) -> list[dict[str, Any]]:
    """Return false and true findings by both corrections, and whether the best set and the ranks hold the truth."""
    items, cases = SAMPLES[sample]
    rng = seeded("many", sample, spread, part)
    rights = TYPICAL + SPREADS[spread] * (np.arange(SYSTEMS) / (SYSTEMS - 1) - 0.5)
    names = [f"s{at:02}" for at in range(SYSTEMS)]
    any_wrong = {c: np.zeros(len(MEASURES)) for c in ("maxt", "holm")}
    found = {c: np.zeros(len(MEASURES)) for c in ("maxt", "holm")}
    holds = size = joint = width = 0.0
    for trial in range(simulations):
        runs = draw_runs(rng, rights, items=items, cases=cases)
        for correction in ("maxt", "holm"):
            c = oe.compare(
                runs, metrics=list(MEASURES), n_resamples=FLIPS, rng=trial, correction=correction
            )
            values = c.pair_values
            significant = values.p_adjusted <= ALPHA
            if spread == "equal":
                any_wrong[correction] += significant.any(axis=1)
            else:
                up = np.array(
                    [[1.0 if oe.registry[m].greater_is_better else -1.0] for m in MEASURES]
                )
                ahead = (values.difference * up > 0) == (values.first > values.second)
                any_wrong[correction] += (significant & ~ahead).any(axis=1)
                found[correction] += (significant & ahead).mean(axis=1)
            if correction == "maxt":
                holds += names[-1] in c.best
                size += len(c.best)
                true_rank = {name: SYSTEMS - at for at, name in enumerate(names)}
                # Among equal systems every rank is true: an interval that excludes one is wrong.
                joint += all(
                    (one.rank_low, one.rank_high) == (1, SYSTEMS)
                    if spread == "equal"
                    else one.rank_low <= true_rank[one.system] <= one.rank_high
                    for one in c.leaderboard
                )
                width += np.mean([one.rank_high - one.rank_low + 1 for one in c.leaderboard])
    return [
        {
            "sample": sample, "spread": spread, "measure": measure, "simulations": simulations,
            **{f"wrong {c}": any_wrong[c][m] / simulations for c in any_wrong},
            **{f"found {c}": found[c][m] / simulations for c in found},
            "holds": holds / simulations, "size": size / simulations, "joint": joint / simulations,
            "width": width / simulations,
        }
        for m, measure in enumerate(MEASURES)
    ]  # fmt: skip


def thirty_three(*, simulations: int) -> list[dict[str, Any]]:
    """Return what is found among 33 systems, 54 to 99% right, on 10 test cases of 50 items."""
    rng = seeded("33 systems")
    rights = np.linspace(0.54, 0.99, 33)
    found = {"maxt": 0.0, "holm": 0.0, "old": 0.0}
    tiers = best = 0
    for _ in range(simulations):
        case = np.repeat(np.arange(10), 50)
        gold = draw_gold(rng, GOLD[K, "skewed"], case.shape)
        ease = 0.3 * rng.standard_normal(10)[case]
        answers = {
            f"s{at:02}": draw_answers(rng, gold, expit(logit(right) + ease), DECAY, K)
            for at, right in enumerate(rights)
        }
        runs = oe.Runs.from_labels(gold, answers, case=case, labels=range(K))
        options = {"maxt": ("t", "maxt"), "holm": ("t", "holm"), "old": ("randomisation", "holm")}
        for name, (test, correction) in options.items():
            c = oe.compare(
                runs, metrics=["cem_ord"], test=test, correction=correction, n_resamples=FLIPS
            )
            found[name] += float((c.pair_values.p_adjusted <= ALPHA).mean())
            if name == "maxt":
                tiers += len(c.tiers)
                best += len(c.best)
            if name == "old":
                said = c.impossible
    shares = {name: share / simulations for name, share in found.items()}
    means = {"tiers": tiers / simulations, "best": best / simulations}
    return [{**shares, **means, "said": said, "simulations": simulations}]


def ahead_again(*, belief: str, n: int, simulations: int) -> list[dict[str, Any]]:
    """Return, for bins of the win probability, how often the system in front is in front on a second sample."""
    rng = seeded("win", belief, n)
    score = score_function(K, ["cem_ord"])
    wins, again = [], []
    for samples in batches(simulations):
        rights = np.clip(
            TYPICAL + BELIEFS[belief] * rng.standard_normal((2, samples, 1)), 0.02, 0.98
        )
        leads = []
        for _ in range(2):
            classes = draw_gold(rng, GOLD[K, "skewed"], (samples, n))
            hard = rng.standard_normal(classes.shape)
            both = [
                draw_answers(rng, classes, right, DECAY, K, difficulty=hard, shared=SHARED)
                for right in rights
            ]
            patterns = as_patterns(np.concatenate([classes, classes]), np.concatenate(both), K)
            a, b = np.arange(samples), np.arange(samples) + samples
            leads.append(differences(item_sample([patterns], score), 0, a, b))
        win = t_cdf(np.abs(leads[0].t) / np.sqrt(2), np.full(samples, n - 1.0))
        same_way = np.sign(leads[0].value) * np.sign(leads[1].value)
        real = leads[0].value != 0
        wins.append(win[real])
        again.append((same_way[real] + 1) / 2)
    win, again = np.concatenate(wins), np.concatenate(again)
    rows = []
    for low, high in itertools.pairwise(BINS):
        there = (win >= low) & ((win < high) | (high == 1.0))
        if there.sum() >= 20:
            rows.append(
                {"belief": belief, "n": n, "low": low, "high": high, "pairs": int(there.sum()),
                 "said": float(win[there].mean()), "again": float(again[there].mean())}
            )  # fmt: skip
    return rows


def tasks(simulations: Callable[[int], int]) -> dict[str, Sequence[Task]]:
    """Return the work of each table."""
    sizes = {"equal": simulations(600), "narrow": simulations(150), "wide": simulations(150)}
    return {
        "many": [
            (compared, {"sample": sample, "spread": spread, "simulations": min(size, PART), "part": part})
            for sample in SAMPLES
            for spread, size in sizes.items()
            for part in range(max(size // PART, 1))
        ],
        "33": [(thirty_three, {"simulations": simulations(10)})],
        "win": [
            (ahead_again, {"belief": belief, "n": n, "simulations": simulations(10_000)})
            for belief in BELIEFS
            for n in (100, 300)
        ],
    }  # fmt: skip
