"""What the documentation says of a measure's properties."""

import importlib.util
import sys
from types import SimpleNamespace

import pytest

import ordeval as oe
from ordeval.properties import catalogue


@pytest.fixture(scope="module")
def verdicts(root):
    place = root / "docs" / "_ext" / "verdicts.py"
    spec = importlib.util.spec_from_file_location("verdicts", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_measures_page_has_a_row_for_every_property(verdicts):
    text = verdicts.text(oe.mae)
    for name in catalogue:
        assert f"[`{name}`](../properties.md#{name.replace('_', '-')})" in text
    assert "| holds |" in text
    assert "| refuted |" in text


def test_a_measures_page_judges_every_word_of_its_parameters(verdicts):
    text = verdicts.text(oe.threshold_loss)
    for penalty in ("logistic", "zero_one"):
        assert f"With `threshold_loss(penalty='{penalty}')`:" in text


def test_the_guide_states_every_property_in_the_words_of_the_catalogue(root):
    guide = " ".join((root / "docs" / "properties.md").read_text(encoding="utf-8").split())
    for name, one in catalogue.items():
        assert f"({name.replace('_', '-')})=" in guide
        assert one.statement.rstrip(".").split(",")[0] in guide


@pytest.fixture
def measures(root, monkeypatch):
    """The module that writes the pages, without Sphinx, which only calls it."""
    monkeypatch.setitem(sys.modules, "sphinx.application", SimpleNamespace(Sphinx=None))
    monkeypatch.setitem(sys.modules, "verdicts", SimpleNamespace(sections=dict))
    place = root / "docs" / "_ext" / "measures.py"
    spec = importlib.util.spec_from_file_location("measures", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_measures_page_names_its_aliases(measures):
    assert "| aliases | `cem` |" in measures.opening(oe.cem_ord)
    assert "`qwk` (`weights='quadratic'`)" in measures.opening(oe.weighted_kappa)
    assert "aliases" not in measures.opening(oe.mae)
