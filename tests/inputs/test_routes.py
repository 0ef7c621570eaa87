"""Labels that are counted at once, against the general way: patterns of raw labels, placed on the scale one by one."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ordeval as oe
from ordeval import columns
from ordeval.inputs import arrays
from ordeval.inputs.counting import MANY
from ordeval.scale import declared_scale
from tests.examples import examples

WORDS = ["awful", "bad", "fair", "good", "great"]
ORDERED = pd.CategoricalDtype(WORDS, ordered=True)


def words(labels):
    return [None if label is None else WORDS[label % 5] for label in labels]


def codes(labels):
    return [-1 if label is None else label % 5 for label in labels]


def whole(dtype):
    """Make an array of a type that holds no missing labels, and only numbers that it can hold."""
    limits = np.iinfo(dtype)

    def make(labels):
        numbers = [0 if label is None else label for label in labels]
        return np.array([min(max(n, int(limits.min)), int(limits.max)) for n in numbers], dtype)

    return make


def strided(labels):
    return np.repeat(whole("int64")(labels), 2)[::-2]


def read_only(labels):
    made = whole("int32")(labels)
    made.setflags(write=False)
    return made


def floats(labels):
    return np.array([np.nan if label is None else label for label in labels], dtype=float)


FORMS = {
    **{name: whole(name) for name in ("int8", "uint8", "int16", "uint32", "int64", "uint64")},
    **{name: whole(name) for name in (">i8", ">u2")},
    "strided": strided,
    "read only": read_only,
    "float": floats,
    "float32": lambda labels: floats(labels).astype("float32"),
    "bool": lambda labels: np.array([bool(label) for label in labels], dtype=bool),
    "list": list,
    "tuple": tuple,
    "object": lambda labels: np.array(labels, dtype=object),
    "text": lambda labels: np.array([str(label) for label in labels], dtype=str),
    "words": words,
    "Categorical": lambda labels: pd.Series(pd.Categorical(words(labels), dtype=ORDERED)),
    "reversed": lambda labels: pd.Series(
        pd.Categorical(words(labels), categories=WORDS[::-1], ordered=True)
    ),
    "unordered": lambda labels: pd.Series(pd.Categorical(words(labels), categories=WORDS)),
    "numbers": lambda labels: pd.Series(
        pd.Categorical(codes(labels), categories=range(-1, 5), ordered=True)
    ),
    "Int64": lambda labels: pd.Series(labels, dtype="Int64"),
    "Enum": lambda labels: pl.Series(words(labels), dtype=pl.Enum(WORDS)),
    "polars": lambda labels: pl.Series(labels, dtype=pl.Int64),
    "arrow": lambda labels: pa.array(words(labels), type=pa.string()).dictionary_encode(),
}
SMALL = st.integers(0, 4)
LABEL = st.one_of(
    SMALL, SMALL, SMALL, st.integers(-3, 8), st.sampled_from([25, 900, 2000, 2**53 + 1, -(2**62)])
)
COLUMN = st.one_of(st.lists(SMALL, max_size=12), st.lists(st.one_of(SMALL, LABEL), max_size=12))
MAYBE_MISSING = st.lists(st.one_of(SMALL, SMALL, LABEL, st.none()), max_size=12)
OPTIONS = st.sampled_from(
    [
        {},
        {},
        {"labels": WORDS},
        {"labels": tuple(WORDS)},
        {"labels": [*WORDS, "bad"]},
        {"labels": range(5)},
        {"labels": [0, 1, 2, 3, 4]},
        {"labels": [False, True]},
        {"labels": [0, 1, 2, 3, 4], "values": [0, 1, 4, 5, 9]},
        {"values": [0, 1, 4, 5, 9]},
        {"missing": "zero", "gold_missing": "drop"},
        {"missing": "farthest", "unknown": "missing"},
        {"labels": WORDS, "missing": "drop", "gold_missing": "drop"},
        {"round": "nearest"},
    ]
)


def outcome(work):
    """Return what work gives, or the class and the text of its error."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - errors are compared, too
        return type(error).__name__, str(error)


def described(table):
    """Return all of a table that can be seen, with the types of its labels."""
    if isinstance(table, tuple):
        return table
    kinds = [type(label) for label in table.scale.labels]
    return table.to_dict(), kinds, table.scale.inferred, str(table.answered.dtype)


@settings(
    max_examples=examples(400),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    gold=st.one_of(COLUMN, MAYBE_MISSING),
    predicted=st.one_of(COLUMN, MAYBE_MISSING),
    forms=st.tuples(st.sampled_from(sorted(FORMS)), st.sampled_from([None, *sorted(FORMS)])),
    options=OPTIONS,
)
def test_what_is_counted_at_once_is_what_the_general_way_counts(
    monkeypatch, gold, predicted, forms, options
):
    if len(gold) % 4:  # else both may have different lengths
        n = min(len(gold), len(predicted))
        gold, predicted = gold[:n], predicted[:n]
    made = outcome(lambda: (FORMS[forms[0]](gold), FORMS[forms[1] or forms[0]](predicted)))
    if isinstance(made[0], str):  # the library refuses such labels itself
        return
    found = outcome(lambda: oe.Table.from_labels(*made, **options))
    score = outcome(lambda: oe.weighted_kappa(*made, **options))
    with monkeypatch.context() as patch:
        patch.setattr(arrays, "count_on_integer_scale", lambda *_: None)
        patch.setattr(arrays, "count_if_all_on_scale", lambda *_: None)
        expected = outcome(lambda: oe.Table.from_labels(*made, **options))
    assert described(found) == described(expected)
    of_table = found if isinstance(found, tuple) else outcome(lambda: oe.weighted_kappa(found))
    assert repr(score) == repr(of_table)  # NaN, too


@pytest.mark.parametrize("top", [0, 1, 19, 20, 21, 400, 1000, 2**53, 2**62])
@pytest.mark.parametrize("lowest", [0, 1, -1, -(2**62)])
def test_a_call_with_two_arrays_of_integers_is_a_call_with_their_table(top, lowest):
    rng = np.random.default_rng(top % 1000)
    for n in (0, 1, 2, 1000, MANY - 1, MANY):
        gold, predicted = lowest + np.minimum(rng.integers(0, 5, (2, n)), top)
        gold[:1], predicted[-1:] = lowest + top, lowest
        for pair in ((gold, predicted), (gold[::-1], predicted.astype(">i8")), (gold[1:], gold)):
            table = outcome(lambda pair=pair: oe.Table.from_labels(*pair))
            for measure in (oe.accuracy, oe.mae, oe.weighted_kappa):
                called = outcome(lambda pair=pair, measure=measure: measure(*pair))
                expected = table
                if isinstance(table, oe.Table):
                    expected = outcome(lambda measure=measure, table=table: measure(table))
                assert repr(called) == repr(expected)


@pytest.mark.parametrize("dtype", ["bool", "float64", "U1", "object"])
def test_arrays_of_other_types_do_not_take_the_way_of_integers(dtype):
    labels = np.array([0, 1, 1, 0]).astype(dtype)
    assert arrays.count_plain(labels, labels) is None
    assert arrays.count_plain(np.zeros(4, dtype=int), labels) is None
    assert arrays.count_plain(np.zeros((4, 1), dtype=int), np.zeros((4, 1), dtype=int)) is None
    assert arrays.count_plain(np.ma.zeros(4, dtype=int), np.ma.zeros(4, dtype=int)) is None


@pytest.mark.parametrize("name", ["cem_ord", "accuracy", "mae", "macro_f1", "kendall_tau_b"])
@pytest.mark.parametrize("policy", ["error", "zero", "farthest", "drop"])
def test_a_measure_of_labels_is_the_measure_of_their_table_under_every_policy(name, policy):
    measure, rng = oe.registry[name], np.random.default_rng(3)
    gold, predicted = rng.integers(0, 5, (2, 60))
    weight = rng.random(60)
    missed = [None if at % 7 == 0 and policy != "error" else p for at, p in enumerate(predicted)]
    for options in ({}, {"sample_weight": weight}, {"values": [0, 2, 3, 7, 8]}):
        table = oe.Table.from_labels(gold, missed, missing=policy, **options)
        assert measure(gold, missed, missing=policy, **options) == measure(table)


def test_a_label_that_equals_another_of_a_kept_scale_keeps_its_own_type():
    assert declared_scale(["0", "1"], None).labels == (0, 1)
    for labels in ([0, 1], [False, True], [0.0, 1.0]):
        kinds = [type(label) for label in declared_scale(labels, None).labels]
        assert kinds == [type(label) for label in oe.Scale(labels).labels]
    assert declared_scale(WORDS, None) is declared_scale(tuple(WORDS), None)
    assert declared_scale(WORDS, [1, 2, 3, 4, 9]).values == (1, 2, 3, 4, 9)
    assert declared_scale(WORDS, None).values == (0, 1, 2, 3, 4)


def test_categories_are_those_of_each_type_however_many_types_there_are():
    for at in range(3 * columns.MOST_KEPT):
        kind = pd.CategoricalDtype([f"{at} low", f"{at} high"], ordered=True)
        column = pd.Series([f"{at} low", f"{at} high"]).astype(kind)
        for _ in range(2):
            labels = oe.Table.from_labels(column, column).scale.labels
            assert labels == (f"{at} low", f"{at} high")
    assert len(columns.CATEGORIES) <= columns.MOST_KEPT
    many = pd.CategoricalDtype([f"{at:03}" for at in range(columns.FEW + 1)], ordered=True)
    assert len(columns.categories_of(many.categories)) == columns.FEW + 1
    assert id(many.categories) not in columns.CATEGORIES
