"""The colours of every chart, and the name that each has in the style sheet of the report.

A chart is drawn in colours that suit paper and notebooks. Inside a page each colour is replaced by its variable, and
the page decides how it looks in the light and in the dark mode.
"""

INK = "#1b1f24"
SOFT = "#59636e"
LINE = "#d5dbe1"
PAPER = (
    "#fffffe"  # between parts that touch; not the white of the background, which a page leaves out
)
HEAT = "#7aa7e8"  # of cells: at full strength, text in ink is still easy to read on it
WARM = "#f0a868"  # of cells that mean the opposite
# Each group has a shape as well: printed in grey, or to eyes that see few colours, some of these look alike.
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
# Weaker colours of parts that touch: a little off, right, no answer.
HEAT_PALE, WARM_PALE, RIGHT_PALE, SOFT_PALE = "#c3d7f5", "#f8d8bb", "#91c3b5", "#d8dadd"
GROUPS = ("#0b7a5b", "#2563c4", "#7a48c2", "#a84d18", "#a3315c", "#626c77")

VARIABLES = {
    INK: "var(--ink)",
    SOFT: "var(--soft)",
    LINE: "var(--line)",
    PAPER: "var(--paper)",
    HEAT: "var(--heat)",
    WARM: "var(--warm)",
    HEAT_PALE: "var(--heat-pale)",
    WARM_PALE: "var(--warm-pale)",
    RIGHT_PALE: "var(--right-pale)",
    SOFT_PALE: "var(--soft-pale)",
    **{colour: f"var(--group-{number})" for number, colour in enumerate(GROUPS, 1)},
}


def group_number(group: int) -> int:
    """Return which of the colours a group has, counted from 1; all late groups share the last colour."""
    return min(max(group, 1), len(GROUPS))
