"""Scales that would be wrong without a word: integers with gaps, and words among numbers."""

import numpy as np
import pandas as pd
import pytest

import ordeval as oe
from ordeval import Scale

# --- integers with gaps


SPARSE = (
    "the labels run from 0 to 100, and only 5 of these 101 integers occur: 0, 25, 50, 75, 100. Pass labels=[0, 25, 50, "
    "75, 100] if these are the classes, or list all classes, lowest first."
)
MARKS = [0, 25, 50, 75, 100], [0, 25, 50, 75, 75]


def long_files(frame, folder):
    """Read a frame as files of gold and answers."""
    frame[["item", "gold"]].to_csv(folder / "gold.csv")
    frame[["item", "pred"]].to_csv(folder / "run.csv")
    return oe.Runs.from_files(folder / "gold.csv", folder / "run.csv")


def wide_file(frame, folder):
    """Read a frame as a wide file."""
    frame.to_csv(folder / "wide.csv")
    return oe.Runs.from_wide(folder / "wide.csv", gold="gold", predicted="pred")


def array(read):
    """Return a door that reads the columns of a frame as lists in another form."""
    return lambda frame, _: oe.Table.from_labels(
        *(read(frame[column].tolist()) for column in ("gold", "pred")), missing="drop"
    )


FORMS = {
    "lists": array(list),
    "integers": array(np.array),
    "floats": array(lambda marks: np.array(marks, float)),
    "bytes": array(lambda marks: np.array(marks, np.int8)),
    "text": array(lambda marks: [f"{mark}.0" for mark in marks]),
    "missing": lambda frame, _: oe.Table.from_labels(
        [*frame["gold"], 50], [*frame["pred"], None], missing="drop"
    ),
    "weights": lambda frame, _: oe.Table.from_labels(
        frame["gold"], frame["pred"], sample_weight=[1, 2, 3, 4, 5]
    ),
    "systems": lambda frame, _: oe.Runs.from_labels(
        frame["gold"], {"a": frame["pred"], "b": frame["gold"]}
    ),
    "frame": lambda frame, _: oe.Table.from_frame(frame, gold="gold", predicted="pred"),
    "scale": lambda frame, _: Scale.infer(frame["gold"], frame["pred"]),
    "wide file": wide_file,
    "long files": long_files,
}


@pytest.mark.parametrize("form", FORMS)
def test_marks_far_apart_are_no_run_of_integers_in_any_form(form, tmp_path):
    frame = pd.DataFrame({"item": range(5), "gold": MARKS[0], "pred": MARKS[1]})
    with pytest.raises(oe.errors.ScaleError) as caught:
        FORMS[form](frame, tmp_path)
    assert str(caught.value) == SPARSE


def test_marks_that_are_declared_are_neighbours():
    assert oe.accuracy_within(*MARKS, labels=MARKS[0]) == 1.0
    assert oe.accuracy_within(*MARKS, labels=MARKS[0], n=0) == 0.8


@pytest.mark.parametrize("read", [list, np.array, lambda seen: np.array(seen, float)])
def test_half_of_more_than_twenty_integers_must_occur(read):
    for seen, k in (
        ([0, 19], 20),  # up to twenty, gaps are classes that nobody used
        ([*range(10), 20], 21),  # 11 of 21
        ([*range(10), 21], 22),  # 11 of 22: half
    ):
        assert oe.Table.from_labels(read(seen), read(seen)).scale.labels == tuple(range(k))
    for seen in ([*range(9), 20], [*range(10), 22]):  # 10 of 21, 11 of 23
        with pytest.raises(oe.errors.ScaleError, match=f"only {len(seen)} of these"):
            oe.Table.from_labels(read(seen), read(seen))


def test_integers_occur_in_gold_or_in_any_output():
    low, high = [*range(6), 0], [*range(16, 22), 21]  # six and six of 22: more than half
    assert Scale.infer(low, high).k == 22
    assert oe.Table.from_labels(np.array(low), np.array(high)).scale.k == 22
    assert oe.Runs.from_labels(low, {"a": low, "b": high}).scale.k == 22
    with pytest.raises(oe.errors.ScaleError, match="only 7 of these 22"):
        Scale.infer(low, [21])


def test_a_long_list_of_values_is_cut():
    with pytest.raises(oe.errors.ScaleError) as caught:
        Scale.infer(range(0, 999, 3))
    assert str(caught.value) == (
        "the labels run from 0 to 996, and only 333 of these 997 integers occur: 0, 3, 6, 9, 12 and 328 more. Pass "
        "labels=[0, 3, 6, 9, 12, 15, 18, 21, 24, 27, ..., 996] if these are the classes, or list all classes, "
        "lowest first."
    )
    with oe.errors.speaking_of_options(), pytest.raises(oe.errors.ScaleError) as caught:
        Scale.infer([100, 200, 500, 600])
    assert "Pass --labels 100,200,500,600 if these are the classes" in str(caught.value)


# --- what gold and the outputs have to say


def test_words_among_the_numbers_of_an_output_are_off_the_scale(tmp_path):
    frame = pd.DataFrame(
        {"g": ["1", "2", "3"], "p": ["1", "N/A", "3"], "q": ["I refuse", "2", "1"]}
    )
    frame.to_csv(tmp_path / "wide.csv")
    doors = {
        "array": lambda **o: oe.Table.from_labels([1, 2, 3], [1, "N/A", 3], **o),
        "text": lambda **o: oe.Table.from_labels(frame["g"], frame["p"], **o),
        "frame": lambda **o: oe.Table.from_frame(frame, gold="g", predicted="p", **o),
        "file": lambda **o: oe.Runs.from_wide(
            tmp_path / "wide.csv", gold="g", predicted=["p", "q"], **o
        ).table.select(system="p"),
        "declared": lambda **o: oe.Table.from_labels(
            [1, 2, 3], [1, "N/A", 3], labels=[1, 2, 3], **o
        ),
        "ordered": lambda **o: oe.Table.from_labels(
            pd.Categorical([1, 2, 3], ordered=True), [1, "N/A", 3], **o
        ),
    }
    first = {"array": 1, "text": 1, "file": 2, "declared": 1, "ordered": 1}
    for name, door in doors.items():
        with pytest.raises(oe.errors.LabelError) as caught:
            door()
        of = "answers of 'p'" if name == "file" else "answers"
        where = f", first at item {first[name]}" if name in first else ""
        assert str(caught.value) == (
            f"label 'N/A' is not on the scale [1, 2, 3] (lowest first); 1 of 3 {of} lies outside it{where}. "
            f"Add the class to labels=[...], or pass unknown='missing'."
        ), name
        table = door(unknown="missing", missing="zero")
        assert table.scale.labels == (1, 2, 3)
        assert table.missed.tolist() == [0, 1, 0], name
        assert oe.accuracy(table) == pytest.approx(2 / 3), name


def test_words_among_the_numbers_of_gold_are_refused_by_name_and_place(tmp_path):
    says = (
        "gold has 'N/A', 'none' among numbers such as 1, so the order of the classes is not known; 3 of 5 gold "
        "labels are not numbers{}. Make such labels missing (None, an empty field) and pass gold_missing='drop' to "
        "leave the items out, or pass labels=[...] lowest first if they are classes."
    )
    gold, predicted = ["1", "none", "N/A", "2", "N/A"], ["1", "1", "1", "2", "2"]
    frame = pd.DataFrame({"g": gold, "p": predicted, "id": list("abcde")})
    frame.to_csv(tmp_path / "wide.csv", index=False)
    doors = [
        (lambda **o: oe.Table.from_labels(gold, predicted, **o), ", first at item 1"),
        (lambda **o: oe.Table.from_labels(gold, predicted, item=list("abcde"), **o), ", first at item 'b'"),
        (lambda **o: oe.Runs.from_labels(gold, {"p": predicted}, **o), ", first at item 1"),
        (lambda **o: oe.Table.from_frame(frame, gold="g", predicted="p", **o), ""),
        (
            lambda **o: oe.Runs.from_wide(tmp_path / "wide.csv", gold="g", predicted="p", **o),
            ", first at item 'b'",
        ),
    ]  # fmt: skip
    for door, where in doors:
        for options in ({}, {"unknown": "missing", "missing": "zero"}, {"gold_missing": "drop"},
                        {"round": "nearest"}):  # fmt: skip
            with pytest.raises(oe.errors.ScaleError) as caught:
                door(**options)
            assert str(caught.value) == says.format(where)
    fine = oe.accuracy([1, None, None, 2, None], predicted, gold_missing="drop")
    assert fine == 1.0  # both of those that are left
