"""What a rule reaches and gains, in sentences."""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from ordeval.errors import flag
from ordeval.formats import numbers

if TYPE_CHECKING:
    from ordeval.decide.decision import Decision
    from ordeval.decide.held_out import Gain, HeldOut

JUST_AS_GOOD = 0.0005  # a smaller gain is shown as 0.000
PLAIN = {"mode": "most probable class", "median": "median", "mean": "rounded mean"}


def lead_of(decision: "Decision") -> list[str]:
    """Say what the rule is expected to reach, and what it gains on items that it was not fitted on."""
    measure = decision.measure
    expected = (
        f"By {measure}, the rule is expected to reach {numbers.number(decision.expected)} on the "
        f"{numbers.counted(decision.n, 'item')} that it was fitted on"
    )
    up = 1 if measure.greater_is_better else -1
    defined = {name: value for name, value in decision.expected_of.items() if not math.isnan(value)}
    if defined:
        best = max(defined, key=lambda name: up * defined[name])
        plain = (
            f"; the best plain answers, by the {PLAIN[best]}, reach {numbers.number(defined[best])}"
        )
    expected += f"{plain if defined else ''}."
    held_out = decision.held_out
    if held_out is None:
        needed = "two items or more" if decision.n < 2 else "gold labels, too"
        return [
            expected,
            f"To learn what it gains on items that it was not fitted on, pass {needed}.",
        ]
    score = held_out.score
    reached = (
        f"On items that it was not fitted on, it reaches {numbers.number(score.value)}"
        f"{ends_of(score.low, score.high)}: {gain_words(held_out.over('mode'))}."
    )
    return [expected, reached, *warning_of(held_out, calibrated=decision.calibration is not None)]


def warning_of(held_out: "HeldOut", *, calibrated: bool) -> list[str]:
    """Warn of a rule that plain answers beat, because the probabilities do not say what the gold labels are."""
    better = [gain for gain in held_out.gains if gain.outcome == "worse"]
    if not better:
        return []
    best = min(better, key=lambda gain: gain.gain)
    answer = f"answer with the {PLAIN[best.over]}"
    remedy = answer.capitalize() if calibrated else f"Pass {flag('calibrate')}, or {answer}"
    reason = "The probabilities do not fit the gold labels, and the rule relies on them"
    return [f"{reason}: the {PLAIN[best.over]} is significantly better. {remedy}."]


def gain_words(gain: "Gain", names: Mapping[str, str] = MappingProxyType(PLAIN)) -> str:
    """Say how much better a rule is than other answers."""
    if math.isnan(gain.gain):
        return (
            f"the gain over the {names[gain.over]} is undefined, as the score of one of the two is"
        )
    size = f"{numbers.number(abs(gain.gain))}{ends_of(gain.low, gain.high)}"
    than = f"than the {names[gain.over]}"
    if gain.outcome == "better":
        return f"significantly better {than}, by {size}"
    if gain.outcome == "worse":
        return f"significantly worse {than}; the gain is {numbers.number(gain.gain)}{ends_of(gain.low, gain.high)}"
    if not gain.gain:
        return f"no better and no worse {than}"
    if abs(gain.gain) < JUST_AS_GOOD:
        return f"about as good as the {names[gain.over]}{gain_ends(gain)}"
    word = "better" if gain.gain > 0 else "worse"
    return f"{numbers.number(abs(gain.gain))} {word} {than}, which may be chance{gain_ends(gain)}"


def gain_ends(gain: "Gain") -> str:
    """Write the interval of a gain, if it has one."""
    ends = numbers.interval(gain.low, gain.high)
    return f" (gain {ends})" if ends else ""


def ends_of(low: float | None, high: float | None) -> str:
    """Write an interval behind a number, if there is one."""
    ends = numbers.interval(low, high)
    return f" {ends}" if ends else ""


def rule_caption(decision: "Decision") -> list[str]:
    """Say how the rule was found, and what it does with ties and with items that it leaves out."""
    found = (
        "For given gold labels the measure is linear in the table, so no other answers are expected to score better."
        if decision.exact
        else "The measure is not linear in the table: the rule is the best that was found from several starts."
    )
    sentences = [found]
    if decision.ties:
        has = "has" if decision.ties == 1 else "have"
        sentences.append(
            f"{numbers.counted(decision.ties, 'item')} {has} several answers that are worth the same, and "
            f"{'gets' if decision.ties == 1 else 'get'} the lowest."
        )
    if decision.limit is not None:
        sentences.append(
            f"The rule leaves an item unanswered if its answer is expected to be worth at least "
            f"{numbers.number(decision.limit)} less than the right one: {numbers.percent(decision.unanswered, 1)} of "
            f"these items. The figures above are for answers to all items."
        )
    elif decision.abstain:
        sentences.append(
            f"Every item gets an answer: the items that are expected to lose most all lose the same, and are more than "
            f"{numbers.percent(decision.abstain, 1)} of these items."
        )
    else:
        sentences.append("Every item gets an answer.")
    return [*sentences, *other_items_words(decision.held_out, "a rule that was fitted")]


def other_items_words(held_out: "HeldOut | None", fitted: str) -> list[str]:
    """Say what the columns on other items are; nothing if there are none."""
    if held_out is None:
        return []
    level = held_out.score.level
    sure = "" if level is None else f"; {numbers.confidence(level)} intervals"
    parts = f"{held_out.folds} folds, each answered by {fitted} on the others{sure}"
    return [f"On other items: {parts}. The gain is positive where the rule is better."]
