"""Names from outside as text that any page can hold: systems, cases and labels are never trusted."""

import re
import unicodedata
from typing import Any

# Control characters have no place in HTML or SVG; the direction overrides would turn what stands beside a name around.
UNSHOWABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2028\u2029\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff]"
)


def shown(label: Any) -> str:
    """Return a label as one line of text without characters that no page may hold; an empty one is made visible."""
    text = " ".join(UNSHOWABLE.sub("\ufffd", str(label)).split())
    return text or "(empty)"


def isolated(label: Any) -> str:
    """Return a label that what stands beside it on its line does not turn around: right-to-left text is set apart."""
    text = shown(label)
    turned = any(unicodedata.bidirectional(letter) in {"R", "AL"} for letter in text)
    return f"\u2068{text}\u2069" if turned else text


def short(label: Any, limit: int = 40) -> str:
    """Return a label cut to a length that a sentence bears."""
    text = shown(label)
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def quoted_label(label: Any) -> str:
    """Return a label in quotation marks, for a sentence."""
    return f"'{short(label)}'"


def counted(amount: float) -> str:
    """Write a number of items, or a sum of weights to six digits."""
    return f"{int(amount):,}" if float(amount).is_integer() else f"{amount:,.6g}"


def plural(amount: float, one: str, many: str | None = None) -> str:
    """Write a number with its noun."""
    return f"{counted(amount)} {one if amount == 1 else many or one + 's'}"
