"""The GitHub Action: its description, and its script with the files that GitHub Actions would give it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.examples import grid

GOLD = [1, 2, 3, 3] * 50
ANSWERS = {
    "gold.csv": GOLD,
    "main.csv": GOLD,
    "worse.csv": [1, 1, 1, 3] * 50,
    "close.csv": [*GOLD[:-1], 2],
    "$(touch hacked) ;.csv": GOLD,
}


@pytest.fixture(scope="module")
def action(root):
    return yaml.safe_load((root / "action.yml").read_text(encoding="utf-8"))


@pytest.fixture
def run(action, tmp_path):
    """Return a function that runs the script of the gate; it returns the process, the outputs and the summary."""
    for name, labels in ANSWERS.items():
        rows = [f"{item},{label}\n" for item, label in enumerate(labels)]
        (tmp_path / name).write_text("item,label\n" + "".join(rows))
    step = action["runs"]["steps"][-1]

    def expanded(value, inputs):
        name = re.fullmatch(r"\$\{\{ inputs\.([\w-]+) \}\}", value).group(1)
        return inputs.get(name, action["inputs"][name].get("default", ""))

    def call(**inputs):
        outputs, summary = tmp_path / "outputs", tmp_path / "summary.md"
        environment = {
            **os.environ,
            **{name: expanded(value, inputs) for name, value in step["env"].items()},
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
            "GITHUB_OUTPUT": str(outputs),
            "GITHUB_STEP_SUMMARY": str(summary),
            "RUNNER_TEMP": str(tmp_path),
        }
        # as GitHub runs the shell named bash
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        process = subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        lines = outputs.read_text().splitlines() if outputs.exists() else []
        found = dict(line.split("=", 1) for line in lines)
        return process, found, summary.read_text() if summary.exists() else ""

    return call


def test_no_script_holds_an_input(action):
    """An input that stands in a script could be read as commands; it goes through the environment."""
    for step in action["runs"]["steps"]:
        assert "${{" not in step.get("run", "")


def test_everything_that_is_named_is_declared(action):
    text = json.dumps(action)
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == set(action["inputs"])
    script = action["runs"]["steps"][-1]["run"]
    for name, output in action["outputs"].items():
        assert output["value"] == f"${{{{ steps.gate.outputs.{name} }}}}"
        assert f'"{name}"' in script or f"{name}=" in script
    assert all(
        one["description"] for one in [*action["inputs"].values(), *action["outputs"].values()]
    )
    assert [step.get("id") for step in action["runs"]["steps"]][-1] == "gate"


def test_a_pass_lets_the_job_go_on(run):
    process, outputs, summary = run(
        gold="gold.csv", baseline="worse.csv", candidate="main.csv", metric="accuracy",
        args="--labels=1,2,3\n\n--format\ntext\n",
    )  # fmt: skip
    assert process.returncode == 0, process.stderr
    assert outputs["outcome"] == "pass"
    assert float(outputs["difference"]) == 0.5
    assert float(outputs["low"]) < 0.5 < float(outputs["high"])
    assert outputs["needed"] == ""
    assert json.loads(Path(outputs["json"]).read_text())["outcome"] == "pass"
    assert summary.startswith("**Pass:** main is not worse than worse")
    assert Path(outputs["markdown"]).read_text() == summary
    assert "::notice title=ordeval gate::Pass: " in process.stdout


def test_a_fail_ends_the_job(run):
    process, outputs, summary = run(
        gold="gold.csv", baseline="main.csv", candidate="worse.csv", summary="false"
    )
    assert process.returncode == 1
    assert outputs["outcome"] == "fail"
    assert "::error title=ordeval gate::Fail: worse is worse than main in cem_ord" in process.stdout
    assert "95%25 interval" in process.stdout  # a percent sign is escaped in an annotation
    assert summary == ""


@grid(
    "choice, status, said",
    [("fail", 4, "::error"), ("warn", 0, "::warning"), ("pass", 0, "::notice"), ("skip", 2, "")],
    every=2,
)
def test_an_input_says_what_an_inconclusive_gate_does(run, choice, status, said):
    process, outputs, _ = run(
        gold="gold.csv", baseline="main.csv", candidate="close.csv", metric="accuracy", inconclusive=choice
    )  # fmt: skip
    assert process.returncode == status
    if choice != "skip":
        assert outputs["outcome"] == "inconclusive"
        assert int(outputs["needed"]) > 200
        assert f"{said} title=ordeval gate::Inconclusive: " in process.stdout


def test_a_name_is_no_command(run, tmp_path):
    process, outputs, _ = run(
        gold="gold.csv", baseline="worse.csv", candidate="$(touch hacked) ;.csv", metric="accuracy"
    )
    assert outputs["outcome"] == "pass"
    assert process.returncode == 0
    process, outputs, _ = run(
        gold="gold.csv", baseline="main.csv", candidate="--help", args="$(touch hacked)"
    )
    assert process.returncode == 3
    assert not list(tmp_path.glob("hacked*"))


def test_a_wrong_measure_ends_the_job_as_wrong_usage(run):
    process, outputs, _ = run(
        gold="gold.csv", baseline="main.csv", candidate="close.csv", metric="x"
    )
    assert process.returncode == 2
    assert outputs == {}
    assert "there is no measure 'x'" in process.stderr
