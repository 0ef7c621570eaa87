"""ordeval: score, compare and trust systems that predict ordered classes."""

from typing import TYPE_CHECKING, Any

from ordeval.__about__ import __version__
from ordeval.errors import OrdevalError
from ordeval.metrics import Metric, registry
from ordeval.metrics.closeness import proximity
from ordeval.scale import Scale
from ordeval.table import Table

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["Metric", "OrdevalError", "Scale", "Table", "__version__", "proximity", "registry"]

globals().update(registry)  # oe.cem_ord, oe.mae, ...: every measure under its own name


def __getattr__(name: str) -> Any:
    """Load the larger rooms when they are first entered."""
    raise AttributeError(f"module 'ordeval' has no attribute {name!r}")
