"""What the JSON of rules has in common: how it is written, and how it is read back."""

import json
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ordeval.arguments import is_number
from ordeval.comparison.about import scale_content
from ordeval.errors import DataError, MetricError, ParameterError
from ordeval.formats.json import SCHEMA, head
from ordeval.metrics.metric import Metric
from ordeval.metrics.own import own_measure
from ordeval.metrics.registry import registry
from ordeval.scale import Scale

if TYPE_CHECKING:
    from ordeval.decide.cut_points import Cuts
    from ordeval.decide.decision import Decision

EXPECTED = "Expected what 'ordeval decide -o' or to_json wrote"


def rule_head(rule: "Decision | Cuts", kind: str) -> dict[str, Any]:
    """Return the first entries of a rule's JSON: its kind, scale and measure, and what it reaches in sentences."""
    return {
        **head("decide"),
        "kind": kind,
        "scale": scale_content(rule.scale),
        "metric": str(rule.measure),
        "greater_is_better": rule.measure.greater_is_better,
        "verdict": " ".join(rule.lead),
    }


def kind_of(text: str | bytes) -> str:
    """Return which kind of rule the JSON holds."""
    return str(loaded(text).get("kind"))


def loaded(text: str | bytes) -> dict[str, Any]:
    """Return the object that the JSON holds."""
    try:
        content = json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise DataError(f"this is not JSON ({error}). {EXPECTED}.") from None
    if not isinstance(content, dict):
        raise DataError(f"this JSON holds no rule, but {content!r:.60}. {EXPECTED}.")
    return content


def read_rule(
    text: str | bytes, kind: str, shapes: Mapping[str, Callable[[Any], bool]]
) -> dict[str, Any]:
    """Return the parts of a rule of one kind; refuse what does not have their shapes."""
    content = loaded(text)
    if content.get("kind") != kind:
        raise DataError(
            f'this JSON has "kind": {content.get("kind")!r:.60}, where {kind!r} is read. {EXPECTED}.'
        )
    if content.get("schema") != SCHEMA:
        raise DataError(
            f"this rule has schema {content.get('schema')!r:.60}; this version reads schema {SCHEMA}."
        )
    for name, fits in {"scale": is_scale, **shapes}.items():
        if name not in content or not fits(content[name]):
            raise DataError(f"the {name} of this rule is {content.get(name)!r:.60}. {EXPECTED}.")
    return content


def is_scale(content: Any) -> bool:
    """Tell whether something is a scale as results write it."""
    return isinstance(content, dict) and isinstance(content.get("labels"), list)


def numbers_in(content: Any, size: int | None = None) -> bool:
    """Tell whether something is a list of so many numbers."""
    return (
        isinstance(content, list)
        and all(map(is_number, content))
        and (size is None or len(content) == size)
    )


def holds_values(content: Any, names: Mapping[str, str]) -> bool:
    """Tell whether something has a value under each of the names: a number, or None where it is undefined."""
    return (
        isinstance(content, dict)
        and content.keys() == names.keys()
        and all(one is None or is_number(one) for one in content.values())
    )


def stored_values(content: Mapping[str, float | None]) -> dict[str, float]:
    """Return values by name, NaN where they are undefined."""
    return {name: math.nan if one is None else one for name, one in content.items()}


def stored_scale(content: Mapping[str, Any]) -> Scale:
    """Return the scale that a result wrote."""
    return Scale(content["labels"], content.get("values"), names=content.get("names"))


def stored_measure(content: Mapping[str, Any]) -> Metric:
    """Return the measure that a rule was fitted for; of a function of one's own, only the name is known."""
    name, up = str(content.get("metric")), content.get("greater_is_better") is not False
    try:
        return registry[name]
    except (MetricError, ParameterError):

        def unknown(counts: Any) -> Any:
            return counts[..., 0, 0] * float("nan")

        unknown.__name__ = name
        return own_measure(unknown, greater_is_better=up)
