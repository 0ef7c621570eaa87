"""All problems of all files of answers, found in one run.

Each file is joined to gold by itself, under policies that allow everything. What they allowed is a remark if the
caller's own policies allow it, too; else it is a problem, and the file cannot be scored.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from ordeval.errors import DataError, OrdevalError, argument, quoted
from ordeval.formats.numbers import counted
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.files.engine import Database, SourceTable
from ordeval.inputs.files.join import (
    add_answers,
    add_gold,
    all_numeric,
    check_chosen,
    finish,
    joint_answers,
    place_gold,
    systems_in,
)
from ordeval.inputs.files.locate import Refused, Source
from ordeval.inputs.files.matching import JoinedFiles, repeated_ids
from ordeval.inputs.files.problems import CheckedFile, FilesCheck, Problem
from ordeval.inputs.files.sniff import row_count
from ordeval.inputs.files.wide import read_wide_rows
from ordeval.inputs.patterns import Examples, RawPatterns
from ordeval.inputs.placing import SHOWN, PlacedPatterns, place
from ordeval.scale import Scale


def check_files(
    database: Database,
    gold_source: Source,
    sources: Sequence[Source],
    choices: ReadingChoices,
    refused: Sequence[Refused] = (),
) -> FilesCheck:
    """Check systems' files against gold, which must have no fault; `refused` are names without a file."""
    checker = Checker(database, gold_source, choices)
    absent = [CheckedFile(one.spec, (Problem(one.why),)) for one in refused]
    return FilesCheck(gold_source.spec, checker.alone, (*absent, *checker.check_all(sources)))


def join_good_files(
    database: Database,
    gold_source: Source,
    sources: Sequence[Source],
    choices: ReadingChoices,
    refused: Sequence[Refused] = (),
) -> PlacedPatterns:
    """Read gold and the systems' files that can be scored; say which were left out, and why."""
    checker = Checker(database, gold_source, choices)
    files = checker.check_all(sources)
    bad = [(one.spec, Problem(one.why).brief) for one in refused]
    bad += [(file.file, file.why_not) for file in files if not file.ok]
    left_out = "; ".join(f"{file} ({why})" for file, why in bad)
    if not checker.good:
        raise DataError(f"no system's file can be scored: {left_out}.")
    joined = joint_answers(database, checker.gold, checker.good, list(checker.systems), choices)
    placed = finish(database, joined, checker.good, list(checker.systems), choices)
    if not bad:
        return placed
    note = f"left out {len(bad)} of {counted(len(sources) + len(refused), 'file')}: {left_out}."
    return replace(placed, notes=(note, *placed.notes), skipped=tuple(bad))


def check_wide(
    database: Database, source: Source, gold: str, predicted: Sequence[str], choices: ReadingChoices
) -> FilesCheck:
    """Check the answers in a wide file, whose other columns must have no fault."""
    forgiving = with_policy(choices, duplicates="first")
    read = read_wide_rows(database, source, gold, predicted, forgiving)
    only_gold = replace(read.patterns, predicted=[])
    alone = place(only_gold, [], choices, read.examples, ignored={})
    problems = [Problem(note, remark=True) for note in read.notes]
    if read.repeats:
        problems.append(repeated(read.repeats, "", choices))
    problems += label_problems(read.patterns, read.systems, choices, read.examples, alone.scale)
    return FilesCheck(source.spec, alone, (CheckedFile(source.spec, tuple(problems)),))


class Checker:
    """Checks one file after another against gold, and keeps the tables and systems of those that can be scored."""

    def __init__(self, database: Database, gold: Source, choices: ReadingChoices) -> None:
        self.database, self.choices = database, choices
        self.gold = add_gold(database, gold, choices)
        self.alone = place_gold(database, self.gold, choices)  # gold on its scale
        self.numeric = all_numeric(database, self.gold, choices.labels)
        self.good: list[SourceTable] = []
        self.systems: dict[str, str] = {}  # of the good files, and the file that each is in

    def check_all(self, sources: Sequence[Source]) -> list[CheckedFile]:
        """Read the files one after another; refuse the name of a column that none of them has."""
        files = [self.check(source) for source in sources]
        check_chosen(self.choices, self.database)
        return files

    def check(self, source: Source) -> CheckedFile:
        """Read one file and return all its problems."""
        problems: list[Problem] = []
        try:
            with self.database.speaking_of(source):
                self.collect(source, problems)
        except OrdevalError as error:
            problems.append(Problem(str(error)))
        return CheckedFile(source.spec, tuple(problems))

    def collect(self, source: Source, problems: list[Problem]) -> None:
        """Add the problems of a file to a list; raise an error that hides all others."""
        table = add_answers(self.database, source, self.choices, numeric=self.numeric)
        systems = systems_in(self.database, table)
        problems += [
            Problem(f"system {name!r} is in {self.systems[name]!r}, too.")
            for name in systems
            if name in self.systems
        ]
        lost, lines = self.database.rejected(table)
        forgiving = with_policy(self.choices, missing="zero", unknown="missing", duplicates="first")
        joined = joint_answers(self.database, self.gold, [table], systems, forgiving)
        again = joined.duplicate - self.alone.ignored.get("duplicate", 0)
        if again:
            by = [column for column in ("case", "item", "system") if table.has(column)]
            ids = quoted(repeated_ids(self.database, table.table, by), SHOWN)
            problems.append(
                repeated(again, f": {ids}" if again == 1 else f", such as {ids}", self.choices)
            )
        problems += label_problems(
            joined.patterns, systems, self.choices, joined.examples, self.alone.scale
        )
        problems += unread_problems(table, lost, lines, joined)
        if joined.not_in_gold:
            rows = row_count(joined.not_in_gold)
            what = f"{rows} {'is' if joined.not_in_gold == 1 else 'are'} about items that are not in gold."
            problems.append(Problem(what, remark=True))
        self.database.files.check(source)
        if all(problem.remark for problem in problems):
            self.good.append(table)
            self.systems |= dict.fromkeys(systems, source.spec)


def repeated(again: int, which: str, choices: ReadingChoices) -> Problem:
    """Return the problem of a file that answers an item twice."""
    what = f"{row_count(again)} {'repeats' if again == 1 else 'repeat'} an item{which}."
    if choices.policy.duplicates != "error":
        return Problem(what, remark=True)
    keep = argument("duplicates", "first")
    return Problem(
        f"{what} Remove {'it' if again == 1 else 'them'}, or pass {keep} to keep the first."
    )


def with_policy(choices: ReadingChoices, **changes: str) -> ReadingChoices:
    """Return the choices under a policy that differs in some points."""
    return replace(choices, policy=replace(choices.policy, **changes))


def label_problems(
    patterns: RawPatterns,
    systems: Sequence[str],
    choices: ReadingChoices,
    examples: Examples,
    golds: Scale,
) -> list[Problem]:
    """Return the problems with the labels of each system: missing, not on the scale, or without an order."""
    problems: list[Problem] = []
    for at in range(len(systems)):
        # the other systems have the gold labels here, so that only this one can be at fault
        answers = [patterns.gold] * len(systems)
        answers[at] = patterns.predicted[at]
        attempt = partial(refusal, replace(patterns, predicted=answers), systems, examples)
        other = attempt(with_policy(choices, missing="zero", unknown="missing"))
        if other is not None:
            problems.append(Problem(other))
            continue
        missing = choices.policy.missing != "error"  # allowed by the caller's policies
        unknown = choices.policy.unknown != "error" and missing
        for remark, policy in (
            (unknown, {"missing": "zero", "unknown": "error"}),
            (missing, {"missing": "error", "unknown": "missing"}),
        ):
            what = attempt(with_policy(choices, **policy))
            if what is None or any(Problem(what).brief == one.brief for one in problems):
                continue
            problems.append(Problem(f"{Problem(what).brief}." if remark else what, remark=remark))
        if choices.labels is None:
            what = attempt(with_policy(choices, missing="zero", unknown="error"), scale=golds)
            told = any(one.brief == Problem(what or "").brief for one in problems)
            if what is not None and not told:
                beyond = f"{Problem(what).brief}: gold has no such class. Declare {argument('labels', ...)}."
                problems.append(Problem(beyond, remark=True))
    return problems


def refusal(
    patterns: RawPatterns,
    systems: Sequence[str],
    examples: Examples,
    choices: ReadingChoices,
    *,
    scale: Scale | None = None,
) -> str | None:
    """Return the message with which labels are refused; None if they are not."""
    try:
        place(patterns, systems, choices, examples, scale=scale, ignored={})
    except OrdevalError as error:
        return str(error)
    return None


def unread_problems(
    table: SourceTable, lost: int, lines: Sequence[tuple[int, str]], joined: JoinedFiles
) -> list[Problem]:
    """Return the lines that could not be read, the first few by number."""
    unread = lost + joined.unreadable
    shown = [*lines, *(table.bad_lines(SHOWN) if joined.unreadable else [])]
    problems = [
        Problem(f"{why}: the row cannot be read and counts as a missing answer.", line, remark=True)
        for line, why in sorted(shown)[:SHOWN]
    ]
    more = unread - len(problems)
    if more > 0:
        other = "other " if problems else ""
        one = f"{more} {other}row cannot be read and counts as a missing answer."
        what = (
            one if more == 1 else f"{more} {other}rows cannot be read and count as missing answers."
        )
        problems.append(Problem(what, remark=True))
    return problems
