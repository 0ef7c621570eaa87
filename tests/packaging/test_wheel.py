"""The wheel is all that a user needs."""

import subprocess
import sys
import venv
import zipfile

import pytest

pytestmark = pytest.mark.full


def run(*command: object, **options: object) -> str:
    return subprocess.run(
        [str(word) for word in command], check=True, capture_output=True, text=True, **options
    ).stdout


@pytest.fixture(scope="module")
def wheel(root, tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--outdir", folder, root)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_the_package_with_its_types_and_bibliography_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {"ordeval/py.typed", "ordeval/metrics/references.bib"} <= set(names)
    assert {name.split("/")[0].split("-")[0] for name in names} == {"ordeval"}


def test_the_wheel_installs_into_an_empty_environment_and_the_demo_runs_there(wheel, tmp_path):
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", wheel)
    shown = run(tmp_path / "env" / "bin" / "ordeval", "demo", cwd=tmp_path)
    assert "cem_ord" in shown
