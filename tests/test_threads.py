"""How many threads share work."""

import pytest

from ordeval import threads


@pytest.mark.parametrize(("cores", "scanning"), [(1, 1), (2, 2), (4, 4), (16, 4), (128, 4)])
def test_few_threads_scan_items_however_many_cores_there_are(monkeypatch, cores, scanning):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(cores)), raising=False)
    assert threads.cores() == cores
    assert threads.scanning_threads() == scanning
