"""The sentences of the report: who may be the best, by how much, whether it is more than chance; what a step costs."""

from dataclasses import dataclass

import numpy as np

from ordeval import ties
from ordeval.aliases import Array
from ordeval.comparison.captions import MOST_NAMES, interval_words, meaning_sentence
from ordeval.comparison.comparison import Comparison
from ordeval.comparison.results import PairDifference
from ordeval.comparison.verdict import best_in_words, coverage_sentence, listed
from ordeval.formats.names import quoted_label
from ordeval.formats.numbers import amount, confidence, counted, in_words, number, p_in_sentence
from ordeval.report.measure_agreement import winners
from ordeval.scale import Scale

FAMILYWISE = ("maxt", "holm")  # corrections under which all statements hold together


@dataclass(frozen=True, slots=True)
class Summary:
    """A headline, and the sentences below it; each is a series of parts: text, name, text, name, ..."""

    headline: tuple[str, ...]
    sentences: tuple[tuple[str, ...], ...]


def summary_of(comparison: Comparison) -> Summary:
    """Say who may be the best, by how much, whether that is more than chance, and what a constant would score."""
    first, metric = comparison.leaderboard[0], comparison.primary
    score, ranked = first.scores[metric], int(comparison.ranked.sum())
    headline = best_in_words(comparison)
    if not ranked:
        reason = score.reason or "no system answered anything"
        advice = "Choose another primary measure, or look at the others below."
        return Summary(headline, ((f"The reason: {reason}. {advice}",),))
    sentences: list[tuple[str, ...]] = []
    if coverage_sentence(comparison):
        sentences.append((coverage_sentence(comparison),))
    if len(comparison.best) > 1:
        sentences.append((best_set_sentence(comparison),))
    if ranked > 1:
        sentences.append(leader_sentence(comparison))
    elif len(comparison.order) == 1:
        scored = f" scores {number(score.value)} by {metric}{interval_words(score)}."
        headline = ("", first.system, scored)
    human = comparison.scores.human_sentence(metric, comparison.order[0])
    sentences += [(human,)] if human else []
    sentences.append(constant_sentence(comparison))
    sentences += by_other_measures_below_constant(comparison)
    sentences += other_measures_sentence(comparison)
    sentences += not_ranked_sentence(comparison)
    return Summary(headline, tuple(sentences))


def leader_sentence(comparison: Comparison) -> tuple[str, ...]:
    """Say what the first system scores, which ranks it may have, and how far it leads the second."""
    first, second = comparison.leaderboard[0], comparison.systems[1]
    score, words = first.scores[comparison.primary], ""
    if first.rank_low != first.rank_high:
        words = f"; its rank may be anything from {first.rank_low} to {first.rank_high}"
    start = f" has the best score: {number(score.value)}{interval_words(score)}{words}. "
    pair = comparison.pairs[0]  # of the first two systems by the primary measure
    if ties.same(pair.difference, 0.0):
        return ("", first.system, f"{start}", second, " has the same score.")
    ends = ""
    if pair.low is not None and pair.high is not None:
        low, high = (pair.low, pair.high) if pair.difference > 0 else (-pair.high, -pair.low)
        ends = f" ({number(low, 4)} to {number(high, 4)})"
    lead = f" by {number(abs(pair.difference), 4)}{ends}{chance_words(comparison, pair)}"
    return ("", first.system, f"{start}It leads ", second, lead)


def chance_words(comparison: Comparison, pair: PairDifference) -> str:
    """Say whether a difference is significant, and whether it matters: the end of a sentence."""
    if pair.p is None or pair.p_adjusted is None:
        return "; the difference could not be tested."
    after = " after correction" if comparison.corrected else ""
    corrected = f"({p_in_sentence(pair.p_adjusted)}{after})"
    if pair.outcome in {"better", "worse"}:
        return f", a significant difference {corrected}."
    if pair.outcome == "equivalent":
        return f". That is within the margin of {comparison.margin:g}: the two are equivalent."
    if pair.p <= comparison.alpha:
        return (
            f". Alone, this difference would be significant ({p_in_sentence(pair.p)}); among "
            f"{counted(comparison.number_of_pairs, 'pair')} it is not {corrected}."
        )
    return f", which is not significant {corrected}."


def best_set_sentence(comparison: Comparison) -> str:
    """Say what it means that several systems may be the best."""
    size, meaning = len(comparison.best), ""
    if size < len(comparison.order):
        meaning = f"No system is significantly better than any of these {size}. "
        if comparison.correction in FAMILYWISE:
            level = confidence(round(1 - comparison.alpha, 12))
            meaning = f"With {level} confidence the best system is one of these {size}. "
    more = comparison.impossible or "More items or test cases may settle it."
    return f"{meaning}That does not prove that they are equal. {more}"


def not_ranked_sentence(comparison: Comparison) -> list[tuple[str, ...]]:
    """Say how many systems have no rank, and why; [] if all have one."""
    standings = [one for one in comparison.leaderboard if one.rank_low is None]
    silent = sum(one.answered == 0 for one in standings)
    undefined = len(standings) - silent
    sentences = []
    if undefined:
        them = "it" if undefined == 1 else "them"
        sentences.append(
            f"{counted(undefined, 'system')} cannot be ranked: {comparison.primary} is undefined for {them}."
        )
    if silent:
        sentences.append(f"{counted(silent, 'system')} cannot be ranked: no item was answered.")
    return [(sentence,) for sentence in sentences]


def constant_sentence(comparison: Comparison) -> tuple[str, ...]:
    """Say what the measure means and what the best constant answer would score, and which systems do not beat it."""
    baseline, total = comparison.baseline, len(comparison.order)
    measure = comparison.scores.measures[comparison.primary]
    said, failed = meaning_sentence(measure, baseline), baseline.not_beaten_by
    if np.isnan(baseline.scores[baseline.metric]):
        return (said,)
    if not failed:
        all_do = "Every system is" if total > 1 else "The system is"
        return (f"{said} {all_do} significantly better than that.",)
    if len(failed) > MOST_NAMES:
        return (f"{said} {len(failed)} of {total} systems do not significantly beat that.",)
    verb = "does" if len(failed) == 1 else "do"
    best_first = [name for name in comparison.systems if name in failed]
    return (f"{said} ", *listed(best_first), f" {verb} not significantly beat that.")


def by_other_measures_below_constant(comparison: Comparison) -> list[tuple[str, ...]]:
    """Say by which other measures the constant answer scores higher than systems do; [] where it beats none."""
    baseline, scores = comparison.baseline, comparison.scores
    beaten = {}
    for name, values in zip(scores.metrics, scores.values, strict=True):
        up, constant = scores.measures[name].greater_is_better, baseline.scores[name]
        below = values < constant if up else values > constant
        behind = int((below & ~ties.same(values, constant)).sum())
        if name != comparison.primary and behind:
            beaten[name] = behind
    if not beaten:
        return []
    total = len(comparison.order)
    words = [f"{amount(behind)} of {total} systems by {name}" for name, behind in beaten.items()]
    if total == 1:
        return [
            (f"By {in_words(list(beaten))}, this constant answer scores better than the system.",)
        ]
    return [(f"This constant answer scores better than {in_words(words)}.",)]


def other_measures_sentence(comparison: Comparison) -> list[tuple[str, ...]]:
    """Say which systems the other measures put first; [] where there are none."""
    first_by: dict[str, list[str]] = {}
    shared = []
    for name, values in zip(comparison.scores.metrics, comparison.scores.values, strict=True):
        up = comparison.scores.measures[name].greater_is_better
        best = winners(values, comparison, greater_is_better=up)
        if name == comparison.primary or not best:
            continue
        if len(best) > 1:
            shared.append(name)
        else:
            first_by.setdefault(best[0], []).append(name)
    agreeing = first_by.pop(comparison.systems[0], [])
    same = f"{in_words(agreeing)} {'puts' if len(agreeing) == 1 else 'put'}" if agreeing else ""
    parts = [""]
    if first_by:
        parts = ["Other measures disagree: "]
        if agreeing:
            parts = [f"Not every measure agrees: {same} the same system first; "]
        for system, names in first_by.items():
            parts += [system, f" is first by {in_words(names)}; "]
        parts[-1] = parts[-1].removesuffix("; ") + "."
    elif agreeing and shared:
        parts = [f"{same} the same system first."]
    elif agreeing:
        parts = [f"Every other measure puts the same system first: {in_words(agreeing)}."]
    if shared:
        parts[-1] += f" By {in_words(shared)}, several systems share the best score."
    return [(parts[0].lstrip(), *parts[1:])] if parts != [""] else []


def scale_sentences(scale: Scale, gold: Array, bits: Array) -> list[str]:
    """Say which neighbouring classes are farthest apart and which closest; bits[gold, answer] is their proximity."""
    used = np.flatnonzero(gold > 0)
    if len(used) < 2:
        return ["Gold uses one class only, so every error costs the same."]
    steps = [
        (bits[g, g] - bits[g, a], g, a) for g in used for a in (g - 1, g + 1) if 0 <= a < scale.k
    ]
    (most, g, a), (least, h, b) = max(steps), min(steps)
    label = [quoted_label(name) for name in scale.names]
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
