"""`ordeval gate`: may a candidate replace a baseline? Pass, fail or inconclusive, as an exit status and in words."""

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ordeval.cli.compare import with_options
from ordeval.cli.help import COMPARISON, MEASURES, OUTPUT, CommandWithExamples, option
from ordeval.cli.inputs import DATA, RESAMPLE, SEED, UNDEFINED, Data, gathered
from ordeval.cli.measure_options import PLUGIN, check_measures, read_metric
from ordeval.cli.output import deliver, output_options_with, screen
from ordeval.cli.progress import Job, tell
from ordeval.cli.replacing import check_target
from ordeval.cli.scale_options import split_list
from ordeval.cli.streams import unwritable, utf8
from ordeval.errors import OrdevalError

if TYPE_CHECKING:
    from ordeval.comparison.gate_result import Gate
    from ordeval.runs import Runs
    from ordeval.table import Table

STATUS = {"pass": 0, "fail": 1, "inconclusive": 4}
SUMMARY = "GITHUB_STEP_SUMMARY"  # the file that a step of GitHub Actions writes its summary to


@dataclass(frozen=True, slots=True)
class Gating:
    """What a gate rests on."""

    metric: str
    margin: float
    power: float
    level: float
    undefined: str
    resample: str | None
    seed: int

    def settings(self) -> dict[str, Any]:
        """Return the options as the arguments of `gate`."""
        settings = asdict(self)
        return {"rng": settings.pop("seed"), **settings}


PROBABILITY = click.FloatRange(0, 1, min_open=True, max_open=True)
GATED = (
    click.argument("files", nargs=-1, required=True, metavar="GOLD BASELINE CANDIDATE | DATA | TABLE TABLE"),
    *DATA[1:],
)  # fmt: skip
GATING = (
    PLUGIN,
    option(COMPARISON, "--metric", metavar="NAME", default="cem_ord", show_default=True, callback=read_metric,
           help="The measure in which candidate and baseline are compared."),
    option(COMPARISON, "--margin", type=float, default=0.01, show_default=True, metavar="NUMBER",
           help="The loss that does not matter, in units of the measure; 0 asks for a candidate that is better."),
    option(COMPARISON, "--power", type=PROBABILITY, default=0.8, show_default=True, metavar="NUMBER",
           help="The chance of an answer with the number of items that would settle it."),
    option(MEASURES, "--level", type=PROBABILITY, default=0.95, show_default=True, metavar="LEVEL",
           help="The confidence level of the intervals."),
    UNDEFINED,
    RESAMPLE,
    SEED,
)  # fmt: skip
SYSTEMS = (
    option(COMPARISON, "--baseline", metavar="NAME",
           help="The system that is the baseline.  [default: the first that is named]"),
    option(COMPARISON, "--candidate", metavar="NAME",
           help="The system that is the candidate.  [default: the second]"),
)  # fmt: skip
RECORDS = (
    option(OUTPUT, "--history", type=click.Path(dir_okay=False), metavar="FILE",
           help="Also add a line to this file of JSON lines, a history of gates."),
    option(OUTPUT, "--name", metavar="TEXT", help="With --history: what the candidate is, such as a commit."),
    option(OUTPUT, "--summary", is_flag=True,
           help=f"Also add the result, in Markdown, to the file that {SUMMARY} names."),
)  # fmt: skip


def record_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that choose the two systems, and those that keep the result."""
    return with_options(command, (*SYSTEMS, *RECORDS))


def read_both(data: Data, job: Job) -> "Runs | Table":
    """Read what holds the two systems: two tables of one system each are named by their files."""
    from ordeval.cli.tables import paths_of, read, together

    if len(data.files) == 2 and not data.names_columns:
        found = [(path, read(path, *data.scale())) for path in paths_of(data.files)]
        single = [
            (path, without_system(table)) for path, table in found if not isinstance(table, str)
        ]
        if len(single) == len(found) and None not in [table for _, table in single]:
            both = together([(path, table) for path, table in single if table is not None])
            names = None if data.names is None else split_list(data.names)
            return both if names is None else replace(both, scale=both.scale.named(names))
    try:
        return data.read_items_or_counts(job)
    except OrdevalError as error:
        raise without_advice(error, data.files) from None


def without_advice(error: OrdevalError, files: tuple[str, ...]) -> OrdevalError:
    """Return the error; of two systems none can be left out, so that it must not advise this."""
    from ordeval.inputs.files.join import way_out

    return type(error)(str(error).replace(way_out(), "")) if len(files) == 3 else error


def without_system(table: "Table") -> "Table | None":
    """Return a table of one system without its axis of systems; None if it has several."""
    axes = {axis.name: axis.labels for axis in table.axes}
    if len(axes.get("system", ("one",))) > 1:
        return None
    return table.pooled("system") if "system" in axes else table


def names_of(
    data: Data, read: "Runs | Table", baseline: str | None, candidate: str | None
) -> tuple[str, str]:
    """Return the names of baseline and candidate: those that were given, or the first and the second system."""
    from ordeval.comparison.samples import names_of as systems_and_cases
    from ordeval.runs import Runs

    systems = systems_and_cases(read)[0]
    rest = [name for name in systems if name not in {baseline, candidate}]
    known = ", ".join(map(repr, systems[:5])) + (", ..." if len(systems) > 5 else "")
    for option_name, name in (("--baseline", baseline), ("--candidate", candidate)):
        if name is not None and name not in systems:
            raise click.UsageError(f"{option_name} {name!r} is no system here; there are {known}.")
    open_places = [baseline, candidate].count(None)
    if len(rest) < open_places or (len(rest) > open_places > 0):
        raise click.UsageError(
            f"a gate is of two systems, and here {'is one' if len(systems) == 1 else f'are {len(systems)}'}: {known}. "
            f"Pass GOLD BASELINE CANDIDATE, or choose with --baseline NAME --candidate NAME."
        )
    in_order = bool(data.pred) or len(data.files) == (3 if isinstance(read, Runs) else 2)
    if open_places == 2 and not in_order:
        raise click.UsageError(
            f"the systems {known} come together, in no order; say which is the baseline: --baseline NAME."
        )
    first = rest.pop(0) if baseline is None else baseline
    return first, rest.pop(0) if candidate is None else candidate


@click.command(
    cls=CommandWithExamples,
    examples=(
        ("ordeval gate gold.csv run1.csv run2.csv --margin 0.02", "may run2 replace run1?"),
        ("ordeval gate data.csv --gold human --pred a,b --history gates.jsonl", "a wide file; keep a history"),
        ("ordeval gate monday.json tuesday.json --metric qwk", "tables of two days, with the drift between them"),
    ),
)  # fmt: skip
@gathered(GATED, Data, "data")
@gathered(GATING, Gating, "gating")
@record_options
@output_options_with("junit")
def command(
    *,
    data: Data,
    gating: Gating,
    baseline: str | None,
    candidate: str | None,
    history: str | None,
    name: str | None,
    summary: bool,
    form: str,
    output: str | None,
) -> None:
    """Tell whether a candidate may replace a baseline: pass, fail or inconclusive.

    A gate passes if the candidate is shown not to be worse than the baseline by the margin or more; it fails if the
    candidate is shown to be worse. Both by the interval of the difference, which is paired if they answered the same
    items. An inconclusive gate says how many items would settle it.

    Takes the gold labels and a file for each of the two, one wide file (--gold COL --pred BASELINE --pred CANDIDATE),
    or two tables of counts, such as those of two days, which share no items; the result then also tells how their class
    shares differ. Exit status: 0 pass, 1 fail, 4 inconclusive. With -o FILE.xml a gate is a test in JUnit XML, with a
    failure if it fails and an error if it is inconclusive.
    """
    from ordeval.cli.tables import check_unpaired
    from ordeval.comparison.gate import gate

    data.refuse_slices()
    if name is not None and history is None:
        raise click.UsageError("--name is what --history writes; pass --history FILE too.")
    if history is not None:
        check_history(history, output, data.files)
    job = Job(counting=1, comparing=1)
    read = read_both(data, job)
    old, new = names_of(data, read, baseline, candidate)
    check_unpaired(read, pooled=data.pooled)
    check_measures([gating.metric], read)
    with job.stage("comparing"):
        result = gate(old, new, runs=read, **gating.settings())
    deliver(result.write(form, width=screen(output)), output, form)
    if summary:
        add_summary(result)
    if history is not None:
        add_to_history(result, history, name)
    click.get_current_context().exit(STATUS[result.outcome])


def check_history(history: str, output: str | None, files: tuple[str, ...]) -> None:
    """Refuse a history that cannot be added to, before any work is done."""
    from ordeval.comparison.history import read_history

    check_target(history, files, "--history")
    if output is not None and os.path.realpath(output) == os.path.realpath(history):
        raise click.UsageError("-o and --history name the same file. Pass two names.")
    if Path(history).exists():
        read_history(history)


def add_to_history(result: "Gate", history: str, name: str | None) -> None:
    """Add a line to the history."""
    from ordeval.comparison.history import append_record, record_of

    try:
        append_record(history, record_of(result, name=name))
    except OSError as error:
        raise unwritable(history, error) from error


def add_summary(result: "Gate") -> None:
    """Add the result to the summary of a step of GitHub Actions."""
    target = os.environ.get(SUMMARY)
    if not target:
        tell(f"--summary writes nothing: {SUMMARY}, which GitHub Actions sets, names no file.")
        return
    try:
        with Path(target).open("ab") as file:
            file.write(utf8(f"{result.to_markdown()}\n"))
    except OSError as error:
        raise unwritable(target, error) from error
