"""What the caller said about labels that are to be read, and what a table is made of once they are counted."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ordeval.aliases import Array
from ordeval.arguments import is_number
from ordeval.errors import ParameterError, argument
from ordeval.inputs.policy import Policy, read_options
from ordeval.inputs.roles import SLICE
from ordeval.inputs.weighting import Weighting
from ordeval.scale import Scale


@dataclass(frozen=True)
class ReadingChoices:
    """What the caller said about the scale, the policies and the names of columns."""

    labels: Any
    values: Any
    policy: Policy
    columns: Mapping[str, Any] = field(default_factory=dict)  # the names of columns, by role
    by: tuple[str, ...] = ()  # the columns whose groups are slices
    single_items: bool = False  # the caller said that each row is one item

    def __post_init__(self) -> None:
        """Understand `count=1`, each row is one item; refuse what names no column."""
        count = self.columns.get("count")
        for role, name in self.columns.items():
            if role != "count" and not (name is None or isinstance(name, str)):
                raise ParameterError(f"{role} is {name!r:.60}; it is the name of a column.")
        if count is None or isinstance(count, str):
            return
        if not (is_number(count) and count == 1):
            raise ParameterError(
                f"{argument('count', count)} is not the name of a column; pass a column's name, or 1 if each row "
                f"is one item."
            )
        object.__setattr__(self, "columns", {**self.columns, "count": None})
        object.__setattr__(self, "single_items", True)

    @property
    def beside_gold(self) -> dict[str, str]:
        """The columns of the gold file other than the labels, by role: weights, counts and slices."""
        sums = {role: self.columns.get(role) for role in ("weight", "count")}
        slices = {f"{SLICE}{at}": name for at, name in enumerate(self.by)}
        return {role: name for role, name in {**sums, **slices}.items() if name is not None}


NOTHING_CHOSEN = ReadingChoices(*read_options({}))


def read_choices(options: Mapping[str, Any]) -> ReadingChoices:
    """Return what the keywords of `Reading` say; most callers pass none of them."""
    return ReadingChoices(*read_options(options)) if options else NOTHING_CHOSEN


class TableParts(NamedTuple):
    """What a contingency table is made of; `axes` are the names and the entries of its leading axes.

    The weighting is of cells[..., gold, answer], whose last column holds the items without an answer.
    """

    scale: Scale
    answered: Array
    missed: Array
    touched: dict[str, int]
    axes: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    weighting: Weighting | None = None
