"""What is said of agreement in sentences: how well people agree, what a human reaches, who stands apart."""

from typing import TYPE_CHECKING

import numpy as np

from ordeval.agreement.disagreement import most_confused
from ordeval.agreement.raters import AGAINST, AT_RANDOM, TOO_HIGH, TOO_LOW
from ordeval.aliases import Array
from ordeval.comparison.captions import METHODS, MOST_LABELS, interval_words
from ordeval.errors import argument
from ordeval.formats.names import clean, rising, short
from ordeval.formats.numbers import confidence, counted, in_words, number, percent
from ordeval.metrics import registry

if TYPE_CHECKING:
    from ordeval.agreement.agreement import Agreement
    from ordeval.comparison.results import Score
    from ordeval.ratings import Ratings

TENTATIVE, RELIABLE = 0.667, 0.8  # Krippendorff (2019), Content Analysis, chapter 12
ALPHA = "krippendorff_alpha"
ONE_CLASS_RULES = 0.8  # a class with so many of the marks makes coefficients hard to read
MOST_NAMES = 5
FEW_ITEMS = 10  # on so few items nearly nobody can be told apart from the others


def lead_of(agreement: "Agreement") -> list[str]:
    """Return what stands above the tables: how well people agree, what a human reaches, and what matters besides."""
    said = [coefficient_sentence(next(iter(agreement.values())), agreement)]
    said += [frequent_class_sentence(agreement), ceiling_sentence(agreement)]
    said += [raters_sentence(agreement), without_sentence(agreement), confusion_sentence(agreement)]
    return [one for one in said if one]


def coefficient_sentence(score: "Score", agreement: "Agreement") -> str:
    """Say how large a coefficient is; of alpha, where it lies by the thresholds of its author."""
    known = score.metric.startswith(ALPHA)
    name = "Krippendorff's alpha" if known else score.metric
    if np.isnan(score.value):
        one_class = np.count_nonzero(class_shares(agreement)) == 1
        why = "all marks are of one class" if one_class else f"it is {score.reason}"
        alone = agreement.ratings.scale.k == 1
        more = (
            f" If the scale has other classes, too, pass {argument('labels', ...)}."
            if alone
            else ""
        )
        return f"{name} is undefined: {why}.{more}"
    said = f"{name} is {number(score.value)}{interval_words(score)}"
    if score.level is not None and score.low is None:
        return f"{said}, without an interval: {score.reason}."
    if known:
        return f"{said}: {threshold_words(score)}."
    perfect = registry[score.metric].perfect
    return said + ("." if perfect is None else f"; perfect agreement is {perfect:g}.")


def threshold_words(score: "Score") -> str:
    """Say on which side of Krippendorff's two thresholds alpha lies, as far as its interval can tell."""
    low = score.value if score.low is None else score.low
    high = score.value if score.high is None else score.high
    least = "0.667, the least that Krippendorff accepts for tentative conclusions"
    enough = "0.8, which Krippendorff asks for before marks are relied on"
    if low >= RELIABLE:
        return f"at least {enough}"
    if high < TENTATIVE:
        return f"below {least}"
    if low >= TENTATIVE:
        if high < RELIABLE:
            return f"above {least}, and below the 0.8 that he asks for before marks are relied on"
        return f"above {least}; it may or may not reach the 0.8 that he asks for before marks are relied on"
    return f"it may or may not reach {least}"


def frequent_class_sentence(agreement: "Agreement") -> str:
    """Warn of a class that has nearly all marks, because coefficients are then low although people mostly agree."""
    ratings, shares = agreement.ratings, class_shares(agreement)
    most = int(np.argmax(shares))
    if shares[most] < ONE_CLASS_RULES or shares[most] == 1:
        return ""
    return (
        f"{percent(float(shares[most]))} of the marks are {short(ratings.scale.names[most])}: with so little variety "
        "alpha and the kappas can be low although raters mostly agree; gwet_ac2 and accuracy show that."
    )


def class_shares(agreement: "Agreement") -> Array:
    """Return the share of each class in all marks."""
    ratings = agreement.ratings
    return np.asarray(ratings.count @ ratings.votes / max(ratings.marks, 1))


def ceiling_sentence(agreement: "Agreement") -> str:
    """Say what a human reaches against the others by the first measure of the ceiling."""
    for score in agreement.ceiling.values():
        if np.isnan(score.value):
            return f"What a human reaches by {score.metric} is undefined: {score.reason}."
        return (
            f"A human reaches {number(score.value)} by {score.metric} against the others{interval_words(score)}: a "
            f"system that scores as much agrees with the raters as well as they agree with each other."
        )
    return ""


def raters_sentence(agreement: "Agreement") -> str:
    """Say who marks against the others, at random, too high or too low."""
    raters = agreement.raters
    places = raters.standing_apart.tolist()
    if len(raters) < 3:
        return ""
    if not places:
        none = f"None of the {len(raters):,} raters stands apart significantly"
        typical = int(np.median(raters.shared_items))
        few = f"; half of them share {counted(typical, 'item')} or fewer with others, which shows little"
        return f"{none}{few if typical < FEW_ITEMS else ''}."
    parts = []
    for verdict in (AT_RANDOM, TOO_HIGH, TOO_LOW, AGAINST):
        found = [at for at in places if verdict in raters.verdicts(at)]
        if found:
            names = [short(agreement.ratings.raters[at]) for at in found]
            verb = "marks" if len(names) == 1 else "mark"
            values = [number(float(raters.agreement.value[0, at]), 2) for at in found]
            asked = f" (agreement {in_words(values, MOST_NAMES)}): is the scale reversed?"
            parts.append(
                f"{in_words(names, MOST_NAMES)} {verb} {verdict}{asked if verdict == AGAINST else ''}"
            )
    verb = "stands" if len(places) == 1 else "stand"
    end = "" if parts[-1].endswith("?") else "."
    return f"{len(places):,} of {len(raters):,} raters {verb} apart: {'; '.join(parts)}{end}"


def without_sentence(agreement: "Agreement") -> str:
    """Say what alpha would be without the rater who marks at random, or against the others, and costs most."""
    raters = agreement.raters
    random = [at for at in raters.standing_apart.tolist() if raters.at_random[at]]
    if not random:
        return ""
    values = raters.alpha_without[random]
    if np.isnan(values).all():
        return ""
    at = random[int(np.nanargmax(values))]
    alpha = number(float(raters.alpha_without[at]))
    return f"Without {short(agreement.ratings.raters[at])}, Krippendorff's alpha is {alpha}."


def confusion_sentence(agreement: "Agreement") -> str:
    """Say which two classes people confuse most."""
    names = agreement.ratings.scale.names
    for low, high, _, share in most_confused(agreement.confusion)[:1]:
        same = float(np.trace(agreement.confusion.counts) / max(agreement.confusion.n, 1))
        return (
            f"Two marks on the same item are equal in {percent(same)} of the pairs; most often confused are "
            f"{short(names[low])} and {short(names[high])} ({percent(share)} of the pairs)."
        )
    return "All marks on the same item are equal."


def strict_sentences(agreement: "Agreement") -> list[str]:
    """Say which coefficients give no credit to a near miss, if others do: their values cannot be compared."""
    strict = [name for name in agreement if counts_only_equal_marks(name)]
    if not strict or len(strict) == len(agreement):
        return []
    verb = "counts" if len(strict) == 1 else "count"
    return [
        f"{in_words(strict)} {verb} only equal marks as agreement; the others give credit to near misses."
    ]


def counts_only_equal_marks(name: str) -> bool:
    """Tell whether a coefficient takes the classes as mere names."""
    measure = registry[name]
    return measure.name == "accuracy" or bool(
        {("weights", "identity"), ("level", "nominal")} & {*measure.settings}
    )


def size_sentence(agreement: "Agreement") -> str:
    """Say how many raters, items, marks and classes there are, and which items tell nothing."""
    ratings = agreement.ratings
    marks, count = ratings.marks_of_pattern, ratings.count
    few, most = int(marks[count > 0].min()), int(marks[count > 0].max())
    each = f"{few}" if few == most else f"{few} to {most}"
    scale = rising([clean(name) for name in ratings.scale.names], MOST_LABELS)
    said = (
        f"{counted(len(ratings.raters), 'rater')}, {counted(ratings.n, 'item')}, {counted(ratings.marks, 'mark')} "
        f"({each} on an item); {counted(ratings.scale.k, 'class', 'classes')}: {scale}."
    )
    return " ".join([said, *unshared_sentences(agreement), *left_out_sentences(agreement.ratings)])


def left_out_sentences(ratings: "Ratings", whose: str = "") -> list[str]:
    """Say how many marks were left out or changed because the caller allowed it; `whose` is " of humans", say."""
    done = (
        (ratings.touched.get("unknown", 0), "not on the scale and left out"),
        (ratings.touched.get("rounded", 0), "rounded to the nearest class"),
        (
            ratings.ignored.get("duplicate", 0),
            "left out because the rater had marked the item before",
        ),
    )
    return [
        f"{counted(marks, 'mark')}{whose} {'was' if marks == 1 else 'were'} {what}."
        for marks, what in done
        if marks
    ]


def unshared_sentences(agreement: "Agreement") -> list[str]:
    """Say how many items have one mark or none, and so tell nothing about agreement."""
    ratings = agreement.ratings
    sentences = []
    for number_of, words in ((1, "a single mark"), (0, "no mark")):
        items = int(ratings.count[ratings.marks_of_pattern == number_of].sum())
        if items:
            verbs = ("has", "tells") if items == 1 else ("have", "tell")
            sentences.append(
                f"{counted(items, 'item')} {verbs[0]} {words} and {verbs[1]} nothing about agreement."
            )
    return sentences


def interval_sentence(agreement: "Agreement") -> str:
    """Say how the intervals were made."""
    if agreement.level is None:
        return "No intervals were asked for."
    level = confidence(agreement.level)
    plain = f"{METHODS['t']}, over items"
    if agreement.method != "t":
        draws = f"{agreement.n_resamples:,} resamples of items, seed {agreement.seed}"
        return f"{level} {METHODS[agreement.method]} for the coefficients, {draws}; else {plain}."
    if agreement.resample == "both":
        return (
            f"{level} {METHODS['t']}, over items and raters for the coefficients, else over items."
        )
    return f"{level} {plain}."
