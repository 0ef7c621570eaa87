"""Path: the cheapest walk through the table from its first cell to its last, by single steps right, down or both.

The walk collects the items of the cells that it passes and pays for their distance from the diagonal.
"""

import numpy as np

from ordeval.metrics.core import Counts, Values, distances, size
from ordeval.metrics.metric import Family, ScaleType
from ordeval.metrics.parameters import Parameter
from ordeval.metrics.registry import metric, paper_marks

__all__ = ["auoc", "ordinal_classification_index", "uniform_ordinal_index"]

BETA = Parameter("beta", 0.75, "how much the distance from the diagonal counts", bounds=(0.0, 1.0))
SETTLED = 1e-14  # a new line lower by less than this is the same line


def cheapest(reward: Values, toll: Values, beta: Values) -> tuple[Values, Values]:
    """Return reward and toll of the walk with the least -reward + beta * toll, over the leading axes.

    The table is walked by anti-diagonals, each one step: a cell follows its upper, its left and its upper left
    neighbour. `beta` has the shape of the leading axes.
    """
    k = reward.shape[-1]
    beta = beta[..., None]
    outside = np.full((*reward.shape[:-2], k + 1), np.inf)
    before, last = (outside, outside, outside), (outside, outside, outside)  # cost, reward, toll; by row, from 1
    for step in range(2 * k - 1):
        rows = np.arange(max(0, step - k + 1), min(step, k - 1) + 1)
        gain, paid = reward[..., rows, step - rows], toll[..., rows, step - rows]
        if step:
            came = [
                np.stack((up[..., rows], left[..., rows + 1], corner[..., rows]))
                for up, left, corner in zip(last, last, before, strict=True)
            ]
            best = np.argmin(came[0], axis=0)[None]
            gain = gain + np.take_along_axis(came[1], best, axis=0)[0]
            paid = paid + np.take_along_axis(came[2], best, axis=0)[0]
        here = tuple(outside.copy() for _ in range(3))
        for array, entries in zip(here, (beta * paid - gain, gain, paid), strict=True):
            array[..., rows + 1] = entries
        before, last = last, here
    return last[1][..., k], last[2][..., k]


@metric(
    family=Family.PATH,
    scale_type=ScaleType.ORDINAL,
    formula=r"\min_{\text{paths}} \Bigl(1 - \frac{\sum_{\text{path}} n_{rc}}{N + (\sum_{rc} n_{rc} |r - c|^\gamma)^{1/\gamma}} "
    r"+ \frac{\beta}{N (K - 1)^\gamma} \sum_{\text{path}} n_{rc} |r - c|^\gamma\Bigr)",
    references=("cardoso2011",),
    greater_is_better=False,
    perfect=0.0,
    parameters=(BETA, Parameter("gamma", 1.0, "the power of the distance from the diagonal", bounds=(0.0, 100.0))),
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
    dispersion = off.sum(axis=(-1, -2)) ** (1 / gamma) if gamma else off.sum(axis=(-1, -2))
    reward = counts / (n + dispersion)[..., None, None]
    toll = off / (n * max(k - 1, 1) ** gamma)[..., None, None]
    collected, paid = cheapest(reward, toll, np.full(n.shape, beta))
    return np.asarray(1 - collected + beta * paid)


def uniform_walk(counts: Counts) -> tuple[Values, Values]:
    """Return reward and toll of each cell where every gold class weighs alike."""
    gold = np.add.reduce(counts, axis=-1)
    shares = np.where(gold[..., None] > 0, counts / gold[..., None], 0.0)
    used = np.count_nonzero(gold, axis=-1)[..., None, None]
    off = shares * distances(counts.shape[-1])
    dispersion = off.sum(axis=(-1, -2))[..., None, None]
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
    while len(tables):
        bend = left[1] > right[1]
        crossing = np.where(bend, (left[0] - right[0]) / np.where(bend, left[1] - right[1], 1.0), low)
        crossing = np.clip(crossing, low, high)
        middle = cheapest(reward[tables], toll[tables], crossing)
        on_lines = 1 - left[0] + crossing * left[1]
        at_middle = 1 - middle[0] + crossing * middle[1]
        settled = ~bend | (at_middle >= on_lines - SETTLED)
        ends = 1 - left[0] + low * left[1], 1 - right[0] + high * right[1]
        pieces = (ends[0] + at_middle) * (crossing - low) / 2 + (at_middle + ends[1]) * (high - crossing) / 2
        np.add.at(area, tables[settled], pieces[settled])
        split = ~settled
        tables = np.concatenate((tables[split], tables[split]))
        low, high = np.concatenate((low[split], crossing[split])), np.concatenate((crossing[split], high[split]))
        centre = tuple(part[split] for part in middle)
        first, second = tuple(part[split] for part in left), tuple(part[split] for part in right)
        left = tuple(np.concatenate(pair) for pair in zip(first, centre, strict=True))  # type: ignore[assignment]
        right = tuple(np.concatenate(pair) for pair in zip(centre, second, strict=True))  # type: ignore[assignment]
    return area.reshape(counts.shape[:-2])
