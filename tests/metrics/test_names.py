"""Short names of measures: found everywhere, shown nowhere."""

import pytest

import ordeval as oe
from ordeval.metrics.names import ALIASES, full_name

GOLD = [1, 1, 2, 2, 3, 3, 3, 1]
ANSWERS = {"a": [1, 1, 2, 2, 3, 3, 2, 1], "b": [1, 2, 2, 3, 3, 1, 2, 3]}
QUADRATIC = "weighted_kappa(weights='quadratic')"


@pytest.mark.parametrize("alias", ALIASES)
def test_an_alias_is_the_measure_that_it_stands_for(alias):
    assert oe.registry[alias] == oe.registry[ALIASES[alias]]
    assert alias in oe.registry


def test_aliases_are_no_names_of_measures_and_are_not_listed():
    assert not set(ALIASES) & set(oe.registry)
    assert len(oe.registry) == len(list(oe.registry))


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("qwk", QUADRATIC),
        ("lwk", "weighted_kappa(weights='linear')"),
        ("rps", "ranked_probability_score"),
        ("brier", "brier_score"),
        ("logloss", "log_loss"),
        ("ece(bins=5)", "calibration_error(bins=5)"),
        ("f1", "macro_f1"),
        ("cem", "cem_ord"),
        ("kappa", "cohen_kappa"),
        ("alpha", "krippendorff_alpha"),
        ("bacc", "macro_accuracy"),
        ("acc", "accuracy"),
        ("tau", "kendall_tau_b"),
        ("rho", "spearman"),
        ("alpha(level='interval')", "krippendorff_alpha(level='interval')"),
        (" qwk ", QUADRATIC),
    ],
)
def test_what_people_type_is_understood(alias, name):
    assert full_name(alias) == name
    assert oe.registry[alias] == oe.registry[name]


def test_results_show_the_full_name_and_are_found_by_either():
    evaluation = oe.evaluate(GOLD, ANSWERS["a"], metrics=["qwk", "mae"], level=None)
    assert list(evaluation) == [QUADRATIC, "mae"]
    assert evaluation["qwk"].value == evaluation[QUADRATIC].value
    comparison = oe.compare(GOLD, ANSWERS, metrics=["mae"], primary="qwk", level=None)
    assert comparison.primary == QUADRATIC
    both = oe.compare(GOLD, ANSWERS, metrics=["qwk", QUADRATIC], primary="qwk", level=None)
    assert both.scores.metrics == (QUADRATIC,)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("qwkk", f"Did you mean qwk ({QUADRATIC})?"),
        ("QKW", f"Did you mean qwk ({QUADRATIC})?"),
        ("baccc", "Did you mean bacc (macro_accuracy)?"),
        ("MAEE", "Did you mean mae?"),
    ],
)
def test_a_name_near_an_alias_is_answered_with_the_alias_and_its_meaning(typed, says):
    with pytest.raises(oe.OrdevalError) as caught:
        oe.registry[typed]
    assert says in str(caught.value)


def test_settings_of_an_alias_are_checked_as_those_of_the_measure():
    with pytest.raises(oe.OrdevalError, match="krippendorff_alpha has no level='cardinal'"):
        oe.registry["alpha(level='cardinal')"]
    with pytest.raises(oe.OrdevalError, match="sets weights twice"):
        oe.registry["qwk(weights='linear')"]


@pytest.mark.parametrize(
    ("alias", "expected"),
    [
        ("amae", 0.5),  # the mean of the errors of classes 0, 1 and 2: (0 + 1/2 + 1) / 3
        ("mmae", 1.0),  # the largest of them
        ("mae", 0.4),  # 2 of 5
        ("uar", 0.5),  # the mean of the recalls 1, 1/2 and 0
        ("bacc", 0.5),
        ("acc", 0.6),
        ("ccr", 0.6),
        ("off1", 1.0),
    ],
)
def test_a_short_name_is_the_measure_of_that_name_in_the_literature(alias, expected):
    assert oe.registry[alias]([0, 0, 1, 1, 2], [0, 0, 1, 2, 1]) == pytest.approx(expected)
