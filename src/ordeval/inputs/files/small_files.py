"""Small files without a fault, counted by Python alone: a wide file, or gold and systems joined by item.

The result is what the engine would return. Where there is anything to refuse, to warn of or to
choose between (a row that repeats an item, a column that may hold counts), it is None, and the engine decides.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from ordeval.errors import OrdevalError
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.files.locate import Source
from ordeval.inputs.files.opening import OpenedFiles
from ordeval.inputs.files.row_counts import Texts, placed
from ordeval.inputs.files.small_text import SmallTable, small_tables
from ordeval.inputs.files.wide_columns import UNUSED, find_positions
from ordeval.inputs.placing import PlacedPatterns
from ordeval.inputs.roles import NAMES, long_roles, lower

Found = TypeVar("Found")

RATERS = frozenset(NAMES["rater"]) - frozenset(NAMES["system"])
MOST_SYSTEMS = 100  # beyond, the engine puts the patterns of answers in another order


class SmallWide(NamedTuple):
    """The columns of a small wide file by their roles, and the names of its columns of answers."""

    columns: dict[str, list[str | None]]
    answers: list[str]

    @property
    def identity(self) -> list[str]:
        """The roles of the columns that say which item a row is about."""
        return [role for role in ("item", "case") if role in self.columns]


def small_wide(
    source: Source,
    gold: str | None,
    predicted: Sequence[str],
    choices: ReadingChoices,
    *,
    side: str = "predicted",
    table: SmallTable | None = None,
) -> SmallWide | None:
    """Read a small wide file, or take its table, each of whose rows is another item; None if the engine has to."""
    if table is None:
        answers = {f"p{at}": name for at, name in enumerate(predicted)}
        tables = small_tables([source], {**choices.columns, "gold": gold, **answers})
        table = None if tables is None else tables[0]
    if table is None or choices.beside_gold or not predicted:
        return None
    at = find_positions(table.columns, gold, predicted, choices, source, side=side)
    names = [table.columns[at[f"p{place}"]] for place in range(len(predicted))]
    read = SmallWide({role: table.values(place) for role, place in at.items()}, names)
    keys = [read.columns[role] for role in read.identity]
    if UNUSED in at or len(set(names)) < len(names) or any(None in key for key in keys):
        return None
    return None if "item" in at and not all_differ(keys) else read


def count_small_wide(
    source: Source, gold: str, predicted: Sequence[str], choices: ReadingChoices
) -> PlacedPatterns | None:
    """Count a small wide file; None if the engine has to."""

    def work() -> PlacedPatterns | None:
        read = small_wide(source, gold, predicted, choices)
        if read is None:
            return None
        by_case = "case" in read.columns
        roles = [
            *(["case"] if by_case else []),
            "gold",
            *(f"p{at}" for at in range(len(predicted))),
        ]
        rows = zip(*(read.columns[role] for role in roles), strict=True)
        return placed(Counter(rows), read.answers, choices, by_case=by_case)

    return counted_unchanged(work, [source])


def count_small_long(
    gold: Source, systems: Sequence[Source], choices: ReadingChoices
) -> PlacedPatterns | None:
    """Count a small gold file and those of its systems; None if the engine has to."""
    names = [system.name for system in systems]
    if choices.beside_gold or len({*names}) < len(names) or len(names) > MOST_SYSTEMS:
        return None
    sources, named = [gold, *systems], {role: choices.columns.get(role) for role in NAMES}

    def work() -> PlacedPatterns | None:
        tables = small_tables(sources, named)
        if tables is None or has_raters_or_lacks_columns(tables, choices):
            return None
        sides = [
            (table, long_roles(table.columns, named, side, "").positions())
            for table, side in zip(tables, ("gold", *["system"] * len(names)), strict=True)
        ]
        if any("system" in at for _, at in sides):
            return None
        return joined(sides, names, choices)

    return counted_unchanged(work, sources)


def joined(
    sides: Sequence[tuple[SmallTable, Mapping[str, int]]],
    systems: Sequence[str],
    choices: ReadingChoices,
) -> PlacedPatterns | None:
    """Bring gold and the answers of systems together by item, within the test case if all files name it."""
    cased = ["case" in at for _, at in sides]
    if len({*cased[1:]}) > 1:
        return None
    keys: list[list[Any]] = []
    for table, at in sides:
        columns = {role: table.values(at[role]) for role in ("case", "item") if role in at}
        named = [column for role, column in columns.items() if role == "item" or all(cased)]
        if any(None in column for column in columns.values()) or not all_differ(named):
            return None
        keys.append(list(zip(*named, strict=True)))
    (gold, of_gold), *answers = sides
    case = [gold.values(of_gold["case"])] if cased[0] else []
    golds = list(zip(*case, gold.values(of_gold["label"]), strict=True))
    given = [
        dict(zip(theirs, table.values(at["label"]), strict=True))
        for theirs, (table, at) in zip(keys[1:], answers, strict=True)
    ]
    matched = [sum(key in labels for key in keys[0]) for labels in given]
    rows = answers_of_one if len(given) == 1 else answers_of_many
    counted = rows(keys[0], golds, given)
    if not all(matched) or counted is None:
        return None
    return placed(
        counted,
        systems,
        choices,
        by_case=cased[0],
        flags=len(given) == 1,
        not_in_gold=sum(map(len, given)) - sum(matched),
    )


def answers_of_one(
    keys: Sequence[Any], golds: Sequence[Texts], given: Sequence[Mapping[Any, str | None]]
) -> Counter[Texts]:
    """Count gold with the answers of one system; items without one come last, as in the engine's join."""
    labels = given[0]
    return Counter(
        ("" if key in labels else None, *gold, labels.get(key))
        for key, gold in zip(keys, golds, strict=True)
    )


def answers_of_many(
    keys: Sequence[Any], golds: Sequence[Texts], given: Sequence[Mapping[Any, str | None]]
) -> Counter[Texts] | None:
    """Count gold with the joint answers of several systems; None if no item has two, as in parts of one table.

    An empty answer comes first and an absent one last, as in the engine's grouping.
    """
    if not any(sum(bool(labels.get(key)) for labels in given) > 1 for key in keys):
        return None
    columns = [[(labels[key] or "") if key in labels else None for key in keys] for labels in given]
    filled = (tuple(text or "" for text in gold) for gold in golds)
    return Counter((*gold, *theirs) for gold, *theirs in zip(filled, *columns, strict=True))


def has_raters_or_lacks_columns(tables: Sequence[SmallTable], choices: ReadingChoices) -> bool:
    """Tell whether the gold file names raters, or no file has a column that the caller named."""
    every = {lower(name) for table in tables for name in table.columns}
    named = {name.lower() for name in choices.columns.values() if name is not None}
    return bool(named - every) or has_raters(tables[0].columns)


def has_raters(columns: Sequence[str]) -> bool:
    """Tell whether a column has a usual name of raters; `model` is not taken for one."""
    return any(lower(name) in RATERS for name in columns)


def all_differ(columns: Sequence[Sequence[Any]]) -> bool:
    """Tell whether no two rows have the same keys."""
    return len(set(zip(*columns, strict=True))) == len(columns[0])


def small_columns(source: Source, chosen: Mapping[str, str | None]) -> list[str] | None:
    """Return the names of the columns of a small file; None if the engine has to look for them."""

    def work() -> list[str] | None:
        tables = small_tables([source], chosen)
        return None if tables is None else [*tables[0].columns]

    return counted_unchanged(work, [source])


def counted_unchanged(work: Callable[[], Found | None], sources: Sequence[Source]) -> Found | None:
    """Do the work, which refuses nothing: of what it would refuse, the engine tells more. Files must not change."""
    files, counted = OpenedFiles(sources), None
    try:
        counted = work()
    except OrdevalError:
        pass
    finally:
        if counted is None:  # also where a signal comes: a check of a large .gz would go on
            files.close()
    return None if counted is None else files.reading(lambda: counted)
