"""What the two criteria show, in sentences and small tables; every number in them is computed."""

import math
from collections.abc import Sequence
from dataclasses import replace

from ordeval.formats.document import Section
from ordeval.formats.numbers import confidence, counted, in_words, number
from ordeval.formats.sheet import Cell, Column, Kind, Sheet, value_sheet
from ordeval.meta.coverage import FEW_SYSTEMS
from ordeval.paper.reproduction import YES_OR_NO
from ordeval.paper.sakai_collections import ALPHA, QUADRATIC, MeasuredCollection, uses_order
from ordeval.paper.sakai_standing import (
    ADVISED,
    CONTRADICTED,
    LEVEL,
    OPEN,
    SUPPORTED,
    MeasureStanding,
)

# Measures that people would take instead; the table adds those with the best mean ranks.
ALTERNATIVES = (
    QUADRATIC,
    "cem_ord",
    "krippendorff_alpha",
    "krippendorff_alpha(level='interval')",
    "mae",
    "mse",
    "macro_mae",
    "macro_mse",
    "accuracy",
    "macro_f1",
)


def answer(standings: Sequence[MeasureStanding]) -> Section:
    """Return whether the advice holds on these collections, and where the other two measures in question stand."""
    by_title = {one.title: one.verdict for one in standings}
    if len(set(by_title.values())) == 1:
        verdict = f"by both criteria it is {standings[0].verdict}"
    else:
        verdict = " and ".join(f"by {title} it is {one}" for title, one in by_title.items())
    number_of = counted(len(standings[0].results), "collection")
    advice = f"The advice is to use weighted kappa with linear weights ({ADVISED}). On {number_of}, {verdict}."
    items = [
        advice,
        *(place_of_advised(one) for one in standings),
        compared("Linear and quadratic weights", QUADRATIC, standings),
        compared("The closeness measure", "cem_ord", standings),
    ]
    note = (
        f"'{SUPPORTED.capitalize()}': {ADVISED} has the best mean rank of all measures that use the order of the "
        f"classes. '{CONTRADICTED.capitalize()}': it does not, and one of them is significantly better over the "
        f"collections at {ALPHA}, adjusted for all measures by Holm's method. '{OPEN.capitalize()}' is not evidence "
        f"for the advice: with so few collections only large and steady differences are significant. Neither criterion "
        f"shows whether a measure is right: a measure can rank systems consistently by what does not matter."
    )
    return Section("Does the advice hold here?", items=items, note=note)


def place_of_advised(standing: MeasureStanding) -> str:
    """Return a few sentences about where the measure advised stands by one criterion."""
    ranks, ordered, of = standing.mean_rank, standing.ordered, len(standing.results)
    first, best = next(iter(ranks)), ordered[0]
    led = f"The best mean rank of the {len(ordered)} is that of {best} ({number(ranks[best], 1)})"
    if not uses_order(first):
        led += f", and of all that of {first} ({number(ranks[first], 1)}), which does not use the order"
    others = [standing.against[name] for name in ordered if name != ADVISED]
    better, worse = sum(one.high < 0 for one in others), sum(one.low > 0 for one in others)
    beaten = standing.beaten_by
    of_them = f"{in_words(beaten)} {'is' if len(beaten) == 1 else 'are'}" if beaten else "none is"
    below = sum(standing.below_best(at, ADVISED) for at in range(of))
    return (
        f"{standing.title.capitalize()}: {ADVISED} has the mean rank {number(ranks[ADVISED], 1)}, which is place "
        f"{standing.place(ADVISED, ordered)} of the {len(ordered)} measures that use the order and place "
        f"{standing.place(ADVISED)} of all {len(ranks)}. {led}. Of the {len(others)} others that use the order, "
        f"{of_them} significantly better over the collections; without the adjustment {better} would be significantly "
        f"better and {worse} significantly worse. On {below} of {of} collections {ADVISED} is significantly below the "
        f"best measure there."
    )


def compared(what: str, name: str, standings: Sequence[MeasureStanding]) -> str:
    """Return a sentence or two that compare the measure advised with another one."""
    differences = [f"{one.against[name].evidence} by {one.title}" for one in standings]
    ranks = [
        f"{number(one.mean_rank[name], 1)} by {one.title} (place {one.place(name)} of all)"
        for one in standings
    ]
    return (
        f"{what}: {ADVISED} minus {name} is {' and '.join(differences)}. The mean rank of {name} is "
        f"{' and '.join(ranks)}."
    )


def collections(measured: Sequence[MeasuredCollection]) -> Section:
    """Return what each collection has."""
    rows = [
        (
            one.data_set.key,
            one.data_set.title,
            one.items,
            one.classes,
            one.systems,
            one.data_set.kind,
            one.halved,
        )
        for one in measured
    ]
    columns = [
        Column("collection"),
        Column("data", prose=True),
        Column("items", Kind.COUNT),
        Column("classes", Kind.COUNT),
        Column("systems", Kind.COUNT),
        Column("systems are"),
        Column("halves of"),
    ]
    note = (
        "Surrogate systems are classifiers trained for such comparisons, because the participants' submissions are "
        "not public. An unanswered item earns nothing. Where the halves are of items, the data have no test cases, or "
        "only sub-corpora or topics of few items, which are ignored here as in the reproduction of table 3."
    )
    return Section("The collections", value_sheet(columns, rows), note=note)


def by_collection(standing: MeasureStanding, measured: Sequence[MeasuredCollection]) -> Section:
    """Return the value of every measure on every collection, the best mean rank first."""
    return Section(standing.title.capitalize(), value_table(standing, measured))


def value_table(standing: MeasureStanding, measured: Sequence[MeasuredCollection]) -> Sheet:
    """Return the table of one criterion: mean ranks, and the value on each collection."""
    columns = [
        Column("measure"),
        Column("uses order"),
        Column("mean rank", Kind.NUMBER, greater_is_better=False, digits=1),
        *(
            Column(one.data_set.key, Kind.NUMBER, greater_is_better=True, digits=3)
            for one in measured
        ),
    ]
    rows = []
    for name, rank in standing.mean_rank.items():
        cells = [
            Cell(result[name], star=standing.below_best(at, name))
            for at, result in enumerate(standing.results)
        ]
        rows.append((name, YES_OR_NO[uses_order(name)], rank, *cells))
    star = (
        f"significantly below the best measure of the column: the {confidence(LEVEL)} interval of the difference, over "
        f"resampled systems, excludes 0"
    )
    return replace(value_sheet(columns, rows), star=star)


def alternatives(standings: Sequence[MeasureStanding]) -> Section:
    """Return the measure advised beside those that people would take instead."""
    leading = [one.ordered[0] for one in standings]
    names = [name for name in dict.fromkeys([*leading, *ALTERNATIVES]) if name != ADVISED]
    columns = [Column("measure")]
    for one in standings:
        columns += [
            Column(f"{ADVISED} minus it by {one.title}", Kind.NUMBER, sign=True, interval=True),
            Column("above on", Kind.COUNT),
            Column("below on", Kind.COUNT),
            Column("p adjusted", Kind.P_VALUE),
        ]
    rows = []
    for name in names:
        cells: list[Cell | int | float] = []
        for one in standings:
            found = one.against[name]
            ends = () if math.isnan(found.low) else (found.low, found.high)
            cells += [Cell(found.value, *ends), found.above, found.below, found.p]
        rows.append((name, *cells))
    note = (
        f"The differences are means over the collections with {confidence(LEVEL)} intervals by Student's t, in which "
        f"the collections are the sample. P-values are adjusted for all {len(standings[0].metrics) - 1} other "
        f"measures by Holm's method. Some collections share their systems (those with surrogates) or their texts (the "
        f"two languages of RuSentNE), so they are not fully independent, and these intervals are too narrow."
    )
    return Section("The measure advised and other measures", value_sheet(columns, rows), note=note)


def method(
    measured: Sequence[MeasuredCollection], *, splits: int, flips: int, resamples: int
) -> Section:
    """Return how the numbers were computed and what they do not show."""
    error = max(float(one.consistency.spread.max()) for one in measured) / math.sqrt(splits)
    few = [one.data_set.key for one in measured if one.systems < FEW_SYSTEMS]
    left_out = max(measured, key=lambda one: max(one.power.left_out))
    pairs = left_out.systems * (left_out.systems - 1) // 2
    over_systems = (
        f"Asterisks, and what is called significant on a collection, come from {resamples} resamples of the systems, "
        f"which are the same for all measures. They show what other systems of the same kind would change, not what "
        f"other items would, and they are not adjusted for the number of comparisons."
    )
    if few:
        over_systems += f" With fewer than {FEW_SYSTEMS} systems ({in_words(few)}) such intervals are too narrow."
    halves = (
        f"System ranking consistency is the mean of Kendall's tau-b between the rankings of all systems on two random "
        f"halves, over {splits:,} splits. Each half is scored as one test, or as the mean over its test cases where "
        f"there are any; if their number is odd, one is in neither half."
    )
    over_splits = (
        f"The standard error of these means over the splits is at most {number(error, 4)}. It shows only how exactly "
        f"{splits:,} splits determine the mean on the same items. Splits of one collection share all their items and "
        f"are not independent samples: with enough splits, a test that treated them as such would find any difference "
        f"significant. So there is no such test on this page."
    )
    tests = (
        f"Discriminative power is the share of system pairs that are significantly different at {ALPHA}, by a paired "
        f"t test over items or test cases. The p-values are adjusted over all pairs by the step-down maximum of |t| "
        f"(max-T) under {flips:,} joint sign flips. This replaces the randomised Tukey HSD test and follows the same "
        f"idea: every pair is compared with the largest difference between any systems that arises by chance, so that "
        f"the probability of any false finding is at most {ALPHA}. In max-T each difference is divided by its own "
        f"standard error, and a measure need not be a mean over items."
    )
    undefined = (
        f"A pair with an undefined score is left out for that measure: at most {max(left_out.power.left_out)} of "
        f"{pairs:,} pairs ({left_out.data_set.key})."
    )
    ranks = (
        "Ranks are among all measures on a collection. Measures that rank systems alike, such as accuracy and "
        "brennan_prediger, share a rank."
    )
    items = [halves, over_splits, over_systems, tests, undefined, ranks]
    return Section("How it was computed", items=items)
