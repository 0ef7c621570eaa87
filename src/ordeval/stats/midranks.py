"""Mid-ranks: values that tie share the middle of the places that they take."""

from typing import NamedTuple

import numpy as np

from ordeval.aliases import Array
from ordeval.ties import TIE


class Order(NamedTuple):
    """The ascending order along the last axis, and for each place where its group of ties begins and ends."""

    places: Array
    first: Array
    last: Array


def order_of(values: Array) -> Order:
    """Sort along the last axis and find the groups of ties; infinite values and NaN are groups of their own."""
    places = np.argsort(values, axis=-1)  # in no order within ties: they share their rank
    ordered = np.take_along_axis(values, places, axis=-1)
    n = values.shape[-1]
    position = np.arange(n, dtype=np.int32)
    with np.errstate(invalid="ignore"):  # inf - inf
        fresh = ~(ordered[..., 1:] - ordered[..., :-1] < TIE)  # "not below": true of NaN as well
    first = np.zeros(values.shape, dtype=np.int32)
    np.multiply(fresh, position[1:], out=first[..., 1:])
    np.maximum.accumulate(first, axis=-1, out=first)
    last = np.full(values.shape, n - 1, dtype=np.int32)
    last[..., :-1] = np.where(fresh, position[:-1], n - 1)
    backwards = last[..., ::-1]
    np.minimum.accumulate(backwards, axis=-1, out=backwards)
    return Order(places, first, last)


def midranks(values: Array) -> Array:
    """Return mid-ranks along the last axis, counted from 1/2: the number of lower values plus half of the ties."""
    return ranks_in(order_of(values))


def ranks_in(order: Order) -> Array:
    """Return the mid-ranks that an order gives."""
    ranks = np.empty(order.places.shape)
    np.put_along_axis(ranks, order.places, (order.first + order.last + 1) / 2, axis=-1)
    return ranks
