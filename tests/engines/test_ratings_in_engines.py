"""All engines give the same ratings: those of the marks themselves."""

import math

import numpy as np
import pytest

import ordeval as oe

RNG = np.random.default_rng(5)
ITEMS, RATERS = 80, ["ann", "bob", "cy", "dee"]
WORDS = ["low", "mid", "high"]
GAPS = RNG.random((ITEMS, len(RATERS))) < 0.2
WHOLE = RNG.integers(1, 6, GAPS.shape)


def marks_as(kind):
    """Return items x raters of one kind of labels, with gaps."""
    ways = {
        "whole": int,
        "float": float,
        "half": lambda mark: mark / 2,
        "text": str,
        "word": lambda mark: WORDS[mark % 3],
        "flag": lambda mark: bool(mark % 2),
    }
    marks = [[ways[kind](int(mark)) for mark in row] for row in WHOLE]
    return [
        [None if gap else mark for mark, gap in zip(*rows, strict=True)]
        for rows in zip(marks, GAPS, strict=True)
    ]


def long_of(marks):
    return {
        "doc": [f"d{at}" for at in range(ITEMS) for _ in RATERS],
        "annotator": RATERS * ITEMS,
        "score": [mark for row in marks for mark in row],
    }


def same_patterns(found, known):
    """Compare what every engine can know: not the names of the items."""
    assert found.scale == known.scale
    assert found.raters == known.raters
    assert found.rater.tolist() == known.rater.tolist()
    assert found.mark.tolist() == known.mark.tolist()
    assert found.count.tolist() == known.count.tolist()
    if found.item_names is not None:
        assert found == known


@pytest.mark.parametrize("kind", ["whole", "float", "half", "text", "word", "flag"])
def test_long_and_wide_frames_give_the_ratings_of_the_marks(frame, kind):
    marks = marks_as(kind)
    labels = WORDS if kind == "word" else None
    items = [f"d{at}" for at in range(ITEMS)]
    known = oe.Ratings.from_array(marks, raters=RATERS, item=items, labels=labels)
    same_patterns(oe.Ratings.from_frame(frame(long_of(marks)), labels=labels), known)
    wide = {"doc": items} | {rater: [row[at] for row in marks] for at, rater in enumerate(RATERS)}
    same_patterns(oe.Ratings.from_wide(frame(wide), raters=RATERS, labels=labels), known)


def test_test_cases_and_raters_that_are_numbers(frame):
    columns = {
        "query": ["x", "x", "y", "y"],
        "id": [1, 1, 1, 2],
        "worker": [10, 2, 10, 2],
        "grade": [1.0, 2.0, math.nan, 3.0],
    }
    found = oe.Ratings.from_frame(frame(columns))
    assert found.raters == ("2", "10")
    assert found.n == 3
    assert sorted(found.votes.sum(axis=1).tolist()) == [0, 1, 2]


def test_a_rater_twice_on_an_item_is_refused(frame):
    columns = {"item": ["p", "p", "q"], "rater": ["ann", "ann", "bob"], "label": [1, 1, 2]}
    with pytest.raises(oe.OrdevalError, match="more than one mark by rater 'ann' of item 'p'"):
        oe.Ratings.from_frame(frame(columns))


def test_more_than_sixty_raters_are_read_too(frame):
    columns = {
        "item": [at // 2 for at in range(140)],
        "rater": [f"w{at % 70:02}" for at in range(140)],
        "label": [1 + at % 3 for at in range(140)],
    }
    found = oe.Ratings.from_frame(frame(columns))
    assert len(found.raters) == 70
    assert found.n == 70
    assert found.marks == 140


def test_counts_of_items_add_up(frame):
    columns = {"a": [1, 2, 1], "b": [1, 1, 2], "times": [3, 0, 5]}
    found = oe.Ratings.from_wide(frame(columns), raters=["a", "b"], count="times")
    assert found.n == 8
    assert found.count.tolist() == [3, 5]


def test_repeats_of_a_judge_are_raters_of_their_own(frame):
    columns = {
        "item": ["p", "p", "p", "q", "q"],
        "judge": ["gpt", "gpt", "llama", "gpt", "gpt"],
        "epoch": [1, 10, 2, 1, 10],
        "score": [1, 2, 2, 3, 1],
    }
    found = oe.Ratings.from_frame(frame(columns))
    assert found.raters == ("gpt #1", "gpt #10", "llama #2")
    # p has the marks 1, 2 and 2, and q the marks 3 and 1
    assert sorted(found.votes.tolist()) == [[1, 0, 1], [1, 2, 0]]
