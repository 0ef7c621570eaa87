"""Which measure to trust: the whole study, on synthetic systems and on the judges of LLMJudge."""

import csv
import gzip

import numpy as np
import pytest

import ordeval as oe
from ordeval.formats.numbers import DASH
from tests.meta import plain


@pytest.fixture(scope="module")
def judges(shared):
    folder = shared / "data" / "llmjudge2024"
    return oe.Runs.from_files(
        str(folder / "gold.csv.gz"), str(folder / "systems.csv.gz"), missing="zero"
    )


@pytest.mark.later
def test_coverage_of_closeness_on_llmjudge_equals_that_of_the_authors_own_values(shared, judges):
    """The closeness values come from the authors' program, the rest from the formula."""
    with gzip.open(shared / "data" / "reference_cem" / "llmjudge2024.csv.gz", "rt") as lines:
        values = {
            (row["system"], row["case"]): float(row["cem_ord"]) for row in csv.DictReader(lines)
        }
    closeness = [[values[system, case] for case in judges.cases] for system in judges.systems]
    reference = [
        oe.registry[name](judges.table)
        for name in ("accuracy", "kendall_tau_a", "mutual_information")
    ]
    expected = plain.coverage(closeness, reference)
    assert oe.meta.coverage(judges, ["cem_ord"], resamples=0)["cem_ord"] == pytest.approx(
        expected, abs=1e-6
    )
    found = oe.meta.robustness(judges, ["cem_ord"], resamples=0)["cem_ord"]
    assert found == pytest.approx(plain.robustness(np.array(closeness)), abs=1e-4)


@pytest.mark.later
def test_the_study_of_llmjudge_says_what_it_rests_on(judges):
    found = oe.meta.study(
        judges, ["cem_ord", "accuracy", "macro_mae", "cohen_kappa"], resamples=199
    )
    assert found.metrics[0] == "cem_ord"
    words = found.recommendation
    assert words.startswith("On these 33 systems and 25 test cases cem_ord covers the 3 aspects")
    assert "cem_ord has all three formal properties" in words
    assert "25 test cases" in found.caption
    assert "by a paired t test over test cases (correction: none)" in found.caption
    assert found.to_dict()["parts_repeats"] is None


@pytest.mark.later
def test_the_table_has_every_measure_of_labels_unless_some_are_named():
    made = oe.simulate.collection(
        labels=3, cases=4, items=30, deviation=1, ratios=[0.3, 0.7], kinds=["rand", "maj"]
    )
    found = oe.meta.study(made.table, resamples=19)
    names = {name for name, metric in oe.registry.items() if not metric.takes_probabilities}
    assert set(found.metrics) == names
    assert len(found.rows()) == len(names)


def test_the_reference_may_be_any_measures_and_is_not_judged_unless_asked_for():
    made = oe.simulate.collection(labels=3, cases=4, items=30, deviation=1, ratios=[0.3, 0.7])
    found = oe.meta.study(
        made.runs,
        ["cem_ord"],
        reference=["mae", "weighted_kappa(weights='quadratic')"],
        resamples=19,
    )
    assert found.metrics == ["cem_ord"]
    assert "weighted_kappa(weights='quadratic')" in found.caption


def test_data_without_cases_is_split_and_its_items_drawn_again():
    made = oe.simulate.collection(labels=3, cases=1, items=200, deviation=1, ratios=[0.3, 0.7])
    found = oe.meta.study(made.runs, ["cem_ord", "mae"], parts=4, repeats=3, resamples=49)
    assert found.power.resample == "items"
    assert "by a paired t test over items (correction: none)" in found.caption
    assert found.to_dict()["parts_repeats"] == 3
    assert "4 random parts, 3 times" in found.caption
    assert found.recommendation.startswith("On these 10 systems and 4 random parts")


def test_measures_that_cannot_be_told_from_the_best_are_named():
    """Accuracy within 0 positions is accuracy."""
    made = oe.simulate.collection(labels=3, cases=4, items=30, deviation=1, ratios=[0.3, 0.7])
    found = oe.meta.study(made.table, ["accuracy", "accuracy_within(n=0)"], resamples=19)
    assert found.equals == ["accuracy_within(n=0)"]
    assert "not significantly different from it at the 95% level" in found.recommendation


def test_it_shows_itself_with_dashes_where_undefined():
    gold = [0, 1, 2] * 20
    runs = oe.Runs.from_labels(
        gold, {"a": [1] * 60, "b": [1] * 60}, case=[at // 12 for at in range(60)]
    )
    found = oe.meta.study(runs, ["pearson", "mae"], resamples=19)
    assert "\n" not in repr(found)
    line = next(line for line in str(found).splitlines() if line.startswith("pearson"))
    assert line.split()[1:6] == [DASH] * 5
    assert "<table " in found._repr_html_()
    assert "\n| measure |" in found.to_markdown()
    assert found.to_dict()["metrics"][0]["coverage"] is None


def test_intervals_can_be_left_out():
    made = oe.simulate.collection(labels=3, cases=4, items=30, deviation=1, ratios=[0.3, 0.7])
    found = oe.meta.study(made.table, ["accuracy", "cem_ord"], resamples=19, level=None)
    assert "indistinguishable" not in found.recommendation
    assert "[" not in str(found).splitlines()[2]
    assert "robustness_interval" not in found.rows()[0]


def test_systems_that_never_differ_leave_coverage_undefined_in_words():
    gold = [0, 1, 2] * 20
    runs = oe.Runs.from_labels(gold, {"a": gold, "b": gold}, case=[at // 12 for at in range(60)])
    assert "coverage is undefined" in oe.meta.study(runs, ["mae"], resamples=19).recommendation


def test_one_measure_alone_is_compared_with_no_other():
    made = oe.simulate.collection(labels=3, cases=4, items=30, deviation=1, ratios=[0.3, 0.7])
    words = oe.meta.study(made.table, ["mae"], resamples=19).recommendation
    assert "Every other" not in words
    assert "It lacks at least one of the three formal properties" in words


def test_no_measure_is_called_most_robust_where_robustness_is_undefined():
    """Both systems are perfect on the second case: a tie, which ranks nothing, so no two cases have a correlation."""
    gold = [1, 2, 3, 1, 2, 3]
    runs = oe.Runs.from_labels(
        gold, {"a": gold, "b": [1, 2, 2, 1, 2, 3]}, case=["x", "x", "x", "y", "y", "y"]
    )
    words = oe.meta.study(runs, ["cem_ord"], resamples=19).recommendation
    assert "Robustness is undefined" in words
    assert "most robust" not in words
