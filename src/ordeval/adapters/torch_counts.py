"""Count pairs of class indices that are tensors of torch, on a GPU without waiting for it.

What would make the host wait is not used there: `bincount` looks for the largest index first, and an index that is a
mask gives a result whose length only the GPU knows. Every step below gives a result whose shape is known beforehand.
"""

from typing import Any

import numpy as np
import torch

from ordeval.aliases import Array
from ordeval.inputs.counting import LARGE, count_integers, items_at_once

__all__ = ["count_pairs", "sum_weights"]

CHUNK = 32_000  # items that are counted at a time: from 32,768 torch would wake its threads for less work than that

# The types of NumPy in which whole numbers and truth values are read: a negative number is above all others.
UNSIGNED = {
    torch.int64: np.uint64,
    torch.int32: np.uint32,
    torch.int16: np.uint16,
    torch.int8: np.uint8,
    torch.uint8: np.uint8,
    torch.bool: np.uint8,
}
LIBRARY = torch.library.Library("ordeval", "FRAGMENT")
LIBRARY.define("count_pairs(Tensor preds, Tensor target, int k, int? ignore_index) -> Tensor")


def count_pairs(preds: Any, target: Any, k: int, ignore_index: int | None) -> Any:
    """Return K x K + 1 counts, gold in rows: the last one counts items of which a label is not a class.

    `preds` and `target` have one axis. Items whose target is `ignore_index` are left out.
    """
    if target.is_cuda:  # or ROCm, which torch calls by the same name
        return count_on_gpu(preds, target, k, ignore_index)
    if (
        torch.compiler.is_compiling()
    ):  # torch cannot look into NumPy, and takes the whole as one step
        return torch.ops.ordeval.count_pairs(preds, target, k, ignore_index)
    return count_on_host(preds, target, k, ignore_index)


def shape_of_counts(preds: Any, target: Any, k: int, ignore_index: int | None) -> Any:  # noqa: ARG001
    """Return a tensor that is like the counts but for its values, which torch asks for as it compiles."""
    return target.new_empty(k * k + 1, dtype=torch.int64)


def count_on_host(preds: Any, target: Any, k: int, ignore_index: int | None) -> Any:
    """Count on the host; only if a label is not a class, all are looked at again to find out how many are not."""
    if target.device.type != "cpu":
        return count_on_host(preds.cpu(), target.cpu(), k, ignore_index).to(target.device)
    if ignore_index is not None:
        kept = ~is_ignored(target, ignore_index)
        preds, target = preds[kept], target[kept]
    of_answers, of_gold = UNSIGNED.get(preds.dtype), UNSIGNED.get(target.dtype)
    if of_answers and of_gold and target.shape[0]:
        counts = count_classes(preds.numpy().view(of_answers), target.numpy().view(of_gold), k)
        if counts is not None:
            return counts
    side = k + 2
    pair = class_indices(target, k).long() * side + class_indices(preds, k).long() + (side + 1)
    every = torch.bincount(pair, minlength=side * side).reshape(side, side)
    return with_spare(every[1:-1, 1:-1], len(target))


def count_classes(answers: Array, gold: Array, k: int) -> Any:
    """Return the counts of labels, which are read as unsigned, if all are classes; else None."""
    n = len(gold)
    if n >= LARGE or items_at_once(k * k, n) > 1:
        square = count_integers(gold, answers, 0, k - 1)
        return None if square is None else torch.from_numpy(np.append(square, 0))
    if n <= CHUNK:
        return count_chunk(answers, gold, k)
    total = 0
    for start in range(0, n, CHUNK):
        counts = count_chunk(answers[start : start + CHUNK], gold[start : start + CHUNK], k)
        if counts is None:
            return None
        total = counts.add_(total)
    return total


def count_chunk(answers: Array, gold: Array, k: int) -> Any:
    """Count one stretch of items; None if a label is not a class."""
    if int(np.maximum.reduce(gold)) >= k or int(np.maximum.reduce(answers)) >= k:
        return None
    # bincount of torch is fastest with narrow numbers; these hold a pair of classes
    number: Any = np.uint8 if k <= 16 else np.int16 if k <= 181 else np.int64
    pair = gold.astype(number)
    pair *= number(k)
    pair += answers.astype(number, copy=False)
    return torch.bincount(torch.from_numpy(pair), minlength=k * k + 1)


def count_on_gpu(preds: Any, target: Any, k: int, ignore_index: int | None) -> Any:
    """Count with `histc`, which given whole numbers and both ends neither rounds nor looks for the ends.

    What is not a class falls into the border around the square of the classes.
    """
    side = k + 2
    lowest = -side - 1  # both are below the classes
    answers = class_indices(preds, k)
    n: Any = len(target)
    narrow = answers.element_size() < 4 and n < 2**31
    answers = answers.to(torch.int32 if narrow else torch.int64)
    pair = torch.add(class_indices(target, k), answers, alpha=side)
    if ignore_index is not None:
        mask = is_ignored(target, ignore_index)
        n = n - mask.sum()
        pair = pair.masked_fill(mask, lowest)
    if (
        torch.are_deterministic_algorithms_enabled()
    ):  # which histc refuses, for it would matter to floats
        place = (pair - lowest).to(torch.int64)
        every = place.new_zeros(side * side).index_add_(0, place, torch.ones_like(place))
    else:
        # a CPU, where only the tests come here, has no histc of whole numbers
        number = pair if pair.is_cuda else pair.double()
        every = torch.histc(number, bins=side * side, min=lowest, max=lowest + side * side)
    return with_spare(every.reshape(side, side)[1 : k + 1, 1 : k + 1].T.to(torch.int64), n)


def with_spare(square: Any, n: Any) -> Any:
    """Return counts[gold, predicted] with one axis, and after them how many of n items they lack."""
    return torch.cat([square.reshape(-1), (n - square.sum()).reshape(1)])


LIBRARY.impl("count_pairs", count_on_host, "CompositeExplicitAutograd")
LIBRARY.impl("count_pairs", shape_of_counts, "Meta")


def sum_weights(preds: Any, target: Any, weight: Any, k: int, ignore_index: int | None) -> Any:
    """Return 3 x (K x K + 1) sums in float64: of items whose weight is not 0, of their weights, and of the squares.

    The last column counts items of which a label is not a class or the weight is not one; in the second row, the
    latter alone.
    """
    gold, answer = class_indices(target, k).long(), class_indices(preds, k).long()
    off = (gold < 0) | (gold >= k) | (answer < 0) | (answer >= k)
    weight = weight.to(torch.float64)
    bad = ~((weight >= 0) & (weight < torch.inf))
    wrong = off | bad
    weight = weight.masked_fill(wrong, 0)
    addends = torch.stack([(weight > 0) | wrong, weight + bad, weight * weight])
    if ignore_index is not None:
        addends = addends.masked_fill(is_ignored(target, ignore_index), 0)
    cell = (gold * k + answer).masked_fill(wrong, k * k)
    return addends.new_zeros(3, k * k + 1).index_add_(1, cell, addends)


def is_ignored(target: Any, ignore_index: int) -> Any:
    """Tell of each item whether its target is the index to be ignored, which its type may not be able to hold."""
    target = plain(target)
    if target.is_floating_point():
        return target == ignore_index
    limits = torch.iinfo(target.dtype)
    if limits.min <= ignore_index <= limits.max:
        return target == ignore_index
    return torch.zeros_like(target, dtype=torch.bool)


def plain(labels: Any) -> Any:
    """Return truth values as 0 and 1, and floats in a type in which every class is exact."""
    if labels.dtype == torch.bool:
        return labels.view(torch.uint8)
    return labels.float() if labels.is_floating_point() and labels.element_size() < 4 else labels


def class_indices(labels: Any, k: int) -> Any:
    """Return class indices as whole numbers: -1 for what is below 0 or not whole, and k for what is above all."""
    labels = plain(labels)
    if labels.is_floating_point():
        return labels.masked_fill(labels != labels.floor(), -1).clamp(-1, k).to(torch.int64)
    limits = torch.iinfo(labels.dtype)
    return labels.clamp(max(-1, limits.min), min(k, limits.max))
