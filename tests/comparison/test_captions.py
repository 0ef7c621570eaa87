"""What is said below a table about answers and rows that are unlike the others."""

import pytest

import ordeval as oe

GOLD = [0, 1, 2, 3] * 10
FAR = [0, 1, 2, 7] * 10  # ten answers are beyond gold
NEAR = [0, 1, 2, 2] * 10


@pytest.fixture(params=["compare", "evaluate"])
def caption(request):
    """A function of gold, the answers of a system, and options, that returns what stands below the table."""

    def of(gold, answers, **options):
        if request.param == "compare":
            return oe.compare(gold, {"a": answers, "b": gold}, metrics=["mae"], **options).caption
        return str(oe.evaluate(gold, answers, metrics=["mae"], **options))

    return of


def test_answers_that_make_the_scale_longer_are_told(caption):
    told = "10 answers are outside the classes of gold (0 to 3), which makes the scale longer"
    assert told in caption(GOLD, FAR)


@pytest.mark.parametrize("options", [{"labels": range(8)}, {"labels": [0, 1, 2, 3]}])
def test_nothing_is_told_where_the_classes_are_declared_or_all_in_gold(caption, options):
    answers = FAR if len(options["labels"]) == 8 else NEAR
    assert "outside the classes of gold" not in caption(GOLD, answers, **options)
    assert "outside the classes of gold" not in caption(GOLD, NEAR)


def test_a_comparison_tells_how_many_missing_answers_are_not_on_the_scale():
    options = {"labels": [0, 1, 2, 3], "unknown": "missing", "missing": "zero"}
    found = oe.compare(GOLD, {"a": [*FAR[:-1], None], "b": NEAR}, **options)
    # ten answers of a are missing: nine times 7, and one that was not given
    assert "10 answers are missing, 9 of these because they are not on the scale" in found.caption


def test_a_comparison_tells_which_rows_were_left_out(tmp_path):
    (tmp_path / "gold.csv").write_text("id,label\n1,1\n2,2\n3,3\n")
    (tmp_path / "a.csv").write_text("id,label\n1,1\n1,1\n2,2\n3,1\n9,1\n")
    (tmp_path / "b.csv").write_text("id,label\n1,1\n2,3\n3,3\n")
    systems = [tmp_path / "a.csv", tmp_path / "b.csv"]
    runs = oe.Runs.from_files(tmp_path / "gold.csv", systems, duplicates="first")
    found = oe.compare(runs)
    assert "Rows left out: 1 not in gold, 1 repeated." in found.caption
    assert "Rows left out: 1 not in gold, 1 repeated." in found.to_latex()
