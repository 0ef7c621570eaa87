"""What to recommend to whom: a measure, those to show with it, why, what not to use, and what to type.

`choosing.py` has the questions that lead here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ordeval.metrics.names import aliases_of, full_name

__all__ = ["PAGE", "Recommendation", "Takes"]

PAGE = "which_measure.html"
LONG = 16  # letters: longer names of measures have a short name in commands


class Takes(StrEnum):
    """What is scored: labels or probabilities, against one gold label or the marks of several people."""

    LABELS = "labels"
    PROBABILITIES = "probabilities"
    MARKS = "marks"
    SOFT_LABELS = "labels against several people"
    SOFT_PROBABILITIES = "probabilities against several people"
    SHARES = "shares"

    @property
    def gold(self) -> str:
        """The variable that holds gold, and the name of its file."""
        return (
            "marks"
            if self in {Takes.MARKS, Takes.SOFT_LABELS, Takes.SOFT_PROBABILITIES}
            else "gold"
        )

    @property
    def options(self) -> str:
        """What a command needs to read the systems."""
        return " --proba" if self in {Takes.PROBABILITIES, Takes.SOFT_PROBABILITIES} else ""


@dataclass(frozen=True)
class Recommendation:
    """A measure to use, those to show with it, why, and what not to use, each with the reason."""

    key: str
    title: str
    takes: Takes
    measure: str
    beside: tuple[str, ...]
    why: str
    avoid: Mapping[str, str]

    @property
    def measures(self) -> tuple[str, ...]:
        """All measures to compute, the recommended one first."""
        return self.measure, *self.beside

    @property
    def page(self) -> str:
        """Where the documentation tells more."""
        return f"{PAGE}#choose-{self.key}"

    @property
    def commands(self) -> tuple[str, ...]:
        """What to type in a terminal."""
        names = ",".join(map(short_name, self.measures))
        if self.takes is Takes.MARKS:
            return (f"ordeval agree marks.csv --metrics {names}",)
        gold, options = f"{self.takes.gold}.csv", f"--metrics {names}{self.takes.options}"
        return (
            f"ordeval evaluate {gold} a.csv {options}",
            f"ordeval compare {gold} a.csv b.csv {options} --primary {short_name(self.measure)}",
        )

    @property
    def calls(self) -> tuple[str, ...]:
        """What to type in Python."""
        if self.takes is Takes.SHARES:
            return (f"oe.{self.measure}([gold_shares], [answered_shares])",)
        names = "metrics = [" + ", ".join(f'"{name}"' for name in self.measures) + "]"
        gold = self.takes.gold
        if self.takes is Takes.MARKS:
            return names, f"oe.agree({gold}, metrics=metrics)"
        return (
            names,
            f"oe.evaluate({gold}, a, metrics=metrics)",
            f'oe.compare({gold}, {{"a": a, "b": b}}, metrics=metrics, primary=metrics[0])',
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything about it, for JSON."""
        return {
            "key": self.key,
            "title": self.title,
            "measure": self.measure,
            "beside": self.beside,
            "why": self.why,
            "avoid": [{"measure": name, "why": why} for name, why in self.avoid.items()],
            "commands": self.commands,
            "python": self.calls,
            "page": self.page,
        }


def short_name(name: str) -> str:
    """Return the name of a measure as a command can have it without quotes: the alias of a long name."""
    known = [one for one in aliases_of(name.partition("(")[0]) if full_name(one) == name]
    return min(known, key=len) if known and ("(" in name or len(name) > LONG) else name


EARLIER = Recommendation(
    "earlier",
    "You must compare with published numbers",
    Takes.LABELS,
    "weighted_kappa(weights='quadratic')",
    ("cem_ord", "mae"),
    "Two numbers can be compared only if they are of the same measure with the same settings. Tasks of grading often "
    "ask for quadratic weighted kappa; if yours published another measure, put that one first.",
    {
        "cohen_kappa": "It ignores the order of the classes. A paper that only says kappa may mean either of the two.",
        "weighted_kappa": "Its weights are linear, which gives other numbers. Always name the weights.",
    },
)
RANKING = Recommendation(
    "ranking",
    "Only the order of the items matters",
    Takes.LABELS,
    "kendall_tau_b",
    ("spearman",),
    "It looks at every two items: does the system put them into the same order as gold? With few classes many items "
    "share a class, and tau-b corrects for these ties.",
    {
        "goodman_kruskal_gamma": "It leaves ties out, so that a system which uses only two classes can reach 1.",
        "mae": "It punishes a system that is always one class too high, although its order is perfect.",
        "pearson": "It changes with the numbers that stand for the classes.",
    },
)
NOMINAL = Recommendation(
    "equal-errors",
    "Every wrong class is equally bad",
    Takes.LABELS,
    "macro_accuracy",
    ("accuracy", "macro_f1"),
    "It is the share of right answers in each gold class, averaged over the classes, so that a frequent class cannot "
    "hide a rare one. Accuracy, beside it, counts every item the same.",
    {
        "mae": "It charges more for an answer that is farther away, which you say does not matter.",
        "purity": "It asks only whether items are grouped well, not whether the groups have the right names.",
    },
)
ORDER = Recommendation(
    "order",
    "The order is all you know",
    Takes.LABELS,
    "cem_ord",
    ("macro_accuracy", "accuracy_within"),
    "It uses the order alone, rises whenever an answer moves closer to gold, and counts an error in a rare class more: "
    "no other measure here has all three properties. Two classes are close where few gold items lie between them.",
    {
        "mae": "It takes all neighbouring classes to be equally far apart, and other numbers change the ranking.",
        "weighted_kappa(weights='quadratic')": "It squares distances that you do not know, so a few far errors decide.",
        "accuracy": "It takes a near miss to be as bad as a far one.",
    },
)
RARE = Recommendation(
    "rare",
    "Distances mean something, and rare classes matter",
    Takes.LABELS,
    "macro_mae",
    ("mae", "max_mae"),
    "It is the mean distance from gold in each gold class, averaged over the classes, so that a class with ten items "
    "counts as much as one with a thousand. max_mae, beside it, shows the worst class.",
    {
        "accuracy": "A system that never answers with a rare class loses almost nothing.",
        "rmse": "It averages over items, so the frequent classes decide.",
    },
)
CHANCE = Recommendation(
    "chance",
    "Distances mean something, and chance must score 0",
    Takes.LABELS,
    "weighted_kappa",
    ("mae",),
    "It is 0 for answers that have nothing to do with gold, however frequent the classes are, and 1 if all are right. "
    "Its linear weights charge an error by its distance.",
    {
        "weighted_kappa(weights='quadratic')": "It squares the distances, so a few far errors decide. Use it where "
        "that is what you want.",
        "cohen_kappa": "It takes a near miss to be as bad as a far one.",
        "accuracy": "Its chance level depends on how frequent the classes are.",
    },
)
DISTANCE = Recommendation(
    "distance",
    "Distances mean something, and every item counts the same",
    Takes.LABELS,
    "mae",
    ("rmse", "accuracy_within"),
    "It is the mean distance from gold in the units of your scale, so that everybody can read it. rmse, beside it, is "
    "much larger than mae where a few errors are large.",
    {
        "pearson": "A system that is always one class too high can reach 1.",
        "accuracy": "It takes a near miss to be as bad as a far one.",
    },
)
RATERS = Recommendation(
    "raters",
    "How well raters agree",
    Takes.MARKS,
    "krippendorff_alpha",
    ("gwet_ac2", "accuracy"),
    "It takes two or more raters who need not have marked every item, gives credit for near misses by the order of the "
    "classes, and is about 0 for marks at random. If distances between classes mean something, use "
    "krippendorff_alpha(level='interval').",
    {
        "fleiss_kappa": "Without weights it gives no credit for a near miss.",
        "pearson": "A rater who always marks one class higher agrees perfectly by it.",
    },
)
ONE_CLASS = Recommendation(
    "one-class",
    "How well raters agree where one class has most of the marks",
    Takes.MARKS,
    "gwet_ac2",
    ("krippendorff_alpha", "accuracy"),
    "Where nearly all marks are of one class, alpha and the kappas can be near 0 although the raters mostly agree, and "
    "AC2 stays high. It does not show whether they recognise the rare classes: report alpha with it.",
    {
        "cohen_kappa": "It can be near 0 although two raters agree on 95% of the items.",
        "brennan_prediger": "Without weights it gives no credit for a near miss.",
    },
)
PROBABILITIES = Recommendation(
    "probabilities",
    "How good probabilities are",
    Takes.PROBABILITIES,
    "ranked_probability_score",
    ("log_loss", "calibration_error"),
    "It uses the order: probability that is placed near the right class costs less than probability far from it. It is "
    "proper, which means that on average nobody gains by giving other probabilities than those that they hold true.",
    {
        "cem_ord": "For probabilities it scores an answer drawn from them, which rewards a system that is too sure.",
        "brier_score": "It ignores the order of the classes.",
    },
)
CALIBRATION = Recommendation(
    "calibration",
    "Whether probabilities come true",
    Takes.PROBABILITIES,
    "calibration_error",
    ("ranked_probability_score",),
    "For every class it compares the probability of at most this class with how often that came true. Do not rank "
    "systems by it alone: giving every item the overall shares of the classes is calibrated, and useless.",
    {
        "log_loss": "It mixes calibration with how well the classes are separated, and ignores their order.",
        "accuracy": "It does not see how sure a system is.",
    },
)
SOFT_LABELS = Recommendation(
    "several-people",
    "Labels, scored against several people",
    Takes.SOFT_LABELS,
    "cem_ord",
    ("accuracy",),
    "It is the closeness to a person drawn at random from those who marked the item, so that disagreement is kept. The "
    "result also shows what a human reaches against the others, which is the value to compare with.",
    {
        "wasserstein": "It compares distributions, and a single label cannot equal the shares of people who disagree.",
        "krippendorff_alpha": "It treats the system as one more rater, and does not say who is right.",
    },
)
SOFT_PROBABILITIES = Recommendation(
    "shares-of-people",
    "Probabilities, scored against several people",
    Takes.SOFT_PROBABILITIES,
    "soft_rps",
    ("wasserstein",),
    "It is 0 if the probabilities are equal to the shares of the people, and it uses the order. wasserstein, beside "
    "it, can be read as the distance that probability must be moved.",
    {
        "cross_entropy": "It ignores the order of the classes, and is not 0 even for a perfect answer.",
        "cem_ord": "It rewards a system that is sure of one class, where the people disagreed.",
    },
)
SHARES = Recommendation(
    "quantification",
    "Only the number of items in each class matters",
    Takes.SHARES,
    "normalised_match_distance",
    ("rnod",),
    "It is how far items must be moved along the scale until every class has the right share, divided by the longest "
    "way. Which items got which answer is ignored, as in every measure of ordinal quantification.",
    {
        "jensen_shannon": "It ignores the order of the classes.",
        "accuracy": "It asks for the right class of each item, which is another task.",
    },
)
