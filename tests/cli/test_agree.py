"""`ordeval agree`: from files of marks to every form of the answer."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import ordeval as oe
from ordeval.cli import main
from tests.agreement.marks import ratings_of, simulated


@pytest.fixture(scope="module")
def marks():
    return simulated(0, items=80, raters=4, each=3, random=True)


@pytest.fixture
def folder(tmp_path, monkeypatch, marks):
    item, rater = np.nonzero(~np.isnan(marks))
    lines = [f"{i},r{r},{int(marks[i, r])}" for i, r in zip(item, rater, strict=True)]
    (tmp_path / "marks.csv").write_text("\n".join(["item,rater,label", *lines]) + "\n")
    wide = [
        ",".join([str(i), *("" if np.isnan(x) else str(int(x)) for x in row)])
        for i, row in enumerate(marks)
    ]
    (tmp_path / "wide.csv").write_text("\n".join(["item,r0,r1,r2,r3", *wide]) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words):
    return CliRunner().invoke(main, ["agree", *words])


def test_long_and_wide_files_give_what_python_gives(folder, marks):
    expected = oe.agree(ratings_of(marks))
    found = json.loads(run("marks.csv", "--format", "json").stdout)
    assert found["coefficients"][0]["value"] == pytest.approx(expected["krippendorff_alpha"].value)
    assert found["ceiling"]["cem_ord"]["low"] == pytest.approx(expected.ceiling["cem_ord"].low)
    again = json.loads(run("wide.csv", "--raters", "r0,r1,r2,r3", "--format", "json").stdout)
    assert again["coefficients"] == found["coefficients"]
    assert again["pairs"] == found["pairs"]


def test_the_answer_stands_above_the_tables(folder):
    result = run("marks.csv")
    assert result.exit_code == 0
    assert result.stdout.startswith("Krippendorff's alpha is 0.")
    assert "A human reaches 0." in result.stdout


def test_options_choose_measures_intervals_and_names(folder):
    result = run(
        "marks.csv", "--metrics", "alpha,qwk", "--ceiling", "mae", "--level", "0.9", "--interval", "percentile",
        "--resamples", "99", "--seed", "5", "--names", "a,b,c,d,e",
    )  # fmt: skip
    assert result.exit_code == 0
    for words in (
        "krippendorff_alpha",
        "weighted_kappa(weights='quadratic')",
        "mae ↓",
        "a < b < c < d < e",
    ):
        assert words in result.stdout
    assert (
        "90% percentile bootstrap intervals for the coefficients, 99 resamples of items, seed 5"
        in result.stdout
    )
    assert "cem_ord" not in result.stdout


def test_raters_can_be_drawn_too(folder):
    narrow = json.loads(run("marks.csv", "--format", "json").stdout)["coefficients"][0]
    wide = json.loads(run("marks.csv", "--resample", "both", "--format", "json").stdout)
    assert wide["intervals"]["resampled"] == "both"
    assert (
        wide["coefficients"][0]["high"] - wide["coefficients"][0]["low"]
        > narrow["high"] - narrow["low"]
    )


@pytest.mark.parametrize("ending", ["csv", "json", "md", "tex"])
def test_the_ending_of_the_file_chooses_the_form(folder, ending):
    result = run("marks.csv", "-o", f"x.{ending}")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "krippendorff" in (folder / f"x.{ending}").read_text(encoding="utf-8")


@pytest.mark.later
def test_an_html_file_is_one_page_that_loads_nothing(folder):
    result = run("marks.csv", "--ceiling", "qwk,mae", "-o", "x.html", "--title", "Four <raters>")
    assert result.exit_code == 0
    assert "x.html: 4 raters" in result.stderr
    page = (folder / "x.html").read_text(encoding="utf-8")
    assert "<title>Four &lt;raters&gt;</title>" in page
    assert "default-src &#39;none&#39;" in page
    assert "http" not in page.split('<section id="method"')[0].replace("http-equiv", "").replace(
        "http://www.w3.org", ""
    )
    assert "ordeval agree marks.csv --ceiling" in page
    assert page.count("<svg") == 4
    for target in (
        "answer",
        "coefficients",
        "ceiling",
        "raters",
        "pairs",
        "classes",
        "items",
        "method",
    ):
        assert f'<section id="{target}"' in page
        assert f'href="#{target}"' in page


def test_a_format_that_is_asked_for_is_written_whatever_the_file_is_called(folder):
    run("marks.csv", "-o", "x.html", "--format", "json")
    assert json.loads((folder / "x.html").read_text())["command"] == "agree"


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        ("item,rater,label\n1,a,1\n2,a,2\n", 3, "two raters or more"),
        ("item,rater,label\n1,a,1\n2,b,2\n", 3, "no two raters marked the same item"),
        ("item,rater,label\n1,a,1\n1,a,2\n1,b,2\n", 3, "--duplicates"),
    ],
)
def test_bad_marks_end_in_a_sentence(folder, text, status, words):
    (folder / "bad.csv").write_text(text)
    result = run("bad.csv")
    assert result.exit_code == status
    assert words in result.stderr
    assert result.stdout == ""


def test_a_measure_that_does_not_exist_is_refused_before_a_file_is_read(folder):
    result = run("absent.csv", "--ceiling", "cem_odr")
    assert result.exit_code == 2
    assert "Did you mean cem_ord?" in result.stderr
