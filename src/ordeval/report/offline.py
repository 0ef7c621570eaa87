"""Altair charts that need no network: shown as drawn SVG in notebooks, saved with everything that they need.

An Altair chart is drawn by scripts that the notebook loads from the network. Those of this package are drawn where
they are made; a notebook that brings the scripts itself, as JupyterLab does, still shows them with tooltips.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from ordeval.docstrings import classes_with_docstrings
from ordeval.report.specification import Specification, whole
from ordeval.report.svg import rendered

with classes_with_docstrings("altair"):
    import altair  # noqa: ICN001 - a name that other modules can import is assigned below
    from altair.utils.schemapi import debug_mode

alt = altair  # as everybody calls it
# What Altair has a class for inside a channel, and inside a mark by the only word that it may hold.
PARTS = {"axis": alt.Axis, "legend": alt.Legend, "scale": alt.Scale}
WORDS = {"band": alt.RelativeBandSize, "expr": alt.ExprRef, "step": alt.Step}


class OfflineView:
    """What every chart of this package adds to Altair's: its looks, and forms that load nothing from a network."""

    def to_dict(self, *args: Any, context: dict[str, Any] | None = None, **options: Any) -> Any:
        """Return the specification; that of a whole chart has the looks that all charts share."""
        is_whole = (context or {}).get("top_level", True)
        view: Any = super()
        spec = view.to_dict(*args, context=context, **options)
        if is_whole and "marks" not in spec:  # which Vega has, and Vega-Lite has not
            return whole(spec)
        return spec

    def _repr_mimebundle_(self, *args: Any, **options: Any) -> Any:
        """Return the chart as SVG, and its specification for notebooks that draw it without loading anything."""
        view: Any = super()
        if alt.renderers.active != "default":  # the reader chose how charts are shown
            return view._repr_mimebundle_(*args, **options)
        major = alt.SCHEMA_VERSION.lstrip("v").partition(".")[0]
        return {
            "image/svg+xml": rendered(self.to_dict(validate=False)),
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


Chart: TypeAlias = OfflineChart


class ChartsBelow(OfflineView, alt.VConcatChart):
    """Charts one below the other, without a network."""


class ChartsBeside(OfflineView, alt.HConcatChart):
    """Charts side by side, without a network."""


def chart_of(spec: Specification) -> "OfflineChart":
    """Return the Altair chart of a specification, made of the same objects as one that is written with Altair.

    The layers are put in last: Altair would copy each of them several times.
    """
    with debug_mode(False):  # noqa: FBT003 - Altair's own; each part would be checked, which takes most of the time
        given = {name: worded(part) for name, part in spec.items() if name not in {"data", "layer"}}
        chart = OfflineChart(**given)
        chart.layer = [alt.Chart(**layer_parts(layer)) for layer in spec["layer"]]
        chart.data = data_of(spec)
    return chart


def layer_parts(layer: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a layer is made of."""
    mark = {name: worded(part) for name, part in layer["mark"].items()}
    channels = {name: channel(name, part) for name, part in layer["encoding"].items()}
    return {
        **layer,
        "data": data_of(layer),
        "mark": alt.MarkDef(**mark),
        "encoding": alt.FacetedEncoding(**channels),
    }


def channel(name: str, parts: Mapping[str, Any]) -> Any:
    """Return a channel: `alt.X` of a field, `alt.XValue` of a value."""
    name = name[0].upper() + name[1:]
    if "value" in parts:
        return getattr(alt, f"{name}Value")(worded(parts["value"]))
    made = {
        part: PARTS[part](**value) if part in PARTS and value is not None else value
        for part, value in parts.items()
    }
    return getattr(alt, name)(**made)


def worded(part: Any) -> Any:
    """Return a part of a chart, of Altair's own class if it is a single word with a value, such as a step."""
    if isinstance(part, Mapping) and len(part) == 1:
        ((word, value),) = part.items()
        return WORDS[word](value)
    return part


def data_of(part: Mapping[str, Any]) -> Any:
    """Return the data of a chart or of a layer, if it has its own."""
    return alt.InlineData(**part["data"]) if "data" in part else alt.Undefined
