"""The synthetic collection has the statistics that section 5.3 defines, within simulation error."""

import itertools
import math

import numpy as np
import pytest

import ordeval as oe
from ordeval.simulate.mistakes import KINDS

SURE = 5  # standard errors: one false alarm in two million


@pytest.fixture(scope="module")
def made():
    """The paper's collection, item by item."""
    return oe.simulate.collection(mean=3, rng=11)


def of(made, kind, ratio):
    return made.predicted[made.systems.index(f"{kind} {ratio:g}")].astype(int)


def normal(x):
    return 0.5 * (1 + math.erf(x / math.sqrt(2)))


def test_it_has_100_cases_200_items_11_classes_and_50_systems():
    table = oe.simulate.paper(rng=0)
    assert table.counts.shape == (50, 100, 11, 11)
    assert [axis.name for axis in table.axes] == ["system", "case"]
    assert (table.gold.sum(axis=-1) == 200).all()
    assert (table.gold == table.gold[:1]).all()
    assert table.scale.values == tuple(range(1, 12))
    assert table.axes[0].labels[:2] == ("maj 0.1", "maj 0.2")
    assert len({name.split()[0] for name in table.axes[0].labels}) == 5


def test_the_table_counts_the_items_of_the_collection(made):
    table = oe.simulate.paper(rng=11)
    assert table == made.table
    expected = np.zeros((11, 11), dtype=int)
    np.add.at(expected, (made.gold[7], made.predicted[23][7]), 1)
    assert np.array_equal(table.counts[23, 7], expected)


def test_runs_hold_the_same_tables(made):
    small = oe.simulate.collection(labels=4, cases=3, items=30, deviation=1, ratios=[0.4])
    assert np.array_equal(small.runs.table.counts, small.table.counts)
    assert small.runs.systems == small.systems


def test_gold_shares_are_those_of_the_discretised_normal(made):
    deviations = np.linspace(1, 3, 100)
    edges = [-math.inf, *(k + 0.5 for k in range(1, 11)), math.inf]
    shares = np.array(
        [
            [
                normal((high - 4) / d) - normal((low - 4) / d)
                for low, high in itertools.pairwise(edges)
            ]
            for d in deviations
        ]
    )
    found = np.bincount(made.gold.ravel(), minlength=11) / made.gold.size
    expected = shares.mean(axis=0)
    error = np.sqrt((shares * (1 - shares)).sum(axis=0) / 200) / 100
    assert (np.abs(found - expected) < SURE * error).all()
    assert found.argmax() == 3  # the fourth class


def test_deviations_grow_from_1_to_3_over_the_cases(made):
    # Without the ends of the scale the deviation of the first cases is near 1 and of the last near 3, less what the
    # first class cuts off: P(x < 0.5) is 0.12 at deviation 3.
    spread = made.gold.std(axis=1)
    # rounding adds a variance of 1/12
    assert spread[:10].mean() == pytest.approx(math.sqrt(1.09**2 + 1 / 12), abs=0.1)
    assert 2.3 < spread[-10:].mean() < 3
    assert np.corrcoef(spread, np.arange(100))[0, 1] > 0.95


@pytest.mark.parametrize("ratio", [0.1, 0.5, 0.9, 1.0])
def test_the_ratio_is_a_chance_for_each_item(made, ratio):
    # every mistake is seen, but in the last class, which has no next
    answers = of(made, "tDisp", ratio)
    below = made.gold < 10
    share = (made.gold != answers)[below].mean()
    assert abs(share - ratio) <= SURE * math.sqrt(ratio * (1 - ratio) / below.sum())


def test_an_exact_ratio_is_a_share_of_every_case():
    made = oe.simulate.collection(
        labels=11, mean=3, cases=20, kinds=["tDisp"], errors="exact", rng=1
    )
    for ratio in (0.1, 0.3, 1.0):
        wrong = ((made.gold != of(made, "tDisp", ratio)) | (made.gold == 10)).sum(axis=1)
        kept = (made.gold == 10).sum(axis=1)
        assert ((wrong >= round(200 * ratio)) & (wrong <= round(200 * ratio) + kept)).all()
    clean = oe.simulate.collection(
        shares=[1, 1, 1, 0], labels=4, cases=20, kinds=["tDisp"], errors="exact"
    )
    assert ((clean.gold != of(clean, "tDisp", 0.3)).sum(axis=1) == 60).all()


def test_a_majority_mistake_is_the_fourth_class(made):
    assert (of(made, "maj", 1.0) == 3).all()
    answers = of(made, "maj", 0.5)
    assert set(np.unique(answers[made.gold != answers])) == {3}


def test_a_random_mistake_is_any_class_equally_often(made):
    answers = of(made, "rand", 1.0)
    shares = np.bincount(answers.ravel(), minlength=11) / answers.size
    assert np.abs(shares - 1 / 11).max() < SURE * math.sqrt(1 / 11 * 10 / 11 / answers.size)


def test_a_tag_displacement_is_the_next_class_and_the_last_stays(made):
    assert np.array_equal(of(made, "tDisp", 1.0), np.minimum(made.gold + 1, 10))


@pytest.mark.parametrize("end", ["keep", "last"])
def test_an_ordinal_displacement_takes_the_class_20_positions_further(end):
    made = oe.simulate.collection(mean=3, kinds=["oDisp"], ratios=[1.0], end=end, cases=10, rng=2)
    for gold, answers in zip(made.gold, made.predicted[0], strict=True):
        assert (
            np.diff(gold) >= 0
        ).all()  # in gold order, so a position is a place in the paper's ord
        assert np.array_equal(answers[:-20], gold[20:])
        past = gold[-20:] if end == "keep" else np.full(20, gold[-1])
        assert np.array_equal(answers[-20:], past)


def test_a_proximity_mistake_lies_between_gold_and_a_random_item(made):
    answers = of(made, "prox", 1.0)
    # The item half way between position i and any position: from position i / 2 to (i + 199) / 2.
    place = np.arange(200)
    lowest, highest = made.gold[:, place // 2], made.gold[:, (place + 199) // 2]
    assert ((answers >= lowest) & (answers <= highest)).all()
    # The mean place is (i + 99.5) / 2 on average, a quarter less for rounding down: check the middle of a wide case.
    spread = abs(answers[-1].astype(float).mean() - made.gold[-1].mean())
    assert spread < 0.5
    assert np.abs(answers - made.gold).mean() < np.abs(of(made, "rand", 1.0) - made.gold).mean()


def test_the_papers_examples_of_trade_offs_come_out(made):
    table = made.table
    score = {name: dict(zip(made.systems, oe.registry[name](table).mean(axis=-1), strict=True)) for name in
             ("accuracy", "kendall_tau_b", "mutual_information", "mae")}  # fmt: skip
    # "A total displacement achieves the maximal Kendall correlation but the lowest Accuracy."
    assert max(score["kendall_tau_b"].values(), default=0) == pytest.approx(
        score["kendall_tau_b"]["tDisp 1"], abs=0.01
    )
    assert min(score["accuracy"].values()) == score["accuracy"]["tDisp 1"]
    # "30% of random assignments ... keeping a 70% of Accuracy": and what the random ones hit, an 11th of 0.3.
    assert score["accuracy"]["rand 0.3"] == pytest.approx(0.7 + 0.3 / 11, abs=0.01)
    # "rand 0.3 outperforms prox 0.5 in terms of accuracy, but not necessarily in terms of error minimization."
    assert score["accuracy"]["rand 0.3"] > score["accuracy"]["prox 0.5"]
    assert score["mae"]["rand 0.3"] > score["mae"]["prox 0.5"]


def test_the_same_seed_gives_the_same_collection_and_another_another():
    assert oe.simulate.paper(rng=3) == oe.simulate.paper(rng=3)
    assert oe.simulate.paper(rng=3) != oe.simulate.paper(rng=4)
    assert oe.simulate.paper(rng=np.random.default_rng(3)) == oe.simulate.paper(rng=3)


def test_any_scale_and_any_class_shares_can_be_had():
    shares = [0.5, 0.3, 0.2]
    made = oe.simulate.collection(
        labels=["low", "mid", "high"], shares=shares, cases=50, items=200, ratios=[0.5]
    )
    found = np.bincount(made.gold.ravel(), minlength=3) / made.gold.size
    assert np.abs(found - shares).max() < SURE * math.sqrt(0.25 / made.gold.size)
    assert made.table.scale == oe.Scale(["low", "mid", "high"])
    assert (of(made, "maj", 0.5)[made.gold != of(made, "maj", 0.5)] == 0).all()
    by_case = oe.simulate.collection(
        labels=2, shares=[[1, 0], [0, 1]], cases=2, items=10, ratios=[0.5], kinds="maj"
    )
    assert by_case.gold.mean(axis=1).tolist() == [0, 1]


def test_a_kind_of_mistake_may_be_a_function():
    def lowest(setting):
        return np.zeros(setting.shape, dtype=int)

    made = oe.simulate.collection(
        labels=3, deviation=1, cases=2, items=20, kinds={"low": lowest, **KINDS}, ratios=[1.0]
    )
    assert made.systems[0] == "low 1"
    assert (made.predicted[0] == 0).all()


def test_deviations_may_be_drawn_instead_of_spaced():
    drawn = oe.simulate.paper(rng=0, spread="random")
    assert drawn != oe.simulate.paper(rng=0)
    assert drawn.counts.shape == (50, 100, 11, 11)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"end": "wrap"}, "end is 'wrap'"),
        ({"errors": "some"}, "errors is 'some'"),
        ({"spread": "odd"}, "spread is 'odd'"),
        ({"kinds": ["best"]}, "no kind of mistake 'best'"),
        ({"kinds": []}, "no kind of mistake was asked for"),
        ({"ratios": [1.5]}, r"ratios is \[1.5\]"),
        ({"cases": 0}, "cases is 0"),
        ({"items": 2.5}, "items is 2.5"),
        ({"deviation": (3, 1)}, r"deviation is \(3, 1\)"),
        ({"deviation": "wide"}, "deviation is 'wide'"),
        ({"shares": [1, 2]}, "it must hold 11 shares"),
        ({"shares": [0] * 11}, "not all 0"),
    ],
)
def test_what_cannot_be_simulated_is_refused_in_a_sentence(options, said):
    with pytest.raises(oe.OrdevalError, match=said):
        oe.simulate.collection(**{"cases": 3, "items": 20, **options})


def test_a_collection_shows_itself_in_one_line(made):
    assert (
        repr(made)
        == "Collection(items=20000, systems=50, cases=100, classes=[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])"
    )
