"""Numbers as the paper prints them, with their place."""

from typing import NamedTuple

# Table 3: the row as printed, and our name of the measure, in the order of the rows.
MEASURES = {
    "accuracy": "Accuracy",
    "kendall_tau_a": "Kendall",
    "mutual_information": "MI",
    "macro_f1": "F-measure",
    "macro_accuracy": "MAAC",
    "cohen_kappa": "Kappa",
    "accuracy_within": "Acc with 1",
    "mae": "MAE",
    "macro_mae": "MAE^m",
    "mse": "MSE",
    "macro_mse": "MSE^m",
    "pearson": "Pearson",
    "spearman": "Spearman",
    "cem_ord": "CEM^ORD",
    "cem_ord_flat": "CEM^ORD_flat",
}

# Columns of table 3: our key, and the kind of mistake left out (left half) or what the column is called (right half).
SYNTHETIC_COLUMNS = {
    "all": None,
    "minus_rand": "rand",
    "minus_prox": "prox",
    "minus_maj": "maj",
    "minus_tdisp": "tDisp",
    "minus_odisp": "oDisp",
}
REAL_COLUMNS = {
    "replab2013": "Replab 2013",
    "sem2014_t9a": "SEM-2014 T9-A",
    "sem2014_t9b": "SEM-2014 T9-B",
    "sem2015_t10a": "SEM-2015 T10-A",
    "sem2015_t10b": "SEM-2015 T10-B",
    "sem2015_t10c": "SEM-2015 T10-C",
}
COLUMNS = (*SYNTHETIC_COLUMNS, *REAL_COLUMNS)

_ROWS = """
accuracy           0.81 0.77 0.78 0.78 0.94 0.77  0.75 0.90 0.98 0.85 0.94 0.80
kendall_tau_a      0.84 0.81 0.82 0.82 0.93 0.82  0.88 0.94 0.98 0.84 0.97 0.88
mutual_information 0.84 0.82 0.84 0.82 0.93 0.82  0.91 0.97 0.99 0.93 0.98 0.93
macro_f1           0.83 0.80 0.82 0.81 0.93 0.81  0.66 0.90 0.98 0.91 0.98 0.92
macro_accuracy     0.83 0.81 0.82 0.79 0.91 0.81  0.84 0.86 0.97 0.84 0.95 0.82
cohen_kappa        0.81 0.78 0.79 0.77 0.94 0.77  0.44 0.95 0.99 0.93 0.98 0.97
accuracy_within    0.79 0.75 0.77 0.80 0.85 0.79  0.23 0.82 0.60 0.31 0.35 -0.19
mae                0.84 0.82 0.83 0.87 0.86 0.84  0.81 0.96 0.95 0.95 0.87 0.56
macro_mae          0.74 0.73 0.74 0.80 0.76 0.73  0.73 0.95 0.88 0.91 0.74 0.30
mse                0.89 0.87 0.87 0.88 0.93 0.88  0.28 0.87 0.98 0.63 0.97 0.93
macro_mse          0.83 0.80 0.80 0.82 0.90 0.83  0.10 0.85 0.94 0.48 0.91 0.52
pearson            0.77 0.79 0.74 0.73 0.83 0.79  0.91 0.97 0.98 0.96 0.97 0.79
spearman           0.72 0.67 0.69 0.77 0.76 0.70  0.07 0.96 0.98 0.97 0.98 0.80
cem_ord            0.91 0.89 0.90 0.90 0.95 0.89  0.94 0.96 0.99 0.98 0.99 0.96
cem_ord_flat       0.87 0.84 0.86 0.88 0.89 0.87  0.82 0.96 0.96 0.94 0.92 0.65
"""
TABLE3 = {
    row[0]: dict(zip(COLUMNS, map(float, row[1:]), strict=True))
    for row in map(str.split, _ROWS.strip().splitlines())
}

# Section 5.4, last paragraph: robustness over the campaigns together; no other measure's is given.
ROBUSTNESS = {
    "cem_ord": 0.57,
    "accuracy": 0.57,
    "macro_f1": 0.57,
    "cem_ord_flat": 0.55,
    "accuracy_within": 0.49,
    "macro_mae": 0.49,
}


class Campaign(NamedTuple):
    """What section 5.4 says of one of its data sets."""

    items: int
    systems: int | None
    cases: int | None = None


CAMPAIGNS = {
    "replab2013": Campaign(61 * 1500, None, 61),
    "sem2014_t9a": Campaign(2392, 48),
    "sem2014_t9b": Campaign(2396, 7),
    "sem2015_t10a": Campaign(1680, 13),
    "sem2015_t10b": Campaign(8985, 51),
    "sem2015_t10c": Campaign(3097, 11),
}
