"""The registry holds every measure of the contract, and each is a value: it prints, parses, pickles and compares."""

import copy
import inspect
import math
import pickle

import pytest

import ordeval as oe
from tests.tables import SETTINGS, measures

MEASURES = [pytest.param(metric, id=str(metric)) for metric in measures()]

CONTRACT = {
    "closeness": "cem_ord cem_nom cem_int cem_ord_flat",
    "classification": "accuracy accuracy_within macro_accuracy macro_f1 macro_precision geometric_mean min_sensitivity "
    "cohen_kappa",
    "error": "mae mse rmse macro_mae macro_mse max_mae threshold_loss cosine",
    "correlation": "pearson spearman kendall_tau_a kendall_tau_b stuart_tau_c goodman_kruskal_gamma somers_d "
    "reliability sensitivity reliability_sensitivity",
    "agreement": "weighted_kappa krippendorff_alpha gwet_ac2 fleiss_kappa conger_kappa brennan_prediger lin_ccc",
    "clustering": "mutual_information purity inverse_purity purity_f",
    "path": "ordinal_classification_index uniform_ordinal_index auoc",
    "probabilistic": "ranked_probability_score expected_cem log_loss brier_score calibration_error",
    "soft": "wasserstein manhattan cross_entropy soft_jensen_shannon soft_rps",
    "distribution": "normalised_match_distance rnod jensen_shannon",
}
LOWER_IS_BETTER = {
    *("mae", "mse", "rmse", "macro_mae", "macro_mse", "max_mae", "threshold_loss"),
    *("ordinal_classification_index", "uniform_ordinal_index", "auoc", "ranked_probability_score"),
    *("log_loss", "brier_score", "calibration_error"),
    *("wasserstein", "manhattan", "cross_entropy", "soft_jensen_shannon", "soft_rps"),
    *("normalised_match_distance", "rnod", "jensen_shannon"),
}
DEFAULTS = {
    "accuracy_within": {"n": 1},
    "threshold_loss": {"penalty": "hinge"},
    "weighted_kappa": {"weights": "linear"},
    "krippendorff_alpha": {"level": "ordinal", "weights": None},
    "gwet_ac2": {"weights": "ordinal"},
    "fleiss_kappa": {"weights": "identity"},
    "conger_kappa": {"weights": "identity"},
    "brennan_prediger": {"weights": "identity"},
    "ordinal_classification_index": {"beta": 0.75, "gamma": 1},
    "uniform_ordinal_index": {"beta": 0.75},
    "wasserstein": {"divide_by": "range"},
    "cross_entropy": {"epsilon": 1e-12},
    "log_loss": {"epsilon": 2.0**-52},
    "calibration_error": {"bins": 10},
}

# Settings that have laws of their own, in tests/metrics/test_agreement_weights.py.
OWN_LAWS = {
    "ratio": "values have a zero point, so that a scale can neither be shifted nor turned upside down",
    "circular": "the circle closes one unit beyond the last class, so that values cannot be multiplied",
}


def test_the_registry_holds_the_measures_of_the_contract_in_their_families():
    found: dict[str, list[str]] = {}
    for name, metric in oe.registry.items():
        found.setdefault(str(metric.family), []).append(name)
    assert {family: " ".join(names) for family, names in found.items()} == CONTRACT


def test_errors_and_path_measures_alone_are_better_when_lower():
    assert {n for n, m in oe.registry.items() if not m.greater_is_better} == LOWER_IS_BETTER


def test_the_parameters_are_those_of_the_contract_and_none_escapes_the_laws():
    declared = {n: dict(m.settings) for n, m in oe.registry.items() if m.settings}
    assert declared == DEFAULTS
    assert set(SETTINGS) == set(DEFAULTS), "name some settings in tests/tables.py for the laws"
    # a setting that several measures share need not be tried with each of them
    settings = [(name, p) for name, metric in oe.registry.items() for p in metric.parameters]
    tried: dict[tuple, set] = {}
    for name, parameter in settings:
        seen = tried.setdefault((parameter.name, parameter.choices), {parameter.default})
        seen |= {chosen[parameter.name] for chosen in SETTINGS[name] if parameter.name in chosen}
    for (name, choices), seen in tried.items():
        left = set(choices) - seen - set(OWN_LAWS)
        assert not left, f"the laws never see {name} in {left}"


@pytest.mark.parametrize("metric", MEASURES)
def test_a_name_parses_back_to_the_measure(metric):
    assert oe.registry[str(metric)] == metric
    assert str(oe.registry[str(metric)]) == str(metric)
    assert str(metric) in oe.registry
    assert repr(metric) == f"<measure {metric}>"


def test_a_name_may_spell_defaults_and_blanks():
    assert oe.registry["accuracy_within( n = 1 )"] == oe.accuracy_within
    assert str(oe.registry["accuracy_within(n=1)"]) == "accuracy_within"
    assert oe.registry["accuracy_within(n=2.0)"] == oe.registry["accuracy_within(n=2)"]
    assert (
        oe.registry["ordinal_classification_index(gamma=2, beta=1)"]
        == oe.registry["ordinal_classification_index(beta=1.0, gamma=2.0)"]
    )


@pytest.mark.parametrize("metric", MEASURES)
def test_a_measure_survives_pickling_and_copies(metric):
    for twin in (pickle.loads(pickle.dumps(metric)), copy.copy(metric), copy.deepcopy(metric)):  # noqa: S301
        assert twin == metric
        assert hash(twin) == hash(metric)
        assert twin.from_counts([[2, 1], [0, 1]]) == metric.from_counts([[2, 1], [0, 1]])


def test_measures_with_other_settings_are_other_measures():
    assert len(set(measures())) == len(measures())
    assert oe.weighted_kappa != oe.weighted_kappa.with_parameters(weights="quadratic")
    assert oe.weighted_kappa(
        weights="quadratic", y_true=[1, 2, 4], y_pred=[1, 2, 3]
    ) == oe.registry["weighted_kappa(weights='quadratic')"]([1, 2, 4], [1, 2, 3])


@pytest.mark.parametrize("metric", MEASURES)
def test_what_the_registry_knows_of_a_measure_is_whole(metric):
    assert getattr(oe, metric.name) == oe.registry[metric.name]
    assert metric.__name__ == metric.name
    low, high = metric.bounds
    assert low < high
    assert metric.perfect is None or low <= metric.perfect <= high
    assert metric.perfect in {None, 1.0, 0.0}
    assert metric.greater_is_better == (metric.perfect != 0.0) or metric.perfect is None
    assert metric.scale_type in {"nominal", "ordinal", "interval"}
    assert metric.undefined_when
    assert set(metric.claims) in (
        set(),
        {"ordinal_invariance", "ordinal_monotonicity", "imbalance"},
    )
    for parameter in metric.parameters:
        assert parameter.meaning
        assert parameter.check(parameter.default, metric.name) == parameter.default


def test_a_measure_is_frozen():
    with pytest.raises(AttributeError):
        oe.cem_ord.name = "mine"


def test_a_measure_is_called_with_data_first_and_all_else_by_name():
    kinds = [p.kind.name for p in inspect.signature(type(oe.mae).__call__).parameters.values()]
    assert kinds[1:3] == ["POSITIONAL_OR_KEYWORD"] * 2
    assert "POSITIONAL_OR_KEYWORD" not in kinds[3:]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (
            "cem_odr",
            "there is no measure 'cem_odr'. Did you mean cem_ord? 'ordeval metrics' lists them.",
        ),
        ("mae(", "'mae(' is not the name of a measure; write it as name or name(setting=value)."),
        ("mae + mse", "is not the name of a measure"),
        ("accuracy_within(1)", "write it as name or name(setting=value)"),
        ("accuracy_within(n=x)", "x in 'accuracy_within(n=x)' is not a value"),
        ("accuracy_within(n={[]: 1})", "is not a value"),
        ("", "is not the name of a measure"),
        ("(" * 500, "is not the name of a measure"),
        (5, "5 is not the name of a measure"),
        (None, "None is not the name of a measure"),
    ],
)
def test_a_name_that_is_none_is_refused_with_what_to_do(name, says):
    with pytest.raises(KeyError) as caught:
        oe.registry[name]
    assert isinstance(caught.value, oe.OrdevalError)
    assert says in str(caught.value)
    assert name not in oe.registry


@pytest.mark.parametrize(
    ("name", "settings", "says"),
    [
        ("mae", {"n": 1}, "mae has no parameter 'n'; it has none."),
        ("weighted_kappa", {"weight": "linear"}, "Did you mean weights?"),
        ("weighted_kappa", {"weights": "quadratc"}, "Did you mean quadratic?"),
        ("weighted_kappa", {"weights": [[1, 2], [2, 1]]}, "weights"),
        ("weighted_kappa", {"weights": None}, "it is one of 'linear', 'quadratic'"),
        ("accuracy_within", {"n": -1}, "it is a whole number from 0"),
        ("accuracy_within", {"n": 1.5}, "it is a whole number"),
        ("accuracy_within", {"n": True}, "it is a whole number"),
        ("accuracy_within", {"n": "1"}, "it is a whole number"),
        ("accuracy_within", {"n": 10**400}, "it is a whole number"),
        ("uniform_ordinal_index", {"beta": math.nan}, "it is a number from 0 to 1"),
        ("uniform_ordinal_index", {"beta": 1.01}, "it is a number from 0 to 1"),
        ("uniform_ordinal_index", {"beta": 1j}, "it is a number from 0 to 1"),
    ],
)
def test_a_setting_that_a_measure_does_not_have_is_refused(name, settings, says):
    for door in (
        lambda: oe.registry[name].with_parameters(**settings),
        lambda: oe.registry[name]([1, 2], [1, 2], **settings),
        lambda: oe.registry[name].from_counts([[1, 0], [0, 1]], **settings),
    ):
        with pytest.raises(oe.OrdevalError) as caught:
            door()
        assert isinstance(caught.value, ValueError)
        assert says in str(caught.value)
