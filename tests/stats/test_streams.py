"""One seed gives independent streams, and only a seed, a Generator or None is one."""

import numpy as np
import pytest

from ordeval.errors import ParameterError
from ordeval.stats.streams import Purpose, read_generator, read_seed, stream


def test_an_integer_is_its_own_seed_and_a_generator_gives_one():
    assert read_seed(0) == 0
    assert read_seed(np.int64(17)) == 17
    assert type(read_seed(np.int64(17))) is int
    assert read_seed(np.random.default_rng(3)) == np.random.default_rng(3).integers(2**32)


def test_a_generator_gives_seeds_of_32_bits():
    rng = np.random.default_rng(0)
    seeds = [read_seed(rng) for _ in range(200)]
    assert max(seeds) < 2**32
    assert max(seeds) > 2**31  # with 200 draws all in the lower half once in 2^200 times


def test_none_gives_a_fresh_seed_every_time():
    assert len({read_seed(None) for _ in range(3)}) == 3


def test_what_is_no_source_of_random_numbers_is_refused_with_what_is():
    with pytest.raises(ParameterError) as refused:
        read_seed(-1)
    assert str(refused.value) == (
        "rng=-1 is not a random seed; it is an integer of 0 or more, a Generator or None."
    )


def test_a_generator_is_used_as_it_is_and_a_seed_makes_numpys_default_one():
    rng = np.random.default_rng(3)
    assert read_generator(rng) is rng
    np.testing.assert_array_equal(read_generator(5).random(4), np.random.default_rng(5).random(4))


def test_a_stream_is_pcg64_with_the_purpose_and_what_is_within_it_as_key():
    """The numbers of the purposes are part of what the documentation promises about seeds."""
    assert [int(purpose) for purpose in Purpose] == [0, 1, 2, 3, 4, 5]
    assert [purpose.name for purpose in Purpose] == [
        "CASES",
        "ITEMS",
        "JOINT",
        "SWAPS",
        "PSEUDO_ITEMS",
        "PERIODS",
    ]
    for within in ((), (4,), (4, 2)):
        key = np.random.SeedSequence(9, spawn_key=(2, *within))
        expected = np.random.Generator(np.random.PCG64(key)).random(5)
        np.testing.assert_array_equal(stream(9, Purpose.JOINT, *within).random(5), expected)
