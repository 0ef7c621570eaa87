"""Intervals of coefficients of agreement, against leaving items and raters out one by one with other packages."""

from itertools import permutations

import krippendorff
import numpy as np
import pytest

import ordeval as oe
from ordeval.comparison import rater_estimates
from ordeval.comparison.coefficients import coefficient_scores
from ordeval.comparison.pair_means import PairMeans
from ordeval.comparison.rater_estimates import RatedItems
from ordeval.comparison.scorer import Scorer
from ordeval.errors import DataError, ParameterError
from ordeval.inputs.policy import Policy
from ordeval.metrics.registry import resolve
from tests.comparison.test_ceiling import GAP, drawn, ratings_of

ALPHA = "krippendorff_alpha"
COEFFICIENTS = (
    ALPHA,
    "gwet_ac2(weights='quadratic')",
    "fleiss_kappa",
    "conger_kappa(weights='linear')",
    "brennan_prediger",
)


def scores_of(marks, names, k=3, **options):
    return coefficient_scores(ratings_of(marks, k), resolve(list(names)), **options)


def alpha_of(marks, k=3):
    """Return ordinal alpha by the package krippendorff, of items x raters."""
    data = np.where(marks == GAP, np.nan, marks).T
    return krippendorff.alpha(data, level_of_measurement="ordinal", value_domain=list(range(k)))


def accuracy_of(marks):
    """Return how often two raters agree: the mean over ordered pairs, by the items that both marked."""
    agreed, items = 0.0, 0
    for first, second in permutations(range(marks.shape[1]), 2):
        both = (marks[:, first] != GAP) & (marks[:, second] != GAP)
        agreed += (marks[both, first] == marks[both, second]).sum()
        items += both.sum()
    return agreed / items


def without_each(marks, value):
    return np.array([value(np.delete(marks, item, axis=0)) for item in range(len(marks))])


def test_the_influence_of_an_item_on_alpha_is_what_the_package_krippendorff_finds_without_it():
    marks, _ = drawn(40, 4, 3)
    rated = RatedItems(ratings_of(marks, 3), tuple(resolve([ALPHA]).values()))
    influence, alike = rated.influences()
    left = without_each(marks, alpha_of)
    expected = np.sort(left.mean() - left)
    np.testing.assert_allclose(
        np.sort(np.repeat(influence[0], alike.astype(int))), expected, atol=1e-12
    )
    # The error is the root of the sum of squares times (n - 1) / n, where n items have two marks or more.
    n = (np.sum(marks != GAP, axis=1) > 1).sum()
    error = np.sqrt((expected**2).sum() * (n - 1) / n)
    assert rated.estimate().plain[0, 0] == pytest.approx(error)


@pytest.mark.parametrize("name", [name for name in COEFFICIENTS if name != ALPHA])
def test_the_influence_of_an_item_is_the_coefficient_minus_that_without_it(name):
    marks, _ = drawn(30, 4, 3)
    measure = resolve([name])[name]
    influence, alike = RatedItems(ratings_of(marks, 3), (measure,)).influences()
    left = without_each(marks, lambda some: measure(ratings_of(some, 3)))
    np.testing.assert_allclose(
        np.sort(np.repeat(influence[0], alike.astype(int))), np.sort(left.mean() - left), atol=1e-12
    )


def test_a_mean_over_pairs_of_raters_is_that_of_a_loop_and_so_are_the_influences():
    marks, _ = drawn(40, 4, 3)
    pairs = PairMeans(
        ratings_of(marks, 3),
        Scorer(resolve(["accuracy"]), ratings_of(marks, 3).scale, Policy()),
    )
    assert pairs.value[0] == pytest.approx(accuracy_of(marks))
    shared = np.flatnonzero((marks != GAP).sum(axis=1) > 1)
    left = without_each(marks, accuracy_of)[shared]
    influence, alike = pairs.influences()
    found = np.repeat(influence[0], alike.astype(int))
    np.testing.assert_allclose(np.sort(found), np.sort(left.mean() - left), atol=1e-12)


def test_a_measure_of_two_raters_over_ratings_has_the_value_that_its_own_call_gives():
    marks, _ = drawn(60, 4, 4)
    names = ("accuracy", "cem_ord", "mae", "weighted_kappa(weights='quadratic')", *COEFFICIENTS)
    found = scores_of(marks, names, k=4)
    for name, measure in resolve(list(names)).items():
        assert found[name].value == pytest.approx(measure(ratings_of(marks, 4)), abs=1e-12)
    assert list(found) == list(resolve(list(names)))


def test_a_resample_is_scored_as_its_items_one_by_one():
    marks, _ = drawn(30, 4, 3)
    ratings = ratings_of(marks, 3)
    rng = np.random.default_rng(2)
    some = rng.integers(30, size=(4, 30))
    items = np.stack(
        [np.bincount(ratings.pattern_of[row], minlength=len(ratings.count)) for row in some]
    )
    scorer = Scorer(resolve(["accuracy"]), ratings.scale, Policy())
    pairs = PairMeans(ratings, scorer).scores(items)[0]
    np.testing.assert_allclose(pairs, [accuracy_of(marks[row]) for row in some])
    rated = RatedItems(ratings, tuple(resolve([ALPHA]).values()))
    kinds = np.stack(
        [np.bincount(rated.features.kind_of_pattern, row, len(rated.count)) for row in items]
    )
    np.testing.assert_allclose(rated.scores(kinds)[0], [alpha_of(marks[row]) for row in some])


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_resamples_vary_as_much_as_the_jackknife_says(method):
    marks, _ = drawn(400, 4, 3)
    names = (*COEFFICIENTS, "accuracy")
    by_t = scores_of(marks, names)
    resampled = scores_of(marks, names, method=method, n_resamples=2000)
    for name, score in resampled.items():
        # The error of a standard deviation from 2,000 draws is 1.6%; the jackknife's own is about 4%.
        assert score.error == pytest.approx(by_t[name].error, rel=0.15)
        assert score.low <= score.value <= score.high
        assert score.low == pytest.approx(by_t[name].low, abs=score.error)
        assert score.undefined == 0


def test_groups_of_items_give_nearly_the_error_of_single_items(monkeypatch):
    marks, _ = drawn(3_000, 5, 4)
    exact = scores_of(marks, COEFFICIENTS, k=4)
    monkeypatch.setattr(rater_estimates, "MOST_KINDS", 10)
    grouped = scores_of(marks, COEFFICIENTS, k=4)
    for name in exact:
        # Two hundred groups estimate a standard error to about 5%.
        assert grouped[name].error == pytest.approx(exact[name].error, rel=0.2)
        assert grouped[name].error != exact[name].error


def test_raters_who_have_not_disagreed_yet_have_an_interval_with_a_width():
    marks = np.repeat(np.arange(40)[:, None] % 3, 3, axis=1)
    for score in scores_of(marks, (*COEFFICIENTS, "accuracy")).values():
        assert score.value == pytest.approx(1.0)
        assert score.high == pytest.approx(1.0)
        # If 7% of the items had a mark that differs, 40 items would have none in 0.93 ** 40 = 5% of samples.
        # One mark of three leaves a third of the pairs in agreement, so accuracy would be 1 - 0.07 * 2/3 = 0.95.
        assert 0.7 < score.low < 0.96


def rated_by(marks, name, k=3):
    ratings, measure = ratings_of(marks, k), resolve([name])
    if measure[name].rater_parts:
        return RatedItems(ratings, tuple(measure.values()))
    return PairMeans(ratings, Scorer(measure, ratings.scale, Policy()))


def over_marks(marks, value, weight):
    """Return the variance due to single marks, by leaving marks out one by one.

    `weight` is that of an item with so many marks. The influences of a rater's marks add up to that of the rater, but
    that what is left without the rater weighs less.
    """
    whole, raters = value(marks), marks.shape[1]
    influence = np.zeros(marks.shape)
    for item, rater in zip(*np.nonzero(marks != GAP), strict=True):
        fewer = marks.copy()
        fewer[item, rater] = GAP
        influence[item, rater] = whole - value(fewer)
    weights = [
        sum(weight(m) for m in (some != GAP).sum(axis=1))
        for some in (marks, *(np.delete(marks, rater, axis=1) for rater in range(raters)))
    ]
    influence *= weights[0] / np.mean(weights[1:])
    influence -= influence.mean(axis=1, keepdims=True)
    return (influence**2).sum() * (raters - 1) / raters


def by_items(m):
    return float(m > 1)


def by_marks(m):
    return m * (m > 1)


def by_pairs(m):
    return m * (m - 1)


@pytest.mark.parametrize(
    ("name", "weight"),
    [
        *((name, by_marks if name == ALPHA else by_items) for name in COEFFICIENTS),
        ("accuracy", by_pairs),
        ("weighted_kappa(weights='quadratic')", by_pairs),
    ],
)
def test_the_variance_of_single_marks_is_that_of_a_loop_that_leaves_them_out(name, weight):
    marks, _ = drawn(40, 4, 3)
    value = {ALPHA: alpha_of, "accuracy": accuracy_of}.get(
        name, lambda some: resolve([name])[name](ratings_of(some, 3))
    )
    found = rated_by(marks, name).variance_over_marks()
    np.testing.assert_allclose(found, [over_marks(marks, value, weight)], rtol=1e-9)


def test_a_sample_of_many_items_gives_nearly_the_variance_of_all_single_marks(monkeypatch):
    marks, _ = drawn(3_000, 5, 4)
    names = (ALPHA, "conger_kappa(weights='linear')", "accuracy")
    exact = [rated_by(marks, name, 4).variance_over_marks()[0] for name in names]
    monkeypatch.setattr(rater_estimates, "MOST_WORK", 1)
    monkeypatch.setattr(rater_estimates, "GROUPS", 400)
    for name, all_marks in zip(names, exact, strict=True):
        found = rated_by(marks, name, 4).variance_over_marks()[0]
        assert found == pytest.approx(all_marks, rel=0.2)
        assert found != all_marks


@pytest.mark.later
def test_single_marks_explain_all_of_what_leaving_out_raters_of_equal_skill_shows():
    rng = np.random.default_rng(5)
    names = (*COEFFICIENTS, "accuracy")
    over_raters, single = np.zeros(len(names)), np.zeros(len(names))
    for _ in range(40):
        true = rng.integers(3, size=(60, 1))
        marks = np.where(rng.random((60, 6)) < 0.7, true, rng.integers(3, size=(60, 6)))
        for at, name in enumerate(names):
            rated = rated_by(marks, name)
            left = rated.without_each_rater()[0]
            over_raters[at] += ((left - left.mean()) ** 2).sum() * 5 / 6
            single[at] += rated.variance_over_marks()[0]
    # A variance from 6 raters has 5 degrees of freedom; the mean of 40 has an error of (2 / 200) ** 0.5 = 10%.
    np.testing.assert_allclose(single / over_raters, 1, atol=0.3)


def test_drawing_raters_too_adds_what_leaving_raters_out_shows_less_what_single_marks_do():
    marks, _ = drawn(60, 5, 3, gaps=0.1)
    rng = np.random.default_rng(1)
    apart = marks.copy()  # the last rater guesses
    apart[:, 4] = rng.integers(3, size=60)
    for some in (marks, apart):
        both = scores_of(some, [ALPHA, "accuracy"], resample="both")
        items = scores_of(some, [ALPHA, "accuracy"])
        for name, value, weight in (
            (ALPHA, alpha_of, by_marks),
            ("accuracy", accuracy_of, by_pairs),
        ):
            left = np.array([value(np.delete(some, rater, axis=1)) for rater in range(5)])
            more = ((left - left.mean()) ** 2).sum() * 4 / 5
            error = items[name].error ** 2
            rest = max(more - over_marks(some, value, weight), 0.0)
            assert both[name].error ** 2 == pytest.approx(max(error + rest, more))
            assert both[name].low < items[name].low
            assert both[name].value == items[name].value


def test_raters_who_do_not_differ_at_all_add_no_variance():
    # Each pattern of marks comes with every rater in every place, so that all are equal without each of them.
    patterns = [(0, 0, 1), (1, 1, 1), (2, 2, 1), (0, 0, 0), (2, 2, 2)]
    marks = np.array([np.roll(pattern, by) for pattern in patterns * 4 for by in range(3)])
    names = (*COEFFICIENTS, "accuracy")
    both, items = scores_of(marks, names, resample="both"), scores_of(marks, names)
    for name in names:
        assert both[name].error == pytest.approx(items[name].error)
        assert both[name].low == pytest.approx(items[name].low)


def test_neither_the_order_of_the_items_nor_that_of_the_raters_changes_an_interval():
    marks, _ = drawn(50, 4, 3)
    rng = np.random.default_rng(3)
    moved = marks[rng.permutation(50)][:, [2, 0, 3, 1]]
    names = (*COEFFICIENTS, "accuracy")
    for resample in ("items", "both"):
        first, second = (scores_of(some, names, resample=resample) for some in (marks, moved))
        for name in first:
            assert first[name].low == pytest.approx(second[name].low, abs=1e-12)
            assert first[name].high == pytest.approx(second[name].high, abs=1e-12)


def test_marks_of_one_class_alone_give_a_reason_where_chance_agreement_is_already_1():
    found = scores_of(np.zeros((20, 3), dtype=int), [ALPHA, "brennan_prediger"])
    assert np.isnan(found[ALPHA].value)
    assert found[ALPHA].low is None
    assert "undefined when" in found[ALPHA].reason
    assert found["brennan_prediger"].value == 1.0
    assert found["brennan_prediger"].low < 1.0


def test_a_single_item_with_two_marks_has_a_value_without_an_interval():
    found = scores_of(np.array([[0, 1], [GAP, 1]]), ["brennan_prediger"])["brennan_prediger"]
    assert found.value == pytest.approx(-0.5)  # (0 - 1/3) / (2/3)
    assert (found.low, found.high) == (None, None)
    assert "single item" in found.reason


def test_level_none_leaves_the_intervals_out():
    marks, _ = drawn(30, 3, 3)
    score = scores_of(marks, [ALPHA], level=None)[ALPHA]
    assert (score.low, score.error, score.reason, score.level) == (None, None, None, None)


def test_what_cannot_be_drawn_is_refused():
    marks, _ = drawn(30, 2, 3)
    with pytest.raises(ParameterError, match="needs at least 3 raters; there are 2"):
        scores_of(marks, [ALPHA], resample="both")
    marks, _ = drawn(30, 3, 3)
    with pytest.raises(ParameterError, match="resample='both' goes with method='t'"):
        scores_of(marks, [ALPHA], resample="both", method="bca")
    with pytest.raises(ParameterError, match="resample='raters' is not a choice"):
        scores_of(marks, [ALPHA], resample="raters")
    with pytest.raises(DataError, match="two raters or more"):
        scores_of(marks[:, :1], [ALPHA])


def test_a_matrix_of_weights_has_an_interval_too():
    marks, _ = drawn(60, 3, 3)
    credit = [
        [1.0, 0.5, 0.0],
        [0.5, 1.0, 0.5],
        [0.0, 0.5, 1.0],
    ]  # the linear weights of three classes
    measure = oe.gwet_ac2.with_parameters(weights=credit)
    found = coefficient_scores(ratings_of(marks, 3), {"own": measure})["own"]
    linear = scores_of(marks, ["gwet_ac2(weights='linear')"])["gwet_ac2(weights='linear')"]
    assert (found.value, found.low, found.high) == pytest.approx(
        (linear.value, linear.low, linear.high)
    )


def test_resamples_that_give_no_interval_are_said_to_be_too_few():
    ratings = oe.Ratings.from_array([[1, 1], [2, 2], [1, 2], [2, 1]])
    alpha = oe.agree(ratings, metrics=["alpha"], method="percentile", n_resamples=1)["alpha"]
    assert alpha.low is None
    assert alpha.reason == "defined in 1 of 1 resamples; an interval takes at least two"
