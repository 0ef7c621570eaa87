"""Write docs/gallery/: a picture of every chart of `oe.plot`, drawn by the example in its docstring, and the page.

The docstrings are the only source: the first sentence is the title, the paragraph below it says when to use the chart,
and the example draws it. Pictures are drawn again when a source of the package changes.
"""

import doctest
import hashlib
import inspect
import re
from dataclasses import dataclass
from html import escape
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import ordeval as oe
from ordeval.report.svg import inline_svg

if TYPE_CHECKING:
    from sphinx.application import Sphinx  # which the tests of this file do without

PACKAGE = Path(oe.__file__).parent
COLOURS = PACKAGE / "report" / "templates" / "page.css"
FONT = "text { font-family: Arial, Helvetica, sans-serif; }"  # as the charts are measured for
THEMES = ("light", "dark")
OPENING = """---
search: gallery, charts, plots, figures, visualization, visualisation, plotting, matplotlib, altair, svg, pictures,
  confusion matrix plot, forest plot, heat map, heatmap, reliability diagram, critical difference diagram, power curve,
  savefig, dpi, resolution
---

# Gallery of charts

Choose a picture to see when the chart is useful and the code that draws it. All charts are functions of `oe.plot`. They
need the extra `report` (`pip install 'ordeval[report]'`). [Report and
charts](../howto/report.md#charts-for-notebooks-and-papers) says how to change their title and size, and how to save
them."""


@dataclass(frozen=True, slots=True)
class Example:
    """What a docstring says about a chart."""

    name: str
    title: str
    use: str
    code: str


def example_of(topic: ModuleType, name: str) -> Example:
    """Read the docstring of a chart."""
    text = str(inspect.getdoc(getattr(topic, name)))
    summary, use = text.split("\n\n")[:2]
    code = "".join(one.source for one in doctest.DocTestParser().get_examples(text))
    title = re.split(r"[,;:.]", summary.removeprefix("Draw "), maxsplit=1)[0]
    return Example(name, title[0].upper() + title[1:], use, code)


def charts_of(topic: ModuleType) -> list[Example]:
    """Return the charts of a topic, in the order in which its file has them."""
    return [example_of(topic, name) for name in vars(topic) if name in topic.__all__]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A chart as its example draws it: words for it, and an SVG that takes its colours from variables."""

    example: Example
    description: str
    svg: str

    @property
    def size(self) -> str:
        """Return width and height as attributes, so that a browser leaves room for the picture before it has it."""
        found = re.search(r'viewBox="0 0 (\S+) (\S+)"', self.svg)
        assert found  # noqa: S101 - every drawing has one
        return f'width="{float(found[1]):.0f}" height="{float(found[2]):.0f}"'

    def themed(self, theme: str) -> str:
        """Return a picture in the colours that the report has in this theme."""
        css = COLOURS.read_text(encoding="utf-8")
        light, dark = re.findall(r":root \{(.*?)\}", css, re.DOTALL)
        colours = " ".join((light if theme == "light" else light + dark).split())
        head = '<svg xmlns="http://www.w3.org/2000/svg" '
        style = f"><style>:root {{ {colours} }} {FONT}</style>"
        return self.svg.replace("<svg ", head, 1).replace(">", style, 1)


def draw(example: Example) -> Drawn:
    """Run an example and return what it draws."""
    names: dict[str, Any] = {}
    exec(compile(example.code, f"<example of oe.plot.{example.name}>", "exec"), names)  # noqa: S102 - our own code
    spec = names["chart"].to_dict()
    words = spec["description"]
    svg = inline_svg(spec, identity=example.name, title=example.title, description=words)
    return Drawn(example, words, re.sub(r' data-tip="[^"]*"', "", svg))  # a picture shows no tips


def images(drawn: Drawn, alt: str) -> str:
    """Return the pictures of a chart, of which the theme shows one; beside a caption their text is empty."""
    text = escape(alt, quote=True)
    return "".join(
        f'<img src="{drawn.example.name}-{theme}.svg" class="only-{theme}" alt="{text}" {drawn.size}>'
        for theme in THEMES
    )


def thumbnail(drawn: Drawn) -> str:
    """Return a small picture with its title, as a link to the chart's section."""
    return f"[{images(drawn, '')} {drawn.example.title}](#plot-{drawn.example.name})"


def section(drawn: Drawn) -> str:
    """Return the Markdown of one chart."""
    example = drawn.example
    return "\n\n".join(
        [
            f"(plot-{example.name})=\n### {example.title}",
            f"`oe.plot.{example.name}`: {example.use}",
            images(drawn, f"{example.title}. {drawn.description}"),
            f"```python\n{example.code}```",
        ]
    )


def page(topics: dict[str, list[Drawn]]) -> str:
    """Return the Markdown of the gallery: thumbnails by topic, then chart by chart."""
    parts = [OPENING]
    for title, charts in topics.items():
        links = "\n\n".join(map(thumbnail, charts))
        parts += [f"**{title}**", f"````{{container}} thumbnails\n\n{links}\n\n````"]
    for title, charts in topics.items():
        parts += [f"## {title}", *map(section, charts)]
    return "\n\n".join(parts) + "\n"


def fingerprint() -> str:
    """Return a text that changes when this file or a source of the package does."""
    files = [Path(__file__), COLOURS, *sorted(PACKAGE.rglob("*.py"))]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def write(app: "Sphinx") -> None:
    """Draw the gallery, if it is not there or a source has changed."""
    folder = Path(app.srcdir) / "gallery"
    kept, state = folder / "fingerprint.txt", fingerprint()
    if kept.exists() and kept.read_text(encoding="utf-8") == state:
        return
    folder.mkdir(exist_ok=True)
    for stale in folder.iterdir():
        stale.unlink()
    topics = {
        str(inspect.getdoc(topic)).partition(":")[0]: list(map(draw, charts_of(topic)))
        for topic in oe.plot.TOPICS
    }
    for drawn in (one for charts in topics.values() for one in charts):
        for theme in THEMES:
            path = folder / f"{drawn.example.name}-{theme}.svg"
            path.write_text(drawn.themed(theme), encoding="utf-8")
    (folder / "index.md").write_text(page(topics), encoding="utf-8")
    kept.write_text(state, encoding="utf-8")


def setup(app: "Sphinx") -> dict[str, bool]:
    """Let Sphinx call us before it looks for pages."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
