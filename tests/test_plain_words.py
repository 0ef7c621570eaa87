"""Text that people read is plain English: phrases that need a second reading are listed here, with what to write."""

import ast
import re
from pathlib import Path

import pytest

from tests.prose import PAGES as DOCUMENTATION

# A phrase (a pattern, in any case), and what to write in its place.
PHRASES = {
    r"for want of": "because ... is missing",
    r"save for": "except for",
    r"\blest\b": "so that ... not",
    r"where(of|by|in|upon)\b": "of which, by which",
    r"\bthence|\bwhence|\bhence\b": "so, therefore",
    r"amounts? to\b": "is, means, adds up to",
    r"ke(ep|eps|pt) (their|its) word": "is accurate",
    r"no test tells": "is not significantly different from",
    r"\bless (the|half|those)\b": "minus",
    r"cannot be told (from|apart from)": "is not significantly different from",
    r"\b(not )?told apart\b": "(not) significantly different",
    r"of them all": "of all",
    r"than chance (would|gives)": "significant, above chance",
    r"\bfares?\b|would fare": "score, do",
    r"stranger": "someone you do not know, untrusted",
    r"the house\b": "the project, the code",
    r"nothing but": "only",
    r"all there is": "everything, contains these",
    r"off the scale": "not on the scale ('off the scale' means very large)",
    r"the very (same|numbers?|cases?)": "exactly the same",
    r"each other's place": "exchanged",
    r"stands? beside": "is compared with, is next to",
    r"plays? no part": "is ignored",
    r"(?<!there )is no (\w+ )?(file|column|pair|class|function|number)\b": "is not a ...",
    r"source of chance": "random seed",
    r"worth the bits": "earns more the fewer gold items lie between it and the true class",
    r"as long as each other": "of the same length",
    r"everyone else": "other libraries",
    r"(do|does) not tell (how|which|what)": "does not show",
    r"a pencil": "by hand",
    r"on different rulers": "not comparable",
    r"cut into parts": "divided into parts",
}
ONCE = "cannot be told apart"  # at most once a page; elsewhere "not significantly different"
PATTERN = re.compile("|".join(f"(?P<p{at}>{one})" for at, one in enumerate(PHRASES)), re.IGNORECASE)
PAGES = ("*.md", "src/ordeval/report/templates/*")  # and all of the documentation
CODE = ("src/ordeval/**/*.py", "docs/_ext/*.py", "benchmarks/**/*.py")


def strings(source: str) -> str:
    """Return the texts of a Python file, docstrings and messages: the literals, each joined over its lines."""
    found: list[str] = []
    inside: set[int] = set()  # the constants of f-strings, which are read with these
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in inside
        ):
            found.append(node.value)
        elif isinstance(node, ast.JoinedStr):
            inside |= set(map(id, node.values))
            parts = [one.value if isinstance(one, ast.Constant) else "…" for one in node.values]
            found.append("".join(map(str, parts)))
    return "\n".join(" ".join(one.split()) for one in found if " " in one)


def text_of(path: Path) -> str:
    """Return what people read of a file, each paragraph on one line."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return strings(text)
    return "\n".join(" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", text))


def stumbles(text: str) -> list[str]:
    """Return the phrases of a text to be avoided, each with what stands around it and what to write."""
    found = []
    for match in PATTERN.finditer(text):
        around = text[max(0, match.start() - 40) : match.end() + 40].replace("\n", " ")
        write = PHRASES[list(PHRASES)[int(str(match.lastgroup)[1:])]]
        found.append(f"'{match[0]}' in '...{around}...': write '{write}'")
    return sorted(set(found))


def files_of(root: Path, patterns: tuple[str, ...]) -> list[Path]:
    """Return the files of some patterns, and with those of pages the documentation."""
    found = {path for one in patterns for path in root.glob(one) if path.is_file()}
    return sorted(found.union(DOCUMENTATION if patterns == PAGES else ()))


@pytest.mark.later
@pytest.mark.parametrize("patterns", [PAGES, CODE], ids=["pages", "code"])
def test_no_text_has_a_phrase_that_needs_a_second_reading(root, patterns):
    files = files_of(root, patterns)
    assert len(files) > 10
    found = [
        f"{path.relative_to(root)}: {one}" for path in files for one in stumbles(text_of(path))
    ]
    assert not found, "\n" + "\n".join(found)


def test_pages_say_at_most_once_that_systems_cannot_be_told_apart(root):
    files = files_of(root, PAGES)
    often = [path.name for path in files if text_of(path).lower().count(ONCE) > 1]
    assert not often


def test_the_descriptions_of_measures_are_one_sentence_of_moderate_length():
    import ordeval as oe

    for measure in oe.registry.values():
        assert len(measure.summary.split()) <= 25, measure.summary
        assert measure.summary.endswith("."), measure.summary
        assert measure.summary[0].isupper(), measure.summary


def test_a_phrase_is_found_over_the_end_of_a_line_and_in_the_parts_of_a_message():
    assert stumbles("No test is skipped for want of a package.")
    assert not stumbles("No test is skipped because a package is missing.")
    assert "for want of" in strings('raise ValueError(f"{x} fails for "\n    f"want of {y}")')
