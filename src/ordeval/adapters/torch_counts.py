"""Count pairs of class indices that are tensors of torch, on a GPU without waiting for it.

What would make the host wait is not used there: `bincount` looks for the largest index first, and an index that is a
mask gives a result whose length only the GPU knows. Every step below gives a result whose shape is known beforehand.
"""

from typing import Any

import numpy as np
import torch

from ordeval.inputs.counting import count_integers, count_joint

__all__ = ["count_pairs", "sum_weights"]

LIBRARY = torch.library.Library("ordeval", "FRAGMENT")
LIBRARY.define("count_pairs(Tensor preds, Tensor target, int k, int? ignore_index) -> Tensor")


def count_pairs(preds: Any, target: Any, k: int, ignore_index: int | None) -> Any:
    """Return K x K + 1 counts, gold in rows: the last one counts items of which a label is not a class.

    `preds` and `target` have one axis. Items whose target is `ignore_index` are left out.
    """
    if torch.compiler.is_compiling():  # torch cannot look into NumPy, and takes the whole as one step
        return torch.ops.ordeval.count_pairs(preds, target, k, ignore_index)
    return count_pairs_now(preds, target, k, ignore_index)


def count_pairs_now(preds: Any, target: Any, k: int, ignore_index: int | None) -> Any:
    """Count on the GPU if it is one of CUDA or ROCm, else on the host."""
    if "cuda" in {preds.device.type, target.device.type}:
        return count_on_gpu(preds, target, k, ignore_index)
    counts = count_on_host(preds.cpu(), target.cpu(), k, ignore_index)
    return torch.from_numpy(counts).to(target.device)


def shape_of_counts(preds: Any, target: Any, k: int, ignore_index: int | None) -> Any:  # noqa: ARG001
    """Return a tensor that is like the counts but for its values, which torch asks for as it compiles."""
    return target.new_empty(k * k + 1, dtype=torch.int64)


LIBRARY.impl("count_pairs", count_pairs_now, "CompositeExplicitAutograd")
LIBRARY.impl("count_pairs", shape_of_counts, "Meta")


def count_on_host(preds: Any, target: Any, k: int, ignore_index: int | None) -> Any:
    """Count as `oe.Table.from_labels` does; labels that are not classes are looked for if there are any."""
    if ignore_index is not None:
        kept = ~is_ignored(target, ignore_index)
        preds, target = preds[kept], target[kept]
    counts = np.zeros(k * k + 1, dtype=np.int64)
    if not len(target):
        return counts
    sides = [plain(target), plain(preds)]
    if not any(side.is_floating_point() for side in sides):
        square = count_integers(sides[0].numpy(), sides[1].numpy(), 0, k - 1)
        if square is not None:
            counts[:-1] = square.reshape(-1)
            return counts
    indices = [class_indices(side, k).numpy() for side in sides]
    every = count_joint(indices, [k + 2, k + 2])[0].reshape(k + 2, k + 2)
    counts[:-1] = every[1:-1, 1:-1].reshape(-1)
    counts[-1] = len(target) - counts.sum()
    return counts


def count_on_gpu(preds: Any, target: Any, k: int, ignore_index: int | None) -> Any:
    """Count with `histc`, which given whole numbers and both ends neither rounds nor looks for the ends."""
    side = k + 2  # below the classes, the classes, above them
    lowest = -side - 1
    pair = class_indices(preds, k) + side * class_indices(target, k).to(torch.int32)
    ignored = 0
    if ignore_index is not None:
        mask = is_ignored(target, ignore_index)
        ignored = mask.sum()
        pair.masked_fill_(mask, lowest)
    # a CPU, where only the tests come here, has no histc of whole numbers
    number = pair if pair.is_cuda else pair.double()
    cells = torch.histc(number, bins=side * side, min=lowest, max=lowest + side * side)
    counts = cells.reshape(side, side)[1:-1, 1:-1].reshape(-1).to(torch.int64)
    return torch.cat([counts, (len(target) - ignored - counts.sum()).reshape(1)])


def sum_weights(preds: Any, target: Any, weight: Any, k: int, ignore_index: int | None) -> Any:
    """Return 3 x (K x K + 1) sums in float64: of items that have a weight, of their weights, and of the squares of these.

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
    """Return class indices in a narrow type: -1 for what is below 0 or not whole, and k for what is above all."""
    number = torch.int16 if k < 2**15 else torch.int32
    labels = plain(labels)
    if labels.is_floating_point():
        return labels.masked_fill(labels != labels.floor(), -1).clamp(-1, k).to(number)
    limits = torch.iinfo(labels.dtype)
    return labels.clamp(max(-1, limits.min), min(k, limits.max)).to(number)
