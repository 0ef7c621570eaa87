"""The policies: one signature for all that read labels, and one refusal."""

import inspect

import pytest

import ordeval as oe
from ordeval.inputs.policy import Policy, read_options

POLICIES = {
    "missing": ("error", "zero", "farthest", "drop"),
    "unknown": ("error", "missing"),
    "gold_missing": ("error", "drop"),
    "duplicates": ("error", "first"),
    "round": ("error", "nearest"),
}


@pytest.mark.parametrize(("name", "choices"), POLICIES.items())
def test_a_policy_is_one_of_a_few_words(name, choices):
    for choice in choices:
        assert getattr(Policy(**{name: choice}), name) == choice
    with pytest.raises(oe.errors.ParameterError) as caught:
        Policy(**{name: "erorr"})
    assert str(caught.value) == (
        f"{name}='erorr' is not a policy; it is one of {', '.join(choices)}. Did you mean error?"
    )
    for odd in (None, 3, ["error"]):
        with pytest.raises(oe.errors.ParameterError) as caught:
            read_options({name: odd})
        assert str(caught.value).startswith(f"{name}={odd!r} is not a policy; it is one of error, ")


def test_options_are_taken_apart_into_labels_values_and_policy():
    assert read_options({}) == (None, None, Policy())
    every = {
        "labels": [1],
        "values": [2],
        **{name: choices[-1] for name, choices in POLICIES.items()},
    }
    assert read_options(every) == ([1], [2], Policy("drop", "missing", "drop", "first", "nearest"))
    assert read_options({"missing": "zero"})[2] is read_options({"missing": "zero"})[2]


def test_an_argument_that_does_not_exist_is_refused_with_a_near_one():
    with pytest.raises(TypeError) as caught:
        oe.Table.from_labels([1], [1], mising="zero")
    assert str(caught.value) == (
        "there is no argument 'mising'; there are labels, values, missing, unknown, gold_missing, round, duplicates. "
        "Did you mean missing?"
    )


READERS = {
    oe.Table.from_labels: ["y_true", "y_pred"],
    oe.Table.from_frame: ["frame"],
    oe.Runs.from_labels: ["y_true", "systems"],
    oe.Runs.from_files: ["gold", "systems"],
    oe.Runs.from_wide: ["data"],
    oe.Runs.from_frame: ["frame"],
}
ROWS = [oe.Runs.from_files, oe.Runs.from_wide, oe.Runs.from_frame]


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.__qualname__)
def test_a_reader_shows_its_data_then_the_scale_and_the_policies_and_then_the_rest(reader):
    parameters = inspect.signature(reader).parameters
    common = ["labels", "values", "missing", "unknown", "gold_missing", "round"]
    common += ["duplicates"] if reader in ROWS else []
    data = READERS[reader]
    assert list(parameters)[: len(data) + len(common)] == data + common
    for name in common:
        assert parameters[name].kind is inspect.Parameter.KEYWORD_ONLY
        assert parameters[name].default == ("error" if name in POLICIES else None)
    assert not any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    assert "missing: Literal['error', 'zero', 'farthest', 'drop'] = 'error'" in str(
        inspect.signature(reader)
    ).replace("typing.", "")
