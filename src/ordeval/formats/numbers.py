"""Numbers as text: rounding, dashes for undefined values, intervals, p-values, shares and amounts."""

import math
from typing import Any

DASH = "\N{EN DASH}"  # stands for an undefined value
SMALLEST_P = 0.0001  # smaller p-values are written as "below this"


def undefined(value: Any) -> bool:
    """Tell whether there is no value: None or NaN."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def number(value: float | None, digits: int = 3, *, sign: bool = False) -> str:
    """Write a number with so many decimals; a dash where it is undefined, and no sign before a zero."""
    if value is None or math.isnan(value):
        return DASH
    text = f"{value:+.{digits}f}" if sign else f"{value:.{digits}f}"
    return text if text.strip("+-0.") else text.lstrip("+-")


def p_value(p: float | None) -> str:
    """Write a p-value with four decimals, or that it is below them."""
    return f"<{SMALLEST_P}" if p is not None and p < SMALLEST_P else number(p, 4)


def p_in_sentence(p: float) -> str:
    """Write a p-value for a sentence: 'p < 0.001', 'p = 0.012', 'p = 0.34'."""
    return "p < 0.001" if p < 0.001 else f"p = {number(p, 3 if p < 0.1 else 2)}"


def confidence(level: float) -> str:
    """Write the level of an interval in percent: 95%, 99.9%."""
    return f"{100 * level:g}%"


def interval(low: float | None, high: float | None, digits: int = 3) -> str:
    """Write the ends of an interval in brackets; nothing where there is none."""
    if undefined(low) or undefined(high):
        return ""
    return f"[{number(low, digits)}, {number(high, digits)}]"


def short_interval(low: float | None, high: float | None, digits: int = 2) -> str:
    """Write the ends of an interval where room is scarce: 0.61-0.63 with a dash between them; -0.02 to 0.01."""
    if undefined(low) or undefined(high):
        return ""
    ends = number(low, digits), number(high, digits)
    return (" to " if ends[0].startswith("-") else DASH).join(ends)


def amount(count: float) -> str:
    """Write a number of items with separators, or a sum of weights to six digits."""
    return f"{int(count):,}" if float(count).is_integer() else f"{count:,.6g}"


def amount_in_cell(count: float) -> str:
    """Write an amount for a small cell, in about six letters: '12,345', '15.9', '123k', '1.23M'."""
    if count < 99_999.5:
        whole = float(count).is_integer() or count >= 100
        return f"{count:,.0f}" if whole else f"{count:.3g}"
    unit = next((at for at in range(1, 4) if count < 999.5 * 1000**at), 4)
    return f"{count / 1000**unit:.3g}{'kMGT'[unit - 1]}"


def counted(count: float, noun: str, plural: str | None = None) -> str:
    """Write an amount with its noun: '1 item', '1,200 items', '2 classes'."""
    return f"{amount(count)} {noun if count == 1 else plural or noun + 's'}"


def round_up(count: int) -> int:
    """Return a number that claims no more than two digits: 2,400 for 2,371."""
    unit = int(10 ** max(len(str(count)) - 2, 0))
    return -(-count // unit) * unit


def floored_share(share: float) -> str:
    """Write a share in percent with one decimal, rounded down: 100% only if exactly all."""
    return "100%" if share >= 1 else f"{math.floor(1000 * share) / 10:.1f}%"


def percent(share: float, digits: int = 0) -> str:
    """Write a share in percent for people: 'under 1%', '38%', 'over 99%'; 0% and 100% only if exactly so."""
    unit = 10.0**-digits
    if 0 < share <= unit / 200:
        return f"under {unit:g}%"
    return f"over {100 - unit:g}%" if 1 - unit / 200 <= share < 1 else f"{100 * share:.{digits}f}%"


def percent_in_cell(share: float) -> str:
    """Write a share in whole percent for a small cell: blank below 1%, 100 only if exactly 1."""
    if share < 0.01:
        return ""
    return "100" if share >= 1 else str(min(99, round(100 * share)))


def in_words(names: list[str], limit: int | None = None) -> str:
    """Join names as a sentence does: 'a, b and c'; beyond the limit, 'a, b and 3 more'."""
    if limit is not None and len(names) > limit:
        names = [*names[:limit], f"{len(names) - limit} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
