"""Words that declarations, arguments and options share. Nothing is loaded here: the help of a command lists them."""

from enum import StrEnum

__all__ = ["DEFAULT_REFERENCE", "ENTRY_POINTS", "UNDEFINED_VALUES", "Family", "ScaleType"]

ENTRY_POINTS = "ordeval.measures"  # the group under which other packages announce measures

# What `meta` takes if nothing else is said (section 5 of the paper), and what an undefined value may count as there.
DEFAULT_REFERENCE = ("accuracy", "kendall_tau_a", "mutual_information")
UNDEFINED_VALUES = ("omit", "zero", "lowest")


class Family(StrEnum):
    """What a measure looks at.

    >>> oe.mae.family
    <Family.ERROR: 'error'>
    >>> str(oe.mae.family)
    'error'
    """

    CLOSENESS = "closeness"
    CLASSIFICATION = "classification"
    ERROR = "error"
    CORRELATION = "correlation"
    AGREEMENT = "agreement"
    CLUSTERING = "clustering"
    PATH = "path"
    PROBABILISTIC = "probabilistic"
    SOFT = "soft"
    DISTRIBUTION = "distribution"
    OWN = "own"


class ScaleType(StrEnum):
    """How a measure treats the classes: as names, as an order, or as numbers (Stevens 1946).

    >>> str(oe.mae.scale_type), str(oe.cem_ord.scale_type)
    ('interval', 'ordinal')
    """

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
