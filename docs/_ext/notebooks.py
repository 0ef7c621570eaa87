"""Run the tutorials when the site is built, and hold their prose to what their cells print.

myst-nb runs a notebook when Sphinx reads its page, which is when the page or the package has changed. (It can also keep
what notebooks printed, but its notebooks to download then lack that.) This module prepares the kernel, and warns of
every number in the prose that no cell of the notebook prints: a warning fails the build.
"""

import hashlib
import json
import os
import sys
from pathlib import Path

from docutils import nodes
from printed import portable, unprinted
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

import ordeval

TUTORIALS = "tutorials/"
LOGGER = logging.getLogger(__name__)
# Errors are shown as one sentence, without the folders of this machine. Commands see a terminal without colours that
# cannot go back on a line: a page cannot show their progress bars.
SETTINGS = """
c = get_config()
c.IPKernelApp.log_level = 40
c.InteractiveShell.xmode = "Minimal"
c.HistoryManager.enabled = False
c.InteractiveShellApp.exec_lines = ["import os; os.environ.update(TERM='dumb', NO_COLOR='1'); del os"]
"""


def fingerprint() -> str:
    """Return a text that changes when a source of the package or the way to run notebooks does."""
    files = [Path(__file__), *sorted(Path(ordeval.__file__).parent.rglob("*.py"))]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:16]


def outdated(app: Sphinx, env: BuildEnvironment, *_pages: set[str]) -> list[str]:
    """Return the tutorials if the package has changed since they were run."""
    before, app.env.ordeval_sources = getattr(env, "ordeval_sources", None), fingerprint()
    changed = before != app.env.ordeval_sources
    return [name for name in env.found_docs if name.startswith(TUTORIALS)] if changed else []


def prepare_kernel(folder: Path) -> None:
    """Let kernels find the command of this environment and read our settings, from a folder, in place of the user's."""
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    os.environ["IPYTHONDIR"] = str(folder)
    profile = folder / "profile_default"
    profile.mkdir(parents=True, exist_ok=True)
    (profile / "ipython_kernel_config.py").write_text(SETTINGS, encoding="utf-8")


def finish(app: Sphinx, _doctree: nodes.document) -> None:
    """Warn of numbers that the notebook of a page does not print, and write the notebook that people download."""
    name = app.env.docname
    path = Path(app.env.mystnb_config.output_folder) / f"{name}.ipynb"
    if not name.startswith(TUTORIALS) or not path.exists():
        return
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for number in unprinted(notebook):
        LOGGER.warning("the text says %s, and no cell prints it", number, location=name)
    path.write_text(json.dumps(portable(notebook), indent=1, ensure_ascii=False), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Prepare the kernel before a page is read, and check each page after it was."""
    prepare_kernel(Path(app.outdir).parent / "kernel")
    app.connect("env-get-outdated", outdated)
    app.connect("doctree-read", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
