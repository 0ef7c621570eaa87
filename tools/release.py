"""What a release must agree on. See docs/project/releasing.md.

python tools/release.py check [--tag v1.2.3]   every place names the same version; with a tag, that of the tag
python tools/release.py notes v1.2.3           the part of CHANGELOG.md about it
python tools/release.py prepare 1.2.3          write the version into every place, and today's date into CHANGELOG.md
python tools/release.py recipe SDIST           write the checksum of a source distribution into the conda-forge recipe
"""

import argparse
import hashlib
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from tools.adopt import FILES, PLACEHOLDER

__all__ = ["PLACES", "check", "fill_recipe", "notes", "prepare", "version_of_tag", "versions"]

ROOT = Path(__file__).parents[1]
ABOUT = "src/ordeval/__about__.py"
# where the version is written, each as the pattern of its line; the first is the place that the package reads
PLACES = {
    ABOUT: r'^__version__ = "(?P<value>[^"]*)"$',
    "CITATION.cff": r"^version: (?P<value>\S+)$",
    "recipe/recipe.yaml": r'^  version: "(?P<value>[^"]*)"$',
}
SHA256 = r"^  sha256: (?P<value>[0-9a-f]{64})$"
# PEP 440 in its shortest form, which is also that of wheels
VERSION = r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?"


def text_of(root: Path, name: str) -> str:
    """Return the text of a file of the checkout."""
    return (root / name).read_text(encoding="utf-8")


def write(root: Path, name: str, pattern: str, value: str) -> None:
    """Put a value in the one line of a file that a pattern describes."""
    text = text_of(root, name)
    (found,) = re.finditer(pattern, text, re.MULTILINE)
    changed = text[: found.start("value")] + value + text[found.end("value") :]
    (root / name).write_text(changed, encoding="utf-8", newline="\n")


def versions(root: Path = ROOT) -> dict[str, str]:
    """Return the version that each place names."""
    return {
        name: found["value"]
        for name, pattern in PLACES.items()
        for found in re.finditer(pattern, text_of(root, name), re.MULTILINE)
    }


def version_of_tag(tag: str) -> str:
    """Return the version that a tag names."""
    if not re.fullmatch(f"v{VERSION}", tag):
        raise SystemExit(
            f"the tag {tag!r} does not name a version; it must look like v1.2.3 or v1.2.3rc1."
        )
    return tag.removeprefix("v")


def check(root: Path = ROOT, tag: str | None = None) -> str:
    """Return the version, if all places name it; with a tag, also require its notes and the address of a repository."""
    named = versions(root)
    version = named[ABOUT] if tag is None else version_of_tag(tag)
    source = ABOUT if tag is None else f"the tag {tag}"
    for name in PLACES:
        if named.get(name) != version:
            raise SystemExit(
                f"{name} names version {named.get(name)}, but {source} names {version}; "
                f"'python tools/release.py prepare {version}' writes it everywhere."
            )
    if tag is not None:
        notes(version, root)
        for name in FILES:
            if PLACEHOLDER.search(text_of(root, name)):
                raise SystemExit(
                    f"{name} still has the placeholder OWNER; 'python tools/adopt.py NAME' replaces it."
                )
    return version


def notes(version: str, root: Path = ROOT) -> str:
    """Return the part of the changelog that is about a version."""
    heading = rf"^## {re.escape(version)} - \d{{4}}-\d\d-\d\d$"
    parts = re.split(r"(?m)^(?=## )", text_of(root, "CHANGELOG.md"))
    for part in parts:
        if re.match(heading, part, re.MULTILINE) and part.partition("\n")[2].strip():
            return part.partition("\n")[2].strip() + "\n"
    raise SystemExit(
        f"CHANGELOG.md has no notes under a heading '## {version} - YYYY-MM-DD'; "
        f"'python tools/release.py prepare {version}' writes the heading."
    )


def prepare(version: str, root: Path = ROOT, today: str | None = None) -> None:
    """Write a version into every place, and make what the changelog calls unreleased the notes of this version."""
    version_of_tag(f"v{version}")
    for name, pattern in PLACES.items():
        write(root, name, pattern, version)
    changelog = text_of(root, "CHANGELOG.md")
    if changelog.count("\n## Unreleased\n") != 1:
        raise SystemExit("CHANGELOG.md must have one heading '## Unreleased'.")
    dated = f"## {version} - {today or datetime.now(UTC).date()}"
    changelog = changelog.replace("\n## Unreleased\n", f"\n## Unreleased\n\n{dated}\n")
    (root / "CHANGELOG.md").write_text(changelog, encoding="utf-8", newline="\n")


def fill_recipe(sdist: Path, root: Path = ROOT) -> None:
    """Write the checksum of a source distribution into the recipe."""
    version = check(root)
    if sdist.name != f"ordeval-{version}.tar.gz":
        raise SystemExit(f"{sdist.name} is not the source distribution of version {version}.")
    write(root, "recipe/recipe.yaml", SHA256, hashlib.sha256(sdist.read_bytes()).hexdigest())


def main() -> None:
    """Run one of the commands."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("check").add_argument("--tag")
    commands.add_parser("notes").add_argument("tag")
    commands.add_parser("prepare").add_argument("version")
    commands.add_parser("recipe").add_argument("sdist", type=Path)
    asked = parser.parse_args()
    if asked.command == "check":
        print(check(tag=asked.tag))
    elif asked.command == "notes":
        print(notes(version_of_tag(asked.tag)), end="")
    elif asked.command == "prepare":
        prepare(asked.version)
    else:
        fill_recipe(asked.sdist)


if __name__ == "__main__":
    main()
