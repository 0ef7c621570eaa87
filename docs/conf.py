"""Sphinx settings. `make docs` builds the site; any warning fails the build."""

import sys
from pathlib import Path

import ordeval

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "ordeval"
author = "The ordeval authors"
copyright = f"2026, {author}"  # noqa: A001 - Sphinx's name for it
release = version = ordeval.__version__

extensions = [
    "myst_nb",
    "sphinxcontrib.bibtex",
    "sphinx_copybutton",
    "mathml",
    "notebooks",
    # pages that the build writes
    "measures",
    "which_measure",
    "gallery",
    "api",
    "commands",
    "json_keys",
    # what finds them
    "search_words",
    "llms",
]
exclude_patterns = ["_build"]
nitpicky = True
smartquotes = False  # quotes in our prose are code more often than speech
toc_object_entries_show_parents = "hide"  # from_files, not ordeval.Runs.from_files
python_maximum_signature_line_length = 70  # a longer signature has a line for each argument

myst_enable_extensions = ["dollarmath", "deflist", "colon_fence", "html_image"]
myst_heading_anchors = 3

# Tutorials are run in a folder of their own, and again when the package changes. Whatever they write to stderr, such as
# a warning, fails the build.
nb_execution_mode = "force"
nb_execution_in_temp = True
nb_execution_timeout = 300  # seconds of a cell; a busy machine is no failure
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_output_stderr = "error"
nb_merge_streams = True
# Charts are shown as SVG; notebooks also hold their specifications, for programs that draw them with tooltips.
suppress_warnings = ["mystnb.unknown_mime_type"]
# The copy button takes what a reader would type: no prompts and no output.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_copy_empty_lines = False

bibtex_bibfiles = ["../src/ordeval/metrics/references.bib"]
bibtex_reference_style = "author_year"

html_math_renderer = "mathml"
html_theme = "furo"
html_static_path = ["_static"]
html_extra_path = ["reference/ordeval.schema.json"]  # where a program looks for it
html_css_files = ["ordeval.css"]
html_title = f"ordeval {release}"
html_show_sphinx = False
html_use_index = html_domain_indices = False  # the search finds these entries
html_search_scorer = str(Path(__file__).parent / "_ext" / "scorer.js")
