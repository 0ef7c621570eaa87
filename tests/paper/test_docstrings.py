"""The examples in the docstrings of these rooms run."""

import doctest
import importlib

import pytest

MODULES = [
    "ordeval.meta.unanimity", "ordeval.simulate.collection", "ordeval.paper.examples", "ordeval.properties.verdict",
]  # fmt: skip


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_print_what_they_show(name):
    found = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.attempted > 0
    assert found.failed == 0
