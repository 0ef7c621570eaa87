"""What `import ordeval` loads and offers: to Python, to `help`, to an editor, to `import *`."""

import importlib
import inspect
import json
import pydoc
import subprocess
import sys

import pytest

import ordeval as oe
from tools import write_door

HEAVY = [
    "scipy",
    "pandas",
    "polars",
    "pyarrow",
    "duckdb",
    "rich",
    "jinja2",
    "altair",
    "narwhals",
    "click",
    "sklearn",
    "torch",
]


def modules_after(code):
    report = f"import sys, json\n{code}\nprint(json.dumps(sorted(sys.modules)))"
    out = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    assert not out.stderr
    return set(json.loads(out.stdout))


TABLE = """
t = ordeval.Table.from_labels([1, 2], [1, 2])
str(t), t.to_json(), [metric(t) for metric in ordeval.registry.values()]
"""


@pytest.mark.parametrize(
    "code",
    ["import ordeval; ordeval.cem_ord([1, 2], [1, 2])", f"import ordeval{TABLE}"],
    ids=["one measure", "a table and all measures"],
)
def test_numpy_is_loaded_and_nothing_heavier(code):
    loaded = modules_after(code)
    assert "numpy" in loaded
    assert not loaded & set(HEAVY)


def test_the_package_itself_loads_none_of_its_parts_before_it_is_asked_for_one():
    assert {name for name in modules_after("import ordeval") if name.startswith("ordeval")} == {
        "ordeval",
        "ordeval.__about__",
    }


def test_the_names_and_types_of_the_measures_are_those_that_make_door_writes():
    for path, text in write_door.texts().items():
        assert path.read_text(encoding="utf-8") == text, f"run `make door`: {path} is out of date"


def test_every_name_that_the_package_offers_exists():
    for name in oe.__all__:
        assert hasattr(oe, name), name
    with pytest.raises(AttributeError, match="no attribute 'cem_odr'"):
        oe.cem_odr  # noqa: B018


def test_an_editor_is_offered_the_measures_the_functions_and_the_modules():
    modules = {"decide", "errors", "judge", "meta", "paper", "plot", "properties", "simulate"}
    assert {*oe.registry, *modules, "compare", "evaluate", "plan", "Runs"} <= set(dir(oe))
    for name in modules:
        assert inspect.ismodule(getattr(oe, name))


def test_a_star_import_brings_the_measures_and_the_functions_and_no_charts():
    bringing = "from ordeval import *\nimport ordeval as oe\nassert {*oe.__all__} <= {*globals()}"
    loaded = modules_after(f"{bringing}\nassert {{*oe.registry}} <= {{*globals()}}\ncompare, Runs")
    assert "altair" not in loaded  # an extra, which a user may not have


SIGNATURES = {
    "mae": "(y_true, y_pred=None, *, labels=None, values=None, missing='error', unknown='error', "
    "gold_missing='error', round='error', sample_weight=None, count=None)",
    "cem_ord": "(y_true, y_pred=None, *, labels=None, values=None, missing='error', unknown='error', "
    "gold_missing='error', round='error', sample_weight=None, count=None, reference=None)",
    "weighted_kappa": "(y_true, y_pred=None, *, weights='linear', labels=None, values=None, missing='error', "
    "unknown='error', gold_missing='error', round='error', sample_weight=None, count=None)",
    "ordinal_classification_index": "(y_true, y_pred=None, *, beta=0.75, gamma=1.0, labels=None, values=None, "
    "missing='error', unknown='error', gold_missing='error', round='error', sample_weight=None, count=None)",
    "expected_cem": "(y_true, y_pred=None, *, labels=None, values=None, missing='error', unknown='error', "
    "gold_missing='error', round='error', sample_weight=None, count=None, reference=None)",
    "proximity": "(y_true, *, labels=None, values=None, sample_weight=None, count=None, scale_type='ordinal')",
}


@pytest.mark.parametrize(("name", "shown"), SIGNATURES.items())
def test_a_measure_has_the_signature_of_what_it_takes(name, shown):
    signature = inspect.signature(getattr(oe, name))
    bare = [part.replace(annotation=part.empty) for part in signature.parameters.values()]
    assert str(inspect.Signature(bare)) == shown


def test_a_signature_names_the_words_that_a_setting_and_a_policy_may_be():
    shown = str(inspect.signature(oe.weighted_kappa))
    assert "weights: Union[Literal['linear', 'quadratic', 'identity']," in shown or (
        "weights: Literal['linear', 'quadratic', 'identity'] |" in shown
    )
    assert "missing: Literal['error', 'zero', 'farthest', 'drop'] = 'error'" in shown
    quadratic = oe.weighted_kappa.with_parameters(weights="quadratic")
    assert inspect.signature(quadratic).parameters["weights"].default == "quadratic"


@pytest.mark.parametrize("name", [*oe.registry, "proximity"])
def test_help_shows_a_measure_as_a_function_with_its_own_docstring(name):
    measure = getattr(oe, name)
    page = pydoc.plain(pydoc.render_doc(measure))
    # Python 3.13 breaks a long signature into lines, and earlier versions indent blank lines: leave all blanks out
    shown = f"{name}{inspect.signature(measure)}{inspect.getdoc(measure)}"
    assert "".join(page.split()).endswith("".join(shown.split()))


def test_the_class_of_measures_has_a_docstring_and_a_signature_of_its_own():
    assert oe.Metric.__doc__.startswith("A measure of the registry")
    assert oe.Metric.__doc__ != oe.cem_ord.__doc__ != oe.mae.__doc__
    assert "greater_is_better" in inspect.signature(oe.Metric).parameters
    assert "def cem_ord" in inspect.getsource(oe.cem_ord)


def test_a_measure_as_an_attribute_of_a_class_is_the_measure():
    class Experiment:
        measure = oe.mae

    assert Experiment.measure is Experiment().measure is oe.mae
    assert Experiment().measure([1, 2], [1, 3]) == 0.5  # off by 1 in one of two items


@pytest.mark.parametrize(
    ("adapter", "package", "extra"),
    [
        ("torch", "torch", "torch"),
        ("inspect_ai", "inspect_ai", "inspect"),
        ("lm_eval", "lm_eval", "lm-eval"),
        ("mlflow", "mlflow", "mlflow"),
    ],
)
def test_an_adapter_without_its_package_says_which_extra_to_install(
    monkeypatch, adapter, package, extra
):
    monkeypatch.setitem(sys.modules, package, None)  # as if it were not installed
    monkeypatch.delitem(sys.modules, f"ordeval.adapters.{adapter}", raising=False)
    with pytest.raises(oe.errors.MissingPackageError, match=rf"pip install 'ordeval\[{extra}\]'"):
        importlib.import_module(f"ordeval.adapters.{adapter}")
