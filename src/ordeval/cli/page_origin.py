"""What a page says of where it comes from: the command that wrote it, and the files that it was made of."""

import hashlib
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from ordeval.cli.measure_options import PLUGINS


def size_in_words(text: str) -> str:
    """Return the size of a page in kB or MB."""
    size = len(text.encode())
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"


def command_line(context: click.Context, output: str) -> str:
    """Return the command as it would be typed again, but with the default file, because the page may be moved."""
    words = ["ordeval", str(context.info_name)]
    for parameter in context.command.get_params(context):
        value: Any = context.params.get(parameter.name or "", context.meta.get(PLUGINS))
        source = context.get_parameter_source(parameter.name or "")
        if source is not ParameterSource.COMMANDLINE or parameter.name in {"output", "title"}:
            continue
        if isinstance(parameter, click.Argument):
            words += map(without_folders, value)
        elif getattr(parameter, "is_flag", False):
            words.append(parameter.opts[0])
        elif parameter.name in {"metrics", "ceiling"}:
            words += [parameter.opts[0], ",".join(value)]
        elif isinstance(value, tuple):
            told = map(without_folders if parameter.name == "plugin" else str, value)
            words += [word for one in told for word in (parameter.opts[0], one)]
        else:
            words += [parameter.opts[0], "none" if value is None else str(value)]
    return shlex.join([*words, "-o", output])


def without_folders(path: str) -> str:
    """Return the name of a file; of a relative path all of it, because it says nothing about the machine."""
    return Path(path).name if Path(path).is_absolute() else path


def without_folders_in(text: str, paths: Sequence[str]) -> str:
    """Return a text in which files are named without the folders of the machine."""
    for folder in {f"{Path(path).parent}/" for path in paths if Path(path).is_absolute()}:
        text = text.replace(folder, "")
    return text


def fingerprints(paths: Sequence[str]) -> list[tuple[str, str]]:
    """Return the names of the files that were read, each with its SHA-256; the files of a glob follow each other."""
    from ordeval.inputs.files.locate import files_of
    from ordeval.ratings.rated_files import is_reference

    found = []
    for path in paths:
        for file in () if is_reference(path) else files_of(path)[1]:
            with Path(file).open("rb") as opened:
                digest = hashlib.file_digest(opened, "sha256").hexdigest()
            found.append((Path(file).name, digest))
    return found
