"""Which measure should I use? One tree of questions, from which the page and `ordeval metrics --help-me` are made.

A question is asked only where its answers lead to different measures. The first answer of every question is the one for
people who do not know. What an answer asks of a measure (`wants`) is a property of `ordeval.properties`, so that a test
can compare every recommendation with what is known of the measures.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ordeval.metrics import recommendations as to
from ordeval.metrics.recommendations import Recommendation

__all__ = ["ANSWERED", "FIRST", "Answer", "Question", "Step", "paths"]


@dataclass(frozen=True)
class Answer:
    """One of the answers to a question: where it leads, and which properties it asks of the measure."""

    text: str
    then: "Question | Recommendation"
    wants: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """A question, why it is asked, and its answers; the first is for people who do not know."""

    text: str
    why: str
    answers: tuple[Answer, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the question and everything below it, for JSON."""
        answers = [{"answer": one.text, "then": one.then.to_dict()} for one in self.answers]
        return {"question": self.text, "why": self.why, "answers": answers}


@dataclass(frozen=True)
class Step:
    """A question that was answered, and the number of the answer, from 1."""

    question: Question
    number: int

    @property
    def answer(self) -> Answer:
        """The answer."""
        return self.question.answers[self.number - 1]


def paths(
    question: Question, before: tuple[Step, ...] = ()
) -> Iterator[tuple[tuple[Step, ...], Recommendation]]:
    """Yield every way through the tree, with the recommendation at its end."""
    for number, answer in enumerate(question.answers, start=1):
        way = (*before, Step(question, number))
        if isinstance(answer.then, Recommendation):
            yield way, answer.then
        else:
            yield from paths(answer.then, way)


INVARIANT, MONOTONE, IMBALANCE = "ordinal_invariance", "ordinal_monotonicity", "imbalance"

_CHANCE = Question(
    "Must a system that answers at random score 0?",
    "If so, the score is corrected for chance; if not, it stays a distance that everybody can read.",
    (
        Answer("No, a distance in the units of the scale is fine", to.DISTANCE, (MONOTONE,)),
        Answer("Yes, answers at random must score 0", to.CHANCE, ("chance_level",)),
    ),
)
_RARE = Question(
    "Are some classes rare, and do they matter as much as the others?",
    "A mean over items hardly sees a rare class; a mean over classes counts all of them the same.",
    (
        Answer("Yes, every class matters the same, however rare", to.RARE, (IMBALANCE, MONOTONE)),
        Answer("No, every item matters the same", _CHANCE),
    ),
)
_DISTANCE = Question(
    "What do you know about the distances between the classes?",
    "A measure that uses distances ranks systems by numbers that somebody has chosen.",
    (
        Answer(
            "Only their order: nobody can say how far apart two classes are, rare ones included",
            to.ORDER,
            (INVARIANT, MONOTONE, IMBALANCE),
        ),
        Answer("The classes are numbers whose differences mean something", _RARE),
        Answer("Nothing: any wrong class is as bad as any other", to.NOMINAL, (INVARIANT,)),
    ),
)
_AIM = Question(
    "What must the score show?",
    "A system can put all items into the right order and still never name the right class.",
    (
        Answer("How close the answers are to the right class", _DISTANCE),
        Answer("Only whether the items are put into the right order", to.RANKING, (INVARIANT,)),
        Answer("How the system compares with numbers that others published", to.EARLIER),
    ),
)
FIRST = Question(
    "What do you have?",
    "This decides which measures can be computed at all.",
    (
        Answer("One gold label for each item, and systems that answer with a label", _AIM),
        Answer(
            "The marks of two or more raters, none of whom is the truth",
            Question(
                "Does one class have most of the marks, such as 80% of them?",
                "Coefficients that are corrected for chance say little about such marks.",
                (
                    Answer("No, several classes are in common use", to.RATERS),
                    Answer("Yes, nearly all marks are of one class", to.ONE_CLASS),
                ),
            ),
        ),
        Answer(
            "One gold label for each item, and systems that give probabilities",
            Question(
                "What do you ask of the probabilities?",
                "Probabilities can come true and still say little about an item.",
                (
                    Answer(
                        "That they are high for the right class and for those near it",
                        to.PROBABILITIES,
                    ),
                    Answer(
                        "That they come true: what has 70% happens in 70% of the cases",
                        to.CALIBRATION,
                    ),
                ),
            ),
        ),
        Answer(
            "Several people's marks on each item as gold, and systems to score",
            Question(
                "What do the systems answer with?",
                "A label is scored against each person, probabilities against the shares of all.",
                (
                    Answer("One label for each item", to.SOFT_LABELS),
                    Answer("A probability for each class", to.SOFT_PROBABILITIES),
                ),
            ),
        ),
        Answer("Only how many items are in each class, not which ones", to.SHARES),
    ),
)

# The question that a measure answers, for every measure that is recommended or shown beside one.
ANSWERED = {
    "cem_ord": "How close are the answers to gold, if only the order of the classes is known?",
    "accuracy": "Which share of the answers is right?",
    "accuracy_within": "Which share of the answers is at most one class off?",
    "macro_accuracy": "Which share is right in a class, on average over the classes?",
    "macro_f1": "How well is each class found without false alarms, on average over the classes?",
    "mae": "How far is an answer from gold, on average over the items?",
    "rmse": "How far is an answer from gold, if large errors count more?",
    "macro_mae": "How far is an answer from gold, on average over the classes?",
    "max_mae": "How far are the answers from gold in the worst class?",
    "weighted_kappa": "How much closer to gold is it than chance, by distance?",
    "weighted_kappa(weights='quadratic')": "How much closer to gold is it than chance, by squared distance?",
    "kendall_tau_b": "How many pairs of items are in the right order?",
    "spearman": "How similar are the ranks of the items?",
    "krippendorff_alpha": "How reliable are the marks of several raters, beyond chance?",
    "gwet_ac2": "How well do raters agree, if one class is very frequent?",
    "ranked_probability_score": "How good are probabilities, if near classes count as nearly right?",
    "log_loss": "How probable was the right class?",
    "calibration_error": "Do the probabilities come true?",
    "soft_rps": "How near are probabilities to the shares of several people?",
    "wasserstein": "How far must probability be moved to equal the shares of several people?",
    "normalised_match_distance": "How far are the class shares from those of gold?",
    "rnod": "How far are the class shares from those of gold, if large differences count more?",
}
