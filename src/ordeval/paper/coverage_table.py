"""Table 3, coverage of 15 measures: the printed numbers beside ours, with the spread over seeds."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.aliases import Progress
from ordeval.errors import ParameterError, spelled
from ordeval.formats.document import Section
from ordeval.formats.json import ready
from ordeval.formats.sheet import Column, Kind, Sheet, value_sheet
from ordeval.meta.ranking import Array
from ordeval.paper.campaigns import Measured, OneRun, measure_folder
from ordeval.paper.findings import findings_left, findings_right
from ordeval.paper.printed import MEASURES, SYNTHETIC_COLUMNS, TABLE3
from ordeval.paper.reproduction import Reproduction, three_numbers
from ordeval.paper.synthetic import SUSPECTS, Choice, Exchange, choices, exchanges, left_half
from ordeval.progress import each, portion


@dataclass(frozen=True, eq=False, repr=False)
class Table3(Reproduction):
    """Both halves of table 3: ours[seed, measure, column] on synthetic data, and the sets of a data folder."""

    kind = "table3"
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
        beside_a_column = [
            one for one in self.sets if isinstance(one, Measured) and one.data_set.column
        ]
        for at, (name, printed) in enumerate(MEASURES.items()):
            columns: dict[str, Any] = {}
            for where, column in enumerate(SYNTHETIC_COLUMNS):
                paper, ours = TABLE3[name][column], float(self.mean[at, where])
                columns[column] = beside(paper, ours, float(self.spread[at, where]))
            for one in beside_a_column:
                key = str(one.data_set.column)
                spread = float(one.coverage.spread[one.coverage.at(name)])
                columns[key] = beside(TABLE3[name][key], one.coverage[name], spread)
                columns[key]["systems_are"] = one.data_set.kind
            rows.append({"metric": name, "printed_as": printed, "columns": columns})
        return list(ready(rows))

    def content(self) -> dict[str, Any]:
        """Return everything, as JSON has it below its first keys."""

        def with_gain(exchange: Exchange) -> dict[str, Any]:
            return vars(exchange) | {"gain": exchange.gain}

        return {
            "rows": self.rows(),
            "seeds": self.seeds,
            "settings": {"end": self.end, "errors": self.errors, "undefined": self.undefined},
            "choices": [vars(one) for one in self.choices],
            "exchanges": [with_gain(one) for one in self.exchanges[:5]],
            "exchanges_after_the_first": [with_gain(one) for one in self.further[:3]],
            "sets": [one.to_dict() for one in self.sets],
        }

    def sheet(self) -> Sheet:
        """Return the left half: in each cell the paper's number, ours, and the difference."""
        columns = [
            Column("row"),
            Column("measure"),
            *(Column(name, Kind.NUMBER) for name in SYNTHETIC_COLUMNS),
            Column("spread", Kind.NUMBER),
        ]
        rows = []
        for (name, printed), ours, spread in zip(
            MEASURES.items(), self.mean, self.spread, strict=True
        ):
            texts = [
                three_numbers(TABLE3[name][column], float(value))
                for column, value in zip(SYNTHETIC_COLUMNS, ours, strict=True)
            ]
            rows.append([printed, name, *texts, float(spread.max())])
        return value_sheet(columns, rows)

    def sections(self) -> list[Section]:
        """Return the table, and the tables and sentences about it."""
        note = (
            f"Each cell has the paper's number, ours, and the difference. Ours is the mean over {len(self.seeds)} "
            f"seeds; the last column is the largest standard deviation over seeds in the row. Settings: "
            f"end={self.end!r}, errors={self.errors!r}, undefined={self.undefined!r}."
        )
        left = Section("Left half: synthetic data", self.sheet(), note=note)
        return [left, *findings_left(self), *findings_right(self.sets)]

    def __repr__(self) -> str:
        off = np.mean(
            [abs(cell["difference"]) for row in self.rows() for cell in row["columns"].values()]
        )
        return f"<table3: {len(self.seeds)} seeds, {len(self.sets)} sets, {off:.3f} off the printed numbers on average>"


def beside(paper: float, ours: float, spread: float) -> dict[str, Any]:
    """Return a printed number, ours, the difference and the spread over seeds."""
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
    progress: Progress = None,
) -> Table3:
    """Return table 3: the synthetic half over `seeds` seeds from `rng` on, and the sets of the folder `data`, if given.

    `explore` also tries the other ways to decide the points that the paper leaves open. A column of the right half is
    another set of systems than the paper's, whose submissions are not public.

    >>> oe.paper.table3(seeds=1, explore=False, resamples=0)
    <table3: 1 seeds, 0 sets, 0.037 off the printed numbers on average>
    """
    if seeds < 1:
        raise ParameterError(
            f"{spelled('seeds')} is {seeds!r}; it must be a whole number, 1 or more."
        )
    chosen = tuple(range(rng, rng + seeds))
    settings = {"end": end, "errors": errors, "undefined": undefined}
    sets: tuple[Measured | OneRun, ...] = ()
    if data is not None:  # first, because a folder without the sets is an error
        drawn: dict[str, Any] = {"repeats": repeats, "resamples": resamples, "rng": rng}
        sets = measure_folder(data, **drawn, progress=portion(progress, 0, 0.5))
        progress = portion(progress, 0.5, 1)
    # one way to decide the open points is shown, and six are tried to explore them
    half = each(chosen, portion(progress, 0, 0.15 if explore else 1))
    ours = np.stack([left_half(seed, **settings) for seed, _ in half])
    explored = choices(chosen, progress=portion(progress, 0.15, 1)) if explore else ()
    return Table3(
        chosen,
        ours,
        end,
        errors,
        undefined,
        explored,
        exchanges(ours),
        exchanges(ours, SUSPECTS),
        sets,
    )
