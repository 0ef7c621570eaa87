"""Docstrings where Python has left them out (`python -OO`, PYTHONOPTIMIZE=2), for what cannot do without."""

import ast
import builtins
import inspect
import linecache
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

LEFT_OUT = sys.flags.optimize > 1


def docstring(function: Callable[..., Any]) -> str:
    """Return the docstring of a function; if Python has left it out, as the source of its module has it."""
    if function.__doc__ is not None or not LEFT_OUT:
        return function.__doc__ or ""
    function = inspect.unwrap(function)
    code = getattr(function, "__code__", None)
    return "" if code is None else docstrings_in(code.co_filename).get(function.__name__, "")


@cache
def docstrings_in(path: str) -> dict[str, str]:
    """Return the docstrings of the functions in a file of source, by name; none if it is not there."""
    try:
        tree = ast.parse("".join(linecache.getlines(path)))
    except (SyntaxError, ValueError):
        return {}
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return {node.name: ast.get_docstring(node, clean=False) or "" for node in functions}


@contextmanager
def classes_with_docstrings(package: str) -> Iterator[None]:
    """Give every class that a package makes meanwhile a docstring, if Python leaves docstrings out.

    Altair copies the docstrings of its classes while it is imported, and cannot be imported without them.
    """
    if not LEFT_OUT:
        yield
        return
    build = builtins.__build_class__

    def build_with_docstring(*arguments: Any, **keywords: Any) -> Any:
        made = build(*arguments, **keywords)
        if made.__module__.partition(".")[0] == package and made.__doc__ is None:
            made.__doc__ = made.__name__
        return made

    builtins.__build_class__ = build_with_docstring
    try:
        yield
    finally:
        builtins.__build_class__ = build
