"""The page in the documentation is what the command writes."""

import re

import pytest
from click.testing import CliRunner

from ordeval.cli import main
from tests.prose import without_front_matter

NUMBER = re.compile(r"-?\d+\.\d+")


@pytest.mark.slow
def test_the_reproduction_in_the_docs_is_what_the_command_writes(root, shared, tmp_path):
    """Words to the letter, numbers to one unit of the second decimal: sums in another order may round differently."""
    target = tmp_path / "page.md"
    result = CliRunner().invoke(
        main, ["reproduce", "all", "--data", str(shared / "data"), "-o", str(target)]
    )
    assert result.exit_code == 0, result.output
    page = root / "docs" / "evidence" / "reproduction.md"
    now, then = target.read_text(), without_front_matter(page)
    assert NUMBER.sub("#", now) == NUMBER.sub("#", then)
    pairs = zip(NUMBER.findall(now), NUMBER.findall(then), strict=True)
    assert max(abs(float(a) - float(b)) for a, b in pairs) < 0.0101
