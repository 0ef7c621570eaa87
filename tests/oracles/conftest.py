"""Oracles that live in an environment of their own, or take long to load."""

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def irrcac(root, tmp_path_factory):
    """A function from a list of cases (see irrcac.py) to irrCAC's values of them; its interpreter is started once."""
    inside = "Scripts/python.exe" if os.name == "nt" else "bin/python"
    python = root / ".venv-irrcac" / inside
    if not python.exists():
        pytest.fail(f"there is no {python}; `make test-full` sets it up.", pytrace=False)
    program, errors = Path(__file__).with_name("irrcac.py"), tmp_path_factory.mktemp("irrcac") / "e"
    with (
        errors.open("w") as written,
        subprocess.Popen(
            [python, program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=written,
            text=True,
        ) as running,
    ):

        def values(cases):
            running.stdin.write(json.dumps(cases) + "\n")
            running.stdin.flush()
            answer = running.stdout.readline()
            assert answer, errors.read_text()
            return json.loads(answer)

        yield values


@pytest.fixture(scope="session")
def scoringrules():
    """The package without numba, with which it would compile for seconds what no test calls."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "numba", None)
        return importlib.import_module("scoringrules")
