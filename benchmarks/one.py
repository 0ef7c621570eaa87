"""One measure of a thousand to ten million items, of every kind of column, against everyone who has the same one."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import ordeval as oe
from benchmarks.bare import BARE, CODES, KAPPA, bare_call
from benchmarks.rivals import CLASSES, RIVALS, Rival
from benchmarks.timing import absent, row, seconds, side_by_side
from ordeval.inputs import counting

__all__ = ["rows"]

WORDS = ["awful", "bad", "fair", "good", "great"]
PATIENCE = 12.0  # seconds that one call of theirs may take; beyond, fewer items are timed and the time is scaled
SLOWER = 100  # how many times fewer


def rows(*, quick: bool) -> Iterator[dict[str, Any]]:
    """Time each kind of column at each size."""
    for n in (10**3, 10**5) if quick else (10**3, 10**5, 10**7):
        for kind, make in KINDS.items():
            yield from against_all(kind, *(make(codes) for codes in labels(n)))
    yield from all_checks()
    yield from floor(10**6 if quick else 10**7)


def labels(n: int) -> Any:
    """Return gold and answers that agree as systems do: more often than not, and near where they do not."""
    rng = np.random.default_rng(0)
    gold = rng.integers(0, CLASSES, n)
    return gold, np.clip(gold + rng.choice([-1, 0, 0, 0, 1], n), 0, CLASSES - 1)


def text(codes: Any) -> list[str]:
    """Return Python strings."""
    return np.array(WORDS, dtype=object)[codes].tolist()


def categorical(codes: Any) -> Any:
    """Return a pandas Series of an ordered type."""
    import pandas as pd

    kind = pd.CategoricalDtype(WORDS, ordered=True)
    return pd.Series(pd.Categorical.from_codes(codes, dtype=kind))


def enum(codes: Any) -> Any:
    """Return a polars Series of an Enum."""
    import polars as pl

    return pl.Series(text(codes), dtype=pl.Enum(WORDS))


KINDS: dict[str, Callable[[Any], Any]] = {
    "int64": lambda codes: codes,
    "uint8": lambda codes: codes.astype(np.uint8),
    "strings": text,
    "Categorical": categorical,
    "Enum": enum,
}


def codes_of(column: Any, kind: str) -> Any:
    """Return the codes of a column as its own library hands them out: what a user of theirs would pass on."""
    import pandas as pd

    if kind == "strings":
        return pd.Categorical(column, categories=WORDS).codes
    return column.cat.codes.to_numpy() if kind == "Categorical" else column.to_physical().to_numpy()


def against_all(kind: str, gold: Any, predicted: Any) -> Iterator[dict[str, Any]]:
    """Time every rival that can be asked, on one pair of columns."""
    goals = {10**3: "20 times faster", 10**7: "10 times faster"}
    for rival in RIVALS:
        if not (rival.everywhere or kind == "int64"):
            continue
        # What NumPy does by hand for five known classes is no library: it shows what checks and labels cost.
        goal = "" if rival.library == "NumPy" else goals.get(len(gold), "first")
        measure = oe.registry[rival.measure]
        work = f"{measure.name}, {len(gold):,} items, {kind}"
        options = {"labels": WORDS} if kind == "strings" else {}
        theirs = rival.ready()
        if isinstance(theirs, str):
            yield absent(work, rival.name, theirs, goal)
            continue
        ours = partial(measure, gold, predicted, **options)
        try:
            times, few = timed(ours, their_call(rival, theirs, kind), gold, predicted)
        except Exception as error:  # noqa: BLE001 - it may refuse this kind of column
            yield absent(work, rival.name, f"{type(error).__name__}: {str(error)[:60]}", goal)
        else:
            yield row(work, rival.name + (f" (from {few:,})" if few else ""), times, goal)


def their_call(rival: Rival, theirs: Any, kind: str) -> Callable[[Any, Any], Any]:
    """Return their call on columns of a kind: text as it is where they take it, else codes, made within the clock."""
    if kind in {"int64", "uint8"}:
        return theirs
    if kind == "strings" and rival.text:
        return in_order(rival, theirs)
    return lambda gold, predicted: theirs(codes_of(gold, kind), codes_of(predicted, kind))


def in_order(rival: Rival, theirs: Any) -> Callable[[Any, Any], Any]:
    """Return a call that tells the library the order of the words, where it can be told."""
    if rival.library == "scikit-learn":
        from sklearn.metrics import cohen_kappa_score

        return lambda gold, predicted: cohen_kappa_score(
            gold, predicted, weights="quadratic", labels=WORDS
        )
    if rival.library == "skordinal":
        from skordinal.metrics import average_mean_absolute_error

        return lambda gold, predicted: average_mean_absolute_error(gold, predicted, labels=WORDS)
    return theirs  # pycm: the words happen to be in alphabetical order


def timed(
    ours: Callable[[], Any], theirs: Callable[[Any, Any], Any], gold: Any, predicted: Any
) -> tuple[tuple[list[float], list[float]], int]:
    """Return the times; where they would take too long, they get fewer items, and their time is scaled."""
    few = max(1000, len(gold) // SLOWER)
    scale = len(gold) / few
    if seconds(lambda: theirs(gold[:few], predicted[:few])) * scale <= PATIENCE:
        return side_by_side(ours, lambda: theirs(gold, predicted)), 0
    times = side_by_side(ours, lambda: theirs(gold[:few], predicted[:few]))
    return (times[0], [one * scale for one in times[1]]), few


def all_checks() -> Iterator[dict[str, Any]]:
    """Time what checks and labels cost: one measure of every kind of column, and several measures of int64."""
    pairs = [(KAPPA, kind) for kind in KINDS] + [(name, "int64") for name in BARE if name != KAPPA]
    codes = labels(10**3)
    for name, kind in pairs:
        measure, bare = oe.registry[name], bare_call(name, kind, WORDS)
        options = {"labels": WORDS} if kind == "strings" else {}
        gold, predicted = map(KINDS[kind], codes)
        times = side_by_side(
            partial(measure, gold, predicted, **options), partial(bare, gold, predicted), repeats=25
        )
        against = " ".join(("the bare arithmetic in NumPy", CODES[kind][0])).strip()
        work = f"{measure.name}, 1,000 items, {kind}, all checks"
        yield row(work, against, times, "at most 2.5 times")


def floor(n: int) -> Iterator[dict[str, Any]]:
    """Time the count against reading both arrays once, with all cores and with one."""
    for kind, goal in (("int64", "at most 2 times"), ("uint8", "at most 2.5 times")):
        gold, predicted = (KINDS[kind](codes) for codes in labels(n))
        ours = partial(oe.cem_ord, gold, predicted)
        for threads, own_goal in (("", goal), (", one thread", "")):
            times = side_by_side(
                partial(on_one_core, ours) if threads else ours,
                lambda g=gold, p=predicted: (g.sum(), p.sum()),
                repeats=25,
            )
            work = f"cem_ord, {n:,} items, {kind}{threads}"
            yield row(work, "NumPy's sum of both arrays", times, own_goal)


def on_one_core(work: Callable[[], Any]) -> Any:
    """Do work as on a machine with one core."""
    every = counting.scanning_threads
    counting.scanning_threads = lambda: 1
    try:
        return work()
    finally:
        counting.scanning_threads = every
