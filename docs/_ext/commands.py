"""A page for each command, and the list of all commands, written from click before Sphinx reads the pages.

The pages are Markdown in docs/reference/commands/ (ignored by git). Everything that `--help` shows is here: what the
help says is written once, in src/ordeval/cli.
"""

import inspect
import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import click
from sphinx.application import Sphinx
from written_pages import write_pages

from ordeval.cli import COMMANDS, JOBS, main
from ordeval.cli.help import GROUPS, OUTPUT

# What the words in capitals in a usage line stand for.
ARGUMENTS = {
    "GOLD": "The file of gold labels: an id and a label for each item.",
    "SYSTEM": "A file with the answers of one system, or a pattern in quotes, such as `'runs/*.csv'`, for many.",
    "DATA": "One wide file with a column for gold and one for each system. The options name these columns.",
    "COUNTS": "Tables of counts: matrices, or what `ordeval count` wrote.",
    "TABLE": "A table of counts: a matrix, or what `ordeval count` or `ordeval merge` wrote.",
    "BASELINE": "The answers of the system that is in use.",
    "CANDIDATE": "The answers of the system that may replace it.",
    "RATINGS": "A file with the marks of several raters on the same items, or several such files.",
    "HUMANS": "A file with the marks of humans.",
    "JUDGES": "Files with the marks of one judge or more.",
    "JUDGE": "A file with the marks of one judge.",
    "PROBABILITIES": "A file with a row for each item and a column for each class, or a column of scores.",
    "METRIC": "The name of a measure. Without it all measures are taken.",
    "NAME": "The name of a measure. Without it all measures are listed.",
    "PART": "The part of the paper, one of the words above.",
}
# What ends with another status than 0, 2 and 3, and why.
STATUSES = {
    "gate": {0: "the gate passes", 1: "the gate fails", 4: "the gate is inconclusive"},
    "judge": {
        0: "a judge is fit",
        1: "all judges are unfit",
        4: "no judge is fit, and one is undecided",
    },
    "check": {
        0: "all files can be scored",
        1: "some files cannot be scored",
        3: "gold itself cannot be read",
    },
}
FAIL_UNDER = {1: "a score is worse than `--fail-under` allows"}
USUAL = {0: "done, and the result is written", 2: "wrong usage, or the result could not be written"}
BAD_DATA = {3: "bad data, or not enough memory for the data"}
# The arguments that are data, and the commands that write a table of counts.
FILES = ("files", "file", "tables", "part")
TABLES = ("count", "merge")
SHARED_BY = 3  # an option that so many commands have in common is listed among the shared ones

BRACKETS = re.compile(r"\s{2}\[([^\]]*)\]")
SPAN = re.compile(r"([\d.]+)<(=?)x<(=?)([\d.]+)")
LIMIT = re.compile(r"x(>=?|<=?)([\d.]+)")
LIMITS = {">=": "at least", ">": "more than", "<=": "at most", "<": "less than"}
CODE = re.compile(
    r"--?[a-z][\w-]*(?: [A-Z][A-Z=]*(?:\.\w+|,COL)?)?|\"[^\"]+\"|'ordeval [^']+'|'[^' ]+\*[^' ]*'|\b\w+_\w+\b"
)

INTRODUCTION = """---
search: command line, cli, commands, terminal, exit status, exit code, return code, options, shell
---

# Command line

Here you find every command of `ordeval`, its options and its exit statuses. `ordeval COMMAND --help` prints the same
in a terminal. The pages are written from the program itself, and a test runs their examples.

- Results go to stdout; notes, warnings and errors go to stderr.
- Colour and progress are shown only on a terminal.
- Text uses the encoding of the terminal; every other format, and every file, is UTF-8.
- `-o FILE` writes the whole file or nothing, keeps the permissions of a file that it replaces, and never replaces a
  file that the command reads. `-o /dev/stdout` and `-o /dev/fd/3` write to that open file or pipe.
- [File formats](../file_formats.md) tells what the files look like, [JSON](../json.md) what `--format json` prints, and
  [errors](../errors.md) what messages mean."""

ENDINGS = """## Exit statuses

| status | what it means |
|---|---|
| 0 | done, and the result is written |
| 1 | the answer is no: a score is too low, a file cannot be scored, a gate fails, all judges are unfit |
| 2 | wrong usage, or the result could not be written |
| 3 | bad data, or not enough memory for the data |
| 4 | undecided: a gate is inconclusive, or no judge is fit and one is undecided |
| 70 | an error in ordeval itself |
| 129, 130, 143 | stopped because the terminal was closed, by Ctrl-C, or by SIGTERM; no temporary files are left |
| 141 | the program that reads stdout has ended, as `head` does |

If a remark cannot be written to stderr, the status stays the same.

## Environment variables

`ORDEVAL_TRACEBACK=1`
: If ordeval itself has an error (status 70), also print where it happened.

`TMPDIR`
: The folder for data that do not fit in memory.

`NO_COLOR`
: If it is set, no colours are shown."""


def words(text: str) -> str:
    """Return a text of the help as Markdown: names of options, commands and columns become code."""
    return CODE.sub(lambda found: f"`{found[0].strip(chr(39) + chr(34))}`", text)


def paragraphs(help_text: str) -> str:
    r"""Return the help of a command as Markdown; a paragraph marked with \b keeps its lines."""
    parts = inspect.cleandoc(help_text).split("\n\n")
    return "\n\n".join(
        f"```text\n{part.removeprefix(chr(8)).strip(chr(10))}\n```"
        if part.startswith("\b")
        else words(" ".join(part.split()))
        for part in parts
    )


def limits(text: str) -> str:
    """Write a remark in brackets of the help, such as `default: 10; x>=2`, in words."""
    text = SPAN.sub(
        lambda m: f"{'from' if m[2] else 'between'} {m[1]} {'to' if m[2] else 'and'} {m[4]}", text
    )
    text = LIMIT.sub(lambda m: f"{LIMITS[m[1]]} {m[2]}", text)
    text = re.sub(r"^(default: )([\w.+,-]+)(?=$|;)", r"\1`\2`", text)
    parts = [words(part) if "`" not in part else part for part in text.split("; ")]
    return " ".join(f"{part[0].upper()}{part[1:]}." for part in parts)


def values(option: click.Option) -> str:
    """Write the words that an option takes, if it takes only some."""
    if not isinstance(option.type, click.Choice) or option.metavar is not None:
        return ""  # what has a metavar lists its words in the help
    listed = [f"`{choice}`" for choice in option.type.choices]
    return f" One of {', '.join(listed[:-1])} and {listed[-1]}."


def definition(option: click.Option, ctx: click.Context) -> str:
    """Return an entry of a definition list: the option as it is typed, its meaning, values and default."""
    record = option.get_help_record(ctx)
    if record is None:
        return ""
    names, meaning = record
    if isinstance(option.type, click.Choice):
        names = names.partition(" [")[0]
    remarks = "".join(f" {limits(found)}" for found in BRACKETS.findall(meaning))
    return f"`{names}`\n: {words(BRACKETS.sub('', meaning))}{values(option)}{remarks}"


def usage(name: str, command: click.Command, ctx: click.Context) -> str:
    """Return the usage line of a command."""
    return " ".join(["ordeval", name, *command.collect_usage_pieces(ctx)])


def arguments(line: str) -> str:
    """Return what the words in capitals in a usage line stand for."""
    found = [word for word in re.findall(r"\b[A-Z]{4,}\b", line) if word != "OPTIONS"]
    entries = [f"`{word}`\n: {ARGUMENTS[word]}" for word in dict.fromkeys(found)]
    return "\n\n".join(["## Arguments", *entries]) if entries else ""


def options(command: click.Command, ctx: click.Context) -> str:
    """Return the options in their groups."""
    groups: dict[str, list[str]] = {group: [] for group in GROUPS}
    for one in command.get_params(ctx):
        if isinstance(one, click.Option):
            groups[getattr(one, "group", OUTPUT)].append(definition(one, ctx))
    parts = [
        "\n\n".join([f"### {group}", *filter(None, listed)])
        for group, listed in groups.items()
        if listed
    ]
    return "\n\n".join(["## Options", *parts])


def examples(command: click.Command) -> str:
    """Return the examples of the help, each below what it does."""
    lines = "\n\n".join(
        f"# {meaning}\n{line}" for line, meaning in getattr(command, "examples", ())
    )
    return f"## Examples\n\n```sh\n{lines}\n```"


def statuses_of(name: str, command: click.Command) -> Mapping[int, str]:
    """Return the exit statuses that a command can end with on its own account."""
    has_limit = any("--fail-under" in one.opts for one in command.params)
    own = {**(FAIL_UNDER if has_limit else {}), **STATUSES.get(name, {})}
    reads = any(isinstance(one, click.Argument) and one.name in FILES for one in command.params)
    return dict(sorted({**USUAL, **(BAD_DATA if reads else {}), **own}.items()))


def endings(name: str, command: click.Command) -> str:
    """Return the exit statuses of a command as a table."""
    statuses = statuses_of(name, command).items()
    rows = "\n".join(f"| {status} | {meaning} |" for status, meaning in statuses)
    more = "The [list of commands](index.md#exit-statuses) has the rare ones, such as those of signals."
    return f"## Exit statuses\n\n| status | what it means |\n|---|---|\n{rows}\n\n{more}"


def as_json(name: str, command: click.Command) -> str:
    """Return where the JSON of a command is described; nothing if it writes none."""
    forms = [one.type for one in command.params if one.name == "form"]
    if name in TABLES or any(
        isinstance(form, click.Choice) and "json" in form.choices for form in forms
    ):
        where = "count" if name in TABLES else name
        return f"## JSON\n\nThe keys are described in [JSON](../json.md#ordeval-{where})."
    return ""


def page(name: str, command: click.Command) -> str:
    """Return the Markdown of one command's page."""
    ctx = click.Context(command, parent=click.Context(main, **main.context_settings))
    line = usage(name, command, ctx)
    parts = [
        f"# ordeval {name}",
        f"```text\n{line}\n```",
        paragraphs(command.help or ""),
        examples(command),
        arguments(line),
        options(command, ctx),
        endings(name, command),
        as_json(name, command),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def shared(commands: Mapping[str, click.Command]) -> str:
    """Return the options that several commands have in common, each with the commands that have it."""
    having: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name, command in commands.items():
        ctx = click.Context(command)
        for one in command.params:
            if isinstance(one, click.Option):
                having[getattr(one, "group", OUTPUT), definition(one, ctx)].append(name)
    parts = []
    for group in GROUPS:
        entries = [
            f"{text} In {', '.join(f'[{name}]({name}.md)' for name in names)}."
            for (of, text), names in having.items()
            if of == group and len(names) >= SHARED_BY
        ]
        if entries:
            parts.append("\n\n".join([f"### {group}", *entries]))
    note = "A command may have more options than these; its page lists all of them."
    return "\n\n".join(["## Options that commands share", note, *parts])


def index(commands: Mapping[str, click.Command]) -> str:
    """Return the Markdown of the list of commands."""
    parts = [INTRODUCTION]
    for job, listed in JOBS.items():
        rows = "\n".join(
            f"| [`{name}`]({name}.md) | {meaning} |" for name, meaning in listed.items()
        )
        parts.append(f"## {job}\n\n| command | what it does |\n|---|---|\n{rows}")
    names = "\n".join(commands)
    toctree = f"```{{toctree}}\n:hidden:\n:maxdepth: 1\n\n{names}\n```"
    return "\n\n".join([*parts, shared(commands), ENDINGS, toctree]) + "\n"


def pages() -> dict[str, str]:
    """Return the Markdown of every page, by the name of its file."""
    found = {name: main.get_command(click.Context(main), name) for name in COMMANDS}
    commands = {name: command for name, command in found.items() if command is not None}
    return {"index.md": index(commands)} | {
        f"{name}.md": page(name, command) for name, command in commands.items()
    }


def write(app: Sphinx) -> None:
    """Update docs/reference/commands/."""
    write_pages(Path(app.srcdir) / "reference" / "commands", pages())


def setup(app: Sphinx) -> dict[str, bool]:
    """Let Sphinx call us before it looks for pages."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
