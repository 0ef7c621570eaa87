"""`ordeval decide`: fit the rule that makes the best answers of probabilities, and apply it to new ones."""

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ordeval.cli.help import COLUMNS, INPUT, MEASURES, CommandWithExamples, option
from ordeval.cli.inputs import gathered
from ordeval.cli.measure_options import read_metric
from ordeval.cli.output import by_suffix, deliver, output_options, screen
from ordeval.cli.progress import Job, tell
from ordeval.cli.scale_options import CLASS_OPTIONS, read_scale, split_list
from ordeval.errors import DataError, OrdevalError
from ordeval.letters import UNSHOWABLE

if TYPE_CHECKING:
    from ordeval.decide import Decision
    from ordeval.inputs.files.item_rows import ItemRows
    from ordeval.scale import Scale

A_BLOCK = 10_000  # rows of answers that are written at once
OF_FITTING = (
    "gold", "weight", "count", "labels", "values", "names", "metric", "calibrate", "abstain", "level", "folds",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ItemData:
    """The file of probabilities, how to read it, and the rule that is applied to it."""

    file: str
    gold: str | None
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

    def scale(self) -> tuple["Scale | None", list[float] | None]:
        """Return the scale that was declared, with the names of its classes; values alone are for that of the file."""
        from ordeval.scale import Scale

        labels, values = read_scale(self.labels, self.values)
        if labels is None:
            return None, values
        return Scale(labels, values), None

    def read(self, job: Job, scale: "Scale | None", values: Any = None) -> "ItemRows":
        """Read the rows of the file, the first stage of a job: with gold labels, unless a rule is applied."""
        from ordeval.inputs.choices import ReadingChoices
        from ordeval.inputs.files.read import read_item_file
        from ordeval.inputs.policy import Policy

        columns = {role: getattr(self, role) for role in ("item", "case", "weight")}
        columns["count"] = 1 if self.count == "1" else self.count
        choices = ReadingChoices(scale, values, Policy(), columns)
        with job.stage("reading") as progress:
            rows = read_item_file(
                self.file, choices, progress, gold=self.gold, wants_gold=self.apply is None
            )
        for note in rows.notes:
            tell(note)
        return rows

    def rule(self) -> "Decision":
        """Read the rule that is to be applied."""
        from ordeval.decide import Decision

        assert self.apply is not None  # noqa: S101 - asked for
        try:
            return Decision.from_json(Path(self.apply).read_bytes())
        except OrdevalError as error:
            raise DataError(f"{self.apply!r} holds no rule that can be applied: {error}") from None


@dataclass(frozen=True, slots=True)
class Deciding:
    """The measure that the answers serve, and how the rule is fitted."""

    metric: str
    calibrate: bool
    abstain: float
    folds: int
    level: float


DATA = (
    click.argument("file", metavar="PROBABILITIES"),
    option(INPUT, "--gold", metavar="COL", help="The column of gold labels.  [default: gold, label]"),
    option(INPUT, "--apply", metavar="RULE", type=click.Path(dir_okay=False),
           help="Answer the items of PROBABILITIES by a rule that -o wrote, and write the answers as CSV."),
    option(COLUMNS, "--item", metavar="COL", help="The column of item ids.  [default: item, id, item_id, doc]"),
    option(COLUMNS, "--case", metavar="COL",
           help="The column of test cases, which --apply copies.  [default: case, test_case, topic, query]"),
    option(COLUMNS, "--weight", metavar="COL", help="The column that says how much each item matters."),
    option(COLUMNS, "--count", metavar="COL|1",
           help="The column that says how many items each row stands for; 1: each row is one item."),
    *CLASS_OPTIONS,
)  # fmt: skip
DECIDING = (
    option(MEASURES, "--metric", metavar="NAME", default="cem_ord", show_default=True, callback=read_metric,
           help="The measure that the answers serve; 'ordeval metrics' lists them."),
    option(MEASURES, "--calibrate", is_flag=True,
           help="Make the probabilities fit the gold labels first, for a model that is too sure or not sure enough."),
    option(MEASURES, "--abstain", type=float, default=0.0, metavar="SHARE",
           help="Leave this share of the items unanswered: those whose answers are expected to lose most."),
    option(MEASURES, "--folds", type=int, default=5, show_default=True, metavar="N",
           help="The parts of the items, each answered by a rule fitted on the others, that show what the rule gains."),
    option(MEASURES, "--level", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.95,
           show_default=True, metavar="LEVEL", help="The confidence level of the intervals."),
)  # fmt: skip


@click.command(
    cls=CommandWithExamples,
    examples=(
        ("ordeval decide proba.csv --gold human --metric qwk", "what the best answers gain over the most probable class"),
        ("ordeval decide proba.csv --gold human --metric qwk -o rule.json", "and write the rule to a file"),
        ("ordeval decide new.csv --apply rule.json -o answers.csv", "answer new items by this rule"),
    ),
)  # fmt: skip
@gathered(DATA, ItemData, "data")
@gathered(DECIDING, Deciding, "deciding")
@output_options
def command(*, data: ItemData, deciding: Deciding, form: str, output: str | None) -> None:
    """Find the labels that serve a measure best, given class probabilities.

    PROBABILITIES has a row for each item, a column for each class, named as the class, and a column of gold labels
    (--gold). Pass items that the model was not trained on. Other columns are ignored. If the classes are not numbers,
    --labels names them, lowest first. CSV, TSV, JSON lines, Parquet or .xlsx, also .gz and .zst.

    With -o FILE.json the rule is written there, beside the result on stdout. With --apply the items of PROBABILITIES,
    which need no gold labels, are answered by this rule: item and label as CSV, in the order of the file, with an empty
    label where the rule abstains.
    """
    job = Job(reading=2, fitting=1)
    if data.apply is not None:
        refuse_options_of_fitting(form, output)
        rule = data.rule()
        rows = data.read(job, rule.scale)
        with job.stage("fitting", "answering"):
            answers = {"label": rule.predict(rows.numbers)}
        written = answer_lines(rows, answers, tabs=str(output).lower().endswith(".tsv"))
        deliver(written if screen(output) is None else map(shown, written), output, "csv")
        return
    from ordeval.decide import fit

    rows = data.read(job, *data.scale())
    scale = rows.scale
    assert scale is not None  # noqa: S101 - there are columns of classes
    if data.names is not None:
        scale = scale.named(split_list(data.names))
    with job.stage("fitting"):
        result = fit(
            rows.numbers, rows.gold, metric=deciding.metric, labels=scale, sample_weight=rows.weights("weight"),
            count=rows.weights("count"), calibrate=deciding.calibrate, abstain=deciding.abstain, level=deciding.level,
            folds=deciding.folds,
        )  # fmt: skip
        written = result.to_json() if by_suffix(output) == "json" else None
    if written is None:
        deliver(result.write(form, width=screen(output)), output, form)
        return
    deliver(written, output, "json")
    form = form if was_given("form") else "text"
    deliver(result.write(form, width=screen(None)), None, form)


def was_given(name: str) -> bool:
    """Tell whether an option was given on the command line."""
    source = click.get_current_context().get_parameter_source(name)
    return source is click.core.ParameterSource.COMMANDLINE


def refuse_options_of_fitting(form: str, output: str | None) -> None:
    """Refuse what has no meaning where a rule is applied."""
    given = [name for name in OF_FITTING if was_given(name)]
    if given:
        raise click.UsageError(
            f"--{given[0]} is for fitting a rule, and --apply takes a rule as it stands in the file. Leave it out."
        )
    if form not in {"text", "csv"}:
        asked = "--format" if was_given("form") else f"-o {output}"
        raise click.UsageError(
            f"{asked} asks for {form}, and answers are written as CSV. Leave out --format, and let the name of -o end "
            f"in .csv or .tsv."
        )


def answer_lines(
    rows: "ItemRows", answers: dict[str, Iterable[Any]], *, tabs: bool
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


def shown(text: str) -> str:
    """Return text that a terminal does not obey."""
    return "\n".join(UNSHOWABLE.sub("\ufffd", line) for line in text.split("\n"))
