"""`ordeval decide`: from a file of probabilities or scores to a rule, and from a rule to answers."""

import csv
import gzip
import io
import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import ordeval as oe
from ordeval.cli import main
from ordeval.inputs.files import item_rows
from tests.inputs.files.workbooks import write_workbook

LABELS = ["low", "mid", "high"]


def model(n=120, seed=0):
    """Return gold drawn from probabilities of three classes, and these probabilities."""
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet([2.0, 1.0, 0.6], n)
    return (rows.cumsum(axis=1) < rng.random(n)[:, None]).sum(axis=1), rows


@pytest.fixture
def files(tmp_path, monkeypatch):
    """The columns of the classes stand in another order than the classes, among others."""
    monkeypatch.chdir(tmp_path)
    gold, rows = model()
    frame = pd.DataFrame(
        {
            "id": [f"q{at}" for at in range(len(gold))],
            "text": "some, text",
            "high": rows[:, 2],
            "low": rows[:, 0],
            "MID": rows[:, 1],
            "human": np.array(LABELS)[gold],
            "mass": 1 + np.arange(len(gold)) % 3,
            "score": rows @ np.arange(3),
        }
    )
    frame.to_csv("proba.csv", index=False)
    frame.drop(columns=["human", "mass"]).to_csv("new.csv", index=False)
    return tmp_path


def run(*args):
    return CliRunner().invoke(main, ["decide", *map(str, args)])


FITTED = ("proba.csv", "--gold", "human", "--labels", "low,mid,high")


def refused(*args, status=3):
    result = run(*args)
    assert result.exit_code == status, result.output
    assert result.stdout == ""
    return result.stderr


def answers_in(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_the_command_says_what_the_function_says(files):
    gold, rows = model()
    expected = oe.decide.fit(rows, np.array(LABELS)[gold], metric="qwk", labels=LABELS)
    result = run(*FITTED, "--metric", "qwk", "--format", "json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout) == json.loads(expected.to_json())


def test_weights_counts_and_settings_reach_the_function(files):
    gold, rows = model()
    times = 1 + np.arange(120) % 3
    shared = {"metric": "mae", "labels": LABELS, "values": [0, 1, 3]}
    settings = {"abstain": 0.2, "calibrate": True, "folds": 4, "level": 0.9}
    options = (
        "--metric",
        "mae",
        "--values",
        "0,1,3",
        "--abstain",
        "0.2",
        "--calibrate",
        "--folds",
        "4",
    )
    for option, argument in (("--weight", "sample_weight"), ("--count", "count")):
        expected = oe.decide.fit(
            rows, np.array(LABELS)[gold], **shared, **settings, **{argument: times}
        )
        result = run(*FITTED, *options, "--level", "0.9", option, "mass", "--format", "json")
        found = json.loads(result.stdout)
        assert found["worth"] == pytest.approx(np.array(expected.worth))
        assert found["held_out"]["value"] == pytest.approx(expected.held_out.score.value)
        assert found["held_out"]["low"] == pytest.approx(expected.held_out.score.low)
        assert found["limit"] == pytest.approx(expected.limit)


def test_a_rule_is_written_to_a_file_and_the_result_to_stdout(files):
    result = run(*FITTED, "--metric", "qwk", "-o", "rule.json")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("By weighted_kappa(weights='quadratic'), the rule is expected")
    rule = oe.decide.Decision.from_json((files / "rule.json").read_text(encoding="utf-8"))
    assert rule.scale.labels == tuple(LABELS)
    table = run(*FITTED, "--metric", "qwk", "-o", "rule.json", "--format", "csv").stdout
    assert [row["answers"] for row in answers_in(table)] == [
        "this rule", "most probable class", "median", "rounded mean",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "begin"),
    [("gains.csv", "answers,"), ("gains.md", "By "), ("gains.tex", r"\begin{tabular}")],
)
def test_another_ending_asks_for_the_result_in_that_form(files, name, begin):
    result = run(*FITTED, "-o", name)
    assert (result.exit_code, result.stdout) == (0, "")
    text = (files / name).read_text(encoding="utf-8")
    assert text.startswith(begin)
    assert "most probable class" in text


def test_a_rule_gives_new_items_the_answers_of_predict_in_the_order_of_the_file(files):
    gold, rows = model()
    rule = oe.decide.fit(rows, np.array(LABELS)[gold], metric="qwk", labels=LABELS, abstain=0.25)
    run(*FITTED, "--metric", "qwk", "--abstain", "0.25", "-o", "rule.json")
    result = run("new.csv", "--apply", "rule.json")
    assert result.exit_code == 0, result.output
    found = answers_in(result.stdout)
    assert [row["item"] for row in found] == [f"q{at}" for at in range(120)]
    assert [row["label"] or None for row in found] == rule.predict(rows).tolist()
    assert sum(row["label"] == "" for row in found) == 30  # a quarter of 120
    assert run("new.csv", "--apply", "rule.json", "-o", "answers.csv").stdout == ""
    assert (files / "answers.csv").read_text(encoding="utf-8") == result.stdout
    run("new.csv", "--apply", "rule.json", "-o", "answers.tsv")
    assert (files / "answers.tsv").read_text(encoding="utf-8") == result.stdout.replace(",", "\t")


def test_answers_are_a_file_of_a_system(files):
    gold, rows = model()
    rule = oe.decide.fit(rows, gold, metric="mae")
    frame = pd.DataFrame(rows, columns=["0", "1", "2"])
    frame.insert(0, "topic", np.arange(120) % 2)
    frame.insert(0, "doc", np.arange(120) // 2)
    frame["gold"] = gold
    frame.to_csv("cases.csv", index=False)
    frame.rename(columns={"gold": "label"})[["topic", "doc", "label"]].to_csv(
        "gold.csv", index=False
    )
    run("cases.csv", "--metric", "mae", "-o", "rule.json")
    run("cases.csv", "--apply", "rule.json", "-o", "answers.csv")
    result = CliRunner().invoke(
        main, ["evaluate", "gold.csv", "answers.csv", "--pooled", "--metrics", "mae", "--format", "json"]
    )  # fmt: skip
    score = json.loads(result.stdout)["systems"][0]["scores"]["mae"]["value"]
    assert score == pytest.approx(oe.mae(gold, rule.predict(rows)))


def test_rows_without_ids_are_numbered_from_one(files):
    (files / "plain.csv").write_text("1,2,gold\n0.2,0.8,2\n0.9,0.1,1\n", encoding="utf-8")
    run("plain.csv", "--metric", "accuracy", "-o", "rule.json")
    assert run("plain.csv", "--apply", "rule.json").stdout == "item,label\n1,2\n2,1\n"


def test_items_keep_their_names_whatever_these_are(files):
    names = ["=1+1", "a,b", 'say "x"', "@x", "007", "q\nr"]
    frame = pd.DataFrame({"item": names, "1": 0.25, "2": 0.75, "gold": 2})
    frame.to_csv("odd.csv", index=False)
    run("odd.csv", "--metric", "accuracy", "-o", "rule.json")
    result = run("odd.csv", "--apply", "rule.json")
    assert [row["item"] for row in answers_in(result.stdout)] == names


@pytest.mark.parametrize("name", ["p.parquet", "p.jsonl", "p.tsv", "p.csv.gz", "p.xlsx"])
def test_every_kind_of_file_gives_the_same_rule(files, name):
    frame = pd.read_csv("proba.csv")
    if name == "p.parquet":
        frame.to_parquet(name)
    elif name == "p.jsonl":
        frame.to_json(name, orient="records", lines=True, double_precision=15)
    elif name == "p.tsv":
        frame.to_csv(name, sep="\t", index=False)
    elif name == "p.xlsx":
        write_workbook(name, {"items": [list(frame.columns), *frame.to_numpy().tolist()]})
    else:
        (files / name).write_bytes(gzip.compress((files / "proba.csv").read_bytes()))
    plain, other = (
        json.loads(run(file, *FITTED[1:], "--format", "json").stdout)
        for file in ("proba.csv", name)
    )
    assert other["worth"] == pytest.approx(np.array(plain["worth"]))
    assert other["held_out"]["value"] == pytest.approx(plain["held_out"]["value"])


def test_columns_named_by_numbers_are_classes_in_their_order(files):
    text = "10,2,1,gold,note\n0.1,0.2,0.7,1,x\n0.6,0.2,0.2,2,y\n0.1,0.1,0.8,1,z\n"
    (files / "numbers.csv").write_text(text, encoding="utf-8")
    content = json.loads(run("numbers.csv", "--format", "json").stdout)
    assert content["scale"]["labels"] == [1, 2, 10]


def test_the_order_of_classes_with_names_is_never_guessed(files):
    said = refused("proba.csv", "--gold", "human")
    assert "do not say which classes there are, and in which order" in said
    assert "Pass --labels A,B,C, lowest first" in said


def test_a_column_of_a_models_answers_is_not_taken_for_gold(files):
    (files / "answered.csv").write_text("1,2,pred\n0.2,0.8,2\n0.9,0.1,1\n", encoding="utf-8")
    assert "Name the column of gold labels with --gold" in refused("answered.csv")


HEAD = "item,gold,1,2\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty: it has no rows"),
        (HEAD, "has no rows"),
        (HEAD + "a,1,0.5,0.5\nb,2,,1\n", "column '1' of item 'b' in 'bad.csv' is empty; 1 row of 2"),
        (HEAD + "a,1,0.5,x\n", "column '2' of item 'a' in 'bad.csv' holds 'x', which is not a finite number"),
        (HEAD + "a,1,inf,0\n", "holds 'inf', which is not a finite number"),
        (HEAD + "a,1,nan,0\n", "holds 'nan', which is not a finite number"),
        (HEAD + "a,1,0.5,0.5\nb,2,0.5,0.6\n", "of item 'b' in 'bad.csv' are [0.5, 0.6], with the sum 1.1"),
        (HEAD + "a,1,-0.5,1.5\n", "they must be 0 or more and sum to 1"),
        (HEAD + "a,1,0.5,0.5\nb,3,0.5,0.5\n", "item 'b' in 'bad.csv' has the gold label '3', which is not one of"),
        (HEAD + "a,1,0.5,0.5\nb,,0.5,0.5\n", "item 'b' in 'bad.csv' has no gold label; 1 row of 2"),
        ("1,2\n0.5,0.5\n", "has no column named gold or label: it has '1', '2'"),
        ("gold,1,2,1.0\n1,0.5,0.5,0\n", "has two columns for the class 1, '1' and '1.0'"),
        ("gold,1\n1,1\n", "Pass --labels A,B,C"),
    ],
)  # fmt: skip
def test_bad_rows_are_named(files, text, said):
    (files / "bad.csv").write_text(text, encoding="utf-8")
    assert said in refused("bad.csv", "-o", "rule.json")
    assert not (files / "rule.json").exists()


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_printed_probabilities_may_be_off_by_half_a_unit_of_the_last_decimal_each(files, ending):
    # three thirds: 0.999 with three decimals, which 3 * 0.0005 allow; 0.99 with two, which 3 * 0.005 allow
    def said(*rows):
        frame = pd.DataFrame(rows, columns=["1", "2", "3"], dtype=object)
        frame["gold"] = [1, 2][: len(rows)]
        if ending == "csv":
            frame.to_csv("p.csv", index=False)
        else:
            frame.astype(float).to_json("p.jsonl", orient="records", lines=True)
        return run(f"p.{ending}", "--metric", "mae", "--format", "csv")

    assert said((0.333, 0.333, 0.333), (0.125, 0.125, 0.75)).exit_code == 0
    assert said((0.33, 0.33, 0.33), (0.25, 0.25, 0.5)).exit_code == 0
    result = said((0.33, 0.33, 0.33), (0.125, 0.125, 0.75))
    assert "with the sum 0.99" in result.stderr


def test_small_probabilities_in_scientific_notation_have_the_decimals_that_they_stand_for(files):
    # 6.8e-05 is 0.000068, with six decimals, which allow 3 * 0.0000005; pandas and NumPy write such numbers
    text = "1,2,3,gold\n0.333333,0.666597,6.8e-05,1\n0.5,0.25,0.25,2\n"
    (files / "p.csv").write_text(text.replace("0.666597", "0.666598"))  # 0.999999
    assert run("p.csv", "--metric", "mae", "--format", "csv").exit_code == 0
    (files / "p.csv").write_text(text.replace("0.666597", "0.666595"))  # 0.999996
    assert "with the sum 0.999996" in refused("p.csv", "--metric", "mae")
    (files / "p.csv").write_text(
        "1,2,3,gold\n0.3,0.7,6.8e-05,1\n"
    )  # too much by a number of six decimals
    assert "with the sum 1.000068" in refused("p.csv", "--metric", "mae")


def test_a_class_without_a_column_is_named(files):
    assert "has no column for the class 'top'" in refused(
        *FITTED[:3], "--labels", "low,mid,high,top"
    )


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--metric", "cem_odr"), "Did you mean cem_ord?"),
        (("--folds", "1"), "--folds 1 is not a number of folds"),
        (("--abstain", "1"), "--abstain 1.0 is not a share of the items"),
        (("--by-class",), "--sets 0.9"),
        (("--sets", "0.9", "--metric", "mae"), "--metric has no effect with --sets"),
        (("--scores", "score", "--calibrate"), "--calibrate is for probabilities"),
        (("-o", "page.html"), "this command writes no page"),
        (("-o", "proba.csv"), "this command reads it"),
        (("--labels", "low"), "--labels names one class"),
    ],
)
def test_wrong_usage_is_told_before_anything_is_read(files, args, said):
    assert said in refused(*FITTED, *args, status=2)


RULE = {"kind": "decision", "schema": 1}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "'bad.json' holds no rule that can be applied: this is not JSON"),
        ("[1]", "this JSON holds no rule, but [1]"),
        ('{"kind": "table"}', """this JSON has "kind": 'table'"""),
        (json.dumps(RULE), "the scale of this rule is None"),
        (json.dumps({**RULE, "schema": 99}), "this rule has schema 99"),
    ],
)
def test_a_file_that_holds_no_rule_is_told_so(files, content, said):
    (files / "bad.json").write_text(content, encoding="utf-8")
    assert said in refused("new.csv", "--apply", "bad.json", "-o", "answers.csv")
    assert not (files / "answers.csv").exists()


def test_a_rule_for_other_classes_is_refused(files):
    run(*FITTED, "-o", "rule.json")
    (files / "numbers.csv").write_text("1,2\n0.5,0.5\n", encoding="utf-8")
    said = "has no column for the classes 'low', 'mid', 'high': it has '1', '2'"
    assert said in refused("numbers.csv", "--apply", "rule.json")
    assert "rule.json" in refused("new.csv", "--apply", "none.json")[:40].replace("none", "rule")


def test_a_bad_row_among_new_ones_leaves_the_old_answers(files):
    run(*FITTED, "-o", "rule.json")
    (files / "answers.csv").write_text("old", encoding="utf-8")
    frame = pd.read_csv("new.csv")
    frame.loc[7, "low"] = np.nan
    frame.to_csv("new.csv", index=False)
    said = refused("new.csv", "--apply", "rule.json", "-o", "answers.csv")
    assert "column 'low' of item 'q7' in 'new.csv' is empty" in said
    assert (files / "answers.csv").read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--metric", "mae"), "--metric is for fitting a rule"),
        (("--labels", "low,mid,high"), "--labels is for fitting a rule"),
        (("--format", "json"), "--format asks for json, and answers are written as CSV"),
        (("-o", "answers.json"), "-o answers.json asks for json, and answers are written as CSV"),
        (("-o", "rule.json"), "this command reads it"),
        (("--scores", "score"), "holds a rule for probabilities. Leave out --scores"),
    ],
)
def test_what_fits_a_rule_is_refused_where_one_is_applied(files, args, said):
    run(*FITTED, "-o", "rule.json")
    assert said in refused("new.csv", "--apply", "rule.json", *args, status=2)


def test_cut_points_of_a_score_are_fitted_and_applied(files):
    gold, rows = model()
    score = rows @ np.arange(3)
    cuts = oe.decide.cut(score, np.array(LABELS)[gold], metric="mae", labels=LABELS)
    result = run(*FITTED, "--scores", "score", "--metric", "mae", "-o", "cuts.json")
    assert result.exit_code == 0, result.output
    assert "these cut points reach" in result.stdout
    found = answers_in(run("new.csv", "--apply", "cuts.json").stdout)
    assert [row["label"] for row in found] == cuts.predict(score).tolist()
    pd.read_csv("new.csv").rename(columns={"score": "other"}).to_csv("new.csv", index=False)
    assert "has no column 'score' for --scores" in refused("new.csv", "--apply", "cuts.json")
    again = answers_in(run("new.csv", "--apply", "cuts.json", "--scores", "other").stdout)
    assert again == found


def test_gold_shows_the_scale_of_scores_if_nothing_is_declared(files):
    (files / "s.csv").write_text("gold,s\n1,0.1\n2,0.5\n3,0.9\n1,0.2\n", encoding="utf-8")
    result = run("s.csv", "--scores", "s", "--names", "low,mid,high", "--format", "json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["scale"]["labels"] == [1, 2, 3]


@pytest.mark.parametrize("by_class", [False, True])
def test_sets_are_fitted_and_applied(files, by_class):
    gold, rows = model()
    found = oe.decide.sets(
        rows, np.array(LABELS)[gold], level=0.8, by_class=by_class, labels=LABELS
    )
    result = run(*FITTED, "--sets", "0.8", *(["--by-class"] if by_class else []), "-o", "sets.json")
    assert result.exit_code == 0, result.output
    answers = answers_in(run("new.csv", "--apply", "sets.json").stdout)
    assert [[row["lowest"], row["highest"]] for row in answers] == found.predict(rows).tolist()


def test_a_column_that_looks_like_a_count_and_is_not_used_is_noted(files):
    pd.read_csv("proba.csv").rename(columns={"mass": "count"}).to_csv("proba.csv", index=False)
    result = run(*FITTED)
    assert "column 'count' of 'proba.csv' was not used" in result.stderr
    assert run(*FITTED, "--count", "1").stderr == ""
    run(*FITTED, "--count", "1", "-o", "rule.json")
    # what a row counts for changes no answer
    assert run("proba.csv", "--apply", "rule.json").stderr == ""


def test_numbers_with_an_exponent_are_as_precise_as_they_can_be(files):
    # by its decimals alone, 3e-1 could be off by a half
    text = "low,high,gold\n3e-1,72e-2,low\n3e-1,7e-1,high\n"
    (files / "exponents.csv").write_text(text, encoding="utf-8")
    said = refused("exponents.csv", "--labels", "low,high")
    assert "with the sum 1.02" in said


def test_a_file_with_text_in_one_column_of_numbers_is_as_precise_as_the_others(files):
    columns = {"low": ["0.33"] * 2, "mid": [0.33] * 2, "high": [0.33] * 2, "gold": LABELS[:2]}
    pd.DataFrame(columns).to_parquet("mixed.parquet")
    assert "with the sum 0.99" in refused("mixed.parquet", "--labels", "low,mid,high")


def test_answers_on_a_terminal_do_not_steer_it(files, monkeypatch):
    (files / "odd.csv").write_text("item,gold,1,2\nq\x1b[2J,1,0.9,0.1\n", encoding="utf-8")
    run("odd.csv", "-o", "rule.json")
    monkeypatch.setattr("ordeval.cli.decide.screen", lambda _: 80)
    assert run("odd.csv", "--apply", "rule.json").stdout == "item,label\nq\ufffd[2J,1\n"


def test_only_the_columns_that_are_needed_are_read(files, monkeypatch):
    asked = []
    plain = item_rows.all_rows
    monkeypatch.setattr(
        item_rows, "all_rows", lambda database, query: asked.append(query) or plain(database, query)
    )
    run(*FITTED)
    (query,) = asked
    assert query.count(" AS DOUBLE)") == 3  # the probabilities
    assert "text" not in query
