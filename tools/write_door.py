"""Write the measures into the door of the package, from the registry: `make door`, or `python tools/write_door.py`.

Three places follow the registry. At the end of `src/ordeval/__init__.py` every measure has its name, its type and its
summary; `src/ordeval/metrics/measure_types.pyi` tells type checkers what each measure may be called with; and
`src/ordeval/measure_list.py` is what `ordeval metrics` lists without loading the measures. At run time every measure is
a `Metric`. A test compares all three with what this script would write.
"""

import re
import sys
from collections.abc import Iterable
from inspect import Parameter, formatannotation
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ordeval.metrics import Metric

SOURCE = Path(__file__).resolve().parents[1] / "src"
DOOR = SOURCE / "ordeval" / "__init__.py"
TYPES = SOURCE / "ordeval" / "metrics" / "measure_types.pyi"
LIST = SOURCE / "ordeval" / "measure_list.py"

LINE = 100  # as the formatter has it
START = "# --- The measures. `make door` writes what follows from the registry; do not edit it by hand. ---\n"
HEAD = """\
# What type checkers know of each measure: the settings that it takes, and what it gives back.
# `make door` writes this file from the registry; do not edit it by hand. At run time every measure is a Metric.

from collections.abc import Iterable, Sequence
from typing import Any, Literal, overload

from ordeval.metrics.agreement_weights import KappaWeights, Weights
from ordeval.metrics.core import Values
from ordeval.metrics.metric import Metric
from ordeval.ratings import Ratings
from ordeval.table import Table
"""
LIST_HEAD = '''\
"""The measures as `ordeval metrics` lists them, which loads no measure for that.

`make door` writes this file from the registry; do not edit it by hand.
"""
# ruff: noqa: E501 - a summary stays on one line

from typing import NamedTuple


class ListedMeasure(NamedTuple):
    """What a list tells of a measure."""

    name: str
    family: str
    greater_is_better: bool
    summary: str


'''
# A measure with fewer keywords than Metric, which takes any, cannot stand in for it in every call: that is its purpose.
NARROWER = "  # type: ignore[override]"


def type_name(measure: "Metric") -> str:
    """Return the name of a measure's type; measures without settings share theirs with those called in the same way."""
    if measure.parameters:
        return measure.name.title().replace("_", "")
    probabilities = "Probabilistic" if measure.takes_probabilities else ""
    reference = "WithReference" if "reference" in measure.needs else "WithoutSettings"
    return f"{probabilities}Measure{reference}"


def argument(parameter: Parameter) -> str:
    """Write one argument as Python source: its name, its type and its default."""
    from ordeval.metrics.agreement_weights import KappaWeights, Weights

    if parameter.annotation == KappaWeights:  # written out these fill three lines
        annotation = "KappaWeights"
    elif parameter.annotation in (Weights, Weights | None):
        annotation = "Weights" if parameter.annotation == Weights else "Weights | None"
    else:
        written = formatannotation(parameter.annotation)
        annotation = re.sub(r"\b(typing|collections\.abc)\.", "", written)
    text = f"{parameter.name}: {annotation}".replace("'", '"')
    if parameter.default is parameter.empty:
        return text
    return f"{text} = {parameter.default!r}".replace("'", '"')


def method(name: str, arguments: Iterable[str], result: str, mark: str = "") -> str:
    """Write one method of a class: on one line if it fits, else with an argument on each line."""
    arguments = ["self", *arguments]
    short = f"    def {name}({', '.join(arguments)}) -> {result}: ..."
    if len(short) <= LINE:
        return f"{short}{mark}\n"
    lines = "".join(f"        {each},\n" for each in arguments)
    return f"    def {name}({mark}\n{lines}    ) -> {result}: ...\n"


def overloads(measure: "Metric", name: str) -> str:
    """Write `__call__` or `from_counts` in its forms: those whose result is a number, and one that may be an array."""
    from ordeval.metrics.signature import own_signature

    parameters = own_signature(measure, name).parameters.values()
    options = [argument(part) for part in parameters if part.kind is part.KEYWORD_ONLY]
    if name == "from_counts":
        forms = [
            (["counts: Sequence[Sequence[float]]", "*", *options], "float"),
            (["counts: Any", "*", *options], "float | Values"),
        ]
    else:
        own = {*(parameter.name for parameter in measure.parameters), "reference"}
        settings = [text for text in options if text.partition(":")[0] in own]
        settings = ["*", *settings] if settings else []
        forms = [
            (["y_true: Any", "y_pred: Any", "*", *options], "float"),
            (["y_true: Ratings", *settings], "float"),
            (["y_true: Table", *settings], "float | Values"),
        ]
    marks = [NARROWER, *([""] * (len(forms) - 1))]
    return "".join(
        f"    @overload{mark}\n{method(name, arguments, result)}"
        for mark, (arguments, result) in zip(marks, forms, strict=True)
    )


def type_text(measure: "Metric") -> str:
    """Write the type of one measure."""
    from ordeval.metrics.signature import own_signature

    own, settings = type_name(measure), own_signature(measure, "with_parameters").parameters
    keywords = ["*", *map(argument, settings.values())] if settings else []
    return (
        f"class {own}(Metric):\n"
        + overloads(measure, "__call__")
        + overloads(measure, "from_counts")
        + method("with_parameters", keywords, own, NARROWER)
    )


def types_text(measures: Iterable["Metric"]) -> str:
    """Return the text of `measure_types.pyi`."""
    types = {type_name(measure): type_text(measure) for measure in measures}
    return "\n".join([HEAD, *types.values()])


def name_text(measure: "Metric", name: str = "") -> str:
    """Write the name of one measure, or another name that is given, with its type and its summary."""
    name, kind = name or measure.name, f"measure_types.{type_name(measure)}"
    return f'{name}: "{kind}"\n"""{measure.summary}"""\n'


def names_text(measures: Iterable["Metric"]) -> str:
    """Return the end of `ordeval/__init__.py`: a name for each measure, by family, and aliases."""
    from ordeval.metrics import registry
    from ordeval.metrics.names import OFFERED

    measures = list(measures)
    names = [*OFFERED, *(measure.name for measure in measures)]
    exported = "".join(f'    "{name}",\n' for name in sorted(names))
    aliases = "# other names\n" + "".join(name_text(registry[name], name) for name in OFFERED)
    families = [
        f"# {family}\n" + "".join(map(name_text, members))
        for family, members in groupby(measures, key=lambda measure: measure.family.value)
    ]
    return "\n".join([START, f"__all__ += [\n{exported}]\n", *families, aliases])


def list_text(measures: Iterable["Metric"]) -> str:
    """Return the text of `measure_list.py`."""
    listed = "".join(
        f'    (\n        "{one.name}",\n        "{one.family}",\n        {one.greater_is_better},\n'
        f'        "{one.summary}",\n    ),\n'
        for one in measures
    )
    return (
        f"{LIST_HEAD}ROWS = (\n{listed})\nMEASURES = tuple(ListedMeasure(*row) for row in ROWS)\n"
    )


def texts() -> dict[Path, str]:
    """Return what each of the files should be."""
    from ordeval.metrics import registry

    kept = DOOR.read_text(encoding="utf-8").partition(START)[0]
    measures = registry.values()
    return {
        DOOR: kept + names_text(measures),
        TYPES: types_text(measures),
        LIST: list_text(measures),
    }


def main() -> None:
    """Write the files, and name those that have changed."""
    # The door may name a measure that is gone, and would then not open: read the registry without passing through it.
    package = ModuleType("ordeval")
    package.__path__ = [str(DOOR.parent)]
    sys.modules["ordeval"] = package
    sys.path.insert(0, str(SOURCE))
    for path, text in texts().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.relative_to(SOURCE.parent)}")


if __name__ == "__main__":
    main()
