"""What tests of files may ask for."""

import pytest

from ordeval.inputs.files import small_text


@pytest.fixture(autouse=True)
def _by_the_engine(monkeypatch):
    """Let the engine read small files, too; `test_small_files.py` compares what is read without it."""
    monkeypatch.setattr(small_text, "SMALL", 0)


@pytest.fixture
def write(tmp_path, monkeypatch):
    """A function that writes a file in the folder of the test, where names are short."""
    monkeypatch.chdir(tmp_path)

    def write(name, text):
        (tmp_path / name).write_text(text)
        return name

    return write
