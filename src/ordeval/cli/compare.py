"""`ordeval compare`: a leaderboard with intervals, paired differences, and tiers instead of a strict ranking."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from ordeval.cli.inputs import Data, Scoring, data_options, progress_bar, scoring_options
from ordeval.cli.output import deliver, output_options, screen, to_json
from ordeval.formats.old_text import Cell, Heading, Sheet, superscript, to_csv, to_markdown, to_text

if TYPE_CHECKING:
    from ordeval.comparison.plan import Plan
    from ordeval.comparison.result import Comparison

DASH = "\N{EN DASH}"  # an undefined value
MANY_PAIRS = 10  # beyond, people are shown the best system against each other; programs get all

OPTIONS = (
    click.option("--primary", metavar="NAME", default="cem_ord", show_default=True,
                 help="The measure that ranks the systems and makes the tiers."),
    click.option("--test", type=click.Choice(["randomisation", "bootstrap", "wilcoxon", "t"]),
                 default="randomisation", show_default=True, help="The test; the last two need test cases."),
    click.option("--correction", type=click.Choice(["holm", "bh", "none"]), default="holm", show_default=True,
                 help="How p-values are corrected over the pairs."),
    click.option("--resample", type=click.Choice(["items", "cases", "both"]),
                 help="What is drawn.  [default: cases where there are at least two, else items]"),
    click.option("--interval", "method", type=click.Choice(["percentile", "bca"]), default="percentile",
                 show_default=True, help="The kind of bootstrap interval."),
    click.option("--distribution", type=click.Choice(["resampled", "fixed"]), default="resampled", show_default=True,
                 help="The class shares behind closeness measures: drawn with the items, or held at the gold's."),
)  # fmt: skip
PLANNING = (
    click.option("--plan", is_flag=True, help="Tell how many items (or test cases) would settle each difference."),
    click.option("--power", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.8, show_default=True,
                 help="With --plan: the chance to find the difference."),
)  # fmt: skip


def comparing_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a comparison to a command."""
    return with_options(command, OPTIONS)


def planning_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that ask how many items would settle a difference."""
    return with_options(command, PLANNING)


def with_options(command: Callable[..., Any], options: tuple[Any, ...]) -> Callable[..., Any]:
    """Add options to a command, in the order in which its help lists them."""
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@data_options
@scoring_options
@comparing_options
@planning_options
@output_options
def command(data: Data, scoring: Scoring, form: str, output: str | None, **options: Any) -> None:
    """Compare systems on the same items: leaderboard, paired differences, tiers.

    Takes the same files as evaluate. Systems that cannot be told apart share a tier: the best one and all that are not
    significantly worse form the first, then the same among the rest.
    """
    from ordeval.comparison.compare import compare

    plan, power = options.pop("plan"), options.pop("power")
    runs = data.read()
    with progress_bar("resampling") as progress:
        comparison = compare(
            runs,
            metrics=list(scoring.metrics),
            level=scoring.level,
            n_resamples=scoring.n_resamples,
            rng=scoring.seed,
            progress=progress,
            **options,
        )
    plans = plans_of(comparison, power) if plan else []
    deliver(written(comparison, plans, form, screen(output)), output)


def plans_of(comparison: "Comparison", power: float) -> list["Plan"]:
    """Return how many items would settle each pair, best systems first."""
    from ordeval.comparison.plan import plan_pairs

    pairs = [(a, b) for i, a in enumerate(comparison.order) for b in comparison.order[i + 1 :]]
    level = 1 - comparison.alpha
    return (
        plan_pairs(comparison.runs, pairs, power=power, metric=comparison.primary, level=level)
        if pairs
        else []
    )


def written(comparison: "Comparison", plans: list["Plan"], form: str, width: int | None) -> str:
    """Write a comparison in the form asked for."""
    if form == "json":
        content = {
            key: value
            for key, value in comparison.to_dict().items()
            if key not in {"schema", "ordeval", "command"}
        }
        if plans:
            content["plan"] = [plan.to_dict() for plan in plans]
        return to_json("compare", content)
    if form == "csv":
        return csv_of(comparison)
    if form == "latex":
        return comparison.to_latex()
    sheets = [leaderboard(comparison)]
    if comparison.pairs:
        sheets.append(pair_sheet(comparison))
    if plans:
        sheets.append(plan_sheet(plans))
    sheets[-1] = Sheet(
        sheets[-1].headings,
        sheets[-1].rows,
        [*sheets[-1].caption, comparison.caption],
        sheets[-1].footnotes,
    )
    if form == "markdown":
        return "\n".join(map(to_markdown, sheets))
    return "\n".join(to_text(sheet, width=width, colour=width is not None) for sheet in sheets)


def leaderboard(comparison: "Comparison") -> Sheet:
    """Lay out the systems, best first, with their tiers; the primary measure stands first."""
    scores = comparison.scores
    metrics = [comparison.primary, *(name for name in scores.metrics if name != comparison.primary)]
    arrows = ["↑" if scores.measures[name].greater_is_better else "↓" for name in metrics]
    headings = [Heading("tier"), Heading("system", numeric=False), *map(Heading, metrics, arrows)]
    best = {}
    for name in metrics:
        values = [one.scores[name].value for one in comparison.leaderboard]
        there = [value for value in values if value == value]  # noqa: PLR0124 - NaN alone differs from itself
        better = max if scores.measures[name].greater_is_better else min
        best[name] = better(there) if there and len(values) > 1 else None
    notes: dict[str, str] = {}
    rows = []
    for one in comparison.leaderboard:
        cells = [Cell(str(one.tier)), Cell(one.system)]
        for name in metrics:
            score = one.scores[name]
            mark = ""
            if score.reason is not None:
                mark = notes.setdefault(f"{name}: {score.reason}", superscript(len(notes) + 1))
            shown = f"{score.value:.3f}" if score.value == score.value else DASH
            ends = below = ""
            if score.low is not None and score.high is not None:
                ends = f"[{score.low:.3f}, {score.high:.3f}]"
                below = f"{score.low:.2f}{DASH}{score.high:.2f}"
            top = best[name]
            first = top is not None and abs(score.value - top) < 5e-13
            cells.append(Cell(shown, ends, first, mark, below))
        rows.append(cells)
    return Sheet(headings, rows, (), [f"{mark} {reason}." for reason, mark in notes.items()])


def pair_sheet(comparison: "Comparison") -> Sheet:
    """Lay out the differences by the primary measure, all of them or those from the best system."""
    header, body = comparison.pair_rows(MANY_PAIRS)
    order = sorted(
        range(len(header)), key=lambda at: header[at] == "p"
    )  # the first to go on a narrow screen
    headings = [Heading(header[at], numeric=at > 1) for at in order]
    rows = [[Cell(row[at]) for at in order] for row in body]
    every = len(comparison.order) * (len(comparison.order) - 1) // 2
    more = [
        f"The best system against each other; --format json has all {every} pairs by all measures."
    ]
    return Sheet(headings, rows, more if len(rows) < every else ())


def plan_sheet(plans: list["Plan"]) -> Sheet:
    """Lay out how many items each difference would need."""
    shown = [plan for plan in plans if plan.a == plans[0].a] if len(plans) > MANY_PAIRS else plans
    in_cases = any(plan.cases is not None for plan in plans)
    names = [
        "a",
        "b",
        f"{plans[0].metric}: a - b",
        *(["test cases needed"] if in_cases else []),
        "items needed",
    ]
    rows = []
    for plan in shown:
        amounts = [plan.cases, plan.items] if in_cases else [plan.items]
        numbers = [
            f"{plan.difference:+.4f}",
            *(DASH if amount is None else f"{amount:,}" for amount in amounts),
        ]
        rows.append([Cell(plan.a), Cell(plan.b), *map(Cell, numbers)])
    unit = "test cases" if in_cases else "items"
    told = (
        f"Needed: {unit} at which this difference would be significant at {1 - plans[0].level:.3g}, uncorrected, with "
        f"power {plans[0].power:g}, if it stays and its standard error shrinks with the root of their number."
    )
    return Sheet([Heading(name, numeric=at > 1) for at, name in enumerate(names)], rows, [told])


def csv_of(comparison: "Comparison") -> str:
    """Write a line for each system: its place, its scores and the ends of their intervals."""
    metrics = comparison.scores.metrics
    parts = ("value", "low", "high") if comparison.scores.level is not None else ("value",)
    header = ["rank", "tier", "system"]
    header += [name if part == "value" else f"{name}_{part}" for name in metrics for part in parts]
    rows = []
    for one in comparison.leaderboard:
        values = [one.scores[name].to_dict()[part] for name in metrics for part in parts]
        rows.append([one.rank, one.tier, one.system, *values])
    return to_csv(header, rows)
