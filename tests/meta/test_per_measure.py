"""What coverage, robustness, discriminative power and swap rate have in common."""

import csv
import io
import math

import numpy as np
import pytest

import ordeval as oe
from ordeval.formats.numbers import DASH
from ordeval.meta.per_measure import Difference, centred_interval

NAN = math.nan


def covered(values, draws=None, level=0.9, **more):
    """Coverage of measures a, b, c, ... with given values; the draws, if any, are over systems and cases."""
    names = tuple("abcdefgh"[: len(values)])
    return oe.meta.Coverage(
        metrics=names,
        values=np.array(values, dtype=float),
        spread=np.full(len(values), NAN),
        draws={} if draws is None else {"both": np.array(draws, dtype=float)},
        level=level,
        systems=30,
        cases=5,
        reference=("accuracy",),
        **{"touched": (0,) * len(values), "left_out": (0,) * len(values)} | more,
    )


def swapped(values):
    names = tuple("abcdefgh"[: len(values)])
    spread = np.full(len(values), NAN)
    return oe.meta.SwapRate(
        metrics=names, values=np.array(values), spread=spread, systems=3, splits=9
    )


def test_the_best_measure_comes_first_and_undefined_ones_last():
    assert covered([0.2, NAN, 0.9, -0.5]).order == ["c", "a", "d", "b"]


def test_the_lowest_swap_rate_is_the_best():
    assert swapped([0.2, NAN, 0.1]).order == ["c", "a", "b"]


def test_measures_that_differ_by_rounding_alone_keep_the_order_asked_for():
    assert covered([0.3, 0.1 + 0.2, 0.3 - 1e-14]).order == ["a", "b", "c"]
    assert covered([0.3, 0.3 + 1e-11]).order == ["b", "a"]


def test_an_interval_is_the_percentiles_moved_so_that_their_median_is_the_estimate():
    # Of 0.00, 0.01, ..., 1.00 the 5th, 50th and 95th percentiles are 0.05, 0.5 and 0.95: around 0.3 that is 0.3 - 0.45
    # and 0.3 + 0.45.
    ends = covered([0.3], [np.arange(101) / 100]).interval("a")
    assert (ends.low, ends.high, ends.undefined) == (pytest.approx(-0.15), pytest.approx(0.75), 0)


def test_an_interval_ends_where_its_values_do():
    # Around 0.9 the upper end would be 1.35. Coverage goes down to -1, discriminative power to 0.
    draws = [np.arange(101) / 100]
    assert covered([0.9], draws).interval("a").high == 1
    assert covered([-0.9], draws).interval("a").low == -1
    power = oe.meta.DiscriminativePower(
        metrics=("a",), values=np.array([0.1]), spread=np.array([NAN]), draws={"systems": np.array(draws)},
        level=0.9, systems=3, left_out=(0,), p=np.zeros((1, 3)), alpha=0.05, resample="cases",
        correction="none",
    )  # fmt: skip
    assert power.interval("a").low == 0
    assert power.interval("a").high == pytest.approx(0.55)


def test_undefined_resamples_are_left_out_and_counted():
    ends = centred_interval(np.array([NAN, 0.1, 0.2, 0.3, NAN]), 0.9, 0.2)
    # The percentiles of three numbers: 0.1 + 0.1 * 0.1 and 0.3 - 0.1 * 0.1.
    assert (ends.low, ends.high, ends.undefined) == (pytest.approx(0.11), pytest.approx(0.29), 2)


@pytest.mark.parametrize(("draws", "estimate"), [([NAN, NAN], 0.5), ([0.1, 0.2], NAN)])
def test_there_is_no_interval_without_resamples_or_an_estimate(draws, estimate):
    assert not centred_interval(np.array(draws), 0.9, estimate).defined


def test_a_difference_is_the_first_minus_the_second_on_the_same_resamples():
    # b is a minus 0.2 in every resample: the interval of the difference has no width.
    draws = np.linspace(0.4, 0.6, 11)
    found = covered([0.5, 0.3], [draws, draws - 0.2])
    gap = found.difference("a", "b")
    assert (gap.value, gap.low, gap.high) == pytest.approx((0.2, 0.2, 0.2))
    assert gap.told_apart
    assert found.difference("b", "a").value == pytest.approx(-0.2)


@pytest.mark.parametrize(
    ("low", "high", "apart"),
    [
        (0.1, 0.2, True), (-0.2, -0.1, True), (-0.1, 0.2, False), (0, 0.2, False), (-0.2, 0, False),
        (1e-14, 0.2, False), (-0.2, -1e-14, False), (1e-11, 0.2, True), (-0.2, -1e-11, True), (NAN, NAN, False),
    ],
)  # fmt: skip
def test_two_measures_are_told_apart_if_the_interval_excludes_zero(low, high, apart):
    assert Difference("a", "b", (low + high) / 2, low, high).told_apart is apart


def test_resamples_that_were_not_drawn_are_asked_for_in_vain():
    with pytest.raises(oe.OrdevalError, match="no resamples over 'systems'; there are 'both'"):
        covered([0.5], [[0.5]]).interval("a", "systems")
    with pytest.raises(oe.OrdevalError, match="there are none: pass resamples="):
        covered([0.5]).interval("a")


def test_the_dictionary_has_the_best_first_and_null_for_undefined_values():
    content = covered([NAN, 0.5], [[NAN, NAN], [0.4, 0.6]]).to_dict()
    assert (content["kind"], content["systems"], content["cases"]) == ("coverage", 30, 5)
    best, other = content["metrics"]
    assert (best["name"], best["coverage"], best["spread"]) == ("b", 0.5, None)
    assert best["intervals"]["both"] == {"low": best["low"], "high": best["high"]}
    assert (other["name"], other["coverage"], other["low"], other["high"]) == (
        "a",
        None,
        None,
        None,
    )


def test_the_text_has_a_dash_for_an_undefined_value_and_its_interval():
    lines = str(covered([NAN, 0.5], [[NAN, NAN], [0.4, 0.6]])).splitlines()
    assert lines[0].split() == ["measure", "coverage", "↑", "90%", "over", "both"]
    assert [line.split() for line in lines[2:4]] == [["b", "0.50", "[0.41,", "0.59]"], ["a", DASH, DASH]]  # fmt: skip


def test_the_csv_has_raw_numbers_and_empty_fields():
    text = covered([NAN, 0.5], [[NAN, NAN], [0.4, 0.6]]).to_csv()
    best, other = csv.DictReader(io.StringIO(text))
    # the 5th percentile of 0.4 and 0.6 is 0.4 + 0.05 * 0.2
    assert (best["measure"], best["coverage"]) == ("b", "0.5")
    assert float(best["both_low"]) == pytest.approx(0.41)
    assert (other["coverage"], other["spread"], other["both_low"]) == ("", "", "")


def test_the_caption_names_the_measures_that_had_undefined_values():
    # b has undefined values, which leave no pair out; a leaves pairs out without any.
    found = covered([0.5, 0.4], touched=(0, 3), left_out=(2, 0))
    assert found.caption.endswith("undefined values (omit): b 3")
    assert "undefined" not in covered([0.5, 0.4], left_out=(2, 0)).caption


def test_a_spread_is_shown_where_there_is_one():
    found = covered([0.5, 0.4])
    assert "spread" not in str(found)
    found.spread[:] = 0.1, 0.2
    assert "spread" in str(found)
