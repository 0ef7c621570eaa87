"""Sentences below the tables: what was scored, under which policy, and how intervals and tests were made."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ordeval.aliases import Array
from ordeval.comparison.about import effective_items
from ordeval.errors import argument
from ordeval.formats.names import clean, rising
from ordeval.formats.numbers import amount, confidence, counted, floored_share, in_words, number
from ordeval.inputs.policy import Policy

if TYPE_CHECKING:
    from ordeval.comparison.comparison import Comparison
    from ordeval.comparison.pairs import PairValues
    from ordeval.comparison.results import Baseline, Score
    from ordeval.comparison.scores import Scores
    from ordeval.metrics import Metric
    from ordeval.runs import Runs
    from ordeval.table import Table

ONE_SYSTEM = "system"  # the name of a system that has no other
MOST_NAMES = 4  # a longer list of systems is cut
MOST_LABELS = 7  # a longer scale is described by its two ends
LEFT_OUT = {
    "not_in_gold": "not in gold",
    "duplicate": "repeated",
    "unreadable": "unreadable",
    "gold_missing": "without a gold label",
}
MISSING = {
    "error": "no answer may be missing",
    "zero": "a missing answer earns nothing",
    "farthest": "a missing answer counts as the farther end of the scale",
    "drop": "an item without an answer is left out",
}
METHODS = {
    "t": "t intervals from the jackknife",
    "percentile": "percentile bootstrap intervals",
    "bca": "bias-corrected and accelerated (BCa) bootstrap intervals",
}
TESTS = {
    "t": "t test",
    "randomisation": "studentised randomisation test",
    "wilcoxon": "Wilcoxon signed-rank test",
}
CORRECTIONS = {"maxt": "step-down max-t", "holm": "Holm", "bh": "Benjamini and Hochberg"}


def size_sentence(about: Mapping[str, Any]) -> str:
    """Say how many items, test cases and classes were scored; `about` is what `about_input` returns."""
    labels = [clean(label) for label in about["scale"].get("names", about["scale"]["labels"])]
    scale = rising(labels, MOST_LABELS)
    items, cases = about["input"]["items"], about["input"]["cases"]
    size = counted(items, "item") if isinstance(items, int) else f"a weight of {items:g}"
    if cases:
        averaged = ", whose scores are averaged" if cases > 1 else ""
        size += f" in {counted(cases, 'test case')}{averaged}"
    return f"{size}; {counted(len(labels), 'class', 'classes')}: {scale}."


def size_of(comparison: "Comparison") -> str:
    """Say how many systems were compared on how many items; the start of a sentence."""
    scores = comparison.scores
    if not comparison.paired:
        return f"{counted(len(comparison.order), 'sample')} that share no items"
    where = f" in {counted(len(scores.cases), 'test case')}" if scores.cases else ""
    items = counted(int(scores.items[0].sum().round()), "item")
    return f"{counted(len(comparison.order), 'system')}, {items}{where}"


def soft_sentences(data: "Runs | Table", measures: "Mapping[str, Metric]") -> list[str]:
    """Say what it means that gold or answers are distributions; nothing if they are labels."""
    whole = [name for name, measure in measures.items() if measure.per_item is not None]
    drawn = len(whole) < len(
        measures
    )  # some measure is one of labels, drawn from the distributions
    shares, answers = (getattr(data, name, None) is not None for name in ("shares", "answers"))
    said = []
    if shares:
        raters = getattr(data, "ratings", None) is not None
        who = "the share of raters that gave each class" if raters else "soft"
        score = ": a score is that against a gold label drawn from the shares" if drawn else ""
        said.append(f"Gold is {who}{score}.")
    if answers and drawn:
        said.append(
            "Probabilities are scored as they are: a score is that of an answer drawn from them, not of the most "
            "probable class. Measures of labels reward probabilities that are too sure; ranked_probability_score, "
            "log_loss and brier_score do not."
        )
    if whole and (shares or answers):
        verb = "compares" if len(whole) == 1 else "compare"
        said.append(f"{in_words(whole)} {verb} the distributions themselves.")
    return said + chance_sentences(data, measures) if answers else said


def chance_sentences(data: "Runs | Table", measures: "Mapping[str, Metric]") -> list[str]:
    """Say what perfectly calibrated probabilities would score by each calibration error, because samples vary."""
    from ordeval.comparison.calibrated import (
        errors_by_chance,
        gives_probabilities,
        is_calibration_error,
    )

    said = []
    for name, measure in measures.items():
        if is_calibration_error(measure):
            bins = dict(measure.settings)["bins"]
            errors = errors_by_chance(data, bins)[gives_probabilities(data)]  # type: ignore[arg-type]
            low, high = (number(float(end)) for end in (np.min(errors), np.max(errors)))
            amounts = low if low == high else f"{low} to {high}"
            said.append(
                f"Perfectly calibrated probabilities would score about {amounts} by {name} in samples of this size."
            )
    return said


def human_row_sentence(scores: "Scores") -> str:
    """Say what the row of a human holds; nothing if there is none."""
    if not scores.ceiling:
        return ""
    return (
        "A human: the mean over the raters, each scored against the shares of the others on the items that the rater "
        "marked; a system is scored on all items, against all raters."
    )


def policy_sentences(about: Mapping[str, Any]) -> list[str]:
    """Say how many answers the policies touched and which rows were left out; nothing if there were none."""
    missing, touched = about["policy"]["missing"], about["input"]["touched"]
    answers = []
    if touched["missing"]:
        answers.append(f"{are(touched['missing'], 'answer')} missing")
    if touched["unknown"]:
        counts = "counts" if touched["unknown"] == 1 else "count"
        answers.append(
            f"{are(touched['unknown'], 'answer')} not on the scale and {counts} as missing"
        )
    sentences = [f"{'; '.join(answers)}; {MISSING[missing]}."] if answers else []
    if touched.get("rounded"):
        sentences.append(f"{are(touched['rounded'], 'answer')} rounded to the nearest class.")
    skipped = skipped_sentence([one["file"] for one in about["input"].get("skipped", ())])
    return [*sentences, *filter(None, [skipped, left_out_sentence(about["input"]["ignored"])])]


def left_out_sentence(ignored: Mapping[str, float]) -> str:
    """Say how many rows were left out, and why; nothing if there were none."""
    rows = [f"{amount(times)} {LEFT_OUT.get(why, why)}" for why, times in ignored.items() if times]
    return f"Rows left out: {', '.join(rows)}." if rows else ""


def beyond_gold_sentence(table: "Table") -> str:
    """Say how many answers are outside the classes of gold, where these answers alone made the scale so long.

    Nothing is said where the classes were declared. The length of the scale matters to the scores of all systems.
    """
    gold, answers = (
        table.cells.reshape(-1, *table.cells.shape[-2:]).sum(axis=(0, axis)) for axis in (2, 1)
    )
    used = np.flatnonzero(gold[: table.scale.k])
    if not table.scale.inferred or not used.size:
        return ""
    beyond = float(answers[: used[0]].sum() + answers[used[-1] + 1 : table.scale.k].sum())
    low, high = (clean(table.scale.names[place]) for place in (used[0], used[-1]))
    return (
        f"{are(beyond, 'answer')} outside the classes of gold ({low} to {high}), which makes the scale longer for all "
        f"systems; {argument('labels', ...)} says which classes there are."
        if beyond
        else ""
    )


def skipped_sentence(files: Sequence[str]) -> str:
    """Say which files were left out because they could not be scored; nothing if there were none."""
    if not files:
        return ""
    return f"{counted(len(files), 'file')} could not be scored: {', '.join(map(clean, files))}."


def are(count: float, noun: str) -> str:
    """Write an amount with its noun and verb: '1 answer is', '2 answers are'."""
    return f"{counted(count, noun)} {'is' if count == 1 else 'are'}"


def missing_sentence(policy: Policy, cells: Array, unknown: float = 0) -> str:
    """Say how many answers are missing in cells[system, case, gold, answer], and what they are worth.

    `unknown` of them were given, but are not on the scale.
    """
    missing = cells[..., -1].sum(axis=(-1, -2))
    if not missing.any():
        return "No answer is missing."
    answered = 1 - missing / cells.sum(axis=(-1, -2, -3))
    least = f"every system answered at least {floored_share(answered.min())} of the items"
    off = f", {amount(unknown)} of these because they are not on the scale" if unknown else ""
    return (
        f"{are(float(missing.sum()), 'answer')} missing{off} ({least}); {MISSING[policy.missing]}."
    )


def interval_sentence(scores: "Scores") -> str:
    """Say how the intervals were made, and what makes them doubtful."""
    if scores.level is None:
        return "No intervals were asked for."
    if scores.low is None or np.isnan(scores.low).all():
        return "No intervals could be made."
    within_cases = scores.resample == "items" and scores.cases
    units = (
        "items within each test case"
        if within_cases
        else {"items": "items", "cases": "whole test cases"}[scores.resample]
    )
    how = f"over {units}"
    if scores.method != "t":
        how = f"{scores.n_resamples:,} resamples of {units}, seed {scores.seed}"
    parts = [f"{100 * scores.level:g}% {METHODS[scores.method]}, {how}"]
    by_closeness = any("reference" in measure.needs for measure in scores.measures.values())
    if scores.distribution == "fixed" and by_closeness:
        parts.append("closeness measures use the class distribution of the gold labels throughout")
    table = scores.table
    if table.weighting is not None and scores.resample == "items":
        equal = amount(round(effective_items(table)))
        parts.append(f"the weighted items tell as much as {equal} items of equal weight")
    undefined = most_undefined(scores.values, scores.undefined)
    if undefined:
        parts.append(f"up to {undefined:,} resamples, in which a score is undefined, are left out")
    return "; ".join(parts) + "."


def pairs_sentence(comparison: "Comparison", values: "PairValues") -> str:
    """Say which test was used, on what, with how many draws, and how it was corrected."""
    over = "by item" if comparison.scores.resample == "items" else "by test case"
    kind = "Two-sided" if comparison.paired else "Two-sided unpaired"
    pairs, correction = len(values.first), comparison.correction
    seed = "" if values.exact else f", seed {comparison.scores.seed}"
    flips = f"{'all ' if values.exact else ''}{values.flips:,} sign flips{seed}"
    joint = correction == "maxt" and pairs > 1  # its sign flips serve all pairs together
    test = f"{kind} {TESTS[comparison.test]} {over}"
    test += f" ({flips})" if values.flips and not joint else ""
    if pairs > 1 and correction == "none":
        test += f", not corrected for the number of pairs ({pairs:,})"
    elif pairs > 1:
        how = f"{CORRECTIONS[correction]}{f', {flips}' if joint else ''}"
        test += f", corrected for {counted(pairs, 'pair')} ({how})"
    margin = (
        f" Equivalent: not more than {comparison.margin:g} apart, by two one-sided t tests."
        if comparison.margin
        else ""
    )
    return f"{test}, significant at {comparison.alpha:g}.{margin}"


def baseline_sentence(baseline: "Baseline") -> str:
    """Say what the best constant answer scores."""
    value = baseline.scores[baseline.metric]
    if np.isnan(value):
        return f"A constant answer has no score by {baseline.metric}."
    return f"Always answering {clean(baseline.name)} would score {number(value, 4)} by {baseline.metric}."


def meaning_sentence(measure: "Metric", baseline: "Baseline") -> str:
    """Say what a score by a measure means: which score is perfect, and what the best constant answer would score.

    >>> from ordeval import mae
    >>> from ordeval.comparison.results import Baseline
    >>> meaning_sentence(
    ...     mae, Baseline(3, "fair", "cem_ord", {"cem_ord": 0.531, "mae": 1.25}, ())
    ... )
    'mae: 0 is perfect (lower is better); always answering fair would score 1.250.'
    """
    return f"{measure}: {perfect_words(measure)}; {constant_words(baseline, str(measure))}."


def perfect_words(measure: "Metric") -> str:
    """Say which score is perfect, and that lower is better if it is; part of a sentence."""
    direction = "higher is better" if measure.greater_is_better else "lower is better"
    if measure.perfect is None:
        return direction
    return f"{measure.perfect:g} is perfect" + (
        "" if measure.greater_is_better else f" ({direction})"
    )


def constant_words(baseline: "Baseline", metric: str) -> str:
    """Say what the best constant answer would score by a measure; part of a sentence."""
    value = baseline.scores[metric]
    if np.isnan(value):
        return "a constant answer has no score"
    return f"always answering {clean(baseline.name)} would score {number(value)}"


def interval_words(score: "Score") -> str:
    """Write the interval of a score in brackets, with its level and what makes it doubtful; empty without one."""
    if score.level is None or score.low is None or score.high is None:
        return ""
    doubt = "" if score.warning is None else f"; {score.metric} {score.warning}"
    return (
        f" ({confidence(score.level)} interval {number(score.low)} to {number(score.high)}{doubt})"
    )


def one_system_sentence(
    system: str, score: "Score", measure: "Metric", baseline: "Baseline"
) -> str:
    """Say what the only system scores by the first measure, and what that means."""
    who = "The system" if system == ONE_SYSTEM else clean(system)
    if np.isnan(score.value):
        return f"{who} has no score by {score.metric}: {score.reason}."
    said = f"{who} scores {number(score.value)} by {score.metric}{interval_words(score)}"
    return f"{said}; {perfect_words(measure)}, and {constant_words(baseline, score.metric)}."


def best_sentence(names: Sequence[str], score: "Score") -> str:
    """Say which of several systems score best by a measure, and what tells more."""
    who = in_words([clean(name) for name in names], MOST_NAMES)
    verb = "scores" if len(names) == 1 else "score"
    advice = "compare the systems to see which differences are significant"
    return f"{who} {verb} best by {score.metric} ({number(score.value)}); {advice}."


def not_beaten_sentence(baseline: "Baseline", systems: int) -> str:
    """Say how many systems do not significantly beat the constant answer; empty if all do."""
    failed = len(baseline.not_beaten_by)
    if not failed:
        return ""
    constant = f"always answering {clean(baseline.name)}"
    if failed == systems > 1:
        none = "Neither of the 2" if systems == 2 else f"None of the {systems}"
        return f"{none} systems significantly beats {constant}."
    who = "The system" if systems == 1 else counted(failed, "system")
    return f"{who} {'does' if failed == 1 else 'do'} not significantly beat {constant}."


def most_undefined(values: Array, undefined: Array) -> int:
    """Return the largest number of undefined resamples behind a value that is defined."""
    return int(np.where(np.isnan(values), 0, undefined).max(initial=0))
