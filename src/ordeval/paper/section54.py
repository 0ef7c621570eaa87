"""The robustness figures of section 5.4: how similarly a measure ranks the systems on different test cases."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.aliases import Progress
from ordeval.formats.document import Section
from ordeval.formats.numbers import number
from ordeval.formats.sheet import Column, Kind, Sheet, value_sheet
from ordeval.meta.ranking import Array
from ordeval.meta.robustness import robustness as robustness_of
from ordeval.paper.campaigns import Measured, OneRun, measure_folder
from ordeval.paper.printed import MEASURES, ROBUSTNESS
from ordeval.paper.reproduction import HOLDS, PRINTED_DIGITS, Conclusion, Reproduction
from ordeval.progress import each, portion
from ordeval.simulate import paper as paper_collection
from ordeval.ties import TIE

NEAR_THE_TOP = 0.005  # "among the most robust": what the paper's two decimals cannot show
LEAST_ROBUST = {"accuracy_within", "macro_mae"}
NOTE = (
    "The paper prints six of these numbers, each over all its campaigns. Its systems are not public, so other sets are "
    "used here. The synthetic column has no printed number."
)


@dataclass(frozen=True, eq=False, repr=False)
class RobustnessFigures(Reproduction):
    """Robustness of the 15 measures on the synthetic collection and on the sets of a data folder."""

    kind = "robustness"
    title = "Robustness (section 5.4)"

    synthetic: Array  # [seed, measure]
    sets: tuple[Measured, ...] = ()

    @property
    def over_sets(self) -> Array:
        """The mean over the sets, [measure]; NaN without any."""
        if not self.sets:
            return np.full(len(MEASURES), np.nan)
        return np.asarray(
            np.mean([[one.robustness[name] for name in MEASURES] for one in self.sets], axis=0)
        )

    @property
    def synthetic_spread(self) -> Array:
        """The standard deviation over the seeds, [measure]; NaN for one seed."""
        several = len(self.synthetic) > 1
        return self.synthetic.std(axis=0, ddof=1) if several else np.full(len(MEASURES), np.nan)

    def content(self) -> dict[str, Any]:
        """Return one row for each measure, as JSON has them below its first keys."""
        mean, spread = self.synthetic.mean(axis=0), self.synthetic_spread
        rows = [
            {
                "metric": name,
                "paper": ROBUSTNESS.get(name),
                "ours": self.over_sets[at],
                "sets": {one.data_set.key: one.robustness[name] for one in self.sets},
                "synthetic": mean[at],
                "synthetic_spread": spread[at],
            }
            for at, name in enumerate(MEASURES)
        ]
        return {"rows": rows}

    def sheet(self) -> Sheet:
        """Return the printed figures beside ours."""
        two: dict[str, Any] = {"kind": Kind.NUMBER, "digits": PRINTED_DIGITS}
        columns = [
            Column("measure"),
            Column("paper", **two),
            Column("mean of sets", **two),
            Column("difference", **two, sign=True),
            *(Column(one.data_set.key, **two) for one in self.sets),
            Column("synthetic ± over seeds", Kind.NUMBER),
        ]
        rows = []
        mean, spread = self.synthetic.mean(axis=0), self.synthetic_spread
        for at, name in enumerate(MEASURES):
            paper, ours = ROBUSTNESS.get(name), float(self.over_sets[at])
            difference = None if paper is None else ours - paper
            each = [one.robustness[name] for one in self.sets]
            synthetic = f"{number(mean[at])} ± {number(spread[at])}"
            rows.append([name, paper, ours, difference, *each, synthetic])
        return value_sheet(columns, rows)

    def sections(self) -> list[Section]:
        """Return the table, and whether the paper's statements hold on our sets."""
        table = Section("The figures beside ours", self.sheet(), note=NOTE)
        if not self.sets:
            return [table]
        columns = [Column("statement", prose=True), Column(""), Column("evidence", prose=True)]
        rows = [(one.what, HOLDS[one.holds], one.evidence) for one in self.statements]
        title = "Do the paper's statements hold on our sets?"
        return [table, Section(title, value_sheet(columns, rows))]

    @property
    def statements(self) -> tuple[Conclusion, ...]:
        """The paper's three statements, judged on our sets."""
        values = dict(zip(MEASURES, self.over_sets.tolist(), strict=True))
        order = sorted(values, key=lambda name: -values[name])
        cem, flat = values["cem_ord"], values["cem_ord_flat"]
        behind = values[order[0]] - cem
        wins = sum(
            one.robustness["cem_ord"] - one.robustness["cem_ord_flat"] >= TIE for one in self.sets
        )
        return (
            Conclusion(
                "cem_ord is among the most robust",
                behind < NEAR_THE_TOP + TIE,
                f"place {order.index('cem_ord') + 1}, {number(cem)}; highest {order[0]} {number(values[order[0]])}",
            ),
            Conclusion(
                "accuracy_within and macro_mae are the least robust",
                set(order[-2:]) == LEAST_ROBUST,
                f"lowest {order[-1]} {number(values[order[-1]])} and {order[-2]} {number(values[order[-2]])}",
            ),
            Conclusion(
                "cem_ord is more robust than cem_ord_flat",
                cem - flat >= TIE,
                f"{number(cem)} and {number(flat)}; in {wins} of {len(self.sets)} sets",
            ),
        )

    def __repr__(self) -> str:
        return f"<robustness: {len(MEASURES)} measures, {len(self.sets)} sets, {len(self.synthetic)} seeds>"


def robustness(
    data: Any = None,
    *,
    seeds: int = 10,
    rng: int = 0,
    sets: Sequence[Measured | OneRun] | None = None,
    repeats: int = 10,
    resamples: int = 499,
    progress: Progress = None,
) -> RobustnessFigures:
    """Return the robustness figures of section 5.4.

    `data` is a folder of sets, or `sets` is what `table3` measured there.

    >>> oe.paper.robustness(seeds=1, resamples=0)
    <robustness: 15 measures, 0 sets, 1 seeds>
    """
    if sets is None and data is not None:
        drawn: dict[str, Any] = {"repeats": repeats, "resamples": resamples, "rng": rng}
        sets = measure_folder(data, **drawn, progress=portion(progress, 0, 0.7))
        progress = portion(progress, 0.7, 1)
    synthetic = [
        robustness_of(paper_collection(seed), list(MEASURES), resamples=0).values
        for seed, _ in each(range(rng, rng + seeds), progress)
    ]
    return RobustnessFigures(
        np.stack(synthetic), tuple(one for one in sets or () if isinstance(one, Measured))
    )
