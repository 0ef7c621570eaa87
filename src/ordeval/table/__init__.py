"""The contingency table: counting, merging, margins, JSON."""

from ordeval.table.table import Axis, Table

__all__ = ["Axis", "Table"]
