"""A chart as SVG inside a page: drawn when the page is made, small, without scripts, in the page's own colours."""

import json
import re
from functools import cache, lru_cache
from typing import Any
from xml.etree import ElementTree as ET

from ordeval.errors import MissingPackageError
from ordeval.inputs.files.memory import check_addresses
from ordeval.report.palette import VARIABLES
from ordeval.report.specification import Specification

NAMESPACE = re.compile(r"^\{[^}]*\}")
# What a drawn mark needs; the page itself sets class, role and font once for all marks.
KEPT = frozenset(
    {
        "d", "transform", "fill", "stroke", "opacity", "fill-opacity", "stroke-opacity", "stroke-width",
        "stroke-dasharray", "stroke-linecap", "text-anchor", "font-size", "font-weight", "x", "y", "dy", "x1", "x2",
        "y1", "y2", "width", "height",
    }
)  # fmt: skip
DEFAULTS = {"opacity": "1", "fill-opacity": "1", "text-anchor": "start", "font-weight": "normal"}
MARKS = frozenset({"path", "line", "rect", "circle"})  # as which data are drawn
LONG_NUMBER = re.compile(r"\d+\.\d{3,}")
# What a mark takes from the group that it is in.
INHERITED = (
    "fill", "stroke", "fill-opacity", "stroke-opacity", "stroke-width", "stroke-dasharray", "stroke-linecap",
    "text-anchor", "font-size",
)  # fmt: skip
ADDRESSES = 70_000  # MB that the chart writer reserves, and does not fill
SHRINKS_TO = 0.72  # of its size on a small screen; on a smaller one its frame scrolls


def inline_svg(spec: Specification, *, identity: str, title: str, description: str) -> str:
    """Draw a whole chart as `<svg role="img">` with a title and a description, in colours of the style sheet."""
    root = ET.fromstring(rendered_like_others(spec))  # noqa: S314 - from our own renderer, which escapes its input
    width, height = (float(root.get(name, "0")) for name in ("width", "height"))
    for child in list(root):
        if child.tag.endswith("rect"):  # the background: the page has its own
            root.remove(child)
    simplify(root)
    share_attributes(root)
    root.attrib = {
        "class": "drawing",
        "role": "img",
        "aria-labelledby": f"{identity}-t {identity}-d",
        "viewBox": f"0 0 {width:g} {height:g}",
        "width": f"{width:g}",
        "height": f"{height:g}",
        "style": f"min-width:{SHRINKS_TO * width:.0f}px",
    }
    for at, (tag, text) in enumerate((("title", title), ("desc", description))):
        element = ET.Element(tag, {"id": f"{identity}-{tag[0]}"})
        element.text = text
        root.insert(at, element)
    return ET.tostring(root, encoding="unicode")


def rendered(spec: Specification) -> str:
    """Return a whole specification as the SVG that vl-convert makes of it."""
    svg: str = chart_writer().vegalite_to_svg(spec, allowed_base_urls=[])
    return svg


def rendered_like_others(spec: Specification) -> str:
    """Return the same as `rendered`, in two thirds of its time where another chart differs from it in its data alone.

    On a page of many systems most charts do: Vega-Lite is compiled to Vega once, which then takes the data of each.
    """
    shape, data = without_data(spec)
    vega = compiled(json.dumps(shape))
    sources = [
        {**one, "values": data[one["name"]]} if one["name"] in data else one for one in vega["data"]
    ]
    svg: str = chart_writer().vega_to_svg({**vega, "data": sources}, allowed_base_urls=[])
    return svg


@lru_cache(maxsize=64)
def compiled(shape: str) -> dict[str, Any]:
    """Return the Vega that Vega-Lite makes of a specification without its data."""
    vega: dict[str, Any] = chart_writer().vegalite_to_vega(shape)
    return vega


def without_data(spec: Specification) -> tuple[Specification, dict[str, Any]]:
    """Return a specification in which data have names instead of values, and the values by these names."""
    data: dict[str, Any] = {}

    def named(part: Specification, name: str) -> Specification:
        if "values" not in part.get("data", {}):
            return part
        data[name] = part["data"]["values"]
        return {**part, "data": {"name": name}}

    layers = [named(layer, f"layer_{at}") for at, layer in enumerate(spec["layer"])]
    return {**named(spec, "shared"), "layer": layers}, data


def chart_writer() -> Any:
    """Return vl-convert, and refuse to draw where it is missing or has no room."""
    try:
        import vl_convert
    except ModuleNotFoundError as error:
        raise MissingPackageError(
            "charts need the packages altair and vl-convert-python, and the latter is not installed. "
            "Run: pip install 'ordeval[report]'"
        ) from error
    check_room()
    return vl_convert


@cache  # once: what it reserves is reserved from then on
def check_room() -> None:
    """Refuse to draw where the chart writer, which is a whole browser engine, would crash."""
    check_addresses(ADDRESSES, "draw charts", "the chart writer")


def simplify(root: "ET.Element[str]") -> None:
    """Remove what a page does not need, and replace colours by variables.

    The description of a mark becomes `data-tip`, which the page's script shows.
    """
    for parent in list(root.iter()):
        parent.tag = NAMESPACE.sub("", parent.tag)
        kept = {
            name: LONG_NUMBER.sub(rounded, value)
            for name, value in parent.attrib.items()
            if name in KEPT and DEFAULTS.get(name) != value
        }
        if parent.tag in MARKS and parent.get("aria-label"):
            kept["data-tip"] = parent.attrib["aria-label"]
        if "role-mark" in parent.get("class", "") and parent.get("aria-hidden"):
            kept["pointer-events"] = "none"  # texts and lines hide no tip of what is below them
        for name in ("fill", "stroke"):
            if name in kept:
                kept[name] = VARIABLES.get(kept[name].lower(), kept[name])
        if kept.get("transform") == "translate(0,0)":
            del kept["transform"]
        parent.attrib = kept
        for child in list(parent):
            invisible = NAMESPACE.sub("", child.tag) == "path" and not (
                child.get("fill") or child.get("stroke")
            )
            if invisible and child.get("class") in {"background", "foreground"}:
                parent.remove(child)


def share_attributes(root: "ET.Element[str]") -> None:
    """Let a group carry what all of its marks have in common: a matrix repeats the same strokes a thousand times."""
    for group in reversed(list(root.iter("g"))):  # the innermost first
        for name in INHERITED:
            values = {child.get(name) for child in group}
            if len(group) > 1 and len(values) == 1 and None not in values:
                group.set(name, str(values.pop()))
                for child in group:
                    del child.attrib[name]


def rounded(found: "re.Match[str]") -> str:
    """Write a number with two decimals: no eye sees more of a pixel."""
    return f"{float(found[0]):.2f}".rstrip("0").rstrip(".")
