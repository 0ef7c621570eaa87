"""The properties beside the paper's three, and how to add one."""

import math
from itertools import permutations

import numpy as np
import pytest

import ordeval as oe
from ordeval.metrics.references import REFERENCES
from ordeval.properties import Batch, Case, Property, Relation, as_labels, catalogue, check, outputs


def verdict(measure, name, **options):
    return check(measure, properties=name, **options)[0]


def test_the_papers_three_come_first_and_are_the_default():
    three = ["ordinal_invariance", "ordinal_monotonicity", "imbalance"]
    assert list(catalogue)[:3] == three
    assert [one.property for one in check("accuracy", classes=2, items=2)] == three


@pytest.mark.parametrize("name", catalogue)
def test_every_property_has_a_statement_and_a_reference(name):
    assert catalogue[name].statement.endswith(".")
    assert catalogue[name].reference in REFERENCES


# What the definitions say: kappa, tau-b and the correlations treat both sides alike, recalls and Somers' d do not.
@pytest.mark.parametrize(
    ("measure", "holds"),
    [("cohen_kappa", True), ("kendall_tau_b", True), ("accuracy", True), ("mae", True),
     ("macro_accuracy", False), ("somers_d", False), ("purity", False), ("cem_ord", False)],
)  # fmt: skip
def test_symmetry(measure, holds):
    assert verdict(measure, "symmetry").verdict == ("holds" if holds else "refuted")


def test_an_asymmetric_case_is_shown_with_both_gold_standards():
    case = verdict("macro_accuracy", "symmetry").counterexample
    assert (case.gold_worse, case.worse) == (tuple(sorted(case.better)), tuple(sorted(case.gold)))
    assert oe.macro_accuracy(case.gold, case.better) == pytest.approx(case.values[0])
    assert oe.macro_accuracy(case.gold_worse, case.worse) == pytest.approx(case.values[1])


def test_only_the_cosine_knows_the_ends_of_the_scale_apart():
    # Its value depends on where zero lies; closeness, errors and correlations look at differences and order alone.
    for measure in ("cem_ord", "cem_int", "mae", "pearson", "weighted_kappa", "spearman"):
        assert verdict(measure, "reversal_invariance").verdict == "holds"
    assert verdict("cosine", "reversal_invariance").verdict == "refuted"


def test_accuracy_is_weakly_monotonic_though_not_monotonic():
    assert verdict("accuracy", "weak_monotonicity").verdict == "holds"
    assert verdict("accuracy", "ordinal_monotonicity").verdict == "refuted"
    assert verdict("kendall_tau_b", "weak_monotonicity").verdict == "refuted"


@pytest.mark.parametrize(
    ("measure", "holds"),
    [("cem_ord", True), ("accuracy", True), ("mae", True), ("kendall_tau_b", True),
     ("accuracy_within", False), ("mutual_information", False), ("goodman_kruskal_gamma", False)],
)  # fmt: skip
def test_a_perfect_output_alone_is_best(measure, holds):
    assert verdict(measure, "perfect_is_best").verdict == ("holds" if holds else "refuted")


# Chance-corrected measures have 0, mean recall 1 / K; the others rise with the largest class.
@pytest.mark.parametrize(
    ("measure", "holds"),
    [("cohen_kappa", True), ("weighted_kappa", True), ("kendall_tau_b", True), ("pearson", True),
     ("macro_accuracy", True), ("accuracy", False), ("mae", False), ("mutual_information", False)],
)  # fmt: skip
def test_the_level_of_chance(measure, holds):
    assert verdict(measure, "chance_level").verdict == ("holds" if holds else "refuted")


def test_the_level_of_chance_is_the_mean_over_all_orders_of_the_labels():
    case = verdict("cem_ord", "chance_level").counterexample
    for gold, value in zip((case.gold, case.gold_worse), case.values, strict=True):
        orders = [oe.cem_ord(gold, order) for order in permutations(gold)]
        assert math.fsum(orders) / len(orders) == pytest.approx(value)


def test_a_property_of_ones_own_is_judged_like_the_others():
    def all_wrong(evaluate, size):
        for n, k, every in outputs(size):
            labels = size.labels(k)
            tables = every[:]
            wrong = tables[np.trace(tables, axis1=1, axis2=2) == 0]
            values = evaluate(wrong, labels)

            def show(at, wrong=wrong, labels=labels):
                gold, output = as_labels(wrong[at], labels)
                return Case(labels, gold, output, output, "all wrong, and {measure} is {better}")

            yield Batch(n, k, values, np.zeros_like(values), show)

    mine = Property("all_wrong_is_zero", "An output without a right answer has the value 0.", "me",
                    Relation.EQUAL, all_wrong)  # fmt: skip
    assert verdict("accuracy", [mine]).verdict == "holds"
    found = verdict("cem_ord", [mine])
    # 2 items, both wrong: each earns -log2(3/4) of 2 bits.
    assert found.counterexample.values[0] == pytest.approx(math.log2(4 / 3) / 2)
    assert found.sentence == "all wrong, and cem_ord is 0.208"
