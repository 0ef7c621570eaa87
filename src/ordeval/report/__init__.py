"""What the reader sees: the report, its charts, and tables of text."""

from typing import Any

__all__ = ["render"]


def render(comparison: Any, **options: Any) -> str:
    """Return the report of a comparison as one self-contained HTML page; see `ordeval.report.page.render`."""
    from ordeval.report import page

    return page.render(comparison, **options)
