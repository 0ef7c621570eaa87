"""The regions of a triangle in which a rule gives each answer."""

import numpy as np
import pytest

import ordeval as oe
from ordeval.decide.recalibrate import Recalibration
from ordeval.decide.regions import before, regions_of

LABELS = ["low", "mid", "high"]


def inside(outline, points):
    """Tell which points lie inside an outline, by how often a ray to the right crosses it."""
    x, y = points[:, 2], points[:, 1]
    crossings = np.zeros(len(points), dtype=int)
    for here, there in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        with np.errstate(divide="ignore", invalid="ignore"):
            at = here[2] + (y - here[1]) / (there[1] - here[1]) * (there[2] - here[2])
        crossings += ((here[1] > y) != (there[1] > y)) & (x < at)
    return crossings % 2 == 1


def model(n=800):
    rng = np.random.default_rng(3)
    rows = rng.dirichlet([3.0, 1.0, 0.6], n)
    return rows, (rows.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1)


def test_the_median_parts_the_triangle_at_one_half():
    # MAE: low from P(low) = 1/2, a triangle with half the side and a quarter of the area, and so is high; mid: the rest
    low, mid, high = regions_of(oe.decide.fit(np.eye(3), metric="mae"), [0, 1, 2])
    assert [one.answer for one in (low, mid, high)] == [0, 1, 2]
    assert [one.share for one in (low, mid, high)] == pytest.approx([0.25, 0.5, 0.25])
    corners = {tuple(np.round(corner, 9).tolist()) for corner in low.corners}
    assert corners == {(1, 0, 0), (0.5, 0.5, 0), (0.5, 0, 0.5)}


def test_the_most_probable_class_parts_the_triangle_in_three():
    found = regions_of(oe.decide.fit(np.eye(3), metric="accuracy"), [0, 1, 2])
    assert [one.share for one in found] == pytest.approx([1 / 3] * 3)
    for one in found:
        assert any(np.allclose(corner, 1 / 3) for corner in one.corners)


@pytest.mark.parametrize(
    ("metric", "options", "power"),
    [("qwk", {}, 1), ("cem_ord", {"abstain": 0.3}, 1), ("macro_f1", {"calibrate": True}, 2),
     ("qwk", {"calibrate": True, "abstain": 0.2}, 0.5), ("kendall_tau_b", {}, 1)],
)  # fmt: skip
def test_every_row_lies_in_the_region_of_its_answer(metric, options, power):
    rows, gold = model()
    said = rows**power / (rows**power).sum(axis=1, keepdims=True)
    rule = oe.decide.fit(said, gold, metric=metric, **options)
    regions = regions_of(rule, [0, 1, 2])
    assert sum(one.share for one in regions) == pytest.approx(1, abs=1e-3)
    points = np.random.default_rng(0).dirichlet([1, 1, 1], 4000)
    answers = rule.predict(points)
    right = np.zeros(len(points), dtype=bool)
    for one in regions:
        right |= inside(one.outline, points) & (answers == one.answer)
    assert (
        right.mean() > 0.995
    )  # but for points at a bent edge, which is drawn as short straight ones


def test_an_abstaining_rule_leaves_a_region_without_an_answer():
    # accuracy loses 1 minus the largest probability. With the limit 0.55 there is no answer where no class has more
    # than 0.45: a triangle around the middle with sides 3 * 0.45 - 1 = 0.35 of the whole, 0.1225 of its area
    rows = [[0.45, 0.45, 0.1], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    rule = oe.decide.fit(rows, metric="accuracy", abstain=0.25)
    assert rule.limit == pytest.approx(0.55)
    nothing = [one for one in regions_of(rule, [0, 1, 2]) if one.answer is None]
    assert sum(one.share for one in nothing) == pytest.approx(0.1225, abs=1e-6)


def test_three_of_more_classes_may_be_answered_with_another_one():
    # MSE of half 0 and half 4: the nearest to the mean 2, which is none of the two
    rule = oe.decide.fit(np.eye(5), metric="mse")
    answers = {one.answer for one in regions_of(rule, [0, 1, 4])}
    assert answers == {0, 1, 2, 3, 4}


def test_of_answers_that_are_always_worth_the_same_the_lowest_has_the_region():
    def any_but_the_lowest(counts):
        return counts[..., 1:, 1:].sum(axis=(-1, -2)) + counts[..., 0, 0]

    rule = oe.decide.fit(np.eye(3), metric=any_but_the_lowest)
    assert [one.answer for one in regions_of(rule, [0, 1, 2])] == [0, 1]


def test_calibration_is_undone():
    change = Recalibration(0.5, (0.1, -0.2, 0.3))
    rows = np.array([[0.2, 0.5, 0.3], [0.7, 0.1, 0.2]])
    np.testing.assert_allclose(before(change(rows.T).T, change, [0, 1, 2]), rows)
