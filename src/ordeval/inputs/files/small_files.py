"""Small files without a fault, counted by Python alone: a wide file, or gold and one system joined by item.

The result is what the engine would return. Where there is anything to refuse, to warn of or to
choose between (a row that repeats an item, a column that may hold counts), it is None, and the engine decides.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ordeval.errors import OrdevalError
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.files.locate import Source
from ordeval.inputs.files.opening import OpenedFiles
from ordeval.inputs.files.row_counts import placed
from ordeval.inputs.files.small_text import SmallTable, small_tables
from ordeval.inputs.files.wide_columns import UNUSED, find_positions
from ordeval.inputs.placing import PlacedPatterns
from ordeval.inputs.roles import NAMES, long_roles, lower

RATERS = frozenset(NAMES["rater"]) - frozenset(NAMES["system"])


def count_small_wide(
    source: Source, gold: str, predicted: Sequence[str], choices: ReadingChoices
) -> PlacedPatterns | None:
    """Count a small wide file; None if the engine has to."""
    answers = {f"p{at}": name for at, name in enumerate(predicted)}
    if choices.beside_gold or not answers:
        return None

    def work() -> PlacedPatterns | None:
        tables = small_tables([source], {**choices.columns, "gold": gold, **answers})
        if tables is None:
            return None
        table = tables[0]
        at = find_positions(table.columns, gold, predicted, choices, source, side="predicted")
        systems = [table.columns[at[answer]] for answer in answers]
        keys = [table.values(at[role]) for role in ("case", "item") if role in at]
        if UNUSED in at or len(set(systems)) < len(systems) or any(None in key for key in keys):
            return None
        if "item" in at and not all_differ(keys):
            return None
        roles = [*(["case"] if "case" in at else []), "gold", *answers]
        rows = zip(*(table.values(at[role]) for role in roles), strict=True)
        return placed(Counter(rows), systems, choices, by_case="case" in at)

    return counted_unchanged(work, [source])


def count_small_long(
    gold: Source, systems: Sequence[Source], choices: ReadingChoices
) -> PlacedPatterns | None:
    """Count a small gold file and that of one system; None if the engine has to."""
    if choices.beside_gold or len(systems) != 1:
        return None
    sources, named = [gold, *systems], {role: choices.columns.get(role) for role in NAMES}

    def work() -> PlacedPatterns | None:
        tables = small_tables(sources, named)
        if tables is None or has_raters_or_lacks_columns(tables, choices):
            return None
        sides = [
            (table, long_roles(table.columns, named, side, "").positions())
            for table, side in zip(tables, ("gold", "system"), strict=True)
        ]
        if any("system" in at for _, at in sides):
            return None
        return joined(sides, systems[0].name, choices)

    return counted_unchanged(work, sources)


def joined(
    sides: Sequence[tuple[SmallTable, Mapping[str, int]]], system: str, choices: ReadingChoices
) -> PlacedPatterns | None:
    """Bring gold and the answers of one system together by item, within the test case if both files name it."""
    by_case = all("case" in at for _, at in sides)
    keys: list[list[Any]] = []
    for table, at in sides:
        columns = {role: table.values(at[role]) for role in ("case", "item") if role in at}
        named = [column for role, column in columns.items() if role == "item" or by_case]
        if any(None in column for column in columns.values()) or not all_differ(named):
            return None
        keys.append(list(zip(*named, strict=True)))
    (gold, of_gold), (answers, of_answers) = sides
    given = dict(zip(keys[1], answers.values(of_answers["label"]), strict=True))
    case = [gold.values(of_gold["case"])] if "case" in of_gold else []
    # Items without an answer come after the others, as in the engine's join.
    rows = Counter(
        ("" if key in given else None, *of_case, label, given.get(key))
        for key, label, *of_case in zip(keys[0], gold.values(of_gold["label"]), *case, strict=True)
    )
    matched = sum(times for (answered, *_), times in rows.items() if answered is not None)
    if not matched:
        return None
    return placed(
        rows, [system], choices, by_case=bool(case), flags=1, not_in_gold=len(given) - matched
    )


def has_raters_or_lacks_columns(tables: Sequence[SmallTable], choices: ReadingChoices) -> bool:
    """Tell whether the gold file names raters, or no file has a column that the caller named."""
    every = {lower(name) for table in tables for name in table.columns}
    named = {name.lower() for name in choices.columns.values() if name is not None}
    return bool(named - every) or any(lower(name) in RATERS for name in tables[0].columns)


def all_differ(columns: Sequence[Sequence[Any]]) -> bool:
    """Tell whether no two rows have the same keys."""
    return len(set(zip(*columns, strict=True))) == len(columns[0])


def counted_unchanged(
    work: Callable[[], PlacedPatterns | None], sources: Sequence[Source]
) -> PlacedPatterns | None:
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
