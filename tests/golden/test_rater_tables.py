"""Numbers printed for several raters: Krippendorff's example, Gwet's coefficients of it, Fleiss' tables, real marks."""

import csv
import gzip

import pytest

import ordeval as oe
from tests.raters import ratings_of

# Krippendorff 2011, example C, which Gwet 2014 uses, too: four raters, twelve units.
GAP = None
UNITS = [
    (1, 1, GAP, 1),
    (2, 2, 3, 2),
    (3, 3, 3, 3),
    (3, 3, 3, 3),
    (2, 2, 2, 2),
    (1, 2, 3, 4),
    (4, 4, 4, 4),
    (1, 1, 2, 1),
    (2, 2, 2, 2),
    (GAP, 5, 5, 5),
    (GAP, GAP, 1, 1),
    (GAP, 3, GAP, GAP),
]


@pytest.mark.parametrize(
    ("level", "printed"),
    [("ordinal", 0.815), ("nominal", 0.743), ("interval", 0.849), ("ratio", 0.797)],
)
def test_alpha_of_krippendorffs_four_raters(level, printed):
    alpha = oe.krippendorff_alpha(ratings_of(UNITS, range(1, 6)), level=level)
    assert round(alpha, 3) == printed


@pytest.mark.parametrize(
    ("measure", "printed"),
    [
        # the documentation of irrCAC 0.4.4, `irrCAC.raw`
        ("gwet_ac1", 0.77544),
        ("fleiss_kappa", 0.76117),
        ("gwet_ac2(weights='bipolar')", 0.90037),
    ],
)
def test_coefficients_of_gwets_four_raters(measure, printed):
    ratings = ratings_of(UNITS, range(1, 6))
    assert round(oe.registry[measure](ratings), 5) == printed


def from_votes(votes):
    """Marks of items for which only the number of raters in each class is printed."""
    return [[c for c, raters in enumerate(row) for _ in range(raters)] for row in votes]


# The worked example of Wikipedia's article on Fleiss' kappa: fourteen raters, ten items.
FOURTEEN = [
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
]
# Fleiss 1971, table 1: thirty patients, six psychiatrists, five diagnoses.
PATIENTS = [
    (0, 0, 0, 6, 0), (0, 3, 0, 0, 3), (0, 1, 4, 0, 1), (0, 0, 0, 0, 6), (0, 3, 0, 3, 0),
    (2, 0, 4, 0, 0), (0, 0, 4, 0, 2), (2, 0, 3, 1, 0), (2, 0, 0, 4, 0), (0, 0, 0, 0, 6),
    (1, 0, 0, 5, 0), (1, 1, 0, 4, 0), (0, 3, 3, 0, 0), (1, 0, 0, 5, 0), (0, 2, 0, 3, 1),
    (0, 0, 5, 0, 1), (3, 0, 0, 1, 2), (5, 1, 0, 0, 0), (0, 2, 0, 4, 0), (1, 0, 2, 0, 3),
    (0, 0, 0, 0, 6), (0, 1, 0, 5, 0), (0, 2, 0, 1, 3), (2, 0, 0, 4, 0), (1, 0, 0, 4, 1),
    (0, 5, 0, 1, 0), (4, 0, 0, 0, 2), (0, 2, 0, 4, 0), (1, 0, 5, 0, 0), (0, 0, 0, 0, 6),
]  # fmt: skip


@pytest.mark.parametrize(("votes", "printed"), [(FOURTEEN, 0.210), (PATIENTS, 0.430)])
def test_fleiss_kappa_of_the_published_tables(votes, printed):
    ratings = ratings_of(from_votes(votes), range(5))
    assert round(oe.fleiss_kappa(ratings), 3) == printed
    assert oe.scott_pi(ratings) == oe.fleiss_kappa(ratings)


# The README of the data prints what the package krippendorff 0.9 gives.
HUMANS = {
    "restaurant_stars_humans": {"nominal": 0.3572, "ordinal": 0.6788, "interval": 0.6809},
    "prompt_quality_humans": {"nominal": 0.1210, "ordinal": 0.2546, "interval": 0.2623},
}


@pytest.mark.parametrize("name", HUMANS)
def test_alpha_of_people_who_marked_answers_of_language_models(name, shared):
    with gzip.open(shared / "data" / "llm_judges2025" / f"{name}.csv.gz", "rt") as file:
        rows = list(csv.DictReader(file))
    items, raters = ({row[key]: None for row in rows} for key in ("item", "rater"))
    marks = {item: dict.fromkeys(raters) for item in items}
    for row in rows:
        marks[row["item"]][row["rater"]] = int(row["label"])
    ratings = ratings_of([list(row.values()) for row in marks.values()], range(1, 6))
    found = {level: round(oe.krippendorff_alpha(ratings, level=level), 4) for level in HUMANS[name]}
    assert found == HUMANS[name]
