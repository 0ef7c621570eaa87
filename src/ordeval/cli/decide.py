"""`ordeval decide`: fit the rule that turns probabilities or scores into the best answers, and apply it to new ones."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ordeval.cli.help import COLUMNS, INPUT, MEASURES, CommandWithExamples, option
from ordeval.cli.inputs import gathered
from ordeval.cli.measure_options import PLUGIN, read_metric
from ordeval.cli.output import by_suffix, deliver, output_options, screen
from ordeval.cli.progress import Job, tell
from ordeval.cli.scale_options import CLASS_OPTIONS, read_scale, split_list
from ordeval.errors import DataError, OrdevalError
from ordeval.letters import UNSHOWABLE

if TYPE_CHECKING:
    from ordeval.decide import Cuts, Decision, PredictionSets
    from ordeval.inputs.files.item_columns import ItemRows

A_BLOCK = 10_000  # rows of answers that are written at once
SCORE = "score"  # the column of scores that cut points are applied to, unless another is named
# Options that have no effect with another one, and why.
UNUSED = {
    "apply": (
        ("gold", "weight", "count", "labels", "values", "names", "metric", "calibrate", "abstain", "sets", "by_class",
         "folds", "level"),
        "is for fitting a rule, and --apply uses one that was fitted before",
    ),
    "sets": (
        ("scores", "metric", "calibrate", "abstain", "folds", "level", "weight"),
        "has no effect with --sets, which hold the gold class as often as promised and serve no measure",
    ),
    "scores": (("calibrate", "abstain"), "is for probabilities, and --scores names a column of scores"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ItemData:
    """The file of probabilities or scores, how to read it, and the rule that is applied to it."""

    file: str
    gold: str | None
    scores: str | None
    apply: str | None
    item: str | None
    case: str | None
    weight: str | None
    count: str | None
    labels: str | None
    values: str | None
    names: str | None

    @property
    def files(self) -> tuple[str, ...]:
        """The files that are read."""
        return (self.file,) if self.apply is None else (self.file, self.apply)

    def read(
        self, job: Job, labels: Any, values: Any = None, *, scores: str | None = None
    ) -> "ItemRows":
        """Read the rows of the file, the first stage of a job: with gold labels, unless a rule is applied."""
        from ordeval.inputs.choices import ReadingChoices
        from ordeval.inputs.files.read import read_item_file
        from ordeval.inputs.policy import Policy

        columns: dict[str, Any] = {
            role: getattr(self, role) for role in ("item", "case", "weight", "count")
        }
        columns["count"] = 1 if self.count == "1" else self.count
        choices = ReadingChoices(labels, values, Policy(), columns)
        with job.stage("reading") as progress:
            rows = read_item_file(
                self.file, choices, progress, gold=self.gold, wants_gold=self.apply is None, score=scores
            )  # fmt: skip
        for note in rows.notes:
            tell(note)
        return rows

    def read_with_scale(self, job: Job) -> tuple["ItemRows", Any]:
        """Read the rows with their gold labels, and the scale: declared, of the columns, or else of gold."""
        from ordeval.scale import Scale

        labels, values = read_scale(self.labels, self.values)
        rows = self.read(job, labels, values, scores=self.scores)
        scale = rows.scale or Scale.infer(rows.gold, labels=labels, values=values)
        return rows, scale if self.names is None else scale.named(split_list(self.names))


@dataclass(frozen=True, slots=True)
class Deciding:
    """What the answers serve, and how the rule is fitted."""

    metric: str
    calibrate: bool
    abstain: float
    sets: float | None
    by_class: bool
    folds: int
    level: float

    def fit(self, rows: "ItemRows", scale: Any) -> "Decision | Cuts | PredictionSets":
        """Fit what was asked for to the rows of a file."""
        from ordeval.decide import cut, fit, sets

        if self.sets is not None:
            return sets(
                rows.numbers, rows.gold, level=self.sets, by_class=self.by_class, labels=scale,
                count=rows.weights("count"),
            )  # fmt: skip
        shared: dict[str, Any] = {
            "metric": self.metric, "labels": scale, "sample_weight": rows.weights("weight"),
            "count": rows.weights("count"), "level": self.level, "folds": self.folds,
        }  # fmt: skip
        if rows.scale is None:
            return cut(rows.numbers[:, 0], rows.gold, **shared)
        return fit(
            rows.numbers, rows.gold, calibrate=self.calibrate, abstain=self.abstain, **shared
        )


DATA = (
    click.argument("file", metavar="PROBABILITIES"),
    option(INPUT, "--gold", metavar="COL", help="The column of gold labels.  [default: gold, label]"),
    option(INPUT, "--scores", metavar="COL",
           help="Find the cut points of one score, in this column, in place of a rule for probabilities; with --apply, "
                "cut the scores of this column.  [default of --apply: score]"),
    option(INPUT, "--apply", metavar="RULE", type=click.Path(dir_okay=False),
           help="Answer the items by a rule that -o wrote, and write the answers as CSV."),
    option(COLUMNS, "--item", metavar="COL", help="The column of item ids.  [default: item, id, item_id, doc]"),
    option(COLUMNS, "--case", metavar="COL",
           help="The column of test cases, which --apply copies.  [default: case, test_case, topic, query]"),
    option(COLUMNS, "--weight", metavar="COL", help="The column that says how much each item matters."),
    option(COLUMNS, "--count", metavar="COL|1",
           help="The column that says how many items each row stands for; 1: each row is one item."),
    *CLASS_OPTIONS,
)  # fmt: skip
DECIDING = (
    PLUGIN,
    option(MEASURES, "--metric", metavar="NAME", default="cem_ord", show_default=True, callback=read_metric,
           help="The measure that the answers serve; 'ordeval metrics' lists them."),
    option(MEASURES, "--calibrate", is_flag=True,
           help="Make the probabilities fit the gold labels first, for a model that is too sure or not sure enough."),
    option(MEASURES, "--abstain", type=float, default=0.0, metavar="SHARE",
           help="Leave this share of the items unanswered: those whose answers are expected to lose most."),
    option(MEASURES, "--sets", type=click.FloatRange(0, 1, min_open=True, max_open=True), metavar="LEVEL",
           help="Find sets of neighbouring classes that hold the gold class with this probability, in place of "
                "single answers."),
    option(MEASURES, "--by-class", is_flag=True, help="Promise the level of --sets for each gold class."),
    option(MEASURES, "--folds", type=int, default=5, show_default=True, metavar="N",
           help="Split the items into so many parts, each answered by a rule fitted on the others, to show the gain."),
    option(MEASURES, "--level", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.95,
           show_default=True, metavar="LEVEL", help="The confidence level of the intervals."),
)  # fmt: skip


@click.command(
    cls=CommandWithExamples,
    examples=(
        ("ordeval decide proba.csv --gold human --metric qwk -o rule.json", "what a rule gains; keep it in a file"),
        ("ordeval decide new.csv --apply rule.json -o answers.csv", "answer new items by this rule"),
        ("ordeval decide proba.csv --gold human --sets 0.9", "sets of classes that hold gold with 90% probability"),
    ),
)  # fmt: skip
@gathered(DATA, ItemData, "data")
@gathered(DECIDING, Deciding, "deciding")
@output_options
def command(*, data: ItemData, deciding: Deciding, form: str, output: str | None) -> None:
    """Find the labels that serve a measure best, given class probabilities or scores.

    PROBABILITIES has a row for each item, a column for each class, named as the class, and a column of gold labels
    (--gold). Pass items that the model was not trained on. Other columns are ignored. If the names of the classes are
    not numbers, --labels lists them, lowest first. CSV, TSV, JSON lines, Parquet or .xlsx, also .gz and .zst.

    With -o FILE.json the rule is written there, and the result to stdout. With --apply the items of PROBABILITIES,
    which need no gold labels, are answered by such a rule: item and label as CSV, in the order of the file. The label
    is empty where the rule abstains; for sets there are the lowest and the highest class.
    """
    refuse_unused(deciding)
    job = Job(reading=2, fitting=1)
    if data.apply is not None:
        check_form(form, output)
        rows, answers = answered(data, data.apply, job)
        lines = answer_lines(rows, answers, tabs=str(output).lower().endswith(".tsv"))
        if screen(output) is not None:  # a terminal obeys control characters in a name
            lines = (UNSHOWABLE.sub("\ufffd", block) for block in lines)
        deliver(lines, output, "csv")
        return
    rows, scale = data.read_with_scale(job)
    with job.stage("fitting"):
        result = deciding.fit(rows, scale)
        text = result.to_json()  # computes everything, while the progress is shown
    if by_suffix(output) != "json":
        deliver(result.write(form, width=screen(output)), output, form)
        return
    deliver(text, output, "json")
    form = form if was_given("form") else "text"
    deliver(result.write(form, width=screen(None)), None, form)


def was_given(name: str) -> bool:
    """Tell whether an option was given on the command line."""
    source = click.get_current_context().get_parameter_source(name)
    return source is click.core.ParameterSource.COMMANDLINE


def refuse_unused(deciding: Deciding) -> None:
    """Refuse options that have no effect together."""
    for option_given, (names, why) in UNUSED.items():
        unused = [name for name in names if was_given(option_given) and was_given(name)]
        if unused:
            raise click.UsageError(f"--{unused[0].replace('_', '-')} {why}. Leave it out.")
    if deciding.by_class and deciding.sets is None:
        raise click.UsageError(
            "--by-class is for sets of classes. Say how often they must hold the gold class, too: --sets 0.9."
        )


def check_form(form: str, output: str | None) -> None:
    """Refuse another form than CSV for answers."""
    if form not in {"text", "csv"}:
        asked = "--format" if was_given("form") else f"-o {output}"
        raise click.UsageError(
            f"{asked} asks for {form}, and answers are written as CSV. Leave out --format, and let the name of -o end "
            f"in .csv or .tsv."
        )


def answered(data: ItemData, file: str, job: Job) -> tuple["ItemRows", Mapping[str, Iterable[Any]]]:
    """Read a rule and the items of a file; return the items with the answers, by the names of their columns."""
    from ordeval.decide import Cuts, PredictionSets

    rule = rule_in(file)
    of_scores = isinstance(rule, Cuts)
    if data.scores is not None and not of_scores:
        raise click.UsageError(f"{file!r} holds a rule for probabilities. Leave out --scores.")
    rows = data.read(job, rule.scale, scores=(data.scores or SCORE) if of_scores else None)
    with job.stage("fitting", "answering"):
        found = rule.predict(rows.numbers[:, 0] if of_scores else rows.numbers).tolist()
    if isinstance(rule, PredictionSets):
        lowest, highest = zip(*found, strict=True)
        return rows, {"lowest": lowest, "highest": highest}
    return rows, {"label": found}


def rule_in(file: str) -> "Decision | Cuts | PredictionSets":
    """Read the rule that a file holds, of any kind."""
    from ordeval.decide import cut_points, decision, prediction_sets
    from ordeval.decide.stored import kind_of

    readers: dict[str, Callable[[bytes], Decision | Cuts | PredictionSets]] = {
        cut_points.KIND: cut_points.Cuts.from_json,
        prediction_sets.KIND: prediction_sets.PredictionSets.from_json,
    }
    text = Path(file).read_bytes()
    try:
        return readers.get(kind_of(text), decision.Decision.from_json)(text)
    except OrdevalError as error:
        raise DataError(f"{file!r} holds no rule that can be applied: {error}") from None


def answer_lines(
    rows: "ItemRows", answers: Mapping[str, Iterable[Any]], *, tabs: bool
) -> Iterator[str]:
    """Write a line for each row: its test case, if any, its item or its number, and the answers, in blocks."""
    n = len(rows.numbers)
    case, item = rows.names("case"), rows.names("item")
    columns: dict[str, Iterable[Any]] = {} if case is None else {"case": case}
    columns |= {"item": range(1, n + 1) if item is None else item, **answers}
    waiting = io.StringIO()
    writer = csv.writer(waiting, delimiter="\t" if tabs else ",", lineterminator="\n")
    writer.writerow(columns)
    for at, row in enumerate(zip(*columns.values(), strict=True), 1):
        writer.writerow(["" if field is None else field for field in row])
        if at % A_BLOCK == 0 or at == n:
            yield waiting.getvalue()
            waiting.seek(0)
            waiting.truncate()
