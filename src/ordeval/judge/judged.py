"""The marks of humans and of a judge, from whatever holds them, counted: which items have both, and which only one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ordeval.agreement.words import left_out_sentences
from ordeval.aliases import Array
from ordeval.columns import read_column
from ordeval.errors import (
    DataError,
    LabelError,
    LabelTypeError,
    ParameterError,
    argument,
    by_caller,
    quoted,
)
from ordeval.formats.numbers import counted
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.policy import read_options
from ordeval.inputs.sides import read_answers, settled, shown_scale
from ordeval.inputs.soft import is_soft
from ordeval.judge.common_scale import common_scale, on_scale
from ordeval.judge.matched import check_item_names
from ordeval.judge.methods import MarkSums
from ordeval.ratings import Ratings
from ordeval.ratings.matching import codes_for, places_of
from ordeval.ratings.repeats import repeats_of
from ordeval.runs import Runs
from ordeval.scale import Scale

BOTH_KINDS = (  # of items, in the words of Python and of a shell
    "The judge's Ratings must also hold its marks on the items that humans marked: they show how it errs.",
    (
        "The judge's file must also hold its marks on the items that humans marked: they show how it errs. Put these "
        "and its other marks into one file."
    ),
)


@dataclass(frozen=True, slots=True)
class JudgedItems:
    """The items that a judge marked, by what humans gave them.

    `counts[kind, judge]` are those that humans marked, too. `rows[kind]` are the shares of the humans' marks that a
    kind stands for; without `rows` a kind is a class. `unmarked[judge]` are the others.
    """

    scale: Scale
    counts: Array
    unmarked: Array
    rows: Array | None = None
    unjudged: int = 0  # items that humans marked and the judge did not
    repeats: int = 1  # how often the judge marked an item at most; the first mark is counted
    left_out: tuple[str, ...] = ()  # marks that a policy left out or changed, in sentences

    @property
    def n(self) -> int:
        """The number of items with marks of both."""
        return int(self.counts.sum())

    @property
    def others(self) -> int:
        """The number of items that only the judge marked."""
        return int(self.unmarked.sum())

    @property
    def sums(self) -> MarkSums:
        """The sums that the methods take."""
        values = np.array(self.scale.values, dtype=np.float64)
        return MarkSums.of_counts(self.counts, self.unmarked, values, self.rows)

    def check(self, *, unmarked: bool) -> None:
        """Refuse marks that show nothing: no items with both, a single one, or no others where these are needed."""
        if self.n < 2:
            have = "no item has" if self.n == 0 else "a single item has"
            raise DataError(
                f"{have} marks of both humans and the judge; it takes two or more to see how the judge errs. Check "
                f"that both name the items in the same way, or let humans mark some of the judge's items."
            )
        if unmarked and not self.others:
            raise DataError(
                f"there are no items that the judge marked alone: humans marked all {counted(self.n, 'item')} of the "
                f"judge, so there is nothing to correct. Pass the judge's marks on items without a human mark, too."
            )


def read_judged(human: Any, judge: Any, unmarked: Any, options: Any) -> JudgedItems:
    """Count the marks of humans and a judge: columns of the same order, or `Ratings`, which are matched by item."""
    if isinstance(human, Ratings) and isinstance(judge, Ratings):
        if unmarked is not None or options:
            raise ParameterError(
                "human and judge are Ratings, which know their scale and which items have no human mark. Pass these "
                "two, and no other marks, labels or policies."
            )
        return match_ratings(human, judge)
    if isinstance(judge, Ratings):
        raise LabelTypeError(
            "the judge's marks are Ratings, which are matched by item with the Ratings of humans; human is something "
            "else. Pass both as Ratings, or both as columns."
        )
    return count_columns(human, judge, unmarked, options)


def match_ratings(human: Ratings, judge: Ratings) -> JudgedItems:
    """Count the items of a judge by what humans gave them; ids are compared as text."""
    repeats = len(judge.raters)
    judge = first_marks(judge)
    check_item_names(human, judge)
    scale = common_scale(human, judge)
    human, judge = on_scale(human, scale), on_scale(judge, scale)
    mark = judge.mark[:, 0].astype(np.intp)[judge.named_items()[1]]
    marked = mark < scale.k
    place = places_of(judge.items, human.items)
    kind = np.where(place >= 0, human.named_items()[1][place], -1)
    both = marked & (kind >= 0) & (human.marks_of_pattern[kind] > 0)
    if not both.any():
        raise DataError(
            f"the judge {judge.raters[0]!r} marked no item that humans marked: it has items such as "
            f"{quoted(judge.items, 2)}, and the humans {quoted(human.items, 2)}. {by_caller(*BOTH_KINDS)} If it "
            f"does, check the columns of items and test cases."
        )
    kinds = len(human.count)
    counts = np.bincount(kind[both] * scale.k + mark[both], minlength=kinds * scale.k)
    unmarked = np.bincount(mark[marked & ~both], minlength=scale.k)
    people = int(human.count[human.marks_of_pattern > 0].sum())
    return JudgedItems(
        scale,
        counts.reshape(kinds, scale.k),
        unmarked,
        np.nan_to_num(human.pattern_shares),
        people - int(both.sum()),
        repeats,
        (*left_out_sentences(human, " of humans"), *left_out_sentences(judge, " of the judge")),
    )


def first_marks(judge: Ratings) -> Ratings:
    """Return the marks of one judge, each item's first if it marked items repeatedly; refuse several judges."""
    names = list(repeats_of(judge))
    if len(names) != 1:
        raise DataError(
            f"there are marks of the judges {quoted(names)}, and one judge is corrected at a time. "
            f"{by_caller('Pass judge.select([name]).', 'Name it: --judge NAME.')}"
        )
    if len(judge.raters) == 1:
        return judge
    return Ratings.from_slots(
        judge.scale, (names[0],), judge.mark[:, :1].T, count=judge.count, pattern_of=judge.pattern_of,
        item_names=judge.item_names, policy=judge.policy, notes=judge.notes,
    )  # fmt: skip


def count_columns(human: Any, judge: Any, unmarked: Any, options: Any) -> JudgedItems:
    """Count columns of marks; without `unmarked`, these are the items whose human mark is missing."""
    labels, values, policy = read_options(options)
    choices = settled(ReadingChoices(labels, values, policy))
    if policy.missing not in ("error", "drop"):
        raise ParameterError(
            f"{argument('missing', policy.missing)} would score an item without a mark of the judge, and nothing is "
            f"scored here. Pass {argument('missing', 'drop')} to leave such items out."
        )
    if is_soft(judge) or is_soft(unmarked):
        raise LabelTypeError(
            "the judge gives shares or probabilities; a judge's marks are single classes. Pass its labels."
        )
    chosen = {**options, "labels": choices.labels, "values": choices.values}
    scale = None
    if not is_soft(human):
        human = read_column(human, "human", choices.labels)
        judge = read_answers(judge, "judge", human, choices)
        check_lengths(human, judge)
        if unmarked is None:
            there = np.asarray(human.coded()[0]) >= 0
            human, judge, unmarked = human.only(there), judge.only(there), judge.only(~there)
        else:
            unmarked = read_answers(unmarked, "unlabelled_judge", human, choices)
        if not len(human):
            raise DataError(
                "there are no human marks: every one is missing. Let humans mark some items."
            )
        scale = shown_scale(human, [judge, unmarked], choices)
        if scale is not None:
            chosen |= {"labels": scale, "values": None}
    elif unmarked is None:
        raise LabelTypeError(
            "human holds shares and there is no unlabelled_judge. Pass the judge's marks on items without a human mark."
        )
    else:
        check_lengths(human.items if isinstance(human, Ratings) else human, judge)
    both = Runs.from_labels(human, {"judge": judge}, **chosen)
    kinds = both.scale.k if both.shares is None else len(both.shares)
    k = both.scale.k
    cells = np.bincount(
        both.gold.astype(np.intp) * (k + 1) + both.predicted[0], both.count, kinds * (k + 1)
    )
    counts = cells.reshape(kinds, k + 1)
    alone = np.zeros(k, dtype=np.int64)
    if unmarked is not None and len(unmarked):
        chosen |= {"labels": both.scale, "values": None}
        filler = [both.scale.labels[0]] * len(unmarked)  # the side that says nothing
        runs = Runs.from_labels(filler, {"the judge alone": unmarked}, **chosen)
        alone = np.bincount(runs.predicted[0], runs.count, k + 1)[:k].astype(np.int64)
    unjudged = int(counts[:, k].sum())
    return JudgedItems(
        scale or both.scale, counts[:, :k].astype(np.int64), alone, both.shares, unjudged
    )


def check_lengths(human: Sequence[Any], judge: Sequence[Any]) -> None:
    """Refuse columns that do not belong together."""
    if len(human) != len(judge):
        raise LabelError(
            f"human has {len(human)} marks and judge has {len(judge)}; both must have one for each item, in the same "
            f"order. The judge's marks on other items are passed as unlabelled_judge."
        )


class ScoreColumns(NamedTuple):
    """The marks and the answers of systems in columns, as `correct_scores` takes them."""

    human: Array  # labels, or the shares of several humans
    judge: Array
    systems: dict[str, Array]
    unlabelled_judge: Array
    unlabelled_systems: dict[str, Array]


def score_columns(
    human: Ratings, judge: Ratings, systems: Ratings, missing: str = "error"
) -> ScoreColumns:
    """Match the answers of systems with the items that a judge marked; of several humans the shares count."""
    items, own = judge.items, first_marks(judge)
    codes, given = (codes_for(items, ratings)[0] for ratings in (own, systems))
    judged = codes[0] < own.scale.k
    for name, column in zip(systems.raters, given, strict=True) if missing == "error" else ():
        unanswered = np.flatnonzero(judged & (column == systems.scale.k))
        if len(unanswered):
            raise LabelError(
                f"system {name!r} has no answer to {len(unanswered):,} of {int(judged.sum()):,} items, the first "
                f"{items[unanswered[0]]!r}. Pass {argument('missing', 'zero', 'farthest', 'drop')} to say what an item "
                f"without an answer is worth."
            )
    place = places_of(items, human.items)
    pattern = human.named_items()[1][place]
    seen = (place >= 0) & (human.marks_of_pattern[pattern] > 0)
    both, alone = np.flatnonzero(judged & seen), np.flatnonzero(judged & ~seen)
    gold = human.pattern_shares[pattern[both]]
    if human.marks_of_pattern.max() < 2:
        gold = np.array(human.scale.labels, dtype=object)[human.mark[pattern[both], 0]]
    marks = labels_of(own)[codes[0]]
    answers = dict(zip(systems.raters, labels_of(systems)[given], strict=True))
    return ScoreColumns(
        gold,
        marks[both],
        {name: column[both] for name, column in answers.items()},
        marks[alone],
        {name: column[alone] for name, column in answers.items()},
    )


def labels_of(ratings: Ratings) -> Array:
    """Return the label of each code; None, the last, is no mark."""
    return np.array([*ratings.scale.labels, None], dtype=object)
