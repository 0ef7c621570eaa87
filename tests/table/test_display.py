"""A table as JSON, as text, as HTML, and as a value that is copied."""

import copy
import json
import pickle
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ordeval as oe
from ordeval import Table
from tests.tables import random_counts, tables


@pytest.fixture
def batch():
    counts = random_counts(seed=3, size=6, k=3).reshape(2, 3, 3, 3)
    axes = [("system", ["a", "b"]), ("case", [10, 20, 30])]
    return Table.from_counts(counts, labels=["low", "mid", "high"], axes=axes)


# --- JSON


@given(counts=tables(), weighted=st.booleans(), missed=st.integers(0, 3), inferred=st.booleans())
def test_json_gives_the_table_back_exactly(counts, weighted, missed, inferred):
    k = len(counts)
    stack = np.stack([counts, counts * 3])
    if weighted:
        stack = stack / 7  # no short decimal: every digit must come back
    table = Table.from_counts(
        stack,
        labels=range(k) if inferred else [f"class <{i}> é" for i in range(k)],
        unanswered=np.full((2, k), missed, dtype=stack.dtype),
        axes=[("system", ["a", 7])],
    )
    back = Table.from_json(table.to_json())
    assert back == table
    assert back.answered.dtype == table.answered.dtype
    assert back.touched == table.touched
    assert back.scale.inferred == table.scale.inferred
    assert Table.from_json(table.to_json().encode()) == table


def test_json_of_labels_keeps_policy_scale_and_what_was_touched():
    table = Table.from_labels(
        [1, 2, 4], [1, None, 9], values=None, labels=[1, 2, 4], missing="drop", unknown="missing"
    )
    back = Table.from_json(table.to_json())
    assert (back, back.policy, back.touched) == (table, table.policy, {"missing": 1, "unknown": 1})
    assert back.coverage == pytest.approx(1 / 3)
    inferred = Table.from_labels([1, 2], [1, 2])
    wider = Table.from_json(inferred.to_json()) + Table.from_labels([5], [5])
    assert wider.scale.labels == (1, 2, 3, 4, 5)
    booleans = Table.from_labels([True, False], [True, True])
    assert Table.from_json(booleans.to_json()).scale.labels == (False, True)
    assert isinstance(Table.from_json(booleans.to_json()).scale.labels[0], bool)


def test_json_has_a_schema_number_and_plain_content():
    content = json.loads(Table.from_counts([[2**60, 0], [0, 1]]).to_json())
    assert content["schema"] == 1
    assert content["answered"] == [[2**60, 0], [0, 1]]


@pytest.mark.parametrize(
    "change",
    [
        {"schema": 2},
        {"schema": None},
        {"kind": "chair"},
        {"scale": {}},
        {"scale": [1, 2]},
        {"scale": {"labels": [1, 1], "values": [1, 2], "inferred": False}},
        {"scale": {"labels": [1, 2], "values": ["a", "b"], "inferred": False}},
        {"scale": {"labels": [1, 2, 3], "values": [1, 2, 3], "inferred": False}},
        {"scale": {"labels": [[1], [2]], "values": [1, 2], "inferred": False}},
        {"axes": 3},
        {"axes": [{"name": "system"}]},
        {"axes": [{"name": "system", "labels": ["a"]}]},
        {"policy": {}},
        {"policy": {"missing": "zero", "shape": 1}},
        {"policy": None},
        {"touched": [1]},
        {"touched": {"missing": "many"}},
        {"answered": [[1, 2], [3]]},
        {"answered": [["a", "b"], ["c", "d"]]},
        {"answered": None},
        {"answered": [[-1, 0], [0, 0]]},
        {"missed": [1]},
        {"missed": "x"},
    ],
)
def test_json_that_is_almost_a_table_is_refused(change):
    content = {**json.loads(Table.from_counts([[1, 0], [0, 1]]).to_json()), **change}
    with pytest.raises(oe.OrdevalError):
        Table.from_json(json.dumps(content))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "5", "null", b"\xff", '{"kind": "table"}', None, 5, "[" * 10**5]
)
def test_what_is_no_json_of_a_table_is_refused(text):
    with pytest.raises(oe.OrdevalError):
        Table.from_json(text)


# --- how it shows itself


def test_a_table_shows_itself_in_one_line_and_as_text():
    table = Table.from_labels([1, 1, 2], [1, 2, None], missing="zero")
    assert repr(table) == "Table(n=3, classes=[1, 2])"
    assert str(table).splitlines() == [
        "gold \\ predicted  1  2  unanswered  total",
        "─" * 41,
        "1                 1  1           0      2",
        "2                 0  0           1      1",
        "total             1  1           1      3",
    ]


def test_counts_are_shown_in_full_and_weights_to_six_digits():
    table = Table.from_counts([[1234567, 0], [0, 10**12 + 1]])
    assert repr(table) == "Table(n=1000001234568, classes=[0, 1])"
    assert "1,234,567 " in str(table)
    assert "1,000,000,000,001" in str(table)
    weighted = Table.from_counts([[1 / 3, 0.5], [0.0, 2.0]])
    assert "0.333333" in str(weighted)
    assert "e+" not in str(table) + repr(table) + table._repr_html_()


def test_a_batch_says_what_it_was_summed_over(batch):
    assert (
        repr(batch) == f"Table(n={batch.n.sum()}, classes=['low', 'mid', 'high'], system=2, case=3)"
    )
    assert str(batch).splitlines()[-1] == f"Summed over the leading axes of {batch!r}."


def test_html_escapes_every_label_and_is_well_formed():
    evil = ["<script>alert(1)</script>", "\"&'"]
    table = Table.from_counts([[[1, 2], [3, 4]]], labels=evil, axes=[("<b>", ["x"])])
    html = table._repr_html_()
    assert "<script>" not in html
    assert "<b>" not in html

    class Reader(HTMLParser):
        open, text = [], ""

        def handle_starttag(self, tag, _):
            if tag != "br":  # which has no end
                self.open.append(tag)

        def handle_endtag(self, tag):
            assert self.open.pop() == tag

        def handle_data(self, data):
            self.text += data

    reader = Reader()
    reader.feed(html)
    assert not reader.open
    assert evil[0] in reader.text
    assert evil[1] in reader.text


def test_a_table_is_a_value_that_can_be_copied_and_pickled(batch):
    for twin in (pickle.loads(pickle.dumps(batch)), copy.copy(batch), copy.deepcopy(batch)):  # noqa: S301
        assert twin == batch
    assert batch != Table.from_counts(batch.counts + 1)
    assert batch != 3
    with pytest.raises(TypeError):
        hash(batch)
    with pytest.raises(AttributeError):
        batch.scale = None
