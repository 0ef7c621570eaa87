"""The sentences of the report: who is best, by how much and whether it is more than chance, and what a step costs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ordeval.aliases import Array
from ordeval.comparison.comparison import Comparison
from ordeval.formats.names import quoted_label
from ordeval.formats.numbers import (
    amount,
    confidence,
    counted,
    floored_share,
    in_words,
    number,
    p_in_sentence,
)
from ordeval.report.measure_agreement import winner
from ordeval.scale import Scale


@dataclass(frozen=True, slots=True)
class Summary:
    """A headline, and the sentences below it; each is a series of parts: text, name, text, name, ..."""

    headline: tuple[str, ...]
    sentences: tuple[tuple[str, ...], ...]


def summary_of(comparison: Comparison) -> Summary:
    """Say who is best, by how much, and whether that is more than chance."""
    board, metric, level = comparison.leaderboard, comparison.primary, comparison.scores.level
    first = board[0]
    score = first.scores[metric]
    if np.isnan(score.value):
        reason = score.reason or "it is undefined here"
        advice = "Choose another primary measure, or look at the others below."
        return Summary(
            (f"No system has a defined {metric}.",), ((f"The reason: {reason}. {advice}",),)
        )
    interval = ""
    if level is not None and score.low is not None and score.high is not None:
        interval = f" ({confidence(level)} interval {number(score.low)} to {number(score.high)})"
    its_score = f"Its {metric} is {number(score.value)}{interval}."
    if len(board) == 1:
        return Summary(
            ("", first.system, f" scores {number(score.value)} by {metric}."),
            ((f"{its_score} There is no other system to compare it with.",),),
        )
    scored = {one.system for one in board if not np.isnan(one.scores[metric].value)}
    tiers = [tier for tier in comparison.tiers if tier[0] in scored]
    sentences: list[tuple[str, ...]] = [(its_score,)]
    sentences += margin_sentence(comparison)
    if len(scored) < len(board):
        lacking = len(board) - len(scored)
        them = "it" if lacking == 1 else "them"
        sentences.append(
            (f"{counted(lacking, 'system')} cannot be ranked: {metric} is undefined for {them}.",)
        )
    if len(scored) > 1:
        sentences.append((tier_sentence(tiers),))
        often = floored_share(first.rank_shares[0])
        sentences.append(
            (f"When the data are resampled it comes first in {often} of the resamples.",)
        )
    sentences += other_measures_sentence(comparison)
    return Summary(headline_of(comparison, tiers, len(scored)), tuple(sentences))


def headline_of(
    comparison: Comparison, tiers: Sequence[Sequence[str]], scored: int
) -> tuple[str, ...]:
    """Say who comes first, and whether alone."""
    if len(tiers[0]) > 1:
        place, ending = "comes first", "but not alone."
    else:
        place = "is the best"
        ending = "and the lead is real." if scored > 1 else "the only one with a score."
    return ("", comparison.systems[0], f" {place} of {len(comparison.order)} systems, {ending}")


def tier_sentence(tiers: Sequence[Sequence[str]]) -> str:
    """Say who shares the first tier, and what that means."""
    others = len(tiers[0]) - 1
    if not others:
        count = counted(len(tiers), "tier")
        return f"It beats every other system significantly, so it stands alone in the first of {count}."
    where = f"the first of {len(tiers)} tiers" if len(tiers) > 1 else "the only tier"
    return (
        f"{counted(others, 'other system')} {'shares' if others == 1 else 'share'} {where}: the test cannot tell "
        f"{'it' if others == 1 else 'them'} from the best. That does not prove that they are equal; more items or test "
        "cases may settle it."
    )


def margin_sentence(comparison: Comparison) -> list[tuple[str, ...]]:
    """Say how far the first system is ahead of the second, and whether chance could explain it; [] if undefined."""
    first_two = set(comparison.systems[:2])
    pair = next(
        p for p in comparison.pairs if p.metric == comparison.primary and {p.a, p.b} == first_two
    )
    if np.isnan(pair.difference):
        return []
    ends = (
        ""
        if pair.low is None or pair.high is None
        else f" ({number(pair.low, 4)} to {number(pair.high, 4)})"
    )
    lead = f" by {number(abs(pair.difference), 4)}{ends}{chance_words(comparison, pair.p, pair.p_adjusted)}"
    return [("It is ahead of ", comparison.systems[1], lead)]


def chance_words(comparison: Comparison, p: float | None, p_adjusted: float | None) -> str:
    """Say whether a difference is more than chance: the end of a sentence."""
    if p is None or p_adjusted is None:
        return "; the difference could not be tested."
    corrected = f"({p_in_sentence(p_adjusted)} after correction)"
    if p_adjusted <= comparison.alpha:
        return f": more than chance would give {corrected}."
    if p <= comparison.alpha:
        n = len(comparison.order)
        return (
            f". Taken alone that would be significant ({p_in_sentence(p)}), but among "
            f"{counted(n * (n - 1) // 2, 'pair')} chance could give it {corrected}."
        )
    return f": chance alone could give that {corrected}."


def other_measures_sentence(comparison: Comparison) -> list[tuple[str, ...]]:
    """Say which system the other measures put first; [] where there are none."""
    winners: dict[str, list[str]] = {}
    for name, values in zip(comparison.scores.metrics, comparison.scores.values, strict=True):
        up = comparison.scores.measures[name].greater_is_better
        system = winner(values, comparison, greater_is_better=up)
        if system and name != comparison.primary:
            winners.setdefault(system, []).append(name)
    if not winners:
        return []
    agreeing = winners.pop(comparison.systems[0], [])
    if not winners:
        return [
            (f"Every other measure of the leaderboard puts it first, too: {in_words(agreeing)}.",)
        ]
    parts = [
        f"Not every measure agrees: {in_words(agreeing)} {'puts' if len(agreeing) == 1 else 'put'} it first as well; "
        if agreeing
        else "Other measures disagree: "
    ]
    for system, names in winners.items():
        parts += [system, f" is first by {in_words(names)}; "]
    parts[-1] = parts[-1].removesuffix("; ") + "."
    return [tuple(parts)]


def scale_sentences(scale: Scale, gold: Array, bits: Array) -> list[str]:
    """Say which neighbouring classes are farthest apart and which closest; bits[gold, answer] is their proximity."""
    used = np.flatnonzero(gold > 0)
    if len(used) < 2:
        return ["Gold uses one class only, so every error costs the same."]
    steps = [
        (bits[g, g] - bits[g, a], g, a) for g in used for a in (g - 1, g + 1) if 0 <= a < scale.k
    ]
    (most, g, a), (least, h, b) = max(steps), min(steps)
    label = [quoted_label(name) for name in scale.labels]
    first = (
        f"Answering {label[a]} where gold says {label[g]} loses {number(most, 2)} bits: "
        f"{amount(gold[a] / 2 + gold[g])} of {amount(gold.sum())} items are at least as close "
        "(of the answer's own class, half are counted)."
    )
    if number(most, 2) == number(least, 2):
        return [first, "Here every step between neighbouring classes costs the same."]
    second = (
        f"Answering {label[b]} for {label[h]}, also one step away, loses {number(least, 2)}: the cost of a step "
        "depends on how many items it passes."
    )
    return [first, second]
