"""What is released: two builds make the same source distribution and wheel, which are all that users need."""

import json
import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from email.parser import Parser

import pytest

from tools.dist import build_twice, git

pytestmark = pytest.mark.full

# what the sdist holds at its top, beside what hatchling adds (PKG-INFO, .gitignore)
FOLDERS = {".ci", ".github", "benchmarks", "docs", "recipe", "src", "tests", "tools"}
FILES = {
    ".editorconfig", ".gitattributes", ".gitignore", ".pre-commit-config.yaml", "ARCHITECTURE.md", "CHANGELOG.md",
    "CITATION.cff", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "PKG-INFO", "README.md",
    "SECURITY.md", "action.yml", "hatch_build.py", "pyproject.toml",
}  # fmt: skip


def run(*command: object, **options: object) -> str:
    return subprocess.run(
        [str(word) for word in command], check=True, capture_output=True, text=True, **options
    ).stdout


@pytest.fixture(scope="module")
def built(root, tmp_path_factory):
    """Both distributions. A generated page and an environment in the checkout must not get into them."""
    for name in (
        "docs/measures/left-over.md",
        "docs/generated/left-over.md",
        ".venv-left-over/x.py",
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("generated\n")
    try:
        return build_twice(tmp_path_factory.mktemp("dist"))
    finally:
        for name in ("docs/measures/left-over.md", "docs/generated/left-over.md"):
            (root / name).unlink()
        (root / ".venv-left-over/x.py").unlink()
        (root / ".venv-left-over").rmdir()


@pytest.fixture(scope="module")
def sdist(built):
    return built[0]


@pytest.fixture(scope="module")
def wheel(built):
    return built[1]


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory):
    """An environment into which only the wheel was installed."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    run(folder / "bin" / "python", "-m", "pip", "install", "--quiet", wheel)
    return folder


def test_two_builds_in_different_conditions_give_the_same_bytes(sdist, wheel):
    # `build_twice` ends with an error if they differ
    assert re.fullmatch(r"ordeval-[\w.]+\.tar\.gz", sdist.name)
    assert re.fullmatch(r"ordeval-[\w.]+-py3-none-any\.whl", wheel.name)


def test_the_source_distribution_holds_what_git_holds_and_nothing_that_is_generated(sdist):
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
        modes = {member.mode for member in archive.getmembers() if member.isfile()}
        owners = {(member.uid, member.uname) for member in archive.getmembers()}
    assert {name.split("/")[0] for name in names if "/" in name} == FOLDERS
    assert {name for name in names if "/" not in name} == FILES
    known = git("ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    assert names - {"PKG-INFO"} <= set(known)
    # whoever builds from it has everything that git holds, the tests included
    assert {one for one in known if one} <= names
    assert modes <= {0o644, 0o755}
    assert owners == {(0, "")}


def test_the_wheel_holds_the_package_with_its_types_and_bibliography_and_nothing_else(root, wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"ordeval/py.typed", "ordeval/metrics/references.bib"} <= names
    sources = {
        path.relative_to(root / "src").as_posix()
        for path in (root / "src" / "ordeval").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert {name for name in names if name.startswith("ordeval/")} == sources
    (info,) = {name.split("/")[0] for name in names} - {"ordeval"}
    assert {name.removeprefix(f"{info}/") for name in names if name.startswith(info)} == {
        "METADATA",
        "RECORD",
        "WHEEL",
        "entry_points.txt",
        "licenses/LICENSE",
    }


def test_the_index_accepts_the_metadata_and_shows_links_that_lead_somewhere(root, sdist, wheel):
    run(sys.executable, "-m", "twine", "check", "--strict", sdist, wheel)
    archive = zipfile.ZipFile(wheel)
    (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
    said = Parser().parsestr(archive.read(name).decode())
    addresses = re.findall(r"\]\(([^)\s]+)\)", said.get_payload())
    written = re.findall(r"\]\(([^)\s]+)\)", (root / "README.md").read_text(encoding="utf-8"))
    assert len(addresses) == len(written) > 10
    assert all(address.startswith("https://") for address in addresses)
    source = dict(one.split(", ") for one in said.get_all("Project-URL"))["Source"]
    for address, target in zip(addresses, written, strict=True):
        if target != address:
            assert re.fullmatch(
                rf"{source}/(blob|raw)/v{re.escape(said['Version'])}/{re.escape(target)}", address
            )
            assert (root / target.partition("#")[0]).exists(), target
    assert said["Description-Content-Type"] == "text/markdown"
    assert said["License-Expression"] == "MIT"


def test_the_demo_runs_where_only_the_wheel_is_installed(environment, tmp_path):
    shown = run(environment / "bin" / "ordeval", "demo", cwd=tmp_path)
    assert "cem_ord" in shown


def test_the_list_of_components_names_every_dependency(root, environment, tmp_path):
    run(
        sys.executable, "-m", "cyclonedx_py", "environment", environment, "--pyproject", root / "pyproject.toml",
        "--output-reproducible", "-o", tmp_path / "sbom.json",
    )  # fmt: skip
    content = json.loads((tmp_path / "sbom.json").read_text(encoding="utf-8"))
    assert content["bomFormat"] == "CycloneDX"
    assert content["metadata"]["component"]["name"] == "ordeval"
    listed = {one["name"].lower() for one in content["components"]}
    assert {"numpy", "narwhals", "duckdb", "click", "rich", "jinja2"} <= listed
