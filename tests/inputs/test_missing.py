"""What means that there is no label, in files and frames and in arrays, on either side."""

import itertools
import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ordeval as oe
from ordeval.labels import MISSING, canonical, tidy
from tests.duckdb_files import writer
from tests.examples import grid

NAN = ["nan", "NaN", "NAN", "Nan", " nan ", "naN"]
NO_LABEL = ["", " ", *NAN]


def write(path, labels):
    """Write a file of items d0, d1, ... with these labels."""
    rows = [{"item": f"d{at}", "label": label} for at, label in enumerate(labels)]
    if path.suffix == ".csv":
        path.write_text("item,label\n" + "".join(f'{r["item"]},"{r["label"]}"\n' for r in rows))
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        frame = pl.DataFrame(rows)
        with writer() as connection:
            connection.register("frame", frame.to_arrow())
            connection.execute(f"COPY (SELECT * FROM frame) TO '{path}' (FORMAT parquet)")
    return path


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_every_spelling_of_no_label_is_none_in_one_file(tmp_path, kind):
    whole = write(tmp_path / f"whole.{kind}", ["1", *["2"] * 9])
    holes = write(tmp_path / f"holes.{kind}", ["1", *NO_LABEL, "2"])
    runs = oe.Runs.from_files(whole, holes, missing="zero")
    assert runs.scale.labels == (1, 2)
    assert runs.table.missed.tolist() == [[0, 8]]
    assert dict(runs.touched) == {"missing": 8}


@grid(
    "kind, spelled, systems",
    itertools.product(["csv", "jsonl", "parquet"], NO_LABEL, [1, 2]),
    every=8,
)
def test_an_empty_field_and_nan_in_any_letters_are_no_label_in_a_file(
    tmp_path, kind, spelled, systems
):
    whole = write(tmp_path / f"whole.{kind}", ["1", "2", "2"])
    holes = write(tmp_path / f"holes.{kind}", ["1", spelled, "2"])
    runs = oe.Runs.from_files(whole, [holes, whole][:systems], missing="zero")
    assert runs.scale.labels == (1, 2)
    assert runs.table.missed.tolist() == [[0, 1], [0, 0]][:systems]
    assert dict(runs.touched) == {"missing": 1}
    with pytest.raises(oe.errors.LabelError, match=r"1 of 3 .* is missing, first at item 'd1'\."):
        oe.Runs.from_files(whole, [holes, whole][:systems])
    turned = oe.Runs.from_files(holes, whole, gold_missing="drop")
    assert turned.n == 2
    assert turned.ignored["gold_missing"] == 1


@pytest.mark.parametrize("spelled", NO_LABEL)
def test_an_empty_field_and_nan_in_any_letters_are_no_label_in_a_wide_file_or_a_frame(
    tmp_path, spelled
):
    (tmp_path / "wide.csv").write_text(f'human,model\n1,1\n2,"{spelled}"\n')
    runs = oe.Runs.from_wide(tmp_path / "wide.csv", gold="human", predicted="model", missing="zero")
    assert runs.table.missed.tolist() == [[0, 1]]
    for make in (pd.DataFrame, pl.DataFrame):
        frame = make({"human": ["1", "2"], "model": ["1", spelled]})
        table = oe.Table.from_frame(frame, gold="human", predicted="model", missing="zero")
        assert table.scale.labels == (1, 2)
        assert table.missed.tolist() == [0, 1]


@pytest.mark.parametrize("word", ["nano", "n/a", "NA", "none", "null", "-"])
def test_other_words_for_nothing_are_labels_like_any_other(tmp_path, word):
    gold = write(tmp_path / "gold.csv", ["a", "b"])
    run = write(tmp_path / "run.csv", ["a", word])
    with pytest.raises(oe.errors.LabelError, match=f"label '{word}' is not on the scale"):
        oe.Runs.from_files(gold, run, labels=["a", "b"], missing="zero")
    runs = oe.Runs.from_files(gold, run, labels=["a", "b", word])
    assert runs.table.answered.tolist() == [[[1, 0, 0], [0, 0, 1], [0, 0, 0]]]


def test_in_an_array_only_empty_text_is_no_label_and_a_word_is_as_it_stands():
    for hold in (list, np.array, pd.Series, pl.Series):
        table = oe.Table.from_labels(
            hold(["a", "b"]), hold(["a", ""]), labels=["a", "b"], missing="zero"
        )
        assert table.missed.tolist() == [0, 1]
        for word in ("nan", " ", " a"):
            with pytest.raises(oe.errors.LabelError, match="is not on the scale"):
                oe.Table.from_labels(
                    hold(["a", "b"]), hold(["a", word]), labels=["a", "b"], missing="zero"
                )


@pytest.mark.parametrize("nothing", [None, float("nan"), "", np.datetime64("NaT"), pd.NA, pd.NaT])
def test_every_object_that_means_no_label_is_missing(nothing):
    assert canonical(nothing) is MISSING
    assert tidy(nothing) is MISSING
    assert repr(MISSING) == "MISSING"


@pytest.mark.parametrize(
    ("raw", "label"),
    [(" a ", "a"), ("a b", "a b"), ("\t1\n", "1"), (1.0, 1), (0, 0), (False, False)],
)
def test_text_is_tidied_and_what_is_no_text_is_not(raw, label):
    assert tidy(raw) == label
    assert type(tidy(raw)) is type(label)


# --- gold that is missing altogether


def test_gold_that_is_all_missing_is_no_item_whatever_holds_it(tmp_path):
    says = "there are no items: every gold label is missing. Check the gold column."
    (tmp_path / "wide.csv").write_text("human,model\n,1\n,2\n")
    frame = pd.DataFrame({"human": [None, None], "model": [1, 2]}, dtype=object)
    for door in (
        lambda: oe.Table.from_labels([None, None], [1, 2]),
        lambda: oe.Runs.from_labels([None, None], {"model": [1, 2]}),
        lambda: oe.Table.from_frame(frame, gold="human", predicted="model"),
        lambda: oe.Runs.from_frame(frame, gold="human", predicted="model", gold_missing="drop"),
        lambda: oe.Runs.from_wide(tmp_path / "wide.csv", gold="human", predicted="model"),
    ):
        with pytest.raises(oe.errors.NoItemsError) as caught:
            door()
        assert str(caught.value) == says


def test_a_batch_whose_gold_is_all_dropped_is_an_empty_table_that_adds_to_others():
    options = {"labels": [1, 2], "gold_missing": "drop"}
    nothing = oe.Table.from_labels([None, None], [1, 2], **options)
    assert (nothing.n, nothing.counts.tolist()) == (0, [[0, 0], [0, 0]])
    assert nothing.touched == {"gold_missing": 2}
    both = nothing + oe.Table.from_labels([1, 2, None], [1, 1, 1], **options)
    assert both.counts.tolist() == [[1, 0], [1, 0]]
    assert both.touched == {"gold_missing": 3}
    runs = oe.Runs.from_labels([None, None], {"a": [1, 2]}, **options)
    assert (runs.n, dict(runs.ignored)) == (0, {"gold_missing": 2})
