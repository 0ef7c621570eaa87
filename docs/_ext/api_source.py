"""Read what the source says of a public name: its signature with types as written, its docstring, its members.

Nothing is imported but `ordeval` itself, so that adapters can be read without the packages that they adapt to.
"""

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import ordeval

PACKAGE = Path(ordeval.__file__).parent
Function = ast.FunctionDef | ast.AsyncFunctionDef
Node = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign
ITEM = re.compile(r"^- `(\w+)`: ")  # one argument in the list of a docstring
LIST = re.compile(r"^The arguments are:\n\n(- `.+?)(?=\n\n(?![ -])|\Z)", re.MULTILINE | re.DOTALL)
WAYS = {
    "property": "property",
    "cached_property": "property",
    "classmethod": "classmethod",
    "staticmethod": "staticmethod",
}


@dataclass(frozen=True)
class Argument:
    """One argument of a function; `mark` is `*` or `**` before its name, and a bare `*` has no name."""

    name: str
    type: str = ""
    default: str | None = None
    mark: str = ""

    def __str__(self) -> str:
        """Write it as in a signature."""
        typed = f": {self.type}" if self.type else ""
        equals = " = " if self.type else "="
        value = "" if self.default is None else f"{equals}{self.default}"
        return f"{self.mark}{self.name}{typed}{value}"


@dataclass(frozen=True)
class Member:
    """A field, a property or a method of a class."""

    name: str
    kind: str  # field, property, method, classmethod or staticmethod
    doc: str
    arguments: tuple[Argument, ...] = ()
    returns: str = ""
    meanings: dict[str, str] = field(default_factory=dict)  # of its arguments

    @property
    def summary(self) -> str:
        """The first paragraph of its docstring, or the comment on its line."""
        return " ".join(self.doc.split("\n\n")[0].split())


@dataclass(frozen=True)
class Source:
    """A public name: where it is defined, and how."""

    name: str
    module: str
    node: Node
    lines: tuple[str, ...]  # of its module

    @property
    def is_class(self) -> bool:
        """Whether it is a class."""
        return isinstance(self.node, ast.ClassDef)

    @property
    def is_function(self) -> bool:
        """Whether it is a function."""
        return isinstance(self.node, Function)

    @property
    def doc(self) -> str:
        """Its docstring; of a constant, the string below it, or the docstring of its class."""
        if isinstance(self.node, Function | ast.ClassDef):
            return ast.get_docstring(self.node) or ""
        body = tree_of(self.module).body
        after = body[body.index(self.node) + 1 :][:1]
        if after and isinstance(after[0], ast.Expr) and isinstance(after[0].value, ast.Constant):
            return inspect.cleandoc(str(after[0].value.value))
        if self.made_by is None:
            return ""
        return ast.get_docstring(self.called) or "" if self.called else self.made_by.doc

    @property
    def made_by(self) -> "Source | None":
        """The class of an object that is made by a call without arguments, such as `registry = Registry()`."""
        made = getattr(self.node, "value", None)
        if isinstance(made, ast.Call) and isinstance(made.func, ast.Name) and not made.args:
            return find(self.module, made.func.id)
        return None

    @property
    def called(self) -> Function | None:
        """The function behind a call of the name: itself, the constructor of a class, or `__call__` of an object."""
        if isinstance(self.node, Function):
            return self.node
        owner, name = (self.made_by, "__call__") if self.made_by else (self, "__init__")
        parts = owner.node.body if isinstance(owner.node, ast.ClassDef) else []
        found = [part for part in parts if isinstance(part, Function) and part.name == name]
        return found[-1] if found else None  # the last: those before it are overloads

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The arguments of a call of the name."""
        if self.called is None:
            return ()
        return arguments_of(self.called, self.module)[0 if self.is_function else 1 :]

    @property
    def returns(self) -> str:
        """The type that a function returns."""
        return "" if self.called is None or self.is_class else type_of(self.called.returns)

    @property
    def bases(self) -> tuple[str, ...]:
        """The names of the classes that a class derives from."""
        if not isinstance(self.node, ast.ClassDef):
            return ()
        return tuple(type_of(base).partition("[")[0] for base in self.node.bases)

    @property
    def members(self) -> tuple[Member, ...]:
        """The fields, properties and methods of a class whose names have no underscore before them."""
        owner = self.made_by or self
        return tuple(members_of(owner)) if owner.is_class else ()

    @property
    def meanings(self) -> dict[str, str]:
        """The meaning of each argument that the docstring lists, and of the keywords that it takes as others do."""
        return meanings_of(self.doc, self.called, self.module)


def file_of(module: str) -> Path:
    """Return the file of a module of the package."""
    place = PACKAGE.joinpath(*module.split(".")[1:])
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


@cache
def text_of(module: str) -> str:
    """Return the source of a module."""
    return file_of(module).read_text(encoding="utf-8")


@cache
def tree_of(module: str) -> ast.Module:
    """Return a module as a tree."""
    return ast.parse(text_of(module))


def module_doc(module: str) -> str:
    """Return the docstring of a module."""
    return ast.get_docstring(tree_of(module)) or ""


def names_of(module: str) -> list[str]:
    """Return the public names of a module: what its `__all__` lists."""
    for part in tree_of(module).body:
        if isinstance(part, ast.Assign) and ast.unparse(part.targets[0]) == "__all__":
            found: list[str] = ast.literal_eval(part.value)
            return found
    return []


@cache
def find(module: str, name: str) -> Source:
    """Return where a name of a module is defined, in this module or in one that it imports the name from."""
    tree = tree_of(module)
    for part in tree.body:
        if isinstance(part, Function | ast.ClassDef) and part.name == name:
            return Source(name, module, part, tuple(text_of(module).splitlines()))
        targets = part.targets if isinstance(part, ast.Assign) else []
        targets = [part.target] if isinstance(part, ast.AnnAssign) else targets
        if any(isinstance(each, ast.Name) and each.id == name for each in targets):
            assert isinstance(part, ast.Assign | ast.AnnAssign)  # noqa: S101 - for type checkers
            return Source(name, module, part, tuple(text_of(module).splitlines()))
    if name in imports_of(module):
        return find(*imports_of(module)[name])
    raise LookupError(f"{module} does not define or import {name}")


@cache
def imports_of(module: str) -> dict[str, tuple[str, str]]:
    """Return the names that a module imports from others of the package, each with that module and its name there."""
    found: dict[str, tuple[str, str]] = {}
    for part in ast.walk(tree_of(module)):
        if not isinstance(part, ast.ImportFrom) or part.module in {None, module}:
            continue
        if str(part.module).startswith("ordeval"):
            for alias in part.names:
                found.setdefault(alias.asname or alias.name, (str(part.module), alias.name))
    return found


def type_of(node: ast.expr | None) -> str:
    """Write an annotation; one in quotes without these."""
    if node is None:
        return ""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return ast.unparse(node).replace("'", '"')


def value_of(node: ast.expr | None, module: str) -> str | None:
    """Write a default; of a constant of the module, its value."""
    if node is None:
        return None
    if isinstance(node, ast.Name):
        try:
            found = find(module, node.id).node
        except LookupError:
            found = None
        value = found.value if isinstance(found, ast.Assign | ast.AnnAssign) else None
        # what a call makes is shown by its name
        if value is not None and not any(isinstance(each, ast.Call) for each in ast.walk(value)):
            node = value
    return ast.unparse(node).replace("'", '"')


def arguments_of(node: Function, module: str) -> tuple[Argument, ...]:
    """Return the arguments of a function; keywords that a typed dictionary lists are shown one by one."""
    given = node.args
    plain = [*given.posonlyargs, *given.args]
    missing: list[ast.expr | None] = [None] * (len(plain) - len(given.defaults))
    found = [
        Argument(each.arg, type_of(each.annotation), value_of(default, module))
        for each, default in zip(plain, [*missing, *given.defaults], strict=True)
    ]
    if given.vararg:
        found.append(Argument(given.vararg.arg, type_of(given.vararg.annotation), mark="*"))
    keywords = [
        Argument(each.arg, type_of(each.annotation), value_of(default, module))
        for each, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)
    ]
    if given.kwarg:
        kind = type_of(given.kwarg.annotation)
        unpacked = re.fullmatch(r"Unpack\[(\w+)\]", kind)
        if unpacked:
            keywords += keywords_of(find(module, unpacked[1]))
        else:
            keywords.append(Argument(given.kwarg.arg, kind, mark="**"))
    if any(not each.mark for each in keywords) and not given.vararg:
        found.append(Argument("", mark="*"))
    return tuple(found + keywords)


def fields_of(source: Source) -> list[ast.AnnAssign]:
    """Return the annotated names of a class and of the classes of ours that it derives from, theirs first."""
    assert isinstance(source.node, ast.ClassDef)  # noqa: S101 - for type checkers
    found: list[ast.AnnAssign] = []
    for base in source.bases:
        try:
            found += fields_of(find(source.module, base))
        except (LookupError, AssertionError):
            continue
    return found + [part for part in source.node.body if isinstance(part, ast.AnnAssign)]


def keywords_of(keywords: Source) -> list[Argument]:
    """Return the keywords of a typed dictionary; those that are policies are "error" unless they are given."""
    policies = find("ordeval.inputs.policy", "CHOICES").node
    assert isinstance(policies, ast.AnnAssign)  # noqa: S101 - for type checkers
    assert isinstance(policies.value, ast.Dict)  # noqa: S101 - for type checkers
    choices = {ast.literal_eval(key) for key in policies.value.keys if key is not None}
    return [
        Argument(
            str(type_of(field.target)),
            type_of(field.annotation),
            '"error"' if type_of(field.target) in choices else "None",
        )
        for field in fields_of(keywords)
    ]


def comment_on(lines: tuple[str, ...], node: ast.stmt) -> str:
    """Return the comment at the end of a line, as a sentence."""
    _, _, comment = lines[(node.end_lineno or node.lineno) - 1].partition("  # ")
    comment = re.sub(r"^(noqa|type:|pragma).*|\s*# noqa.*", "", comment).strip()
    return comment and f"{comment[0].upper()}{comment[1:]}."


def members_of(source: Source) -> Iterator[Member]:
    """Give the members of a class in the order in which they are written."""
    assert isinstance(source.node, ast.ClassDef)  # noqa: S101 - for type checkers
    is_enum = any(base.endswith("Enum") for base in source.bases)
    for part in source.node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            name, kind = part.target.id, type_of(part.annotation)
            if not name.startswith("_") and not kind.startswith("ClassVar"):
                yield Member(name, "field", comment_on(source.lines, part), (), kind)
        elif is_enum and isinstance(part, ast.Assign):
            value = type_of(part.value) if not isinstance(part.value, ast.Constant) else ""
            value = value or repr(ast.literal_eval(part.value)).replace("'", '"')
            yield Member(ast.unparse(part.targets[0]), "field", f"Written {value}.")
        elif isinstance(part, Function) and not part.name.startswith("_"):
            marks = {ast.unparse(each).split(".")[-1] for each in part.decorator_list}
            way = next((WAYS[mark] for mark in WAYS if mark in marks), "method")
            given = arguments_of(part, source.module)
            given = given if way == "staticmethod" else given[1:]
            doc, returns = ast.get_docstring(part) or "", type_of(part.returns)
            if not doc and "overload" in marks:
                continue
            means = meanings_of(doc, part, source.module)
            yield Member(part.name, way, doc, given, returns, means)


def split(doc: str) -> tuple[str, dict[str, str], str]:
    """Take a docstring apart: its prose, the meaning of each argument that it lists, and its example."""
    paragraphs = doc.split("\n\n")
    session = "\n\n".join(text for text in paragraphs if text.lstrip().startswith(">>>"))
    prose = "\n\n".join(text for text in paragraphs if not text.lstrip().startswith(">>>"))
    listed = LIST.search(prose)
    if listed is None:
        return prose, {}, session
    return LIST.sub("", prose).strip(), meanings_in(listed[1]), session


def meanings_in(text: str) -> dict[str, str]:
    """Return the meaning of each argument of a list like "- `level`: the level of the intervals."."""
    items = re.split(r"\n(?=- `)", text.strip())
    found = {}
    for item in items:
        match = ITEM.match(item)
        if match:
            found[match[1]] = " ".join(item[match.end() :].split())
    return found


def meanings_of(doc: str, called: Function | None, module: str) -> dict[str, str]:
    """Return the meaning of each argument that a docstring lists, and of those that a typed dictionary adds."""
    found = split(doc)[1]
    keywords = called and called.args.kwarg and type_of(called.args.kwarg.annotation)
    unpacked = re.fullmatch(r"Unpack\[(\w+)\]", keywords or "")
    return found | keyword_meanings(find(module, unpacked[1])) if found and unpacked else found


def keyword_meanings(keywords: Source) -> dict[str, str]:
    """Return the meaning of each keyword of a typed dictionary, with those that it takes from another."""
    found: dict[str, str] = {}
    for base in keywords.bases:
        if base != "TypedDict":
            found |= keyword_meanings(find(keywords.module, base))
    return found | split(keywords.doc)[1]
