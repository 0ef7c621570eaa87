"""Measures as metrics of Inspect AI, in real evaluations with a mock model."""

import json
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner

import ordeval as oe
from ordeval.cli import main
from tests.frameworks import ANSWERS, FRAMEWORKS, GOLD, LABELS

pytestmark = FRAMEWORKS


@pytest.fixture
def ordinal():
    from ordeval.adapters.inspect_ai import ordinal

    return ordinal


@pytest.fixture
def ordinal_stderr():
    from ordeval.adapters.inspect_ai import ordinal_stderr

    return ordinal_stderr


@pytest.fixture
def run(tmp_path):
    """A function that evaluates a mock model with a scorer, and returns Inspect's log.

    The model answers the question of an item with what `answers` has for it: one text, or one for each epoch.
    """
    from inspect_ai import Task
    from inspect_ai import eval as evaluate
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.solver import generate

    def run(scorer, answers, *, metadata, target="", **options):
        left = [list(one) if isinstance(one, list) else [one] for one in answers]

        def answer(messages, tools, tool_choice, config):
            output = ModelOutput.from_content(
                "mockllm/model", str(left[int(messages[-1].text)].pop(0))
            )
            output.usage = ModelUsage()  # or Inspect would fetch a tokenizer to count
            return output

        samples = [
            Sample(id=f"s{at}", input=str(at), target=target, metadata=dict(zip(metadata, one, strict=True)))
            for at, one in enumerate(zip(*metadata.values(), strict=True))
        ]  # fmt: skip
        task = Task(dataset=samples, solver=generate(), scorer=scorer, **options)
        model = get_model("mockllm/model", custom_outputs=answer, memoize=False)
        (log,) = evaluate(task, model=model, log_dir=str(tmp_path), display="none")
        return log

    return run


def completion_scorer(*metrics):
    """A scorer whose value is what the model said, read as a number if it is one."""
    from inspect_ai.scorer import Score, scorer

    @scorer(metrics=list(metrics), name="said")
    def said():
        async def score(state, target):
            return Score(value=state.output.completion)

        return score

    return said()


def values(log):
    """Return the metrics of all views of the first scorer."""
    assert log.status == "success", log.error.message
    return {name: one.value for score in log.results.scores for name, one in score.metrics.items()}


def test_the_log_has_the_measure_of_the_run_with_its_interval(run, ordinal):
    from sklearn.metrics import cohen_kappa_score

    scorer = completion_scorer(
        ordinal("weighted_kappa(weights='quadratic')", labels=LABELS, gold="stars"),
        ordinal("cem_ord", labels=LABELS, gold="stars"),
    )
    found = values(run(scorer, ANSWERS, metadata={"stars": GOLD}))
    name = "weighted_kappa(weights='quadratic')"
    assert found[name] == pytest.approx(cohen_kappa_score(GOLD, ANSWERS, weights="quadratic"))
    score = oe.evaluate(GOLD, ANSWERS, labels=LABELS, metrics=["cem_ord"])["cem_ord"]
    assert found["cem_ord"] == score.value
    assert (found["cem_ord_low"], found["cem_ord_high"]) == (score.low, score.high)
    assert found["cem_ord_low"] < found["cem_ord"] < found["cem_ord_high"]


def test_a_closeness_in_the_log_is_the_sum_by_hand(run, ordinal):
    # N = 4, n = (2, 1, 1). prox(1, 1) = -log2(1/4) = 2, prox(2, 2) = prox(3, 3) = -log2(0.5/4) = 3,
    # prox(2, 1) = -log2((0.5 + 2)/4): (2 + prox(2, 1) + 3 + 3) / (2 + 2 + 3 + 3)
    expected = (8 - np.log2(2.5 / 4)) / 10
    metric = ordinal("cem_ord", labels=["low", "mid", "high"], gold="size", level=None)
    sizes = {"size": ["low", "low", "mid", "high"]}
    log = run(completion_scorer(metric), ["low", "mid", "mid", "high"], metadata=sizes)
    assert values(log) == {"ordinal": pytest.approx(expected)}


@pytest.fixture
def many():
    """600 scores: two epochs of each of 300 samples, which are of 60 books; books and samples differ in difficulty."""
    from inspect_ai.scorer import SampleScore, Score

    rng = np.random.default_rng(1)
    book, sample = rng.normal(size=60), rng.normal(size=300)
    return [
        SampleScore(
            score=Score(value="C" if book[at % 60] + sample[at] + rng.normal() > 0 else "I"),
            sample_id=f"s{at}",
            sample_metadata={"right": "C", "book": f"b{at % 60}"},
        )
        for _ in range(2)
        for at in range(300)
    ]


NEARLY = 0.01  # our errors count one item more than there are, so that a perfect run has one, too


def test_standard_errors_are_those_of_inspect(many, ordinal_stderr):
    from inspect_ai.scorer import stderr

    first = many[:300]
    found = ordinal_stderr("accuracy", labels=["I", "C"], gold="right")(first)
    assert found["accuracy_stderr"] == pytest.approx(stderr()(first), rel=NEARLY)


def test_clustered_errors_are_those_of_inspect(many, ordinal_stderr):
    from inspect_ai.scorer import stderr

    first = many[:300]
    found = ordinal_stderr("accuracy", labels=["I", "C"], gold="right", cluster="book")(first)
    assert found["accuracy_stderr"] == pytest.approx(stderr(cluster="book")(first), rel=NEARLY)
    assert found["accuracy_stderr"] > 1.2 * stderr()(first)


def test_the_epochs_of_a_sample_are_drawn_together(many, ordinal_stderr):
    """As Inspect does it that averages the epochs of a sample, and takes the error of these means."""
    from inspect_ai.scorer import SampleScore, mean_score, stderr

    pairs = zip(many[:300], many[300:], strict=True)
    reduced = [SampleScore(score=mean_score()([a.score, b.score])) for a, b in pairs]
    found = ordinal_stderr("accuracy", labels=["I", "C"], gold="right")(many)
    assert found["accuracy_stderr"] == pytest.approx(stderr()(reduced), rel=NEARLY)
    assert found["accuracy_stderr"] > 1.1 * stderr()(many)


def test_an_interval_draws_clusters_whole(many, ordinal):
    options = {"labels": ["I", "C"], "gold": "right"}
    ends = {
        cluster: ordinal("accuracy", cluster=cluster, **options)(many[:300])
        for cluster in (None, "book")
    }
    items, clusters = (one["accuracy_high"] - one["accuracy_low"] for one in ends.values())
    assert ends[None]["accuracy"] == ends["book"]["accuracy"]
    assert clusters > 1.2 * items


def test_each_epoch_is_an_item_also_where_classes_are_words(run, ordinal):
    metric = ordinal("accuracy", labels=["bad", "good"], gold="truth", level=None)
    answers = [["good", "bad", "good"], ["bad", "bad", "bad"], ["good", "good", "good"]]
    log = run(completion_scorer(metric), answers, metadata={"truth": ["good"] * 3}, epochs=3)
    assert values(log) == {"ordinal": 5 / 9}


def test_no_answer_and_unreadable_ones_count_as_the_policies_say(run, ordinal):
    from inspect_ai.scorer import NOANSWER, Score, scorer

    options = {"labels": LABELS, "gold": "stars", "level": None, "unknown": "missing"}

    @scorer(metrics=[ordinal("accuracy", missing=missing, **options) for missing in ("zero", "drop")])  # fmt: skip
    def said():
        async def score(state, target):
            said = state.output.completion
            if said == "crash":
                return Score.unscored()
            return Score(value=NOANSWER if said == "-" else said)

        return score

    log = run(said(), ["1", "2", "-", "four?", "crash"], metadata={"stars": [1, 3, 3, 4, 5]})
    found = values(log)
    assert found["ordinal"] == 1 / 4  # right: the first of four
    assert found["ordinal2"] == 1 / 2  # the first of the two that are answers
    (score,) = log.results.scores
    assert (score.scored_samples, score.unscored_samples) == (4, 1)  # Inspect leaves these out


def test_n_is_a_missing_answer_unless_it_is_a_class(run, ordinal):
    missing = ordinal("accuracy", labels=["a", "b"], gold="truth", missing="zero", level=None)
    log = run(completion_scorer(missing), ["a", "N", "N"], metadata={"truth": ["a", "a", "b"]})
    assert values(log) == {"ordinal": 1 / 3}
    a_class = ordinal("accuracy", labels=["N", "Y"], gold="truth", level=None)
    log = run(completion_scorer(a_class), ["Y", "N", "N"], metadata={"truth": ["Y", "N", "Y"]})
    assert values(log) == {"ordinal": 2 / 3}


def test_words_for_right_and_wrong_are_the_numbers_that_inspect_takes_them_for(run, ordinal):
    metric = ordinal("mae", labels=[0, 0.5, 1], gold="truth", level=None)
    log = run(completion_scorer(metric), ["C", "P", "I", "C"], metadata={"truth": [1, 1, 1, 0]})
    assert values(log) == {"ordinal": (0 + 0.5 + 1 + 1) / 4}


def test_a_word_for_right_is_not_the_lowest_of_five_marks(run, ordinal):
    metric = ordinal("mae", labels=LABELS, gold="stars")
    log = run(completion_scorer(metric), ["C", "C"], metadata={"stars": [1, 2]})
    assert log.status == "error"
    assert "'C'" in log.error.message
    assert "is not on the scale" in log.error.message


def test_the_answer_that_a_scorer_of_inspect_found_can_be_scored(run, ordinal):
    from inspect_ai.scorer import accuracy, pattern

    metrics = [accuracy(), ordinal("mae", labels=LABELS, gold="stars", answer="answer", level=None)]
    said = ["I say 2.", "4 of 5", "perhaps 3"]
    stars = {"stars": [2, 2, 2]}
    found = values(run(pattern(r"(\d)"), said, metadata=stars, target="2", metrics=metrics))
    assert found == {"accuracy": pytest.approx(1 / 3), "ordinal": (0 + 2 + 1) / 3}


def test_gold_may_stand_in_the_metadata_of_the_score_and_a_value_may_have_several_parts(
    run, ordinal
):
    from inspect_ai.scorer import Score, scorer

    metric = ordinal("mae", labels=LABELS, level=None)

    @scorer(metrics={"style": [metric], "content": [metric]})
    def two_sides():
        async def score(state, target):
            mark = int(state.output.completion)
            return Score(
                value={"style": mark, "content": mark + 1}, metadata={"target": target.text}
            )

        return score

    # what the scorer wrote counts, and not what the sample has under the same key
    log = run(two_sides(), [1, 4], metadata={"target": [5, 5]}, target="3")
    assert log.status == "success", log.error.message
    found = {
        score.name: [one.value for one in score.metrics.values()] for score in log.results.scores
    }
    assert found == {"style": [(2 + 1) / 2], "content": [(1 + 2) / 2]}


def test_groups_of_samples_are_scored_apart(run, ordinal):
    from inspect_ai.scorer import grouped

    metric = grouped(ordinal("mae", labels=LABELS, gold="stars", level=None), "topic")
    metadata = {"stars": [1, 2, 3], "topic": ["a", "a", "b"]}
    log = run(completion_scorer(metric), [1, 3, 5], metadata=metadata)
    assert values(log) == {"a": (0 + 1) / 2, "b": 2, "all": (0 + 1 + 2) / 3}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gold": "star"}, "no sample has 'star' in its metadata or in that of its score"),
        ({"gold": "stars", "cluster": "books"}, "sample 's0' has no 'books' in its metadata"),
        ({"gold": "stars", "cluster": "gaps"}, "sample 's1' has no 'gaps' in its metadata"),
        ({"gold": "gaps"}, "1 of 2 gold labels is missing, first at item 's1'"),
    ],
)
def test_what_the_metadata_lack_is_named_with_its_sample(run, ordinal, options, message):
    scorer = completion_scorer(ordinal("mae", labels=LABELS, **options))
    log = run(scorer, [1, 2], metadata={"stars": [1, 2], "gaps": [1, float("nan")]})
    assert log.status == "error"
    assert message in log.error.message


def test_wrong_settings_are_refused_before_the_run(ordinal):
    with pytest.raises(oe.errors.MetricError, match="Did you mean cem_ord"):
        ordinal("cem_odr", labels=LABELS)
    with pytest.raises(oe.errors.ParameterError, match="is not a policy"):
        ordinal("cem_ord", labels=LABELS, missing="zeros")
    with pytest.raises(oe.errors.ParameterError, match="answer='target'"):
        ordinal("cem_ord", labels=LABELS, answer="target")
    with pytest.raises(oe.errors.ParameterError, match="Inspect writes the settings"):
        ordinal(oe.cem_ord, labels=LABELS)


def test_a_run_without_a_score_gives_nan_under_all_names(run, ordinal):
    from inspect_ai.scorer import Score, scorer

    @scorer(metrics=[ordinal("mae", labels=LABELS, gold="stars")])
    def none():
        async def score(state, target):
            return Score.unscored()

        return score

    found = values(run(none(), [1, 2], metadata={"stars": [1, 2]}))
    assert found.keys() == {"mae", "mae_low", "mae_high"}
    assert np.isnan([*found.values()]).all()


def test_inspect_finds_the_metric_of_a_log_by_its_name_in_another_process(run, ordinal):
    metric = ordinal("mae", labels=LABELS, gold="stars", missing="zero")
    log = run(completion_scorer(metric), ANSWERS, metadata={"stars": GOLD})
    code = (
        "import sys, json; from inspect_ai.log import read_eval_log, recompute_metrics\n"
        "assert 'ordeval' not in sys.modules\n"
        "log = read_eval_log(sys.argv[1]); log.results = None; recompute_metrics(log)\n"
        "print(json.dumps({name: one.value for name, one in log.results.scores[0].metrics.items()}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, log.location], capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    assert found == values(log)
    assert found["mae"] == np.abs(np.subtract(GOLD, ANSWERS)).mean()


def test_ordeval_reads_from_the_log_what_the_metric_scored(run, ordinal):
    from inspect_ai.scorer import Score, scorer

    @scorer(metrics=[])
    def human():
        async def score(state, target):
            return Score(value=state.metadata["stars"])

        return score

    judge = completion_scorer(ordinal("krippendorff_alpha", labels=LABELS, gold="stars"))
    log = run([judge, human()], ANSWERS, metadata={"stars": GOLD})
    command = ["agree", log.location, "--labels", "1,2,3,4,5", "--format", "json"]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0, result.output
    read = {one["name"]: one for one in json.loads(result.stdout)["coefficients"]}
    found = values(log)
    assert found["krippendorff_alpha"] == pytest.approx(read["krippendorff_alpha"]["value"])
