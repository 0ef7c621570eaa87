"""Results of DeepEval: the JSON of a test run, with the score of each metric for each test case."""

from collections.abc import Iterator
from typing import Any

from ordeval.inputs.files.tool_logs.logged import LoggedMark, ToolLog, without_mark, wrong_log

TOOL = "DeepEval"
CASES = ("testCases", "test_results", "testResults", "conversationalTestCases")
METRICS = ("metricsData", "metrics_data")


def is_deepeval(content: Any) -> bool:
    """Tell whether JSON is a test run of DeepEval."""
    run = run_of(content)
    return any(isinstance(run.get(name), list) for name in CASES)


def run_of(content: Any) -> dict[str, Any]:
    """Return the test run, which may be inside another object."""
    inner = content.get("testRunData") if isinstance(content, dict) else None
    run = inner if isinstance(inner, dict) else content
    return run if isinstance(run, dict) else {}


def read_deepeval(content: Any, file: str) -> ToolLog:
    """Return the marks of a test run; a metric that failed gives none."""
    run = run_of(content)
    cases = [case for name in CASES for case in run.get(name) or []]
    if not all(isinstance(case, dict) for case in cases):
        raise wrong_log(file, TOOL, "a test case in it is not an object")
    marks = [mark for at, case in enumerate(cases) for mark in marks_of(case, at, file)]
    without = sum(not any(case.get(name) for name in METRICS) for case in cases)
    return ToolLog(TOOL, file, marks, without_mark(file, without, len(cases), 0, "test case"))


def marks_of(case: dict[str, Any], at: int, file: str) -> Iterator[LoggedMark]:
    """Give the marks of one test case, which has a name or else a number."""
    item = case.get("name") or case.get("order", at)
    metrics: list[Any] = next((case[name] for name in METRICS if case.get(name)), [])
    for metric in metrics:
        if not isinstance(metric, dict) or not isinstance(metric.get("name"), str):
            raise wrong_log(file, TOOL, f"a metric of the test case {item!r:.60} has no name")
        label = None if metric.get("error") else metric.get("score")
        model = str(metric.get("evaluationModel") or metric.get("evaluation_model") or "")
        yield LoggedMark(item, metric["name"], model, None, label)
