"""Links of pages, read without a network: of Markdown files and of built HTML."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tests.prose import DOCS, WRITTEN_BY_THE_BUILD

__all__ = ["BuiltPage", "broken_in_markdown", "broken_in_site", "malformed", "written_by_the_build"]

FENCE = re.compile(r"^( *)```.*?^\1```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(<?([^)\s>]+)>?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


class BuiltPage(HTMLParser):
    """The links and the anchors of a built page."""

    def __init__(self, path: Path) -> None:
        """Read the page."""
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.images: list[dict[str, str | None]] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what a tag refers to, and the names by which others refer to it."""
        known = dict(attrs)
        if known.get("id"):
            self.anchors.add(str(known["id"]))
        if tag == "img":
            self.images.append(known)
        found = known.get("src" if tag in {"img", "script"} else "href")
        if found and tag in {"a", "link", "img", "script"}:
            self.links.append(found)


def malformed(link: str) -> bool:
    """Tell whether a link to another host is not https with a host that has a dot, or has a blank."""
    parts = urlsplit(link)
    return parts.scheme != "https" or "." not in parts.netloc or " " in link


def broken_in_site(site: Path) -> Iterator[str]:
    """Yield each link of the site that leads nowhere: no such file, no such anchor, or no proper address."""
    pages = {path: BuiltPage(path) for path in sorted(site.rglob("*.html"))}
    anchors = {path: page.anchors for path, page in pages.items()}
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            name = path.relative_to(site)
            if parts.scheme or parts.netloc:
                if parts.scheme not in {"data", "mailto"} and malformed(link):
                    yield f"{name}: {link} is not a proper address"
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                yield f"{name}: {link} leads to no file"
            elif parts.fragment and unquote(parts.fragment) not in anchors.get(target, ()):
                yield f"{name}: {link} leads to no anchor"


def anchors_of(path: Path) -> set[str]:
    """Return the anchors that hosts of repositories make of the headings of a file."""
    text = path.read_text(encoding="utf-8")
    plain = (re.sub(r"[`*\[\]]|\(.*?\)", "", heading) for heading in HEADING.findall(text))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in plain}


def written_by_the_build(path: Path) -> bool:
    """Tell whether a page is in no checkout before somebody builds the site there."""
    return any(path.is_relative_to(DOCS / page) for page in WRITTEN_BY_THE_BUILD)


def broken_in_markdown(path: Path) -> Iterator[str]:
    """Yield each link of a Markdown file that leads nowhere in the checkout."""
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    for link in LINK.findall(text):
        parts = urlsplit(link)
        if parts.scheme:
            if malformed(link):
                yield f"{path.name}: {link} is not a proper address"
            continue
        target = path.parent / unquote(parts.path) if parts.path else path
        if not target.exists() or written_by_the_build(target):
            yield f"{path.name}: {link} leads to no file"
        elif parts.fragment and parts.fragment not in anchors_of(target):
            yield f"{path.name}: {link} leads to no heading"
