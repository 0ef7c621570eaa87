"""Arguments of a wrong kind are refused by errors of our own, which name the argument and say what it should be."""

import numpy as np
import pandas as pd
import pytest

import ordeval as oe
from ordeval.arguments import is_choice, is_number, is_whole
from ordeval.errors import OrdevalError
from ordeval.formats.frames import make_frame
from tests.gate import records

GOLD = [1, 2, 3, 1, 2, 3]
RUNS = oe.Runs.from_labels(GOLD, {"a": GOLD, "b": GOLD[::-1]})
CASES = oe.Runs.from_labels(GOLD, {"a": GOLD, "b": GOLD[::-1]}, case=[0, 0, 0, 1, 1, 1])
FRAME = pd.DataFrame({"gold": GOLD, "a": GOLD})
ARRAY = np.array([1, 2])
MARKS = [[1, 1, 2], [2, 2, 2], [3, 3, 1], [1, 1, 1]]
RATINGS = oe.Ratings.from_array(MARKS, raters=["a", "b", "c"])
SHARES = RATINGS.shares()
AGREEMENT = oe.agree(RATINGS, metrics=["accuracy"], level=None)


def compared():
    return oe.compare(RUNS, metrics=["accuracy"], primary="accuracy", level=None)


CALLS = {
    "metrics": lambda: oe.compare(RUNS, metrics=0.5),
    "metrics, no axis": lambda: oe.evaluate(GOLD, GOLD, metrics=np.array(1)),
    "predicted": lambda: oe.Runs.from_frame(FRAME, gold="gold", predicted=3),
    "predicted of files": lambda: oe.Runs.from_wide("x.csv", gold="gold", predicted=None),
    "greater_is_better": lambda: oe.properties.check("accuracy", greater_is_better=ARRAY),
    "greater_is_better of decisions": lambda: oe.decide.fit(np.eye(2), greater_is_better=ARRAY),
    "proba": lambda: oe.Runs.from_files("gold.csv", "x.csv", proba=ARRAY),
    "values": lambda: oe.Scale([1, 2], values=[1j, 2j]),
    "values, an array": lambda: oe.Scale([1, 2], values=np.array([1j, 2j])),
    "values, masked": lambda: oe.Scale([1, 2], values=np.ma.array([1.0, 2.0], mask=[0, 1])),
    "values, a function": lambda: oe.Table.from_file("x.csv", values=len),
    "labels": lambda: oe.Scale([np.array([]), 1]),
    "level": lambda: oe.compare(RUNS, level=ARRAY),
    "n_resamples": lambda: oe.compare(RUNS, n_resamples=[9]),
    "undefined": lambda: oe.compare(RUNS, undefined=ARRAY),
    "correction": lambda: oe.compare(RUNS, correction=pd.Series([1, 2])),
    "intervals": lambda: compared().to_latex(intervals=ARRAY),
    "width": lambda: compared().to_text(width="x"),
    "format": lambda: compared().write("html"),
    "format, an array": lambda: compared().write(ARRAY),
    "what": lambda: compared().to_frame(ARRAY),
    "backend": lambda: make_frame({}, ARRAY),
    "systems": lambda: RUNS.select(3),
    "systems, a class": lambda: oe.Runs.from_labels(GOLD, oe.Ratings),
    "systems, an array": lambda: RUNS.select([ARRAY]),
    "by": lambda: oe.Runs.from_frame(FRAME, gold="gold", predicted="a", by=3),
    "count": lambda: oe.Table.from_frame(FRAME, gold="gold", predicted="a", count={}),
    "case": lambda: oe.Runs.from_files("gold.csv", "x.csv", case=slice(3)),
    "gold": lambda: oe.Table.from_frame(FRAME, gold=["gold"], predicted="a"),
    "axes": lambda: oe.Table.from_counts(np.eye(2), axes=5),
    "axis": lambda: oe.Table.from_counts(np.eye(2)).pooled(ARRAY),
    "scale_type": lambda: oe.proximity.from_counts([1, 2], scale_type=[1]),
    "difference": lambda: oe.plan(RUNS, difference=10**400),
    "baseline": lambda: oe.gate(ARRAY, "b", runs=RUNS),
    "margin of a gate": lambda: oe.gate("a", "b", runs=RUNS, margin=ARRAY),
    "runs of a gate": lambda: oe.gate("a", "b", runs=FRAME),
    "gold of a gate": lambda: oe.gate(GOLD, GOLD, gold=3),
    "history": lambda: oe.plot.history(len),
    "metric of a history": lambda: oe.plot.history([records.RECORD], metric=ARRAY),
    "classes": lambda: oe.properties.check(oe.mae, classes=ARRAY),
    "labels_from": lambda: oe.properties.check(oe.mae, labels_from="x"),
    "budget": lambda: oe.properties.check(oe.mae, budget=[1]),
    "progress": lambda: oe.properties.check(oe.mae, progress=("a",)),
    "properties": lambda: oe.properties.check(oe.mae, properties=len),
    "alpha": lambda: oe.meta.discriminative_power(CASES, alpha=(0, 0)),
    "over": lambda: oe.meta.coverage(CASES, over=True),
    "values of measures": lambda: oe.meta.uir([[["x"]]]),
    "cases": lambda: oe.simulate.collection(cases=[3]),
    "cases, too many": lambda: oe.simulate.collection(cases=2**64),
    "mean": lambda: oe.simulate.collection(mean="x"),
    "step": lambda: oe.simulate.collection(step=0.5),
    "ratios": lambda: oe.simulate.collection(ratios=[slice(3)]),
    "shares": lambda: oe.simulate.collection(shares=[["x"]]),
    "spread": lambda: oe.simulate.collection(spread=ARRAY),
    "end": lambda: oe.simulate.collection(end=[1]),
    "errors": lambda: oe.simulate.collection(errors=ARRAY),
    "kinds": lambda: oe.simulate.collection(kinds={"a": 1}),
    "limit": lambda: oe.plot.pairs(compared(), limit="inf"),
    "system": lambda: oe.plot.contingency(compared(), system=ARRAY),
    "metric": lambda: oe.plot.forest(compared(), metric=ARRAY),
    "progress of a score": lambda: oe.evaluate(GOLD, GOLD, method="bca", n_resamples=9, progress=1),
    "progress of files": lambda: oe.Runs.from_wide(
        __file__, gold="gold", predicted="a", progress="x"
    ),
    "path, too long": lambda: oe.Ratings.from_file("a" * 5000),
    "path, nothing": lambda: oe.Ratings.from_file(None),
    "path, no file": lambda: oe.Ratings.from_file([]),
    "marks": lambda: oe.Ratings.from_array(None),
    "marks, text": lambda: oe.Ratings.from_array("112"),
    "marks, a mapping": lambda: oe.Ratings.from_array({"a": [1]}),
    "marks, sets": lambda: oe.Ratings.from_array([{1, 2}, {1, 2}]),
    "marks, numbers without an axis": lambda: oe.Ratings.from_array([np.array(1)]),
    "marks, one row": lambda: oe.Ratings.from_array(ARRAY),
    "marks, nothing": lambda: oe.Ratings.from_array([[]]),
    "marks, too deep": lambda: oe.Ratings.from_array([[[1]]]),
    "marks, complex": lambda: oe.Ratings.from_array(np.full((2, 2), 1j)),
    "raters": lambda: oe.Ratings.from_array(MARKS, raters=3),
    "raters, twice": lambda: oe.Ratings.from_array(MARKS, raters="aab"),
    "raters, none": lambda: oe.Ratings.from_wide(FRAME, raters=None),
    "raters, an array": lambda: oe.Ratings.from_wide(FRAME, raters=[ARRAY]),
    "rater": lambda: oe.Ratings.from_frame(FRAME, rater=0),
    "frame": lambda: oe.Ratings.from_frame(None),
    "frame, text": lambda: oe.Ratings.from_frame("x"),
    "text": lambda: oe.Ratings.from_json(None),
    "text, another thing": lambda: oe.Ratings.from_json("[]"),
    "chosen raters": lambda: RATINGS.select(None),
    "chosen raters, an array": lambda: RATINGS.select([ARRAY]),
    "chosen raters, twice": lambda: RATINGS.select(["a", "a"]),
    "raters left out": lambda: RATINGS.leave_out(ARRAY),
    "rule": lambda: RATINGS.consensus(ARRAY),
    "ratings": lambda: oe.agree(None),
    "ratings, rows": lambda: oe.agree(MARKS),
    "metrics of agreement": lambda: oe.agree(RATINGS, metrics=0),
    "ceiling": lambda: oe.agree(RATINGS, ceiling=0),
    "ceiling, no measure": lambda: oe.agree(RATINGS, ceiling=["x"]),
    "level of agreement": lambda: oe.agree(RATINGS, level=float("nan")),
    "n_resamples of agreement": lambda: oe.agree(RATINGS, method="bca", n_resamples=-1),
    "method of agreement": lambda: oe.agree(RATINGS, method=None),
    "resample": lambda: oe.agree(RATINGS, resample={"items"}),
    "rng": lambda: oe.agree(RATINGS, rng="x"),
    "progress of agreement": lambda: oe.agree(RATINGS, method="bca", n_resamples=9, progress=[1]),
    "what of agreement": lambda: AGREEMENT.to_frame(ARRAY),
    "coefficient": lambda: AGREEMENT[ARRAY],
    "rater's name": lambda: AGREEMENT.raters[ARRAY],
    "agreement": lambda: oe.plot.raters(RATINGS),
    "soft gold": lambda: oe.Table.from_soft(None, [1]),
    "gold of calibration": lambda: oe.plot.calibration(SHARES, SHARES),
    "soft gold, complex": lambda: oe.Table.from_soft(SHARES * 1j, [1, 2, 3, 1]),
    "soft gold, a class": lambda: oe.accuracy(SHARES, oe.Ratings),
    "probabilities, complex": lambda: oe.evaluate([0, 1, 2, 1], SHARES * (1 + 1j)),
    "probabilities, negative": lambda: oe.wasserstein(SHARES, -SHARES),
    "y_pred of ratings": lambda: oe.accuracy(RATINGS, 3),
    "systems of ratings": lambda: oe.compare(RATINGS, {"a": None}),
    "systems, ratings of labels": lambda: oe.compare(GOLD, RATINGS),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.filterwarnings("error")
def test_an_argument_of_a_wrong_kind_is_refused_by_an_error_of_ours(name):
    with pytest.raises(OrdevalError):
        CALLS[name]()


def test_a_chart_is_drawn_by_a_measure_or_by_its_name():
    by_measure = oe.plot.forest(compared(), metric=oe.accuracy)
    assert by_measure.to_dict() == oe.plot.forest(compared(), metric="accuracy").to_dict()


def test_truth_values_and_endless_numbers_are_no_numbers():
    numbers = [1, 1.5, np.int8(1), np.float32(1)]
    others = [True, float("nan"), float("inf"), 10**400, 1j, "1", ARRAY, None, [1]]
    assert [is_number(one) for one in numbers + others] == [True] * 4 + [False] * 9
    assert [is_whole(one, 1) for one in (1, np.int8(2), 0, 1.0, True)] == [True, True] + [False] * 3
    assert [is_choice(one, {"a"}) for one in ("a", "b", ARRAY, ["a"], None)] == [True] + [False] * 4
