"""How often two systems give the same answer, and which systems are nearly the same."""

from dataclasses import dataclass

import numpy as np

from ordeval import ties
from ordeval.aliases import Array
from ordeval.comparison.comparison import Comparison
from ordeval.runs import Runs
from ordeval.stats.chunks import chunks

NEAR_DUPLICATES = 0.99  # systems that agree on at least this share of the items are nearly the same


@dataclass(frozen=True, eq=False)
class SystemAgreement:
    """The share of items on which two systems give the same answer; systems that agree most stand together."""

    systems: tuple[str, ...]
    share: Array  # [system, system]
    near_duplicates: tuple[tuple[str, ...], ...]  # groups of two systems or more

    def identical(self, group: tuple[str, ...]) -> bool:
        """Tell whether all systems of a group give the same answer to every item."""
        places = [self.systems.index(name) for name in group]
        return bool(ties.same(self.share[np.ix_(places, places)], 1.0).all())


def system_agreement(comparison: Comparison, limit: int | None = None) -> SystemAgreement | None:
    """Return how often the first systems of a comparison agree; None if there is one, or if they share no items.

    Two systems that both leave an item unanswered agree on it. Items count with their weights.
    """
    runs = comparison.runs
    chosen = list(comparison.order[:limit])
    if not isinstance(runs, Runs) or len(chosen) < 2:
        return None
    share = same_answers(runs, chosen)
    places, groups = clustered(share)
    names = [comparison.scores.systems[s] for s in chosen]
    return SystemAgreement(
        tuple(names[at] for at in places),
        share[np.ix_(places, places)],
        tuple(tuple(names[at] for at in group) for group in groups if len(group) > 1),
    )


def same_answers(runs: Runs, systems: list[int]) -> Array:
    """Return the share of items on which each two of the systems give the same answer."""
    count = runs.count.astype(np.float64)
    same = np.zeros((len(systems), len(systems)))
    for part in chunks(len(count), numbers=len(systems)):
        answers = runs.predicted[systems][:, part]
        if runs.answers is not None:  # too many different ones to look at each
            for system, own in enumerate(answers):
                same[system] += (answers == own) @ count[part]
            continue
        for code in range(runs.scale.k + 1):  # the last is no answer
            given = (answers == code).astype(np.float64)
            same += (given * count[part]) @ given.T
    total = count.sum()
    return same / total if total else same


def clustered(share: Array) -> tuple[list[int], list[list[int]]]:
    """Return an order in which systems that agree most stand together, and the groups of near-duplicates.

    The two clusters that agree most, on the average over their systems, are joined until one is left.
    """
    clusters = [[at] for at in range(len(share))]
    sums, sizes = share.copy(), np.ones(len(share))
    groups: list[list[int]] = [list(cluster) for cluster in clusters]
    alive = np.ones(len(share), dtype=bool)
    for _ in range(len(share) - 1):
        means = sums / np.outer(sizes, sizes)
        means[~alive] = means[:, ~alive] = -np.inf
        np.fill_diagonal(means, -np.inf)
        a, b = sorted(divmod(int(np.argmax(means)), len(share)))
        nearly = means[a, b] >= NEAR_DUPLICATES
        clusters[a] = clusters[a] + clusters[b]
        sums[a] += sums[b]
        sums[:, a] += sums[:, b]
        sizes[a] += sizes[b]
        alive[b] = False
        if nearly:
            groups = [g for g in groups if g[0] not in clusters[a]] + [clusters[a]]
    return clusters[int(np.argmax(alive))], sorted(groups, key=min)
