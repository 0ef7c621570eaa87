"""Every call of another package that a measure's guidance names, run as it stands on the running example."""

import ast
import importlib
import importlib.util
import math
import warnings

import imblearn.metrics  # noqa: F401 - the calls name these packages, and importing them takes seconds
import krippendorff  # noqa: F401
import numpy as np
import pytest
import scipy.stats  # noqa: F401
import sklearn.metrics  # noqa: F401
import statsmodels.stats.inter_rater  # noqa: F401

import ordeval as oe
from ordeval.metrics.guidance import INPUTS

ENTRIES = [each for metric in oe.registry.values() for each in metric.guidance.elsewhere]
MODULES = {
    "scikit-learn": ("sklearn.metrics", "sklearn.utils.class_weight"),
    "SciPy": ("scipy.stats", "scipy.spatial.distance"),
    "statsmodels": ("statsmodels.stats.inter_rater",),
    "imbalanced-learn": ("imblearn.metrics",),
    "krippendorff": ("krippendorff",),
    "scoringrules": ("scoringrules",),
    "torchmetrics": ("torchmetrics", "torchmetrics.clustering", "torchmetrics.nominal"),
}
# Where the other package has no value for the constant system, as its note says.
NO_CONSTANT = {"scipy.stats.somersd(gold, predicted).statistic"}


@pytest.fixture(scope="module")
def example(root):
    place = root / "docs" / "_ext" / "running_example.py"
    spec = importlib.util.spec_from_file_location("running_example", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def named(example, system):
    """Return what the names in a call stand for."""
    gold, predicted = example.items(system)
    counts = np.array(example.SYSTEMS[system][0])
    each = np.eye(len(example.CLASSES), dtype=int)
    found = {
        "gold": gold,
        "predicted": predicted,
        "classes": example.CLASSES,
        "counts": counts,
        "ratings": np.column_stack([gold, predicted]),
        "votes": each[gold - 1] + each[predicted - 1],
        "probabilities": example.probabilities(system),
        "soft_gold": example.soft_gold(),
        "gold_shares": counts.sum(axis=1) / counts.sum(),
        "predicted_shares": counts.sum(axis=0) / counts.sum(),
    }
    assert set(found) == set(INPUTS)
    return found


def package(name):
    return name.partition(".")[0]


def value_of(call, library, names):
    """Return what a call gives, with the packages that it names."""
    for name in MODULES[library]:
        importlib.import_module(name)
    loaded = {name: importlib.import_module(name) for name in map(package, MODULES[library])}
    with np.errstate(invalid="ignore", divide="ignore"):
        return float(eval(call, {**names, **loaded, "math": math}))  # noqa: S307 - our own text


def entries(*libraries):
    chosen = [each for each in ENTRIES if each.library in libraries]
    return pytest.mark.parametrize("each", chosen, ids=[f"{e.measure}: {e.call}" for e in chosen])


def compare(example, each, theirs_of, close=1e-9):
    ours = example.scores(oe.registry[each.measure])
    compared = 0
    for system, value in ours.items():
        if math.isnan(value) or (system == "constant" and each.call in NO_CONSTANT):
            continue
        assert theirs_of(system) == pytest.approx(value, rel=close, abs=close), system
        compared += 1
    assert compared >= 5


@pytest.mark.usefixtures("scoringrules")
@entries(*(set(MODULES) - {"torchmetrics"}))
def test_a_call_of_another_package_gives_our_value(each, example):
    compare(example, each, lambda one: value_of(each.call, each.library, named(example, one)))


@pytest.mark.full
@entries("torchmetrics")
def test_a_call_of_torchmetrics_gives_our_value(each, example):
    import torch

    def theirs(system):
        names = named(example, system)
        for name in ("gold", "predicted"):
            names[name] = names[name] - 1 if "classes count from 0" in each.note else names[name]
        tensors = {
            name: torch.as_tensor(value) if isinstance(value, np.ndarray) else value
            for name, value in names.items()
        }
        return value_of(each.call, each.library, tensors)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its memory, and of sparse tensors
        compare(example, each, theirs, close=1e-5)  # it computes in 32 bits


@pytest.mark.later
@pytest.mark.later
def test_calls_of_irrcac_give_our_values(example, irrcac):
    chosen = [each for each in ENTRIES if each.library == "irrCAC"]
    assert len(chosen) >= 5
    cases = [
        {
            "ratings": named(example, system)["ratings"].tolist(),
            "categories": example.CLASSES,
            **parts(each.call),
        }
        for each in chosen
        for system in example.SYSTEMS
    ]
    ours = [
        example.scores(oe.registry[each.measure])[one] for each in chosen for one in example.SYSTEMS
    ]
    assert irrcac(cases) == pytest.approx(ours, rel=1e-9, abs=1e-9)


def parts(call):
    """Return the weights and the method of a call of irrCAC, which lives in an environment of its own."""
    shown = ast.parse(call, mode="eval").body
    assert call.endswith('()["est"]["coefficient_value"]')  # which irrcac.py reads, too
    outer = shown.value.value
    inner = outer.func.value
    assert ast.unparse(inner.func) == "irrCAC.raw.CAC"
    weights = {each.arg: each.value for each in inner.keywords}["weights"]
    return {"weights": ast.literal_eval(weights), "coefficient": outer.func.attr}
