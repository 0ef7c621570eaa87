"""Table 3, coverage of 15 measures: the printed numbers beside ours, with the spread over seeds."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.errors import ParameterError
from ordeval.meta.display import number
from ordeval.meta.ranking import Array
from ordeval.paper.beside import Reproduction, Section, plainly
from ordeval.paper.campaigns import Measured, OneRun, measured
from ordeval.paper.findings import findings_left, findings_right
from ordeval.paper.printed import MEASURES, SYNTHETIC_COLUMNS, TABLE3
from ordeval.paper.synthetic import SUSPECTS, Choice, Exchange, choices, exchanges, left_half

SCHEMA = 1


@dataclass(frozen=True, eq=False, repr=False)
class Table3(Reproduction):
    """Both halves of table 3: ours[seed, measure, column] on synthetic data, and the sets of a data folder."""

    title = "Table 3: coverage of accuracy, Kendall and mutual information"
    seeds: tuple[int, ...]
    ours: Array
    end: str
    errors: str
    undefined: str
    choices: tuple[Choice, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    further: tuple[Exchange, ...] = ()  # after the first exchange
    sets: tuple[Measured | OneRun, ...] = ()

    @property
    def mean(self) -> Array:
        """Ours, averaged over the seeds: [measure, column]."""
        return np.asarray(self.ours.mean(axis=0))

    @property
    def spread(self) -> Array:
        """The standard deviation over the seeds; NaN for one seed."""
        if len(self.ours) < 2:
            return np.full(self.ours.shape[1:], np.nan)
        return np.asarray(self.ours.std(axis=0, ddof=1))

    def rows(self) -> list[dict[str, Any]]:
        """Return one row for each measure: for each column the paper's number, ours, the difference and the spread."""
        rows = []
        measured_sets = [one for one in self.sets if isinstance(one, Measured) and one.of.column]
        for at, (name, printed) in enumerate(MEASURES.items()):
            columns: dict[str, Any] = {}
            for where, column in enumerate(SYNTHETIC_COLUMNS):
                paper, ours = TABLE3[name][column], float(self.mean[at, where])
                spread = float(self.spread[at, where])
                columns[column] = beside(paper, ours, None if np.isnan(spread) else spread)
            for one in measured_sets:
                key = str(one.of.column)
                spread = float(one.coverage.spread[one.coverage.at(name)])
                columns[key] = beside(TABLE3[name][key], one.coverage[name], spread)
                columns[key]["systems_are"] = one.of.kind
            rows.append({"metric": name, "printed_as": printed, "columns": columns})
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python objects."""
        content = {
            "schema": SCHEMA,
            "kind": "table3",
            "rows": self.rows(),
            "seeds": list(self.seeds),
            "settings": {"end": self.end, "errors": self.errors, "undefined": self.undefined},
            "choices": [vars(one) for one in self.choices],
            "exchanges": [vars(one) | {"gain": one.gain} for one in self.exchanges[:5]],
            "exchanges_after_the_first": [
                vars(one) | {"gain": one.gain} for one in self.further[:3]
            ],
            "sets": [one.to_dict() for one in self.sets],
        }
        return dict(plainly(content))

    def left(self) -> Section:
        """Return the left half: in each cell the paper's number, ours, and the difference."""
        rows = []
        for row in self.rows():
            cells = [row["columns"][column] for column in SYNTHETIC_COLUMNS]
            shown = [
                f"{c['paper']:.2f} {c['ours']:.2f} {number(c['difference'], sign=True)}"
                for c in cells
            ]
            spreads = [c["spread"] for c in cells if c["spread"] is not None]
            largest = f"{max(spreads):.3f}" if spreads else "-"
            rows.append([row["printed_as"], row["metric"], *shown, largest])
        note = (
            f"In each cell: paper, ours, difference. Ours is the mean over {len(self.seeds)} seeds; the last "
            f"column is the "
            f"largest standard deviation over seeds in the row. Settings: end={self.end!r}, errors={self.errors!r}, "
            f"undefined={self.undefined!r}."
        )
        return Section(
            "Left half: synthetic data",
            ["row", "measure", *SYNTHETIC_COLUMNS, "spread"],
            rows,
            note,
        )

    def parts(self) -> list[Section]:
        """Return the table and everything found out about it."""
        return [self.left(), *findings_left(self), *findings_right(self.sets)]

    def __repr__(self) -> str:
        off = np.mean(
            [abs(cell["difference"]) for row in self.rows() for cell in row["columns"].values()]
        )
        return f"<table3: {len(self.seeds)} seeds, {len(self.sets)} sets, {off:.3f} off the printed numbers on average>"


def beside(paper: float, ours: float, spread: float | None) -> dict[str, Any]:
    """Put a printed number and ours into one cell."""
    return {"paper": paper, "ours": ours, "difference": ours - paper, "spread": spread}


def table3(
    data: Any = None,
    *,
    seeds: int = 10,
    end: str = "keep",
    errors: str = "bernoulli",
    undefined: str = "omit",
    explore: bool = True,
    rng: int = 0,
    repeats: int = 10,
    resamples: int = 499,
) -> Table3:
    """Return table 3: the synthetic half over `seeds` seeds from `rng` on, and the sets of the folder `data`, if given.

    `explore` also tries the other ways to decide the points that the paper leaves open. A column of the right half is
    another set of systems than the paper's, whose submissions are not public.
    """
    if seeds < 1:
        raise ParameterError(f"seeds is {seeds!r}; it must be a whole number, 1 or more.")
    listed = tuple(range(rng, rng + seeds))
    ours = np.stack(
        [left_half(seed, end=end, errors=errors, undefined=undefined) for seed in listed]
    )
    return Table3(
        listed,
        ours,
        end,
        errors,
        undefined,
        choices(listed) if explore else (),
        exchanges(ours),
        exchanges(ours, SUSPECTS),
        () if data is None else measured(data, repeats=repeats, resamples=resamples, rng=rng),
    )
