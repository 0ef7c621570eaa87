"""Oracles that live in an environment of their own, or take long to load."""

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def irrcac(root):
    """A function from a list of cases (see irrcac.py) to irrCAC's values of them, in one call of its interpreter."""
    inside = "Scripts/python.exe" if os.name == "nt" else "bin/python"
    python = root / ".venv-irrcac" / inside
    if not python.exists():
        pytest.fail(f"there is no {python}; `make test` sets it up.", pytrace=False)
    program = Path(__file__).with_name("irrcac.py")

    def values(cases):
        asked = json.dumps(cases)
        answer = subprocess.run(
            [python, program], input=asked, capture_output=True, text=True, check=False
        )
        assert answer.returncode == 0, answer.stderr
        return json.loads(answer.stdout)

    return values


@pytest.fixture(scope="session")
def scoringrules():
    """The package without numba, with which it would compile for seconds what no test calls."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "numba", None)
        return importlib.import_module("scoringrules")
