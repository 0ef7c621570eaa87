"""What each refusal of a scale says: the reason, and what to do."""

import pandas as pd
import pytest

import ordeval as oe
from ordeval import Scale


def test_each_refusal_of_a_scale_says_what_is_wrong_and_what_to_do():
    order = "Pass labels=[...], lowest first, to say which is right."
    wide = "Pass labels=[...], lowest first, if they really are classes."
    kind = "Pass labels=[...] lowest first, or an ordered type."
    large = (
        "are too large: as floating-point numbers they are equal. Pass labels=[...] with values=[...], a smaller "
        "number for each class."
    )
    word = (
        "Make such labels missing (None, an empty field) and pass gold_missing='drop' to leave the items out, or pass "
        "labels=[...] lowest first if they are classes."
    )
    between = "and a prediction cannot add a class between them. Round it, or pass labels=[...], lowest first."
    low_high = pd.Categorical(["low"], ["low", "high"], ordered=True)
    high_low = pd.Categorical(["low"], ["high", "low", "mid"], ordered=True)
    for door, says in [
        (
            lambda: Scale(7),
            "labels is 7; it must list the classes, lowest first. Pass labels=[...].",
        ),
        (
            lambda: Scale([]),
            "labels is empty; a scale has at least one class. List the classes, lowest first.",
        ),
        (
            lambda: Scale(["a", None]),
            "labels 'a', MISSING holds a missing value, which is never a class. Leave it out.",
        ),
        (
            lambda: Scale([1, float("inf")]),
            "labels 1, inf holds infinity; a number that is a class is finite.",
        ),
        (
            lambda: Scale([["a"], "b"]),
            "labels ['a'], 'b' holds something unhashable; a label is a number, a string or a boolean.",
        ),
        (
            lambda: Scale(["a", "b", "c", "b", "c"]),
            "labels names 'b' more than once; every class has one place in the order.",
        ),
        (
            lambda: Scale(["a", "b"], values=["x", "y"]),
            "values is ['x', 'y']; it must have one number for each class.",
        ),
        (
            lambda: Scale(["a", "b"], values=[2, 1]),
            "values is [2, 1]; it must have 2 strictly increasing numbers, one for each class of ['a', 'b'].",
        ),
        (
            lambda: Scale([2**60, 2**60 + 1, 2**60 + 2]),
            f"the labels {2**60}, {2**60 + 1} and 1 more {large}",
        ),
        (
            lambda: Scale([1, 10**400]),
            f"the labels 1, {10**400} {large}",
        ),
        (
            lambda: Scale.infer([1, 1001]),
            f"the labels run from 1 to 1001, 1001 classes, more than the 1000 that are inferred. {wide}",
        ),
        (
            lambda: Scale.infer(low_high, high_low),
            f"two columns have different orders: ['high', 'low', 'mid'] and ['low', 'high']. {order}",
        ),
        (
            lambda: Scale.infer(low_high, pd.Categorical(["x"], ["low", "high", "x"], ordered=True),
                                pd.Categorical(["y"], ["y"], ordered=True)),
            f"two columns have different orders: ['low', 'high', 'x'] and ['y']. {order}",
        ),
        (
            lambda: Scale.infer([None]),
            "there are no items: every label is missing, or there are none. Check the input.",
        ),
        (
            lambda: Scale.infer([1.5, float("inf")]),
            "a label is infinite; a class is a finite number. Remove it or make it missing (NaN).",
        ),
        (
            lambda: Scale.infer(["good", 1]),
            f"gold has 'good' among numbers such as 1, so the order of the classes is not known. {word}",
        ),
        (
            lambda: Scale.infer([1 + 1j, 1]),
            f"cannot tell the order of the classes (1+1j), 1: they are not all numbers. {kind}",
        ),
        (
            lambda: Scale.infer([1, 3], [2, 1.5]),
            f"the prediction 1.5 is not among the classes [1, 2, 3] of gold, {between}",
        ),
    ]:  # fmt: skip
        with pytest.raises(oe.OrdevalError) as caught:
            door()
        assert str(caught.value) == says


def test_scales_that_differ_say_so():
    with pytest.raises(oe.errors.ScaleError) as caught:
        Scale([1, 2]).widened(Scale([1, 3]))
    assert str(caught.value) == (
        "the scales differ: Scale([1, 2]) and Scale([1, 3]); only what has the same classes can be added. "
        "Pass the same labels=[...] to both."
    )
