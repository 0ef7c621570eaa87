"""What the package says of itself is said once, or said alike."""

import re
import tomllib
from importlib.metadata import metadata, requires

import ordeval as oe


def test_the_citation_names_the_version_of_the_package(root):
    (cited,) = re.findall(r"^version: (.*)$", (root / "CITATION.cff").read_text(), re.MULTILINE)
    assert cited == oe.__version__ == metadata("ordeval")["Version"]


def test_the_extra_all_brings_every_other_extra_but_torch_and_evaluation_frameworks(root):
    extras = tomllib.loads((root / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    (everything,) = extras.pop("all")
    assert set(re.findall(r"\w+", everything)) == {"ordeval", *extras} - {
        "torch",
        "inspect",
        "lm-eval",
        "mlflow",
    }


def test_the_oldest_versions_that_are_promised_are_those_that_are_tested(root):
    content = tomllib.loads((root / "pyproject.toml").read_text())
    project, groups = content["project"], content["dependency-groups"]
    promised = dict(
        need.split(">=")
        for need in project["dependencies"] + project["optional-dependencies"]["report"]
    )
    pins = [need for need in groups["minimums"] if isinstance(need, str)]
    tested = dict(need.split("==") for need in pins)
    for package, oldest in promised.items():
        assert re.fullmatch(rf"{re.escape(oldest)}(\.0)*", tested[package]), package


def test_the_core_needs_no_oracle_and_no_engine():
    core = {
        re.split(r"[^\w-]", need)[0] for need in requires("ordeval") or () if "extra ==" not in need
    }
    assert core == {"numpy", "narwhals", "duckdb", "click", "rich", "jinja2"}
