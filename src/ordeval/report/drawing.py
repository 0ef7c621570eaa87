"""Figures drawn for a page: as SVG, each with its own id, and with the data below it."""

from dataclasses import dataclass

from markupsafe import Markup

from ordeval.aliases import Progress
from ordeval.report.charts import Figure
from ordeval.report.specification import whole
from ordeval.report.svg import inline_svg


@dataclass(frozen=True, slots=True)
class DrawnFigure:
    """A figure as SVG; the table below it has the first `rows` rows of the figure's data."""

    figure: Figure
    svg: Markup
    rows: int | None

    @property
    def left_out(self) -> int:
        """How many rows of the data are not shown."""
        return 0 if self.rows is None else max(0, len(self.figure.data.rows) - self.rows)


class FigureDrawer:
    """Draws the figures of one page, and numbers them: the title of each needs an id of its own."""

    def __init__(self, progress: Progress = None, expected: int = 1) -> None:
        """Take the function that is told how many figures are drawn, and about how many there will be."""
        self.number = 0
        self.progress = progress
        self.expected = expected

    def draw(self, figure: Figure, *, rows: int | None = None) -> DrawnFigure:
        """Draw a figure; the table of its data has at most so many rows."""
        self.number += 1
        svg = inline_svg(
            whole(figure.spec),
            identity=f"figure-{self.number}",
            title=figure.title,
            description=figure.description,
        )
        if self.progress is not None:
            self.progress(min(self.number, self.expected), self.expected)
        return DrawnFigure(figure, Markup(svg), rows)  # noqa: S704 - made of escaped text
