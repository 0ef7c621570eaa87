"""Verdicts for the documentation: a section for each measure's page, and the paper's table 2.

The search takes seconds, so what it found is kept in docs/generated/ until a source that it depends on changes.
"""

import hashlib
import json
from functools import cache
from pathlib import Path

import ordeval as oe
from ordeval.formats.markdown import escape, pipes
from ordeval.metrics import Metric
from ordeval.properties import Verdict, Verdicts, catalogue, check

GENERATED = Path(__file__).parents[1] / "generated"
SOURCES = ("metrics", "properties", "paper", "table", "formats")
COLUMNS = ("property", "verdict", "cases", "in the paper")


def fingerprint() -> str:
    """Return a text that changes when one of the sources does."""
    package = Path(oe.__file__).parent
    files = [
        Path(__file__),
        *sorted(p for folder in SOURCES for p in (package / folder).glob("*.py")),
    ]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def row(verdict: Verdict) -> list[str]:
    """Return the cells of one verdict; the property is a link to its definition."""
    name = (
        f"[`{verdict.property}`](../explanation/properties.md#{verdict.property.replace('_', '-')})"
    )
    return [name, verdict.verdict, f"{verdict.checked:,}", verdict.mark]


def finding(verdict: Verdict) -> str:
    """Return a line of a list: the case that refutes a property, and what it shows."""
    case = f" ({verdict.counterexample})" if verdict.counterexample is not None else ""
    return f"- `{verdict.property}`: {escape(f'{verdict.sentence}{case}')}"


def table(verdicts: Verdicts) -> str:
    """Return the verdicts on one measure as a table, and below it what was found where a property does not hold."""
    lines = "\n".join(map(pipes, [COLUMNS, ["---"] * len(COLUMNS), *map(row, verdicts)]))
    findings = "\n".join(finding(each) for each in verdicts if each.verdict != "holds")
    return f"{lines}\n\n{findings}" if findings else lines


def settings(metric: Metric) -> list[Metric]:
    """Return the measure with each word, other than the default, that one of its parameters takes."""
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
        "These are the results of an [exhaustive search](../explanation/properties.md) over all small cases.",
        table(check(metric, properties=catalogue)),
    ]
    for other in settings(metric):
        parts += [f"With `{other}`:", table(check(other))]
    return "\n\n".join(parts)


def table2() -> str:
    """Return the Markdown of the page with the paper's table."""
    introduction = (
        "{cite:t}`amigo2020` say which of twenty measures have three properties (table 2), with proofs and "
        "counterexamples found by hand. Here each mark is compared with an "
        "[exhaustive search](../explanation/properties.md) up to 4 classes and 6 items (30 for imbalance). "
        "`ordeval reproduce table2` prints this page."
    )
    return f"# The paper's table 2\n\n{introduction}\n\n{oe.paper.table2().to_markdown()}"


@cache
def sections() -> dict[str, str]:
    """Return the section of every measure; the search is repeated only if the sources have changed."""
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
