"""The forms that data comes in: each draws rows, writes them down, and returns what they say and how to read them."""

import decimal
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import ordeval as oe
from tools.fuzz.beside import beside_plain_count
from tools.fuzz.data import NOTHING, NUMBERS, TEXT_OR_NUMBERS, WHOLE_ONLY, WORLDS, Rows, draw_rows
from tools.fuzz.data import spelled as text_of
from tools.fuzz.trial import Try


@dataclass(frozen=True)
class ColumnForm:
    """One way to hold a column: which labels fit, whether some may be missing, and how it is made."""

    worlds: tuple[str, ...]
    spell: Callable[[list[Any], Random], list[Any]]
    make: Callable[[list[Any]], Any]
    gaps: bool = True


def as_they_are(labels: list[Any], rng: Random) -> list[Any]:
    """Return the labels themselves."""
    del rng
    return labels


def as_floats(labels: list[Any], rng: Random) -> list[Any]:
    """Return numbers, NaN for nothing."""
    del rng
    return [float("nan") if label is None else float(label) for label in labels]


def as_text(labels: list[Any], rng: Random) -> list[Any]:
    """Spell all labels, nothing as an empty text."""
    return [text_of(label, rng) for label in labels]


def as_text_or_none(labels: list[Any], rng: Random) -> list[Any]:
    """Spell all labels but those that are missing."""
    return [None if label is None else text_of(label, rng) for label in labels]


def as_decimals(labels: list[Any], rng: Random) -> list[Any]:
    """Return numbers with two digits behind the point."""
    del rng
    return [None if label is None else decimal.Decimal(f"{label:.2f}") for label in labels]


def in_odd_ways(labels: list[Any], rng: Random) -> list[Any]:
    """Spell each label in a way of its own: 1, 1.0, "1", " 1 ", np.int8(1), Decimal(1); nothing as None, NaN or ""."""

    def odd(label: Any) -> Any:
        if label is None:
            return rng.choice([*NOTHING, pd.NA, pd.NaT, np.float32("nan")])
        if isinstance(label, str | bool):
            return label
        ways: list[Any] = [label, float(label), np.float64(label), text_of(label, rng)]
        ways.append(decimal.Decimal(str(label)))
        if label == int(label):
            ways += [int(label), np.int8(label) if abs(label) < 100 else np.int64(label)]
        return rng.choice(ways)

    return [odd(label) for label in labels]


def numpy_of(dtype: str) -> Callable[[list[Any]], Any]:
    """Return a maker of NumPy arrays."""
    return lambda labels: np.array(labels, dtype=dtype)


def pandas_of(dtype: str) -> Callable[[list[Any]], Any]:
    """Return a maker of pandas columns."""
    return lambda labels: pd.Series(labels, dtype=dtype)


def polars_of(dtype: Any) -> Callable[[list[Any]], Any]:
    """Return a maker of polars columns."""
    return lambda labels: pl.Series(labels, dtype=dtype)


def arrow_of(kind: Any) -> Callable[[list[Any]], Any]:
    """Return a maker of Arrow arrays."""
    return lambda labels: pa.array(labels, type=kind)


def shuffled_index(labels: list[Any]) -> Any:
    """Return a pandas column whose index is in another order than its rows."""
    return pd.Series(labels, index=range(len(labels), 0, -1), dtype=object)


ALL = tuple(WORLDS)
SMALL = ("whole",)
COLUMNS: dict[str, ColumnForm] = {
    "list": ColumnForm(ALL, as_they_are, list),
    "list spelled oddly": ColumnForm(ALL, in_odd_ways, list),
    "tuple of text": ColumnForm(TEXT_OR_NUMBERS, as_text, tuple),
    "numpy objects": ColumnForm(ALL, in_odd_ways, numpy_of("object")),
    "numpy text": ColumnForm(TEXT_OR_NUMBERS, as_text, numpy_of("U")),
    "numpy bool": ColumnForm(("truth",), as_they_are, numpy_of("bool"), gaps=False),
    **{
        f"numpy {dtype}": ColumnForm(WHOLE_ONLY, as_they_are, numpy_of(dtype), gaps=False)
        for dtype in ("int16", "int32", "int64", ">i4")
    },
    "numpy int8": ColumnForm(SMALL, as_they_are, numpy_of("int8"), gaps=False),
    **{
        f"numpy {dtype}": ColumnForm(NUMBERS, as_floats, numpy_of(dtype))
        for dtype in ("float16", "float32", "float64", ">f8", "longdouble")
    },
    "pandas int64": ColumnForm(WHOLE_ONLY, as_they_are, pandas_of("int64"), gaps=False),
    "pandas Int64": ColumnForm(WHOLE_ONLY, as_they_are, pandas_of("Int64")),
    "pandas Float64": ColumnForm(NUMBERS, as_they_are, pandas_of("Float64")),
    "pandas float64": ColumnForm(NUMBERS, as_floats, pandas_of("float64")),
    "pandas objects": ColumnForm(ALL, in_odd_ways, shuffled_index),
    "pandas string": ColumnForm(TEXT_OR_NUMBERS, as_text_or_none, pandas_of("string")),
    "pandas boolean": ColumnForm(("truth",), as_they_are, pandas_of("boolean")),
    "pandas category": ColumnForm(TEXT_OR_NUMBERS, as_they_are, pandas_of("category")),
    "polars int64": ColumnForm(WHOLE_ONLY, as_they_are, polars_of(pl.Int64)),
    "polars int16": ColumnForm(WHOLE_ONLY, as_they_are, polars_of(pl.Int16)),
    "polars float64": ColumnForm(NUMBERS, as_floats, polars_of(pl.Float64)),
    "polars text": ColumnForm(TEXT_OR_NUMBERS, as_text_or_none, polars_of(pl.String)),
    "polars bool": ColumnForm(("truth",), as_they_are, polars_of(pl.Boolean)),
    "polars category": ColumnForm(TEXT_OR_NUMBERS, as_text_or_none, polars_of(pl.Categorical)),
    "arrow int64": ColumnForm(WHOLE_ONLY, as_they_are, arrow_of(pa.int64())),
    "arrow float64": ColumnForm(NUMBERS, as_floats, arrow_of(pa.float64())),
    "arrow text": ColumnForm(TEXT_OR_NUMBERS, as_text_or_none, arrow_of(pa.string())),
    "arrow dictionary": ColumnForm(
        TEXT_OR_NUMBERS,
        as_text_or_none,
        lambda labels: pa.array(labels, type=pa.string()).dictionary_encode(),
    ),
}


def options_of(rows: Rows) -> dict[str, Any]:
    """Return the keywords of the labels and the policies."""
    return {"labels": rows.labels, **rows.policies}


def labels_in_memory(rng: Random) -> Try:
    """Draw two columns, each in a form of its own, for `Table.from_labels`."""
    gold_name, gold_form = rng.choice(list(COLUMNS.items()))
    fitting = [
        (name, form) for name, form in COLUMNS.items() if set(form.worlds) & set(gold_form.worlds)
    ]
    name, form = rng.choice(fitting) if rng.random() < 0.3 else (gold_name, gold_form)
    worlds = sorted(set(gold_form.worlds) & set(form.worlds))
    rows = draw_rows(rng, worlds, gaps=gold_form.gaps and form.gaps)
    gold, answers = gold_form.spell(rows.gold, rng), form.spell(rows.answers[0], rng)
    return beside_plain_count(
        f"{gold_name} and {name}: {gold}, {answers}, {rows}",
        lambda: rows.expected(gold, [answers]),
        lambda: [
            oe.Table.from_labels(
                gold_form.make(gold), form.make(answers), count=rows.count,
                sample_weight=rows.weight, **options_of(rows),
            )
        ],
    )  # fmt: skip


FRAMES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "pandas": pd.DataFrame,
    "polars": lambda columns: pl.DataFrame(columns, strict=False),
    "arrow": pa.table,
}


def in_duckdb(table: pa.Table) -> Any:
    """Return a relation of DuckDB's. Up to version 1.5.0 it crashes on any query of a dictionary without entries."""
    columns = [
        column.cast(pa.string())
        if pa.types.is_dictionary(column.type) and column.null_count == len(column)
        else column
        for column in table.columns
    ]
    return duckdb.from_arrow(pa.table(columns, names=table.column_names))


# The same engines, and some more, from a table of Arrow's, whose columns may be of any of its types.
FRAMES_OF_ARROW: dict[str, Callable[[pa.Table], Any]] = {
    "pandas": pa.Table.to_pandas,
    "pandas of arrow": lambda table: table.to_pandas(types_mapper=pd.ArrowDtype),
    "polars": pl.from_arrow,
    "polars lazy": lambda table: pl.from_arrow(table).lazy(),
    "arrow": lambda table: table,
    "duckdb": in_duckdb,
}
TYPED_COLUMNS = {
    str(kind): ColumnForm(worlds, spell, arrow_of(kind))
    for kind, worlds, spell in (
        (pa.int8(), SMALL, as_they_are),
        (pa.int32(), WHOLE_ONLY, as_they_are),
        (pa.uint64(), ("many", "sparse"), as_they_are),
        (pa.float32(), WHOLE_ONLY, as_floats),
        (pa.float64(), NUMBERS, as_they_are),
        (pa.decimal128(10, 2), NUMBERS, as_decimals),
        (pa.bool_(), ("truth",), as_they_are),
        (pa.large_string(), TEXT_OR_NUMBERS, as_text_or_none),
        (pa.dictionary(pa.int32(), pa.string()), TEXT_OR_NUMBERS, as_text_or_none),
    )
}
FRAME_COLUMNS = {
    "whole numbers": ColumnForm(WHOLE_ONLY, as_they_are, list, gaps=False),
    "floats": ColumnForm(NUMBERS, as_floats, list),
    "text": ColumnForm(TEXT_OR_NUMBERS, as_text_or_none, list),
    "truth": ColumnForm(("truth",), as_they_are, list, gaps=False),
}


def frame(rng: Random) -> Try:
    """Draw a wide frame with one or two systems, for `Runs.from_frame`, or one for `Table.from_frame`."""
    typed = rng.random() < 0.5
    library = rng.choice(list(FRAMES_OF_ARROW if typed else FRAMES))
    name, form = rng.choice(list((TYPED_COLUMNS if typed else FRAME_COLUMNS).items()))
    systems = rng.choice([1, 1, 2])
    rows = draw_rows(rng, form.worlds, gaps=form.gaps, systems=systems)
    gold = form.spell(rows.gold, rng)
    answers = [form.spell(labels, rng) for labels in rows.answers]
    names = ["truth", *rows.systems]
    columns = {one: form.make(labels) for one, labels in zip(names, [gold, *answers], strict=True)}
    named: dict[str, Any] = {}
    for role, amounts in (("count", rows.count), ("weight", rows.weight)):
        if amounts is not None:
            columns[f"the {role}"], named[role] = amounts, f"the {role}"

    def read() -> list[oe.Table]:
        made = FRAMES_OF_ARROW[library](pa.table(columns)) if typed else FRAMES[library](columns)
        if systems == 1 and len(gold) % 2:
            options = named | options_of(rows)
            return [oe.Table.from_frame(made, gold="truth", predicted="a", **options)]
        runs = oe.Runs.from_frame(
            made, gold="truth", predicted=rows.systems, **named, **options_of(rows)
        )
        return [runs.table.select(system=system) for system in rows.systems]

    shown = f"{library} frame of {name}: {gold}, {answers}, {rows}"
    return beside_plain_count(shown, lambda: rows.expected(gold, answers), read)


def counted(rng: Random) -> Try:
    """Draw a crosstab: a frame of counts whose names are the labels, with classes that only one side has."""
    worlds = rng.choice([WHOLE_ONLY, ("fractional_gold",), ("words",)])
    rows = draw_rows(rng, worlds, gaps=False, weights=False)
    rows = Rows(rows.gold, rows.answers, rows.labels, dict.fromkeys(rows.policies, "error"))
    gold, answers = rows.gold, rows.answers[0]
    return beside_plain_count(
        f"crosstab of {gold} and {answers}, labels {rows.labels}",
        lambda: rows.expected(gold, [answers]),
        lambda: [
            oe.Table.from_counts(
                pd.crosstab(np.array(gold, object), np.array(answers, object)), labels=rows.labels
            )
        ],
    )
