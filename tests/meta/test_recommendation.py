"""The words of a study, on values that are set by hand."""

import math

import numpy as np
import pytest

import ordeval as oe

NAN = math.nan
ALL, SOME = (True, True, True), (True, False, True)


def study_of(coverage, *, alike=(), sound=(), robustness=None, power=None, level=0.95, **more):
    """A study of measures with given coverage; those in `alike` cannot be told from the best, the others can."""
    names = tuple(coverage)
    values = np.array(list(coverage.values()), dtype=float)
    # In nine resamples the best measure is where it is, a measure like it 0.1 to either side of its own value.
    best = max(coverage, key=lambda name: -math.inf if math.isnan(coverage[name]) else coverage[name])  # fmt: skip
    noise = [np.linspace(-2, 2, 9) if name in alike and name != best else np.zeros(9) for name in names]  # fmt: skip
    nothing = np.full(len(names), NAN)
    shared = {"metrics": names, "spread": nothing, "level": level or 0.95, "systems": 25}
    zeros = (0,) * len(names)

    def part(given):
        return np.array([(given or {}).get(name, 0.5) for name in names], dtype=float)

    return oe.meta.Study(
        oe.meta.Coverage(
            values=values, draws={} if level is None else {"both": values[:, None] + np.array(noise)},
            cases=6, reference=more.get("reference", ("accuracy", "mae")), touched=zeros, left_out=zeros, **shared,
        ),
        oe.meta.Robustness(
            values=part(robustness), draws={"cases": np.full((len(names), 9), 0.5)}, cases=6, touched=zeros,
            left_out=zeros, **shared,
        ),
        oe.meta.DiscriminativePower(
            values=part(power), draws={"systems": np.full((len(names), 9), 0.5)}, p=np.zeros((len(names), 1)),
            alpha=0.05, resample="cases", correction="none", left_out=zeros, **shared,
        ),
        oe.meta.SplitHalves(
            *(
                kind(values=part(None), draws={"systems": np.full((len(names), 9), 0.5)}, splits=9, **shared)
                for kind in (oe.meta.SwapRate, oe.meta.RankingSimilarity)
            )
        ),
        {name: ALL if name in sound else SOME for name in names},
        {},
    )  # fmt: skip


def test_a_measure_that_covers_best_alone_is_said_to():
    words = study_of({"cem_ord": 0.9, "mse": 0.8}, sound=["cem_ord"]).recommendation
    assert words.startswith(
        "On these 25 systems and 6 test cases cem_ord covers the 2 aspects (accuracy, mae) best (0.90 [0.90, 0.90]). "
        "Every other measure covers them less well at the 95% level. cem_ord has all three formal properties."
    )


def test_one_reference_measure_is_one_aspect():
    words = study_of({"cem_ord": 0.9}, reference=("accuracy",)).recommendation
    assert "cem_ord covers the aspect (accuracy) best" in words


def test_one_measure_like_the_best_is_and_several_are():
    one = study_of({"cem_ord": 0.9, "mse": 0.8, "macro_f1": 0.7}, alike=["mse"])
    assert one.equals == ["mse"]
    assert "mse is not significantly different from it" in one.recommendation
    two = study_of({"cem_ord": 0.9, "mse": 0.8, "macro_f1": 0.7}, alike=["mse", "macro_f1"])
    assert "mse and macro_f1 are not significantly different from it" in two.recommendation


def test_at_most_four_measures_are_named_one_by_one():
    names = ["mse", "rmse", "macro_f1", "pearson", "spearman", "purity"]
    coverage = {"cem_ord": 0.9} | {name: 0.8 - at / 100 for at, name in enumerate(names)}
    four = study_of(coverage, alike=names[:4]).recommendation
    assert "mse, rmse, macro_f1 and pearson are not significantly different" in four
    six = study_of(coverage, alike=names).recommendation
    assert "mse, rmse, macro_f1, pearson and 2 more are not significantly different" in six


@pytest.mark.parametrize(
    ("alike", "sound", "said"),
    [
        ([], [], "It lacks at least one of the three formal properties."),
        ([], ["cem_ord"], "cem_ord has all three formal properties."),
        (["mse"], [], "None of these has all three formal properties."),
        (["mse"], ["mse"], "Of these, mse has all three formal properties."),
        (["mse"], ["cem_ord", "mse"], "Of these, cem_ord and mse have all three formal properties."),
        (["mse"], ["macro_f1"], "None of these has all three formal properties."),
    ],
)  # fmt: skip
def test_the_measures_with_all_three_properties_are_named(alike, sound, said):
    coverage = {"cem_ord": 0.9, "mse": 0.8, "macro_f1": 0.1}
    assert said in study_of(coverage, alike=alike, sound=sound).recommendation


def test_the_most_robust_and_the_most_discriminative_measure_are_named():
    found = study_of(
        {"cem_ord": 0.9, "mse": 0.8, "macro_f1": 0.7},
        robustness={"mse": 0.75, "cem_ord": 0.25},
        power={"macro_f1": 0.65, "cem_ord": 0.35},
    )
    assert (
        "The rankings by cem_ord on two test cases have a mean Spearman correlation of 0.25; the most robust measure "
        "is mse (0.75). cem_ord finds 35% of the pairs of systems significantly different at 0.05; the most "
        "discriminative measure is macro_f1 (65%)."
    ) in found.recommendation


def test_no_other_measure_is_named_where_none_does_better():
    found = study_of(
        {"cem_ord": 0.9, "mse": 0.8},
        robustness={"mse": 0.25, "cem_ord": 0.25},
        power={"mse": 0.0, "cem_ord": 0.0},
    )
    assert (
        "correlation of 0.25; no measure is more robust. cem_ord finds 0% of"
        in found.recommendation
    )
    assert "significantly different at 0.05; no measure finds more." in found.recommendation


def test_the_recommendation_stands_above_the_table_and_only_what_is_shown_is_explained_below():
    found = study_of({"cem_ord": 0.9, "mse": 0.8})
    wide, narrow = found.to_text(width=200), found.to_text(width=44)
    assert wide.startswith("On these ")
    assert "Swaps: the share" in wide
    assert "swaps, similarity, inv, mon, imb. Widen it" in " ".join(narrow.split())
    assert "Swaps: the share" not in narrow


def test_reference_measures_among_the_best_are_called_favoured():
    found = study_of({"cem_ord": 0.9, "mae": 0.8, "accuracy": 0.7}, alike=["mae"])
    assert found.recommendation.endswith("favours the reference measures themselves: here mae.")
    assert "favours" not in study_of({"cem_ord": 0.9, "mae": 0.8}).recommendation


def bold(study):
    return [row[0].value for row in study.sheet().rows if row[1].best]


def test_the_best_coverage_and_what_cannot_be_told_from_it_are_bold():
    assert bold(study_of({"cem_ord": 0.9, "mse": 0.8, "rmse": 0.7}, alike=["rmse"])) == ["cem_ord", "rmse"]  # fmt: skip


def test_without_intervals_measures_that_tie_are_bold_and_no_others():
    found = study_of({"cem_ord": 0.3, "mse": 0.1 + 0.2, "rmse": 0.2}, level=None)
    assert bold(found) == ["cem_ord", "mse"]
    assert found.equals == []
    assert "Every other" not in found.recommendation


def test_nothing_is_bold_where_there_is_nothing_to_choose():
    for alone in (study_of({"cem_ord": 0.9}), study_of({"cem_ord": NAN, "mse": NAN})):
        assert bold(alone) == []
        assert "Bold coverage" not in str(alone)


def test_undefined_coverage_is_never_called_indistinguishable():
    found = study_of({"cem_ord": 0.9, "mse": NAN}, alike=["mse"])
    assert found.equals == []


def test_the_json_begins_with_the_command_and_says_what_is_alike():
    content = study_of({"cem_ord": 0.9, "mse": 0.8}, alike=["mse"]).to_dict()
    assert list(content)[:3] == ["schema", "ordeval", "command"]
    assert (content["command"], content["kind"]) == ("meta", "meta")
    assert content["indistinguishable_from_best"] == ["mse"]
    assert content["level"] == 0.95
    assert content["test"]["alpha"] == 0.05
    assert content["parts_repeats"] is None
    # the paper's table 2: CEM ORD has all three, MSE has monotonicity alone
    names = ("ordinal_invariance", "ordinal_monotonicity", "imbalance")
    cem, mse = content["metrics"]
    assert cem["properties_in_the_paper"] == dict.fromkeys(names, True)
    assert mse["properties_in_the_paper"] == dict(zip(names, (False, True, False), strict=True))
    assert mse["properties"] == dict(zip(names, SOME, strict=True))
    assert study_of({"cem_ord": 0.9}, level=None).to_dict()["level"] is None
