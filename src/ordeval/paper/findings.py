"""What table 3 shows, in sentences and small tables, every number of them computed."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ordeval.meta.display import interval, number
from ordeval.paper.beside import Section
from ordeval.paper.campaigns import Measured, OneRun, known_counts
from ordeval.paper.printed import MEASURES, REAL_COLUMNS, SYNTHETIC_COLUMNS, TABLE3
from ordeval.paper.synthetic import SUSPECTS

CLOSE, FAR = 0.03, 0.05


def findings_left(table: Any) -> list[Section]:
    """Return the sections about the synthetic half."""
    sections = [conclusions_left(table)]
    if table.choices:
        sections.append(open_points(table))
    return [*sections, exchange(table), remaining(table), kinship(table)]


def conclusions_left(table: Any) -> Section:
    """Say whether the paper's conclusions hold on synthetic data, column by column."""
    names, ours = list(MEASURES), table.mean
    cem, flat = names.index("cem_ord"), names.index("cem_ord_flat")
    rows = []
    for at, column in enumerate(SYNTHETIC_COLUMNS):
        order = np.argsort(-ours[:, at], kind="stable")
        best = int(order[0])
        place = int(np.flatnonzero(order == cem)[0]) + 1
        top = (table.ours[:, :, at].argmax(axis=1) == cem).sum()
        below = table.ours[:, cem, at] - table.ours[:, flat, at]
        rows.append(
            [
                column, str(place), f"{names[best]} {ours[best, at]:.3f}", f"{ours[cem, at]:.3f}",
                f"{top} of {len(table.ours)}", number(float(below.mean()), 3, sign=True),
                f"{(below > 0).sum()} of {len(below)}",
            ]
        )  # fmt: skip
    firsts = [row[0] for row in rows if row[1] == "1"]
    above = [row[0] for row in rows if not row[5].startswith("-")]
    note = (
        f"The paper has cem_ord best in all {len(rows)} columns and cem_ord_flat below it in all. Here cem_ord "
        f"is best in "
        f"{len(firsts)} of {len(rows)} ({', '.join(firsts) or 'none'}) and above cem_ord_flat in {len(above)} "
        f"({', '.join(above) or 'none'})."
    )
    columns = [
        "column",
        "place of cem_ord",
        "best",
        "cem_ord",
        "best in seeds",
        "less cem_ord_flat",
        "above it in seeds",
    ]
    return Section("Whether the conclusions hold on synthetic data", columns, rows, note)


def open_points(table: Any) -> Section:
    """Say which way to decide the open points comes nearest."""
    rows = [
        [
            f"end={one.end!r}, errors={one.errors!r}",
            one.undefined,
            f"{one.as_printed:.4f}",
            f"{one.exchanged:.4f}",
            f"{one.spread:.4f}",
        ]
        for one in table.choices
    ]
    best = table.choices[0]
    rules = sorted(
        (one for one in table.choices if (one.end, one.errors) == (best.end, best.errors)),
        key=lambda c: c.as_printed,
    )
    rule = rules[0]
    note = (
        f"Mean absolute difference from the 90 printed numbers, {len(table.seeds)} seeds. Nearest: end={best.end!r} (a "
        f"displaced item past the end keeps its class) and errors={best.errors!r} (a ratio is a chance for each "
        f"item), and "
        f"undefined={rule.undefined!r} for the correlations of a constant output (the system maj at ratio 1). "
        f"Deviations "
        f"are evenly spaced from 1 to 3 over the cases, U(1, 11) is even over the classes, and half positions go down."
    )
    columns = [
        "open points",
        "undefined",
        "from the printed half",
        f"with rows {' and '.join(SUSPECTS)} exchanged",
        "spread",
    ]
    return Section("The points that the paper leaves open", columns, rows, note)


def exchange(table: Any) -> Section:
    """Say what the evidence is that two printed rows stand in each other's place."""
    shown = [
        *((one, "as printed") for one in table.exchanges[:4]),
        *((one, "after the first") for one in table.further[:2]),
    ]
    rows = [
        [
            f"{one.a} and {one.b}", of, f"{one.before:.3f}", f"{one.after:.3f}", f"{one.gain:+.3f}",
            interval(one.least_gain, one.greatest_gain, 3),
        ]
        for one, of in shown
    ]  # fmt: skip
    first, second = table.exchanges[0], table.exchanges[1]
    verdict = (
        "stand in each other's place" if {first.a, first.b} == set(SUSPECTS) else "do not stand out"
    )
    a, b = (f"{MEASURES[name]} ({name})" for name in SUSPECTS)
    left = table.further[0]
    note = (
        f"Sum of absolute differences over the two rows and six columns, before and after the exchange, for the "
        f"best of all "
        f"{len(table.exchanges)} exchanges of two rows; the gain in single seeds runs between the two ends. The "
        f"rows {a} and {b} "
        f"{verdict}: exchanging {first.a} and {first.b} takes their differences from {first.before:.3f} to "
        f"{first.after:.3f}, in "
        f"every seed by at least {first.least_gain:.3f}; the next best exchange, {second.a} and {second.b}, gains "
        f"{second.gain:.3f}. Once they are exchanged, no other exchange gains more than {left.gain:.3f}."
    )
    return Section(
        "Whether two rows stand in each other's place",
        ["exchange", "of the table", "before", "after", "gain", "over seeds"],
        rows,
        note,
    )


def remaining(table: Any) -> Section:
    """List the printed numbers that stay far from ours after the exchange."""
    partner = dict(zip(SUSPECTS, reversed(SUSPECTS), strict=True))
    rows, all_cells = [], []
    for at, name in enumerate(MEASURES):
        for where, column in enumerate(SYNTHETIC_COLUMNS):
            paper, ours = TABLE3[partner.get(name, name)][column], float(table.mean[at, where])
            all_cells.append(abs(ours - paper))
            if abs(ours - paper) > FAR:
                rows.append(
                    [f"{name}, {column}", f"{paper:.2f}", f"{ours:.3f}", f"{ours - paper:+.3f}"]
                )
    close = sum(cell <= CLOSE for cell in all_cells)
    note = (
        f"With {' and '.join(SUSPECTS)} exchanged, {close} of {len(all_cells)} numbers lie within {CLOSE} of the "
        f"printed ones, and the {len(rows)} listed differ by more than {FAR}."
    )
    if len(table.seeds) > 1:
        note += f" Chance does not explain those: over seeds no number has a spread above {table.spread.max():.3f}."
    return Section("What remains", ["number", "paper", "ours", "difference"], rows, note)


def kinship(table: Any) -> Section:
    """Compare the two suspect rows with their neighbours, within the printed right half and on our sets."""
    pairs = (("mae", "mse"), ("mae", "macro_mae"), ("macro_mse", "macro_mae"), ("macro_mse", "mse"))
    sets = [one for one in table.sets if isinstance(one, Measured)]
    rows = []
    for a, b in pairs:
        printed = np.mean([abs(TABLE3[a][column] - TABLE3[b][column]) for column in REAL_COLUMNS])
        ours = np.mean([abs(one.coverage[a] - one.coverage[b]) for one in sets]) if sets else np.nan
        rows.append([f"{a} and {b}", f"{printed:.3f}", number(float(ours), 3)])
    near, far = (f"{rows[at][1]}" for at in (3, 0)), (f"{rows[at][1]}" for at in (1, 2))
    note = (
        f"Mean absolute difference of two rows over the columns of real data. In the printed half the row "
        f"called MSE lies "
        f"nearer to MSE^m than to MAE ({' and '.join(near)}), and the row called MAE^m nearer to MAE than to MSE^m "
        f"({' and '.join(far)}): what an exchange of the two names would give if plain errors rank systems like plain "
        f"errors, and macro averages like macro averages."
    )
    if sets:
        like = "do" if rows_as_expected(rows) else "do not clearly do"
        note += (
            f" On our {len(sets)} sets they {like} so, and the evidence here is as strong as that."
        )
    columns = ["rows", "printed", "on our sets"]
    return Section("The same two rows on real data", columns, rows, note)


def rows_as_expected(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether, on our sets, MAE lies nearer to MSE than to macro MAE, and macro MSE to macro MAE than to MSE."""
    ours = [float(row[2]) for row in rows]
    return ours[0] < ours[1] and ours[2] < ours[3]


def findings_right(sets: Sequence[Measured | OneRun]) -> list[Section]:
    """Return the sections about real data."""
    several = [one for one in sets if isinstance(one, Measured)]
    single = [one for one in sets if isinstance(one, OneRun)]
    sections = [right_half(several), conclusions_right(several)] if several else []
    sections += [per_case(one) for one in single]
    return [*sections, item_counts(tuple(sets))] if sets else []


def right_half(sets: Sequence[Measured]) -> Section:
    """Return our coverage on every set, the paper's number before it where the set stands beside a column."""
    rows = []
    for name, printed in MEASURES.items():
        cells = []
        for one in sets:
            ours, ends = one.coverage[name], one.coverage.interval(name)
            shown = f"{ours:.2f}"
            if one.of.column is not None:
                paper = TABLE3[name][one.of.column]
                shown = f"{paper:.2f} {ours:.2f} {ours - paper:+.2f}"
            cells.append(f"{shown} ({interval(ends.low, ends.high)})")
        rows.append([printed, name, *cells])
    surrogates = [one.of.key for one in sets if one.of.kind == "surrogate"]
    note = (
        f"In each cell: paper, ours and difference, or ours alone where the paper has no such column, and the 95% "
        f"interval of ours over systems and cases. The systems of {', '.join(surrogates) or 'no set'} are surrogates: "
        f"classifiers trained for this purpose, not the participants' submissions, which are not public. Their numbers "
        f"are not the paper's and need not be: what can be checked is whether its conclusions hold. The other sets are "
        f"real systems that the paper did not use."
    )
    return Section(
        "Right half: real gold, other systems",
        ["row", "measure", *(one.of.key for one in sets)],
        rows,
        note,
    )


def conclusions_right(sets: Sequence[Measured]) -> Section:
    """Say for each set whether the paper's three conclusions hold."""
    rows, kept = list[list[str]](), dict[str, int]()
    for one in sets:
        shape = f"{one.items:,} items, {one.systems} systems, {one.cases} cases"
        for said in one.conclusions:
            rows.append(
                [
                    one.of.key,
                    one.of.kind,
                    shape,
                    said.what,
                    "holds" if said.holds else "does not hold",
                    said.evidence,
                ]
            )
            kept[said.what] = kept.get(said.what, 0) + said.holds
    summary = "; ".join(f"{what}: {n} of {len(sets)} sets" for what, n in kept.items())
    note = (
        f"{summary}. At or near the top: at most 0.02 behind the best of the 15. Poor: among the three lowest. "
        f"Told apart: the 95% interval of the difference over resampled systems and cases leaves 0 out."
    )
    columns = ["set", "systems are", "shape", "conclusion", "", "evidence"]
    return Section("Whether the conclusions hold on real data", columns, rows, note)


def per_case(one: OneRun) -> Section:
    """Show the scores per case of a set with one run."""
    rows = [
        [name, f"{row.mean():.4f}", f"{row.min():.4f}", f"{row.max():.4f}"]
        for name, row in zip(MEASURES, one.scores, strict=True)
    ]
    note = (
        f"{one.items:,} items in {one.cases} cases of {one.sizes[0]:,} to {one.sizes[1]:,}. One run makes no "
        f"pair of systems, so "
        f"there is no coverage; these are its scores, averaged over the cases."
    )
    return Section(
        one.of.title, ["measure", "mean over cases", "lowest case", "highest case"], rows, note
    )


def item_counts(sets: tuple[Measured | OneRun, ...]) -> Section:
    """Put the item counts that the paper gives beside those of the files."""
    found = known_counts(sets)
    rows = [
        [
            REAL_COLUMNS[row["column"]], f"{row['paper_items']:,}",
            "-" if row["items"] is None else f"{row['items']:,}",
            "yes" if row["matches"] else "no", f"{REAL_COLUMNS[row['nearest']]}: {row['nearest_items']:,}",
        ]
        for row in found
    ]  # fmt: skip
    matching = sum(row["matches"] for row in found)
    crossed = [
        f"{REAL_COLUMNS[row['column']]} ({row['paper_items']:,}) is within "
        f"{abs(row['paper_items'] - row['nearest_items'])} of "
        f"{REAL_COLUMNS[row['nearest']]} ({row['nearest_items']:,})"
        for row in found
        if row["nearest"] != row["column"] and abs(row["paper_items"] - row["nearest_items"]) <= 10
    ]
    note = f"{matching} of {len(found)} counts match their file."
    if crossed:
        note += f" Several come near another column's file: {'; '.join(crossed)}. Names or counts may be mixed up."
    note += " RepLab: the paper says 61 companies with 1,500 tweets each. SEM-2015 T10-A: its unlabelled input."
    return Section(
        "Items that the paper counts, and items in the files",
        ["column", "paper", "file", "match", "nearest file"],
        rows,
        note,
    )
