"""The options of commands that read the marks of raters."""

import click
import pytest
from click.testing import CliRunner

import ordeval as oe
from ordeval.cli.help import CommandWithExamples
from ordeval.cli.progress import Job
from ordeval.cli.ratings_input import ratings_options
from ordeval.errors import OrdevalError, speaking_of_options

LONG = "item,rater,label\np,ann,1\np,bob,2\nq,ann,3\n"
WIDE = "id,ann,bob\np,1,2\nq,3,\n"


@click.command(cls=CommandWithExamples, examples=())
@ratings_options
def show(*, data):
    """Show the ratings that were read."""
    with speaking_of_options():
        try:
            ratings = data.read(Job(counting=1))
        except OrdevalError as error:
            raise click.ClickException(str(error)) from None
    click.echo(ratings.to_json())
    click.echo(ratings.scale.names)


@pytest.fixture
def run(tmp_path, monkeypatch):
    """A function that runs the command in a folder with the files of this test."""
    monkeypatch.chdir(tmp_path)
    for name, text in {"long.csv": LONG, "wide.csv": WIDE, "more.csv": "item,label\nq,2\n"}.items():
        (tmp_path / name).write_text(text)
    return lambda *words: CliRunner().invoke(show, words)


def read(result):
    assert result.exit_code == 0, result.output
    return oe.Ratings.from_json(result.stdout.splitlines()[0])


def test_long_and_wide_files_are_read(run):
    known = oe.Ratings.from_file("long.csv")
    assert read(run("long.csv")) == known
    assert read(run("wide.csv", "--raters", "ann,bob")) == known
    assert read(run("wide.csv", "--raters", "ann", "--raters", "bob")) == known


def test_a_second_file_is_a_rater_of_its_own(run):
    assert read(run("long.csv", "more.csv")).raters == ("ann", "bob", "more")


def test_columns_classes_and_policies_are_options(run, tmp_path):
    (tmp_path / "odd.csv").write_text(
        "t,who,text,mark\nx,a,1,low\nx,b,1,high\ny,a,1,?\nx,b,1,low\n"
    )
    result = run(
        "odd.csv", "--item", "text", "--case", "t", "--rater", "who", "--label", "mark",
        "--labels", "low,high", "--names", "bad,good", "--unknown", "missing", "--duplicates", "first",
    )  # fmt: skip
    ratings = read(result)
    assert ratings.items == (("1", "x"), ("1", "y"))
    assert ratings.shares().tolist()[0] == [0.5, 0.5]
    assert dict(ratings.ignored) == {"duplicate": 1}
    assert "('bad', 'good')" in result.stdout
    (tmp_path / "scores.csv").write_text("a,b,n\n1.2,2,3\n2.5,1,4\n")
    rounded = read(
        run(
            "scores.csv",
            "--raters",
            "a,b",
            "--labels",
            "1,2,3",
            "--round",
            "nearest",
            "--count",
            "n",
        )
    )
    assert rounded.n == 7
    assert dict(rounded.touched) == {"rounded": 7}


def test_a_note_about_the_file_goes_to_stderr(run, tmp_path):
    (tmp_path / "noted.csv").write_text("id,a,b,n\n1,1,2,3\n2,2,2,3\n")
    result = run("noted.csv", "--raters", "a,b")
    assert "Note: column 'n' of 'noted.csv' was not used" in result.stderr
    assert "Note" not in run("noted.csv", "--raters", "a,b", "--count", "1").stderr


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["long.csv", "--raters", "x", "--rater", "y"], "--rater, --label and --repeat name columns of long files"),
        (["long.csv", "--count", "n"], "--count is for wide files"),
        (["wide.csv"], "If the table has a column for each rater, name these: --raters A,B,C."),
        (["long.csv", "--rater", "who"], "no file has the column 'who' for --rater"),
        (["long.csv", "--labels", "1,2"], "Add the class to --labels A,B,C, or pass --unknown missing"),
        (["long.csv", "more.csv", "more.csv", "--label", "x"], "no file has the column 'x' for --label"),
        (["absent.csv"], "there is no file 'absent.csv'"),
        ([], "Missing argument 'RATINGS...'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_options(run, words, what):
    result = run(*words)
    assert result.exit_code
    assert what in " ".join(result.output.split())


def test_help_lists_the_options_in_groups(run):
    shown = run("--help").output
    for part in ("RATINGS...", "Input:", "--raters COL,COL", "Columns:", "--rater COL", "Classes:"):
        assert part in shown


def test_marks_of_a_judge_on_the_same_item_are_told_apart_by_a_column(run, tmp_path):
    (tmp_path / "twice.csv").write_text("item,rater,order,label\np,gpt,AB,1\np,gpt,BA,2\n")
    said = " ".join(run("twice.csv").output.split())
    assert "name the column that tells these apart: --repeat." in said
    assert read(run("twice.csv", "--repeat", "order")).raters == ("gpt #AB", "gpt #BA")
