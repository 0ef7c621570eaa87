"""Humans and judges on the same items and on one scale."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.comparison.ceiling import distinct_rows
from ordeval.errors import DataError, LabelTypeError, ParameterError, argument, quoted
from ordeval.inputs.patterns import group
from ordeval.judge.common_scale import common_scale, on_scale
from ordeval.ratings import Ratings
from ordeval.ratings.matching import codes_for
from ordeval.ratings.repeats import repeats_of
from ordeval.runs import Runs


@dataclass(frozen=True, eq=False)
class Matched:
    """What humans and judges gave the items that a human marked.

    `pattern[item]` is the place of an item among the patterns of the humans, `answer[judge, item]` that of a judge's
    answer among `rows[kind, class or none]`: the shares of its marks, which are all on one class without repeats.
    """

    humans: Ratings
    judges: Ratings
    names: tuple[str, ...]  # of the judges, each once, however often it marked
    repeats: Mapping[str, tuple[int, ...]]  # the places of each among the raters of `judges`
    items: tuple[Any, ...]  # the names of the items
    place: Array  # [item]: its place among all items of the humans
    pattern: Array
    codes: Array  # [rater of the judges, item]: single marks, K where there is none
    answer: Array
    rows: Array
    ignored: Mapping[str, int]  # of each judge, the marks on items that no human marked

    @property
    def k(self) -> int:
        """The number of classes."""
        return self.humans.scale.k

    @cached_property
    def answered(self) -> Array:
        """Whether a judge marked an item: [judge, item]."""
        return np.asarray(self.rows[:, -1] == 0)[self.answer]

    def units(self, judge: int, which: Array | None = None) -> "JudgedUnits":
        """Return the items, or some of them, as units that are alike for one judge."""
        pattern, answer = self.pattern, self.answer[judge]
        if which is not None:
            pattern, answer = pattern[which], answer[which]
        limits = [len(self.humans.count), len(self.rows)]
        first, unit = group(np.stack([pattern, answer]), limits)
        count = np.bincount(unit, minlength=len(first))
        return JudgedUnits(
            self.humans, pattern[first].astype(np.intp), self.rows[answer[first]], count
        )

    def runs(self, missing: str) -> Runs:
        """Return the judges as systems whose gold is the shares of the humans."""
        k = self.k
        rows = np.concatenate([np.eye(k + 1), self.rows])
        # labels have the codes of their classes
        hard = np.where(self.rows.max(axis=1) == 1, self.rows.argmax(axis=1), -1)
        codes = np.where(hard >= 0, hard, np.arange(len(hard)) + k + 1)
        soft = bool((hard < 0).any())
        return Runs.from_rows(
            self.humans.scale, self.names, (),
            np.stack([np.zeros_like(self.pattern), self.pattern, *codes[self.answer]]),
            shares=np.nan_to_num(self.humans.pattern_shares), answers=rows if soft else None, ratings=self.humans,
            policy=replace(self.humans.policy, missing=missing),
            ignored={"not_in_gold": sum(self.ignored.values()), "duplicate": 0, "unreadable": 0},
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class JudgedUnits:
    """Items that are alike: the humans gave them the same marks, and so did the judge."""

    humans: Ratings
    pattern: Array  # [unit]: the place among the patterns of the humans
    answer: Array  # [unit, class or none]: the shares of the judge's marks
    count: Array  # [unit]: how many items are alike

    def only(self, which: Array) -> "JudgedUnits":
        """Return some of the units."""
        return JudgedUnits(self.humans, self.pattern[which], self.answer[which], self.count[which])

    @property
    def answered(self) -> Array:
        """Whether the judge marked the items."""
        return np.asarray(self.answer[:, -1] == 0)

    @property
    def shared(self) -> Array:
        """Whether two humans or more marked the items."""
        return np.asarray(self.humans.marks_of_pattern[self.pattern] > 1)

    @property
    def items(self) -> int:
        """The number of items."""
        return int(self.count.sum())


def match(humans: Any, judges: Any, caller: str) -> Matched:
    """Bring humans and judges together by item; refuse what cannot be held against each other."""
    check_kinds(humans, judges, caller)
    check_people(humans, judges)
    check_item_names(humans, judges)
    scale = common_scale(humans, judges)
    humans, judges = on_scale(humans, scale), on_scale(judges, scale)
    items, pattern_of = humans.named_items()
    marked = humans.marks_of_pattern[pattern_of] > 0
    if not marked.all():
        items = tuple(item for item, some in zip(items, marked.tolist(), strict=True) if some)
    codes, others = codes_for(items, judges)
    repeats = repeats_of(judges)
    check_not_the_same(humans, repeats, items, codes)
    parts = [shares_of(codes[list(places)], scale.k) for places in repeats.values()]
    code, rows = distinct_rows(np.concatenate(parts))
    return Matched(
        humans, judges, tuple(repeats), repeats, items, np.flatnonzero(marked), pattern_of[marked],
        codes, code.reshape(len(parts), -1), rows,
        {name: int(others[list(places)].sum()) for name, places in repeats.items()},
    )  # fmt: skip


def shares_of(codes: Array, k: int) -> Array:
    """Return the shares[item, class or none] of codes[repeat, item]; all on the last if there is no mark."""
    votes = np.stack([(codes == label).sum(axis=0) for label in range(k)], axis=1)
    marks = votes.sum(axis=1, keepdims=True)
    return np.concatenate([votes / np.maximum(marks, 1), marks == 0], axis=1)


def check_kinds(humans: Any, judges: Any, caller: str) -> None:
    """Refuse anything but ratings."""
    for side, name in ((humans, "humans"), (judges, "judges")):
        if not isinstance(side, Ratings):
            raise LabelTypeError(
                f"{caller} was given a {type(side).__name__} as {name}; it takes the marks of humans and those of "
                f"judges, both as Ratings. Pass oe.Ratings.from_frame(frame) of a row for each mark, or "
                f"oe.Ratings.from_file(path)."
            )


def check_item_names(humans: Ratings, judges: Ratings) -> None:
    """Refuse items that only have numbers, unless both sides number the same items."""
    numbered = [isinstance(side.item_names, range) for side in (humans, judges)]
    if any(numbered) and (not all(numbered) or humans.n != judges.n):
        raise DataError(
            f"the items of the {'humans' if numbered[0] else 'judges'} have no names, so they cannot be matched: "
            f"{humans.n:,} and {judges.n:,} items. Name the column of items with {argument('item')} on both sides."
        )


def check_people(humans: Ratings, judges: Ratings) -> None:
    """Refuse fewer than two humans, humans who repeat their marks, no judge, and humans who share no item."""
    if len(humans.raters) < 2:
        named = f"only one human, {quoted(humans.raters)}" if humans.raters else "no human"
        raise DataError(
            f"there is {named}; a judge is held to what humans reach against each other, which takes the marks of two "
            f"humans or more. To score a judge against a single one, compare it as a system."
        )
    if not judges.raters:
        raise DataError("there is no judge: nobody marked anything. Pass the marks of a judge.")
    for name, places in repeats_of(humans).items():
        if len(places) > 1:
            raise DataError(
                f"human {name!r} marked items {len(places)} times, and would be held against themselves; only judges "
                f"may repeat a mark. Keep one mark of each human on an item."
            )
    if not (humans.count * (humans.marks_of_pattern > 1)).any():
        raise DataError(
            "no two humans marked the same item, so what a human reaches against the others is not known. Add marks "
            "of a second human to some of the items."
        )


def check_not_the_same(
    humans: Ratings, judges: Mapping[str, tuple[int, ...]], items: tuple[Any, ...], codes: Array
) -> None:
    """Refuse a judge whose name and marks are those of a human; by chance two may have the same name."""
    both = [name for name in judges if name in humans.raters]
    if not both:
        return
    k = humans.scale.k
    own = codes_for(items, humans)[0]
    same = []
    for name in both:
        human, marks = own[humans.raters.index(name)], codes[list(judges[name])]
        known = (human < k) & (marks < k)
        if known.any() and (marks == human)[known].all():
            same.append(name)
    if same:
        every = len(same) == len(judges) == len(humans.raters)
        seem = " Humans and judges seem to be the same marks." if every else ""
        raise DataError(
            f"{quoted(same, 3)} {'is' if len(same) == 1 else 'are'} among both the humans and the judges, with the "
            f"same marks, and nobody can be held against themselves.{seem} Pass the judges apart from the humans, or "
            f"rename them."
        )


def one_judge(judge: Any) -> None:
    """Refuse the marks of several judges where one is meant."""
    if isinstance(judge, Ratings) and len(repeats_of(judge)) > 1:
        raise ParameterError(
            f"the judge is {quoted(repeats_of(judge))}; the test is of one judge. Pass judges.select([name])."
        )
