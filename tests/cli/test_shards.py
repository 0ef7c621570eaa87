"""`ordeval count`, `merge` and `score`: shards counted apart give the very numbers of one pass."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ordeval.cli import main
from ordeval.table import Table
from tests.examples import ALL


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def data(tmp_path):
    """Two systems, 25 test cases, 2,000 items: whole, and as ten shards that do not follow the cases."""
    rng = np.random.default_rng(7)
    n = 2000
    case = [f"q{i}" for i in rng.integers(0, 25, n)]
    gold = rng.choice(5, n, p=[0.4, 0.3, 0.15, 0.1, 0.05])
    answers = [np.clip(gold + rng.integers(-1, 2, n), 0, 4), rng.integers(0, 5, n)]
    lines = [
        f"{case[i]},d{i},{gold[i]},{answers[0][i]},{answers[1][i] if i % 7 else ''}"
        for i in range(n)
    ]
    header = "case,item,gold,near,random"
    (tmp_path / "whole.csv").write_text("\n".join([header, *lines]) + "\n")
    for shard in range(10):
        (tmp_path / f"shard{shard}.csv").write_text("\n".join([header, *lines[shard::10]]) + "\n")
    return tmp_path


WIDE = ("--gold", "gold", "--pred", "near", "--pred", "random", "--missing", "zero")


def count(data, name):
    target = data / f"{name}.json"
    result = run("count", data / f"{name}.csv", *WIDE, "-o", target)
    assert result.exit_code == 0, result.stderr
    return target


@pytest.mark.parametrize(
    "options",
    [
        ("--level", "none"),
        (),
        ("--interval", "percentile", "--resamples", "199"),
        ("--pooled",),
        ("--pooled", "--interval", "bca", "--resamples", "199"),
        ("--pooled", "--resample", "items"),
    ],
)
def test_ten_shards_give_the_very_numbers_of_one_pass(data, options):
    shards = [count(data, f"shard{shard}") for shard in range(10)]
    merged = data / "merged.json"
    assert run("merge", *reversed(shards), "-o", merged).exit_code == 0
    one_pass = json.loads(
        run("evaluate", data / "whole.csv", *WIDE, *options, "--format", "json").stdout
    )
    for tables in (shards, [merged], [count(data, "whole")]):
        scored = json.loads(run("score", *tables, *options, "--format", "json").stdout)
        assert scored.pop("command") == "score"
        assert scored == {key: value for key, value in one_pass.items() if key != "command"}


def test_what_was_left_out_is_added_up(tmp_path):
    (tmp_path / "gold.csv").write_text("item,label\n1,1\n2,2\n")
    tables = []
    for shard in (1, 2):
        (tmp_path / "run.csv").write_text("item,label\n1,1\n2,1\n9,1\n")
        tables.append(tmp_path / f"{shard}.json")
        assert (
            run("count", tmp_path / "gold.csv", tmp_path / "run.csv", "-o", tables[-1]).exit_code
            == 0
        )
    content = json.loads(run("score", *tables, "--format", "json").stdout)
    assert content["input"]["items"] == 4
    assert content["input"]["ignored"] == {"not_in_gold": 2, "duplicate": 0, "unreadable": 0}


def test_inferred_scales_widen_and_declared_ones_must_agree(tmp_path):
    (tmp_path / "a.csv").write_text("gold,p\n1,1\n2,2\n")
    (tmp_path / "b.csv").write_text("gold,p\n4,4\n1,2\n")
    wide = ("--gold", "gold", "--pred", "p")
    for name in ("a", "b"):
        run("count", tmp_path / f"{name}.csv", *wide, "-o", tmp_path / f"{name}.json")
    content = json.loads(
        run(
            "score", tmp_path / "a.json", tmp_path / "b.json", "--format", "json", "--level", "none"
        ).stdout
    )
    assert content["scale"]["labels"] == [1, 2, 3, 4]
    run("count", tmp_path / "b.csv", *wide, "--labels", "1,2,4", "-o", tmp_path / "b.json")
    result = run("merge", tmp_path / "a.json", tmp_path / "b.json")
    assert (result.exit_code, result.stdout) == (3, "")
    assert "scales differ" in result.stderr


FILLED = dict.fromkeys(("scale", "axes", "policy", "touched", "weighted", "answered", "missed"), 3)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{}",
        "[]",
        "nonsense",
        "\x00\x01",
        '{"kind": "table", "schema": 1}',
        '{"kind": "table", "schema": 99}',
        json.dumps({"kind": "table", "schema": 1, **FILLED}),
    ],
)
def test_a_file_that_is_no_table_is_refused(tmp_path, content):
    (tmp_path / "table.json").write_text(content)
    for command in ("merge", "score"):
        result = run(command, tmp_path / "table.json")
        assert (result.exit_code, result.stdout) == (3, "")
        assert "table.json" in result.stderr


def test_folders_missing_files_and_binary_ones_are_refused(tmp_path):
    (tmp_path / "table.json").write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path, tmp_path / "nowhere.json", tmp_path / "table.json"):
        assert run("score", path).exit_code == 3


def test_score_fails_under_a_limit(tmp_path):
    (tmp_path / "a.csv").write_text("gold,p\n1,1\n2,1\n")
    run("count", tmp_path / "a.csv", "--gold", "gold", "--pred", "p", "-o", tmp_path / "a.json")
    assert (
        run(
            "score", tmp_path / "a.json", "--fail-under", "accuracy=0.6", "--level", "none"
        ).exit_code
        == 1
    )
    assert (
        run(
            "score", tmp_path / "a.json", "--fail-under", "accuracy=0.5", "--level", "none"
        ).exit_code
        == 0
    )


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.floats(), st.text(max_size=3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=6,
)
WHOLE = Table.from_labels([1, 2], [1, 1]).to_dict()


@settings(
    max_examples=150 if ALL else 20, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    spoilt=st.dictionaries(st.sampled_from(sorted(WHOLE)), JSON),
    noise=st.one_of(st.none(), st.binary(max_size=50)),
)
def test_whatever_a_table_holds_there_is_no_error_but_ours(tmp_path, spoilt, noise):
    path = tmp_path / "table.json"
    path.write_bytes(json.dumps({**WHOLE, **spoilt}).encode() if noise is None else noise)
    for command in ("merge", "score"):
        result = run(command, path, *(("--level", "none") if command == "score" else ()))
        assert result.exit_code in {0, 3}, result.exception


def test_score_shows_classes_by_their_names(tmp_path):
    matrix = tmp_path / "matrix.csv"
    matrix.write_text("gold,1,2\n1,3,1\n2,0,4\n")
    words = ["score", str(matrix), "--names", "low,high", "--level", "none"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    assert "low < high" in result.stdout
    content = json.loads(CliRunner().invoke(main, [*words, "--format", "json"]).stdout)
    assert content["scale"]["labels"] == [1, 2]
