"""Results on data sets that were never measured: values that a test sets by hand."""

import numpy as np

import ordeval as oe
from ordeval.paper.campaigns import DataSet, Measured
from ordeval.paper.printed import MEASURES

__all__ = ["measured"]


def measured(coverage=None, robustness=None, *, spread=0.0, column=None, items=100, kind="real"):
    """A set on which every measure is at 0.5 unless given; resamples lie up to `spread` around each value."""
    names, nothing = tuple(MEASURES), np.full(len(MEASURES), np.nan)
    zeros = (0,) * len(names)
    shared = {
        "metrics": names,
        "spread": nothing,
        "systems": 7,
        "cases": 10,
        "touched": zeros,
        "left_out": zeros,
    }

    def values(given):
        return np.array([(given or {}).get(name, 0.5) for name in names], dtype=float)

    noise = spread * np.random.default_rng(0).uniform(-1, 1, (len(names), 21))
    of_coverage = oe.meta.Coverage(
        values=values(coverage), draws={"both": values(coverage)[:, None] + noise}, reference=("accuracy",), **shared
    )  # fmt: skip
    of_robustness = oe.meta.Robustness(values=values(robustness), **shared)
    data_set = DataSet(column or "made_up", "Made up", "gold.csv", "systems.csv", kind, column)
    return Measured(data_set, items, 7, 10, of_coverage, of_robustness)
