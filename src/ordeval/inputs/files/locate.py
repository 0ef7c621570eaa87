"""Which files a name stands for, and what is in them by their endings. Nothing is opened here."""

import glob
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ordeval.errors import DataError, quoted, suggestion

FORMATS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".txt": "text",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
}
OTHER_SHEETS = frozenset({".xls", ".xlsb", ".ods", ".numbers"})
COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}
WILD = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class Source:
    """One table on disk: a file, or all the files of a glob."""

    spec: str  # as it was given, for messages
    files: tuple[str, ...]
    form: str  # csv, tsv, text (either of the two), jsonl, parquet, xlsx
    compression: str
    name: str  # the system's, where the table has no column for it

    @property
    def size(self) -> int:
        """How many bytes the files have on disk."""
        return sum(Path(file).stat().st_size for file in self.files)


def exists(spec: Any) -> bool:
    """Tell whether a name stands for at least one file."""
    text = os.fspath(spec)
    return Path(text).exists() or bool(matching(text))


def matching(pattern: str) -> tuple[str, ...]:
    """Return the files that match a glob, in order."""
    if not WILD & set(pattern):
        return ()
    names = glob.glob(pattern, recursive=True)  # noqa: PTH207 - Path.glob takes no absolute patterns
    return tuple(sorted(name for name in names if not Path(name).is_dir()))


def find_all(specs: Any) -> tuple[Source, ...]:
    """Return the sources that one name or several stand for."""
    if isinstance(specs, str | os.PathLike):
        return (find(specs),)
    if not isinstance(specs, Iterable):
        raise DataError(f"{specs!r:.60} names no file; pass a path, a glob, or a list of them.")
    sources = tuple(find(spec) for spec in specs)
    if not sources:
        raise DataError("no system's file was named. Pass at least one.")
    return sources


def find(spec: Any) -> Source:
    """Return the source that a path or a glob stands for."""
    if not isinstance(spec, str | os.PathLike):
        raise DataError(
            f"{spec!r:.60} is a {type(spec).__name__}, not a file's name; pass a path or a glob."
        )
    text = os.fsdecode(spec)
    if "\0" in text or not text:
        raise DataError(f"{text!r} is not a file's name.")
    path = Path(text)
    if path.is_dir():
        raise DataError(
            f"{text!r} is a folder; pass a file in it, or a glob such as {str(path / '*.parquet')!r}."
        )
    if path.exists():
        files: tuple[str, ...] = (text,)
    elif WILD & set(text):
        files = matching(text)
        if not files:
            raise DataError(
                f"no file matches {text!r}. Check the pattern and the folder that you are in."
            )
    else:
        raise DataError(f"there is no file {text!r}.{near(path)}")
    for name in files:
        check_file(name)
    kinds = {kind_of(name) for name in files}
    if len(kinds) > 1:
        raise DataError(
            f"{text!r} matches files of different formats: {quoted(map(os.path.basename, files))}. Match one."
        )
    form, compression = kinds.pop()
    return Source(text, files, form, compression, name_of(text))


def check_file(name: str) -> None:
    """Refuse what cannot be read twice, as every file is: once for its shape and once for its rows."""
    path = Path(name)
    if path.exists() and not path.is_file():
        raise DataError(
            f"{name!r} is a pipe or a device, which can be read only once. Save what it holds to a file and pass that."
        )
    if path.suffix.lower() in OTHER_SHEETS:
        raise DataError(
            f"{name!r} is a spreadsheet that is not read; save it as .xlsx or as CSV, and pass that."
        )
    if name.encode(errors="replace").decode() != name:
        raise DataError(f"the file's name {name!r} is not UTF-8. Rename it.")


def near(path: Path) -> str:
    """Suggest a file of a similar name."""
    try:
        return suggestion(path.name, [entry.name for entry in path.parent.iterdir()])
    except OSError:
        return " The folder does not exist or cannot be read."


def kind_of(file: str) -> tuple[str, str]:
    """Return the format and the compression that a file's endings tell."""
    endings = [ending.lower() for ending in Path(file).suffixes]
    compression = COMPRESSIONS.get(endings[-1], "none") if endings else "none"
    if compression != "none":
        endings = endings[:-1]
    return FORMATS.get(endings[-1], "text") if endings else "text", compression


def name_of(spec: str) -> str:
    """Return a system's name from its file's: without the endings, and without the wildcards of a glob."""
    base = Path(spec).name
    stem = base
    for ending in reversed(Path(base).suffixes):
        if ending.lower() not in FORMATS and ending.lower() not in COMPRESSIONS:
            break
        stem = stem[: -len(ending)]
    if WILD & set(stem):
        fixed = "".join(" " if letter in "*?[]" else letter for letter in stem).strip(" -_.,")
        stem = fixed.replace(" ", "") or Path(spec).parent.name
    return stem or base
