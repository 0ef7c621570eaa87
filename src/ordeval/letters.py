"""Text from outside (labels, ids, names, files) made safe to show: nothing in it is trusted."""

import re

# Control characters steer a terminal and must not appear in HTML or SVG; a change of direction would reverse the text
# beside a name.
UNSHOWABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u202a-\u202e\u2066-\u2069\u2028\u2029\ufdd0-\ufdef\ufffe\uffff"
    "\ud800-\udfff]"
)
# A text in quotes, as Python writes one; no apostrophe within or behind a word begins it.
IN_QUOTES = re.compile(r"""(?<![\w\\])(['"])((?:\\.|(?!\1)[^\\])*)\1""", re.DOTALL)
LONGEST_NAME = 400
LONGEST_QUOTE = 200


def one_line(text: str) -> str:
    """Return a text as one line without control characters."""
    return " ".join(UNSHOWABLE.sub("\ufffd", text).split())


def cut(text: str, limit: int) -> str:
    """Leave the middle out of a text that is longer than the limit."""
    half = (limit - 1) // 2
    return text if len(text) <= limit else f"{text[: limit - 1 - half]}…{text[-half:]}"


def readable(message: str) -> str:
    """Return a message with control characters written out, and the middle of what it quotes at length left out."""
    found = IN_QUOTES.sub(lambda quote: cut(quote.group(), LONGEST_QUOTE), message)
    return UNSHOWABLE.sub(escaped, found.replace("\r", r"\r"))


def escaped(letter: "re.Match[str]") -> str:
    r"""Write a character by its code, as JSON does: \u001b."""
    return f"\\u{ord(letter.group()):04x}"
