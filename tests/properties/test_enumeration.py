"""All small cases, counted and listed a second time from label sequences."""

from collections import Counter
from itertools import pairwise, product

import numpy as np
import pytest

from ordeval.metrics.table_function import as_labels
from ordeval.properties.enumeration import (
    Outputs,
    check_sizes,
    compositions,
    gold_standards,
    moved_ways,
    moves,
    sizes,
)


def counts_of(gold, predicted, k):
    pairs = Counter(zip(gold, predicted, strict=True))
    return tuple(pairs[g, p] for g in range(k) for p in range(k))


def gold_list(counts):
    return [c for c, n in enumerate(counts) for _ in range(n)]


@pytest.mark.parametrize("gold", [(1, 1), (2, 1), (1, 2, 1), (3, 1, 1), (1, 1, 1, 1), (2, 1, 1, 1)])
def test_the_outputs_of_a_gold_standard_are_the_tables_of_all_label_sequences(gold):
    k, items = len(gold), gold_list(gold)
    sequences = {counts_of(items, answers, k) for answers in product(range(k), repeat=len(items))}
    outputs = Outputs(gold)
    tables = [tuple(table.ravel().tolist()) for table in outputs[:]]
    assert len(outputs) == len(tables) == len(sequences)
    assert set(tables) == sequences


@pytest.mark.parametrize("gold", [(2, 1), (1, 2, 1)])
def test_outputs_come_in_the_order_of_a_dictionary(gold):
    labels = np.arange(len(gold))
    lists = [as_labels(table, labels)[1].tolist() for table in Outputs(gold)[:]]
    assert all(before < after for before, after in pairwise(lists))


def test_gold_standards_leave_no_class_empty_and_come_in_the_order_of_a_dictionary():
    # 4 items in 3 classes, none empty: one class has two.
    golds = np.concatenate(list(gold_standards(4, 3)))
    assert [gold_list(gold) for gold in golds.tolist()] == [
        [0, 0, 1, 2],
        [0, 1, 1, 2],
        [0, 1, 2, 2],
    ]


@pytest.mark.parametrize("chunk", [1, 7, 20])
def test_gold_standards_are_the_same_in_chunks_of_any_size(chunk, monkeypatch):
    # C(6, 3) = 20 gold standards of 7 items in 4 classes: kept in one piece, or listed in several.
    monkeypatch.setattr("ordeval.properties.enumeration.CHUNK", chunk)
    pieces = [piece.tolist() for piece in gold_standards(7, 4)]
    assert len(pieces) == -(-20 // chunk)
    listed = sorted({tuple(gold) for gold in product(range(1, 5), repeat=4) if sum(gold) == 7})
    assert [tuple(gold) for piece in pieces for gold in piece] == listed[::-1]


def test_long_lists_of_compositions_come_in_chunks():
    # C(60 + 3, 3) ways to put 60 items into 4 classes.
    chunks = list(compositions(60, 4))
    assert sum(map(len, chunks)) == 63 * 62 * 61 // 6
    assert max(map(len, chunks)) < 20_000
    assert all((chunk.sum(axis=1) == 60).all() for chunk in chunks)


def test_sizes_go_by_items_and_then_by_classes():
    assert list(sizes(3, 4)) == [(2, 2), (3, 2), (3, 3), (4, 2), (4, 3)]


def test_a_move_goes_nearer_to_gold_and_stays_on_its_side():
    for k in (2, 3, 4, 5):
        every = set(moves(k))
        nearer = {
            (g, a, b) for g, a, b in product(range(k), repeat=3) if (a < b <= g) or (a > b >= g)
        }
        assert every == nearer


@pytest.mark.parametrize("gold", [(2, 1), (1, 2, 1), (2, 1, 1, 1)])
def test_a_moved_output_differs_by_one_item_in_two_cells(gold):
    outputs = Outputs(gold)
    tables = outputs[:]
    moved = outputs.moved(np.arange(len(outputs)))
    for at, move in product(range(len(outputs)), range(len(moves(len(gold))))):
        g, away, near = moves(len(gold))[move]
        if tables[at, g, away] == 0:
            assert moved[at, move] == -1
            continue
        expected = tables[at].copy()
        expected[g, away] -= 1
        expected[g, near] += 1
        assert (tables[moved[at, move]] == expected).all()


def test_an_item_that_is_not_there_cannot_be_moved():
    # The ways of one item on two classes are (1, 0) and (0, 1): only the second has an item in class 1.
    assert moved_ways(1, 2, 1, 0).tolist() == [-1, 0]


def test_the_perfect_output_has_everything_on_the_diagonal():
    for gold in [(1, 1), (3, 1, 2), (2, 2, 2)]:
        outputs = Outputs(gold)
        assert (outputs[:][outputs.perfect] == np.diag(gold)).all()


def test_more_outputs_than_fit_in_memory_are_refused_with_advice():
    # 15 items in 5 classes, 3 each: C(7, 4)^5 = 35^5 outputs.
    check_sizes(5, 14)
    with pytest.raises(ValueError, match=r"52,521,875 outputs.* Ask for fewer classes or items"):
        check_sizes(5, 15)


def test_the_gold_standard_with_classes_alike_has_the_most_outputs():
    for n, k in [(6, 2), (7, 3), (8, 4)]:
        most = max(
            len(Outputs(tuple(gold))) for chunk in gold_standards(n, k) for gold in chunk.tolist()
        )
        each, more = divmod(n, k)
        assert most == len(Outputs((each + 1,) * more + (each,) * (k - more)))
