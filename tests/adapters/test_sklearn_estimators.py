"""OrdinalDecision and CutPoints: what they compute, and that scikit-learn can use them like its own estimators."""

import pickle
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_diabetes
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression
from sklearn.metrics import accuracy_score
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import ordeval as oe
from ordeval.adapters.sklearn import CutPoints, OrdinalDecision, scorer
from ordeval.adapters.sklearn.folds import splits_of
from tests.examples import grid

FEATURES, progress = load_diabetes(return_X_y=True)
GRADE = 1 + np.digitize(progress, np.quantile(progress, [0.35, 0.6, 0.8, 0.93]))
NAMES = np.array(
    ["none", "mild", "moderate", "severe", "grave"]
)  # not in the order of the alphabet
BAYES = GaussianNB()
DECISION = OrdinalDecision(BAYES, metric="mae")
CUTS = CutPoints(LinearRegression(), metric="mae")
BOTH = pytest.mark.parametrize("model", [DECISION, CUTS], ids=["OrdinalDecision", "CutPoints"])


@grid("metric", ["cem_ord", "weighted_kappa", "macro_mae"], every=3)
def test_a_decision_is_the_rule_for_probabilities_of_items_that_the_classifier_was_not_trained_on(
    metric,
):
    model = OrdinalDecision(BAYES, metric=metric).fit(FEATURES, GRADE)
    shares = cross_val_predict(
        BAYES, FEATURES, GRADE, method="predict_proba", cv=StratifiedKFold(5)
    )
    by_hand = oe.decide.fit(shares, GRADE, metric=metric)
    assert model.decision_.worth == pytest.approx(by_hand.worth)
    of_all = clone(BAYES).fit(FEATURES, GRADE).predict_proba(FEATURES)
    assert model.predict_proba(FEATURES) == pytest.approx(of_all)
    assert (model.predict(FEATURES) == by_hand.predict(of_all)).all()
    assert model.decision_.held_out.over("mode").gain == by_hand.held_out.over("mode").gain


def test_cut_points_are_those_of_predictions_for_items_that_the_regressor_was_not_trained_on():
    model = CutPoints(LinearRegression(), metric="weighted_kappa").fit(FEATURES, GRADE)
    folds = list(StratifiedKFold(5).split(FEATURES, GRADE))
    scores = cross_val_predict(LinearRegression(), FEATURES, GRADE, cv=folds)
    by_hand = oe.decide.cut(scores, GRADE, metric="weighted_kappa")
    assert model.cuts_.points == pytest.approx(by_hand.points)
    of_all = LinearRegression().fit(FEATURES, GRADE).predict(FEATURES)
    assert (model.predict(FEATURES) == 1 + np.searchsorted(by_hand.points, of_all)).all()
    assert not hasattr(model, "predict_proba")


def test_the_measure_that_is_served_is_better_in_cross_validation():
    """Of five grades of a disease, the worst are rare, and the most probable class is seldom one of them."""
    served = scorer("macro_mae", labels=[1, 2, 3, 4, 5])
    score = partial(cross_val_score, X=FEATURES, y=GRADE, scoring=served)
    plain = score(BAYES).mean()
    assert score(OrdinalDecision(BAYES, metric="macro_mae")).mean() > plain + 0.05
    assert score(CutPoints(LinearRegression(), metric="macro_mae")).mean() > plain + 0.15


def test_the_order_of_words_is_declared_or_of_an_ordered_type_and_never_guessed():
    grades = NAMES[GRADE - 1]
    in_numbers = clone(DECISION).fit(FEATURES, GRADE).predict(FEATURES)
    with pytest.raises(oe.OrdevalError, match=r"cannot tell the order .* Pass labels="):
        clone(DECISION).fit(FEATURES, grades)
    declared = clone(DECISION).set_params(labels=list(NAMES)).fit(FEATURES, grades)
    assert declared.classes_.tolist() == sorted(NAMES)
    assert declared.predict(FEATURES).dtype == grades.dtype
    assert (declared.predict(FEATURES) == NAMES[in_numbers - 1]).all()
    for ordered in (
        pd.Series(pd.Categorical(grades, categories=NAMES, ordered=True)),
        pl.Series(grades.tolist(), dtype=pl.Enum(NAMES.tolist())),
    ):
        assert (
            clone(DECISION).fit(FEATURES, ordered).predict(FEATURES) == declared.predict(FEATURES)
        ).all()


def test_a_regressor_is_trained_on_the_values_of_the_classes():
    values = [0, 1, 3, 7, 15]
    model = CutPoints(LinearRegression(), labels=NAMES, values=values)
    model.fit(FEATURES, NAMES[GRADE - 1])
    by_hand = LinearRegression().fit(FEATURES, np.array(values)[GRADE - 1])
    assert model.regressor_.coef_ == pytest.approx(by_hand.coef_)
    assert {*model.predict(FEATURES)} <= {*NAMES}


@BOTH
@pytest.mark.parametrize("dtype", ["i1", "f4", "U1"])
def test_answers_have_the_type_of_the_labels(model, dtype):
    y = GRADE.astype(dtype)
    answers = clone(model).fit(FEATURES, y).predict(FEATURES)
    assert answers.dtype == y.dtype
    assert {*answers.tolist()} <= {*y.tolist()}


@BOTH
def test_a_declared_class_that_nobody_has_is_not_answered_and_moves_no_value(model):
    """Without grade 3, all between 2 and 4 is as far as before."""
    some = GRADE != 3
    found = [
        clone(model).set_params(labels=labels).fit(FEATURES[some], GRADE[some])
        for labels in ([1, 2, 3, 4, 5], [1, 2, 4, 5], None)
    ]
    answers = [each.predict(FEATURES) for each in found]
    assert {*np.concatenate(answers).tolist()} <= {1, 2, 4, 5}
    assert (answers[0] == answers[1]).all()
    assert (answers[0] == answers[2]).all()
    words = clone(model).set_params(labels=NAMES, values=[0, 1, 3, 7, 15])
    words.fit(FEATURES[some], NAMES[GRADE - 1][some])
    rule = words.decision_ if model is DECISION else words.cuts_
    assert rule.scale.labels == ("none", "mild", "severe", "grave")
    assert rule.scale.values == (0, 1, 7, 15)


def test_the_folds_are_those_of_stratified_k_fold_where_it_has_some():
    rng = np.random.default_rng(3)
    for y in (GRADE, rng.integers(0, 3, 50), np.array(list("ccbbaacba"))):
        theirs = StratifiedKFold(3).split(np.zeros(len(y)), y)
        for ours, other in zip(splits_of(3, None, y), theirs, strict=True):
            assert [part.tolist() for part in ours] == [part.tolist() for part in other]


def test_folds_are_no_more_than_items_and_each_holds_out_some():
    once = np.arange(6)  # every class
    for y, folds in ((once, 5), (once[:3], 3), (once * 0, 5)):
        held_out = [test for _, test in splits_of(5, None, y)]
        assert len(held_out) == folds
        assert all(test.size for test in held_out)
        assert sorted(np.concatenate(held_out)) == [*range(len(y))]


@BOTH
def test_a_class_with_fewer_items_than_folds_needs_no_warning(model):
    rare = np.where(
        np.arange(len(GRADE)) == 7, 6, GRADE
    )  # one item, so one fold is trained without the class
    fitted = clone(model).fit(FEATURES, rare)
    assert fitted.classes_.tolist() == [1, 2, 3, 4, 5, 6]
    assert fitted.predict(FEATURES).shape == rare.shape


def test_a_class_that_a_fold_was_trained_without_has_probability_0_there():
    rare = np.where(np.arange(len(GRADE)) == 7, 6, GRADE)
    model = clone(DECISION).fit(FEATURES, rare)
    columns = model.decision_.trial.items.columns
    assert columns[5, 7] == 0
    assert columns[:, 7].sum() == pytest.approx(1)


@BOTH
def test_a_fitted_estimator_is_used_as_it_is(model):
    """Its probabilities, or predictions, of items that it was not trained on are what the rule is fitted to."""
    first, second = slice(0, 221), slice(221, None)
    name = "estimator" if model is DECISION else "regressor"
    inner = clone(getattr(model, name)).fit(FEATURES[first], GRADE[first])
    fitted = clone(model).set_params(cv="prefit")
    setattr(fitted, name, inner)
    fitted.fit(FEATURES[second], GRADE[second])
    assert getattr(fitted, f"{name}_") is inner
    if model is DECISION:
        by_hand = oe.decide.fit(inner.predict_proba(FEATURES[second]), GRADE[second], metric="mae")
        expected = by_hand.predict(inner.predict_proba(FEATURES))
    else:
        by_hand = oe.decide.cut(inner.predict(FEATURES[second]), GRADE[second], metric="mae")
        expected = by_hand.predict(inner.predict(FEATURES))
    assert (fitted.predict(FEATURES) == expected).all()
    with pytest.raises(NotFittedError):
        clone(model).set_params(cv="prefit").fit(FEATURES, GRADE)


@pytest.mark.full  # scikit-learn 1.6 and later
def test_a_frozen_classifier_is_the_same_as_a_prefit_one():
    from sklearn.frozen import FrozenEstimator

    inner = clone(BAYES).fit(FEATURES[:221], GRADE[:221])
    models = [OrdinalDecision(FrozenEstimator(inner)), OrdinalDecision(inner, cv="prefit")]
    found = [each.fit(FEATURES[221:], GRADE[221:]).predict(FEATURES) for each in models]
    assert (found[0] == found[1]).all()


def test_a_class_that_a_fitted_classifier_does_not_know_is_refused():
    inner = clone(BAYES).fit(FEATURES[GRADE < 5], GRADE[GRADE < 5])
    low = GRADE < 4
    with pytest.raises(
        oe.OrdevalError, match="y has the class 5, which the estimator was not trained on"
    ):
        OrdinalDecision(inner, cv="prefit").fit(FEATURES, GRADE)
    with pytest.raises(oe.OrdevalError, match="knows the class 4, which is not on the scale"):
        OrdinalDecision(inner, cv="prefit", labels=[1, 2, 3]).fit(FEATURES[low], GRADE[low])


def test_a_splitter_may_leave_items_out_of_the_rule():
    once = ShuffleSplit(1, test_size=0.5, random_state=0)
    weight = np.linspace(1, 9, len(GRADE))
    ((train, test),) = once.split(FEATURES)
    inner = LinearRegression().fit(FEATURES[train], GRADE[train], sample_weight=weight[train])
    by_hand = oe.decide.cut(
        inner.predict(FEATURES[test]), GRADE[test], metric="mae", sample_weight=weight[test]
    )
    fitted = clone(CUTS).set_params(cv=once).fit(FEATURES, GRADE, sample_weight=weight)
    assert fitted.cuts_.n == 221
    assert fitted.cuts_.value == pytest.approx(by_hand.value)
    assert fitted.cuts_.points == pytest.approx(by_hand.points)


def test_folds_may_be_lists_ranges_or_masks():
    mask = np.arange(len(GRADE)) < 200
    given = [range(200), range(200, 442)], [mask, ~mask], [[*range(200)], np.arange(200, 442)]
    points = {clone(CUTS).set_params(cv=[cv]).fit(FEATURES, GRADE).cuts_.points for cv in given}
    assert len(points) == 1


@BOTH
def test_a_splitter_must_hold_no_item_out_twice(model):
    twice = clone(model).set_params(cv=RepeatedStratifiedKFold(n_splits=3, n_repeats=2))
    with pytest.raises(oe.OrdevalError, match="more than once"):
        twice.fit(FEATURES, GRADE)
    for cv in ("fitted", 0.3, True):
        with pytest.raises(oe.OrdevalError, match=r"cv=.* does not say how to split"):
            clone(model).set_params(cv=cv).fit(FEATURES, GRADE)
    with pytest.raises(oe.OrdevalError, match="cv=1 is not a number of folds"):
        clone(model).set_params(cv=1).fit(FEATURES, GRADE)


@BOTH
def test_items_without_a_label_and_continuous_targets_are_refused(model):
    lacking = np.where(np.arange(len(GRADE)) == 3, None, NAMES[GRADE - 1])
    with pytest.raises(oe.OrdevalError, match="missing"):
        clone(model).set_params(labels=NAMES).fit(FEATURES, lacking)
    with pytest.raises(ValueError, match="continuous"):
        clone(model).fit(FEATURES, GRADE / 7)


def test_a_classifier_without_probabilities_is_refused():
    model = OrdinalDecision(LinearSVC())
    assert not hasattr(model, "predict_proba")
    with pytest.raises(oe.OrdevalError, match=r"LinearSVC has no predict_proba.*or use CutPoints"):
        model.fit(FEATURES, GRADE)


@BOTH
def test_a_weight_of_2_is_the_item_twice_for_the_inner_estimator_and_for_the_rule(model):
    """Both copies in one fold."""
    rng = np.random.default_rng(0)
    weight = rng.integers(1, 4, len(GRADE))
    again = np.repeat(np.arange(len(GRADE)), weight)
    fold_of = np.arange(len(GRADE)) % 3
    cv, cv_again = (
        [(np.flatnonzero(folds != at), np.flatnonzero(folds == at)) for at in range(3)]
        for folds in (fold_of, fold_of[again])
    )
    weighted = clone(model).set_params(cv=cv).fit(FEATURES, GRADE, sample_weight=weight)
    repeated = clone(model).set_params(cv=cv_again).fit(FEATURES[again], GRADE[again])
    assert (weighted.predict(FEATURES) == repeated.predict(FEATURES)).all()
    plain = clone(model).set_params(cv=cv).fit(FEATURES, GRADE)
    assert (weighted.predict(FEATURES) != plain.predict(FEATURES)).any()


@BOTH
def test_weights_that_are_all_zero_are_refused(model):
    with pytest.raises(oe.OrdevalError, match="every sample_weight is zero"):
        clone(model).fit(FEATURES, GRADE, sample_weight=GRADE * 0)


def test_weights_are_for_the_rule_alone_where_the_classifier_takes_none():
    weight = np.where(GRADE == 5, 20.0, 1.0)
    model = OrdinalDecision(KNeighborsClassifier(20), metric="mae")
    heavy = clone(model).fit(FEATURES, GRADE, sample_weight=weight)
    shares = cross_val_predict(
        model.estimator, FEATURES, GRADE, method="predict_proba", cv=StratifiedKFold(5)
    )
    by_hand = oe.decide.fit(shares, GRADE, metric="mae", sample_weight=weight)
    assert heavy.decision_.expected == pytest.approx(by_hand.expected)


@BOTH
def test_metadata_go_where_they_are_requested(model):
    weight = np.linspace(1, 3, len(GRADE))
    plain = clone(model).fit(FEATURES, GRADE, sample_weight=weight)
    with config_context(enable_metadata_routing=True):
        with pytest.raises(
            ValueError, match="sample_weight"
        ):  # nobody said whether the inner one wants it
            clone(model).fit(FEATURES, GRADE, sample_weight=weight)
        routed = clone(model)
        routed._inner.set_fit_request(sample_weight=True)
        routed.set_fit_request(sample_weight=True)
        routed.fit(FEATURES, GRADE, sample_weight=weight)
        assert (routed.predict(FEATURES) == plain.predict(FEATURES)).all()
        scores = cross_val_score(
            routed.set_score_request(sample_weight=True), FEATURES, GRADE, cv=2, params={"sample_weight": weight}
        )  # fmt: skip
        assert np.isfinite(scores).all()
        # groups go to the splitter, which holds each group out as a whole
        groups = np.arange(len(GRADE)) // 13
        grouped = clone(model).set_params(cv=GroupKFold(4))
        grouped._inner.set_fit_request(sample_weight=True)
        grouped.fit(FEATURES, GRADE, sample_weight=weight, groups=groups)
        by_hand = list(GroupKFold(4).split(FEATURES, GRADE, groups))
    expected = clone(model).set_params(cv=by_hand).fit(FEATURES, GRADE, sample_weight=weight)
    assert (grouped.predict(FEATURES) == expected.predict(FEATURES)).all()


def test_parameters_of_fit_reach_a_step_of_a_pipeline():
    weight = np.where(GRADE == 1, 9.0, 1.0)
    inner = make_pipeline(StandardScaler(), GaussianNB())
    model = OrdinalDecision(inner).fit(FEATURES, GRADE, gaussiannb__sample_weight=weight)
    expected = inner.fit(FEATURES, GRADE, gaussiannb__sample_weight=weight).predict_proba(FEATURES)
    assert model.predict_proba(FEATURES) == pytest.approx(expected)


@pytest.mark.later
def test_a_grid_search_finds_parameters_of_both_and_of_a_pipeline():
    pipeline = make_pipeline(StandardScaler(), OrdinalDecision(BAYES, cv=3))
    grid = {
        "ordinaldecision__metric": ["accuracy", "macro_mae"],
        "ordinaldecision__estimator__var_smoothing": [1e-9, 0.1],
    }
    search = GridSearchCV(pipeline, grid, scoring=scorer("macro_mae"), cv=3, n_jobs=2)
    assert search.fit(FEATURES, GRADE).best_params_["ordinaldecision__metric"] == "macro_mae"


@BOTH
@pytest.mark.later
def test_folds_in_parallel_answer_the_same(model):
    expected = clone(model).fit(FEATURES, GRADE).predict(FEATURES)
    in_parallel = clone(model).set_params(n_jobs=2).fit(FEATURES, GRADE)
    assert (in_parallel.predict(FEATURES) == expected).all()


@BOTH
def test_a_copy_and_a_pickle_answer_the_same(model):
    fitted = clone(model).fit(FEATURES, GRADE)
    expected = fitted.predict(FEATURES)
    assert (pickle.loads(pickle.dumps(fitted)).predict(FEATURES) == expected).all()  # noqa: S301
    assert fitted.score(FEATURES, GRADE) == accuracy_score(GRADE, expected)
    with pytest.raises(NotFittedError):
        clone(fitted).predict(FEATURES)


@BOTH
def test_frames_are_read_and_their_columns_remembered(model):
    names = [f"x{at}" for at in range(FEATURES.shape[1])]
    expected = clone(model).fit(FEATURES, GRADE).predict(FEATURES)
    for frame, y in (
        (
            pd.DataFrame(FEATURES, columns=names),
            pd.Series(GRADE, index=range(900, 900 + len(GRADE))),
        ),
        (pl.DataFrame(FEATURES, schema=names), pl.Series(GRADE)),
    ):
        fitted = clone(model).fit(frame, y, sample_weight=y * 0 + 1)
        assert (fitted.predict(frame) == expected).all()
        assert fitted.feature_names_in_.tolist() == names


def test_a_matrix_of_distances_is_split_in_rows_and_columns():
    distances = np.abs(FEATURES[:, None, 2] - FEATURES[None, :, 2])
    inner = KNeighborsClassifier(30, metric="precomputed")
    model = OrdinalDecision(inner, metric="mae").fit(distances, GRADE)
    plain = OrdinalDecision(KNeighborsClassifier(30), metric="mae").fit(FEATURES[:, [2]], GRADE)
    assert model.decision_.worth == pytest.approx(plain.decision_.worth)
    assert np.isfinite(cross_val_score(model, distances, GRADE, cv=3)).all()


def test_own_measures_and_calibration_are_passed_on():
    def far(counts):
        """The share of answers that are two classes off or more."""
        off = np.abs(np.subtract.outer(np.arange(5), np.arange(5))) > 1
        return (counts * off).sum(axis=(-2, -1)) / counts.sum(axis=(-2, -1))

    model = OrdinalDecision(BAYES, metric=far, greater_is_better=False, calibrate=True)
    model.fit(FEATURES, GRADE)
    shares = cross_val_predict(
        BAYES, FEATURES, GRADE, method="predict_proba", cv=StratifiedKFold(5)
    )
    by_hand = oe.decide.fit(shares, GRADE, metric=far, greater_is_better=False, calibrate=True)
    assert model.decision_.expected == pytest.approx(by_hand.expected)
    assert model.decision_.calibration is not None
