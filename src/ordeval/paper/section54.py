"""The robustness figures of section 5.4: how alike a measure ranks the systems from case to case."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.meta.display import number
from ordeval.meta.ranking import Array
from ordeval.meta.robustness import robustness_of_values
from ordeval.meta.values import read_values
from ordeval.paper.beside import Reproduction, Section, plainly
from ordeval.paper.campaigns import Measured, OneRun, measured
from ordeval.paper.printed import MEASURES, ROBUSTNESS
from ordeval.simulate import paper as paper_collection

SCHEMA = 1


@dataclass(frozen=True, eq=False, repr=False)
class RobustnessFigures(Reproduction):
    """Robustness of the 15 measures on the synthetic collection and on the sets of a data folder."""

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

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python objects."""
        rows = []
        for at, name in enumerate(MEASURES):
            ours = float(self.over_sets[at])
            rows.append(
                {
                    "metric": name, "paper": ROBUSTNESS.get(name), "ours": None if np.isnan(ours) else ours,
                    "sets": {one.of.key: one.robustness[name] for one in self.sets},
                    "synthetic": float(self.synthetic[:, at].mean()),
                    "synthetic_spread": float(self.synthetic[:, at].std(ddof=1)) if len(self.synthetic) > 1 else None,
                }
            )  # fmt: skip
        return dict(plainly({"schema": SCHEMA, "kind": "robustness", "rows": rows}))

    def parts(self) -> list[Section]:
        """Return the table and what it shows."""
        rows = []
        for row in self.to_dict()["rows"]:
            gap = (
                None if row["paper"] is None or row["ours"] is None else row["ours"] - row["paper"]
            )
            each = [number(row["sets"][one.of.key]) for one in self.sets]
            synthetic = f"{number(row['synthetic'], 3)} ± {number(row['synthetic_spread'], 3)}"
            rows.append(
                [
                    row["metric"],
                    number(row["paper"]),
                    number(row["ours"]),
                    number(gap, sign=True),
                    *each,
                    synthetic,
                ]
            )
        columns = [
            "measure",
            "paper",
            "mean of sets",
            "difference",
            *(one.of.key for one in self.sets),
            "synthetic ± over seeds",
        ]
        note = (
            "The paper prints six of these, over its campaigns together; its systems are not public, so the "
            "sets here are "
            "others. The synthetic column has no printed number."
        )
        return [
            Section("The figures beside ours", columns, rows, note),
            *([self.findings()] if self.sets else []),
        ]

    def findings(self) -> Section:
        """Say whether the paper's statements hold on our sets."""
        names, ours = list(MEASURES), self.over_sets
        order = [names[at] for at in np.argsort(-ours, kind="stable")]
        value = dict(zip(names, ours.tolist(), strict=True))
        wins = sum(one.robustness["cem_ord"] > one.robustness["cem_ord_flat"] for one in self.sets)
        said = [
            (
                "cem_ord is among the most robust", value["cem_ord"] >= ours.max() - 0.005,
                f"place {order.index('cem_ord') + 1}, {value['cem_ord']:.3f}; highest {order[0]} {ours.max():.3f}",
            ),
            (
                "accuracy_within and macro_mae are the least robust",
                {"accuracy_within", "macro_mae"} == set(order[-2:]),
                f"lowest {order[-1]} {value[order[-1]]:.3f} and {order[-2]} {value[order[-2]]:.3f}",
            ),
            (
                "cem_ord is more robust than cem_ord_flat", value["cem_ord"] > value["cem_ord_flat"],
                f"{value['cem_ord']:.3f} and {value['cem_ord_flat']:.3f}; in {wins} of {len(self.sets)} sets",
            ),
        ]  # fmt: skip
        rows = [[what, "holds" if holds else "does not hold", why] for what, holds, why in said]
        return Section(
            "Whether the statements hold on our sets", ["statement", "", "evidence"], rows
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
) -> RobustnessFigures:
    """Return the robustness figures of section 5.4.

    `data` is a folder of sets, or `sets` is what `table3` measured there.
    """
    names = tuple(MEASURES)
    found = []
    for seed in range(rng, rng + seeds):
        scored = read_values(paper_collection(seed), names)
        found.append(robustness_of_values(scored, names).values)
    there = (
        sets
        if sets is not None
        else ()
        if data is None
        else measured(data, repeats=repeats, resamples=resamples, rng=rng)
    )
    return RobustnessFigures(
        np.stack(found), tuple(one for one in there if isinstance(one, Measured))
    )
