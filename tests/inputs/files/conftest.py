"""What tests of files may ask for."""

import pytest


@pytest.fixture
def write(tmp_path, monkeypatch):
    """A function that writes a file in the folder of the test, where names are short."""
    monkeypatch.chdir(tmp_path)

    def write(name, text):
        (tmp_path / name).write_text(text)
        return name

    return write
