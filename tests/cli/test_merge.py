"""`ordeval merge` adds tables up, and says where counts seem to be added twice."""

import pytest
from click.testing import CliRunner

from ordeval.cli import main


def run(*arguments: object):
    return CliRunner().invoke(main, [str(one) for one in arguments])


@pytest.fixture
def parts(tmp_path, monkeypatch):
    """Two parts of one file, and their sum."""
    monkeypatch.chdir(tmp_path)
    for name, rows in {"a": "1,1\n2,2\n3,2\n", "b": "1,2\n2,2\n3,3\n3,3\n"}.items():
        (tmp_path / f"{name}.csv").write_text(f"human,model\n{rows}")
        count = ("count", f"{name}.csv", "--gold", "human", "--pred", "model")
        assert run(*count, "-o", f"{name}.json").exit_code == 0
    assert not run("merge", "a.json", "b.json", "-o", "all.json").stderr


def test_an_old_sum_among_its_parts_is_told(parts):
    told = run("merge", "a.json", "all.json", "b.json").stderr
    assert told == "Note: 'all.json' is the sum of all others: its counts are added twice.\n"


def test_a_part_that_is_named_twice_is_told(parts):
    told = run("merge", "a.json", "b.json", "a.json").stderr
    assert told == "Note: 'a.json' and 'a.json' hold the same counts, which are added twice.\n"
