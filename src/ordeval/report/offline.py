"""Altair charts that need no network: shown as drawn SVG in notebooks, saved with everything that they need.

An Altair chart is drawn by scripts that the notebook loads from the network. Those of this package are drawn where
they are made; a notebook that brings the scripts itself, as JupyterLab does, still shows them with tooltips.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ordeval.docstrings import classes_with_docstrings
from ordeval.errors import MissingPackageError
from ordeval.report import palette
from ordeval.report.svg import rendered

try:
    with classes_with_docstrings("altair"):
        import altair  # noqa: ICN001 - a name that other modules can import is assigned below
except ModuleNotFoundError as error:
    raise MissingPackageError(
        "charts need the packages altair and vl-convert-python, and altair is not installed. "
        "Run: pip install 'ordeval[report]'"
    ) from error

alt = altair  # as everybody calls it; the other modules take it from here
WIDEST_LABEL = 190
CONFIG: dict[str, Any] = {
    "background": "white",  # for notebooks and papers: `inline_svg` takes it away
    "font": "Arial, Helvetica, sans-serif",
    "padding": {"left": 4, "right": 10, "top": 4, "bottom": 4},
    "view": {"stroke": None},
    "axis": {
        "aria": False,  # a mark's description is its tip on the page; nothing else needs one
        "domain": False,
        "ticks": False,
        "grid": False,
        "gridColor": palette.LINE,
        "labelColor": palette.INK,
        "titleColor": palette.SOFT,
        "titleFontWeight": "normal",
        "labelFontSize": 11,
        "titleFontSize": 11,
        "labelLimit": WIDEST_LABEL,
        "titleLimit": 400,
        "labelPadding": 6,
    },
    "legend": {
        "aria": False,
        "orient": "bottom",
        "direction": "horizontal",
        "labelColor": palette.INK,
        "labelFontSize": 11,
        "labelLimit": 220,
        "symbolSize": 60,
        "symbolStrokeColor": "transparent",
        "title": None,
        "offset": 8,
    },
    "title": {
        "aria": False,
        "anchor": "start",
        "frame": "bounds",
        "color": palette.INK,
        "fontSize": 13,
        "limit": 560,
        "offset": 10,
    },
}


class OfflineView:
    """What every chart of this package adds to Altair's: its looks, and forms that load nothing from a network."""

    def to_dict(self, *args: Any, context: dict[str, Any] | None = None, **options: Any) -> Any:
        """Return the specification; that of a whole chart has the looks that all charts share."""
        whole = (context or {}).get("top_level", True)
        view: Any = super()
        spec = view.to_dict(*args, context=context, **options)
        if whole and "marks" not in spec:  # which Vega has, and Vega-Lite has not
            spec["config"] = merged(CONFIG, spec.get("config", {}))
        return spec

    def _repr_mimebundle_(self, *args: Any, **options: Any) -> Any:
        """Return the chart as SVG, and its specification for notebooks that draw it without loading anything."""
        view: Any = super()
        if alt.renderers.active != "default":  # the reader chose how charts are shown
            return view._repr_mimebundle_(*args, **options)
        major = alt.SCHEMA_VERSION.lstrip("v").partition(".")[0]
        return {
            "image/svg+xml": rendered(self),
            f"application/vnd.vegalite.v{major}+json": self.to_dict(),
            "text/plain": f"<{type(self).__name__}>",
        }

    def to_html(self, *args: Any, inline: bool = True, **options: Any) -> str:
        """Return a page that shows the chart; the scripts that draw it are inside unless `inline` is False."""
        view: Any = super()
        return str(view.to_html(*args, inline=inline, **options))

    def save(self, fp: Any, format: Any = None, *args: Any, **options: Any) -> None:  # noqa: A002 - Altair's own name
        """Save the chart as PNG, SVG, PDF, JSON or HTML, by the end of the file's name; HTML holds its own scripts."""
        form = format or (Path(fp).suffix[1:] if isinstance(fp, str | Path) else None)
        if form == "html":
            options.setdefault("inline", True)
        view: Any = super()
        view.save(fp, format, *args, **options)

    def __and__(self, other: Any) -> "ChartsBelow":
        both: list[Any] = [self, other]
        return ChartsBelow(vconcat=both)

    def __or__(self, other: Any) -> "ChartsBeside":
        both: list[Any] = [self, other]
        return ChartsBeside(hconcat=both)


class OfflineChart(OfflineView, alt.LayerChart):
    """An Altair chart of several layers that needs no network."""


class ChartsBelow(OfflineView, alt.VConcatChart):
    """Charts one below the other, without a network."""


class ChartsBeside(OfflineView, alt.HConcatChart):
    """Charts side by side, without a network."""


def merged(defaults: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings of which some are given; groups of settings are merged one by one."""
    both = {**defaults, **given}
    for name, value in defaults.items():
        if isinstance(value, Mapping) and isinstance(given.get(name), Mapping):
            both[name] = merged(value, given[name])
    return both
