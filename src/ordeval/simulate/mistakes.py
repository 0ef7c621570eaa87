"""The five kinds of mistake of Amigó et al. 2020, section 5.3, for all ratios, cases and items at once.

A kind is a function of `Setting` that returns the class that a mistaken answer has, with shape (ratios, cases, items).
Items lie in gold order within their case, so an item's position is its place in the paper's `ord`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from ordeval.arguments import entries, is_choice
from ordeval.errors import ParameterError, quoted
from ordeval.simulate.gold import Array


@dataclass(frozen=True)
class Setting:
    """What a kind of mistake depends on: gold[case, item] in order, the classes, and the options."""

    gold: Array
    k: int
    majority: int
    ratios: int
    step: int  # positions by which an ordinal displacement moves an item
    end: str
    rng: np.random.Generator

    @property
    def shape(self) -> tuple[int, int, int]:
        """One answer for every ratio, case and item."""
        cases, items = self.gold.shape
        return self.ratios, cases, items


Kind: TypeAlias = Callable[[Setting], Array]


def majority(setting: Setting) -> Array:
    """Answer with the most frequent class (s_maj)."""
    return np.full(setting.shape, setting.majority)


def random(setting: Setting) -> Array:
    """Answer with a random class, each as likely as the others (s_rand)."""
    return setting.rng.integers(0, setting.k, setting.shape)


def tag_displacement(setting: Setting) -> Array:
    """Answer with the next higher class, or the highest where there is none (s_tDisp)."""
    return np.broadcast_to(np.minimum(setting.gold + 1, setting.k - 1), setting.shape)


def ordinal_displacement(setting: Setting) -> Array:
    """Answer with the gold class of the item a tenth of the collection further up (s_oDisp).

    Past the end there is no such item; the paper does not say what happens then. `end="keep"` leaves the item in its
    own class, `end="last"` takes the class of the last item.
    """
    n = setting.gold.shape[-1]
    target = np.arange(n) + setting.step
    displaced = setting.gold[:, np.minimum(target, n - 1)]
    if setting.end == "keep":
        displaced = np.where(target < n, displaced, setting.gold)
    return np.broadcast_to(displaced, setting.shape)


def proximity(setting: Setting) -> Array:
    """Answer with the gold class of the item half way between this one and a random one (s_prox)."""
    n = setting.gold.shape[-1]
    place = (np.arange(n) + setting.rng.integers(0, n, setting.shape)) // 2
    case = np.arange(len(setting.gold))[:, None]
    return np.asarray(setting.gold[case, place])


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "maj": majority,
        "rand": random,
        "tDisp": tag_displacement,
        "oDisp": ordinal_displacement,
        "prox": proximity,
    }
)
"""The kinds of mistake of Amigó et al. 2020, by their names: functions of `mistakes.Setting`.

>>> list(oe.simulate.KINDS)
['maj', 'rand', 'tDisp', 'oDisp', 'prox']
"""


def read_kinds(kinds: Any) -> dict[str, Kind]:
    """Return the kinds asked for: names of the five above, or a mapping from names to functions of `Setting`."""
    if isinstance(kinds, Mapping):
        chosen = {str(name): kind for name, kind in kinds.items()}
        wrong = [name for name, kind in chosen.items() if not callable(kind)]
        if wrong:
            raise ParameterError(
                f"the kind of mistake {wrong[0]!r} is not a function; a mapping of kinds must contain functions of a "
                f"Setting."
            )
    else:
        rule = f"it names kinds of mistake: {quoted(KINDS)}"
        names = [kinds] if isinstance(kinds, str) else entries(kinds, "kinds", rule)
        unknown = [name for name in names if not is_choice(name, KINDS)]
        if unknown:
            raise ParameterError(
                f"there is no kind of mistake {unknown[0]!r}; there are {quoted(KINDS)}."
            )
        chosen = {name: KINDS[name] for name in names}
    if not chosen:
        raise ParameterError(f"no kind of mistake was asked for; there are {quoted(KINDS)}.")
    return chosen


def mistaken_items(
    ratios: Array, cases: int, items: int, errors: str, rng: np.random.Generator
) -> Array:
    """Tell which items are mistaken, for every ratio and case: each by chance, or an exact share of them."""
    shape = (len(ratios), cases, items)
    if is_choice(errors, {"bernoulli"}):
        return rng.random(shape) < ratios[:, None, None]
    if is_choice(errors, {"exact"}):
        wanted = np.floor(ratios * items + 0.5)[:, None, None]
        first = np.broadcast_to(np.arange(items) < wanted, shape)
        return np.asarray(rng.permuted(first, axis=-1))
    raise ParameterError(
        f"errors is {errors!r}; it is 'bernoulli' (a chance for each item) or 'exact' (a share of them)."
    )
