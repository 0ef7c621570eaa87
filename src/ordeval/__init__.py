"""ordeval: score, compare and trust systems that predict ordered classes."""

from typing import TYPE_CHECKING, Any

from ordeval.__about__ import __version__
from ordeval.errors import OrdevalError
from ordeval.metrics import Metric, registry
from ordeval.metrics.closeness import proximity
from ordeval.scale import Scale
from ordeval.table import Table

if TYPE_CHECKING:
    from ordeval.comparison.compare import compare
    from ordeval.comparison.evaluate import evaluate
    from ordeval.comparison.plan import plan
    from ordeval.runs import Runs

__all__ = [
    "Metric",
    "OrdevalError",
    "Runs",
    "Scale",
    "Table",
    "__version__",
    "compare",
    "evaluate",
    "plan",
    "proximity",
    "registry",
]

globals().update(registry)  # oe.cem_ord, oe.mae, ...: every measure under its own name

# Rooms that are entered when first asked for: the name, its module, and the attribute there (None: the module itself).
LAZY: dict[str, tuple[str, str | None]] = {
    "Runs": ("ordeval.runs", "Runs"),
    "evaluate": ("ordeval.comparison.evaluate", "evaluate"),
    "compare": ("ordeval.comparison.compare", "compare"),
    "plan": ("ordeval.comparison.plan", "plan"),
    "properties": ("ordeval.properties", None),
    "meta": ("ordeval.meta", None),
    "simulate": ("ordeval.simulate", None),
    "paper": ("ordeval.paper", None),
    "plot": ("ordeval.report.plot", None),
}


def __getattr__(name: str) -> Any:
    """Load the larger rooms when they are first entered."""
    if name not in LAZY:
        raise AttributeError(f"module 'ordeval' has no attribute {name!r}")
    from importlib import import_module

    module, attribute = LAZY[name]
    loaded = import_module(module)
    return loaded if attribute is None else getattr(loaded, attribute)


def __dir__() -> list[str]:
    return sorted({*globals(), *LAZY})
