"""Which columns of a wide file hold what."""

from collections.abc import Sequence

from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.files.locate import Source
from ordeval.inputs.roles import column_at, find_column, spoken_role
from ordeval.inputs.unused_counts import unused_count

UNUSED = "unused"  # the role of a column that is named like a count and was not asked for


def find_positions(
    columns: Sequence[str],
    gold: str | None,
    predicted: Sequence[str],
    choices: ReadingChoices,
    source: Source,
    *,
    side: str,
) -> dict[str, int]:
    """Return which columns hold what: gold, the answers, weights, counts and slices, and what looks like a count."""
    where = repr(source.spec)
    positions = {} if gold is None else {"gold": column_at(columns, gold, "gold", where)}
    positions |= {
        f"p{at}": column_at(columns, name, side, where) for at, name in enumerate(predicted)
    }
    slices: dict[str, int] = {}
    for role, name in choices.beside_gold.items():
        at = column_at(columns, name, spoken_role(role), where)
        (slices if spoken_role(role) == "by" else positions)[role] = at
    for role in ("case", "item"):
        found = find_column(columns, role, choices.columns, where, used=positions.values())
        if found is not None:
            positions[role] = found
    named = [columns[at] for at in {**positions, **slices}.values()]
    unused = unused_count(columns, choices, named)
    if unused is not None:
        slices[UNUSED] = column_at(columns, unused, "count", where)
    return positions | slices
