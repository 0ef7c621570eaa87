"""The parts that an evaluation and a comparison have in common: one score, and the JSON of the contract."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ordeval.__about__ import __version__
from ordeval.comparison.cells import Array
from ordeval.comparison.scores import RunScores
from ordeval.formats.old_layout import number
from ordeval.inputs.policy import Policy
from ordeval.scale import Scale

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Score:
    """One measure of one system: NaN where undefined, no ends where there is no interval, and the reason for either."""

    metric: str
    value: float
    low: float | None = None
    high: float | None = None
    error: float | None = None
    undefined: int = 0  # resamples without a value
    reason: str | None = None

    def __str__(self) -> str:
        """Return the value and its interval in brackets."""
        ends = (
            ""
            if self.low is None or self.high is None
            else f" [{number(self.low)}, {number(self.high)}]"
        )
        return f"{self.metric} {number(self.value)}{ends}"

    def to_dict(self) -> dict[str, Any]:
        """Return the score for JSON: undefined is None, with a reason."""
        content: dict[str, Any] = {
            "value": or_none(self.value),
            "low": self.low,
            "high": self.high,
            "error": self.error,
        }
        if self.undefined:
            content["undefined_resamples"] = self.undefined
        if self.reason is not None:
            content["reason"] = self.reason
        return content


def or_none(value: float | None) -> float | None:
    """Return a plain float, None for NaN."""
    return None if value is None or math.isnan(value) else float(value)


def score_of(scores: RunScores, metric: int, system: int) -> Score:
    """Return one score of many."""
    low = None if scores.low is None else or_none(scores.low[metric, system])
    high = None if scores.high is None else or_none(scores.high[metric, system])
    name = scores.metrics[metric]
    return Score(
        name,
        float(scores.values[metric, system]),
        low,
        high,
        or_none(scores.error[metric, system]),
        int(scores.undefined[metric, system]),
        scores.reasons.get((name, scores.systems[system])),
    )


def plain(count: float) -> float | int:
    """Return a whole number of items as int, and a weight as it is."""
    return int(count) if float(count).is_integer() else float(count)


def head(
    command: str,
    *,
    scale: Scale,
    policy: Policy,
    cells: Array,
    cases: int,
    ignored: Mapping[str, int],
    touched: Mapping[str, int],
) -> dict[str, Any]:
    """Return what every result's JSON begins with."""
    policies = {
        "missing": policy.missing,
        "unknown": policy.unknown,
        "duplicates": policy.duplicates,
    }
    if policy.gold_missing != "error":
        policies["gold_missing"] = policy.gold_missing
    left_out = {"not_in_gold": 0, "duplicate": 0, "unreadable": 0} | {
        name: int(n) for name, n in ignored.items()
    }
    return {
        "schema": SCHEMA,
        "ordeval": __version__,
        "command": command,
        "scale": {"labels": list(scale.labels), "values": list(scale.values)},
        "policy": policies,
        "input": {
            "items": plain(cells[0].sum()),
            "cases": cases,
            "ignored": left_out,
            "touched": {"missing": 0, "unknown": 0, **touched},
        },
    }


def interval_content(scores: RunScores) -> dict[str, Any] | None:
    """Return how the intervals were made."""
    if scores.level is None:
        return None
    return {
        "level": scores.level,
        "method": scores.method,
        "resamples": scores.n_resamples,
        "resampled": scores.resample,
        "distribution": scores.distribution,
        "seed": scores.seed,
    }


def systems_content(scores: RunScores, cells: Array) -> list[dict[str, Any]]:
    """Return each system's scores, and each test case's; `cells` are [system, case, gold, answer]."""
    k = cells.shape[-2]
    items, answered = cells.sum(axis=(-1, -2)), cells[..., :k].sum(axis=(-1, -2))
    content = []
    for s, name in enumerate(scores.systems):
        whole = {m: score_of(scores, i, s).to_dict() for i, m in enumerate(scores.metrics)}
        system: dict[str, Any] = {
            "name": name,
            "answered": plain(answered[s].sum()),
            "items": plain(items[s].sum()),
            "scores": whole,
        }
        system["cases"] = [
            {"case": case, "items": plain(items[s, c]), "scores": case_scores(scores, s, c)}
            for c, case in enumerate(scores.cases)
        ]
        content.append(system)
    return content


def case_scores(scores: RunScores, system: int, case: int) -> dict[str, Any]:
    """Return the scores of one system in one case."""
    found: dict[str, Any] = {}
    for m, name in enumerate(scores.metrics):
        value = or_none(scores.case_values[m, system, case])
        found[name] = {"value": value}
        if value is None:
            found[name]["reason"] = f"undefined when {scores.measures[name].undefined_when}"
    return found


def many(count: float, one: str, more: str | None = None) -> str:
    """Write a number of things, one or more."""
    return f"{plain(count):,} {one if count == 1 else more or one + 's'}"


def policy_words(policy: Policy, cells: Array) -> str:
    """Say under which policy missing answers were scored, and how many there were."""
    missed = plain(cells[..., -1].sum())
    meaning = {
        "error": "no answer is missing",
        "zero": "a missing answer earns nothing",
        "farthest": "a missing answer counts as the farther end of the scale",
        "drop": "an item without an answer is left out",
    }[policy.missing]
    return f"missing='{policy.missing}': {meaning}" + (f" ({missed:,} missing)" if missed else "")
