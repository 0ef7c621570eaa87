"""Results of promptfoo: JSON with a result for each test, prompt and provider, and the scores of its assertions."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from ordeval.inputs.files.tool_logs.logged import (
    LoggedMark,
    ToolLog,
    unknown_version,
    without_mark,
)

TOOL = "promptfoo"
VERSIONS = (2, 3)
# assertions in which a model is the judge; others count words or compare texts
JUDGES = frozenset(
    {"llm-rubric", "g-eval", "model-graded-closedqa", "model-graded-factuality", "factuality", "answer-relevance",
     "context-faithfulness", "context-recall", "context-relevance", "conversation-relevance", "agent-rubric",
     "search-rubric", "trajectory:goal-success"}
)  # fmt: skip


def is_promptfoo(content: Any) -> bool:
    """Tell whether JSON holds results of promptfoo."""
    inner = content.get("results") if isinstance(content, dict) else None
    return isinstance(inner, dict) and isinstance(inner.get("results"), list)


def read_promptfoo(content: Any, file: str) -> ToolLog:
    """Return the marks of a run; with `--repeat` a test has several results, which are repeats."""
    inner = content["results"]
    results = sorted(inner["results"], key=lambda result: result.get("testIdx", 0))
    tests = tests_of(results, repeated=repeated(content))
    marks: list[LoggedMark] = []
    without = failed = 0
    for result, (item, repeat), model in zip(results, tests, models_of(results), strict=True):
        scores = dict(scores_of(result))
        marks += [LoggedMark(item, name, model, repeat, score) for name, score in scores.items()]
        without += not scores
        failed += not scores and bool(result.get("error"))
    notes = unknown_version(file, TOOL, inner.get("version", VERSIONS[-1]), VERSIONS)
    notes += without_mark(file, without, len(results), failed, "result")
    return ToolLog(TOOL, file, marks, notes)


def repeated(content: dict[str, Any]) -> bool:
    """Tell whether the tests were run more than once."""
    places = (content.get("runtimeOptions"), (content.get("config") or {}).get("evaluateOptions"))
    return any(isinstance(one, dict) and (one.get("repeat") or 1) > 1 for one in places)


def tests_of(results: Sequence[dict[str, Any]], *, repeated: bool) -> list[tuple[Any, int | None]]:
    """Return the name of each result's test, and its repeat if tests were run more than once.

    A test is named by its description if all of these differ, and else by its number, from 0.
    """
    cases = [result.get("testCase") or {} for result in results]
    said = [case.get("description") for case in cases]
    asked = [
        json.dumps([name, result.get("vars") or case.get("vars")], sort_keys=True)
        for name, case, result in zip(said, cases, results, strict=True)
    ]
    run = [result.get("testIdx", text) for result, text in zip(results, asked, strict=True)]
    test = asked if repeated else run
    runs: dict[Any, dict[Any, int]] = {}  # the runs of each test, and their numbers, from 1
    for one, at in zip(test, run, strict=True):
        runs.setdefault(one, {}).setdefault(at, len(runs[one]) + 1)
    names: dict[Any, Any] = dict(zip(test, said, strict=True))
    if not all(names.values()) or len({*names.values()}) < len(names):
        names = {one: at for at, one in enumerate(runs)}
    return [
        (names[one], runs[one][at] if repeated else None) for one, at in zip(test, run, strict=True)
    ]


def models_of(results: Sequence[dict[str, Any]]) -> list[str]:
    """Return the provider of each result, and the prompt if there are several."""
    prompts = [str((result.get("prompt") or {}).get("label", "")) for result in results]
    several = len(set(prompts)) > 1
    return [
        f"{provider_of(result)}, {prompt}" if several else provider_of(result)
        for result, prompt in zip(results, prompts, strict=True)
    ]


def provider_of(result: dict[str, Any]) -> str:
    """Return the name of a result's provider."""
    provider = result.get("provider") or ""
    if isinstance(provider, dict):
        return str(provider.get("label") or provider.get("id") or "")
    return str(provider)


def scores_of(result: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Give the scores that have a name (`metric:` of an assertion), and those of judges without one."""
    yield from (result.get("namedScores") or {}).items()
    parts = (result.get("gradingResult") or {}).get("componentResults") or []
    nameless: dict[str, int] = {}
    for part in parts:
        assertion = part.get("assertion") or {} if isinstance(part, dict) else {}
        kind = assertion.get("type")
        if kind in JUDGES and not assertion.get("metric"):
            nameless[kind] = nameless.get(kind, 0) + 1
            yield (kind if nameless[kind] == 1 else f"{kind} {nameless[kind]}"), part.get("score")
