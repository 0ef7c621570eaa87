"""All measures at once, and what it takes to start: the import, and the command line on a small file."""

import compileall
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import ordeval as oe
from benchmarks.one import WORDS, labels, text
from benchmarks.rivals import KAPPA, find
from benchmarks.timing import absent, row, seconds, side_by_side

__all__ = ["rows"]


def rows(*, quick: bool) -> Iterator[dict[str, Any]]:
    """Time a whole report of one system, a million strings, and a fresh process."""
    n = 10**5 if quick else 10**6
    yield from everything(n)
    yield strings(n)
    yield from fresh_processes()


def everything(n: int) -> Iterator[dict[str, Any]]:
    """Time all measures against one of them, and against those of other libraries, one call after the other."""
    gold, predicted = labels(n)

    def all_measures() -> list[Any]:
        table = oe.Table.from_labels(gold, predicted)
        return [measure(table) for measure in oe.registry.values()]

    work = f"all {len(oe.registry)} measures, {n:,} items"
    times = side_by_side(all_measures, lambda: oe.cem_ord(gold, predicted), repeats=15)
    yield row(work, "one of them", times, "at most 2 times")
    theirs, lacking = others()
    ours, _ = side_by_side(all_measures, lambda: None)
    taken = sum(
        min(seconds(lambda call=call: call(gold, predicted)) for _ in range(2)) for call in theirs
    )
    name = f"the sum of {len(theirs)} calls of others" + (
        f", without {', '.join(lacking)}" if lacking else ""
    )
    yield row(work, name, (ours, [taken] * len(ours)), "first")


def others() -> tuple[list[Callable[[Any, Any], Any]], list[str]]:
    """Return one call of another library for each measure that one has, the quickest we know, and who is not there."""
    from scipy import stats
    from sklearn import metrics

    calls: list[Callable[[Any, Any], Any]] = [
        metrics.accuracy_score,
        metrics.balanced_accuracy_score,
        lambda g, p: metrics.precision_recall_fscore_support(g, p, average="macro"),
        metrics.cohen_kappa_score,
        metrics.mean_absolute_error,
        metrics.mean_squared_error,
        metrics.root_mean_squared_error,
        metrics.mutual_info_score,
        lambda g, p: metrics.cohen_kappa_score(g, p, weights="quadratic"),
        stats.pearsonr,
        stats.spearmanr,
        stats.kendalltau,
        lambda g, p: stats.kendalltau(g, p, variant="c"),
        lambda g, p: stats.somersd(stats.contingency.crosstab(g, p).count),
    ]
    lacking = []
    for library, measure in (
        ("skordinal", "macro_mae"),
        ("krippendorff", "krippendorff_alpha"),
        ("irrCAC", "gwet_ac2"),
    ):
        call = find(library, measure)
        if isinstance(call, str):
            lacking.append(library)
        else:
            calls.append(call)
    return calls, lacking


def strings(n: int) -> dict[str, Any]:
    """Time Python strings with declared labels."""
    work, name = f"weighted_kappa, {n:,} Python strings", "scikit-learn cohen_kappa_score"
    theirs = find("scikit-learn", KAPPA)
    if isinstance(theirs, str):
        return absent(work, name, theirs)
    gold, predicted = (text(codes) for codes in labels(n))
    measure = oe.registry[KAPPA]
    times = side_by_side(
        lambda: measure(gold, predicted, labels=WORDS), lambda: theirs(gold, predicted), repeats=5
    )
    return row(work, name, times, "20 times faster")


def fresh_processes() -> Iterator[dict[str, Any]]:
    """Time the import, and what people wait for after pressing Enter, against the import of NumPy."""

    def fresh(*arguments: str, **environment: str) -> Callable[[], Any]:
        command, known = [sys.executable, *arguments], {**os.environ, **environment}
        return lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=known)

    compileall.compile_dir(Path(oe.__file__).parent, quiet=1)  # as pip does with what it installs
    numpy, ordeval = fresh("-c", "import numpy"), partial(fresh, "-m", "ordeval")
    times = side_by_side(fresh("-c", "import ordeval"), numpy, repeats=15, budget=8.0)
    yield row("import ordeval, fresh process", "import numpy", times, "at most 1.3 times")
    for work, start in {
        "ordeval --help": ordeval("--help"),
        "ordeval evaluate --help": ordeval("evaluate", "--help"),
        "ordeval metrics": ordeval("metrics"),
        "a shell completes 'ordeval ev'": ordeval(
            _ORDEVAL_COMPLETE="bash_complete", COMP_WORDS="ordeval ev", COMP_CWORD="1"
        ),
    }.items():
        times = side_by_side(start, numpy, repeats=9, budget=8.0)
        yield row(work, "import numpy", times, "at most 1.2 times")
    with tempfile.TemporaryDirectory() as folder:
        write_small_files(Path(folder))
        for work, (command, *files), goal in (
            ("evaluate, CSV of 1,000 rows", ("evaluate", "wide.csv", "--gold", "gold", "--pred", "pred"), 2.5),
            ("evaluate, two CSV files of 1,000 items", ("evaluate", "gold.csv", "system.csv"), 2.5),
            ("evaluate, two JSONL files of 1,000 items", ("evaluate", "gold.jsonl", "system.jsonl"), 2.5),
            ("evaluate, a matrix of counts", ("evaluate", "matrix.csv"), 2.5),
            ("evaluate, 1,000 rows of probabilities", ("evaluate", "shares.csv", "--gold", "gold", "--proba"), 2.5),
            ("agree, 1,000 items of two raters", ("agree", "wide.csv", "--raters", "gold,pred"), 3),
        ):  # fmt: skip
            paths = (str(Path(folder, one)) if "." in one else one for one in files)
            times = side_by_side(ordeval(command, *paths), numpy, repeats=9, budget=12.0)
            yield row(f"ordeval {work}", "import numpy", times, f"at most {goal:g} times")


def write_small_files(folder: Path) -> None:
    """Write the same 1,000 items in every way in which a file may hold them."""
    gold, predicted = (codes.tolist() for codes in labels(1000))
    pairs = [*zip(gold, predicted, strict=True)]
    counted, classes = Counter(pairs), range(len(WORDS))
    even = [f"{1 / len(WORDS)}"] * len(WORDS)
    tables = {
        "wide.csv": ["gold,pred", *(f"{g},{p}" for g, p in pairs)],
        "gold.csv": ["item,label", *(f"d{i},{g}" for i, g in enumerate(gold))],
        "system.csv": ["item,label", *(f"d{i},{p}" for i, p in enumerate(predicted))],
        "gold.jsonl": [f'{{"item": "d{i}", "label": {g}}}' for i, g in enumerate(gold)],
        "system.jsonl": [f'{{"item": "d{i}", "label": {p}}}' for i, p in enumerate(predicted)],
        "matrix.csv": [
            ",".join(map(str, ["gold", *classes])),
            *(",".join(map(str, [g, *(counted[g, p] for p in classes)])) for g in classes),
        ],
        "shares.csv": [
            ",".join(map(str, ["gold", *classes])), *(",".join([str(g), *even]) for g in gold)
        ],
    }  # fmt: skip
    for name, lines in tables.items():
        (folder / name).write_text("\n".join([*lines, ""]), encoding="utf-8")
