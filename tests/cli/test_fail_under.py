"""`--fail-under`: which scores are worse than a limit."""

import json

import pytest
from click.testing import CliRunner

from ordeval.cli import main


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def wide(tmp_path):
    """By hand, over 4 items: a has accuracy 0.75 and MAE 0.25, b 0.5 and 0.75."""
    path = tmp_path / "wide.csv"
    path.write_text("gold,a,b\n1,1,1\n2,2,3\n3,3,1\n2,1,2\n")
    return [path, "--gold", "gold", "--pred", "a", "--pred", "b", "--level", "none"]


@pytest.mark.parametrize(
    ("limit", "complaints"),
    [
        ("accuracy=0.5", []),  # equal is not worse
        ("accuracy=0.51", ["accuracy of 'b' is 0.5, below 0.51."]),
        (
            "accuracy=0.76",
            ["accuracy of 'a' is 0.75, below 0.76.", "accuracy of 'b' is 0.5, below 0.76."],
        ),
        ("mae=0.75", []),
        ("mae=0.74", ["mae of 'b' is 0.75, above 0.74."]),
        ("mae=0.2", ["mae of 'a' is 0.25, above 0.2.", "mae of 'b' is 0.75, above 0.2."]),
        ("accuracy=-1", []),
        ("mae=inf", []),
    ],
)
def test_a_score_below_the_limit_fails_or_above_it_if_lower_is_better(wide, limit, complaints):
    result = run("evaluate", *wide, "--metrics", "cem_ord", "--fail-under", limit)
    assert result.stderr.splitlines() == complaints
    assert result.exit_code == (1 if complaints else 0)
    assert "\n\nsystem " in result.stdout  # the scores are written all the same


def test_every_limit_is_checked_and_its_measure_is_scored(wide):
    limits = ["--fail-under", "accuracy=0.6", "--fail-under", "mae=0.3"]
    result = run("evaluate", *wide, "--metrics", "cem_ord", *limits, "--format", "csv")
    assert result.stdout.splitlines()[0] == "system,items,answered,cem_ord,accuracy,mae"
    assert result.stderr.splitlines() == [
        "accuracy of 'b' is 0.5, below 0.6.",
        "mae of 'b' is 0.75, above 0.3.",
    ]


def test_a_score_that_misses_its_limit_by_rounding_alone_passes(tmp_path):
    # Accuracies of 0.3, 0.2 and 0.1 over three cases: in floating point their mean is a little below 0.2.
    rows = [
        f"{case},1,{int(i < n)}"
        for case, n in zip("xyz", (3, 2, 1), strict=True)
        for i in range(10)
    ]
    path = tmp_path / "wide.csv"
    path.write_text("\n".join(["case,gold,a", *rows]) + "\n")
    words = [path, "--gold", "gold", "--pred", "a", "--labels", "0,1", "--metrics", "accuracy"]
    assert run("evaluate", *words, "--level", "none", "--fail-under", "accuracy=0.2").exit_code == 0
    assert (
        run("evaluate", *words, "--level", "none", "--fail-under", "accuracy=0.201").exit_code == 1
    )


def test_an_undefined_score_fails_any_limit(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("gold,a\n1,1\n2,1\n")
    words = [path, "--gold", "gold", "--pred", "a", "--level", "none"]
    result = run("evaluate", *words, "--fail-under", "pearson=-1")
    assert (result.exit_code, result.stderr) == (1, "pearson of 'a' is undefined.\n")


def test_the_result_is_written_to_its_file_although_the_answer_is_no(wide, tmp_path):
    result = run("evaluate", *wide, "--fail-under", "accuracy=0.9", "-o", tmp_path / "out.txt")
    assert result.exit_code == 1
    assert "\n\nsystem " in (tmp_path / "out.txt").read_text()


@pytest.fixture
def many(tmp_path):
    """By hand, over 100 items: accuracy 0.9 and MAE 0.1."""
    rows = [f"{1 + i % 2},{1 + (i + (i < 10)) % 2}" for i in range(100)]
    path = tmp_path / "many.csv"
    path.write_text("\n".join(["gold,a", *rows]) + "\n")
    return [path, "--gold", "gold", "--pred", "a", "--metrics", "accuracy,mae"]


def test_a_confident_limit_is_compared_with_the_worse_end_of_the_interval(many):
    content = json.loads(run("evaluate", *many, "--format", "json").stdout)
    scores = content["systems"][0]["scores"]
    for limit in ("accuracy=0.89", "mae=0.11"):  # the scores pass, but not for certain
        assert run("evaluate", *many, "--fail-under", limit).exit_code == 0
        assert run("evaluate", *many, "--fail-under", limit, "--confident").exit_code == 1
    result = run("evaluate", *many, "--fail-under", "accuracy=0.89", "--confident")
    assert (
        result.stderr
        == f"accuracy of 'a' may be as low as {scores['accuracy']['low']:.6g}, below 0.89.\n"
    )
    result = run("evaluate", *many, "--fail-under", "mae=0.11", "--confident")
    assert (
        result.stderr == f"mae of 'a' may be as high as {scores['mae']['high']:.6g}, above 0.11.\n"
    )
    # A share of 90 in 100 is above 0.8 and an error of 10 in 100 below 0.2 by more than three standard errors.
    passes = ["--fail-under", "accuracy=0.8", "--fail-under", "mae=0.2", "--confident"]
    assert run("evaluate", *many, *passes).exit_code == 0


def test_a_score_without_an_interval_fails_a_confident_limit(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("gold,a\n1,1\n")
    words = [path, "--gold", "gold", "--pred", "a", "--labels", "1,2", "--metrics", "accuracy"]
    assert run("evaluate", *words, "--fail-under", "accuracy=0.5").exit_code == 0
    result = run("evaluate", *words, "--fail-under", "accuracy=0.5", "--confident")
    assert result.exit_code == 1
    assert result.stderr == "accuracy of 'a' has no interval: a single item shows no variation.\n"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--confident"], "pass --fail-under NAME=X too"),
        (["--confident", "--fail-under", "accuracy=0.5", "--level", "none"], "--confident needs intervals"),
    ],
)  # fmt: skip
def test_confidence_in_nothing_is_wrong_usage(many, options, says):
    result = run("evaluate", *many, *options)
    assert result.exit_code == 2
    assert says in " ".join(result.stderr.split())
