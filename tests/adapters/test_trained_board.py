"""Training with the loss of a measure beside cross-entropy, by fewer splits than `make trained` takes."""

import pytest

from benchmarks import trained


@pytest.mark.full
def test_the_loss_with_a_little_cross_entropy_beats_cross_entropy_on_its_measure(
    shared, monkeypatch
):
    import torch

    torch.set_num_threads(1)
    monkeypatch.setattr(trained, "DATA", shared / "data" / "classic_ordinal")
    rows = list(trained.board(["lev"], splits=4))
    assert [row.measure for row in rows] == list(trained.MEASURES)
    for row in rows:
        assert row.scores.shape == (len(trained.WAYS), 4)
        assert row.gains[-1].mean() > 0, row.measure
