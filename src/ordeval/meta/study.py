"""Everything about a set of measures on one set of systems, and what it amounts to in words."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ordeval.meta.agreement import SwapRate, swap_rate_of_values
from ordeval.meta.coverage import Coverage, coverage_of_values, plain
from ordeval.meta.display import grid_html, grid_markdown, grid_text, interval, number
from ordeval.meta.power import DiscriminativePower, discriminative_power, power_of_values
from ordeval.meta.robustness import Robustness, robustness_of_values
from ordeval.meta.values import DEFAULT_REFERENCE, asked, read_values
from ordeval.metrics import registry, resolve
from ordeval.properties import PAPER, check
from ordeval.runs import Runs
from ordeval.stats.streams import read_seed

SCHEMA = 1
PROPERTIES = tuple(one.name for one in PAPER)
Marks: TypeAlias = tuple[bool, ...]
INTERVALS = "Intervals: of coverage, systems and cases drawn again; of robustness, cases; of told apart, systems"
SHORT = ("inv", "mon", "imb")
MARKS = {True: "yes", False: "no"}
SEARCH = {"classes": 4, "items": 5, "imbalance_items": 30}  # two seconds for all measures
SHOWN = 4  # measures named one by one in a sentence


@dataclass(frozen=True, eq=False, repr=False)
class Study:
    """Coverage, robustness, discriminative power and swap rate of measures on one set of systems."""

    coverage: Coverage
    robustness: Robustness
    power: DiscriminativePower
    swaps: SwapRate
    properties: Mapping[str, Marks]  # by exhaustive search over small cases

    @property
    def metrics(self) -> list[str]:
        """The measures, best coverage first."""
        return self.coverage.order

    @property
    def intervals(self) -> bool:
        """Whether intervals were asked for."""
        return bool(self.coverage.draws)

    @property
    def equals(self) -> list[str]:
        """The measures whose coverage cannot be told from the best one's, over resampled systems and cases."""
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
        """What the numbers amount to, with what they rest on."""
        found, best = self.coverage, self.metrics[0]
        over = "random parts" if found.split else "test cases"
        basis = f"On these {found.systems} systems and {found.cases} {over}"
        if np.isnan(found[best]):
            return f"{basis} coverage is undefined: {', '.join(found.reference)} never agree that one is better."
        sentences = [f"{basis} {self.about_coverage()}", *self.about_equals(), self.about_others()]
        inside = [name for name in [best, *self.equals] if name in found.reference]
        if inside:
            sentences.append(
                f"Mind that the reference measures themselves are favoured: here {listed(inside)}."
            )
        return " ".join(sentences)

    def about_coverage(self) -> str:
        """Say which measure covers the reference best."""
        found, best = self.coverage, self.metrics[0]
        several = len(found.reference) > 1
        aspects = f"the {len(found.reference)} aspects" if several else "the aspect"
        value, ends = self.cells(best)[0]
        covers = f"{value}, {ends}" if ends else value
        return f"{best} covers {aspects} ({', '.join(found.reference)}) best ({covers})."

    def about_equals(self) -> list[str]:
        """Say which measures cannot be told from the best, and which of them have the formal properties."""
        alike, best = self.equals, self.metrics[0]
        sentences = []
        if alike:
            verb = "is" if len(alike) == 1 else "are"
            sentences.append(
                f"{listed(alike)} {verb} indistinguishable from it at the {self.coverage.level:.0%} level."
            )
        elif self.intervals and len(self.metrics) > 1:
            sentences.append(
                f"Every other measure covers them less well at the {self.coverage.level:.0%} level."
            )
        whole = [name for name in [best, *alike] if all(self.properties[name])]
        verb = "has" if len(whole) < 2 else "have"
        subject = (
            f"Of these, {listed(whole)}"
            if whole and alike
            else listed(whole)
            if whole
            else "None of these"
        )
        if not (whole or alike):
            subject, verb = "It", "lacks at least one of"
            return [*sentences, f"{subject} {verb} the three formal properties."]
        return [*sentences, f"{subject} {verb} all three formal properties."]

    def about_others(self) -> str:
        """Say how robust and discriminative the best one is, and which measures are more so."""
        best, robust, sharp = self.metrics[0], self.robustness.order[0], self.power.order[0]
        apart = f"tells {number(self.power[best])} of the pairs apart at {self.power.alpha:g}"
        sharpest = f"most discriminative {sharp} ({number(self.power[sharp])})."
        if math.isnan(self.robustness[robust]):
            return f"No two test cases both rank the systems, so robustness is undefined; {best} {apart}; {sharpest}"
        alike = f"From case to case {best} ranks the systems alike with {number(self.robustness[best])} (Spearman)"
        return f"{alike}, and it {apart}; most robust is {robust} ({number(self.robustness[robust])}), {sharpest}"

    def cells(self, name: str) -> list[tuple[str, str]]:
        """Return coverage, robustness and discriminative power as text, each with its interval or with nothing."""
        found = []
        for part in (self.coverage, self.robustness, self.power):
            ends = part.interval(name) if self.intervals else None
            found.append(
                (number(part[name]), "" if ends is None else interval(ends.low, ends.high))
            )
        return found

    def rows(self) -> list[dict[str, Any]]:
        """Return one row for each measure, as plain Python objects."""
        rows = []
        for name in self.metrics:
            row: dict[str, Any] = {"name": name, "coverage": plain(self.coverage[name])}
            for over in self.coverage.draws:
                ends = self.coverage.interval(name, over)
                row[f"coverage_over_{over}"] = {"low": plain(ends.low), "high": plain(ends.high)}
            row["coverage_spread"] = plain(self.coverage.spread[self.coverage.at(name)])
            for key, part in (
                ("robustness", self.robustness),
                ("discriminative_power", self.power),
            ):
                row[key] = plain(part[name])
                if self.intervals:
                    ends = part.interval(name)
                    row[f"{key}_interval"] = {"low": plain(ends.low), "high": plain(ends.high)}
            row["swap_rate"] = plain(self.swaps[name])
            row["undefined_values"] = self.coverage.touched[self.coverage.at(name)]
            row["properties"] = dict(zip(PROPERTIES, self.properties[name], strict=True))
            row["properties_in_the_paper"] = {
                one: registry[name].claims.get(one) for one in PROPERTIES
            }
            rows.append(row)
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the resamples as plain Python objects."""
        found = self.coverage
        return {
            "schema": SCHEMA,
            "kind": "meta",
            "reference": list(found.reference),
            "systems": found.systems,
            "cases": found.cases,
            "parts_repeats": found.repeats if found.split else None,
            "undefined": found.undefined,
            "level": found.level if self.intervals else None,
            "test": self.power.to_dict() | {"metrics": None},
            "recommendation": self.recommendation,
            "indistinguishable_from_best": self.equals,
            "metrics": self.rows(),
        }

    def grid(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and the rows of the table."""
        level = [f"{self.coverage.level:.0%}"] if self.intervals else []
        columns = ["measure"]
        for name in ("coverage", "robustness", "told apart"):
            columns += [name, *level]
        rows = []
        for name in self.metrics:
            shown = [text for cell in self.cells(name) for text in cell[: 1 + self.intervals]]
            marks = [MARKS[mark] for mark in self.properties[name]]
            rows.append([name, *shown, number(self.swaps[name]), *marks])
        return [*columns, "swaps", *SHORT], rows

    @property
    def caption(self) -> str:
        """How the numbers were made."""
        found = self.coverage
        drawn = "test cases" if self.power.resample == "cases" else "items"
        test, alpha = self.power, self.power.alpha
        size = f"{SEARCH['classes']} classes and {SEARCH['items']} items ({SEARCH['imbalance_items']} for imbalance)"
        how = f"the paired bootstrap over {drawn} ({test.n_resamples:,} resamples, correction: {test.correction})"
        sentences = [
            found.caption,
            *([INTERVALS] if self.intervals else []),
            f"Told apart: the share of system pairs with p <= {alpha:g} by {how}",
            "Swaps: the share of pairs whose order turns between random halves of the cases",
            f"inv, mon, imb: ordinal invariance, ordinal monotonicity, imbalance on all cases up to {size}",
        ]
        return ". ".join(sentences) + "."

    def to_markdown(self) -> str:
        """Return the table, the recommendation and the caption as Markdown."""
        return f"{grid_markdown(*self.grid())}\n\n{self.recommendation}\n\n{self.caption}\n"

    def __repr__(self) -> str:
        return f"Study({len(self.metrics)} measures, systems={self.coverage.systems}, best={self.metrics[0]})"

    def __str__(self) -> str:
        return f"{grid_text(*self.grid())}\n\n{self.recommendation}\n\n{self.caption}"

    def _repr_html_(self) -> str:
        from html import escape

        words = f"<p>{escape(self.recommendation)}</p><p><small>{escape(self.caption)}</small></p>"
        return grid_html(*self.grid()) + words


def verdicts_of(names: Iterable[str]) -> dict[str, Marks]:
    """Search all small cases for one that breaks a property, for each measure."""
    found = {}
    for name in names:
        verdicts = check(
            name,
            classes=SEARCH["classes"],
            items=SEARCH["items"],
            imbalance_items=SEARCH["imbalance_items"],
        )
        found[name] = tuple(one.verdict == "holds" for one in verdicts)
    return found


def listed(names: list[str]) -> str:
    """Write names as a list in words, the first few of them."""
    if len(names) > SHOWN:
        names = [*names[:SHOWN], f"{len(names) - SHOWN} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


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
) -> Study:
    """Judge measures on runs, or on a table of systems and cases, in every way there is here; `str` shows it.

    The settings are those of `coverage`, `robustness`, `discriminative_power` and `swap_rate`; all share one scoring.
    `level=None` leaves the intervals out.
    """
    seed = read_seed(rng)
    names = tuple(resolve(reference))
    generator = np.random.default_rng(seed)
    scored = read_values(
        data, metrics, also=names, parts=parts, repeats=repeats, rng=generator, undefined=undefined
    )
    wanted = asked(scored, metrics)
    known = 0.95 if level is None else level
    test: dict[str, Any] = {
        "alpha": alpha,
        "correction": correction,
        "n_resamples": resamples,
        "level": known,
    }
    if scored.split and isinstance(data, Runs):
        power = discriminative_power(data, wanted, rng=seed, undefined=undefined, **test)
    else:
        power = power_of_values(scored, wanted, seed=seed, **test)
    drawn: dict[str, Any] = {
        "resamples": 0 if level is None else resamples,
        "level": known,
        "rng": generator,
    }
    return Study(
        coverage_of_values(scored, wanted, names, **drawn),
        robustness_of_values(scored, wanted, **drawn),
        power,
        swap_rate_of_values(scored, wanted, rng=generator),
        verdicts_of(wanted),
    )
