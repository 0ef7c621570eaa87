"""Samples of lm-evaluation-harness: JSON lines, one for each document and filter, with a column for each measure."""

import json
from collections.abc import Iterator
from typing import Any

from ordeval.errors import DataError
from ordeval.inputs.files.tool_logs.logged import LoggedMark, ToolLog, wrong_log

TOOL = "lm-evaluation-harness"
# what a line has beside the measures, in versions that do not list these under "metrics"
OTHERS = frozenset(
    {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash",
     "prompt_hash", "target_hash"}
)  # fmt: skip


def is_lm_eval(content: Any) -> bool:
    """Tell whether JSON is one of the lines that hold samples."""
    return isinstance(content, dict) and {"doc_id", "resps", "filtered_resps"} <= set(content)


def read_lm_eval(text: str, file: str, name: str) -> ToolLog:
    """Return the marks of a file of samples; `name` tells its model from those of other files."""
    rows = list(objects_in(text, file))
    filters = {str(row.get("filter", "none")) for row in rows}
    marks = [
        LoggedMark(row["doc_id"], named(metric, row, filters), name, None, row.get(metric))
        for row in rows
        for metric in row.get("metrics") or [key for key in row if key not in OTHERS]
    ]
    documents = {row["doc_id"]: str(row.get("doc_hash", "")) for row in rows}
    return ToolLog(TOOL, file, marks, documents=documents, one_metric=True)


def named(metric: str, row: dict[str, Any], filters: set[str]) -> str:
    """Return the name of a measure, with that of the filter if there are several, as the tool prints them."""
    return f"{metric},{row.get('filter', 'none')}" if len(filters) > 1 else str(metric)


def objects_in(text: str, file: str) -> Iterator[dict[str, Any]]:
    """Give the objects of a file of JSON lines."""
    for at, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            raise DataError(
                f"line {at} of {file!r} is not JSON: it is damaged, or cut. Write the file again."
            ) from None
        if not is_lm_eval(row):
            raise wrong_log(file, TOOL, f"line {at} is not a sample with a doc_id and its answers")
        yield row
