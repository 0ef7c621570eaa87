"""What readers see: the report as one page, its sentences, and the charts of the report and of `ordeval.plot`."""

from ordeval.report.agreement import render_agreement
from ordeval.report.judges import render_judges
from ordeval.report.page import render

__all__ = ["render", "render_agreement", "render_judges"]
