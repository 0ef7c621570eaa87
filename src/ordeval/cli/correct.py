"""`ordeval correct`: what humans would have said of all items, from few of their marks and a judge's many."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from ordeval.cli.help import COLUMNS, INPUT, MEASURES, CommandWithExamples, option
from ordeval.cli.inputs import gathered, policy, split_columns
from ordeval.cli.judge_columns import check_judge_columns, header_of, is_wide_column, own_columns
from ordeval.cli.measure_options import PLUGIN, read_measures_of_labels
from ordeval.cli.output import deliver, output_options, screen
from ordeval.cli.progress import Job, tell
from ordeval.cli.scale_options import CLASS_OPTIONS, read_scale, split_list

if TYPE_CHECKING:
    from ordeval.aliases import Progress
    from ordeval.judge.budget import BudgetPlan
    from ordeval.judge.corrected_scores import CorrectedScores
    from ordeval.judge.judged import JudgedItems
    from ordeval.ratings import Ratings

METHODS = ("poststratification", "ppi++", "ppi", "rogan_gladen", "naive")


@dataclass(frozen=True, slots=True)
class CorrectedData:
    """The files of humans, judge and systems, and how to read them."""

    files: tuple[str, ...]
    raters: tuple[str, ...]
    judge: str | None
    item: str | None
    label: str | None
    rater: str | None
    system: str | None
    case: str | None
    labels: str | None
    values: str | None
    names: str | None
    missing: str
    unknown: str
    duplicates: str
    round: str

    def read(self, job: Job) -> "tuple[Ratings, Ratings, Ratings | None]":
        """Read the marks of humans and of the judge, and the answers of the systems, if there are any."""
        if len(self.files) < 2:
            raise click.UsageError(
                "one file was given; pass HUMANS, a file of few human marks, and JUDGE, a file of a judge's marks on "
                "these and many more items."
            )
        with job.stage("counting") as progress:
            read = self.read_files(progress)
        for note in dict.fromkeys(note for part in read if part is not None for note in part.notes):
            tell(note)
        return read

    def read_files(self, progress: "Progress") -> "tuple[Ratings, Ratings, Ratings | None]":
        """Read all files; every mark and answer is then on one scale."""
        from ordeval.inputs.choices import ReadingChoices
        from ordeval.inputs.files.locate import find, find_systems
        from ordeval.inputs.files.read import columns_of_files, read_answer_files, read_mark_files
        from ordeval.inputs.files.tool_logs.recognise import are_logs
        from ordeval.inputs.policy import Policy
        from ordeval.judge.common_scale import classes_for_judges, common_scale, on_scale
        from ordeval.progress import portion
        from ordeval.ratings import Ratings
        from ordeval.ratings.repeats import raters_named

        humans, judge, *systems = self.files
        named = {name: getattr(self, name) for name in ("item", "label", "case")}
        people = split_columns(self.raters)
        heads = [
            header_of(humans, named, people, "raters"),
            header_of(judge, named, [self.judge] if self.judge else [], "judge"),
        ]
        columns, of_judge = own_columns(named, *heads), own_columns(named, *heads[::-1])
        logged, wide = are_logs(judge), None
        if logged:  # a log has no columns, but several measures, of which one is the judge
            of_judge = {"label": self.judge or self.label}
            columns = {**named, "label": self.label if self.judge else None}
        elif self.judge is not None and is_wide_column(self.judge, heads[1]):
            wide, of_judge = [self.judge], {**of_judge, "label": None}
        else:
            check_judge_columns(judge, heads[1], of_judge, "judge")
        reading = Policy(unknown=self.unknown, duplicates=self.duplicates, round=self.round)
        choices = ReadingChoices(*read_scale(self.labels, self.values), reading, columns)

        def marks(
            file: str, part: "Progress", columns: dict[str, Any], labels: Any, raters: Any = None
        ) -> "Ratings":
            chosen = replace(choices, columns=columns, labels=labels)
            return Ratings.from_placed(read_mark_files(file, raters, chosen, part, one_rater=True))

        of_people = {**columns, "rater": self.rater}
        human_marks = marks(
            humans, portion(progress, 0, 0.2), of_people, choices.labels, people or None
        )
        judge_marks = marks(judge, portion(progress, 0.2, 0.4), of_judge, choices.labels, wide)
        classes = None if self.labels is not None else classes_for_judges(human_marks, judge_marks)
        if classes is not None:
            judge_marks = marks(judge, portion(progress, 0.4, 0.5), of_judge, classes, wide)
        if self.judge is not None and not (logged or wide):
            judge_marks = judge_marks.select(raters_named(judge_marks, [self.judge]))
        scale = common_scale(human_marks, judge_marks)
        if self.names is not None:
            scale = scale.named(split_list(self.names))
        both = on_scale(human_marks, scale), on_scale(judge_marks, scale)
        if not systems:
            return *both, None
        if any(named.values()):
            own = [name for file in systems for name in columns_of_files(file, named) or ()]
            columns = own_columns(named, own, [name for head in heads for name in head or ()])
        known = replace(
            choices, labels=scale, values=None, columns={**columns, "system": self.system}
        )
        sources = find_systems(systems, shards=False, gold=find(humans))
        placed = read_answer_files(sources, known, portion(progress, 0.5, 1))
        return *both, Ratings.from_placed(placed)


@dataclass(frozen=True, slots=True)
class Correcting:
    """The method, the measures of systems, and the money for marks."""

    method: str | None
    metrics: tuple[str, ...] | None
    level: float
    budget: float | None
    target: float | None
    cost_human: float | None
    cost_judge: float | None

    def check(self, systems: int) -> None:
        """Refuse options that have no effect together, before any file is read."""
        from ordeval.judge.budget import check_money

        if self.budget is not None or self.target is not None:
            check_money(self.budget, self.target, *self.costs, self.level)
        elif self.cost_human is not None or self.cost_judge is not None:
            raise click.UsageError(
                "--cost-human and --cost-judge are what marks cost in a plan; say what is planned for, too: --budget "
                "AMOUNT, or --target WIDTH."
            )
        if self.metrics is not None and not systems:
            raise click.UsageError(
                "--metrics are for the scores of systems; name their files, too: HUMANS JUDGE SYSTEM..."
            )

    @property
    def costs(self) -> tuple[float, float]:
        """What a mark of a human and of the judge costs."""
        given = self.cost_human, self.cost_judge
        return 1.0 if given[0] is None else given[0], 0.01 if given[1] is None else given[1]

    def plan(self, judged: "JudgedItems") -> "BudgetPlan | None":
        """Return how to split the money, if there was a word of it."""
        from ordeval.judge.budget import plan_judged

        if self.budget is None and self.target is None:
            return None
        human, judge = self.costs
        return plan_judged(
            judged, budget=self.budget, target=self.target, cost_human=human, cost_judge=judge, level=self.level
        )  # fmt: skip

    def scores(
        self, humans: "Ratings", judge: "Ratings", systems: "Ratings", missing: Any
    ) -> "CorrectedScores":
        """Return the corrected scores of the systems."""
        from ordeval.judge.correct_scores import correct_scores
        from ordeval.judge.judged import score_columns

        return correct_scores(
            *score_columns(humans, judge, systems, missing), metrics=self.metrics, level=self.level,
            labels=humans.scale.labels, values=humans.scale.values, missing=missing, **self.chosen,
        )  # fmt: skip

    @property
    def chosen(self) -> dict[str, Any]:
        """The method as an argument; if none was asked for, each function has its own."""
        return {} if self.method is None else {"method": self.method}


DATA = (
    click.argument("files", nargs=-1, required=True, metavar="HUMANS JUDGE [SYSTEM...]"),
    option(INPUT, "--raters", multiple=True, metavar="COL,COL",
           help="The columns of the humans in HUMANS, if it has one row for each item; may be repeated."),
    option(INPUT, "--judge", metavar="NAME",
           help="The judge, if JUDGE has the marks of several: its name, or its column in a wide file; in a log, its "
                "measure."),
    option(COLUMNS, "--item", metavar="COL", help="The column of item ids.  [default: item, id, item_id, doc]"),
    option(COLUMNS, "--label", metavar="COL",
           help="The column of marks and answers.  [default: label, value, gold, prediction, pred, score, rating, "
                "grade]"),
    option(COLUMNS, "--rater", metavar="COL",
           help="The column of raters in HUMANS, if several marked the same items.  [default: rater, annotator, "
                "worker, judge]"),
    option(COLUMNS, "--system", metavar="COL",
           help="The column of systems, if a file has several.  [default: system, run, model, or else the file's "
                "name]"),
    option(COLUMNS, "--case", metavar="COL",
           help="The column of test cases, where different ones may have items of the same id.  [default: case, "
                "test_case, topic, query]"),
    *CLASS_OPTIONS,
    policy("missing", "What happens to an item without an answer of a system: refused, worth nothing, counted as the "
                      "farther end of the scale, or left out."),
    policy("unknown", "What happens to a mark or an answer that is not on the scale: refused, or taken as missing."),
    policy("duplicates", "What happens to a second mark of the same rater on an item: refused, or left out."),
    policy("round", "What happens to a number between two classes: refused, or rounded (a half goes up)."),
)  # fmt: skip
SETTINGS = (
    option(MEASURES, "--method", type=click.Choice(METHODS),
           help="How the judge's errors are corrected; the results of the other methods are shown, too.  [default: "
                "ppi++; for the scores of systems poststratification]"),
    PLUGIN,
    option(MEASURES, "--metrics", metavar="NAME,...", callback=read_measures_of_labels,
           help="The measures by which systems are scored; 'ordeval metrics' lists them."),
    option(MEASURES, "--level", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.95,
           show_default=True, metavar="LEVEL", help="The confidence level of the intervals."),
    option(MEASURES, "--budget", type=float, metavar="AMOUNT",
           help="Plan how many items humans and the judge should mark for so much money."),
    option(MEASURES, "--target", type=float, metavar="WIDTH",
           help="Plan the cheapest way to a mean mark whose interval reaches so far to each side."),
    option(MEASURES, "--cost-human", type=float, metavar="AMOUNT",
           help="What a human mark costs in a plan.  [default: 1]"),
    option(MEASURES, "--cost-judge", type=float, metavar="AMOUNT",
           help="What a mark of the judge costs in a plan.  [default: 0.01]"),
)  # fmt: skip


@click.command(
    cls=CommandWithExamples,
    examples=(
        ("ordeval correct humans.csv judge.csv", "the mean mark and the class shares, corrected"),
        ("ordeval correct humans.csv judge.csv run1.csv run2.csv --metrics cem_ord,qwk", "scores of systems, too"),
        ("ordeval correct humans.csv judge.csv --budget 500 --cost-judge 0.002", "and how to split a budget"),
    ),
)  # fmt: skip
@gathered(DATA, CorrectedData, "data")
@gathered(SETTINGS, Correcting, "correcting")
@output_options
def command(*, data: CorrectedData, correcting: Correcting, form: str, output: str | None) -> None:
    """Tell what humans would have said of all items, from few of their marks and many of a judge.

    HUMANS is a file of few human marks, drawn at random: item and label, with a column of raters if several humans
    marked an item, or a column for each human (--raters). JUDGE has the marks of one judge on these items and on many
    more. Each SYSTEM has answers to all of them; its scores are given as if humans had marked every item. Items are
    matched by id. CSV, TSV, JSON lines, Parquet or .xlsx, also .gz and .zst; JUDGE may be a log of Inspect AI,
    lm-evaluation-harness, promptfoo or DeepEval.
    """
    from ordeval.agreement.words import left_out_sentences
    from ordeval.judge.correct import correct_judged
    from ordeval.judge.judged import match_ratings

    correcting.check(len(data.files) - 2)
    job = Job(counting=1, scoring=1)
    humans, judge, systems = data.read(job)
    with job.stage("scoring"):
        judged = match_ratings(humans, judge)
        result = correct_judged(judged, level=correcting.level, **correcting.chosen)
        result = replace(result, budget=correcting.plan(judged))
        if systems is not None:
            scores = correcting.scores(humans, judge, systems, data.missing)
            notes = (*result.notes, *left_out_sentences(systems, " of systems"))
            result = replace(result, systems=scores, notes=notes)
    deliver(result.write(form, width=screen(output)), output, form)
