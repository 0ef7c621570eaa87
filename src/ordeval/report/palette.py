"""The colours of every chart, and the name that each has in the style sheet of the report.

A chart is drawn in plain colours that do on paper and in a notebook. Where it becomes part of a page, each colour is
replaced by its variable, and the page decides what it is in the light and in the dark.
"""

INK = "#1b1f24"
SOFT = "#59636e"
LINE = "#d5dbe1"
ACCENT = "#2f5f9e"
HEAT = "#7aa7e8"  # of cells: at full strength, text in ink still reads well on it
WARM = "#f0a868"  # of cells that stand for the opposite
TIERS = ("#0b7a5b", "#2563c4", "#7a48c2", "#a84d18", "#a3315c", "#626c77")

VARIABLES = {
    INK: "var(--ink)",
    SOFT: "var(--soft)",
    LINE: "var(--line)",
    ACCENT: "var(--accent)",
    HEAT: "var(--heat)",
    WARM: "var(--warm)",
    **{colour: f"var(--tier-{number})" for number, colour in enumerate(TIERS, 1)},
}


def tier_number(tier: int) -> int:
    """Return which of the colours a tier has; all that come late share the last."""
    return min(max(tier, 1), len(TIERS))


def tier_colour(tier: int) -> str:
    """Return the colour of a tier, counted from 1."""
    return TIERS[tier_number(tier) - 1]
