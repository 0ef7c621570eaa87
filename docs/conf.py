"""Sphinx settings. `make docs` builds the site; any warning fails the build."""

import sys
from pathlib import Path

import ordeval

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "ordeval"
author = "The ordeval authors"
copyright = f"2026, {author}"  # noqa: A001 - Sphinx's name for it
release = version = ordeval.__version__

extensions = ["myst_parser", "sphinxcontrib.bibtex", "mathml", "measures"]
exclude_patterns = ["_build"]
nitpicky = True
smartquotes = False  # quotes in our prose are code more often than speech

myst_enable_extensions = ["dollarmath", "deflist", "colon_fence"]
myst_heading_anchors = 3

bibtex_bibfiles = ["../src/ordeval/metrics/references.bib"]
bibtex_reference_style = "author_year"

html_math_renderer = "mathml"
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["ordeval.css"]
html_title = f"ordeval {release}"
html_show_sphinx = False
