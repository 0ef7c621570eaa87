"""The published tables and examples of Amigó et al. 2020, our reproduction of them, and Sakai 2021 on other data.

>>> oe.paper.appendix_a()
<appendix_a: 13 of 13 printed numbers are reproduced>
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ordeval.paper.coverage_table import table3
    from ordeval.paper.examples import appendix_a, figure1
    from ordeval.paper.marks import table2
    from ordeval.paper.one_page import page
    from ordeval.paper.sakai_page import sakai2021
    from ordeval.paper.section54 import robustness

__all__ = ["appendix_a", "figure1", "page", "robustness", "sakai2021", "table2", "table3"]

# What is asked for, and the module that has it; none of these modules bears the name of what it holds.
LAZY = {
    "appendix_a": "ordeval.paper.examples",
    "figure1": "ordeval.paper.examples",
    "table2": "ordeval.paper.marks",
    "table3": "ordeval.paper.coverage_table",
    "robustness": "ordeval.paper.section54",
    "page": "ordeval.paper.one_page",
    "sakai2021": "ordeval.paper.sakai_page",
}


# Hidden from type checkers, which would take this function for a promise that every name exists.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Load a table when it is first asked for."""
        if name not in LAZY:
            raise AttributeError(f"module 'ordeval.paper' has no attribute {name!r}")
        return getattr(import_module(LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *LAZY})
