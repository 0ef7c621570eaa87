"""`ordeval agree`: how well raters agree, and what a human reaches against the others."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import click

from ordeval.cli.help import MEASURES, OUTPUT, CommandWithExamples, option
from ordeval.cli.inputs import gathered
from ordeval.cli.measure_options import PLUGIN, read_level, read_measures_of_labels
from ordeval.cli.output import deliver, output_options, screen
from ordeval.cli.page_output import asks_for_page, deliver_page
from ordeval.cli.progress import Job
from ordeval.cli.ratings_input import RatingsData, ratings_options
from ordeval.formats.numbers import counted

DEFAULT_PAGE = "agreement.html"


@dataclass(frozen=True, slots=True)
class Agreeing:
    """The coefficients asked for, the measures of the ceiling, and how intervals are found."""

    metrics: tuple[str, ...] | None
    ceiling: tuple[str, ...] | None
    level: float | None
    method: str
    resample: str
    n_resamples: int
    seed: int

    def settings(self) -> dict[str, Any]:
        """Return the options as the arguments of `oe.agree`; those that were not given are its own."""
        given = {"metrics": self.metrics, "ceiling": self.ceiling}
        return {
            "level": self.level,
            "method": self.method,
            "resample": self.resample,
            "n_resamples": self.n_resamples,
            "rng": self.seed,
            **{name: list(names) for name, names in given.items() if names is not None},
        }


AGREEING = (
    PLUGIN,
    option(MEASURES, "--metrics", metavar="NAME,...", callback=read_measures_of_labels,
           help="The coefficients; of any other measure, the mean over pairs of raters.  [default: krippendorff_alpha, "
                "gwet_ac2, fleiss_kappa, conger_kappa, brennan_prediger, accuracy]"),
    option(MEASURES, "--ceiling", metavar="NAME,...", callback=read_measures_of_labels,
           help="The measures by which each rater is scored against the others.  [default: cem_ord, accuracy, mae, "
                "quadratic weighted kappa, kendall_tau_b]"),
    option(MEASURES, "--level", default="0.95", show_default=True, metavar="LEVEL|none", callback=read_level,
           help="The confidence level of the intervals."),
    option(MEASURES, "--interval", "method", type=click.Choice(["t", "percentile", "bca"]), default="t",
           show_default=True,
           help="The kind of interval of the coefficients: Student's t (no random numbers), or one of two bootstrap "
                "intervals."),
    option(MEASURES, "--resample", type=click.Choice(["items", "both"]), default="items", show_default=True,
           help="What another sample would draw anew: items, or both items and raters."),
    option(MEASURES, "--resamples", "n_resamples", default=9999, show_default=True, type=click.IntRange(1), metavar="N",
           help="The number of random draws for bootstrap intervals."),
    option(MEASURES, "--seed", default=0, show_default=True, type=click.IntRange(0), metavar="N",
           help="Where the random draws start."),
)  # fmt: skip


@click.command(
    cls=CommandWithExamples,
    examples=(
        ("ordeval agree marks.csv", "a row for each mark: item, rater, label"),
        ("ordeval agree data.csv --raters human,a,b --ceiling qwk", "a row for each item, a column for each rater"),
        ("ordeval agree marks.csv -o agreement.html", "one self-contained page"),
    ),
)  # fmt: skip
@ratings_options
@gathered(AGREEING, Agreeing, "agreeing")
@option(OUTPUT, "--title", metavar="TEXT", help="The title of a page (-o FILE.html).")
@output_options
def command(
    *, data: RatingsData, agreeing: Agreeing, title: str | None, form: str, output: str | None
) -> None:
    """Tell how well raters agree, who stands apart, and what a human reaches.

    RATINGS are marks of several raters on the same items, each with a row of its own (item, rater, label), or a wide
    file with a column for each rater (--raters). CSV, TSV, JSON lines, Parquet or .xlsx, also .gz and .zst, or logs of
    Inspect AI, lm-evaluation-harness, promptfoo or DeepEval. With -o FILE.html the answer is one self-contained page.
    """
    from ordeval.agreement.agree import agree

    job = Job(counting=1, scoring=1, drawing=1)
    ratings = data.read(job)
    with job.stage("scoring") as progress:
        agreement = agree(ratings, progress=progress, **agreeing.settings())
    if asks_for_page(output):
        from ordeval.report import render_agreement

        deliver_page(
            partial(render_agreement, agreement), output, job=job, title=title, files=data.files, default=DEFAULT_PAGE,
            about=counted(len(ratings.raters), "rater"),
        )  # fmt: skip
    else:
        deliver(agreement.pieces(form, width=screen(output)), output, form)
