"""Which files a name stands for, and what is in them by their endings. Nothing is opened here."""

import errno
import glob
import os
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ordeval.errors import DataError, quoted, suggestion
from ordeval.inputs.files.plain_files import state_of
from ordeval.labels import natural_order

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
    ".eval": "eval",
}
OTHER_SHEETS = frozenset({".xls", ".xlsb", ".ods", ".numbers"})
COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}
WILD = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class Source:
    """One table on disk: a file, or the shards that a glob matches."""

    spec: str  # as it was given, for messages
    files: tuple[str, ...]
    form: (
        str  # csv, tsv, text (either of the two), jsonl, parquet, xlsx, eval (a log of Inspect AI)
    )
    compression: str
    name: str  # the system's, where the table has no column for it
    # the glob that stands for this file and others, each of them a table of its own
    pattern: str = ""

    @property
    def size(self) -> int:
        """How many bytes the files have on disk."""
        return sum(Path(file).stat().st_size for file in self.files)


@dataclass(frozen=True, slots=True)
class Refused:
    """A name that does not stand for a file that can be read, and the reason."""

    spec: str
    why: str


def exists(spec: Any) -> bool:
    """Tell whether a name stands for at least one file."""
    text = os.fspath(spec)
    return Path(text).exists() or bool(matching(text))


def matching(pattern: str) -> tuple[str, ...]:
    """Return the files that match a glob, in the order in which people count: run2 before run10."""
    if not WILD & set(pattern):
        return ()
    names = glob.glob(pattern, recursive=True)  # noqa: PTH207 - Path.glob takes no absolute patterns
    return tuple(sorted((name for name in names if not Path(name).is_dir()), key=natural_order))


def find_systems(
    specs: Any, *, shards: bool, gold: Source, refused: list[Refused] | None = None
) -> tuple[Source, ...]:
    """Return the sources of systems that one name or several stand for; each file of a glob is one, unless `shards`.

    A name that stands for no file is an error, or, if a list is given for it, added to that list.
    """
    sources: list[Source] = []
    for spec in each_name(specs):
        try:
            sources += [find(spec)] if shards else find_each(spec, gold)
        except DataError as error:
            if refused is None:
                raise
            refused.append(Refused(str(spec), str(error)))
    if not sources and not refused:
        raise DataError("no system's file was named. Pass at least one.")
    return named_apart(sources)


def each_name(specs: Any) -> list[Any]:
    """Return the names of files, from one name or several."""
    if isinstance(specs, str | os.PathLike):
        return [specs]
    try:
        return list(specs)
    except TypeError:
        raise DataError(
            f"{specs!r:.60} names no file; pass a path, a glob, or a list of them."
        ) from None


def find_tables(specs: Any, *, together: bool) -> tuple[Source, ...]:
    """Return a source for every file that one name or several stand for, or one for all of them `together`."""
    found = [files_of(spec) for spec in each_name(specs)]
    if not found:
        raise DataError("no file was named. Pass at least one.")
    files = tuple(dict.fromkeys(file for _, matched in found for file in matched))
    if together or len(files) == 1:
        return (source_of(", ".join(text for text, _ in found), files),)
    return named_apart([source_of(file, (file,)) for file in files])


def find_each(spec: Any, gold: Source) -> list[Source]:
    """Return a source for every file that a path or a glob stands for."""
    text, files = files_of(spec)
    if files == (text,):
        return [find(spec)]
    known = {os.path.abspath(file) for file in gold.files}  # noqa: PTH100 - resolve() would follow links
    for file in files:
        if os.path.abspath(file) in known:  # noqa: PTH100
            raise DataError(
                f"{text!r} also matches {file!r}, which is gold. Match the systems' files alone, or move gold to "
                f"another folder."
            )
    return [source_of(file, (file,), text) for file in files]


def find(spec: Any) -> Source:
    """Return the one source that a path or a glob stands for: the files of a glob are shards of one table."""
    return source_of(*files_of(spec))


def can_exist(path: Path) -> bool:
    """Tell whether a file may have this name: one that is too long is an error of the system."""
    try:
        path.exists()
    except OSError as error:
        return error.errno != errno.ENAMETOOLONG
    return True


def files_of(spec: Any) -> tuple[str, tuple[str, ...]]:
    """Return a path or a glob as text, and the files that it stands for."""
    if not isinstance(spec, str | os.PathLike):
        raise DataError(
            f"{spec!r:.60} is a {type(spec).__name__}, not a file's name; pass a path or a glob."
        )
    text = os.fsdecode(spec)
    path = Path(text)
    if "\0" in text or not text:
        raise DataError(f"{text!r:.60} is not a file's name.")
    if not can_exist(path):
        raise DataError(
            f"{text[:60] + '...'!r} is not a file's name: {os.strerror(errno.ENAMETOOLONG)}."
        )
    if path.is_dir():
        pattern = str(path / f"*{usual_ending(path)}")
        raise DataError(
            f"{text!r} is a folder; pass a file in it, or {pattern!r} for all such files in it."
        )
    if path.exists():
        return text, (text,)
    if path.is_symlink():
        raise DataError(
            f"{text!r} is a link to {str(path.readlink())!r}, which does not exist. Correct the link, or name the file."
        )
    if not WILD & set(text):
        raise DataError(f"there is no file {text!r}.{near(path)}")
    files = matching(text)
    if not files:
        raise DataError(
            f"no file matches {text!r}. Check the pattern and the folder that you are in."
        )
    return text, files


def source_of(text: str, files: tuple[str, ...], pattern: str = "") -> Source:
    """Return the source that some files are, by their endings."""
    for name in files:
        check_file(name)
    kinds = {kind_of(name) for name in files}
    if len(kinds) > 1:
        raise DataError(
            f"{text!r} matches files of different formats: {quoted(map(os.path.basename, files))}. Match one."
        )
    form, compression = kinds.pop()
    return Source(text, files, form, compression, name_of(text), pattern)


def named_apart(sources: Sequence[Source]) -> tuple[Source, ...]:
    """Return the sources; those with the same name get the shortest paths that differ: x/run and y/run."""
    alike = defaultdict(list)
    for source in sources:
        alike[source.name].append(source)
    names: dict[str, str] = {}
    for name, group in alike.items():
        paths = [Path(os.path.abspath(source.spec)) for source in group]  # noqa: PTH100
        if len(set(paths)) < len(paths):
            twice = next(
                one.spec for one, path in zip(group, paths, strict=True) if paths.count(path) > 1
            )
            raise DataError(f"the file {twice!r} is named twice. Name each system's file once.")
        names |= dict(zip((one.spec for one in group), distinct_names(name, paths), strict=True))
    return tuple(replace(source, name=names[source.spec]) for source in sources)


def distinct_names(name: str, paths: Sequence[Path]) -> list[str]:
    """Return different names for files that would have the same: with folders, and if need be with endings."""
    if len(paths) == 1:
        return [name]
    deepest = max(len(path.parts) for path in paths)
    ways = [(depth, ending) for ending in (False, True) for depth in range(deepest)]
    for depth, ending in ways:
        names = [
            "/".join([*path.parent.parts[::-1][:depth][::-1], path.name if ending else name])
            for path in paths
        ]
        if len(set(names)) == len(names):
            break
    return names


def check_file(name: str) -> None:
    """Refuse anything but plain files, formats that cannot be read, and names that the engine cannot take."""
    with suppress(OSError):  # whoever reads the file says why that is not possible
        state_of(name)
    if Path(name).suffix.lower() in OTHER_SHEETS:
        raise DataError(
            f"{name!r} is a spreadsheet in a format that cannot be read; save it as .xlsx or CSV, and pass that."
        )
    if name.encode(errors="replace").decode() != name:
        raise DataError(f"the file's name {name!r} is not UTF-8. Rename it.")


def usual_ending(folder: Path) -> str:
    """Return the ending that most files of a folder have, of those that are read."""
    endings: Counter[str] = Counter()
    with suppress(OSError):
        endings.update(e for entry in folder.iterdir() if (e := entry.suffix.lower()) in FORMATS)
    return endings.most_common(1)[0][0] if endings else ".csv"


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
