"""Conformal sets from the caller's side: the promise on public data, what is refused, and what the result says."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import ordeval as oe
from ordeval.decide import ClassCoverage
from ordeval.errors import DataError, LabelError, ParameterError
from ordeval.scale import Scale

CLASSES = ["low", "mid", "high"]
# In order of what the gold class needs: 0 where it is the most probable one, else the mass of the set before it.
ROWS = [[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6], [0.5, 0.4, 0.1]]
GOLD = ["low", "high", "high", "low"]
SPLITS = 200


def simulated(n, k=5, seed=0):
    """Return rows of probabilities of a latent variable, and gold classes that are drawn from them."""
    rng = np.random.default_rng(seed)
    place, width = 1.5 * rng.normal(size=(n, 1)), 0.3 + rng.random((n, 1))
    below = 1 / (1 + np.exp(-(np.linspace(-2, 2, k - 1) - place) / width))
    edges = np.concatenate([np.zeros((n, 1)), below, np.ones((n, 1))], axis=1)
    return np.diff(edges, axis=1), (rng.random((n, 1)) > below).sum(axis=1)


def coverage_over_splits(rows, gold, **options):
    """Return, for random halves, how many items of each class the other half has and how many its sets hold."""
    rng = np.random.default_rng(11)
    k = rows.shape[1]
    items, held = np.zeros(k), np.zeros(k)
    for _ in range(SPLITS):
        half, other = np.split(rng.permutation(len(gold)), 2)
        found = oe.decide.sets(rows[half], gold[half], labels=range(k), **options)
        low, high = found.predict(rows[other]).T
        items += np.bincount(gold[other], minlength=k)
        held += np.bincount(gold[other], (low <= gold[other]) & (gold[other] <= high), k)
    return items, held


@pytest.fixture(scope="module")
def model(shared):
    """Probabilities of a logistic regression for items that it was not trained on, and their gold classes."""
    data = pd.read_csv(shared / "data" / "classic_ordinal" / "lev.csv.gz")
    features, gold = data.drop(columns="label").to_numpy(), data["label"].to_numpy()
    regression = make_pipeline(StandardScaler(), LogisticRegression(max_iter=500))
    rows = cross_val_predict(regression, features, gold, cv=5, method="predict_proba")
    return rows, gold


def test_sets_by_hand():
    # The masses of the gold classes: low 0, high 0.5 (behind mid), high 0, low 0. At 80%, the rank is 0.8 * 5 = 4: the
    # largest, 0.5. So a class joins while the set before it has at most 0.5.
    found = oe.decide.sets(ROWS, GOLD, level=0.8, labels=CLASSES)
    assert found.thresholds == (0.5, 0.5, 0.5)
    new = [[0.6, 0.3, 0.1], [0.1, 0.45, 0.45], [0.4, 0.1, 0.5], [0.1, 0.2, 0.7]]
    # low has 0.6 at once; mid has 0.45, so high joins; high has 0.5, so mid joins (0.6), and that is enough
    assert found.predict(new).tolist() == [
        ["low", "low"], ["mid", "high"], ["mid", "high"], ["high", "high"],
    ]  # fmt: skip
    # At 60%, the rank is 3: 0. Of the other three items, it is 0.6 * 4 = 2.4, so 3 again: an item that is left out is
    # covered if its mass is at most the largest of the others, as all but the second are.
    found = oe.decide.sets(ROWS, GOLD, level=0.6, labels=CLASSES)
    assert found.thresholds == (0.0, 0.0, 0.0)
    assert found.coverage == pytest.approx(3 / 4)
    assert [one.items for one in found.classes] == [2, 0, 2]
    assert [one.held for one in found.classes] == [2, 0, 1]


def test_left_out_items_are_those_that_the_others_calibrate():
    rows, gold = simulated(30, k=3)
    for by_class in (False, True):
        options = {"level": 0.7, "by_class": by_class, "labels": range(3)}
        found = oe.decide.sets(rows, gold, **options)
        spans = []
        for item in range(30):
            others = np.arange(30) != item
            alone = oe.decide.sets(rows[others], gold[others], **options)
            spans.append(alone.predict(rows[[item]])[0])
        low, high = np.array(spans).T
        assert found.coverage == pytest.approx(((low <= gold) & (gold <= high)).mean())
        assert found.size == pytest.approx((high - low + 1).mean())


@pytest.mark.later
@pytest.mark.parametrize("level", [0.8, 0.9, 0.95])
def test_the_promise_is_kept_on_public_data(model, level):
    items, held = coverage_over_splits(*model, level=level)
    assert held.sum() / items.sum() == pytest.approx(level, abs=0.015)


def test_the_promise_is_kept_by_class_on_public_data(model):
    rows, gold = model
    items, held = coverage_over_splits(rows, gold, level=0.9, by_class=True)
    assert (held / items > 0.9 - 0.015).all()
    # With m items of a class, the rank is a whole number, so that the coverage may be more, by up to 1 / (m + 1). The
    # two classes at the ends have no other reason; those between also join because sets have no gaps.
    ends = [0, -1]
    most = 0.9 + 1 / (np.bincount(gold)[ends] / 2 + 1)
    assert ((held / items)[ends] < most + 0.015).all()


def test_sets_of_one_class_may_cover_more_than_promised(model):
    # The most probable class is right for 60% of the items.
    rows, gold = model
    found = oe.decide.sets(rows, gold, level=0.5)
    assert found.size == 1
    assert found.coverage == pytest.approx((rows.argmax(axis=1) == gold).mean())


def test_a_better_model_gives_smaller_sets():
    rows, gold = simulated(1000)
    blurred = (rows + 0.2) / 2
    assert (
        oe.decide.sets(rows, gold, level=0.9).size + 0.1
        < oe.decide.sets(np.full_like(rows, 0.2), gold, level=0.9).size
    )
    assert oe.decide.sets(blurred, gold, level=0.9).coverage == pytest.approx(0.9, abs=0.01)


def test_counts_stand_for_items():
    rows, gold = simulated(40, k=3)
    times = np.arange(40) % 4
    for by_class in (False, True):
        options = {"level": 0.8, "by_class": by_class, "labels": range(3)}
        counted = oe.decide.sets(rows, gold, count=times, **options)
        written = oe.decide.sets(np.repeat(rows, times, axis=0), np.repeat(gold, times), **options)
        assert counted.to_dict() == written.to_dict()


def test_columns_of_a_frame_are_found_by_name():
    rows, gold = simulated(50, k=3)
    frame = pd.DataFrame(rows, columns=CLASSES)[["high", "low", "mid"]]
    labels = np.array(CLASSES)[gold]
    found = oe.decide.sets(frame, labels, labels=CLASSES)
    assert found.thresholds == oe.decide.sets(rows, labels, labels=CLASSES).thresholds
    assert (found.predict(frame) == found.predict(rows)).all()


def test_a_class_with_too_few_items_is_in_every_set_and_named():
    rows, gold = simulated(200, k=4)
    kept = np.flatnonzero((gold != 3) | (np.cumsum(gold == 3) <= 5))
    found = oe.decide.sets(rows[kept], gold[kept], by_class=True)
    assert math.isinf(found.thresholds[3])
    assert (found.predict(rows)[:, 1] == 3).all()
    enough = np.flatnonzero((gold != 3) | (np.cumsum(gold == 3) <= 9))
    assert not oe.decide.sets(rows[enough], gold[enough], by_class=True).warnings
    assert found.warnings == (
        "Class 3 (5) has fewer than the 9 items that a promise of 90% by class needs, so it is in every set.",
    )


def test_too_few_items_give_sets_of_all_classes():
    found = oe.decide.sets(ROWS, GOLD, level=0.9, labels=CLASSES)
    assert found.predict(ROWS).tolist() == [["low", "high"]] * 4
    assert "A promise of 90% needs 9 items, and there are 4" in str(found)
    alone = oe.decide.sets([[0.5, 0.5]], [0], labels=[0, 1])
    assert "A promise of 90% needs 9 items, and there is 1: every set" in str(alone)


def test_a_class_that_is_often_missed_is_told():
    rows, gold = simulated(2000)
    assert "by_class=True promises 90% for each class" in str(oe.decide.sets(rows, gold))
    assert "promises" not in str(oe.decide.sets(rows, gold, by_class=True))


@pytest.mark.parametrize("level", [0, 1, 1.5, "0.9", None, math.nan])
def test_a_level_that_cannot_be_promised_is_refused(level):
    with pytest.raises(ParameterError, match="level"):
        oe.decide.sets(ROWS, GOLD, level=level, labels=CLASSES)


def test_what_cannot_be_read_is_refused():
    with pytest.raises(ParameterError, match="by_class"):
        oe.decide.sets(ROWS, GOLD, by_class="yes", labels=CLASSES)
    with pytest.raises(LabelError, match="3 labels"):
        oe.decide.sets(ROWS, GOLD[:3], labels=CLASSES)
    with pytest.raises(LabelError, match="'huge' is not on the scale"):
        oe.decide.sets(ROWS, [*GOLD[:3], "huge"], labels=CLASSES)


@pytest.mark.parametrize("by_class", [False, True])
def test_json_brings_the_sets_back(by_class):
    rows, gold = simulated(100)
    found = oe.decide.sets(rows, gold, by_class=by_class, level=0.95)
    again = oe.decide.PredictionSets.from_json(found.to_json())
    assert again.to_json() == found.to_json()
    assert again.thresholds == found.thresholds
    assert (again.predict(rows) == found.predict(rows)).all()


@pytest.mark.parametrize(
    "change",
    [{"classes": []}, {"classes": [{}]}, {"level": 2}, {"by_class": 1}, {"kind": "cut points"}],
)
def test_json_of_another_kind_is_refused(change):
    found = oe.decide.sets(ROWS, GOLD, level=0.8, labels=CLASSES)
    content = {**json.loads(found.to_json()), **change}
    with pytest.raises(DataError):
        oe.decide.PredictionSets.from_json(json.dumps(content))


def test_the_result_describes_itself():
    rows, gold = simulated(200)
    found = oe.decide.sets(rows, gold)
    assert repr(found).startswith("PredictionSets(level=0.9, coverage=0.9")
    assert found.to_csv().splitlines()[0] == "gold,items,coverage,size,threshold"
    assert found.to_dict()["kind"] == "sets"
    # With 20 items, the rank is 0.9 * 21 = 18.9, so 19: Beta(19, 2), and the root of 19 * 2 / (21 ** 2 * 22) is 0.0626.
    few = oe.decide.sets(rows[:20], gold[:20], labels=range(5))
    assert "differs from it by about 6.3 points" in str(few)


@pytest.mark.parametrize(
    ("items", "held", "named"),
    [(20, 16, True), (20, 18, False), (200, 174, False), (19, 0, False)],
)
def test_a_class_that_sets_hold_much_less_often_than_promised_is_named(items, held, named):
    # of 90% promised, 80% and 87% are held; fewer than 20 items show nothing
    counts = (ClassCoverage(500, 500, 600), ClassCoverage(items, held, 2 * items))
    found = oe.decide.PredictionSets(Scale(["low", "high"]), 0.9, False, (0.5, 0.5), counts)
    text = " ".join(found.lead)
    assert ("of the items of class high are covered; by_class=True promises 90%" in text) == named
