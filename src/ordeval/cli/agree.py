"""`ordeval agree`: how well raters agree, and what a human reaches against the others."""

from dataclasses import dataclass
from typing import Any

import click
from click.core import ParameterSource

from ordeval.cli.help import MEASURES, OUTPUT, CommandWithExamples, option
from ordeval.cli.inputs import gathered, measures_of_labels, read_level
from ordeval.cli.output import by_suffix, deliver, output_options, screen
from ordeval.cli.page_origin import command_line, fingerprints, size_in_words
from ordeval.cli.progress import Job, remark
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


def read_names(
    ctx: click.Context, parameter: click.Parameter, text: str | None
) -> tuple[str, ...] | None:
    """Read the names of measures, and check them before any file is opened."""
    from ordeval.metrics.names import split_names

    return None if text is None else measures_of_labels(split_names(text))


AGREEING = (
    option(MEASURES, "--metrics", metavar="NAME,...", callback=read_names,
           help="The coefficients; of any other measure, the mean over pairs of raters.  [default: krippendorff_alpha, "
                "gwet_ac2, fleiss_kappa, conger_kappa, brennan_prediger, accuracy]"),
    option(MEASURES, "--ceiling", metavar="NAME,...", callback=read_names,
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
    context = click.get_current_context()
    ratings = data.read(job)
    with job.stage("scoring") as progress:
        agreement = agree(ratings, progress=progress, **agreeing.settings())
    asked = context.get_parameter_source("form") is ParameterSource.COMMANDLINE
    if output is None or asked or by_suffix(output) != "html":
        deliver(agreement.pieces(form, width=screen(output)), output, form)
        return
    from ordeval.report import render_agreement

    with job.stage("drawing") as progress:
        text = render_agreement(
            agreement,
            title=title,
            command=command_line(context, DEFAULT_PAGE),
            files=fingerprints(data.files),
            progress=progress,
        )
    deliver(text, output, "html")
    raters = counted(len(ratings.raters), "rater")
    remark(f"{output}: {raters}, {size_in_words(text)}. Open it in a browser.")
