"""Files in which several raters made the gold, or systems give probabilities: read and brought together by item."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.aliases import Progress
from ordeval.errors import DataError, argument, suggestion
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.patterns import ItemOfCase
from ordeval.inputs.policy import Policy
from ordeval.inputs.soft import Probabilities
from ordeval.progress import portion
from ordeval.ratings.matching import labels_for, no_common_items, places_of
from ordeval.ratings.ratings import Ratings

REFERENCES = ("@uniform", "@most_frequent")


@dataclass(frozen=True)
class RatedFiles:
    """The gold, and what each system gave its items: labels, or a row of probabilities for each item."""

    ratings: Ratings
    answers: Mapping[str, Any]
    not_in_gold: int

    @property
    def gold(self) -> Any:
        """The ratings; the labels of a single rater."""
        single = len(self.ratings.raters) == 1
        return self.ratings.consensus() if single else self.ratings

    @property
    def case(self) -> list[Any] | None:
        """The test case of each item; None if there are none."""
        items = self.ratings.items
        by_case = bool(items) and isinstance(items[0], ItemOfCase)
        return [item.case for item in items] if by_case else None

    @property
    def item(self) -> list[Any]:
        """The id of each item."""
        return [name.item if isinstance(name, ItemOfCase) else name for name in self.ratings.items]


def read_rated_files(
    gold: Any,
    systems: Any,
    choices: ReadingChoices,
    *,
    rater: str | None,
    proba: bool,
    shards: bool,
    progress: Progress,
) -> RatedFiles:
    """Read the marks of one or more raters, and the answers or the probabilities of systems."""
    from ordeval.inputs.files.locate import each_name
    from ordeval.inputs.files.read import read_answer_files, read_gold_marks, read_probability_files

    for role in ("weight", "count"):
        if choices.columns.get(role) is not None:
            raise DataError(
                f"{argument(role)} is not understood where raters made the gold, or systems give probabilities. Leave "
                f"it out."
            )
    if choices.by:
        raise DataError(
            f"{argument('by')} is not understood where raters made the gold, or systems give probabilities. Leave it "
            f"out."
        )
    marks = read_gold_marks(gold, choices, rater, portion(progress, 0, 0.5))
    ratings = Ratings.from_placed(marks)
    on_scale = ReadingChoices(ratings.scale, None, of_answers(choices.policy), choices.columns)
    rest = portion(progress, 0.5, 1)
    files, references = [], {}
    for name in each_name(systems):
        if is_reference(name):
            references[name] = reference_answers(name, ratings)
        else:
            files.append(name)
    if not files:
        return RatedFiles(ratings, references, 0)
    if not proba:
        placed = read_answer_files(files, gold, on_scale, rest, shards=shards)
        answers, others = labels_for(ratings.items, Ratings.from_placed(placed))
        return RatedFiles(ratings, {**answers, **references}, others)
    found, not_in_gold = {}, 0
    for name, (items, rows) in read_probability_files(
        files, gold, on_scale, rest, shards=shards
    ).items():
        place = places_of(ratings.items, items)
        if (place < 0).all():
            raise no_common_items([name], ratings.items, items)
        found[name] = Probabilities(np.where(place[:, None] < 0, np.nan, rows[place]))
        not_in_gold += len(items) - int((place >= 0).sum())
    return RatedFiles(ratings, {**found, **references}, not_in_gold)


def asks_for_references(systems: Any) -> bool:
    """Tell whether some of the systems are answers that need no file."""
    names = systems if isinstance(systems, list | tuple) else [systems]
    return any(map(is_reference, names))


def is_reference(name: Any) -> bool:
    """Tell whether the name of a system is that of an answer that needs no system."""
    return isinstance(name, str) and name.startswith("@")


def reference_answers(name: str, ratings: Ratings) -> Any:
    """Return the same answer for every item: all classes alike, or the class that was marked most often."""
    k, items = ratings.scale.k, len(ratings.items)
    if name == "@uniform":
        return Probabilities(np.full((items, k), 1 / k))
    if name == "@most_frequent":
        most = int(np.argmax(ratings.count @ ratings.votes))
        return [ratings.scale.labels[most]] * items
    raise DataError(
        f"there is no answer {name!r}; the answers that need no file are {' and '.join(REFERENCES)}."
        f"{suggestion(name, REFERENCES)}"
    )


def of_answers(policy: Policy) -> Policy:
    """Return the part of a policy that speaks of answers one by one; a missing one is told later."""
    return Policy(unknown=policy.unknown, duplicates=policy.duplicates, round=policy.round)
