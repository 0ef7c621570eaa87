"""Verdicts on measures: against a search over label sequences that shares no code, and cases for a pencil."""

import math
from itertools import product

import numpy as np
import pytest

import ordeval as oe
from ordeval.meta.values import label_measures
from ordeval.properties import check
from ordeval.properties.enumeration import Outputs
from ordeval.properties.subject import Clock, as_subject
from tests.examples import grid

TOLERANCE = 1e-12
THREE = ("ordinal_invariance", "ordinal_monotonicity", "imbalance")


def sequences(items, k):
    """All gold lists, sorted, without empty classes."""
    return [
        gold
        for gold in product(range(1, k + 1), repeat=items)
        if list(gold) == sorted(gold) and set(gold) == set(range(1, k + 1))
    ]


def first_break(measure, items, k, broken):
    """Go through all label sequences of one size, item by item, and tell whether any breaks monotonicity."""
    sign = 1 if measure.greater_is_better else -1
    labels = list(range(1, k + 1))
    for gold in sequences(items, k):
        scores = {
            output: sign * measure(list(gold), list(output), labels=labels)
            for output in product(labels, repeat=items)
        }
        for output, score in scores.items():
            for at, nearer in product(range(items), labels):
                if output[at] < nearer <= gold[at] or output[at] > nearer >= gold[at]:
                    moved = scores[(*output[:at], nearer, *output[at + 1 :])]
                    if not math.isnan(moved - score) and broken(moved, score):
                        return True
    return False


@pytest.mark.parametrize(
    "name",
    ["cem_ord", "accuracy", "accuracy_within", "mae", "cosine", "pearson", "reliability", "somers_d",
     "weighted_kappa", "purity", "cem_ord_flat", "lin_ccc", "max_mae", "macro_precision"],
)  # fmt: skip
def test_monotonicity_is_what_a_search_over_label_sequences_finds(name):
    measure = oe.registry[name]
    sizes = [(2, 2), (3, 2), (3, 3), (4, 2), (4, 3)]
    found = (size for size in sizes if first_break(measure, *size, lambda a, b: a <= b + TOLERANCE))
    smallest = next(found, None)
    verdict = check(name, properties="ordinal_monotonicity", classes=3, items=4)[0]
    assert verdict.verdict == ("holds" if smallest is None else "refuted")
    if smallest is not None:
        case = verdict.counterexample
        assert (len(case.gold), len(case.labels)) == smallest


@pytest.mark.parametrize("name", THREE)
def test_closeness_on_an_ordinal_scale_has_all_three_properties(name):
    verdict = check("cem_ord")[name]
    assert verdict.verdict == "holds"
    assert verdict.complete
    assert verdict.undefined == 0


def test_the_number_of_cases_is_that_of_outputs_and_moves():
    # 2 items of 2 classes, gold 1 2: 2 x 2 outputs. Moves: 1 1 -> 1 2, 2 1 -> 1 1, 2 1 -> 2 2, 2 2 -> 1 2: 4.
    # 3 items of 2 classes, gold 1 1 2 or 1 2 2: 3 x 2 outputs each. Of gold 1 1 2, the pair may go from one wrong to
    # none and from two wrong to one (2, with either answer to the third item: 4), the third item from wrong to right
    # (3, one for each answer to the pair): 7, and 7 for the mirror image.
    verdict = check("cem_ord", properties="ordinal_monotonicity", classes=2, items=3)[0]
    assert verdict.checked == 4 + 7 + 7


def test_imbalance_is_checked_for_every_gold_standard_and_both_directions():
    # 3 classes; sizes (a, b, c) with a != c make one case each. n = 4: 2 1 1, 1 1 2. n = 5: 6 less those with a = c
    # (1 3 1, 2 1 2).
    verdict = check("cem_ord", properties="imbalance", classes=3, imbalance_items=5)[0]
    assert verdict.checked == 2 + 4


def test_accuracy_does_not_see_an_answer_come_nearer():
    # 1 of 3 is right either way.
    case = check("accuracy")["ordinal_monotonicity"].counterexample
    assert (case.gold, case.worse, case.better) == ((1, 2, 3), (1, 1, 1), (1, 1, 2))
    assert case.values == (1 / 3, 1 / 3)
    assert case.sentence == (
        "moving the third item from 1 to 2, closer to its gold class 3, leaves accuracy at 0.333"
    )


def test_cosine_falls_as_an_answer_becomes_right():
    # Gold 1 2 2 has length 3. 1 1 1: 5 / (3 sqrt 3) = 0.962; 1 2 1: 7 / (3 sqrt 6) = 0.953.
    case = check("cosine")["ordinal_monotonicity"].counterexample
    assert (case.gold, case.worse, case.better) == ((1, 2, 2), (1, 1, 1), (1, 2, 1))
    assert case.values == pytest.approx((7 / (3 * 6**0.5), 5 / (3 * 3**0.5)))
    assert "lowers cosine from 0.962 to 0.953" in case.sentence


def test_mae_changes_with_the_values_of_the_classes():
    # One of two items is off by 1, or by 24 - 11 = 13.
    case = check("mae")["ordinal_invariance"].counterexample
    assert (case.gold, case.better) == ((1, 2), (1, 1))
    assert (case.gold_worse, case.worse) == ((11, 24), (11, 11))
    assert case.values == (0.5, 6.5)


def test_mae_counts_errors_in_large_and_small_classes_alike():
    # Appendix B's example: one error of 1 in 4 items either way.
    verdict = check("mae")["imbalance"]
    case = verdict.counterexample
    assert (case.gold, case.better, case.worse) == ((1, 1, 2, 3), (1, 2, 2, 3), (1, 1, 2, 2))
    assert case.values == (0.25, 0.25)
    assert "the first should be lower" in case.sentence


def test_a_lower_value_of_an_error_is_the_better_one():
    assert check("mae")["ordinal_monotonicity"].verdict == "holds"


def test_undefined_values_are_counted_apart_and_shown():
    # Answers all of one class have no rank correlation: gold 1 2 with output 1 1 is the first of them.
    verdict = check("spearman")["ordinal_invariance"]
    assert (verdict.verdict, verdict.undefined > 0) == ("holds", True)
    assert "undefined and count neither way" in verdict.sentence
    example = verdict.undefined_example
    assert (example.gold, example.better) == ((1, 2), (1, 1))
    assert all(math.isnan(value) for value in example.values)
    assert verdict.to_dict()["undefined_example"]["values"] == [None, None]


def test_where_nothing_is_defined_nothing_holds():
    verdict = check(lambda *_: math.nan, greater_is_better=True, properties="imbalance")[0]
    assert (verdict.verdict, verdict.checked) == ("undefined", 0)
    assert verdict.undefined > 0


def test_without_a_case_of_the_size_there_is_no_verdict():
    verdict = check("cem_ord", classes=2)["imbalance"]
    assert (verdict.verdict, verdict.sentence) == ("undefined", "there is no case of this size")


def test_differences_below_the_tolerance_are_equal():
    nudged = lambda g, p: (g == p).mean() - 1e-13 * abs(g - p).sum()  # noqa: E731
    verdict = check(nudged, properties="ordinal_monotonicity")[0]
    assert verdict.verdict == "refuted"
    seen = lambda g, p: (g == p).mean() - 1e-9 * abs(g - p).sum()  # noqa: E731
    assert check(seen, properties="ordinal_monotonicity")[0].verdict == "holds"


def test_progress_is_told_from_the_smallest_size_on():
    steps = []
    check("cem_ord", properties="ordinal_monotonicity", classes=3, items=4, progress=steps.append)
    sizes = [(step.items, step.classes) for step in steps]
    assert sizes == sorted(sizes)
    assert (sizes[0], sizes[-1]) == ((2, 2), (4, 3))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"classes": 1}, "classes is 1; it must be a whole number of at least 2"),
        ({"items": 2.5}, "items is 2.5"),
        ({"budget": 0}, "budget is 0"),
        ({"properties": "monotony"}, "there is no property 'monotony'"),
        ({"properties": []}, "no property was asked for"),
    ],
)
def test_what_cannot_be_searched_is_refused(options, message):
    with pytest.raises(oe.OrdevalError, match=message):
        check("cem_ord", **options)


def test_a_misspelt_measure_is_refused_with_a_suggestion():
    with pytest.raises(KeyError, match="Did you mean cem_ord"):
        check("cem_odr")


def test_what_is_no_measure_and_no_function_is_refused():
    with pytest.raises(TypeError, match="pass a measure, its name, or a function"):
        check(3)


def test_a_measure_may_carry_parameters_and_keeps_the_papers_marks():
    verdicts = check("weighted_kappa(weights='quadratic')", classes=3, items=3)
    assert verdicts.metric == "weighted_kappa(weights='quadratic')"
    assert [verdict.paper for verdict in verdicts] == [False, True, True]
    assert verdicts["ordinal_monotonicity"].agrees is False


def test_labels_may_start_elsewhere():
    # With the values 0 and 1 the cosine of gold 0 1 and output 0 0 has no direction at all.
    verdict = check("cosine", labels_from=0, classes=2, items=2)["ordinal_monotonicity"]
    assert verdict.undefined_example.gold == (0, 1)


# Every measure, with every word that its parameters take.
SETTINGS = [
    measure.with_parameters(**{name: word} if name else {})
    for measure in oe.registry.values()
    for name, word in [
        (None, None),
        *((p.name, w) for p in measure.parameters for w in p.choices if w != p.default),
    ]
]


@grid("measure", SETTINGS, every=3, ids=str)
def test_what_no_renaming_of_the_search_changes_no_other_renaming_changes(measure):
    verdict = check(measure, properties="ordinal_invariance", classes=3, items=4)[0]
    rng = np.random.default_rng(0)
    tables = rng.integers(0, 4, size=(200, 4, 4))
    plain = measure.from_counts(tables, values=[1, 2, 3, 4])
    steps = rng.lognormal(sigma=3, size=(20, 4))
    lowest = 0 if "ratio" in dict(measure.settings).values() else -10  # ratios begin at 0
    others = [measure.from_counts(tables, values=np.cumsum(step) + lowest) for step in steps]
    unchanged = all(np.allclose(plain, other, atol=1e-9, equal_nan=True) for other in others)
    assert unchanged == (verdict.verdict == "holds")


def test_three_classes_are_read_upwards_before_downwards():
    """Imbalance broken for one gold standard alone, whose middle class is larger than both ends of the scale."""

    def rarely_broken(gold, output):
        if list(gold) == [1, 2, 3, 3, 3, 4, 5]:
            return 0.0
        return -sum(1 / np.sum(gold == label) for label in gold[gold != output])

    verdict = check(
        rarely_broken, properties="imbalance", classes=5, imbalance_items=7, greater_is_better=True
    )[0]
    assert verdict.counterexample.better == (1, 2, 3, 3, 4, 4, 5)
    assert verdict.counterexample.worse == (1, 2, 3, 3, 3, 4, 4)


@pytest.mark.parametrize("name", label_measures())
def test_the_values_of_all_outputs_are_those_of_the_measure_whatever_the_labels_before(name):
    # One after the other, as the search asks: the same outputs under other labels, other outputs, and these again.
    subject = as_subject(name, None)
    few, more = Outputs((1, 2, 1)), Outputs((2, 1, 1))
    near, far = np.array([1, 2, 3]), np.array([1, 2, 103])
    for outputs, labels in ((few, near), (few, far), (more, far), (few, near), (more, near)):
        found = subject.values(outputs, labels, Clock(None))
        expected = oe.registry[name].from_counts(outputs[:], values=labels)
        assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_a_measure_of_ones_own_is_called_again_for_every_renaming():
    calls = []

    @oe.measure(greater_is_better=True, name="forgetful")
    def forgetful(counts):
        calls.append(counts.shape)
        return float(len(calls))

    verdict = check(forgetful, properties="ordinal_invariance", items=2)[0]
    assert verdict.verdict == "refuted"
