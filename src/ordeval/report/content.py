"""What the report tells in numbers and words, as plain Python objects for its template."""

import platform
import re
from typing import Any

import numpy as np

from ordeval.__about__ import __version__
from ordeval.comparison.captions import interval_sentence
from ordeval.comparison.compare import Comparison
from ordeval.formats.old_names import counted, short
from ordeval.metrics import registry
from ordeval.metrics.references import REFERENCES
from ordeval.report import figures
from ordeval.report.measures import Agreement, verdicts_on

TIERS = (
    "The best system and all that are not significantly worse than it form the first tier; "
    "then the same among the rest."
)
TOUCHED = {"missing": "missing", "unknown": "off the scale"}
IGNORED = {
    "not_in_gold": "not in gold",
    "duplicate": "repeated",
    "unreadable": "unreadable",
    "gold_missing": "without a gold label",
}


def metrics_of(comparison: Comparison) -> list[dict[str, Any]]:
    """Return the measures in the order of the leaderboard's columns."""
    names = [
        comparison.primary,
        *(name for name in comparison.scores.metrics if name != comparison.primary),
    ]
    measures = comparison.scores.measures
    return [
        {
            "name": name,
            "pieces": pieces(figures.plain_name(name)),
            "up": measures[name].greater_is_better,
            "summary": measures[name].summary,
            "primary": name == comparison.primary,
        }
        for name in names
    ]


def pieces(name: str) -> list[str]:
    """Cut a name where a line may break: after an underscore, unless only a few letters follow.

    >>> pieces("kendall_tau_b")
    ['kendall_', 'tau_b']
    """
    parts = re.findall(r"[^_]+_?|_", name)
    if len(parts) > 1 and len(parts[-1]) < 4:
        parts[-2:] = ["".join(parts[-2:])]
    return parts


def best_of(comparison: Comparison) -> dict[str, float]:
    """Return the best value of each measure, where there are systems to choose from."""
    best = {}
    for m, name in enumerate(comparison.scores.metrics):
        values = comparison.scores.values[m]
        if len(values) > 1 and not np.isnan(values).all():
            up = comparison.scores.measures[name].greater_is_better
            best[name] = float(np.nanmax(values) if up else np.nanmin(values))
    return best


def facts_of(comparison: Comparison) -> list[tuple[str, str]]:
    """Return what was compared, in a few numbers."""
    scores = comparison.scores
    labels = comparison.runs.scale.labels
    facts = [
        (counted(len(comparison.order)), "system" if len(comparison.order) == 1 else "systems"),
        (counted(comparison.cells[0].sum()), "item" if comparison.cells[0].sum() == 1 else "items"),
        (counted(len(labels)), "class" if len(labels) == 1 else "classes"),
    ]
    if scores.cases:
        facts.insert(
            2, (counted(len(scores.cases)), "test case" if len(scores.cases) == 1 else "test cases")
        )
    if len(comparison.order) > 1:
        facts.append(
            (counted(len(comparison.tiers)), "tier" if len(comparison.tiers) == 1 else "tiers")
        )
    return facts


def answered_of(comparison: Comparison) -> dict[str, float] | None:
    """Return the share of items that each system answered; None where all answered all."""
    cells = comparison.cells
    asked = cells.sum(axis=(1, 2, 3))
    share = np.divide(
        cells[..., :-1].sum(axis=(1, 2, 3)), asked, out=np.ones(len(asked)), where=asked > 0
    )
    if (share == 1).all():
        return None
    return dict(zip(comparison.scores.systems, share.tolist(), strict=True))


def tiers_of(comparison: Comparison) -> list[dict[str, Any]]:
    """Return the tiers by name; systems without a defined score share one that is none."""
    values = comparison.scores.values[comparison.row]
    return [
        {
            "name": "No score"
            if np.isnan(values[comparison.scores.systems.index(tier[0])])
            else f"Tier {number}",
            "number": number,
            "systems": tier,
        }
        for number, tier in enumerate(comparison.tiers, 1)
    ]


def download_of(comparison: Comparison) -> dict[str, Any]:
    """Return the leaderboard in full for the download: numbers as they are, not as they are shown."""
    names = [entry["name"] for entry in metrics_of(comparison)]
    columns = [
        "rank",
        "tier",
        "system",
        *(f"{name}{end}" for name in names for end in ("", "_low", "_high")),
    ]
    rows = []
    for one in comparison.leaderboard:
        row: list[Any] = [one.rank, one.tier, one.system]
        for name in names:
            score = one.scores[name]
            row += [
                None if x is None or not np.isfinite(x) else float(x)
                for x in (score.value, score.low, score.high)
            ]
        rows.append(row)
    return {"columns": columns, "rows": rows}


def notes_of(comparison: Comparison) -> list[str]:
    """Return why values or intervals are missing, each reason once."""
    told: dict[str, list[str]] = {}
    for (metric, system), reason in comparison.scores.reasons.items():
        told.setdefault(f"{metric}: {reason}", []).append(system)
    everybody = len(comparison.order)
    return [
        f"{reason} ({'all systems' if len(systems) == everybody else ', '.join(map(short, systems[:3]))}"
        f"{f' and {len(systems) - 3} more' if 3 < len(systems) < everybody else ''})."
        for reason, systems in told.items()
    ]


def properties_of(agreement: Agreement | None, comparison: Comparison) -> list[dict[str, Any]]:
    """Return the verdicts on each measure that the page names."""
    names = comparison.scores.metrics if agreement is None else agreement.metrics
    return [{"name": name, "verdicts": list(verdicts_on(str(name)))} for name in names]


def method_of(comparison: Comparison, command: str | None) -> list[tuple[str, str]]:
    """Return everything that another person needs to get the same numbers."""
    runs, scores = comparison.runs, comparison.scores
    policy = runs.policy
    rows = [
        (
            "Scale",
            " < ".join(short(label, 24) for label in runs.scale.labels[:30])
            + (" < …" if runs.scale.k > 30 else ""),
        ),
        (
            "Values of the classes",
            ", ".join(f"{x:g}" for x in runs.scale.values[:30])
            + (", …" if runs.scale.k > 30 else ""),
        ),
        (
            "Policy",
            "; ".join(
                f"{what}: {choice}"
                for what, choice in (
                    ("missing answer", policy.missing),
                    ("answer off the scale", policy.unknown),
                    ("duplicates", policy.duplicates),
                    ("missing gold", policy.gold_missing),
                )
            ),
        ),
    ]
    touched = [
        f"{counted(times)} {TOUCHED.get(what, what)}"
        for what, times in runs.touched.items()
        if times
    ]
    rows.append(("Answers touched by the policy", ", ".join(touched) or "none"))
    left = [
        f"{counted(times)} {IGNORED.get(what, what)}"
        for what, times in runs.ignored.items()
        if times
    ]
    rows.append(("Rows left out", ", ".join(left) or "none"))
    rows += [("Note", note) for note in runs.notes]
    rows.append(
        ("Score of a system", "mean over the test cases" if scores.cases else "over all items")
    )
    rows.append(("Intervals", interval_sentence(scores)))
    if comparison.pair_values is not None:
        rows.append(("Test", comparison.test_words(comparison.pair_values)))
        rows.append(("Tiers", TIERS))
    rows.append(
        (
            "Versions",
            f"ordeval {__version__}, NumPy {np.__version__}, Python {platform.python_version()}",
        )
    )
    rows.append(
        ("Command", command or "made from Python: ordeval.report.render(ordeval.compare(runs))")
    )
    return rows


def references_of(comparison: Comparison, agreement: Agreement | None) -> list[Any]:
    """Return the papers behind the measures that the page shows, and behind the method."""
    names = comparison.scores.metrics if agreement is None else agreement.metrics
    keys = ["amigo2020", *(key for name in names for key in registry[name].references)]
    if comparison.scores.level is not None:
        keys.append("efron1987")
    if comparison.pair_values is not None:
        keys += {"randomisation": ["noreen1989", "yeh2000"]}.get(comparison.test, [])
        keys += {"holm": ["holm1979"], "bh": ["benjamini1995"]}.get(comparison.correction, [])
    return [REFERENCES[key] for key in dict.fromkeys(keys)]
