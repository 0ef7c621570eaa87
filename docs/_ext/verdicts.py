"""Verdicts for the documentation: a section for each measure's page, and the paper's table 2.

The search takes seconds, so what it found is kept in docs/generated/ until a source that it depends on changes.
"""

import hashlib
import json
from functools import cache
from pathlib import Path

import ordeval as oe
from ordeval.metrics import Metric
from ordeval.paper.markup import markdown_table
from ordeval.properties import Verdict, catalogue, check

GENERATED = Path(__file__).parents[1] / "generated"
SOURCES = ("metrics", "properties", "paper", "table")
COLUMNS = ("property", "verdict", "cases", "in the paper", "what was found")
PAPER = {True: "holds", False: "fails", None: ""}


def fingerprint() -> str:
    """Return a text that changes whenever a source does."""
    package = Path(oe.__file__).parent
    files = [Path(__file__), *sorted(p for room in SOURCES for p in (package / room).glob("*.py"))]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def row(verdict: Verdict) -> list[str]:
    """Return one verdict as the cells of a row."""
    paper = PAPER[verdict.paper] + (" ≠" if verdict.agrees is False else "")
    case = f" ({verdict.counterexample})" if verdict.counterexample is not None else ""
    name = f"[`{verdict.property}`](../properties.md#{verdict.property.replace('_', '-')})"
    return [name, verdict.verdict, f"{verdict.checked:,}", paper, f"{verdict.sentence}{case}"]


def settings(metric: Metric) -> list[Metric]:
    """Return the measure with every word, other than the default, that one of its parameters takes."""
    return [
        metric.with_parameters(**{parameter.name: choice})
        for parameter in metric.parameters
        for choice in parameter.choices
        if choice != parameter.default
    ]


def text(metric: Metric) -> str:
    """Return the Markdown of one measure's section."""
    parts = [
        "## Properties",
        "What an [exhaustive search](../properties.md) over all small cases found.",
        markdown_table(COLUMNS, [row(verdict) for verdict in check(metric, properties=catalogue)]),
    ]
    for other in settings(metric):
        parts += [f"With `{other}`:", markdown_table(COLUMNS, [row(v) for v in check(other)])]
    return "\n\n".join(parts)


def table2() -> str:
    """Return the Markdown of the page with the paper's table."""
    introduction = (
        "{cite:t}`amigo2020` judge twenty measures by three properties (table 2), with proofs and counterexamples by "
        "hand. Here every mark stands beside the verdict of an [exhaustive search](../properties.md) up to 4 classes "
        "and 6 items (30 for imbalance). `ordeval reproduce table2` prints this page."
    )
    return f"# The paper's table 2\n\n{introduction}\n\n{oe.paper.table2().to_markdown()}"


@cache
def sections() -> dict[str, str]:
    """Return the section of every measure, searched again only if a source has changed."""
    kept, state = GENERATED / "verdicts.json", fingerprint()
    if kept.exists():
        last: dict[str, dict[str, str]] = json.loads(kept.read_text(encoding="utf-8"))
        if last.get("state") == {"fingerprint": state} and (GENERATED / "table2.md").exists():
            return last["sections"]
    found = {name: text(metric) for name, metric in oe.registry.items()}
    GENERATED.mkdir(exist_ok=True)
    (GENERATED / "table2.md").write_text(table2(), encoding="utf-8")
    content = {"state": {"fingerprint": state}, "sections": found}
    kept.write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")
    return found
