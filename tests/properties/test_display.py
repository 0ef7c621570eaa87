"""How verdicts show themselves."""

import csv
import io
import json
import math

import pytest

from ordeval.properties import Counterexample, Verdict, Verdicts, check
from ordeval.properties.words import change, figures, nth


def test_the_dictionary_has_the_keys_of_the_contract():
    content = json.loads(
        json.dumps(check("accuracy", classes=3, items=3).to_dict(), allow_nan=False)
    )
    assert content["schema"] == 1
    for verdict in content["verdicts"]:
        assert {"metric", "property", "verdict", "checked", "paper", "counterexample"} <= set(
            verdict
        )
        assert verdict["verdict"] in {"refuted", "holds"}
        case = verdict["counterexample"]
        assert (case is None) == (verdict["verdict"] == "holds")
        if case is not None:
            assert len(case["gold"]) == len(case["better"]) == len(case["worse"])
            assert len(case["values"]) == 2


def test_a_verdict_is_one_line_and_all_of_them_a_table():
    verdicts = check("accuracy", classes=3, items=3)
    assert repr(verdicts[1]) == "<ordinal_monotonicity of accuracy: refuted, 20 cases>"
    assert "\n" not in repr(verdicts)
    lines = str(verdicts).splitlines()
    assert lines[0].split() == ["measure", "property", "verdict", "cases", "paper"]
    assert [line.split()[1:3] for line in lines[2:5]] == [
        ["ordinal_invariance", "holds"],
        ["ordinal_monotonicity", "refuted"],
        ["imbalance", "refuted"],
    ]
    assert lines[6] == "accuracy"  # and below it each verdict in full


def test_the_html_is_escaped():
    shown = check(lambda g, p: (g == p).mean(), classes=2, items=2)._repr_html_()
    assert "&lt;lambda&gt;" in shown
    assert "<lambda>" not in shown


def test_a_verdict_on_its_own_line_says_its_property_once():
    holds = Verdict("f", "symmetry", "holds", 1, classes=2, items=3)
    assert str(holds) == "symmetry: holds on 1 case, up to 3 items and 2 classes"
    nowhere = Verdict("f", "symmetry", "undefined", 0, classes=2, items=3, reason="it has no value")
    assert str(nowhere) == "symmetry: undefined. it has no value"


def test_verdicts_on_several_measures_are_the_sum_of_those_on_each():
    size = {"classes": 3, "items": 3, "imbalance_items": 4}
    accuracy, mae = check("accuracy", **size), check("mae", **size)
    both = accuracy + mae
    assert (both.metrics, both.metric, accuracy.metric) == (("accuracy", "mae"), None, "accuracy")
    assert list(both) == [*accuracy, *mae]
    assert both.of("mae") == mae
    assert both["mae", "imbalance"] is mae["imbalance"]
    assert repr(both) == f"Verdicts({repr(accuracy)[9:-1]}; {repr(mae)[9:-1]})"
    with pytest.raises(
        KeyError, match=r"several measures; ask for one of them, as in \['accuracy', 'imb"
    ):
        both["imbalance"]
    with pytest.raises(KeyError, match="no verdict on 'imbalance' of cosine"):
        both["cosine", "imbalance"]


def test_the_csv_says_whether_a_search_was_complete():
    made = Verdicts((Verdict("f", "symmetry", "holds", 7, 2, 3, complete=False, reached=(2, 2)),))
    (row,) = csv.DictReader(io.StringIO(made.to_csv()))
    assert (row["complete"], row["checked"], row["paper"], row["value_better"]) == ("false", "7", "", "")  # fmt: skip


def test_a_case_with_the_sides_exchanged_keeps_its_labels_on_both():
    case = Counterexample((1, 2), (1, 1), (1, 2), (0.5, math.nan), "so", gold_worse=(1, 1), labels=(1, 2))  # fmt: skip
    content = case.to_dict()
    assert (content["labels"], content["gold_worse"], content["labels_worse"]) == ([1, 2], [1, 1], [1, 2])  # fmt: skip
    assert content["values"] == [0.5, None]
    plain = Counterexample((1, 2), (1, 1), (1, 2), (0.5, 0.4), "so", labels=(1, 2)).to_dict()
    assert (plain["gold_worse"], plain["labels_worse"]) == (None, None)


def test_the_mark_is_the_papers_with_a_sign_where_the_search_differs():
    size = {"classes": 3, "items": 4, "imbalance_items": 5}
    assert [one.mark for one in check("accuracy", **size)] == ["holds", "fails", "fails"]
    assert check("cosine", **size)["ordinal_monotonicity"].mark == "holds ≠"
    assert [one.mark for one in check("gwet_ac2", **size)] == ["", "", ""]


def test_the_details_end_with_the_first_undefined_case():
    verdict = check("spearman", classes=2, items=2)["ordinal_invariance"]
    sentence, undefined = verdict.details()
    assert sentence == verdict.sentence
    assert undefined.startswith(
        f"{verdict.undefined:,} undefined, the first at gold 1 2, output 1 1"
    )
    assert undefined.endswith("all of one class")


def test_verdicts_are_found_by_place_and_by_name():
    verdicts = check("accuracy", classes=3, items=3)
    assert verdicts["imbalance"] is verdicts[2]
    assert len(verdicts) == len(verdicts[:]) == 3
    with pytest.raises(KeyError, match="no verdict on 'symmetry'"):
        verdicts["symmetry"]


@pytest.mark.parametrize(
    ("place", "word"),
    [
        (0, "first"), (2, "third"), (9, "tenth"), (10, "11th"), (11, "12th"), (12, "13th"), (20, "21st"), (21, "22nd"),
        (22, "23rd"), (111, "112th"),
    ]
)  # fmt: skip
def test_places_are_said_in_words(place, word):
    assert nth(place) == word


def test_figures_are_as_long_as_their_difference_needs():
    assert figures(0.5, 0.25) == ("0.500", "0.250")
    assert figures(0.50001, 0.50002) == ("0.50001", "0.50002")
    assert figures(1 / 3, 1 / 3) == ("0.333", "0.333")
    assert figures(float("nan"), 0.5) == ("undefined", "0.500")


def test_what_a_value_did_is_said_with_its_direction():
    assert change("f", 0.2, 0.3, greater_is_better=True) == "raises f from 0.200 to 0.300"
    assert change("f", 0.2, 0.3, greater_is_better=False) == (
        "raises f from 0.200 to 0.300 (lower is better)"
    )
    assert change("f", 0.2, 0.2, greater_is_better=True) == "leaves f at 0.200"
    assert (
        change("f", float("nan"), 0.2, greater_is_better=True) == "takes f from undefined to 0.200"
    )
