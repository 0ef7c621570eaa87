"""One system: every measure with its interval."""

import json

import numpy as np
import pytest

import ordeval as oe
from ordeval.errors import LabelTypeError, MetricError, ParameterError

GOLD, ANSWER = [1, 1, 2, 3] * 25, [1, 2, 2, 3] * 25


@pytest.fixture(scope="module")
def evaluation():
    return oe.evaluate(GOLD, ANSWER, metrics=["cem_ord", "mae", "kendall_tau_b"], n_resamples=499)


def test_scores_are_found_by_name_and_equal_the_measures(evaluation):
    for name in evaluation:
        assert evaluation[name].value == pytest.approx(oe.registry[name](GOLD, ANSWER))
        assert evaluation[name].low < evaluation[name].value < evaluation[name].high
        assert evaluation[name].error > 0
    assert len(evaluation) == 3
    assert evaluation.table.n == 100


def test_a_measure_that_was_not_asked_for_is_named_in_the_error(evaluation):
    with pytest.raises(MetricError, match=r"'accuracy' was not evaluated"):
        evaluation["accuracy"]


def test_a_table_is_evaluated_like_its_labels(evaluation):
    table = oe.Table.from_labels(GOLD, ANSWER)
    again = oe.evaluate(table, metrics=list(evaluation), n_resamples=499)
    assert again.to_dict() == evaluation.to_dict()


def test_the_cases_of_a_table_are_averaged():
    runs = oe.Runs.from_labels([0, 1, 0, 0, 1, 1], {"a": [0, 0, 0, 0, 1, 1]}, case=list("xxyyyy"))
    found = oe.evaluate(runs.table.select(system="a"), metrics=["accuracy"], n_resamples=99)
    assert found["accuracy"].value == 0.75  # (1/2 + 4/4) / 2
    assert found.to_dict()["systems"][0]["cases"][0] == {
        "case": "x",
        "items": 2,
        "scores": {"accuracy": {"value": 0.5}},
    }
    with pytest.raises(LabelTypeError, match="the table of one system"):
        oe.evaluate(runs.table)
    with pytest.raises(LabelTypeError, match=r"runs.table.select\(system='a'\), or compare"):
        oe.evaluate(runs)


def test_a_misspelt_option_is_refused_for_labels_and_for_a_table():
    for given in ((GOLD, ANSWER), (oe.Table.from_labels(GOLD, ANSWER),)):
        with pytest.raises(TypeError, match=r"no argument 'mising'.*Did you mean missing"):
            oe.evaluate(*given, mising="zero")
        with pytest.raises(ParameterError, match="missing='zer' is not a policy"):
            oe.evaluate(*given, missing="zer")


def test_a_table_and_labels_or_half_of_them_are_refused():
    with pytest.raises(LabelTypeError, match="a Table and labels"):
        oe.evaluate(oe.Table.from_labels(GOLD, ANSWER), labels=[1, 2, 3])
    with pytest.raises(LabelTypeError, match="lacks y_pred"):
        oe.evaluate(GOLD)


def test_json_has_the_keys_of_the_contract(evaluation):
    content = json.loads(json.dumps(evaluation.to_dict(), allow_nan=False))
    assert content["command"] == "evaluate"
    assert content["input"]["items"] == 100
    assert content["input"]["ignored"] == {"not_in_gold": 0, "duplicate": 0, "unreadable": 0}
    (system,) = content["systems"]
    assert (system["answered"], system["items"]) == (100, 100)
    assert {"value", "low", "high"} <= set(system["scores"]["cem_ord"])
    assert content["intervals"] == {
        "level": 0.95, "method": "t", "resamples": None, "resampled": "items", "distribution": "resampled", "seed": 0,
    }  # fmt: skip
    assert set(content["baseline"]) == {"label", "metric", "scores", "not_beaten_by"}


def test_an_undefined_value_is_null_with_a_reason():
    found = oe.evaluate([1, 1], [1, 1], labels=[1, 2], metrics=["kendall_tau_b"], n_resamples=99)
    assert np.isnan(found["kendall_tau_b"].value)
    content = found.to_dict()["systems"][0]["scores"]["kendall_tau_b"]
    assert content["value"] is None
    assert content["reason"] == "undefined when gold or the predictions are all of one class"
    lead, table, *_ = str(found).split("\n\n")
    assert lead == f"The system has no score by kendall_tau_b: {content['reason']}."
    assert table.splitlines()[2].split() == ["system", "\N{EN DASH}¹"]


def test_it_shows_itself_in_one_line_in_a_table_in_html_and_in_frames(evaluation):
    assert repr(evaluation).startswith("Evaluation(cem_ord 0.8678 [")
    assert str(evaluation).split("\n\n")[1].splitlines()[2].split()[:2] == ["system", "0.868"]
    assert evaluation._repr_html_().count("<tr>") == 2
    assert "| system | 0.868 [" in evaluation.to_markdown()
    for backend in ("pandas", "polars", "pyarrow"):
        assert list(evaluation.to_frame(backend=backend)["metric"]) is not None
    assert evaluation.to_frame()["metric"].tolist() == ["cem_ord", "mae", "kendall_tau_b"]


def test_a_frame_without_any_library_names_the_three(monkeypatch, evaluation):
    monkeypatch.setattr("ordeval.formats.frames.find_spec", lambda _: None)
    with pytest.raises(
        oe.OrdevalError, match="needs pandas, polars or pyarrow, and none is installed"
    ):
        evaluation.to_frame()


def test_policies_reach_the_table():
    found = oe.evaluate(
        [1, 2, 2], [1, 2, None], missing="zero", metrics=["accuracy"], n_resamples=99
    )
    assert found["accuracy"].value == pytest.approx(2 / 3)
    assert "1 answer is missing; a missing answer earns nothing." in found.caption


def test_one_resample_makes_no_interval_and_the_reason_says_so():
    found = oe.evaluate(
        [1, 2, 2], [1, 2, 1], metrics=["accuracy"], method="percentile", n_resamples=1
    )["accuracy"]
    assert (found.low, found.high) == (None, None)
    assert found.reason == "defined in 1 of 1 resamples; an interval takes at least two"
