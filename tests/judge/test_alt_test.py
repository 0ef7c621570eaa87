"""The alternative annotator test, against printed numbers and an item-by-item loop of its definition."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

import ordeval as oe
from ordeval.judge import alt_test
from ordeval.stats.multiple_testing import adjusted
from tests.calls import calls_of
from tests.examples import examples

# omega and rho of the authors' notebook, as the README of the data prints them
STARS = {
    "gemini_flash": (0.60, 0.82), "gemini_pro": (0.80, 0.87), "gpt-4o": (0.90, 0.90),
    "llama-31": (0.60, 0.85), "gpt-4o-mini": (0.90, 0.89), "mistral-v03": (0.50, 0.83),
}  # fmt: skip
PROMPTS = {
    "gemini_flash": (0.31, 0.67), "gemini_pro": (0.08, 0.63), "gpt-4o": (0.69, 0.76),
    "llama-31": (0.15, 0.67), "gpt-4o-mini": (0.92, 0.80), "mistral-v03": (0.15, 0.67),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "epsilon", "printed"),
    [("restaurant_stars", 0.1, STARS), ("prompt_quality", 0.15, PROMPTS)],
)
def test_winning_rates_and_advantages_are_those_that_the_authors_print(
    shared, name, epsilon, printed
):
    folder = shared / "data" / "llm_judges2025"
    humans = oe.Ratings.from_file(folder / f"{name}_humans.csv.gz")
    judges = oe.Ratings.from_file(folder / f"{name}_judges.csv.gz")
    for judge, (omega, rho) in printed.items():
        found = alt_test(humans, judges.select([judge]), epsilon=epsilon)
        assert (round(found.winning_rate, 2), round(found.advantage, 2)) == (omega, rho)
        assert found.passed == (omega >= 0.5)


def bits(marks, k):
    """Proximity in bits of a mark to another, by the definition: classes from one to the other, half of the first."""
    counts = [sum(mark == label for mark in marks) for label in range(k)]

    def proximity(a, b):
        mass = counts[a] / 2
        if a != b:
            mass += counts[b] + sum(counts[min(a, b) + 1 : max(a, b)])
        return -np.log2(mass / len(marks)) if mass else 700.0

    return proximity


def score_of(score, mark, others, proximity):
    """How close a mark is to the others, by one of the scores."""
    values = [1, 2, 4, 5]
    apart = [values[mark] - values[other] for other in others]
    return {
        "rmse": -np.sqrt(np.mean(np.square(apart))),
        "mae": -np.mean(np.abs(apart)),
        "accuracy": np.mean([mark == other for other in others]),
        "cem_ord": np.mean([proximity(mark, other) for other in others]),
        "wasserstein": -np.mean(np.abs(apart))
        / 4,  # of one mark from several, over the range of the values
    }[score]


def by_the_definition(marks, judge, *, score, epsilon, q, least):
    """What the paper says, item by item; marks[item][human] and judge[item] are classes from 0, or None."""
    kept = [
        at for at, row in enumerate(marks)
        if judge[at] is not None and sum(mark is not None for mark in row) > 1
    ]  # fmt: skip
    proximity = bits([mark for at in kept for mark in marks[at] if mark is not None], 4)
    found = {}
    for human in range(len(marks[0])):
        mine = [at for at in kept if marks[at][human] is not None]
        if len(mine) < least:
            continue
        wins, differences = [], []
        for at in mine:
            others = [
                each for who, each in enumerate(marks[at]) if each is not None and who != human
            ]
            human_score, judge_score = (
                round(score_of(score, each, others, proximity), 9)
                for each in (marks[at][human], judge[at])
            )
            wins.append(judge_score >= human_score)
            differences.append(float(human_score >= judge_score) - float(wins[-1]))
        if np.ptp(differences) == 0:  # the t test has no answer
            p = 0.0 if differences[0] < epsilon else 1.0
        else:
            p = stats.ttest_1samp(differences, epsilon, alternative="less").pvalue
        found[human] = (len(mine), np.mean(wins), np.mean(differences), p)
    if not found:
        return None
    return found, multipletests([p for *_, p in found.values()], alpha=q, method="fdr_by")[1]


mark = st.one_of(st.none(), st.integers(0, 3))


@settings(max_examples=examples(100))
@given(
    rows=st.lists(st.tuples(mark, mark, mark, mark), min_size=4, max_size=40),
    score=st.sampled_from(["rmse", "mae", "accuracy", "cem_ord", "wasserstein"]),
    epsilon=st.sampled_from([0.0, 0.1, 0.2]),
)
def test_the_test_is_what_a_loop_over_items_finds(rows, score, epsilon):
    rows = [(0, 1, None, 3), *rows]  # somebody marked something
    marks, judge = [row[:3] for row in rows], [row[3] for row in rows]
    values = [1, 2, 4, 5]
    labels = [["abcd"[at] if at is not None else None for at in row] for row in rows]
    options = {"labels": list("abcd"), "values": values}
    humans = oe.Ratings.from_array([row[:3] for row in labels], raters=["x", "y", "z"], **options)
    other = oe.Ratings.from_array([row[3:] for row in labels], raters=["gpt"], **options)
    expected = by_the_definition(marks, judge, score=score, epsilon=epsilon, q=0.05, least=3)
    found = alt_test(humans, other, score=score, epsilon=epsilon, least_items=3)
    if expected is None:
        assert np.isnan(found.winning_rate)
        assert not found.passed
        assert "no human marked 3 items or more" in found.reason
        return
    by_human, corrected = expected
    assert [one.rater for one in found.humans] == ["xyz"[at] for at in by_human]
    for one, (items, advantage, difference, p), adjusted_p in zip(
        found.humans, by_human.values(), corrected, strict=True
    ):
        assert one.items == items
        assert one.advantage == pytest.approx(advantage, abs=1e-12)
        assert one.difference == pytest.approx(difference, abs=1e-12)
        assert one.p == pytest.approx(p, abs=1e-9)
        assert one.p_adjusted == pytest.approx(adjusted_p, abs=1e-9)
    assert found.winning_rate == pytest.approx(np.mean(corrected <= 0.05))
    assert found.advantage == pytest.approx(np.mean([each[1] for each in by_human.values()]))


@pytest.mark.parametrize("score", ["rmse", "mae", "wasserstein"])
@pytest.mark.parametrize("unit", [100_000, 1e-12])
def test_who_is_closer_does_not_depend_on_the_unit_of_the_values(score, unit):
    rng = np.random.default_rng(1)
    marks = np.array(list("abcde"))[rng.integers(0, 5, (100, 9))]
    found = []
    for values in ([1, 2, 3, 4, 5], [unit * value for value in (1, 2, 3, 4, 5)]):
        humans, judge = (
            oe.Ratings.from_array(part, raters=names, labels=list("abcde"), values=values)
            for part, names in ((marks[:, 1:], list("12345678")), (marks[:, :1], ["gpt"]))
        )
        found.append(alt_test(humans, judge, score=score))
    assert found[0].humans == found[1].humans


def test_the_rows_say_who_is_beaten():
    # Three humans agree and dee does not: a judge like them is beaten by nobody, and one like dee only ties with dee.
    rows = [[1, 1, 1, 5], [5, 5, 5, 1], [3, 3, 3, 1]] * 20
    humans = oe.Ratings.from_array(rows, raters=["ann", "bob", "cy", "dee"])
    same, away = (
        alt_test(humans, oe.Ratings.from_array([[row[at]] for row in rows], raters=["gpt"]))
        for at in (0, 3)
    )
    assert [row[-1].value for row in same.sheet().rows] == ["yes"] * 4
    assert [(row[0].value, row[-1].value) for row in away.sheet().rows] == [
        ("ann", "no"), ("bob", "no"), ("cy", "no"), ("dee", "yes"),
    ]  # fmt: skip


def test_benjamini_and_yekutieli_adjust_as_statsmodels_does():
    p = np.array([0.001, 0.2, 0.013, 0.04, 0.9, 0.013])
    expected = multipletests(p, method="fdr_by")[1]
    assert adjusted(p, "by") == pytest.approx(expected, abs=1e-15)
    gaps = np.insert(p, 2, np.nan)
    assert adjusted(gaps, "by")[[0, 1, 3, 4, 5, 6]] == pytest.approx(expected, abs=1e-15)


def pair(human, judge, **options):
    """Ratings of humans, from rows of marks, and of the judge gpt."""
    names = [f"item{at}" for at in range(len(human))]
    humans = oe.Ratings.from_array(human, item=names, **options)
    return humans, oe.Ratings.from_array([[each] for each in judge], raters=["gpt"], item=names, **options)  # fmt: skip


def test_items_without_the_judge_or_a_second_human_and_humans_with_few_items_are_counted():
    # 40 items of all three, 5 of two without the third, 3 of the first human alone, 2 that the judge did not mark
    rows = [[1, 2, 2]] * 40 + [[1, 2, None]] * 5 + [[3, None, None]] * 3 + [[1, 1, 1]] * 2
    humans, judge = pair(rows, [2] * 48 + [None] * 2)
    found = alt_test(humans, judge, least_items=41)
    assert found.items == 45
    assert found.items_left_out == 5
    assert [(one.rater, one.items) for one in found.humans] == [("rater 1", 45), ("rater 2", 45)]
    assert found.left_out == {"rater 3": 40}
    text = found.to_text(width=80)
    assert "fewer than 41 items: rater 3." in text
    assert "5 items are left out" in text


def test_a_judge_that_equals_every_human_ties_always_and_is_called_as_good():
    # All differences are 0, below epsilon with no variation: p is 0.
    humans, judge = pair([[1, 1], [2, 2]] * 20, [1, 2] * 20)
    found = alt_test(humans, judge)
    assert [(one.advantage, one.difference, one.p) for one in found.humans] == [(1, 0, 0)] * 2
    assert found.winning_rate == 1
    assert not alt_test(humans, judge, epsilon=0).passed


def test_too_few_items_are_a_stated_value():
    found = alt_test(*pair([[1, 2]] * 10, [1] * 10))
    assert np.isnan(found.winning_rate)
    assert found.to_dict()["winning_rate"] is None
    assert "no human marked 30 items or more" in found.to_dict()["reason"]
    assert "cannot be made" in found.to_text(width=80)


GOOD = pair([[1, 2, 2], [3, 3, 1]] * 20, [1, 3] * 20)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"epsilon": -0.1}, r"epsilon=-0.1 is not a share of items"),
        ({"epsilon": "0.2"}, r"epsilon='0.2' is not a share of items"),
        ({"epsilon": float("nan")}, r"epsilon=nan is not a share"),
        ({"q": 0}, r"the share q of false discoveries is 0; it lies between"),
        ({"least_items": 1}, r"the least number of items of a human is 1"),
        ({"score": "kendall_tau_b"}, r"score='kendall_tau_b' is not a score of single items"),
        ({"score": None}, r"score=None is not a score of single items"),
        ({"score": "rsme"}, r"there is no measure 'rsme'"),
    ],
)
def test_settings_out_of_range_are_refused(settings, said):
    with pytest.raises(oe.OrdevalError, match=said):
        alt_test(*GOOD, **settings)


def test_what_cannot_be_held_against_each_other_is_refused():
    humans, judge = GOOD
    with pytest.raises(oe.OrdevalError, match="alt_test was given a list as judges"):
        alt_test(humans, [1, 2])
    with pytest.raises(oe.OrdevalError, match="the test is of one judge"):
        alt_test(humans, oe.Ratings.from_array([[1, 2]] * 40, raters=["a", "b"]))
    with pytest.raises(oe.OrdevalError, match="'rater 1' is among both the humans and the judges"):
        alt_test(humans, humans.select(["rater 1"]))
    with pytest.raises(oe.OrdevalError, match="there is only one human, 'rater 1'"):
        alt_test(humans.select(["rater 1"]), judge)
    apart = oe.Ratings.from_array([[1, None], [None, 2]] * 20, item=humans.items)
    with pytest.raises(oe.OrdevalError, match="no two humans marked the same item"):
        alt_test(apart, judge)
    elsewhere = oe.Ratings.from_array([[1]] * 40, raters=["gpt"], item=[f"x{i}" for i in range(40)])
    with pytest.raises(
        oe.OrdevalError, match="no answer of 'gpt' is about an item that the raters"
    ):
        alt_test(humans, elsewhere)
    alone = oe.Ratings.from_array([[1, 2], [1, None]], item=["p", "q"])
    only = oe.Ratings.from_array([[1]], raters=["gpt"], item=["q"])
    with pytest.raises(oe.OrdevalError, match="marked no item that two humans or more marked"):
        alt_test(alone, only)


def test_a_judge_may_have_the_name_of_a_human_unless_it_has_the_marks_too():
    marks = np.array([[1, 2, 2], [3, 3, 4], [5, 5, 4]] * 20)
    humans = oe.Ratings.from_array(marks)
    other = marks[:, :1].copy()
    other[0] = 2  # a single mark is not that of the human
    named, unnamed = (
        alt_test(humans, oe.Ratings.from_array(other, raters=names)) for names in (["gpt"], None)
    )
    assert unnamed.judge == "rater 1"
    assert unnamed.humans == named.humans
    assert "The judge rater 1 is not the human of that name" in " ".join(unnamed.caption)
    assert "of that name" not in " ".join(named.caption)
    with pytest.raises(oe.OrdevalError, match=r"'rater 1' is among both .* with the same marks"):
        alt_test(humans, oe.Ratings.from_array(marks[:, :1]))
    few = np.where(np.arange(60)[:, None] < 50, marks[:, :1], np.nan)  # the same where it marks
    with pytest.raises(oe.OrdevalError, match="'rater 1' is among both"):
        alt_test(humans, oe.Ratings.from_array(few))
    swapped = oe.Ratings.from_array(marks[:, [1, 0]])
    assert list(oe.judge.validate(humans, swapped)) == ["rater 1", "rater 2"]
    with pytest.raises(oe.OrdevalError, match="Humans and judges seem to be the same marks"):
        oe.judge.validate(humans, humans)


def test_a_mark_that_is_not_on_the_declared_scale_of_the_humans_is_refused():
    humans = oe.Ratings.from_array([[1, 2, 2]] * 40, labels=[1, 2, 3])
    judge = oe.Ratings.from_array([[7]] + [[1]] * 39, raters=["gpt"])
    with pytest.raises(
        oe.OrdevalError, match=r"a judge gave the mark 7, which is not on the scale"
    ):
        alt_test(humans, judge)
    judge = oe.Ratings.from_array([[2]] * 40, raters=["gpt"])
    assert alt_test(humans, judge).passed


def test_an_item_more_takes_a_few_calls_more_however_many_there_are():
    rng = np.random.default_rng(0)

    def calls_for(items):
        truth = rng.integers(1, 6, items)
        names = [f"item{at}" for at in range(items)]

        def noisy(columns):
            return np.clip(truth[:, None] + rng.integers(-1, 2, (items, columns)), 1, 5)

        humans = oe.Ratings.from_array(noisy(4), item=names)
        judge = oe.Ratings.from_array(noisy(1)[::-1], raters=["gpt"], item=names[::-1])

        def work():
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                assert alt_test(humans, judge).passed  # as noisy as each human, no more

        return calls_of(work)

    # fewer than a loop over the marks would make: each item has five, and each human is tested against three others
    assert calls_for(22_000) - calls_for(2_000) < 20_000 * 4 * 3
