"""The grammar of measure names: `name` or `name(setting=value, ...)`, values as Python writes them."""

import ast
from typing import Any

from ordeval.errors import MetricError


def parse(text: str) -> tuple[str, dict[str, Any]]:
    """Return the name and the settings that a text spells.

    >>> parse("weighted_kappa(weights='linear')")
    ('weighted_kappa', {'weights': 'linear'})
    """
    if not isinstance(text, str):
        raise MetricError(
            f"{text!r:.60} is not the name of a measure; a name is text. 'ordeval metrics' lists them."
        )
    text = text.strip()
    if text.isidentifier():
        return text, {}
    try:
        call = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        call = None
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)) or call.args:
        raise MetricError(
            f"{text!r} is not the name of a measure; write it as name or name(setting=value)."
        )
    settings = {}
    for keyword in call.keywords:
        try:
            settings[str(keyword.arg)] = ast.literal_eval(keyword.value)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            word = ast.unparse(keyword.value)
            raise MetricError(
                f"{word} in {text!r} is not a value; write a number or a word in quotes."
            ) from None
    return call.func.id, settings


def split_names(text: str) -> list[str]:
    """Split a comma-separated list of names, leaving the commas inside brackets alone.

    >>> split_names("mae, ordinal_classification_index(beta=0.25, gamma=1), cem_ord")
    ['mae', 'ordinal_classification_index(beta=0.25, gamma=1)', 'cem_ord']
    """
    names, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            names.append(text[start:at])
            start = at + 1
    names.append(text[start:])
    return [name.strip() for name in names if name.strip()]
