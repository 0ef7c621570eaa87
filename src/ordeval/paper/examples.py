"""The paper's worked examples: figure 1 with section 3.1's bits, and appendix A."""

import numpy as np

from ordeval.formats.document import Section
from ordeval.formats.html import escape
from ordeval.formats.sheet import Column, Kind, value_sheet
from ordeval.meta.ranking import Array
from ordeval.metrics import registry
from ordeval.metrics.closeness import proximity
from ordeval.paper.reproduction import PRINTED_DIGITS, Entry, Worked

REVIEWS = ("accept", "weak accept", "undecided", "weak reject", "reject")
# Section 3.1 gives 90, 193, 105 and 7 of 402: the fifth class has the rest. Of the right distribution it gives 10, 3
# and 10 of 376: the two ends have 353 together, and the paper does not say how many each has.
LEFT = (402 - 90 - 193 - 105 - 7, 90, 193, 105, 7)
RIGHT = (177, 10, 3, 10, 176)
ASSUMED = (
    "accept and reject have 353 of 376 items together; the paper does not say how many each has, so half is assumed. "
    "No printed number depends on this"
)
BAR = 40  # characters of the longest bar

SENTIMENT = ("neg", "neu", "pos")
# Gold in rows here, in columns in the paper.
SYSTEMS = {
    "A": np.array([[5, 1, 4], [5, 50, 5], [7, 8, 15]]),
    "B": np.array([[7, 1, 2], [12, 45, 3], [4, 8, 18]]),
}
# The appendix prints predicted in rows; prox(predicted, gold).
PROXIMITY = ((4.32, 0.62, 0.07), (1.32, 1.74, 0.74), (0.23, 0.42, 2.74))
CLOSENESS = {"A": 0.71, "B": 0.76}
ACCURACY = 0.70


def bars(counts: tuple[int, ...]) -> str:
    """Return counts as bars of text."""
    widest = max(counts)
    lines = [
        f"{name:<12} {count:>4} {'█' * max(1, round(BAR * count / widest))}"
        for name, count in zip(REVIEWS, counts, strict=True)
    ]
    return "\n".join(lines)


def matrix_section(title: str, labels: tuple[str, ...], matrix: Array, note: str = "") -> Section:
    """Return a section with a matrix, gold in rows: counts as they are, bits as the paper rounds them."""
    kind = Kind.COUNT if matrix.dtype.kind == "i" else Kind.NUMBER
    columns = [
        Column("gold \\ predicted"),
        *(Column(label, kind, digits=PRINTED_DIGITS) for label in labels),
    ]
    rows = [[label, *row] for label, row in zip(labels, matrix.tolist(), strict=True)]
    return Section(title, value_sheet(columns, rows), note=note)


def figure1() -> Worked:
    """Return figure 1: two distributions of reviews, and how close their classes are.

    >>> oe.paper.figure1()
    <figure1: 4 of 4 printed numbers are reproduced>
    """
    left, right = proximity.from_counts(LEFT), proximity.from_counts(RIGHT)
    weak_accept, undecided, weak_reject, reject = 1, 2, 3, 4
    entries = (
        Entry("prox(weak accept, weak reject), left", 0.23, left[weak_reject, weak_accept]),
        Entry("prox(weak accept, weak reject), right", 4.38, right[weak_reject, weak_accept]),
        Entry("prox(reject, reject), left", 6.84, left[reject, reject]),
        Entry("prox(undecided, undecided), left", 2.06, left[undecided, undecided]),
    )
    steps = (
        Section("Left distribution, 402 items", block=bars(LEFT)),
        matrix_section("Proximity in the left distribution, bits", REVIEWS, left),
        Section("Right distribution, 376 items", block=bars(RIGHT), note=f"Assumed: {ASSUMED}."),
        matrix_section(
            "Proximity in the right distribution, bits",
            REVIEWS,
            right,
            "The rows and columns of accept and reject depend on the assumption.",
        ),
    )
    return Worked(
        "figure1",
        "Figure 1: how the distribution of items determines which classes are close",
        entries,
        steps,
        chart(),
    )


def chart() -> str:
    """Return both distributions of figure 1 as one SVG drawing."""
    width, height, bar, gap = 300, 180, 40, 14
    panels = []
    for at, (title, counts) in enumerate((("left: 402 items", LEFT), ("right: 376 items", RIGHT))):
        start = at * (width + 20)
        parts = [f'<text x="{start + 4}" y="14" font-size="12">{escape(title)}</text>']
        for i, (name, count) in enumerate(zip(REVIEWS, counts, strict=True)):
            tall = (height - 70) * count / max(counts)
            x, top = start + 4 + i * (bar + gap), height - 34 - tall
            assumed = at == 1 and i in {0, len(counts) - 1}
            fill = "#b8c7dc" if assumed else "#4c72b0"
            parts += [
                f'<rect x="{x}" y="{top:.1f}" width="{bar}" height="{tall:.1f}" fill="{fill}"/>',
                f'<text x="{x + bar / 2}" y="{top - 4:.1f}" font-size="10" text-anchor="middle">{count}</text>',
                f'<text x="{x + bar / 2}" y="{height - 18}" font-size="8" text-anchor="middle">{escape(name)}</text>',
            ]
        panels.append("".join(parts))
    size = f'width="{2 * width + 20}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" role="img">'
    return f"{head}<title>Figure 1 of Amigó et al. 2020</title>{''.join(panels)}</svg>"


def appendix_a() -> Worked:
    """Return appendix A: the closeness of two systems, step by step.

    >>> oe.paper.appendix_a()
    <appendix_a: 13 of 13 printed numbers are reproduced>
    """
    gold = SYSTEMS["A"].sum(axis=1)
    bits = proximity.from_counts(gold)
    entries = [
        Entry(f"prox({SENTIMENT[a]}, {SENTIMENT[b]})", PROXIMITY[a][b], bits[b, a])
        for a in range(3)
        for b in range(3)
    ]
    amounts = value_sheet([Column(name, Kind.COUNT) for name in SENTIMENT], [gold.tolist()])
    steps = [
        Section("Gold: items of each class", amounts),
        matrix_section(
            "Proximity in bits",
            SENTIMENT,
            bits,
            "prox(a, b) = -log2((n_a / 2 + the classes from a to b) / N), a predicted, b gold.",
        ),
    ]
    possible = float(gold @ np.diag(bits))
    for name, counts in SYSTEMS.items():
        earned = (counts * bits).sum()
        terms = [f"{n}*{b:.2f}" for n, b in zip(counts.T.flat, bits.T.flat, strict=True)]
        below = " + ".join(f"{n}*{bits[i, i]:.2f}" for i, n in enumerate(gold))
        ratio = f"{earned:.2f} / {possible:.2f} = {earned / possible:.4f}"
        formula = f"CEM = ({' + '.join(terms)})\n    / ({below})\n    = {ratio}"
        steps += [
            matrix_section(f"System {name}", SENTIMENT, counts),
            Section(f"Closeness of {name}", block=formula),
        ]
        entries.append(
            Entry(f"CEM of {name}", CLOSENESS[name], float(registry["cem_ord"].from_counts(counts)))
        )
        entries.append(
            Entry(f"accuracy of {name}", ACCURACY, float(registry["accuracy"].from_counts(counts)))
        )
    title = "Appendix A: the closeness of two systems with the same accuracy"
    return Worked("appendix_a", title, tuple(entries), tuple(steps))
