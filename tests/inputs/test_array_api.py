"""Arrays of any library that follows the array API standard are read like those of NumPy, on whatever device."""

import array_api_strict as xp
import numpy as np
import pytest

import ordeval as oe

RNG = np.random.default_rng(0)
GOLD = RNG.integers(0, 4, 60)
ANSWERS = np.clip(GOLD + RNG.integers(-1, 2, 60), 0, 3)
WEIGHT = RNG.uniform(0.5, 2, 60)
SHARES, PROBABILITIES = RNG.dirichlet(np.ones(4), (2, 60))
COUNTS = np.array([[3, 1], [2, 4]])


class OnlyDLPack:
    """An array that NumPy cannot see, and that has nothing but what every such array must have."""

    def __init__(self, array):
        self.array = array
        self.dtype, self.ndim, self.shape = array.dtype, array.ndim, array.shape

    def __array_namespace__(self, api_version=None):
        return xp

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __len__(self):
        return len(self.array)

    def __getitem__(self, at):
        return OnlyDLPack(self.array[at])


class Elsewhere(OnlyDLPack):
    """An array in the memory of another device, which can copy itself."""

    def __dlpack_device__(self):
        return (2, 0)  # a GPU's

    def __dlpack__(self, *, dl_device=None, **options):
        if dl_device != (1, 0):
            raise BufferError("it is on a GPU")
        return self.array.__dlpack__(**options)


KINDS = {
    "strict": xp.asarray,
    "on another device": lambda array: xp.asarray(array, device=xp.Device("device1")),
    "only DLPack": OnlyDLPack,
}
DOORS = {
    "a measure": lambda made: oe.cem_ord(made(GOLD), made(ANSWERS)),
    "weights": lambda made: oe.cem_ord(made(GOLD), made(ANSWERS), sample_weight=made(WEIGHT)),
    "counts of rows": lambda made: oe.cem_ord(made(GOLD), made(ANSWERS), count=made(GOLD + 1)),
    "labels": lambda made: oe.cem_ord(made(GOLD), made(ANSWERS), labels=made(np.arange(5))),
    "floats": lambda made: oe.mae(made(GOLD.astype("f4")), made(ANSWERS.astype("f4"))),
    "booleans": lambda made: oe.accuracy(made(GOLD > 1), made(ANSWERS > 1)),
    "one-hot": lambda made: oe.cem_ord(made(np.eye(4)[GOLD]), made(ANSWERS)),
    "probabilities": lambda made: oe.ranked_probability_score(made(GOLD), made(PROBABILITIES)),
    "single precision": lambda made: oe.expected_cem(made(GOLD), made(PROBABILITIES.astype("f4"))),
    "evaluate": lambda made: (
        oe.evaluate(made(GOLD), made(ANSWERS), sample_weight=made(WEIGHT), n_resamples=9, rng=0)
        .to_frame()
        .equals(oe.evaluate(GOLD, ANSWERS, sample_weight=WEIGHT, n_resamples=9, rng=0).to_frame())
    ),
    "compare": lambda made: str(
        oe.compare(made(GOLD), {"a": made(ANSWERS), "b": made(GOLD)}, n_resamples=9, rng=0)
    ),
    "runs": lambda made: oe.Runs.from_labels(
        made(GOLD), {"a": made(ANSWERS)}, case=made(GOLD // 2), item=made(np.arange(60))
    ).table.counts.tolist(),
    "table": lambda made: oe.Table.from_labels(
        made(GOLD), made(ANSWERS), sample_weight=made(WEIGHT)
    ).counts.tolist(),
    "soft table": lambda made: oe.Table.from_soft(
        made(SHARES), made(PROBABILITIES)
    ).counts.tolist(),
    "counts": lambda made: oe.cem_ord.from_counts(made(COUNTS)),
    "reference": lambda made: oe.cem_ord(made(GOLD), made(ANSWERS), reference=made(np.ones(4))),
    "table of counts": lambda made: oe.Table.from_counts(made(COUNTS)).counts.tolist(),
    "proximity": lambda made: oe.proximity(made(GOLD)).tolist(),
    "ratings": lambda made: oe.krippendorff_alpha(
        oe.Ratings.from_array(made(np.stack([GOLD, ANSWERS], axis=1)))
    ),
    "decisions": lambda made: (
        oe.decide.fit(made(PROBABILITIES), made(GOLD), metric="mae")
        .predict(made(PROBABILITIES))
        .tolist()
    ),
    "cut points": lambda made: (
        oe.decide.cut(made(WEIGHT), made(GOLD), metric="mae").predict(made(WEIGHT)).tolist()
    ),
    "sets": lambda made: (
        oe.decide.sets(made(PROBABILITIES), made(GOLD)).predict(made(PROBABILITIES)).tolist()
    ),
    "corrected": lambda made: oe.judge.correct(made(GOLD), made(ANSWERS), made(GOLD)).mean.value,
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("door", DOORS)
def test_an_array_of_another_library_gives_what_one_of_numpy_gives(door, kind):
    assert DOORS[door](KINDS[kind]) == DOORS[door](np.asarray)


@pytest.mark.full  # NumPy 2.1 and later, which can ask for a copy
def test_an_array_in_the_memory_of_a_gpu_is_copied():
    found = oe.cem_ord(Elsewhere(GOLD), Elsewhere(ANSWERS), sample_weight=Elsewhere(WEIGHT))
    assert found == oe.cem_ord(GOLD, ANSWERS, sample_weight=WEIGHT)


def test_an_array_that_cannot_be_copied_is_named():
    class Stuck(Elsewhere):
        def __dlpack__(self, **options):
            raise BufferError("it is on a GPU")

    with pytest.raises(oe.OrdevalError, match=r"Stuck cannot be copied.*Copy it to the CPU first"):
        oe.cem_ord(Stuck(GOLD), Stuck(ANSWERS))


def test_labels_of_single_precision_keep_the_decimals_that_they_were_written_with():
    scale = oe.Scale(xp.asarray([0.1, 0.5], dtype=xp.float32))
    assert scale.labels == (0.1, 0.5)
