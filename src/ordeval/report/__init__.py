"""What readers see: the report as one page, its sentences, and the charts of the report and of `ordeval.plot`.

>>> from ordeval.report import render
>>> gold = [1, 2, 3] * 10
>>> c = oe.compare(gold, {"a": gold, "b": [1, 1, 3] * 10}, metrics=["mae"])
>>> page = render(c)
>>> page[:15]
'<!doctype html>'
"""

from ordeval.report.agreement import render_agreement
from ordeval.report.judges import render_judges
from ordeval.report.page import render

__all__ = ["render", "render_agreement", "render_judges"]
