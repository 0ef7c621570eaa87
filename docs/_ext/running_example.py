"""The running example: one gold, six systems of distinct character, and what every measure says of them.

It is the same on all pages, so that measures can be compared. The pages of the measures show one row of it, and
docs/measures/example.md shows all of it.
"""

import math
from functools import cache
from itertools import combinations

import numpy as np

import ordeval as oe
from ordeval.formats.markdown import pipes
from ordeval.metrics import Metric

__all__ = ["CLASSES", "SYSTEMS", "items", "page", "probabilities", "scores", "section", "soft_gold"]

CLASSES = [1, 2, 3, 4, 5]
GOLD = [50, 20, 10, 10, 10]  # items of each class

# Each system: its answers, a row for each gold class; and what it does.
SYSTEMS = {
    "good": (
        [[42, 8, 0, 0, 0], [3, 14, 3, 0, 0], [0, 2, 6, 2, 0], [0, 0, 2, 7, 1], [0, 0, 0, 3, 7]],
        "three of four answers are right, and the others are one class off",
    ),
    "far": (
        [[42, 0, 0, 0, 8], [2, 14, 0, 0, 4], [2, 0, 6, 0, 2], [3, 0, 0, 7, 0], [3, 0, 0, 0, 7]],
        "as many right answers in each class as *good*, but the wrong ones are at an end of the scale",
    ),
    "cautious": (
        [[0, 35, 15, 0, 0], [0, 8, 12, 0, 0], [0, 0, 10, 0, 0], [0, 0, 7, 3, 0], [0, 0, 4, 6, 0]],
        "keeps to the middle and never answers 1 or 5",
    ),
    "shifted": (
        [[0, 50, 0, 0, 0], [0, 0, 20, 0, 0], [0, 0, 0, 10, 0], [0, 0, 0, 0, 10], [0, 0, 0, 0, 10]],
        "knows the class, but answers one class too high where the scale allows it",
    ),
    "constant": (
        [[50, 0, 0, 0, 0], [20, 0, 0, 0, 0], [10, 0, 0, 0, 0], [10, 0, 0, 0, 0], [10, 0, 0, 0, 0]],
        "always answers 1, the most frequent class",
    ),
    "random": (
        [[25, 10, 5, 5, 5], [10, 4, 2, 2, 2], [5, 2, 1, 1, 1], [5, 2, 1, 1, 1], [5, 2, 1, 1, 1]],
        "gives each class as often as gold has it, whatever the item",
    ),
}
SURE = 0.75  # the probability that a system gives to its answer; the rest is spread as gold's classes are
SAID = 0.8  # the share of raters that choose the gold class; the others choose its neighbour


def items(system: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the gold labels and the answers of a system, item by item."""
    counts = np.array(SYSTEMS[system][0])
    gold, predicted = np.indices(counts.shape).reshape(2, -1).repeat(counts.ravel(), axis=1) + 1
    return gold, predicted


def probabilities(system: str) -> np.ndarray:
    """Return the class probabilities of a system, a row for each item."""
    _, predicted = items(system)
    shares = np.array(GOLD) / sum(GOLD)
    return SURE * np.eye(len(CLASSES))[predicted - 1] + (1 - SURE) * shares


def soft_gold() -> np.ndarray:
    """Return gold as shares of raters, a row for each item: some choose the class above (of class 5, the one below)."""
    at = np.repeat(np.arange(len(CLASSES)), GOLD)
    neighbour = np.where(at == len(CLASSES) - 1, at - 1, at + 1)
    each = np.eye(len(CLASSES))
    return SAID * each[at] + (1 - SAID) * each[neighbour]


@cache
def scores(metric: Metric) -> dict[str, float]:
    """Return the value of every system by a measure."""
    return {name: score(metric, name) for name in SYSTEMS}


def score(metric: Metric, system: str) -> float:
    """Return the value of one system, from probabilities and shares where the measure takes them."""
    gold, predicted = items(system)
    if metric.family.value == "soft":
        return metric(soft_gold(), probabilities(system), labels=CLASSES)
    if metric.takes_probabilities:
        return metric(gold, probabilities(system), labels=CLASSES)
    return metric(gold, predicted, labels=CLASSES)


def shown(value: float) -> str:
    """Write a score as a cell."""
    return "none" if math.isnan(value) else f"{value:.3f}".replace("-0.000", "0.000")


def ranks(metric: Metric) -> dict[str, str]:
    """Return the rank of every system, best first; equal values have the same rank, and undefined ones have none."""
    sign = 1 if metric.greater_is_better else -1
    values = {name: round(sign * value, 9) for name, value in scores(metric).items()}
    return {
        name: "" if math.isnan(value) else str(1 + sum(other > value for other in values.values()))
        for name, value in values.items()
    }


def sentence(metric: Metric) -> str:
    """Say what the numbers show: which systems are first and last, and whether distance and shift are seen."""
    places = {name: int(place) for name, place in ranks(metric).items() if place}
    first = [name for name, place in places.items() if place == 1]
    last = [name for name, place in places.items() if place == max(places.values())]
    parts = [f"`{metric.name}` puts {listed(first)} first and {listed(last)} last."]
    if places["good"] == places["far"]:
        parts.append(
            "It does not see how far a wrong answer is from gold: *good* and *far* score the same."
        )
    elif places["good"] > places["far"]:
        parts.append("It rates *far* above *good*, whose wrong answers are nearer to gold.")
    if places["shifted"] <= places["good"]:
        parts.append("It does not see the shift: *shifted* scores at least as well as *good*.")
    if metric.name != "cem_ord":
        turned, pairs = turned_round(places)
        parts.append(
            f"It turns round {turned} of the {pairs} pairs of systems that `cem_ord` orders."
        )
    lacking = [name for name in SYSTEMS if name not in places]
    if lacking:
        parts.append(f"It has no value for {listed(lacking)}.")
    return " ".join(parts)


def listed(names: list[str]) -> str:
    """Write names in a sentence."""
    marked = [f"*{name}*" for name in names]
    return " and ".join([", ".join(marked[:-1]), marked[-1]] if len(marked) > 1 else marked)


def turned_round(places: dict[str, int]) -> tuple[int, int]:
    """Return how many of the pairs of systems `cem_ord` orders the other way, and how many pairs there are."""
    theirs = {name: int(place) for name, place in ranks(oe.cem_ord).items()}
    pairs = list(combinations(places, 2))
    turned = sum((places[a] - places[b]) * (theirs[a] - theirs[b]) < 0 for a, b in pairs)
    return turned, len(pairs)


def section(metric: Metric) -> str:
    """Return the section of a measure's page: the systems by this measure and by `cem_ord`, and what that shows."""
    shown_beside = [metric] if metric.name == "cem_ord" else [metric, oe.cem_ord]
    head = ["system", *(cell for each in shown_beside for cell in (f"`{each.name}`", "rank"))]
    rows = [
        [f"*{name}*", *(cell for one in shown_beside for cell in (shown(scores(one)[name]), ranks(one)[name]))]
        for name in SYSTEMS
    ]  # fmt: skip
    table = "\n".join(map(pipes, [head, ["---", *["--:"] * (len(head) - 1)], *rows]))
    return (
        "## On the running example\n\nSix systems answer the same 100 items: see [the running example](example.md).\n\n"
        f"{table}\n\n{sentence(metric)}"
    )


def page() -> str:
    """Return the Markdown of the page that shows the whole example."""
    systems = "\n".join(f"- *{name}*: {character}." for name, (_, character) in SYSTEMS.items())
    names = [f"*{name}*" for name in SYSTEMS]
    values = [
        [f"[`{one.name}`]({one.name}.md) {'↑' if one.greater_is_better else '↓'}", *cells(one)]
        for one in oe.registry.values()
    ]
    head = [["measure", *names], ["---", *["--:"] * len(names)]]
    compared = "\n".join(map(pipes, [*head, *values]))
    good = "\n".join(f"...         {row}," for row in SYSTEMS["good"][0])
    return PAGE.format(
        systems=systems, answered=answered(), compared=compared, good=good, sure=SURE, said=SAID,
        rest=f"{1 - SAID:.1f}", cem=f"{scores(oe.cem_ord)['good']:.3f}",
    )  # fmt: skip


def answered() -> str:
    """Return the counts of all systems as text, three systems beside each other."""
    names = list(SYSTEMS)
    lines = []
    for row in (names[:3], names[3:]):
        lines += [f"gold   {''.join(f'{name:18}' for name in row)}".rstrip()]
        for at, gold in enumerate(CLASSES):
            counts = [" ".join(f"{n:2}" for n in SYSTEMS[name][0][at]) for name in row]
            lines += [f"{gold:4}   {'    '.join(counts)}"]
        lines += [""]
    return "\n".join(lines[:-1])


def cells(metric: Metric) -> list[str]:
    """Return the values of all systems, the best ones bold."""
    places = ranks(metric)
    return [
        f"**{shown(value)}**" if places[name] == "1" else shown(value)
        for name, value in scores(metric).items()
    ]


PAGE = """---
search: running example, comparison of measures, table of all measures
---

# The running example

This page shows what every measure says of the same six systems, so that you can see what each one rewards. A hundred
items have a class from 1 to 5: 50 items are of class 1, 20 of class 2, and 10 of each of the classes 3, 4 and 5.

{systems}

These are the answers. Each row has the number of answers 1, 2, 3, 4 and 5 to the items of a gold class:

```text
{answered}
```

You can type a system as counts, a row for each gold class:

```python
>>> import ordeval as oe
>>> good = oe.Table.from_counts(
...     [
{good}
...     ],
...     labels=[1, 2, 3, 4, 5],
... )
>>> round(oe.cem_ord(good), 3)
{cem}
```

Measures of probabilities get the same systems as probabilities: each gives {sure} to its answer and spreads the rest
as gold's classes are spread. Measures of soft gold get gold as the shares of raters: {said} choose the gold class and
{rest} the class above it (for class 5, the one below).

## All measures

The arrow shows which way is better, and the best value of a row is bold. "none" means that the value is undefined.

{compared}
"""
