"""Table 3: the printed numbers are the paper's, and ours come near them where they should."""

import json
import re

import numpy as np
import pytest

import ordeval as oe
from ordeval.formats.numbers import DASH
from ordeval.paper.campaigns import SETS, Measured, OneRun, counts_beside, measure_folder
from ordeval.paper.printed import CAMPAIGNS, COLUMNS, MEASURES, ROBUSTNESS, TABLE3
from ordeval.paper.synthetic import exchanges, left_half, printed_left
from tests.meta import plain


@pytest.fixture(scope="module")
def source(shared):
    return (shared / "paper" / "cem-ord-acl2020.tex").read_text()


@pytest.fixture(scope="module")
def table():
    return oe.paper.table3(seeds=2)


@pytest.mark.later
def test_the_printed_numbers_are_those_of_the_papers_source(source):
    start = source.index("tab:exp1")
    body = source[source.index("Accuracy &", start) : source.index(r"\end{tabular}", start)]
    rows = [re.findall(r"-?0\.\d\d", line) for line in body.split(r"\\")]
    printed = [[float(number) for number in row] for row in rows if row]
    assert printed == [[TABLE3[name][column] for column in COLUMNS] for name in MEASURES]


@pytest.mark.later
def test_the_robustness_figures_and_counts_are_those_of_section_5_4(source):
    text = source[source.index("Experiments on NLP shared tasks") :]
    for value in (0.57, 0.49, 0.55):
        assert f"{value:.2f}" in text
    assert set(ROBUSTNESS.values()) == {0.57, 0.49, 0.55}
    assert "61 companies with 1,500 tweets each" in text
    assert CAMPAIGNS["replab2013"].items == 61 * 1500
    for key, (items, systems) in {
        "sem2015_t10a": (1680, 13), "sem2015_t10b": (8985, 51), "sem2015_t10c": (3097, 11), "sem2014_t9a": (2392, 48),
        "sem2014_t9b": (2396, 7),
    }.items():  # fmt: skip
        assert f"({items} samples, {systems} systems)" in text
        assert (CAMPAIGNS[key].items, CAMPAIGNS[key].systems) == (items, systems)


@pytest.mark.later
def test_a_column_is_the_coverage_over_the_systems_that_it_keeps():
    made = oe.simulate.paper(rng=5)
    kept = [
        at
        for at, name in enumerate(made.axes[0].labels)
        if not name.startswith(("maj", "rand", "prox"))
    ]
    few = kept[::4]  # the plain way takes its time
    reference = [
        oe.registry[name](made)[few][:, :30]
        for name in ("accuracy", "kendall_tau_a", "mutual_information")
    ]
    expected = plain.coverage(oe.cem_ord(made)[few][:, :30], reference)
    part = oe.Table.from_counts(
        made.counts[few][:, :30], labels=range(1, 12), axes=[("system", few), ("case", range(30))]
    )
    assert oe.meta.coverage(part, ["cem_ord"], resamples=0)["cem_ord"] == pytest.approx(
        expected, abs=1e-12
    )
    whole = oe.meta.coverage(made, ["mse"], resamples=0)["mse"]
    assert left_half(5)[list(MEASURES).index("mse"), 0] == pytest.approx(whole, abs=1e-12)


@pytest.mark.later
def test_without_the_two_exchanged_rows_ours_lies_near_the_printed_half(table):
    rest = [at for at, name in enumerate(MEASURES) if name not in {"macro_mae", "mse", "spearman"}]
    gap = np.abs(table.mean - printed_left())[rest]
    assert gap.mean() < 0.02
    assert gap.max() < 0.07


@pytest.mark.later
def test_the_rows_of_macro_mae_and_mse_stand_in_each_others_place(table):
    best, second = table.exchanges[:2]
    assert (best.a, best.b) == ("macro_mae", "mse")
    assert best.after < best.before / 5
    assert best.least_gain > 2 * second.gain
    assert table.further[0].gain < best.gain / 10


@pytest.mark.later
def test_no_exchange_is_found_where_none_was_made():
    ours = printed_left()[None] + np.random.default_rng(0).normal(0, 1e-4, (3, 15, 6))
    assert exchanges(ours)[0].gain < 0.01


@pytest.mark.later
def test_keeping_the_class_and_a_chance_for_each_item_come_nearest(table):
    best = table.choices[0]
    assert (best.end, best.errors, best.undefined) == ("keep", "bernoulli", "omit")
    assert best.exchanged < best.as_printed
    assert len(table.choices) == 4 + 2


@pytest.mark.later
def test_the_rows_are_as_the_contract_has_them(table):
    content = json.loads(json.dumps(table.to_dict(), allow_nan=False))
    row = next(row for row in content["rows"] if row["metric"] == "cem_ord")
    assert row["columns"]["all"]["paper"] == 0.91
    assert set(row["columns"]["all"]) == {"paper", "ours", "difference", "spread"}
    assert len(content["rows"]) == 15


@pytest.mark.later
def test_it_can_be_written_in_every_form(table):
    assert "\n" not in repr(table)
    assert "seem to be exchanged in the paper" in str(table)
    assert table.to_markdown().startswith("## Table 3")
    assert r"\toprule" in table.to_latex()
    assert "<table " in table._repr_html_()


@pytest.mark.later
def test_one_seed_has_no_spread_and_zero_seeds_are_refused():
    one = oe.paper.table3(seeds=1, explore=False)
    assert one.rows()[0]["columns"]["all"]["spread"] is None
    assert {line.split()[-1] for line in str(one).splitlines()[5:20]} == {DASH}
    with pytest.raises(oe.OrdevalError, match="seeds is 0"):
        oe.paper.table3(seeds=0)


@pytest.fixture(scope="module")
def folder(shared, tmp_path_factory):
    """A data folder with two of the sets: seven systems, and one run."""
    made = tmp_path_factory.mktemp("data")
    for name in ("rusentne2023_llm", "replab2013_polarity"):
        (made / name).symlink_to(shared / "data" / name)
    (made / "rusentne2023_llm").unlink()
    (made / "rusentne2023_llm").mkdir()
    for name in ("gold_ru.csv.gz", "systems_ru.csv.gz"):
        (made / "rusentne2023_llm" / name).symlink_to(shared / "data" / "rusentne2023_llm" / name)
    return made


@pytest.mark.later
def test_the_sets_of_a_folder_are_measured_and_those_it_lacks_passed_over(folder):
    found = measure_folder(folder, repeats=3, resamples=49)
    assert [(type(one), one.data_set.key) for one in found] == [
        (Measured, "rusentne_ru"),
        (OneRun, "replab2013"),
    ]
    real, run = found
    assert (real.items, real.systems, real.cases) == (2845, 7, 10)
    assert [one.what for one in real.conclusions] == [
        "cem_ord at or near the top", "cem_ord_flat below it", "accuracy_within poor",
    ]  # fmt: skip
    assert (run.items, run.cases, run.sizes) == (70412, 61, (120, 1763))
    assert run.scores.shape == (15, 61)


@pytest.mark.later
def test_the_one_run_of_replab_scores_as_the_authors_program_says(shared, folder):
    import csv
    import gzip

    with gzip.open(shared / "data" / "reference_cem" / "replab2013_polarity.csv.gz", "rt") as lines:
        values = [float(row["cem_ord"]) for row in csv.DictReader(lines)]
    run = measure_folder(folder, repeats=1, resamples=9)[1]
    row = run.to_dict()["scores"]["cem_ord"]
    assert row["mean"] == pytest.approx(np.mean(values), abs=1e-9)
    assert row["lowest"] == pytest.approx(min(values), abs=1e-9)


@pytest.mark.later
def test_counts_that_do_not_match_are_said_with_the_nearest_file():
    rows = counts_beside(())
    assert not any(row["matches"] for row in rows)
    assert next(row for row in rows if row["column"] == "sem2015_t10c")["nearest"] == "sem2015_t10a"


@pytest.mark.later
def test_surrogates_are_called_so(folder, shared):
    assert [one.kind for one in SETS if "SemEval" in one.title] == ["surrogate"] * 4
    page = oe.paper.table3(folder, seeds=1, explore=False, repeats=2, resamples=19)
    shown = str(page)
    assert "the participants' submissions are not public" in shown
    assert "holds" in shown
    assert "0 of 6 counts match their file" in shown
    assert json.dumps(page.to_dict(), allow_nan=False)


@pytest.mark.later
def test_a_folder_without_sets_is_refused(tmp_path):
    with pytest.raises(oe.OrdevalError, match="none of the data sets"):
        oe.paper.table3(tmp_path, seeds=1, explore=False)


@pytest.mark.later
def test_robustness_stands_beside_the_six_printed_figures(folder):
    found = oe.paper.robustness(folder, seeds=2, repeats=2, resamples=19)
    rows = {row["metric"]: row for row in found.to_dict()["rows"]}
    assert {name for name, row in rows.items() if row["paper"] is not None} == set(ROBUSTNESS)
    assert rows["cem_ord"]["sets"]["rusentne_ru"] == pytest.approx(rows["cem_ord"]["ours"])
    assert "place" in str(found)
    assert found.to_markdown().startswith("## Robustness")


@pytest.mark.later
def test_the_first_seed_is_the_one_asked_for():
    found = oe.paper.table3(seeds=1, rng=5, explore=False)
    assert found.seeds == (5,)
    assert np.array_equal(found.ours[0], left_half(5))


@pytest.mark.later
def test_synthetic_robustness_is_that_of_the_collection():
    found = oe.paper.robustness(seeds=1, rng=3)
    expected = oe.meta.robustness(oe.simulate.paper(rng=3), ["mae"], resamples=0)["mae"]
    assert found.synthetic[0, list(MEASURES).index("mae")] == pytest.approx(expected)


@pytest.mark.later
def test_the_page_has_every_part(folder):
    page = oe.paper.page(folder, seeds=1, repeats=2, resamples=19, classes=3, items=3)
    text = page.to_markdown()
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert [heading.split(":")[0].split(" (")[0] for heading in headings] == [
        "Figure 1", "Appendix A", "Table 2", "Table 3", "Robustness",
    ]  # fmt: skip
    marks = [one["agrees"] for row in page.table2.content()["rows"] for one in row["verdicts"]]
    assert page.summary[:2] == [
        "Figure 1: 4 of 4 printed numbers are reproduced. Appendix A: 13 of 13 printed numbers are reproduced.",
        f"Table 2: {sum(marks)} of {len(marks)} marks are confirmed; {marks.count(False)} differ, as explained below.",
    ]
    assert [one.partition(":")[0] for one in page.summary[2:]] == [*["Table 3"] * 3, "Section 5.4"]
    assert all(f"\n- {one}\n" in text for one in page.summary)
    html = page.to_html()
    assert html.startswith("<!doctype html>")
    assert "<svg" in html
    assert "src=" not in html
    content = page.to_dict()
    assert (content["command"], content["kind"]) == ("reproduce", "reproduction")
    for name, part in page.parts.items():
        assert content[name] == {"schema": 1, "kind": name} | {
            key: value for key, value in part.to_dict().items() if key not in {"ordeval", "command"}
        }
    assert str(page).startswith(f"{page.title}\n\n{page.introduction}\n\nFigure 1")
    assert page.to_latex().count(r"\section*") == 5
    assert "\n" not in repr(page)
