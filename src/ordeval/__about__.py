"""The version, in the one place that states it."""

__all__ = ["__version__"]

__version__ = "0.1.0"
