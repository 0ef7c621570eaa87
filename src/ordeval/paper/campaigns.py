"""The right half of table 3 on the sets that can be had: other systems than the paper's, and said so."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ordeval.errors import DataError
from ordeval.meta.coverage import Coverage, coverage_of_values
from ordeval.meta.ranking import Array
from ordeval.meta.robustness import Robustness, robustness_of_values
from ordeval.meta.values import DEFAULT_REFERENCE, read_values
from ordeval.metrics import registry
from ordeval.paper.printed import CAMPAIGNS, MEASURES, TABLE3
from ordeval.runs import Runs
from ordeval.stats.streams import read_generator

NEAR = 0.02  # the paper's closeness measure is best in four columns and 0.01 behind in two
LOWEST = 3  # 'poor': among the three lowest of the 15 measures


@dataclass(frozen=True)
class DataSet:
    """A set in a data folder: where it lies, what its systems are, and which column of table 3 it stands beside."""

    key: str
    title: str
    gold: str
    systems: str
    kind: str  # surrogate, real or one run
    column: str | None = None
    pooled: bool = (
        True  # random tenths, as the paper does for SemEval, in place of the file's own cases
    )


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


@dataclass(frozen=True)
class Conclusion:
    """One conclusion of the paper on one set: whether it holds, and the number that says so."""

    what: str
    holds: bool
    evidence: str


@dataclass(frozen=True, eq=False)
class Measured:
    """Coverage and robustness of the 15 measures on one set."""

    of: DataSet
    items: int
    systems: int
    cases: int
    coverage: Coverage
    robustness: Robustness

    @property
    def conclusions(self) -> tuple[Conclusion, ...]:
        """The paper's three conclusions, judged on this set."""
        order = self.coverage.order
        best, place = order[0], order.index("cem_ord") + 1
        behind = self.coverage[best] - self.coverage["cem_ord"]
        if best == "cem_ord":
            near = f"best of {len(order)} ({self.coverage['cem_ord']:.3f})"
        else:
            gap = self.coverage.difference(best, "cem_ord")
            apart = "told apart" if gap.told_apart else "not told apart"
            ends = f"{gap.low:.3f} to {gap.high:.3f}: {apart}"
            near = f"place {place} of {len(order)}, {behind:.3f} behind {best} ({ends})"
        flat = self.coverage.difference("cem_ord", "cem_ord_flat")
        apart = "told apart" if flat.told_apart else "not told apart"
        within = len(order) - order.index("accuracy_within")
        lowest = f"{within}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(within, 'th') } from the bottom"
        return (
            Conclusion("cem_ord at or near the top", behind <= NEAR, near),
            Conclusion(
                "cem_ord_flat below it",
                flat.value > 0,
                f"by {flat.value:.3f} ({flat.low:.3f} to {flat.high:.3f}: {apart})",
            ),
            Conclusion(
                "accuracy_within poor",
                within <= LOWEST,
                f"{lowest}, {self.coverage['accuracy_within']:.3f}",
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain Python objects."""
        rows = {}
        for name in MEASURES:
            ends = self.coverage.interval(name)
            rows[name] = {
                "paper": None if self.of.column is None else TABLE3[name][self.of.column],
                "coverage": self.coverage[name], "low": ends.low, "high": ends.high,
                "robustness": self.robustness[name],
            }  # fmt: skip
        said = [
            {"what": one.what, "holds": one.holds, "evidence": one.evidence}
            for one in self.conclusions
        ]
        head = {"key": self.of.key, "title": self.of.title, "systems_are": self.of.kind}
        return {
            **head,
            "items": self.items,
            "systems": self.systems,
            "cases": self.cases,
            "metrics": rows,
            "conclusions": said,
        }


@dataclass(frozen=True, eq=False)
class OneRun:
    """A set with one run: there are no pairs of systems, so only the scores per case."""

    of: DataSet
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
        head = {"key": self.of.key, "title": self.of.title, "systems_are": self.of.kind}
        return {**head, "items": self.items, "systems": 1, "cases": self.cases, "scores": rows}


def measured(
    folder: str | Path, *, parts: int = 10, repeats: int = 10, resamples: int = 499, rng: Any = 0
) -> tuple[Measured | OneRun, ...]:
    """Measure every set that the folder has; sets that it lacks are passed over."""
    root = Path(folder)
    there = [one for one in SETS if (root / one.gold).is_file() and (root / one.systems).is_file()]
    if not there:
        wanted = ", ".join(one.gold for one in SETS[:3])
        raise DataError(
            f"the folder {str(folder)!r} has none of the sets; it should hold {wanted} and so on."
        )
    settings: dict[str, Any] = {
        "parts": parts,
        "repeats": repeats,
        "resamples": resamples,
        "rng": rng,
    }
    return tuple(one_set(one, root, **settings) for one in there)


def one_set(
    of: DataSet, root: Path, *, parts: int, repeats: int, resamples: int, rng: Any
) -> Measured | OneRun:
    """Measure one set; an item without an answer earns nothing."""
    runs = Runs.from_files(str(root / of.gold), str(root / of.systems), missing="zero")
    if len(runs.systems) == 1:
        table = runs.table
        scores = np.stack([np.asarray(registry[name].of_table(table))[0] for name in MEASURES])
        sizes = table.gold[0].sum(axis=-1)
        return OneRun(
            of, int(runs.n), len(runs.cases), (int(sizes.min()), int(sizes.max())), scores
        )
    if of.pooled:
        runs = runs.pooled()
    generator = read_generator(rng)
    scored = read_values(runs, list(MEASURES), parts=parts, repeats=repeats, rng=generator)
    found = coverage_of_values(
        scored,
        scored.metrics,
        DEFAULT_REFERENCE,
        over=("systems", "both"),
        resamples=resamples,
        rng=generator,
    )
    robust = robustness_of_values(scored, scored.metrics, resamples=resamples, rng=generator)
    return Measured(of, int(runs.n), len(runs.systems), len(scored.cases), found, robust)


# Item counts from the sets' own files, and for 2015 A, whose gold could not be found, from its unlabelled input.
FILES = {"sem2015_t10a": 3092}


def known_counts(found: tuple[Measured | OneRun, ...]) -> list[dict[str, Any]]:
    """Put the paper's item counts beside the files', and name the file whose count comes nearest."""
    counts = {one.of.key: one.items for one in found if one.of.column} | FILES
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
