"""docs/reference/errors.md has every error class, with what it derives from, and the messages that people meet."""

import re

import pytest

import ordeval.errors
from ordeval.cli import in_a_sentence
from ordeval.errors import OrdevalError
from tests.conftest import ROOT

PAGE = ROOT / "docs/reference/errors.md"
CLASSES = [
    one
    for one in vars(ordeval.errors).values()
    if isinstance(one, type) and issubclass(one, OrdevalError)
]


@pytest.fixture(scope="module")
def sections():
    """The text below each heading of the third level, by the heading."""
    parts = re.split(r"^### ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {heading: text for heading, _, text in (part.partition("\n") for part in parts)}


@pytest.mark.parametrize("error", CLASSES, ids=lambda error: error.__name__)
def test_every_error_class_is_on_the_page_with_what_it_derives_from(sections, error):
    text = " ".join(sections[error.__name__].split())
    bases = re.search(r"\*\*Derives from\*\* (.*?)\. ", text)[1]
    assert re.findall(r"`(\w+)`", bases) == [base.__name__ for base in error.__bases__]
    assert "**Meaning.**" in text


@pytest.mark.parametrize("error", CLASSES[1:], ids=lambda error: error.__name__)
def test_every_error_class_has_a_message_and_a_remedy(sections, error):
    assert f"ordeval.errors.{error.__name__}: " in sections[error.__name__]
    assert "**What to do.**" in sections[error.__name__]


def test_the_page_says_which_errors_are_wrong_usage():
    usage = [error.__name__ for error in CLASSES if in_a_sentence(error("x")).exit_code == 2]
    others = {
        in_a_sentence(error("x")).exit_code for error in CLASSES if error.__name__ not in usage
    }
    sentence = re.search(
        r"status 2 for (.*?), and with 3 for all others", PAGE.read_text(), re.DOTALL
    )[1]
    assert sorted(re.findall(r"`(\w+)`", sentence)) == sorted(usage)
    assert others == {3}


def test_at_least_twenty_messages_have_a_cause_and_a_remedy(sections):
    met = {heading: text for heading, text in sections.items() if "**Cause.**" in text}
    assert len(met) >= 20
    for heading, text in met.items():
        shown = " ".join(re.search(r"```python\n(.*?)```", text, re.DOTALL)[1].split())
        assert all(part.split(":")[0].strip() in shown for part in heading.split("...") if part), (
            heading
        )
        assert "**What to do.**" in text
