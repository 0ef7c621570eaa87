"""`ordeval judge`: may a model mark in place of a human, how does it mark, and which items to read first."""

from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ordeval.cli.help import ANSWERS, COLUMNS, INPUT, MEASURES, OUTPUT, CommandWithExamples, option
from ordeval.cli.inputs import gathered, split_columns
from ordeval.cli.judge_columns import check_judge_columns, header_of, own_columns
from ordeval.cli.measure_options import PLUGIN, read_measures_of_labels, read_metric
from ordeval.cli.output import deliver, output_options, screen
from ordeval.cli.page_output import asks_for_page, deliver_page
from ordeval.cli.progress import Job
from ordeval.cli.ratings_input import RATINGS, RatingsData
from ordeval.errors import DataError, argument, quoted
from ordeval.formats.numbers import counted
from ordeval.inputs.policy import CHOICES

if TYPE_CHECKING:
    from ordeval.ratings import Ratings

NAMED = ("item", "rater", "label", "case", "repeat")  # options that name columns of long files
DEFAULT_PAGE = "judges.html"
STATUS = {"fit": 0, "unfit": 1, "undecided": 4}  # of the best judge


@dataclass(frozen=True, slots=True)
class Judging:
    """What a verdict rests on: the measures, the margin, and the alternative annotator test."""

    metrics: tuple[str, ...] | None
    primary: str
    margin: float
    epsilon: float
    score: str
    least_items: int
    missing: str
    level: float


JUDGING = (
    PLUGIN,
    option(MEASURES, "--primary", metavar="NAME", default="cem_ord", show_default=True, callback=read_metric,
           help="The measure in which a judge is held against a human."),
    option(MEASURES, "--margin", type=float, default=0.05, show_default=True, metavar="NUMBER",
           help="By how much a judge may be worse than a human in this measure."),
    option(MEASURES, "--epsilon", type=float, default=0.2, show_default=True, metavar="NUMBER",
           help="The alternative annotator test: by how much a human's work is worth more than the judge's, as a share "
                "of items; 0.2 for experts, 0.15 for skilled annotators, 0.1 for crowd workers."),
    option(MEASURES, "--score", default="rmse", show_default=True, metavar="NAME",
           help="The alternative annotator test: how close a mark is to those of the others; rmse, mae, accuracy, "
                "cem_ord, or a measure of distributions such as wasserstein."),
    option(MEASURES, "--least-items", type=click.IntRange(2), default=30, show_default=True, metavar="N",
           help="The alternative annotator test: humans who marked fewer items are left out of it."),
    option(MEASURES, "--metrics", metavar="NAME,...", callback=read_measures_of_labels,
           help="The measures by which judge and human are scored.  [default: cem_ord, accuracy, mae, quadratic "
                "weighted kappa, kendall_tau_b]"),
    option(MEASURES, "--level", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.95,
           show_default=True, metavar="LEVEL", help="The confidence level of the intervals."),
    option(ANSWERS, "--missing", type=click.Choice(CHOICES["missing"]), default="drop", show_default=True,
           help="What happens to an item that a judge did not mark: refused, worth nothing, counted as the farther end "
                "of the scale, or left out for this judge."),
)  # fmt: skip
FILES = (
    click.argument("files", nargs=-1, required=True, metavar="HUMANS [JUDGES]..."),
    RATINGS[1],
    option(INPUT, "--judges", multiple=True, metavar="NAME,NAME",
           help="The judges: their columns in a wide file, which then also holds the humans (--raters) unless a second "
                "file is given, their names among the raters of one long file, or the scorers of a log; may be "
                "repeated."),
    *RATINGS[2:],
)  # fmt: skip


def read_both(data: RatingsData, judges: list[str], job: Job) -> "tuple[Ratings, Ratings]":
    """Read the marks of the humans and of the judges, from files of their own or from one."""
    from ordeval.ratings.repeats import raters_named

    humans, *others = data.files
    if not others and not judges:
        raise click.UsageError(
            "one file was given; pass HUMANS and JUDGES, or one file of both with --judges NAME,NAME: the columns of "
            "the judges in a wide file (beside --raters), or their names among the raters of a long one."
        )
    twice = [name for name in others if others.count(name) > 1]
    if twice:
        raise click.UsageError(
            f"{quoted(twice[:1])} is named twice among JUDGES. Name each file once."
        )
    if not others and not data.raters:
        both = data.read(job)
        chosen = raters_named(both, judges)
        return both.leave_out(*chosen), both.select(chosen)
    people, models = replace(data, files=(humans,)), replace(data, files=tuple(others) or (humans,))
    named = {role: getattr(data, role) for role in NAMED}
    columns = [
        header_of(people.files, named, split_columns(data.raters), "raters"),
        header_of(models.files, named, judges, "judges"),
    ]
    of_people, of_models = own_columns(named, *columns), own_columns(named, *columns[::-1])
    people, models = replace(people, **of_people), replace(models, **of_models)
    marks = people.read(job)
    if columns[1] is not None:
        if not judges:
            check_judge_columns(models.files[0], columns[1], of_models, "judges")
        count = (
            data.count if judges or not others else None
        )  # only the rows of wide files are counted
        models = replace(models, raters=tuple(judges), count=count)
        return marks, on_scale_of(marks, models, job)
    # a log has no columns, but several measures, each of which is a judge
    models = replace(models, raters=(), count=None)
    each = [replace(models, label=name) for name in judges] or [models]
    return marks, sum(
        (on_scale_of(marks, one, job) for one in each[1:]), on_scale_of(marks, each[0], job)
    )


def on_scale_of(humans: "Ratings", data: RatingsData, job: Job) -> "Ratings":
    """Read the marks of judges; numbers between the classes of the humans do not become classes of their own."""
    from ordeval.judge.common_scale import classes_for_judges

    judges = data.read(job, one_rater=True)
    classes = None if data.labels is not None else classes_for_judges(humans, judges)
    if classes is None:
        return judges
    return replace(data, labels=",".join(map(str, classes.labels))).read(job, one_rater=True)


def read_slices(data: RatingsData, by: list[str]) -> dict[str, dict[Any, Any]] | None:
    """Return, for each column that slices go by, the value of every item, from the first file that has it."""
    from ordeval.inputs.choices import ReadingChoices
    from ordeval.inputs.files.read import columns_of_files, read_item_values
    from ordeval.inputs.policy import Policy

    if not by:
        return None
    choices = ReadingChoices(None, None, Policy(), {"item": data.item, "case": data.case})
    found: dict[str, dict[Any, Any]] = {}
    tables = [file for file in data.files if columns_of_files(file, {}) is not None]  # and no logs
    for column in by:
        for file in tables:
            values = read_item_values(file, column, choices)
            if values is not None:
                found[column] = values
                break
        else:
            raise DataError(
                f"no file has the column {column!r}, which {argument('by', column)} asks for. Check its name; it "
                f"stands in the file of the humans or of the judges."
            )
    return found


@click.command(
    cls=CommandWithExamples,
    examples=(
        ("ordeval judge humans.csv judges.csv", "a row for each mark in both files: item, rater, label"),
        ("ordeval judge humans.csv gpt.csv claude.csv --epsilon 0.1", "a file for each judge; crowd workers"),
        ("ordeval judge data.csv --raters human,a --judges b", "one wide file with a column for each"),
    ),
)  # fmt: skip
@gathered(FILES, RatingsData, "data")
@option(COLUMNS, "--by", multiple=True, metavar="COL",
        help="A column about the items, beside the marks of humans or judges, whose groups are slices; may be "
             "repeated.")  # fmt: skip
@gathered(JUDGING, Judging, "judging")
@option(OUTPUT, "--title", metavar="TEXT", help="The title of a page (-o FILE.html).")
@output_options
def command(
    *,
    data: RatingsData,
    judges: tuple[str, ...],
    by: tuple[str, ...],
    judging: Judging,
    title: str | None,
    form: str,
    output: str | None,
) -> None:
    """Tell whether a model that marks, a judge, may stand in for a human.

    HUMANS are the marks of at least two humans, JUDGES those of one judge or more on the same items: long files with a
    row for each mark (item, rater, label), where a file without a column of raters is that of one judge, or wide files
    (--raters, --judges). A judge may have marked an item several times (--repeat). A column that is named is looked for
    in the files that have it. JUDGES may be logs of Inspect AI, lm-evaluation-harness, promptfoo or DeepEval: --judges
    or --label then chooses the score.

    A judge is unfit if it is worse than a human by more than the margin; fit if it is not, and passes the alternative
    annotator test; else undecided. Exit status: 0 if a judge is fit; 4 if none is and one is undecided; 1 if all are
    unfit.
    """
    from ordeval.judge.validate import validate

    job = Job(counting=2, judging=2, drawing=1)
    humans, models = read_both(data, split_columns(judges), job)
    slices = read_slices(data, split_columns(by))
    with job.stage("judging") as progress:
        validation = validate(humans, models, by=slices, progress=progress, **asdict(judging))
    if asks_for_page(output):
        from ordeval.report import render_judges

        deliver_page(
            partial(render_judges, validation), output, job=job, title=title, files=data.files, default=DEFAULT_PAGE,
            about=counted(len(validation), "judge"),
        )  # fmt: skip
    else:
        deliver(validation.pieces(form, width=screen(output)), output, form)
    click.get_current_context().exit(STATUS[validation.best.verdict])
