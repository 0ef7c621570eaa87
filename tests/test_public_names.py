"""Every public name is described: in its docstring, with an example, and on one page of the reference."""

import ast
import builtins
import importlib
import inspect
import re

import pytest

import ordeval as oe
from tests.reference import api, api_source, api_topics

ADAPTERS = list(api_topics.ADAPTERS)
MODULES = [name for name, (_, attribute) in oe.LAZY.items() if attribute is None]
MEASURES = [name for name in oe.__all__ if name in oe.registry]
# Each name and where its source is; the gallery has the examples of charts.
NAMES = {
    **{f"ordeval.{name}": ("ordeval", name) for name in oe.__all__ if name not in MEASURES},
    **{
        f"{module}.{name}": (module, name)
        for module in [*(oe.LAZY[name][0] for name in MODULES), "ordeval.report", *ADAPTERS]
        for name in api_source.names_of(module)
    },
}
CHARTS = {f"ordeval.report.plot.{name}" for name in oe.plot.__all__}
RESULTS = [name for topic in api_topics.TOPICS for name in topic.names if name not in NAMES]
DESCRIBED = sorted({*NAMES, *RESULTS} - {"ordeval.__version__"})
CLASSES = [name for name in DESCRIBED if api_topics.source_of(name).is_class]
# Classes that people hold in their hands: each of their methods has an example.
WITH_EXAMPLES = {"Table", "Scale", "Ratings", "Runs"}
# Functions with many arguments, whose docstrings list the meaning of each.
LONG = [
    *("ordeval.evaluate", "ordeval.compare", "ordeval.plan", "ordeval.gate", "ordeval.agree"),
    *(
        f"ordeval.judge.{name}"
        for name in ("validate", "correct", "correct_scores", "alt_test", "plan")
    ),
    *("ordeval.decide.fit", "ordeval.decide.cut", "ordeval.decide.sets"),
    *("ordeval.meta.study", "ordeval.meta.coverage", "ordeval.properties.check", "ordeval.measure"),
]
CONSTRUCTORS = {
    "ordeval.Table": ("from_labels", "from_soft", "from_counts", "from_file", "from_frame"),
    "ordeval.Runs": ("from_labels", "from_files", "from_wide", "from_frame"),
    "ordeval.Ratings": ("from_array", "from_frame", "from_wide", "from_file"),
}


def complaints(name: str, doc: str, *, example: bool = True) -> list[str]:
    """Say what a docstring lacks."""
    first = doc.split("\n\n", maxsplit=1)[0]
    found = [] if doc else [f"{name} has no docstring"]
    found += (
        [] if first.endswith((".", "?")) or not doc else [f"{name}: '{first}' has no full stop"]
    )
    return found + ([f"{name} has no example"] if doc and example and ">>>" not in doc else [])


def shown(source: api_source.Source) -> list[api_source.Member]:
    """Return the members of a class that its page promises."""
    attributes, methods = api.shown_members(source)
    return [*attributes, *methods]


def test_every_public_name_has_a_docstring_with_an_example():
    lacking = [
        complaint
        for name in DESCRIBED
        for complaint in complaints(name, api_topics.source_of(name).doc)
    ]
    lacking += [
        complaint
        for name in [*(oe.LAZY[name][0] for name in MODULES), "ordeval.report"]
        for complaint in complaints(name, api_source.module_doc(name))
    ]
    lacking += [
        complaint
        for name in MEASURES
        for complaint in complaints(name, oe.registry[name].__doc__ or "")
    ]
    assert not lacking, "\n".join(lacking)
    assert len(DESCRIBED) + len(MODULES) + len(MEASURES) > 200


def test_every_member_of_a_public_class_is_described_in_a_line():
    lacking = [
        complaint
        for name in CLASSES
        for member in shown(api_topics.source_of(name))
        for complaint in complaints(f"{name}.{member.name}", member.doc, example=False)
    ]
    assert not lacking, "\n".join(lacking)


def test_the_methods_of_the_main_classes_and_the_named_constructors_have_examples():
    lacking = [
        f"{name}.{member.name}"
        for name in CLASSES
        for member in shown(api_topics.source_of(name))
        if member.kind not in {"field", "property"}
        and (name.rpartition(".")[2] in WITH_EXAMPLES or member.name.startswith("from_"))
        and ">>>" not in member.doc
    ]
    assert not lacking


def test_what_python_shows_is_what_the_source_says():
    """`help` reads the docstring of the object, and the reference that of the source."""
    for name in set(NAMES) - {"ordeval.__version__"}:
        module, attribute = NAMES[name]
        if module in ADAPTERS:
            continue
        found = getattr(importlib.import_module(module), attribute)
        if isinstance(found, tuple) or type(found).__name__ == "mappingproxy":
            continue  # Python keeps no docstrings of constants
        written = api_topics.source_of(name).doc
        assert (inspect.getdoc(found) or "").split("\n")[0] == written.split("\n")[0], name


# --- the arguments that a docstring lists ---


def listing():
    """Give every function and method of the reference whose docstring lists its arguments."""
    for name in DESCRIBED:
        source = api_topics.source_of(name)
        for described in (source, *source.members):
            if described.meanings:
                yield f"{name}.{described.name}", described


def test_a_docstring_that_lists_arguments_lists_them_all_in_their_order():
    for name, described in listing():
        taken = [argument.name for argument in described.arguments if argument.name]
        assert list(described.meanings) == taken, name


def test_the_docstrings_of_long_functions_list_their_arguments():
    for name in LONG:
        assert api_topics.source_of(name).meanings, name
    for owner, methods in CONSTRUCTORS.items():
        known = {member.name: member for member in api_topics.source_of(owner).members}
        for name in methods:
            assert known[name].meanings, f"{owner}.{name}"


@pytest.mark.parametrize(
    "function",
    [
        oe.compare,
        oe.evaluate,
        oe.gate,
        oe.Table.from_labels,
        oe.Runs.from_files,
        oe.Ratings.from_file,
    ],
)
def test_help_shows_the_meaning_of_every_argument_once(function):
    """Also of those that many functions have in common, which are written in one place."""
    taken = set(inspect.signature(function).parameters) - {"cls"}
    listed = re.findall(r"^- `(\w+)`: ", inspect.getdoc(function), re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert set(listed) == taken


# --- the pages ---


@pytest.fixture(scope="module")
def pages():
    return api.pages()


def described_on(page: str) -> list[str]:
    """Return the names that a page describes: those that begin a directive, without methods of classes."""
    return re.findall(r"^:::+\{py:(?:function|class|data)\} ([\w.]+)", page, re.MULTILINE)


def test_every_public_name_is_on_exactly_one_page(pages):
    """A name that two modules have is described once, under one of them."""
    found: dict[tuple[str, str], list[str]] = {}
    for file, text in pages.items():
        for name in map(as_in_source, described_on(text)):
            if name in DESCRIBED:
                found.setdefault(api_topics.place(name), []).append(file)
    wanted = {
        api_topics.place(name)
        for name in DESCRIBED
        if name not in api_topics.ELSEWHERE and not name.startswith("ordeval.errors.")
    }
    assert set(found) == wanted
    assert [place for place, files in found.items() if len(files) != 1] == []
    assert "ordeval.__version__" in described_on(pages["index.md"])


def as_in_source(name: str) -> str:
    """Return the name of a chart by the module that has it."""
    return name.replace("ordeval.plot.", "ordeval.report.plot.")


def test_every_module_is_on_exactly_one_page(pages):
    for name in {f"ordeval.{name}" for name in MODULES} - set(api_topics.ELSEWHERE):
        holds = [file for file, text in pages.items() if f"{{py:module}} {name}\n" in text]
        assert len(holds) == 1, (name, holds)


def test_every_class_that_a_public_function_returns_is_on_a_page(pages):
    """What comes back can be looked up; reproductions of a paper are only there to be printed."""
    on_pages = {name.rpartition(".")[2] for text in pages.values() for name in described_on(text)}
    returned = set()
    for name in set(NAMES) - CHARTS:
        source = api_topics.source_of(name) if name != "ordeval.__version__" else None
        if source and not source.module.startswith("ordeval.paper"):
            kind = source.returns
            known = kind.isidentifier() and api.exists(source.module, kind)
            if known and api_source.find(source.module, kind).is_class:
                returned.add(kind)
    assert {"Comparison", "Evaluation", "Gate", "Plan", "Agreement", "Study"} <= returned
    assert returned <= on_pages


def test_the_reference_shows_shared_keywords_one_by_one_with_their_choices(pages):
    assert (
        '| `missing` | `"error"`, `"zero"`, `"farthest"`, `"drop"` | `"error"` |'
        in pages["scores.md"]
    )
    assert "Unpack[" not in "".join(pages.values())


def sessions(pages):
    """Give every example of the reference, and where it is shown."""
    for file, text in pages.items():
        for block in re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            yield f"{file} {block.splitlines()[-1][:40]}", block


def test_every_example_on_a_page_imports_what_it_uses(pages):
    """The tests of docstrings run it beside its module; a reader has the page alone."""
    for where, block in sessions(pages):
        code = "\n".join(line[4:] for line in block.splitlines() if line[:4] in {">>> ", "... "})
        tree = ast.parse(code)
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        made = {
            n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        made |= {a.asname or a.name for a in ast.walk(tree) if isinstance(a, ast.alias)}
        made |= {d.name for d in ast.walk(tree) if isinstance(d, ast.FunctionDef)}
        made |= {a.arg for a in ast.walk(tree) if isinstance(a, ast.arg)}
        made |= {h.name for h in ast.walk(tree) if isinstance(h, ast.ExceptHandler)}
        assert used <= made | set(vars(builtins)), f"{where}: {used - made - set(vars(builtins))}"


def test_titles_are_the_names_that_people_look_for(pages):
    for file, titles in {
        "scores.md": ["evaluate", "compare", "plan", "gate"],
        "tables.md": ["Table", "Scale"],
        "runs.md": ["Runs"],
        "adapters.md": ["scikit-learn", "scorer", "MLflow"],
    }.items():
        found = re.findall(r"^##+ (.*)$", pages[file], re.MULTILINE)
        assert set(titles) <= set(found)
    assert "{py:method} from_files(" in pages["runs.md"]


def test_no_page_has_markup_of_another_language(pages):
    """Docstrings are Markdown, so that no reStructuredText may slip in."""
    for file, text in pages.items():
        assert not re.search(r"``[^`\n]+``|:param |:returns:|^-{4,}$", text, re.MULTILINE), file
