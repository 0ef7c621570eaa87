"""Measures as aggregations of lm-evaluation-harness, in real evaluations with a mock model and documents of our own."""

import json

import numpy as np
import pytest

import ordeval as oe
from tests.frameworks import ANSWERS, FRAMEWORKS, GOLD, LABELS

pytestmark = FRAMEWORKS


@pytest.fixture
def adapter():
    from ordeval.adapters import lm_eval

    return lm_eval


@pytest.fixture
def run(adapter):
    """A function that evaluates a mock model on a task, and returns what the harness found for it."""
    from lm_eval import simple_evaluate
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    class Mock(LM):
        """A model that answers the question whose number it is asked."""

        def __init__(self, answers):
            super().__init__()
            self.answers = answers

        def loglikelihood(self, requests, **options):
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

        def generate_until(self, requests, **_options):
            return [f" {self.answers[int(request.args[0])]}" for request in requests]

    def run(task, answers=ANSWERS, folder=None):
        manager = TaskManager(include_path=folder, include_defaults=False)  # not 13,000 others
        return simple_evaluate(Mock(answers), tasks=[task], task_manager=manager)

    return run


def task_of(metrics, process, gold=GOLD):
    """Return a task on documents with a number, and a gold class each."""
    import datasets
    from lm_eval.api.task import ConfigurableTask

    rows = [{"question": str(at), "stars": stars} for at, stars in enumerate(gold)]
    return ConfigurableTask(
        config={
            "task": "stars",
            "custom_dataset": lambda **_: {"test": datasets.Dataset.from_list(rows)},
            "test_split": "test",
            "output_type": "generate_until",
            "doc_to_text": "{{question}}",
            "doc_to_target": "{{stars}}",
            "process_results": process,
            "metric_list": metrics,
        }
    )


def test_the_results_have_the_measure_its_error_and_its_interval(adapter, run):
    from lm_eval.utils import make_table
    from sklearn.metrics import cohen_kappa_score

    metrics = adapter.metric_list("weighted_kappa", labels=LABELS)

    def process(doc, results):
        return {one["metric"]: (doc["stars"], results[0]) for one in metrics}

    results = run(task_of(metrics, process))
    found = results["results"]["stars"]
    expected = cohen_kappa_score(GOLD, ANSWERS, weights="linear")
    assert found["weighted_kappa,none"] == pytest.approx(expected)
    score = oe.evaluate(GOLD, ANSWERS, labels=LABELS, metrics=["weighted_kappa"])["weighted_kappa"]
    assert (found["weighted_kappa_low,none"], found["weighted_kappa_high,none"]) == (score.low, score.high)  # fmt: skip
    assert score.low < expected < score.high
    assert found["weighted_kappa_stderr,none"] == score.error
    # where people read it: value and error on one line, and the ends on two more
    cells = [row.split("|") for row in make_table(results).splitlines()]
    (row,) = [row for row in cells if len(row) > 5 and row[5].strip() == "weighted_kappa"]
    assert [float(row[7]), float(row[9])] == pytest.approx([expected, score.error], abs=6e-5)
    config = results["configs"]["stars"]["metric_list"][2]["aggregation"]
    assert config == "aggregation('weighted_kappa', labels=[1, 2, 3, 4, 5], part='low', level=0.95)"


def test_errors_are_those_of_the_harness(adapter, run):
    rng = np.random.default_rng(1)
    gold, answers = rng.integers(1, 6, (2, 500)).tolist()
    metrics = adapter.metric_list("accuracy", name="ours", labels=LABELS)
    theirs = {"metric": "theirs", "aggregation": "mean", "higher_is_better": True}

    def process(doc, results):
        pair = doc["stars"], results[0]
        right = {"theirs": float(int(results[0]) == doc["stars"])}
        return {one["metric"]: pair for one in metrics} | right

    found = run(task_of([*metrics, theirs], process, gold), answers)["results"]["stars"]
    assert found["ours,none"] == pytest.approx(found["theirs,none"])
    # our errors count one item more than there are, so that a perfect run has one, too
    assert found["ours_stderr,none"] == pytest.approx(found["theirs_stderr,none"], rel=0.01)


def test_a_task_in_yaml_names_its_aggregations_by_function(adapter, run, tmp_path):
    rows = [{"question": str(at), "stars": stars} for at, stars in enumerate(GOLD)]
    questions = tmp_path / "questions.jsonl"
    questions.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "scores.py").write_text(
        "from ordeval.adapters.lm_eval import aggregation\n"
        "OPTIONS = {'labels': [1, 2, 3, 4, 5], 'unknown': 'missing', 'missing': 'zero'}\n"
        "mae = aggregation('mae', **OPTIONS)\n"
        "mae_high = aggregation('mae', part='high', **OPTIONS)\n"
        "def process_results(doc, results):\n"
        "    pair = doc['stars'], results[0]\n"
        "    return {'mae': pair, 'mae_high': pair}\n"
    )
    (tmp_path / "stars.yaml").write_text(
        f"""
task: stars_in_yaml
dataset_path: json
dataset_kwargs: {{data_files: {{test: {questions}}}, cache_dir: {tmp_path}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{question}}}}"
doc_to_target: "{{{{stars}}}}"
process_results: !function scores.process_results
metric_list:
  - {{metric: mae, aggregation: !function scores.mae, higher_is_better: false}}
  - {{metric: mae_high, aggregation: !function scores.mae_high, higher_is_better: false}}
"""
    )
    answers = ["I cannot say", *ANSWERS[1:]]
    found = run("stars_in_yaml", answers, str(tmp_path))["results"]["stars_in_yaml"]
    # the first question, whose gold is 1, is as wrong as can be: 4 marks away
    off = np.abs(np.subtract(GOLD, ANSWERS))[1:].sum() + 4
    assert found["mae,none"] == off / 10
    assert found["mae_high,none"] > found["mae,none"]


def test_clusters_are_drawn_whole(adapter):
    error = adapter.aggregation("accuracy", part="stderr", labels=["no", "yes"])
    rng = np.random.default_rng(2)
    answers = rng.choice(["no", "yes"], 200)
    items = [("yes", answer) for answer in answers]
    clusters = [("yes", answer, at) for at, answer in enumerate(answers)] * 4
    share = (answers == "yes").mean()
    expected = np.sqrt(share * (1 - share) / 199)
    assert error(items) == pytest.approx(expected, rel=0.01)
    # four copies of an item say no more than one
    assert error(clusters) == pytest.approx(expected, rel=0.01)
    assert error(items * 4) == pytest.approx(expected / 2, rel=0.01)


def test_an_error_is_better_if_lower_and_the_names_follow_the_measure(adapter):
    entries = adapter.metric_list("mae", labels=LABELS)
    names = ["mae", "mae_stderr", "mae_low", "mae_high"]  # the harness writes N/A for the second
    assert [one["metric"] for one in entries] == names
    assert {one["higher_is_better"] for one in entries} == {False}
    assert adapter.metric_list("cem_ord", labels=LABELS)[0]["higher_is_better"] is True


@pytest.mark.parametrize("items", [[3, 4], [(1,), (2,)], [(1, 1), (1, 1, "a")], ["12", "34"]])
def test_items_that_are_not_pairs_are_refused(adapter, items):
    with pytest.raises(oe.errors.DataError, match="an item is \\(gold, answer\\)"):
        adapter.aggregation("mae", labels=LABELS)(items)


def test_wrong_settings_are_refused_before_the_run(adapter):
    with pytest.raises(oe.errors.ParameterError, match="part='lower'"):
        adapter.aggregation("mae", labels=LABELS, part="lower")
    with pytest.raises(oe.errors.ParameterError, match="level=None is not a confidence level"):
        adapter.aggregation("mae", labels=LABELS, level=None)
    with pytest.raises(oe.errors.ParameterError, match="Pass labels="):
        adapter.metric_list("mae")


def test_an_undefined_end_is_nan(adapter):
    low = adapter.aggregation("mae", labels=LABELS, part="low")
    assert np.isnan(low([(1, 2)]))  # a single item shows no variation
