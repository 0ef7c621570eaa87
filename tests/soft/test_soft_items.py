"""Soft scores against plain loops over the items: policies, weights, counts, test cases, pooled runs."""

import itertools
import math

import numpy as np
import pytest

import ordeval as oe
from ordeval.comparison.samples import joint_patterns
from ordeval.comparison.scorer import Scorer
from ordeval.metrics import resolve
from ordeval.stats.jackknife import item_sample
from tests.examples import grid

LABELS = [1, 2, 4, 9]
K = len(LABELS)
N = 48
RNG = np.random.default_rng(11)
SHARES = RNG.multinomial(3, [0.4, 0.3, 0.2, 0.1], N) / 3
GOLD = [LABELS[at] for at in RNG.integers(0, K, N)]
ANSWERS = [None if at % 7 == 3 else LABELS[code] for at, code in enumerate(RNG.integers(0, K, N))]
PROBABILITIES = RNG.dirichlet(np.ones(K), N)
PROBABILITIES[2::9] = np.nan
SURE = [[float(at == label) for at in LABELS] for label in LABELS]
WEIGHTS = RNG.gamma(2, 1, N)
COUNTS = RNG.integers(1, 4, N)
CASES = np.array(["b", "a", "c"])[RNG.integers(0, 3, N)]
DATA = {
    "soft gold and labels": (SHARES, ANSWERS),
    "soft gold and probabilities": (SHARES, PROBABILITIES),
    "labels and probabilities": (GOLD, PROBABILITIES),
}
METRICS = [
    "wasserstein", "manhattan", "cross_entropy", "soft_jensen_shannon", "soft_rps",
    "ranked_probability_score", "log_loss", "brier_score", "accuracy", "mae",
]  # fmt: skip


def rows_of(side):
    """Return a distribution for each item, None where there is none."""
    if not isinstance(side, list):
        return [None if math.isnan(row[0]) else row.tolist() for row in side]
    return [None if label is None else SURE[LABELS.index(label)] for label in side]


def cost(name, gold, answer):
    """Return what one item costs (what it earns, by accuracy), written out class by class."""
    both = list(zip(gold, answer, strict=True))
    if name == "soft_jensen_shannon":
        bits = 0.0
        for g, p in both:
            bits += g * math.log2(2 * g / (g + p)) if g else 0.0
            bits += p * math.log2(2 * p / (g + p)) if p else 0.0
        return bits / 2
    classes = list(enumerate(answer))
    simple = {
        "manhattan": lambda: sum(abs(g - p) for g, p in both),
        "cross_entropy": lambda: -sum(g * math.log(max(p, 1e-12)) for g, p in both),
        "log_loss": lambda: -sum(g * math.log(max(p, 2.0**-52)) for g, p in both),
        # of each label that the gold may be, with its share
        "brier_score": lambda: sum(
            g * sum((p - (i == j)) ** 2 for j, p in classes) for i, g in enumerate(gold)
        ),
        "accuracy": lambda: sum(g * p for g, p in both),
        "mae": lambda: sum(
            g * p * abs(LABELS[i] - LABELS[j]) for i, g in enumerate(gold) for j, p in classes
        ),
    }
    if name in simple:
        return simple[name]()
    total = 0.0
    for cut in range(K - 1):
        below, answered_below = sum(gold[: cut + 1]), sum(answer[: cut + 1])
        if name == "wasserstein":
            step = (LABELS[cut + 1] - LABELS[cut]) / (LABELS[-1] - LABELS[0])
            total += step * abs(below - answered_below)
        elif name == "soft_rps":
            total += (below - answered_below) ** 2 / (K - 1)
        else:  # a gold label is at or below the cut with the chance `below`
            total += below * (1 - answered_below) ** 2 / (K - 1)
            total += (1 - below) * answered_below**2 / (K - 1)
    return total


def without_answer(name, gold, policy, class_weight):
    """Return what an item without an answer costs."""
    if policy == "farthest":
        total = 0.0
        for at, share in enumerate(gold):
            # the mass from the gold class to either end, of which the end itself counts half
            lower = sum(class_weight[: at + 1]) - class_weight[0] / 2
            upper = sum(class_weight[at:]) - class_weight[-1] / 2
            end = SURE[-1 if upper > lower + 1e-9 else 0]
            # a table has the end beside the class that it is far from, a distance the whole distribution
            total += share * cost(name, SURE[at] if name in {"accuracy", "mae"} else gold, end)
        return total
    if name == "accuracy":
        return 0.0
    if name == "mae":  # the largest error of the label that is drawn
        return sum(
            g * max(LABELS[-1] - v, v - LABELS[0]) for g, v in zip(gold, LABELS, strict=True)
        )
    return max(cost(name, gold, sure) for sure in SURE)


def score(name, gold, answers, weights, policy):
    """Return the weighted mean of what the items cost."""
    class_weight = [sum(w * g[at] for g, w in zip(gold, weights, strict=True)) for at in range(K)]
    total = size = 0.0
    for g, a, w in zip(gold, answers, weights, strict=True):
        if a is None and policy == "drop":
            continue
        each = without_answer(name, g, policy, class_weight) if a is None else cost(name, g, a)
        total, size = total + w * each, size + w
    return total / size


@grid(
    "amounts, data, policy",
    itertools.product([None, "sample_weight", "count"], DATA, ["zero", "farthest", "drop"]),
    every=3,
)
def test_a_soft_score_is_the_mean_over_items_under_every_policy(policy, data, amounts):
    y_true, y_pred = DATA[data]
    gold, answers = rows_of(y_true), rows_of(y_pred)
    weights = {None: np.ones(N), "sample_weight": WEIGHTS, "count": COUNTS}[amounts]
    given = {} if amounts is None else {amounts: weights}
    options = {"labels": LABELS, "missing": policy, **given}
    e = oe.evaluate(y_true, y_pred, metrics=METRICS, **options)
    for name in METRICS:
        expected = score(name, gold, answers, weights, policy)
        assert e[name].value == pytest.approx(expected), name
        if oe.registry[name].takes_probabilities or data.startswith("soft gold"):
            assert oe.registry[name](y_true, y_pred, **options) == pytest.approx(expected), name


@pytest.mark.parametrize("policy", ["zero", "farthest", "drop"])
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["even", "weighted"])
def test_soft_scores_of_cases_are_those_of_their_items_and_pooled_ones_of_all(policy, weights):
    systems = {"labels": ANSWERS, "probabilities": PROBABILITIES}
    runs = oe.Runs.from_labels(
        SHARES, systems, case=CASES, labels=LABELS, missing=policy, sample_weight=weights
    )
    averaged, pooled = (oe.compare(each, metrics=METRICS) for each in (runs, runs.pooled()))
    weight = np.ones(N) if weights is None else weights
    for system, side in systems.items():
        answers, gold = rows_of(side), rows_of(SHARES)
        for name in METRICS:
            whole = score(name, gold, answers, weight, policy)
            found = {one.system: one.scores[name].value for one in pooled.leaderboard}
            assert found[system] == pytest.approx(whole), name
            by_case = {}
            for case in "abc":
                items = np.flatnonzero(case == CASES).tolist()
                by_case[case] = score(
                    name,
                    [gold[i] for i in items],
                    [answers[i] for i in items],
                    weight[items],
                    policy,
                )
            found = {one.system: one.scores[name].value for one in averaged.leaderboard}
            assert found[system] == pytest.approx(sum(by_case.values()) / 3), name
            scores = averaged.scores
            at = scores.metrics.index(name), scores.systems.index(system)
            held = dict(zip(scores.cases, scores.case_values[at].tolist(), strict=True))
            assert held == pytest.approx(by_case), name


def test_items_without_any_answer_cannot_be_scored_if_they_are_left_out():
    with pytest.raises(oe.errors.NoItemsError, match="none has an answer"):
        oe.wasserstein([[0.5, 0.5], [0.2, 0.8]], [None, None], labels=[0, 1], missing="drop")


def test_weights_of_probabilities_add_up_to_the_items_that_are_answered():
    """tau-a and alpha count items: in a comparison they are the same as alone, where items are left out."""
    options = {"labels": LABELS, "missing": "drop", "sample_weight": WEIGHTS}
    c = oe.compare(
        SHARES, {"a": PROBABILITIES, "b": ANSWERS}, metrics=["kendall_tau_a", "krippendorff_alpha"],
        **options,
    )  # fmt: skip
    for one in c.leaderboard:
        given = {"a": PROBABILITIES, "b": ANSWERS}[one.system]
        for name, found in one.scores.items():
            alone = oe.registry[name](SHARES, given, **options)
            assert found.value == pytest.approx(alone, rel=1e-12)


def test_the_best_constant_of_pooled_soft_runs_is_that_of_all_items_together():
    """40 items of class 0 in one case and 2 of class 2 in each of two: most items have 0, most cases have 2."""
    gold = [0] * 40 + [2] * 4
    runs = oe.Runs.from_labels(
        gold,
        {"a": np.full((44, 3), 1 / 3)},
        case=["x"] * 40 + ["y", "y", "z", "z"],
        labels=range(3),
    )
    for name in ("accuracy", "wasserstein"):
        assert oe.compare(runs.pooled(), metrics=[name], primary=name).baseline.label == 0
        assert oe.compare(runs, metrics=[name], primary=name).baseline.label == 2


def test_the_order_of_systems_that_give_probabilities_changes_no_p():
    rng = np.random.default_rng(3)
    given = {name: rng.dirichlet(np.full(K, 0.3 + at), N) for at, name in enumerate("abc")}
    given["d"] = given["a"].copy()
    found = []
    for order in ("abcd", "dcba"):
        c = oe.compare(
            SHARES, {name: given[name] for name in order}, labels=LABELS, metrics=["soft_rps"],
            n_resamples=499,
        )  # fmt: skip
        found.append({frozenset((p.a, p.b)): (p.p, p.p_adjusted) for p in c.pairs})
    assert found[0] == found[1]


def test_systems_with_the_same_probabilities_are_known_to_be_alike():
    runs = oe.Runs.from_labels(
        SHARES, {"a": SHARES, "b": PROBABILITIES, "c": SHARES}, labels=LABELS, missing="zero"
    )
    a, b, c = runs.predicted
    assert (a == c).all()
    assert (a != b).any()


def test_rounding_does_not_keep_a_class_alive_whose_only_item_is_left_out():
    """The influence of an item on a macro average is the score minus that of the other items, with weights too."""
    names = ["macro_mae", "macro_accuracy", "min_sensitivity"]
    rng, n = np.random.default_rng(2), 24
    for _ in range(12):
        shares, weights = rng.multinomial(3, [0.6, 0.3, 0.1, 0], n) / 3, rng.gamma(2, 1, n)
        shares[5] = [0, 0, 1 / 3, 2 / 3]  # the only item of the highest class
        given = rng.dirichlet(np.ones(K), n)
        given[7::9] = np.nan
        options = {"labels": LABELS, "missing": "drop"}
        runs = oe.Runs.from_labels(shares, {"a": given}, sample_weight=weights, **options)
        scorer = Scorer(resolve(names), runs.scale, runs.policy)
        (case,) = joint_patterns(runs, scorer=scorer)
        sample = item_sample([case], scorer)
        at = np.flatnonzero(case.shares[case.gold, -1] > 0)
        amount = np.minimum(case.count[at], 1.0)
        raw = sample.influence[:, 0]
        others = np.flatnonzero(
            case.answer[0] == K
        )  # left out already: they show what was taken off
        for m, name in enumerate(names):
            whole = oe.registry[name](shares, given, sample_weight=weights, **options)
            # without all of its weight, or 1 of it
            part = weights.copy()
            part[5] *= 1 - amount[0] / case.count[at[0]]
            some = part > 0
            left = oe.registry[name](shares[some], given[some], sample_weight=part[some], **options)
            expected = (whole - left) / amount[0]
            assert raw[m, at[0]] - raw[m, others[0]] == pytest.approx(expected, rel=1e-6)


def test_only_probabilities_below_epsilon_count_as_epsilon():
    # -(0.5 ln 0.25 + 0.5 ln 0.9): 0.1 is below 0.25
    found = oe.cross_entropy([[0.5, 0.5]], [[0.1, 0.9]], labels=[0, 1], epsilon=0.25)
    assert found == pytest.approx(-(math.log(0.25) + math.log(0.9)) / 2)


def test_labels_without_an_answer_cost_the_most_by_the_measures_of_distributions():
    """Gold 1 and 2 of 1 < 2 < 4; the second has no answer, and 4 is farther from it than 1."""
    options = {"labels": [1, 2, 4], "missing": "zero"}
    runs = oe.Runs.from_labels([1, 2], {"a": [1, None]}, **options)
    expected = {"wasserstein": 2 / 3 / 2, "manhattan": 2 / 2, "soft_jensen_shannon": 1 / 2}
    expected |= {"soft_rps": 0.5 / 2, "cross_entropy": -math.log(1e-12) / 2}
    c = oe.compare(runs, metrics=list(expected), level=None)
    for name, value in expected.items():
        assert c.leaderboard[0].scores[name].value == pytest.approx(value), name


def test_rnod_is_over_the_classes_that_occur_in_gold_and_not_over_those_of_the_answers():
    """Gold (1, 0, 0), answers a third each: from class 1 alone 1 * 1/9 + 2 * 1/9, divided by 2."""
    assert oe.rnod([1, 1, 1], [1, 2, 3], labels=[1, 2, 3]) == pytest.approx(math.sqrt(1 / 6))


def test_weights_near_the_largest_number_change_no_soft_score_and_those_of_0_leave_none():
    side = [[0.5, 0.5], [0.25, 0.75]]
    even = oe.cross_entropy(side, [0, 1], labels=[0, 1])
    large = oe.cross_entropy(side, [0, 1], labels=[0, 1], sample_weight=[8e307, 8e307])
    assert large == pytest.approx(even)
    with pytest.raises(oe.errors.NoItemsError):
        oe.manhattan(side, [0, 1], labels=[0, 1], sample_weight=[0, 0])


def test_a_table_whose_rows_mostly_do_not_sum_to_1_is_not_taken_for_shares():
    marks = [[0.5, 0.5], [2.0, 3.0], [1.0, 3.5]]
    with pytest.raises(oe.OrdevalError, match="y_true") as found:
        oe.accuracy(marks, [0, 1, 1], labels=[0, 1])
    assert "sum to 1" not in str(found.value)
    with pytest.raises(oe.errors.LabelError, match="sum to 1"):
        oe.accuracy([[0.5, 0.5], [0.5, 0.5], [0.5, 0.46]], [0, 1, 1], labels=[0, 1])
    # sums of 1.2 are none that rounding gives
    with pytest.raises(oe.OrdevalError) as found:
        oe.accuracy([[0.5, 0.7], [0.5, 0.7]], [0, 1], labels=[0, 1])
    assert "sum to 1" not in str(found.value)


def test_items_are_spread_over_a_table_in_parts_that_add_up(monkeypatch):
    runs = oe.Runs.from_labels(SHARES, {"a": ANSWERS}, labels=LABELS, missing="zero")
    monkeypatch.setattr("ordeval.inputs.spreading.AT_A_TIME", 7)
    counts = np.zeros((K, K))
    for gold, answer in zip(SHARES, rows_of(ANSWERS), strict=True):
        counts += 0 if answer is None else np.outer(gold, answer)
    np.testing.assert_allclose(runs.table.counts[0], counts)
