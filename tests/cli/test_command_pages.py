"""The reference of commands and of JSON: everything that the program has is on the pages, and fits the column."""

import importlib.util
import re
import sys
from types import SimpleNamespace

import click
import pytest

from ordeval.cli import COMMANDS, main
from ordeval.cli.help import GROUPS
from tests.cli.test_json_schema import PARTS
from tests.conftest import ROOT
from tests.prose import PAGES

OURS = {"json", "file_formats", "errors"}  # pages of this reference that are written by hand
WIDEST = 88  # letters of a line of code that fit the column
# Sphinx only calls the extensions; what they write does not depend on it.
SPHINX = {
    "sphinx.application": SimpleNamespace(Sphinx=None),
    "sphinx.util.docutils": SimpleNamespace(SphinxDirective=object),
    "docutils": SimpleNamespace(nodes=SimpleNamespace(Node=None)),
    "docutils.statemachine": SimpleNamespace(StringList=None),
}


def extension(name):
    folder = ROOT / "docs" / "_ext"
    spec = importlib.util.spec_from_file_location(f"docs_{name}", folder / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        for one, stand_in in SPHINX.items():
            patch.setitem(sys.modules, one, stand_in)
        spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def commands():
    """The module that writes the pages of commands."""
    return extension("commands")


@pytest.fixture(scope="module")
def json_keys():
    """The module that writes the keys of JSON."""
    return extension("json_keys")


@pytest.fixture(scope="module")
def pages(commands):
    return commands.pages()


def options_of(name):
    command = main.get_command(click.Context(main), name)
    return [one for one in command.params if isinstance(one, click.Option)]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_of_a_command_has_each_option_once_below_its_group(pages, name):
    parts = re.split(
        r"^### ", pages[f"{name}.md"].partition("\n## Options\n")[2], flags=re.MULTILINE
    )
    listed = {}
    for part in parts[1:]:
        group = part.splitlines()[0]
        for option in re.findall(r"^`(-[^` ,]*)", part, re.MULTILINE):
            assert option not in listed
            listed[option] = group
    assert set(listed.values()) <= set(GROUPS)
    assert listed.pop("-h") == "Output"
    assert listed == {one.opts[0]: one.group for one in options_of(name)}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_of_a_command_tells_the_words_and_the_default_of_each_option(pages, name):
    page = pages[f"{name}.md"]
    for one in options_of(name):
        entry = re.split(rf"\n`{', '.join(one.opts)}(?=[` ])", page)[1].partition("\n\n")[0]
        for word in one.type.choices if isinstance(one.type, click.Choice) else ():
            assert word in entry, (one.name, word)
        if one.show_default is True:
            assert f"Default: `{one.default}`" in entry, one.name


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_of_a_command_has_its_examples_and_its_arguments(pages, commands, name):
    command = main.get_command(click.Context(main), name)
    assert all(line in pages[f"{name}.md"] for line, _ in command.examples)
    for one in command.params:
        if isinstance(one, click.Argument):
            words = re.findall(r"[A-Z]{3,}", one.make_metavar(click.Context(command)))
            assert words
            assert all(
                f"`{word}`\n: {commands.ARGUMENTS[word]}" in pages[f"{name}.md"] for word in words
            )


def test_no_argument_is_described_that_no_command_has(pages, commands):
    used = {
        word
        for word in commands.ARGUMENTS
        if any(f"\n`{word}`\n" in page for page in pages.values())
    }
    assert used == set(commands.ARGUMENTS)


def test_exit_statuses_are_listed_where_the_help_speaks_of_them(commands):
    """A command whose help names statuses of its own has them on its page, and no other has."""
    helped = {
        name
        for name in COMMANDS
        if "xit status" in main.get_command(click.Context(main), name).help
    }
    assert helped == set(commands.STATUSES)
    for name, statuses in commands.STATUSES.items():
        told = main.get_command(click.Context(main), name).help.partition("xit status")[2]
        assert all(str(status) in told for status in statuses)


def test_the_list_names_every_command_and_each_shared_option_with_its_commands(pages):
    index = pages["index.md"]
    assert all(f"[`{name}`]({name}.md)" in index for name in COMMANDS)
    entry = index.partition("\n`--pooled`\n")[2].partition("\n\n")[0]
    having = {name for name in COMMANDS if any("--pooled" in one.opts for one in options_of(name))}
    assert set(re.findall(r"\]\((\w+)\.md\)", entry)) == having


def test_every_part_of_the_schema_is_on_the_page_about_json_once(json_keys):
    page = (ROOT / "docs/reference/json.md").read_text(encoding="utf-8")
    sections = re.findall(r"^```\{json-keys\} (\w+)$", page, re.MULTILINE)
    assert sorted(sections) == sorted([*json_keys.SECTIONS, json_keys.SHARED])
    shown = [part for section in sections for part in json_keys.parts_of(section)]
    assert sorted(shown) == sorted(PARTS)


def test_the_keys_of_a_part_have_their_types_in_words(json_keys):
    text = json_keys.described("pair")
    assert text.startswith(
        "(json-pair)=\n\n**pair**: The difference of two systems by one measure."
    )
    assert "`p` (number or null)\n: The p-value." in text
    assert "`reason` (text, optional)\n: " in text
    assert "`confusion` (list of lists of numbers)" in json_keys.described("agree")
    assert "`scores` (object of [score](#json-score) by name)" in json_keys.described("system")
    assert '`outcome` (`"pass"`, `"fail"`, `"inconclusive"`)' in json_keys.described("gate")
    assert "It also has the keys of [score keys](#json-score-keys)." in json_keys.described(
        "coefficient"
    )


def too_wide(text):
    """The lines of code blocks that do not fit the column."""
    blocks = re.findall(r"^```[^\n]*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if len(line) > WIDEST]


def test_the_code_of_these_pages_fits_the_column(pages):
    texts = {
        **pages,
        **{page.name: page.read_text(encoding="utf-8") for page in PAGES if page.stem in OURS},
    }
    assert len(texts) == len(pages) + len(OURS)
    wide = {name: too_wide(text) for name, text in texts.items()}
    assert not any(wide.values()), wide
