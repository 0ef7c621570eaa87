"""One data set in every form that people have it in gives one table."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ordeval as oe
from ordeval.cli import main
from tests.examples import examples
from tests.inputs.files.workbooks import write_workbook

SCALES = ([1, 2, 3, 4], [-1, 0, 1], ["low", "mid", "high"], [0.5, 1.5, 4])


@st.composite
def labelled_items(draw):
    """A scale, and gold, answers and a group of at least one item; gold has every class of the scale that is seen."""
    labels = draw(st.sampled_from(SCALES))
    label = st.sampled_from(labels)
    rows = draw(st.lists(st.tuples(label, label, st.sampled_from("xyz")), min_size=1, max_size=25))
    return labels, [list(column) for column in zip(*rows, strict=True)]


def forms(labels, gold, answers, group, folder):
    """Give every form by its name, as a function that makes the table."""
    n = len(gold)
    frame = pd.DataFrame({"gold": gold, "pred": answers, "group": group})
    counted = frame.groupby(["gold", "pred"]).size().reset_index(name="times")
    crosstab = pd.crosstab(frame.gold, frame.pred)
    paths = {
        name: folder / f"{name}.csv"
        for name in ("wide", "counted", "weighted", "matrix", "gold", "system")
    }
    frame.to_csv(paths["wide"], index=False)
    counted.to_csv(paths["counted"], index=False)
    frame.assign(mass=2.0).to_csv(paths["weighted"], index=False)
    crosstab.to_csv(paths["matrix"])
    frame.assign(item=range(n))[["item", "gold", "group"]].to_csv(paths["gold"], index=False)
    frame.assign(item=range(n))[["item", "pred"]].sample(frac=1, random_state=0).to_csv(
        paths["system"], index=False
    )
    excel = folder / "wide.xlsx"
    write_workbook(
        excel, {"data": [list(frame.columns), *frame.astype(object).to_numpy().tolist()]}
    )
    one = {"gold": "gold", "predicted": "pred", "labels": labels}
    long = frame.assign(item=range(n), system="s")

    def of_runs(runs):
        return runs.table.select(system=runs.systems[0])

    def of_json(path):
        shown = CliRunner().invoke(
            main, ["count", str(path), "--labels", ",".join(map(str, labels))]
        )
        assert shown.exit_code == 0, shown.output
        return oe.Table.from_json(shown.stdout).pooled()

    return {
        "labels": lambda: oe.Table.from_labels(gold, answers, labels=labels),
        "counts of labels": lambda: oe.Table.from_labels(
            counted.gold, counted.pred, count=counted.times, labels=labels
        ),
        "pandas": lambda: oe.Table.from_frame(frame, **one),
        "polars": lambda: oe.Table.from_frame(pl.from_pandas(frame), **one),
        "counted frame": lambda: oe.Table.from_frame(counted, count="times", **one),
        "crosstab": lambda: oe.Table.from_counts(crosstab, labels=labels),
        "transposed twice": lambda: oe.Table.from_counts(crosstab.iloc[::-1, ::-1], labels=labels),
        "matrix file": lambda: oe.Table.from_file(paths["matrix"], labels=labels),
        "matrix by the command line": lambda: of_json(paths["matrix"]),
        "wide file": lambda: of_runs(oe.Runs.from_wide(paths["wide"], **one)),
        "excel": lambda: of_runs(oe.Runs.from_wide(excel, **one)),
        "counted file": lambda: of_runs(oe.Runs.from_wide(paths["counted"], count="times", **one)),
        "long files": lambda: of_runs(oe.Runs.from_files(paths["gold"], paths["system"], labels=labels)),
        "long frame": lambda: of_runs(
            oe.Runs.from_frame(long, gold="gold", predicted="pred", system="system", item="item", labels=labels)
        ),
        "sliced frame": lambda: oe.Table.from_frame(frame, by="group", **one).pooled(),
        "sliced file": lambda: sum_of_slices(oe.Runs.from_wide(paths["wide"], by="group", **one)),
        "sliced long files": lambda: sum_of_slices(
            oe.Runs.from_files(paths["gold"], paths["system"], by="group", labels=labels)
        ),
        "shards": lambda: sum(
            oe.Table.from_labels(part.gold, part.pred, labels=labels)
            for _, part in frame.groupby("group")
        ),
    }  # fmt: skip


def sum_of_slices(runs):
    """Add the tables of all slices."""
    codes = runs.slice_codes[0]
    parts = [runs.only(codes == code).table for code in range(len(runs.slices[0].labels))]
    return sum(parts).select(system=runs.systems[0])


@settings(
    max_examples=examples(12),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(labelled_items())
def test_every_form_of_the_same_items_gives_the_same_table(tmp_path_factory, items):
    labels, (gold, answers, group) = items
    expected = np.zeros((len(labels), len(labels)), dtype=int)
    for g, a in zip(gold, answers, strict=True):
        expected[labels.index(g), labels.index(a)] += 1
    for name, make in forms(labels, gold, answers, group, tmp_path_factory.mktemp("forms")).items():
        table = make()
        assert table.scale.labels == tuple(labels), name
        assert table.answered.tolist() == expected.tolist(), name


def test_a_weight_of_two_everywhere_doubles_the_sums_and_not_the_items(tmp_path):
    frame = pd.DataFrame({"gold": [1, 2, 3], "pred": [1, 3, 3], "mass": [2.0, 2.0, 2.0]})
    frame.to_csv(tmp_path / "weighted.csv", index=False)
    runs = oe.Runs.from_wide(
        tmp_path / "weighted.csv", gold="gold", predicted="pred", weight="mass"
    )
    table = runs.table.select(system="pred")
    assert (table.n, table.weight) == (3, 6.0)
    assert oe.accuracy(table) == pytest.approx(2 / 3)
    shown = CliRunner().invoke(
        main,
        ["evaluate", str(tmp_path / "weighted.csv"), "--gold", "gold", "--pred", "pred",
         "--weight", "mass", "--metrics", "accuracy", "--format", "json"],
    )  # fmt: skip
    assert json.loads(shown.stdout)["systems"][0]["scores"]["accuracy"]["value"] == pytest.approx(
        2 / 3
    )
