"""A folder of small files, good and bad, for command lines and calls that name files."""

import json
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

GOLD = [1, 2, 3, 1, 2, 3]
ANSWERS = {"a": [1, 2, 2, 1, 3, 3], "b": [3, 2, 1, 1, 2, 3]}
MARKS = [[1, 1, 2], [2, 2, 2], [3, 3, 1], [1, 1, 1], [2, 3, 2], [3, 3, 3]]  # of three raters
MATRIX = "gold,1,2,3\n1,2,0,0\n2,0,1,1\n3,0,1,1\n"
SCALED = {
    "schema": 1,
    "scale": {"labels": [1, 2, 3], "values": [1, 2, 3]},
    "metric": "mae",
    "exact": True,
}
RULES = {
    "rule": {
        **SCALED, "kind": "decision", "worth": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "calibration": None, "abstain": 0,
        "limit": 0.6, "input": {"items": 6, "ties": 0, "unanswered": 0}, "expected": 0.5,
        "expected_of": {"mode": 0.5, "median": None, "mean": 0.5},
    },
    "cuts": {
        **SCALED, "kind": "cut points", "points": [1.5, "inf"], "value": 0.5, "input": {"items": 6},
        "value_of": {"nearest": 0.5, "shares": None},
    },
    "sets": {
        **SCALED, "kind": "sets", "level": 0.8, "by_class": False,
        "classes": [{"threshold": at, "items": 2, "held": 2, "classes": 4} for at in (0.5, 0.7, None)],
    },
}  # fmt: skip
FILES = {
    "gold.csv": "id,case,gold\n" + "".join(f"d{i},{i % 2},{g}\n" for i, g in enumerate(GOLD)),
    **{
        f"{name}.csv": "id,pred\n" + "".join(f"d{i},{a}\n" for i, a in enumerate(answers))
        for name, answers in ANSWERS.items()
    },
    "wide.jsonl": "".join(
        json.dumps({"id": i, "truth": g, "a": a, "b": b, "half": i % 2, "w": 0.5}) + "\n"
        for i, (g, a, b) in enumerate(zip(GOLD, ANSWERS["a"], ANSWERS["b"], strict=True))
    ),
    "matrix.csv": MATRIX,
    "marks.csv": "id,rater,label\n"
    + "".join(f"d{i},r{at},{mark}\n" for i, row in enumerate(MARKS) for at, mark in enumerate(row)),
    "judges.csv": "id,rater,epoch,label,half\n"
    + "".join(
        f"d{i},j{at},{i % 2},{mark},{i % 2}\n"
        for i, row in enumerate(MARKS * 2)
        for at, mark in enumerate(row)
    ),
    "judge.csv": "id,label\n" + "".join(f"d{i},{g}\n" for i, g in enumerate(GOLD * 3)),
    "answers.csv": "id,label\n" + "".join(f"d{i},{a}\n" for i, a in enumerate(ANSWERS["a"] * 3)),
    "log.json": json.dumps(
        {
            "status": "success",
            "eval": {"model": "m", "task": "t"},
            "samples": [
                {"id": f"d{i}", "epoch": 1, "scores": {"rubric": {"value": g}}}
                for i, g in enumerate(GOLD * 2)
            ],
        }
    ),
    "probabilities.csv": "id,1,2,3\n" + "".join(f"d{i},0.5,0.25,0.25\n" for i in range(6)),
    "decided.csv": "id,gold,1,2,3,w,half\n"
    + "".join(f"d{i},{g},0.5,0.25,0.25,{i / 4},{i % 2}\n" for i, g in enumerate(GOLD)),
    **{f"{name}.json": json.dumps(rule) for name, rule in RULES.items()},
    "empty.csv": "",
    "header.csv": "id,gold\n",
    "words.csv": "id,pred\n" + "".join(f"d{i},x\n" for i in range(6)),
    "bad.gz": "no archive",
    "bad.parquet": "PAR1 and nothing else",
    "broken.json": '{"schema": 1, "ordeval"',
    "spaced name é.csv": MATRIX,
    "*.csv": MATRIX,
}
GOOD = [
    *("gold.csv", "a.csv", "b.csv", "wide.jsonl", "matrix.csv", "marks.csv", "table.json"),
    *("judges.csv", "judge.csv", "answers.csv", "log.json", "decided.csv", "rule.json"),
]
BAD = [
    *("empty.csv", "header.csv", "words.csv", "bad.gz", "bad.parquet", "broken.json", "folder"),
    *("spaced name é.csv", "*.csv", "dangling.csv", "none.csv", "null", "folder/none/x.csv"),
]


@contextmanager
def small_files(table: str) -> Iterator[Path]:
    """Go into a new folder that has the files above, and out again."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in {**FILES, "table.json": table}.items():
            (folder / file).write_text(text, encoding="utf-8")
        (folder / "folder").mkdir()
        (folder / "dangling.csv").symlink_to("nowhere.csv")
        if os.geteuid() == 0:  # a device of its own: the machine's is safe from whatever is tried
            os.mknod(folder / "null", 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(before)
