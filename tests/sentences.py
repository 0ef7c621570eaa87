"""Read the sentences that the source can say, as a command says them: every string with words in it."""

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from ordeval.errors import argument, flag, speaking_of_options, spelled

__all__ = ["sentences", "spoken_names"]

FILLED = "X"  # stands for a value that is known when the program runs
SPOKEN = {"argument": argument, "flag": flag, "spelled": spelled}
QUIET = (ast.Expr, ast.FunctionDef, ast.arg, ast.AnnAssign, ast.keyword)  # what `silent` looks into
LISTS = ("list", "sorted", "tuple")


@lru_cache(maxsize=1)
def tree_of(path: Path) -> ast.Module:
    """Return a file as a tree: both questions are asked of one file after the other."""
    return ast.parse(path.read_text(encoding="utf-8"))


def sentences(path: Path) -> Iterator[tuple[int, str, str]]:
    """Yield the line, the function and the text of every string, but not of docstrings, types and `__repr__`."""
    nodes = [*ast.walk(tree_of(path))]
    home = {
        id(part): function.name
        for function in nodes  # outer functions come first, so the innermost one is kept
        if isinstance(function, ast.FunctionDef)
        for part in ast.walk(function)
    }
    passed = {id(part) for node in nodes if isinstance(node, QUIET) for part in silent(node)}
    for node in nodes:
        if id(node) in passed:
            continue
        if isinstance(node, ast.Call) and name_of(node) in {*SPOKEN, "by_caller"}:
            passed.update(map(id, ast.walk(node)))
            yield node.lineno, home.get(id(node), ""), rendered(node)
        elif isinstance(node, ast.JoinedStr | ast.Constant):
            passed.update(map(id, ast.walk(node)))
            if " " in rendered(node).strip():
                yield node.lineno, home.get(id(node), ""), rendered(node)


def spoken_names(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of every argument that a message names."""
    if not any(f"{name}(" in path.read_text(encoding="utf-8") for name in SPOKEN):
        return
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call) and name_of(node) in SPOKEN and node.args:
            name = literal(node.args[0])
            if name != FILLED:
                yield node.lineno, str(name)


def silent(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a statement that say nothing to the user of a command."""
    match node:
        case ast.Expr(value=ast.Constant() as text):
            yield text
        case ast.FunctionDef(name="__repr__" | "one_line"):
            yield from ast.walk(node)
        case ast.arg(annotation=part) | ast.AnnAssign(annotation=part) if part is not None:
            yield from ast.walk(part)
        case ast.keyword(arg="formula"):
            yield from ast.walk(node)
    if isinstance(node, ast.FunctionDef) and node.returns is not None:
        yield from ast.walk(node.returns)


def rendered(node: ast.AST) -> str:  # noqa: PLR0911 - a line for each kind of expression
    """Return what an expression says in a command; if it may say two things, both."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(map(rendered, parts))
        case ast.FormattedValue(value=value):
            return rendered(value)
        case ast.IfExp(body=body, orelse=other):
            return f"{rendered(body)} {rendered(other)}"
        case ast.BoolOp(values=values):
            return " ".join(map(rendered, values))
        case ast.Call(args=[_, shell]) if name_of(node) == "by_caller":
            return rendered(shell)
        case ast.Call(args=[first, *values]) if name_of(node) in SPOKEN:
            with speaking_of_options():
                return str(SPOKEN[name_of(node)](literal(first), *map(literal, values)))
        case ast.ListComp() | ast.List():
            return "['X']"
        case ast.Call() if name_of(node) in LISTS:
            return "['X']"
    return FILLED


def name_of(call: ast.Call) -> str:
    """Return the name of a function that is called."""
    return call.func.id if isinstance(call.func, ast.Name) else ""


def literal(node: ast.AST) -> object:
    """Return the value of a constant, and for anything else what stands for it."""
    try:
        return ast.literal_eval(node)
    except ValueError:
        return FILLED
