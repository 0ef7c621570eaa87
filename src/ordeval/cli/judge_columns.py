"""Which columns are asked of the files of humans and of judges, and what to name where a judge's file lacks one."""

from collections.abc import Mapping, Sequence
from typing import Any

from ordeval.errors import DataError, argument, quoted
from ordeval.inputs.roles import NAMES, USUAL_NAMES, column_at, lower, no_column

__all__ = ["check_judge_columns", "header_of", "is_wide_column", "own_columns"]

Columns = Sequence[str] | None  # of a file; None if it is a log, which has none


def header_of(
    files: Any, named: Mapping[str, str | None], marks: Sequence[str], option: str
) -> list[str] | None:
    """Return the columns of the first of some files, as `columns_of_files` does; `marks` are columns of marks.

    Where a header has no usual name, `option` is what names the columns of marks.
    """
    from ordeval.inputs.files.read import columns_of_files
    from ordeval.inputs.files.sniff import NoUsualNamesError

    known = {**named, **{f"marks {at}": name for at, name in enumerate(marks)}}
    try:
        return columns_of_files(files, known)
    except NoUsualNamesError as error:
        if named.get("item") is not None:
            column_at(error.columns, str(named["item"]), "item", error.where)
        raise DataError(
            f"{error.where} has the columns {quoted(error.columns, 10)}, none of which has a usual name. Name the "
            f"column of item ids with {argument('item')}, and the columns of marks with {argument(option)} (in a "
            f"file with a row for each mark: {argument('label')})."
        ) from None


def own_columns(named: Mapping[str, str | None], own: Columns, others: Columns) -> dict[str, Any]:
    """Return the names of columns to ask of one side: one that only the other side has is not asked of it."""
    here, there = ({lower(column) for column in side or ()} for side in (own, others))

    def asked(name: str | None) -> bool:
        return lower(name) in here or (others is not None and lower(name) not in there)

    return {role: name if asked(name) else None for role, name in named.items()}


def is_wide_column(name: str, columns: Columns) -> bool:
    """Tell whether a judge's name is a column of marks; a column of raters or labels in a long file is none."""
    known = {lower(column) for column in columns or ()}
    long = known & {*NAMES["rater"]} and known & {*NAMES["label"]}
    return lower(name) in known and not (long and lower(name) in USUAL_NAMES)


def check_judge_columns(
    file: str, columns: Columns, named: Mapping[str, str | None], option: str
) -> None:
    """Refuse a judge's file without a column of items or labels, and say which `option` names the judge's column."""
    if not columns:
        return  # a log, or a file without a header
    chosen = {lower(name) for name in named.values() if name is not None}
    free = [column for column in columns if lower(column) not in chosen]

    def lacks(role: str) -> bool:
        return named.get(role) is None and not any(lower(column) in NAMES[role] for column in free)

    if lacks("item"):
        raise no_column(free, "item", repr(file), "judge")
    if not lacks("label"):
        return
    usual = {*NAMES["item"], *NAMES["case"]}
    candidates = [column for column in free if lower(column) not in USUAL_NAMES]
    candidates = candidates or [column for column in free if lower(column) not in usual]
    if not candidates:
        raise no_column(free, "label", repr(file), "judge")
    one = option == "judge"
    name = argument(option, *candidates) if one else argument(option, candidates)
    raise DataError(
        f"{file!r} has no column of labels: it has {quoted(free, 10)}, and such a column is named "
        f"{', '.join(NAMES['label'])}. Name the column of {'the judge' if one else 'each judge'}: {name}."
    )
