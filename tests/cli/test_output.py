"""`-o`: what is written, and what stays as it was."""

import os
import stat

import pytest
from click.testing import CliRunner

from ordeval.cli import main
from ordeval.cli.output import deliver
from ordeval.cli.streams import look_alike

TABLE = "gold,1,2\n1,3,0\n2,1,2\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The current folder, with a table of counts."""
    (tmp_path / "counts.csv").write_text(TABLE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(output, *arguments):
    return CliRunner().invoke(main, [*(arguments or ("score", "counts.csv")), "-o", str(output)])


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_a_file_that_is_replaced_keeps_its_mode(folder, mode):
    (folder / "old").write_text("old")
    (folder / "old").chmod(mode)
    assert write("old").exit_code == 0
    assert mode_of(folder / "old") == mode
    assert (folder / "old").read_text() != "old"


def test_the_mode_of_a_new_file_follows_the_umask(folder):
    before = os.umask(0o027)
    try:
        assert write("new").exit_code == 0
    finally:
        os.umask(before)
    assert mode_of(folder / "new") == 0o640  # 0o666 without 0o027


def test_a_name_may_be_as_long_as_the_file_system_allows(folder):
    assert write("x" * 255).exit_code == 0
    result = write("x" * 256)
    assert result.exit_code == 2
    assert "File name too long" in result.stderr
    assert {path.name for path in folder.iterdir()} == {"counts.csv", "x" * 255}


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "counts.csv"),
        ("merge", "counts.csv"),
        ("evaluate", "c*.csv"),
        ("report", "counts.csv"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("name", ["counts.csv", "./counts.csv", "link", "hard link"])
def test_no_file_that_a_command_reads_is_written(folder, arguments, name):
    (folder / "link").symlink_to("counts.csv")
    (folder / "hard link").hardlink_to("counts.csv")
    result = write(name, *arguments)
    assert result.exit_code == 2
    assert f"cannot write {name}: this command reads it, as 'counts.csv'" in result.stderr
    assert (folder / "counts.csv").read_text() == TABLE


def test_what_is_in_the_way_is_said_before_the_files_are_read(folder):
    result = write("nowhere/scores.txt", "score", "no such table")
    assert result.exit_code == 2
    assert "cannot write nowhere/scores.txt: there is no folder 'nowhere'." in result.stderr
    assert "Not a directory" in write("counts.csv/scores.txt", "score", "no such table").stderr


def test_a_link_stays_a_link_and_its_file_is_replaced(folder):
    (folder / "link").symlink_to("file")
    assert write("link").exit_code == 0
    assert (folder / "link").is_symlink()
    assert (folder / "file").read_text().startswith("The system scores ")


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_writing_that_does_not_end_leaves_the_old_file_and_no_other(folder, monkeypatch, error):
    (folder / "old").write_text("old")

    def fail(self, target):
        raise error

    monkeypatch.setattr("pathlib.Path.replace", fail)
    result = write("old")
    assert result.exit_code == (130 if isinstance(error, KeyboardInterrupt) else 2)
    assert (folder / "old").read_text() == "old"
    assert {path.name for path in folder.iterdir()} == {"counts.csv", "old"}


@pytest.mark.parametrize("way", ["/dev/fd/{}", "/proc/self/fd/{}", "link"])
def test_an_open_file_is_written_from_where_it_stands(folder, way):
    (folder / "log").write_text("before\n")
    descriptor = os.open("log", os.O_WRONLY | os.O_APPEND)
    (folder / "link").symlink_to(f"/dev/fd/{descriptor}")
    try:
        deliver("after\n", way.format(descriptor), "text")
    finally:
        os.close(descriptor)
    assert (folder / "log").read_text() == "before\nafter\n"


def test_characters_of_file_names_that_utf8_cannot_write_are_escaped(folder):
    deliver('{"name": "\udcff"}', "out.json", "json")
    assert (folder / "out.json").read_bytes() == b'{"name": "\\udcff"}'  # valid JSON


def test_a_footnote_never_becomes_a_digit_of_the_number_before_it():
    error = UnicodeEncodeError("ascii", "0.5⁴", 3, 4, "no such character")
    assert look_alike(error) == ("[4]", 4)


def test_a_command_without_a_page_writes_no_text_into_a_file_for_a_browser(folder):
    result = write("x.html")
    assert result.exit_code == 2
    assert "this command writes no page, as 'x.html' asks for." in result.stderr
    assert not (folder / "x.html").exists()
    assert write("x.html", "score", "counts.csv", "--format", "json").exit_code == 0


def test_a_report_is_not_written_as_a_pdf():
    result = CliRunner().invoke(main, ["report", "gold.csv", "run.csv", "-o", "page.PDF"])
    assert result.exit_code == 2
    assert "Write it with -o page.html, open it in a browser and print it" in result.stderr


@pytest.mark.parametrize("labels", ["low mid high", "1-5", "low;mid;high"])
def test_labels_without_commas_are_refused(labels):
    result = CliRunner().invoke(main, ["evaluate", "gold.csv", "run.csv", "--labels", labels])
    assert result.exit_code == 2
    assert f"--labels names one class, {labels!r}. Name all classes with commas" in result.stderr


@pytest.mark.parametrize(
    ("name", "begins"),
    [("out.json", "{"), ("out.CSV", "system,"), ("out.md", ""), ("out.tex", ""), ("out.txt", ""), ("out", "")],
)  # fmt: skip
def test_the_ending_of_a_file_decides_its_format_if_none_is_asked_for(tmp_path, name, begins):
    (tmp_path / "counts.csv").write_text("gold,1,2\n1,3,1\n2,0,4\n")
    line = ["score", str(tmp_path / "counts.csv"), "--level", "none"]
    form = {"out.json": "json", "out.CSV": "csv", "out.md": "markdown", "out.tex": "latex"}.get(
        name, "text"
    )
    assert CliRunner().invoke(main, [*line, "-o", str(tmp_path / name)]).exit_code == 0
    written = (tmp_path / name).read_text(encoding="utf-8")
    assert written.startswith(begins)
    assert written == CliRunner().invoke(main, [*line, "--format", form]).stdout
    asked = [*line, "-o", str(tmp_path / name), "--format", "text"]
    assert CliRunner().invoke(main, asked).exit_code == 0
    assert (tmp_path / name).read_text(encoding="utf-8") == CliRunner().invoke(main, line).stdout
