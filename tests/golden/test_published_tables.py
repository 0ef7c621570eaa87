"""Numbers that other papers print: the path measures' tables, and Krippendorff's example."""

import itertools

import numpy as np
import pytest

import ordeval as oe

EMPTY = (0, 0, 0, 0)

# Cardoso and Sousa 2011 and Silva et al. 2018, with the values at beta = 0.25 and 0.75 (and the area).
OCI = [
    ([(0, 4, 0, 0), (0, 0, 6, 0), EMPTY, (0, 0, 0, 3)], 0.4989, 0.6271),
    ([(0, 0, 4, 0), (0, 0, 6, 0), EMPTY, (0, 0, 0, 3)], 0.6083, 0.7821),
    ([(0, 4, 0, 0), (6, 0, 0, 0), EMPTY, (0, 0, 0, 3)], 0.6472, 0.7241),
]
UOC = [
    ([(0, 4, 0, 0), (0, 0, 6, 0), (0, 0, 5, 0), (0, 0, 0, 3)], 0.4583, 0.6667, 0.5556),
    ([(0, 4, 0, 0), (6, 0, 0, 0), EMPTY, (0, 0, 0, 3)], 0.6833, 0.8, 0.74),
]


@pytest.mark.parametrize(("counts", "quarter", "three_quarters"), OCI)
def test_the_published_ordinal_classification_indices(counts, quarter, three_quarters):
    index = oe.ordinal_classification_index
    assert index.from_counts(counts, beta=0.25) == pytest.approx(quarter, abs=5e-5)
    assert index.from_counts(counts) == pytest.approx(three_quarters, abs=5e-5)


@pytest.mark.parametrize(("counts", "quarter", "three_quarters", "area"), UOC)
def test_the_published_uniform_indices_and_their_areas(counts, quarter, three_quarters, area):
    index = oe.uniform_ordinal_index
    assert index.from_counts(counts, beta=0.25) == pytest.approx(quarter, abs=5e-5)
    assert index.from_counts(counts) == pytest.approx(three_quarters, abs=5e-5)
    assert oe.auoc.from_counts(counts) == pytest.approx(area, abs=5e-5)


def test_the_published_tables_come_out_of_one_batch():
    batch = oe.auoc.from_counts([counts for counts, *_ in UOC])
    assert batch == pytest.approx([0.5556, 0.74], abs=5e-5)


# Krippendorff 2011, "Computing Krippendorff's alpha-reliability", example C: four raters, twelve units.
RATERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


@pytest.mark.parametrize(
    ("level", "printed"), [("ordinal", 0.815), ("nominal", 0.743), ("interval", 0.849)]
)
def test_krippendorffs_example_of_four_raters_and_twelve_units(level, printed):
    """Alpha of many raters is alpha of pairs, counted in parts.

    Krippendorff's coincidence matrix counts every ordered pair of values within a unit of m values at 1 / (m - 1). So
    all unordered pairs, each counted as 1 / (m - 1) items with one value as gold and the other as answer, have the
    same coincidences, and each value is counted once.
    """
    counts = np.zeros((5, 5))
    for unit in zip(*RATERS, strict=True):
        values = [value for value in unit if value is not None]
        for a, b in itertools.combinations(values, 2):
            counts[a - 1, b - 1] += 1 / (len(values) - 1)
    assert counts.sum() == pytest.approx(20)  # 40 pairable values, two to an item
    alpha = oe.krippendorff_alpha.from_counts(counts, level=level)
    assert round(alpha, 3) == printed
    # which of the two is called gold does not matter
    swapped = oe.krippendorff_alpha.from_counts(counts.T, level=level)
    assert swapped == pytest.approx(alpha)
    assert np.isfinite(alpha)
