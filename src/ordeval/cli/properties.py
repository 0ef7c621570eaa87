"""`ordeval properties [METRIC...]`: which formal properties each measure has, with counterexamples."""

import click

from ordeval.cli.help import SEARCH, CommandWithExamples, option
from ordeval.cli.measure_options import plugin_option
from ordeval.cli.output import deliver, output_options, screen
from ordeval.cli.progress import Job


@click.command(
    cls=CommandWithExamples,
    examples=(
        ("ordeval properties cem_ord accuracy", "two measures"),
        ("ordeval properties qwk --classes 3 --items 5", "a smaller search"),
        ("ordeval properties --list", "what each property states"),
    ),
)  # fmt: skip
@click.argument("metrics", nargs=-1, metavar="[METRIC...]")
@plugin_option(SEARCH)
@option(
    SEARCH,
    "--properties",
    "wanted",
    metavar="NAME,...",
    help="The properties to check; 'all' is every one.  [default: the paper's three]",
)
@option(
    SEARCH,
    "--classes",
    type=click.IntRange(2),
    metavar="N",
    default=4,
    show_default=True,
    help="Search up to so many classes.",
)
@option(
    SEARCH,
    "--items",
    type=click.IntRange(2),
    metavar="N",
    default=6,
    show_default=True,
    help="Search up to so many items.",
)
@option(
    SEARCH,
    "--imbalance-items",
    type=click.IntRange(3),
    metavar="N",
    default=30,
    show_default=True,
    help="Search up to so many items for imbalance, which has few cases of each size.",
)
@option(
    SEARCH,
    "--budget",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="Stop each measure's search after so long.  [default: no limit]",
)
@output_options
@option(SEARCH, "--list", "listing", is_flag=True, help="List the properties and what each states.")
def command(
    *,
    metrics: tuple[str, ...],
    wanted: str | None,
    classes: int,
    items: int,
    imbalance_items: int,
    budget: float | None,
    form: str,
    output: str | None,
    listing: bool,
) -> None:
    """Search all small cases for one that breaks a formal property.

    A property holds on every case up to the sizes asked for, or the smallest counterexample is shown. METRIC may carry
    parameters, as in "weighted_kappa(weights='quadratic')"; without METRIC every measure is judged.
    """
    from ordeval.metrics import registry, resolve
    from ordeval.progress import each
    from ordeval.properties import PAPER, Verdicts, catalogue, check, find_properties
    from ordeval.properties.search import by_property

    if listing:
        deliver(list_of_properties(width=screen(output)), output, "text")
        return
    if wanted is None:
        chosen = find_properties(PAPER)
    else:
        names = [name.strip() for name in wanted.split(",") if name.strip()]
        chosen = find_properties(list(catalogue) if names == ["all"] else names)
    result = Verdicts(())
    job = Job(searching=1)
    with job.stage("searching") as progress:
        for measure, step in each(list(resolve(metrics or registry).values()), progress):
            job.describe(str(measure))
            result += check(
                measure,
                properties=chosen,
                classes=classes,
                items=items,
                imbalance_items=imbalance_items,
                budget=budget,
                progress=by_property(step, chosen),
            )
    deliver(result.write(form, width=screen(output)), output, form)


def list_of_properties(*, width: int | None) -> str:
    """Write every property for a screen of a width: its name, what it states, and where it comes from."""
    from ordeval.formats.terminal import BOLD, styled, wrapped
    from ordeval.metrics.references import REFERENCES
    from ordeval.properties import catalogue

    return "\n".join(
        f"{styled(one.name, BOLD, colour=width is not None)}\n{wrapped(one.statement, width, '  ')}\n"
        f"{wrapped(str(REFERENCES[one.reference]), width, '  ')}\n"
        for one in catalogue.values()
    )
