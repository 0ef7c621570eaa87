"""Many systems, test cases and resamples: what is too much is refused, and the rest takes little memory."""

import subprocess
import sys
import tracemalloc
from functools import partial

import numpy as np
import pandas as pd
import pytest

import ordeval as oe
from ordeval.meta import coverage, discriminative_power, robustness, split_halves, study
from tests.examples import grid

MEGABYTE = 1 << 20
TRILLION = 10**12


def peak_of(work):
    """Return the most memory that a piece of work holds at once, in megabytes."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / MEGABYTE
    finally:
        tracemalloc.stop()


def answers_of(systems, classes, items):
    rng = np.random.default_rng(systems)
    names = [f"s{at}" for at in range(systems)]
    return rng.integers(classes, size=items), {
        name: rng.integers(classes, size=items) for name in names
    }


# --- more joint answers than any number can tell apart: 5**450, 11**300 and 101**160 are beyond 1e308


@grid(
    "door, systems, classes",
    [
        pytest.param(door, *size, marks=pytest.mark.slow) if "long" in door else (door, *size)
        for door in ("labels", "frame", "file", "long frame")
        for size in ((450, 4), (300, 10), (160, 100), (1000, 4))
    ],
)
def test_joint_answers_of_many_systems_are_told_apart(door, systems, classes, tmp_path):
    """Items 0 and 1 are alike, and item 2 differs from them in the last system alone: two patterns, of 2 and 1."""
    gold, answers = answers_of(systems, classes, 1)
    gold = np.repeat(gold, 3)
    answers = {name: np.repeat(answer, 3) for name, answer in answers.items()}
    last = list(answers)[-1]
    answers[last][2] = (answers[last][2] + 1) % classes
    options = {"labels": range(classes)}
    wide = pd.DataFrame({"id": range(3), "gold": gold, **answers})
    if door == "labels":
        runs = oe.Runs.from_labels(gold, answers, **options)
    elif door == "frame":
        runs = oe.Runs.from_frame(wide, gold="gold", predicted=list(answers), **options)
    elif door == "long frame":
        long = wide.melt(["id", "gold"], var_name="system", value_name="label")
        runs = oe.Runs.from_frame(
            long, gold="gold", item="id", system="system", label="label", **options
        )
    else:
        wide.to_csv(tmp_path / "wide.csv", index=False)
        runs = oe.Runs.from_wide(
            tmp_path / "wide.csv", gold="gold", predicted=list(answers), **options
        )
    assert sorted(runs.count.tolist()) == [1, 2]
    order = [runs.systems.index(name) for name in answers]
    single = int(np.argmin(runs.count))
    assert runs.predicted[order, single].tolist() == [answer[2] for answer in answers.values()]
    assert runs.table.n.tolist() == [3] * systems


@pytest.mark.later
def test_450_systems_of_four_classes_are_compared():
    gold, answers = answers_of(450, 4, 6)
    found = oe.compare(gold, answers, metrics="accuracy", primary="accuracy", n_resamples=1)
    assert len(found.pairs) == 450 * 449 // 2
    right = {name: (answer == gold).mean() for name, answer in answers.items()}
    for pair in (found.pairs[0], found.pairs[-1], found.pairs[50_000]):
        assert pair.difference == pytest.approx(right[pair.a] - right[pair.b])


# --- a trillion resamples


class Untouched:
    """Data that nobody may look at."""

    def __getattribute__(self, name):
        raise AssertionError(f"{name} was read before the settings were checked")


@pytest.mark.parametrize("function", [oe.compare, oe.evaluate])
def test_more_than_a_million_resamples_are_refused_before_any_work(function):
    for amount in (TRILLION, 1_000_001, np.int64(TRILLION)):
        with pytest.raises(oe.errors.ParameterError, match="at most 1,000,000 resamples"):
            function(Untouched(), n_resamples=amount)


@pytest.mark.parametrize(
    "function", [coverage, robustness, discriminative_power, split_halves, study]
)
def test_no_study_of_measures_takes_more_than_a_million_resamples_either(function):
    with pytest.raises(
        oe.errors.ParameterError, match="resamples is 1000000000000; it must be at most 1,000,000"
    ):
        function(Untouched(), resamples=TRILLION)


# --- memory


def cases_of_two_items(cases):
    rng = np.random.default_rng(0)
    gold, a, b = rng.integers(3, size=(3, 2 * cases))
    return oe.Runs.from_labels(gold, {"a": a, "b": b}, case=np.repeat(np.arange(cases), 2))


@pytest.mark.later
@pytest.mark.parametrize("pooled", [False, True])
def test_resamples_of_test_cases_are_not_all_held_at_once(pooled):
    """1,000 cases times 9,999 resamples are 76 MB as whole numbers, and were held twice."""
    runs = cases_of_two_items(1000)
    runs = runs.pooled() if pooled else runs
    options = {"metrics": "accuracy", "primary": "accuracy", "method": "percentile"}
    assert peak_of(lambda: oe.compare(runs, **options)) < 120


@pytest.mark.parametrize("cases", [None, 10])
def test_draws_of_all_pairs_are_not_all_held_at_once(cases):
    """400 draws of 4,950 pairs are 15 MB, and a t took ten arrays of that size."""
    gold, answers = answers_of(100, 4, 20)
    case = None if cases is None else np.arange(20) % cases
    runs = oe.Runs.from_labels(gold, answers, case=case, labels=range(4))
    options = {"metrics": "accuracy", "primary": "accuracy", "n_resamples": 400}
    assert peak_of(lambda: oe.compare(runs, **options)) < 40


def test_a_pair_is_made_when_it_is_asked_for():
    """4,950 pairs of 400 bytes would be 2 MB."""
    gold, answers = answers_of(100, 4, 20)
    found = oe.compare(
        gold, answers, metrics="accuracy", primary="accuracy", correction="none", labels=range(4)
    )
    assert peak_of(lambda: (len(found.pairs), found.pairs[-1], str(found.pairs))) < 0.5
    assert found.pairs[1:3] == (found.pairs[1], found.pairs[2])
    assert found.pairs == list(found.pairs)
    assert found.pairs != found.pairs[:-1]
    with pytest.raises(IndexError):
        found.pairs[4950]


@pytest.mark.later
@pytest.mark.parametrize("judge", [robustness, coverage])
def test_a_study_of_measures_does_not_hold_all_resamples_at_once(judge):
    """999 resamples of the pairs of 200 cases would be 305 MB, and 99,900 resamples of the cases 152 MB."""
    runs = cases_of_two_items(200)
    resamples = 999 if judge is robustness else 99_900
    work = partial(judge, runs, metrics=["accuracy", "mae"], resamples=resamples)
    assert peak_of(work) < 100


THOUSAND = """
import numpy as np
import ordeval as oe
from benchmarks.peak import peak_megabytes
rng = np.random.default_rng(1)
gold, answers = rng.integers(4, size=20), rng.integers(4, size=(1000, 20))
found = oe.compare(gold, {f"s{at}": one for at, one in enumerate(answers)}, metrics=["cem_ord", "mae"], n_resamples=99)
print(sum(len(piece) for form in ("text", "json") for piece in found.pieces(form)))
print(int(peak_megabytes()))
"""


@pytest.mark.slow
def test_a_thousand_systems_are_compared_and_written_in_less_than_a_gigabyte():
    done = subprocess.run(
        [sys.executable, "-c", THOUSAND], capture_output=True, text=True, check=True
    )
    letters, megabytes = map(int, done.stdout.split())
    assert letters > 200 * 2 * 499_500  # every pair by both measures
    assert megabytes < 1000


@pytest.mark.slow
def test_a_hundred_thousand_test_cases_take_less_than_two_gigabytes():
    from benchmarks.limits import CASES, measured

    (case,) = (case for case in CASES if case.name == "100,000 test cases of 2 items")
    assert measured(case).megabytes < 2000
