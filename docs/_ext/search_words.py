"""Let the search of the site find a page by words that the page does not use.

The front matter of a page lists them: `search: qwk, quadratic weighted kappa`. Each phrase becomes an entry of the
search index, which ranks above all matches in titles and text, and its words can be found one by one.
docs/_ext/scorer.js ranks what is left.
"""

import re

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

KEY = "search"


def phrases_of(listed: str) -> list[str]:
    """Return the phrases of a page in lower case; one with a hyphen is also found without it."""
    given = [" ".join(phrase.lower().split()) for phrase in listed.split(",")]
    spaced = [phrase.replace("-", " ") for phrase in given]
    return list(dict.fromkeys(phrase for phrase in given + spaced if phrase))


def add_words(app: Sphinx, doctree: nodes.document) -> None:
    """Add the phrases of a page to its index entries, and their words to its keywords."""
    listed = app.env.metadata[app.env.docname].get(KEY)
    if not listed:
        return
    phrases = phrases_of(str(listed))
    words = dict.fromkeys(word for phrase in phrases for word in re.findall(r"\w+", phrase))
    # Sphinx lists entries that are not `main` below all other results.
    entries = [("single", phrase.replace(";", " "), "", "main", None) for phrase in phrases]
    doctree.insert(0, addnodes.index("", entries=entries))
    doctree.insert(0, nodes.meta("", name="keywords", content=", ".join(words)))


def setup(app: Sphinx) -> dict[str, bool]:
    """Let Sphinx call us when it has read a page and its front matter."""
    app.connect("doctree-read", add_words, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
