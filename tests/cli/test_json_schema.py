"""docs/reference/ordeval.schema.json describes what every command prints as JSON, and nothing else."""

import contextlib
import copy
import json
from functools import cache

import pytest
from jsonschema import Draft202012Validator

from ordeval.cli import COMMANDS
from ordeval.comparison.pairs import OUTCOMES
from ordeval.formats.json import SCHEMA
from ordeval.inputs.policy import CHOICES
from ordeval.judge.method_names import METHODS
from tests.cli.json_outputs import AT_LENGTH, FILES, LINES, make_files, outputs_of
from tests.conftest import ROOT
from tests.examples import grid

WHOLE = json.loads((ROOT / "docs/reference/ordeval.schema.json").read_text(encoding="utf-8"))
PARTS = WHOLE["$defs"]
VALID = Draft202012Validator(WHOLE)

# The parts of the schema that each kind of output is described by, besides the part with its own name.
ROOTS = {
    "score": ["score_command"],
    "decide": ["decision", "cut_points", "sets"],
    "reproduce": ["appendix_a", "figure1"],
    AT_LENGTH: ["table2", "table3", "robustness", "sakai2021", "page"],
    FILES: ["gate_record", "ratings"],
}
# Each kind is tried by several commands, most of which read several files.
KINDS = grid(
    "kind",
    [pytest.param(kind, marks=[pytest.mark.slow] if kind == AT_LENGTH else []) for kind in LINES],
    every=3,
)


def names_in(schema):
    """The parts that a schema refers to."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].rpartition("/")[2]
        for inner in schema.values():
            yield from names_in(inner)
    for inner in schema if isinstance(schema, list) else ():
        yield from names_in(inner)


def owned_parts():
    """The parts of each kind of output; what several kinds are made of belongs to the first of them."""
    found, owned = set(), {}
    for kind in LINES:
        waiting, owned[kind] = list(ROOTS.get(kind, [kind])), set()
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                owned[kind].add(name)
                waiting += names_in(PARTS[name])
    return owned


OWNED = owned_parts()


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """A function from a kind of output to command lines with what they printed; each line runs once."""
    folder = tmp_path_factory.mktemp("json")
    make_files(folder)

    @cache
    def outputs(kind):
        with contextlib.chdir(folder):
            return outputs_of(kind)

    return outputs


def described_keys(schema, where):
    """Every key that a part of the schema describes, as `where.key`."""
    for key, inner in schema.get("properties", {}).items():
        yield f"{where}.{key}"
        yield from described_keys(inner, f"{where}.{key}")


def used_keys(schema, value, where, seen):
    """Add the keys that a value has, as `where.key`."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        used_keys(PARTS[name], value, name, seen)
    for inner in (*schema.get("allOf", ()), *schema.get("anyOf", ())):
        if VALID.evolve(schema=inner).is_valid(value):
            used_keys(inner, value, where, seen)
    if isinstance(value, dict):
        described = schema.get("properties", {})
        for key, inner in value.items():
            if key in described:
                seen.add(f"{where}.{key}")
                used_keys(described[key], inner, f"{where}.{key}", seen)
            elif isinstance(schema.get("additionalProperties"), dict):
                used_keys(schema["additionalProperties"], inner, where, seen)
    if isinstance(value, list) and "items" in schema:
        for inner in value:
            used_keys(schema["items"], inner, where, seen)


def branch_of(output):
    """The part of the schema that an output selects."""
    (then,) = [
        one["then"] for one in WHOLE["allOf"] if VALID.evolve(schema=one["if"]).is_valid(output)
    ]
    return then


def objects_in(value, path=()):
    """The path to every object inside a value."""
    if isinstance(value, dict):
        yield path
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inner, dict | list):
            yield from objects_in(inner, (*path, key))


def at(value, path):
    for key in path:
        value = value[key]
    return value


def test_the_schema_is_a_schema_of_the_number_that_results_have():
    Draft202012Validator.check_schema(WHOLE)
    assert WHOLE["properties"]["schema"]["const"] == SCHEMA


@KINDS
def test_what_a_command_prints_is_what_the_schema_describes(kind, printed):
    wrong = {
        line: [f"{list(error.absolute_path)}: {error.message[:200]}" for error in VALID.iter_errors(output)]
        for line, output in printed(kind)
    }  # fmt: skip
    assert not any(wrong.values()), wrong


@KINDS
def test_every_key_that_the_schema_describes_is_printed_by_some_command(kind, printed):
    """A key that nothing prints would be a promise that nobody keeps."""
    seen = set()
    for _, output in printed(kind):
        used_keys(branch_of(output), output, "", seen)
    described = {key for name in OWNED[kind] for key in described_keys(PARTS[name], name)}
    assert not described - seen, sorted(described - seen)


def test_every_part_of_the_schema_belongs_to_some_output():
    assert set.union(*OWNED.values()) == set(PARTS)


def test_every_command_that_writes_json_is_tried():
    tried = {line.split()[0] for lines in LINES.values() for line in lines}
    assert tried == set(COMMANDS) - {"report", "demo"}  # which write pages


@grid("kind", ["evaluate", "check", "agree", "correct", "gate", "compare", "table"], every=4)
def test_an_object_with_one_key_more_is_refused(kind, printed):
    """Wherever the keys are fixed: the keys of scores are names of measures."""
    output = printed(kind)[1][1]
    free = set()
    for path in objects_in(output):
        changed = copy.deepcopy(output)
        at(changed, path)["surprise"] = 1
        if VALID.is_valid(changed):
            free.add(str(path[-1]))
    # the only objects whose keys are names, and whose values are plain numbers
    assert free <= {"scores", "left_out", "value_of", "expected_of"}


@grid("kind", ["evaluate", "metrics", "compare", "agree", "gate"], every=3)
def test_an_output_without_one_of_its_keys_is_refused(kind, printed):
    output = printed(kind)[0][1]
    for key in output:
        assert not VALID.is_valid({name: part for name, part in output.items() if name != key}), key


def test_an_output_of_an_unknown_command_or_kind_is_refused():
    head = {"schema": SCHEMA, "ordeval": "0.1.0"}
    assert not VALID.is_valid(head)
    assert not VALID.is_valid({**head, "command": "guess"})
    assert not VALID.is_valid({**head, "kind": "guess"})
    assert not VALID.is_valid({**head, "command": "decide", "kind": "guess"})


def test_every_key_is_described_in_a_sentence():
    def descriptions(schema, where):
        yield where, schema.get("description", "")
        for key, inner in schema.get("properties", {}).items():
            yield from descriptions(inner, f"{where}.{key}")

    told = dict(
        pair for name, part in PARTS.items() for pair in descriptions(part, name) if pair[0] != "schema"
    )  # fmt: skip
    wrong = {
        where: text for where, text in told.items() if not text[:1].isupper() or text[-1] != "."
    }
    assert not wrong, wrong


def test_the_words_that_the_schema_allows_are_those_of_the_code():
    policy = {name: tuple(key["enum"]) for name, key in PARTS["policy"]["properties"].items()}
    assert policy == {name: CHOICES[name] for name in policy}
    outcomes = PARTS["pair"]["properties"]["outcome"]["enum"]
    assert {*outcomes} == {*OUTCOMES, "undecided", "equivalent", None}
    methods = PARTS["correct"]["properties"]["method"]["enum"]
    assert {*methods} == {*METHODS, "human"}
