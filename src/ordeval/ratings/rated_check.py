"""All problems of the systems' answers where several raters made the gold, or systems give probabilities.

Each file is read under policies that allow everything but one thing. What that finds is a remark if the caller's own
policies allow it, too; else it is a problem, and the file cannot be scored.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ordeval.aliases import Progress
from ordeval.errors import DataError, OrdevalError
from ordeval.formats.numbers import counted
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.files.check import with_policy
from ordeval.inputs.files.locate import Refused, Source, each_name, find, find_systems
from ordeval.inputs.files.problems import CheckedFile, FilesCheck, Problem
from ordeval.inputs.files.sniff import row_count
from ordeval.progress import portion
from ordeval.ratings.rated_files import (
    RatedFiles,
    read_answers,
    read_gold_ratings,
    read_rated_files,
    read_wide_answers,
    read_wide_ratings,
    references_among,
)
from ordeval.ratings.ratings import Ratings

Read = Callable[[ReadingChoices], RatedFiles]
LENIENT = {"missing": "zero", "unknown": "missing", "duplicates": "first"}


def check_rated_files(
    gold: Any,
    systems: Any,
    choices: ReadingChoices,
    progress: Progress = None,
    *,
    rater: str | None,
    proba: bool,
    shards: bool,
) -> FilesCheck:
    """Check systems' files against a gold file of raters, which must have no fault."""
    ratings = read_gold_ratings(gold, choices, rater, portion(progress, 0, 1))
    references, names = references_among(each_name(systems), ratings)
    refused: list[Refused] = []
    sources = find_systems(names, shards=shards, gold=find(gold), refused=refused) if names else ()
    files = [CheckedFile(name) for name in references]
    files += [CheckedFile(one.spec, (Problem(one.why),)) for one in refused]
    seen: dict[str, str] = {}
    for source in sources:

        def read(choices: ReadingChoices, source: Source = source) -> RatedFiles:
            return read_answers(ratings, [source], choices, proba=proba)

        files.append(check_one(source.spec, read, choices, seen))
    return checked_files(str(gold), ratings, choices, files)


def read_good_files(
    gold: Any,
    systems: Any,
    choices: ReadingChoices,
    *,
    rater: str | None,
    proba: bool,
    shards: bool,
    progress: Progress,
) -> RatedFiles:
    """Read gold and the systems' files that can be scored; say which were left out, and why."""
    checked = check_rated_files(
        gold, systems, choices, progress, rater=rater, proba=proba, shards=shards
    )
    bad = [(file.file, file.why_not) for file in checked.files if not file.ok]
    good = [file.file for file in checked.files if file.ok]
    left_out = "; ".join(f"{file} ({why})" for file, why in bad)
    if not good:
        raise DataError(f"no system's file can be scored: {left_out}.")
    rated = read_rated_files(
        gold, good, choices, rater=rater, proba=proba, shards=shards, progress=None
    )
    if not bad:
        return rated
    note = f"left out {len(bad)} of {counted(len(checked.files), 'file')}: {left_out}."
    return replace(rated, notes=(note,), skipped=tuple(bad))


def check_rated_wide(
    data: Any,
    raters: Sequence[str],
    predicted: Sequence[str],
    choices: ReadingChoices,
    progress: Progress = None,
) -> FilesCheck:
    """Check the answers in a wide file, whose columns of raters must have no fault."""
    ratings = read_wide_ratings(data, raters, choices, portion(progress, 0, 1))
    problems: list[Problem] = []
    for column in references_among(predicted, ratings)[1]:

        def read(choices: ReadingChoices, column: str = column) -> RatedFiles:
            answers = read_wide_answers(data, [column], ratings, choices)
            return RatedFiles(ratings, answers, 0)

        found = check_one(str(data), read, choices, {})
        problems += [replace(one, what=f"column {column!r}: {one.what}") for one in found.problems]
    return checked_files(str(data), ratings, choices, [CheckedFile(str(data), tuple(problems))])


def checked_files(
    gold: str, ratings: Ratings, choices: ReadingChoices, files: Sequence[CheckedFile]
) -> FilesCheck:
    """Return the problems of the files, and what gold has."""
    alone = RatedFiles(ratings, references_among(["@most_frequent"], ratings)[0], 0)
    return FilesCheck(gold, alone.place(choices.policy), tuple(files), len(ratings.raters))


def check_one(file: str, read: Read, choices: ReadingChoices, seen: dict[str, str]) -> CheckedFile:
    """Return all problems of one file; `seen` are the systems of the files before it, and gets those of this one."""
    rated, why = attempt(read, with_policy(choices, **LENIENT))
    if rated is None:
        return CheckedFile(file, (Problem(why),))
    problems = [
        Problem(f"system {name!r} is in {seen[name]!r}, too.")
        for name in rated.answers
        if name in seen
    ]
    seen |= dict.fromkeys(rated.answers, file)
    for name in ("duplicates", "unknown", "missing"):
        why = attempt(read, with_policy(choices, **{**LENIENT, name: "error"}))[1]
        if why:
            allowed = getattr(choices.policy, name) != "error"
            problems.append(Problem(f"{Problem(why).brief}." if allowed else why, remark=allowed))
    if rated.not_in_gold:
        verb = "is" if rated.not_in_gold == 1 else "are"
        what = f"{row_count(rated.not_in_gold)} {verb} about items that are not in gold."
        problems.append(Problem(what, remark=True))
    return CheckedFile(file, tuple(problems))


def attempt(read: Read, choices: ReadingChoices) -> tuple[RatedFiles | None, str]:
    """Return what was read, and the reason why it cannot be scored under these policies; "" if it can."""
    try:
        rated = read(choices)
        rated.place(choices.policy)
    except OrdevalError as error:
        return None, str(error)
    return rated, ""
