"""Names from outside (systems, cases, labels) made safe to show: nothing in them is trusted."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

# Control characters must not appear in HTML or SVG; direction overrides would reverse the text beside a name.
UNSHOWABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2028\u2029\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff]"
)


def clean(label: Any) -> str:
    """Return a label as one line of text without control characters; an empty one is shown as "(empty)"."""
    text = " ".join(UNSHOWABLE.sub("\ufffd", str(label)).split())
    return text or "(empty)"


def isolated(label: Any) -> str:
    """Return a label that can stand beside other text: right-to-left text is isolated from it."""
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
