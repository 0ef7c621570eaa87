"""Path measures: the cheapest walk through the table from its first cell to its last, by steps right, down or both.

The walk gains the items of the cells that it passes, and pays for their distance from the diagonal.
"""

from typing import Any

import numpy as np

from ordeval.metrics.core import Counts, Values, add, clipped, distances, size
from ordeval.metrics.parameters import Parameter
from ordeval.metrics.registry import metric, paper_marks
from ordeval.vocabulary import Family, ScaleType

BETA = Parameter("beta", 0.75, "how much the distance from the diagonal counts", bounds=(0.0, 1.0))
FEW = 32  # classes times tables up to which Python numbers are faster than arrays
# Classes times tables that are walked at a time: three lines of them stay in the cache.
CACHED = 1 << 13
SETTLED = 1e-14  # a new line lower by less than this is the same line


def cheapest(reward: Values, toll: Values, beta: Values, which: Any = None) -> Values:
    """Return reward and toll, stacked, of the walk with the least beta * toll - reward, one for each beta.

    `beta` has the shape of the leading axes, or is a list for the tables that `which` points at. A few small tables are
    walked in Python numbers, others in arrays.
    """
    k = reward.shape[-1]
    gains, tolls, betas = reward.reshape(-1, k, k), toll.reshape(-1, k, k), beta.ravel()
    if k * beta.size <= FEW:
        tables = range(len(betas)) if which is None else which.tolist()
        walked = [
            walk(gains[table].tolist(), tolls[table].tolist(), one)
            for table, one in zip(tables, betas.tolist(), strict=True)
        ]
        return np.array(walked).T.reshape(2, *beta.shape)
    ends, block = np.empty((2, len(betas))), max(1, CACHED // k)
    cells = gains.reshape(-1, k * k), tolls.reshape(-1, k * k)
    for start in range(0, len(betas), block):
        part = slice(start, start + block)
        chosen: Any = part if which is None else which[part]
        if len(gains) == 1:
            chosen = slice(None)  # one table serves every beta
        ends[:, part] = sweep(cells[0][chosen].T, cells[1][chosen].T, betas[part], k)
    return np.asarray(ends.reshape(2, *beta.shape))


def walk(reward: Any, toll: Any, beta: float) -> tuple[float, float]:
    """Return reward and toll of the cheapest walk through reward[row][column] and toll[row][column].

    A cell is reached from the cell above it, to its left, or above and to the left, whichever was cheapest so far.
    """
    outside = (np.inf, 0.0, 0.0)
    above = [outside] * (len(reward) + 1)
    for r, (gains, tolls) in enumerate(zip(reward, toll, strict=True)):
        row = [outside]
        for c, (gain, paid) in enumerate(zip(gains, tolls, strict=True)):
            _, gained, spent = min(above[c], above[c + 1], row[c]) if r or c else (0.0, 0.0, 0.0)
            gain, paid = gain + gained, paid + spent  # noqa: PLW2901
            row.append((beta * paid - gain, gain, paid))
        above = row
    return above[-1][1], above[-1][2]


def sweep(reward: Values, toll: Values, beta: Values, k: int) -> Values:
    """Return reward and toll of the cheapest walks through reward[cell, table] and toll[cell, table].

    The cells of an antidiagonal depend only on the two antidiagonals before it, so each takes a few operations on
    arrays. Entry r + 1 of a line is the cell in row r; entries never written lie outside the table and cost infinity.
    """
    lines = [np.zeros((3, k + 1, len(beta))) for _ in range(3)]  # cost, gain, paid
    for line in lines:
        line[0] = np.inf
    before, last, here = lines
    before[0, 0] = 0.0  # the start, between nothing and the first cell
    for d in range(2 * k - 1):
        low, high = max(0, d - k + 1), min(d, k - 1)
        cells = slice(d + low * (k - 1), d + high * (k - 1) + 1, k - 1 or 1)
        up, own = slice(low, high + 1), slice(low + 1, high + 2)
        cost, best = before[0, up], before[1:, up]
        for way in (last[:, up], last[:, own]):
            cheaper = way[0] < cost
            cost, best = np.where(cheaper, way[0], cost), np.where(cheaper, way[1:], best)
        np.add(best[0], reward[cells], out=here[1, own])
        np.add(best[1], toll[cells], out=here[2, own])
        here[0, own] = beta * here[2, own] - here[1, own]
        if d == 0:
            before[0, 0] = np.inf
        before, last, here = last, here, before
    return last[1:, k].copy()


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
    """Cost of the cheapest path through the table: items off the path and items far from the diagonal both cost.

    A path moves right, down or both, from the first cell to the last. The path over all four cells with items pays
    for one item off the diagonal: 1 - 4/5 + 0.75 / (4 * 2).

    >>> round(ordinal_classification_index([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.2937
    """
    k, n = counts.shape[-1], size(counts)
    off = counts * np.where(distances(k) > 0, distances(k).astype(float) ** gamma, 0.0)
    dispersion = add(off, axis=(-1, -2)) ** (1 / gamma) if gamma else add(off, axis=(-1, -2))
    reward = counts / (n + dispersion)[..., None, None]
    toll = off / (n * max(k - 1, 1) ** gamma)[..., None, None]
    collected, paid = cheapest(reward, toll, np.full(n.shape, beta))
    return clipped(1 - collected + beta * paid, 0.0, np.inf)


def uniform_walk(counts: Counts) -> tuple[Values, Values]:
    """Return reward and toll of each cell if every gold class has the same weight."""
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
    by_class=True,
)
def uniform_ordinal_index(counts: Counts, *, beta: float) -> Values:
    """Ordinal classification index in which all gold classes have the same weight.

    Each row of the table is divided by its sum. All cells lie on one path: 1 - 3 / 3.5 + 0.75 * 0.5 / 3.

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
    by_class=True,
)
def auoc(counts: Counts) -> Values:
    """Area under the uniform ordinal index as beta goes from 0 to 1, computed exactly.

    The index is a minimum of straight lines in beta, so it is concave and bends at finitely many betas. These are
    found by crossing the lines of the two ends, again and again, until no path is cheaper at the crossing. Here the
    index is 1/7 + beta/6 for beta up to 6/7, and 2/7 above.

    >>> round(auoc([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.2245
    """
    k = counts.shape[-1]
    reward, toll = (
        part.reshape(-1, k, k).astype(np.float64, copy=False) for part in uniform_walk(counts)
    )
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
        middle = cheapest(reward, toll, crossing, tables)
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
