"""What the package says of itself is said once, or said alike."""

import re
import tomllib
from importlib.metadata import metadata, requires

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version

import ordeval as oe
from tests.conftest import ROOT

CONTENT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = CONTENT["project"]
EXTRAS = {name: needs for name, needs in PROJECT["optional-dependencies"].items() if name != "all"}
# the groups whose versions are exact, and the oldest that are promised
OLDEST = ("minimums", "minimums-engines", "minimums-torch", "frameworks")
PINNED = [
    Requirement(need)
    for group in OLDEST
    for need in CONTENT["dependency-groups"][group]
    if isinstance(need, str) and "==" in need
]
TESTED = {need.name: Version(next(iter(need.specifier)).version) for need in PINNED}


def test_the_citation_names_the_version_of_the_package(root):
    (cited,) = re.findall(r"^version: (.*)$", (root / "CITATION.cff").read_text(), re.MULTILINE)
    assert cited == oe.__version__ == metadata("ordeval")["Version"]


def test_the_extra_all_brings_every_other_extra_but_torch_and_evaluation_frameworks():
    (everything,) = PROJECT["optional-dependencies"]["all"]
    assert set(re.findall(r"\w+", everything)) == {"ordeval", *EXTRAS} - {
        "torch",
        "inspect",
        "lm-eval",
        "mlflow",
    }


@pytest.mark.parametrize("extra", ["dependencies", *EXTRAS])
def test_the_oldest_versions_that_are_promised_are_those_that_are_tested(extra):
    promised = PROJECT["dependencies"] if extra == "dependencies" else EXTRAS[extra]
    for need in map(Requirement, promised):
        (bound,) = need.specifier
        assert bound.operator == ">=", need
        assert Version(bound.version) == TESTED[need.name], need


def test_make_runs_the_tests_with_each_group_of_oldest_versions(root):
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    for group in OLDEST:
        assert re.search(rf"--group {group}(?![\w-])", makefile), group
    (needed,) = re.findall(r"^test-full: (?!export)(.*)$", makefile, re.MULTILINE)
    assert {"test-minimums", "test-minimum-engines", "test-frameworks"} <= set(
        re.findall(r"[\w-]+", needed)
    )


def test_the_versions_of_python_are_those_that_the_workflow_tests(root):
    workflow = yaml.safe_load((root / ".github/workflows/tests.yml").read_text(encoding="utf-8"))
    classified = re.findall(r"Python :: (\d\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert workflow["jobs"]["tests"]["strategy"]["matrix"]["python"] == classified
    assert PROJECT["requires-python"] == f">={classified[0]}"


def test_the_recipe_of_conda_forge_says_what_the_package_says(root):
    recipe = yaml.safe_load((root / "recipe/recipe.yaml").read_text(encoding="utf-8"))
    # their names of packages: duckdb there is the command line, torch is pytorch
    theirs = {"duckdb": "python-duckdb", "torch": "pytorch"}

    def as_there(needs):
        found = map(Requirement, needs)
        return sorted(f"{theirs.get(one.name, one.name)} {one.specifier}" for one in found)

    needed = recipe["requirements"]
    assert f">={recipe['context']['python_min']}" == PROJECT["requires-python"]
    assert needed["run"][0] == "python >=${{ python_min }}"
    assert sorted(needed["run"][1:]) == as_there(PROJECT["dependencies"])
    optional = [need for needs in EXTRAS.values() for need in needs]
    assert sorted(needed["run_constraints"]) == as_there(optional)
    assert {*CONTENT["build-system"]["requires"]} <= {
        one.replace(" ", "") for one in needed["host"]
    }
    (name, program), *others = PROJECT["scripts"].items()
    assert not others
    assert recipe["build"]["python"]["entry_points"] == [f"{name} = {program}"]
    assert recipe["build"]["noarch"] == "python"
    about = recipe["about"]
    assert about["license"] == PROJECT["license"]
    assert [about["license_file"]] == PROJECT["license-files"]
    assert about["summary"] == PROJECT["description"]
    assert about["repository"] == PROJECT["urls"]["Source"]
    assert about["documentation"] == PROJECT["urls"]["Documentation"]


def test_the_core_needs_no_oracle_and_no_engine():
    core = {
        re.split(r"[^\w-]", need)[0] for need in requires("ordeval") or () if "extra ==" not in need
    }
    assert core == {"numpy", "narwhals", "duckdb", "click", "rich", "jinja2"}
