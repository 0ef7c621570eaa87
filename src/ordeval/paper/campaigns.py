"""The right half of table 3 on the sets that are available, whose systems are not the paper's; the results say so."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ordeval.aliases import Progress
from ordeval.errors import DataError
from ordeval.formats.numbers import interval, number
from ordeval.meta.coverage import Coverage, coverage
from ordeval.meta.per_measure import Difference
from ordeval.meta.ranking import Array
from ordeval.meta.robustness import Robustness, robustness
from ordeval.meta.values import read_values
from ordeval.metrics import registry
from ordeval.paper.printed import CAMPAIGNS, MEASURES, TABLE3
from ordeval.paper.reproduction import Conclusion
from ordeval.progress import each
from ordeval.properties.words import ordinal
from ordeval.runs import Runs
from ordeval.stats.streams import read_generator
from ordeval.ties import TIE

NEAR = 0.02  # the paper's closeness measure is best in four columns and 0.01 behind in two
LOWEST = 3  # 'poor': among the three lowest of the 15 measures


@dataclass(frozen=True)
class DataSet:
    """A set in a data folder: where it lies, what its systems are, and which column of table 3 it is compared with."""

    key: str
    title: str
    gold: str
    systems: str
    kind: str  # surrogate, real or one run
    column: str | None = None
    # random tenths, as the paper does for SemEval, in place of the file's own cases
    pooled: bool = True


SETS = (
    DataSet(
        "sem2014_t9a", "SemEval 2014 task 9 A, surrogate systems", "semeval2014_task9/gold_A.csv.gz",
        "semeval_surrogate_systems/systems_2014A.csv.gz", "surrogate", "sem2014_t9a",
    ),
    DataSet(
        "sem2014_t9b", "SemEval 2014 task 9 B, surrogate systems", "semeval2014_task9/gold_B.csv.gz",
        "semeval_surrogate_systems/systems_2014B.csv.gz", "surrogate", "sem2014_t9b",
    ),
    DataSet(
        "sem2015_t10b", "SemEval 2015 task 10 B, surrogate systems", "semeval2015_task10/gold_B.csv.gz",
        "semeval_surrogate_systems/systems_2015B.csv.gz", "surrogate", "sem2015_t10b",
    ),
    DataSet(
        "sem2015_t10c", "SemEval 2015 task 10 C, surrogate systems", "semeval2015_task10/gold_C.csv.gz",
        "semeval_surrogate_systems/systems_2015C.csv.gz", "surrogate", "sem2015_t10c",
    ),
    DataSet(
        "rusentne_en", "RuSentNE 2023, English, language models", "rusentne2023_llm/gold_en.csv.gz",
        "rusentne2023_llm/systems_en.csv.gz", "real",
    ),
    DataSet(
        "rusentne_ru", "RuSentNE 2023, Russian, language models", "rusentne2023_llm/gold_ru.csv.gz",
        "rusentne2023_llm/systems_ru.csv.gz", "real",
    ),
    DataSet(
        "llmjudge", "LLMJudge 2024, submitted judges", "llmjudge2024/gold.csv.gz",
        "llmjudge2024/systems.csv.gz", "real", pooled=False,
    ),
    DataSet(
        "replab2013", "RepLab 2013 polarity, one run", "replab2013_polarity/gold.csv.gz",
        "replab2013_polarity/systems.csv.gz", "one run", "replab2013", pooled=False,
    ),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Measured:
    """Coverage and robustness of the 15 measures on one set."""

    data_set: DataSet
    items: int
    systems: int
    cases: int
    coverage: Coverage
    robustness: Robustness

    @property
    def conclusions(self) -> tuple[Conclusion, ...]:
        """The paper's three conclusions, judged on this set."""
        order = self.coverage.order
        best, cem = order[0], self.coverage["cem_ord"]
        behind = self.coverage[best] - cem
        if best == "cem_ord":
            standing = f"best of {len(order)} ({number(cem)})"
        else:
            ends = with_interval(self.coverage.difference(best, "cem_ord"))
            place = order.index("cem_ord") + 1
            standing = f"place {place} of {len(order)}, {number(behind)} behind {best} ({ends})"
        above_flat = self.coverage.difference("cem_ord", "cem_ord_flat")
        from_bottom = len(order) - order.index("accuracy_within")
        within = number(self.coverage["accuracy_within"])
        return (
            Conclusion("cem_ord at or near the top", behind < NEAR + TIE, standing),
            Conclusion(
                "cem_ord_flat below it",
                above_flat.value >= TIE,
                f"by {number(above_flat.value)} ({with_interval(above_flat)})",
            ),
            Conclusion(
                "accuracy_within poor",
                from_bottom <= LOWEST,
                f"{ordinal(from_bottom)} from the bottom, {within}",
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain Python objects."""
        rows = {}
        for name in MEASURES:
            ends = self.coverage.interval(name)
            rows[name] = {
                "paper": None if self.data_set.column is None else TABLE3[name][self.data_set.column],
                "coverage": self.coverage[name], "low": ends.low, "high": ends.high,
                "robustness": self.robustness[name],
            }  # fmt: skip
        head = {
            "key": self.data_set.key,
            "title": self.data_set.title,
            "systems_are": self.data_set.kind,
        }
        return {
            **head,
            "items": self.items,
            "systems": self.systems,
            "cases": self.cases,
            "metrics": rows,
            "conclusions": [vars(one) for one in self.conclusions],
        }


def with_interval(difference: Difference) -> str:
    """Write the interval of a difference, and whether the difference is significant."""
    verdict = "significant" if difference.told_apart else "not significant"
    return f"{interval(difference.low, difference.high)}: {verdict}"


@dataclass(frozen=True, eq=False)
class OneRun:
    """A set with one run: there are no pairs of systems, so only the scores per case."""

    data_set: DataSet
    items: int
    cases: int
    sizes: tuple[int, int]  # the smallest and the largest case
    scores: Array  # [measure, case]

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain Python objects."""
        rows = {
            name: {
                "mean": float(row.mean()),
                "lowest": float(row.min()),
                "highest": float(row.max()),
            }
            for name, row in zip(MEASURES, self.scores, strict=True)
        }
        head = {
            "key": self.data_set.key,
            "title": self.data_set.title,
            "systems_are": self.data_set.kind,
        }
        return {**head, "items": self.items, "systems": 1, "cases": self.cases, "scores": rows}


def measure_folder(
    folder: str | Path,
    *,
    parts: int = 10,
    repeats: int = 10,
    resamples: int = 499,
    rng: Any = 0,
    progress: Progress = None,
) -> tuple[Measured | OneRun, ...]:
    """Measure every set that the folder has, and skip sets that it does not have."""
    return tuple(
        measure_set(one, Path(folder), parts=parts, repeats=repeats, resamples=resamples, rng=rng)
        for one, _ in each(sets_in(folder), progress)
    )


def sets_in(folder: str | Path, sets: Sequence[DataSet] = SETS) -> list[DataSet]:
    """Return those of the sets that the folder has."""
    root = Path(folder)
    present = [
        one for one in sets if (root / one.gold).is_file() and (root / one.systems).is_file()
    ]
    if not present:
        wanted = ", ".join(one.gold for one in sets[:3])
        raise DataError(
            f"the folder {str(folder)!r} has none of the data sets; it should contain {wanted} and so on."
        )
    return present


def read_set(data_set: DataSet, root: Path) -> Runs:
    """Read one set; an item without an answer earns nothing."""
    gold, systems = str(root / data_set.gold), str(root / data_set.systems)
    return Runs.from_files(gold, systems, missing="zero")


def measure_set(
    data_set: DataSet, root: Path, *, parts: int, repeats: int, resamples: int, rng: Any
) -> Measured | OneRun:
    """Measure one set."""
    runs = read_set(data_set, root)
    if len(runs.systems) == 1:
        table = runs.table
        scores = np.stack([np.asarray(registry[name].of_table(table))[0] for name in MEASURES])
        sizes = table.gold[0].sum(axis=-1)
        ends = int(sizes.min()), int(sizes.max())
        return OneRun(data_set, int(runs.n), len(runs.cases), ends, scores)
    if data_set.pooled:
        runs = runs.pooled()
    generator = read_generator(rng)
    scored = read_values(runs, list(MEASURES), parts=parts, repeats=repeats, rng=generator)
    drawn: dict[str, Any] = {"resamples": resamples, "rng": generator}
    covered = coverage(scored, over=("systems", "both"), **drawn)
    robust = robustness(scored, **drawn)
    return Measured(data_set, int(runs.n), len(runs.systems), len(scored.cases), covered, robust)


# The gold standard of 2015 A could not be found; this is the number of items in its unlabelled input.
WITHOUT_GOLD = {"sem2015_t10a": 3092}


def counts_beside(sets: Sequence[Measured | OneRun]) -> list[dict[str, Any]]:
    """Return the paper's item counts beside the files', and the file whose count comes nearest."""
    counts = {one.data_set.key: one.items for one in sets if one.data_set.column} | WITHOUT_GOLD
    rows = []
    for key, campaign in CAMPAIGNS.items():
        nearest = min(counts, key=lambda name, target=campaign.items: abs(counts[name] - target))  # type: ignore[misc]
        rows.append(
            {
                "column": key, "paper_items": campaign.items, "paper_systems": campaign.systems,
                "items": counts.get(key), "matches": counts.get(key) == campaign.items,
                "nearest": nearest, "nearest_items": counts[nearest],
            }
        )  # fmt: skip
    return rows
