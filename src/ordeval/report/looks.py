"""The title and the size of a chart, as a reader asks for them."""

from collections.abc import Mapping
from typing import Any, TypedDict

from ordeval.arguments import is_number
from ordeval.errors import ParameterError, argument, suggestion
from ordeval.letters import one_line
from ordeval.report.charts import Figure
from ordeval.report.offline import Chart, chart_of

SMALLEST, LARGEST = 10, 10_000  # pixels


class Looks(TypedDict, total=False):
    """Keywords of every chart: None leaves the title or the size as the figure has it; the title "" is none.

    The arguments are:

    - `title`: a title of your own, or "" for none.
    - `width`: the width of the plot in pixels, without its labels.
    - `height`: the height of the plot in pixels, without its labels.
    """

    title: str | None
    width: float | None
    height: float | None


def finished(figure: Figure, looks: Mapping[str, Any]) -> Chart:
    """Return the chart of a figure with its title and its description, in the size asked for."""
    for name in looks:
        if name not in Looks.__annotations__:
            near = suggestion(name, list(Looks.__annotations__))
            raise TypeError(f"there is no argument {name!r} of this chart.{near}")
    title = looks.get("title")
    if not isinstance(title, str | None):
        raise ParameterError(
            f"title is {title!r:.60}; it is a text, None for the chart's own title or '' for none."
        )
    size = {
        name: pixels(name, looks[name])
        for name in ("width", "height")
        if looks.get(name) is not None
    }
    shown = one_line(figure.title if title is None else title)
    titled = {"title": shown} if shown else {}
    return chart_of({**figure.spec, "description": figure.description, **titled, **size})


def pixels(name: str, size: Any) -> float:
    """Return a size in pixels; refuse what cannot be drawn."""
    if not (is_number(size) and SMALLEST <= size <= LARGEST):
        raise ParameterError(
            f"{argument(name, size):.80} is not a size; it is a number of pixels from {SMALLEST} to {LARGEST:,}, "
            f"as in {argument(name, 400)}."
        )
    return float(size)
