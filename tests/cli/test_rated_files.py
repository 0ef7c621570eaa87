"""Files in which several raters made the gold, files of probabilities, and answers that need no file."""

import hashlib
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
    assert found["b"]["wasserstein"] == pytest.approx(np.mean(expected) / 2)  # 3 - 1
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
        ("item,1,2\np,0.5,0.5\n", "no column for the class 3: it has"),
        (
            "item,1,2,3\nq,0,1,0\np,0.5,0.4,0\n",
            "item 'p' in 'c.csv' are [0.5, 0.4, 0], with the sum 0.9",
        ),
        ("item,1,2,3\np,0.5,0.4,0\nq,0,1,0\nr,0,0,1\ns,1,0,0\n", "must be 0 or more and sum to 1"),
        ("item,1,2,3\np,x,0.4,0\n", "not a number"),
        ("item,1,2,3\nz,0.5,0.5,0\n", "is about an item that the raters marked"),
        ("id2,1,2,3\np,0.5,0.5,0\n", "no column of item ids"),
        ("item,1,2,3\np,0.5,0.5,0\n", "3 of 4 answers are missing"),
    ],
)
def test_files_of_probabilities_that_do_not_fit_are_refused(folder, text, says):
    (folder / "c.csv").write_text(text)
    assert says in fails("evaluate", "humans.csv", "c.csv", "--proba")


def test_labels_and_probabilities_compete_in_one_command(folder):
    words = ("compare", "humans.csv", "a.csv", "b.csv", "--proba", "--metrics", "wasserstein")
    _, found = scores(*words)
    assert (
        found["a"] == scores("compare", "humans.csv", "a.csv", "--metrics", "wasserstein")[1]["a"]
    )
    assert found["b"] == scores("compare", "humans.csv", "b.csv", *words[4:])[1]["b"]


def test_an_item_with_rounded_probabilities_is_still_one_item(folder):
    thirds = "item,1,2,3\n" + "".join(f"{item},0.3333333,0.3333333,0.3333333\n" for item in "pqrs")
    (folder / "thirds.csv").write_text(thirds)
    content, _ = scores("evaluate", "humans.csv", "a.csv", "thirds.csv", "--proba")
    assert content["input"]["items"] == 4
    assert "4 items;" in ordeval("evaluate", "humans.csv", "thirds.csv", "--proba").stdout


def test_columns_of_gold_and_answers_may_have_any_names(folder):
    (folder / "gold.csv").write_text("task,choice\np,1\nq,3\nr,3\ns,2\n")
    _, found = scores("evaluate", "gold.csv", "gold.csv", "--item", "task", "--label", "choice")
    assert found["gold"]["accuracy"] == 1


WIDE = """id,ann,bob,cy,x,y,note
p,1,1,2,1,2,
q,2,3,,2,3,odd
r,,3,3,3,3,
s,1,,2,1,,
"""


@pytest.fixture
def wide(folder):
    (folder / "wide.csv").write_text(WIDE)
    return ("wide.csv", "--raters", "ann,bob,cy", "--pred", "x")


@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_raters_and_systems_may_be_columns_of_one_file(wide, command):
    # the same marks and answers as in humans.csv and a.csv
    content, found = scores(command, *wide)
    long, expected = scores(command, "humans.csv", "a.csv")
    assert list(found) == ["x"]
    assert found["x"] == pytest.approx(expected["a"])
    ceiling = {name: score["value"] for name, score in content["ceiling"].items()}
    assert ceiling == {name: score["value"] for name, score in long["ceiling"].items()}


def test_rows_without_ids_are_items_in_their_order(wide, folder):
    (folder / "wide.csv").write_text(
        "\n".join(line[line.index(",") + 1 :] for line in WIDE.split())
    )
    assert scores("evaluate", *wide)[1]["x"] == pytest.approx(
        scores("evaluate", "humans.csv", "a.csv")[1]["a"]
    )


def test_runs_of_a_wide_file_are_those_of_ratings_and_labels(wide, folder):
    runs = oe.Runs.from_wide("wide.csv", raters=["ann", "bob", "cy"], predicted=["x", "@uniform"])
    people = oe.Ratings.from_file("wide.csv", raters=["ann", "bob", "cy"])
    assert runs.ratings == people
    expected = oe.Table.from_soft(people.shares(), [1, 2, 3, 1], labels=[1, 2, 3])
    np.testing.assert_allclose(runs.table.counts[0], expected.counts)
    assert runs.systems == ("x", "@uniform")


def test_one_rater_in_a_wide_file_is_a_gold_column(wide):
    # ann marked p, q and s: 1, 2 and 1; x answered the same
    words = ("--raters", "ann", "--pred", "x", "--gold-missing", "drop", "--labels", "1,2,3")
    content, found = scores("evaluate", "wide.csv", *words)
    assert found["x"]["accuracy"] == 1
    assert content["input"]["items"] == 3
    assert "ceiling" not in content


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--raters", "ann,bob"], "name the answers' too: --pred COL"),
        (["--raters", "ann,bob", "--gold", "cy", "--pred", "x"], "Leave one of them out"),
        (["--raters", "ann,bob", "--pred", "z"], "no column 'z' for --pred"),
        (["--raters", "ann,eve", "--pred", "x"], "no column 'eve' for --raters"),
        (["--raters", "ann,bob", "--pred", "bob"], "'bob' is named as a rater and as a system"),
        (["--raters", "ann,bob", "--pred", "y"], "1 of 4 answers is missing, first at item 's'"),
        (
            ["--raters", "ann", "--pred", "x", "--labels", "1,2,3"],
            "1 of 4 gold labels is missing, first at item 'r'",
        ),
        (["--raters", "ann,bob", "--pred", "x", "--by", "note"], "--by is not understood"),
        (["--raters", "ann,bob", "--pred", "x", "--proba"], "neither is for a wide file"),
        (
            ["--raters", "ann", "--pred", "x"],
            "label '3' is not on the scale 1,2 (lowest first); 1 of 4 answers",
        ),
        (["--pred", "x"], "--raters COL,COL"),
    ],
)
def test_wide_files_of_raters_that_do_not_fit_are_refused(wide, words, says):
    assert says in fails("evaluate", "wide.csv", *words)


def test_python_refuses_gold_beside_raters_and_neither_of_them(wide):
    with pytest.raises(oe.errors.ParameterError, match="Leave one of them out"):
        oe.Runs.from_wide("wide.csv", gold="ann", raters=["bob"], predicted="x")
    with pytest.raises(oe.errors.ParameterError, match="gold is None; it is the name of a column"):
        oe.Runs.from_wide("wide.csv", predicted="x")


def check(*words):
    result = ordeval("check", *words, "--format", "json")
    content = json.loads(result.stdout)
    files = {one["file"]: [p["what"] for p in one["problems"]] for one in content["files"]}
    return result.exit_code, content, files


def test_check_counts_the_items_of_raters_and_not_their_marks(folder):
    code, content, files = check("humans.csv", "a.csv", "@uniform")
    assert code == 0
    assert content["input"]["items"] == 4
    assert files == {"@uniform": [], "a.csv": ["1 row is about items that are not in gold."]}
    assert "4 items, 3 raters; 3 classes" in ordeval("check", "humans.csv", "a.csv").stdout


def test_check_lists_all_problems_of_answers_to_the_items_of_raters(folder):
    (folder / "bad.csv").write_text("item,label\np,1\np,2\nq,7\nr,3\n")
    (folder / "sums.csv").write_text("item,1,2,3\np,0.5,0.4,0\n")
    code, _, files = check("humans.csv", "b.csv", "bad.csv", "sums.csv", "none.csv", "--proba")
    assert code == 1
    assert files["b.csv"] == []
    twice, off, missing = files["bad.csv"]
    assert "more than one answer by system 'bad' of item 'p'" in twice
    assert "label '7' is not on the scale 1,2,3 (lowest first); 1 of 3 answers lies outside" in off
    assert "2 of 4 answers are missing" in missing
    assert "sum to 1" in files["sums.csv"][0]
    assert "there is no file" in files["none.csv"][0]


def test_files_that_cannot_be_scored_against_raters_can_be_left_out(folder):
    (folder / "bad.csv").write_text("item,label\np,7\n")
    content, found = scores("evaluate", "humans.csv", "a.csv", "bad.csv", "--skip-bad")
    assert list(found) == ["a"]
    assert [one["file"] for one in content["input"]["skipped"]] == ["bad.csv"]
    assert "no system's file can be scored" in fails(
        "evaluate", "humans.csv", "bad.csv", "--skip-bad"
    )


def test_check_reads_raters_in_a_wide_file(wide):
    code, content, files = check("wide.csv", "--raters", "ann,bob,cy", "--pred", "x,y")
    assert (code, content["input"]["items"]) == (1, 4)
    assert [what.partition(",")[0] for what in files["wide.csv"]] == [
        "column 'y': 1 of 4 answers is missing"
    ]
    assert check("wide.csv", "--raters", "ann,bob,cy", "--pred", "x")[0] == 0


def test_marks_off_the_scale_are_all_named_beginning_with_the_first(folder):
    (folder / "odd.csv").write_text("id,ann,bob\np,low,n/a\nq,?,high\nr,N/A,low\n")
    said = fails("agree", "odd.csv", "--raters", "ann,bob", "--labels", "low,high")
    assert "label 'n/a' is not on the scale low,high" in said
    assert "3 of 6 marks lie outside it, the first by rater 'bob' of item 'p'." in said
    assert "Not on it either: " in said
    assert "'?'" in said
    assert "'N/A'" in said


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
    width = len(classes) - 1
    assert found["@uniform"]["wasserstein"] == pytest.approx(uniform / width)
    assert found["@most_frequent"]["wasserstein"] == pytest.approx(constant / width)


@pytest.mark.usefixtures("undrawn")
def test_a_report_names_the_files_that_it_was_made_of_and_not_the_answers_that_need_none(folder):
    result = ordeval("report", "humans.csv", "a.csv", "@uniform", "-o", "page.html")
    assert result.exit_code == 0, result.stderr
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert hashlib.sha256(HUMANS.encode()).hexdigest() in page
    assert "@uniform" in page


LABELLED = "item,label\np,1\nq,2\nr,3\ns,1\n"


def test_probabilities_alone_are_scored_by_measures_of_their_own(folder):
    (folder / "gold.csv").write_text(LABELLED)
    _, found = scores("evaluate", "gold.csv", "b.csv", "--proba")
    # -(ln 0.5 + ln 1 + ln 0.75 + ln 1) / 4
    assert found["b"]["log_loss"] == pytest.approx(-np.log(0.375) / 4)
    # the squares of p and r: (0.25 + 0.25) and (0.0625 + 0.0625)
    assert found["b"]["brier_score"] == pytest.approx(0.625 / 4)
    assert "accuracy" not in found["b"]
    _, both = scores("compare", "gold.csv", "a.csv", "b.csv", "--proba")
    assert "accuracy" in both["b"]
    assert "log_loss" not in both["b"]


def test_printed_probabilities_may_be_off_by_the_rounding_of_their_decimals(folder):
    (folder / "gold.csv").write_text(LABELLED)
    rows = "p,0.333,0.333,0.333\nq,0.2,0.6,0.2\nr,0,0,1\ns,0.667,0.167,0.167\n"
    for order in ([1, 2, 3], [3, 1, 2]):  # the columns in any order, among others
        lines = [line.split(",") for line in f"item,1,2,3\n{rows}".split()]
        turned = "".join(
            ",".join([line[0], "x", *(line[at] for at in order)]) + "\n" for line in lines
        )
        (folder / "rounded.csv").write_text(turned.replace("item,x", "item,note"))
        _, found = scores("evaluate", "gold.csv", "rounded.csv", "--proba", "--metrics", "brier")
        third, s = 4 / 9 + 2 / 9, (1 - 0.667 / 1.001) ** 2 + 2 * (0.167 / 1.001) ** 2
        expected = (third + (0.04 + 0.16 + 0.04) + 0 + s) / 4
        assert found["rounded"]["brier_score"] == pytest.approx(expected)
    (folder / "wrong.csv").write_text("item,1,2,3\n" + rows.replace("0.2,0.6,0.2", "0.2,0.602,0.2"))
    assert "item 'q'" in fails("evaluate", "gold.csv", "wrong.csv", "--proba")  # 3 * 0.0005 is less
    (folder / "coarse.csv").write_text("item,1,2,3\np,0.3,0.3,0.3\nq,0,1,0\nr,0,0,1\ns,1,0,0\n")
    assert "sum to 1" in fails("evaluate", "gold.csv", "coarse.csv", "--proba")


def test_small_probabilities_in_scientific_notation_may_be_off_by_the_rounding_of_their_decimals(
    folder,
):
    # 6.8E-05 has six decimals, which allow 3 * 0.0000005
    (folder / "gold.csv").write_text(LABELLED)
    rows = "item,1,2,3\np,0.333333,0.666598,6.8E-05\nq,0,1,0\nr,0,0,1\ns,1,0,0\n"  # 0.999999
    (folder / "rounded.csv").write_text(rows)
    assert scores("evaluate", "gold.csv", "rounded.csv", "--proba")[0]["input"]["items"] == 4
    (folder / "wrong.csv").write_text(rows.replace("0.666598", "0.666595"))  # 0.999996
    assert "sum to 1" in fails("evaluate", "gold.csv", "wrong.csv", "--proba")
    # too much by a number of six decimals, beside others that have one
    (folder / "wrong.csv").write_text(rows.replace("0.333333,0.666598", "0.3,0.7"))
    assert "sum to 1" in fails("evaluate", "gold.csv", "wrong.csv", "--proba")


def test_columns_of_half_precision_may_be_off_by_its_rounding(folder):
    (folder / "gold.csv").write_text(LABELLED)
    frame = pd.DataFrame(np.float32([[0.1, 0.2, 0.7]] * 4), columns=["1", "2", "3"])
    frame.insert(0, "item", list("pqrs"))
    frame.to_parquet(folder / "model.parquet")
    _, found = scores("evaluate", "gold.csv", "model.parquet", "--proba", "--metrics", "log_loss")
    expected = -np.log([0.1, 0.2, 0.7, 0.1]).mean()
    assert found["model"]["log_loss"] == pytest.approx(expected, rel=1e-6)


@pytest.mark.usefixtures("undrawn")
def test_the_report_of_probabilities_has_a_section_on_calibration(folder):
    (folder / "gold.csv").write_text(LABELLED)
    result = ordeval("report", "gold.csv", "b.csv", "a.csv", "--proba", "-o", "page.html")
    assert result.exit_code == 0, result.stderr
    page = (folder / "page.html").read_text()
    assert '<section id="calibration"' in page
    # at most 1: 0.5 of p is off by 0.5, the others are right; at most 2: 0.25 of r is off by 0.25: (0.5 + 0.25) / 2 / 4
    assert "they differ by 0.094 on average" in page
