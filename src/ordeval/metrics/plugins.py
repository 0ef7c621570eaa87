"""Measures that are declared elsewhere: in a module that somebody names, or by packages that are installed."""

import sys
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from ordeval.errors import ParameterError

__all__ = ["load_installed", "load_plugin"]

GROUP = "ordeval.measures"  # of entry points
_complaints: list[str] | None = None


def load_installed() -> list[str]:
    """Load the measures of all installed packages that bring some, once; return what is wrong with those that fail."""
    global _complaints  # noqa: PLW0603 - looked for once in a process
    if _complaints is None:
        _complaints = []
        for found in entry_points(group=GROUP):
            try:
                found.load()
            except Exception as error:  # noqa: BLE001 - a package of others may raise anything
                package = found.dist.name if found.dist is not None else found.value
                _complaints.append(
                    f"the measures {found.name!r} of the package {package} could not be loaded "
                    f"({type(error).__name__}: {error})"
                )
    return _complaints


def load_plugin(name: str) -> None:
    """Import a module by its name, or a file that ends in .py, so that the measures it declares are known."""
    is_file = name.endswith(".py")
    if is_file and not Path(name).is_file():
        raise ParameterError(f"there is no file {name!r}; a plug-in is a Python file or a module.")
    try:
        if is_file:
            import_file(Path(name))
        else:
            import_from_here(name)
    except ModuleNotFoundError as error:
        if is_file or error.name != name.partition(".")[0]:
            raise ParameterError(
                f"the plug-in {name!r} needs the module {error.name!r}, which is not installed."
            ) from error
        raise ParameterError(
            f"there is no module {name!r}, neither in this folder nor among the installed packages. Name a module, or "
            f"a file that ends in .py."
        ) from error
    except Exception as error:
        raise ParameterError(
            f"the plug-in {name!r} could not be loaded: {type(error).__name__}: {error}."
        ) from error


def import_from_here(name: str) -> None:
    """Import a module; those in the current folder are found after those that are installed."""
    here = str(Path.cwd())
    sys.path.append(here)
    try:
        import_module(name)
    finally:
        sys.path.remove(here)


def import_file(path: Path) -> None:
    """Run a file as a module, under its name."""
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    spec.loader.exec_module(module)
