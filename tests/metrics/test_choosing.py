"""The tree that answers 'which measure should I use?': its measures can be computed, and are what was asked for."""

import importlib.util
import re
import shlex
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner

import ordeval as oe
from ordeval.cli import main
from ordeval.metrics import Family, recommendations
from ordeval.metrics.choosing import ANSWERED, FIRST, paths
from ordeval.metrics.recommendations import Recommendation, Takes
from tests.prose import blocks

WAYS = list(paths(FIRST))
LEAVES = [chosen for _, chosen in WAYS]
EVERY_LEAF = pytest.mark.parametrize("chosen", LEAVES, ids=lambda chosen: chosen.key)
ITEMS = 60


def test_the_tree_has_8_to_14_leaves_and_at_most_5_questions_on_a_way():
    assert 8 <= len(LEAVES) <= 14
    assert max(len(way) for way, _ in WAYS) <= 5
    assert all(len(step.question.answers) >= 2 for way, _ in WAYS for step in way)


def test_every_recommendation_is_reached_by_exactly_one_way():
    declared = {
        one.key: one for one in vars(recommendations).values() if isinstance(one, Recommendation)
    }
    assert sorted(chosen.key for chosen in LEAVES) == sorted(declared)


def test_two_answers_to_a_question_never_lead_to_the_same_recommendation():
    keys = [chosen.key for chosen in LEAVES]
    assert len(keys) == len(set(keys))


@EVERY_LEAF
def test_every_measure_is_named_as_the_registry_names_it(chosen):
    for name in (*chosen.measures, *chosen.avoid):
        assert str(oe.registry[name]) == name


@EVERY_LEAF
def test_a_recommendation_has_one_or_two_measures_beside_it_and_avoids_none_of_them(chosen):
    assert 1 <= len(chosen.beside) <= 2
    assert len(set(chosen.measures)) == len(chosen.measures)
    assert chosen.avoid
    assert not {*chosen.measures} & {*chosen.avoid}
    assert len(re.findall(r"[.?](?: |$)", chosen.why)) in {2, 3}


@EVERY_LEAF
def test_a_recommended_measure_takes_what_the_leaf_is_about(chosen):
    measure = oe.registry[chosen.measure]
    expected = {
        Takes.PROBABILITIES: (True, {Family.PROBABILISTIC}),
        Takes.SOFT_PROBABILITIES: (True, {Family.SOFT}),
        Takes.MARKS: (False, {Family.AGREEMENT}),
        Takes.SHARES: (False, {Family.DISTRIBUTION}),
    }
    probabilities, families = expected.get(chosen.takes, (False, {measure.family}))
    assert measure.takes_probabilities is probabilities
    assert measure.family in families


ASKED = [
    (name, chosen.measure)
    for way, chosen in WAYS
    for name in {one for step in way for one in step.answer.wants}
]


def test_the_answers_about_order_rare_classes_and_chance_ask_for_the_properties_of_these():
    asked = {chosen.key: {one for step in way for one in step.answer.wants} for way, chosen in WAYS}
    assert asked["order"] == {"ordinal_invariance", "ordinal_monotonicity", "imbalance"}
    assert "imbalance" in asked["rare"]
    assert "chance_level" in asked["chance"]
    assert "ordinal_invariance" in asked["ranking"]


@pytest.mark.parametrize(("wanted", "measure"), sorted(ASKED))
def test_a_recommended_measure_has_the_properties_that_the_answers_ask_for(wanted, measure):
    """By the paper's claim, where it makes one, and by the search for counterexamples."""
    assert oe.registry[measure].claims.get(wanted, True)
    (verdict,) = oe.properties.check(measure, classes=3, items=5, properties=[wanted])
    assert verdict.verdict == "holds"


def test_where_the_order_is_all_one_knows_nothing_is_shown_that_depends_on_numbers():
    for way, chosen in WAYS:
        if any("ordinal_invariance" in step.answer.wants for step in way):
            assert all(oe.registry[name].claims["ordinal_invariance"] for name in chosen.measures)


def test_only_one_measure_has_all_three_properties_of_the_paper_as_the_recommendation_says():
    marks = {name: list(metric.claims.values()) for name, metric in oe.registry.items()}
    assert [name for name, held in marks.items() if held == [True] * 3] == ["cem_ord"]


# --- what is to be typed


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder for each kind of system, labels and probabilities, with gold and the marks of three people."""
    rng = np.random.default_rng(0)
    gold = rng.integers(1, 6, ITEMS)
    near = {name: np.clip(gold + rng.integers(-1, 2, ITEMS), 1, 5) for name in "abc"}
    files = {
        "gold": [("item", "label"), *enumerate(gold)],
        "marks": [
            ("item", "rater", "label"),
            *((at, name, mark) for name, marks in near.items() for at, mark in enumerate(marks)),
        ],
    }
    labels = {name: [("item", "label"), *enumerate(near[name])] for name in "ab"}
    even = {  # 0.6 for the answer, 0.1 for each other class
        name: [
            ("item", 1, 2, 3, 4, 5),
            *((at, *row) for at, row in enumerate(0.1 + 0.5 * np.eye(5)[near[name] - 1])),
        ]
        for name in "ab"
    }
    place = tmp_path_factory.mktemp("choosing")
    for kind, systems in (("labels", labels), ("probabilities", even)):
        (place / kind).mkdir()
        for name, rows in {**files, **systems}.items():
            text = "".join(",".join(map(str, row)) + "\n" for row in rows)
            (place / kind / f"{name}.csv").write_text(text)
    return place


def run(line):
    return CliRunner().invoke(main, shlex.split(line)[1:])


def kind_of(command):
    return "probabilities" if "--proba" in command else "labels"


@pytest.mark.later
@EVERY_LEAF
def test_the_commands_of_a_recommendation_run_and_show_its_measures(chosen, folder, monkeypatch):
    for command in chosen.commands:
        monkeypatch.chdir(folder / kind_of(command))
        result = run(command)
        assert result.exit_code == 0, result.output
        assert all(name.partition("(")[0] in result.stdout for name in chosen.measures)
        if "--primary" in command:
            assert f"by {chosen.measure}" in result.stdout.splitlines()[0]


@EVERY_LEAF
def test_the_python_calls_of_a_recommendation_run_and_give_its_measures(chosen, folder):
    place = folder / kind_of(chosen.takes.options)
    names = {
        "oe": oe,
        "marks": oe.Ratings.from_file(place / "marks.csv"),
        "gold_shares": [0.2, 0.3, 0.5],
        "answered_shares": [0.3, 0.2, 0.5],
    }
    for name in ("gold", "a", "b"):
        rows = np.loadtxt(place / f"{name}.csv", delimiter=",", skiprows=1)[:, 1:]
        names[name] = rows[:, 0].astype(int) if rows.shape[1] == 1 else rows
    *before, last = chosen.calls
    for line in before:
        exec(line, names)  # noqa: S102 - our own
    result = eval(last, names)  # noqa: S307 - our own
    if chosen.takes is Takes.SHARES:
        # cumulated: 0.2, 0.5 against 0.3, 0.5; one difference of 0.1, over K - 1 = 2
        assert result == pytest.approx(0.05)
    elif chosen.takes is Takes.MARKS:
        assert all(-1 <= result[name].value <= 1 for name in chosen.measures)
    else:
        assert result.primary == chosen.measure


# --- what is said against other measures


def test_what_is_said_against_correlations_is_so():
    # pairs of items: (1, 2) is tied in the answers and left out, the other two are in the right order
    assert oe.goodman_kruskal_gamma([1, 2, 3], [1, 1, 3]) == pytest.approx(1)
    # always one class too high
    assert oe.pearson([1, 2, 3], [2, 3, 4]) == pytest.approx(1)
    assert oe.kendall_tau_b([1, 2, 3], [2, 3, 4]) == pytest.approx(1)
    assert oe.mae([1, 2, 3], [2, 3, 4]) == pytest.approx(1)


def test_what_is_said_against_measures_without_order_is_so():
    near, far = [[0.0, 1.0, 0.0]], [[0.0, 0.0, 1.0]]
    for measure in (oe.jensen_shannon, oe.cross_entropy, oe.brier_score, oe.log_loss):
        assert measure([[1.0, 0.0, 0.0]], near) == measure([[1.0, 0.0, 0.0]], far)
    for measure in (oe.normalised_match_distance, oe.soft_rps, oe.ranked_probability_score):
        assert measure([[1.0, 0.0, 0.0]], near) < measure([[1.0, 0.0, 0.0]], far)
    assert oe.accuracy([1, 2, 3], [2, 2, 3]) == oe.accuracy([1, 2, 3], [3, 2, 3])


def test_other_numbers_for_the_classes_change_which_system_mae_prefers_and_closeness_stays():
    gold, low, high = [1, 2, 3], [2, 2, 3], [1, 2, 2]  # wrong between 1 and 2, or between 2 and 3
    for measure, changes in ((oe.mae, True), (oe.cem_ord, False)):
        gaps = [
            measure(gold, low, labels=[1, 2, 3], values=values)
            - measure(gold, high, labels=[1, 2, 3], values=values)
            for values in ([1, 2, 9], [1, 8, 9])
        ]
        assert (gaps[0] * gaps[1] < 0) is changes
        assert (gaps[0] == gaps[1]) is not changes


def test_what_is_said_against_kappa_where_one_class_has_most_marks_is_so():
    """Chance alone would make 0.98 x 0.97 + 0.02 x 0.03 = 0.9512 of the marks equal, so kappa is just below 0."""
    ann, bob = [1] * 95 + [1, 2, 1, 2, 1], [1] * 95 + [2, 1, 2, 1, 2]
    assert oe.accuracy(ann, bob) == 0.95
    assert oe.cohen_kappa(ann, bob) == pytest.approx((0.95 - 0.9512) / (1 - 0.9512))
    assert oe.gwet_ac2(ann, bob) > 0.9


def test_what_is_said_against_closeness_of_probabilities_is_so():
    people = [[0.6, 0.4, 0.0], [0.0, 0.4, 0.6]]
    sure = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    assert oe.cem_ord(people, sure) > oe.cem_ord(people, people)
    assert oe.soft_rps(people, people) == 0 < oe.soft_rps(people, sure)
    assert oe.cross_entropy(people, people) > 0


def test_constant_shares_are_calibrated_and_useless_as_the_recommendation_says():
    gold, shares = [1, 2] * 50, [[0.5, 0.5]] * 100
    assert oe.calibration_error(gold, shares) == pytest.approx(0)
    assert oe.ranked_probability_score(gold, shares) == pytest.approx(0.25)


def test_a_mean_over_items_hardly_sees_a_rare_class_and_a_mean_over_classes_does():
    # 99 right answers in class 1, the only item of class 3 is answered with 1
    gold, always = [1] * 99 + [3], [1] * 100
    assert oe.mae(gold, always) == pytest.approx(0.02)
    assert oe.accuracy(gold, always) == pytest.approx(0.99)
    assert oe.macro_mae(gold, always) == pytest.approx(1)  # (0 + 2) / 2
    assert oe.max_mae(gold, always) == pytest.approx(2)


# --- the page


@pytest.fixture(scope="module")
def page(root):
    """The page as the build writes it, without Sphinx, which only calls the module."""
    place = root / "docs" / "_ext" / "which_measure.py"
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "sphinx.application", SimpleNamespace(Sphinx=None))
        spec = importlib.util.spec_from_file_location("which_measure", place)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module.page()


def test_the_page_has_every_question_once_in_its_drawing_and_every_answer(page):
    drawing = page.partition("decision-path")[2].partition(":::")[0]
    for way, chosen in WAYS:
        for depth, step in enumerate(way):
            indent = "   " * depth
            assert drawing.count(f"\n{indent}**{step.question.text}**") == 1
            assert f"\n{indent}{step.number}. {step.answer.text}\n" in drawing
        assert f"[Use `{chosen.measure}`](#choose-{chosen.key})" in drawing


def test_every_link_of_the_page_leads_to_a_page_or_to_a_section_of_its_own(page, root):
    written = {*oe.registry}
    for target in re.findall(r"\]\(([^)]+)\)", re.sub(r"`[^`]*`", "x", page)):
        if target.startswith("#"):
            assert page.count(f"({target[1:]})=\n###") == 1
        elif target.startswith("measures/"):
            assert target.removeprefix("measures/").removesuffix(".md") in written
        else:
            assert (root / "docs" / target).is_file()


def test_every_command_of_the_page_runs_and_every_line_of_code_fits(
    page, folder, tmp_path, monkeypatch
):
    place = tmp_path / "page.md"
    place.write_text(page, encoding="utf-8")
    code = blocks(place)
    assert max(len(line) for block in code for line in block.text.splitlines()) <= 88
    commands = [
        line
        for block in code
        if block.language == "console"
        for line in block.text.replace("\\\n", " ").splitlines()
    ]
    shown = {" ".join(line.split()) for line in commands}
    recommended = {line for chosen in LEAVES for line in chosen.commands}
    assert recommended <= shown
    assert len(shown - recommended) == 3  # what to report with any score
    for command in shown - recommended:
        monkeypatch.chdir(folder / "labels")
        result = run(command)
        assert result.exit_code == 0, result.output


def test_the_table_has_the_question_of_every_measure_that_is_recommended(page):
    assert {*ANSWERED} == {name for chosen in LEAVES for name in chosen.measures}
    for name, question in ANSWERED.items():
        assert f"[`{name}`](measures/{name.partition('(')[0]}.md) | {question} |" in page
        assert question.endswith("?")
