"""Files in which several raters made the gold, files of probabilities, and answers that need no file."""

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy.stats import wasserstein_distance

import ordeval as oe
from ordeval.cli import main

HUMANS = """item,rater,label
p,ann,1
p,bob,1
p,cy,2
q,ann,2
q,bob,3
r,bob,3
r,cy,3
s,ann,1
s,cy,2
"""
# p: 2/3 of class 1 and 1/3 of 2; q: halves of 2 and 3; r: 3; s: halves of 1 and 2
SHARES = np.array([[2 / 3, 1 / 3, 0], [0, 0.5, 0.5], [0, 0, 1], [0.5, 0.5, 0]])
ANSWERS = "item,label\ns,1\np,1\nq,2\nr,3\nelsewhere,2\n"
PROBABILITIES = "item,1,2,3\np,0.5,0.5,0\nq,0,1,0\nr,0,0.25,0.75\ns,1,0,0\n"
ROWS = np.array([[0.5, 0.5, 0], [0, 1, 0], [0, 0.25, 0.75], [1, 0, 0]])


def ordeval(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


def fails(*words):
    result = ordeval(*words)
    assert result.exit_code in {2, 3}, result.stdout
    return " ".join(result.stderr.split())


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("humans", HUMANS), ("a", ANSWERS), ("b", PROBABILITIES)):
        (tmp_path / f"{name}.csv").write_text(text)
    return tmp_path


def scores(*words):
    result = ordeval(*words, "--format", "json")
    assert result.exit_code == 0, result.stderr
    content = json.loads(result.stdout)
    return content, {
        one["name"]: {name: score["value"] for name, score in one["scores"].items()}
        for one in content["systems"]
    }


def test_a_gold_file_with_a_column_of_raters_is_soft_gold(folder):
    content, found = scores("evaluate", "humans.csv", "a.csv", "--metrics", "accuracy,cem_ord")
    # the shares of 1, 2, 3, 1 on p, q, r, s: 2/3, 1/2, 1 and 1/2
    assert found["a"]["accuracy"] == pytest.approx((2 / 3 + 1 / 2 + 1 + 1 / 2) / 4)
    soft = oe.Table.from_soft(SHARES, [1, 2, 3, 1], labels=[1, 2, 3])
    assert found["a"]["cem_ord"] == pytest.approx(oe.cem_ord(soft))
    assert content["input"]["items"] == 4
    assert content["input"]["ignored"]["not_in_gold"] == 1
    # ann: p, q, s against the others: 1/2 (bob 1, cy 2), 0, 0; bob: p 1/2, q 0, r 1; cy: p 0, r 1, s 0
    human = (0.5 / 3 + 1.5 / 3 + 1 / 3) / 3
    assert content["ceiling"]["accuracy"]["value"] == pytest.approx(human)


def test_the_column_of_raters_may_have_another_name(folder):
    (folder / "crowd.csv").write_text(HUMANS.replace("rater", "who"))
    _, named = scores("evaluate", "crowd.csv", "a.csv", "--rater", "who")
    _, usual = scores("evaluate", "humans.csv", "a.csv")
    assert named == usual
    assert "more than one row for item" in fails("evaluate", "crowd.csv", "a.csv")


def test_probabilities_have_a_column_for_each_class(folder):
    metrics = "wasserstein,soft_rps,accuracy"
    _, found = scores("evaluate", "humans.csv", "b.csv", "--proba", "--metrics", metrics)
    expected = [
        wasserstein_distance([1, 2, 3], [1, 2, 3], s, p) for s, p in zip(SHARES, ROWS, strict=True)
    ]
    assert found["b"]["wasserstein"] == pytest.approx(np.mean(expected))
    squares = ((SHARES - ROWS).cumsum(axis=1)[:, :-1] ** 2).sum(axis=1) / 2
    assert found["b"]["soft_rps"] == pytest.approx(squares.mean())
    assert found["b"]["accuracy"] == pytest.approx((SHARES * ROWS).sum(axis=1).mean())


def test_probabilities_are_scored_against_gold_labels_too(folder):
    (folder / "gold.csv").write_text("item,label\np,1\nq,3\nr,3\ns,2\n")
    _, found = scores("evaluate", "gold.csv", "b.csv", "--proba", "--metrics", "rps,expected_cem")
    gold = [1, 3, 3, 2]
    rps = oe.ranked_probability_score(gold, ROWS, labels=[1, 2, 3])
    assert found["b"]["ranked_probability_score"] == pytest.approx(rps)
    assert found["b"]["expected_cem"] == pytest.approx(
        oe.expected_cem(gold, ROWS, labels=[1, 2, 3])
    )


def test_answers_that_need_no_file_compete(folder):
    _, found = scores(
        "compare", "humans.csv", "a.csv", "@uniform", "@most_frequent", "--metrics", "manhattan"
    )
    assert found["@uniform"]["manhattan"] == pytest.approx(
        np.abs(SHARES - 1 / 3).sum(axis=1).mean()
    )
    # 1, 2 and 3 were given three times each, so the lowest is taken
    assert found["@most_frequent"]["manhattan"] == pytest.approx((2 * (1 - SHARES[:, 0])).mean())
    assert "@most_frequent" in fails("evaluate", "humans.csv", "@most_frequnt")


def test_judges_in_a_column_of_raters_are_systems(folder):
    lines = ["item,rater,label"]
    lines += [
        f"{item},x,{a}\n{item},y,{b}" for item, a, b in zip("pqrs", "1231", "2332", strict=True)
    ]
    (folder / "judges.csv").write_text("\n".join(lines) + "\n")
    _, found = scores("compare", "humans.csv", "judges.csv")
    assert set(found) == {"x", "y"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("item,1,2\np,0.5,0.5\n", "no column for the class 3"),
        ("item,1,2,3\np,0.5,0.4,0\nq,0,1,0\nr,0,0,1\ns,1,0,0\n", "must be 0 or more and sum to 1"),
        ("item,1,2,3\np,x,0.4,0\n", "not a number"),
        ("item,1,2,3\nz,0.5,0.5,0\n", "is about an item that the raters marked"),
        (
            "id2,1,2,3\np,0.5,0.5,0\n",
            "none of which has a usual name; name them with --case, --item",
        ),
        ("item,1,2,3\np,0.5,0.5,0\n", "3 of 4 answers are missing"),
    ],
)
def test_files_of_probabilities_that_do_not_fit_are_refused(folder, text, says):
    (folder / "c.csv").write_text(text)
    assert says in fails("evaluate", "humans.csv", "c.csv", "--proba")


def test_measures_of_probabilities_are_refused_for_labels_alone(folder):
    (folder / "gold.csv").write_text("item,label\np,1\nq,3\nr,3\ns,2\n")
    said = fails("evaluate", "gold.csv", "a.csv", "--metrics", "wasserstein")
    assert "takes class probabilities, and these are labels" in said
    assert scores("evaluate", "humans.csv", "a.csv", "--metrics", "wasserstein")[1]["a"]


@pytest.mark.parametrize("option", ["--weight", "--count", "--by"])
def test_what_is_not_understood_beside_raters_is_refused(folder, option):
    (folder / "more.csv").write_text(
        "item,rater,label,n\n" + "".join(f"{line},1\n" for line in HUMANS.split()[1:])
    )
    assert "Leave it out" in fails("evaluate", "more.csv", "a.csv", "--rater", "rater", option, "n")


@pytest.mark.parametrize(
    ("task", "classes"), [("paraphrase_test", range(-5, 6)), ("sarcasm_test", range(1, 7))]
)
def test_the_baselines_of_lewidi_are_as_scipy_has_them(shared, task, classes):
    file = shared / "data" / "lewidi2025"
    marks = pd.read_csv(file / f"{task}.csv.gz")
    most = marks.label.value_counts().sort_index().idxmax()
    items = [group.label.to_numpy() for _, group in marks.groupby("item")]
    labels = ",".join(map(str, classes))
    _, found = scores(
        "evaluate", str(file / f"{task}.csv.gz"), "@uniform", "@most_frequent", f"--labels={labels}",
        "--metrics", "wasserstein",
    )  # fmt: skip
    uniform = np.mean([wasserstein_distance(marked, list(classes)) for marked in items])
    constant = np.mean([wasserstein_distance(marked, [most]) for marked in items])
    assert found["@uniform"]["wasserstein"] == pytest.approx(uniform)
    assert found["@most_frequent"]["wasserstein"] == pytest.approx(constant)
