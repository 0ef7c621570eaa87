"""Laws of agreement among raters: what must not change it, what must not lower it, where it is undefined."""

import itertools
import math

import numpy as np
import pytest

import ordeval as oe
from tests.raters import random_marks, ratings_of
from tests.tables import measures

LABELS = [1, 2, 3, 4]
MARKS = [random_marks(seed, 30, raters, LABELS) for seed, raters in enumerate((2, 3, 7, 12))]
COMPLETE = [random_marks(seed, 30, 2, LABELS, gaps=0.0) for seed in range(20)]
NAMES = [
    *("krippendorff_alpha", "krippendorff_alpha(level='nominal')"),
    *("krippendorff_alpha(level='interval')", "krippendorff_alpha(level='ratio')"),
    *("gwet_ac1", "gwet_ac2", "fleiss_kappa", "fleiss_kappa(weights='quadratic')"),
    *("conger_kappa", "conger_kappa(weights='linear')", "brennan_prediger", "mae", "cem_ord"),
]
COEFFICIENTS = [name for name in NAMES if oe.registry[name].rater_parts]


def value(name, marks, labels=LABELS, **options):
    return oe.registry[name](ratings_of(marks, labels, **options))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("marks", MARKS, ids=lambda marks: f"{marks.shape[1]} raters")
def test_neither_the_order_of_the_items_nor_that_of_the_raters_matters(name, marks):
    rng = np.random.default_rng(3)
    found = value(name, marks)
    assert math.isfinite(found)
    items, raters = rng.permutation(len(marks)), rng.permutation(marks.shape[1])
    assert value(name, marks[items][:, raters]) == pytest.approx(found, rel=1e-12)


@pytest.mark.parametrize(
    "name", [name for name in COEFFICIENTS if not name.startswith("conger_kappa")]
)
def test_where_nobody_asks_who_gave_a_mark_such_values_are_equal_to_the_last_bit(name):
    for marks in MARKS:
        rng = np.random.default_rng(3)
        shuffled = rng.permuted(marks, axis=1)  # the marks of each item change their raters
        assert value(name, shuffled) == value(name, marks)


@pytest.mark.parametrize("name", NAMES)
def test_a_rater_without_marks_and_an_item_without_marks_change_nothing(name):
    for marks in MARKS:
        wider = np.pad(marks, ((0, 2), (0, 1)), constant_values=np.nan)
        assert value(name, wider) == pytest.approx(value(name, marks), rel=1e-12)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_items_with_one_mark_have_no_part_in_what_was_observed(name):
    """They have none in alpha and in Brennan and Prediger's coefficient at all."""
    for marks in MARKS:
        single = np.full((3, marks.shape[1]), np.nan)
        single[:, 0] = 1
        changed = value(name, np.concatenate([marks, single])) != pytest.approx(value(name, marks))
        assert changed == (not name.startswith(("krippendorff", "brennan")))


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_a_third_rater_who_copies_one_of_two_raises_agreement(name):
    for marks, copied in itertools.product(COMPLETE, (0, 1)):
        with_copy = np.concatenate([marks, marks[:, copied : copied + 1]], axis=1)
        assert value(name, with_copy) > value(name, marks)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_agreement_is_higher_if_every_rater_has_a_copy(name):
    """If one of many has, and is the one who disagrees with all others, it may be lower."""
    for raters in (2, 3, 6):
        marks = random_marks(raters, 40, raters, LABELS, gaps=0.0)
        assert value(name, np.concatenate([marks, marks], axis=1)) > value(name, marks)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_raters_who_all_agree_have_agreement_of_exactly_1(name):
    for marks in MARKS:
        first = marks[:, :1]
        same = np.where(np.isnan(marks), np.nan, np.where(np.isnan(first), 1.0, first))
        assert value(name, same) == 1.0


@pytest.mark.parametrize("metric", measures(), ids=str)
def test_two_raters_without_gaps_have_the_value_of_their_table(metric):
    """A coefficient is one number of both; another measure is the mean of the table's and its transpose's."""
    for marks in COMPLETE:
        first, second = marks.T.astype(int)
        table = oe.Table.from_labels(first, second, labels=LABELS)
        found = metric(ratings_of(marks, LABELS))
        expected = metric(table)
        if metric.rater_parts:
            assert found == expected or (math.isnan(found) and math.isnan(expected))
        else:
            swapped = metric(oe.Table.from_labels(second, first, labels=LABELS))
            both = [v for v in (expected, swapped) if not math.isnan(v)]
            expected = np.mean(both) if both else math.nan
            assert found == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("marks", COMPLETE[:5])
def test_of_two_raters_conger_is_cohens_kappa_and_its_weighted_forms(marks):
    ratings, (first, second) = ratings_of(marks, LABELS), marks.T.astype(int)
    options = {"labels": LABELS}
    assert oe.conger_kappa(ratings) == pytest.approx(oe.cohen_kappa(first, second, **options))
    for weights in ("linear", "quadratic"):
        kappa = oe.weighted_kappa(first, second, weights=weights, **options)
        assert oe.conger_kappa(ratings, weights=weights) == pytest.approx(kappa)


# --- what a level of measurement allows


def renamed(marks, names):
    return np.where(
        np.isnan(marks), np.nan, np.take([np.nan, *names], np.nan_to_num(marks).astype(int))
    )


@pytest.mark.parametrize("marks", MARKS, ids=lambda marks: f"{marks.shape[1]} raters")
def test_alpha_is_invariant_under_what_its_level_allows(marks):
    def alpha(level, names):
        labels = sorted(names)
        return value(f"krippendorff_alpha(level={level!r})", renamed(marks, names), labels)

    plain = {level: alpha(level, LABELS) for level in ("nominal", "ordinal", "interval", "ratio")}
    any_names, rising, line, multiple = [3, 1, 4, 2], [0.5, 7, 8, 99], [7, 9, 11, 13], [3, 6, 9, 12]
    for names in (any_names, rising, line, multiple):
        assert alpha("nominal", names) == pytest.approx(plain["nominal"], rel=1e-12)
    for names in (rising, line, multiple):
        assert alpha("ordinal", names) == pytest.approx(plain["ordinal"], rel=1e-12)
    for names in (line, multiple):
        assert alpha("interval", names) == pytest.approx(plain["interval"], rel=1e-12)
    assert alpha("ratio", multiple) == pytest.approx(plain["ratio"], rel=1e-12)
    # and not under more than that
    assert alpha("ordinal", any_names) != pytest.approx(plain["ordinal"])
    assert alpha("interval", rising) != pytest.approx(plain["interval"])
    assert alpha("ratio", line) != pytest.approx(plain["ratio"])


# --- where there is no value


@pytest.mark.parametrize("metric", measures(), ids=str)
def test_one_rater_is_an_error_that_says_so(metric):
    with pytest.raises(oe.OrdevalError, match="these ratings have 'rater 0' alone"):
        metric(ratings_of([[1], [2]], LABELS))


@pytest.mark.parametrize("metric", measures(), ids=str)
def test_where_nobody_shares_an_item_the_value_is_nan(metric):
    assert math.isnan(metric(ratings_of([[1, None], [None, 2], [2, None]], LABELS)))


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_marks_that_are_all_equal_have_a_value_only_where_chance_does_not_depend_on_them(name):
    """Chance is 1/K for Brennan and Prediger, and AC1 takes a class that everybody gives for no matter of chance."""
    found = value(name, [[2, 2, None], [2, 2, 2], [None, 2, 2]])
    if name.startswith(("gwet", "brennan")):
        assert found == 1.0
    else:
        assert math.isnan(found)


@pytest.mark.parametrize("name", NAMES)
def test_ratings_without_a_mark_are_an_error(name):
    with pytest.raises(oe.OrdevalError, match="there are no marks to score"):
        value(name, [[None, None], [None, None]])


@pytest.mark.parametrize(
    "options",
    [{"missing": "zero"}, {"labels": LABELS}, {"sample_weight": [1]}],
    ids=lambda options: next(iter(options)),
)
def test_ratings_take_neither_labels_nor_policies_beside_them(options):
    with pytest.raises(oe.OrdevalError, match="was given Ratings together with labels"):
        oe.mae(ratings_of(MARKS[1], LABELS), **options)


def test_only_closeness_takes_a_reference_of_ratings_too():
    ratings = ratings_of(MARKS[1], LABELS)
    assert math.isfinite(oe.cem_ord(ratings, reference=[1, 1, 1, 1]))
    for name in ("mae", *COEFFICIENTS):
        with pytest.raises(oe.OrdevalError, match="takes no reference"):
            oe.registry[name](ratings, reference=[1, 1, 1, 1])


def test_a_measure_of_pairs_by_hand():
    """Raters 0 and 1 share items 0 to 2 (distances 0, 1, 0), 0 and 2 share item 3 (distance 2).

    The mean over pairs by their items: (3 * 1/3 + 1 * 2) / (3 + 1) = 3/4.
    """
    marks = [[1, 1, None], [2, 3, None], [4, 4, None], [1, None, 3], [None, 2, None]]
    assert value("mae", marks) == pytest.approx(3 / 4)


def test_fleiss_kappa_by_hand():
    """Three raters, two items: (1, 1, 2) and (2, 2, gap).

    Pairs agree in 1/3 and 1 of the cases, p_a = 2/3; the shares are (2/3, 1/3) and (0, 1), so the mean is 1/3 and 2/3,
    p_e = 5/9: (6/9 - 5/9) / (4/9) = 1/4.
    """
    marks = [[1, 1, 2], [2, 2, None]]
    assert value("fleiss_kappa", marks) == pytest.approx(1 / 4)
    # the same p_a, and p_e = 1/4 on the scale of four classes: (2/3 - 1/4) / (3/4)
    assert value("brennan_prediger", marks) == pytest.approx(5 / 9)
    # raters give the classes (1/2, 1/2), (1/2, 1/2) and (0, 1): pairs agree by chance in 1/2, 1/2 and 1/2: 1/3
    assert value("conger_kappa", marks) == pytest.approx(1 / 3)


def test_values_at_the_ends_of_the_range_of_floats_are_as_good_as_others():
    marks = renamed(MARKS[2], [1, 2, 3, 4])
    for name, size in itertools.product(COEFFICIENTS, (1e300, 1e-300)):
        labels = [label * size for label in LABELS]
        assert value(name, marks * size, labels) == pytest.approx(value(name, marks), rel=1e-12)
