"""The board as Markdown: docs/evidence/calibration.md, from the rows that the simulations gave."""

import textwrap
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.calibration import coverage, planning, prose, ratings, systems, testing
from benchmarks.calibration.tables import (
    Row,
    error_of,
    grouped,
    lowest_and_mean,
    mean_of,
    one_by_one,
    percent,
    pivot,
    short,
    shown,
    spread,
    table,
)

PAGE = Path(__file__).parents[2] / "docs" / "evidence" / "calibration.md"
BAND = 0.93, 0.97
MOST = 0.995  # the promise where fewer than three errors are expected
FEW = 3
SAFE = 10  # errors below which pseudo-items still weigh something
SQUARED = ("mse", "weighted_kappa(weights='quadratic')", "krippendorff_alpha")
SIZES = {30: (0.0, 0.065), 100: (0.035, 0.065), 300: (0.035, 0.065)}
FAMILY = 0.05
POINTS = 0.05  # how far the power may be from what was planned


def slack(limit: float, simulations: int) -> float:
    """Return two standard errors, over the simulations, of a share that lies at its limit."""
    return float(2 * np.sqrt(limit * (1 - limit) / simulations))


def outside(row: Row, simulations: int) -> str | None:
    """Say why the coverage of a row lies outside 93 to 97%; None if it does not."""
    share = row["coverage"]
    low, high = BAND
    if low <= share <= high:
        return None
    near = low - slack(low, simulations) <= share <= high + slack(high, simulations)
    reasons = {
        "hardly any error": share > MOST and row["errors"] < FEW,
        "few errors": share > high and row["errors"] < FEW,
        "rare class": row.get("warned", 0) > 0.5,
        "squared distances": row["measure"] in SQUARED and share < low,
        "simulation error": near,
        "safe side": share > high and row["errors"] < SAFE,
    }
    return next((why for why, holds in reasons.items() if holds), "unexplained")


def by_reason(rows: list[Row], simulations: int) -> dict[str, list[Row]]:
    """Return the rows outside 93 to 97% by their reason, in the order in which the page gives reasons."""
    reasons: dict[str, list[Row]] = {why: [] for why in prose.REASONS}
    for row in rows:
        why = outside(row, simulations)
        if why is not None:
            reasons[why].append(row)
    return {why: own for why, own in reasons.items() if own}


def range_of(rows: list[Row]) -> str:
    """Write how many rows there are, and between what their coverage and their expected errors lie."""
    shares, errors = ([row[key] for row in rows] for key in ("coverage", "errors"))
    number = f"{len(rows)} row{'s' * (len(rows) != 1)}"
    return f"{number}, {percent(min(shares))} to {percent(max(shares))}, {min(errors):.1f} to {max(errors):.1f} errors"


def one_row(row: Row) -> str:
    """Write a measure, its coverage and the errors expected."""
    return f"{short(row['measure'])} {percent(row['coverage'])} ({row['errors']:.0f})"


def exceptions(rows: list[Row], simulations: int, keys: dict[str, str]) -> Iterator[str]:
    """Write the rows outside the band by reason: those of few errors in groups, the others one by one."""
    reasons = by_reason(rows, simulations)
    inside = len(rows) - sum(map(len, reasons.values()))
    yield from (f"{inside} of {len(rows)} rows lie within 93 to 97%. The others:", "")
    size = next(iter(keys))
    for why, own in reasons.items():
        title, reason = prose.REASONS[why]
        number = f"{len(own)} row{'s' * (len(own) != 1)}"
        yield from (filled(f"**{title}** {number}. {reason}".rstrip()), "")
        if why in {"few errors", "hardly any error"}:
            yield from pivot(own, {"system": "system", size: keys[size]}, "gold", range_of)
        else:
            # Populations that differ only in the measure share a line.
            body = []
            for values, some in grouped(own, "system", "gold", *keys).items():
                body.append([*map(shown, values), ", ".join(map(one_row, some))])
            yield from table(("system", "gold", *keys.values(), "coverage (errors expected)"), body)
        yield ""


def items_part(rows: list[Row], options: Row) -> Iterator[str]:
    """Write the coverage over items: a summary, and every row outside the band with its reason."""
    simulations = options["simulations"]
    text = prose.ITEMS.format(error=error_of(simulations))
    yield from ("## Intervals over items", "", filled(text), "")
    yield from pivot(rows, {"measure": "measure"}, "system", spread)
    inside = all(row["inside"] for row in rows)
    yield from ("", prose.INSIDE if inside else prose.NOT_INSIDE, "")
    yield from exceptions(rows, simulations, {"n": "n", "k": "K", "decay": "decay"})


def cases_part(rows: list[Row], options: Row) -> Iterator[str]:
    """Write the coverage over test cases."""
    simulations = options["simulations"]
    text = prose.CASES.format(error=error_of(simulations))
    yield from ("## Intervals over test cases", "", filled(text), "")
    keys = {"system": "system", "cases": "cases", "items": "items each"}
    yield from pivot(rows, keys, "measure", one_by_one)
    yield ""
    yield from exceptions(rows, simulations, {"cases": "cases", "items": "items each"})


def ratings_part(rows: list[Row], options: Row) -> Iterator[str]:
    """Write the coverage over ratings: a summary, and the rows outside the band by reason."""
    simulations, fewest = options["simulations"], min(row["simulations"] for row in rows)
    text = prose.RATINGS.format(error=error_of(simulations), fewest=fewest)
    yield from ("## Agreement among raters", "", filled(text), "")
    yield from pivot(rows, {"measure": "measure", "raters": "raters"}, "n", spread)
    inside = all(row["inside"] for row in rows)
    yield from ("", prose.INSIDE if inside else prose.NOT_INSIDE, "")
    reasons: dict[str, list[Row]] = {}
    for row in rows:
        why = outside({**row, "measure": ""}, row["simulations"])  # none has a reason of its own
        if why is not None:
            reasons.setdefault(why, []).append(row)
    number = len(rows) - sum(map(len, reasons.values()))
    yield from (f"{number} of {len(rows)} rows lie within 93 to 97%. The others:", "")
    body = []
    for why in prose.REASONS:
        for values, own in grouped(reasons.get(why, []), "measure").items():
            shares = [row["coverage"] for row in own]
            few, most = (f(row["errors"] for row in own) for f in (min, max))
            ends = f"{percent(min(shares))} to {percent(max(shares))}", f"{few:.0f} to {most:.0f}"
            title = prose.REASONS[why][0].rstrip(".")
            body.append((title, *map(shown, values), f"{len(own)}", *ends))
    yield from table(("reason", "measure", "rows", "coverage", "disagreements expected"), body)
    yield ""


def raters_part(rows: list[Row], options: Row) -> Iterator[str]:
    """Write the coverage where raters are drawn too."""
    text = prose.RATERS.format(error=error_of(options["simulations"]))
    keys = {"drawn": "drawn", "raters": "raters", "n": "n"}
    rows = sorted(rows, key=lambda row: (row["drawn"], row["raters"], row["n"]))
    yield from section("Raters drawn too", text, pivot(rows, keys, "measure", one_by_one))


def sizes(rows: list[Row], simulations: int) -> Iterator[str]:
    """Write how often tests reject where scores are equal, and the rows outside the promised limits."""
    null = [row for row in rows if not row["better"]]
    yield from pivot(null, {"test": "test", "gold": "gold", "n": "n"}, "measure", mean_of("found"))
    studentised = [row for row in null if row["test"] != "swaps"]
    off = []
    for row in studentised:
        low, high = SIZES[row["n"]]
        if not low <= row["found"] <= high:
            near = low - slack(low, simulations) <= row["found"] <= high + slack(high, simulations)
            why = "within two standard errors" if near else "**outside**"
            words = row["test"], row["gold"], str(row["n"]), short(row["measure"])
            off.append((*words, percent(row["found"]), why))
    each = len(studentised) // 2
    inside = {test: each - sum(row[0] == test for row in off) for test in ("t", "randomisation")}
    text = prose.SIZE_PROMISE.format(**inside, each=each) + (" The others:" if off else "")
    yield from ("", filled(text), "")
    if off:
        yield from table(("test", "gold", "n", "measure", "size", ""), off)


def many_part(rows: list[Row], _: Row) -> Iterator[str]:
    """Write family-wise error, differences found, best sets and ranks."""
    rows = merged(rows)
    simulations = max(row["simulations"] for row in rows)
    both = [
        {**row, "correction": c, "wrong": row[f"wrong {c}"], "found": row[f"found {c}"]}
        for row in rows
        for c in ("maxt", "holm")
    ]
    equal = [row for row in both if row["spread"] == "equal"]
    text = prose.MANY.format(error=error_of(simulations, FAMILY))
    keys = {"correction": "correction", "sample": "sample"}
    yield from section("Many systems", text, pivot(equal, keys, "measure", mean_of("wrong")))
    high = FAMILY + slack(FAMILY, simulations)
    off = [
        f"{row['correction']}, {row['sample']}, {short(row['measure'])}: {percent(row['wrong'])}"
        for row in equal
        if row["wrong"] > high
    ]
    if off:
        yield from (filled(f"More than two standard errors above 5%: {'; '.join(off)}."), "")
    apart = [row for row in both if row["spread"] != "equal"]
    keys = {"spread": "systems", "sample": "sample", "correction": "correction"}
    yield from (prose.FOUND, "", *pivot(apart, keys, "measure", mean_of("found")), "")
    body = []
    for row in sorted(rows, key=lambda row: list(systems.SPREADS).index(row["spread"])):
        if row["measure"] == "cem_ord":
            best = percent(row["holds"]), f"{row['size']:.1f}"
            ranks = percent(row["joint"]), f"{row['width']:.1f}"
            body.append((row["spread"], row["sample"], *best, *ranks))
    head = ("systems", "sample", "best is in the set", "its size", "all ranks hold", "their width")
    yield from section("The best set and the ranks", prose.RANKS, table(head, body))


def merged(rows: list[Row]) -> list[Row]:
    """Return one row for the parts of one simulation."""
    result = []
    for own in grouped(rows, "sample", "spread", "measure").values():
        weights = [row["simulations"] for row in own]
        means = {
            key: float(np.average([row[key] for row in own], weights=weights))
            for key, value in own[0].items()
            if isinstance(value, float)
        }
        result.append({**own[0], **means, "simulations": sum(weights)})
    return result


def example_part(rows: list[Row], _: Row) -> Iterator[str]:
    """Write what is found among 33 systems."""
    row = rows[0]
    names = {"maxt": "t, maxt (the default)", "holm": "t, Holm", "old": "randomisation, Holm"}
    body = table(
        ("test and correction", "pairs found"),
        ((name, percent(row[key])) for key, name in names.items()),
    )
    text = [*body, "", filled(prose.TIERS.format(**row))]
    yield from section("33 systems on 10 cases", prose.THIRTY_THREE, text)


def plans_part(rows: list[Row], options: Row) -> Iterator[str]:
    """Write planned numbers and achieved power."""
    simulations = options["simulations"]
    averaged = []
    for own in grouped(rows, "unit", "how", "size", "measure").values():
        means = {key: float(np.mean([row[key] for row in own])) for key in ("planned", "power")}
        averaged.append({**own[0], **means})
    keys = {"unit": "unit", "how": "pilot", "size": "difference"}
    body = [*pivot(averaged, keys, "measure", power_of)]
    low, high = planning.POWER - POINTS, planning.POWER + POINTS
    told = []
    for row in averaged:
        if not low <= row["power"] <= high:
            near = abs(row["power"] - planning.POWER) <= POINTS + slack(planning.POWER, simulations)
            words = [row["unit"], row["how"], row["size"], short(row["measure"])]
            remark = " (within two standard errors)" if near else ""
            told.append(f"{', '.join(words)}: {percent(row['power'])}{remark}")
    others = f" The others: {'; '.join(told)}." if told else ""
    inside = len(averaged) - len(told)
    body += [
        "",
        filled(f"{inside} of {len(averaged)} plans have a power within 5 points of 80%.{others}"),
    ]
    text = prose.PLANS.format(error=error_of(simulations, planning.POWER))
    yield from section("Planning", text, body)


def power_of(rows: list[Row]) -> str:
    """Write the power that was achieved, and with how many items or cases."""
    return f"{percent(rows[0]['power'])} with {rows[0]['planned']:,.0f}"


def win_part(rows: list[Row], _: Row) -> Iterator[str]:
    """Write what the probability said and what came."""
    body = []
    for r in rows:
        shares = percent(r["said"]), percent(r["again"])
        bounds = f"{r['low']:g} to {r['high']:g}"
        body.append((r["belief"], str(r["n"]), bounds, *shares, f"{r['pairs']:,}"))
    head = ("true scores", "n", "win", "mean win", "ahead again", "pairs")
    yield from section("The probability of being ahead again", prose.WIN, table(head, body))


def section(title: str, text: str, body: Iterable[str]) -> Iterator[str]:
    """Write a section."""
    yield from (f"## {title}", "", filled(text), "", *body, "")


def filled(text: str) -> str:
    """Return a paragraph in lines of equal length, after numbers were put into it."""
    return textwrap.fill(text, 118, break_long_words=False, break_on_hyphens=False)


def methods_part(rows: list[Row], options: Row) -> Iterator[str]:
    """Write the coverage of the bootstrap beside that of t."""
    text = prose.METHODS.format(error=error_of(options["simulations"]))
    body = pivot(rows, {"method": "method", "system": "system"}, "measure", lowest_and_mean)
    yield from section("Comparison with the bootstrap", text, body)


def case_methods_part(rows: list[Row], options: Row) -> Iterator[str]:
    """Write the coverage of the bootstrap over test cases beside that of t."""
    text = prose.CASE_METHODS.format(error=error_of(options["simulations"]))
    rows = sorted(rows, key=lambda row: row["cases"])
    body = pivot(rows, {"cases": "cases", "method": "method"}, "measure", mean_of("coverage"))
    yield from section("The bootstrap over test cases", text, body)


def pooled_part(rows: list[Row], options: Row) -> Iterator[str]:
    """Write the coverage of pooled scores."""
    keys = {"unit": "left out", "cases": "cases", "items": "items each"}
    text = prose.POOLED.format(error=error_of(options["simulations"]))
    body = pivot(rows, keys, "measure", mean_of("coverage"))
    yield from section("Pooled scores of clustered cases", text, body)


def weights_part(rows: list[Row], options: Row) -> Iterator[str]:
    """Write the coverage of weighted scores."""
    moved = f"{max(row['moved'] for row in rows):.0e}"
    text = prose.WEIGHTS.format(error=error_of(options["simulations"]), moved=moved)
    body = pivot(rows, {"gold": "gold", "n": "n"}, "measure", mean_of("coverage"))
    yield from section("Weights", text, body)


def tests_part(rows: list[Row], options: Row) -> Iterator[str]:
    """Write size and power of the tests over items."""
    simulations = options["simulations"]
    text = prose.TESTS.format(error=error_of(simulations, 0.05), swaps=options["swaps"])
    yield from section("Tests of two systems with equal scores", text, sizes(rows, simulations))
    power = [row for row in rows if row["better"]]
    body = pivot(power, {"test": "test", "gold": "gold", "n": "n"}, "measure", mean_of("found"))
    yield from section("Power", prose.POWER.format(error=error_of(simulations, 0.5)), body)


def case_tests_part(rows: list[Row], options: Row) -> Iterator[str]:
    """Write size and power of the tests over test cases."""
    told = [{**row, "what": "power" if row["better"] else "size"} for row in rows]
    told.sort(key=lambda row: row["better"])
    text = prose.CASE_TESTS.format(error=error_of(options["simulations"], 0.05))
    keys = {"what": "", "cases": "cases", "test": "test"}
    body = pivot(told, keys, "measure", mean_of("found"))
    yield from section("Tests over test cases", text, body)


PARTS: dict[str, Callable[[list[Row], Row], Iterator[str]]] = {
    "items": items_part,
    "methods": methods_part,
    "cases": cases_part,
    "case methods": case_methods_part,
    "pooled": pooled_part,
    "weights": weights_part,
    "ratings": ratings_part,
    "raters": raters_part,
    "tests": tests_part,
    "case tests": case_tests_part,
    "many": many_part,
    "33": example_part,
    "plans": plans_part,
    "win": win_part,
}


def lines(content: dict[str, Any]) -> Iterator[str]:
    """Write the page, or those parts of it that were simulated."""
    rows, divisor = content["rows"], content["divisor"]
    options = {
        name: tasks[0][1]
        for module in (coverage, ratings, testing, systems, planning)
        for name, tasks in module.tasks(lambda asked: max(asked // divisor, 4)).items()
    }
    yield from (f"# {prose.TITLE}", "", prose.INTRODUCTION, "")
    yield from ("## The rule for intervals", "", prose.RULE, "")
    for name, write in PARTS.items():
        if name in rows:
            yield from write(rows[name], options[name])
