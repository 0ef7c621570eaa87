"""Whether the advice of Sakai (ACL 2021) holds on other collections than his."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ordeval.__about__ import __version__
from ordeval.aliases import Progress
from ordeval.errors import ParameterError, argument
from ordeval.formats.document import Document, Section
from ordeval.formats.sheet import Sheet
from ordeval.paper.reproduction import Reproduction
from ordeval.paper.sakai_collections import (
    ALPHA,
    MeasuredCollection,
    measure_collections,
    uses_order,
)
from ordeval.paper.sakai_findings import (
    alternatives,
    answer,
    by_collection,
    collections,
    method,
    value_table,
)
from ordeval.paper.sakai_standing import ADVISED, MeasureStanding


@dataclass(frozen=True, eq=False, repr=False)
class Sakai2021(Reproduction):
    """System ranking consistency and discriminative power of every measure on the collections of a folder."""

    kind = "sakai2021"
    title = "Sakai's comparison of measures on other collections"
    level = 1

    collections: tuple[MeasuredCollection, ...]
    splits: int
    flips: int
    resamples: int
    how: str  # the command or call that made it

    @property
    def introduction(self) -> str:
        """What the page is and what made it."""
        return (
            f"Sakai, 'Evaluating Evaluation Measures for Ordinal Classification and Ordinal Quantification' "
            f"(ACL-IJCNLP 2021), compared nine measures of ordinal classification on data of SemEval and NTCIR. This "
            f"page asks two of his questions about {len(self.consistency.metrics)} measures on other data: how "
            f"consistently does a measure rank the systems on two halves of the data, and between how many systems "
            f"does it find a significant difference? The systems of his data are not used, and none of his numbers are "
            f"repeated. Written by ordeval {__version__} with: {self.how}"
        )

    @cached_property
    def consistency(self) -> MeasureStanding:
        """Where the measures stand by system ranking consistency."""
        return MeasureStanding(
            "system ranking consistency", [one.consistency for one in self.collections], ALPHA
        )

    @cached_property
    def power(self) -> MeasureStanding:
        """Where the measures stand by discriminative power."""
        return MeasureStanding(
            "discriminative power", [one.power for one in self.collections], ALPHA
        )

    @property
    def standings(self) -> tuple[MeasureStanding, MeasureStanding]:
        """Both criteria."""
        return self.consistency, self.power

    def sheet(self) -> Sheet:
        """Return the main table: the consistency of every measure on every collection."""
        return value_table(self.consistency, self.collections)

    def sections(self) -> list[Section]:
        """Return the answer, the tables behind it, and how they were computed."""
        return [
            answer(self.standings),
            collections(self.collections),
            *(by_collection(one, self.collections) for one in self.standings),
            alternatives(self.standings),
            method(
                self.collections, splits=self.splits, flips=self.flips, resamples=self.resamples
            ),
        ]

    def document(self) -> Document:
        """Return the sections below their title and introduction."""
        return Document(self.title, self.sections(), self.introduction)

    def content(self) -> dict[str, Any]:
        """Return everything, as JSON has it below its first keys."""
        settings = {"splits": self.splits, "flips": self.flips, "alpha": ALPHA}
        return {
            "settings": settings | {"resamples": self.resamples},
            "advised": ADVISED,
            "criteria": [
                {
                    "name": one.title,
                    "verdict": one.verdict,
                    "beaten_by": one.beaten_by,
                    "metrics": [
                        {
                            "name": name,
                            "uses_order": uses_order(name),
                            "mean_rank": rank,
                            "place": one.place(name),
                            "advised_minus_it": vars(one.against[name]) if name != ADVISED else None,
                        }
                        for name, rank in one.mean_rank.items()
                    ],
                }
                for one in self.standings
            ],
            "collections": [one.to_dict() for one in self.collections],
        }  # fmt: skip

    def __repr__(self) -> str:
        verdicts = ", ".join(f"{one.title}: {one.verdict}" for one in self.standings)
        return f"<sakai2021: {len(self.collections)} collections, {verdicts}>"


def sakai2021(
    data: Any = None,
    *,
    splits: int = 1000,
    flips: int = 999,
    resamples: int = 999,
    rng: int = 0,
    how: str = "oe.paper.sakai2021(data)",
    progress: Progress = None,
) -> Sakai2021:
    """Compare measures by system ranking consistency and discriminative power on the collections of the folder `data`.

    `splits` is how often each collection is halved, `flips` how many sign flips adjust the p-values over system pairs,
    and `resamples` how often the systems are drawn again for intervals.

    >>> oe.paper.sakai2021()
    Traceback (most recent call last):
        ...
    ordeval.errors.ParameterError: sakai2021 compares measures on collections of ...
    """
    if data is None:
        raise ParameterError(
            f"sakai2021 compares measures on collections of systems, and none are built in. Pass the folder that has "
            f"them: {argument('data', 'DIR')}."
        )
    measured = measure_collections(
        data, splits=splits, flips=flips, resamples=resamples, rng=rng, progress=progress
    )
    return Sakai2021(measured, splits, flips, resamples, how)
