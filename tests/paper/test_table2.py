"""Table 2: every row of the paper's, its marks as printed, and every counterexample computed a second time."""

import json
import re
import subprocess
import sys
from itertools import pairwise

import pytest

import ordeval as oe
from ordeval.paper.marks import ROWS, marks
from ordeval.properties import Verdict


@pytest.fixture(scope="module")
def table():
    return oe.paper.table2()


@pytest.fixture(scope="module")
def refuted(table):
    return [v for row in table.rows for v in row.verdicts if v.verdict == "refuted"]


def printed_marks(tex):
    """Read the rows of the paper's table: what is printed, and three ticks or dashes."""
    body = tex[tex.index(r"\caption{Constraint-based") :]
    body = body[body.index(r"\midrule") : body.index(r"\bottomrule")]
    rows = re.findall(
        r"&\s*([^&]+?)\s*&\s*(\\tick|\\fail)\s*&\s*(\\tick|\\fail)\s*&\s*(\\tick|\\fail)", body
    )
    return [[mark == r"\tick" for mark in row[1:]] for row in rows]


@pytest.mark.later
def test_the_marks_are_those_that_the_paper_prints(shared, table):
    printed = printed_marks((shared / "paper" / "cem-ord-acl2020.tex").read_text(encoding="utf-8"))
    assert len(printed) == len(ROWS) == 18
    ours = {row.metric: [verdict.paper for verdict in row.verdicts] for row in table.rows}
    for (_, _, metrics), row in zip(ROWS, printed, strict=True):
        for metric in metrics:
            assert ours[metric] == row, metric


def test_every_measure_with_a_mark_is_in_the_table(table):
    marked = {name for name, measure in oe.registry.items() if measure.claims}
    assert {row.metric.split("(")[0] for row in table.rows} == marked


def test_every_counterexample_comes_out_of_the_public_functions(refuted):
    assert len(refuted) > 40
    for verdict in refuted:
        case, measure = verdict.counterexample, oe.registry[verdict.metric]
        gold_worse = case.gold if case.gold_worse is None else case.gold_worse
        labels_worse = case.labels if case.labels_worse is None else case.labels_worse
        better = measure(list(case.gold), list(case.better), labels=list(case.labels))
        worse = measure(list(gold_worse), list(case.worse), labels=list(labels_worse))
        assert [better, worse] == pytest.approx(case.values, abs=1e-12), verdict
        sign = 1 if measure.greater_is_better else -1
        if verdict.property == "ordinal_invariance":
            assert abs(better - worse) > 1e-12, verdict
        else:
            assert sign * better <= sign * worse + 1e-12, verdict


def test_every_counterexample_to_invariance_keeps_the_order_of_the_classes(refuted):
    for verdict in (v for v in refuted if v.property == "ordinal_invariance"):
        case = verdict.counterexample
        assert set(case.gold) == set(case.labels), "a class is empty"
        assert all(a < b for a, b in pairwise(case.labels_worse))
        renamed = dict(zip(case.labels, case.labels_worse, strict=True))
        assert case.gold_worse == tuple(renamed[label] for label in case.gold)
        assert case.worse == tuple(renamed[label] for label in case.better)


def test_every_counterexample_to_monotonicity_moves_answers_nearer_on_their_side(refuted):
    for verdict in (v for v in refuted if v.property == "ordinal_monotonicity"):
        case = verdict.counterexample
        assert set(case.gold) == set(case.labels), "a class is empty"
        assert case.better != case.worse
        for gold, before, after in zip(case.gold, case.worse, case.better, strict=True):
            assert before == after or before < after <= gold or before > after >= gold


def test_every_counterexample_to_imbalance_has_one_error_in_a_larger_and_one_in_a_smaller_class(
    refuted,
):
    for verdict in (v for v in refuted if v.property == "imbalance"):
        case = verdict.counterexample
        assert set(case.gold) == set(case.labels), "a class is empty"
        ((large, middle),), ((small, again),) = (
            [
                (gold, answer)
                for gold, answer in zip(case.gold, output, strict=True)
                if gold != answer
            ]
            for output in (case.better, case.worse)
        )
        assert middle == again
        assert {large - middle, small - middle} == {1, -1}
        assert case.gold.count(large) > case.gold.count(small)


def test_closeness_alone_has_all_three_properties(table):
    complete = [row.metric for row in table.rows if all(v.verdict == "holds" for v in row.verdicts)]
    assert complete == ["cem_ord"]


def test_the_tables_own_marks_are_refuted_where_a_pencil_refutes_them(table):
    # Appendix B's own gold standard, 1 1 2 3 with 1 2 2 3 and 1 1 2 2. Purity: 3 of 4 answers are of their cluster's
    # largest class either way. Tau-b: 4 / sqrt(5 * 5) = 0.8 against 4 / sqrt(5 * 4) = 0.894.
    found = {(v.metric, v.property): v for v in table.disagreements}
    for metric, values in {"purity": (0.75, 0.75), "kendall_tau_b": (0.8, 4 / 20**0.5)}.items():
        case = found[metric, "imbalance"].counterexample
        assert (case.gold, case.better, case.worse) == ((1, 1, 2, 3), (1, 2, 2, 3), (1, 1, 2, 2))
        assert case.values == pytest.approx(values)
    assert ("cosine", "ordinal_monotonicity") in found


def test_a_mark_that_differs_is_marked_in_every_form(table):
    differing = len(table.disagreements)
    assert differing > 0
    cells = [cell.value for row in table.sheet().rows for cell in row]
    assert sum("≠" in cell for cell in cells) == differing
    assert f"{differing} marks that differ" in str(table)
    assert table.to_markdown().count(" ≠ |") == differing
    assert table.to_latex().split(r"\bottomrule")[0].count(r"$\neq$") == differing


@pytest.mark.parametrize(
    ("verdict", "paper", "undefined", "shown"),
    [
        ("holds", True, 0, "✓ ✓"), ("holds", True, 3, "✓ ✓°"), ("holds", False, 0, "- ✓ ≠"),
        ("refuted", False, 0, "- -"),
        ("refuted", True, 3, "✓ - ≠"), ("refuted", False, 3, "- -"), ("undefined", True, 3, "✓ ?"),
    ],
)  # fmt: skip
def test_a_cell_has_the_papers_mark_then_ours(verdict, paper, undefined, shown):
    found = Verdict("f", "imbalance", verdict, 5, 3, 4, paper=paper, undefined=undefined)
    assert marks(found) == shown


@pytest.mark.later
def test_every_form_holds_every_counterexample(table, refuted):
    for verdict in refuted:
        lists = str(verdict.counterexample)
        assert lists in str(table)
        assert lists in table.to_markdown()
        assert lists in table.to_latex()


def test_the_notes_quote_the_paper(shared, table):
    tex = (shared / "paper" / "cem-ord-acl2020.tex").read_text(encoding="utf-8")
    plain = " ".join(tex.split())
    quotes = [quote for note in table.notes for quote in re.findall(r" '([^']+)'", note.text)]
    assert len(quotes) >= 6
    for quote in quotes:
        assert quote in plain, quote


def test_the_dictionary_is_json_with_a_row_for_each_measure(table):
    content = json.loads(json.dumps(table.to_dict(), allow_nan=False))
    assert content["schema"] == 1
    assert [row["metric"] for row in content["rows"]] == [m for _, _, ms in ROWS for m in ms]
    assert all(len(row["verdicts"]) == 3 for row in content["rows"])


def test_the_html_has_a_row_for_each_measure_and_nothing_unescaped(table):
    shown = table._repr_html_()
    assert shown.count("<tr>") == len(table.rows) + 1
    assert "Rennie &amp; Srebro" in shown


@pytest.mark.later
def test_the_whole_table_takes_less_than_a_gigabyte():
    code = (
        "import ordeval as oe; from benchmarks.peak import peak_megabytes; oe.paper.table2(); "
        "print(peak_megabytes())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 1000


@pytest.mark.full
def test_the_latex_compiles(table, tmp_path):
    page = [
        r"\documentclass{article}",
        r"\usepackage{booktabs}",
        r"\begin{document}",
        table.to_latex(),
        r"\end{document}",
    ]
    (tmp_path / "page.tex").write_text("\n".join(page), encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
