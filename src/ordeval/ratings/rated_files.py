"""Files in which several raters made the gold, or systems give probabilities: read and brought together by item."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ordeval.aliases import Progress
from ordeval.errors import DataError, argument, suggestion
from ordeval.inputs.array_patterns import count_systems
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.patterns import ItemOfCase
from ordeval.inputs.placing import PlacedPatterns
from ordeval.inputs.policy import Policy
from ordeval.inputs.soft import Probabilities
from ordeval.progress import portion
from ordeval.ratings.matching import labels_for, no_common_items, places_of
from ordeval.ratings.ratings import Ratings

if TYPE_CHECKING:
    from ordeval.inputs.files.locate import Source

REFERENCES = ("@uniform", "@most_frequent")


@dataclass(frozen=True)
class RatedFiles:
    """The gold, and what each system gave its items: labels, or a row of probabilities for each item."""

    ratings: Ratings
    answers: Mapping[str, Any]
    not_in_gold: int
    skipped: tuple[tuple[str, str], ...] = ()  # files that could not be scored, and why
    notes: tuple[str, ...] = ()

    @property
    def gold(self) -> Any:
        """The ratings; the labels of a single rater."""
        single = len(self.ratings.raters) == 1
        return self.ratings.consensus() if single else self.ratings

    def place(self, policy: Policy) -> PlacedPatterns:
        """Put gold and all answers on the scale of the ratings, item by item."""
        choices = ReadingChoices(self.ratings.scale, None, policy)
        return count_systems(
            self.gold, self.answers, case=self.case, item=self.item, sample_weight=None, count=None,
            by=None, choices=choices,
        )  # fmt: skip

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
    from ordeval.inputs.files.locate import each_name, find, find_systems

    ratings = read_gold_ratings(gold, choices, rater, portion(progress, 0, 0.5))
    references, names = references_among(each_name(systems), ratings)
    if not names:
        return RatedFiles(ratings, references, 0)
    sources = find_systems(names, shards=shards, gold=find(gold))
    read = read_answers(ratings, sources, choices, proba=proba, progress=portion(progress, 0.5, 1))
    return replace(read, answers={**read.answers, **references})


def read_gold_ratings(
    gold: Any, choices: ReadingChoices, rater: str | None, progress: Progress = None
) -> Ratings:
    """Read the marks of one or more raters from a long gold file."""
    from ordeval.inputs.files.read import read_gold_marks

    refuse_columns_beside_gold(choices)
    return Ratings.from_placed(read_gold_marks(gold, choices, rater, progress))


def read_answers(
    ratings: Ratings,
    sources: "Sequence[Source]",
    choices: ReadingChoices,
    *,
    proba: bool,
    progress: Progress = None,
) -> RatedFiles:
    """Read what systems answered to the items of ratings: labels, or, if `proba` says so, probabilities.

    With `proba` a file that has a column of labels and none that is named as a class is still one of labels.
    """
    from ordeval.inputs.files.read import (
        holds_labels,
        read_answer_files,
        read_probability_file,
    )

    on_scale = ReadingChoices(ratings.scale, None, of_answers(choices.policy), choices.columns)
    labels = [one for one in sources if not proba or holds_labels(one, on_scale)]
    found: dict[str, Any] = {}
    not_in_gold = 0
    for at, source in enumerate(sources):
        part = portion(progress, at / len(sources), (at + 1) / len(sources))
        if source in labels:
            continue
        items, rows = read_probability_file(source, on_scale, part)
        place = places_of(ratings.items, items)
        if (place < 0).all():
            raise no_common_items([source.name], ratings.items, items)
        found[source.name] = Probabilities(np.where(place[:, None] < 0, np.nan, rows[place]))
        not_in_gold += len(items) - int((place >= 0).sum())
    if labels:
        placed = read_answer_files(labels, on_scale, None if found else progress)
        answers, others = labels_for(ratings.items, Ratings.from_placed(placed))
        both = [name for name in answers if name in found]
        if both:
            raise DataError(
                f"two files have answers of the system {both[0]!r}: labels and probabilities. Rename one of them."
            )
        found, not_in_gold = {**answers, **found}, not_in_gold + others
    return RatedFiles(ratings, found, not_in_gold)


def read_rated_wide(
    data: Any,
    raters: Sequence[str],
    predicted: Sequence[str],
    choices: ReadingChoices,
    progress: Progress = None,
) -> RatedFiles:
    """Read a file with a row for each item, a column for each rater, and a column of answers for each system."""
    if not predicted:
        raise DataError(f"no column of answers was named. Name it with {argument('predicted')}.")
    ratings = read_wide_ratings(data, raters, choices, portion(progress, 0, 0.5))
    references, columns = references_among(predicted, ratings)
    if not columns:
        return RatedFiles(ratings, references, 0)
    rest = portion(progress, 0.5, 1)
    answers = read_wide_answers(data, columns, ratings, choices, rest)
    both = [name for name in answers if name in ratings.raters]
    if both:
        raise DataError(
            f"the column {both[0]!r} is named as a rater and as a system. Name each column once: a rater's marks are "
            f"part of the gold, against which the systems are scored."
        )
    return RatedFiles(ratings, {**answers, **references}, 0)


def read_wide_ratings(
    data: Any, raters: Sequence[str], choices: ReadingChoices, progress: Progress = None
) -> Ratings:
    """Read the raters' columns of a wide file."""
    from ordeval.inputs.files.read import read_mark_files

    refuse_columns_beside_gold(choices)
    return Ratings.from_placed(read_mark_files(data, raters, choices, progress))


def read_wide_answers(
    data: Any,
    columns: Sequence[str],
    ratings: Ratings,
    choices: ReadingChoices,
    progress: Progress = None,
) -> dict[str, list[Any]]:
    """Read the systems' columns of a wide file: what each of them answered to the items of ratings."""
    from ordeval.inputs.files.read import read_mark_files

    on_scale = replace(
        choices, labels=ratings.scale, values=None, policy=of_answers(choices.policy)
    )
    answers = Ratings.from_placed(
        read_mark_files(data, columns, on_scale, progress, side="predicted")
    )
    return labels_for(ratings.items, answers)[0]


def refuse_columns_beside_gold(choices: ReadingChoices) -> None:
    """Refuse weights, counts and slices, which soft gold and probabilities do not have."""
    named = [role for role in ("weight", "count") if choices.columns.get(role) is not None]
    for role in [*named, *(["by"] if choices.by else [])]:
        raise DataError(
            f"{argument(role)} is not understood where raters made the gold, or systems give probabilities. Leave it "
            f"out."
        )


def references_among(systems: Sequence[Any], ratings: Ratings) -> tuple[dict[str, Any], list[Any]]:
    """Return the answers of the systems that need no file, and the names of the others."""
    references = {name: reference_answers(name, ratings) for name in systems if is_reference(name)}
    return references, [name for name in systems if not is_reference(name)]


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
