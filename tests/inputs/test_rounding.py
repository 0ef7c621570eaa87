"""Answers between the classes: refused, or rounded to the nearest class with halves up."""

import json
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ordeval as oe
from ordeval.inputs.rounding import NearestClass

GOLD, MEANS = [1, 2, 3, 4, 5] * 20, [1.4, 2.2, 2.9, 4.1, 4.8] * 20
WAYS_OUT = (
    "Pass round='nearest' to round such answers to the nearest class, halves up, or turn the scores into classes "
    "first."
)


def nearest(labels, answer):
    """Round by going through the classes, in exact decimals: the nearest one, and of two the greater."""
    best = labels[0]
    for label in labels:
        near, distance = (
            abs(Fraction(repr(one)) - Fraction(repr(answer))) for one in (label, best)
        )
        if near < distance or (near == distance and label > best):
            best = label
    return best


def doors(gold, predicted, tmp_path):
    """Read the same labels from arrays, frames and files."""
    text = [str(answer) for answer in predicted]
    frame = pd.DataFrame({"g": gold, "p": predicted, "id": range(len(gold))})
    frame.to_csv(tmp_path / "wide.csv", index=False)
    frame[["id", "g"]].rename(columns={"g": "label"}).to_csv(tmp_path / "gold.csv", index=False)
    frame[["id", "p"]].rename(columns={"p": "label"}).to_csv(tmp_path / "run.csv", index=False)
    other = tmp_path / "other.csv"
    frame[["id", "g"]].rename(columns={"g": "label"}).to_csv(other, index=False)
    one = {"gold": "g", "predicted": "p"}
    return {
        "lists": lambda **o: oe.Table.from_labels(gold, predicted, **o),
        "integers and floats": lambda **o: oe.Table.from_labels(
            np.array(gold), np.array(predicted), **o
        ),
        "floats": lambda **o: oe.Table.from_labels(
            np.array(gold, float), np.array(predicted, np.float32), **o
        ),
        "objects": lambda **o: oe.Table.from_labels(gold, np.array(predicted, object), **o),
        "text": lambda **o: oe.Table.from_labels(gold, text, **o),
        "series": lambda **o: oe.Table.from_labels(
            gold, pd.Series(predicted, dtype="Float64"), **o
        ),
        "polars": lambda **o: oe.Table.from_labels(pl.Series(gold), pl.Series(predicted), **o),
        "column": lambda **o: oe.Table.from_labels(gold, np.array(predicted)[:, None], **o),
        "systems": lambda **o: oe.Runs.from_labels(
            gold, {"p": predicted, "same": gold}, **o
        ).table.select(system="p"),
        "frame": lambda **o: oe.Table.from_frame(frame, **one, **o),
        "wide frame": lambda **o: oe.Runs.from_frame(frame, **one, **o).table.select(system="p"),
        "wide": lambda **o: oe.Runs.from_wide(tmp_path / "wide.csv", **one, **o).table.select(
            system="p"
        ),
        "one long": lambda **o: oe.Runs.from_files(
            tmp_path / "gold.csv", tmp_path / "run.csv", **o
        ).table.select(system="run"),
        "two long": lambda **o: oe.Runs.from_files(
            tmp_path / "gold.csv", [tmp_path / "run.csv", other], **o
        ).table.select(system="run"),
    }


def test_answers_between_classes_are_refused_with_the_first_one_and_two_ways_out(tmp_path):
    for name, door in doors(GOLD, MEANS, tmp_path).items():
        with pytest.raises(oe.errors.LabelError) as caught:
            door()
        says = str(caught.value)
        assert "is not on the scale [1, 2, 3, 4, 5] (lowest first); 100 of 100 " in says, name
        assert WAYS_OUT in says, name
        if "frame" not in name:
            assert says.startswith(("label 1.4 is", "label '1.4' is", "label 1.399")), name
            assert "first at item 0. " in says or "first at item '0'. " in says, name


def test_rounded_answers_are_those_that_a_person_would_write_down(tmp_path):
    for name, door in doors(GOLD, MEANS, tmp_path).items():
        table = door(round="nearest")
        assert table.scale.labels == (1, 2, 3, 4, 5), name
        assert table.counts.tolist() == (20 * np.eye(5, dtype=int)).tolist(), name
        assert table.touched == {"rounded": 100}, name
        assert door(round="nearest", labels=[1, 2, 3, 4, 5]).touched == {"rounded": 100}, name
    assert oe.cem_ord(GOLD, MEANS, round="nearest") == 1.0
    assert oe.cem_ord(GOLD, MEANS, round="nearest", labels=[1, 2, 3, 4, 5]) == 1.0


def test_a_mixed_output_counts_only_what_rounding_changed(tmp_path):
    gold, said = [1, 2, 3, 4], [1.0, 2.5, 2.49, 9.0]
    for name, door in doors(gold, said, tmp_path).items():
        table = door(round="nearest")
        # 1 -> 1; 2.5 -> 3; 2.49 -> 2; 9 -> 4, the end of gold's scale
        assert table.counts.tolist() == [[1, 0, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1]], (
            name
        )
        assert table.touched == {"rounded": 3}, name


@pytest.mark.parametrize(
    ("labels", "answer", "expected"),
    [
        ([1, 2, 3], 2.5, 3),
        ([1, 2, 3], "2.5", 3),
        ([1, 2, 3], 2.4999999999999996, 2),
        ([-1, 0, 1], -0.5, 0),
        ([-2, -1, 0], -1.5, -1),
        ([0, 1], 0.49999999999999994, 0),
        ([1, 2, 4], 3.0, 4),
        ([1, 2, 4], 3, 4),
        ([1, 2, 4], 2.99, 2),
        ([1, 2, 3, 4, 5], 5.3, 5),
        ([1, 2, 3, 4, 5], 0.2, 1),
        ([1, 2, 3, 4, 5], -(10.0**300), 1),
        ([1, 2, 3, 4, 5], 10**400, 5),
        ([3, 2, 1], 2.5, 3),  # the order of the classes changes nothing about which is nearest
        ([0.1, 0.2, 0.3], 0.15, 0.2),  # a half in decimals, though not in binary
        ([0.1, 0.2, 0.3], 0.25, 0.3),
        ([0.3, 0.4], np.float32(0.35), 0.4),
        ([False, True], 0.5, True),
        ([2**52, 2**52 + 2], 2**52 + 1, 2**52 + 2),
        ([1.0, math.nextafter(1, 2)], 1.0, 1),
        ([2.5e-135, 2.0], 1.0, 2.5e-135),  # the middle is a little above 1
        ([7], -3.2, 7),
    ],
)
def test_halves_go_up_and_answers_beyond_the_ends_to_the_ends(labels, answer, expected):
    for column in ([answer], np.array([answer], dtype=object)):
        table = oe.Table.from_labels(labels[:1], column, labels=labels, round="nearest")
        assert table.counts[0].tolist() == [label == expected for label in labels]
    if isinstance(answer, float | np.float32):
        array = np.array([answer])
        table = oe.Table.from_labels(labels[:1], array, labels=labels, round="nearest")
        assert table.counts[0].tolist() == [label == expected for label in labels]


NUMBERS = st.one_of(
    st.integers(-8, 8),
    st.integers(-16, 16).map(lambda half: half / 2),
    st.integers(-80, 80).map(lambda tenth: tenth / 10),
    st.floats(-10, 10),
)


@given(st.lists(NUMBERS, min_size=1, max_size=6, unique=True), st.lists(NUMBERS, min_size=1))
def test_the_nearest_class_is_the_one_that_a_loop_finds(labels, answers):
    labels = sorted(labels)
    expected = np.zeros((len(labels), len(labels)), dtype=int)
    for answer in answers:
        expected[0, labels.index(nearest(labels, answer))] += 1
    changed = sum(answer not in labels for answer in answers)
    for column in (answers, np.array(answers, float), [repr(answer) for answer in answers]):
        gold = [labels[0]] * len(answers)
        table = oe.Table.from_labels(gold, column, labels=labels, round="nearest")
        assert table.counts.tolist() == expected.tolist()
        assert table.touched.get("rounded", 0) == changed
    runs = oe.Runs.from_labels(
        gold, {"a": np.array(answers, float), "b": answers}, labels=labels, round="nearest"
    )
    assert runs.table.counts.tolist() == [expected.tolist()] * 2


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
def test_floats_are_merged_in_chunks_of_any_precision(dtype, monkeypatch):
    monkeypatch.setattr("ordeval.inputs.rounding.CHUNK", 3)
    scores = np.array([1, 1.25, np.nan, 2.75, np.inf, 1.5, 2, -np.inf, 7, 1.125, np.nan], dtype)
    column = NearestClass.on(oe.Scale([1, 2, 3])).merged_floats(scores)
    values = [column.item(at) for at in range(len(column))]
    # one value for each class and way to it: 1 itself, what becomes 1 (1.25, 1.125), what becomes 3 (2.75, 7) ...
    assert values == [1, 1.25, None, 2.75, math.inf, 1.5, 2, -math.inf, 2.75, 1.25, None]


def test_infinite_answers_and_words_are_off_the_scale_and_missing_ones_stay_missing():
    gold = [1, 2, 3, 3, 2]
    for answers in (
        [1.2, math.inf, -math.inf, math.nan, 2.0],
        np.array([1.2, math.inf, -math.inf, math.nan, 2.0]),
        [1.2, "N/A", math.inf, None, 2],
    ):
        with pytest.raises(oe.errors.LabelError, match=r"is not on the scale.*unknown='missing'"):
            oe.Table.from_labels(gold, answers, round="nearest", missing="zero")
        table = oe.Table.from_labels(
            gold, answers, round="nearest", missing="zero", unknown="missing"
        )
        assert table.touched == {"missing": 1, "unknown": 2, "rounded": 1}
        assert table.answered.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
        assert table.missed.tolist() == [0, 1, 2]


def test_answers_between_classes_count_as_missing_where_the_caller_says_so():
    table = oe.Table.from_labels([1, 2], [1, 1.5], unknown="missing", missing="drop")
    assert table.scale.labels == (1, 2)
    assert table.coverage == 0.5


def test_gold_is_never_rounded():
    assert oe.Table.from_labels([1, 2.5], [1, 2.4], round="nearest").scale.labels == (1, 2.5)
    with pytest.raises(oe.errors.LabelError, match=r"label 2.5 is not on the scale .* gold labels"):
        oe.Table.from_labels([1, 2.5], [1, 2], labels=[1, 2, 3], round="nearest")


def test_fractions_in_gold_are_classes_and_other_answers_are_none():
    with pytest.raises(oe.errors.LabelError) as caught:
        oe.accuracy([0.5, 1.0, 1.5], [0.5, 1.0, 2.0])
    assert str(caught.value) == (
        "label 2.0 is not on the scale [0.5, 1, 1.5] (lowest first); 1 of 3 answers lies outside it, first at item "
        f"2. {WAYS_OUT}"
    )
    assert oe.accuracy([0.5, 1.0, 1.5], [0.7, 1.2, 2.0], round="nearest") == 1.0


def test_whole_answers_widen_a_scale_of_integers_unless_they_are_rounded():
    gold, said = [1, 2, 3], [1, 2, 5]
    for one, other in ((gold, said), (np.array(gold), np.array(said)), (gold, [1.0, 2.0, 5.0])):
        assert oe.Table.from_labels(one, other).scale.labels == (1, 2, 3, 4, 5)
        rounded = oe.Table.from_labels(one, other, round="nearest")
        assert rounded.scale.labels == (1, 2, 3)
        assert rounded.counts.tolist() == np.eye(3).tolist()
        assert rounded.touched == {"rounded": 1}


def test_weights_and_counts_go_with_the_rounded_items():
    table = oe.Table.from_labels([1, 2, 2], [1.2, 1.9, 2], count=[3, 4, 5], round="nearest")
    assert table.counts.tolist() == [[3, 0], [0, 9]]
    assert table.touched == {"rounded": 7}
    weighted = oe.Table.from_labels(
        [1, 2, 2], np.array([1.2, 1.9, 2]), sample_weight=[0.5, 0.25, 2], round="nearest"
    )
    assert weighted.counts.tolist() == [[0.5, 0], [0, 2.25]]
    assert weighted.touched == {"rounded": 2}


def test_classes_that_are_no_numbers_cannot_be_rounded_to(tmp_path):
    says = (
        "round='nearest' needs classes that are numbers, and not all of the scale ['low', 'high'] are. Leave it out, "
        "or pass numbers as labels=[...]."
    )
    gold, labels = ["low", "high"], ["low", "high"]
    for predicted in (gold, [0.2, 0.7], np.array([0.2, 0.7])):
        with pytest.raises(oe.errors.ScaleError) as caught:
            oe.Table.from_labels(gold, predicted, labels=labels, values=[0, 1], round="nearest")
        assert str(caught.value) == says
        with pytest.raises(oe.errors.ScaleError) as caught:
            oe.Runs.from_labels(gold, {"a": predicted}, labels=labels, round="nearest")
        assert str(caught.value) == says
    frame = pd.DataFrame({"g": gold, "p": gold})
    with pytest.raises(oe.errors.ScaleError) as caught:
        oe.Table.from_frame(frame, gold="g", predicted="p", labels=labels, round="nearest")
    assert str(caught.value) == says


def test_labels_are_what_is_rounded_to_whatever_their_values():
    table = oe.Table.from_labels(
        [1, 2], [1.4, 1.6], labels=[1, 2], values=[0, 100], round="nearest"
    )
    assert table.counts.tolist() == [[1, 0], [0, 1]]
    assert table.scale.values == (0, 100)


def test_rounding_is_written_to_json_only_where_there_was_any():
    rounded = oe.Table.from_labels([1, 2], [1.4, 2], round="nearest")
    plain = oe.Table.from_labels([1, 2], [1, 2])
    assert rounded.to_dict()["policy"]["round"] == "nearest"
    assert "round" not in plain.to_dict()["policy"]
    for table in (rounded, plain):
        again = oe.Table.from_json(table.to_json())
        assert again == table
        assert again.policy.round == table.policy.round
    with pytest.raises(oe.errors.TableError, match="different policies"):
        rounded + plain
    odd = {**rounded.to_dict(), "policy": {"round": "nearest"}}
    with pytest.raises(oe.errors.TableError, match="the policy of this table is"):
        oe.Table.from_json(json.dumps(odd))


def test_results_say_that_answers_were_rounded():
    gold = [1, 2, 3, 4, 5, 1]
    result = oe.evaluate(gold, [1.4, 2, 3, 4, 5, 1], round="nearest", level=None)
    content = result.to_dict()
    assert content["policy"]["round"] == "nearest"
    assert content["input"]["touched"] == {"missing": 0, "unknown": 0, "rounded": 1}
    assert "1 answer is rounded to the nearest class" in result.caption
    plain = oe.evaluate(gold, gold, level=None)
    assert "round" not in plain.to_dict()["policy"]
    assert "rounded" not in plain.caption


def test_thousands_of_different_fractions_are_counted_as_a_loop_counts_them():
    rng = np.random.default_rng(5)
    gold = rng.integers(1, 4, 12_000)
    said = np.where(rng.random(12_000) < 0.3, gold, gold + rng.random(12_000))
    said[::50] = np.nan
    table = oe.Table.from_labels(gold, said, unknown="missing", missing="zero")
    fractions = [at for at, one in enumerate(said.tolist()) if one == one and one != int(one)]  # noqa: PLR0124 - no NaN
    unknown, first = len(fractions), fractions[0]
    right = sum(one == label for one, label in zip(said.tolist(), gold.tolist(), strict=True))
    assert dict(table.touched) == {"missing": 240, "unknown": unknown}
    assert (table.answered.sum(), np.trace(table.answered)) == (right, right)
    with pytest.raises(oe.errors.LabelError) as caught:
        oe.Table.from_labels(gold, said, missing="zero")
    assert f"label {said.tolist()[first]!r} is not on the scale" in str(caught.value)
    assert f"{unknown} of 12000 answers lie outside it, first at item {first}." in str(caught.value)
    # A fraction that is a class of gold stays one.
    halves = rng.choice([0.5, 1.5], 12_000)
    mixed = np.where(rng.random(12_000) < 0.5, halves, rng.random(12_000))
    kept = oe.Table.from_labels(halves, mixed, unknown="missing", missing="drop")
    assert kept.n == sum(one in {0.5, 1.5} for one in mixed.tolist())
