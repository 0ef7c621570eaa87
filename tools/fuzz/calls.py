"""Calls of the public functions with an argument or two that nobody should give them.

Arguments are written as Python, so that a finding shows the call itself.
"""

import array
import collections
import datetime  # noqa: ICN001 - as the calls write it
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
from tools.fuzz.arguments import AROUND, CALLED, FITTING, ODD, OF_EACH_MEASURE, SETTINGS, SHORT
from tools.fuzz.folder import ANSWERS, GOLD, MARKS, small_files
from tools.fuzz.trial import Outcome, Try, attempt

PLAIN = 0.3  # the share of the arguments left to themselves that are given one that fits


@functools.cache
def named() -> dict[str, Any]:
    """Return the names that the calls are written with."""
    frame = pd.DataFrame(
        {"id": range(6), "truth": GOLD, **ANSWERS, "half": [0, 1] * 3, "w": 0.5, "case": [0, 0, 1, 1, 2, 2]}
    )  # fmt: skip
    runs = oe.Runs.from_labels(GOLD, ANSWERS)
    ratings = oe.Ratings.from_array(MARKS, raters=["a", "b", "c"], item=range(6))
    rated = oe.Runs.from_labels(ratings, ANSWERS)
    twice = [
        {"id": item, "rater": "y", "label": label, "epoch": epoch}
        for epoch, labels in enumerate(ANSWERS.values())
        for item, label in enumerate(labels)
    ]
    once = [{"id": item, "rater": "x", "label": label} for item, label in enumerate(GOLD)]
    judges = oe.Ratings.from_frame(pd.DataFrame([*twice, *once]))
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
        "gate": oe.gate("a", "b", runs=runs),
        "MARKS": MARKS,
        "SHARES": ratings.shares(),
        "ratings": ratings,
        "rated": rated,
        "agreement": oe.agree(ratings),
        "beside": oe.compare(rated, metrics=["accuracy"], primary="accuracy"),
        "judges": judges,
        "validation": oe.judge.validate(ratings, judges, least_items=2),
        "correction": oe.judge.correct(GOLD, ANSWERS["a"], ANSWERS["b"]),
        "corrected": oe.judge.correct_scores(GOLD, ANSWERS["a"], ANSWERS, ANSWERS["b"], ANSWERS),
        "budget": oe.judge.plan(GOLD, ANSWERS["a"], budget=50),
        "decision": oe.decide.fit(ratings.shares(), GOLD, labels=ratings.scale.labels),
        "cuts": oe.decide.cut([0.1, 2.5, 1.5, 3.0, 2.0, 0.7], GOLD),
        "sets": oe.decide.sets(ratings.shares(), GOLD, labels=ratings.scale.labels),
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
            ours = type(result).__module__.startswith("ordeval")
            if ours and not isinstance(result, type) and hasattr(result, form):
                getattr(result, form)()

    def judge() -> Outcome:
        with small_files(named()["table"].to_json()):
            called = value_of(f"functools.partial({written})")
            error = attempt(lambda: show(called))[1]
        return Outcome("refused") if error else Outcome("answered")

    return Try(written.replace(", ", "(", 1) + ")", judge)
