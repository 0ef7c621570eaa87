"""Values that are scored already go into every function, which gives what it gives for the data itself."""

import math

import numpy as np
import pytest

import ordeval as oe
from ordeval.meta.values import CaseValues, mean_of_defined, read_values
from ordeval.vocabulary import DEFAULT_REFERENCE

NAN = math.nan


def scored(values, metrics=None):
    """Values[measure][system][case] as if they had been scored on test cases."""
    array = np.array(values, dtype=float)[:, None]
    names = tuple(metrics or ("accuracy", "mae", "cem_ord")[: len(array)])
    systems, cases = (tuple(range(size)) for size in array.shape[2:])
    touched = tuple(int(np.isnan(one).sum()) for one in array)
    return CaseValues(names, systems, cases, array, False, "omit", touched)


def in_splits(values, metrics):
    """Values[measure][split][system][case], as random parts give them."""
    array = np.array(values, dtype=float)
    systems, cases = (tuple(range(size)) for size in array.shape[2:])
    return CaseValues(tuple(metrics), systems, cases, array, True, "omit", (0,) * len(array))


def swap_rate(data, metrics=None, **settings):
    return oe.meta.split_halves(data, metrics, **settings).swap_rate


def ranking_similarity(data, metrics=None, **settings):
    return oe.meta.split_halves(data, metrics, **settings).ranking_similarity


@pytest.fixture(scope="module")
def made():
    return oe.simulate.collection(labels=4, cases=5, items=30, ratios=[0.2, 0.5, 0.9], rng=1)


@pytest.mark.parametrize(
    ("function", "settings"),
    [
        (oe.meta.coverage, {"resamples": 20}),
        (oe.meta.robustness, {"resamples": 20}),
        (oe.meta.discriminative_power, {"resamples": 20}),
        (swap_rate, {"splits": 5}),
        (ranking_similarity, {"splits": 5}),
        (oe.meta.rank_agreement, {}),
    ],
)
def test_one_scoring_serves_every_function(made, function, settings):
    names = ["cem_ord", "mae"]
    values = read_values(made.runs, ["mae", "cem_ord"], also=DEFAULT_REFERENCE)
    assert (
        function(values, names, **settings).to_dict()
        == function(made.runs, names, **settings).to_dict()
    )


def test_uir_takes_scored_values_too(made):
    values = read_values(made.runs, ["accuracy", "mae", "cem_ord"])
    found = oe.meta.uir(values, reference=["accuracy", "mae"])
    expected = oe.meta.uir(made.runs, reference=["accuracy", "mae"])
    assert found.to_dict() == expected.to_dict()


def test_a_study_of_scored_values_says_nothing_of_their_input(made):
    values = read_values(made.runs, ["mae", "cem_ord"], also=DEFAULT_REFERENCE)
    content = oe.meta.study(values, ["mae", "cem_ord"], resamples=9).to_dict()
    assert "input" not in content
    whole = oe.meta.study(made.runs, ["mae", "cem_ord"], resamples=9).to_dict()
    assert content["metrics"] == whole["metrics"]


def test_the_mean_leaves_undefined_values_out():
    found = mean_of_defined(np.array([[1.0, NAN, 3.0], [NAN, NAN, NAN]]))
    assert found[0] == 2
    assert math.isnan(found[1])


def test_robustness_leaves_out_the_pairs_of_cases_that_rank_nothing():
    # Rankings of three systems: 1 2 3, 1 3 2 and one tie. Spearman of the first two is 1/2; the other two pairs of
    # cases have none.
    found = oe.meta.robustness(scored([[[1, 1, 5], [2, 3, 5], [3, 2, 5]]]), resamples=0)
    assert found["accuracy"] == pytest.approx(1 / 2)
    assert found.left_out == (2,)


def test_robustness_correlates_over_the_systems_that_both_cases_define():
    # The third system is undefined in the second case: 1 2 against 2 1.
    found = oe.meta.robustness(scored([[[1, 2], [2, 1], [3, NAN]]]), resamples=0)
    assert found["accuracy"] == pytest.approx(-1)


def test_robustness_is_averaged_over_the_splits_and_so_is_its_spread():
    # One split ranks two systems alike on both parts (1), the other in opposite orders (-1): the mean is 0, and the
    # standard deviation of 1 and -1 is sqrt(2).
    values = in_splits([[[[1, 1], [2, 2]], [[1, 2], [2, 1]]]], ["mae"])
    found = oe.meta.robustness(values, resamples=10)
    assert found["mae"] == pytest.approx(0)
    assert found.spread[0] == pytest.approx(math.sqrt(2))
    # The resamples use the two splits in turn; one that drew the same part twice has no pair.
    for of_split, expected in (
        (found.draws["cases"][0, 0::2], 1),
        (found.draws["cases"][0, 1::2], -1),
    ):
        defined = of_split[~np.isnan(of_split)]
        assert defined.size
        assert defined == pytest.approx(np.full(len(defined), expected))


def test_coverage_is_averaged_over_the_splits():
    # The reference is accuracy. In the first split mae orders the two systems as UIR does (1), in the second the other
    # way round (-1).
    up, down = [[1, 1], [2, 2]], [[2, 2], [1, 1]]
    values = in_splits([[up, up], [up, down]], ["accuracy", "mae"])
    found = oe.meta.coverage(values, ["mae"], reference="accuracy", resamples=0)
    assert found["mae"] == pytest.approx(0)
    assert found.spread[0] == pytest.approx(math.sqrt(2))
    assert "2 random parts, 2 times" in found.caption


def test_resamples_are_divided_evenly_among_the_splits():
    # mae follows the reference in the first and third split and opposes it in the second: of 5 resamples of the cases
    # the first split has two, the second two and the third one.
    up, down = [[1, 1], [2, 2]], [[2, 2], [1, 1]]
    values = in_splits([[up, up, up], [up, down, up]], ["accuracy", "mae"])
    found = oe.meta.coverage(values, ["mae"], reference="accuracy", over=["cases"], resamples=5)
    assert found.draws["cases"][0] == pytest.approx([1, 1, -1, -1, 1])


def test_the_halvings_use_the_splits_in_turn():
    # In the first split the two parts disagree, in the second they agree: of 4 halvings two swap.
    values = in_splits([[[[1, 2], [2, 1]], [[1, 1], [2, 2]]]], ["mae"])
    assert swap_rate(values, splits=4)["mae"] == 0.5


def test_uir_is_averaged_over_the_splits():
    # In the first split the second system is better on both parts (-1), in the second on one, and a tie on the other:
    # (1 - 2) / 2.
    values = in_splits([[[[1, 1], [2, 2]], [[1, 1], [2, 1]]]], ["accuracy"])
    assert oe.meta.uir(values, reference="accuracy")[0, 1] == pytest.approx(-0.75)


def test_coverage_of_the_reference_itself_is_that_of_its_ranking():
    # Means 1, 2, 4 on one case each way: every pair is a unanimous improvement of the better system, so UIR is 1 or -1
    # for all six ordered pairs, and the differences are -1, -3, -2, 1, 3, 2. Ranks of the differences, centred: +-1/2,
    # +-5/2, +-3/2; of UIR: +-3/2 each. 2 (1/2 + 5/2 + 3/2) 3/2 / sqrt(2 (1/4 + 25/4 + 9/4) * 6 * 9/4).
    found = oe.meta.coverage(
        scored([[[1, 1], [2, 2], [4, 4]]], ["accuracy"]), reference="accuracy", resamples=0
    )
    assert found["accuracy"] == pytest.approx(13.5 / math.sqrt(17.5 * 13.5))


def test_differences_below_the_tie_are_ties_in_every_ranking():
    # The first two systems are equal up to rounding, so 0.1 + 0.2 is not above 0.3 on any case.
    exact = scored([[[0.3, 0.3], [0.3, 0.3], [0.9, 0.8]]])
    rounded = scored([[[0.1 + 0.2, 0.3], [0.3, 0.1 + 0.2], [0.9, 0.8]]])
    for function, settings in (
        (oe.meta.robustness, {"resamples": 0}),
        (swap_rate, {"splits": 9}),
        (ranking_similarity, {"splits": 9}),
        (oe.meta.coverage, {"resamples": 0, "reference": "accuracy"}),
    ):
        assert function(exact, **settings)["accuracy"] == function(rounded, **settings)["accuracy"]


def test_differences_above_the_tie_are_differences_however_small():
    # The two cases put the two systems in opposite orders, by a thousand millionth.
    values = scored([[[0.5, 0.5 + 1e-9], [0.5 + 1e-9, 0.5]]])
    assert swap_rate(values, splits=4)["accuracy"] == 1
    assert oe.meta.robustness(values, resamples=0)["accuracy"] == pytest.approx(-1)


def test_values_that_a_rounding_boundary_separates_are_ties():
    # Both would round to 12 decimals on different sides, 0.5000000000005 being the boundary.
    low, high = 0.5 + 4.9999e-13, 0.5 + 5.0001e-13
    values = scored([[[low, 0.1], [high, 0.1], [0.9, 0.4]]])
    exact = scored([[[0.5, 0.1], [0.5, 0.1], [0.9, 0.4]]])
    assert oe.meta.robustness(values, resamples=0)["accuracy"] == pytest.approx(1)
    assert oe.meta.robustness(exact, resamples=0)["accuracy"] == pytest.approx(1)


def test_an_odd_case_belongs_to_neither_half():
    # Of three cases each half has one. Cases 1 and 2 put the two systems in opposite orders, case 3 ties them, which is
    # no swap: a halving swaps if it leaves case 3 out, as one in three does.
    found = swap_rate(scored([[[1, 2, 5], [2, 1, 5]]]), splits=3000)
    assert found["accuracy"] == pytest.approx(1 / 3, abs=0.04)
    # 0 or 1 in each halving: the standard deviation of a share of 1/3 is sqrt(2/9)
    assert found.spread[0] == pytest.approx(math.sqrt(2 / 9), abs=0.02)


def test_a_pair_that_a_half_does_not_define_is_left_out_of_the_swap_rate():
    # The third system has no score on the second case, so its pairs have no order there; the first two swap.
    found = swap_rate(scored([[[1, 2], [2, 1], [3, NAN]]]), splits=5)
    assert found["accuracy"] == 1


def test_the_ranking_similarity_counts_the_pairs_that_each_half_ranks():
    # The first half ties systems 1 and 2, the second ranks all three pairs; two pairs agree: 2 / sqrt(2 * 3).
    values = scored([[[1, 1], [1, 2], [2, 3]]])
    assert ranking_similarity(values, splits=5)["accuracy"] == pytest.approx(2 / math.sqrt(6))
    # No pair is ordered on the first half: it has no tau-b, and no swap.
    tied = scored([[[1, 1], [1, 2], [1, 3]]])
    assert math.isnan(ranking_similarity(tied, splits=5)["accuracy"])
    assert swap_rate(tied, splits=5)["accuracy"] == 0


def test_a_pair_that_a_half_does_not_define_is_left_out_of_the_ranking_similarity():
    found = ranking_similarity(scored([[[1, 2], [2, 1], [3, NAN]]]), splits=5)
    assert found["accuracy"] == -1


def test_values_that_were_not_scored_here_have_no_test():
    with pytest.raises(oe.OrdevalError, match="measures are evaluated on Runs or on a Table"):
        oe.meta.discriminative_power(scored([[[1, 2], [2, 3]]]))


@pytest.mark.parametrize("source", ["runs", "table"])
def test_some_of_the_systems_are_told_apart_as_they_are_among_all(made, source):
    values = read_values(getattr(made, source), ["cem_ord", "mae"])
    whole = oe.meta.discriminative_power(values)
    # the pairs of systems 0, 1 and 2 are the first two of all and the one that begins the pairs of system 1
    pairs = [0, 1, len(made.runs.systems) - 1]
    some = oe.meta.discriminative_power(values.keep(np.arange(3)))
    assert some.p == pytest.approx(whole.p[:, pairs])


def test_tau_b_counts_only_the_pairs_that_both_measures_define():
    # Over systems 1 and 2 alone, which the two measures order alike.
    values = scored([[[1, 1], [2, 2], [9, 9]], [[5, 5], [6, 6], [NAN, NAN]]])
    assert oe.meta.rank_agreement(values)["accuracy", "mae"] == 1


def test_tau_b_counts_the_pairs_that_each_measure_ranks():
    # The first measure ties systems 1 and 2, the second ranks all three pairs; two pairs agree: 2 / sqrt(2 * 3).
    values = scored([[[1, 1], [1, 1], [2, 2]], [[1, 1], [2, 2], [3, 3]]])
    assert oe.meta.rank_agreement(values)["accuracy", "mae"] == pytest.approx(2 / math.sqrt(6))


def test_one_case_is_too_few_for_robustness_and_swap_rate():
    one = scored([[[1], [2]]])
    with pytest.raises(oe.OrdevalError, match="robustness needs at least 2"):
        oe.meta.robustness(one)
    with pytest.raises(oe.OrdevalError, match="it cannot be halved"):
        swap_rate(one)
