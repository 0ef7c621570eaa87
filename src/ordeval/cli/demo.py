"""`ordeval demo`: the closeness measure, step by step, on the worked example of the paper's appendix A."""

from typing import Any, TypeAlias

import click
import numpy as np
import numpy.typing as npt

from ordeval.cli.output import write_table
from ordeval.metrics import registry
from ordeval.metrics.closeness import proximity

__all__ = ["command"]

Array: TypeAlias = npt.NDArray[Any]

LABELS = ["negative", "neutral", "positive"]
# Amigó et al. 2020, appendix A; gold in rows here, in columns there.
SYSTEMS = {
    "A": np.array([[5, 1, 4], [5, 50, 5], [7, 8, 15]]),
    "B": np.array([[7, 1, 2], [12, 45, 3], [4, 8, 18]]),
}
PRINTED = {"A": "0.71", "B": "0.76"}


@click.command()
def command() -> None:
    """Show the closeness measure, step by step, on a worked example.

    A hundred opinions, two systems of the same accuracy, and why one of them is better (Amigó et al. 2020, appendix A).
    """
    gold = SYSTEMS["A"].sum(axis=1)
    bits = proximity.from_counts(gold)
    _gold_standard(gold)
    _proximity(gold, bits)
    _answers()
    _sums(gold, bits)
    _verdict()


def _step(number: int, title: str, explanation: str) -> None:
    click.echo(click.style(f"{number}. {title}", bold=True))
    click.echo(explanation + "\n")


def _matrix(corner: str, matrix: Array, form: str) -> None:
    rows = [
        [label, *(format(cell, form) for cell in row)]
        for label, row in zip(LABELS, matrix, strict=True)
    ]
    write_table([corner, *LABELS], rows, right=LABELS, indent=3)
    click.echo()


def _gold_standard(gold: Array) -> None:
    _step(
        1,
        "The gold standard",
        f"{gold.sum()} opinions on a scale of three classes, lowest first. How many fall in each class is all that\n"
        "the closeness measure wants to know about the scale.",
    )
    write_table(LABELS, [[str(count) for count in gold]], right=LABELS, indent=3)
    click.echo()


def _proximity(gold: Array, bits: Array) -> None:
    n = gold.sum()
    mass = gold[1] / 2 + gold[0]
    _step(
        2,
        "How close two classes are, in bits",
        "Two classes are close when few items lie between them. An answer counts the items from its own class (half\n"
        "of them) to the gold class (all of them); the fewer, the more bits it earns. 'neutral' for a gold\n"
        f"'negative' spans {gold[1]}/2 + {gold[0]} = {mass:g} of {n} items, and earns\n"
        f"-log2({mass:g}/{n}) = {bits[0, 1]:.2f} bits.",
    )
    _matrix("gold \\ answer", bits, ".2f")


def _answers() -> None:
    _step(
        3,
        "What the two systems answered",
        "Gold in rows, answers in columns. The diagonals add up to "
        + " and to ".join(str(counts.trace()) for counts in SYSTEMS.values())
        + ": accuracy cannot tell the two apart.",
    )
    for name, counts in SYSTEMS.items():
        _matrix(f"system {name}", counts, "d")


def _sums(gold: Array, bits: Array) -> None:
    _step(
        4,
        "The bits that each one earns",
        "Every answer earns the bits of its cell. A perfect output earns the bits of the diagonal.",
    )
    outputs = {f"system {name}": counts for name, counts in SYSTEMS.items()}
    outputs["perfect"] = np.diag(gold)
    for name, counts in outputs.items():
        terms = [
            f"{count} x {bit:.2f}"
            for count, bit in zip(counts.flat, bits.flat, strict=True)
            if count
        ]
        lines = [" + ".join(terms[start : start + 5]) for start in range(0, len(terms), 5)]
        click.echo(f"   {name:<10}" + (" +\n" + " " * 13).join(lines))
        click.echo(" " * 13 + f"= {(counts * bits).sum():.2f} bits")
    click.echo()


def _verdict() -> None:
    _step(
        5,
        "The measure: bits earned, as a share of what a perfect output earns",
        "Opposites taken for each other: "
        + ", ".join(
            f"{counts[0, -1] + counts[-1, 0]} by {name}" for name, counts in SYSTEMS.items()
        )
        + ". Those answers earn next to nothing.",
    )
    rows = [
        [
            f"system {name}",
            f"{registry['accuracy'].from_counts(counts):.2f}",
            f"{registry['cem_ord'].from_counts(counts):.4f}",
            PRINTED[name],
        ]
        for name, counts in SYSTEMS.items()
    ]
    columns = ["", "accuracy", "cem_ord", "in the paper"]
    write_table(columns, rows, right=columns[1:], indent=3)
    click.echo(
        "\nNext: 'ordeval metrics' lists the measures, 'ordeval metrics cem_ord' tells more about this one."
    )
