"""A synthetic collection: gold, and a system for each kind of mistake and ratio, counted into tables in one go."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ordeval.arguments import is_choice, is_number, is_whole, numbers
from ordeval.errors import ParameterError
from ordeval.runs import Runs
from ordeval.scale import Scale
from ordeval.simulate.gold import Array, deviations_of, discretised_normal, from_shares, read_shares
from ordeval.simulate.mistakes import KINDS, Setting, mistaken_items, read_kinds
from ordeval.table import Axis, Table

RATIOS = tuple(round(0.1 * step, 1) for step in range(1, 11))
MOST = 10_000_000  # cases, or items of a case
MOST_CLASSES = 10_000


@dataclass(frozen=True, eq=False, repr=False)
class Collection:
    """Class codes gold[case, item] and predicted[system, case, item] of made-up data, as a table or as runs.

    >>> made = oe.simulate.collection(labels=3, cases=4, items=50, ratios=[0.2, 0.6])
    >>> made.table.counts.shape
    (10, 4, 3, 3)
    >>> made.runs
    Runs(items=200, systems=<10>, cases=4, classes=[1, 2, 3])
    """

    scale: Scale  # the classes
    systems: tuple[str, ...]  # the names of the systems
    kinds: tuple[str, ...]  # of each system
    ratios: tuple[float, ...]  # of each system
    gold: Array  # class codes, [case, item]
    predicted: Array  # class codes, [system, case, item]

    @property
    def cases(self) -> tuple[int, ...]:
        """The test cases, numbered from 1."""
        return tuple(range(1, len(self.gold) + 1))

    @cached_property
    def table(self) -> Table:
        """The tables of all systems and cases, from one pass over the items."""
        k, (systems, cases, items) = self.scale.k, self.predicted.shape
        cells = cases * k * k
        row = (np.arange(cases)[:, None] * k + self.gold) * k
        counts = np.empty((systems, cases, k, k), dtype=np.int64)
        # as many systems at a time as keep the keys small
        block = max(1, 4_000_000 // max(cases * items, 1))
        for start in range(0, systems, block):
            part = self.predicted[start : start + block]
            key = np.arange(len(part))[:, None, None] * cells + row + part
            counted = np.bincount(key.ravel(), minlength=len(part) * cells)
            counts[start : start + block] = counted.reshape(len(part), cases, k, k)
        missed = np.zeros(counts.shape[:-1], dtype=np.int64)
        return Table(
            self.scale, counts, missed, (Axis("system", self.systems), Axis("case", self.cases))
        )

    @cached_property
    def runs(self) -> Runs:
        """The same answers item by item, for paired comparisons."""
        systems, cases, items = self.predicted.shape
        case = np.repeat(np.arange(cases), items)
        rows = np.concatenate(
            [case[None], self.gold.reshape(1, -1), self.predicted.reshape(systems, -1)]
        )
        return Runs.from_rows(self.scale, self.systems, self.cases, rows)

    def __repr__(self) -> str:
        systems, cases, items = self.predicted.shape
        return f"Collection(items={cases * items}, systems={systems}, cases={cases}, classes={list(self.scale.labels)})"


def collection(
    *,
    labels: Iterable[Any] | int = 11,
    values: Iterable[float] | None = None,
    cases: int = 100,
    items: int = 200,
    mean: float | None = None,
    deviation: Any = (1.0, 3.0),
    spread: str = "even",
    shares: Any = None,
    kinds: Any = tuple(KINDS),
    ratios: Iterable[float] = RATIOS,
    step: int | None = None,
    end: str = "keep",
    errors: str = "bernoulli",
    rng: Any = 0,
) -> Collection:
    """Make gold and one system for each kind of mistake and ratio.

    Gold is a normal distribution around a class, put into the nearest class, or has class shares of your own. Within a
    case the items lie in gold order.

    The arguments are:

    - `labels`: the classes, lowest first, or their number.
    - `values`: a number for each class.
    - `cases`: the number of test cases.
    - `items`: the number of items in a test case.
    - `mean`: the position, from 0, around which gold lies; by default the middle of the scale.
    - `deviation`: the standard deviation of gold, which runs between two ends over the cases.
    - `spread`: how it runs: "even", or "random": drawn uniformly.
    - `shares`: class shares of gold in place of a normal distribution, one row for all cases or one for each.
    - `kinds`: the kinds of mistake, names of `KINDS`, or names with functions of `mistakes.Setting`.
    - `ratios`: the shares of items that are mistaken; by default 0.1, 0.2 and so on up to 1.
    - `step`: how far an ordinal displacement moves; by default a tenth of the items.
    - `end`: what a displacement past the end gives: its own class ("keep"), or the "last" item's class.
    - `errors`: whether a ratio is a chance for each item ("bernoulli") or an "exact" share.
    - `rng`: a seed, or a generator of NumPy.

    >>> made = oe.simulate.collection(labels=3, cases=4, items=50, ratios=[0.2, 0.6])
    >>> made
    Collection(items=200, systems=10, cases=4, classes=[1, 2, 3])
    >>> made.systems[:3]
    ('maj 0.2', 'maj 0.6', 'rand 0.2')
    """
    if isinstance(labels, int) and not 1 <= labels <= MOST_CLASSES:
        raise ParameterError(
            f"labels is {labels!r:.60}; it lists the classes, or is their number, from 1 to {MOST_CLASSES:,}."
        )
    scale = Scale(range(1, labels + 1) if isinstance(labels, int) else labels, values)
    for name, number in (("cases", cases), ("items", items)):
        if not is_whole(number, 1) or number > MOST:
            raise ParameterError(
                f"{name} is {number!r}; it must be a whole number from 1 to {MOST:,}."
            )
    if not is_choice(end, {"keep", "last"}):
        raise ParameterError(
            f"end is {end!r}; beyond the end an item can 'keep' its own class or take the 'last' one."
        )
    shares_mistaken = read_ratios(ratios)
    mistakes = read_kinds(kinds)
    generator = read_generator(rng)
    if shares is None:
        if mean is not None and not is_number(mean):
            raise ParameterError(f"mean is {mean!r:.60}; it is a position on the scale, from 0.")
        centre = (scale.k - 1) / 2 if mean is None else float(mean)
        gold = discretised_normal(
            centre, deviations_of(deviation, cases, spread, generator), items, scale.k, generator
        )
        frequent = int(np.clip(np.floor(centre + 0.5), 0, scale.k - 1))
    else:
        classes = read_shares(shares, cases, scale.k)
        gold = from_shares(classes, items, generator)
        frequent = int(classes.mean(axis=0).argmax())
    gold.sort(axis=-1)
    if step is not None and not is_whole(step, 0):
        raise ParameterError(f"step is {step!r:.60}; it is a number of items, 0 or more.")
    places = max(1, items // 10) if step is None else int(step)
    setting = Setting(gold, scale.k, frequent, len(shares_mistaken), places, end, generator)
    narrow = np.min_scalar_type(scale.k)
    predicted = np.empty((len(mistakes), len(shares_mistaken), cases, items), dtype=narrow)
    for at, kind in enumerate(mistakes.values()):
        mistaken = mistaken_items(shares_mistaken, cases, items, errors, generator)
        predicted[at] = np.where(mistaken, kind(setting), gold)
    pairs = [(kind, float(ratio)) for kind in mistakes for ratio in shares_mistaken]
    return Collection(
        scale,
        tuple(f"{kind} {ratio:g}" for kind, ratio in pairs),
        tuple(kind for kind, _ in pairs),
        tuple(ratio for _, ratio in pairs),
        gold,
        predicted.reshape(-1, cases, items),
    )


def read_generator(rng: Any) -> np.random.Generator:
    """Return the generator that `rng` is or stands for."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise ParameterError(
            f"rng={rng!r} is not a random seed; it is an integer of 0 or more, a Generator or None."
        ) from None


def read_ratios(ratios: Iterable[float]) -> Array:
    """Return the shares of mistaken items, checked."""
    rule = "it must hold at least one number, each from 0 to 1"
    checked = np.array(numbers(ratios, "ratios", rule))
    if not checked.size or not ((checked >= 0) & (checked <= 1)).all():
        raise ParameterError(f"ratios is {checked.tolist()}; {rule}.")
    return checked


def paper(
    rng: Any = 0, *, end: str = "keep", errors: str = "bernoulli", spread: str = "even"
) -> Table:
    """Return the collection of Amigó et al. 2020, section 5.3, as tables with the axes system (50) and case (100).

    200 items a case on 11 classes, normal around class 4 with deviations from 1 to 3; five kinds of mistake in ten
    ratios. The paper leaves two points open: what an ordinal displacement past the end gives (`end="keep"`: its own
    class, `"last"`: the last item's class), and whether a ratio is a chance for each item (`errors="bernoulli"`) or an
    exact share (`"exact"`). "Varies uniformly across topics" is read as evenly spaced; `spread="random"` draws instead.

    >>> oe.simulate.paper()
    Table(n=1000000, classes=[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], system=50, case=100)
    """
    return collection(mean=3, end=end, errors=errors, spread=spread, rng=rng).table
