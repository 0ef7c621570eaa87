"""Compare measures with each other: which of them to trust on given data."""

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
