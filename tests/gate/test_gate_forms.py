"""How a gate is shown: text, Markdown for a pull request, JSON, CSV, LaTeX, HTML and JUnit XML."""

import csv
import io
import json
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import ordeval as oe
from ordeval.formats import numbers

NASTY = "a|b *c* <script>[x](y)\n\x1b[31m\x00 & `d`"
GOLD = [1, 2, 3, 3] * 50
SAME, WORSE, CLOSE = GOLD, [1, 1, 1, 3] * 50, [1, 2, 3, 3] * 49 + [1, 2, 3, 2]


def gate(candidate=CLOSE, old="main", new="branch", **options):
    runs = oe.Runs.from_labels(GOLD, {old: SAME, new: candidate})
    return oe.gate(old, new, runs=runs, metric="accuracy", **options)


def unpaired(**options):
    tables = [oe.Table.from_labels(GOLD, side) for side in (SAME, WORSE)]
    return oe.gate(*tables, metric="accuracy", **options)


def test_the_json_has_the_keys_of_the_contract():
    content = json.loads(gate().to_json())
    # one of 200 answers is wrong; the interval is worked out elsewhere
    assert content["outcome"] == "inconclusive"
    assert content["difference"] == pytest.approx(-1 / 200)
    assert content["low"] < -0.01 < content["high"]
    assert content["margin"] == 0.01
    assert content["needed"] > 200
    assert content["command"] == "gate"
    assert content["baseline"] | {"name": "main", "value": 1.0, "items": 200} == content["baseline"]
    assert content["candidate"]["name"] == "branch"
    assert content["candidate"]["value"] == pytest.approx(199 / 200)
    assert "drift" not in content
    passed = json.loads(gate(margin=0.5).to_json())
    assert (passed["outcome"], passed["needed"]) == ("pass", None)


def test_the_json_of_two_periods_has_their_drift():
    # gold is the same; of the answers a quarter moved from 2 to 1, and a quarter from 3 to 1: cumulated shares 1/4 and
    # 1/2 become 3/4 and 3/4, so that the distance is (1/2 + 1/4) / 2
    drift = json.loads(unpaired().to_json())["drift"]
    assert drift["gold"] == {"nmd": 0.0, "rnod": 0.0, "p": 1.0}
    assert drift["predicted"]["nmd"] == pytest.approx(0.375)
    assert drift["predicted"]["p"] == 1 / 10_000


def test_markdown_begins_with_the_outcome_and_has_one_table():
    text = gate(WORSE).to_markdown()
    assert text.startswith("**Fail:** branch is worse than main in accuracy (difference -0.5000, ")
    assert text.count("| --- |") == 1
    settled = gate().to_markdown()
    assert settled.startswith("**Inconclusive:** ")
    assert settled.count("would settle it") == 1
    assert "| class shares of | NMD |" in unpaired().to_markdown()


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "html", "json", "csv", "junit"])
def test_names_from_outside_do_no_harm(form):
    result = gate(new=NASTY)
    text = result._repr_html_() if form == "html" else result.write(form)
    assert "\x1b" not in text
    assert "\x00" not in text
    if form in {"markdown", "html", "junit"}:
        assert "<script>" not in text.replace(r"\<script\>", "")
    if form == "markdown":
        assert r"a\|b \*c\* \<script\>\[x\](y)" in text


def test_csv_is_one_row():
    (row,) = csv.DictReader(io.StringIO(gate().to_csv()))
    assert (row["outcome"], row["metric"], row["items"]) == ("inconclusive", "accuracy", "200")
    assert float(row["difference"]) == pytest.approx(-1 / 200)
    assert float(row["difference_low"]) < float(row["difference"])
    assert (row["baseline_name"], row["candidate_name"]) == ("main", "branch")


@pytest.mark.parametrize(
    ("result", "kind"),
    [
        (lambda: gate(margin=0.5), None),
        (lambda: gate(WORSE), "failure"),
        (gate, "error"),
        (unpaired, "failure"),
        (lambda: gate(new=NASTY), "error"),
    ],
)
def test_junit_has_a_failure_for_a_fail_and_an_error_for_what_is_inconclusive(result, kind):
    made = result()
    root = ET.fromstring(made.to_junit())  # noqa: S314
    assert root.tag == "testsuites"
    (suite,) = root
    (case,) = suite.findall("testcase")
    for counts in (root.attrib, suite.attrib):
        assert counts["tests"] == "1"
        assert counts["failures"] == str(int(kind == "failure"))
        assert counts["errors"] == str(int(kind == "error"))
    found = [child for child in case if child.tag != "system-out"]
    assert [child.tag for child in found] == ([] if kind is None else [kind])
    for child in found:
        assert child.get("message").startswith(made.outcome.capitalize())
    values = {one.get("name"): one.get("value") for one in suite.find("properties")}
    assert values["outcome"] == made.outcome
    assert float(values["difference"]) == made.difference


def test_no_difference_has_no_sign():
    for old, new in (("a", "b"), ("b", "a")):
        assert '"difference": 0.0,' in gate(GOLD, old, new).to_json()


def test_the_text_says_what_was_compared():
    shown = str(gate())
    assert "Paired: 200 items, the same for both." in shown
    shown = str(unpaired())
    assert "Independent samples of 200 items and 200 items." in shown
    assert "predicted" in shown
    assert repr(gate(WORSE)).startswith("Gate('fail', accuracy -0.5000 [")


def test_a_gate_by_a_measure_of_classes_warns_of_a_rare_one():
    gold = [1] * 100 + [2] * 5
    result = oe.gate(gold, gold, gold=gold, metric="macro_accuracy")
    assert "rests on the rare class 2 (5 items), so its interval may be too narrow" in str(result)


def test_values_beside_nan_are_shown_as_dashes():
    result = oe.gate([1, 2], [2, 1], gold=np.ones(2, int), metric="kendall_tau_b", labels=[1, 2])
    assert numbers.DASH in str(result)
    assert "<error" in result.to_junit()
