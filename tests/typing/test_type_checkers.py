"""What type checkers say about a user's script: they find every mistake in typos.py and none in uses.py."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ordeval as oe

HERE = Path(__file__).parent
TYPOS, USES = HERE / "typos.py", HERE / "uses.py"
SOURCE = Path(oe.__file__).parents[1]

Findings = set[tuple[str, int]]  # the file and the line of each error


def output_of(*command: object, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *map(str, command)],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env=os.environ | {"MYPYPATH": str(SOURCE)},
    )
    assert done.returncode == 1, done.stdout + done.stderr  # 0: no errors; 2: it could not run
    return done.stdout


# The package is checked by `make check`; here only the scripts are, as a user would check theirs. What other packages
# look like makes no difference to them, and leaving those out saves most of the time.
MYPY = """
[mypy]
strict = True
follow_imports = silent
[mypy-altair.*,click.*,duckdb.*,jinja2.*,narwhals.*,rich.*]
follow_imports = skip
"""


def mypy(folder: Path) -> Findings:
    (folder / "mypy.ini").write_text(MYPY)
    report = output_of("mypy", TYPOS, USES, folder=folder)
    errors = re.findall(r"(\w+\.py):(\d+): error: ", report)
    return {(name, int(line)) for name, line in errors}


def pyright(folder: Path) -> Findings:
    # basedpyright is pyright, which it brings with its Node.js; "standard" is what pyright does by default.
    settings = {
        "include": [str(TYPOS), str(USES)],
        "extraPaths": [str(SOURCE)],
        "typeCheckingMode": "standard",
    }
    project = folder / "pyrightconfig.json"
    project.write_text(json.dumps(settings))
    options = ("--outputjson", "--pythonpath", sys.executable, "--project", project)
    report = json.loads(output_of("basedpyright", *options, folder=folder))
    assert report["summary"]["filesAnalyzed"] == 2
    return {
        (Path(found["file"]).name, found["range"]["start"]["line"] + 1)
        for found in report["generalDiagnostics"]
        if found["severity"] == "error"
    }


# Each checker takes seconds to read NumPy's types; that the package's own are up to date is checked in test_import.py.
@pytest.mark.slow
@pytest.mark.parametrize("checker", [mypy, pyright])
def test_a_type_checker_finds_every_mistake_of_a_user_and_invents_none(checker, tmp_path):
    lines = TYPOS.read_text(encoding="utf-8").splitlines()
    wrong = {(TYPOS.name, at) for at, line in enumerate(lines, 1) if line.endswith("  # wrong")}
    assert len(wrong) >= 30
    assert checker(tmp_path) == wrong
