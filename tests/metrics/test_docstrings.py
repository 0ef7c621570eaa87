"""What the registry declares of a measure can be shown."""

import pytest

import ordeval as oe
from ordeval.metrics.references import REFERENCES

MEASURES = [pytest.param(metric, id=name) for name, metric in oe.registry.items()]


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
