"""The examples in docstrings run, and what the registry declares of a measure can be shown."""

import doctest
import importlib

import pytest

import ordeval as oe
from ordeval.metrics.references import REFERENCES

MEASURES = [pytest.param(metric, id=name) for name, metric in oe.registry.items()]


@pytest.mark.parametrize("metric", MEASURES)
def test_the_example_of_a_measure_runs_and_prints_what_it_shows(metric):
    names = {"oe": oe, metric.name: metric}
    test = doctest.DocTestParser().get_doctest(metric.__doc__, names, metric.name, None, 0)
    assert test.examples, f"{metric.name} has no example"
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert not report, "".join(report)


@pytest.mark.parametrize(
    "name", ["metrics.closeness", "metrics.names", "properties.search", "simulate.collection"]
)
def test_the_examples_of_a_module_print_what_they_show(name):
    done = doctest.testmod(importlib.import_module(f"ordeval.{name}"))
    assert done.attempted > 0
    assert done.failed == 0


@pytest.mark.parametrize("metric", MEASURES)
def test_a_measure_has_a_summary_a_formula_and_references_that_exist(metric):
    assert metric.summary == metric.__doc__.strip().splitlines()[0].strip()
    assert metric.formula
    assert metric.undefined_when
    assert metric.references
    assert set(metric.references) <= set(REFERENCES)


def test_every_reference_is_complete_and_the_file_is_sorted():
    assert list(REFERENCES) == sorted(REFERENCES)
    for reference in REFERENCES.values():
        assert {"author", "title", "year"} <= set(reference.fields), reference.key
        assert reference.fields["year"] in str(reference)
