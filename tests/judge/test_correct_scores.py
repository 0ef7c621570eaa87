"""Scores of systems as humans would give them, from few human marks and a judge's many."""

import csv
import io
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ordeval as oe
from ordeval.judge.method_names import METHODS
from tests.examples import examples

HUMAN = [1, 2, 3, 1, 2, 3]
JUDGE = [1, 2, 3, 1, 2, 2]
ANSWERS = [1, 2, 3, 2, 2, 1]
MANY = [1, 2, 3, 3, 2, 1, 2, 3]
MORE = [1, 2, 2, 3, 2, 2, 2, 3]


def drawn(rng, items, judge_right=0.8, system_right=0.7, k=4):
    """Return human marks, a judge's marks and a system's answers that are each right so often, else drawn."""
    human = rng.choice(k, size=items, p=np.arange(1, k + 1) / (k * (k + 1) / 2))

    def noisy(right):
        return np.where(rng.random(items) < right, human, rng.integers(0, k, items))

    return human, noisy(judge_right), noisy(system_right)


def two_parts(human, judge, answers, marked, **options):
    """Return the corrected scores of one system where humans marked the first items."""
    return oe.judge.correct_scores(
        human[:marked], judge[:marked], {"a": answers[:marked]}, judge[marked:], {"a": answers[marked:]},
        labels=range(4), **options,
    )["a"]  # fmt: skip


def test_accuracy_by_ppi_plus_plus_is_the_sum_worked_by_hand():
    found = oe.judge.correct_scores(
        HUMAN, JUDGE, {"a": ANSWERS}, MANY, {"a": MORE}, metrics=["accuracy"], method="ppi++"
    )["a"]["accuracy"]
    # The answers are right on 4 of 6 items by the humans and by the judge, and on the same ones, so that the slope is
    # 1; by the judge alone they are right on 6 of 8: 4/6 + 8/14 (6/8 - 4/6).
    assert found.value == pytest.approx(4 / 6 + 8 / 14 * (6 / 8 - 4 / 6))
    assert found.naive == pytest.approx(10 / 14)
    assert found.human.value == pytest.approx(4 / 6)
    # What the judge explains leaves no error, so that it is worth human marks on all 14 items.
    assert found.error < found.human.error
    assert found.worth == pytest.approx(14)


def test_ppi_gives_the_judge_its_full_weight():
    found = oe.judge.correct_scores(
        HUMAN, JUDGE, {"a": ANSWERS}, MANY, {"a": MORE}, metrics=["accuracy"], method="ppi"
    )["a"]["accuracy"]
    assert found.value == pytest.approx(4 / 6 + (6 / 8 - 4 / 6))


def test_poststratification_is_the_sum_worked_by_hand():
    found = oe.judge.correct_scores(
        [1, 1, 2, 2], [1, 1, 2, 2], {"a": [1, 2, 2, 2]}, [1, 1, 2, 2], {"a": [1, 1, 1, 2]},
        metrics=["accuracy"], method="poststratification",
    )["a"]["accuracy"]  # fmt: skip
    # The judge is always right, so that an item's control is 1 where the answer is the judge's class, minus the mean
    # 3/4; without its own item and with the one that is taken for granted it is the same. Both parts are right on 3/4.
    assert found.value == pytest.approx(3 / 4)
    assert found.methods["human"].value == pytest.approx(3 / 4)


@pytest.mark.parametrize("metric", ["accuracy", "mae", "mse"])
def test_a_judge_who_marks_as_humans_do_gives_the_score_on_all_items(metric):
    human, _, answers = drawn(np.random.default_rng(1), 400)
    found = two_parts(human, human, answers, 60, metrics=[metric], method="ppi++")[metric]
    everything = getattr(oe, metric)(human, answers, labels=range(4))
    assert found.value == pytest.approx(everything)
    assert found.worth == pytest.approx(400)


def test_a_judge_who_always_says_the_same_changes_nothing():
    human, _, answers = drawn(np.random.default_rng(2), 400)
    found = two_parts(human, np.full(400, 2), answers, 60, metrics=["cem_ord", "qwk"])
    for one in found.values():
        # a constant judge still sees which answers the system gave on the other items
        assert one.methods["ppi++"].error <= one.human.error + 1e-12
    assert math.isnan(found["cem_ord"].methods["rogan_gladen"].value)
    assert "cannot tell the classes" in found["cem_ord"].methods["rogan_gladen"].reason


def plain_combination(human, judge, answers, *, marked, measure, about, weight):
    """Return the value and the error of PPI (with a weight) or PPI++ (None), by a loop over items."""
    n, total = marked, len(human)
    others = total - n

    def influences(gold, predicted):
        whole, items = measure(gold, predicted, labels=range(4)), len(gold)
        found = []
        for at in range(items):
            left = measure(np.delete(gold, at), np.delete(predicted, at), labels=range(4))
            found.append((whole - left) * (items - 1))
        return np.nan_to_num(np.array(found))

    own = influences(human[:n], answers[:n])
    own = own - own.mean()
    by_judge = influences(judge, answers)
    here, there = by_judge[:n], by_judge[n:]
    apart = here - here.mean()
    slope = max((own * apart).sum() / (apart**2).sum(), 0.0) if (apart**2).sum() else 0.0
    share = min(slope * others / total, 1.0) if weight is None else weight
    value = measure(human[:n], answers[:n], labels=range(4)) + share * (there.mean() - here.mean())
    if about == "items":
        left = others / total * own - share * apart
        variance = (left**2).sum() / (n - 1) * (1 / n + 1 / others)
    else:
        left = own - share * apart
        variance = (left**2).sum() / (n - 1) / n
        variance += share**2 * ((there - there.mean()) ** 2).mean() / others
    return value, math.sqrt(variance)


@settings(max_examples=examples(25), deadline=None)
@given(
    seed=st.integers(0, 10_000),
    metric=st.sampled_from(["accuracy", "mae", "cem_ord", "macro_accuracy"]),
    about=st.sampled_from(["items", "population"]),
)
def test_the_scores_are_those_of_a_loop_over_items(seed, metric, about):
    rng = np.random.default_rng(seed)
    human, judge, answers = drawn(rng, 70)
    # a class with one item has no leave-one-out by some measures
    human[:4] = judge[:4] = judge[-4:] = np.arange(4)
    human[4:8] = judge[4:8] = judge[-8:-4] = np.arange(4)
    found = two_parts(human, judge, answers, 30, metrics=[metric], about=about)[metric]
    for method, weight in (("ppi++", None), ("ppi", 1.0)):
        value, error = plain_combination(
            human,
            judge,
            answers,
            marked=30,
            measure=getattr(oe, metric),
            about=about,
            weight=weight,
        )
        bounds = oe.registry[metric].bounds
        assert found.methods[method].value == pytest.approx(np.clip(value, *bounds), abs=1e-9)
        assert found.methods[method].error == pytest.approx(error, abs=1e-9)


def plain_poststratification(shares, judge, answers, *, worth, about):
    """Return the value, the error and the worth of a measure that is the mean of worth[human, answer], item by item."""
    n, total, k = len(shares), len(judge), len(worth)
    own = [sum(shares[i][h] * worth[h][answers[i]] for h in range(k)) for i in range(n)]
    mean = sum(own) / n

    def control(mark, answer, without=None):
        # the mean over the human marks of the items that the judge gave this mark, and of one that agrees with it
        found, size = [worth[mark][answer] - mean], 1
        for i in range(n):
            if judge[i] == mark and i != without:
                found += [shares[i][h] * (worth[h][answer] - mean) for h in range(k)]
                size += 1
        return sum(found) / size

    here = np.array([control(judge[i], answers[i], i) for i in range(n)])
    there = np.array([control(judge[i], answers[i]) for i in range(n, total)])
    apart, rest = here - here.mean(), (total - n) / total
    own = np.array(own) - mean
    share = rest * max((own * apart).sum() / (apart**2).sum(), 0.0)
    value = mean + share * (there.mean() - here.mean())
    alone = own.var(ddof=1)
    if about == "items":
        variance = (rest * own - share * apart).var(ddof=1) * (1 / n + 1 / (total - n))
        return value, math.sqrt(variance), alone / (variance + alone / total)
    variance = (own - share * apart).var(ddof=1) / n + share**2 * there.var() / (total - n)
    return value, math.sqrt(variance), alone / variance


@pytest.mark.parametrize("people", [1, 3])
@pytest.mark.parametrize("about", ["items", "population"])
@pytest.mark.parametrize("seed", range(3))
def test_poststratification_is_what_a_loop_over_items_finds(people, about, seed):
    rng = np.random.default_rng(seed)
    truth, judge, answers = drawn(rng, 90, 0.7)
    values = np.array([0.0, 1.0, 10.0, 100.0])
    marks = [
        np.where(rng.random(25) < 0.7, truth[:25], rng.integers(0, 4, 25)) for _ in range(people)
    ]
    shares = np.mean([np.eye(4)[each] for each in marks], axis=0)
    found = oe.judge.correct_scores(
        marks[0] if people == 1 else shares, judge[:25], {"a": answers[:25]}, judge[25:], {"a": answers[25:]},
        metrics=["accuracy", "mae"], about=about, labels=range(4), values=values,
    )["a"]  # fmt: skip
    for metric, worth in (("accuracy", np.eye(4)), ("mae", abs(values[:, None] - values))):
        value, error, marks_worth = plain_poststratification(
            shares, judge, answers, worth=worth, about=about
        )
        one = found[metric]
        assert (one.value, one.error, one.worth) == pytest.approx((value, error, marks_worth))


def plain_inversion(human, judge, others, answers):
    """Return the accuracy of answers to other items, whose judge is turned into humans by hand, with two classes."""
    # P(judge says 1 | human) is a where humans say 1 and b where they say 0: of items of the judge, j0 and j1, those of
    # humans are h1 = (j1 - b (j0 + j1)) / (a - b).
    a, b = judge[human == 1].mean(), judge[human == 0].mean()
    right = total = 0.0
    for answer in (0, 1):
        ones, all_of_it = (others[answers == answer] == 1).sum(), (answers == answer).sum()
        as_ones = (ones - b * all_of_it) / (a - b)
        cells = max(all_of_it - as_ones, 0.0), max(as_ones, 0.0)
        right, total = right + cells[answer], total + sum(cells)
    return right / total


def test_the_error_of_rogan_gladen_is_that_of_leaving_out_each_item_of_both_parts():
    rng = np.random.default_rng(4)
    human = rng.integers(0, 2, 110)
    judge, answers = (np.where(rng.random(110) < right, human, 1 - human) for right in (0.8, 0.7))
    answers[-1], judge[-1] = 0, 1
    n = 40
    found = oe.judge.correct_scores(
        human[:n], judge[:n], {"a": answers[:n]}, judge[n:], {"a": answers[n:]}, metrics=["accuracy"],
        method="rogan_gladen", about="population",
    )["a"]["accuracy"]  # fmt: skip
    parts = human[:n], judge[:n], judge[n:], answers[n:]
    assert found.value == pytest.approx(plain_inversion(*parts))
    marked = [
        plain_inversion(*(np.delete(each, at) for each in parts[:2]), *parts[2:]) for at in range(n)
    ]
    unmarked = [
        plain_inversion(*parts[:2], *(np.delete(each, at) for each in parts[2:]))
        for at in range(70)
    ]
    # (n - 1) / n times the squares; of the other part 69/70 of that, as its variance has the divisor N
    variance = np.var(marked) * (n - 1) + np.var(unmarked) * 69 * 69 / 70
    assert found.error == pytest.approx(math.sqrt(variance))


@settings(max_examples=examples(25), deadline=None)
@given(seed=st.integers(0, 10_000), method=st.sampled_from(["ppi++", "poststratification"]))
def test_an_interval_is_never_wider_than_that_of_the_human_marks_alone(seed, method):
    rng = np.random.default_rng(seed)
    human, judge, answers = drawn(rng, 200, judge_right=rng.random())
    found = two_parts(
        human, judge, answers, 40, metrics=["cem_ord", "accuracy", "qwk"], method=method
    )
    for one in found.values():
        assert one.error <= one.human.error + 1e-12
        assert one.worth >= 40 - 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("about", ["items", "population"])
def test_intervals_cover_the_score_that_humans_would_give(about):
    rng = np.random.default_rng(3)
    hits = dict.fromkeys(("human", "ppi", "ppi++", "poststratification"), 0)
    fixed = drawn(rng, 900)
    truth = oe.cem_ord(fixed[0], fixed[2], labels=range(4))
    for _ in range(200):
        order = rng.permutation(900) if about == "items" else rng.integers(0, 900, 900)
        human, judge, answers = (column[order] for column in fixed)
        found = two_parts(human, judge, answers, 150, metrics=["cem_ord"], about=about)["cem_ord"]
        for name in hits:
            score = found.methods[name]
            hits[name] += score.low <= truth <= score.high
    for name, number in hits.items():
        # 95% of 200 is 190, with a standard error of 3.1
        assert 180 <= number <= 199, (name, number)


@pytest.mark.later
@pytest.mark.parametrize(
    ("draws", "most"), [(30, 5), pytest.param(100, 11, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("about", ["items", "population"])
def test_intervals_cover_where_a_judge_is_nearly_always_right(about, draws, most):
    # Where humans and judge differ on 2% of the items, 50 items may show no difference at all, and the judge's own
    # errors are not seen: the answers are right on 95% by the humans, and on 93% by the judge.
    missed = 0
    for seed in range(draws):
        human, judge, answers = drawn(np.random.default_rng(seed), 600, 0.9733, 0.9333)
        found = two_parts(human, judge, answers, 50, metrics=["accuracy"], about=about)["accuracy"]
        truth = (human == answers).mean() if about == "items" else 0.95
        missed += not found.low <= truth <= found.high
    # 5 of 100 are expected; 12 or more come about once in 200 times, as do 6 or more of 30 once in 300
    assert missed <= most


@pytest.mark.later
def test_items_that_are_no_random_sample_are_noticed():
    rng = np.random.default_rng(4)
    noticed = false_alarms = 0
    for _ in range(40):
        parts = drawn(rng, 600, 0.95, 0.95), drawn(rng, 400, 0.3, 0.3)
        human, judge, answers = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        easy = np.concatenate([rng.permutation(600), np.arange(600, 1000)])
        for chosen, wanted in ((easy, True), (rng.permutation(1000), False)):
            found = oe.judge.correct_scores(
                human[chosen][:150], judge[chosen][:150], {"a": answers[chosen][:150]},
                judge[chosen][150:], {"a": answers[chosen][150:]}, labels=range(4), metrics=["accuracy"],
            )  # fmt: skip
            if wanted:
                noticed += bool(found.warnings)
            else:
                false_alarms += bool(found.warnings)
    assert noticed >= 36
    assert false_alarms <= 3  # 1 in 100 is expected


def test_answers_and_marks_that_are_missing_are_left_out_and_counted():
    found = oe.judge.correct_scores(
        [1, 2, 3, 1, 2, 3, 1], [1, 2, 3, 1, 2, 2, None], {"a": [1, 2, 3, 2, 2, 1, 1]},
        [*MANY, None], {"a": [*MORE, 2]}, metrics=["accuracy"], missing="drop", method="ppi++",
    )  # fmt: skip
    assert found.warnings == ("2 items have no mark of the judge and were left out.",)
    assert found["a"]["accuracy"].value == pytest.approx(4 / 6 + 8 / 14 * (6 / 8 - 4 / 6))


def test_several_humans_who_agree_are_as_one():
    shares = np.eye(3)[np.array(HUMAN) - 1]
    one, several = (
        oe.judge.correct_scores(gold, JUDGE, {"a": ANSWERS}, MANY, {"a": MORE}, labels=[1, 2, 3])[
            "a"
        ]
        for gold in (HUMAN, shares)
    )
    for metric, score in one.items():
        for name, other in several[metric].methods.items():
            assert other.value == pytest.approx(score.methods[name].value, nan_ok=True)
            assert other.low == pytest.approx(score.methods[name].low)


def test_the_marks_of_several_humans_count_by_their_shares():
    # Half of the humans say 1 of each item and half say 2; the answers are 1, and the judge says so, too.
    found = oe.judge.correct_scores(
        np.full((4, 2), 0.5), [1, 2, 1, 2], {"a": [1, 1, 1, 1]}, [1, 2, 1, 2], {"a": [1, 1, 1, 1]},
        labels=[1, 2], metrics=["accuracy"],
    )["a"]["accuracy"]  # fmt: skip
    assert found.value == pytest.approx(0.5)
    assert found.naive == pytest.approx(0.5)
    assert "several humans" in found.methods["rogan_gladen"].reason


def test_distances_of_distributions_and_probabilities_are_refused():
    shares = np.full((6, 3), 1 / 3)
    with pytest.raises(oe.OrdevalError, match="wasserstein compares distributions"):
        oe.judge.correct_scores(
            shares,
            JUDGE,
            {"a": ANSWERS},
            MANY,
            {"a": MORE},
            labels=[1, 2, 3],
            metrics=["wasserstein"],
        )
    with pytest.raises(oe.OrdevalError, match="gives probabilities"):
        oe.judge.correct_scores(
            HUMAN, JUDGE, {"a": shares}, MANY, {"a": MORE}, labels=[1, 2, 3], metrics=["accuracy"]
        )


def test_an_alias_names_a_score_and_an_unknown_name_is_an_error():
    found = oe.judge.correct_scores(
        HUMAN, JUDGE, {"a": ANSWERS}, MANY, {"a": MORE}, metrics=["qwk"]
    )
    assert found["a"]["qwk"].method == "poststratification"
    with pytest.raises(oe.OrdevalError, match="'mae' was not computed"):
        found["a"]["mae"]
    with pytest.raises(oe.OrdevalError, match="there is no system 'b' among 'a'"):
        found["b"]
    with pytest.raises(oe.OrdevalError, match=r"there is no system \[\] among"):
        found[[]]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"unlabelled_judge": [], "unlabelled_systems": {"a": []}}, "nothing to correct"),
        ({"unlabelled_systems": {"b": MORE}}, "system 'a' has no answers to the items that humans did not mark"),
        ({"systems": [1, 2]}, "systems is a list"),
        ({"judge": [1, 2, 3, 1, 2, 9], "labels": [1, 2, 3]}, "9 is not on the scale"),
        ({"judge": [1, 2, 3, 1, 2, "4/5"]}, "'4/5'"),
        ({"unlabelled_judge": [1, 2, 3, 3, 2, 1, 2, "N/A"]}, "N/A"),
        ({"unlabelled_judge": MANY[:-1]}, "unlabelled_judge has 7 marks and system 'a' has 8; both must have one"),
        ({"judge": JUDGE[:-1]}, "human has 6 marks and judge has 5; both must have one for each item"),
        ({"method": "magic"}, "method='magic' is not a choice"),
        ({"about": "everything"}, "about='everything' is not a choice"),
        ({"level": 2}, "level=2"),
        ({"unlabelled_judge": 3}, "unlabelled_judge is a int"),
    ],
)  # fmt: skip
def test_bad_input_is_an_error_that_says_what_is_wrong(change, said):
    arguments = {
        "human": HUMAN, "judge": JUDGE, "systems": {"a": ANSWERS}, "unlabelled_judge": MANY,
        "unlabelled_systems": {"a": MORE}, "metrics": ["accuracy"],
    }  # fmt: skip
    with pytest.raises(oe.OrdevalError, match=said.replace("(", r"\(")):
        oe.judge.correct_scores(**arguments | change)


def test_every_method_stands_beside_the_others_in_every_form():
    found = oe.judge.correct_scores(
        HUMAN, JUDGE, {"a": ANSWERS}, MANY, {"a": MORE}, metrics=["cem_ord"]
    )
    content = found.to_dict()["systems"][0]["scores"]["cem_ord"]
    assert {"naive", "value", "low", "high", "method", "worth"} <= set(content)
    assert set(content["methods"]) == {"human", *METHODS} - {"naive"}
    assert "post-stratification" in found.to_text()
    assert "PPI++" in found.to_markdown()
    assert found.to_frame("polars").shape == (6, 8)


def test_without_a_level_there_are_no_intervals():
    found = oe.judge.correct_scores(
        HUMAN, JUDGE, {"a": ANSWERS}, MANY, {"a": MORE}, metrics=["accuracy"], level=None
    )
    assert found["a"]["accuracy"].low is None
    assert "interval" not in found.to_text().split("Worth")[0]


def test_a_single_human_mark_gives_scores_without_intervals():
    found = oe.judge.correct_scores([1], [1], {"a": [2]}, [2, 3], {"a": [2, 3]}, labels=[1, 2, 3])
    one = found["a"]["accuracy"]
    assert one.human.value == 0.0
    assert (one.low, one.high, one.worth) == (None, None, None)
    assert math.isnan(one.methods["rogan_gladen"].value)
    assert found.marked == 1
    assert "No score is defined" not in str(found)


def test_a_judge_as_it_stands_has_scores_but_no_worth():
    found = oe.judge.correct_scores(
        HUMAN, JUDGE, {"a": ANSWERS}, MANY, {"a": MORE}, metrics=["accuracy"], method="naive"
    )
    assert found["a"]["accuracy"].value == pytest.approx(10 / 14)
    assert list(found.lead) == ["How many human marks the judge is worth cannot be told."]


def many_systems(systems):
    """Systems of which each is right more often than the one before it, on 200 items of which humans marked 50."""
    rng = np.random.default_rng(5)
    human = rng.integers(1, 5, 200)
    judge = np.where(rng.random(200) < 0.7, human, rng.integers(1, 5, 200))
    answers = {
        f"s{at:02}": np.where(
            rng.random(200) < (at + 1) / systems, human, rng.integers(1, 5, 200)
        ).tolist()
        for at in range(systems)
    }
    parts = [{name: given[:50] for name, given in answers.items()}]
    parts.append({name: given[50:] for name, given in answers.items()})
    return human[:50], judge[:50], parts[0], judge[50:], parts[1]


def test_the_corrected_score_stays_on_a_narrow_screen_and_the_best_system_comes_first():
    found = oe.judge.correct_scores(*many_systems(3), metrics=["mae", "cem_ord"])
    lines = found.to_text(width=80).splitlines()
    head = next(at for at, line in enumerate(lines) if line.lstrip().startswith("system"))
    assert "corrected" in lines[head]
    shown = [line.split()[:2] for line in lines[head:] if line.startswith("s0")]
    assert shown[:6] == [
        [name, measure] for measure in ("mae", "cem_ord") for name in ("s02", "s01", "s00")
    ]


def test_very_many_rows_show_the_first_measures_and_csv_has_all():
    found = oe.judge.correct_scores(*many_systems(30))
    text = found.to_text()
    assert len(text.splitlines()) < 150
    assert "CSV and JSON also have mae, weighted_kappa" in text
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))
    assert len(rows) == 30 * 6
    assert {"corrected", "human", "human_low", "naive", "worth"} <= set(rows[0])


def test_a_judge_who_keeps_to_the_middle_counts_with_its_full_weight_and_no_more():
    # Errors are 0 and 4 by the humans, 1 and 2 by the judge: a slope of 4, times 12 of 16 items, is cut to 1. The mean
    # error is 2 by the humans; by the judge it is 1.5 on their items and 2 on the others.
    found = oe.judge.correct_scores(
        [0, 4, 0, 4], [1, 2, 1, 2], {"a": [0] * 4}, [2] * 12, {"a": [0] * 12},
        labels=range(5), metrics=["mae"], method="ppi++",
    )  # fmt: skip
    assert found["a"]["mae"].value == pytest.approx(2 + (2 - 1.5))


def test_a_mark_beyond_those_of_all_humans_is_told_unless_the_classes_were_named():
    judge = [*JUDGE[:-1], 4]
    told = "1 of 14 marks of the judge is beyond those of all humans, who use 1 to 3"
    for labels, expected in ((None, True), ([1, 2, 3, 4], False)):
        found = oe.judge.correct_scores(
            HUMAN, judge, {"a": ANSWERS}, MANY, {"a": MORE}, labels=labels
        )
        mean = oe.judge.correct(HUMAN, judge, MANY, labels=labels)
        for warnings in (found.warnings, mean.warnings):
            assert any(told in warning for warning in warnings) == expected
