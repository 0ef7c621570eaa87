"""SciPy, imbalanced-learn, statsmodels, krippendorff and irrCAC, on random tables and in batches."""

import math
import warnings

import krippendorff
import numpy as np
import pytest
from imblearn.metrics import geometric_mean_score, macro_averaged_mean_absolute_error
from scipy import stats
from statsmodels.stats.inter_rater import cohens_kappa

import ordeval as oe
from tests.tables import random_counts

STACK = random_counts(seed=7, size=60, k=4)
WEIGHTED = random_counts(seed=8, size=60, k=4, weighted=True)


def expand(counts):
    """The items of one table."""
    cells = np.argwhere(counts)
    return np.repeat(cells, counts[tuple(cells.T)], axis=0).T


def agree(ours, theirs):
    assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-11, nan_ok=True)
    assert np.isfinite(theirs).sum() > len(theirs) / 2


def check(metric, oracle, stack=STACK, **options):
    """One batch of ours against the oracle table by table; where the oracle has no value we have NaN."""
    ours = metric.from_counts(stack, **options)
    theirs = []
    for counts in stack:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            theirs.append(float(oracle(counts)))
    agree(ours, np.array(theirs))


# --- SciPy


def test_kendall_tau_b_is_scipys():
    check(oe.kendall_tau_b, lambda n: stats.kendalltau(*expand(n)).statistic)


def test_stuart_tau_c_is_scipys():
    check(oe.stuart_tau_c, lambda n: stats.kendalltau(*expand(n), variant="c").statistic)


def test_somers_d_is_scipys_with_gold_as_the_independent_side():
    def oracle(counts):
        if (counts.sum(axis=1) > 0).sum() < 2:
            return math.nan  # no pair is apart in gold
        if (counts.sum(axis=0) > 0).sum() < 2:
            return (
                0.0  # 0 of the pairs that gold tells apart; SciPy gives up on a table of one column
            )
        return stats.somersd(*expand(counts)).statistic

    check(oe.somers_d, oracle)


def test_spearman_is_scipys():
    check(oe.spearman, lambda n: stats.spearmanr(*expand(n)).statistic if n.sum() > 1 else math.nan)


def test_pearson_is_scipys_on_the_values():
    values = np.array([-1.0, 0.0, 2.5, 3.0])

    def oracle(counts):
        gold, predicted = values[expand(counts)]
        return stats.pearsonr(gold, predicted).statistic if len(gold) > 1 else math.nan

    check(oe.pearson, oracle, values=values)


def test_pearson_with_weights_is_numpys_weighted_correlation():
    def oracle(counts):
        cells = np.argwhere(counts > 0)
        covariance = np.cov(cells.T, aweights=counts[tuple(cells.T)], ddof=0)
        if covariance.ndim < 2 or covariance[0, 0] == 0 or covariance[1, 1] == 0:
            return math.nan
        return covariance[0, 1] / math.sqrt(covariance[0, 0] * covariance[1, 1])

    check(oe.pearson, oracle, WEIGHTED)


def test_kendall_tau_a_is_the_number_of_concordant_less_discordant_pairs_of_scipys_tau_b():
    """tau-a = tau-b * sqrt(pairs untied in gold * pairs untied in the answers) / all pairs."""

    def oracle(counts):
        gold, predicted = expand(counts)
        n = len(gold)
        if n < 2:
            return math.nan

        def untied(side):
            return n * (n - 1) / 2 - sum(c * (c - 1) / 2 for c in np.bincount(side))

        pairs = untied(gold) * untied(predicted)
        tau_b = stats.kendalltau(gold, predicted).statistic if pairs else 0.0
        return tau_b * math.sqrt(pairs) / (n * (n - 1) / 2)

    check(oe.kendall_tau_a, oracle)


# --- imbalanced-learn


def test_geometric_mean_is_imbalanced_learns_over_the_gold_classes():
    def oracle(counts):
        gold, predicted = expand(counts)
        return geometric_mean_score(gold, predicted, labels=np.unique(gold), average="multiclass")

    check(oe.geometric_mean, oracle)


def test_macro_mae_is_imbalanced_learns():
    def oracle(counts):
        gold, predicted = expand(counts)
        if set(predicted) <= set(gold):
            return macro_averaged_mean_absolute_error(gold, predicted)
        # theirs fails on a class that occurs in the answers alone: average over the gold classes by hand
        return np.mean([np.abs(predicted[gold == c] - c).mean() for c in np.unique(gold)])

    check(oe.macro_mae, oracle)


# --- statsmodels


@pytest.mark.parametrize("stack", [STACK, WEIGHTED], ids=["counts", "weights"])
@pytest.mark.parametrize(("weights", "theirs"), [("linear", "linear"), ("quadratic", "fc")])
def test_weighted_kappa_is_statsmodels(stack, weights, theirs):
    def oracle(counts):
        used = (counts.sum(axis=0) + counts.sum(axis=1)) > 0
        if used.sum() < 2:
            return math.nan
        return cohens_kappa(counts, wt=theirs, return_results=False)

    check(oe.weighted_kappa.with_parameters(weights=weights), oracle, stack)


@pytest.mark.parametrize("stack", [STACK, WEIGHTED], ids=["counts", "weights"])
def test_cohen_kappa_is_statsmodels(stack):
    def oracle(counts):
        used = (counts.sum(axis=0) + counts.sum(axis=1)) > 0
        return cohens_kappa(counts, return_results=False) if used.sum() > 1 else math.nan

    check(oe.cohen_kappa, oracle, stack)


def test_lin_ccc_is_the_quadratic_kappa_of_statsmodels():
    """With moments over n the two are one number (Lin 1989; Robieson 1999)."""

    def oracle(counts):
        used = (counts.sum(axis=0) + counts.sum(axis=1)) > 0
        return (
            cohens_kappa(counts, wt="quadratic", return_results=False)
            if used.sum() > 1
            else math.nan
        )

    check(oe.lin_ccc, oracle)


# --- krippendorff


@pytest.mark.parametrize("level", ["ordinal", "interval", "nominal"])
def test_krippendorff_alpha_is_the_packages_on_its_whole_value_domain(level):
    def oracle(counts):
        used = (counts.sum(axis=0) + counts.sum(axis=1)) > 0
        if used.sum() < 2:
            return math.nan
        raters = expand(counts).astype(float)
        return krippendorff.alpha(
            reliability_data=raters, level_of_measurement=level, value_domain=[0.0, 1.0, 2.0, 3.0]
        )

    check(oe.krippendorff_alpha.with_parameters(level=level), oracle)


def test_krippendorff_alpha_of_uneven_values_is_the_packages():
    values = np.array([-1.0, 0.0, 2.5, 3.0])

    def oracle(counts):
        used = (counts.sum(axis=0) + counts.sum(axis=1)) > 0
        if used.sum() < 2:
            return math.nan
        return krippendorff.alpha(
            reliability_data=values[expand(counts)],
            level_of_measurement="interval",
            value_domain=values.tolist(),
        )

    check(oe.krippendorff_alpha.with_parameters(level="interval"), oracle, values=values)


# --- irrCAC


# the package wants a variance, and for it two items
AC2_STACK = STACK[STACK.sum(axis=(1, 2)) > 1][:20]
AC2_WEIGHTS = ["identity", "linear", "quadratic", "ordinal"]


@pytest.fixture(scope="session")
def irrcac_ac2(irrcac):
    """irrCAC's AC2 of every table of AC2_STACK, for each of AC2_WEIGHTS."""
    common = {"categories": [0, 1, 2, 3], "coefficient": "gwet"}
    items = [expand(counts).T.tolist() for counts in AC2_STACK]
    cases = [
        {"ratings": ratings, "weights": weights, **common}
        for weights in AC2_WEIGHTS
        for ratings in items
    ]
    values = np.array(irrcac(cases)).reshape(len(AC2_WEIGHTS), len(AC2_STACK))
    return dict(zip(AC2_WEIGHTS, values, strict=True))


@pytest.mark.later
@pytest.mark.parametrize("weights", AC2_WEIGHTS)
def test_gwet_ac2_is_irrcacs_with_all_categories_given(weights, irrcac_ac2):
    metric = oe.gwet_ac2.with_parameters(weights=weights)
    agree(metric.from_counts(AC2_STACK), irrcac_ac2[weights])
