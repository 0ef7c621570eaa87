"""What a notebook prints, and whether its prose says the same."""

import re
from typing import Any

__all__ = ["portable", "unprinted"]

CODE = re.compile(r"```.*?```|`[^`]*`|\]\([^)]*\)|\{[\w:-]+\}|https?://\S+", re.DOTALL)
NUMBER = re.compile(r"(?<![\w.,-])[-+]?\d[\d,]*(?:\.\d+)?(?!\w)")
MARKUP = re.compile(r"<style.*?</style>|<[^>]+>", re.DOTALL)
TEXTS = ("text/plain", "text/html", "text/markdown")
# The link to the notebook itself, to the end of its sentence; links to other pages.
DOWNLOAD = re.compile(r"\s*\{nb-download\}`[^`]*`[^.]*\.")
LINK = re.compile(r"\[([^\]]*)\]\((?!https?:)[^)]*\)")


def unprinted(notebook: dict[str, Any]) -> list[str]:
    """Return the numbers of the prose, with two significant digits or more, that no output of a cell has."""
    printed: set[str] = set()
    told: set[str] = set()
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            printed |= numbers_in(output_text(cell["outputs"]))
        else:
            told |= numbers_in(CODE.sub(" ", "".join(cell["source"])))
    return sorted(number for number in told - printed if significant(number))


def numbers_in(text: str) -> set[str]:
    """Return the numbers of a text, without signs and commas: +1,234 is 1234."""
    return {found.strip("+-,").replace(",", "") for found in NUMBER.findall(text)}


def significant(number: str) -> bool:
    """Tell whether a number has two significant digits or more; smaller ones are counted on the page."""
    return len(number.replace(".", "").lstrip("0")) > 1


def output_text(outputs: list[dict[str, Any]]) -> str:
    """Return all that the outputs of a cell say in words."""
    texts: list[Any] = []
    for output in outputs:
        data = output.get("data", {})
        texts += [output.get("text", ""), output.get("evalue", "")]
        texts += [data[kind] for kind in TEXTS if kind in data]
    return MARKUP.sub(" ", "\n".join("".join(text) for text in texts))


def portable(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return the notebook as people download it: without links that only the site has."""
    cells = [
        {**cell, "source": LINK.sub(r"\1", DOWNLOAD.sub("", "".join(cell["source"])))}
        if cell["cell_type"] == "markdown"
        else cell
        for cell in notebook["cells"]
    ]
    return {**notebook, "cells": cells}
