"""`ordeval reproduce PART`: a part of the paper, its numbers beside ours."""

from typing import TYPE_CHECKING, Any

import click

from ordeval.cli.help import INPUT, OUTPUT, CommandWithExamples, option
from ordeval.cli.output import by_suffix, deliver, output_option, screen
from ordeval.cli.progress import Job
from ordeval.errors import ParameterError

if TYPE_CHECKING:
    from ordeval.aliases import Progress

# What may be asked for; ordeval.paper has a function of that name, with an underscore for the hyphen ('all': page).
PARTS = {
    "appendix-a": "the closeness of two systems, step by step",
    "figure1": "two distributions and the proximities of their classes",
    "table2": "which measure has which property, with counterexamples",
    "table3": "coverage of 15 measures; with --data also on real sets",
    "robustness": "the robustness figures of section 5.4",
    "all": "everything above on one page: -o page.html or -o page.md",
    "sakai2021": "another paper's comparison of measures, on the sets of --data",
}
# \b: the lines that follow stay lines.
HELP = "Compute a part of the paper again, and show its numbers beside ours.\n\n\b\n" + "\n".join(
    f"{name:<12} {meaning}" for name, meaning in PARTS.items()
)
NEED_DATA = ("table3", "robustness", "all", "sakai2021")


@click.command(
    cls=CommandWithExamples,
    help=HELP,
    examples=(
        ("ordeval reproduce appendix-a", "the paper's example, step by step"),
        ("ordeval reproduce figure1 -o figure1.svg", "a figure"),
        ("ordeval reproduce table3 --seeds 2", "a table, from two synthetic collections"),
    ),
)  # fmt: skip
@click.argument("part", type=click.Choice(list(PARTS)), metavar="PART")
@option(
    INPUT,
    "--data",
    type=click.Path(exists=True, file_okay=False),
    metavar="DIR",
    help="A folder of data sets, for the right half of table 3, robustness and sakai2021.",
)
@option(
    INPUT,
    "--seeds",
    type=click.IntRange(1, 10_000),
    metavar="N",
    default=10,
    show_default=True,
    help="How many synthetic collections are drawn.",
)
@option(
    INPUT,
    "--seed",
    type=click.IntRange(0),
    metavar="N",
    default=0,
    show_default=True,
    help="The seed of the first collection.",
)
@option(
    OUTPUT,
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown", "latex", "html", "svg"]),
    help="How it is written.  [default: by the ending of -o, else text]",
)
@output_option()
def command(
    *, part: str, data: str | None, seeds: int, seed: int, form: str | None, output: str | None
) -> None:
    """Compute a part, and write it."""
    wanted = form or by_suffix(output) or ("markdown" if part == "all" and output else "text")
    if data is not None and part not in NEED_DATA:
        raise click.UsageError(f"{part} reads no data; --data goes with {', '.join(NEED_DATA)}.")
    if wanted == "svg" and part != "figure1":
        raise ParameterError(
            f"{part} cannot be written as svg; figure1 can. Choose another --format."
        )
    with Job(computing=1).stage("computing", f"computing {part}") as progress:
        result = computed(part, data, seeds, seed, progress)
        width = screen(output)
        text = result.picture if wanted == "svg" else result.write(wanted, width=width)
    deliver(text.rstrip("\n") + "\n", output, wanted)


def computed(part: str, data: str | None, seeds: int, seed: int, progress: "Progress") -> Any:
    """Compute a part of the paper."""
    from ordeval import paper

    settings: dict[str, Any] = {"seeds": seeds, "rng": seed, "progress": progress}
    match part:
        case "all":
            folder = " --data DIR" if data else ""
            command_line = f"ordeval reproduce all --seeds {seeds} --seed {seed}{folder}"
            return paper.page(data, **settings, how=command_line)
        case "table3" | "robustness":
            return getattr(paper, part)(data, **settings)
        case "sakai2021":
            command_line = f"ordeval reproduce sakai2021 --seed {seed} --data DIR"
            return paper.sakai2021(data, rng=seed, how=command_line, progress=progress)
        case "table2":
            return paper.table2(progress=progress)
    return getattr(paper, part.replace("-", "_"))()
