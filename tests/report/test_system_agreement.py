"""How often systems agree, and which are nearly the same, worked out by hand."""

import numpy as np
import pytest

import ordeval as oe
from ordeval.report.system_agreement import clustered, system_agreement
from tests.report import comparisons


def compared(systems, gold, **options):
    runs = oe.Runs.from_labels(gold, systems, **options)
    return oe.compare(runs, metrics=["accuracy"], primary="accuracy", level=None)


def shares(comparison):
    found = system_agreement(comparison)
    return {
        (a, b): float(found.share[i, j])
        for i, a in enumerate(found.systems)
        for j, b in enumerate(found.systems)
        if a < b
    }


def test_the_share_of_equal_answers_of_two_systems():
    systems = {"a": [1, 1, 2, 2], "b": [1, 1, 2, 1], "c": [2, 2, 1, 1]}
    comparison = compared(systems, [1, 1, 2, 2])
    assert shares(comparison) == {("a", "b"): 0.75, ("a", "c"): 0, ("b", "c"): 0.25}
    assert system_agreement(comparison).near_duplicates == ()


def test_two_systems_agree_on_what_both_leave_unanswered():
    systems = {"a": [1, None, None, 2], "b": [1, None, 2, 2]}
    assert shares(compared(systems, [1, 1, 2, 2], missing="zero")) == {("a", "b"): 0.75}


def test_items_count_with_their_weights():
    # They differ on the last item, whose weight is 6 of 9.
    systems = {"a": [1, 2, 1, 2], "b": [1, 2, 1, 1]}
    found = shares(compared(systems, [1, 2, 1, 2], sample_weight=[1, 1, 1, 6]))
    assert found == {("a", "b"): pytest.approx(3 / 9)}


def test_near_duplicates_are_one_group_and_stand_together():
    # Of 200 items b answers one as a does not (0.995), c five (0.975), d half of them.
    gold = [1, 2] * 100
    other = [3 - label for label in gold]
    systems = {
        "a": gold,
        "d": other[:100] + gold[100:],
        "b": other[:1] + gold[1:],
        "c": gold[:-5] + other[-5:],
    }
    found = system_agreement(compared(systems, gold))
    assert found.systems == ("a", "b", "c", "d")
    assert found.near_duplicates == (("a", "b"),)


def test_the_chart_marks_near_duplicates_and_names_them_in_its_description():
    gold = [1, 2] * 100
    systems = {f"s{n}": gold[:n] + [3 - label for label in gold[n:]] for n in range(0, 200, 8)}
    systems["twin"] = gold[:192] + [3 - label for label in gold[192:]]
    chart = oe.plot.systems(compared(systems, gold))
    marked = [(row["row"], row["column"]) for row in chart.data.values if row["text"] == "="]
    assert marked == [("s192", "twin"), ("twin", "s192")]
    assert (
        "at least 99% of the items: s192 and twin." in chart.to_dict(validate=False)["description"]
    )


def test_one_system_or_samples_that_share_no_items_have_no_agreement():
    assert system_agreement(comparisons.one_system()) is None
    assert system_agreement(comparisons.independent()) is None


def test_the_agreement_of_many_systems_is_that_of_every_pair_item_by_item():
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 4, 300)
    answers = {
        f"s{n}": np.where(rng.random(300) < 0.4, gold, rng.integers(0, 4, 300)) for n in range(6)
    }
    found = system_agreement(
        compared({name: a.tolist() for name, a in answers.items()}, gold.tolist())
    )
    for i, a in enumerate(found.systems):
        for j, b in enumerate(found.systems):
            assert found.share[i, j] == pytest.approx(np.mean(answers[a] == answers[b]))


def symmetric(size, shares, others):
    """Agreement between systems, by pairs; all other pairs agree equally often."""
    found = np.full((size, size), others)
    for (a, b), share in shares.items():
        found[a, b] = found[b, a] = share
    np.fill_diagonal(found, 1.0)
    return found


def test_clusters_are_joined_by_the_average_over_all_of_their_pairs():
    # 0 and 1 agree on 0.95, 2 and 3 on 0.94, across these pairs on 0.9, and 4 with each on 0.6: 4 comes last.
    across = {(a, b): 0.9 for a in (0, 1) for b in (2, 3)}
    order, groups = clustered(symmetric(5, {(0, 1): 0.95, (2, 3): 0.94, **across}, 0.6))
    assert order == [0, 1, 2, 3, 4]
    assert groups == [[0], [1], [2], [3], [4]]


def test_a_cluster_stands_where_its_first_system_stands():
    assert clustered(symmetric(4, {(0, 3): 0.95, (1, 2): 0.9}, 0.5))[0] == [0, 3, 1, 2]


def test_systems_that_agree_on_exactly_99_percent_are_nearly_the_same():
    assert clustered(symmetric(3, {(0, 2): 0.99, (0, 1): 0.9899}, 0.9899))[1] == [[0, 2], [1]]
