"""Render formulas as MathML when the site is built: pages show them without a script or a network."""

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

LOGGER = logging.getLogger(__name__)


def render(node: nodes.math | nodes.math_block, *, block: bool) -> str:
    """Return one formula as MathML; TeX that cannot be rendered is a warning, and so fails the build."""
    try:
        return tex2mathml(node.astext(), as_block=block)
    except MathError as error:
        LOGGER.warning("cannot render %r: %s", node.astext(), error, location=node)
        return ""


def inline(translator: HTML5Translator, node: nodes.math) -> None:
    """Write a formula within a line."""
    translator.body.append(render(node, block=False))
    raise nodes.SkipNode


def block(translator: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula of its own, which scrolls if it is wider than the page."""
    translator.body.append(f'<div class="math">{render(node, block=True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer; conf.py chooses it."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
