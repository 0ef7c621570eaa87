"""Write docs/measures/: one page for each measure of the registry, and an index by family.

The registry is the only source. To put something new on every page (a verdict, a chart), write a function from a
measure to Markdown and name it in SECTIONS.
"""

import inspect
import math
from collections.abc import Callable
from itertools import groupby
from pathlib import Path

import running_example
from guidance_sections import front_matter, how_to_read, other_packages, when_not, when_to_use
from sphinx.application import Sphinx
from verdicts import sections
from written_pages import write_pages

import ordeval as oe
from ordeval.metrics import Metric
from ordeval.metrics.names import aliases_of, full_name

FAMILIES = {
    "closeness": "An answer earns more the fewer gold items lie between it and the true class.",
    "classification": "An answer is right or wrong. The order of the classes is ignored, or used only for a margin.",
    "error": "An answer costs its distance from the gold class, in the values of the scale.",
    "correlation": "Do the answers put the items in the same order as gold?",
    "agreement": "How well two raters, or any number of them, agree, compared with agreement by chance.",
    "clustering": "The answers divide the items into groups; the names of the classes are ignored.",
    "path": "The cost of the cheapest path through the contingency table from corner to corner.",
    "probabilistic": "The answer is a probability for each class instead of one class.",
    "soft": "Gold itself may be a distribution over the classes for each item, such as the shares of raters.",
    "distribution": "How well the shares of the classes are found, whichever items the answers were given to.",
}

NOTATION = r"""## Notation

There are $N$ items in $K$ classes, of which $K'$ occur in gold. Item $d$ has the gold class $g(d)$ and the
answer $s(d)$. $n_{ij}$ items of gold class $i$ got the answer $j$; a dot sums over a class, so $n_{i\cdot}$
items have gold class $i$ (also written $n_i$) and $n_{\cdot j}$ got the answer $j$. Class $k$ has the value
$v_k$. $[\ldots]$ is 1 where the statement holds and 0 elsewhere. The answer to item $d$ may be a distribution
$p_d$ with the cumulative distribution $F_d$, and its gold one, $g_d$ with $G_d$. $p$ and $p^*$ are the shares of
the classes in the answers and in gold, $P$ and $P^*$ their cumulative shares. $C$ and $D$ are the concordant and the
discordant pairs of items."""

WEIGHTS = r"""## Weights of agreement

A coefficient of agreement may give credit for a near miss: two marks in the classes $i$ and $j$ agree by the weight
$w_{ij}$, which is 1 where $i = j$. The named weights are those of Gwet's handbook and of the package irrCAC. The
disagreement $1 - w_{ij}$ of two classes is

- `identity`: 1
- `linear`: $|v_i - v_j| / (v_K - v_1)$
- `quadratic`: the square of the linear disagreement
- `radical`: the square root of the linear disagreement
- `ordinal`: the pairs of classes from $i$ to $j$, divided by all pairs: $m (m - 1) / (K (K - 1))$ with
  $m = |i - j| + 1$
- `ratio`: $(v_i - v_j)^2 / (v_i + v_j)^2$, divided by the same of $v_1$ and $v_K$; no value may be negative
- `circular`: $\sin^2(\pi (v_i - v_j) / (v_K - v_1 + 1))$, divided by the largest of these
- `bipolar`: $(v_i - v_j)^2 / ((v_i + v_j - 2 v_1) (2 v_K - v_i - v_j))$

A matrix can be given in place of a name: a row and a column for each class, lowest first, symmetric, with 1 on the
diagonal and numbers from 0 to 1."""


def number(value: float) -> str:
    """Write a bound, with a sign for infinity."""
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:g}"


def interval(metric: Metric) -> str:
    """Write the range of a measure, closed where the bound is finite."""
    low, high = metric.bounds
    left = "(" if math.isinf(low) else "["
    right = ")" if math.isinf(high) else "]"
    return f"{left}{number(low)}, {number(high)}{right}"


def direction(metric: Metric) -> str:
    """Say which way is better."""
    return "higher is better" if metric.greater_is_better else "lower is better"


def docstring(metric: Metric) -> tuple[str, str]:
    """Return the docstring without its summary: the prose, and the example."""
    paragraphs = str(inspect.getdoc(metric)).split("\n\n")[1:]
    prose = [text for text in paragraphs if not text.lstrip().startswith(">>>")]
    example = [text for text in paragraphs if text.lstrip().startswith(">>>")]
    return "\n\n".join(prose), "\n\n".join(example)


def opening(metric: Metric) -> str:
    """Write the name, the summary, and the facts in a table."""
    perfect = "depends on gold" if metric.perfect is None else number(metric.perfect)
    facts = {
        "family": metric.family.value,
        "direction": direction(metric),
        "range": interval(metric),
        "score of a perfect output": perfect,
        "treats the scale as": metric.scale_type.value,
        "undefined when": metric.undefined_when,
    }
    short = ", ".join(f"`{alias}`{settings_of(alias)}" for alias in aliases_of(metric.name))
    facts = {"aliases": short, **facts} if short else facts
    if metric.guidance is not None:
        facts = {"also called": ", ".join(metric.guidance.also_called), **facts}
    rows = "\n".join(f"| {name} | {value} |" for name, value in facts.items())
    return f"# `{metric.name}`\n\n{metric.summary}\n\n| | |\n|---|---|\n{rows}"


def settings_of(alias: str) -> str:
    """Write the settings that an alias stands for; nothing where it has none."""
    _, bracket, settings = full_name(alias).partition("(")
    return f" (`{settings[:-1]}`)" if bracket else ""


def definition(metric: Metric) -> str:
    """Write the formula, each of its parts on a line, and what the docstring says about it."""
    prose, _ = docstring(metric)
    lines = "\n\n".join(f"```{{math}}\n{part}\n```" for part in metric.formula.split(r", \quad "))
    return (
        f"## Definition\n\n{lines}\n\n{prose}\n\nSee [notation](index.md#notation) for the symbols."
    )


def parameters(metric: Metric) -> str:
    """Write a table of the parameters, if there are any."""
    if not metric.parameters:
        return ""
    rows = [
        f"| `{parameter.name}` | `{parameter.default!r}` | {parameter.allowed} | {parameter.meaning} |"
        for parameter in metric.parameters
    ]
    head = "| name | default | allowed | meaning |\n|---|---|---|---|\n"
    weighed = any(parameter.matrix for parameter in metric.parameters)
    more = "\n\nSee [weights of agreement](index.md#weights-of-agreement)." if weighed else ""
    return "## Parameters\n\n" + head + "\n".join(rows) + more


def example(metric: Metric) -> str:
    """Write the docstring's example, which the test suite runs."""
    _, session = docstring(metric)
    return f"## Example\n\n```python\n>>> from ordeval import {metric.name}\n{session}\n```"


def properties(metric: Metric) -> str:
    """Write what the search for counterexamples found."""
    return sections()[metric.name]


def references(metric: Metric) -> str:
    """Write the references."""
    cited = ", ".join(f"{{footcite:t}}`{key}`" for key in metric.references)
    return f"## Reference\n\nSee {cited}.\n\n```{{footbibliography}}\n```"


SECTIONS: tuple[Callable[[Metric], str], ...] = (
    front_matter,
    opening,
    when_to_use,
    when_not,
    how_to_read,
    example,
    definition,
    parameters,
    other_packages,
    running_example.section,
    properties,
    references,
)


def page(metric: Metric) -> str:
    """Return the Markdown of one measure's page."""
    return "\n\n".join(text for text in (section(metric) for section in SECTIONS) if text) + "\n"


def index() -> str:
    """Return the Markdown of the list of measures."""
    introduction = (
        f"There are {len(oe.registry)} measures. Each is a function of the contingency table. The pages are written "
        "from the registry, and the tests run their examples. `ordeval metrics NAME` prints them in a terminal. "
        "[The running example](example.md) shows what all of them say of the same six systems."
    )
    parts = ["# Measures", introduction, NOTATION, WEIGHTS]
    for family, metrics in groupby(oe.registry.values(), key=lambda metric: metric.family.value):
        rows = "\n".join(
            f"| [`{metric.name}`]({metric.name}.md) | {'↑' if metric.greater_is_better else '↓'} | "
            f"{interval(metric)} | {metric.summary} |"
            for metric in metrics
        )
        head = "| measure | better | range | what it computes |\n|---|:-:|---|---|\n"
        parts.append(f"## {family.capitalize()}\n\n{FAMILIES[family]}\n\n{head}{rows}")
    names = "\n".join(metric.name for metric in oe.registry.values())
    parts.append(f"```{{toctree}}\n:hidden:\n:maxdepth: 1\n\nexample\n{names}\n```")
    return "\n\n".join(parts) + "\n"


def write(app: Sphinx) -> None:
    """Update docs/measures/."""
    pages = {"index.md": index(), "example.md": running_example.page()} | {
        f"{metric.name}.md": page(metric) for metric in oe.registry.values()
    }
    write_pages(Path(app.srcdir) / "measures", pages)


def setup(app: Sphinx) -> dict[str, bool]:
    """Let Sphinx call us before it looks for pages."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
