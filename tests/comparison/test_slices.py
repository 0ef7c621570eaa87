"""Slices: each is scored as if it were alone, beside a whole that they do not change, and held against the rest."""

import csv
import io
import json
import math

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ordeval as oe

METRICS = ["cem_ord", "accuracy", "mae"]
# Country x: right, right, wrong by one; country y: right, wrong by two, wrong by one, wrong by one.
GOLD = [1, 2, 3, 1, 3, 2, 2]
ANSWERS = [1, 2, 2, 1, 1, 1, 3]
COUNTRY = ["x", "x", "x", "y", "y", "y", "y"]


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(7)
    gold = rng.integers(1, 5, 400)
    country = rng.choice(["a", "b", "c"], 400)
    right = rng.random(400) < np.where(country == "c", 0.4, 0.8)
    answers = np.where(right, gold, rng.integers(1, 5, 400))
    return pd.DataFrame(
        {
            "gold": gold,
            "one": answers,
            "two": np.where(rng.random(400) < 0.6, gold, rng.integers(1, 5, 400)),
            "country": country,
            "case": np.arange(400) % 10,
        }
    )


def test_the_values_of_slices_and_their_differences_from_the_rest_are_those_of_a_count_by_hand():
    found = oe.evaluate(GOLD, ANSWERS, metrics=METRICS, by={"country": COUNTRY})
    x, y = found.slices
    assert (x.by, x.value, x.items, y.value, y.items) == ("country", "x", 3, "y", 4)
    # 2 of 3 are right, and 1 of 4; the errors are 1 of 3 items, and 2 + 1 + 1 of 4.
    assert x.score("accuracy").value == pytest.approx(2 / 3)
    assert y.score("accuracy").value == pytest.approx(1 / 4)
    assert x.difference("accuracy").value == pytest.approx(2 / 3 - 1 / 4)
    assert y.difference("mae").value == pytest.approx(1 - 1 / 3)


def test_a_slice_is_scored_as_if_it_were_alone_and_the_whole_as_if_there_were_no_slices(data):
    whole = oe.evaluate(data.gold, data.one, metrics=METRICS)
    found = oe.evaluate(data.gold, data.one, metrics=METRICS, by=data.country)
    assert {name: str(score) for name, score in found.items()} == {
        name: str(score) for name, score in whole.items()
    }
    for one in found.slices:
        inside = data[data.country == one.value]
        alone = oe.evaluate(inside.gold, inside.one, metrics=METRICS, labels=[1, 2, 3, 4])
        for metric in METRICS:
            score, expected = one.score(metric), alone[metric]
            assert (score.value, score.low, score.high) == (
                expected.value,
                expected.low,
                expected.high,
            )


def test_a_slice_and_the_rest_are_compared_as_samples_that_share_no_items(data):
    found = oe.evaluate(data.gold, data.one, metrics=METRICS, by=data.country)
    inside = data.country == "b"
    tables = {
        name: oe.Table.from_labels(data.gold[which], data.one[which], labels=[1, 2, 3, 4])
        for name, which in (("inside", inside), ("rest", ~inside))
    }
    pair = next(
        pair
        for pair in oe.compare(tables, metrics=["mae"], primary="mae").pairs
        if pair.metric == "mae"
    )
    sign = 1 if pair.a == "inside" else -1
    apart = found.slices[1].difference("mae")
    assert apart.value == pytest.approx(sign * pair.difference)
    assert sorted((abs(apart.low), abs(apart.high))) == pytest.approx(
        sorted((abs(pair.low), abs(pair.high)))
    )
    assert apart.p == pytest.approx(pair.p)


def test_p_is_corrected_by_holm_over_the_slices(data):
    found = oe.evaluate(data.gold, data.one, metrics=["mae"], by=data.country)
    p = sorted(one.difference("mae").p for one in found.slices)
    corrected = sorted(one.difference("mae").p_adjusted for one in found.slices)
    # Holm: the smallest times 3, the next times 2, the largest as it is, never falling.
    expected = [min(1, 3 * p[0])]
    expected.append(max(expected[0], min(1, 2 * p[1])))
    expected.append(max(expected[1], p[2]))
    assert corrected == pytest.approx(expected)
    runs = oe.Runs.from_labels(data.gold, {"one": data.one}, by=data.country)
    plain = oe.compare(runs, metrics=["mae"], primary="mae", by="country", correction="none")
    assert all(one.difference("mae").p_adjusted == one.difference("mae").p for one in plain.slices)


def test_with_test_cases_a_slice_is_a_mean_over_cases_and_its_difference_is_paired_by_case():
    # Two cases; accuracy by case inside the slice 1/2 and 1, outside 0 and 1/2: differences 1/2 and 1/2.
    gold = [1, 2, 1, 2, 1, 2, 1, 2]
    answers = [1, 1, 2, 1, 1, 2, 1, 1]
    case = ["p", "p", "p", "p", "q", "q", "q", "q"]
    inside = [True, True, False, False, True, True, False, False]
    runs = oe.Runs.from_labels(gold, {"s": answers}, case=case, by={"inside": inside})
    found = oe.compare(runs, metrics=["accuracy"], primary="accuracy", by="inside")
    outside, within = found.slices
    assert within.value is True
    assert within.score("accuracy").value == pytest.approx(3 / 4)
    assert outside.score("accuracy").value == pytest.approx(1 / 4)
    assert within.difference("accuracy").value == pytest.approx(1 / 2)
    assert within.difference("accuracy").p == pytest.approx(outside.difference("accuracy").p)


def test_a_slice_of_one_test_case_has_no_interval_and_says_why():
    case = ["p"] * 4 + ["q"] * 4
    runs = oe.Runs.from_labels([1, 2] * 4, {"s": [1, 1] * 4}, case=case, by={"half": case})
    found = oe.compare(runs, metrics=["accuracy"], primary="accuracy", by="half")
    score = found.slices[0].score("accuracy")
    assert (score.value, score.low, score.reason) == (0.5, None, "one test case shows no variation")
    assert found.slices[0].difference("accuracy").p is None


def test_test_cases_without_items_in_a_slice_do_not_count_as_undefined_there():
    case = ["p", "p", "q", "q", "r", "r"]
    slices = ["x", "y", "x", "y", "y", "y"]
    runs = oe.Runs.from_labels(
        [1, 2, 1, 2, 1, 2], {"s": [1, 2, 1, 1, 1, 2]}, case=case, by={"b": slices}
    )
    found = oe.compare(runs, metrics=["accuracy"], primary="accuracy", by="b", undefined="zero")
    # In x there are the cases p and q alone, both right.
    assert found.slices[0].score("accuracy").value == 1.0


def test_pooled_runs_are_sliced_over_their_items_and_keep_their_cases_as_units(data):
    runs = oe.Runs.from_labels(data.gold, {"s": data.one}, case=data.case, by=data.country).pooled()
    found = oe.compare(runs, metrics=["accuracy"], primary="accuracy", by="country")
    inside = data[data.country == "a"]
    one = found.slices[0]
    assert one.score("accuracy").value == pytest.approx((inside.gold == inside.one).mean())
    rest = data[data.country != "a"]
    expected = (inside.gold == inside.one).mean() - (rest.gold == rest.one).mean()
    assert one.difference("accuracy").value == pytest.approx(expected)
    assert one.difference("accuracy").p is not None


@pytest.mark.parametrize(
    "make", [lambda f: f, pl.from_pandas, lambda f: pl.from_pandas(f).lazy(), "duckdb"]
)
def test_frames_are_sliced_in_their_engine_in_the_same_pass(data, make):
    frame = duckdb.from_df(data) if make == "duckdb" else make(data)
    labels = oe.evaluate(data.gold, data.one, metrics=METRICS, by=data.country).to_dict()
    table = oe.Table.from_frame(frame, gold="gold", predicted="one", by=["country"])
    assert oe.evaluate(table, metrics=METRICS, by="country").to_dict() == labels
    runs = oe.Runs.from_frame(
        frame, gold="gold", predicted=["one", "two"], case="case", by="country"
    )
    direct = oe.Runs.from_labels(
        data.gold, {"one": data.one, "two": data.two}, case=data.case, by=data.country
    )
    sliced = [
        oe.compare(each, metrics=METRICS, by="country").to_dict()["slices"]
        for each in (runs, direct)
    ]
    assert sliced[0] == sliced[1]


def test_a_long_frame_has_its_slices_beside_gold():
    gold = pd.DataFrame(
        {"item": [1, 2, 3, 4], "gold": [1, 2, 1, 2], "lang": ["de", "de", "en", None]}
    )
    answers = pd.DataFrame(
        {
            "item": [1, 2, 3, 4] * 2,
            "system": ["a"] * 4 + ["b"] * 4,
            "label": [1, 2, 2, 2, 1, 1, 1, 1],
        }
    )
    runs = oe.Runs.from_frame(answers, gold=gold, by="lang")
    found = oe.compare(runs, metrics=["accuracy"], primary="accuracy", by="lang")
    shares = {
        one.value: [one.score("accuracy", system).value for system in "ab"] for one in found.slices
    }
    assert shares == {"de": [1.0, 0.5], "en": [0.0, 1.0], None: [1.0, 0.0]}


def test_several_columns_make_slices_of_each_and_weights_are_kept():
    by = {"country": COUNTRY, "even": [False, True] * 3 + [False]}
    weight = [1, 2, 3, 4, 5, 6, 7]
    found = oe.evaluate(GOLD, ANSWERS, metrics=["accuracy"], by=by, sample_weight=weight)
    assert [one.name for one in found.slices] == [
        "country = x", "country = y", "even = False", "even = True",
    ]  # fmt: skip
    # x: 1 + 2 of 1 + 2 + 3; y: 4 of 4 + 5 + 6 + 7; even items are 2, 4 and 6 of weight: 2 + 4 of 12.
    values = [one.score("accuracy").value for one in found.slices]
    assert [values[0], values[1], values[3]] == pytest.approx([3 / 6, 4 / 22, 6 / 12])


def test_slices_of_a_table_with_two_axes_are_the_sums_over_the_other(data):
    frame = data.assign(half=data.index < 200)
    table = oe.Table.from_frame(frame, gold="gold", predicted="one", by=["country", "half"])
    found = oe.evaluate(table, metrics=["mae"], by=["country", "half"], level=None)
    direct = oe.evaluate(
        data.gold,
        data.one,
        metrics=["mae"],
        by={"country": data.country, "half": frame.half},
        level=None,
    )
    assert found.to_dict() == direct.to_dict()


def test_every_form_shows_the_slices(data):
    runs = oe.Runs.from_labels(data.gold, {"one": data.one, "two": data.two}, by=data.country)
    found = oe.compare(runs, metrics=METRICS, by="country")
    assert "country = c" in str(found)
    assert "minus the rest" in found.to_markdown()
    assert "| country = a |" in found.to_markdown()
    assert "country = b" in found._repr_html_()
    assert "\ncountry = b & " in found.to_latex()
    content = json.loads(found.to_json())["slices"]
    assert [(one["by"], one["value"]) for one in content] == [("country", v) for v in "abc"]
    assert sum(one["items"] for one in content) == 400
    score = content[2]["systems"][0]["scores"]["cem_ord"]
    assert set(score["difference"]) == {"value", "low", "high", "p", "p_adjusted"}
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))
    assert [row["slice"] for row in rows] == ["", "", "a", "a", "b", "b", "c", "c"]
    last = next(row for row in rows if row["slice"] == "c" and row["system"] == "one")
    assert float(last["cem_ord"]) == score["value"]
    assert float(last["cem_ord_difference"]) == score["difference"]["value"]
    assert float(last["cem_ord_difference_high"]) == score["difference"]["high"]
    assert float(last["cem_ord_p_adjusted"]) == score["difference"]["p_adjusted"]
    frame = found.to_frame("slices")
    assert len(frame) == 3 * 2 * len(METRICS)
    assert frame["difference"].iloc[0] == found.slices[0].difference("cem_ord", "one").value


def test_people_are_shown_the_first_system_alone_where_slices_and_systems_are_many(data):
    systems = {f"s{at}": data.one for at in range(15)}
    runs = oe.Runs.from_labels(data.gold, systems, by=data.country)
    text = str(oe.compare(runs, metrics=["mae"], primary="mae", by="country", level=None))
    assert "CSV and JSON have those of all systems" in text
    assert text.count("country = a") == 1


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table])
def test_columns_of_slices_are_taken_from_a_frame_of_any_library(make):
    columns = make({"x": [1, 1, 2, 2], "y": ["a", "b", "a", None]})
    found = oe.evaluate([1, 2, 1, 2], [1, 2, 2, 2], by=columns, metrics=["accuracy"])
    # x: both right; one of two. y: one of two; right; right
    assert [(one.name, one.score("accuracy").value) for one in found.slices] == [
        ("x = 1", 1.0), ("x = 2", 0.5), ("y = a", 0.5), ("y = b", 1.0), ("y = (none)", 1.0),
    ]  # fmt: skip


@pytest.mark.parametrize("unit", ["D", "s", "ns"])
def test_slices_and_test_cases_may_be_dates_of_numpy(unit):
    days = np.array(["2024-01-01", "2024-01-02", "NaT", "NaT"], dtype=f"datetime64[{unit}]")
    found = oe.evaluate([1, 2, 1, 2], [1, 2, 2, 2], by={"day": days}, metrics=["accuracy"])
    assert [str(one.value)[:10] for one in found.slices] == ["2024-01-01", "2024-01-02", "None"]
    runs = oe.Runs.from_labels([1, 2, 1], {"a": [1, 2, 2]}, case=days[[0, 0, 1]])
    assert [str(case)[:10] for case in runs.cases] == ["2024-01-01", "2024-01-02"]


def test_slices_that_are_not_there_are_refused_with_those_that_are(data):
    runs = oe.Runs.from_labels(data.gold, {"one": data.one}, by=data.country)
    with pytest.raises(
        oe.OrdevalError,
        match=r"by='county' is not a slicing of this data; these runs have 'country'",
    ):
        oe.compare(runs, by="county")
    with pytest.raises(oe.OrdevalError, match=r"no column 'county' for by=.*Did you mean country"):
        oe.Runs.from_frame(data, gold="gold", predicted="one", by="county")
    with pytest.raises(oe.OrdevalError, match=r"by 'country' has 3 values for 400 items"):
        oe.Runs.from_labels(data.gold, {"one": data.one}, by={"country": ["a", "b", "c"]})
    with pytest.raises(oe.OrdevalError, match="at most 1000 slices"):
        oe.evaluate([1, 2] * 1001, [1, 2] * 1001, by={"id": range(2002)})
    table = oe.Table.from_frame(data, gold="gold", predicted="one", by=["case"])
    with pytest.raises(oe.OrdevalError, match="cannot go by the axis 'case'"):
        oe.evaluate(table, by="case")
    slice_ = oe.evaluate(data.gold, data.one, by=data.country, metrics=["mae"]).slices[0]
    with pytest.raises(oe.OrdevalError, match="no measure 'mse' was scored; there are 'mae'"):
        slice_.score("mse")


def test_items_of_weight_0_are_neither_a_slice_nor_the_rest_of_one():
    weight = [1, 2, 1, 0, 0, 0, 0]  # country y weighs nothing
    settings = {"by": {"country": COUNTRY}, "metrics": ["accuracy"]}
    (x,) = oe.evaluate(GOLD, ANSWERS, sample_weight=weight, **settings).slices
    assert (x.value, x.items, x.score("accuracy").value) == ("x", 3, 0.75)  # 1 + 2 of 4
    assert x.difference("accuracy").value is None
    frame = pd.DataFrame({"g": GOLD, "p": ANSWERS, "country": COUNTRY, "w": weight})
    table = oe.Table.from_frame(frame, gold="g", predicted="p", by=["country"], weight="w")
    (same,) = oe.evaluate(table, by="country", metrics=["accuracy"]).slices
    assert same.to_dict() == x.to_dict()


def test_one_slice_that_holds_everything_has_no_rest():
    found = oe.evaluate(GOLD, ANSWERS, metrics=["accuracy"], by={"all": ["x"] * 7})
    assert found.slices[0].difference("accuracy").value is None
    assert found.slices[0].score("accuracy").value == found["accuracy"].value


@pytest.mark.slow
def test_slices_that_do_not_differ_are_called_different_in_at_most_one_of_twenty_samples():
    rng = np.random.default_rng(3)
    found = 0
    for _ in range(400):
        gold = rng.integers(1, 4, 150)
        answers = np.where(rng.random(150) < 0.7, gold, rng.integers(1, 4, 150))
        slices = oe.evaluate(
            gold, answers, metrics=["cem_ord"], by={"b": rng.integers(0, 3, 150)}
        ).slices
        found += min(one.difference("cem_ord").p_adjusted for one in slices) <= 0.05
    # Binomial: 400 samples at 0.05 exceed 33 once in a thousand times.
    assert found <= 33


def test_the_score_of_every_test_case_comes_with_the_interval_of_its_items(data):
    runs = oe.Runs.from_labels(data.gold, {"one": data.one, "two": data.two}, case=data.case)
    found = oe.compare(runs, metrics=["mae", "accuracy"], primary="mae")
    frame = found.to_frame("cases")
    assert len(frame) == 10 * 2 * 2
    row = frame[(frame.case == 3) & (frame.system == "two") & (frame.metric == "accuracy")].iloc[0]
    inside = data[data.case == 3]
    alone = oe.evaluate(inside.gold, inside.two, metrics=["accuracy"], labels=[1, 2, 3, 4])[
        "accuracy"
    ]
    assert (row["items"], row["value"], row["low"], row["high"]) == (
        40, pytest.approx(alone.value), pytest.approx(alone.low), pytest.approx(alone.high),
    )  # fmt: skip
    assert row["value"] == (inside.gold == inside.two).mean()


def test_every_test_case_has_its_own_interval_whatever_the_order_of_the_names():
    # Case 2 has 1 of 2 right, and case 10 has 8 of 8, which is more certain; as text, "10" comes before "2".
    runs = oe.Runs.from_labels(
        [1, 2, *[1, 2] * 4], {"s": [1, 1, *[1, 2] * 4]}, case=[2] * 2 + [10] * 8
    )
    frame = oe.compare(runs, metrics=["accuracy"], primary="accuracy").to_frame("cases")
    assert frame["case"].tolist() == [2, 10]
    assert frame["value"].tolist() == [0.5, 1.0]
    assert frame["low"].tolist()[0] < 0.5 < frame["low"].tolist()[1]


def test_a_test_case_of_one_item_has_a_score_and_no_interval():
    runs = oe.Runs.from_labels([1, 2, 1], {"s": [1, 1, 1]}, case=["p", "p", "q"])
    frame = oe.compare(runs, metrics=["accuracy"], primary="accuracy").to_frame("cases")
    assert frame["value"].tolist() == [0.5, 1.0]
    assert math.isnan(frame["low"].tolist()[1])


@pytest.mark.parametrize("pooled", [False, True])
def test_slices_without_a_shared_test_case_are_compared_only_when_pooled(pooled):
    # Ten cases of ten items are nine tenths right, ten others one tenth: no case has items of both slices.
    gold = [1, 2] * 100
    right = [True] * 9 + [False], [False] * 9 + [True]
    said = [
        label if right[item // 100][item % 10] else 3 - label for item, label in enumerate(gold)
    ]
    runs = oe.Runs.from_labels(
        gold,
        {"s": said},
        case=[item // 10 for item in range(200)],
        by={"half": [item < 100 for item in range(200)]},
    )
    found = oe.compare(
        runs.pooled() if pooled else runs, metrics=["accuracy"], primary="accuracy", by="half"
    )
    late, early = (one.difference("accuracy") for one in found.slices)
    if pooled:
        assert early.value == pytest.approx(0.8)
        assert late.value == pytest.approx(-0.8)
        assert early.p < 1e-6
        assert 0.6 < early.low < 0.8 < early.high < 1
    else:  # a paired difference of means needs cases with both
        assert (early.value, early.p) == (None, None)
