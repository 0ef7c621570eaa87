"""The sentences of the report: who is best, by how much, and whether it is real."""

from dataclasses import dataclass

import numpy as np

from ordeval.aliases import Array
from ordeval.comparison.compare import Comparison
from ordeval.comparison.results import PairDifference
from ordeval.formats.old_names import counted, plural, quoted_label
from ordeval.formats.old_text import floored
from ordeval.report.figures import value
from ordeval.report.measures import first_by
from ordeval.scale import Scale


@dataclass(frozen=True, slots=True)
class Answer:
    """The head line, and the sentences below it; each sentence is parts of text, every second one a name."""

    best: str | None
    headline: tuple[str, ...]
    sentences: tuple[tuple[str, ...], ...]


def answer_of(comparison: Comparison) -> Answer:
    """Say who is best, by how much, and whether that is more than chance."""
    board, metric = comparison.leaderboard, comparison.primary
    first = board[0]
    score = first.scores[metric]
    if np.isnan(score.value):
        reason = score.reason or "it is undefined here"
        return Answer(
            None,
            (f"No system has a defined {metric}.",),
            (
                (
                    f"The reason: {reason}. Choose another primary measure, or look at the others below.",
                ),
            ),
        )
    level = comparison.scores.level
    interval = ""
    if level is not None and score.low is not None and score.high is not None:
        interval = f" ({100 * level:g}% interval {value(score.low)} to {value(score.high)})"
    if len(board) == 1:
        return Answer(
            first.system,
            ("", first.system, f" scores {value(score.value)} by {metric}."),
            (
                (
                    f"Its {metric} is {value(score.value)}{interval}. There is no other system to compare it with.",
                ),
            ),
        )
    lost = sum(bool(np.isnan(one.scores[metric].value)) for one in board)
    scored = len(board) - lost
    tiers = [tier for tier in comparison.tiers if not np.isnan(value_of(comparison, tier[0]))]
    alone = len(tiers[0]) == 1
    ending = (
        "but not alone."
        if not alone
        else "and the lead is real."
        if scored > 1
        else "the only one with a score."
    )
    headline = (
        "",
        first.system,
        f" {'is the best' if alone else 'comes first'} of {len(board)} systems, {ending}",
    )
    sentences: list[tuple[str, ...]] = [(f"Its {metric} is {value(score.value)}{interval}.",)]
    pair = next(
        (
            p
            for p in comparison.pairs
            if p.metric == metric and {p.a, p.b} == {*comparison.systems[:2]}
        ),
        None,
    )
    if pair is not None and np.isfinite(pair.difference):
        sentences.append(lead_words(pair, comparison))
    if lost:
        sentences.append(
            (f"{plural(lost, 'system')} cannot be ranked: {metric} is undefined there.",)
        )
    if scored > 1:
        sentences.append((tier_words(tiers),))
    if scored > 1:
        often = floored(first.rank_shares[0])
        sentences.append(
            (f"When the data are resampled it comes first in {often} of the resamples.",)
        )
    sentences += others_words(comparison)
    return Answer(first.system, headline, tuple(sentences))


def value_of(comparison: Comparison, system: str) -> float:
    """Return a system's score by the primary measure."""
    scores = comparison.scores
    return float(scores.values[comparison.row, scores.systems.index(system)])


def tier_words(tiers: list[tuple[str, ...]]) -> str:
    """Say who shares the first tier, and what that means."""
    others = len(tiers[0]) - 1
    if not others:
        count = plural(len(tiers), "tier")
        return f"It beats every other system significantly, so it stands alone in the first of {count}."
    where = f"the first of {len(tiers)} tiers" if len(tiers) > 1 else "the only tier"
    return (
        f"{plural(others, 'other system')} {'shares' if others == 1 else 'share'} {where}: no test tells "
        f"{'it' if others == 1 else 'them'} from the best. That is not proof of being equal; more items or test "
        "cases may settle it."
    )


def lead_words(pair: PairDifference, comparison: Comparison) -> tuple[str, ...]:
    """Say how far the first is ahead of the second, and whether chance could explain it."""
    ends = (
        ""
        if pair.low is None or pair.high is None
        else f" ({value(pair.low, 4)} to {value(pair.high, 4)})"
    )
    if pair.p_adjusted is None:
        verdict = "; the difference could not be tested."
    elif pair.p_adjusted <= comparison.alpha:
        verdict = f": more than chance would give ({p_words(pair.p_adjusted)} after correction)."
    elif pair.p is not None and pair.p <= comparison.alpha:
        pairs = plural(len(comparison.order) * (len(comparison.order) - 1) // 2, "pair")
        verdict = (
            f". Taken alone that would be significant ({p_words(pair.p)}), but among {pairs} chance could give it "
            f"({p_words(pair.p_adjusted)} after correction)."
        )
    else:
        verdict = f": chance alone could give that ({p_words(pair.p_adjusted)} after correction)."
    return ("It is ahead of ", pair.b, f" by {value(abs(pair.difference), 4)}{ends}{verdict}")


def others_words(comparison: Comparison) -> list[tuple[str, ...]]:
    """Say which system the other measures put first."""
    first = comparison.systems[0]
    best: dict[str, list[str]] = {}
    for m, name in enumerate(comparison.scores.metrics):
        values = comparison.scores.values[m]
        if name == comparison.primary or np.isnan(values).all():
            continue
        up = comparison.scores.measures[name].greater_is_better
        best.setdefault(first_by(values if up else -values, comparison), []).append(name)
    if not best:
        return []
    same = best.pop(first, [])
    if not best:
        return [(f"Every other measure of the leaderboard puts it first, too: {listed(same)}.",)]
    parts = [
        f"Not every measure agrees: {listed(same)} {'puts' if len(same) == 1 else 'put'} it first as well; "
        if same
        else "Other measures see it otherwise: "
    ]
    for at, (system, names) in enumerate(best.items()):
        parts += [system, f" is first by {listed(names)}{';' if at < len(best) - 1 else '.'} "]
    parts[-1] = parts[-1].rstrip()
    # every second part is a name: the first is text, and so on
    return [tuple(parts)]


def listed(names: list[str]) -> str:
    """Join names as a sentence does."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def p_words(p: float) -> str:
    """Write a p-value."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"


def scale_words(scale: Scale, gold: Array, bits: Array) -> list[str]:
    """Say which neighbouring classes are farthest apart and which are closest, as the data have it."""
    used = np.flatnonzero(gold > 0)
    if len(used) < 2:
        return ["Gold uses one class only, so no error can be told from another."]
    total = counted(gold.sum())
    right = np.diagonal(bits)
    steps = [
        (right[g] - bits[g, a], g, a)
        for g in used
        for a in (g - 1, g + 1)
        if 0 <= a < scale.k
    ]  # fmt: skip
    _, g, a = max(steps)
    _, h, b = min(steps)
    far, near = quoted_label(scale.labels[g]), quoted_label(scale.labels[h])
    most, least = (f"{right[x] - bits[x, y]:.2f}" for x, y in ((g, a), (h, b)))
    first = (
        f"Answering {quoted_label(scale.labels[a])} where gold says {far} loses {most} bits: "
        f"{counted(gold[a] / 2 + gold[g])} of {total} items are at least as close "
        "(of the answer's own class, half are counted)."
    )
    if most == least:
        return [first, "Here every step between neighbouring classes costs the same."]
    second = (
        f"Answering {quoted_label(scale.labels[b])} for {near}, also one step away, loses {least}: a step counts by "
        "how many items it passes, not as one."
    )
    return [first, second]
