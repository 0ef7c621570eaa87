"""The board of corrected scores on real data, by fewer draws than `make corrected` takes."""

import numpy as np
import pytest

from benchmarks import corrected


@pytest.mark.later
@pytest.mark.slow
@pytest.mark.parametrize("name", list(corrected.SETS))
def test_corrected_intervals_cover_and_are_narrower_on_real_data(name, shared, monkeypatch):
    monkeypatch.setattr(corrected, "DATA", shared / "data")
    board = corrected.board_of(name, draws=150, marks=300)
    for method in corrected.SHOWN:
        # 95% of 12 x 150 draws, many of which depend on each other: the mean over all is well within two points
        assert np.mean([row.coverage[method] for row in board.rows]) == pytest.approx(
            0.95, abs=0.02
        )
        assert all(row.width[method] < 1 for row in board.rows)
    assert board.noticed >= 0.9
    assert board.false_alarms <= 0.04


@pytest.mark.later
def test_the_judge_as_gold_is_far_off(shared, monkeypatch):
    monkeypatch.setattr(corrected, "DATA", shared / "data")
    data = corrected.read("LLMJudge")
    order = np.random.default_rng(0).permutation(len(data.human))
    found = corrected.corrected(data, "willia-umbrela3", ["Olz-halfbin"], order, 300)["Olz-halfbin"]
    answers = data.answers["Olz-halfbin"]
    truth, by_judge = (
        (answers == gold).mean() for gold in (data.human, data.answers["willia-umbrela3"])
    )
    assert found["accuracy"].naive == pytest.approx(by_judge)
    assert by_judge - truth > 0.15
    assert found["accuracy"].low < truth < found["accuracy"].high
