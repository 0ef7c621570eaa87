"""Measures as metrics of MLflow, in real evaluations of answers that lie in a frame."""

import numpy as np
import pytest

import ordeval as oe
from tests.frameworks import ANSWERS, FRAMEWORKS, GOLD, LABELS

pytestmark = FRAMEWORKS


@pytest.fixture(scope="module")
def experiment(tmp_path_factory):
    """An experiment in a store of its own, which takes seconds to make."""
    import mlflow

    folder = tmp_path_factory.mktemp("mlflow")
    mlflow.set_tracking_uri(f"sqlite:///{folder}/runs.db")
    yield mlflow.create_experiment("ours", str(folder / "artifacts"))
    mlflow.set_tracking_uri(None)


@pytest.fixture
def metric():
    from ordeval.adapters.mlflow import metric

    return metric


@pytest.fixture
def run(experiment):
    """A function that evaluates a frame, and returns what was logged."""
    import mlflow
    import pandas as pd

    def run(metrics, **columns):
        frame = pd.DataFrame(columns)
        with mlflow.start_run(experiment_id=experiment) as started:
            result = mlflow.models.evaluate(
                data=frame, targets="gold", predictions="answer", extra_metrics=metrics
            )
        logged = mlflow.get_run(started.info.run_id).data.metrics
        assert result.metrics == pytest.approx(logged, nan_ok=True)
        return logged

    return run


def test_the_run_has_the_measure_its_interval_and_its_error(run, metric):
    from sklearn.metrics import cohen_kappa_score

    name = "weighted_kappa(weights='quadratic')"
    metrics = [metric(name, labels=LABELS, level=None), metric("cem_ord", labels=LABELS)]
    logged = run(metrics, gold=GOLD, answer=ANSWERS)
    score = oe.evaluate(GOLD, ANSWERS, labels=LABELS, metrics=["cem_ord"])["cem_ord"]
    assert logged == {
        "weighted_kappa_weights_quadratic": pytest.approx(cohen_kappa_score(GOLD, ANSWERS, weights="quadratic")),
        "cem_ord": score.value,
        "cem_ord/low": score.low,
        "cem_ord/high": score.high,
        "cem_ord/stderr": score.error,
    }  # fmt: skip
    assert score.low < score.value < score.high


def test_a_first_row_without_an_answer_is_no_obstacle(run, metric):
    """MLflow tries every metric on the first row alone."""
    answers = [None, *ANSWERS[1:]]
    off = np.abs(np.subtract(GOLD, ANSWERS))[1:]
    metrics = [
        metric("mae", name="dropped", labels=LABELS, missing="drop", level=None),
        metric("mae", name="worst", labels=LABELS, missing="zero", level=None),
    ]
    logged = run(metrics, gold=GOLD, answer=answers)
    assert logged == {"dropped": off.mean(), "worst": (off.sum() + 4) / 10}  # gold 1: 4 marks away


def test_a_first_row_without_gold_is_no_obstacle(run, metric):
    ours = metric("mae", labels=LABELS, gold_missing="drop", level=None)
    logged = run([ours], gold=[None, *GOLD[1:]], answer=ANSWERS)
    assert logged == {"mae": np.abs(np.subtract(GOLD, ANSWERS))[1:].mean()}


def test_clusters_are_a_column_and_are_drawn_whole(run, metric):
    answers = np.random.default_rng(2).choice([1, 2], 200).tolist()
    share = answers.count(1) / 200
    expected = np.sqrt(share * (1 - share) / 199)
    options = {"labels": [1, 2]}
    metrics = [
        metric("accuracy", name="whole", cluster="passage", **options),
        metric("accuracy", name="single", **options),
    ]
    logged = run(metrics, gold=[1] * 800, answer=answers * 4, passage=list(range(200)) * 4)
    # four copies of an item say no more than one
    assert logged["whole/stderr"] == pytest.approx(expected, rel=0.01)
    assert logged["single/stderr"] == pytest.approx(expected / 2, rel=0.01)
    assert logged["whole"] == logged["single"] == share


def test_mlflow_knows_in_which_direction_a_measure_is_better(metric):
    assert metric("cem_ord", labels=LABELS).greater_is_better is True
    assert metric("mae", labels=LABELS).greater_is_better is False


def test_wrong_settings_are_refused_before_the_run(metric):
    with pytest.raises(oe.errors.ParameterError, match="cluster='the passage' is not a column"):
        metric("mae", labels=LABELS, cluster="the passage")
    with pytest.raises(oe.errors.ParameterError, match="level=95"):
        metric("mae", labels=LABELS, level=95)
