"""Logs of Inspect AI: .eval, an archive of JSON, and .json; one mark for each sample, epoch and scorer."""

import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ordeval.inputs.files.tool_logs.logged import (
    LoggedMark,
    ToolLog,
    unknown_version,
    without_mark,
    wrong_log,
)

TOOL = "Inspect AI"
VERSIONS = (1, 2)
HEADER, START = "header.json", "_journal/start.json"
SUMMARIES = "summaries.json"  # what all samples have in common: id, epoch, scores, error
WRITTEN_SO_FAR = re.compile(r"_journal/summaries/\d+\.json")  # of a run that did not end
ORDER = ("I", "P", "C")  # incorrect, partly correct, correct: the order that the tool gives them
NO_ANSWER = "N"

ReadMember = Callable[[str], list[Any]]


def is_archive(archive: zipfile.ZipFile) -> bool:
    """Tell whether an archive is a log."""
    return bool({HEADER, START} & {*archive.namelist()})


def is_inspect(content: Any) -> bool:
    """Tell whether JSON is a log."""
    return (
        isinstance(content, dict) and isinstance(content.get("eval"), dict) and "status" in content
    )


def read_archive(names: Sequence[str], read: ReadMember, file: str) -> ToolLog:
    """Return the marks of an .eval; `read` returns what a member holds, the entries of a list or one object."""
    (header,) = read(HEADER if HEADER in names else START) or [{}]
    lists = [SUMMARIES] if SUMMARIES in names else filter(WRITTEN_SO_FAR.fullmatch, names)
    samples = [sample for name in lists for sample in read(name)]
    return log_of(header, samples, file)


def read_inspect(content: dict[str, Any], file: str) -> ToolLog:
    """Return the marks of a log that is one JSON object."""
    return log_of(content, content.get("samples") or [], file)


def log_of(header: Mapping[str, Any], samples: Sequence[Any], file: str) -> ToolLog:
    """Return the marks of samples; the header names the model, the task and the number of epochs."""
    about = header.get("eval") if isinstance(header, dict) else None
    if not isinstance(about, dict) or not all(map(is_sample, samples)):
        raise wrong_log(file, TOOL, "it does not name its task and its samples")
    epochs = (about.get("config") or {}).get("epochs") or 1
    several = epochs > 1 or any(sample.get("epoch", 1) > 1 for sample in samples)
    model = str(about.get("model", ""))
    marks = [
        LoggedMark(sample["id"], metric, model, sample.get("epoch", 1) if several else None, label)
        for sample in samples
        for metric, label in scores_of(sample)
    ]
    lacking = [sample for sample in samples if not sample.get("scores")]
    failed = sum(bool(sample.get("error")) for sample in lacking)
    notes = unknown_version(file, TOOL, header.get("version", VERSIONS[-1]), VERSIONS)
    status = header.get("status", "started")
    if status != "success":
        notes += (f"{file!r} is the log of a run that did not end well (status {status!r:.20}).",)
    notes += without_mark(file, len(lacking), len(samples), failed, "sample")
    return ToolLog(TOOL, file, marks, notes, task=str(about.get("task", "")))


def is_sample(part: Any) -> bool:
    """Tell whether this is one sample, or the summary of one."""
    return (
        isinstance(part, dict)
        and isinstance(part.get("id"), str | int)
        and isinstance(part.get("epoch", 1), int)
        and isinstance(part.get("scores") or {}, dict)
    )


def scores_of(sample: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Give the scorers of a sample and what they said; a scorer with several values has several names."""
    for scorer, score in (sample.get("scores") or {}).items():
        value = score.get("value") if isinstance(score, dict) else score
        if isinstance(value, dict):
            yield from ((f"{scorer}: {key}", one) for key, one in value.items())
        elif isinstance(value, list):
            yield from ((f"{scorer}: {at}", one) for at, one in enumerate(value, 1))
        else:
            yield scorer, value


def json_of(data: bytes) -> list[Any]:
    """Return what a member of an archive holds."""
    content = json.loads(data)
    return content if isinstance(content, list) else [content]
