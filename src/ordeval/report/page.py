"""The report: a comparison as one HTML page that asks nothing of anybody."""

import base64
import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import Any

import jinja2
from markupsafe import Markup

from ordeval.__about__ import __version__
from ordeval.comparison.compare import Comparison
from ordeval.formats.old_names import counted, plural, quoted_label, short, shown
from ordeval.formats.old_text import floored
from ordeval.report import content, figures, sections
from ordeval.report.casework import casework
from ordeval.report.costs import percent
from ordeval.report.figures import value
from ordeval.report.measures import measure_agreement
from ordeval.report.palette import tier_number
from ordeval.report.sections import Drawing, Limits
from ordeval.report.words import answer_of


@cache
def environment() -> jinja2.Environment:
    """Return the templates' environment: everything is escaped, and a name that is not there is an error."""
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("ordeval.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "shown": shown,
        "short": short,
        "value": value,
        "counted": counted,
        "percent": percent,
        "floored": floored,
        "quoted_label": quoted_label,
        "json": safe_json,
        "tier": tier_number,
    }
    return made


def part(name: str) -> str:
    """Return a file that lies beside the templates."""
    return files("ordeval.report").joinpath("templates", name).read_text(encoding="utf-8")


def safe_json(data: Any) -> Markup:
    """Write JSON that ends no script block, opens no tag and breaks no line, whatever it holds."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(text)  # noqa: S704 - escaped above


def digest(text: str) -> str:
    """Return the hash by which the page's policy allows its own script, and no other."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def render(
    comparison: Comparison,
    *,
    title: str | None = None,
    command: str | None = None,
    limits: Limits | None = None,
) -> str:
    """Return the whole page. The same comparison gives the same bytes."""
    limits = limits or Limits()
    script, style = part("page.js"), part("page.css")
    drawing = Drawing()
    work = casework(comparison)
    agreement = measure_agreement(comparison)
    several = len(comparison.order) > 1
    up = comparison.scores.measures[comparison.primary].greater_is_better
    told = {
        "title": title or f"{plural(len(comparison.order), 'system')} on an ordinal scale",
        "c": comparison,
        "board": comparison.leaderboard,
        "metrics": content.metrics_of(comparison),
        "answer": answer_of(comparison),
        "tiers": content.tiers_of(comparison),
        "best": content.best_of(comparison),
        "facts": content.facts_of(comparison),
        "answered": content.answered_of(comparison),
        "download": content.download_of(comparison),
        "notes": content.notes_of(comparison),
        "forest": drawing(figures.forest_figure(comparison, limit=limits.systems)),
        "pairs": drawing(figures.pairs_figure(comparison, limits.systems), most=limits.pairs)
        if several
        else None,
        "ranks": drawing(figures.ranks_figure(comparison, limits.systems)) if several else None,
        "systems": sections.systems_of(comparison, drawing, limits),
        "scale": sections.scale_of(comparison, drawing),
        "work": work,
        "cases": sections.cases_of(work, comparison, drawing, limits, up=up),
        "turned": [] if work is None or not several else sections.turned_of(work),
        "agreement": agreement,
        "agreed": None if agreement is None else drawing(figures.agreement_figure(agreement)),
        "properties": content.properties_of(agreement, comparison),
        "method": content.method_of(comparison, command),
        "references": content.references_of(comparison, agreement),
        "limits": limits,
        "style": Markup(style),  # noqa: S704 - our own file
        "script": Markup(script),  # noqa: S704 - our own file
        "policy": f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest(script)}'; "
        "base-uri 'none'; form-action 'none'",
        "version": __version__,
        "plural": plural,
    }
    return environment().get_template("page.html").render(told).rstrip() + "\n"
