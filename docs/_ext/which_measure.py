"""Write docs/which_measure.md from the tree of questions that `ordeval metrics --help-me` asks, too."""

from pathlib import Path

from sphinx.application import Sphinx

from ordeval.metrics.choosing import ANSWERED, FIRST, Question, Step, paths
from ordeval.metrics.recommendations import Recommendation, Takes

WIDTH = 88  # letters of a line of code

OPENING = """---
search: which metric, which measure, choose a metric, choosing a metric, choose a measure, best metric, best measure,
  recommendation, what metric should i use, help me
---

# Which measure should I use?

This page leads you to a measure in at most five questions. Every recommendation names one measure, says why, and
gives the command to type. `ordeval metrics --help-me` asks the same questions in a terminal.

## The questions

If you do not know an answer, take the first one."""

NAMES = """## The recommendations

In the commands, `gold.csv` has an item and a gold label in each row, and `a.csv` and `b.csv` have the answers of two
systems. `evaluate` scores one system; `compare` ranks several by the same measure. `marks.csv` has an item, a rater
and a label in each row. With `--proba`, the file of a system has a column for each class. If the classes are words,
add `--labels low,mid,high`, lowest first. [Files, frames and engines](howto/inputs.md) lists what else can be read.

In Python, `gold` is a list or column of labels, `marks` is `oe.Ratings.from_file("marks.csv")`, and `a` and `b` are
labels, or arrays of probabilities with a column for each class. If the classes are words, pass `labels=[...]`, lowest
first."""

TABLE = """## The question that each measure answers

| measure | the question |
|---|---|
"""

REPORT = """## What to report with the score

A score alone convinces nobody. Report these with it:

- **The interval of the score.** `evaluate` and `compare` print it. It says how much the score would vary with other
  items.
- **A baseline.** `evaluate` prints what one constant answer would score. A system that does not beat it has learned
  nothing.
- **The paired difference.** To say that one system is better than another, [compare](howto/comparison.md) them on the
  same items. Two intervals that overlap do not show that two systems are equal.
- **The table of counts.** Readers can compute every measure of labels from it.
- **The full name of the measure**, with its settings, and what happened to [missing answers](reference/scale.md).

```console
ordeval evaluate gold.csv a.csv --metrics cem_ord,accuracy
ordeval compare gold.csv a.csv b.csv --primary cem_ord
ordeval count gold.csv a.csv -o table.json
```

`ordeval report` puts all of this on [one page](howto/report.md).

[Formal properties](explanation/properties.md) explains which properties the measures have and how they are checked.
[Which measure to trust](explanation/meta.md) compares measures on your own systems."""

# Where to read on.
MORE = {
    Takes.LABELS: "[comparing systems](howto/comparison.md)",
    Takes.PROBABILITIES: "[probabilities](howto/probabilities.md)",
    Takes.MARKS: "[agreement of raters](howto/agreement.md)",
    Takes.SOFT_LABELS: "[soft gold and probabilities](howto/soft.md)",
    Takes.SOFT_PROBABILITIES: "[soft gold and probabilities](howto/soft.md)",
    Takes.SHARES: "[soft gold and probabilities](howto/soft.md)",
}


def linked(name: str) -> str:
    """Return the name of a measure with a link to its page."""
    return f"[`{name}`](measures/{name.partition('(')[0]}.md)"


def drawn(question: Question, indent: str = "") -> str:
    """Return a question and all that follow from its answers, as lists within lists."""
    lines = [f"{indent}**{question.text}** {question.why}", ""]
    deeper = f"{indent}   "
    for at, answer in enumerate(question.answers, start=1):
        lines += [f"{indent}{at}. {answer.text}", ""]
        if isinstance(answer.then, Question):
            lines.append(drawn(answer.then, deeper))
        else:
            lines += [f"{deeper}[Use `{answer.then.measure}`](#choose-{answer.then.key})", ""]
    return "\n".join(lines)


def broken(command: str) -> str:
    """Return a command on as many lines as it needs to fit its column."""
    return command if len(command) <= WIDTH else command.replace(" --primary", " \\\n    --primary")


def section(way: tuple[Step, ...], chosen: Recommendation) -> str:
    """Return the section of a recommendation."""
    answers = "\n".join(f"- {step.question.text} *{step.answer.text}.*" for step in way)
    avoid = "\n".join(f"- {linked(name)}: {why}" for name, why in chosen.avoid.items())
    commands = "\n".join(map(broken, chosen.commands))
    calls = "\n".join(("import ordeval as oe", "", *chosen.calls))
    return f"""(choose-{chosen.key})=
### {chosen.title}

{answers}

**Use {linked(chosen.measure)}.** {chosen.why}

**Show with it:** {", ".join(map(linked, chosen.beside))}.

**Do not use:**

{avoid}

```console
{commands}
```

```py
{calls}
```

Read on in {MORE[chosen.takes]}."""


def page() -> str:
    """Return the Markdown of the page."""
    rows = "\n".join(f"| {linked(name)} | {question} |" for name, question in ANSWERED.items())
    path = f":::{{container}} decision-path\n{drawn(FIRST)}\n:::"
    sections = [section(*each) for each in paths(FIRST)]
    return "\n\n".join([OPENING, path, NAMES, *sections, TABLE + rows, REPORT]) + "\n"


def write(app: Sphinx) -> None:
    """Update the page, unless it has not changed."""
    place, text = Path(app.srcdir) / "which_measure.md", page()
    if not place.exists() or place.read_text(encoding="utf-8") != text:
        place.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Let Sphinx call us before it looks for pages."""
    app.connect("builder-inited", write)
    app.add_css_file("which_measure.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
