"""What another person needs to get the verdicts on judges again: how each number is made, settings, and papers."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ordeval.comparison.captions import METHODS
from ordeval.formats.names import short
from ordeval.formats.numbers import confidence, counted, in_words
from ordeval.metrics import registry
from ordeval.metrics.references import REFERENCES
from ordeval.report.method import scale_rows, versions

if TYPE_CHECKING:
    from ordeval.judge.validation import Validation

MOST_NAMES = 12
FROM_PYTHON = (
    "made from Python: ordeval.report.render_judges(ordeval.judge.validate(humans, judges))"
)
VERDICT = (
    "By {primary}, with a margin of {margin:g}. Unfit: the {level} interval of judge minus human lies wholly beyond "
    "the margin. Fit: the interval does not reach beyond the margin, and the alternative annotator test is passed. "
    "Undecided: neither."
)
BESIDE = (
    "Every human in turn is scored against the shares of the other humans, on the items that others marked too, and so "
    "is the judge in this human's place; both are means over the humans. What a human reaches is the ceiling."
)
TEST = (
    "Score {score}, epsilon {epsilon:g}; one-sided t test for each human of (human wins minus judge wins) below "
    "epsilon, a tie counting for both; corrected over the humans (Benjamini and Yekutieli) at {q:g}. Winning rate: the "
    "share of the humans who are beaten; passed from 0.5 on. Advantage: how often the judge is at least as close, the "
    "mean over the humans. Items of fewer than two humans, and then humans with fewer than {least} items, are left out."
)
CONSTANT = (
    "The same verdict for the class that scores best when every item gets it. What it would be called says how much "
    "the verdict on a judge is worth."
)
BIAS = (
    "The mean, over items, of the judge's mark minus the mean mark of the humans, in the values of the scale. Class by "
    "class: over all marks of a human on items that another human marked too, the mean mark of the judge minus the "
    "mean mark of the other humans."
)
CLASSES = (
    "The share of a class among the judge's marks minus its share among the humans', an item counting once on both "
    "sides. Unused: the humans give the class and the judge never does. Collapsed: of an item in the upper and "
    "one in the lower of two neighbouring classes, by the mark of a human, the judge may give the higher mark to "
    "either equally often, and the other humans do not."
)
REPEATS = (
    "A judge that marks an item several times answers it with the shares of its marks, so that a score is what one "
    "mark reaches on average. Consistency compares the marks of the same item with each other."
)
READING = (
    "The mean distance of the judge's marks from those of the humans, minus the mean distance between two humans, both "
    "in classes; the largest first."
)
LEFT_OUT = "left out, for this judge and the humans alike"


def method_rows(validation: "Validation", command: str | None) -> list[tuple[str, str]]:
    """Return what was set and done, as terms with their explanations."""
    humans, policy = validation.humans, validation.humans.policy
    level = confidence(validation.level)
    sizes = [
        counted(len(humans.raters), "human"),
        counted(humans.n, "item"),
        counted(humans.marks, "mark"),
    ]
    policies = {
        "item without a judge's mark": LEFT_OUT if validation.missing == "drop" else validation.missing,
        "mark not on the scale": policy.unknown,
        "duplicates": policy.duplicates,
    }  # fmt: skip
    settings = {
        "primary": validation.primary,
        "margin": validation.margin,
        "level": level,
        "score": validation.score,
        "epsilon": validation.epsilon,
        "q": validation.q,
        "least": validation.best.alt_test.least_items,
    }
    return [
        ("Humans", f"{', '.join(sizes)}: {listed(humans.raters)}"),
        ("Judges", listed(validation)),
        ("Verdict", VERDICT.format(**settings)),
        ("Beside a human", BESIDE),
        ("Alternative annotator test", TEST.format(**settings)),
        ("Best constant answer", CONSTANT),
        ("Bias", BIAS),
        ("Classes", CLASSES),
        ("Repeats", REPEATS),
        ("Items to read", READING),
        ("Intervals", f"{level} {METHODS['t']}, over items."),
        *scale_rows(humans.scale),
        ("Policy", "; ".join(f"{what}: {choice}" for what, choice in policies.items())),
        *(("Note", note) for note in validation.notes),
        ("Versions", versions()),
        ("Command", command or FROM_PYTHON),
    ]


def listed(raters: Iterable[str]) -> str:
    """List raters by name; of very many only some."""
    return in_words([short(name) for name in raters], MOST_NAMES)


def judge_references(validation: "Validation") -> list[Any]:
    """Return the papers behind the verdicts and the measures that the page shows."""
    keys = [
        "calderon2025",
        "benjamini2001",
        "krippendorff2004",
        *(key for name in validation.metrics for key in registry[name].references),
        *registry["krippendorff_alpha"].references,
        "holm1979",
        "efron1981",
    ]
    return [REFERENCES[key] for key in dict.fromkeys(keys)]
