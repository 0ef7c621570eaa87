"""The board as Markdown: docs/calibration.md, from the rows that the simulations gave."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.calibration import coverage, planning, prose, systems, testing

Row = dict[str, Any]
PAGE = Path(__file__).parents[2] / "docs" / "calibration.md"
BAND = 0.93, 0.97
MOST = 0.995  # where fewer than three errors are expected
FEW = 3
RARE = coverage.RARE
SQUARED = ("mse", "weighted_kappa(weights='quadratic')", "krippendorff_alpha")
SIZE_BAND = {30: (0.0, 0.065), 100: (0.035, 0.065), 300: (0.035, 0.065)}


def short(measure: str) -> str:
    """Return the name of a measure as a table shows it."""
    return measure.replace("weighted_kappa(weights='quadratic')", "kappa, quadratic")


def percent(share: float) -> str:
    """Write a share with one decimal."""
    return f"{100 * share:.1f}%"


def error_of(simulations: int, share: float = 0.95) -> str:
    """Say how far a simulated share may be from the real one."""
    points = 200 * np.sqrt(share * (1 - share) / simulations)
    return f"{simulations:,} simulations a row; two simulation errors are {points:.1f} points"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """Write a table in Markdown."""
    names = list(head)
    yield "| " + " | ".join(names) + " |"
    yield "|" + "---|" * len(names)
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def grouped(rows: list[Row], *keys: str) -> dict[tuple[Any, ...], list[Row]]:
    """Return the rows by the values of some keys, in the order in which these come."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[key] for key in keys), []).append(row)
    return groups


def spread(rows: list[Row], key: str = "coverage") -> str:
    """Write the lowest, the mean and the highest share."""
    values = [row[key] for row in rows]
    low, mean, high = (f"{100 * x:.1f}" for x in (min(values), np.mean(values), max(values)))
    return f"{low} / {mean} / {high}"


def outside(row: Row, simulations: int) -> str | None:
    """Say why the coverage of a row lies outside 93 to 97%; None if it does not."""
    share = row["coverage"]
    if BAND[0] <= share <= BAND[1]:
        return None
    if share > BAND[1] and row["errors"] < FEW and share <= MOST:
        return "few errors"
    if row.get("warned", 0) > 0.5:
        return "rare class"
    if row["measure"] in SQUARED and share < BAND[0]:
        return "squared distances"
    slack = 2 * np.sqrt(BAND[0] * BAND[1] / simulations * 0.07)
    if BAND[0] - slack <= share <= BAND[1] + slack:
        return "simulation error"
    return "unexplained"


def pivot(
    rows: list[Row], keys: tuple[str, ...], column: str, write: Callable[[list[Row]], str]
) -> Iterator[str]:
    """Write a table with a row for each value of the keys, and a column for each value of another."""
    columns = list(dict.fromkeys(row[column] for row in rows))
    body = []
    for values, own in grouped(rows, *keys).items():
        cells = grouped(own, column)
        body.append(
            [
                *map(show, values),
                *(write(cells[(one,)]) if (one,) in cells else "" for one in columns),
            ]
        )
    yield from table([*keys, *map(show, columns)], body)


def show(value: Any) -> str:
    """Write a value of a key."""
    return (
        short(value)
        if isinstance(value, str)
        else f"{value:,}"
        if isinstance(value, int)
        else f"{value:g}"
    )


def mean_of(key: str) -> Callable[[list[Row]], str]:
    """Return a writer of the mean of a share."""
    return lambda rows: percent(float(np.mean([row[key] for row in rows])))


def items_part(rows: list[Row], simulations: int) -> Iterator[str]:
    """Write the coverage over items: a summary, and every row outside the band with its reason."""
    yield from ("## Intervals over items", "", prose.ITEMS.format(error=error_of(simulations)), "")
    yield from pivot(rows, ("measure",), "system", spread)
    reasons: dict[str, list[Row]] = {}
    for row in rows:
        why = outside(row, simulations)
        if why:
            reasons.setdefault(why, []).append(row)
    held = len(rows) - sum(map(len, reasons.values()))
    inside = all(row["inside"] for row in rows)
    yield from (
        "",
        f"{held} of {len(rows)} rows lie within 93 to 97%. "
        + (
            prose.INSIDE
            if inside
            else "**A score lies outside its interval, or an interval has no width.**"
        ),
        "",
    )
    for why, title in prose.REASONS.items():
        if why not in reasons:
            continue
        own = reasons[why]
        yield from (f"**{title}** {len(own)} row{'s' * (len(own) != 1)}.", "")
        if why == "few errors":
            yield from pivot(
                own,
                ("system", "n"),
                "gold",
                lambda some: (
                    f"{len(some)} rows, {percent(min(r['coverage'] for r in some))} to {percent(max(r['coverage'] for r in some))}, {min(r['errors'] for r in some):.1f} to {max(r['errors'] for r in some):.1f} errors"
                ),
            )
        else:
            yield from table(
                (
                    "system",
                    "gold",
                    "K",
                    "n",
                    "decay",
                    "measure",
                    "errors expected",
                    "items of the rarest class",
                    "coverage",
                ),
                (
                    (
                        r["system"],
                        r["gold"],
                        str(r["k"]),
                        f"{r['n']:,}",
                        f"{r['decay']:g}",
                        short(r["measure"]),
                        f"{r['errors']:.1f}",
                        f"{r['rarest']:.0f}",
                        percent(r["coverage"]),
                    )
                    for r in own
                ),
            )
        yield ""


def cases_part(rows: list[Row], simulations: int) -> Iterator[str]:
    """Write the coverage over test cases."""
    yield from (
        "## Intervals over test cases",
        "",
        prose.CASES.format(error=error_of(simulations)),
        "",
    )
    yield from pivot(
        rows,
        ("system", "cases", "items"),
        "measure",
        lambda some: " / ".join(f"{100 * r['coverage']:.1f}" for r in some),
    )
    found = [(row, outside(row, simulations)) for row in rows]
    listed = [(row, why) for row, why in found if why]
    yield from (
        "",
        f"{len(rows) - len(listed)} of {len(rows)} rows lie within 93 to 97%."
        + (" The others:" if listed else ""),
        "",
    )
    if listed:
        yield from table(
            (
                "system",
                "gold",
                "cases",
                "items each",
                "measure",
                "errors expected",
                "coverage",
                "why",
            ),
            (
                (
                    r["system"],
                    r["gold"],
                    str(r["cases"]),
                    str(r["items"]),
                    short(r["measure"]),
                    f"{r['errors']:.1f}",
                    percent(r["coverage"]),
                    prose.SHORT[why],
                )
                for r, why in listed
            ),
        )
        yield ""


def part(title: str, text: str, body: Iterable[str]) -> Iterator[str]:
    """Write a section."""
    yield from (f"## {title}", "", text, "", *body, "")


def sizes(rows: list[Row], simulations: int, swaps: int) -> Iterator[str]:
    """Write how often tests reject where scores are equal, and the rows outside the promise."""
    null = [row for row in rows if not row["better"]]
    yield from pivot(null, ("test", "gold", "n"), "measure", mean_of("found"))
    slack = 2 * np.sqrt(0.05 * 0.95 / simulations)
    off = []
    for row in null:
        low, high = SIZE_BAND[row["n"]]
        if row["test"] != "swaps" and not low <= row["found"] <= high:
            near = low - slack <= row["found"] <= high + slack
            off.append((row, "within simulation error" if near else "outside"))
    t_rows = [row for row in null if row["test"] != "swaps"]
    yield from (
        "",
        f"{len(t_rows) - len(off)} of {len(t_rows)} sizes of t and randomisation lie within the promise ({prose.SIZE_PROMISE})."
        + (" The others:" if off else ""),
        "",
    )
    if off:
        yield from table(
            ("test", "gold", "n", "measure", "size", ""),
            (
                (r["test"], r["gold"], str(r["n"]), short(r["measure"]), percent(r["found"]), why)
                for r, why in off
            ),
        )


def lines(content: dict[str, Any]) -> Iterator[str]:
    """Write the page."""
    rows, divisor = content["rows"], content["divisor"]

    def number(asked: int) -> int:
        return max(asked // divisor, 4)

    counts = {
        name: tasks[0][1].get("simulations", 0)
        for module in (coverage, testing, systems, planning)
        for name, tasks in module.tasks(number).items()
    }
    yield from (
        "# Do intervals and tests keep their word?",
        "",
        prose.INTRODUCTION,
        "",
        "## One rule",
        "",
        prose.RULE,
        "",
    )
    if "items" in rows:
        yield from items_part(rows["items"], counts["items"])
    if "methods" in rows:
        yield from part(
            "Beside the bootstrap",
            prose.METHODS.format(error=error_of(counts["methods"])),
            pivot(rows["methods"], ("method", "system"), "measure", spread_short),
        )
    if "cases" in rows:
        yield from cases_part(rows["cases"], counts["cases"])
    if "pooled" in rows:
        yield from part(
            "Pooled scores of clustered cases",
            prose.POOLED.format(error=error_of(counts["pooled"])),
            pivot(rows["pooled"], ("unit", "cases", "items"), "measure", mean_of("coverage")),
        )
    if "weights" in rows:
        moved = max(row["moved"] for row in rows["weights"])
        yield from part(
            "Weights",
            prose.WEIGHTS.format(error=error_of(counts["weights"]), moved=f"{moved:.0e}"),
            pivot(rows["weights"], ("gold", "n"), "measure", mean_of("coverage")),
        )
    if "tests" in rows:
        swaps = testing.tasks(number)["tests"][0][1]["swaps"]
        yield from part(
            "Tests of two systems with equal scores",
            prose.TESTS.format(error=error_of(counts["tests"], 0.05), swaps=f"{swaps:,}"),
            sizes(rows["tests"], counts["tests"], swaps),
        )
        power = [row for row in rows["tests"] if row["better"]]
        yield from part(
            "Power",
            prose.POWER.format(error=error_of(counts["tests"], 0.5)),
            pivot(power, ("test", "gold", "n"), "measure", mean_of("found")),
        )
    if "case tests" in rows:
        told = [{**row, "": "power" if row["better"] else "size"} for row in rows["case tests"]]
        yield from part(
            "Tests over test cases",
            prose.CASE_TESTS.format(error=error_of(counts["case tests"], 0.05)),
            pivot(told, ("", "test", "cases"), "measure", mean_of("found")),
        )
    if "many" in rows:
        yield from many(rows["many"])
    if "33" in rows:
        yield from part("33 systems on 10 cases", prose.THIRTY_THREE, thirty_three(rows["33"][0]))
    if "plans" in rows:
        yield from part(
            "Planning",
            prose.PLANS.format(error=error_of(counts["plans"], 0.8)),
            plans(rows["plans"]),
        )
    if "win" in rows:
        yield from part("Ahead again", prose.WIN, wins(rows["win"]))


def spread_short(rows: list[Row]) -> str:
    """Write the lowest and the mean share."""
    values = [row["coverage"] for row in rows]
    return f"{100 * min(values):.1f} / {100 * np.mean(values):.1f}"


def many(rows: list[Row]) -> Iterator[str]:
    """Write family-wise error, differences found, best sets and ranks."""
    total = sum(
        row["simulations"]
        for row in rows
        if row["measure"] == rows[0]["measure"]
        and row["sample"] == rows[0]["sample"]
        and row["spread"] == "equal"
    )
    equal = [
        {**row, "correction": c, "wrong": row[f"wrong {c}"]}
        for row in rows
        if row["spread"] == "equal"
        for c in ("maxt", "holm")
    ]
    apart = [
        {**row, "correction": c, "found": row[f"found {c}"]}
        for row in rows
        if row["spread"] != "equal"
        for c in ("maxt", "holm")
    ]
    yield from part(
        "Many systems",
        prose.MANY.format(error=error_of(total, 0.05)),
        pivot(equal, ("correction", "sample"), "measure", mean_of("wrong")),
    )
    yield from (
        prose.FOUND,
        "",
        *pivot(apart, ("spread", "sample", "correction"), "measure", mean_of("found")),
        "",
    )
    body = []
    for (spread_name, sample), own in grouped(
        [row for row in rows if row["measure"] == "cem_ord"], "spread", "sample"
    ).items():
        mean = {
            key: float(np.mean([row[key] for row in own]))
            for key in ("holds", "size", "joint", "width")
        }
        body.append(
            [
                spread_name,
                sample,
                percent(mean["holds"]),
                f"{mean['size']:.1f}",
                percent(mean["joint"]),
                f"{mean['width']:.1f}",
            ]
        )
    body.sort(key=lambda row: list(systems.SPREADS).index(row[0]))
    yield from part(
        "The best set and the ranks",
        prose.RANKS,
        table(
            (
                "systems",
                "sample",
                "the best is in the set",
                "size of the set",
                "all ranks hold",
                "width of a rank interval",
            ),
            body,
        ),
    )


def thirty_three(row: Row) -> Iterator[str]:
    """Write the example."""
    yield from table(
        ("test and correction", "pairs found"),
        (
            ("t, maxt (the default)", percent(row["maxt"])),
            ("t, Holm", percent(row["holm"])),
            ("randomisation, Holm", percent(row["old"])),
        ),
    )
    yield from (
        "",
        f'By default they make {row["tiers"]:.1f} tiers on average, and {row["best"]:.1f} systems may be the best. With randomisation and Holm the product says: "{row["said"]}"',
    )


def plans(rows: list[Row]) -> Iterator[str]:
    """Write planned numbers and achieved power."""
    wide = [{**row, "true difference": row["size"]} for row in rows]
    yield from pivot(
        wide,
        ("unit", "how", "true difference"),
        "measure",
        lambda some: f"{some[0]['planned']:,}: {percent(some[0]['power'])}",
    )
    off = [row for row in rows if abs(row["power"] - planning.POWER) > 0.05]
    yield from (
        "",
        f"{len(rows) - len(off)} of {len(rows)} lie within 5 points of 80%."
        + (
            ""
            if not off
            else " The others: "
            + "; ".join(
                f"{r['unit']}, {r['how']}, {r['size']}, {short(r['measure'])}: {percent(r['power'])} with {r['planned']}"
                for r in off
            )
            + "."
        ),
    )


def wins(rows: list[Row]) -> Iterator[str]:
    """Write what the probability said and what came."""
    yield from table(
        ("true scores", "n", "said", "mean of what was said", "ahead again", "pairs"),
        (
            (
                r["belief"],
                str(r["n"]),
                f"{r['low']:g} to {r['high']:g}",
                percent(r["said"]),
                percent(r["again"]),
                f"{r['pairs']:,}",
            )
            for r in rows
        ),
    )
