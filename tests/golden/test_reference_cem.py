"""The values that the authors' own program gives for four collections, under missing="zero" as it does."""

import csv
import gzip
from collections import defaultdict

import numpy as np
import pytest

import ordeval as oe

COLLECTIONS = [
    ("replab2013_polarity/gold", "replab2013_polarity/systems", "replab2013_polarity", 61),
    ("llmjudge2024/gold", "llmjudge2024/systems", "llmjudge2024", 825),
    ("rusentne2023_llm/gold_en", "rusentne2023_llm/systems_en", "rusentne2023_llm_en", 21),
    ("rusentne2023_llm/gold_ru", "rusentne2023_llm/systems_ru", "rusentne2023_llm_ru", 7),
]


def rows(path):
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


@pytest.mark.parametrize(
    ("gold", "systems", "reference", "size"), COLLECTIONS, ids=[c[2] for c in COLLECTIONS]
)
def test_the_authors_values_come_out_for_every_case_and_system(
    shared, gold, systems, reference, size
):
    data = shared / "data"
    labels: dict = defaultdict(dict)
    for row in rows(data / f"{gold}.csv.gz"):
        labels[row["case"]][row["item"]] = int(row["label"])
    answers: dict = defaultdict(dict)
    for row in rows(data / f"{systems}.csv.gz"):
        answers[row["case"], row["system"]][row["item"]] = int(row["label"])
    scale = sorted({label for items in labels.values() for label in items.values()})

    printed, single, counts, unanswered = [], [], [], []
    for row in rows(data / "reference_cem" / f"{reference}.csv.gz"):
        items = labels[row["case"]]
        answered = answers.get((row["case"], row["system"]), {})
        y_pred = [answered.get(item) for item in items]
        table = oe.Table.from_labels([*items.values()], y_pred, labels=scale, missing="zero")
        printed.append(float(row["cem_ord"]))
        single.append(oe.cem_ord(table))
        counts.append(table.counts)
        unanswered.append(table.unanswered)
    assert len(printed) == size
    assert np.array(single) == pytest.approx(printed, abs=1e-9)
    # and in one batch over all cases and systems
    batch = oe.cem_ord.from_counts(np.stack(counts), unanswered=np.stack(unanswered))
    assert batch == pytest.approx(printed, abs=1e-9)
