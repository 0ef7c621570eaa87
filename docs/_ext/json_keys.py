"""The directive `json-keys`: the keys of one command's JSON, from docs/reference/ordeval.schema.json.

An argument names a section of SECTIONS, or `shared`: the parts that several sections refer to.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

SCHEMA = Path(__file__).parents[1] / "reference" / "ordeval.schema.json"

# The parts of the schema that each section begins with; the parts that these refer to follow.
SECTIONS = {
    "evaluate": ["evaluate"],
    "compare": ["compare"],
    "gate": ["gate", "gate_record"],
    "check": ["check"],
    "agree": ["agree"],
    "judge": ["judge"],
    "correct": ["correct"],
    "decide": ["decision", "cut_points", "sets"],
    "score": ["score_command"],
    "count": ["table"],
    "ratings": ["ratings"],
    "metrics": ["metrics"],
    "properties": ["properties"],
    "meta": ["meta"],
    "reproduce": ["appendix_a", "figure1", "table2", "table3", "robustness", "sakai2021", "page"],
}
SHARED = "shared"
WORDS = {
    "number": "number",
    "integer": "whole number",
    "string": "text",
    "boolean": "true or false",
    "null": "null",
    "object": "object",
    "array": "list",
}
PLURALS = {"number": "numbers", "integer": "whole numbers", "string": "texts"}


@cache
def parts() -> dict[str, Any]:
    """Return the parts of the schema by name."""
    found: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))["$defs"]
    return found


def name_in(reference: str) -> str:
    """Return the name of the part that a reference is to."""
    return reference.rpartition("/")[2]


def names_in(schema: Any) -> Iterator[str]:
    """Yield the parts that a schema refers to, in order."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield name_in(schema["$ref"])
        for inner in schema.values():
            yield from names_in(inner)
    for inner in schema if isinstance(schema, list) else ():
        yield from names_in(inner)


def reached(roots: Iterable[str]) -> list[str]:
    """Return some parts and all that they are made of, in the order in which they are met."""
    found: dict[str, None] = {}
    waiting = list(roots)
    while waiting:
        name = waiting.pop(0)
        if name not in found:
            found[name] = None
            waiting += names_in(parts()[name])
    return list(found)


@cache
def parts_of(section: str) -> list[str]:
    """Return the parts that a section describes."""
    every = {name: reached(roots) for name, roots in SECTIONS.items()}
    uses = Counter(part for found in every.values() for part in found)
    if section == SHARED:
        shared = [part for found in every.values() for part in found if uses[part] > 1]
        return list(dict.fromkeys(shared))
    return [part for part in every[section] if uses[part] == 1]


def kind_of(schema: dict[str, Any], *, many: bool = False) -> str:
    """Say in words what a value is; a part that has keys of its own is a link to them."""
    match schema:
        case {"$ref": reference}:
            name = name_in(reference)
            return f"[{name.replace('_', ' ')}](#json-{name.replace('_', '-')})"
        case {"const": word}:
            return f"`{json.dumps(word)}`"
        case {"enum": allowed}:
            return ", ".join(f"`{json.dumps(one)}`" for one in allowed)
        case {"anyOf": ways}:
            return " or ".join(kind_of(one, many=many) for one in ways)
    return plain_kind(schema, many=many)


def plain_kind(schema: dict[str, Any], *, many: bool) -> str:
    """Say in words of which types a value may be."""
    match schema:
        case {"type": "array", "items": items}:
            return f"{'lists' if many else 'list'} of {kind_of(items, many=True)}"
        case {"type": "object", "additionalProperties": dict(inner)}:
            return f"object of {kind_of(inner, many=True)} by name"
    kinds = schema.get("type", "any value")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    words = WORDS | (PLURALS if many else {})
    return " or ".join(words.get(kind, kind) for kind in kinds)


def entry(name: str, schema: dict[str, Any], *, optional: bool) -> str:
    """Return the entry of one key in a definition list."""
    sometimes = ", optional" if optional else ""
    return f"`{name}` ({kind_of(schema)}{sometimes})\n: {schema['description']}"


def described(name: str) -> str:
    """Return one part of the schema as Markdown: what it is, and its keys."""
    part = parts()[name]
    required = part.get("required", ())
    keys = [
        entry(key, schema, optional=key not in required)
        for key, schema in part.get("properties", {}).items()
    ]
    also = [f"It also has the keys of {kind_of(one)}." for one in part.get("allOf", ())]
    kinds = [] if keys or also else [f"It is {kind_of(part)}."]
    head = f"**{name.replace('_', ' ')}**: {part['description']} {' '.join([*also, *kinds])}"
    return "\n\n".join([f"(json-{name.replace('_', '-')})=", head.strip(), *keys])


class JsonKeys(SphinxDirective):
    """Write the parts of one section."""

    required_arguments = 1
    has_content: ClassVar[bool] = False

    def run(self) -> list[nodes.Node]:
        """Return the parts as nodes."""
        self.env.note_dependency(str(SCHEMA))
        text = "\n\n".join(described(name) for name in parts_of(self.arguments[0]))
        box = nodes.container()
        self.state.nested_parse(StringList(text.splitlines(), str(SCHEMA)), 0, box)
        return box.children


def setup(app: Sphinx) -> dict[str, bool]:
    """Give Sphinx the directive."""
    app.add_directive("json-keys", JsonKeys)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
