"""What table 3 shows, in sentences and small tables; every number in them is computed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ordeval.formats.document import Section
from ordeval.formats.numbers import amount, number
from ordeval.formats.sheet import Cell, Column, Kind, value_sheet
from ordeval.paper.campaigns import LOWEST, NEAR, Measured, OneRun, counts_beside
from ordeval.paper.printed import MEASURES, REAL_COLUMNS, SYNTHETIC_COLUMNS, TABLE3
from ordeval.paper.reproduction import HOLDS, PRINTED_DIGITS, YES_OR_NO, three_numbers
from ordeval.paper.synthetic import SUSPECTS
from ordeval.ties import TIE, best

if TYPE_CHECKING:
    from ordeval.paper.coverage_table import Table3

CLOSE, FAR = 0.03, 0.05  # from the printed number
CLEARLY = 0.001  # nearer by at least what three decimals show
CROSSED = 10  # items; counts that differ by no more may have been exchanged
# The two rows that may have been exchanged, each beside the two rows that it could resemble.
NEIGHBOURS = (
    ("mae", "mse"),
    ("mae", "macro_mae"),
    ("macro_mse", "macro_mae"),
    ("macro_mse", "mse"),
)


def numeric(name: str, digits: int = 3, *, sign: bool = False) -> Column:
    """Return a column of numbers."""
    return Column(name, Kind.NUMBER, digits=digits, sign=sign)


def findings_left(table: "Table3") -> list[Section]:
    """Return the sections about the synthetic half."""
    sections = [conclusions_left(table)]
    if table.choices:
        sections.append(open_points(table))
    return [*sections, exchange(table), remaining(table), neighbouring_rows(table)]


def main_findings(table: "Table3") -> list[str]:
    """Return the sentences of the sections below that answer their questions, for a summary."""
    several = [one for one in table.sets if isinstance(one, Measured)]
    rows = next(one for one in sentences(exchange(table)) if one.startswith("The rows "))
    found = [
        conclusions_left(table).note,
        f"{rows.partition(':')[0]}. {sentences(remaining(table))[0]}.",
    ]
    return (
        [*found, f"on real data, {sentences(conclusions_right(several))[0]}."] if several else found
    )


def sentences(section: Section) -> list[str]:
    """Return the sentences below a section's table, without their full stops."""
    return section.note.removesuffix(".").split(". ")


def conclusions_left(table: "Table3") -> Section:
    """Return whether the paper's conclusions hold on synthetic data, column by column."""
    names, seeds = list(MEASURES), len(table.ours)
    cem, flat = names.index("cem_ord"), names.index("cem_ord_flat")
    rows, firsts, above = [], [], []
    for at, column in enumerate(SYNTHETIC_COLUMNS):
        mean = table.mean[:, at]
        place = 1 + int((mean >= mean[cem] + TIE).sum())
        top = cem if place == 1 else int(mean.argmax())
        best_in = sum(best(ours[:, at], greater_is_better=True)[cem] for ours in table.ours)
        ahead = table.ours[:, cem, at] - table.ours[:, flat, at]
        firsts += [column] if place == 1 else []
        above += [column] if ahead.mean() >= TIE else []
        rows.append(
            (
                column, str(place), f"{names[top]} {number(mean[top])}", float(mean[cem]), f"{best_in} of {seeds}",
                float(ahead.mean()), f"{(ahead >= TIE).sum()} of {seeds}",
            )
        )  # fmt: skip
    columns = [
        Column("column"),
        numeric("place of cem_ord"),
        numeric("best"),
        numeric("cem_ord"),
        numeric("best in seeds"),
        numeric("minus cem_ord_flat", sign=True),
        numeric("above it in seeds"),
    ]
    note = (
        f"The paper has cem_ord best in all {len(rows)} columns and cem_ord_flat below it in all. Here cem_ord is "
        f"best in {len(firsts)} of {len(rows)} ({', '.join(firsts) or 'none'}) and above cem_ord_flat in {len(above)} "
        f"({', '.join(above) or 'none'})."
    )
    title = "Do the paper's conclusions hold on synthetic data?"
    return Section(title, value_sheet(columns, rows), note=note)


def open_points(table: "Table3") -> Section:
    """Return how near each way to decide the open points comes to the printed half."""
    rows = [
        (
            f"end={one.end!r}, errors={one.errors!r}",
            one.undefined,
            one.as_printed,
            one.exchanged,
            one.spread,
        )
        for one in table.choices
    ]
    nearest = table.choices[0]
    rules = [one for one in table.choices if (one.end, one.errors) == (nearest.end, nearest.errors)]
    rule = min(rules, key=lambda choice: choice.as_printed)
    note = (
        f"The numbers are mean absolute differences from the 90 printed numbers, {len(table.seeds)} seeds. Nearest: "
        f"end={nearest.end!r} (an item displaced beyond the end keeps its class) and errors={nearest.errors!r} (a "
        f"ratio is the probability of an error for each item), and undefined={rule.undefined!r} for the correlations "
        f"of a constant output (the system maj at ratio 1). Deviations are evenly spaced from 1 to 3 over the cases, "
        f"U(1, 11) is uniform over the classes, and half positions are rounded down."
    )
    columns = [
        Column("open points"),
        Column("undefined"),
        numeric("from the printed half", 4),
        numeric(f"with rows {' and '.join(SUSPECTS)} exchanged", 4),
        numeric("spread", 4),
    ]
    return Section("The points that the paper leaves open", value_sheet(columns, rows), note=note)


def exchange(table: "Table3") -> Section:
    """Return the evidence that two printed rows were exchanged."""
    tried = [
        *((one, "as printed") for one in table.exchanges[:4]),
        *((one, "after the first") for one in table.further[:2]),
    ]
    rows = [
        (
            f"{one.a} and {one.b}",
            of,
            one.before,
            one.after,
            one.gain,
            Cell("", one.least_gain, one.greatest_gain),
        )
        for one, of in tried
    ]
    first, second, further = table.exchanges[0], table.exchanges[1], table.further[0]
    exchanged = {first.a, first.b} == set(SUSPECTS)
    verdict = (
        "seem to be exchanged in the paper"
        if exchanged
        else "do not seem to be exchanged in the paper"
    )
    a, b = (f"{MEASURES[name]} ({name})" for name in SUSPECTS)
    note = (
        f"The table has the sum of absolute differences over the two rows and six columns, before and after an "
        f"exchange, for the best of all {len(table.exchanges)} exchanges of two rows, and the range of the gain over "
        f"seeds. The rows {a} and {b} {verdict}: exchanging {first.a} and {first.b} reduces their differences from "
        f"{number(first.before)} to {number(first.after)}, in every seed by at least {number(first.least_gain)}. The "
        f"next best exchange, {second.a} and {second.b}, gains {number(second.gain)}. After the first exchange, no "
        f"other gains more than {number(further.gain)}."
    )
    columns = [
        Column("exchange"),
        Column("of the table"),
        numeric("before"),
        numeric("after"),
        numeric("gain", sign=True),
        numeric("over seeds"),
    ]
    title = "Were two rows exchanged?"
    return Section(title, value_sheet(columns, rows), note=note)


def remaining(table: "Table3") -> Section:
    """Return the printed numbers that are far from ours after the exchange."""
    partner = dict(zip(SUSPECTS, reversed(SUSPECTS), strict=True))
    rows, gaps, printed = [], [], []
    for at, name in enumerate(MEASURES):
        for where, column in enumerate(SYNTHETIC_COLUMNS):
            paper, ours = TABLE3[partner.get(name, name)][column], float(table.mean[at, where])
            gaps.append(abs(ours - paper))
            printed.append(abs(ours - TABLE3[name][column]))
            if gaps[-1] >= FAR + TIE:
                rows.append((f"{name}, {column}", paper, ours, ours - paper))
    close, as_printed = (sum(gap < CLOSE + TIE for gap in found) for found in (gaps, printed))
    note = (
        f"{as_printed} of {len(gaps)} numbers lie within {CLOSE} of the printed ones, and {close} with "
        f"{' and '.join(SUSPECTS)} exchanged. The {len(rows)} listed still differ by more than {FAR}."
    )
    if len(table.seeds) > 1:
        spread = number(table.spread.max())
        note += f" These differences are not random: no number has a spread above {spread} over the seeds."
    columns = [
        Column("number"),
        numeric("paper", PRINTED_DIGITS),
        numeric("ours"),
        numeric("difference", sign=True),
    ]
    return Section("The differences that remain", value_sheet(columns, rows), note=note)


def neighbouring_rows(table: "Table3") -> Section:
    """Return how far the two suspect rows lie from their neighbours, in the printed right half and on our sets."""
    sets = [one for one in table.sets if isinstance(one, Measured)]
    printed = [
        float(np.mean([abs(TABLE3[a][column] - TABLE3[b][column]) for column in REAL_COLUMNS]))
        for a, b in NEIGHBOURS
    ]
    ours = [
        float(np.mean([abs(one.coverage[a] - one.coverage[b]) for one in sets])) if sets else None
        for a, b in NEIGHBOURS
    ]
    rows = [
        (f"{a} and {b}", *values) for (a, b), *values in zip(NEIGHBOURS, printed, ours, strict=True)
    ]
    mae_mse, mae_macro_mae, macro_mse_macro_mae, macro_mse_mse = map(number, printed)
    note = (
        f"The numbers are mean absolute differences between two rows over the columns of real data. In the printed "
        f"half the row called MSE is nearer to MSE^m than to MAE ({macro_mse_mse} and {mae_mse}), and the row called "
        f"MAE^m is nearer to MAE than to MSE^m ({mae_macro_mae} and {macro_mse_macro_mae}). This is what an exchange "
        f"of the two names would give if errors without macro averages rank systems similarly, and macro averages "
        f"do, too."
    )
    if sets:
        like = (
            "do so, which supports this evidence"
            if as_expected([float(one or 0) for one in ours])
            else "do not clearly do so, which weakens this evidence"
        )
        note += f" On our {len(sets)} sets they {like}."
    columns = [Column("rows"), numeric("printed"), numeric("on our sets")]
    return Section("The same two rows on real data", value_sheet(columns, rows), note=note)


def as_expected(distances: Sequence[float]) -> bool:
    """Tell whether MAE lies clearly nearer to MSE than to macro MAE, and macro MSE to macro MAE than to MSE."""
    mae_mse, mae_macro_mae, macro_mse_macro_mae, macro_mse_mse = distances
    nearer = (mae_macro_mae - mae_mse, macro_mse_mse - macro_mse_macro_mae)
    return all(by > CLEARLY - TIE for by in nearer)


def findings_right(sets: Sequence[Measured | OneRun]) -> list[Section]:
    """Return the sections about real data."""
    several = [one for one in sets if isinstance(one, Measured)]
    single = [one for one in sets if isinstance(one, OneRun)]
    sections = [right_half(several), conclusions_right(several)] if several else []
    sections += [per_case(one) for one in single]
    return [*sections, item_counts(sets)] if sets else []


def right_half(sets: Sequence[Measured]) -> Section:
    """Return our coverage on every set, after the paper's number if the set is compared with a column."""
    rows = []
    for name, printed in MEASURES.items():
        cells = []
        for one in sets:
            ours, ends, column = (
                one.coverage[name],
                one.coverage.interval(name),
                one.data_set.column,
            )
            value = ours if column is None else three_numbers(TABLE3[name][column], ours)
            cells.append(Cell(value, ends.low, ends.high))
        rows.append((printed, name, *cells))
    surrogates = [one.data_set.key for one in sets if one.data_set.kind == "surrogate"]
    note = (
        f"Each cell has the paper's number, ours and the difference, or only ours if the paper has no such column, "
        f"and the 95% interval of ours over systems and cases. The systems of {', '.join(surrogates) or 'no set'} "
        f"are surrogates: classifiers trained for this purpose, because the participants' submissions are not "
        f"public. Their numbers need not equal the paper's; one can only check whether its conclusions hold. The "
        f"other sets have real systems that the paper did not use."
    )
    columns = [
        Column("row"),
        Column("measure"),
        *(numeric(one.data_set.key, PRINTED_DIGITS) for one in sets),
    ]
    return Section("Right half: real gold, other systems", value_sheet(columns, rows), note=note)


def conclusions_right(sets: Sequence[Measured]) -> Section:
    """Return for each set whether the paper's three conclusions hold."""
    rows, kept = list[tuple[str, ...]](), dict[str, int]()
    for one in sets:
        shape = f"{one.items:,} items, {one.systems} systems, {one.cases} cases"
        for conclusion in one.conclusions:
            rows.append(
                (
                    one.data_set.key,
                    one.data_set.kind,
                    shape,
                    conclusion.what,
                    HOLDS[conclusion.holds],
                    conclusion.evidence,
                )
            )
            kept[conclusion.what] = kept.get(conclusion.what, 0) + conclusion.holds
    summary = "; ".join(f"{what}: {n} of {len(sets)} sets" for what, n in kept.items())
    note = (
        f"{summary}. At or near the top: at most {NEAR} behind the best of the {len(MEASURES)}. Poor: among the "
        f"{LOWEST} lowest. Significant: the 95% interval of the difference over resampled systems and cases "
        f"excludes 0."
    )
    names = ("set", "systems are", "shape", "conclusion", "", "evidence")
    columns = [Column(name, prose=name in {"shape", "conclusion", "evidence"}) for name in names]
    return Section(
        "Do the paper's conclusions hold on real data?", value_sheet(columns, rows), note=note
    )


def per_case(one: OneRun) -> Section:
    """Return the scores per case of a set with one run."""
    rows = [
        (name, *map(float, (scores.mean(), scores.min(), scores.max())))
        for name, scores in zip(MEASURES, one.scores, strict=True)
    ]
    note = (
        f"{one.items:,} items in {one.cases} cases of {one.sizes[0]:,} to {one.sizes[1]:,}. With one run there is no "
        f"pair of systems and so no coverage; these are its scores, averaged over the cases."
    )
    columns = [
        Column("measure"),
        numeric("mean over cases"),
        numeric("lowest case"),
        numeric("highest case"),
    ]
    return Section(one.data_set.title, value_sheet(columns, rows), note=note)


def item_counts(sets: Sequence[Measured | OneRun]) -> Section:
    """Return the item counts that the paper gives beside those of the files."""
    counts = counts_beside(sets)
    rows = [
        (
            REAL_COLUMNS[row["column"]],
            row["paper_items"],
            row["items"],
            YES_OR_NO[row["matches"]],
            f"{REAL_COLUMNS[row['nearest']]}: {amount(row['nearest_items'])}",
        )
        for row in counts
    ]
    crossed = [
        f"{REAL_COLUMNS[row['column']]} ({amount(row['paper_items'])}) is within "
        f"{abs(row['paper_items'] - row['nearest_items'])} of "
        f"{REAL_COLUMNS[row['nearest']]} ({amount(row['nearest_items'])})"
        for row in counts
        if row["nearest"] != row["column"]
        and abs(row["paper_items"] - row["nearest_items"]) <= CROSSED
    ]
    note = f"{sum(row['matches'] for row in counts)} of {len(counts)} counts match their file."
    if crossed:
        note += f" Several are close to the count of another column's file: {'; '.join(crossed)}. "
        note += "Names or counts may be mixed up."
    note += " RepLab: the paper says 61 companies with 1,500 tweets each."
    note += " SEM-2015 T10-A: the file is its unlabelled input."
    columns = [
        Column("column"),
        Column("paper", Kind.COUNT),
        Column("file", Kind.COUNT),
        Column("match"),
        Column("nearest file"),
    ]
    title = "Numbers of items in the paper and in the files"
    return Section(title, value_sheet(columns, rows), note=note)
