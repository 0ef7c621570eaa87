"""The LaTeX of a comparison is LaTeX."""

import subprocess

import pytest

import ordeval as oe


@pytest.mark.full
def test_a_table_with_awkward_names_compiles_with_booktabs_alone(tmp_path):
    gold = [0, 1, 2, 1] * 20
    names = {r"a_b & 50% $x$ #1 {y} ~^ \ <z> |": gold, "plain": [0, 1, 1, 2] * 20}
    table = oe.compare(oe.Runs.from_labels(gold, names), n_resamples=99).to_latex(
        label="tab:systems"
    )
    document = (
        "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n"
        + table
        + "\\end{document}\n"
    )
    (tmp_path / "table.tex").write_text(document, encoding="utf-8")
    run = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "table.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-2000:]
