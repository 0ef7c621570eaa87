"""What `import ordeval` loads, in a fresh process."""

import json
import subprocess
import sys

import pytest

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
    ["import ordeval", "import ordeval; ordeval.cem_ord([1, 2], [1, 2])", f"import ordeval{TABLE}"],
    ids=["import", "one measure", "a table and all measures"],
)
def test_numpy_is_loaded_and_nothing_heavier(code):
    loaded = modules_after(code)
    assert "numpy" in loaded
    assert not loaded & set(HEAVY)


def test_every_name_that_the_package_offers_is_there():
    import ordeval as oe

    for name in oe.__all__:
        assert hasattr(oe, name), name
    assert set(oe.registry) <= set(dir(oe))
    with pytest.raises(AttributeError, match="no attribute 'cem_odr'"):
        oe.cem_odr  # noqa: B018
