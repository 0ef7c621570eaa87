"""Which tool wrote a file, by what the file holds: whatever its name is."""

import contextlib
import gzip
import json
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ordeval.errors import DataError
from ordeval.inputs.files import sql
from ordeval.inputs.files.locate import Source, find_tables
from ordeval.inputs.files.tool_logs import deepeval, inspect_ai, lm_eval, promptfoo
from ordeval.inputs.files.tool_logs.logged import ToolLog, wrong_log

if TYPE_CHECKING:
    from ordeval.inputs.files.engine import Database

ARCHIVE = b"PK\x03\x04"
LOOK = 1 << 16  # bytes at the beginning of a file, in which a key stands that only one tool writes
LARGEST = 1 << 31  # bytes of a file, or of what an archive holds, that is read at once
KEYS = (b'"eval"', b'"evalId"', b'"testCases"', b'"test_results"', b'"testResults"', b'"testRunData"',
        b'"filtered_resps"', b'"namedScores"', b'"gradingResult"')  # fmt: skip
DAMAGES = (zipfile.BadZipFile, zlib.error, EOFError, OSError, KeyError, ValueError, RuntimeError)
OTHER_FORM = (TypeError, AttributeError)  # of a number where an object should be, and the like
TOOLS = (
    (inspect_ai.TOOL, inspect_ai.is_inspect, inspect_ai.read_inspect),
    (promptfoo.TOOL, promptfoo.is_promptfoo, promptfoo.read_promptfoo),
    (deepeval.TOOL, deepeval.is_deepeval, deepeval.read_deepeval),
)
CUT = "it is damaged, or a part of it is missing. Fetch or write it again"


def are_logs(files: Any) -> bool:
    """Tell whether one or more files were all written by evaluation tools."""
    return all(tool_log(source) is not None for source in find_tables(files, together=False))


def tool_log(source: Source) -> ToolLog | None:
    """Return the marks of a file that a tool wrote; None if no tool did."""
    if source.compression == "zstd" or source.form in {"parquet", "xlsx"} or len(source.files) > 1:
        return None
    file = source.files[0]
    try:
        with opened(file, source.compression) as stream:
            head = stream.read(LOOK)
    except (OSError, EOFError, zlib.error):
        return None  # whoever reads it says why
    if head.startswith(ARCHIVE):
        return archive_log(file, source)
    if source.form == "eval":
        raise DataError(f"{file!r} is not a log of Inspect AI: it is no archive. Check the file.")
    if not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") or not any(
        key in head for key in KEYS
    ):
        return None
    return json_log(file, source)


def opened(file: str, compression: str) -> Any:
    """Open a file that may be packed with gzip."""
    return gzip.open(file) if compression == "gzip" else Path(file).open("rb")


def json_log(file: str, source: Source) -> ToolLog | None:
    """Return the marks of a file of JSON, or of JSON lines."""
    try:
        with opened(file, source.compression) as stream:
            text = stream.read(LARGEST + 1).decode("utf-8-sig")
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"cannot read {file!r}: {error}.") from None
    except UnicodeDecodeError:
        return None
    if len(text) > LARGEST:
        raise DataError(
            f"{file!r} has more than 2 GB, too much for a log. Export the marks as CSV."
        )
    first = parsed(text.lstrip().partition("\n")[0])
    if lm_eval.is_lm_eval(first):
        with of_tool(lm_eval.TOOL, file):
            return lm_eval.read_lm_eval(text, file, source.name)
    content = parsed(text)
    for tool, is_one, read in TOOLS:
        if is_one(content):
            with of_tool(tool, file):
                return read(content, file)
    if content is None and first is None:
        raise DataError(
            f"cannot read {file!r}: it begins as the JSON of an evaluation tool, but {CUT}."
        )
    return None


@contextlib.contextmanager
def of_tool(tool: str, file: str) -> Iterator[None]:
    """Let what is not as the tool writes it be an error that names the file."""
    try:
        yield
    except OTHER_FORM:
        raise wrong_log(
            file, tool, "a part of it has another form than the tool gives it"
        ) from None


def parsed(text: str) -> Any:
    """Return what JSON holds; None if it is no JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def archive_log(file: str, source: Source) -> ToolLog | None:
    """Return the marks of an archive of Inspect AI; None if it is another one."""
    try:
        with zipfile.ZipFile(file) as archive:
            if inspect_ai.is_archive(archive):
                with of_tool(inspect_ai.TOOL, file):
                    return inspect_ai.read_archive(
                        archive.namelist(), lambda name: member(archive, name, file, source), file
                    )
    except DataError:
        raise
    except DAMAGES:
        if source.form == "eval":
            raise DataError(f"cannot read {file!r}: {CUT}.") from None
    if source.form == "eval":
        raise DataError(f"{file!r} is an archive, but no log of Inspect AI. Check the file.")
    return None


def member(archive: zipfile.ZipFile, name: str, file: str, source: Source) -> list[Any]:
    """Return what a member of an archive holds: the entries of a list, or one object.

    Python before 3.14 cannot unpack what recent versions of the tool pack with zstd, and the engine can.
    """
    about = archive.getinfo(name)
    if about.file_size > LARGEST:
        raise DataError(f"{name!r} in {file!r} unpacks to more than 2 GB, which is not read.")
    try:
        return inspect_ai.json_of(archive.read(name))
    except NotImplementedError:
        packed = packed_bytes(file, about)

    from ordeval.inputs.files.engine import reading

    def work(database: "Database") -> list[Any]:
        copy = database.folder / "member.zst"
        copy.write_bytes(packed)
        return [json.loads(text) for (text,) in database.rows(sql.json_objects(str(copy)))]

    return reading(work, sources=[source])


def packed_bytes(file: str, about: zipfile.ZipInfo) -> bytes:
    """Return a member of an archive as it is packed: after its own header, whose last fields say how long it is."""
    with Path(file).open("rb") as stream:
        stream.seek(about.header_offset)
        name, extra = struct.unpack("<26xHH", stream.read(30))
        stream.seek(name + extra, 1)
        return stream.read(about.compress_size)
