"""Measures as metrics of Inspect AI: `@scorer(metrics=[ordinal("cem_ord", labels=[1, 2, 3, 4, 5])])`.

Inspect averages the epochs of a sample before it calls a metric, unless the metric asks for the scores as they are. An
average is not a class, and to average, Inspect makes numbers of text: any word that it does not know becomes 0. So
these metrics ask for all scores. Each epoch is an item, and the epochs of a sample are drawn together.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Unpack

from ordeval.adapters.run_scorer import RunScorer
from ordeval.arguments import check_choice
from ordeval.comparison.results import Score
from ordeval.errors import DataError, MissingPackageError, ParameterError
from ordeval.inputs.policy import Reading

try:
    from inspect_ai.scorer import CORRECT, INCORRECT, NOANSWER, PARTIAL, Metric, SampleScore, metric
except ModuleNotFoundError as error:
    raise MissingPackageError(
        "ordeval.adapters.inspect_ai needs the package inspect-ai, which is not installed. Run: "
        "pip install 'ordeval[inspect]'"
    ) from error

__all__ = ["ordinal", "ordinal_stderr"]

ANSWERS = ("value", "answer")  # the parts of a score that may hold the class
WORDS = {CORRECT: 1, PARTIAL: 0.5, INCORRECT: 0}  # the numbers that Inspect takes them for


@metric(scores="unreduced")
def ordinal(
    measure: str,
    *,
    gold: str = "target",
    answer: Literal["value", "answer"] = "value",
    cluster: str | None = None,
    level: float | None = 0.95,
    **options: Unpack[Reading],
) -> Metric:
    """Return a metric that gives the measure of a run, with the ends of its interval as NAME_low and NAME_high.

    `gold` is the key of the gold class in the metadata of the score or of the sample. The answer is the `value` of the
    score or, with `answer="answer"`, the answer that the scorer found. `cluster` is the key, in the metadata of the
    sample, of what items have in common, such as a passage: clusters are drawn whole, as by `stderr(cluster=...)` of
    Inspect. With `level=None` the metric gives the measure alone, as a number.

    `labels` are the classes, lowest first; `values`, `missing`, `unknown`, `gold_missing` and `round` say how answers
    are read, as in `oe.evaluate`. "N" (no answer) is missing.

    >>> from inspect_ai.scorer import SampleScore, Score
    >>> scores = [
    ...     SampleScore(score=Score(value=2, metadata={"target": gold}))
    ...     for gold in (1, 2, 3)
    ... ]
    >>> round(ordinal("mae", labels=[1, 2, 3], level=None)(scores), 3)
    0.667
    """
    scorer = scorer_of(measure, answer, level, options)

    def compute(scores: list[SampleScore]) -> Any:
        score = score_of(scores, scorer, gold, answer, cluster)
        if level is None:
            return score.value
        ends = {f"{score.metric}_low": score.low, f"{score.metric}_high": score.high}
        return {score.metric: score.value, **{name: number(end) for name, end in ends.items()}}

    return compute


@metric(scores="unreduced")
def ordinal_stderr(
    measure: str,
    *,
    gold: str = "target",
    answer: Literal["value", "answer"] = "value",
    cluster: str | None = None,
    **options: Unpack[Reading],
) -> Metric:
    """Return a metric that gives the standard error of the measure as NAME_stderr; for the arguments see `ordinal`.

    >>> from inspect_ai.scorer import SampleScore, Score
    >>> scores = [
    ...     SampleScore(score=Score(value=2, metadata={"target": gold}))
    ...     for gold in (1, 2, 3)
    ... ]
    >>> {
    ...     name: round(x, 3)
    ...     for name, x in ordinal_stderr("mae", labels=[1, 2, 3])(scores).items()
    ... }
    {'mae_stderr': 0.281}
    """
    scorer = scorer_of(measure, answer, 0.95, options)

    def compute(scores: list[SampleScore]) -> Any:
        score = score_of(scores, scorer, gold, answer, cluster)
        return {f"{score.metric}_stderr": number(score.error)}

    return compute


def scorer_of(measure: str, answer: str, level: float | None, options: Reading) -> RunScorer:
    """Check the settings of a metric."""
    if not isinstance(measure, str):
        raise ParameterError(
            f"{measure!r:.60} is not the name of a measure; Inspect writes the settings of a metric into its log, so "
            f"pass a name, such as \"weighted_kappa(weights='linear')\"."
        )
    check_choice("answer", answer, ANSWERS)
    return RunScorer.of(measure, level, options)


def score_of(
    scores: Sequence[SampleScore], scorer: RunScorer, gold: str, answer: str, cluster: str | None
) -> Score:
    """Score the samples of a run, each epoch as an item."""
    known = [{**(one.sample_metadata or {}), **(one.score.metadata or {})} for one in scores]
    if scores and not any(gold in each for each in known):
        raise DataError(
            f"no sample has {gold!r:.60} in its metadata or in that of its score. Pass gold= the key of the gold "
            f"class, or let the scorer write it: Score(..., metadata={{{gold!r:.60}: target.text}})."
        )
    words = words_on(scorer.scale.labels)
    given = [getattr(one.score, answer) for one in scores]
    return scorer.score(
        [each.get(gold) for each in known],
        [words.get(each, each) if isinstance(each, str) else each for each in given],
        clusters=clusters_of(scores, cluster),
        item=[one.sample_id for one in scores],
    )


def words_on(labels: Sequence[Any]) -> Mapping[str, Any]:
    """Return what Inspect's words for right and wrong stand for on a scale that does not have them as classes."""
    numbers = WORDS if {0, 1} <= set(labels) else {}  # "C" is not a mark of 1 from 1 to 5
    return {word: at for word, at in {NOANSWER: None, **numbers}.items() if word not in labels}


def clusters_of(scores: Sequence[SampleScore], cluster: str | None) -> list[Any] | None:
    """Return the cluster of each score: what the metadata say, or the sample if it has several epochs."""
    if cluster is None:
        samples = [one.sample_id for one in scores]
        return samples if len({*samples}) < len(samples) and None not in samples else None
    found = [(one.sample_metadata or {}).get(cluster) for one in scores]
    for one, name in zip(scores, found, strict=True):
        if name is None or name != name:  # noqa: PLR0124 - NaN is how a dataset says that there is no value
            raise DataError(
                f"sample {one.sample_id!r:.60} has no {cluster!r:.60} in its metadata; every sample must be in a "
                f"cluster. Fill it in, or leave cluster= out."
            )
    return found


def number(value: float | None) -> float:
    """Return a number that Inspect can log: NaN if there is none."""
    return math.nan if value is None else value
