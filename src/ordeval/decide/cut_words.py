"""What cut points reach and gain, in sentences."""

from typing import TYPE_CHECKING

from ordeval.decide.words import ends_of, gain_words, other_items_words
from ordeval.formats import numbers
from ordeval.formats.names import clean

if TYPE_CHECKING:
    from ordeval.decide.cut_points import Cuts

OTHERS = {"nearest": "rounded score", "shares": "shares of gold"}


def lead_of(cuts: "Cuts") -> list[str]:
    """Say what the points reach, and what they gain on items that they were not fitted on."""
    reached = (
        f"By {cuts.measure}, these cut points reach {numbers.number(cuts.value)} on the "
        f"{numbers.counted(cuts.n, 'item')} that they were fitted on; the rounded score reaches "
        f"{numbers.number(cuts.value_of['nearest'])}."
    )
    held_out = cuts.held_out
    if held_out is None:
        return [reached]
    score = held_out.score
    elsewhere = (
        f"On items that they were not fitted on, such points reach {numbers.number(score.value)}"
        f"{ends_of(score.low, score.high)}: {gain_words(held_out.over('nearest'), OTHERS)}."
    )
    return [reached, elsewhere]


def cut_caption(cuts: "Cuts") -> list[str]:
    """Say how the points were found, and which classes are never answered."""
    found = (
        "No other cut points are better on these items."
        if cuts.exact
        else "The measure is not linear in the table: the points are the best that were found from several starts."
    )
    answered = set(cuts.answered)
    never = [clean(name) for code, name in enumerate(cuts.scale.names) if code not in answered]
    if not never:
        return [found]
    kind, are = ("Class", "is") if len(never) == 1 else ("Classes", "are")
    return [found, f"{kind} {numbers.in_words(never, 5)} {are} never answered."]


def gains_caption(cuts: "Cuts") -> list[str]:
    """Say what the rows and the columns are."""
    rounded = "Rounded score: the class whose value is nearest to the score."
    shares = "Shares of gold: points that answer with each class as often as it is gold."
    return [rounded, shares, *other_items_words(cuts.held_out, "points that were fitted")]
