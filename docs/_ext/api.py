"""Write docs/reference/api/: the reference of the Python API, from the source and its docstrings.

Sphinx calls `setup`; nothing else here needs Sphinx, so that tests read the pages without it.
"""

import ast
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from api_source import Argument, Member, Source, find, module_doc, split
from api_topics import ADAPTERS, TOPICS, Topic, internal, names_on, source_of
from written_pages import write_pages

if TYPE_CHECKING:
    from docutils.nodes import Element
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

ARRAYS = re.compile(r"\b(Array|Values|Counts|npt\.NDArray\[[\w.]+\])(?!\w)")
ALIAS = re.compile(r"(?<![\w.\"])[A-Z]\w+(?![\w\"])")
EVERY_RESULT = "to_dict to_json to_text to_csv to_markdown to_latex sheet sheets csv_sheet pieces"
INTRODUCTION = """# Python API

Look up here what each function takes and gives back. The text is that of the docstrings, which `help(oe.compare)`
shows as well, and the tests run every example. All examples begin with

```python
>>> import ordeval as oe
```

The measures, such as `oe.cem_ord` and `oe.mae`, have [pages of their own](../../measures/index.md)."""
VERSION = """## Version

:::{py:data} ordeval.__version__
:type: str

The version of the package, as text.
:::"""


def type_in_words(kind: str, module: str) -> str:
    """Write a type as a reader knows it: aliases of choices are written out, and arrays are NumPy's."""

    def written_out(match: re.Match[str]) -> str:
        for place in (module, "ordeval.inputs.policy"):
            try:
                node = find(place, match[0]).node
            except LookupError:
                continue
            if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias":
                assert node.value is not None  # noqa: S101 - an alias stands for something
                return ast.unparse(node.value).replace("'", '"')
        return match[0]

    return ALIAS.sub(written_out, ARRAYS.sub("ndarray", kind))


def signature(arguments: Iterable[Argument], module: str, returns: str = "") -> str:
    """Write the arguments between brackets, with their types, and what comes back."""
    written = [
        str(Argument(each.name, type_in_words(each.type, module), each.default, each.mark))
        for each in arguments
    ]
    arrow = f" -> {type_in_words(returns, module)}" if returns else ""
    return f"({', '.join(written)}){arrow}"


def cell(text: str) -> str:
    """Write text into a cell of a table, with a capital letter unless it begins with code."""
    return f"{text[:1].upper()}{text[1:]}".replace("|", "\\|")


def code(text: str) -> str:
    """Write code into a cell; a choice between words or types may be broken where the choices are."""
    choices = re.fullmatch(r"Literal\[(.*)\]", text)
    parts = choices[1].split(", ") if choices else text.split(" | ")
    return (", " if choices else " or ").join(f"`{part}`" for part in parts)


def arguments_table(arguments: Iterable[Argument], meanings: dict[str, str], module: str) -> str:
    """Write a row for each argument: its name, type, default and meaning."""
    rows = [
        f"| `{each.name}` | {code(type_in_words(each.type, module)) if each.type else ''} | "
        f"{'' if each.default is None else f'`{each.default}`'} | {cell(meanings.get(each.name, ''))} |"
        for each in arguments
        if each.name
    ]
    return "\n".join(["| argument | type | default | meaning |", "|---|---|---|---|", *rows])


def session(example: str, dotted: str) -> str:
    """Write an example with the imports that it needs: of `ordeval`, and of names next to the one described."""
    if not example:
        return ""
    code_lines = [line[4:] for line in example.splitlines() if line[:4] in {">>> ", "... "}]
    tree = ast.parse("\n".join(code_lines))
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    made = {node.id for node in names if isinstance(node.ctx, ast.Store)} | {
        getattr(node, "asname", None) or node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.alias | ast.FunctionDef | ast.ClassDef)
    }
    needed = sorted({node.id for node in names} - made)
    lines = [">>> import ordeval as oe"] if "oe" in needed else []
    module = dotted.rpartition(".")[0]
    for source in ("ordeval", module):
        here = [name for name in needed if exists(source, name)]
        if here:
            lines.append(f">>> from {source} import {', '.join(here)}")
            needed = [name for name in needed if name not in here]
    return "```python\n" + "\n".join([*lines, example]) + "\n```"


def exists(module: str, name: str) -> bool:
    """Tell whether a module has a name to import."""
    try:
        find(module, name)
    except LookupError:
        return False
    return True


def fenced(directive: str, argument: str, body: str, options: str = "", *, colons: int = 3) -> str:
    """Write a directive."""
    fence = ":" * colons
    head = f"{fence}{{{directive}}} {argument}\n{options}"
    return f"{head}\n{body}\n{fence}"


def described(what: Source | Member, module: str, dotted: str) -> str:
    """Write a docstring: its prose, a table of the arguments if it lists them, and its example."""
    prose, _, example = split(what.doc)
    table = arguments_table(what.arguments, what.meanings, module) if what.meanings else ""
    return "\n\n".join(filter(None, (prose, table, session(example, dotted))))


def attributes_table(members: Iterable[Member], module: str) -> str:
    """Write a row for each field and property."""
    rows = [
        f"| `{each.name}` | {code(type_in_words(each.returns, module)) if each.returns else ''} | "
        f"{cell(each.summary)} |"
        for each in members
    ]
    return "\n".join(["| attribute | type | meaning |", "|---|---|---|", *rows]) if rows else ""


def method(member: Member, source: Source, dotted: str) -> str:
    """Write one method of a class."""
    options = f":{member.kind}:\n" if member.kind in {"classmethod", "staticmethod"} else ""
    body = described(member, source.module, dotted)
    head = f"{member.name}{signature(member.arguments, source.module, member.returns)}"
    return fenced("py:method", head, body, options)


def shown_members(source: Source) -> tuple[list[Member], list[Member]]:
    """Return the attributes and the methods of a class that its page promises."""
    owner = source.made_by or source
    hidden = internal(owner.name)
    if owner.name != "Result" and is_result(owner):
        hidden |= {name for name in EVERY_RESULT.split() if not takes_more(owner, name)}
    shown = [each for each in owner.members if each.name not in hidden]
    attributes = [each for each in shown if each.kind in {"field", "property"}]
    return attributes, [each for each in shown if each not in attributes]


def is_result(source: Source) -> bool:
    """Tell whether a class derives from `Result`."""
    for base in source.bases:
        if base == "Result" or (
            exists(source.module, base) and is_result(find(source.module, base))
        ):
            return True
    return False


def takes_more(source: Source, name: str) -> bool:
    """Tell whether a class says more of a method than its summary."""
    return any(each.name == name and "\n\n" in each.doc for each in source.members)


def entry(dotted: str, level: str) -> str:
    """Write one public name: a heading, its signature, its docstring, and the members of a class."""
    source = source_of(dotted)
    owner = source.made_by or source
    attributes, methods = shown_members(source)
    has_members = owner.is_class and bool(attributes or methods or source.is_class)
    kind = "py:function" if source.called and not source.is_class else "py:data"
    kind = "py:class" if source.is_class else kind
    head = dotted
    if source.called is not None:
        head += signature(source.arguments, source.module, source.returns)
    more = []
    if source.is_class and is_result(source) and source.name != "Result":
        more.append(
            "It is also a [result](results.md), which can be printed and written in many forms."
        )
    more += [attributes_table(attributes, owner.module)] if has_members else []
    inside = "\n\n".join(filter(None, (described(source, source.module, dotted), *more)))
    colons = 3
    if has_members and methods:
        # methods of an object that is called like a function are entries beside it, for a function has none inside
        written = [method(each, owner, dotted) for each in methods]
        if source.is_class:
            inside, colons = "\n\n".join([inside, *written]), 4
        else:
            beside = [
                text.replace("{py:method} ", f"{{py:function}} {dotted}.", 1) for text in written
            ]
            return "\n\n".join([f"{level} {source.name}", fenced(kind, head, inside), *beside])
    return f"{level} {source.name}\n\n" + fenced(kind, head, inside, colons=colons)


def module_head(module: str) -> str:
    """Write the docstring of a module, under the name by which people reach it."""
    public = "ordeval.plot" if module == "ordeval.report.plot" else module
    prose, _, example = split(module_doc(module))
    return "\n\n".join([fenced("py:module", public, ""), prose, session(example, f"{module}.")])


def page(topic: Topic) -> str:
    """Return the Markdown of one page."""
    parts = [f"# {topic.title}", topic.opening]
    names = names_on(topic)
    headed = len(topic.modules) > 1
    parts += [entry(name, "##") for name in names if name in topic.names]
    for module in topic.modules:
        if headed:
            parts.append(f"## {ADAPTERS.get(module, module.rpartition('.')[2])}")
        parts.append(module_head(module))
        level = "###" if headed else "##"
        parts += [
            entry(name, level)
            for name in names
            if name not in topic.names and name.rpartition(".")[0] == module
        ]
    return "\n\n".join(parts).replace("ordeval.report.plot.", "ordeval.plot.") + "\n"


def index() -> str:
    """Return the Markdown of the list of all names."""
    parts = [INTRODUCTION]
    for topic in TOPICS:
        rows = "\n".join(
            f"| `{name.replace('report.plot', 'plot')}` | {cell(summary_of(name))} |"
            for name in names_on(topic)
        )
        parts.append(
            f"## [{topic.title}]({topic.file}.md)\n\n| name | what it is |\n|---|---|\n{rows}"
        )
    files = "\n".join(topic.file for topic in TOPICS)
    parts += [VERSION, f"```{{toctree}}\n:hidden:\n:maxdepth: 1\n\n{files}\n```"]
    return "\n\n".join(parts) + "\n"


def summary_of(dotted: str) -> str:
    """Return the first paragraph of a docstring on one line."""
    return " ".join(source_of(dotted).doc.split("\n\n")[0].split())


def pages() -> dict[str, str]:
    """Return the Markdown of every page by the name of its file."""
    return {"index.md": index()} | {f"{topic.file}.md": page(topic) for topic in TOPICS}


def write(app: "Sphinx") -> None:
    """Update docs/reference/api/."""
    write_pages(Path(app.srcdir) / "reference" / "api", pages())


def link_type(app: "Sphinx", env: "BuildEnvironment", node: "Element", shown: "Element") -> Any:
    """Link a type in a signature to its class by its short name; types of other libraries stay plain."""
    if node.get("refdomain") != "py" or not str(node.get("refdoc")).startswith("reference/api/"):
        return None
    from sphinx.util.nodes import make_refnode

    wanted = str(node["reftarget"]).rpartition(".")[2]
    known = env.get_domain("py").objects  # type: ignore[attr-defined]
    found = [
        entry
        for name, entry in known.items()
        if entry.objtype == "class" and name.rpartition(".")[2] == wanted
    ]
    if len(found) != 1:
        return shown
    return make_refnode(app.builder, node["refdoc"], found[0].docname, found[0].node_id, shown)


def setup(app: "Sphinx") -> dict[str, bool]:
    """Let Sphinx call us before it looks for pages."""
    app.connect("builder-inited", write)
    app.connect("missing-reference", link_type)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
