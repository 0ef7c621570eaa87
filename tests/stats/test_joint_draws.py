"""How often draws reach what was observed, against the definition written out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps

from ordeval.stats import joint_draws
from ordeval.stats.joint_draws import JointDraws, count_reached

SIZES = st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0, np.inf])  # few, so that many are equal


def by_definition(enough, draws):
    """Count, pair by pair and draw by draw, over enough[pair] and |t|[draw, pair]."""
    alone, largest = [0] * len(enough), [0] * len(enough)
    defined = [pair for pair in range(len(enough)) if not np.isnan(enough[pair])]
    before = sorted(defined, key=lambda pair: enough[pair])  # equal ones in their order
    for place, pair in enumerate(before):
        for draw in draws:
            alone[pair] += draw[pair] >= enough[pair]
            largest[pair] += max(draw[q] for q in before[: place + 1]) >= enough[pair]
    return alone, largest


def in_stretches(draws, cut):
    """Return draws |t|[measure, draw, pair] as two stretches of all measures."""
    return [
        [JointDraws(len(t), lambda which, t=t: t.T[which] ** 2) for t in part]
        for part in (draws[:, :cut], draws[:, cut:])
    ]


@given(
    enough=nps.arrays(float, (2, 7), elements=SIZES | st.sampled_from([-1e-12, np.nan])),
    draws=nps.arrays(float, (2, 9, 7), elements=SIZES),
    cut=st.integers(1, 8),
    numbers=st.sampled_from([1, 12, 1 << 15]),
)
def test_counts_are_those_of_the_definition_however_the_work_is_cut(enough, draws, cut, numbers):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joint_draws, "NUMBERS_IN_CACHE", numbers)
        found = count_reached(enough, in_stretches(draws, cut), alone=True, largest=True)
    assert found.draws == 9
    for m in range(2):
        alone, largest = by_definition(enough[m].tolist(), draws[m].tolist())
        assert found.alone[m].tolist() == alone
        assert found.largest[m].tolist() == largest


def test_only_what_is_asked_for_is_counted():
    draws = np.full((1, 4, 3), 2.0)
    enough = np.ones((1, 3))
    found = count_reached(enough, in_stretches(draws, 2), alone=True, largest=False)
    assert (found.alone.tolist(), found.largest.tolist()) == ([[4.0] * 3], [[0.0] * 3])
    found = count_reached(enough, in_stretches(draws, 2), alone=False, largest=True)
    assert (found.alone.tolist(), found.largest.tolist()) == ([[0.0] * 3], [[4.0] * 3])


def test_progress_is_told_after_each_stretch():
    told = []
    count_reached(
        np.ones((1, 3)), in_stretches(np.zeros((1, 5, 3)), 2), alone=True, largest=False,
        progress=lambda *done: told.append(done), size=5,
    )  # fmt: skip
    assert told == [(2, 5), (5, 5)]
