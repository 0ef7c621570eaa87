"""Does `oe.judge.correct_scores` keep its promise on real data whose gold is known? Print a board, and write its page.

Of each set, some items are drawn for which the humans' marks count; on all others one of the systems is the judge. The
corrected scores of three other systems should hold the score on all human marks in 95% of the draws, with intervals
that are narrower than those of the drawn human marks alone. `--draws` and `--marks` say how many; `--page FILE` writes
the board as a page. The data lies in ../shared/data, beside the repository, and is not part of it.
"""

import argparse
import csv
import gzip
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import ordeval as oe
from benchmarks.written import write_page

DATA = Path(__file__).parents[2] / "shared" / "data"
SETS = {
    "LLMJudge": ("llmjudge2024/gold.csv.gz", "llmjudge2024/systems.csv.gz"),
    "RuSentNE": ("rusentne2023_llm/gold_en.csv.gz", "rusentne2023_llm/systems_en.csv.gz"),
    "SemEval-2014 B": ("semeval2014_task9/gold_B.csv.gz", "semeval_surrogate_systems/systems_2014B.csv.gz"),
}  # fmt: skip
MEASURES = ("cem_ord", "accuracy", "weighted_kappa(weights='quadratic')", "mae")
SHOWN = ("poststratification", "ppi++")
OTHERS = ("human", "ppi", "rogan_gladen")
METHODS = (*OTHERS, *SHOWN)
NAMES = {
    "human": "human marks alone",
    "ppi++": "PPI++",
    "poststratification": "post-stratification",
    "ppi": "PPI",
    "rogan_gladen": "Rogan-Gladen",
}
THIRD = 3  # from the best


@dataclass(frozen=True)
class Marked:
    """Items with the humans' marks and the answers of all systems, as codes of the classes."""

    labels: list[int]
    human: Any  # [item]
    answers: dict[str, Any]  # [item]

    def by_accuracy(self) -> list[str]:
        """Return the systems, the least accurate first."""
        return sorted(self.answers, key=lambda name: (self.answers[name] == self.human).mean())


def rows_of(path: Path) -> Iterator[dict[str, str]]:
    """Give the rows of a compressed CSV file."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as text:
        yield from csv.DictReader(text)


def read(name: str) -> Marked:
    """Read a set: the items that every system answered, of the systems that answered nearly all."""
    gold_file, system_file = (DATA / part for part in SETS[name])
    gold = {(row["case"], row["item"]): int(row["label"]) for row in rows_of(gold_file)}
    given: dict[str, dict[Any, int]] = defaultdict(dict)
    for row in rows_of(system_file):
        given[row["system"]][row["case"], row["item"]] = int(row["label"])
    complete = {name: marks for name, marks in given.items() if len(marks) >= 0.99 * len(gold)}
    items = [item for item in gold if all(item in marks for marks in complete.values())]
    human = np.array([gold[item] for item in items])
    answers = {name: np.array([marks[item] for item in items]) for name, marks in complete.items()}
    return Marked(sorted(set(gold.values())), human, answers)


def corrected(
    data: Marked, judge: str, systems: list[str], order: Any, marks: int
) -> oe.judge.CorrectedScores:
    """Return the scores of systems where the first items of an order have human marks."""
    first, rest = order[:marks], order[marks:]
    return oe.judge.correct_scores(
        data.human[first],
        data.answers[judge][first],
        {name: data.answers[name][first] for name in systems},
        data.answers[judge][rest],
        {name: data.answers[name][rest] for name in systems},
        metrics=list(MEASURES),
        labels=data.labels,
    )


@dataclass(frozen=True)
class Row:
    """One system and measure: what the judge as it stands says, the truth, and each method's coverage and width."""

    system: str
    metric: str
    truth: float
    naive: float
    coverage: dict[str, float]
    width: dict[str, float]  # mean, divided by that of the human marks alone
    worth: float  # human marks, the median over the draws


@dataclass(frozen=True)
class Board:
    """What came out of one set."""

    name: str
    items: int
    judge: str
    rows: list[Row]
    noticed: float  # the share of draws of easy items alone that were warned of
    false_alarms: float  # of random draws


def board_of(name: str, *, draws: int, marks: int) -> Board:
    """Draw items again and again, and count how often the intervals hold the score on all human marks."""
    data = read(name)
    ranked = data.by_accuracy()
    judge = ranked[-1]
    systems = [ranked[len(ranked) // 4], ranked[len(ranked) // 2], ranked[-THIRD]]
    rng = np.random.default_rng(0)
    held: dict[Any, float] = defaultdict(float)
    width: dict[Any, float] = defaultdict(float)
    worth: dict[Any, list[float]] = defaultdict(list)
    truth = {
        (system, metric): oe.registry[metric](data.human, data.answers[system], labels=data.labels)
        for system in systems
        for metric in MEASURES
    }
    alarms = 0
    for _ in range(draws):
        found = corrected(data, judge, systems, rng.permutation(len(data.human)), marks)
        alarms += bool(found.warnings)
        for (system, metric), real in truth.items():
            one = found[system][metric]
            worth[system, metric].append(one.worth)
            for method in METHODS:
                score = one.methods[method]
                if score.low is None or score.high is None:
                    continue
                held[system, metric, method] += score.low <= real <= score.high
                width[system, metric, method] += score.high - score.low
    naive = corrected(data, judge, systems, np.arange(len(data.human)), marks)
    rows = [
        Row(
            system, metric, real, naive[system][metric].naive,
            {method: held[system, metric, method] / draws for method in METHODS},
            {
                method: width[system, metric, method] / width[system, metric, "human"]
                for method in METHODS
            },
            float(np.median(worth[system, metric])),
        )
        for (system, metric), real in truth.items()
    ]  # fmt: skip
    noticed = easy_items_noticed(data, judge, systems, marks=marks, draws=min(draws, 100))
    return Board(name, len(data.human), judge, rows, noticed, alarms / draws)


def easy_items_noticed(
    data: Marked, judge: str, systems: list[str], *, marks: int, draws: int
) -> float:
    """Return how often there is a warning if humans mark only items of the easier half: most systems are right."""
    rng = np.random.default_rng(1)
    right = np.mean([answers == data.human for answers in data.answers.values()], axis=0)
    noticed = 0
    for _ in range(draws):
        order = np.argsort(-right + 1e-9 * rng.random(len(right)), kind="stable")
        half = len(order) // 2
        easy = rng.permutation(order[:half])
        noticed += bool(
            corrected(data, judge, systems, np.concatenate([easy, order[half:]]), marks).warnings
        )
    return noticed / draws


def lines(boards: list[Board], *, draws: int, marks: int) -> Iterator[str]:
    """Write the boards in Markdown."""
    yield "# Corrected scores on real data"
    yield ""
    yield (
        f"Written by `make corrected`. {marks} items with human marks were drawn {draws} times; on all others one of "
        "the systems, the most accurate one, was the judge. Coverage is the share of the draws in which the 95% "
        "interval of `oe.judge.correct_scores` held the score on all human marks. Width is the mean width of the "
        "intervals divided by that of the human marks alone, and worth the number of human marks alone that would give "
        "as narrow an interval. The judge as gold is far off. Rogan-Gladen presumes that the judge's errors do not "
        "depend on the system's answer; those of real judges do."
    )
    for board in boards:
        yield ""
        yield f"## {board.name}"
        yield ""
        yield f"{board.items:,} items; the judge is {board.judge}."
        yield ""
        yield from table(board, SHOWN)
        yield ""
        for method in SHOWN:
            cells = [row.coverage[method] for row in board.rows]
            inside = sum(0.93 <= cell <= 0.97 for cell in cells)
            narrower = sum(row.width[method] < 1 for row in board.rows)
            yield (
                f"{NAMES[method]}: mean coverage {100 * np.mean(cells):.1f}%, {inside} of {len(cells)} within 93 to "
                f"97%, {narrower} narrower than the human marks alone."
            )
            yield ""
        yield (
            f"Where humans marked only items of the easier half, there was a warning in {100 * board.noticed:.0f}% of "
            f"the draws; of random draws, in {100 * board.false_alarms:.1f}%."
        )
        yield ""
        yield "Other methods:"
        yield ""
        yield from table(board, OTHERS)


def table(board: Board, methods: tuple[str, ...]) -> Iterator[str]:
    """Write the coverage and the width of some methods; beside the first ones also what judge and humans say."""
    first = methods == SHOWN
    columns = [f"{NAMES[method]}: coverage | width" for method in methods]
    columns = ["judge as gold", "all human marks", *columns, "worth"] if first else columns
    yield f"| system | measure | {' | '.join(columns)} |"
    yield "|---|---|" + "---:|" * (2 * len(methods) + 3 * first)
    for row in board.rows:
        numbers = [
            f"{100 * row.coverage[method]:.1f}% | {row.width[method]:.2f}" for method in methods
        ]
        if first:
            numbers = [f"{row.naive:.3f}", f"{row.truth:.3f}", *numbers, f"{row.worth:.0f}"]
        yield f"| {row.system} | {oe.registry[row.metric].name} | {' | '.join(numbers)} |"


def main() -> None:
    """Do what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.corrected", description=__doc__)
    parser.add_argument("sets", nargs="*", help=f"{', '.join(SETS)}; all unless told")
    parser.add_argument("--draws", type=int, default=300)
    parser.add_argument("--marks", type=int, default=300)
    parser.add_argument("--page", type=Path, help="also write the board to this file")
    arguments = parser.parse_args()
    if not DATA.is_dir():
        sys.exit("../shared/data is absent, and the board is made of its data.")
    boards = [
        board_of(name, draws=arguments.draws, marks=arguments.marks)
        for name in arguments.sets or SETS
    ]
    text = "\n".join(lines(boards, draws=arguments.draws, marks=arguments.marks)) + "\n"
    print(text, end="")
    if arguments.page:
        write_page(arguments.page, text)


if __name__ == "__main__":
    main()
