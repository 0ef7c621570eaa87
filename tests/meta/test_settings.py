"""What is asked for is checked at the door, and what was done is said as it was."""

import numpy as np
import pytest

import ordeval as oe
from ordeval.errors import ParameterError

GOLD = np.arange(120) % 4
CHANCE = np.random.default_rng(0)
SYSTEMS = {
    f"s{one}": np.where(CHANCE.random(120) < 0.2 * one, CHANCE.integers(0, 4, 120), GOLD)
    for one in range(4)
}
PLAIN = oe.Runs.from_labels(GOLD, SYSTEMS)
CASES = oe.Runs.from_labels(GOLD, SYSTEMS, case=np.arange(120) // 20)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: oe.meta.coverage(CASES, "mae", rng=-1), "rng=-1 is not a random seed"),
        (lambda: oe.meta.robustness(CASES, "mae", rng="x"), "rng='x' is not a random seed"),
        (lambda: oe.meta.uir(PLAIN, rng=-1), "rng=-1 is not a random seed"),
        (lambda: oe.meta.split_halves(CASES, "mae", rng=1.5), "rng=1.5 is not a random seed"),
        (lambda: oe.simulate.paper(rng=-1), "rng=-1 is not a random seed"),
        (lambda: oe.meta.robustness(CASES, "mae", level=2), "level is 2"),
        (lambda: oe.meta.discriminative_power(CASES, "mae", level=95), "level is 95"),
        (lambda: oe.meta.discriminative_power(CASES, "mae", flips=0), "flips is 0"),
        (lambda: oe.meta.discriminative_power(PLAIN, "mae", resamples=-1), "resamples is -1"),
        (lambda: oe.meta.discriminative_power(PLAIN, "mae", correction="x"), "correction='x'"),
        (lambda: oe.meta.coverage(CASES, "mae", resamples=-1), "resamples is -1"),
        (lambda: oe.meta.coverage(CASES, "mae", resamples=1.5), "resamples is 1.5"),
        (lambda: oe.meta.robustness(CASES, "mae", resamples=-1), "resamples is -1"),
        (lambda: oe.meta.split_halves(CASES, "mae", splits=0), "splits is 0"),
        (lambda: oe.meta.split_halves(CASES, "mae", resamples=-1), "resamples is -1"),
        (lambda: oe.meta.split_halves(CASES, "mae", level=2), "level is 2"),
        (lambda: oe.meta.coverage(CASES, "mae", reference=[]), "no measure was asked for"),
    ],
)
def test_odd_settings_end_in_our_own_errors(call, message):
    with pytest.raises(ParameterError, match=message):
        call()


def test_weights_are_not_taken_for_numbers_of_items():
    # whole weights, which could be mistaken for counts
    weighted = oe.Runs.from_labels(GOLD, SYSTEMS, sample_weight=np.arange(120) % 3 + 1)
    for function in (oe.meta.coverage, oe.meta.split_halves, oe.meta.study):
        with pytest.raises(oe.OrdevalError, match="weighted items cannot be divided"):
            function(weighted, "mae")
    counted = oe.Runs.from_labels(GOLD, SYSTEMS, count=np.arange(120) % 3 + 1)
    repeated = oe.Runs.from_labels(
        np.repeat(GOLD, np.arange(120) % 3 + 1),
        {name: np.repeat(answers, np.arange(120) % 3 + 1) for name, answers in SYSTEMS.items()},
    )
    found = [oe.meta.coverage(runs, "mae", resamples=0)["mae"] for runs in (counted, repeated)]
    assert found[0] == found[1]


def test_weights_of_any_unit_tell_as_many_pairs_apart():
    weight = np.linspace(0.1, 2, 120)
    for case in (None, np.arange(120) // 20):
        found = [
            oe.meta.discriminative_power(
                oe.Runs.from_labels(GOLD, SYSTEMS, sample_weight=weight * unit, case=case), "mae"
            ).p
            for unit in (1, 1000)
        ]
        assert found[0] == pytest.approx(found[1])


def test_one_reference_measure_may_be_named_alone():
    alone = oe.meta.coverage(CASES, "mae", reference="accuracy", resamples=0)
    listed = oe.meta.coverage(CASES, "mae", reference=[oe.accuracy], resamples=0)
    assert alone.reference == listed.reference == ("accuracy",)
    assert alone["mae"] == listed["mae"]
    assert oe.meta.uir(CASES, reference="accuracy").reference == ("accuracy",)


def test_random_parts_are_called_so_even_if_cut_once():
    found = oe.meta.study(PLAIN, ["mae", "accuracy"], repeats=1, resamples=19)
    assert "4 systems on 10 random parts, once" in found.caption
    assert "On these 4 systems and 10 random parts " in found.recommendation
    assert found.to_dict()["parts_repeats"] == 1


@pytest.mark.parametrize("runs", [PLAIN, CASES])
def test_measures_keep_the_names_they_were_asked_by(runs):
    names = ["weighted_kappa(weights='linear')", "accuracy_within( n = 2 )"]
    found = oe.meta.study(runs, names, resamples=19)
    assert {row["name"] for row in found.to_dict()["metrics"]} == set(names)
    assert found.power.metrics == tuple(names)
