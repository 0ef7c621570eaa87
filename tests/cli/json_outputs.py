"""Command lines whose JSON shows every key that there is, and the small files that they read."""

import gzip
import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from click.testing import CliRunner

import ordeval as oe
from ordeval.cli import main
from ordeval.paper.campaigns import SETS

BY_KEY = {one.key: one for one in SETS}

__all__ = ["AT_LENGTH", "FILES", "LINES", "make_files", "outputs_of"]

AT_LENGTH = "reproduce, at length"  # takes seconds
FILES = "files"  # that commands write beside what they print

LINES = {
    "evaluate": (
        "evaluate gold.csv a.csv",
        "evaluate gold.csv a.csv b.csv --level none --metrics cem_ord,mae",
        "evaluate cases.csv cases_a.csv --per-case --metrics kendall_tau_b,cem_ord,cohen_kappa",
        "evaluate cases.csv cases_a.csv --undefined error --metrics kendall_tau_b",
        "evaluate cases.csv cases_a.csv --per-case --level none --metrics kendall_tau_b",
        "evaluate weighted.csv a.csv --weight w --by country",
        "evaluate weighted.csv a.csv --count n --interval bca --resamples 20 --names low,mid,high",
        "evaluate gold.csv partial.csv --missing zero --unknown missing --duplicates first --round nearest",
        "evaluate gappy.csv a.csv b.csv --gold-missing drop --labels 1,2,3 --values 0,1,5",
        "evaluate gold.csv a.csv empty.csv --skip-bad",
        "evaluate wide.csv --raters x,y,z --pred a --pred b",
        "evaluate gold.csv proba.csv --proba",
        "evaluate matrix.csv",
        "evaluate words.csv words_a.csv --labels low,mid,high --metrics kendall_tau_b --interval bca --resamples 20",
        "evaluate one.csv one.csv --metrics kendall_tau_b,mae",
        "evaluate words.csv words_a.csv --labels low,mid,high",
    ),
    "compare": (
        "compare gold.csv a.csv b.csv",
        "compare gold.csv a.csv b.csv --plan --margin 0.05 --metrics cem_ord,kendall_tau_b",
        "compare gold.csv a.csv same.csv --plan --difference 0.02 --metrics cem_ord",
        "compare cases.csv cases_a.csv cases_b.csv --plan --per-case --test randomisation --resamples 20",
        "compare weighted.csv a.csv b.csv --by country --correction holm",
        "compare matrix.csv matrix2.csv",
        "compare wide.csv --raters x,y,z --pred a,b",
        "compare one.csv one.csv same_one.csv --metrics kendall_tau_b --primary kendall_tau_b --plan",
        "compare gold.csv a.csv b.csv --level none --metrics cem_ord",
    ),
    "check": (
        "check gold.csv a.csv partial.csv broken.csv",
        "check matrix.csv matrix2.csv",
        "check gold.csv partial.csv --missing zero --unknown missing --duplicates first",
    ),
    "agree": (
        "agree marks.csv",
        "agree wide.csv --raters x,y,z --metrics krippendorff_alpha,accuracy --level none",
        "agree marks.csv --interval percentile --resamples 20 --metrics krippendorff_alpha --ceiling cem_ord",
        "agree constant.csv --names bad,good --labels 1,2",
        "agree rated_cases.csv --level none",
        "agree long_case.csv --duplicates first --unknown missing --labels 1,2,3",
    ),
    "judge": (
        "judge marks.csv judges.csv",
        "judge marks.csv judges.csv --by country",
        "judge marks.csv repeated.csv --least-items 10 --repeat epoch --names low,mid,high",
        "judge constant.csv few.csv --labels 1,2",
        "judge marks.csv inverse.csv",
        "judge marks.csv twice.csv",
    ),
    "correct": (
        "correct humans.csv judge.csv",
        "correct humans.csv judge.csv a.csv b.csv --metrics cem_ord,mae",
        "correct humans.csv judge.csv --budget 500 --cost-judge 0.002",
        "correct humans.csv judge.csv --target 0.05",
        "correct humans.csv judge.csv a.csv --method naive --metrics cem_ord",
        "correct humans.csv judge.csv --method rogan_gladen --names low,mid,high",
        "correct one.csv a.csv a.csv --metrics kendall_tau_b",
    ),
    "decide": (
        "decide proba.csv --gold human",
        "decide proba.csv --gold human --calibrate --abstain 0.1 --metric qwk",
        "decide proba.csv --gold human --sets 0.9",
        "decide proba.csv --gold human --sets 0.8 --by-class",
        "decide scored.csv --gold human --scores score --metric qwk",
        "decide few_proba.csv --gold human --sets 0.9",
        "decide flat_proba.csv --gold human --metric kendall_tau_b",
    ),
    "gate": (
        "gate gold.csv a.csv b.csv",
        "gate gold.csv a.csv same.csv",
        "gate monday.json tuesday.json --metric qwk",
        "gate cases.csv cases_a.csv cases_b.csv",
        "gate one.csv one.csv same_one.csv --metric kendall_tau_b",
        "gate monday.json monday_one.json",
        "gate weighted.json tuesday.json",
    ),
    "score": (
        "score monday.json tuesday.json",
        "score matrix.csv --names low,mid,high --level none",
    ),
    "table": (
        "count gold.csv a.csv",
        "count cases.csv cases_a.csv cases_b.csv",
        "count weighted.csv a.csv --weight w",
        "count gold.csv partial.csv --missing zero --unknown missing --duplicates first --round nearest",
        "merge monday.json tuesday.json",
    ),
    "properties": (
        "properties cem_ord accuracy kendall_tau_b --classes 3 --items 3 --imbalance-items 8",
        "properties weighted_kappa --classes 3 --items 4 --properties all --imbalance-items 8",
        "properties cem_ord --budget 0.000001",
    ),
    "meta": (
        "meta gold.csv a.csv b.csv c.csv --metrics cem,mae --resamples 9 --parts 3 --repeats 2",
        "meta cases.csv cases_a.csv cases_b.csv --metrics cem,kendall_tau_b --level none",
    ),
    "metrics": (
        "metrics",
        "metrics qwk",
        "metrics --help-me --answers 1,1,1",
        "metrics --help-me",
    ),
    "reproduce": (
        "reproduce appendix-a",
        "reproduce figure1",
    ),
    AT_LENGTH: (
        "reproduce table2",
        "reproduce table3 --seeds 1 --data sets",
        "reproduce robustness --seeds 2 --data sets",
        "reproduce sakai2021 --data sets",
        "reproduce all --seeds 1",
    ),
    FILES: (
        "gate gold.csv a.csv b.csv --name second --history gates.jsonl",
        "gate one.csv one.csv same_one.csv --metric kendall_tau_b --history gates.jsonl",
        "decide proba.csv --gold human --calibrate -o rule.json",
        "decide scored.csv --gold human --scores score -o points.json",
        "decide proba.csv --gold human --sets 0.9 -o sets.json",
    ),
}  # fmt: skip


def write(folder: Path, name: str, head: str, rows: list[tuple[Any, ...]]) -> None:
    lines = [head, *(",".join("" if cell is None else str(cell) for cell in row) for row in rows)]
    (folder / name).write_text("\n".join(lines) + "\n")


def make_files(folder: Path) -> None:
    """Write the files that the lines name; the same each time."""
    draw = np.random.default_rng(1)
    gold = [1 + i % 3 for i in range(40)]

    def answers(wrong: float) -> list[int]:
        return [g if draw.random() > wrong else int(draw.integers(1, 4)) for g in gold]

    of = {"a": answers(0.2), "b": answers(0.5), "c": answers(0.8)}
    people = {name: answers(0.3) for name in "xyz"}
    for name, labels in {"gold": gold, "same": of["a"], **of}.items():
        write(folder, f"{name}.csv", "item,label", list(enumerate(labels)))
    cases = [i // 10 for i in range(40)]
    # in the last test case gold has one class, so that correlations are undefined there
    by_case = [1 if case == 3 else g for case, g in zip(cases, gold, strict=True)]
    for name, labels in {"cases": by_case, "cases_a": of["a"], "cases_b": of["b"]}.items():
        write(
            folder, f"{name}.csv", "case,item,label", [*zip(cases, range(40), labels, strict=True)]
        )
    sides = [(i, g, 1 + i % 2 / 2, 1 + i % 4, "es" if i % 3 else None if i % 5 else "it")
             for i, g in enumerate(gold)]  # fmt: skip
    write(folder, "weighted.csv", "item,label,w,n,country", sides)
    odd = [
        (0, 1),
        (1, 9),
        (2, 2.6),
        (2, 3),
        (99, 1),
        *((i, g) for i, g in enumerate(gold) if i > 9),
    ]
    write(folder, "partial.csv", "item,label", odd)
    write(
        folder, "gappy.csv", "item,label", [(i, g or None) for i, g in enumerate([None, *gold[1:]])]
    )
    (folder / "empty.csv").write_text("item,label\n")
    (folder / "broken.csv").write_text("item,label\n1,1\n2\n3,3,3\n")
    wide = [*zip(range(40), gold, *people.values(), of["a"], of["b"], strict=True)]
    write(folder, "wide.csv", "item,human,x,y,z,a,b", wide)
    sure = [[0.8 if one == label else 0.1 for one in (1, 2, 3)] for label in of["a"]]
    write(folder, "proba.csv", "item,human,1,2,3", [(i, gold[i], *p) for i, p in enumerate(sure)])
    write(
        folder,
        "few_proba.csv",
        "item,human,1,2,3",
        [(i, gold[i], *p) for i, p in enumerate(sure[:5])],
    )
    # class 2 is always the most probable, and correlations are undefined for a constant answer
    flat = [(i, g, 0.35 - g / 20, 0.4, 0.25 + g / 20) for i, g in enumerate(gold)]
    write(folder, "flat_proba.csv", "item,human,1,2,3", flat)
    scored = [(i, g, g + draw.random()) for i, g in enumerate(gold)]
    write(folder, "scored.csv", "item,human,score", scored)
    (folder / "matrix.csv").write_text("gold,1,2,3\n1,9,1,0\n2,2,8,1\n3,0,1,9\n")
    (folder / "matrix2.csv").write_text("gold,1,2,3\n1,7,2,1\n2,4,5,2\n3,1,3,6\n")
    write(folder, "one.csv", "item,label", [(i, 1) for i in range(6)])
    write(folder, "same_one.csv", "item,label", [(i, 1) for i in range(6)])
    write(folder, "words.csv", "item,label", [(0, "low"), (1, "mid"), (2, "high")])
    write(folder, "words_a.csv", "item,label", [(0, "low"), (1, "high"), (2, "high")])

    marks = [
        (i, who, labels[i], "es" if i % 2 else "it")
        for i in range(40)
        for who, labels in people.items()
    ]
    write(folder, "marks.csv", "item,rater,label,country", marks)
    write(
        folder, "long_case.csv", "item,rater,label,x", [*marks[:9], (0, "x", 1, 1), (1, "y", 7, 1)]
    )
    write(
        folder, "constant.csv", "item,rater,label", [(i, who, 1) for i in range(6) for who in "xy"]
    )
    rated = [(i // 5, i, who, labels[i]) for i in range(10) for who, labels in people.items()]
    write(folder, "rated_cases.csv", "case,item,rater,label", rated)
    judges = [
        (i, who, of[name][i]) for i in range(40) for who, name in (("gpt", "a"), ("claude", "b"))
    ]
    write(folder, "judges.csv", "item,judge,label", judges)
    again = [(i, "gpt", t, of[name][i]) for i in range(40) for t, name in enumerate("ab")]
    write(folder, "repeated.csv", "item,judge,epoch,label", [*again, (77, "gpt", 0, 1)])
    write(folder, "few.csv", "item,judge,label", [(i, "gpt", 1) for i in range(3)])
    write(folder, "twice.csv", "item,judge,epoch,label", again[:2])
    write(
        folder, "inverse.csv", "item,judge,label", [(i, "gpt", 4 - g) for i, g in enumerate(gold)]
    )
    write(folder, "humans.csv", "item,label", list(enumerate(gold[:30])))
    write(folder, "judge.csv", "item,label", list(enumerate(of["a"])))


def make_sets(folder: Path) -> None:
    """Write data sets such as `reproduce --data` reads, much smaller; the last one has one system."""
    draw = np.random.default_rng(2)
    for key, systems in (("sem2014_t9a", 5), ("llmjudge", 5), ("replab2013", 1)):
        one = BY_KEY[key]
        gold = [(f"q{i // 12}", i, int(draw.integers(3))) for i in range(72)]
        answers = [
            (case, item, f"s{s}", g if draw.random() > 0.2 + 0.1 * s else int(draw.integers(3)))
            for s in range(systems)
            for case, item, g in gold
        ]
        for name, head, rows in (
            (one.gold, "case,item,label", gold),
            (one.systems, "case,item,system,label", answers),
        ):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            lines = [head, *(",".join(map(str, row)) for row in rows)]
            (folder / name).write_bytes(gzip.compress("\n".join([*lines, ""]).encode()))


TABLES = (
    "count gold.csv a.csv -o monday.json",
    "count gold.csv b.csv -o tuesday.json",
    "count one.csv one.csv -o monday_one.json",
    "count weighted.csv a.csv --weight w -o weighted.json",
)


def run(line: str) -> str:
    result = CliRunner().invoke(main, shlex.split(line))
    assert result.exit_code in {0, 1, 4}, f"{line}: {result.stderr}"
    return result.stdout


def outputs_of(kind: str) -> list[tuple[str, Any]]:
    """The command lines of a kind, each with what it wrote; the files that they read are in the current folder."""
    for line in TABLES if kind in {"gate", "score", "table"} else ():
        run(line)
    if kind == AT_LENGTH:
        make_sets(Path("sets"))
    if kind == FILES:
        return [*files_written(), *marks_written()]
    form = "" if kind == "table" else " --format json"
    return [(line, json.loads(run(line + form))) for line in LINES[kind]]


def files_written() -> Iterator[tuple[str, Any]]:
    """Histories of gates, and rules."""
    for line in LINES[FILES]:
        run(line)
        text = Path(line.split()[-1]).read_text(encoding="utf-8")
        yield line, json.loads(text.splitlines()[-1] if "--history" in line else text)


def marks_written() -> Iterator[tuple[str, Any]]:
    """Ratings, which Python writes and commands read."""
    for name in ("marks.csv", "repeated.csv", "rated_cases.csv", "long_case.csv"):
        settings = {"labels": [1, 2, 3], "duplicates": "first", "unknown": "missing"}
        yield name, json.loads(oe.Ratings.from_file(name, **settings).to_json())
