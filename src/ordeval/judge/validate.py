"""Validate judges: may a model mark in place of a human? `oe.judge.validate(humans, judges)`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ordeval.agreement.agree import DEFAULT_CEILING
from ordeval.aliases import Array, Progress
from ordeval.arguments import check_choice, check_progress, is_number
from ordeval.comparison.best_constant import best_constant
from ordeval.comparison.ceiling import ceiling_sample, human_scores
from ordeval.comparison.coefficients import coefficient_scores
from ordeval.comparison.compare import check_margin
from ordeval.comparison.results import none_if_undefined
from ordeval.comparison.scorer import Scorer
from ordeval.errors import DataError, ParameterError, argument, quoted
from ordeval.inputs.policy import CHOICES, Missing, Policy
from ordeval.judge.alt_test import LEAST_ITEMS, AltTest, AltTestSettings, tested
from ordeval.judge.bias import bias_of, collapsed_classes, unused_classes
from ordeval.judge.consistency import ALPHA, consistency_of
from ordeval.judge.judge_slices import read_by, slices_of
from ordeval.judge.matched import JudgedUnits, Matched, match
from ordeval.judge.needed import NOTHING, Needed, needed_for_difference, needed_for_test
from ordeval.judge.reading import ItemsToRead
from ordeval.judge.validation import (
    ConstantAnswer,
    JudgeAgreement,
    JudgeVerdict,
    Validation,
)
from ordeval.judge.validation_words import (
    FIT,
    UNDECIDED,
    UNFIT,
    cautions_of,
    notes_on_items,
    notes_on_scale,
    reason_of,
)
from ordeval.label_column import LabelColumn
from ordeval.metrics.metric import Metric
from ordeval.metrics.names import full_name
from ordeval.metrics.registry import registry, resolve
from ordeval.ratings import Ratings
from ordeval.runs import Runs
from ordeval.stats.differences import Differences, differences
from ordeval.stats.jackknife import ItemSample


def validate(
    humans: Ratings,
    judges: Ratings,
    *,
    epsilon: float = 0.2,
    margin: float = 0.05,
    score: str = "rmse",
    metrics: Any = None,
    primary: Any = "cem_ord",
    level: float = 0.95,
    q: float = 0.05,
    least_items: int = LEAST_ITEMS,
    by: Any = None,
    missing: Missing = "drop",
    progress: Progress = None,
) -> Validation:
    """Return for each judge whether it may mark in place of a human, and why.

    A judge is "unfit" if it is worse than a human by more than the `margin` in the `primary` measure, both scored
    against the same other humans; "fit" if it is not, and passes the alternative annotator test (see `alt_test`);
    else "undecided".

    The arguments are:

    - `humans`: the marks of at least two humans.
    - `judges`: the marks of one judge or more, matched with those of the humans by item; a judge may have marked an
      item several times.
    - `epsilon`: how much a human's work is worth more than the judge's, as a share of items.
    - `margin`: the loss against a human that is accepted, in units of the primary measure.
    - `score`: how close a mark is to others in the alternative annotator test.
    - `metrics`: the measures by which judge and human are scored, or their names.
    - `primary`: the measure that the verdict rests on.
    - `level`: the level of the intervals.
    - `q`: the share of false discoveries in the alternative annotator test.
    - `least_items`: how many items a human must have marked to be part of that test.
    - `by`: slices: a column for each of the humans' items, several by name, or the value of each item by its name.
    - `missing`: what to do with items that a judge did not mark: leave them out for it ("drop"), "error", "zero" or
      "farthest"; the alternative annotator test always leaves them out.
    - `progress`: a function that is called with the work done and the whole.

    >>> humans = oe.Ratings.from_array(
    ...     [[1, 2, 1], [3, 3, 3], [4, 5, 5]] * 20, raters=["ann", "bob", "cy"]
    ... )
    >>> judges = oe.Ratings.from_array(
    ...     [[1, 3], [3, 3], [5, 1]] * 20, raters=["good", "poor"]
    ... )
    >>> oe.judge.validate(humans, judges)
    Validation('good': fit, 'poor': unfit)
    """
    check_progress(progress)
    settings = AltTestSettings(epsilon, score, q, least_items)
    check_margin(margin)
    for name, value, inside in (
        ("margin", margin, is_number(margin)),
        ("level", level, is_number(level) and 0 < level < 1),
    ):
        if not inside:
            raise ParameterError(
                f"{argument(name, value)} leaves a verdict without ground: it rests on an interval, and on the "
                f"difference from a human that would matter. Pass {argument('level', 0.95)} and "
                f"{argument('margin', 0.05)}."
            )
    check_choice("missing", missing, CHOICES["missing"])
    matched = match(humans, judges, "validate")
    measures = measures_of(metrics, primary)
    if missing == "error":
        check_complete(matched)
    runs = matched.runs(missing)
    scorer = Scorer(measures, runs.scale, Policy(missing=missing))
    scorer.check_parts()
    leading = next(iter(measures))
    alpha = coefficient_scores(matched.humans, resolve([ALPHA]), level=level)[ALPHA]
    task = Validating(
        matched, runs, scorer, leading, best_constant(runs, scorer, leading), settings, margin, level, missing,
        read_by(by, matched), alpha.value,
    )  # fmt: skip
    verdicts = {}
    for at, name in enumerate(matched.names):
        verdicts[name] = task.verdict(at)
        if progress is not None:
            progress(at + 1, len(matched.names))
    return Validation(
        humans=matched.humans, judges=matched.judges, runs=runs, verdicts=verdicts,
        alpha=alpha, metrics=tuple(measures), primary=leading, epsilon=float(epsilon), margin=float(margin),
        score=score, q=float(q), level=float(level), missing=missing, by=tuple(task.slicings),
        notes=(*notes_on_items(matched), *notes_on_scale(matched)),
    )  # fmt: skip


def measures_of(metrics: Any, primary: Any) -> dict[str, Metric]:
    """Return the measures by which judge and human are scored, the primary first."""
    measures = resolve(DEFAULT_CEILING if metrics is None else metrics)
    main = registry[primary]
    leading = next((name for name, one in measures.items() if one == main), full_name(primary))
    return {leading: main, **measures}


def check_complete(matched: Matched) -> None:
    """Refuse a judge that did not mark all items of the humans."""
    for name, answered in zip(matched.names, matched.answered, strict=True):
        if not answered.all():
            some = [matched.items[at] for at in np.flatnonzero(~answered)[:3].tolist()]
            raise DataError(
                f"judge {name!r} did not mark {int((~answered).sum()):,} of {len(answered):,} items of the humans, "
                f"such as {quoted(some)}. Pass {argument('missing', 'drop')} to leave them out."
            )


@dataclass(frozen=True, eq=False)
class Validating:
    """What the verdicts on all judges have in common."""

    matched: Matched
    runs: Runs
    scorer: Scorer
    primary: str
    constant: int  # the code of the best constant answer
    settings: AltTestSettings
    margin: float
    level: float
    missing: str
    slicings: Mapping[str, LabelColumn]
    alpha: float  # of the humans

    def verdict(self, judge: int) -> JudgeVerdict:
        """Return the verdict on one judge, and everything that it rests on."""
        matched, name = self.matched, self.matched.names[judge]
        units = matched.units(judge)
        scored = self.scored(units)
        both = units.only(units.answered)
        if not scored.shared.any() or not both.shared.any():
            raise DataError(
                f"judge {name!r} marked no item that two humans or more marked, so it cannot be held against a human. "
                f"Let it mark such items, or leave the judge out."
            )
        same = constant_units(units, self.constant)
        sample = self.sample(scored, constant_units(scored, self.constant))
        apart = [
            differences(sample, m, np.array([1, 2]), np.array([0, 0]))
            for m in range(len(self.scorer.measures))
        ]
        agreement, constants = (self.agreement(sample, apart, system) for system in (0, 1))
        test, constant_test = (tested(name, each, self.settings) for each in (units, same))
        up = self.scorer.measures[self.primary].greater_is_better
        said = verdict_of(test, agreement[self.primary], self.margin, up=up)
        scale, at = matched.humans.scale, self.constant
        constant = ConstantAnswer(
            scale.labels[at], scale.names[at], constants[self.primary], constant_test.winning_rate,
            constant_test.passed, verdict_of(constant_test, constants[self.primary], self.margin, up=up),
        )  # fmt: skip
        needed = self.needed(said, test, agreement[self.primary], apart[0], sample.units, up=up)
        cautions = cautions_of(said, constant, test, self.alpha)
        return JudgeVerdict(
            name=name,
            verdict=said,
            reason=" ".join(
                [
                    reason_of(
                        name, said, test, agreement[self.primary], needed, margin=self.margin, level=self.level, up=up
                    ),
                    *cautions,
                ]
            ),
            cautions=cautions,
            alt_test=test,
            agreement=agreement,
            ceiling=human_scores(sample.estimate, self.scorer.measures, self.level),
            constant=constant,
            bias=bias_of(both, self.level),
            consistency=consistency_of(matched, judge, self.level),
            unused_classes=unused_classes(both),
            collapsed_classes=collapsed_classes(both, self.level),
            items=both.items,
            shared=int(both.count[both.shared].sum()),
            unjudged=units.items - both.items,
            ignored=matched.ignored[name],
            needed=needed.items,
            needed_reason=needed.reason,
            slices=slices_of(self.slicings, matched, judge, self.difference_on),
            table=self.runs.select([name]).table.select(system=name),
            disagreement=ItemsToRead(matched, judge),
        )  # fmt: skip

    def scored(self, units: JudgedUnits) -> JudgedUnits:
        """Return the units that the policy for missing marks leaves to be scored."""
        return units.only(units.answered) if self.missing == "drop" else units

    def sample(self, *systems: JudgedUnits) -> ItemSample:
        """Return the sample of the items, of a human and of answers to the same units."""
        return ceiling_sample(
            self.matched.humans, self.scorer, unit_pattern=systems[0].pattern, unit_count=systems[0].count,
            answers=[each.answer for each in systems],
        )  # fmt: skip

    def agreement(
        self, sample: ItemSample, apart: list[Differences], system: int
    ) -> dict[str, JudgeAgreement]:
        """Return what a judge (or the constant answer) and a human reach by each measure."""
        found = {}
        for m, name in enumerate(self.scorer.measures):
            low, high = (
                none_if_undefined(float(end[system])) for end in apart[m].interval(self.level)
            )
            found[name] = JudgeAgreement(
                name, float(sample.estimate.value[m, system + 1]), float(sample.estimate.value[m, 0]),
                float(apart[m].value[system]), low, high, none_if_undefined(float(apart[m].p[system])),
            )  # fmt: skip
        return found

    def difference_on(self, units: JudgedUnits) -> tuple[JudgeAgreement, Differences] | None:
        """Return judge and human on some of the units by the primary measure; None if no two humans share one."""
        units = self.scored(units)
        if not units.shared.any():
            return None
        alone = replace(
            self,
            scorer=replace(
                self.scorer, measures={self.primary: self.scorer.measures[self.primary]}
            ),
        )
        sample = alone.sample(units)
        apart = differences(sample, 0, np.array([1]), np.array([0]))
        return alone.agreement(sample, [apart], 0)[self.primary], apart

    def needed(
        self,
        verdict: str,
        test: AltTest,
        agreement: JudgeAgreement,
        apart: Differences,
        items: float,
        *,
        up: bool,
    ) -> Needed:
        """Return how many items would settle what is undecided; of two open questions, the larger number."""
        if verdict != UNDECIDED:
            return NOTHING
        value, low, _ = agreement.ahead(up=up)
        by_interval = NOTHING
        if low is None or low < -self.margin:
            by_interval = needed_for_difference(
                value,
                float(apart.error[0]),
                items,
                margin=self.margin,
                level=self.level,
                plain=float(apart.plain[0]),
            )
            if by_interval.items is None or value < -self.margin:  # enough of them show it unfit
                return by_interval
        if test.passed:
            return by_interval
        by_test = needed_for_test(test)
        if by_test.items is None or by_interval.items is None:
            return by_test
        return max(by_test, by_interval, key=lambda each: each.items or 0)


def constant_units(units: JudgedUnits, code: int) -> JudgedUnits:
    """Return the units with the same answer everywhere; items that the judge left out stay without one."""
    answer: Array = np.zeros_like(units.answer)
    answer[:, code] = 1.0
    return replace(units, answer=np.where(units.answered[:, None], answer, units.answer))


def verdict_of(test: AltTest, agreement: JudgeAgreement, margin: float, *, up: bool) -> str:
    """Return whether a judge is fit to mark in place of a human, unfit, or neither is certain."""
    _, low, high = agreement.ahead(up=up)
    if low is None or high is None:
        return UNDECIDED
    if high < -margin:
        return UNFIT
    return FIT if test.passed and low >= -margin else UNDECIDED
