"""A release is refused if anything disagrees about its version; one command writes the address of the repository."""

import hashlib
import re
import shutil
import subprocess
import sys
import tarfile

import pytest

from tests.conftest import ROOT
from tools import dist, release
from tools.adopt import FILES, adopt

CHANGELOG = (
    "# Changelog\n\n## Unreleased\n\n### Added\n\n- A thing.\n\n## 0.0.9 - 2026-01-31\n\n- Older.\n"
)


@pytest.fixture
def checkout(tmp_path):
    """The files that a release reads, in a folder of their own, adopted by somebody."""
    for name in {*release.PLACES, *FILES}:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    adopt(tmp_path, "somebody")
    return tmp_path


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_all_places_of_this_checkout_name_one_version():
    assert len(release.versions()) == len(release.PLACES) == 3
    assert release.check() == release.versions()["src/ordeval/__about__.py"]


def test_a_prepared_release_passes_with_its_tag_and_has_its_notes(checkout):
    release.prepare("1.2.3", checkout, today="2026-12-24")
    assert set(release.versions(checkout).values()) == {"1.2.3"}
    assert release.check(checkout, tag="v1.2.3") == "1.2.3"
    assert release.notes("1.2.3", checkout) == "### Added\n\n- A thing.\n"
    assert (
        (checkout / "CHANGELOG.md")
        .read_text()
        .startswith("# Changelog\n\n## Unreleased\n\n## 1.2.3 - 2026-12-24\n\n### Added\n")
    )


@pytest.mark.parametrize("name", list(release.PLACES))
def test_a_place_that_names_another_version_is_named(checkout, name):
    release.prepare("1.2.3", checkout)
    edit(checkout / name, "1.2.3", "1.2.4")
    with pytest.raises(SystemExit, match=re.escape(name) + " names version 1.2.4, but the tag"):
        release.check(checkout, tag="v1.2.3")


def test_a_tag_of_another_version_is_refused(checkout):
    release.prepare("1.2.3", checkout)
    with pytest.raises(SystemExit, match=r"names version 1\.2\.3, but the tag v1\.2\.4 names 1"):
        release.check(checkout, tag="v1.2.4")


@pytest.mark.parametrize("tag", ["1.2.3", "v1.2", "v1.2.3.dev0", "v1.2.3-rc1", "v1.2.3\n", "v"])
def test_a_tag_that_does_not_name_a_version_is_refused(tag):
    with pytest.raises(SystemExit, match="does not name a version"):
        release.version_of_tag(tag)


def test_a_release_candidate_is_a_version():
    assert release.version_of_tag("v1.2.3rc1") == "1.2.3rc1"


def test_a_release_without_notes_is_refused(checkout):
    release.prepare("1.2.3", checkout)
    edit(checkout / "CHANGELOG.md", "### Added\n\n- A thing.\n", "")
    with pytest.raises(SystemExit, match="has no notes under a heading"):
        release.check(checkout, tag="v1.2.3")


def test_a_release_with_the_placeholder_of_the_address_is_refused(checkout):
    release.prepare("1.2.3", checkout)
    edit(checkout / "pyproject.toml", "github.com/somebody/", "github.com/OWNER/")
    with pytest.raises(SystemExit, match=r"pyproject.toml still has the placeholder OWNER"):
        release.check(checkout, tag="v1.2.3")


def test_a_version_is_prepared_only_where_the_changelog_has_unreleased_changes(checkout):
    edit(checkout / "CHANGELOG.md", "## Unreleased\n", "")
    with pytest.raises(SystemExit, match="one heading '## Unreleased'"):
        release.prepare("1.2.3", checkout)


def test_the_recipe_gets_the_checksum_of_the_source_distribution(checkout):
    version = release.check(checkout)
    sdist = checkout / f"ordeval-{version}.tar.gz"
    sdist.write_bytes(b"abc")
    release.fill_recipe(sdist, checkout)
    # the checksum of "abc" that the standard prints (FIPS 180-4, appendix B.1)
    known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert hashlib.sha256(b"abc").hexdigest() == known
    assert f"\n  sha256: {known}\n" in (checkout / "recipe/recipe.yaml").read_text(encoding="utf-8")
    with pytest.raises(SystemExit, match="is not the source distribution of version"):
        release.fill_recipe(checkout / "ordeval-9.tar.gz", checkout)


def test_the_command_of_the_workflow_prints_the_version_or_one_sentence():
    shown = subprocess.run(
        [sys.executable, "tools/release.py", "check", "--tag", "v99.0.0"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert shown.returncode == 1
    assert shown.stdout == ""
    assert len(shown.stderr.splitlines()) == 1
    assert "but the tag v99.0.0 names 99.0.0" in shown.stderr


@pytest.mark.parametrize("differs", ["*.whl", "*.tar.gz", None])
def test_builds_that_differ_are_refused(tmp_path, monkeypatch, differs):
    def build(source, kind, folder, conditions, umask):
        folder.mkdir(exist_ok=True)
        path = folder / ("ordeval-1.whl" if kind == "wheel" else "ordeval-1.tar.gz")
        if kind == "sdist":
            with tarfile.open(path, "w"):
                pass
        else:
            path.write_bytes(b"wheel")
        if differs and folder.name == "second" and path.match(differs):
            path.write_bytes(path.read_bytes() + b"\0")
        return path

    monkeypatch.setattr(dist, "build", build)
    monkeypatch.setattr(
        dist, "git", lambda *words: {"log": "0\n", "ls-files": "README.md\0"}[words[0]]
    )
    if differs is None:
        assert [path.name for path in dist.build_twice(tmp_path)] == [
            "ordeval-1.tar.gz",
            "ordeval-1.whl",
        ]
    else:
        with pytest.raises(SystemExit, match=r"two builds of ordeval-1.* differ"):
            dist.build_twice(tmp_path)
        assert not list(tmp_path.iterdir())


# --- the placeholder of the account ---


def test_one_command_replaces_the_placeholder_everywhere(tmp_path):
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    assert set(adopt(tmp_path, "some-lab")) == set(FILES)
    for name in FILES:
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert "OWNER" not in text
        assert "some-lab" in text
    assert adopt(tmp_path, "some-lab") == []


def test_no_other_file_has_the_placeholder(root):
    tools = {"tools/adopt.py", "tools/release.py", "tests/packaging/test_release.py"}
    looked = [
        path
        for pattern in (
            "*",
            ".github/**/*",
            "docs/**/*.md",
            "src/**/*",
            "tools/*",
            "tests/packaging/*",
            "recipe/*",
        )
        for path in root.glob(pattern)
        if path.suffix in {".md", ".yml", ".yaml", ".toml", ".cff", ".py"}
        and "_build" not in path.parts
    ]
    assert len(looked) > 300
    found = {
        path.relative_to(root).as_posix()
        for path in looked
        if re.search(r"OWNER(/|\.github\.io/)ordeval", path.read_text(encoding="utf-8"))
    }
    assert found - tools == set(FILES)


@pytest.mark.parametrize("account", ["", "-a", "a/b", "a b", "OWNER", "$(x)", "a" * 40])
def test_what_is_not_the_name_of_an_account_is_refused(tmp_path, account):
    with pytest.raises(SystemExit, match="is not the name of an account"):
        adopt(tmp_path, account)
