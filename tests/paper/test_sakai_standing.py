"""Where measures stand over collections, and what is said of it, on values that are set by hand."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

import ordeval as oe
from ordeval.paper.sakai_collections import QUADRATIC
from ordeval.paper.sakai_findings import answer, place_of_advised
from ordeval.paper.sakai_standing import ADVISED, CONTRADICTED, OPEN, SUPPORTED, MeasureStanding

NAMES = (ADVISED, QUADRATIC, "cem_ord", "mae", "accuracy")


def standing(*columns, width=0.0, title="consistency"):
    """Values of NAMES on each collection; resamples lie up to `width` around them, each measure's on its own."""
    results = []
    for at, column in enumerate(columns):
        values = np.array(column, dtype=float)
        noise = width * np.random.default_rng(at).uniform(-1, 1, (len(NAMES), 41))
        results.append(
            oe.meta.RankingSimilarity(
                metrics=NAMES,
                values=values,
                spread=np.full(len(NAMES), 0.1),
                draws={"systems": values[:, None] + noise},
                systems=30,
                splits=100,
            )
        )
    return MeasureStanding(title, results)


def test_ranks_start_at_1_for_the_best_and_ties_share_one():
    found = standing([0.9, 0.8, 0.8, 0.7, 0.6], [0.5, 0.6, 0.7, 0.8, 0.9])
    assert found.ranks.T.tolist() == [[1, 2.5, 2.5, 4, 5], [5, 4, 3, 2, 1]]
    # (1 + 5) / 2, (2.5 + 4) / 2, (2.5 + 3) / 2, (4 + 2) / 2, (5 + 1) / 2
    assert found.mean_rank == {
        "cem_ord": 2.75, ADVISED: 3, "mae": 3, "accuracy": 3, QUADRATIC: 3.25,
    }  # fmt: skip
    assert [found.place(name) for name in ("cem_ord", ADVISED, "accuracy", QUADRATIC)] == [
        1,
        2,
        2,
        5,
    ]
    assert found.place(QUADRATIC, found.ordered) == 4
    assert "accuracy" not in found.ordered


def test_differences_over_collections_are_scipys_t_tests_adjusted_by_statsmodels():
    rng = np.random.default_rng(0)
    values = rng.uniform(0.5, 0.9, (6, 5))
    values[:, 3] = values[:, 0] - rng.uniform(0.2, 0.22, 6)
    found = standing(*values)
    apart = values[:, :1] - values[:, 1:]
    tests = stats.ttest_1samp(apart, 0)
    ends = tests.confidence_interval(0.95)
    holm = multipletests(tests.pvalue, method="holm")[1]
    others = [found.against[name] for name in NAMES[1:]]
    assert [one.value for one in others] == pytest.approx(apart.mean(axis=0))
    assert [one.low for one in others] == pytest.approx(ends.low)
    assert [one.high for one in others] == pytest.approx(ends.high)
    assert [one.p for one in others] == pytest.approx(holm)
    assert [one.above for one in others] == (apart > 0).sum(axis=0).tolist()
    assert [one.below for one in others] == (apart < 0).sum(axis=0).tolist()
    assert found.against["mae"].p < 0.001


@pytest.mark.parametrize(
    ("others", "verdict"),
    [
        ([[0.5, 0.5, 0.5, 0.9]] * 4, SUPPORTED),  # only accuracy is better, which ignores the order
        ([[0.5, 0.91, 0.5, 0.5], [0.5, 0.92, 0.5, 0.5], [0.5, 0.9, 0.5, 0.5]], CONTRADICTED),
        ([[0.5, 0.91, 0.5, 0.5], [0.5, 0.6, 0.5, 0.5], [0.5, 0.81, 0.5, 0.5]], OPEN),
        (
            [[0.5, 0.5, 0.5, 0.5], [0.9, 0.5, 0.5, 0.5]],
            SUPPORTED,
        ),
    ],
)
def test_the_verdict_follows_the_ranks_and_the_tests(others, verdict):
    found = standing(*([0.7, *column] for column in others))
    assert found.verdict == verdict
    assert found.beaten_by == (["cem_ord"] if verdict == CONTRADICTED else [])


def test_on_a_collection_a_difference_is_significant_if_its_interval_over_systems_excludes_0():
    columns = ([0.7, 0.69, 0.7, 0.3, 0.9],)
    exact, unsure = standing(*columns), standing(*columns, width=0.3)
    assert exact.below_best(0, ADVISED)
    assert not exact.below_best(0, "accuracy")
    assert (exact.against[QUADRATIC].clearly_above, exact.against["accuracy"].clearly_below) == (
        1,
        1,
    )
    assert (exact.against["cem_ord"].clearly_above, exact.against["cem_ord"].clearly_below) == (
        0,
        0,
    )
    assert not unsure.below_best(0, ADVISED)
    assert unsure.below_best(0, "mae")
    assert unsure.against[QUADRATIC].clearly_above == 0


def test_one_collection_gives_ranks_but_no_test():
    found = standing([0.6, 0.5, 0.7, 0.9, 0.8])
    assert np.isnan(found.against["mae"].p)
    assert found.verdict == OPEN
    assert (
        found.against["mae"].evidence
        == "-0.300 (above 0 on 0, significantly on 0; below 0 on 1, significantly on 1)"
    )


def test_the_answer_says_what_the_numbers_say():
    ahead = standing(*([0.7, 0.5, 0.5, 0.5, 0.9] for _ in range(4)))
    behind = standing(*([0.5, 0.4, x, 0.3, 0.2] for x in (0.7, 0.71, 0.72)), title="power")
    advice, first, second, weights, closeness = answer([ahead, behind]).items
    assert advice.endswith(
        "On 4 collections, by consistency it is supported and by power it is contradicted."
    )
    assert "place 1 of the 4 measures that use the order and place 2 of all 5" in first
    assert "of all that of accuracy (1.0), which does not use the order" in first
    assert (
        "Of the 3 others that use the order, none is significantly better over the collections"
        in first
    )
    assert (
        "without the adjustment 0 would be significantly better and 3 significantly worse" in first
    )
    assert (
        "On 4 of 4 collections weighted_kappa is significantly below the best measure there"
        in first
    )
    assert "place 2 of the 4 measures that use the order and place 2 of all 5" in second
    assert "which does not use the order" not in second
    assert "cem_ord is significantly better over the collections" in second
    assert f"weighted_kappa minus {QUADRATIC} is +0.200 [0.200, 0.200] (above 0 on 4" in weights
    assert "and +0.100 [0.100, 0.100] (above 0 on 3, significantly on 3; below 0 on 0" in weights
    # On `ahead` cem_ord ties with two others for places 3 to 5, on `behind` it is first.
    ranks = "is 4.0 by consistency (place 3 of all) and 1.0 by power (place 1 of all)."
    assert closeness.endswith(f"The mean rank of cem_ord {ranks}")
    assert (
        answer([ahead, ahead])
        .items[0]
        .endswith("On 4 collections, by both criteria it is supported.")
    )


def test_only_intervals_that_exclude_0_count_as_significant_without_the_adjustment():
    # Minus quadratic weights the differences are 0.1, -0.1 and 0.03, minus cem_ord about -0.2, and minus mae about 0.2.
    rows = [[0.5, 0.4, 0.7, 0.3, 0.2], [0.5, 0.6, 0.71, 0.31, 0.2], [0.5, 0.47, 0.72, 0.32, 0.2]]
    found = place_of_advised(standing(*rows))
    assert (
        "without the adjustment 1 would be significantly better and 1 significantly worse." in found
    )
