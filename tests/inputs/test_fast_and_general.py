"""The short way from labels to a score and the long one, on every kind of column: the same score, or the same error.

A measure counts what lies on its scale at once. With `count=`, all labels are looked up and put on the scale one by
one, so that ones as counts ask for the same score by the long way.
"""

import decimal
import itertools
from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ordeval as oe
from ordeval.errors import OrdevalError
from ordeval.scale import Scale, declared_scale
from tests.examples import examples, grid

WORDS = ["awful", "bad", "fair", "good", "great"]
NUMBERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]


def words(codes):
    return [WORDS[code] for code in codes]


def read_only(codes):
    kept = np.array(codes)
    kept.setflags(write=False)
    return kept


def with_gap(codes, dtype):
    """Return the codes as every second of an array."""
    return np.repeat(codes, 2).astype(dtype)[::2]


def backwards(codes, dtype):
    return np.array(codes[::-1], dtype=dtype)[::-1]


def ordered(codes):
    return pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(WORDS, ordered=True))


KINDS = {
    **{name: lambda codes, d=name: codes.astype(d) for name in NUMBERS},
    **{f"big-endian {name}": lambda codes, d=name: codes.astype(f">{d}") for name in NUMBERS},
    **{f"strided {name}": lambda codes, d=name: with_gap(codes, d) for name in NUMBERS},
    **{f"backwards {name}": lambda codes, d=name: backwards(codes, d) for name in NUMBERS},
    **{f"negative {d}": lambda codes, d=d: (codes - 3).astype(d) for d in ("i1", "i8", "f4")},
    "read-only": read_only,
    "two to six": lambda codes: codes + 2,
    "up to 127": lambda codes: (codes + 123).astype("i1"),
    "up to 255": lambda codes: (codes + 251).astype("u1"),
    "down to -128": lambda codes: (codes - 128).astype("i1"),
    "below 2**53": lambda codes: codes + (2**53 - 5),
    "objects": lambda codes: codes.astype(object),
    "decimals": lambda codes: [decimal.Decimal(code) for code in codes.tolist()],
    "a list": lambda codes: codes.tolist(),
    "a tuple": lambda codes: tuple(codes.tolist()),
    "texts of numbers": lambda codes: codes.astype(str),
    "a frame of one column": lambda codes: pd.DataFrame({"label": codes}),
    "one-hot": lambda codes: np.eye(5, dtype=int)[codes],
    "Categorical": ordered,
    "Series of a Categorical": lambda codes: pd.Series(ordered(codes)),
    "Int64": lambda codes: pd.Series(codes, dtype="Int64"),
    "Enum": lambda codes: pl.Series(words(codes), dtype=pl.Enum(WORDS)),
    "polars": pl.Series,
    "Arrow": pa.array,
    "chunked Arrow": lambda codes: pa.chunked_array([pa.array(codes[:7]), pa.array(codes[7:])]),
}
DECLARED = {
    "list of strings": words,
    "array of strings": lambda codes: np.array(words(codes)),
    "objects that are strings": lambda codes: np.array(words(codes), dtype=object),
    "Series of strings": lambda codes: pd.Series(words(codes)),
    "Categorical without order": lambda codes: pd.Categorical(words(codes)),
    "polars strings": lambda codes: pl.Series(words(codes)),
    "polars Categorical": lambda codes: pl.Series(words(codes), dtype=pl.Categorical),
    "Arrow strings": lambda codes: pa.array(words(codes)),
}
BOTH = {**KINDS, **DECLARED}
FAULTY = {
    "nothing": lambda codes: codes[:0],
    "no words": lambda codes: words(codes[:0]),
    "strings without an order": words,
    "above 2**53": lambda codes: codes + 2**53,
    "the largest of all": lambda codes: codes.astype("u8") + np.uint64(2**64 - 5),
    "the smallest of all": lambda codes: codes + np.iinfo("i8").min,
    "a wide range": lambda codes: codes * 10**6,
    "few of many": lambda codes: codes * 100,
    "from end to end": lambda codes: np.where(codes > 2, 2**63 - 1, -(2**63)),
    "None": lambda codes: [*codes.tolist()[:-1], None],
    "NaN": lambda codes: np.where(codes == 1, np.nan, codes),
    "a fraction": lambda codes: codes + 0.5,
    "infinity": lambda codes: np.where(codes == 1, np.inf, codes),
    "booleans": lambda codes: codes > 2,
    "missing categories": lambda codes: ordered(np.where(codes == 1, -1, codes)),
    "nulls in an Enum": lambda codes: pl.Series([None, *words(codes[1:])], dtype=pl.Enum(WORDS)),
    "NA": lambda codes: pd.array([pd.NA, *codes.tolist()[1:]], dtype="Int64"),
    "dates": lambda codes: codes.astype("M8[D]"),
    "lists": lambda codes: [[code] for code in codes.tolist()],
}
OPTIONS = [
    {},
    {"labels": WORDS},
    {"labels": range(5)},
    {"labels": [0, 1, 2]},
    {"values": [1, 2, 4, 8, 16]},
    {"missing": "zero"},
    {"missing": "drop", "unknown": "missing", "gold_missing": "drop"},
    {"missing": "farthest", "gold_missing": "drop"},
    {"round": "nearest"},
]
MEASURES = [oe.weighted_kappa, oe.cem_ord, oe.accuracy, oe.mae, oe.kendall_tau_b]


def drawn(n=200, seed=0):
    """Return codes of five classes, all of which occur in both columns."""
    rng = np.random.default_rng(seed)
    gold, predicted = rng.integers(0, 5, n), rng.integers(0, 5, n)
    gold[:5], predicted[-5:] = np.arange(5), np.arange(5)
    return gold, predicted


def outcome(measure, *columns, **options):
    """Return the score as text, which tells every float from every other, or the error."""
    try:
        return repr(measure(*columns, **options))
    except OrdevalError as error:
        return type(error).__name__, str(error)


@cache
def counts_of_drawn(n):
    """Count the pairs of drawn codes one by one."""
    gold, predicted = drawn(n, n)
    counts = np.zeros((5, 5), dtype=int)
    for g, p in zip(gold.tolist(), predicted.tolist(), strict=True):
        counts[g, p] += 1
    return counts.tolist()


@grid("kind", BOTH)
def test_every_kind_of_column_is_counted_as_its_codes_are_one_by_one(kind):
    for n in (5, 6, 1000, 20_000):
        gold, predicted = drawn(n, n)
        options = {"labels": WORDS} if kind in DECLARED else {}
        table = oe.Table.from_labels(BOTH[kind](gold), BOTH[kind](predicted), **options)
        assert table.counts.tolist() == counts_of_drawn(n)
        for measure in MEASURES:
            assert measure(BOTH[kind](gold), BOTH[kind](predicted), **options) == measure(table)


@grid("kind, options", itertools.product([*BOTH, *FAULTY], OPTIONS), every=8, ids=str)
def test_the_short_way_ends_as_the_long_way_does(kind, options):
    make = {**BOTH, **FAULTY}[kind]
    for n in (1, 2, 200):
        gold, predicted = (make(codes[:n]) for codes in drawn())
        ones = np.ones(len(gold), dtype=int)
        for measure in MEASURES:
            short = outcome(measure, gold, predicted, **options)
            assert short == outcome(measure, gold, predicted, count=ones, **options)


@pytest.mark.parametrize("kinds", [("i8", "u8"), ("i1", "f4"), ("Enum", "list of strings")])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_two_kinds_of_columns_go_together_by_either_way(kinds, options):
    gold, predicted = (BOTH[kind](codes) for kind, codes in zip(kinds, drawn(), strict=True))
    for pair in ((gold, predicted), (predicted, gold)):
        short = outcome(oe.mae, *pair, **options)
        assert short == outcome(oe.mae, *pair, count=np.ones(200, dtype=int), **options)


@given(
    st.lists(st.tuples(st.integers(-3, 9), st.integers(-3, 9)), min_size=1, max_size=40),
    st.sampled_from(NUMBERS[:4]),
    st.sampled_from(OPTIONS),
)
@settings(max_examples=examples(200), deadline=None)
def test_any_integers_end_alike_by_either_way(pairs, dtype, options):
    gold, predicted = np.array(pairs, dtype=dtype).T
    ones = np.ones(len(gold), dtype=int)
    for measure in (oe.mae, oe.weighted_kappa):
        short = outcome(measure, gold, predicted, **options)
        assert short == outcome(measure, gold, predicted, count=ones, **options)


def test_every_measure_scores_labels_as_it_scores_their_table():
    gold, predicted = drawn()
    weights = np.linspace(0.1, 3, len(gold))
    some_missing = [None, *predicted.tolist()[1:]]
    for name in oe.registry:
        measure = oe.registry[name]
        if measure.takes_probabilities:
            continue
        for answers, options in (
            (predicted, {}),
            (predicted, {"sample_weight": weights}),
            (some_missing, {"missing": "zero"}),
            (some_missing, {"missing": "farthest"}),
        ):
            table = oe.Table.from_labels(gold, answers, **options)
            assert outcome(measure, gold, answers, **options) == outcome(measure, table)


@pytest.mark.parametrize(
    "labels",
    [WORDS, ["1", "2", "10"], ["1", "2", "x"], ["True", "False"], [1, 2, 3], [1.0, 2.0], [False, True], [True, 2]],
)  # fmt: skip
def test_a_scale_that_is_kept_is_the_one_that_would_be_made(labels):
    for listing in (labels, tuple(labels), np.array(labels, dtype=object)):
        for _ in range(2):
            kept, made = declared_scale(listing, None), Scale(listing)
            assert kept == made
            assert (kept.names, kept.inferred) == (made.names, made.inferred)
            assert kept.index == made.index
            assert list(map(type, kept.labels)) == list(map(type, made.labels))
            assert kept.numbers.tolist() == made.numbers.tolist()
    values = list(range(1, 1 + len(labels)))
    assert declared_scale(labels, values) == Scale(labels, values)


@pytest.mark.parametrize("labels", [[], ["a", "a"], ["a", ""], "ab", ["1", "1.0"]])
def test_a_list_that_is_no_scale_is_refused_every_time(labels):
    with pytest.raises(OrdevalError) as made:
        Scale(labels)
    for _ in range(2):
        with pytest.raises(type(made.value)) as kept:
            declared_scale(labels, None)
        assert str(kept.value) == str(made.value)


def test_a_frame_whose_column_is_called_as_a_method_of_another_library_is_read():
    gold, predicted = drawn()
    for name in ("get_columns", "itercolumns", "pattern_shares"):
        frames = (pd.DataFrame({name: codes}) for codes in (gold, predicted))
        assert oe.mae(*frames) == oe.mae(gold, predicted)
