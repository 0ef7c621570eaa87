"""Where a rule gives which answer, among all rows of probabilities of three classes: polygons in their triangle."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ordeval.aliases import Array
from ordeval.decide.decision import Decision
from ordeval.decide.recalibrate import Recalibration, softmax
from ordeval.decide.rules import EQUAL

POINTS = 60  # of an edge that calibration bends
SMALLEST = 1e-6  # of the triangle: a smaller region is not seen


@dataclass(frozen=True)
class Region:
    """The probabilities of three classes that get one answer, a code, or none (None): rows[corner, class] in order.

    `outline` is the same with points between the corners, where calibration bends the edges. `share` is the part of the
    triangle that it covers.
    """

    answer: int | None
    corners: Array
    outline: Array
    share: float


def regions_of(decision: Decision, classes: Sequence[int]) -> list[Region]:
    """Return the regions of all answers to items whose probabilities are those of three classes, the others being 0.

    The worth of an answer is linear in the (calibrated) probabilities, so that its region is where it is not below the
    others, one half-plane for each; so is what an answer is expected to lose, which bounds the region without answers.
    """
    worth = decision.worth[list(classes)]  # [one of three, answer]
    right = np.array([decision.worth[at, at] for at in classes])
    found = []
    for answer in range(worth.shape[1]):
        corners: Array = np.eye(3)
        for other in range(worth.shape[1]):
            ahead = worth[:, answer] - worth[:, other]
            equal = np.abs(ahead).max() <= EQUAL
            if other == answer or (equal and other > answer):
                continue
            corners = np.empty((0, 3)) if equal else clipped(corners, ahead)
        parts: list[tuple[int | None, Array]] = [(answer, corners)]
        if decision.limit is not None:
            loss = right - worth[:, answer] - decision.limit  # the shares sum to 1
            parts = [(answer, clipped(corners, -loss)), (None, clipped(corners, loss))]
        found += [region(code, part, decision.calibration, classes) for code, part in parts]
    return [each for each in found if each.share > SMALLEST]


def clipped(corners: Array, side: Array) -> Array:
    """Return the part of a convex polygon on which a linear function, by its values at the classes, is 0 or more."""
    kept: list[Array] = []
    values = corners @ side
    for at in range(len(corners)):
        here, there = values[at], values[(at + 1) % len(corners)]
        if here >= 0:
            kept.append(corners[at])
        if (here < 0 < there) or (there < 0 < here):
            part = here / (here - there)
            kept.append((1 - part) * corners[at] + part * corners[(at + 1) % len(corners)])
    return np.array(kept).reshape(-1, 3)


def region(
    answer: int | None, corners: Array, calibration: Recalibration | None, classes: Sequence[int]
) -> Region:
    """Return a region by its corners among calibrated probabilities, as probabilities before calibration."""
    outline = corners
    if calibration is not None and len(corners):
        # closer together at the corners, where a small probability is changed most
        steps = (1 - np.cos(np.linspace(0, np.pi, POINTS, endpoint=False))) / 2
        after = np.roll(corners, -1, axis=0)
        edges = corners[:, None] + steps[:, None] * (after - corners)[:, None]
        outline = before(edges.reshape(-1, 3), calibration, classes)
        corners = outline[::POINTS]
    return Region(answer, corners, outline, area(outline))


def before(shares: Array, calibration: Recalibration, classes: Sequence[int]) -> Array:
    """Return the probabilities that calibration turns into these shares."""
    offsets = np.array([calibration.offsets[at] for at in classes])
    with np.errstate(divide="ignore"):
        logs = (np.log(np.maximum(shares, 0)) - offsets) / calibration.sharpness
    return softmax(logs.T).T


def area(outline: Array) -> float:
    """Return which part of the triangle lies inside an outline, by the shoelace formula."""
    x, y = outline[:, 0], outline[:, 1]  # in which the whole triangle has the area 1/2
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)))
