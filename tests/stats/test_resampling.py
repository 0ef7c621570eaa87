"""A resample of items is one draw over cells; of cases, one draw over cases."""

import os
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as sk

import ordeval as oe
from ordeval.comparison.samples import cells_of, joint_patterns, system_patterns
from ordeval.comparison.score_runs import score_runs
from ordeval.comparison.scorer import Scorer
from ordeval.errors import LabelTypeError, ParameterError
from ordeval.inputs.policy import Policy
from ordeval.metrics.registry import resolve
from ordeval.scale import Scale
from ordeval.stats import chunks
from ordeval.stats.bootstrap import resampled_scores
from ordeval.stats.streams import Purpose, read_seed
from tests.examples import examples

CLASSES = 4


def sample(n=120, seed=3):
    rng = np.random.default_rng(seed)
    gold = rng.choice(CLASSES, size=n, p=[0.4, 0.3, 0.2, 0.1])
    answer = np.clip(gold + rng.choice([-1, 0, 0, 1], size=n), 0, CLASSES - 1)
    other = np.where(rng.random(n) < 0.7, answer, rng.integers(0, CLASSES, n))
    return gold, answer, other


def scorer_of(names, k=CLASSES):
    return Scorer(resolve(names), Scale(range(k)), Policy())


# The same measures by other libraries, on items: an item bootstrap that knows nothing of tables.
ITEMWISE = {
    "accuracy": lambda g, s: np.mean(g == s),
    "mae": lambda g, s: np.mean(np.abs(g - s)),
    "weighted_kappa(weights='quadratic')": lambda g, s: sk.cohen_kappa_score(
        g, s, weights="quadratic"
    ),
    "kendall_tau_b": lambda g, s: stats.kendalltau(g, s).statistic,
    "pearson": lambda g, s: stats.pearsonr(g, s).statistic,
}


@pytest.mark.later
@pytest.mark.examples
@pytest.mark.parametrize("name", ITEMWISE)
def test_drawing_cells_is_drawing_items_in_distribution(name):
    """Mean, spread and quantiles agree with SciPy's bootstrap of the items within the error of the simulation."""
    gold, answer, _ = sample()
    size = examples(2000)
    theirs = stats.bootstrap(
        (gold, answer),
        ITEMWISE[name],
        paired=True,
        vectorized=False,
        n_resamples=size,
        method="percentile",
        random_state=np.random.default_rng(5),
    ).bootstrap_distribution
    ours = resampled_scores(
        system_patterns(oe.Table.from_labels(gold, answer, labels=range(CLASSES)), 0),
        scorer_of([name]),
        unit="items",
        size=size,
        seed=1,
        purpose=Purpose.ITEMS,
    )[0, 0]
    spread = theirs.std()
    assert abs(ours.mean() - theirs.mean()) < 4 * spread * np.sqrt(2 / size)
    # relative error of a standard deviation: 1/sqrt(2n) each
    assert abs(ours.std() / spread - 1) < 4 * np.sqrt(1 / size)
    for q in (0.025, 0.25, 0.5, 0.75, 0.975):
        density = stats.norm.pdf(stats.norm.ppf(q)) / spread
        error = np.sqrt(q * (1 - q) * 2 / size) / density
        assert abs(np.quantile(ours, q) - np.quantile(theirs, q)) < 4.5 * error + 1e-9
    assert stats.ks_2samp(ours.round(6), theirs.round(6)).pvalue > 1e-4


def test_a_joint_draw_gives_every_system_the_table_of_its_items():
    gold, first, second = sample()
    runs = oe.Runs.from_labels(gold, {"a": first, "b": second}, labels=range(CLASSES))
    (case,) = joint_patterns(runs)
    np.testing.assert_array_equal(case.observed, cells_of(runs)[:, 0])
    draws = np.concatenate(list(case.draws(np.random.default_rng(0), 50)))
    assert (draws.sum(axis=1) == len(gold)).all()
    tables = case.tables(draws)
    # one resample, item by item: repeat each pattern's items as often as they were drawn
    patterns = case.cell
    for resample in (0, 17):
        for system in range(2):
            cells = np.repeat(patterns[system], draws[resample])
            expected = np.bincount(cells, minlength=CLASSES * (CLASSES + 1)).reshape(
                CLASSES, CLASSES + 1
            )
            np.testing.assert_array_equal(tables[resample, system], expected)
    # both systems see the same gold in every resample: the draws are paired
    np.testing.assert_array_equal(tables[:, 0].sum(axis=-1), tables[:, 1].sum(axis=-1))


def test_patterns_that_became_alike_when_a_system_was_left_out_are_merged():
    gold, first, second = sample()
    runs = oe.Runs.from_labels(gold, {"a": first, "b": second}, labels=range(CLASSES))
    (alone,) = joint_patterns(runs.select(["a"]))
    assert len(alone.count) == len(set(zip(gold.tolist(), first.tolist(), strict=True)))


def test_no_number_depends_on_how_the_work_is_cut(monkeypatch):
    gold, first, second = sample()
    case = np.arange(len(gold)) % 5
    runs = oe.Runs.from_labels(gold, {"a": first, "b": second}, case=case, labels=range(CLASSES))
    for unit, pooled in (("items", False), ("cases", False), ("cases", True)):
        arguments = {
            "unit": unit, "size": 200, "seed": 9, "purpose": Purpose.JOINT, "pooled": pooled,
        }  # fmt: skip
        whole = resampled_scores(joint_patterns(runs), scorer_of(["cem_ord", "mae"]), **arguments)
        with monkeypatch.context() as patch:
            patch.setattr(chunks, "NUMBERS_AT_A_TIME", 300)
            parts = resampled_scores(
                joint_patterns(runs), scorer_of(["cem_ord", "mae"]), **arguments
            )
        np.testing.assert_array_equal(whole, parts)


def test_the_same_seed_gives_the_same_numbers_whatever_the_number_of_threads():
    program = (
        "import numpy as np, ordeval as oe\n"
        "rng = np.random.default_rng(1)\n"
        "g, a, b = rng.integers(0, 4, (3, 2000))\n"
        "c = oe.compare(oe.Runs.from_labels(g, {'a': a, 'b': b, 'c': g}), n_resamples=199)\n"
        "import json; print(json.dumps(c.to_dict(), sort_keys=True))"
    )
    outputs = set()
    for threads in ("1", "2"):
        environment = os.environ | {"OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads}
        run = subprocess.run(
            [sys.executable, "-c", program],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.add(run.stdout)
    assert len(outputs) == 1


def test_a_seed_means_pcg64_from_a_seed_sequence_with_a_key_for_the_purpose():
    """What the documentation promises, redone with NumPy alone: accuracy is the share of right answers drawn."""
    # cells: (0, 0) 30, (1, 0) 10, (1, 1) 60
    gold, answer = (
        [0] * 30 + [1] * 70,
        [0] * 40 + [1] * 60,
    )
    scores = score_runs(
        oe.Table.from_labels(gold, answer),
        metrics=["accuracy"],
        method="percentile",
        n_resamples=500,
        rng=7,
    )
    stream = np.random.Generator(np.random.PCG64(np.random.SeedSequence(7, spawn_key=(1, 0))))
    drawn = stream.multinomial(100, [0.1, 0.3, 0.6], size=500)  # smallest cell first
    right = (drawn[:, 1] + drawn[:, 2]) / 100
    assert scores.low[0, 0] == pytest.approx(np.quantile(right, 0.025))
    assert scores.high[0, 0] == pytest.approx(np.quantile(right, 0.975))
    assert scores.error[0, 0] == pytest.approx(right.std(ddof=1))


def test_another_seed_gives_other_numbers_and_a_generator_or_none_is_taken_too():
    gold, answer, _ = sample()
    table = oe.Table.from_labels(gold, answer)
    low = [
        score_runs(table, method="percentile", n_resamples=99, rng=rng).low[0, 0]
        for rng in (0, 1, np.random.default_rng(0))
    ]
    assert len(set(low)) == 3
    fresh = score_runs(table, method="percentile", n_resamples=99, rng=None)
    again = score_runs(table, method="percentile", n_resamples=99, rng=fresh.seed)
    assert fresh.low[0, 0] == again.low[0, 0]


@pytest.mark.parametrize("rng", [-1, 1.5, "x", True])
def test_an_odd_source_of_chance_is_refused(rng):
    with pytest.raises(ParameterError, match="not a random seed"):
        read_seed(rng)


def test_resampling_cases_has_the_spread_of_a_mean():
    """The bootstrap of a mean of C scores has variance (mean squared deviation) / C, without simulation."""
    rng = np.random.default_rng(0)
    case = np.repeat(np.arange(20), 30)
    gold = rng.integers(0, 2, 600)
    easy = rng.random(20)[case]
    runs = oe.Runs.from_labels(
        gold, {"a": np.where(rng.random(600) < easy, gold, 1 - gold)}, case=case
    )
    scores = score_runs(runs, metrics=["accuracy"], method="percentile", n_resamples=20_000)
    expected = scores.case_values[0, 0].std() / np.sqrt(20)
    assert scores.resample == "cases"
    assert scores.error[0, 0] == pytest.approx(expected, rel=0.02)


def test_resampling_items_keeps_every_case_and_has_the_spread_of_independent_means():
    """Accuracy in a case of m items has variance p (1 - p) / m; their mean over C cases, the sum of those over C^2."""
    case = np.repeat(np.arange(4), [10, 20, 40, 80])
    right = np.concatenate(
        [
            np.arange(size) < size * share
            for size, share in ((10, 0.5), (20, 0.9), (40, 0.4), (80, 0.7))
        ]
    )
    runs = oe.Runs.from_labels(
        np.ones(150, int), {"a": right.astype(int)}, case=case, labels=[0, 1]
    )
    scores = score_runs(
        runs, metrics=["accuracy"], method="percentile", n_resamples=20_000, resample="items"
    )
    variance = (0.25 / 10 + 0.09 / 20 + 0.24 / 40 + 0.21 / 80) / 16
    assert scores.values[0, 0] == pytest.approx((0.5 + 0.9 + 0.4 + 0.7) / 4)
    assert scores.error[0, 0] == pytest.approx(np.sqrt(variance), rel=0.02)


def test_a_fixed_distribution_keeps_the_proximities_of_the_gold_in_every_resample():
    """Two classes, gold 3 : 1. Fixed: a right 0 is worth -log2(1.5/4), a right 1 -log2(0.5/4) = 3, a 0 for 1
    -log2(2.5/4). The resample with gold 2 : 2, all right, is worth all it can be; with one 1 answered 0 it is
    (2 * 1.415 + 3 + 0.678) / (2 * 1.415 + 2 * 3).
    """
    observed = np.array([[3.0, 0, 0], [0, 1, 0]])
    resample = np.array([[2.0, 0, 0], [1, 1, 0]])
    a, b, c = -np.log2(1.5 / 4), 3.0, -np.log2(2.5 / 4)
    fixed = Scorer(resolve(["cem_ord"]), Scale([0, 1]), Policy(), "fixed")
    assert fixed(resample, observed)[0] == pytest.approx((2 * a + b + c) / (2 * a + 2 * b))
    drawn = Scorer(resolve(["cem_ord"]), Scale([0, 1]), Policy())
    even, off = 2.0, -np.log2((1 + 2) / 4)  # with 2 : 2 every right answer is worth -log2(1/4)
    assert drawn(resample, observed)[0] == pytest.approx((3 * even + off) / (4 * even))


def test_the_choice_of_distribution_touches_closeness_measures_alone():
    gold, answer, _ = sample()
    table = oe.Table.from_labels(gold, answer)
    arguments = {"metrics": ["cem_ord", "mae"], "n_resamples": 300}
    drawn = score_runs(table, **arguments)
    fixed = score_runs(table, **arguments, distribution="fixed")
    assert drawn.error[0, 0] != fixed.error[0, 0]
    assert drawn.error[1, 0] == fixed.error[1, 0]
    assert "use the class distribution of the gold labels" in fixed.caption
    with pytest.raises(ParameterError, match="distribution='free' is not a choice"):
        score_runs(table, distribution="free")


def test_missing_answers_are_drawn_with_the_items_and_scored_by_the_policy():
    """60 right, 20 wrong and 20 without an answer: accuracy 0.6 by zero, 0.75 by drop, with the spreads of a share.

    Dropped, the number of answered items varies too; the spread is that of 0.75 over 80 answers, nearly.
    """
    gold = [1] * 100
    answer = [1] * 60 + [0] * 20 + [None] * 20
    for missing, value, spread in (
        ("zero", 0.6, np.sqrt(0.24 / 100)),
        ("drop", 0.75, np.sqrt(0.1875 / 80)),
    ):
        runs = oe.Runs.from_labels(gold, {"a": answer}, labels=[0, 1], missing=missing)
        scores = score_runs(runs, metrics=["accuracy"], method="percentile", n_resamples=20_000)
        assert scores.values[0, 0] == pytest.approx(value)
        assert scores.error[0, 0] == pytest.approx(spread, rel=0.03)


def test_progress_is_told_and_ends_at_the_end():
    gold, first, second = sample()
    runs = oe.Runs.from_labels(gold, {"a": first, "b": second}, case=np.arange(len(gold)) % 3)
    seen = []
    score_runs(
        runs,
        n_resamples=50,
        method="percentile",
        resample="items",
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen == sorted(seen)
    assert seen[-1][0] == seen[-1][1]


def test_ten_thousand_resamples_of_ten_measures_of_a_million_items_fit_in_500_megabytes():
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 5, 10**6)
    table = oe.Table.from_labels(gold, np.clip(gold + rng.integers(-1, 2, 10**6), 0, 4))
    names = [
        "cem_ord",
        "accuracy",
        "macro_f1",
        "cohen_kappa",
        "mae",
        "macro_mae",
        "kendall_tau_b",
        "spearman",
    ]
    names += ["weighted_kappa(weights='quadratic')", "krippendorff_alpha"]
    tracemalloc.start()
    try:
        scores = score_runs(table, metrics=names, n_resamples=9999)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 500 * 10**6
    # a million items leave little doubt: the standard error of a share p is sqrt(p (1 - p) / n)
    accuracy = scores.values[1, 0]
    assert scores.error[1, 0] == pytest.approx(np.sqrt(accuracy * (1 - accuracy) / 10**6), rel=0.05)


def test_groups_that_are_no_systems_or_cases_are_refused():
    counts = np.ones((2, 3, 3), dtype=int)
    table = oe.Table.from_counts(counts, axes=[("country", ["x", "y"])])
    with pytest.raises(LabelTypeError, match=r"this table has the axes \['country'\]"):
        score_runs(table)
