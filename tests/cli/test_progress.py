"""The bar on stderr: one for each command, and it only goes forward."""

import io

import pytest
import rich.console
from click.testing import CliRunner

from ordeval import Runs, compare
from ordeval.cli import main
from ordeval.cli import progress as progress_module
from ordeval.cli.progress import Job
from ordeval.progress import each, portion
from ordeval.report import render


@pytest.fixture
def shares(monkeypatch):
    """Let stderr be a terminal, and note where each bar stands after every move."""
    noted = []
    move = Job.move

    def noting(job, share):
        move(job, share)
        bar, task = job.bar
        (shown,) = [one for one in bar.tasks if one.id == task]
        noted.append((id(job), shown.percentage, shown.description))

    console = rich.console.Console(file=io.StringIO(), force_terminal=True)
    monkeypatch.setattr(progress_module, "on_a_terminal", lambda: True)
    monkeypatch.setattr(rich.console, "Console", lambda **_: console)
    monkeypatch.setattr(Job, "move", noting)
    noted_console = console
    yield noted
    # what is shown while a command works is gone when it ends
    assert "\x1b[2K" in noted_console.file.getvalue()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    rows = [
        (i, 1 + i % 3, 1 + (i + (i % 7 == 0)) % 3, 1 + (i + (i % 4 == 0)) % 3) for i in range(30)
    ]
    lines = ["item,human,a,b", *(",".join(map(str, row)) for row in rows)]
    (tmp_path / "data.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "matrix.csv").write_text("gold,1,2,3\n1,9,1,0\n2,2,8,1\n3,0,1,9\n")
    monkeypatch.chdir(tmp_path)


WIDE = "data.csv --gold human --pred a,b"


@pytest.mark.parametrize(
    ("line", "stages"),
    [
        (f"evaluate {WIDE}", ["counting", "scoring"]),
        (f"evaluate {WIDE} --interval bca --resamples 99", ["counting", "scoring"]),
        (f"compare {WIDE} --resamples 99", ["counting", "comparing"]),
        (f"check {WIDE}", ["checking"]),
        (f"count {WIDE}", ["counting"]),
        ("score matrix.csv", ["scoring"]),
        (f"meta {WIDE} --metrics mae,acc --resamples 9", ["counting", "judging measures"]),
        ("properties mae acc --items 3 --imbalance-items 3", ["searching", "mae", "accuracy"]),
        ("reproduce appendix-a", ["computing appendix-a"]),
        ("reproduce figure1", ["computing figure1"]),
    ],
)
def test_a_command_has_one_bar_that_only_goes_forward(folder, shares, line, stages):
    result = CliRunner().invoke(main, line.split())
    assert result.exit_code == 0, result.output
    bars, percent, shown = zip(*shares, strict=True)
    assert len(set(bars)) == 1
    assert list(percent) == sorted(percent)
    assert percent[-1] == 100
    assert list(dict.fromkeys(shown)) == [one for one in stages if one in shown]
    assert {*stages} - {"searching"} <= {*shown}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "stages"),
    [
        (f"report {WIDE}", ["counting", "comparing", "drawing"]),
        ("demo", ["writing", "comparing", "checking", "drawing"]),
        ("reproduce table2", ["computing table2"]),
        ("reproduce table3 --seeds 1", ["computing table3"]),
        ("reproduce robustness --seeds 1", ["computing robustness"]),
    ],
)
def test_a_long_command_has_one_bar_that_only_goes_forward(folder, shares, line, stages):
    test_a_command_has_one_bar_that_only_goes_forward(folder, shares, line, stages)


def test_a_page_is_drawn_step_by_step(folder, monkeypatch):
    # Two systems: the answers and the errors of each are drawn, which are 4 of 14 expected figures, and the forest, the
    # ranks, the differences, the pairs, the agreement of the systems, gold, the proximities, and that of the measures.
    monkeypatch.setattr("ordeval.report.drawing.inline_svg", lambda *_, **__: "<svg/>")
    runs = Runs.from_wide("data.csv", gold="human", predicted=["a", "b"])
    steps = []
    render(compare(runs), progress=lambda *step: steps.append(step))
    assert steps == [(done, 14) for done in range(1, 13)]


def test_a_bar_that_is_told_of_fewer_steps_stays_where_it_is(shares):
    job = Job(first=1, second=3)
    with job.stage("first") as progress:
        progress(8, 10)  # 8/10 of the first quarter
        progress(2, 10)
    with job.stage("second") as progress:
        progress(1, 2)  # a quarter, and half of three quarters
        progress(0, 0)
    found = [round(percent, 3) for _, percent, _ in shares]
    assert found == [0, 20, 20, 25, 25, 62.5, 62.5, 100]


def test_more_steps_than_were_announced_do_not_run_into_the_next_stage(shares):
    job = Job(first=1, second=1)
    with job.stage("first") as progress:
        progress(15, 10)
    assert [percent for _, percent, _ in shares] == [0, 50, 50]


def test_nothing_is_shown_where_nobody_looks(folder, capsys):
    result = CliRunner().invoke(main, f"compare {WIDE} --resamples 9".split())
    assert result.stderr == ""


def test_a_part_is_reported_as_a_share_of_the_whole():
    seen = []
    part = portion(lambda done, total: seen.append(done / total), 0.5, 0.75)
    part(0, 4)
    part(2, 4)
    part(4, 4)
    assert seen == [0.5, 0.625, 0.75]
    assert portion(None, 0, 1) is None


def test_items_are_reported_when_the_work_on_them_is_done():
    seen = []
    for item, step in each("ab", lambda done, total: seen.append(done / total)):
        step(1, 2)
        seen.append(item)
    # half of the first item, the item, all of it; the same for the second
    assert seen == [0.25, "a", 0.5, 0.75, "b", 1.0]


@pytest.mark.parametrize("kind", ["dumb", "unknown"])
def test_a_terminal_that_cannot_change_a_line_is_shown_no_bar(monkeypatch, kind):
    monkeypatch.setattr(progress_module, "on_a_terminal", lambda: True)
    monkeypatch.setenv("TERM", kind)
    with Job(counting=1).stage("counting") as progress:
        assert progress is None
