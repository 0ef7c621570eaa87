"""Names from outside (systems, cases, labels) made safe to show: nothing in them is trusted."""

import unicodedata
from collections.abc import Sequence
from typing import Any

from ordeval.letters import LONGEST_NAME, cut, one_line


def clean(label: Any) -> str:
    """Return a label as one line of text without control characters, cut if it is long; "(empty)" for an empty one."""
    return cut(one_line(str(label)), LONGEST_NAME) or "(empty)"


def isolated(label: Any) -> str:
    """Return a label that can be next to other text: right-to-left text is isolated from it."""
    text = clean(label)
    turned = any(unicodedata.bidirectional(letter) in {"R", "AL"} for letter in text)
    return f"\u2068{text}\u2069" if turned else text


def short(label: Any, limit: int = 40) -> str:
    """Return a label cut to a length that fits a sentence."""
    text = clean(label)
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def quoted_label(label: Any) -> str:
    """Return a label in quotation marks, for a sentence."""
    return f"'{short(label)}'"


def rising(labels: Sequence[str], most: int) -> str:
    """List the classes of a scale, lowest first; only the two ends if they are more than `most`.

    >>> rising(["bad", "fair", "good"], most=3)
    'bad < fair < good'
    """
    return " < ".join(labels if len(labels) <= most else [labels[0], "...", labels[-1]])
