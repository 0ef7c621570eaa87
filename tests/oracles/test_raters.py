"""irrCAC, krippendorff and statsmodels on random ratings: 2 to 20 raters, 2 to 7 classes, with gaps and without."""

import itertools
import warnings

import krippendorff
import numpy as np
import pytest
from statsmodels.stats import inter_rater

import ordeval as oe
from ordeval.metrics.agreement_weights import NAMED
from tests.raters import random_marks, ratings_of

# the number of raters, and the labels; the last ones are uneven, so that weights by value and by rank differ
SHAPES = [
    (2, [1, 2]),
    (5, [1, 2, 3, 4, 5, 6, 7]),
    (20, [1, 2, 3, 4]),
    (6, [0.5, 1, 2.5, 7]),
]
WITH_GAPS, WITHOUT = (
    [
        (random_marks(seed, 15, raters, labels, gaps), labels)
        for seed, (raters, labels) in enumerate(SHAPES)
    ]
    for gaps in (0.3, 0.0)
)
COEFFICIENTS = {
    "gwet": oe.gwet_ac2,
    "fleiss": oe.fleiss_kappa,
    "conger": oe.conger_kappa,
    "bp": oe.brennan_prediger,
    "krippendorff": oe.krippendorff_alpha,
}


def own_matrix(k):
    """Symmetric weights that follow no rule."""
    drawn = np.random.default_rng(k).uniform(size=(k, k)).round(3)
    return np.where(np.eye(k), 1.0, (drawn + drawn.T) / 2).tolist()


def agree(ours, theirs):
    assert np.isfinite(theirs).all()
    assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-9)


@pytest.fixture(scope="session")
def irrcac_raters(irrcac):
    """irrCAC's value of each case, by coefficient and weights; "own" are weights that follow no rule."""
    keys = list(itertools.product(COEFFICIENTS, [*NAMED, "own"]))
    asked = [
        {
            "ratings": np.where(np.isnan(marks), None, marks).tolist(),
            "categories": labels,
            "weights": own_matrix(len(labels)) if weights == "own" else weights,
            "coefficient": coefficient,
        }
        for coefficient, weights in keys
        for marks, labels in WITH_GAPS
    ]
    values = np.array(irrcac(asked)).reshape(len(keys), len(WITH_GAPS))
    return dict(zip(keys, values, strict=True))


@pytest.mark.later
@pytest.mark.parametrize("weights", [*NAMED, "own"])
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_a_coefficient_of_ratings_is_irrcacs(coefficient, weights, irrcac_raters):
    ours = [
        COEFFICIENTS[coefficient](
            ratings_of(marks, labels),
            weights=own_matrix(len(labels)) if weights == "own" else weights,
        )
        for marks, labels in WITH_GAPS
    ]
    agree(ours, irrcac_raters[coefficient, weights])


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_alpha_of_ratings_is_the_packages(level):
    ours, theirs = [], []
    for marks, labels in [*WITH_GAPS, *WITHOUT]:
        ours.append(oe.krippendorff_alpha(ratings_of(marks, labels), level=level))
        theirs.append(
            krippendorff.alpha(
                reliability_data=marks.T, level_of_measurement=level, value_domain=labels
            )
        )
    agree(ours, theirs)


@pytest.mark.parametrize(
    ("measure", "method"), [("fleiss_kappa", "fleiss"), ("brennan_prediger", "randolph")]
)
def test_a_coefficient_of_ratings_without_gaps_is_statsmodels(measure, method):
    """Randolph's free-marginal kappa is the coefficient of Brennan and Prediger."""
    ours, theirs = [], []
    for marks, labels in WITHOUT:
        assert not np.isnan(marks).any()
        votes = (marks[:, :, None] == np.array(labels)).sum(axis=1)
        ours.append(oe.registry[measure](ratings_of(marks, labels)))
        theirs.append(inter_rater.fleiss_kappa(votes, method=method))
    agree(ours, theirs)


def test_another_measure_of_ratings_is_the_mean_over_ordered_pairs_by_the_items_of_both():
    """Each pair's kappa is that of statsmodels, and each pair weighs as many items as both raters marked."""
    ours, theirs = [], []
    for marks, labels in [*WITH_GAPS, *WITHOUT]:
        values, items = [], []
        for first, second in itertools.permutations(marks.T, 2):
            both = ~np.isnan(first) & ~np.isnan(second)
            places = np.searchsorted(labels, [first[both], second[both]])
            counts = np.zeros((len(labels), len(labels)))
            np.add.at(counts, tuple(places), 1)
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                kappa = inter_rater.cohens_kappa(counts, wt="linear", return_results=False)
            if np.isfinite(kappa):
                values.append(kappa)
                items.append(both.sum())
        scale = {"values": range(len(labels))}
        ours.append(oe.weighted_kappa(ratings_of(marks, labels, **scale)))
        theirs.append(np.average(values, weights=items))
    agree(ours, theirs)
