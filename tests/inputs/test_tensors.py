"""Tensors of torch wherever arrays are read: with a gradient, on another device, in bfloat16."""

import numpy as np
import pytest

import ordeval as oe

GOLD = np.array([0, 1, 2, 0, 1, 2, 2, 1])
ANSWERS = np.array([0, 2, 2, 1, 1, 0, 2, 1])
WEIGHTS = np.array([0.5, 1.0, 2.0, 0.25, 1.0, 3.0, 0.0, 1.5])  # which bfloat16 can hold
COUNTS = np.array([[1, 1, 0], [0, 2, 1], [1, 0, 2]])
MARKS = np.stack([GOLD, ANSWERS], axis=1)

# Each is a call on arrays, which is then made with tensors in their place.
CALLS = {
    "labels": lambda of: oe.cem_ord(of(GOLD), of(ANSWERS)),
    "weights": lambda of: oe.cem_ord(GOLD, ANSWERS, sample_weight=of(WEIGHTS)),
    "numbers of items": lambda of: oe.kendall_tau_a(GOLD, ANSWERS, count=of(GOLD + 1)),
    "counts": lambda of: oe.cem_ord.from_counts(of(COUNTS)),
    "counts of a table": lambda of: oe.cem_ord(oe.Table.from_counts(of(COUNTS), labels=[1, 2, 3])),
    "values": lambda of: oe.mae(GOLD, ANSWERS, labels=[0, 1, 2], values=of(np.array([0, 1, 4]))),
    "values of counts": lambda of: oe.mae.from_counts(COUNTS, values=of(np.array([0, 1, 4]))),
    "a reference": lambda of: oe.cem_ord(GOLD, ANSWERS, reference=of(np.array([3, 1, 2]))),
    "classes": lambda of: oe.cem_ord(GOLD, ANSWERS, labels=of(np.array([2, 1, 0]))),
    "marks": lambda of: oe.krippendorff_alpha(oe.Ratings.from_array(of(MARKS))),
    "test cases": lambda of: oe.Runs.from_labels(
        GOLD, {"a": ANSWERS}, case=of(GOLD % 2)
    ).table.n.tolist(),
    "shares": lambda of: oe.cem_ord(of(np.eye(3)[GOLD] / 2 + np.eye(3)[ANSWERS] / 2), ANSWERS),
    "one tensor for each label": lambda of: oe.cem_ord(list(map(of, GOLD)), list(map(of, ANSWERS))),
}


class Tensor:
    """What a tensor of torch offers and refuses: an array only without a gradient, on the host, in a type of NumPy."""

    def __init__(self, array, dtype, state=("gradient", "cuda")):
        self.array, self.dtype, self.state = np.asarray(array), f"torch.{dtype}", set(state)
        self.ndim, self.shape = self.array.ndim, self.array.shape

    def detach(self):
        return Tensor(self.array, self.dtype[6:], self.state - {"gradient"})

    def cpu(self):
        return Tensor(self.array, self.dtype[6:], self.state - {"cuda"})

    def float(self):
        return Tensor(self.array.astype(np.float32), "float32", self.state)

    def __array__(self, dtype=None, copy=None):
        if self.state or self.dtype == "torch.bfloat16":
            raise TypeError(f"no array of {self.dtype} {self.state}")
        return np.asarray(self.array, dtype=dtype)

    def __len__(self):
        return len(self.array)

    def __iter__(self):
        return (Tensor(one, self.dtype[6:], self.state) for one in self.array)


@pytest.mark.parametrize("dtype", ["bfloat16", "float32"])
@pytest.mark.parametrize("what", CALLS)
def test_a_tensor_is_read_as_the_array_that_it_holds(what, dtype):
    call = CALLS[what]
    assert call(lambda array: Tensor(array, dtype)) == call(lambda array: array)


@pytest.mark.full
@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float32", "float64"])
@pytest.mark.parametrize("what", CALLS)
def test_a_tensor_of_torch_with_a_gradient_is_read(what, dtype):
    import torch

    def tensor(array):
        return torch.tensor(array).to(getattr(torch, dtype)).requires_grad_()

    assert CALLS[what](tensor) == CALLS[what](lambda array: array)


def test_batches_that_were_not_joined_are_refused():
    batches = [Tensor([0, 1, 2], "int64"), Tensor([0, 1], "int64")]
    with pytest.raises(oe.errors.LabelTypeError, match=r"shapes \(2,\), \(3,\).*torch\.cat"):
        oe.cem_ord(batches, batches)
