"""What every command that reads labels asks for: the files, their columns, the scale, the policies, the measures.

`@data_options` gives a command an argument `data: Data`, and `data.read()` the runs; `@scoring_options` gives it
`scoring: Scoring`, the measures and how their intervals are made. Each option is declared here, once.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ordeval.cli.help import ANSWERS, COLUMNS, INPUT, MEASURES, option
from ordeval.cli.measure_options import PLUGIN, read_level, read_metrics
from ordeval.cli.progress import Job, tell
from ordeval.cli.scale_options import CLASS_OPTIONS, read_scale, split_list
from ordeval.errors import DataError
from ordeval.inputs.policy import CHOICES

if TYPE_CHECKING:
    from ordeval.inputs.files.problems import FilesCheck
    from ordeval.runs import Runs
    from ordeval.table import Table

Command = TypeVar("Command", bound=Callable[..., Any])
NAMED = "it does not have the columns that were named"


@dataclass(frozen=True, slots=True)
class Data:
    """The files named on the command line and how to read them."""

    files: tuple[str, ...]
    gold: str | None
    raters: tuple[str, ...]
    pred: tuple[str, ...]
    labels: str | None
    values: str | None
    names: str | None
    missing: str
    unknown: str
    duplicates: str
    gold_missing: str
    round: str
    case: str | None
    item: str | None
    label: str | None
    system: str | None
    rater: str | None
    weight: str | None
    count: str | None
    by: tuple[str, ...]
    proba: bool
    shards: bool
    skip_bad: bool
    pooled: bool

    def read(self, job: Job) -> "Runs":
        """Read the answers item by item; refuse tables of counts."""
        from ordeval.runs import Runs

        data = self.read_items_or_counts(job)
        if not isinstance(data, Runs):
            raise DataError(
                f"{self.files[0]!r} is a table of counts, which does not show what the systems answered to each item; "
                f"this command needs that. Pass the files of labels."
            )
        return data

    def read_items_or_counts(self, job: Job) -> "Runs | Table":
        """Read the files, the first stage of a job, and give the classes the names by which they are shown."""
        data = self.read_any(job)
        if self.names is None:
            return data
        return replace(data, scale=data.scale.named(split_list(self.names)))

    def read_any(self, job: Job) -> "Runs | Table":
        """Read the files: GOLD SYSTEM..., one wide file whose gold columns are named, or tables of counts."""
        from ordeval.runs import Runs

        lacks = NAMED
        if not self.names_columns:
            from ordeval.cli.tables import read_systems

            table = read_systems(self.files, *self.scale(), skip_bad=self.skip_bad)
            if not isinstance(table, str):
                return table
            lacks = table
        self.check(lacks)
        shared = {**self.options(), **self.columns(), "by": self.slicings}
        with job.stage("counting") as progress:
            shared["progress"] = progress
            if self.beside_gold:
                runs = Runs.from_wide(self.files[0], gold=self.gold, proba=True, **shared)
            elif self.is_wide:
                data, columns = self.wide()
                people = split_columns(self.raters) or None
                runs = Runs.from_wide(
                    data, gold=self.gold, raters=people, predicted=columns, **shared
                )
            else:
                shared |= {"shards": self.shards, "skip_bad": self.skip_bad}
                shared |= {"rater": self.rater, "proba": self.proba}
                runs = Runs.from_files(self.files[0], self.files[1:], **shared)
        for note in runs.notes:
            tell(note)
        return runs.pooled() if self.pooled else runs

    def find_problems(self) -> "FilesCheck":
        """Read the files one by one and return the problems of each."""
        if self.beside_gold:  # one file is checked as gold, and as a system
            both = replace(self, files=self.files * 2, label=self.gold, gold=None)
            return both.find_problems()
        from ordeval.cli.tables import check_tables
        from ordeval.inputs.choices import ReadingChoices
        from ordeval.inputs.files.read import check_systems_files, check_wide_file
        from ordeval.inputs.policy import read_options
        from ordeval.ratings.rated_check import check_rated_files, check_rated_wide
        from ordeval.ratings.rated_files import asks_for_references

        lacks = NAMED
        if not self.names_columns:
            found = check_tables(self.files, *self.scale())
            if not isinstance(found, str):
                return found
            lacks = found
        self.check(lacks)
        read = read_options(self.options())
        choices = ReadingChoices(*read, self.columns(), self.slicings)
        with Job(checking=1).stage("checking") as progress:
            if self.gold is not None:
                data, columns = self.wide()
                return check_wide_file(data, self.gold, columns, choices, progress)
            if self.raters:
                data, columns = self.wide()
                people = split_columns(self.raters)
                return check_rated_wide(data, people, columns, choices, progress)
            gold, *systems = self.files
            if self.rater is None and not self.proba and not asks_for_references(systems):
                plain = any((self.weight, self.count, self.by))
                checked = check_systems_files(
                    gold, systems, choices, progress, shards=self.shards, unless_rated=not plain
                )
                if checked is not None:
                    return checked
            return check_rated_files(
                gold, systems, choices, progress,
                rater=self.rater, proba=self.proba, shards=self.shards,
            )  # fmt: skip

    @property
    def is_wide(self) -> bool:
        """Whether the columns of gold are named, as those of a wide file are."""
        return self.gold is not None or bool(self.raters)

    @property
    def beside_gold(self) -> bool:
        """Whether one file holds the probabilities of a system beside the gold labels."""
        return self.proba and self.gold is not None and len(self.files) == 1 and not self.pred

    @property
    def names_columns(self) -> bool:
        """Whether columns are named, which tables of counts do not have."""
        return any((self.is_wide, self.pred, self.by, *self.columns().values()))

    @property
    def slicings(self) -> tuple[str, ...]:
        """The columns whose groups are slices."""
        return tuple(split_columns(self.by))

    def refuse_slices(self) -> None:
        """Refuse --by, for a command whose result would not show the slices."""
        if self.by:
            raise click.UsageError(
                "--by asks for slices, which this command does not show; evaluate, compare and report do. Leave it out."
            )

    def options(self) -> dict[str, Any]:
        """Return the scale and the policies as keywords of everything that reads labels."""
        labels, values = self.scale()
        return {
            "labels": labels,
            "values": values,
            "missing": self.missing,
            "unknown": self.unknown,
            "duplicates": self.duplicates,
            "gold_missing": self.gold_missing,
            "round": self.round,
        }

    def columns(self) -> dict[str, Any]:
        """Return the names of columns by role."""
        columns = {
            "case": self.case,
            "item": self.item,
            "weight": self.weight,
            "count": 1 if self.count == "1" else self.count,
        }
        if not self.is_wide:
            columns |= {"label": self.label, "system": self.system}
        return columns

    def wide(self) -> tuple[str, list[str]]:
        """Return the one wide file and its columns of answers: words after `--pred COL` are columns too."""
        from ordeval.inputs.files.locate import exists

        at = next((i for i, name in enumerate(self.files) if exists(name)), 0)
        others = [name for i, name in enumerate(self.files) if i != at]
        return self.files[at], [*split_columns(self.pred), *others]

    def scale(self) -> tuple[list[str] | None, list[float] | None]:
        """Return the labels and the values that were declared."""
        return read_scale(self.labels, self.values)

    def check(self, lacks: str) -> None:
        """Refuse a command line that is neither GOLD SYSTEM... nor DATA --gold COL --pred COL...

        `lacks` says why the first file is not a table of counts.
        """
        if not self.is_wide:
            if self.pred:
                raise click.UsageError(
                    "--pred names columns of a wide file; name its gold column too, --gold COL, or those of the people "
                    "who made the gold: --raters COL,COL."
                )
            if len(self.files) < 2:
                raise click.UsageError(
                    "one file was given; pass GOLD and at least one SYSTEM, or one wide file with --gold COL --pred "
                    f"COL (or --raters COL,COL --pred COL). It cannot be read as a table of counts: {lacks}."
                )
            return
        if self.gold is not None and self.raters:
            raise click.UsageError(
                "--gold names the one column that is the gold, --raters those of the people who made it. Leave one of "
                "them out."
            )
        if not self.pred and not self.beside_gold:
            what = "--gold names the gold column" if self.gold else "--raters names gold columns"
            raise click.UsageError(f"{what} of a wide file; name the answers' too: --pred COL.")
        if self.label or self.system:
            raise click.UsageError(
                "--label and --system name columns of long files; a wide file has --gold (or --raters) and --pred."
            )
        if self.rater or (self.proba and not self.beside_gold):
            raise click.UsageError(
                "--rater is for a gold file of its own, and --proba for the files of systems or for one file with "
                "--gold COL; neither is for a wide file with --pred."
            )
        if self.shards:
            raise click.UsageError(
                "--shards is for files of systems; a glob for a wide file is always one table. Leave --shards out."
            )
        if self.skip_bad:
            raise click.UsageError(
                "--skip-bad leaves out files of systems, and a wide file holds all systems. Leave --skip-bad out, and "
                "name only columns that can be scored with --pred."
            )


@dataclass(frozen=True, slots=True)
class Scoring:
    """The measures asked for, and how their intervals are found."""

    metrics: tuple[str, ...] | None  # None: those that fit the data
    undefined: str
    level: float | None
    method: str
    resample: str | None
    distribution: str
    n_resamples: int
    seed: int

    def settings(self) -> dict[str, Any]:
        """Return the options as the arguments of `score_runs` and `compare`."""
        settings = asdict(self)
        return {"rng": settings.pop("seed"), **settings}


def split_columns(columns: tuple[str, ...]) -> list[str]:
    """Return the columns named by an option that is given many times or as a list with commas."""
    return [name for column in columns for name in split_list(column)]


def policy(name: str, meaning: str) -> Callable[[Any], Any]:
    """Declare the option for one policy."""
    return option(ANSWERS, f"--{name.replace('_', '-')}", name, type=click.Choice(CHOICES[name]),
                  default=CHOICES[name][0], show_default=True, help=meaning)  # fmt: skip


POOLED = option(MEASURES, "--pooled", is_flag=True,
                help="Score all items as one test, and not the mean over test cases.")  # fmt: skip
DATA = (
    click.argument("files", nargs=-1, required=True, metavar="GOLD SYSTEM... | DATA | COUNTS..."),
    option(INPUT, "--gold", metavar="COL", help="The gold column of a wide file."),
    option(INPUT, "--raters", multiple=True, metavar="COL,COL",
           help="The columns of several people in a wide file, whose shares are then the gold; may be repeated."),
    option(INPUT, "--pred", multiple=True, metavar="COL",
           help="A column of answers in a wide file; may be repeated."),
    option(INPUT, "--proba", is_flag=True,
           help="The files of SYSTEM, or the one file with --gold COL, have a column for each class, named as the "
                "class, that holds its probability; a file of SYSTEM with labels instead is read as such."),
    option(INPUT, "--shards", is_flag=True,
           help="The files of a pattern for SYSTEM are parts of one table, and not one system each."),
    option(INPUT, "--skip-bad", is_flag=True,
           help="Leave out systems' files that cannot be scored, and say which; 'ordeval check' lists their problems."),
    option(COLUMNS, "--case", metavar="COL",
           help="The column of test cases.  [default: case, test_case, topic, query]"),
    option(COLUMNS, "--item", metavar="COL", help="The column of item ids.  [default: item, id, item_id, doc]"),
    option(COLUMNS, "--label", metavar="COL",
           help="The column of labels.  [default: label, value, gold, prediction, pred, score, rating, grade]"),
    option(COLUMNS, "--system", metavar="COL",
           help="The column of systems.  [default: system, run, model, or else the file's name]"),
    option(COLUMNS, "--rater", metavar="COL",
           help="The column of raters in GOLD, whose shares are then the gold.  [default: rater, annotator, worker, "
                "judge]"),
    option(COLUMNS, "--weight", metavar="COL",
           help="The column, beside gold, that says how much each item matters."),
    option(COLUMNS, "--count", metavar="COL|1",
           help="The column, beside gold, that says how many items each row stands for; 1: each row is one item."),
    option(COLUMNS, "--by", multiple=True, metavar="COL",
           help="A column beside gold whose groups are slices, reported beside the whole; may be repeated."),
    *CLASS_OPTIONS,
    policy("missing", "What happens to an item without an answer: refused, worth nothing, counted as the farther end "
                      "of the scale, or left out."),
    policy("unknown", "What happens to an answer that is not on the scale: refused, or taken as missing."),
    policy("duplicates", "What happens to a second answer to the same item: refused, or left out."),
    policy("gold_missing", "What happens to an item without a gold label: refused, or left out."),
    policy("round", "What happens to a number between two classes: refused, or rounded (a half goes up)."),
    POOLED,
)  # fmt: skip

UNDEFINED = option(
    MEASURES, "--undefined", type=click.Choice(["omit", "zero", "lowest", "error"]), default="omit", show_default=True,
    help="What happens to a test case on which a measure is undefined: left out of the mean, scored 0, scored as the "
         "measure's worst value, or no mean at all.",
)  # fmt: skip
RESAMPLE = option(
    MEASURES, "--resample", type=click.Choice(["items", "cases"]),
    help="What another sample would draw anew.  [default: cases if there are at least two, else items]",
)  # fmt: skip
SEED = option(MEASURES, "--seed", default=0, show_default=True, type=click.IntRange(0), metavar="N",
              help="Where the random draws start.")  # fmt: skip
SCORING = (
    PLUGIN,
    option(MEASURES, "--metrics", metavar="NAME,...", callback=read_metrics,
           help="The measures; 'ordeval metrics' lists them, and short names such as qwk are understood."),
    UNDEFINED,
    option(MEASURES, "--level", default="0.95", show_default=True, metavar="LEVEL|none", callback=read_level,
           help="The confidence level of the intervals."),
    option(MEASURES, "--interval", "method", type=click.Choice(["t", "percentile", "bca"]), default="t",
           show_default=True,
           help="The kind of interval: Student's t (no random numbers), or one of two bootstrap intervals."),
    RESAMPLE,
    option(MEASURES, "--distribution", type=click.Choice(["resampled", "fixed"]), default="resampled",
           show_default=True,
           help="The class shares behind closeness measures: drawn with the items, or held at the gold's."),
    option(MEASURES, "--resamples", "n_resamples", default=9999, show_default=True, type=click.IntRange(1), metavar="N",
           help="The number of random draws for bootstrap intervals, the randomisation test and the correction maxt."),
    SEED,
)  # fmt: skip


def gathered(
    options: tuple[Callable[[Any], Any], ...], kind: type[Any], name: str
) -> Callable[[Command], Command]:
    """Return a decorator that adds options to a command and hands them over as one object."""
    fields = tuple(kind.__dataclass_fields__)

    def decorate(command: Command) -> Command:
        @wraps(command)
        def gather(**given: Any) -> Any:
            return command(**{name: kind(**{key: given.pop(key) for key in fields})}, **given)

        decorated: Any = gather
        for declare in reversed(options):
            decorated = declare(decorated)
        wrapped: Command = decorated
        return wrapped

    return decorate


data_options = gathered(DATA, Data, "data")
scoring_options = gathered(SCORING, Scoring, "scoring")
