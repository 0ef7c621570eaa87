"""The groups in which the page shows the systems: those that may be the best first, then the rest of the tiers."""

from dataclasses import dataclass

from ordeval.comparison.comparison import Comparison


@dataclass(frozen=True, slots=True)
class SystemGroup:
    """Systems that share a colour; the number of the best is 1."""

    number: int
    name: str
    systems: tuple[str, ...]


def groups_of(comparison: Comparison) -> list[SystemGroup]:
    """Return the best set, what else is in its tier, the other tiers, and last the systems without a rank."""
    ranked = {one.system for one in comparison.leaderboard if one.rank_low is not None}
    named = [("Best", comparison.best)]
    beside = "Others" if len(comparison.tiers) == 1 else "Rest of tier 1"
    for number, tier in enumerate(comparison.tiers, 1):
        rest = tuple(name for name in tier if name in ranked and name not in comparison.best)
        named.append((beside if number == 1 else f"Tier {number}", rest))
    named.append(("No rank", tuple(name for name in comparison.systems if name not in ranked)))
    present = [(name, systems) for name, systems in named if systems]
    return [SystemGroup(number, *group) for number, group in enumerate(present, 1)]


def group_numbers(comparison: Comparison) -> dict[str, int]:
    """Return the number of the group that each system is in."""
    return {name: group.number for group in groups_of(comparison) for name in group.systems}
