"""The template of the page, filled: everything is escaped, and the page may run its own script and no other."""

import base64
import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import Any

import jinja2
from markupsafe import Markup

from ordeval.__about__ import __version__
from ordeval.formats import names, numbers
from ordeval.formats.sheet import beside, written
from ordeval.letters import one_line
from ordeval.report.leaderboard import breakable_parts, short_measure_name
from ordeval.report.palette import group_number


def filled(content: dict[str, Any], template: str = "page.html") -> str:
    """Return a page with its content, its style and its script."""
    script, style = template_text("page.js"), template_text("page.css")
    content = {
        **content,
        "style": Markup(style),  # noqa: S704 - our own file
        "script": Markup(script),  # noqa: S704 - our own file
        "policy": f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest(script)}'; "
        "base-uri 'none'; form-action 'none'",
        "version": __version__,
    }
    return environment().get_template(template).render(content).rstrip() + "\n"


@cache
def environment() -> jinja2.Environment:
    """Return the environment of the template: everything is escaped, and an unknown name is an error."""
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("ordeval.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "clean": names.clean,
        "one_line": one_line,
        "short": names.short,
        "number": numbers.number,
        "amount": numbers.amount,
        "counted": numbers.counted,
        "confidence": numbers.confidence,
        "written": written,
        "beside": beside,
        "sortable": sortable,
        "short_measure_name": short_measure_name,
        "breakable_parts": breakable_parts,
        "json": safe_json,
        "group_number": group_number,
    }
    made.globals |= {"zip": zip, "DASH": numbers.DASH}
    return made


def sortable(value: Any) -> Any:
    """Return the raw value that the page sorts by, nothing if it is undefined."""
    return "" if numbers.undefined(value) else value


def template_text(name: str) -> str:
    """Return the text of a file that lies beside the template."""
    return files("ordeval.report").joinpath("templates", name).read_text(encoding="utf-8")


def safe_json(data: Any) -> Markup:
    """Write JSON that cannot end its script block, open a tag or break a line, whatever it holds."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(text)  # noqa: S704 - escaped above


def digest(text: str) -> str:
    """Return the hash by which the page's security policy allows its own script and no other."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
