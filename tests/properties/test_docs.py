"""What the documentation says of a measure's properties."""

import doctest
import importlib.util
import re
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
        assert f"[`{name}`](../explanation/properties.md#{name.replace('_', '-')})" in text
    assert "| holds |" in text
    assert "| refuted |" in text


def test_a_measures_page_lists_the_counterexamples_below_a_table_that_fits(verdicts):
    text = verdicts.text(oe.accuracy)
    widest = max(len(line) for line in text.splitlines() if line.startswith("|"))
    assert widest <= 120  # most of it is the address of a link
    assert "\n- `ordinal_monotonicity`: moving the third item from 1 to 2" in text
    assert "\n- `ordinal_invariance`" not in text  # it holds


def test_a_measures_page_judges_every_word_of_its_parameters(verdicts):
    text = verdicts.text(oe.threshold_loss)
    for penalty in ("logistic", "zero_one"):
        assert f"With `threshold_loss(penalty='{penalty}')`:" in text


def test_the_guide_states_every_property_in_the_words_of_the_catalogue(root):
    guide = " ".join(
        (root / "docs" / "explanation" / "properties.md").read_text(encoding="utf-8").split()
    )
    for name, one in catalogue.items():
        assert f"({name.replace('_', '-')})=" in guide
        assert one.statement.rstrip(".").split(",")[0] in guide


@pytest.fixture
def measures(root, monkeypatch):
    """The module that writes the pages, without Sphinx, which only calls it."""
    monkeypatch.setitem(sys.modules, "sphinx.application", SimpleNamespace(Sphinx=None))
    monkeypatch.setitem(sys.modules, "verdicts", SimpleNamespace(sections=dict))
    monkeypatch.syspath_prepend(root / "docs" / "_ext")
    place = root / "docs" / "_ext" / "measures.py"
    spec = importlib.util.spec_from_file_location("measures", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_measures_page_names_its_aliases(measures):
    assert "| aliases | `cem` |" in measures.opening(oe.cem_ord)
    assert "`qwk` (`weights='quadratic'`)" in measures.opening(oe.weighted_kappa)
    assert "aliases" not in measures.opening(oe.mae)


SECTIONS = [
    "When to use it",
    "When not",
    "How to read it",
    "Example",
    "Definition",
    "In other packages",
    "On the running example",
]


def sections_of(measures, metric):
    """The page without the properties, whose search takes seconds, and without references."""
    kept = [one for one in measures.SECTIONS if one.__name__ not in {"properties", "references"}]
    return "\n\n".join(one(metric) for one in kept)


@pytest.mark.parametrize("name", oe.registry)
def test_a_measures_page_has_its_sections_in_the_readers_order_and_code_that_fits(measures, name):
    text = sections_of(measures, oe.registry[name])
    titles = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert [title for title in titles if title != "Parameters"] == SECTIONS
    code = re.findall(r"^```(?:python|r)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert max(len(line) for block in code for line in block.splitlines()) <= 88
    for target in re.findall(r"\]\((\w+)\.md\)", text):
        assert target in {*oe.registry, "example"}


def test_a_measures_page_is_found_by_all_its_names(measures):
    text = sections_of(measures, oe.weighted_kappa)
    assert text.startswith("---\nsearch: weighted_kappa, weighted kappa, lwk, ")
    for name in ("qwk", "quadratic weighted kappa"):
        assert re.search(rf"^search: .*\b{name}\b", text, re.MULTILINE)
    assert "   single: QWK\n" in text
    assert "| also called | quadratic weighted kappa, QWK," in text


def test_a_measures_page_explains_the_names_in_the_calls_of_other_packages(measures):
    text = sections_of(measures, oe.fleiss_kappa)
    assert "- `votes`: how often each item was put into each class" in text
    assert "- `probabilities`" not in text
    assert "# weights='quadratic': classes are always one apart" in sections_of(
        measures, oe.weighted_kappa
    )
    assert "We know of no function" in sections_of(measures, oe.cem_ord)


def test_the_running_example_is_read_right(measures):
    example = measures.running_example
    for counts, _ in example.SYSTEMS.values():
        assert [sum(row) for row in counts] == example.GOLD == [50, 20, 10, 10, 10]
    gold, predicted = example.items("good")
    # 42 + 14 + 6 + 7 + 7 of 100 are right, and the other 24 are one class off
    assert (gold == predicted).sum() == 76
    assert abs(gold - predicted).sum() == 24
    # of 0.75 for the answer and 0.25 spread as gold: 0.75 + 0.25 * 0.5 for class 1
    assert example.probabilities("constant")[0] == pytest.approx([0.875, 0.05, 0.025, 0.025, 0.025])
    assert example.soft_gold()[[0, -1]].tolist() == [
        [0.8, pytest.approx(0.2), 0, 0, 0],
        [0, 0, 0, pytest.approx(0.2), 0.8],
    ]
    # the answers of *random* do not depend on gold: n_ij = n_i n_j / N
    assert example.SYSTEMS["random"][0] == [
        [a * b // 100 for b in example.GOLD] for a in example.GOLD
    ]


def test_the_sentences_of_the_running_example_follow_from_the_numbers(measures):
    example = measures.running_example
    # 76 right of 100 for *good* and *far*, 10 for *shifted*, whose items of class 5 are right
    assert example.sentence(oe.accuracy).startswith(
        "`accuracy` puts *good* and *far* first and *shifted* last. It does not see how far"
    )
    assert "does not see the shift" in example.sentence(oe.spearman)
    assert "has no value for *constant*" in example.sentence(oe.spearman)
    # all answers of *good* and of *shifted* are within one class: both score 1
    assert "does not see the shift" in example.sentence(oe.accuracy_within)
    assert "does not see" not in example.sentence(oe.mae)
    assert "rates *far* above *good*" in example.sentence(oe.purity)
    assert example.ranks(oe.mae) == {
        # mean distances: 0.24, 0.75, 0.98, 0.90, 1.10 and 1.42
        "good": "1", "far": "2", "cautious": "4", "shifted": "3", "constant": "5", "random": "6",
    }  # fmt: skip
    # by cem_ord *cautious* is before *shifted* and *random* before *constant*; by mae it is the other way
    assert "turns round 2 of the 15 pairs" in example.sentence(oe.mae)


def test_the_page_of_the_running_example_shows_all_measures_and_runs(measures):
    text = measures.running_example.page()
    for name in oe.registry:
        assert f"| [`{name}`]({name}.md) " in text
    (session,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert max(map(len, session.splitlines())) <= 88
    ran = doctest.DocTestRunner().run(
        doctest.DocTestParser().get_doctest(session, {}, "example.md", None, 0)
    )
    assert (ran.attempted, ran.failed) == (3, 0)
