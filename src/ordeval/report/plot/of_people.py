"""Compare raters and judges: charts of people who mark, and of models that mark in their place."""

from typing import Unpack

from ordeval.agreement.agreement import Agreement
from ordeval.errors import ParameterError
from ordeval.inputs.policy import shows_keywords
from ordeval.judge.alt_test import AltTest
from ordeval.judge.validation import Validation
from ordeval.report import judge_figures, rater_figures
from ordeval.report.chart_input import read_judge, read_limit, require_agreement, require_validation
from ordeval.report.looks import Looks, finished
from ordeval.report.offline import Chart

__all__ = [
    "alt_test",
    "bias",
    "confusion",
    "disagreement",
    "judges",
    "rater_differences",
    "raters",
]


@shows_keywords(Looks)
def raters(agreement: Agreement, *, limit: int | None = 40, **looks: Unpack[Looks]) -> Chart:
    """Draw how well every two raters agree: the quadratic weighted kappa of the items that both marked.

    Use it to find a rater who agrees with nobody. Of more raters than the limit, those who stand apart and those
    with most items are drawn; None draws all.

    >>> import numpy as np
    >>> import ordeval as oe
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(1, 6, (200, 1))
    >>> lean = [0, 0, 0, 0.5, -0.5]  # dora marks higher than the others, eve lower
    >>> marks = np.clip(np.rint(truth + lean + rng.normal(0, 0.6, (200, 5))), 1, 5)
    >>> people = oe.Ratings.from_array(marks, raters=["ann", "bob", "cy", "dora", "eve"])
    >>> chart = oe.plot.raters(oe.agree(people))
    """
    figure = rater_figures.raters_figure(require_agreement(agreement), read_limit(limit))
    return finished(figure, looks)


@shows_keywords(Looks)
def rater_differences(
    agreement: Agreement, *, limit: int | None = 40, **looks: Unpack[Looks]
) -> Chart:
    """Draw who marks higher or lower than the others, in classes, with the interval.

    Use it to find lenient and strict raters before you average their marks.

    >>> import numpy as np
    >>> import ordeval as oe
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(1, 6, (200, 1))
    >>> lean = [0, 0, 0, 0.5, -0.5]  # dora marks higher than the others, eve lower
    >>> marks = np.clip(np.rint(truth + lean + rng.normal(0, 0.6, (200, 5))), 1, 5)
    >>> people = oe.Ratings.from_array(marks, raters=["ann", "bob", "cy", "dora", "eve"])
    >>> chart = oe.plot.rater_differences(oe.agree(people))
    """
    figure = rater_figures.rater_differences_figure(require_agreement(agreement), read_limit(limit))
    return finished(figure, looks)


@shows_keywords(Looks)
def confusion(agreement: Agreement, **looks: Unpack[Looks]) -> Chart:
    """Draw which classes people confuse: the marks of another rater where one rater gives the class of the row.

    Use it to find classes whose definitions need another sentence.

    >>> import numpy as np
    >>> import ordeval as oe
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(1, 6, (200, 1))
    >>> lean = [0, 0, 0, 0.5, -0.5]  # dora marks higher than the others, eve lower
    >>> marks = np.clip(np.rint(truth + lean + rng.normal(0, 0.6, (200, 5))), 1, 5)
    >>> people = oe.Ratings.from_array(marks, raters=["ann", "bob", "cy", "dora", "eve"])
    >>> chart = oe.plot.confusion(oe.agree(people))
    """
    return finished(rater_figures.confusion_figure(require_agreement(agreement)), looks)


@shows_keywords(Looks)
def disagreement(agreement: Agreement, **looks: Unpack[Looks]) -> Chart:
    """Draw where people disagree: for each class, how far apart the marks of the items lie whose median it is.

    Use it to see whether the middle of the scale or its ends are hard to mark.

    >>> import numpy as np
    >>> import ordeval as oe
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(1, 6, (200, 1))
    >>> lean = [0, 0, 0, 0.5, -0.5]  # dora marks higher than the others, eve lower
    >>> marks = np.clip(np.rint(truth + lean + rng.normal(0, 0.6, (200, 5))), 1, 5)
    >>> people = oe.Ratings.from_array(marks, raters=["ann", "bob", "cy", "dora", "eve"])
    >>> chart = oe.plot.disagreement(oe.agree(people))
    """
    return finished(rater_figures.disagreement_figure(require_agreement(agreement)), looks)


@shows_keywords(Looks)
def judges(validation: Validation, *, limit: int | None = 40, **looks: Unpack[Looks]) -> Chart:
    """Draw how far each judge is from a human, by the primary measure, with the interval and the margin, best first.

    Use it to see which models may mark in place of a human, and by how much they are better or worse.

    >>> import numpy as np
    >>> import ordeval as oe
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(1, 6, (200, 1))
    >>> lean = [0, 0, 0, 0, 0.6]  # the hasty judge marks too high
    >>> marks = np.clip(np.rint(truth + lean + rng.normal(0, 0.6, (200, 5))), 1, 5)
    >>> humans = oe.Ratings.from_array(marks[:, :3], raters=["ann", "bob", "cy"])
    >>> models = oe.Ratings.from_array(marks[:, 3:], raters=["careful", "hasty"])
    >>> chart = oe.plot.judges(oe.judge.validate(humans, models))
    """
    figure = judge_figures.judges_figure(require_validation(validation), read_limit(limit))
    return finished(figure, looks)


@shows_keywords(Looks)
def alt_test(
    result: AltTest | Validation,
    judge: str | None = None,
    *,
    limit: int | None = 40,
    **looks: Unpack[Looks],
) -> Chart:
    """Draw the alternative annotator test: for each human, how often the human is closer to the others than the judge.

    Use it to see which humans a judge could replace. Of a validation, the best judge is drawn unless another is
    named.

    >>> import numpy as np
    >>> import ordeval as oe
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(1, 6, (200, 1))
    >>> lean = [0, 0, 0, 0, 0.6]  # the hasty judge marks too high
    >>> marks = np.clip(np.rint(truth + lean + rng.normal(0, 0.6, (200, 5))), 1, 5)
    >>> humans = oe.Ratings.from_array(marks[:, :3], raters=["ann", "bob", "cy"])
    >>> models = oe.Ratings.from_array(marks[:, 3:], raters=["careful", "hasty"])
    >>> chart = oe.plot.alt_test(oe.judge.validate(humans, models), "careful")
    """
    if not isinstance(result, AltTest):
        result = read_judge(result, judge).alt_test
    if not result.humans:
        raise ParameterError(f"there is nothing to draw: {result.reason}.")
    return finished(judge_figures.alt_test_figure(result, read_limit(limit)), looks)


@shows_keywords(Looks)
def bias(
    validation: Validation,
    judge: str | None = None,
    *,
    limit: int | None = 60,
    **looks: Unpack[Looks],
) -> Chart:
    """Draw how much higher or lower a judge marks than humans, class by class; the best judge by default.

    Use it to find a judge that spares bad answers or grudges good ones.

    >>> import numpy as np
    >>> import ordeval as oe
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(1, 6, (200, 1))
    >>> lean = [0, 0, 0, 0, 0.6]  # the hasty judge marks too high
    >>> marks = np.clip(np.rint(truth + lean + rng.normal(0, 0.6, (200, 5))), 1, 5)
    >>> humans = oe.Ratings.from_array(marks[:, :3], raters=["ann", "bob", "cy"])
    >>> models = oe.Ratings.from_array(marks[:, 3:], raters=["careful", "hasty"])
    >>> chart = oe.plot.bias(oe.judge.validate(humans, models), "hasty")
    """
    one, level = read_judge(validation, judge), validation.level
    return finished(judge_figures.bias_figure(one, level, read_limit(limit)), looks)
