"""The fixture of pytest, in runs of pytest of their own."""

import subprocess
import sys

pytest_plugins = ("pytester",)

SUITE = """
    import pytest
    from ordeval.adapters.pytest_plugin import InconclusiveGateWarning

    GOLD = [1, 2, 3, 3] * 50
    WORSE, CLOSE = [1, 1, 1, 3] * 50, GOLD[:-1] + [2]

    def test_passes(ordeval_gate):
        gate = ordeval_gate(WORSE, GOLD, gold=GOLD, metric="accuracy")
        assert gate.outcome == "pass"

    def test_fails(ordeval_gate):
        ordeval_gate(GOLD, WORSE, gold=GOLD, metric="accuracy", inconclusive="pass")

    def test_inconclusive_fails(ordeval_gate):
        ordeval_gate(GOLD, CLOSE, gold=GOLD, metric="accuracy")

    def test_inconclusive_passes(ordeval_gate):
        gate = ordeval_gate(GOLD, CLOSE, gold=GOLD, metric="accuracy", inconclusive="pass")
        assert gate.outcome == "inconclusive"

    def test_inconclusive_warns(ordeval_gate):
        with pytest.warns(InconclusiveGateWarning, match="would settle it"):
            ordeval_gate(GOLD, CLOSE, gold=GOLD, metric="accuracy", inconclusive="warn")

    def test_odd_choice(ordeval_gate):
        with pytest.raises(ValueError, match="fail, warn, pass"):
            ordeval_gate(GOLD, GOLD, gold=GOLD, inconclusive="skip")
"""


def test_a_gate_that_fails_or_is_inconclusive_fails_the_test_with_its_verdict(pytester):
    pytester.makepyfile(SUITE)
    result = pytester.runpytest_subprocess("-p", "ordeval.adapters.pytest_plugin", "-W", "error")
    result.assert_outcomes(passed=4, failed=2)
    result.stdout.fnmatch_lines(
        ["Fail: the candidate is worse than the baseline in accuracy (difference -0.5000,*"]
    )
    result.stdout.fnmatch_lines(
        ["Inconclusive: the candidate may be worse *items would settle it *"]
    )
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*pytest_plugin.py*: Failed*")


def test_pytest_starts_without_numpy():
    """The plugin is loaded with every start of pytest, in projects that may never use it."""
    program = "import ordeval.adapters.pytest_plugin, sys; print(*sys.modules)"
    shown = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = shown.stdout.split()
    assert "pytest" in loaded
    assert "numpy" not in loaded
    ours = {name for name in loaded if name.split(".")[0] == "ordeval"}
    assert ours == {
        "ordeval",
        "ordeval.__about__",
        "ordeval.adapters",
        "ordeval.adapters.pytest_plugin",
    }


def test_the_package_offers_the_fixture_under_the_name_of_its_module(root):
    """Under another name a second load by `-p` would be refused."""
    import tomllib

    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name = "ordeval.adapters.pytest_plugin"
    assert project["entry-points"]["pytest11"] == {name: name}
