"""What is said of a judge in sentences: the verdict with its reason, what weakens it, and how the judge marks."""

from typing import TYPE_CHECKING

import numpy as np

from ordeval.agreement.words import TENTATIVE
from ordeval.errors import quoted
from ordeval.formats.names import clean, short
from ordeval.formats.numbers import confidence, counted, in_words, number, percent, round_up
from ordeval.judge.common_scale import beyond_humans
from ordeval.judge.jackknifed_sums import NO_INTERVAL
from ordeval.metrics.registry import registry
from ordeval.ratings.matching import places_of

if TYPE_CHECKING:
    from ordeval.judge.alt_test import AltTest
    from ordeval.judge.matched import Matched
    from ordeval.judge.needed import Needed
    from ordeval.judge.validation import ConstantAnswer, JudgeAgreement, JudgeVerdict, Validation

FIT, UNFIT, UNDECIDED = "fit", "unfit", "undecided"
MOST_NAMES = 6
OFF_ITEMS = 0.1  # of the items have no mark of a judge, and as many of its marks are on others


def verdict_words(name: str, verdict: str) -> str:
    """Say what the verdict on a judge is; the beginning of its reason."""
    can = f"{clean(name)} is {'not ' if verdict == UNFIT else ''}fit to mark in place of a human"
    return f"It is undecided whether {can}" if verdict == UNDECIDED else can


def reason_of(
    name: str,
    verdict: str,
    test: "AltTest",
    agreement: "JudgeAgreement",
    needed: "Needed",
    *,
    margin: float,
    level: float,
    up: bool,
) -> str:
    """Say what the verdict on a judge is, and why."""
    said, reached = verdict_words(name, verdict), reached_words(agreement, up=up)
    size = difference_words(agreement, level)
    if verdict == UNFIT:
        also = (
            f"It passes the alternative annotator test all the same ({beaten_words(test)}): humans who disagree with "
            f"each other make that easy."
            if test.passed
            else f"Nor does it pass the alternative annotator test ({beaten_words(test)})."
            if test.reason is None
            else f"The alternative annotator test cannot be made ({test.reason})."
        )
        return (
            f"{said}: {reached}, which is worse by more than the margin of "
            f"{margin:g} ({size}). {also}"
        )
    passes = f"it passes the alternative annotator test ({beaten_words(test)})"
    fails = f"it does not pass the alternative annotator test ({beaten_words(test)})"
    if test.reason is not None:
        fails = f"the alternative annotator test cannot be made ({test.reason})"
    close = f"{reached}, which is not worse by more than the margin of {margin:g} ({size})"
    if verdict == FIT:
        return f"{said}: {close}, and {passes}."
    low = agreement.ahead(up=up)[1]
    if low is None and np.isnan(agreement.difference):
        close = f"what it reaches by {agreement.metric} beside a human is undefined"
    elif low is None:
        close = f"{reached}, which says nothing yet, because {NO_INTERVAL}"
    elif low < -margin:
        close = f"{reached}, and it cannot be told whether that is worse by more than the margin of {margin:g} ({size})"
    joined = "and" if (low is not None and low >= -margin) == test.passed else "but"
    ends = passes if test.passed else fails
    return f"{said}: {close}, {joined} {ends}. {needed_sentence(needed, test)}"


def reached_words(agreement: "JudgeAgreement", *, up: bool) -> str:
    """Say what judge and human reach; the beginning of a sentence."""
    better = "" if up else " (lower is better)"
    return (
        f"against the same humans it reaches {number(agreement.judge)} by {agreement.metric}{better}, where a human "
        f"reaches {number(agreement.human)}"
    )


def difference_words(agreement: "JudgeAgreement", level: float) -> str:
    """Write the difference from a human with its interval."""
    said = f"difference {number(agreement.difference, sign=True)}"
    if agreement.low is None or agreement.high is None:
        return said
    low, high = (number(end, sign=True) for end in (agreement.low, agreement.high))
    return f"{said}, {confidence(level)} interval {low} to {high}"


def beaten_words(test: "AltTest") -> str:
    """Say how many humans the judge beats; part of a sentence."""
    if test.reason is not None:
        return test.reason
    beaten = sum(one.beaten for one in test.humans)
    needs = "" if test.passed else ", and half are needed"
    return f"it beats {beaten} of {counted(len(test.humans), 'human')}{needs}"


def needed_sentence(needed: "Needed", test: "AltTest") -> str:
    """Say how many items would settle it, or why no number can be given."""
    if needed.items is None:
        return f"How many items would settle it cannot be told: {needed.reason}."
    return (
        f"About {round_up(needed.items):,} items marked by humans and the judge would settle it (there are "
        f"{test.items:,})."
    )


def cautions_of(
    verdict: str, constant: "ConstantAnswer", test: "AltTest", alpha: float
) -> tuple[str, ...]:
    """Say what weakens a good verdict: humans who disagree, and a constant answer that would do as well."""
    said = []
    if verdict != UNFIT and alpha < TENTATIVE:
        said.append(
            f"The humans agree little with each other (Krippendorff's alpha {number(alpha, 2)}, below the least that "
            f"is accepted, {TENTATIVE:g}), so that being as good as one of them says little."
        )
    always = f"Always answering {short(constant.name)}"
    if verdict != UNFIT and constant.verdict == FIT:
        said.append(f"{always} would be called fit, too: these items cannot show a judge's worth.")
    elif test.passed and constant.passed:
        said.append(
            f"{always} would pass the test, too (winning rate {number(constant.winning_rate, 2)}), so that passing it "
            f"says little here."
        )
    return tuple(said)


def lead_of(validation: "Validation") -> list[str]:
    """Return what stands above the tables: the verdict on the best judge, the others, and how the best one marks."""
    best = validation.best
    said = [best.reason, *others_sentences(validation), humans_sentence(validation)]
    said += [bias_sentence(best), classes_sentence(best), consistency_sentence(best)]
    return [one for one in [*said, *validation.notes] if one]


def others_sentences(validation: "Validation") -> list[str]:
    """Say what the verdicts on the other judges are, and why one is not fit."""
    others = validation.ranked[1:]
    fit = [clean(one.name) for one in others if one.verdict == FIT]
    said = []
    if len(fit) == 1:
        said.append(f"{fit[0]} is fit, too.")
    elif fit:
        said.append(f"{len(fit)} other judges are fit, too: {in_words(fit, MOST_NAMES)}.")
    open_ = [one for one in others if one.verdict != FIT]
    said += [short_reason(one, validation) for one in open_[:MOST_NAMES]]
    if len(open_) > MOST_NAMES:
        said.append(
            f"{len(open_) - MOST_NAMES} more are undecided or unfit; JSON has their reasons."
        )
    return said


def short_reason(one: "JudgeVerdict", validation: "Validation") -> str:
    """Say in one sentence why a judge is not fit, and how many items would settle what is undecided."""
    test, agreement = one.alt_test, one.agreement[validation.primary]
    size = f"({number(agreement.difference, sign=True)} by {validation.primary})"
    begun = f"{clean(one.name)} is {one.verdict}"
    if one.verdict == UNFIT:
        worse = f"{begun}: it is worse than a human by more than {validation.margin:g} {size}"
        habits = habit_words(one)
        return f"{worse}; it {habits}." if habits else f"{worse}."
    up = registry[validation.primary].greater_is_better
    low = agreement.low if up else None if agreement.high is None else -agreement.high
    why = []
    if low is None or low < -validation.margin:
        why.append(f"it may be worse than a human by more than {validation.margin:g} {size}")
    if test.reason is not None:
        why.append("the alternative annotator test cannot be made")
    elif not test.passed:
        beaten = sum(each.beaten for each in test.humans)
        why.append(
            f"it beats {f'only {beaten}' if beaten else 'none'} of {len(test.humans)} humans"
        )
    settled = f"how many items would settle it cannot be told: {one.needed_reason}"
    if one.needed is not None:
        settled = f"about {round_up(one.needed):,} items would settle it"
    return f"{begun}: {', and '.join(why)}; {settled}."


def habit_words(one: "JudgeVerdict") -> str:
    """Say how much a judge marks too high or too low, if significantly, and which classes it never gives."""
    bias, said = one.bias, []
    if bias.low is not None and bias.high is not None and not bias.low <= 0 <= bias.high:
        said.append(f"marks {number(abs(bias.mean), 2)} too {'high' if bias.mean > 0 else 'low'}")
    if one.unused_classes:
        said.append(f"never gives {unused_names(one)}")
    return " and ".join(said)


def unused_names(one: "JudgeVerdict") -> str:
    """Name the classes that humans give and the judge never does."""
    name_of = dict(zip(one.table.scale.labels, one.table.scale.names, strict=True))
    return in_words([short(name_of[label]) for label in one.unused_classes], MOST_NAMES)


def humans_sentence(validation: "Validation") -> str:
    """Say how well the humans agree, where no verdict has said it."""
    alpha = validation.alpha
    if np.isnan(alpha.value) or validation.best.cautions:
        return ""
    side = "above" if alpha.value >= TENTATIVE else "below"
    return (
        f"Krippendorff's alpha of the humans is {number(alpha.value, 2)}, {side} {TENTATIVE:g}, the least that is "
        f"accepted for tentative conclusions."
    )


def bias_sentence(one: "JudgeVerdict") -> str:
    """Say whether the judge marks higher or lower than the humans, and by how much."""
    bias, who = one.bias, clean(one.name)
    if bias.low is None or bias.high is None:
        return ""
    ends = f"{number(bias.low, 2, sign=True)} to {number(bias.high, 2, sign=True)}"
    if bias.low <= 0 <= bias.high:
        mean = number(bias.mean, 2, sign=True)
        return f"On average {who} marks neither higher nor lower than the humans ({mean}, interval {ends})."
    side = "higher" if bias.mean > 0 else "lower"
    return f"On average {who} marks {number(abs(bias.mean), 2)} {side} than the humans (interval {ends})."


def classes_sentence(one: "JudgeVerdict") -> str:
    """Say which classes the judge never gives, avoids, or cannot tell apart."""
    scale, who = one.table.scale, clean(one.name)
    said = []
    if one.unused_classes:
        said.append(f"never gives {unused_names(one)}, which humans do")
    ends = {scale.labels[0], scale.labels[-1]}
    avoided = [
        f"{short(each.name)} ({percent(each.judge_share)} of its marks, {percent(each.human_share)} of the humans')"
        for each in one.bias.avoided
        if each.label in ends and each.label not in one.unused_classes
    ]
    if avoided:
        said.append(f"gives {in_words(avoided)} less often than humans do")
    said += [
        f"hardly tells {short(pair.names[0])} from {short(pair.names[1])}, which humans tell apart"
        for pair in one.collapsed_classes
    ]
    return f"{who} {'; it '.join(said)}." if said else ""


def consistency_sentence(one: "JudgeVerdict") -> str:
    """Say how often the judge gives the same mark again, and whether the order of the repeats matters."""
    again = one.consistency
    if again is None:
        return ""
    said = (
        f"Asked again, {clean(one.name)} gives the same mark in {percent(again.equal)} of the pairs"
    )
    moved = [
        each for each in again.repeats if each.p_adjusted is not None and each.p_adjusted <= 0.05
    ]
    if not moved:
        return f"{said}."
    shown = [f"{short(each.repeat)} by {number(each.difference, 2, sign=True)}" for each in moved]
    return f"{said}; some repeats differ from the others: {in_words(shown, MOST_NAMES)}."


def notes_on_items(matched: "Matched") -> list[str]:
    """Warn of judges who left many items out and marked many others, as if the items were named in another way."""
    said = []
    least = OFF_ITEMS * len(matched.items)
    for at, name in enumerate(matched.names):
        left_out = np.flatnonzero(~matched.answered[at])
        if min(len(left_out), matched.ignored[name]) <= least:
            continue
        theirs = np.flatnonzero(places_of(matched.judges.items, matched.items) < 0)
        ours, other = (
            quoted([side[places[0]]])
            for side, places in ((matched.items, left_out), (matched.judges.items, theirs))
        )
        said.append(
            f"{clean(name)} did not mark {len(left_out):,} of {counted(len(matched.items), 'item')} of the humans, "
            f"such as {ours}, and its marks on others, such as {other}, are ignored: are the items named alike?"
        )
    return said


def notes_on_scale(matched: "Matched") -> list[str]:
    """Warn of judges whose marks lie beyond all marks of the humans, as if they were on another scale."""
    humans, none = matched.humans, matched.humans.scale.k
    given = [(name, matched.codes[list(places)]) for name, places in matched.repeats.items()]
    return [
        sentence
        for name, codes in given
        for sentence in beyond_humans(
            humans.scale,
            humans.count @ humans.votes,
            np.bincount(codes.ravel(), minlength=none + 1)[:none],
            clean(name),
        )
    ]
