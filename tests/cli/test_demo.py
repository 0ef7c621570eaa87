"""`ordeval demo` prints the numbers of the paper's appendix A."""

import re

from click.testing import CliRunner

from ordeval.cli import main

SHOWN = CliRunner().invoke(main, ["demo"])


def test_the_demo_ends_well_and_plainly():
    assert SHOWN.exit_code == 0
    assert SHOWN.stderr == ""
    assert "\x1b" not in SHOWN.stdout


def test_the_proximities_are_those_of_appendix_a():
    # Printed there with the gold in columns: 4.32 0.62 0.07 / 1.32 1.74 0.74 / 0.23 0.42 2.74.
    for row in (
        r"negative +4\.32 +1\.32 +0\.23",
        r"neutral +0\.62 +1\.74 +0\.42",
        r"positive +0\.07 +0\.74 +2\.74",
    ):
        assert re.search(row, SHOWN.stdout), row


def test_the_scores_are_those_of_appendix_a_and_the_accuracies_are_equal():
    # SEMANTICS gives 0.7117023174 and 0.7596200662; the paper prints 0.71 and 0.76.
    assert re.search(r"system A +0\.70 +0\.7117 +0\.71", SHOWN.stdout)
    assert re.search(r"system B +0\.70 +0\.7596 +0\.76", SHOWN.stdout)


def test_the_sum_of_each_system_has_a_term_for_each_cell_that_is_not_empty():
    # 9 cells for A, 9 for B, 3 for the perfect output.
    assert len(re.findall(r"\d+ x \d\.\d\d", SHOWN.stdout)) == 21
