"""All results about a set of measures on one set of systems, and a recommendation in words."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from ordeval.aliases import Progress
from ordeval.comparison.about import about_input
from ordeval.formats.json import head, ready
from ordeval.formats.numbers import in_words, interval, number, percent
from ordeval.formats.result import Result
from ordeval.formats.sheet import PEOPLE, Cell, Column, Kind, Sheet
from ordeval.meta.coverage import Coverage, coverage
from ordeval.meta.per_measure import DIGITS, PerMeasure
from ordeval.meta.power import DiscriminativePower, discriminative_power
from ordeval.meta.resamples import read_amount
from ordeval.meta.robustness import Robustness, robustness
from ordeval.meta.split_halves import SplitHalves, split_halves
from ordeval.meta.values import CaseValues, asked, read_values
from ordeval.metrics import Family, registry, resolve
from ordeval.progress import each, portion
from ordeval.properties import PAPER, check
from ordeval.stats.streams import read_seed
from ordeval.ties import best as best_of
from ordeval.ties import same
from ordeval.vocabulary import DEFAULT_REFERENCE

PROPERTIES = tuple(one.name for one in PAPER)
HasProperty: TypeAlias = tuple[bool | None, ...]  # of PROPERTIES, one by one; None: not known
INTERVALS = "Intervals resample systems and cases for coverage, cases for robustness, systems for significant pairs."
BOLD = "Bold coverage: the best, and those that are not significantly different from it."
SHORT = ("inv", "mon", "imb")  # headings of PROPERTIES
YES_OR_NO = {True: "yes", False: "no", None: "unknown"}
SEARCH: dict[str, Any] = {"classes": 4, "items": 5, "imbalance_items": 30}  # two seconds in all
SECONDS = 5.0  # for a measure of one's own, whose function may be slow
NAMED = 4  # measures named one by one in a sentence


@dataclass(frozen=True, eq=False, repr=False)
class Study(Result):
    """Coverage, robustness, discriminative power, and the results of halves of the test cases, for each measure.

    >>> made = oe.simulate.collection(labels=3, cases=6, items=40, ratios=[0.2, 0.6])
    >>> s = oe.meta.study(made.runs, ["cem_ord", "mae"], resamples=49)
    >>> s.metrics, s.equals
    (['mae', 'cem_ord'], ['cem_ord'])
    >>> s.coverage
    Coverage(mae=0.950 best of 2 measures, systems=10, cases=6)
    """

    coverage: Coverage  # the coverage of each measure
    robustness: Robustness  # the robustness of each measure
    power: DiscriminativePower  # the discriminative power of each measure
    halves: SplitHalves  # the results of halves of the test cases
    properties: Mapping[str, HasProperty]  # by exhaustive search over small cases
    about: Mapping[str, Any]  # scale, policy and input, as JSON has them

    @property
    def metrics(self) -> list[str]:
        """The measures, best coverage first."""
        return self.coverage.order

    @property
    def intervals(self) -> bool:
        """Whether intervals were asked for."""
        return bool(self.coverage.draws)

    @property
    def tests(self) -> str:
        """What the measures rank the systems on, in words."""
        return "random parts" if self.coverage.split else "test cases"

    @property
    def equals(self) -> list[str]:
        """The measures whose coverage is not significantly different from that of the best."""
        best = self.metrics[0]
        return [
            name
            for name in self.metrics[1:]
            if self.intervals
            and np.isfinite(self.coverage[name])
            and not self.coverage.difference(best, name).told_apart
        ]

    @property
    def recommendation(self) -> str:
        """A recommendation in words, with the numbers behind it."""
        best, reference = self.metrics[0], self.coverage.reference
        basis = f"On these {self.coverage.systems} systems and {self.coverage.cases} {self.tests}"
        if np.isnan(self.coverage[best]):
            return f"{basis} coverage is undefined: {', '.join(reference)} never agree that one is better."
        sentences = [
            f"{basis} {self.best_coverage()}",
            *self.best_set(),
            self.robustness_and_power(),
        ]
        favoured = [name for name in [best, *self.equals] if name in reference]
        if favoured:
            sentences.append(
                f"Note that coverage favours the reference measures themselves: here {in_words(favoured, NAMED)}."
            )
        return " ".join(sentences)

    def best_coverage(self) -> str:
        """Say which measure covers the reference best."""
        best, reference = self.metrics[0], self.coverage.reference
        aspects = f"the {len(reference)} aspects" if len(reference) > 1 else "the aspect"
        cell = self.cell(self.coverage, best)
        value = f"{number(cell.value, DIGITS)} {interval(cell.low, cell.high, DIGITS)}".strip()
        return f"{best} covers {aspects} ({', '.join(reference)}) best ({value})."

    def best_set(self) -> list[str]:
        """Say which measures are not significantly different from the best, and which have the formal properties."""
        alike, best = self.equals, self.metrics[0]
        at_level = f"at the {self.coverage.level:.0%} level"
        sentences = []
        if alike:
            verb = "is" if len(alike) == 1 else "are"
            sentences.append(
                f"{in_words(alike, NAMED)} {verb} not significantly different from it {at_level}."
            )
        elif self.intervals and len(self.metrics) > 1:
            sentences.append(f"Every other measure covers them less well {at_level}.")
        sound = [name for name in [best, *alike] if all(self.properties[name])]
        if not sound:
            lacks = all(False in self.properties[name] for name in [best, *alike])
            subject = "None of these has all" if alike else "It lacks at least one of the"
            if not lacks:
                known = "None of these is known to have all"
                subject = known if alike else "It is not known whether it has all"
        else:
            names = in_words(sound, NAMED)
            verb = "has" if len(sound) == 1 else "have"
            subject = f"{f'Of these, {names}' if alike else names} {verb} all"
        return [*sentences, f"{subject} three formal properties."]

    def robustness_and_power(self) -> str:
        """Say how robust and discriminative the best measure is, and which measures are more so."""
        best, robust, sharp = self.metrics[0], self.robustness.order[0], self.power.order[0]
        share = percent(self.power[best])
        found = (
            f"finds {share} of the pairs of systems significantly different at {self.power.alpha:g}"
        )
        sharpest = "no measure finds more"
        if not same(self.power[sharp], self.power[best]):
            sharpest = f"the most discriminative measure is {sharp} ({percent(self.power[sharp])})"
        if math.isnan(self.robustness[robust]):
            return f"Robustness is undefined, because no two {self.tests} rank the systems. {best} {found}; {sharpest}."
        most_robust = "no measure is more robust"
        if not same(self.robustness[robust], self.robustness[best]):
            most_robust = (
                f"the most robust measure is {robust} ({number(self.robustness[robust], DIGITS)})"
            )
        correlation = f"a mean Spearman correlation of {number(self.robustness[best], DIGITS)}"
        alike = f"The rankings by {best} on two {self.tests} have {correlation}; {most_robust}."
        return f"{alike} {best} {found}; {sharpest}."

    def cell(self, part: PerMeasure, name: str, *, best: bool = False) -> Cell:
        """Return the value of a measure, with its interval if there are any."""
        if not self.intervals:
            return Cell(part[name], best=best)
        ends = part.interval(name)
        return Cell(part[name], ends.low, ends.high, best)

    def rows(self) -> list[dict[str, Any]]:
        """Return what JSON gives for each measure, as plain Python objects."""
        rows = []
        for name in self.metrics:
            at = self.coverage.at(name)
            row: dict[str, Any] = {"name": name, "coverage": self.coverage[name]}
            for over in self.coverage.draws:
                row[f"coverage_over_{over}"] = self.coverage.interval(name, over).to_dict()
            row["coverage_spread"] = self.coverage.spread[at]
            for part in (self.robustness, self.power, *self.halves):
                row[part.kind] = part[name]
                if self.intervals:
                    row[f"{part.kind}_interval"] = part.interval(name).to_dict()
            row["undefined_values"] = self.coverage.touched[at]
            row["properties"] = dict(zip(PROPERTIES, self.properties[name], strict=True))
            row["properties_in_the_paper"] = {
                one: registry[name].claims.get(one) for one in PROPERTIES
            }
            rows.append(row)
        return list(ready(rows))

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the resamples as plain Python objects."""
        covered = self.coverage
        content = {
            **head("meta"),
            **self.about,
            "kind": "meta",
            "reference": covered.reference,
            "systems": covered.systems,
            "cases": covered.cases,
            "parts_repeats": covered.repeats if covered.split else None,
            "undefined": covered.undefined,
            "level": covered.level if self.intervals else None,
            "test": self.power.to_dict() | {"metrics": None},
            "recommendation": self.recommendation,
            "indistinguishable_from_best": self.equals,
            "metrics": self.rows(),
        }
        return dict(ready(content))

    def sheet(self) -> Sheet:
        """Return a row for each measure: its values with their intervals, and its formal properties."""
        parts: tuple[PerMeasure, ...] = (self.coverage, self.robustness, self.power)
        meanings = self.meanings
        columns = [
            Column("measure"),
            *(
                Column(name, Kind.NUMBER, part.greater_is_better, DIGITS, interval=True, key=part.kind)
                for name, part in zip(("coverage", "robustness", "significant"), parts, strict=True)
            ),
            *(
                Column(name, Kind.NUMBER, part.greater_is_better, DIGITS, key=part.kind)
                for name, part in zip(("swaps", "similarity"), self.halves, strict=True)
            ),
            *(Column(name, forms=PEOPLE) for name in SHORT),
        ]  # fmt: skip
        columns = [replace(one, meaning=meanings.get(one.name, "")) for one in columns]
        tops = best_of(self.coverage.values, greater_is_better=True)
        best = {name for name, top in zip(self.coverage.metrics, tops, strict=True) if top}
        best |= set(self.equals)
        rows = [
            [
                Cell(name),
                *(self.cell(part, name, best=part.kind == "coverage" and name in best) for part in parts),
                *(Cell(part[name]) for part in self.halves),
                *(Cell(YES_OR_NO[one]) for one in self.properties[name]),
            ]
            for name in self.metrics
        ]  # fmt: skip
        caption = [*([BOLD] if best else []), *([INTERVALS] if self.intervals else [])]
        return Sheet(columns, rows, caption, lead=[self.recommendation])

    @property
    def meanings(self) -> dict[str, str]:
        """What the columns of the table hold, and how the numbers were computed."""
        test = self.power
        drawn = "test cases" if test.resample == "cases" else "items"
        how = f"a paired t test over {drawn} (correction: {test.correction})"
        splits = self.halves.swap_rate.splits
        size = f"{SEARCH['classes']} classes and {SEARCH['items']} items ({SEARCH['imbalance_items']} for imbalance)"
        covered = self.coverage.caption
        open_ones = any(None in one for one in self.properties.values())
        unknown = "; unknown: none was found that breaks it, and the search was not finished"
        unknown = unknown if open_ones else ""
        return {
            "coverage": f"{covered[0].upper()}{covered[1:]}.",
            "robustness": f"Robustness: the mean correlation of the rankings on two {self.tests}.",
            "significant": f"Significant: the share of system pairs with p <= {test.alpha:g} by {how}.",
            "swaps": f"Swaps: the share of pairs whose order is reversed between random halves of the {self.tests} "
            f"({splits:,} times).",
            "similarity": "Similarity: the mean of Kendall's tau-b between the rankings of the systems on the two "
            "halves.",
            "inv": "Inv, mon, imb: whether ordinal invariance, ordinal monotonicity and imbalance hold on all cases "
            f"up to {size}{unknown}.",
        }

    @property
    def caption(self) -> str:
        """How the numbers were computed."""
        return " ".join([*self.meanings.values(), *([INTERVALS] if self.intervals else [])])

    def __repr__(self) -> str:
        return f"Study({len(self.metrics)} measures, systems={self.coverage.systems}, best={self.metrics[0]})"


def properties_of(names: Sequence[str], progress: Progress) -> dict[str, HasProperty]:
    """Return, for each measure, which properties no small case breaks."""
    properties = {}
    for name, _ in each(names, progress):
        own = registry[name].family is Family.OWN
        verdicts = check(name, **SEARCH, budget=SECONDS if own else None)
        properties[name] = tuple(
            one.verdict == "holds" if one.complete or one.verdict == "refuted" else None
            for one in verdicts
        )
    return properties


def study(
    data: Any,
    metrics: Any = None,
    *,
    reference: Iterable[Any] = DEFAULT_REFERENCE,
    parts: int = 10,
    repeats: int = 10,
    resamples: int = 999,
    level: float | None = 0.95,
    alpha: float = 0.05,
    correction: str = "none",
    rng: Any = 0,
    undefined: str = "omit",
    progress: Progress = None,
) -> Study:
    """Evaluate measures on runs, or on a table of systems and cases, by all criteria of `ordeval.meta`.

    The criteria are those of `coverage`, `robustness`, `discriminative_power` and `split_halves`; all share one
    scoring.

    The arguments are:

    - `data`: `Runs`, or a table with the axes system and case.
    - `metrics`: the measures, or their names; by default every measure of labels.
    - `reference`: the measures whose unanimous improvements the others should follow.
    - `parts`: into how many random parts data without test cases is divided.
    - `repeats`: how often it is divided; results are means over these.
    - `resamples`: how many resamples the intervals draw; 0 leaves the intervals out.
    - `level`: the level of the intervals; None leaves the intervals out.
    - `alpha`: the level of significance for the discriminative power.
    - `correction`: how its p-values are corrected over the pairs of systems: "none", "maxt", "holm" or "bh".
    - `rng`: a seed, or a generator of NumPy; the same seed gives the same result.
    - `undefined`: what an undefined score counts as: nothing ("omit"), 0 ("zero"), or the "lowest" score of that
      measure.
    - `progress`: a function that is called with the work done and the whole.

    >>> made = oe.simulate.collection(labels=3, cases=6, items=40, ratios=[0.2, 0.6])
    >>> s = oe.meta.study(made.runs, ["cem_ord", "accuracy", "mae"], resamples=49)
    >>> s.metrics
    ['mae', 'cem_ord', 'accuracy']
    """
    read_amount(resamples, "resamples", 0)
    seed = read_seed(rng)
    reference = tuple(resolve(reference))
    generator = np.random.default_rng(seed)
    scored = read_values(
        data,
        metrics,
        also=reference,
        parts=parts,
        repeats=repeats,
        rng=generator,
        undefined=undefined,
    )
    names = asked(scored, metrics)
    drawn: dict[str, Any] = {
        "resamples": 0 if level is None else resamples,
        "level": 0.95 if level is None else level,
        "rng": generator,
    }
    power = discriminative_power(
        scored, names, alpha=alpha, correction=correction, **drawn | {"rng": seed}
    )
    return Study(
        coverage(
            scored, names, reference=reference, progress=portion(progress, 0.05, 0.5), **drawn
        ),
        robustness(scored, names, **drawn),
        power,
        split_halves(scored, names, progress=portion(progress, 0.5, 0.65), **drawn),
        properties_of(names, portion(progress, 0.65, 1)),
        {} if isinstance(data, CaseValues) else about_input(data),
    )
