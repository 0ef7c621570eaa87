"""Files are read in a notebook as anywhere else, whatever else is installed there."""

import subprocess
import sys

import pytest

# DuckDB takes a process for a notebook if IPython says so, and wants ipywidgets then; this one has them not.
NOTEBOOK = """
import sys, types
ipython = types.ModuleType("IPython")
ipython.get_ipython = lambda: types.SimpleNamespace(config={"IPKernelApp": {}})
sys.modules.update(IPython=ipython, ipywidgets=None)
import ordeval as oe
runs = oe.Runs.from_files("gold.csv", "run.csv", progress=PROGRESS)
print(runs.table.counts.tolist())
"""


@pytest.mark.parametrize("progress", ["None", "lambda done, total: None"])
def test_files_are_read_in_a_notebook_that_lacks_ipywidgets(tmp_path, progress):
    (tmp_path / "gold.csv").write_text("id,label\nd1,1\nd2,2\nd3,2\n")
    (tmp_path / "run.csv").write_text("id,label\nd1,1\nd2,1\nd3,2\n")
    done = subprocess.run(
        [sys.executable, "-c", NOTEBOOK.replace("PROGRESS", progress)],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout == "[[[1, 0], [1, 1]]]\n"  # d2 is a 2 and got a 1
