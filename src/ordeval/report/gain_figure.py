"""The chart of what rules gain over plain answers, by measure."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ordeval.decide.cut_words import OTHERS
from ordeval.decide.words import PLAIN
from ordeval.errors import ParameterError
from ordeval.formats import numbers
from ordeval.formats.names import clean, short
from ordeval.formats.sheet import Column, Kind, value_sheet
from ordeval.report import palette
from ordeval.report.charts import Figure, Groups, interval_chart, name_tip

if TYPE_CHECKING:
    from ordeval.decide import Cuts, Decision, Gain, HeldOut
    from ordeval.metrics.metric import Metric

NAMES = {**PLAIN, **OTHERS}
# What a gain is, with the number of its colour among those of groups.
OUTCOMES = {"better": ("significant gain", 1), "worse": ("significant loss", 4)}
BY_CHANCE = ("may be chance", 6)


class GainRow(NamedTuple):
    """One gain of one rule: in the unit of its measure, and as it is drawn."""

    name: str
    measure: "Metric"
    gain: "Gain"
    unit: float  # by which it is divided where it is drawn

    @property
    def label(self) -> str:
        """What the rule is compared with."""
        return NAMES[self.gain.over]

    @property
    def drawn(self) -> tuple[float, float | None, float | None]:
        """The gain and its interval as they are drawn."""
        low, high = (
            None if end is None else end / self.unit for end in (self.gain.low, self.gain.high)
        )
        return self.gain.gain / self.unit, low, high


def gains_figure(decisions: Mapping[str, "Decision | Cuts"]) -> Figure:
    """Draw what rules gain over plain answers on items that they were not fitted on, with intervals.

    Gains by different measures have different units: each is then divided by what the plain answers lack to a perfect
    score.
    """
    measures = {str(one.measure) for one in decisions.values()}
    one_unit = len(measures) == 1
    rows = [
        GainRow(name, one.measure, gain, 1.0 if one_unit else lacking(one.measure, gain.value))
        for name, one in decisions.items()
        for gain in held_out_of(name, one).gains
    ]
    rows = [row for row in rows if math.isfinite(row.drawn[0])]
    if not rows:
        raise ParameterError("there is nothing to draw: none of these gains is defined.")
    level = held_out_of("", next(iter(decisions.values()))).score.level
    alone = len(decisions) == 1
    labels = [row.label if alone else f"{short(row.name, 12)}: {row.label}" for row in rows]
    outcomes = [OUTCOMES.get(str(row.gain.outcome), BY_CHANCE) for row in rows]
    order = [name for name, _ in (*OUTCOMES.values(), BY_CHANCE)]
    used = sorted(set(outcomes), key=lambda one: order.index(one[0]))
    groups = Groups(
        [name for name, _ in outcomes],
        [name for name, _ in used],
        [palette.GROUPS[colour - 1] for _, colour in used],
        [palette.SHAPES[order.index(name)] for name, _ in used],
        explained=True,
    )
    unit = (
        f"in {next(iter(measures))}"
        if one_unit
        else "as a share of what these answers lack to a perfect score"
    )
    interval = "" if level is None else f", with {numbers.confidence(level)} interval"
    drawn = [row.drawn for row in rows]
    chart = interval_chart(
        labels,
        [value for value, _, _ in drawn],
        [(low, high) for _, low, high in drawn],
        groups,
        title=[f"gain over these answers{interval},", unit],
        marked={"no gain": 0.0},
        at_edge=False,
        tips=[
            f"{name_tip(label, *each)}, {outcome}"
            for label, each, (outcome, _) in zip(labels, drawn, outcomes, strict=True)
        ],
    )
    better, worse = (outcomes.count(OUTCOMES[which]) for which in ("better", "worse"))
    found = (
        f"{numbers.counted(better, 'significant gain')} and "
        f"{numbers.counted(worse, 'significant loss', 'significant losses')}"
    )
    what = (
        f"{numbers.counted(len(decisions), 'rule')} for {numbers.counted(len(measures), 'measure')}"
    )
    return Figure(
        chart,
        f"Gain over plain answers in {next(iter(measures))}" if one_unit else "Gain over plain answers, by measure",
        f"What is gained over plain answers by {what}, on items that were not used for fitting; to the right of 0 a "
        f"rule is better. {numbers.counted(len(rows), 'comparison')}: {found}.",
        value_sheet(
            [
                *([] if alone else [Column("rule")]),
                Column("measure"),
                Column("compared with"),
                Column("these reach", Kind.NUMBER),
                *(Column(part, Kind.NUMBER, sign=True) for part in ("gain", "low", "high")),
                *([] if one_unit else [Column("share", Kind.NUMBER, sign=True)]),
            ],
            [
                (
                    *([] if alone else [clean(row.name)]), str(row.measure), row.label, row.gain.value, row.gain.gain,
                    row.gain.low, row.gain.high, *([] if one_unit else [row.drawn[0]]),
                )
                for row in rows
            ],
        ),
    )  # fmt: skip


def held_out_of(name: str, decision: "Decision | Cuts") -> "HeldOut":
    """Return what a rule reaches and gains on other items; refuse one that was not tried on any."""
    if decision.held_out is None:
        of = f" {name!r}" if name else ""
        raise ParameterError(
            f"the rule{of} was not tried on items that it was not fitted on, so its gains are not known. Fit it with "
            f"gold labels, and draw it before it is written to a file."
        )
    return decision.held_out


def lacking(measure: "Metric", value: float) -> float:
    """Return what a score lacks to a perfect one; NaN if it lacks nothing."""
    low, high = measure.bounds
    best = high if measure.greater_is_better else low
    if not math.isfinite(best):
        raise ParameterError(
            f"{measure} has no best value, so its gains cannot be drawn with those of other measures. Draw them alone."
        )
    return abs(best - value) or math.nan
