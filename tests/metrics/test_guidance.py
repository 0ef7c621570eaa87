"""What is said of the measures beside their definitions: every entry is there, short, plain, and true."""

import dataclasses
import re

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import ordeval as oe
from ordeval.metrics.guidance import INPUTS, guidance_of
from tests.test_import import modules_after
from tests.test_plain_words import stumbles

WORDS = {"use": 45, "avoid": 45, "reading": 65}  # at most
LIBRARIES = {
    *("scikit-learn", "SciPy", "statsmodels", "imbalanced-learn", "krippendorff", "scoringrules"),
    *("irrCAC", "torchmetrics", "R"),
}


@pytest.mark.parametrize("name", oe.registry)
def test_every_measure_has_guidance_that_is_short_and_plain(name):
    guidance = oe.registry[name].guidance
    for topic, most in WORDS.items():
        text = getattr(guidance, topic)
        assert 8 <= len(text.split()) <= most, (topic, len(text.split()))
        assert text.endswith(".")
        assert not stumbles(text)
        assert max(len(part.split()) for part in re.split(r"[.:;] ", text)) <= 40
    assert guidance.use.startswith("Use it")
    assert guidance.avoid.startswith("Do not")
    assert guidance.also_called


@pytest.mark.parametrize("name", oe.registry)
def test_guidance_names_measures_and_packages_that_exist(name):
    guidance = oe.registry[name].guidance
    texts = f"{guidance.use} {guidance.avoid} {guidance.reading}"
    mentioned = set(re.findall(r"`(\w+)`", texts))
    assert mentioned <= {*oe.registry, *(each.name for each in oe.registry[name].parameters)}
    assert name not in mentioned
    for each in guidance.elsewhere:
        assert each.library in LIBRARIES
        assert oe.registry[each.measure].name == name
        assert set(re.findall(r"\w+", each.call)) & set(INPUTS)


def test_no_guidance_is_left_over_from_a_measure_that_is_gone():
    from ordeval.metrics.guidance import _entries

    assert list(sorted(_entries())) == sorted(oe.registry)  # noqa: C413 - both as lists


def test_other_names_are_not_those_of_the_measure_itself_and_are_said_once():
    for metric in oe.registry.values():
        names = [name.lower() for name in metric.guidance.also_called]
        assert len(set(names)) == len(names)
        assert metric.name not in names


def test_a_measure_with_settings_has_the_guidance_of_its_measure():
    assert oe.registry["qwk"].guidance is oe.weighted_kappa.guidance


def test_a_measure_of_ones_own_has_no_guidance():
    @oe.measure(greater_is_better=True)
    def hits(counts):
        """Share of hits."""
        return np.trace(counts, axis1=-2, axis2=-1) / counts.sum(axis=(-2, -1))

    assert hits.guidance is None
    assert guidance_of("hits") is None


def test_guidance_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        oe.mae.guidance.use = "Always."


def test_importing_and_calling_a_measure_reads_no_guidance():
    loaded = modules_after("import ordeval; ordeval.mae([1, 2], [1, 2])")
    assert "ordeval.metrics.metric" in loaded
    assert "ordeval.metrics.guidance" not in loaded
    assert "tomllib" not in loaded


# --- what the texts claim, on random tables


RNG = np.random.default_rng(20)
TABLES = RNG.integers(1, 30, (200, 5, 5))
GOLD = TABLES.sum(axis=2)
CONSTANT = np.zeros((200, 5, 5, 5), dtype=int)  # [table, answer, gold, predicted]
for at in range(5):
    CONSTANT[:, at, :, at] = GOLD
SHARES = GOLD / GOLD.sum(axis=1, keepdims=True)
VALUES = np.arange(5)


def of(name, counts=TABLES):
    return oe.registry[name].from_counts(counts)


def test_worst_recall_is_below_the_geometric_mean_and_that_below_the_mean():
    assert (of("min_sensitivity") <= of("geometric_mean") + 1e-12).all()
    assert (of("geometric_mean") <= of("macro_accuracy") + 1e-12).all()
    assert (of("purity") >= of("accuracy")).all()
    assert (of("inverse_purity") >= of("accuracy")).all()


def test_errors_are_ordered_as_their_texts_say():
    assert (of("rmse") >= of("mae")).all()
    assert (of("max_mae") >= of("macro_mae")).all()


def test_correlations_and_agreement_are_ordered_as_their_texts_say():
    assert (np.abs(of("goodman_kruskal_gamma")) >= np.abs(of("kendall_tau_b")) - 1e-12).all()
    assert (np.abs(of("lin_ccc")) <= np.abs(of("pearson")) + 1e-12).all()
    assert (of("scott_pi") <= of("cohen_kappa") + 1e-12).all()
    # a linear function of accuracy: (a - 1/5) / (4/5)
    assert of("brennan_prediger") == pytest.approx((of("accuracy") - 0.2) / 0.8)


def test_constant_answers_score_what_the_texts_say():
    best = SHARES.argmax(axis=1)
    frequent = CONSTANT[np.arange(200), best]
    assert of("accuracy", frequent) == pytest.approx(SHARES.max(axis=1))
    assert (of("cem_nom", frequent) <= SHARES.max(axis=1) + 1e-12).all()
    assert of("macro_accuracy", CONSTANT) == pytest.approx(np.full((200, 5), 0.2))
    for zero in ("geometric_mean", "min_sensitivity", "sensitivity", "somers_d", "lin_ccc"):
        assert of(zero, CONSTANT) == pytest.approx(np.zeros((200, 5)), abs=1e-12)
    for zero in ("cohen_kappa", "lwk", "qwk", "kendall_tau_a", "mutual_information"):
        assert of(zero, CONSTANT) == pytest.approx(np.zeros((200, 5)), abs=1e-12)
    for one in ("inverse_purity",):
        assert of(one, CONSTANT) == pytest.approx(np.ones((200, 5)))
    for lower in ("macro_f1", "macro_precision"):
        assert (of(lower, CONSTANT) < 0.2).all()
    for none in ("pearson", "spearman", "kendall_tau_b", "stuart_tau_c", "goodman_kruskal_gamma",
                 "reliability", "reliability_sensitivity"):  # fmt: skip
        assert np.isnan(of(none, CONSTANT)).all()
    assert (of("cem_ord", CONSTANT) > 0).all()


def test_no_constant_answer_beats_the_median_the_variance_or_the_middle():
    cumulated = SHARES.cumsum(axis=1)
    median = (cumulated >= 0.5).argmax(axis=1)
    errors = of("mae", CONSTANT)
    assert errors.argmin(axis=1) == pytest.approx(median)
    mean = (SHARES * VALUES).sum(axis=1)
    variance = (SHARES * VALUES**2).sum(axis=1) - mean**2
    assert (of("mse", CONSTANT) >= variance[:, None] - 1e-12).all()
    assert of("macro_mae", CONSTANT)[:, 2] == pytest.approx(np.full(200, 1.2))
    assert of("macro_mse", CONSTANT)[:, 2] == pytest.approx(np.full(200, 2.0))


def test_random_answers_in_the_shares_of_gold_score_what_the_texts_say():
    independent = GOLD[:, :, None] * SHARES[:, None, :]
    assert of("macro_accuracy", independent) == pytest.approx(np.full(200, 0.2))
    assert of("accuracy", independent) == pytest.approx((SHARES**2).sum(axis=1))
    for above in ("cem_ord", "cem_int", "cem_ord_flat", "reliability", "sensitivity"):
        assert (of(above, independent) > 0).all()


def test_equal_probabilities_score_what_the_texts_say():
    gold, rows = [1, 2, 3, 4, 5], np.full((5, 5), 0.2)
    assert oe.log_loss(gold, rows, labels=gold) == pytest.approx(1.609, abs=5e-4)  # ln 5
    assert oe.brier_score(gold, rows, labels=gold) == pytest.approx(0.8)  # 1 - 1/5
    sure = np.eye(5)[[4, 3, 2, 1, 0]]
    assert oe.log_loss([1], sure[:1], labels=gold) == pytest.approx(36, abs=0.1)


def test_two_gold_classes_make_somers_d_of_the_area_under_the_curve():
    counts = TABLES[:20, [0, 4]]
    for table in counts:
        gold, predicted = np.indices((2, 5)).reshape(2, -1).repeat(table.ravel(), axis=1)
        full = np.zeros((5, 5), dtype=int)
        full[[0, 4]] = table
        assert of("somers_d", full) == pytest.approx(2 * roc_auc_score(gold, predicted) - 1)
