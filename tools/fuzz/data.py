"""What is generated: rows of labels, their amounts, declared labels and policies."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tools.fuzz.plain import plain_count

WORDS = [
    "low",
    "mid",
    "high",
    "très élevé",
    '"quoted"',
    "a,b",
    "5 stars",
    "N/A",
    "x\ty",
    "高",
    "it's",
]
POLICIES = {
    "missing": ("error", "zero", "farthest", "drop"),
    "unknown": ("error", "missing"),
    "gold_missing": ("error", "drop"),
    "round": ("error", "nearest"),
}
MANY = 14  # classes beyond which a few items show fewer than half of them
NOTHING = (None, float("nan"), "")


@dataclass(frozen=True)
class Rows:
    """Items as their meaning: gold, the answers of all systems, and how they are counted."""

    gold: list[Any]
    answers: list[list[Any]]  # of each system
    labels: list[Any] | None
    policies: dict[str, str]
    count: list[int] | None = None
    weight: list[float] | None = None
    systems: list[str] = field(default_factory=lambda: ["a"])

    @property
    def amounts(self) -> list[Any]:
        """What each row adds to its cell."""
        count, weight = self.count or [1] * len(self.gold), self.weight or [1] * len(self.gold)
        return [c * w for c, w in zip(count, weight, strict=True)]

    def expected(self, gold: Sequence[Any], answers: Sequence[Sequence[Any]]) -> Any:
        """Count the labels as they were spelled."""
        rows = list(zip(gold, map(list, zip(*answers, strict=True)), self.amounts, strict=True))
        return plain_count(rows, self.labels, self.policies)


def whole(rng: Random) -> tuple[list[Any], list[Any], bool]:
    """Return neighbouring integers as gold classes and answers."""
    low = rng.randint(-3, 5)
    classes = list(range(low, low + rng.randint(1, 6)))
    return (
        classes,
        classes + ([classes[-1] + rng.randint(1, 3)] if rng.random() < 0.3 else []),
        True,
    )


def many(rng: Random) -> tuple[list[Any], list[Any], bool]:
    """Return more classes than a byte or half of one can number, most of which do not occur."""
    return (classes := list(range(rng.choice([15, 16, 17, 254, 255, 256, 300])))), classes, True


def sparse(rng: Random) -> tuple[list[Any], list[Any], bool]:
    """Return codes with gaps."""
    step = rng.choice([2, 7, 25, 100, 600])
    classes = [step * i for i in sorted(rng.sample(range(12), rng.randint(2, 5)))]
    return classes, classes, True


def fractional_gold(rng: Random) -> tuple[list[Any], list[Any], bool]:
    """Return classes of half a step."""
    classes = [i / 2 for i in range(rng.randint(0, 3), rng.randint(4, 8))]
    return classes, classes + ([1.3] if rng.random() < 0.2 else []), True


def fractional_answers(rng: Random) -> tuple[list[Any], list[Any], bool]:
    """Return whole gold classes, and answers between them."""
    classes = list(range(1, rng.randint(2, 5) + 1))
    return (
        classes,
        classes + [rng.choice([0.2, 1.5, 2.37, 2.5, 7.75, -3.1]) for _ in range(3)],
        True,
    )


def words(rng: Random) -> tuple[list[Any], list[Any], bool]:
    """Return words as classes."""
    classes = rng.sample(WORDS, rng.randint(2, 5))
    return classes, classes, rng.random() < 0.7


def words_among_numbers(rng: Random) -> tuple[list[Any], list[Any], bool]:
    """Return numbers with a word among the answers or in gold."""
    classes: list[Any] = list(range(1, rng.randint(2, 5)))
    word = rng.choice(WORDS)
    return ([*classes, word] if rng.random() < 0.3 else classes), [*classes, word], True


def truth(rng: Random) -> tuple[list[Any], list[Any], bool]:
    """Return the two truth values."""
    return [False, True], [False, True], rng.random() < 0.5


WORLDS: dict[str, Callable[[Random], tuple[list[Any], list[Any], bool]]] = {
    "whole": whole,
    "many": many,
    "sparse": sparse,
    "fractional_gold": fractional_gold,
    "fractional_answers": fractional_answers,
    "words": words,
    "words_among_numbers": words_among_numbers,
    "truth": truth,
}
WHOLE_ONLY = ("whole", "whole", "many", "sparse")
NUMBERS = (*WHOLE_ONLY, "fractional_gold", "fractional_answers")
TEXT_OR_NUMBERS = (*NUMBERS, "words", "words_among_numbers")


def draw_rows(
    rng: Random, worlds: Sequence[str], *, gaps: bool = True, systems: int = 1, weights: bool = True
) -> Rows:
    """Draw items of one of the worlds; `gaps` says whether labels may be missing."""
    gold_classes, answer_classes, declare = WORLDS[rng.choice(worlds)](rng)
    n = rng.choice([1, 2, 3, 8, 20])
    policies = {
        name: rng.choice(choices) if rng.random() < 0.5 else "error"
        for name, choices in POLICIES.items()
    }
    if not any(isinstance(label, float) for label in answer_classes) and rng.random() < 0.8:
        policies["round"] = "error"

    def column(classes: list[Any], policy: str) -> list[Any]:
        some_missing = gaps and rng.random() < (0.1 if policy == "error" else 0.7)
        missing = rng.choice([0.05, 0.3]) if some_missing else 0
        return [None if rng.random() < missing else rng.choice(classes) for _ in range(n)]

    declaring = 0.9 if len(gold_classes) > MANY or isinstance(gold_classes[0], str) else 0.5
    labels = list(gold_classes) if declare and rng.random() < declaring else None
    if labels and rng.random() < 0.1:
        labels = labels[:-1] or labels
    if labels and rng.random() < 0.1:
        labels = labels[::-1]
    if labels and rng.random() < 0.2 and not any(isinstance(label, str | bool) for label in labels):
        labels = [str(label) for label in labels]
    return Rows(
        column(gold_classes, policies["gold_missing"]),
        [column(answer_classes, policies["missing"]) for _ in range(systems)],
        labels,
        policies,
        [rng.randint(0, 3) for _ in range(n)] if weights and rng.random() < 0.2 else None,
        [rng.choice([0.25, 0.5, 1.0, 3.0]) for _ in range(n)]
        if weights and rng.random() < 0.2
        else None,
        [chr(ord("a") + at) for at in range(systems)],
    )


def spelled(label: Any, rng: Random) -> str:
    """Spell a label as text: a number in one of its many ways, nothing as an empty field."""
    if label is None:
        return ""
    if isinstance(label, str):
        return label
    if isinstance(label, bool):
        return str(label)
    if label != int(label):
        return rng.choice([f"{label}", f" {label}", f"{label}0"])
    one = int(label)
    return rng.choice([f"{one}", f"{one}", f"{one}.0", f" {one} ", f"{one}.", f"{one}e0"])
