"""All engines give the same table, bit for bit: that of the labels themselves."""

import math
from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ordeval as oe
from tests.engines.conftest import EAGER, PLAIN, from_duckdb, from_polars_lazy, name
from tests.examples import examples

RNG = np.random.default_rng(11)
N = 600
GROUPS = ["b10", "b2", "a"]


def sprinkled(values: list, every: int, what: object) -> list:
    return [what if at % every == 1 else value for at, value in enumerate(values)]


WORDS = ["low", "mid", "high"]
COLUMNS = {
    "whole": RNG.integers(1, 6, N).tolist(),
    "off": RNG.integers(1, 8, N).tolist(),  # 6 and 7 are not on the scale 1 to 5
    "holes": sprinkled(RNG.integers(1, 6, N).tolist(), 7, None),
    "float": sprinkled(
        sprinkled(RNG.integers(1, 6, N).astype(float).tolist(), 9, math.nan), 10, None
    ),
    "half": (RNG.integers(1, 6, N) / 2).tolist(),
    "text": sprinkled([str(i) for i in RNG.integers(1, 6, N)], 5, None),
    "word": [WORDS[i] for i in RNG.integers(0, 3, N)],
    "other": sprinkled([WORDS[i] for i in RNG.integers(0, 3, N)], 6, None),
    "flag": (RNG.integers(0, 2, N) == 1).tolist(),
    "group": [GROUPS[i] for i in RNG.integers(0, 3, N)],
    "year": RNG.integers(2020, 2023, N).tolist(),
    "weight": (RNG.integers(0, 9, N) / 4).tolist(),  # quarters add up exactly, in any order
    "times": RNG.integers(0, 4, N).tolist(),
}
LENIENT = {"missing": "zero", "unknown": "missing"}
FIVE = [1, 2, 3, 4, 5]

PAIRS = [
    ("whole", "whole", {}),
    ("whole", "off", {}),  # the inferred scale is 1 to 7
    ("whole", "off", {"labels": FIVE, **LENIENT}),
    ("whole", "holes", LENIENT),
    ("whole", "float", {"missing": "drop"}),
    ("whole", "text", {"missing": "farthest"}),
    ("holes", "off", {"labels": FIVE, "gold_missing": "drop", **LENIENT}),
    ("half", "half", {}),
    ("word", "other", {"labels": WORDS, **LENIENT}),
    ("word", "other", {"labels": WORDS, "values": [0, 1, 5], "missing": "drop"}),
    ("flag", "flag", {}),
]


@pytest.fixture
def data(frame):
    return frame(COLUMNS)


@pytest.mark.parametrize(("gold", "predicted", "options"), PAIRS)
def test_a_frame_gives_the_table_of_its_columns(data, gold, predicted, options):
    known = oe.Table.from_labels(COLUMNS[gold], COLUMNS[predicted], **options)
    table = oe.Table.from_frame(data, gold=gold, predicted=predicted, **options)
    assert table == known
    assert table.answered.dtype == known.answered.dtype
    assert dict(table.touched) == dict(known.touched)
    assert table.scale.values == known.scale.values


def test_groups_become_axes_in_natural_order(data):
    table = oe.Table.from_frame(
        data, gold="whole", predicted="holes", by=["group", "year"], missing="zero"
    )
    assert [axis.name for axis in table.axes] == ["group", "year"]
    assert table.axes[0].labels == ("a", "b2", "b10")
    assert table.axes[1].labels == (2020, 2021, 2022)
    for g, group in enumerate(table.axes[0].labels):
        for y, year in enumerate(table.axes[1].labels):
            here = [
                i for i in range(N) if COLUMNS["group"][i] == group and COLUMNS["year"][i] == year
            ]
            known = oe.Table.from_labels(
                [COLUMNS["whole"][i] for i in here],
                [COLUMNS["holes"][i] for i in here],
                labels=FIVE,
                missing="zero",
            )
            assert np.array_equal(table.answered[g, y], known.answered)
            assert np.array_equal(table.missed[g, y], known.missed)


BY = {"group": COLUMNS["group"], "year": COLUMNS["year"]}
SOME = {"metrics": ["cem_ord", "mae"], "level": None, "by": [*BY]}


@cache
def slices_of_labels():
    """Return an evaluation and the slices of a comparison by groups and years, from the labels themselves."""
    one = oe.evaluate(COLUMNS["whole"], COLUMNS["off"], **{**SOME, "by": BY})
    several = oe.Runs.from_labels(
        COLUMNS["whole"],
        {name: COLUMNS[name] for name in ("off", "holes")},
        by=BY,
        missing="zero",
    )
    return one.to_dict(), oe.compare(several, **SOME).to_dict()["slices"]


def test_slices_are_those_of_the_labels_in_every_engine(data):
    known, slices = slices_of_labels()
    table = oe.Table.from_frame(data, gold="whole", predicted="off", by=[*BY])
    assert oe.evaluate(table, **SOME).to_dict() == known
    names = {"gold": "whole", "predicted": ["off", "holes"], "missing": "zero", "count": 1}
    runs = oe.Runs.from_frame(data, by=[*BY], **names)
    assert oe.compare(runs, **SOME).to_dict()["slices"] == slices


def test_weights_add_up(data):
    known = oe.Table.from_labels(
        COLUMNS["whole"], COLUMNS["off"], labels=FIVE, sample_weight=COLUMNS["weight"], **LENIENT
    )
    table = oe.Table.from_frame(
        data, gold="whole", predicted="off", weight="weight", labels=FIVE, **LENIENT
    )
    assert table == known
    assert table.answered.dtype == np.float64
    assert dict(table.touched) == dict(known.touched)


def test_a_row_of_count_c_is_c_rows_in_every_engine(data):
    def rows(column):
        return np.repeat(np.array(COLUMNS[column]), COLUMNS["times"])

    names = {"gold": "whole", "predicted": "off", "count": "times"}
    known = oe.Table.from_labels(rows("whole"), rows("off"), labels=FIVE, **LENIENT)
    table = oe.Table.from_frame(data, labels=FIVE, **names, **LENIENT)
    assert table == known
    assert table.answered.dtype == np.int64
    assert dict(table.touched) == dict(known.touched)
    weighted = oe.Table.from_frame(data, labels=FIVE, weight="weight", **names, **LENIENT)
    assert weighted == oe.Table.from_labels(
        rows("whole"), rows("off"), labels=FIVE, sample_weight=rows("weight"), **LENIENT
    )
    runs = oe.Runs.from_frame(data, labels=FIVE, weight="weight", **names, **LENIENT)
    assert runs.table.select(system="off") == weighted


@pytest.mark.parametrize("factor", [1e-298, 1e160])
def test_huge_and_tiny_weights_keep_their_ratios_in_every_engine(frame, factor):
    columns = {"g": [1, 2, 2], "p": [1, 2, 1], "w": [factor, factor, 2 * factor]}
    table = oe.Table.from_frame(frame(columns), gold="g", predicted="p", weight="w")
    assert table.n == 3
    assert table.effective == pytest.approx(16 / 6)  # (1 + 1 + 2)^2 / (1 + 1 + 4)
    assert oe.accuracy(table) == pytest.approx(0.5)


def test_policies_that_refuse_refuse_in_every_engine(data):
    with pytest.raises(oe.errors.LabelError, match="600 answers are missing"):
        oe.Table.from_frame(data, gold="whole", predicted="holes")
    with pytest.raises(
        oe.errors.LabelError, match=r"^label [67] is not on the scale \[1, 2, 3, 4, 5\]"
    ):
        oe.Table.from_frame(data, gold="whole", predicted="off", labels=FIVE)
    with pytest.raises(oe.errors.LabelError, match="600 gold labels are missing"):
        oe.Table.from_frame(data, gold="holes", predicted="whole")
    with pytest.raises(oe.errors.ScaleError, match="cannot tell the order"):
        oe.Table.from_frame(data, gold="word", predicted="word")
    with pytest.raises(oe.errors.DataError, match=r"no column 'wholes'.*Did you mean whole\?"):
        oe.Table.from_frame(data, gold="wholes", predicted="off")
    with pytest.raises(oe.OrdevalError, match="weight"):
        oe.Table.from_frame(data, gold="whole", predicted="off", weight="word")


def test_bad_weights_are_refused_in_every_engine(frame):
    for weight in (-1.0, math.nan, math.inf, None):
        bad = frame({"g": [1, 2, 2], "p": [1, 2, 2], "w": [1.0, 0.5, weight]})
        with pytest.raises(oe.errors.LabelError, match="weight"):
            oe.Table.from_frame(bad, gold="g", predicted="p", weight="w")


def test_bad_counts_are_refused_in_every_engine(frame):
    for count in (-1.0, 0.5, math.nan, math.inf, None):
        bad = frame({"g": [1, 2, 2], "p": [1, 2, 2], "c": [1.0, 2.0, count]})
        with pytest.raises(oe.errors.LabelError, match="count"):
            oe.Table.from_frame(bad, gold="g", predicted="p", count="c")


def test_runs_of_a_wide_frame_are_those_of_its_columns(data):
    known = oe.Runs.from_labels(
        COLUMNS["whole"],
        {"holes": COLUMNS["holes"], "off": COLUMNS["off"]},
        case=COLUMNS["year"],
        labels=FIVE,
        **LENIENT,
    )
    runs = oe.Runs.from_frame(
        data, gold="whole", predicted=["holes", "off"], case="year", labels=FIVE, **LENIENT
    )
    assert runs.systems == known.systems
    assert runs.cases == ("2020", "2021", "2022")
    order = [known.cases.index(int(case)) for case in runs.cases]
    assert np.array_equal(runs.table.answered, known.table.answered[:, order])
    assert np.array_equal(runs.table.missed, known.table.missed[:, order])
    assert runs.touched == known.touched


GOLD_ROWS = {"item": ["i1", "i2", "i3"], "label": [1, 2, 2]}
LONG_ROWS = {
    "item": ["i1", "i2", "i3", "i1", "i2", "i9"],
    "system": ["x", "x", "x", "y", "y", "y"],
    "label": [1, 1, 2, 2, 2, 1],
}


def test_runs_of_a_long_frame_have_gold_in_a_frame_of_its_own(frame):
    if (
        name(getattr(frame, "func", frame)) == "duckdb"
    ):  # two relations join where they share a connection
        connection = __import__("duckdb").connect()
        connection.register("gold", pa.table(GOLD_ROWS))
        connection.register("long", pa.table(LONG_ROWS))
        gold, answers = connection.sql("SELECT * FROM gold"), connection.sql("SELECT * FROM long")
    else:
        gold, answers = frame(GOLD_ROWS), frame(LONG_ROWS)
    runs = oe.Runs.from_frame(answers, gold=gold, missing="zero")
    assert runs.systems == ("x", "y")
    assert runs.table.answered.tolist() == [[[1, 0], [1, 1]], [[0, 1], [0, 1]]]
    assert runs.table.missed.tolist() == [[0, 0], [0, 1]]
    assert dict(runs.ignored) == {"not_in_gold": 1, "duplicate": 0, "unreadable": 0}


def test_runs_of_a_long_frame_may_have_gold_in_a_column(frame):
    rows = {
        "case": ["t", "t", "t", "t"],
        "item": ["i1", "i2", "i1", "i2"],
        "model": ["x", "x", "y", "y"],
        "human": [1, 2, 1, 2],
        "answer": [1, 1, 2, 2],
    }
    runs = oe.Runs.from_frame(frame(rows), gold="human", predicted="answer", system="model")
    assert (runs.systems, runs.cases, runs.n) == (("x", "y"), ("t",), 2)
    assert runs.table.answered.tolist() == [[[[1, 0], [1, 0]]], [[[0, 1], [0, 1]]]]


def test_repeated_items_are_refused_in_every_engine(frame):
    with pytest.raises(oe.errors.DataError, match="more than one row for item 'i1'"):
        oe.Runs.from_frame(
            frame({"item": ["i1", "i1"], "g": [1, 2], "p": [1, 2]}), gold="g", predicted="p"
        )


@pytest.mark.parametrize("constructor", EAGER, ids=name)
def test_the_first_of_repeated_items_is_kept_where_rows_have_an_order(constructor):
    data = constructor({"item": ["i1", "i2", "i1"], "g": [1, 2, 2], "p": [1, 1, 2]})
    runs = oe.Runs.from_frame(data, gold="g", predicted="p", duplicates="first")
    assert runs.table.counts.tolist() == [[[1, 0], [1, 0]]]
    assert runs.ignored["duplicate"] == 1


@pytest.mark.parametrize("systems", [[1.0, 1.0, 2.5], [True, True, False], [7, 7, 8]], ids=str)
def test_systems_may_be_named_by_numbers_and_booleans(frame, systems):
    # by hand: the first system has item i1 (gold 1) as 1 and i2 (gold 2) as 2, the other i1 as 2
    rows = {"item": ["i1", "i2", "i1"], "human": [1, 2, 1], "run": systems, "answer": [1, 2, 2]}
    runs = oe.Runs.from_frame(
        frame(rows), gold="human", predicted="answer", system="run", missing="zero"
    )
    first = runs.systems.index(str(systems[0]).removesuffix(".0"))
    assert runs.table.answered.tolist()[first] == [[1, 0], [0, 1]]
    assert runs.table.answered.tolist()[1 - first] == [[0, 1], [0, 0]]


def test_rows_of_a_long_frame_without_an_item_or_a_system_are_counted_as_unreadable(frame):
    rows = {
        "item": ["i1", None, "i2", "i2"],
        "system": ["x", "x", None, "x"],
        "label": [1, 2, 2, 2],
    }
    gold = {"item": ["i1", "i2"], "label": [1, 2]}
    if frame is from_duckdb:  # two relations join where they share a connection
        connection = __import__("duckdb").connect()
        connection.register("gold", pa.table(gold))
        connection.register("long", pa.table(rows))
        frames = connection.sql("SELECT * FROM long"), connection.sql("SELECT * FROM gold")
    else:
        frames = frame(rows), frame(gold)
    runs = oe.Runs.from_frame(frames[0], gold=frames[1])
    assert runs.table.answered.tolist() == [[[1, 0], [0, 1]]]
    assert dict(runs.ignored) == {"not_in_gold": 0, "duplicate": 0, "unreadable": 2}
    with pytest.raises(oe.errors.DataError, match="gold lacks an item id or a test case in 1"):
        oe.Runs.from_frame(frames[0], gold=frames[0], label="label")


def test_rows_of_a_wide_frame_that_name_no_item_do_not_repeat_one(frame):
    rows = {"item": ["i1", None, None], "g": [1, 2, 2], "p": [1, 2, 1]}
    runs = oe.Runs.from_frame(frame(rows), gold="g", predicted="p")
    assert runs.table.answered.tolist() == [[[1, 0], [1, 1]]]


@pytest.mark.parametrize("constructor", EAGER, ids=name)
def test_rows_that_name_no_item_stay_where_the_first_of_an_item_is_kept(constructor):
    rows = {"item": ["i1", None, None, "i1"], "g": [1, 2, 2, 2], "p": [1, 2, 1, 2]}
    data = constructor(rows)
    runs = oe.Runs.from_frame(data, gold="g", predicted="p", duplicates="first")
    assert runs.table.answered.tolist() == [[[1, 0], [1, 1]]]
    assert runs.ignored["duplicate"] == 1


@pytest.mark.parametrize("constructor", [*EAGER, from_polars_lazy], ids=name)
def test_ids_that_cannot_be_joined_and_answers_to_other_items_are_refused(constructor):
    gold = constructor({"item": [1, 2], "label": [1, 2]})
    words = constructor({"item": ["a", "b"], "label": [1, 2]})
    with pytest.raises(oe.errors.DataError, match="cannot be joined by their items"):
        oe.Runs.from_frame(words, gold=gold, missing="zero")
    others = constructor({"item": [3, 4], "label": [1, 2]})
    with pytest.raises(oe.errors.DataError, match="no answer of 'label' is about an item of gold"):
        oe.Runs.from_frame(others, gold=gold, missing="zero")


ORDER = ["lo", "mid", "hi"]
SHORT = {"g": ["lo", "hi", None], "p": ["lo", "lo", "hi"]}
ENUM = {"g": pl.Enum(ORDER), "p": pl.String}
ORDERED = {
    "pandas gold": lambda: pd.DataFrame(
        {**SHORT, "g": pd.Categorical(SHORT["g"], ORDER, ordered=True)}
    ),
    "pandas answers": lambda: pd.DataFrame(
        {**SHORT, "p": pd.Categorical(SHORT["p"], ORDER, ordered=True)}
    ),
    "polars": lambda: pl.DataFrame(SHORT, schema=ENUM),
    "polars lazy": lambda: pl.LazyFrame(SHORT, schema=ENUM),
    "arrow": lambda: pa.table(
        {**SHORT, "g": pa.DictionaryArray.from_arrays(pa.array([0, 2, None]), ORDER, ordered=True)}
    ),
    "pandas with a type of Arrow": lambda: pa.table(
        {**SHORT, "g": pa.DictionaryArray.from_arrays(pa.array([0, 2, None]), ORDER, ordered=True)}
    ).to_pandas(types_mapper=pd.ArrowDtype),
}


@pytest.mark.parametrize("kind", ORDERED)
def test_the_order_of_the_scale_is_that_of_the_columns_type(kind):
    make = ORDERED[kind]
    table = oe.Table.from_frame(make(), gold="g", predicted="p", gold_missing="drop")
    assert table.scale.labels == ("lo", "mid", "hi")
    assert table.counts.tolist() == [[1, 0, 0], [0, 0, 0], [1, 0, 0]]
    assert (
        oe.Table.from_frame(
            make(), gold="g", predicted="p", gold_missing="drop", labels=["hi", "lo"]
        ).scale.k
        == 2
    )


def test_orders_that_contradict_each_other_are_refused():
    data = pl.DataFrame(
        {"g": ["a"], "p": ["a"]}, schema={"g": pl.Enum(["a", "b"]), "p": pl.Enum(["b", "a"])}
    )
    with pytest.raises(oe.errors.ScaleError, match="different orders"):
        oe.Table.from_frame(data, gold="g", predicted="p")


@pytest.mark.full
def test_a_dask_frame_of_ordered_categories_is_counted(cluster):
    import dask.dataframe as dd

    kind = pd.CategoricalDtype(["lo", "mid", "hi"], ordered=True)
    data = pd.DataFrame(
        {"g": pd.Series(["lo", "hi", "mid", "lo"], dtype=kind), "p": ["lo", "lo", "hi", "mid"]}
    )
    table = oe.Table.from_frame(dd.from_pandas(data, npartitions=2), gold="g", predicted="p")
    assert table == oe.Table.from_frame(data, gold="g", predicted="p")


def test_what_is_no_frame_and_labels_that_are_none_are_refused():
    with pytest.raises(oe.errors.LabelTypeError, match="not a data frame"):
        oe.Table.from_frame({"g": [1], "p": [1]}, gold="g", predicted="p")
    with pytest.raises(oe.errors.LabelTypeError, match="labels are numbers, text or booleans"):
        oe.Table.from_frame(pl.DataFrame({"g": [[1]], "p": [1]}), gold="g", predicted="p")
    with pytest.raises(oe.errors.NoItemsError, match="no rows"):
        oe.Table.from_frame(pd.DataFrame({"g": [], "p": []}), gold="g", predicted="p")


CELL = st.one_of(
    st.none(),
    st.integers(-2, 3),
    st.sampled_from([0.5, math.nan, math.inf, 1.0]),
    st.text(max_size=2),
    st.booleans(),
)
KINDS = st.sampled_from([int, float, str, bool, object])


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.too_slow])
@given(
    cells=st.lists(st.tuples(CELL, CELL, CELL), max_size=6),
    at=st.integers(0, len(PLAIN) - 1),
    by=st.booleans(),
    weighted=st.booleans(),
    options=st.sampled_from(
        [
            {},
            {"gold_missing": "drop", **LENIENT},
            {"labels": [0, 1], "gold_missing": "drop", **LENIENT},
        ]
    ),
)
def test_whatever_the_table_there_is_no_error_but_ours(cells, at, by, weighted, options):
    columns = {key: [row[i] for row in cells] for i, key in enumerate(("g", "p", "x"))}
    try:
        data = PLAIN[at](columns)
    except Exception:  # noqa: BLE001 - the library itself takes no such column
        return
    extra = {"by": "x"} if by else {"weight": "x"} if weighted else {}
    for read in (
        lambda: oe.Table.from_frame(data, gold="g", predicted="p", **extra, **options),
        lambda: oe.Runs.from_frame(data, gold="g", predicted=["p", "x"], **options),
    ):
        try:
            read()
        except oe.OrdevalError:
            continue
