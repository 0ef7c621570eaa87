"""Read a page as people do: the text of an element, and tables by their captions."""

import html
import re
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from ordeval.report import drawing, render


@contextmanager
def undrawn() -> Iterator[None]:
    """Leave out the drawings of pages: they take most of the time."""
    with patch.object(drawing, "inline_svg", lambda *_, **__: "<svg></svg>"):
        yield


def page_of(comparison, **options) -> str:
    """The page of a comparison without its drawings."""
    with undrawn():
        return render(comparison, **options)


def text_of(fragment: str) -> str:
    """The text of a piece of HTML on one line."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", fragment)).split())


def section(page: str, name: str) -> str:
    """The HTML of a section."""
    return re.search(rf'<section id="{name}".*?</section>', page, re.DOTALL)[0]


def table(page: str, caption: str) -> list[list[str]]:
    """The cells of the first table that has a caption, the header first."""
    escaped = html.escape(caption).replace("&#x27;", "&#39;")
    start = page.index(f'<caption class="unseen">{escaped}</caption>')
    rows = re.findall(r"<tr.*?</tr>", page[start : page.index("</table>", start)], re.DOTALL)
    return [
        [text_of(cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)] for row in rows
    ]


def column(page: str, caption: str, name: str) -> list[str]:
    """One column of a table, without its name."""
    header, *rows = table(page, caption)
    return [row[header.index(name)] for row in rows]
