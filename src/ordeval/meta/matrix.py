"""One number for every two things: measures whose rankings agree, or systems that improve on each other."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ordeval.errors import ParameterError
from ordeval.formats.json import SCHEMA, ready
from ordeval.formats.names import clean
from ordeval.formats.result import Result
from ordeval.formats.sheet import Column, Kind, Sheet, value_sheet
from ordeval.meta.per_measure import DIGITS
from ordeval.meta.ranking import Array


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PairMatrix(Result):
    """A square matrix whose rows and columns have names; looked up by two names."""

    kind: ClassVar[str]  # the kind that JSON states
    thing: ClassVar[str]  # what has the names, as errors call it
    corner: ClassVar[str]  # the heading of the column of names
    settings: ClassVar[tuple[str, ...]]  # the attributes that `to_dict` gives

    matrix: Array

    @property
    @abstractmethod
    def names(self) -> Sequence[Any]:
        """The names of the rows, which are those of the columns."""

    def __getitem__(self, pair: tuple[Any, Any]) -> float:
        """Return the number of two names, row first."""
        row, column = map(self.at, pair)
        return float(self.matrix[row, column])

    def at(self, name: Any) -> int:
        """Return the position of a name."""
        wanted = name if name in self.names else str(name)
        if wanted not in self.names:
            raise ParameterError(f"there is no {self.thing} {wanted!r} here.")
        return self.names.index(wanted)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python objects."""
        settings = {name: getattr(self, name) for name in self.settings}
        content = {"schema": SCHEMA, "kind": self.kind, **settings, "matrix": self.matrix}
        return dict(ready(content))

    def sheet(self) -> Sheet:
        """Return the matrix under its names."""
        columns = [Column(clean(name), Kind.NUMBER, digits=DIGITS) for name in self.names]
        rows = [
            [str(name), *row] for name, row in zip(self.names, self.matrix.tolist(), strict=True)
        ]
        return value_sheet([Column(self.corner), *columns], rows)
