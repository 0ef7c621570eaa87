"""Measures against each other: which of them to trust on given data."""

from ordeval.meta.agreement import RankAgreement, SwapRate, rank_agreement, swap_rate
from ordeval.meta.coverage import Coverage, coverage
from ordeval.meta.power import DiscriminativePower, discriminative_power
from ordeval.meta.robustness import Robustness, robustness
from ordeval.meta.study import Study, study
from ordeval.meta.unanimity import UIR, uir

__all__ = [
    "UIR",
    "Coverage",
    "DiscriminativePower",
    "RankAgreement",
    "Robustness",
    "Study",
    "SwapRate",
    "coverage",
    "discriminative_power",
    "rank_agreement",
    "robustness",
    "study",
    "swap_rate",
    "uir",
]
