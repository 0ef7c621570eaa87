"""Measures that are declared elsewhere: in a module that somebody names, or by packages that are installed."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from ordeval.errors import ParameterError
from ordeval.vocabulary import ENTRY_POINTS

__all__ = ["load_installed", "load_plugin"]

_complaints: list[str] | None = None


def load_installed() -> list[str]:
    """Load the measures of all installed packages that bring some, once; return what is wrong with those that fail."""
    global _complaints  # noqa: PLW0603 - looked for once in a process
    if _complaints is None:
        from importlib.metadata import entry_points

        _complaints = []
        for found in entry_points(group=ENTRY_POINTS):
            try:
                with talking_aside():
                    found.load()
            except (Exception, SystemExit) as error:  # noqa: BLE001 - a package of others may raise anything
                package = found.dist.name if found.dist is not None else found.value
                _complaints.append(
                    f"the measures {found.name!r} of the package {package} could not be loaded "
                    f"({type(error).__name__}: {error})"
                )
    return _complaints


def load_plugin(name: str) -> None:
    """Import a module by its name, or a file that ends in .py, so that the measures it declares are known."""
    is_file = name.endswith(".py")
    module = name.rstrip("/\\")  # of a folder, as a shell completes it
    if is_file and not Path(name).is_file():
        raise ParameterError(f"there is no file {name!r}; a plug-in is a Python file or a module.")
    if not is_file and not all(part.isidentifier() for part in module.split(".")):
        raise ParameterError(
            f"the plug-in {name!r} is not the name of a module, and not that of a file that ends in .py."
        )
    try:
        with talking_aside():
            if is_file:
                import_file(Path(name))
            else:
                import_from_here(module)
    except ModuleNotFoundError as error:
        if is_file or error.name not in {module, module.partition(".")[0]}:
            raise ParameterError(
                f"the plug-in {name!r} needs the module {error.name!r}, which is not found."
            ) from error
        raise ParameterError(
            f"there is no module {module!r}, neither in this folder nor among the installed packages. Name a module, "
            f"or a file that ends in .py."
        ) from error
    except (Exception, SystemExit) as error:
        text = str(error).rstrip(".")
        raise ParameterError(
            f"the plug-in {name!r} could not be loaded: {type(error).__name__}{text and ': '}{text}."
        ) from error


def import_from_here(name: str) -> None:
    """Import a module; those in the current folder are found after those that are installed."""
    with also_found_in(Path.cwd()):
        import_module(name)


def import_file(path: Path) -> None:
    """Run a file as a module, under its name; it may import its neighbours."""
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    with also_found_in(path.resolve().parent):
        spec.loader.exec_module(module)


@contextmanager
def talking_aside() -> Iterator[None]:
    """Let what is printed go to stderr: it is no result."""
    with redirect_stdout(sys.stderr):
        yield
    sys.stderr.flush()


@contextmanager
def also_found_in(folder: Path) -> Iterator[None]:
    """Let modules be found in a folder, too, after those that are installed."""
    sys.path.append(str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
