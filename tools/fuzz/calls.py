"""Calls of the public functions with an argument or two that nobody should give them.

Arguments are written as Python, so that a finding shows the call itself.
"""

import array
import collections
import datetime
import decimal
import fractions
import functools
import inspect
import io
import pathlib
import types
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import ordeval as oe
from tools.fuzz.folder import ANSWERS, BAD, GOLD, GOOD, small_files
from tools.fuzz.trial import Outcome, Try, attempt

# fmt: off
ODD = [
    "None", "True", "0", "1", "-1", "3", "0.5", "1e308", "5e-324", "float('inf')", "float('nan')", "10**30", "-10**30",
    "2**63", "2**64", "10**400", "1j", "b'abc'", "b'\\xff'", "''", "' '", "'\\n'", "'\\0'", "'a' * 5000", "'9' * 5000",
    "'é'", "'\\ud800'", "'1e999'", "'0x10'", "'１'", "'1_000'", "'inf'", "'a'", "'truth'", "'cem_ord'", "'cem_ord('",
    "'accuracy_within(n=10**9)'", "object()", "int", "len", "lambda *given: 0", "...", "NotImplemented", "Exception()",
    "(i for i in [1, 2, 3])", "iter([])", "[]", "()", "{}", "set()", "{1, 2}", "range(3)", "slice(3)", "loop",
    "[[1, 2], [3]]", "[[]]", "[[[1]]]", "{None: 1}", "{1: 2}", "{'a': {'b': 1}}", "datetime.date(2020, 1, 1)",
    "datetime.timedelta(1)", "np.datetime64('NaT')", "np.array(1)", "np.array([])", "np.zeros((0, 3))", "np.zeros((2, 2, 2))",
    "np.full((3, 3), -1)", "np.full((3, 3), np.nan)", "np.eye(3) * 1e308", "np.eye(3, dtype=object)", "np.eye(3) > 0",
    "np.ma.masked_array([1, 2, 3, 1, 2, 3], [0, 1, 0, 0, 0, 0])", "np.array([(1, 2.0)] * 6, dtype='i4,f8')",
    "np.arange(6, dtype='float16')", "np.arange(6, dtype='m8[s]')", "np.arange(6, dtype='complex64')",
    "np.array(['a', None, 1, 2.0, b'x', ()], object)", "np.array([1, 2, 3, 1, 2, 2**64 - 1], 'u8')", "np.array([b'1'] * 6)",
    "np.str_('1')", "np.bool_(True)", "np.longdouble(1)", "memoryview(b'abc')", "array.array('i', [1, 2, 3, 1, 2, 3])",
    "decimal.Decimal('NaN')", "decimal.Decimal('sNaN')", "decimal.Decimal('1e400')", "fractions.Fraction(1, 3)",
    "pathlib.Path()", "io.StringIO('x')", "io.BytesIO(b'x')", "pd.Series([1, 2, 3, 1, 2, 3], dtype='Int8')",
    "pd.Series([1, None, 3, 1, 2, 3], dtype='Int64')", "pd.Series(pd.date_range('2020', periods=6))", "pd.DataFrame()",
    "pd.DataFrame(np.eye(3), columns=['x', 'x', 'y'])", "pd.MultiIndex.from_tuples([(1, 2)] * 6)", "pd.Interval(0, 1)",
    "pd.Categorical(['a', 'b', 'c'] * 2)", "pd.Series(pd.interval_range(0, 6))", "pd.Series([1, 2] * 3, dtype='Sparse[int]')",
    "pl.Series([{'a': 1}] * 6)", "pl.Series([[1], [2]] * 3)", "pl.DataFrame()", "pl.Series([b'x'] * 6)",
    "pl.Series([datetime.timedelta(1)] * 6)", "pl.LazyFrame({'truth': GOLD, 'a': A})", "pa.array([], pa.null())",
    "pa.nulls(6)", "pa.chunked_array([[1, 2, 3], [1, 2, 3]])", "pa.table({})", "pa.array([{'a': 1}] * 6)",
    "pa.array([decimal.Decimal('1.5')] * 6)", "pa.scalar(1)", "collections.deque([1, 2, 3, 1, 2, 3])",
    "collections.UserList([1, 2, 3, 1, 2, 3])", "collections.Counter('abc')", "types.MappingProxyType({'a': 1})",
    "types.SimpleNamespace()", "table", "runs", "comparison", "evaluation", "frame", "scale", "oe.accuracy", "oe",
    "oe.Table", "np.random.default_rng(0)",
]
AROUND = [
    "X", "X", "X", "[X]", "[X] * 6", "[1, 2, 3, 1, 2, X]", "(X, X)", "{'a': X}", "{'a': A, 'b': X}",
    "lambda *given: X",
]
COLUMNS = ["GOLD", "A", "np.array(GOLD)", "pd.Series(A)", "list('abcabc')"]
PATHS = [repr(name) for name in GOOD + BAD]
COLUMN_NAMES = ["'truth'", "'a'", "'id'", "'case'", "'half'", "'nowhere'"]
# What a parameter may well be given, where a call is to get past its first line.
FITTING: dict[str, list[str]] = {
    "y_true": COLUMNS, "y_pred": COLUMNS, "sample_weight": ["[0.5, 1, 2, 1, 1, 0]"], "count": ["[1, 0, 2, 1, 1, 3]", "'half'", "1"],
    "item": ["list('uvwxyz')", "'id'"], "case": ["list('ccdddd')", "'case'"], "labels": ["[1, 2, 3]", "['a', 'b', 'c']"],
    "values": ["[1, 2, 4]", "[0.5, 1, 7]"], "missing": ["'zero'", "'drop'", "'farthest'"], "unknown": ["'missing'"],
    "gold_missing": ["'drop'"], "round": ["'nearest'"], "duplicates": ["'first'"], "metrics": ["['accuracy', 'cem_ord']", "'mae'"],
    "metric": ["'accuracy'", "oe.cem_ord"], "primary": ["'accuracy'"], "level": ["0.9", "None"], "n_resamples": ["9"],
    "resamples": ["9"], "flips": ["99"], "rng": ["1", "np.random.default_rng(1)"], "resample": ["'items'", "'cases'"],
    "method": ["'t'", "'percentile'", "'bca'"], "distribution": ["'fixed'"], "test": ["'randomisation'", "'t'"],
    "correction": ["'holm'", "'maxt'", "'none'"], "undefined": ["'zero'", "'error'"], "margin": ["0.1"], "by": ["'half'", "list('uvuvuv')"],
    "data": ["runs", "table", "GOLD", "'wide.jsonl'", "{'x': table, 'y': table}"], "systems": ["{'a': A, 'b': GOLD}", "['a']", "['a.csv', 'b.csv']", "'*.csv'"],
    "other": ["table"], "power": ["0.9"], "difference": ["0.1"], "comparisons": ["3"], "counts": ["[[2, 0], [1, 3]]", "np.eye(3)"],
    "gold_counts": ["[1, 2, 3]"], "unanswered": ["[1, 2, 0]", "[1, 0]"], "reference": ["[1, 2, 3]", "'accuracy'"],
    "frame": ["frame", "pl.from_pandas(frame)", "pa.table(frame.to_dict('list'))"], "gold": ["'truth'", "'gold.csv'", "GOLD"],
    "predicted": ["'a'", "['a', 'b']"], "weight": ["'w'"], "path": PATHS, "text": ["table.to_json()"], "axes": ["[('x', [1, 2])]"],
    "form": ["'json'", "'text'", "'csv'", "'markdown'", "'latex'"], "what": ["'pairs'", "'scores'", "'cases'"], "backend": ["'polars'", "'pandas'"],
    "width": ["40"], "items": ["4", "500"], "classes": ["3"], "imbalance_items": ["6"], "properties": ["['imbalance']"], "budget": ["0.2"],
    "comparison": ["comparison"], "result": ["comparison", "evaluation", "table"], "limit": ["1"], "label": ["'tab:x'"], "cases": ["3"],
    "parts": ["2"], "repeats": ["1"], "splits": ["9"], "over": ["['systems']"], "columns": ["GOLD"], "name": ["'system'"], "names": ["'system'"],
    "entries": ["'a'"], "kinds": ["['maj', 'rand']"], "ratios": ["[0.1, 0.5]"], "scale_type": ["'interval'", "'nominal'"],
    "system": ["'a'", "'system'"], "label_column": COLUMN_NAMES, "shards": ["True"], "skip_bad": ["True"],
}
CALLED = [
    *("oe.evaluate", "oe.compare", "oe.plan", "oe.proximity", "oe.proximity.from_counts", "oe.Scale", "oe.Scale.infer", "scale.position"),
    *("oe.Table.from_labels", "oe.Table.from_frame", "oe.Table.from_counts", "oe.Table.from_file", "oe.Table.from_json"),
    *("table.select", "table.pooled", "table.axis", "table.__add__", "table.to_text", "table.to_latex", "table.write"),
    *("oe.Runs.from_labels", "oe.Runs.from_frame", "oe.Runs.from_wide", "oe.Runs.from_files", "runs.select"),
    *("comparison.to_frame", "comparison.to_text", "comparison.write", "comparison.planned", "comparison.to_latex"),
    *("evaluation.__getitem__", "evaluation.to_frame", "oe.registry.__getitem__", "oe.registry.get", "plan.detectable"),
    *("oe.properties.check", "oe.meta.uir", "oe.meta.coverage", "oe.meta.robustness", "oe.meta.discriminative_power"),
    *("oe.meta.rank_agreement", "oe.meta.split_halves", "oe.meta.study", "oe.simulate.collection", "oe.plot.forest", "oe.plot.contingency"),
    *("oe.plot.costs", "oe.plot.gold", "oe.plot.proximity", "oe.plot.cases", "oe.plot.pairs", "oe.plot.ranks", "oe.plot.agreement"),
]
# fmt: on
# What keeps a call that says nothing of it short.
SHORT = {
    "n_resamples": "9",
    "resamples": "9",
    "flips": "99",
    "splits": "9",
    "repeats": "1",
    "budget": "0.2",
    "cases": "3",
    "parts": "2",
}  # fmt: skip
OF_EACH_MEASURE = ["oe.{}", "oe.{}", "oe.{}.from_counts", "oe.{}.with_parameters"]
SETTINGS = ["n", "penalty", "weights", "level", "beta", "gamma", "reference"]
PLAIN = 0.3  # the share of the arguments left to themselves that are given one that fits


@functools.cache
def named() -> dict[str, Any]:
    """Return the names that the calls are written with."""
    frame = pd.DataFrame(
        {"id": range(6), "truth": GOLD, **ANSWERS, "half": [0, 1] * 3, "w": 0.5, "case": [0, 0, 1, 1, 2, 2]}
    )  # fmt: skip
    runs = oe.Runs.from_labels(GOLD, ANSWERS)
    loop: list[Any] = [1]
    loop.append(loop)
    modules = (array, collections, datetime, decimal, fractions, functools, io, pathlib, types)
    return {
        **{module.__name__: module for module in modules},
        "np": np,
        "pd": pd,
        "pl": pl,
        "pa": pa,
        "oe": oe,
        "GOLD": GOLD,
        "A": ANSWERS["a"],
        "frame": frame,
        "runs": runs,
        "loop": loop,
        "table": runs.table,
        "scale": runs.scale,
        "evaluation": oe.evaluate(GOLD, ANSWERS["a"]),
        "comparison": oe.compare(runs),
        "plan": oe.plan(runs),
    }


def value_of(written: str) -> Any:
    """Return what a piece of Python makes."""
    return eval(written, dict(named()))  # noqa: S307 - written here


def odd(rng: Random) -> str:
    """Write a value that hardly any parameter wants, often inside of another."""
    return rng.choice(AROUND).replace("X", rng.choice(ODD))


def parameters_of(function: Any) -> dict[str, inspect.Parameter]:
    """Return the parameters by name; settings by any name are those that measures have."""
    found = dict(inspect.signature(function).parameters)
    for name, parameter in list(found.items()):
        if parameter.kind is parameter.VAR_KEYWORD:
            del found[name]
            found |= {one: parameter.replace(name=one) for one in SETTINGS if one not in found}
    return found


def arguments(rng: Random, function: Any) -> list[str]:
    """Write arguments that fit, but for one or two."""
    parameters = parameters_of(function)
    wrong = set(rng.sample(sorted(parameters), min(len(parameters), rng.choice([1, 1, 2]))))
    shown = []
    for name, parameter in parameters.items():
        if name in wrong:
            written = odd(rng)
        elif parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD:
            written = rng.choice(FITTING.get(name, ODD))
        elif rng.random() < PLAIN and name in FITTING:
            written = rng.choice(FITTING[name])
        elif name in SHORT:
            written = SHORT[name]
        else:
            continue
        by_name = parameter.kind in {parameter.KEYWORD_ONLY, parameter.VAR_KEYWORD} or (
            parameter.default is not parameter.empty
        )
        shown.append(f"{name}={written}" if by_name else written)
    return shown


def call(rng: Random) -> Try:
    """Draw a public function and arguments for it; what comes back must also be able to show itself."""
    measure = rng.choice(OF_EACH_MEASURE).format(rng.choice(sorted(oe.registry)))
    name = rng.choice([*CALLED, *[measure] * (len(CALLED) // 4)])
    function = value_of(name)
    written = ", ".join([name, *arguments(rng, function)])

    def show(called: Any) -> None:
        result = called()
        for form in ("__str__", "__repr__", "_repr_html_", "to_dict"):
            if not isinstance(result, type) and hasattr(result, form):
                getattr(result, form)()

    def judge() -> Outcome:
        with small_files(named()["table"].to_json()):
            called = value_of(f"functools.partial({written})")
            error = attempt(lambda: show(called))[1]
        return Outcome("refused") if error else Outcome("answered")

    return Try(written.replace(", ", "(", 1) + ")", judge)
