"""Mistakes that a type checker must find. Each is on a line marked `# wrong`; no other line may be reported.

This file is read by mypy and pyright, and never run.
"""

import numpy as np

import ordeval as oe
from ordeval import weighted_kapa  # noqa: F401  # wrong

gold = [1, 2, 2, 3]
answers = np.array([1, 2, 3, 3])
counts = np.eye(3)
table = oe.Table.from_labels(gold, answers)

# names
oe.cem_odr(gold, answers)  # wrong
oe.evalute(gold, answers)  # wrong
oe.properties.chek("mae")  # wrong
oe.paper.tabel2()  # wrong

# keywords
oe.cem_ord(gold, answers, lables=[1, 2, 3])  # wrong
oe.mae(gold, answers, [1, 2, 3])  # wrong
oe.mae(gold)  # wrong
oe.mae(table, labels=[1, 2, 3])  # wrong
oe.mae(gold, answers, reference=[1, 1, 2])  # wrong
oe.cem_ord.from_counts(counts, missing="zero")  # wrong
oe.expected_cem(gold, np.eye(3)[[0, 1, 1, 2]], missing="zeros")  # wrong

# policies
oe.cem_ord(gold, answers, missing="zeros")  # wrong
oe.accuracy(gold, answers, unknown="drop")  # wrong
oe.weighted_kappa(gold, answers, gold_missing="zero")  # wrong
oe.weighted_kappa(gold, answers, round="up")  # wrong
oe.registry["mae"](gold, answers, missing="zeros")  # wrong

# settings
oe.weighted_kappa(gold, answers, weights="linaer")  # wrong
oe.weighted_kappa(gold, answers, weigths="linear")  # wrong
oe.weighted_kappa(table, weights="identities")  # wrong
oe.weighted_kappa.from_counts(counts, weights="ordinal")  # wrong
oe.weighted_kappa.with_parameters(weights="cubic")  # wrong
oe.mae(gold, answers, weights="linear")  # wrong
oe.mae.from_counts(counts, weights="linear")  # wrong
oe.mae.with_parameters(weights="linear")  # wrong
oe.accuracy_within(gold, answers, n="1")  # wrong
oe.krippendorff_alpha(gold, answers, level="cardinal")  # wrong
oe.fleiss_kappa(gold, answers, weights="linaer")  # wrong
oe.fleiss_kappa(gold, answers, weights=1.0)  # wrong

# judges
marks = oe.Ratings.from_array([[1, 2], [2, 2]])
oe.judge.corect(gold, answers)  # wrong
oe.judge.correct(gold, answers, answers, metod="ppi")  # wrong
oe.judge.correct(gold, answers, answers, method="ppi+")  # wrong
oe.judge.correct(gold, answers, answers, missing="zeros")  # wrong
oe.judge.correct_scores(gold, gold, {"a": gold}, gold, {"a": gold}, about="item")  # wrong
oe.judge.validate(marks, answers)  # wrong
oe.judge.validate(marks, marks, missing="zeros")  # wrong
oe.judge.plan(gold, answers, bugdet=5)  # wrong

# what a measure is, and what it gives back
better: bool = oe.cem_ord.greater_is_beter  # wrong
label: str = oe.cem_ord(gold, answers)  # wrong
one: float = oe.cem_ord(table)  # wrong
oe.proximity(gold, scale_type="ratio")  # wrong
