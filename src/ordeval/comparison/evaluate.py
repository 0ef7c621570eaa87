"""Evaluate one system: every measure with its interval."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Unpack

from ordeval.aliases import Progress
from ordeval.arguments import is_choice
from ordeval.comparison.captions import ONE_SYSTEM
from ordeval.comparison.case_scores import detail_frame
from ordeval.comparison.results import Baseline, Score
from ordeval.comparison.score_runs import DEFAULT_METHOD, score_runs
from ordeval.comparison.score_slices import whole_of, with_slices
from ordeval.comparison.scores import Scores
from ordeval.errors import LabelTypeError, MetricError, quoted, suggestion
from ordeval.formats.frames import frame_of_rows
from ordeval.formats.result import Result
from ordeval.formats.sheet import Sheet
from ordeval.inputs.policy import Reading, read_options, shows_keywords
from ordeval.inputs.soft import is_soft
from ordeval.metrics.names import full_name
from ordeval.runs import Runs
from ordeval.stats.intervals import check_interval_options
from ordeval.table import Table

if TYPE_CHECKING:
    from ordeval.comparison.slices import Slice


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(Result, Mapping[str, Score]):
    """The scores of one system by the names of the measures: `e["cem_ord"].value`, `.low`, `.high`.

    >>> e = oe.evaluate([1, 1, 2, 3], [1, 2, 2, 3], metrics=["accuracy", "mae"])
    >>> e["accuracy"].value, e["mae"].value
    (0.75, 0.25)
    >>> list(e)
    ['accuracy', 'mae']
    >>> e.baseline.label
    1
    """

    table: Table  # the counts that were scored
    scores: Scores

    def __getitem__(self, metric: str) -> Score:
        names = self.scores.metrics
        name = full_name(metric)
        if name not in names:
            near = suggestion(name, names)
            raise MetricError(
                f"{name!r} was not evaluated; there are {', '.join(names)}.{near} Ask for it in metrics=[...]."
            )
        return self.scores.score(names.index(name), 0)

    def __iter__(self) -> Iterator[str]:
        return iter(self.scores.metrics)

    def __len__(self) -> int:
        return len(self.scores.metrics)

    @property
    def baseline(self) -> Baseline:
        """The best constant answer: its class, its scores, and whether the system fails to beat it."""
        return self.scores.baseline

    @property
    def ceiling(self) -> Mapping[str, Score]:
        """What a human reaches by each measure, against the other raters; empty unless raters made the gold."""
        return self.scores.ceiling

    @property
    def caption(self) -> str:
        """What was scored, what the policies did, and how the intervals were made."""
        return self.scores.caption

    @property
    def slices(self) -> "tuple[Slice, ...]":
        """The slices that were asked for by `by`, in the order of their names."""
        return self.scores.slices

    def sheet(self) -> Sheet:
        """Return the scores as one row."""
        return self.scores.sheet()

    def sheets(self) -> Sequence[Sheet]:
        """Return the scores, and those of slices if these were asked for."""
        return self.scores.sheets()

    def csv_sheet(self) -> Sheet:
        """Return the sheet for programs, with a row for each slice that was asked for."""
        return self.scores.csv_sheet()

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON, as the command `evaluate` writes it."""
        return self.scores.to_dict()

    def to_frame(self, what: str = "scores", backend: str | None = None) -> Any:
        """Return "scores" (a row for each measure), "cases" or "slices" as a frame of pandas, polars or pyarrow."""
        if not is_choice(what, {"scores"}):
            return detail_frame(self.scores, what, backend, ("scores",))
        columns = ("metric", "value", "low", "high", "error", "reason")
        return frame_of_rows(columns, map(attrgetter(*columns), self.values()), backend)

    def __repr__(self) -> str:
        return f"Evaluation({', '.join(str(score) for score in self.values())})"


@shows_keywords(Reading)
def evaluate(
    y_true: Any,
    y_pred: Any = None,
    *,
    sample_weight: Any = None,
    count: Any = None,
    item: Any = None,
    metrics: Any = None,
    level: float | None = 0.95,
    n_resamples: int = 9999,
    rng: Any = 0,
    resample: str | None = None,
    method: str = DEFAULT_METHOD,
    distribution: str = "resampled",
    undefined: str = "omit",
    by: Any = None,
    progress: Progress = None,
    **options: Unpack[Reading],
) -> Evaluation:
    """Score one system by many measures, each with an interval, and the best constant answer beside it.

    Takes gold and predicted labels, or a `Table`. Gold may be soft: a row of shares for each item, or `Ratings`; and
    predictions may be class probabilities, with a row for each item and a column for each class. If a table has an axis
    `case`, scores are means over the cases.

    The arguments are:

    - `y_true`: the gold labels, a row of shares for each item, `Ratings`, or a `Table` of gold and answers.
    - `y_pred`: the answers of the system, or class probabilities; none with a `Table`.
    - `sample_weight`: how much each item matters; only the ratios of the weights count.
    - `count`: how many items each row stands for; a row of count 3 is the same as three rows.
    - `item`: the names of the items, for error messages.
    - `metrics`: the measures, or their names; by default the most common ones.
    - `level`: the level of the intervals; None leaves the intervals out.
    - `n_resamples`: how many resamples the intervals "percentile" and "bca" draw.
    - `rng`: a seed, or a generator of NumPy; the same seed gives the same intervals.
    - `resample`: what another sample would draw anew, "items" or "cases"; by default cases, if there are at least
      two.
    - `method`: the kind of interval: "t", "percentile" or "bca".
    - `distribution`: "resampled", or "fixed": then every resample keeps the class shares of the gold labels, which
      closeness measures use.
    - `undefined`: what a test case without a score counts as: nothing ("omit"), 0 ("zero"), the "lowest" value of
      the measure, or "error": then there is no mean.
    - `by`: slices to score beside the whole: the slice of each item, several by name as in `{"country": [...]}`, or
      of a `Table` the names of axes.
    - `progress`: a function that is called with the work done and the whole.

    >>> gold, answers = ["low", "low", "mid", "high"], ["low", "mid", "mid", "high"]
    >>> e = oe.evaluate(
    ...     gold, answers, labels=["low", "mid", "high"], metrics=["accuracy", "mae"]
    ... )
    >>> e["accuracy"].value
    0.75
    >>> e["mae"].value
    0.25
    """
    check_interval_options(level, n_resamples, method)
    labels, _, _ = read_options(options)  # refuses wrong options also if a table needs none
    data: Runs | Table
    if isinstance(y_true, Table):
        given = (y_pred, labels, sample_weight, count)
        if any(argument is not None for argument in given):
            raise LabelTypeError(
                "evaluate was given a Table and labels; a Table already contains labels. Pass one of the two."
            )
        data, names, table = y_true, by, whole_of(y_true, by)
        others = [axis.name for axis in table.axes if axis.name != "case"]
        if others or len(table.axes) > 1:
            raise LabelTypeError(
                f"this table has the axes {[axis.name for axis in table.axes]}; evaluate takes the table of one "
                f"system, with at most an axis 'case'. Pass table.select(...), slice it with by={others[:1]}, or "
                f"compare with oe.compare(runs)."
            )
        scored: Runs | Table = table
    elif isinstance(y_true, Runs):
        raise LabelTypeError(
            f"evaluate was given runs of {quoted(y_true.systems)}; it takes labels or the table of one system. Pass "
            f"runs.table.select(system={y_true.systems[0]!r}), or compare them with oe.compare(runs)."
        )
    elif y_pred is None:
        raise LabelTypeError("evaluate lacks y_pred. Pass gold and predicted labels, or one Table.")
    elif by is None and not (is_soft(y_true) or is_soft(y_pred)):
        table = Table.from_labels(
            y_true, y_pred, sample_weight=sample_weight, count=count, item=item, **options
        )
        data = scored = table
        names = None
    else:
        data = scored = Runs.from_labels(
            y_true, {ONE_SYSTEM: y_pred}, sample_weight=sample_weight, count=count, item=item, by=by,
            **options,
        )  # fmt: skip
        table, names = data.table.select(system=ONE_SYSTEM), [axis.name for axis in data.slices]
    scores = score_runs(
        scored, metrics=metrics, level=level, n_resamples=n_resamples, rng=rng, resample=resample, method=method,
        distribution=distribution, undefined=undefined, progress=progress,
    )  # fmt: skip
    return Evaluation(table, with_slices(scores, data, names))
