"""Sections of a measure's page that say how to use it: when, when not, how to read it, and its names elsewhere."""

import re
import textwrap
from itertools import groupby

from ordeval.metrics import Metric
from ordeval.metrics.guidance import INPUTS, Elsewhere
from ordeval.metrics.names import aliases_of

__all__ = ["front_matter", "how_to_read", "other_packages", "when_not", "when_to_use"]

WIDTH = 84  # of a line of code, so that it fits the column
LANGUAGES = {"R": "r"}  # of the code blocks; all others are Python


def front_matter(metric: Metric) -> str:
    """Write what the search of the site should find the page by: all names, in small letters."""
    names = [metric.name, metric.name.replace("_", " "), *aliases_of(metric.name)]
    names += metric.guidance.also_called if metric.guidance else ()
    found = dict.fromkeys(name.lower() for name in names)
    return f"---\nsearch: {', '.join(found)}\n---"


def when_to_use(metric: Metric) -> str:
    """Write when the measure is the right one, and enter its other names into the index."""
    if metric.guidance is None:
        return ""
    entries = "\n".join(f"   single: {name}" for name in metric.guidance.also_called)
    index = f"```{{eval-rst}}\n.. index::\n{entries}\n```"
    return f"{index}\n\n## When to use it\n\n{linked(metric.guidance.use, metric)}"


def when_not(metric: Metric) -> str:
    """Write when another measure is better."""
    return f"## When not\n\n{linked(metric.guidance.avoid, metric)}" if metric.guidance else ""


def how_to_read(metric: Metric) -> str:
    """Write what values mean."""
    return (
        f"## How to read it\n\n{linked(metric.guidance.reading, metric)}" if metric.guidance else ""
    )


def linked(text: str, metric: Metric) -> str:
    """Make links of the names of other measures; other words between backticks are left as they are."""
    return re.sub(
        r"`(\w+)`",
        lambda name: f"[{name[0]}]({name[1]}.md)" if is_other(name[1], metric) else name[0],
        text,
    )


def is_other(name: str, metric: Metric) -> bool:
    """Tell whether a name is that of another measure."""
    from ordeval import registry

    return name in dict.fromkeys(registry) and name != metric.name


def other_packages(metric: Metric) -> str:
    """Write the calls of other packages that give the same value, a block for each package."""
    if metric.guidance is None:
        return ""
    title = "## In other packages\n\n"
    if not metric.guidance.elsewhere:
        return f"{title}We know of no function in scikit-learn, SciPy, statsmodels, torchmetrics or R that computes it."
    parts = [
        f"**{library}**\n\n```{LANGUAGES.get(library, 'python')}\n{code(list(calls), metric)}\n```"
        for library, calls in groupby(metric.guidance.elsewhere, key=lambda each: each.library)
    ]
    return title + "\n\n".join([explained(metric.guidance.elsewhere), *parts])


def code(calls: list[Elsewhere], metric: Metric) -> str:
    """Return the calls of one package, each under a comment that says what differs."""
    return "\n".join(
        line for each in calls for line in [*comment(each, metric), *wrapped(each.call)]
    )


def comment(each: Elsewhere, metric: Metric) -> list[str]:
    """Return the settings of ours that a call corresponds to, and the note."""
    ours = each.measure.removeprefix(metric.name)[1:-1]
    text = ": ".join(part for part in (ours, each.note) if part)
    return textwrap.wrap(text, WIDTH - 2, initial_indent="# ", subsequent_indent="# ")


def wrapped(call: str) -> list[str]:
    """Return the lines of a call that fit the column."""
    return textwrap.wrap(
        call, WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )


def explained(elsewhere: tuple[Elsewhere, ...]) -> str:
    """Say what the names in the calls stand for."""
    words = {word for each in elsewhere for word in re.findall(r"\w+", each.call)}
    known = [f"- `{name}`: {meaning}" for name, meaning in INPUTS.items() if name in words]
    return (
        "These calls give the same value. The tests run those of Python on the running example; the names of R are "
        "from its documentation. The names in them stand for:\n\n" + "\n".join(known)
    )
