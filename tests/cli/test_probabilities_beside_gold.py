"""One file with gold labels and the probabilities of a system beside them."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import ordeval as oe
from ordeval.cli import main

LABELS = ["low", "mid", "high"]
ROWS = [[0.5, 0.3, 0.2], [0.1, 0.6, 0.3], [0.2, 0.2, 0.6], [0.7, 0.2, 0.1]]
GOLD = ["low", "high", "high", "mid"]


def run(*arguments):
    return CliRunner().invoke(main, list(map(str, arguments)))


@pytest.fixture
def file(tmp_path):
    """The columns stand in another order, among others."""
    lines = ["note,high,human,low,mid,times,id"]
    for at, (row, label) in enumerate(zip(ROWS, GOLD, strict=True)):
        lines.append(f"x,{row[2]},{label},{row[0]},{row[1]},{at},r{at}")
    path = tmp_path / "model.csv"
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path


def test_the_file_is_scored_as_its_columns_are(file):
    result = run(
        "evaluate", file, "--gold", "human", "--proba", "--labels", ",".join(LABELS), "--metrics", "rps,brier",
        "--format", "json",
    )  # fmt: skip
    (system,) = json.loads(result.stdout)["systems"]
    assert system["name"] == "model"
    # (0.25 + 0.04 + 0.01 + 0.49 + 0.04 + 0.16 + 0.49 + 0.01) / (4 * 2), item by item, cut by cut
    assert system["scores"]["ranked_probability_score"]["value"] == pytest.approx(1.49 / 8)
    # 0.38 + 0.86 + 0.24 + 1.14, over 4 items
    assert system["scores"]["brier_score"]["value"] == pytest.approx(2.62 / 4)


def test_python_reads_the_same_with_counts_and_weights(file):
    plain = oe.Runs.from_wide(file, gold="human", proba=True, labels=LABELS)
    assert plain.systems == ("model",)
    np.testing.assert_allclose(plain.table.counts.sum(), 4)
    counted = oe.Runs.from_wide(file, gold="human", proba=True, labels=LABELS, count="times")
    assert counted.n == 6
    weighted = oe.Runs.from_wide(file, gold="human", proba=True, labels=LABELS, weight="times")
    assert weighted.weight == 6


def test_the_file_is_checked(file):
    found = run("check", file, "--gold", "human", "--proba", "--labels", ",".join(LABELS))
    assert "model.csv: ok" in found.stdout


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--by", "note"], "Leave these out"),
        (["--pred", "low"], "neither is for a wide file with --pred"),
        (["--label", "human"], "--label and --system name columns of long files"),
    ],
)
def test_what_does_not_belong_to_such_a_file_is_refused(options, words, file):
    refused = run(
        "evaluate", file, "--gold", "human", "--proba", "--labels", ",".join(LABELS), *options
    )  # fmt: skip
    assert refused.exit_code == 2
    assert words in refused.stderr
