"""What coverage, robustness and discriminative power have in common: one value for each measure, and an order."""

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from ordeval.errors import ParameterError, suggestion
from ordeval.meta.display import grid_html, grid_text
from ordeval.meta.ranking import Array


class PerMeasure(ABC):
    """Values by measure: looked up by name, put in order, shown as a table."""

    what: ClassVar[str]  # the quantity, as errors call it
    metrics: tuple[str, ...]
    values: Array

    def __getitem__(self, metric: object) -> float:
        """Return the value of a measure."""
        return float(self.values[self.at(metric)])

    def at(self, metric: object) -> int:
        """Return where a measure stands."""
        name = str(metric)
        if name not in self.metrics:
            near = suggestion(name, self.metrics)
            raise ParameterError(f"there is no {self.what} of {name!r} here.{near}")
        return self.metrics.index(name)

    @property
    def order(self) -> list[str]:
        """The measures, best first; undefined ones last."""
        worst_last = np.where(np.isnan(self.values), np.inf, -self.values)
        return [self.metrics[at] for at in np.argsort(worst_last, kind="stable")]

    @abstractmethod
    def grid(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and the rows of the table."""

    def __str__(self) -> str:
        return grid_text(*self.grid())

    def _repr_html_(self) -> str:
        return grid_html(*self.grid())
