"""The board of updates beside those of torchmetrics, on few pairs."""

import pytest

from benchmarks import torch_update


@pytest.mark.full
def test_the_board_shows_each_update_beside_two_of_torchmetrics(monkeypatch):
    monkeypatch.setattr(torch_update, "CLASSES", (3,))
    rows = list(torch_update.board("cpu", 10_000))
    assert [(row["pairs"], row["classes"], row["type"]) for row in rows] == [
        (10_000, 3, "int64"),
        (10_000, 3, "uint8"),
    ]
    rows[0]["medians"] = [[1e-3, 2e-3], [1e-3, 0.5e-3]]  # 2 times faster, and 2 times slower
    rows[1]["medians"] = [[2.0, 3.0], [2e-6, 30e-6]]
    table = list(torch_update.lines(rows, "here"))
    assert table[4].endswith("| 1 ms | 2 ms | 500 us | 2.00 and 0.5 times |")
    assert table[5].endswith("| 2 s | 3 s | 30 us | 1.50 and 15.0 times |")
    assert table[-1] == "Ours was slower in 1 of 4 comparisons."
