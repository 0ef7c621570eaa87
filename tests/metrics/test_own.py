"""Measures of one's own are used like those of the registry, under their names."""

import copy
import importlib
import json
import math
import pickle
import statistics
import subprocess
import sys
from functools import partial

import numpy as np
import pytest
from sklearn.metrics import (
    accuracy_score,
    cohen_kappa_score,
    f1_score,
    matthews_corrcoef,
    mean_absolute_error,
    median_absolute_error,
    recall_score,
)

import ordeval as oe
from ordeval.errors import MeasureError, MetricError, ParameterError

RNG = np.random.default_rng(7)
GOLD = RNG.integers(1, 5, 300)
NEAR = np.clip(GOLD + RNG.integers(-1, 2, 300), 1, 4)
FAR = np.clip(GOLD + RNG.integers(-2, 3, 300), 1, 4)
SYSTEMS = {"near": NEAR, "far": FAR}
RATINGS = oe.Ratings.from_array(
    np.stack([GOLD, NEAR, FAR], axis=1)[:60], labels=[1, 2, 3, 4], raters=["ann", "bob", "cy"]
)


DECLARED = """
import ordeval as oe

@oe.measure(greater_is_better=True)
def lowest_answered(counts):
    return counts[..., 0].sum(axis=-1)
"""


def plain_share(counts):
    return np.trace(counts, axis1=-2, axis2=-1) / counts.sum(axis=(-1, -2))


def of_one_table(counts):
    return np.trace(counts) / counts.sum()


def of_many_tables(counts):
    return np.trace(counts, axis1=-2, axis2=-1) / counts.sum(axis=(-1, -2))


@pytest.fixture(params=[of_one_table, of_many_tables, accuracy_score])
def right(request):
    """The share of right answers as three people would write it; `accuracy` is the oracle."""
    labels = request.param is accuracy_score
    make = oe.measure.from_labels if labels else oe.measure
    return make(request.param, greater_is_better=True, bounds=(0, 1), perfect=1, name="right")


def test_a_function_scores_like_the_measure_of_the_registry_that_it_repeats(right):
    assert right(GOLD, NEAR) == oe.accuracy(GOLD, NEAR)
    tables = oe.Table.from_labels(GOLD, NEAR).counts * np.arange(1, 7).reshape(2, 3, 1, 1)
    assert right.from_counts(tables) == pytest.approx(oe.accuracy.from_counts(tables), abs=1e-15)


def test_evaluation_gives_a_function_the_same_interval(right):
    scores = oe.evaluate(GOLD, NEAR, metrics=["accuracy", "right"])
    ours, own = scores["accuracy"], scores[right]
    assert [own.value, own.low, own.high] == pytest.approx([ours.value, ours.low, ours.high])


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_a_bootstrap_draws_the_same_resamples_for_a_function(right, method):
    scores = oe.evaluate(GOLD, NEAR, metrics=["accuracy", right], method=method, n_resamples=99)
    assert scores["right"].low == pytest.approx(scores["accuracy"].low)


def test_comparison_ranks_and_tests_by_a_function(right):
    own = oe.compare(GOLD, SYSTEMS, metrics=["accuracy"], primary=right)
    ours = oe.compare(GOLD, SYSTEMS, metrics=["accuracy"], primary="accuracy")
    assert own.primary == "right"
    pairs, expected = own.to_dict()["pairs"], ours.to_dict()["pairs"]
    told = next(pair for pair in pairs if pair["metric"] == "right")
    same = next(pair for pair in expected if pair["metric"] == "accuracy")
    for number in ("difference", "low", "high", "p"):
        assert told[number] == pytest.approx(same[number])


def test_test_cases_are_averaged_by_a_function(right):
    case = np.arange(300) % 5
    runs = oe.Runs.from_labels(GOLD, SYSTEMS, case=case, item=np.arange(300))
    scores = oe.compare(runs, metrics=["accuracy", right], primary="accuracy").scores
    assert scores.values[1] == pytest.approx(scores.values[0])
    assert scores.low[1] == pytest.approx(scores.low[0])


def test_a_function_without_weights_is_interpolated_between_whole_items():
    def shares(y_true, y_pred):
        return np.mean(y_true == y_pred)

    own = oe.measure.from_labels(shares, greater_is_better=True, bounds=(0, 1))
    case = np.arange(300) % 5
    runs = oe.Runs.from_labels(GOLD, SYSTEMS, case=case, item=np.arange(300))
    scores = oe.compare(runs, metrics=["accuracy", own], primary="accuracy").scores
    assert scores.values[1] == pytest.approx(scores.values[0])
    # pseudo-items are spread over cells: the straight line between whole items is near the curve
    assert scores.low[1] == pytest.approx(scores.low[0], abs=1e-4)


def test_meta_evaluation_takes_a_function(right):
    coverage = oe.meta.coverage(
        oe.Runs.from_labels(GOLD, {**SYSTEMS, "constant": np.ones(300, dtype=int)}),
        ["accuracy", right],
        resamples=0,
    )
    assert coverage["right"] == coverage["accuracy"]


def test_a_study_of_own_measures_is_written_in_latex():
    right = oe.measure(of_many_tables, greater_is_better=True, bounds=(0, 1), name="right")
    runs = oe.Runs.from_labels(GOLD, SYSTEMS)
    study = oe.meta.study(runs, [right, "mae"], level=None)
    text = study.to_latex(label="tab:meta")
    assert r"\toprule" in text
    assert "right &" in text
    assert r"\label{tab:meta}" in text


def test_properties_of_a_function_are_those_of_the_measure_it_repeats(right):
    size = {"classes": 3, "items": 3, "imbalance_items": 5}
    own, ours = (oe.properties.check(one, **size) for one in (right, "accuracy"))
    assert [one.verdict for one in own] == [one.verdict for one in ours]
    assert own["ordinal_monotonicity"].metric == "right"


def test_a_decision_serves_a_function(right):
    rows = RNG.dirichlet(np.ones(3), 50)
    mode = oe.decide.fit(rows, metric="accuracy", labels=[1, 2, 3]).predict(rows)
    assert (
        oe.decide.fit(rows, metric=right, labels=[1, 2, 3]).predict(rows).tolist() == mode.tolist()
    )


def test_a_decision_serves_a_function_without_a_name():
    rows = RNG.dirichlet(np.ones(3), 20)
    rule = oe.decide.fit(rows, metric=lambda counts: of_one_table(counts), labels=[1, 2, 3])  # noqa: PLW0108
    assert rule.predict(rows).tolist() == (1 + rows.argmax(axis=1)).tolist()


def test_raters_agree_by_a_function(right):
    agreement = oe.agree(RATINGS, metrics=["accuracy", right])
    assert agreement["right"].value == pytest.approx(agreement["accuracy"].value)


def test_a_study_says_what_it_does_not_know_of_a_slow_function(monkeypatch):
    monkeypatch.setattr(importlib.import_module("ordeval.meta.study"), "SECONDS", 1e-9)
    own = oe.measure.from_labels(accuracy_score, greater_is_better=True, name="slow_accuracy")
    study = oe.meta.study(oe.Runs.from_labels(GOLD, SYSTEMS), [own], level=None)
    assert None in study.properties["slow_accuracy"]
    assert "not known whether it has all three" in study.recommendation
    assert "unknown: none was found that breaks it" in study.caption


@pytest.mark.later
def test_a_report_shows_a_function_under_its_name():
    from tests.report.pages import page_of

    right = oe.measure(of_many_tables, greater_is_better=True, bounds=(0, 1), name="right")
    page = page_of(oe.compare(GOLD, SYSTEMS, metrics=["mae"], primary=right))
    assert "best by right" in page


def test_a_forest_is_drawn_of_a_function(right):
    chart = oe.plot.forest(oe.compare(GOLD, SYSTEMS, metrics=["mae"], primary=right))
    assert "right" in json.dumps(chart.to_dict())


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (matthews_corrcoef, None),
        (partial(f1_score, average="macro"), "macro_f1"),
        (partial(cohen_kappa_score, weights="quadratic"), "weighted_kappa(weights='quadratic')"),
        (mean_absolute_error, "mae"),
        (partial(recall_score, average="macro"), "macro_accuracy"),
    ],
    ids=["mcc", "macro f1", "qwk", "mae", "macro recall"],
)
def test_functions_of_scikit_learn_are_called_on_cells(function, expected):
    calls = []

    def counting(y_true, y_pred, sample_weight=None):
        calls.append(len(y_true))
        return function(y_true, y_pred, sample_weight=sample_weight)

    own = oe.measure.from_labels(counting, greater_is_better=True)
    assert own(GOLD, NEAR) == pytest.approx(function(GOLD, NEAR), abs=1e-14)
    assert calls.count(300) <= 1  # weights are tried on the items once; then it is 16 cells
    calls.clear()
    many = own(np.tile(GOLD, 100), np.tile(NEAR, 100))
    assert max(calls) <= 80  # the few items on which weights are tried
    assert many == pytest.approx(function(GOLD, NEAR), abs=1e-14)
    if expected is not None:
        assert own(GOLD, NEAR) == pytest.approx(oe.registry[expected](GOLD, NEAR), abs=1e-14)


def test_weights_that_mean_something_else_than_repeated_items_are_not_used():
    # of |1, 2, 3, 5| the median is 2.5, and scikit-learn's weighted one is 2 or 2.5, as the version has it
    gold, predicted = [1, 1, 1, 1], [2, 3, 4, 6]
    own = oe.measure.from_labels(median_absolute_error, greater_is_better=False)
    assert own(gold, predicted) == 2.5


@pytest.mark.parametrize("k", range(2, 12))
def test_a_function_that_does_nothing_with_its_weights_is_called_on_items(k):
    def kappa(y_true, y_pred, sample_weight=None):
        return cohen_kappa_score(y_true, y_pred)

    own = oe.measure.from_labels(kappa, greater_is_better=True, bounds=(-1, 1), name="house_kappa")
    gold = RNG.integers(0, k, 200)
    predicted = np.where(RNG.random(200) < 0.5, gold, RNG.integers(0, k, 200))
    expected = cohen_kappa_score(gold, predicted)
    assert own(gold, predicted, labels=range(k)) == pytest.approx(expected)


def test_a_function_may_compute_in_place():
    @oe.measure(greater_is_better=True, bounds=(0, 1))
    def in_place(counts, values):
        counts /= counts.sum(axis=(-1, -2), keepdims=True)
        values *= 0
        return np.trace(counts, axis1=-2, axis2=-1)

    table = np.array([[3.0, 1.0], [0.0, 4.0]])
    assert in_place.from_counts(table) == 7 / 8
    assert table.sum() == 8
    both = oe.compare(GOLD, SYSTEMS, metrics=[in_place, "mae"], primary="accuracy")
    alone = oe.compare(GOLD, SYSTEMS, metrics=["mae"], primary="accuracy")
    assert both.pairs[0].p == alone.pairs[0].p
    assert both.leaderboard[0].scores["mae"].low == alone.leaderboard[0].scores["mae"].low


@pytest.mark.parametrize(
    "score",
    [
        lambda own: oe.agree(RATINGS, ceiling=["accuracy", own]),
        lambda own: oe.judge.validate(
            RATINGS.leave_out("cy"), RATINGS.select(["cy"]), metrics=[own]
        ),
        lambda own: oe.decide.fit(np.full((6, 4), 0.25), metric=own, labels=[1, 2, 3, 4]),
        lambda own: own(oe.Table.from_soft(np.full((6, 4), 0.25), GOLD[:6], labels=[1, 2, 3, 4])),
    ],
    ids=["a ceiling", "a judge", "a decision", "soft gold"],
)
def test_soft_gold_is_refused_for_a_function_without_weights(score):
    own = oe.measure.from_labels(lambda a, b: np.mean(a == b), greater_is_better=True, name="own")
    with pytest.raises(MeasureError, match="does not use weights"):
        score(own)


def test_missing_answers_are_the_largest_error_by_a_measure_of_errors():
    @oe.measure(greater_is_better=False)
    def own_mae(counts, values):
        apart = np.abs(values[:, None] - values)
        return (counts * apart).sum(axis=(-1, -2)) / counts.sum(axis=(-1, -2))

    gold, predicted = [0] * 50 + [1] * 10 + [3], [0] * 50 + [None] * 10 + [3]
    ours = oe.mae(gold, predicted, missing="zero")
    assert own_mae(gold, predicted, missing="zero") == pytest.approx(ours)


def test_sample_weight_reaches_the_function():
    own = oe.measure.from_labels(accuracy_score, greater_is_better=True, name="own_accuracy")
    weight = RNG.uniform(0.5, 2, 300)
    expected = accuracy_score(GOLD, NEAR, sample_weight=weight)
    assert own(GOLD, NEAR, sample_weight=weight) == pytest.approx(expected)


@pytest.mark.parametrize("score", [lambda f, w: f(GOLD, NEAR, sample_weight=w),
                                   lambda f, w: oe.evaluate(GOLD, NEAR, metrics=[f], sample_weight=w)])  # fmt: skip
def test_weighted_items_are_refused_for_a_function_without_weights(score):
    own = oe.measure.from_labels(lambda a, b: np.mean(a == b), greater_is_better=True, name="own")
    with pytest.raises(MeasureError, match="does not use weights"):
        score(own, RNG.uniform(0.5, 2, 300))


def test_words_reach_the_function_as_the_values_of_the_classes():
    seen = {}

    def looking(y_true, y_pred):
        seen.update(gold=set(y_true.tolist()), predicted=set(y_pred.tolist()))
        return 1.0

    own = oe.measure.from_labels(looking, greater_is_better=True)
    own(["low", "high"], ["mid", "high"], labels=["low", "mid", "high"])
    assert seen == {"gold": {0, 2}, "predicted": {1, 2}}
    assert {type(label) for label in seen["gold"]} == {int}  # functions of classes take no others


def test_a_kernel_is_given_the_values_of_the_classes_if_it_asks():
    @oe.measure(greater_is_better=False)
    def distance(counts, values):
        apart = np.abs(values[:, None] - values)
        return (counts * apart).sum(axis=(-1, -2)) / counts.sum(axis=(-1, -2))

    # |1 - 1|, |2 - 10|, |10 - 2|: 16 / 3
    assert distance([1, 2, 10], [1, 10, 2], labels=[1, 2, 10]) == pytest.approx(16 / 3)


def test_missing_answers_are_the_farthest_class_unless_the_kernel_asks_for_them():
    @oe.measure(greater_is_better=True)
    def share_of_top(counts):
        return counts[..., -1].sum(axis=-1) / counts.sum(axis=(-1, -2))

    @oe.measure(greater_is_better=True)
    def share_answered(counts, unanswered=None):
        missed = 0 if unanswered is None else unanswered.sum(axis=-1)
        return counts.sum(axis=(-1, -2)) / (counts.sum(axis=(-1, -2)) + missed)

    gold, predicted = [1, 1, 2, 3], [None, 1, 2, 3]
    # the gold class 1 has its farthest answer at 3: two of four answers are 3
    assert share_of_top(gold, predicted, missing="zero") == 0.5
    assert share_answered(gold, predicted, missing="zero") == 0.75


def test_a_function_that_adds_up_all_tables_gets_one_at_a_time():
    own = oe.measure(of_one_table, greater_is_better=True, name="one")
    tables = np.array([[[3, 1], [0, 4]], [[1, 1], [1, 1]]])
    # 7 of 8 and 2 of 4; of both together it would be 9 of 12
    assert own.from_counts(tables).tolist() == [7 / 8, 2 / 4]


def test_undefined_values_stay_undefined_and_are_explained():
    def correlation(y_true, y_pred):
        return statistics.correlation(y_true.tolist(), y_pred.tolist())

    own = oe.measure.from_labels(correlation, greater_is_better=True, bounds=(-1, 1))
    # the best constant answer, on which the function raises, is undefined and no more
    scores = oe.evaluate(GOLD, NEAR, metrics=[own])
    assert scores["correlation"].value == pytest.approx(oe.pearson(GOLD, NEAR))
    assert math.isnan(scores.baseline.scores["correlation"])


def test_a_division_by_zero_is_undefined_and_spoils_nothing():
    @oe.measure(greater_is_better=True)
    def right_per_wrong(counts):
        right = np.trace(counts, axis1=-2, axis2=-1)
        return right / (counts.sum(axis=(-1, -2)) - right)

    assert math.isnan(right_per_wrong(GOLD, GOLD))
    # two right answers to one wrong one
    assert right_per_wrong([1, 2, 3], [1, 2, 1]) == 2
    scores = oe.evaluate(GOLD, NEAR, metrics=[right_per_wrong])
    assert math.isfinite(scores["right_per_wrong"].high)


def test_what_a_function_raises_on_trial_tables_is_not_reported():
    def picky(y_true, y_pred, sample_weight=None):
        if len(y_true) < 12:
            raise ValueError("too few")
        return math.nan

    own = oe.measure.from_labels(picky, greater_is_better=True)
    assert math.isnan(own(GOLD, FAR))


def test_a_function_that_always_raises_is_an_error_with_its_own_words():
    own = oe.measure.from_labels(
        lambda gold, _: gold.nothing, greater_is_better=True, name="broken"
    )
    for score in (lambda: own(GOLD, NEAR), lambda: oe.evaluate(GOLD, NEAR, metrics=["broken"])):
        with pytest.raises(MeasureError, match=r"broken raised AttributeError: .*nothing"):
            score()


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        (lambda counts: counts[9], "raised IndexError"),
        (lambda counts: counts, "one number for each table"),
        (lambda _: "much", "returned 'much', which is not a number"),
        (lambda _: None, "returned None, which is not a number"),
        (lambda counts: counts[..., 0, 0] * 1j, "which is not a number"),
        (lambda _: sys.exit(0), "raised SystemExit: 0"),
        (lambda counts: 1.5 + 0 * counts[..., 0, 0], "returned 1.5, and its bounds"),
    ],
)
def test_a_kernel_that_breaks_its_declaration_is_refused(kernel, words):
    own = oe.measure(kernel, greater_is_better=True, bounds=(0, 1), name="broken")
    with pytest.raises(MeasureError, match=words):
        own(GOLD, NEAR)


def test_a_function_that_is_not_declared_is_refused_with_the_two_ways_to_declare_it():
    with pytest.raises(MetricError, match=r"oe\.measure\.from_labels\(f1_score"):
        oe.compare(GOLD, SYSTEMS, metrics=["cem_ord", f1_score])


@pytest.mark.parametrize(
    ("declare", "words"),
    [
        (lambda: oe.measure(plain_share), "direction of the measure is not declared"),
        (lambda: oe.measure.from_labels(plain_share), "direction of the measure is not declared"),
        (lambda: oe.measure(lambda _: 1, greater_is_better=True), "cannot be called '<lambda>'"),
        (lambda: oe.measure(plain_share, greater_is_better=1), "it is True or False"),
        (lambda: oe.measure(plain_share, greater_is_better=True, name="mae"), "has a measure 'mae'"),
        (lambda: oe.measure(plain_share, greater_is_better=True, name="QWK"), "short for weighted_kappa"),
        (lambda: oe.measure(plain_share, greater_is_better=True, name="my score"), "'my score'"),
        (lambda: oe.measure(plain_share, greater_is_better=True, bounds=(1, 0)), "bounds=\\(1, 0\\)"),
        (lambda: oe.measure(plain_share, greater_is_better=True, bounds=3), "bounds=3"),
        (lambda: oe.measure(plain_share, greater_is_better=True, bounds=(0, 1), perfect=2), "perfect=2"),
        (lambda: oe.measure("accuracy", greater_is_better=True), "is not a function"),
        (lambda: oe.measure(oe.mae, greater_is_better=False), "mae is a measure already"),
    ],
)  # fmt: skip
def test_a_declaration_that_says_too_little_is_refused(declare, words):
    with pytest.raises(ParameterError, match=words):
        declare()


def test_a_measure_may_be_defined_again_as_a_cell_of_a_notebook_is():
    oe.measure(plain_share, greater_is_better=True, name="mine")
    again = oe.measure(lambda c: 0.25 + 0 * c[..., 0, 0], greater_is_better=True, name="mine")
    assert oe.registry["mine"] is again
    assert oe.evaluate(GOLD, NEAR, metrics=["mine"])["mine"].value == 0.25


def test_names_with_capitals_are_found_however_they_are_typed():
    own = oe.measure(plain_share, greater_is_better=True, name="MyShare")
    assert oe.registry["myshare"] is oe.registry["MYSHARE"] is own
    scores = oe.evaluate(GOLD, NEAR, metrics=["myshare"])
    assert scores["MyShare"].value == scores["myshare"].value
    assert list(scores.to_dict()["systems"][0]["scores"]) == ["MyShare"]


@pytest.mark.parametrize("protocol", range(pickle.DEFAULT_PROTOCOL, pickle.HIGHEST_PROTOCOL + 1))
def test_a_decorated_measure_is_pickled_by_name(protocol, tmp_path, monkeypatch):
    name = f"declared_{protocol}"
    (tmp_path / f"{name}.py").write_text(DECLARED)
    monkeypatch.syspath_prepend(tmp_path)
    own = importlib.import_module(name).lowest_answered
    packed = pickle.dumps(own, protocol)
    assert name.encode() in packed
    assert pickle.loads(packed) is own  # noqa: S301 - packed here


def test_a_measure_of_a_named_function_is_pickled_and_copied():
    own = oe.measure(plain_share, greater_is_better=True, name="packed")
    of_labels = oe.measure.from_labels(accuracy_score, greater_is_better=True, name="packed_too")
    for one in (own, of_labels):
        assert pickle.loads(pickle.dumps(one)) is one  # noqa: S301 - packed here
        assert copy.deepcopy(one) is one


def test_another_process_learns_a_measure_from_its_pickle(tmp_path):
    (tmp_path / "declared.py").write_text(DECLARED)
    dump = "import declared, pickle, sys; sys.stdout.buffer.write(pickle.dumps(declared.lowest_answered))"
    load = (
        "import pickle, sys, ordeval as oe; m = pickle.load(sys.stdin.buffer); "
        "print(m([1, 2], [1, 1]), oe.registry['lowest_answered'] is m)"
    )
    packed = subprocess.run(
        [sys.executable, "-c", dump], cwd=tmp_path, capture_output=True, check=True
    )
    told = subprocess.run(
        [sys.executable, "-c", load], cwd=tmp_path, input=packed.stdout, capture_output=True, check=True
    )  # fmt: skip
    assert told.stdout.split() == [b"2.0", b"True"]


@pytest.mark.full
def test_cross_validation_in_two_processes_takes_a_measure_of_the_script(tmp_path):
    # joblib packs what a script defines by value, because its workers do not run the script
    script = tmp_path / "script.py"
    script.write_text(
        "import numpy as np, ordeval as oe\n"
        "from sklearn.dummy import DummyClassifier\n"
        "from sklearn.metrics import make_scorer\n"
        "from sklearn.model_selection import cross_val_score\n"
        "@oe.measure(greater_is_better=True, bounds=(0, 1))\n"
        "def lowest(counts):\n"
        "    return counts[..., 0].sum(axis=-1) / counts.sum(axis=(-1, -2))\n"
        "y = np.array([1, 1, 1, 2, 2, 3] * 5)\n"
        "scores = cross_val_score(DummyClassifier(), y[:, None], y, scoring=make_scorer(lowest), n_jobs=2, cv=3)\n"
        "print(scores.tolist())\n"
    )
    told = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[1.0, 1.0, 1.0]"  # the most frequent class is 1, the lowest


def test_the_scorer_of_scikit_learn_takes_a_measure_of_ones_own():
    from sklearn.dummy import DummyClassifier

    from ordeval.adapters.sklearn import scorer

    own = oe.measure(plain_share, greater_is_better=True, name="own_share")
    model = DummyClassifier().fit(GOLD[:, None], GOLD)
    expected = accuracy_score(GOLD, model.predict(GOLD[:, None]))
    assert scorer(own)(model, GOLD[:, None], GOLD) == pytest.approx(expected)
