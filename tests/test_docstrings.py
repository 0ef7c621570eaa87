"""Every example in a docstring prints what it shows."""

import ast
import contextlib
import doctest
import importlib
import re

import pytest

import ordeval as oe
from tests.examples import grid
from tests.frameworks import FRAMEWORKS
from tests.reference import api_source

OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
# what `make test-full` and `make test-frameworks` install, and what takes more than two seconds
MARKS = {
    r"adapters\.(torch|torchmetrics|torch_counts):": pytest.mark.full,
    r"adapters\.(inspect_ai|lm_eval|mlflow):": FRAMEWORKS,
    r"paper\.one_page:page": pytest.mark.full,
    # whole pages, and simulations
    r"ordeval\.report(:$|\.(page|judges|agreement):)": pytest.mark.slow,
    r"paper\.section54:": pytest.mark.slow,
}
DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def docstrings(body, prefix=""):
    """Give each docstring below a node of source with its name; the string below a constant counts as its docstring."""
    for part, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(part, DEFINITIONS):
            name = f"{prefix}{part.name}"
            yield name, ast.get_docstring(part) or ""
            yield from docstrings(part.body, f"{name}.")
        elif isinstance(part, ast.Assign | ast.AnnAssign) and isinstance(after, ast.Expr):
            target = part.targets[0] if isinstance(part, ast.Assign) else part.target
            if isinstance(after.value, ast.Constant):
                yield f"{prefix}{ast.unparse(target)}", str(after.value.value)


def examples():
    """Give each docstring that has an example: its module, its name and its text."""
    root = api_source.PACKAGE
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        module = ".".join(["ordeval", *(part for part in parts if part != "__init__")])
        if ">>>" not in api_source.text_of(module):
            continue  # to read all files as Python would takes a second
        tree = api_source.tree_of(module)
        for name, text in [("", ast.get_docstring(tree) or ""), *docstrings(tree.body)]:
            if ">>>" in text:
                mark = next(
                    (m for need, m in MARKS.items() if re.search(need, f"{module}:{name}")), ()
                )
                yield pytest.param(module, text, marks=mark, id=f"{module}:{name}".rstrip(":"))


EXAMPLES = list(examples())


@grid("module,text", EXAMPLES, every=2)
def test_the_example_of_a_docstring_prints_what_it_shows(module, text, tmp_path):
    """As a reader would type it, who has imported `ordeval as oe` and the module."""
    names = {**vars(importlib.import_module(module)), "oe": oe, "__name__": "__main__"}
    test = doctest.DocTestParser().get_doctest(text, names, module, None, 0)
    report: list[str] = []
    with contextlib.chdir(tmp_path):
        doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=report.append)
    assert not report, "".join(report)


def test_the_examples_of_measures_constants_modules_and_methods_are_found():
    found = {example.id for example in EXAMPLES}
    assert found >= {
        "ordeval.metrics.error:mae",
        "ordeval.simulate.mistakes:KINDS",
        "ordeval.judge",
        "ordeval.table.table:Table.from_labels",
    }


def test_no_line_of_an_example_is_wider_than_a_page():
    """88 characters fit the column of the site, with the prompt of four."""
    wide = [
        f"{example.id}: {line}"
        for example in EXAMPLES
        for one in doctest.DocTestParser().get_examples(example.values[1])
        for line in (*(f">>> {line}" for line in one.source.splitlines()), *one.want.splitlines())
        if len(line) > 88
    ]
    assert not wide, "\n".join(wide)
