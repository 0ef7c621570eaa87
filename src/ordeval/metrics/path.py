"""Path: the cheapest walk through the table from its first cell to its last, by single steps right, down or both.

The walk collects the items of the cells that it passes and pays for their distance from the diagonal.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ordeval.metrics.core import Counts, Values, add, distances, size
from ordeval.metrics.metric import Family, ScaleType
from ordeval.metrics.parameters import Parameter
from ordeval.metrics.registry import metric, paper_marks

__all__ = ["auoc", "ordinal_classification_index", "uniform_ordinal_index"]

BETA = Parameter("beta", 0.75, "how much the distance from the diagonal counts", bounds=(0.0, 1.0))
FEW = 16  # tables up to which plain numbers are faster than arrays
SETTLED = 1e-14  # a new line lower by less than this is the same line


def cheapest(reward: Values, toll: Values, beta: Values) -> Values:
    """Return reward and toll, stacked, of the walk with the least beta * toll - reward, over the leading axes.

    `beta` has the shape of the leading axes. A few tables are walked one by one in plain numbers, many in arrays.
    """
    shape, k = reward.shape[:-2], reward.shape[-1]
    if beta.size <= FEW:
        tables = zip(
            reward.reshape(-1, k, k).tolist(),
            toll.reshape(-1, k, k).tolist(),
            beta.ravel().tolist(),
            strict=True,
        )
        ends = np.array([walk(*table, min) for table in tables])
        return ends.T.reshape(2, *shape)
    gains, tolls = (
        np.ascontiguousarray(np.moveaxis(part, (-2, -1), (0, 1))) for part in (reward, toll)
    )
    return np.array(walk(gains, tolls, beta, least))


def walk(reward: Any, toll: Any, beta: Any, nearest: Callable[..., Any]) -> tuple[Any, Any]:
    """Walk through reward[row][column] and toll[row][column], whose entries are numbers or arrays.

    A cell is reached from the one above, the one to the left or the one between them, whichever was cheapest so far.
    """
    outside = (beta * 0 + np.inf, 0.0, 0.0)
    above = [outside] * (len(reward) + 1)
    for r, (gains, tolls) in enumerate(zip(reward, toll, strict=True)):
        row = [outside]
        for c, (gain, paid) in enumerate(zip(gains, tolls, strict=True)):
            _, gained, spent = (
                nearest(above[c], above[c + 1], row[c]) if r or c else (0.0, 0.0, 0.0)
            )
            gain, paid = gain + gained, paid + spent  # noqa: PLW2901
            row.append((beta * paid - gain, gain, paid))
        above = row
    return above[-1][1], above[-1][2]


def least(*ways: tuple[Values, Values, Values]) -> tuple[Values, ...]:
    """Return, entry by entry, the way of least cost."""
    best: tuple[Values, ...] = ways[0]
    for way in ways[1:]:
        cheaper = way[0] < best[0]
        best = tuple(np.where(cheaper, new, old) for new, old in zip(way, best, strict=True))
    return best


@metric(
    family=Family.PATH,
    scale_type=ScaleType.ORDINAL,
    formula=r"\min_{\text{paths}} \Bigl(1 "
    r"- \frac{\sum_{\text{path}} n_{rc}}{N + (\sum_{rc} n_{rc} |r - c|^\gamma)^{1/\gamma}} "
    r"+ \frac{\beta}{N (K - 1)^\gamma} \sum_{\text{path}} n_{rc} |r - c|^\gamma\Bigr)",
    references=("cardoso2011",),
    greater_is_better=False,
    perfect=0.0,
    parameters=(
        BETA,
        Parameter("gamma", 1.0, "the power of the distance from the diagonal", bounds=(0.0, 100.0)),
    ),
    claims=paper_marks(True, False, False),
)
def ordinal_classification_index(counts: Counts, *, beta: float, gamma: float) -> Values:
    """Cheapest monotone walk through the table: what no consistent walk collects is an error, and so is distance.

    The walk over all four cells pays for one item off the diagonal: 1 - 4/5 + 0.75 / (4 * 2).

    >>> round(ordinal_classification_index([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.2937
    """
    k, n = counts.shape[-1], size(counts)
    off = counts * np.where(distances(k) > 0, distances(k).astype(float) ** gamma, 0.0)
    dispersion = add(off, axis=(-1, -2)) ** (1 / gamma) if gamma else add(off, axis=(-1, -2))
    reward = counts / (n + dispersion)[..., None, None]
    toll = off / (n * max(k - 1, 1) ** gamma)[..., None, None]
    collected, paid = cheapest(reward, toll, np.full(n.shape, beta))
    return np.asarray(1 - collected + beta * paid)


def uniform_walk(counts: Counts) -> tuple[Values, Values]:
    """Return reward and toll of each cell where every gold class weighs alike."""
    gold = add(counts, axis=-1)
    shares = np.where(gold[..., None] > 0, counts / gold[..., None], 0.0)
    used = add(gold > 0, axis=-1)[..., None, None]
    off = shares * distances(counts.shape[-1])
    dispersion = add(off, axis=(-1, -2))[..., None, None]
    return shares / (used + dispersion), off / used


@metric(
    family=Family.PATH,
    scale_type=ScaleType.ORDINAL,
    formula=r"\min_{\text{paths}} \Bigl(1 - \frac{\sum_{\text{path}} p_{rc}}{K' + \sum_{rc} p_{rc} |r - c|} "
    r"+ \frac{\beta}{K'} \sum_{\text{path}} p_{rc} |r - c|\Bigr), \quad p_{rc} = \frac{n_{rc}}{n_{r\cdot}}",
    references=("silva2018",),
    greater_is_better=False,
    perfect=0.0,
    parameters=(BETA,),
)
def uniform_ordinal_index(counts: Counts, *, beta: float) -> Values:
    """Cheapest monotone walk through the row shares: as the ordinal classification index, with all classes alike.

    All cells lie on one walk: 1 - 3 / 3.5 + 0.75 * 0.5 / 3.

    >>> round(uniform_ordinal_index([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.2679
    """
    reward, toll = uniform_walk(counts)
    collected, paid = cheapest(reward, toll, np.full(counts.shape[:-2], beta))
    return np.asarray(1 - collected + beta * paid)


@metric(
    family=Family.PATH,
    scale_type=ScaleType.ORDINAL,
    formula=r"\int_0^1 \mathrm{UOC}_\beta \, d\beta",
    references=("silva2018",),
    greater_is_better=False,
    perfect=0.0,
)
def auoc(counts: Counts) -> Values:
    """Area under the uniform ordinal index over beta from 0 to 1, exactly.

    As a minimum of straight lines the index is concave and bends at finitely many betas: they are found by crossing the
    lines of the two ends, again and again, until no walk is cheaper at the crossing. Here it is 1/7 + beta/6 up to 6/7,
    and 2/7 from there on.

    >>> round(auoc([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.2245
    """
    k = counts.shape[-1]
    reward, toll = (part.reshape(-1, k, k) for part in uniform_walk(counts))
    tables = np.arange(len(reward))
    area = np.zeros(len(reward))
    low, high = np.zeros(len(reward)), np.ones(len(reward))
    left, right = cheapest(reward, toll, low), cheapest(reward, toll, high)
    while True:
        bend = left[1] > right[1]
        crossing = np.where(
            bend, (left[0] - right[0]) / np.where(bend, left[1] - right[1], 1.0), low
        )
        crossing = np.minimum(np.maximum(crossing, low), high)
        middle = cheapest(reward[tables], toll[tables], crossing)
        on_lines = 1 - left[0] + crossing * left[1]
        at_middle = 1 - middle[0] + crossing * middle[1]
        settled = ~bend | (at_middle >= on_lines - SETTLED)
        ends = 1 - left[0] + low * left[1], 1 - right[0] + high * right[1]
        pieces = (ends[0] + at_middle) * (crossing - low) / 2 + (at_middle + ends[1]) * (
            high - crossing
        ) / 2
        area += np.bincount(tables[settled], weights=pieces[settled], minlength=len(area))
        if settled.all():
            break
        split = ~settled
        tables = np.concatenate((tables[split], tables[split]))
        low = np.concatenate((low[split], crossing[split]))
        high = np.concatenate((crossing[split], high[split]))
        left = np.concatenate((left[:, split], middle[:, split]), axis=1)
        right = np.concatenate((middle[:, split], right[:, split]), axis=1)
    return area.reshape(counts.shape[:-2])
