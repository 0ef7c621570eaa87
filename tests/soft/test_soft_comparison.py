"""Soft gold and probabilities in `evaluate` and `compare`: intervals, tests, cases, policies, and the human beside."""

import json

import numpy as np
import pytest
from scipy import stats

import ordeval as oe
from ordeval.comparison.samples import joint_patterns
from ordeval.comparison.score_runs import score_runs
from ordeval.comparison.scorer import Scorer
from ordeval.metrics import resolve
from ordeval.stats.jackknife import item_sample
from tests.soft.test_soft_scores import ANSWERS, GOLD, PROBABILITIES, SHARES, K, draw

OPTIONS = {"labels": range(K)}
NAMES = ["cem_ord", "accuracy", "weighted_kappa(weights='quadratic')", "wasserstein", "soft_rps"]


def soft_score(name, shares, predicted, **options):
    return oe.registry[name](shares, predicted, **OPTIONS, **options)


@pytest.mark.parametrize("predicted", [ANSWERS, PROBABILITIES], ids=["labels", "probabilities"])
def test_the_influence_of_a_soft_item_is_the_score_minus_that_without_it(predicted):
    n = 40
    shares, answers = SHARES[:n], predicted[:n]
    runs = oe.Runs.from_labels(shares, {"a": answers}, **OPTIONS)
    scorer = Scorer(resolve(NAMES), runs.scale, runs.policy)
    sample = item_sample(joint_patterns(runs, scorer=scorer), scorer)
    keep = ~np.eye(n, dtype=bool)
    for m, name in enumerate(NAMES):
        assert sample.estimate.value[m, 0] == pytest.approx(soft_score(name, shares, answers))
        left = np.array([soft_score(name, shares[row], answers[row]) for row in keep])
        found = np.sort(sample.influence[m, 0, sample.place[0]])
        np.testing.assert_allclose(found, np.sort(left.mean() - left), atol=1e-12)


def test_one_hot_items_have_the_intervals_and_tests_of_labels():
    """One more item that is no label makes the others soft, too; without it all are labels."""
    other = np.clip(GOLD + 1, 0, K - 1)
    hard = oe.compare(GOLD, {"a": ANSWERS, "b": other}, metrics=["cem_ord", "mae"], **OPTIONS)
    nearly = np.eye(K)[GOLD]
    runs = oe.Runs.from_labels(GOLD, {"a": ANSWERS, "b": other}, **OPTIONS)
    from dataclasses import replace

    soft_runs = replace(runs, shares=np.eye(K), answers=np.eye(K + 1))
    assert soft_runs.soft
    assert nearly.shape == (len(GOLD), K)
    soft = oe.compare(soft_runs, metrics=["cem_ord", "mae"])
    for one, two in zip(hard.leaderboard, soft.leaderboard, strict=True):
        for name in ("cem_ord", "mae"):
            for end in ("value", "low", "high", "error"):
                found = getattr(two.scores[name], end)
                assert found == pytest.approx(getattr(one.scores[name], end), abs=1e-9)
    for one, two in zip(hard.pairs, soft.pairs, strict=True):
        assert two.p == pytest.approx(one.p, abs=1e-9)
        assert two.p_adjusted == pytest.approx(one.p_adjusted, abs=0.02)


def test_systems_of_labels_and_of_probabilities_compete_in_one_comparison():
    c = oe.compare(
        SHARES, {"labels": ANSWERS, "shares": SHARES, "random": PROBABILITIES},
        metrics=["wasserstein", "cem_ord"], primary="wasserstein", **OPTIONS,
    )  # fmt: skip
    assert c.systems[0] == "shares"
    assert c.best == ("shares",)
    assert c.leaderboard[0].scores["wasserstein"].value == pytest.approx(0, abs=1e-12)
    for one in c.leaderboard:
        given = {"labels": ANSWERS, "shares": SHARES, "random": PROBABILITIES}[one.system]
        for name, score in one.scores.items():
            assert score.value == pytest.approx(soft_score(name, SHARES, given), abs=1e-12)
            assert score.low <= score.value <= score.high


def test_scores_with_test_cases_are_means_over_cases_of_soft_scores():
    case = np.arange(len(GOLD)) % 4
    c = oe.compare(
        oe.Runs.from_labels(SHARES, {"a": ANSWERS, "b": PROBABILITIES}, case=case, **OPTIONS),
        metrics=NAMES,
    )  # fmt: skip
    given = {"a": ANSWERS, "b": PROBABILITIES}
    for one in c.leaderboard:
        for name in NAMES:
            parts = [
                soft_score(name, SHARES[case == at], given[one.system][case == at])
                for at in range(4)
            ]
            assert one.scores[name].value == pytest.approx(np.mean(parts))


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_bootstrap_intervals_of_soft_items_are_near_the_jackknife_ones(method):
    n = 400
    _, answers, shares, _ = draw(n, seed=3)
    wide = {"metrics": ["cem_ord", "soft_rps"], **OPTIONS}
    t = oe.evaluate(shares, answers, **wide)
    drawn = oe.evaluate(shares, answers, method=method, n_resamples=1999, **wide)
    for name in wide["metrics"]:
        width = t[name].high - t[name].low
        assert drawn[name].low == pytest.approx(t[name].low, abs=0.2 * width)
        assert drawn[name].high == pytest.approx(t[name].high, abs=0.2 * width)


def test_the_interval_of_a_mean_over_soft_items_is_that_of_student():
    """The jackknife error of a mean is its standard error: the deviation of the items over the root of their number."""
    costs = ((SHARES - PROBABILITIES).cumsum(axis=1)[:, :-1] ** 2).sum(axis=1) / (K - 1)
    scores = score_runs(
        oe.Runs.from_labels(SHARES, {"a": PROBABILITIES}, **OPTIONS), metrics=["soft_rps"]
    )
    expected = costs.std(ddof=1) / np.sqrt(len(costs))
    assert scores.samples[0].estimate.plain[0, 0] == pytest.approx(expected)


def test_missing_answers_to_soft_items_follow_the_policy():
    soft = np.array([[0.5, 0.5, 0], [0, 0.25, 0.75]])
    answers = [1, None]
    options = {"labels": [1, 2, 3]}
    # by wasserstein the first item costs 0.5 / 2; the farthest answer to the second is 1: (0.25 * 1 + 0.75 * 2) / 2
    for policy, expected in (("zero", (0.25 + 0.875) / 2), ("drop", 0.25)):
        e = oe.evaluate(soft, answers, metrics=["wasserstein"], missing=policy, **options)
        assert e["wasserstein"].value == pytest.approx(expected)
    # the first item has the right class with 0.5, the second earns nothing
    assert oe.evaluate(soft, answers, metrics=["accuracy"], missing="zero", **options)[
        "accuracy"
    ].value == pytest.approx(0.25)


def test_the_best_constant_is_found_among_soft_items():
    shares = np.array([[0.6, 0.0, 0.4]] * 30 + [[0.4, 0.2, 0.4]] * 30)
    e = oe.evaluate(shares, [1] * 60, labels=[1, 2, 3], metrics=["accuracy", "mae"])
    # the lowest class has the largest share: (0.6 + 0.4) / 2
    assert (e.baseline.label, e.baseline.scores["accuracy"]) == (1, pytest.approx(0.5))
    by_distance = oe.evaluate(shares, [1] * 60, labels=[1, 2, 3], metrics=["wasserstein"])
    # always 2 is at most 1 away: (1.0 + 0.8) / 2 / 2; always 1 costs 0.8 and 0.2 + 0.8
    assert by_distance.baseline.label in {1, 2}
    assert by_distance.baseline.scores["wasserstein"] == pytest.approx(0.45)


def test_the_result_says_what_soft_scores_mean():
    e = oe.evaluate(SHARES, PROBABILITIES, **OPTIONS)
    assert "a gold label drawn from the shares" in e.caption
    assert "not of the most probable class" in e.caption
    assert json.loads(e.to_json())["input"]["items"] == len(SHARES)
    assert "drawn" not in oe.evaluate(GOLD, ANSWERS, **OPTIONS).caption


def test_soft_runs_cannot_be_divided_at_random_and_say_so():
    runs = oe.Runs.from_labels(SHARES, {"a": ANSWERS, "b": PROBABILITIES}, **OPTIONS)
    with pytest.raises(oe.errors.DataError, match="cannot be divided into random parts"):
        oe.meta.split_halves(runs)


MARKS = np.array(
    [[1, 1, 2], [2, 2, 2], [3, 2, 3], [1, 2, 1], [3, 3, 3], [2, 3, 2], [1, 1, 1], [3, 3, 1]] * 5
)


def against_others(given):
    """Return the mean accuracy of an answer to the items against the two others, for each rater in turn."""
    scores = []
    for rater in range(3):
        others = np.delete(MARKS, rater, axis=1)
        answer = MARKS[:, rater] if given is None else given
        scores.append((others == answer[:, None]).mean())
    return np.mean(scores)


def test_a_human_is_shown_beside_the_systems_and_they_are_held_to_the_same():
    ratings = oe.Ratings.from_array(MARKS, raters=["ann", "bob", "cy"])
    a = np.array([1, 2, 3, 1, 3, 2, 1, 3] * 5)
    b = np.array([3, 2, 1, 1, 2, 2, 3, 3] * 5)
    c = oe.compare(ratings, {"a": a, "b": b}, metrics=["accuracy", "cem_ord"])
    assert c.ceiling["accuracy"].value == pytest.approx(against_others(None))
    content = json.loads(c.to_json())
    assert content["ceiling"]["accuracy"]["value"] == pytest.approx(against_others(None))
    for system in content["systems"]:
        beside = system["beside_human"]["accuracy"]
        given = {"a": a, "b": b}[system["name"]]
        assert beside["value"] == pytest.approx(against_others(given))
        assert beside["difference"] == pytest.approx(against_others(given) - against_others(None))
        assert beside["low"] <= beside["difference"] <= beside["high"]
    text = c.to_text()
    assert "A human reaches" in text
    assert "a human" in text


def test_systems_may_be_ratings_that_are_matched_by_item():
    humans = oe.Ratings.from_array(
        MARKS[:4], raters=["ann", "bob", "cy"], item=["p", "q", "r", "s"]
    )
    judges = oe.Ratings.from_array(
        [[3, 1], [1, 2], [2, 2], [1, 1], [2, 3]],
        raters=["x", "y"],
        item=["s", "p", "q", "other", "r"],
    )
    runs = oe.Runs.from_labels(humans, judges)
    by_hand = oe.Runs.from_labels(humans, {"x": [1, 2, 2, 3], "y": [2, 2, 3, 1]})
    assert (runs.table.counts == by_hand.table.counts).all()
    assert (
        oe.compare(humans, judges).systems
        == oe.compare(humans, {"x": [1, 2, 2, 3], "y": [2, 2, 3, 1]}).systems
    )
    with pytest.raises(oe.errors.DataError, match="no answer of 'x', 'y' is about an item"):
        oe.compare(humans, oe.Ratings.from_array([[1, 2]], raters=["x", "y"], item=["elsewhere"]))
    with pytest.raises(oe.errors.LabelTypeError, match="matched by item"):
        oe.compare([1, 2, 3, 1], judges)


def test_one_rater_or_weights_have_no_human_beside():
    alone = oe.Ratings.from_array([[1], [2], [3]], raters=["ann"])
    assert oe.evaluate(alone, [1, 2, 2]).ceiling == {}
    ratings = oe.Ratings.from_array(MARKS[:6], raters=["ann", "bob", "cy"])
    assert oe.evaluate(ratings, [1, 2, 3, 1, 3, 2], sample_weight=[1, 2, 3, 1, 1, 1]).ceiling == {}
    assert oe.evaluate([1, 2, 3], [1, 2, 2]).ceiling == {}


@pytest.mark.parametrize(
    "name", ["wasserstein", "soft_rps", "soft_jensen_shannon", "cross_entropy"]
)
def test_a_human_is_held_against_the_shares_of_the_others_by_measures_of_distributions_too(name):
    ratings = oe.Ratings.from_array(MARKS, raters=["ann", "bob", "cy"])
    given = np.random.default_rng(0).dirichlet(np.ones(3), len(MARKS))
    content = oe.evaluate(ratings, given, metrics=[name])
    one_hot, options = np.eye(3), {"labels": [1, 2, 3]}
    human, system = [], []
    for rater in range(3):
        shares = one_hot[np.delete(MARKS, rater, axis=1) - 1].mean(axis=1)
        human.append(oe.registry[name](shares, one_hot[MARKS[:, rater] - 1], **options))
        system.append(oe.registry[name](shares, given, **options))
    assert content.ceiling[name].value == pytest.approx(np.mean(human))
    assert content.scores.beside_human.values[0, 0] == pytest.approx(np.mean(system))
    assert oe.agree(ratings, ceiling=[name]).ceiling[name].value == pytest.approx(np.mean(human))


def test_the_human_beside_pooled_scores_is_pooled_and_draws_whole_cases():
    """Without each case in turn the difference is d - t_c: the error is the root of (5 - 1) / 5 of their squares."""
    rng = np.random.default_rng(5)
    gold = rng.integers(1, 4, 60)
    marks = np.clip(gold[:, None] + rng.integers(-1, 2, (60, 3)), 1, 3)
    answers = np.clip(gold + rng.integers(0, 2, 60), 1, 3)
    case = np.sort(rng.integers(0, 5, 60))
    options = {"raters": ["ann", "bob", "cy"], "labels": [1, 2, 3]}
    ratings = oe.Ratings.from_array(marks, **options)
    runs = oe.Runs.from_labels(ratings, {"a": answers}, case=case)
    one = oe.evaluate(oe.Ratings.from_array(marks, **options), answers, metrics=["accuracy"])

    def apart(keep):
        """Return the human, and how far the system is ahead, on some of the items."""
        human, system = [], []
        for rater in range(3):
            others = np.delete(marks, rater, axis=1)[keep]
            human.append((others == marks[keep, rater, None]).mean())
            system.append((others == answers[keep, None]).mean())
        return np.mean(human), np.mean(system) - np.mean(human)

    every = np.ones(60, dtype=bool)
    assert one.ceiling["accuracy"].value == pytest.approx(apart(every)[0])
    left = np.array([apart(case != at) for at in range(5)])
    plain_human, plain = np.sqrt(((left - left.mean(axis=0)) ** 2).sum(axis=0) * 4 / 5)
    for scores in (
        score_runs(runs, metrics=["accuracy"], pooled=True),
        score_runs(runs.pooled(), metrics=["accuracy"]),
    ):
        assert scores.ceiling["accuracy"].value == pytest.approx(apart(every)[0])
        beside = scores.beside_human
        assert beside.difference[0, 0] == pytest.approx(apart(every)[1])
        # two pseudo-items add a little to the error of t with 4 degrees of freedom
        half = (beside.high[0, 0] - beside.low[0, 0]) / 2 / stats.t.ppf(0.975, 4)
        assert plain < half < plain * 1.5
        human = scores.ceiling["accuracy"]
        half = (human.high - human.low) / 2 / stats.t.ppf(0.975, 4)
        assert plain_human < half < plain_human * 1.5
    by_case = [apart(case == at)[0] for at in range(5)]
    averaged = score_runs(runs, metrics=["accuracy"]).ceiling["accuracy"]
    assert averaged.value == pytest.approx(np.mean(by_case))


def test_a_single_test_case_has_an_interval_of_the_human_by_its_items():
    ratings = oe.Ratings.from_array(MARKS, raters=["ann", "bob", "cy"])
    answers = np.resize([1, 2, 3], len(MARKS))
    plain = oe.compare(oe.Runs.from_labels(ratings, {"a": answers}), metrics=["accuracy"])
    one = oe.compare(
        oe.Runs.from_labels(ratings, {"a": answers}, case=["x"] * len(MARKS)), metrics=["accuracy"]
    )
    assert one.ceiling["accuracy"].low == pytest.approx(plain.ceiling["accuracy"].low)
    assert one.ceiling["accuracy"].high == pytest.approx(plain.ceiling["accuracy"].high)


def test_a_fixed_distribution_is_fixed_for_the_human_too():
    ratings = oe.Ratings.from_array(MARKS, raters=["ann", "bob", "cy"])
    answers = np.resize([1, 2, 3], len(MARKS))
    free, fixed = (
        oe.evaluate(ratings, answers, metrics=["cem_ord"], distribution=each).ceiling["cem_ord"]
        for each in ("resampled", "fixed")
    )
    assert fixed.value == free.value
    assert fixed.low != free.low


def judged(**answers):
    humans = oe.Ratings.from_array(MARKS, raters=["ann", "bob", "cy"])
    return oe.compare(humans, answers, metrics=["accuracy"], primary="accuracy")


def test_every_system_is_held_against_a_human_in_words():
    good, bad = np.sort(MARKS)[:, 1], 4 - np.sort(MARKS)[:, 1]  # the median mark, and its opposite
    said = " ".join(judged(good=good, human=MARKS[:, 0], bad=bad).lead)
    assert "scored in the same way, good reaches" in said
    assert "Of the others, " in said
    assert "bad is significantly worse (each tested alone)." in said
    assert "Of the others" not in " ".join(judged(good=good, bad=bad).lead)
    assert "The other, bad, is significantly worse." in " ".join(judged(good=good, bad=bad).lead)
    assert "each tested" not in " ".join(judged(good=good).lead)


def test_tables_say_what_the_row_of_a_human_holds():
    c = judged(good=np.sort(MARKS)[:, 1], one=MARKS[:, 0])
    assert "A human: the mean over the raters" in c.to_text(width=400)
    latex = c.to_latex()
    assert "A human: the mean over the raters" in latex
    assert "Italics: what a human reaches, and the best constant answer." in latex
    row = next(line for line in latex.splitlines() if "a human}" in line)
    assert "[" not in row  # a paper's table has no intervals
    assert "A human" not in oe.compare(GOLD, {"a": ANSWERS}, **OPTIONS).to_text(width=400)


def test_measures_of_distributions_are_not_said_to_draw_labels():
    alone = oe.evaluate(SHARES, PROBABILITIES, metrics=["wasserstein"], **OPTIONS).caption
    assert "wasserstein compares the distributions themselves." in alone
    assert "drawn" not in alone
    both = oe.evaluate(SHARES, PROBABILITIES, metrics=["wasserstein", "cem_ord"], **OPTIONS).caption
    assert "a gold label drawn from the shares" in both
    assert "wasserstein compares the distributions themselves." in both


def test_the_sentence_about_a_human_knows_which_direction_is_better():
    """Always the middle class is farther from the raters than they are from each other, by every measure."""
    marks = np.resize([[1, 1, 1], [3, 3, 3], [1, 1, 1], [3, 3, 2]], (80, 3))
    ratings = oe.Ratings.from_array(marks, raters=["ann", "bob", "cy"])
    worse = oe.compare(ratings, {"a": [2] * 80}, metrics=["wasserstein"], primary="wasserstein")
    assert "which is significantly worse" in worse.to_text(width=400)
    better = oe.compare(ratings, {"a": marks[:, 0]}, metrics=["wasserstein"], primary="wasserstein")
    # one mark of twelve differs: the rater who gave it is farther from the two others than the system is
    assert "which is significantly better" in better.to_text(width=400)
    # the marks of cy but for a single item are hardly better than a human
    marks_of_cy = np.where(np.arange(80) == 3, 3, marks[:, 2])
    near = oe.compare(ratings, {"a": marks_of_cy}, metrics=["mae"], primary="mae")
    assert 0.05 < near.to_dict()["systems"][0]["beside_human"]["mae"]["p"] < 0.9
    assert "which is not significantly different" in near.to_text(width=400)


def test_items_that_a_system_left_out_cost_nothing_beside_a_human():
    """Against ann's others, bob's and cy's: by each rater in turn the mean distance on the items with an answer."""
    ratings = oe.Ratings.from_array(MARKS, raters=["ann", "bob", "cy"])
    answers = [None if at % 5 == 0 else 1 + at % 3 for at in range(len(MARKS))]
    scores = score_runs(
        oe.Runs.from_labels(ratings, {"a": answers}, missing="drop"), metrics=["wasserstein"]
    )
    kept = [at for at, answer in enumerate(answers) if answer is not None]
    given = np.array([answers[at] for at in kept])
    by_rater = [
        np.abs(np.delete(MARKS, rater, axis=1)[kept] - given[:, None]).mean() / (3 - 1)
        for rater in range(3)
    ]
    assert scores.beside_human.values[0, 0] == pytest.approx(np.mean(by_rater))


def test_some_of_the_systems_of_soft_patterns_have_their_own_tables():
    given = {"a": [1, None, 2, 2], "b": [[0.5, 0.5], [0.1, 0.9], [np.nan] * 2, [1.0, 0.0]]}
    runs = oe.Runs.from_labels(
        [1, 2, 2, 1], given, labels=[1, 2], missing="drop", sample_weight=[1, 2, 3, 4]
    )
    scorer = Scorer(resolve(["soft_rps"]), runs.scale, runs.policy)
    (case,) = joint_patterns(runs, scorer=scorer)
    np.testing.assert_array_equal(case.of_systems(slice(1, 2)).observed, case.observed[1:])
    np.testing.assert_array_equal(case.of_system(0).observed, case.observed[:1])


def test_a_rater_without_a_score_is_left_out_for_the_systems_too():
    """cy always gives 2 and has no tau, so that a system is held against the others of ann and of bob alone."""
    marks = MARKS.copy()
    marks[:, 2] = 2
    answers = 1 + np.arange(len(marks)) % 3
    ratings = oe.Ratings.from_array(marks, raters=["ann", "bob", "cy"], labels=[1, 2, 3])
    scores = score_runs(oe.Runs.from_labels(ratings, {"a": answers}), metrics=["kendall_tau_b"])
    expected = [
        oe.kendall_tau_b(
            np.eye(3)[np.delete(marks, rater, axis=1) - 1].mean(axis=1), answers, labels=[1, 2, 3]
        )
        for rater in range(2)
    ]
    assert scores.beside_human.values[0, 0] == pytest.approx(np.mean(expected))


def test_systems_that_share_their_items_have_them_once_however_their_shares_are_rounded():
    rng = np.random.default_rng(0)
    shares = rng.integers(1, 4, (700, K)) / 1.0
    shares /= shares.sum(axis=1, keepdims=True)
    given = {"a": rng.integers(0, K, 700), "b": rng.dirichlet(np.ones(K), 700)}
    runs = oe.Runs.from_labels(shares, given, **OPTIONS)
    # Whether rounding makes these sums differ depends on the processor, so they need only be near.
    assert runs.table.cells.sum(axis=(-1, -2)) == pytest.approx(700, rel=1e-12)
    content = oe.compare(runs, metrics=["accuracy"]).to_dict()
    assert content["input"]["items"] == 700


def test_an_unseen_error_costs_some_times_what_answers_cost_by_a_measure_without_a_largest_cost():
    """Even answers cost ln 2 each; a wrong pseudo-item costs 5 ln 2 and not 36, and a right one nothing."""
    gold, rows = [0, 1] * 20, np.full((40, 2), 0.5)
    sample = score_runs(
        oe.Runs.from_labels(gold, {"a": rows}, labels=[0, 1]), metrics=["log_loss"]
    ).samples[0]
    # One pseudo-item in 41, right or wrong with the same chance, moves the score to (40 + 5 / 2) ln 2 / 41.
    assert sample.estimate.value[0, 0] == pytest.approx(np.log(2))
    assert sample.estimate.centre[0][0, 0] == pytest.approx(42.5 / 41 * np.log(2))


@pytest.mark.slow
@pytest.mark.parametrize("n", [100, 300])
def test_intervals_of_log_loss_keep_their_level_and_are_not_much_wider_than_they_need_be(n):
    rng = np.random.default_rng(1)

    def drawn(size):
        rows = rng.dirichlet(np.ones(3), size)
        return (rng.random((size, 1)) > rows.cumsum(axis=1)[:, :-1]).sum(axis=1), rows

    # E(-ln p) of a class drawn from p: 3 E(-p ln p) with p from Beta(1, 2), which is digamma(4) - digamma(2)
    truth = 1 / 2 + 1 / 3
    scores = [
        oe.evaluate(*drawn(n), labels=range(3), metrics=["log_loss"])["log_loss"]
        for _ in range(400)
    ]
    held = np.mean([score.low <= truth <= score.high for score in scores])
    assert 0.925 <= held <= 0.985
    width = np.mean([score.high - score.low for score in scores])
    assert width < 1.35 * 2 * 1.96 * np.std([score.value for score in scores])
