"""Compare measures with each other: which of them to trust on given data.

>>> made = oe.simulate.collection(labels=3, cases=6, items=40, ratios=[0.2, 0.6])
>>> oe.meta.coverage(made.runs, ["cem_ord", "mae"], resamples=0)
Coverage(mae=0.950 best of 2 measures, systems=10, cases=6)
"""

from ordeval.meta.agreement import RankAgreement, rank_agreement
from ordeval.meta.coverage import Coverage, coverage
from ordeval.meta.power import DiscriminativePower, discriminative_power
from ordeval.meta.robustness import Robustness, robustness
from ordeval.meta.split_halves import RankingSimilarity, SplitHalves, SwapRate, split_halves
from ordeval.meta.study import Study, study
from ordeval.meta.unanimity import UIR, uir

__all__ = [
    "UIR",
    "Coverage",
    "DiscriminativePower",
    "RankAgreement",
    "RankingSimilarity",
    "Robustness",
    "SplitHalves",
    "Study",
    "SwapRate",
    "coverage",
    "discriminative_power",
    "rank_agreement",
    "robustness",
    "split_halves",
    "study",
    "uir",
]
