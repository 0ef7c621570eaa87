"""Scores of systems as JSON, a table and lines of CSV: what `evaluate` and `score` have in common."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from ordeval.cli.inputs import Scoring, progress_bar
from ordeval.cli.output import deliver, screen, to_json
from ordeval.errors import ParameterError
from ordeval.formats.old_text import (
    Cell,
    Heading,
    Sheet,
    floored,
    superscript,
    to_csv,
    to_latex,
    to_markdown,
    to_text,
)
from ordeval.metrics.registry import registry

if TYPE_CHECKING:
    from ordeval.comparison.scores import RunScores
    from ordeval.runs import Runs
    from ordeval.table import Table

Limit = tuple[str, float]
DASH = "\N{EN DASH}"
IGNORED = ("not_in_gold", "duplicate", "unreadable")
TOLD = {
    "not_in_gold": "not in gold",
    "duplicate": "repeated",
    "unreadable": "unreadable",
    "gold_missing": "without a gold label",
}

fail_under_option = click.option(
    "--fail-under",
    multiple=True,
    metavar="NAME=X",
    help="Exit with status 1 if a system's score is worse than X; may be repeated.",
)


def read_limits(texts: Sequence[str]) -> tuple[Limit, ...]:
    """Read `--fail-under cem_ord=0.7`; the name may have settings of its own."""
    limits = []
    for text in texts:
        name, mark, bound = text.rpartition("=")
        try:
            limit = float(bound) if mark else math.nan
        except ValueError:
            limit = math.nan
        if math.isnan(limit):
            raise ParameterError(
                f"--fail-under is {text!r}; it is a measure and a number, as in --fail-under cem_ord=0.7."
            )
        limits.append((str(registry[name]), limit))
    return tuple(limits)


def score(data: "Runs | Table", scoring: Scoring, limits: Sequence[Limit]) -> "RunScores":
    """Score by the measures asked for and by those that have a limit."""
    from ordeval.comparison.scores import score_runs

    names = [*scoring.metrics, *(name for name, _ in limits)]
    for name in names:
        if registry[name].from_probabilities is not None:
            raise ParameterError(
                f"{name} takes class probabilities, and these are labels. Leave it out."
            )
    with progress_bar("resampling") as progress:
        return score_runs(
            data,
            metrics=list(dict.fromkeys(names)),
            level=scoring.level,
            n_resamples=scoring.n_resamples,
            rng=scoring.seed,
            progress=progress,
        )


def common_content(
    data: "Runs | Table", scores: "RunScores", ignored: Mapping[str, int]
) -> dict[str, Any]:
    """Return what the JSON of every command over runs begins with."""
    table = data.table if hasattr(data, "table") else data
    cases = len(scores.cases)
    asked = np.asarray(table.answered.sum(axis=(-1, -2)) + table.missed.sum(axis=-1)).reshape(
        len(scores.systems), -1
    )
    answered = np.asarray(table.answered.sum(axis=(-1, -2))).reshape(len(scores.systems), -1)
    policy = table.policy
    told = {"missing": policy.missing, "unknown": policy.unknown, "duplicates": policy.duplicates}
    if policy.gold_missing != "error":
        told["gold_missing"] = policy.gold_missing
    return {
        "scale": {"labels": list(table.scale.labels), "values": list(table.scale.values)},
        "policy": told,
        "input": {
            "items": asked[0].sum().item(),
            "cases": cases,
            "ignored": {**dict.fromkeys(IGNORED, 0), **ignored},
            "touched": {"missing": 0, "unknown": 0, **table.touched},
        },
        "systems": [
            {
                "name": system,
                "answered": answered[s].sum().item(),
                "items": asked[s].sum().item(),
                "scores": {name: value_of(scores, m, s) for m, name in enumerate(scores.metrics)},
                "cases": [
                    {
                        "case": case,
                        "items": asked[s, c].item(),
                        "scores": {
                            name: case_value(scores, name, scores.case_values[m, s, c])
                            for m, name in enumerate(scores.metrics)
                        },
                    }
                    for c, case in enumerate(scores.cases)
                ],
            }
            for s, system in enumerate(scores.systems)
        ],
        **interval_facts(scores),
    }


def interval_facts(scores: "RunScores") -> dict[str, Any]:
    """Return how the intervals were made, nothing where there are none."""
    if scores.level is None:
        return {}
    return {
        "intervals": {
            "level": scores.level,
            "method": scores.method,
            "resampled": scores.resample,
            "resamples": scores.n_resamples,
            "seed": scores.seed,
        }
    }


def value_of(scores: "RunScores", m: int, s: int) -> dict[str, Any]:
    """Return one score for JSON: null with a reason where it is undefined."""
    found: dict[str, Any] = {"value": finite(scores.values[m, s])}
    if scores.low is not None and scores.high is not None:
        found |= {"low": finite(scores.low[m, s]), "high": finite(scores.high[m, s])}
    if None in found.values():
        name = scores.metrics[m]
        found["reason"] = scores.reasons.get(
            (name, scores.systems[s]), f"undefined when {registry[name].undefined_when}"
        )
    return found


def case_value(scores: "RunScores", name: str, value: float) -> dict[str, Any]:
    """Return one score in one test case for JSON."""
    if math.isfinite(value):
        return {"value": float(value)}
    return {"value": None, "reason": f"undefined when {scores.measures[name].undefined_when}"}


def finite(value: float) -> float | None:
    """Return a number, or None for one that JSON does not have."""
    return float(value) if math.isfinite(value) else None


def show_scores(
    command: str,
    data: "Runs | Table",
    scores: "RunScores",
    ignored: Mapping[str, int],
    *,
    form: str,
    output: str | None,
) -> None:
    """Write scores in the form asked for."""
    if form == "json":
        deliver(to_json(command, common_content(data, scores, ignored)), output)
        return
    content = common_content(data, scores, ignored)
    if form == "csv":
        deliver(csv_of(content, scores), output)
        return
    sheet = sheet_of(content, scores)
    if form == "markdown":
        deliver(to_markdown(sheet), output)
    elif form == "latex":
        deliver(to_latex(sheet), output)
    else:
        width = screen(output)
        deliver(to_text(sheet, width=width, colour=width is not None), output)


def csv_of(content: Mapping[str, Any], scores: "RunScores") -> str:
    """Write a line for each system: its scores and the ends of their intervals."""
    parts = ("value", "low", "high") if scores.low is not None else ("value",)
    header = ["system", "items", "answered"]
    header += [
        name if part == "value" else f"{name}_{part}" for name in scores.metrics for part in parts
    ]
    rows = [
        [system["name"], system["items"], system["answered"]]
        + [system["scores"][name][part] for name in scores.metrics for part in parts]
        for system in content["systems"]
    ]
    return to_csv(header, rows)


def sheet_of(content: Mapping[str, Any], scores: "RunScores") -> Sheet:
    """Lay out system by measure: arrows for the direction, the best bold, dashes with footnotes where undefined."""
    headings = [Heading("system", numeric=False)]
    partial = any(system["answered"] < system["items"] for system in content["systems"])
    headings += [
        Heading(name, "↑" if scores.measures[name].greater_is_better else "↓")
        for name in scores.metrics
    ]
    if partial:
        headings.insert(1, Heading("answered"))
    reasons: dict[str, str] = {}
    rows = []
    several = len(scores.systems) > 1
    best = [best_of(scores, m) if several else set() for m in range(len(scores.metrics))]
    for s, system in enumerate(content["systems"]):
        row = [Cell(system["name"])]
        if partial:
            row.append(Cell(floored(system["answered"] / max(system["items"], 1))))
        for m, name in enumerate(scores.metrics):
            row.append(cell_of(system["scores"][name], name, reasons, best=s in best[m]))
        rows.append(row)
    footnotes = [f"{mark} {reason}." for reason, mark in reasons.items()]
    return Sheet(headings, rows, caption_of(content, scores), footnotes)


def best_of(scores: "RunScores", m: int) -> set[int]:
    """Return the systems with the best score, all of them where they tie in what is shown."""
    values = (
        scores.values[m]
        if scores.measures[scores.metrics[m]].greater_is_better
        else -scores.values[m]
    )
    if np.isnan(values).all():
        return set()
    top = np.nanmax(values)
    return {int(s) for s in np.flatnonzero(np.abs(values - top) < 5e-13)}


def cell_of(score: Mapping[str, Any], name: str, reasons: dict[str, str], *, best: bool) -> Cell:
    """Lay out one score."""
    mark = ""
    if "reason" in score:
        reason = f"{name}: {score['reason']}"
        mark = reasons.setdefault(reason, superscript(len(reasons) + 1))
    if score["value"] is None:
        return Cell(DASH, mark=mark)
    beside = below = ""
    if score.get("low") is not None and score.get("high") is not None:
        beside = f"[{score['low']:.3f}, {score['high']:.3f}]"
        below = f"{score['low']:.2f}{DASH}{score['high']:.2f}"
    return Cell(f"{score['value']:.3f}", beside, best, mark, below)


def caption_of(content: Mapping[str, Any], scores: "RunScores") -> list[str]:
    """Say what was scored, under which policies, what they touched and what was left out."""
    given, policy = content["input"], content["policy"]
    labels = content["scale"]["labels"]
    shown = (
        " < ".join(map(str, labels)) if len(labels) <= 7 else f"{labels[0]} < ... < {labels[-1]}"
    )
    items = (
        f"{given['items']:,} items"
        if isinstance(given["items"], int)
        else f"a weight of {given['items']:g}"
    )
    cases = {0: "", 1: " in 1 test case"}.get(
        given["cases"], f" in {given['cases']} test cases, whose scores are averaged"
    )
    lines = [f"{items}{cases}; {len(labels)} classes: {shown}."]
    touched, ignored = given["touched"], given["ignored"]
    if touched["missing"] or touched["unknown"]:
        parts = (
            [f"{touched['missing']:,} missing answers (missing={policy['missing']})"]
            if touched["missing"]
            else []
        )
        if touched["unknown"]:
            parts.append(
                f"{touched['unknown']:,} off the scale (unknown={policy['unknown']}, missing={policy['missing']})"
            )
        lines.append(f"Answers: {', '.join(parts)}.")
    left = [f"{times:,} {TOLD.get(what, what)}" for what, times in ignored.items() if times]
    if left:
        lines.append(f"Rows left out: {', '.join(left)}.")
    lines.append(scores.caption if scores.level is not None else "")
    return [line for line in lines if line]


def worse_than(scores: "RunScores", limits: Sequence[Limit]) -> list[str]:
    """Return a sentence for each score that is worse than its limit; an undefined one is."""
    complaints = []
    for name, limit in limits:
        m = scores.metrics.index(name)
        up = scores.measures[name].greater_is_better
        for s, system in enumerate(scores.systems):
            value = scores.values[m, s]
            if not (value >= limit if up else value <= limit):
                told = (
                    "undefined"
                    if math.isnan(value)
                    else f"{value:.6g}, {'below' if up else 'above'} {limit:g}"
                )
                complaints.append(f"{name} of {system!r} is {told}.")
    return complaints
