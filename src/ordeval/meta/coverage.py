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
from ordeval.meta.values import asked, mean_of_defined, read_values
from ordeval.metrics import resolve
from ordeval.stats.streams import read_generator
from ordeval.vocabulary import DEFAULT_REFERENCE

# With fewer, simulated 95% intervals over systems contain the truth in fewer than 85 of 100 samples.
FEW_SYSTEMS = 20


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Coverage(PerMeasure):
    """Coverage of every measure, with the spread over random splits and bootstrap intervals.

    >>> made = oe.simulate.collection(labels=3, cases=6, items=40, ratios=[0.2, 0.6])
    >>> oe.meta.coverage(made.runs, ["cem_ord", "mae"], resamples=0)
    Coverage(mae=0.950 best of 2 measures, systems=10, cases=6)
    """

    kind = called = "coverage"
    default_over = "both"
    settings = ("reference", "level", "systems", "cases", "repeats", "undefined")
    counts = (("undefined_values", "touched"), ("pairs_left_out", "left_out"))

    reference: tuple[str, ...]  # the reference measures

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

    This is Spearman's correlation, over all ordered pairs of systems, of m(s) - m(s') and UIR(s, s'). Here and in
    the other functions of this module `data` may also be what `read_values` returned, so that several of them share
    one scoring. The result says how many values were undefined.

    The arguments are:

    - `data`: `Runs`, or a table with the axes system and case.
    - `metrics`: the measures, or their names; by default every measure of labels.
    - `reference`: the measures whose unanimous improvements the others should follow.
    - `parts`: into how many random parts data without test cases is divided.
    - `repeats`: how often it is divided; results are means over these.
    - `over`: what is drawn again for the intervals: "systems", "cases", "both".
    - `resamples`: how many resamples the intervals draw; 0 leaves the intervals out.
    - `level`: the level of the intervals.
    - `rng`: a seed, or a generator of NumPy; the same seed gives the same result.
    - `undefined`: what an undefined score counts as: nothing ("omit"), 0 ("zero"), or the "lowest" score of that
      measure.
    - `progress`: a function that is called with the work done and the whole.

    >>> made = oe.simulate.collection(labels=3, cases=6, items=40, ratios=[0.2, 0.6])
    >>> found = oe.meta.coverage(made.runs, ["cem_ord", "accuracy", "mae"], resamples=0)
    >>> round(found["cem_ord"], 3)
    0.947
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
