"""Long pages of Markdown that are quick to read: a summary and contents on top, long tables and lists folded."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

__all__ = ["condensed", "expanded", "front_matter"]

LONGEST = 6  # lines of a table's body, or of a list, that stay in sight
BEGIN, END = "<!-- summary: begin -->", "<!-- summary: end -->"
SUMMARY = re.compile(rf"{BEGIN}\n.*?{END}\n\n", re.DOTALL)
FOLD = re.compile(r"<details><summary>[^\n]*</summary>\n\n(.*?)\n\n</details>", re.DOTALL)
FRONT_MATTER = re.compile(r"(---\n.*?\n---\n\n?)?", re.DOTALL)
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)


def condensed(text: str, summary: Sequence[str]) -> str:
    """Return a page with these sentences and a list of its sections above them, and long tables and lists folded.

    A fold is an HTML `details` element with empty lines around its content, which browsers, Sphinx and code hosts show.
    A page that was condensed before gets a new summary in place of the old one.
    """
    front = front_matter(text)
    title, _, rest = expanded(text.removeprefix(front)).partition("\n\n")
    top = [BEGIN, "**Summary**", "", *(f"- {one}" for one in summary), "", "**On this page**", ""]
    top += [f"- [{heading}](#{anchor(heading)})" for heading in HEADING.findall(rest)]
    return f"{front}{title}\n\n" + "\n".join([*top, END]) + f"\n\n{folded(rest)}"


def expanded(text: str) -> str:
    """Return a page without its summary and its folds, as it was before it was condensed."""
    return FOLD.sub(r"\1", SUMMARY.sub("", text))


def front_matter(text: str) -> str:
    """Return the settings between two rules that a page may begin with, and the empty line below them."""
    found = FRONT_MATTER.match(text)
    return found[0] if found else ""


def anchor(heading: str) -> str:
    """Return the fragment by which code hosts and Sphinx know a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def folded(text: str) -> str:
    """Return a text with its long tables and lists folded; blocks of code stay as they are."""
    return "\n".join(line for block in blocks(text) for line in shown(block))


def blocks(text: str) -> Iterator[list[str]]:
    """Give the lines of a text in runs: of a table, of a list, of anything else."""
    inside = False

    def kind(line: str) -> str:
        nonlocal inside
        fence = line.startswith("```")
        inside ^= fence
        return (
            ""
            if inside or fence
            else {"| ": "table", "|-": "table", "- ": "list"}.get(line[:2], "")
        )

    for _, run in groupby(text.split("\n"), kind):
        yield list(run)


def shown(block: list[str]) -> list[str]:
    """Return a run of lines, folded if it is a long table or list."""
    table, bullets = block[0].startswith("| "), block[0].startswith("- ")
    rows = len(block) - 2 * table
    if not (table or bullets) or rows <= LONGEST:
        return block
    what = f"Show the table ({rows} rows)" if table else f"Show the list ({rows} entries)"
    return [f"<details><summary>{what}</summary>", "", *block, "", "</details>"]
