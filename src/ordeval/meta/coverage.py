"""Coverage: how well differences in one measure follow unanimous improvements over several (Amigó et al. 2020, 5.1)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.aliases import Progress
from ordeval.arguments import entries, is_choice
from ordeval.errors import ParameterError
from ordeval.meta.per_measure import PerMeasure, spread_over_splits
from ordeval.meta.ranking import differences
from ordeval.meta.resamples import OVER, coverage_draws, coverage_of, read_amount, read_level
from ordeval.meta.unanimity import unanimous
from ordeval.meta.values import DEFAULT_REFERENCE, asked, mean_of_defined, read_values
from ordeval.metrics import resolve
from ordeval.stats.streams import read_generator

# With fewer, simulated 95% intervals over systems contain the truth in fewer than 85 of 100 samples.
FEW_SYSTEMS = 20


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Coverage(PerMeasure):
    """Coverage of every measure, with the spread over random splits and bootstrap intervals."""

    kind = called = "coverage"
    default_over = "both"
    settings = ("reference", "level", "systems", "cases", "repeats", "undefined")
    counts = (("undefined_values", "touched"), ("pairs_left_out", "left_out"))

    reference: tuple[str, ...]

    @property
    def caption(self) -> str:
        """The data behind the table."""
        times = "once" if self.repeats == 1 else f"{self.repeats} times"
        cases = f"{self.cases} random parts, {times}" if self.split else f"{self.cases} test cases"
        text = f"coverage of {', '.join(self.reference)} over the pairs of {self.systems} systems on {cases}"
        if self.draws and self.systems < FEW_SYSTEMS:
            text += f"; with only {self.systems} systems the intervals over systems are too narrow"
        if sum(self.touched):
            names = [f"{m} {n}" for m, n in zip(self.metrics, self.touched, strict=True) if n]
            text += f"; undefined values ({self.undefined}): {', '.join(names)}"
        return text


def coverage(
    data: Any,
    metrics: Any = None,
    *,
    reference: Iterable[Any] = DEFAULT_REFERENCE,
    parts: int = 10,
    repeats: int = 10,
    over: Iterable[str] = OVER,
    resamples: int = 999,
    level: float = 0.95,
    rng: Any = 0,
    undefined: str = "omit",
    progress: Progress = None,
) -> Coverage:
    """Return how well each measure's differences follow unanimous improvements of the reference measures.

    Spearman's correlation, over all ordered pairs of systems, of m(s) - m(s') and UIR(s, s'). `data` is `Runs`, or a
    table with the axes system and case; runs without test cases are cut into `parts` random parts, `repeats` times, and
    the coverages averaged. Here and in the other functions of this room `data` may also be what `read_values` returned,
    so that several of them share one scoring. `metrics=None` means every measure of labels.

    `over` names what is drawn again for the intervals: "systems", "cases", "both"; `resamples=0` leaves them out.
    `undefined` says what an undefined score counts as: "omit" leaves it out of its system's mean (and a system that has
    no defined score out of that measure's pairs), "zero" and "lowest" replace it by 0 or by the lowest score of that
    measure. The result says how many values that concerned.
    """
    rule = "intervals can be over 'systems', 'cases' or 'both'"
    over = tuple(entries([over] if isinstance(over, str) else over, "over", rule))
    wrong = [name for name in over if not is_choice(name, OVER)]
    if wrong:
        raise ParameterError(f"over holds {wrong[0]!r:.60}; {rule}.")
    read_level(level)
    read_amount(resamples, "resamples", 0)
    reference = tuple(resolve(reference))
    generator = read_generator(rng)
    scored = read_values(
        data,
        metrics,
        also=reference,
        parts=parts,
        repeats=repeats,
        rng=generator,
        undefined=undefined,
    )
    names = asked(scored, metrics)
    values = scored.take(names)
    means = mean_of_defined(values)
    unanimity = unanimous(scored.take(reference))
    by_split = coverage_of(means, unanimity.mean(axis=-1))
    draws = (
        coverage_draws(values, unanimity, over, resamples, generator, progress=progress)
        if resamples
        else {}
    )
    return Coverage(
        metrics=names,
        reference=reference,
        values=mean_of_defined(by_split),
        spread=spread_over_splits(by_split),
        draws=draws,
        level=level,
        left_out=tuple(np.isnan(differences(means)).sum(axis=(1, 2)).tolist()),
        **scored.shape(names),
    )
