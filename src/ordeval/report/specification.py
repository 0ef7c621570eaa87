"""Charts as plain Vega-Lite specifications: what a page draws, and what `offline` makes an Altair chart of.

A page draws a hundred charts. Made of dictionaries, each takes a fraction of a millisecond; made of Altair's objects,
which are copied and checked at every step, it takes many. Charts share parts, so nothing is changed once it is made.
"""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any, TypeAlias

from ordeval.errors import MissingPackageError
from ordeval.report import palette

# Said before anything is computed, also for a page, which does not import it.
if find_spec("altair") is None:
    raise MissingPackageError(
        "charts need the packages altair and vl-convert-python, and altair is not installed. "
        "Run: pip install 'ordeval[report]'"
    )

Specification: TypeAlias = dict[str, Any]

TYPES = {"N": "nominal", "Q": "quantitative", "T": "temporal"}
WIDEST_LABEL = 190
CONFIG: Specification = {
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


def field(shorthand: str, **options: Any) -> Specification:
    """Return a channel that shows a field, as in `field("value:Q")`; that of a second end has no type."""
    name, _, letter = shorthand.partition(":")
    return {"field": name, **({"type": TYPES[letter]} if letter else {}), **options}


def constant(value: Any) -> Specification:
    """Return a channel that is the same for all data: a number, a word or an expression."""
    return {"value": value}


def expression(text: str) -> Specification:
    """Return what Vega works out while it draws, from the size of the plot or from the data."""
    return {"expr": text}


def pixels_each(pixels: float) -> Specification:
    """Return the width or the height of a plot that gives every row or column so many pixels."""
    return {"step": pixels}


def marks(
    kind: str,
    channels: Mapping[str, Any],
    *,
    data: Sequence[Mapping[str, Any]] | None = None,
    transform: Sequence[Mapping[str, Any]] | None = None,
    **look: Any,
) -> Specification:
    """Return a layer: a mark of this kind and look for each row of its own data, or else of the data of the chart."""
    return {
        **({} if data is None else {"data": {"values": list(data)}}),
        "mark": {"type": kind, **look},
        "encoding": dict(channels),
        **({} if transform is None else {"transform": list(transform)}),
    }


def layered(
    layers: Sequence[Specification],
    data: Sequence[Mapping[str, Any]] | None = None,
    **size: Any,
) -> Specification:
    """Return one chart of several layers; those without data of their own share `data`."""
    shared = {} if data is None else {"data": {"values": list(data)}}
    return {**shared, "layer": list(layers), **size}


def whole(chart: Mapping[str, Any]) -> Specification:
    """Return a specification with the looks that all charts share, where it does not have its own."""
    return {**chart, "config": merged(CONFIG, chart.get("config", {}))}


def merged(defaults: Mapping[str, Any], given: Mapping[str, Any]) -> Specification:
    """Return settings of which some are given; groups of settings are merged one by one."""
    both = {**defaults, **given}
    for name, value in defaults.items():
        if isinstance(value, Mapping) and isinstance(given.get(name), Mapping):
            both[name] = merged(value, given[name])
    return both
