"""Sakai's comparison on other collections: the two criteria against item-level computations, and the page."""

import gzip
import json
import re

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats
from sklearn.metrics import accuracy_score, cohen_kappa_score, mean_absolute_error

import ordeval as oe
from ordeval.cli import main
from ordeval.meta.parts import part_counts
from ordeval.paper.campaigns import SETS
from ordeval.paper.sakai_collections import (
    QUADRATIC,
    as_one_sample,
    measure_collection,
    measures,
    uses_order,
)
from ordeval.paper.sakai_findings import method
from ordeval.paper.sakai_standing import ADVISED
from tests.paper.test_page import NUMBER
from tests.prose import without_front_matter

BY_KEY = {one.key: one for one in SETS}
SEED = 5


def write_set(root, key, gold, systems, case=None):
    """Write labels where a set has its files; without cases all items are of one."""
    case = ["all"] * len(gold) if case is None else case
    lines = [f"{c},i{at},{label}" for at, (c, label) in enumerate(zip(case, gold, strict=True))]
    answers = [
        f"{c},i{at},{name},{label}"
        for name, labels in systems.items()
        for at, (c, label) in enumerate(zip(case, labels, strict=True))
    ]
    one = BY_KEY[key]
    for path, head, body in (
        (one.gold, "case,item,label", lines),
        (one.systems, "case,item,system,label", answers),
    ):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        with gzip.open(root / path, "wt") as target:
            target.write("\n".join([head, *body]) + "\n")


def noisy(rng, gold, classes, share):
    """Gold in which a share of the labels is replaced by random classes."""
    return np.where(rng.random(len(gold)) < share, rng.integers(classes, size=len(gold)), gold)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a set without test cases and one with 7 of them, 5 systems each."""
    root, rng = tmp_path_factory.mktemp("data"), np.random.default_rng(1)
    gold = rng.choice(3, size=60, p=[0.2, 0.5, 0.3])
    systems = {f"s{at}": noisy(rng, gold, 3, 0.2 + 0.1 * at) for at in range(5)}
    write_set(root, "rusentne_en", gold, systems)
    gold = rng.integers(4, size=84)
    systems = {f"s{at}": noisy(rng, gold, 4, 0.2 + 0.1 * at) for at in range(5)}
    write_set(root, "llmjudge", gold, systems, case=np.repeat([f"q{at}" for at in range(7)], 12))
    return root


@pytest.fixture(scope="module")
def page(folder):
    return oe.paper.sakai2021(folder, splits=20, flips=99, resamples=49, rng=SEED)


# The two criteria on one collection.


def linear(gold, predicted):
    return cohen_kappa_score(gold, predicted, weights="linear")


def squared(gold, predicted):
    return cohen_kappa_score(gold, predicted, weights="quadratic")


@pytest.mark.later
@pytest.mark.parametrize(
    ("name", "score"), [("weighted_kappa", linear), (QUADRATIC, squared), ("accuracy", accuracy_score)]
)  # fmt: skip
def test_consistency_is_scipys_tau_between_halves_of_listed_items(folder, page, name, score):
    runs = as_one_sample(oe.Runs.from_files(*paths(folder, "rusentne_en"), missing="zero"))
    drawn = part_counts(runs.count, 2, 20, np.random.default_rng(SEED))
    taus = []
    for split in range(20):
        ranked = []
        for half in range(2):
            items = np.repeat(np.arange(len(runs.count)), drawn[:, split, half])
            assert len(items) == 30
            ranked.append([score(runs.gold[items], one[items]) for one in runs.predicted])
        taus.append(stats.kendalltau(*np.round(ranked, 12)).statistic)
    found = page.collections[0].consistency
    assert found[name] == pytest.approx(np.mean(taus), abs=1e-12)
    assert found.spread[found.at(name)] == pytest.approx(np.std(taus, ddof=1))


@pytest.mark.later
def test_over_many_splits_it_is_the_mean_over_all_halves_of_eight_items(tmp_path):
    gold = np.array([0, 0, 1, 1, 1, 2, 2, 2])
    systems = {
        "a": [0, 0, 1, 1, 2, 2, 2, 0],
        "b": [0, 1, 1, 2, 1, 2, 1, 2],
        "c": [1, 2, 1, 0, 0, 2, 2, 1],
    }
    write_set(tmp_path, "rusentne_en", gold, systems)
    found = measure_collection(
        BY_KEY["rusentne_en"], tmp_path, splits=800, flips=9, resamples=1, rng=0
    )
    taus = []
    for bits in range(256):
        first = np.array([bits >> at & 1 for at in range(8)], dtype=bool)
        if first.sum() == 4:
            errors = [
                [mean_absolute_error(gold[half], np.array(one)[half]) for one in systems.values()]
                for half in (first, ~first)
            ]
            if (
                min(map(np.ptp, errors)) > 0
            ):  # otherwise tau is undefined, and such a split counts nowhere
                taus.append(stats.kendalltau(*np.round(errors, 12)).statistic)
    assert 30 < len(taus) < 70
    assert found.consistency["mae"] == pytest.approx(np.mean(taus), abs=4 * np.std(taus) / 25)


@pytest.mark.later
def test_a_set_with_test_cases_is_halved_by_these(folder, page):
    found = page.collections[1]
    assert (found.cases, found.halved, found.power.resample) == (7, "7 test cases", "cases")
    runs = oe.Runs.from_files(*paths(folder, "llmjudge"), missing="zero")
    scores = oe.cem_ord(runs.table)
    order = np.random.default_rng(SEED).permuted(np.broadcast_to(np.arange(7), (20, 7)), axis=1)
    taus = [
        stats.kendalltau(scores[:, one[:3]].mean(axis=1), scores[:, one[3:6]].mean(axis=1)).statistic
        for one in order
    ]  # fmt: skip
    assert found.consistency["cem_ord"] == pytest.approx(np.mean(taus), abs=1e-12)


@pytest.mark.later
def test_power_is_the_share_of_pairs_that_differ(tmp_path):
    # 100 items. a and b give the same answers, and c is wrong on all items: of the pairs ab, ac and bc two differ.
    gold = np.arange(100) % 3
    right = np.where(np.arange(100) % 10, gold, (gold + 1) % 3)
    write_set(tmp_path, "rusentne_en", gold, {"a": right, "b": right, "c": (gold + 2) % 3})
    one = BY_KEY["rusentne_en"]
    found = measure_collection(one, tmp_path, splits=2, flips=199, resamples=9, rng=0)
    assert found.power["accuracy"] == pytest.approx(2 / 3)
    # The p-values are adjusted by 199 flips, so none is below 1 in 200. After b and c, equal systems have p = 1.
    assert found.power.p[found.power.at("accuracy")] == pytest.approx([1, 1 / 200, 1 / 200])
    assert (found.power.correction, found.power.alpha) == ("maxt", 0.05)


@pytest.mark.later
def test_items_are_the_sample_of_pooled_sets_whatever_their_cases():
    rng = np.random.default_rng(3)
    gold = rng.integers(3, size=200)
    systems = {f"s{at}": noisy(rng, gold, 3, 0.2 + 0.1 * at) for at in range(4)}
    with_cases = oe.Runs.from_labels(gold, systems, case=rng.integers(9, size=200))
    p = [
        oe.meta.discriminative_power(runs, ["weighted_kappa", "mae"]).p
        for runs in (oe.Runs.from_labels(gold, systems), as_one_sample(with_cases))
    ]
    assert p[1] == pytest.approx(p[0])


@pytest.mark.later
def test_every_measure_of_labels_is_compared_and_none_twice():
    names = measures()
    assert len(names) == len(set(names))
    assert {one for one in oe.registry if not oe.registry[one].takes_probabilities} <= set(names)
    assert {QUADRATIC, "krippendorff_alpha(level='interval')"} <= set(names)
    assert uses_order(ADVISED)
    assert uses_order("cem_ord")
    # accuracy ignores the order, and match distance looks at the margins only
    assert not uses_order("accuracy")
    assert not uses_order("normalised_match_distance")


def paths(folder, key):
    return str(folder / BY_KEY[key].gold), str(folder / BY_KEY[key].systems)


# The page and the command.


@pytest.mark.later
def test_the_page_names_its_collections_and_can_be_written_in_every_form(page):
    assert [one.data_set.key for one in page.collections] == ["rusentne_en", "llmjudge"]
    assert "\n" not in repr(page)
    assert page.to_markdown().startswith("# Sakai's comparison")
    assert (
        "| llmjudge | LLMJudge 2024, submitted judges | 84 | 4 | 5 | real | 7 test cases |"
        in page.to_markdown()
    )
    assert r"\toprule" in page.to_latex()
    assert "<table " in page._repr_html_()
    assert [section.title for section in page.sections()] == [
        "Does the advice hold here?",
        "The collections",
        "System ranking consistency",
        "Discriminative power",
        "The measure advised and other measures",
        "How it was computed",
    ]
    assert len(page.sheet().rows) == len(measures())


@pytest.mark.later
def test_the_method_states_the_error_over_splits_and_where_systems_are_few(page):
    found = method(page.collections, splits=20, flips=99, resamples=49)
    spread = max(one.consistency.spread.max() for one in page.collections)
    assert f"at most {spread / 20**0.5:.4f}." in found.items[1]
    assert (
        "With fewer than 20 systems (rusentne_en and llmjudge) such intervals are too narrow."
        in found.items[2]
    )


@pytest.mark.later
def test_the_json_has_every_number(page):
    content = json.loads(json.dumps(page.to_dict(), allow_nan=False))
    assert (content["command"], content["kind"], content["advised"]) == (
        "reproduce",
        "sakai2021",
        ADVISED,
    )
    consistency, _ = content["criteria"]
    row = next(one for one in consistency["metrics"] if one["name"] == "cem_ord")
    assert row["mean_rank"] == page.consistency.mean_rank["cem_ord"]
    assert row["advised_minus_it"]["value"] == page.consistency.against["cem_ord"].value
    judges = content["collections"][1]
    assert (
        judges["metrics"]["cem_ord"]["discriminative_power"]["value"]
        == page.collections[1].power["cem_ord"]
    )


def run(*arguments):
    return CliRunner().invoke(main, ["reproduce", "sakai2021", *arguments])


@pytest.mark.later
def test_the_command_writes_what_python_gives(folder, monkeypatch):
    few = {"splits": 4, "flips": 9, "resamples": 9}
    original = oe.paper.sakai2021
    monkeypatch.setattr(
        "ordeval.paper.sakai_page.sakai2021", lambda data, **more: original(data, **few, **more)
    )
    result = run("--data", str(folder), "--seed", "5", "--format", "markdown")
    assert result.exit_code == 0, result.output
    how = "ordeval reproduce sakai2021 --seed 5 --data DIR"
    assert result.stdout == original(folder, **few, rng=5, how=how).to_markdown()


@pytest.mark.later
def test_without_data_the_command_says_what_to_pass(tmp_path):
    result = run()
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--data DIR" in result.stderr
    with pytest.raises(oe.OrdevalError, match=re.escape("data='DIR'")):
        oe.paper.sakai2021()
    result = run("--data", str(tmp_path))
    assert (result.exit_code, result.stdout) == (3, "")
    assert "none of the data sets" in result.stderr


@pytest.mark.later
def test_a_folder_with_one_run_alone_has_nothing_to_compare(tmp_path):
    write_set(tmp_path, "replab2013", [0, 1, 2], {"a": [0, 1, 1]})
    with pytest.raises(oe.OrdevalError, match="none of the data sets"):
        oe.paper.sakai2021(tmp_path)


@pytest.mark.later
def test_resamples_are_needed(folder):
    with pytest.raises(oe.OrdevalError, match="resamples is 0"):
        oe.paper.sakai2021(folder, resamples=0)


@pytest.mark.later
@pytest.mark.slow
def test_the_page_in_the_docs_is_what_the_command_writes(root, shared, tmp_path):
    """Words to the letter, numbers to one unit of the second decimal, as for the other reproduction."""
    target = tmp_path / "page.md"
    result = run("--data", str(shared / "data"), "-o", str(target))
    assert result.exit_code == 0, result.output
    page = root / "docs" / "evidence" / "sakai2021.md"
    now, then = target.read_text(), without_front_matter(page)
    assert NUMBER.sub("#", now) == NUMBER.sub("#", then)
    pairs = zip(NUMBER.findall(now), NUMBER.findall(then), strict=True)
    assert max(abs(float(a) - float(b)) for a, b in pairs) < 0.0101
