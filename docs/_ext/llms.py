"""Write llms.txt and llms-full.txt into the root of the site, for language models that read it (see llmstxt.org).

llms.txt lists every page with its first sentence; llms-full.txt has the Markdown of all pages.
"""

import json
import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

# The kinds of page by folder, in the order of the list; pages of other folders and the root come under the first.
KINDS = {
    "": "Start",
    "tutorials": "Tutorials",
    "howto": "How-to guides",
    "reference": "Reference",
    "measures": "Measures",
    "explanation": "Explanation",
    "evidence": "Evidence",
    "generated": "Evidence",
    "gallery": "Charts",
    "project": "Project",
}
FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
INCLUDE = re.compile(r"^```\{include\} (\S+)\n.*?^```$", re.DOTALL | re.MULTILINE)
SENTENCE = re.compile(r".*?\S[.!?](?=\s+[^a-z]|$)", re.DOTALL)


def kind_of(page: str) -> str:
    """Return the kind of a page by its folder."""
    folder, slash, _ = page.partition("/")
    return KINDS.get(folder, KINDS[""]) if slash else KINDS[""]


def pages_of(env: BuildEnvironment) -> list[str]:
    """Return all pages, by kind; within a kind the index first."""
    kinds = list(dict.fromkeys(KINDS.values()))
    return sorted(
        env.all_docs,
        key=lambda page: (kinds.index(kind_of(page)), page.rpartition("/")[2] != "index", page),
    )


def first_sentence(env: BuildEnvironment, page: str) -> str:
    """Return the first sentence of a page's text; nothing if it has none."""
    paragraphs = env.get_doctree(page).findall(nodes.paragraph)
    texts = (" ".join(one.astext().split()) for one in paragraphs if one.astext().strip())
    text = next(texts, "")
    found = SENTENCE.match(text)
    return found[0] if found else text


def markdown(path: Path) -> str:
    """Return the Markdown of a page: without front matter, with what it includes, and of a notebook its cells."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = [(cell["cell_type"], "".join(cell["source"])) for cell in json.loads(text)["cells"]]
        text = "\n\n".join(
            f"```python\n{source}\n```" if kind == "code" else source for kind, source in cells
        )
    text = FRONT_MATTER.sub("", text)
    return INCLUDE.sub(lambda found: markdown((path.parent / found[1]).resolve()), text).strip()


def head(env: BuildEnvironment) -> str:
    """Return the name of the project, and the first sentence of the front page."""
    return f"# {env.config.project}\n\n> {first_sentence(env, env.config.root_doc)}"


def listing(env: BuildEnvironment) -> str:
    """Return the text of llms.txt."""
    base = env.config.html_baseurl.rstrip("/") + "/" if env.config.html_baseurl else ""
    lines, kind = [head(env)], ""
    for page in pages_of(env):
        if kind != (kind := kind_of(page)):
            lines += ["", f"## {kind}", ""]
        title, sentence = env.titles[page].astext(), first_sentence(env, page)
        lines.append(f"- [{title}]({base}{page}.html)" + (f": {sentence}" if sentence else ""))
    return "\n".join(lines) + "\n"


def full(env: BuildEnvironment) -> str:
    """Return the text of llms-full.txt."""
    texts = [
        f"<!-- page: {page}.html -->\n\n{markdown(Path(env.doc2path(page)))}"
        for page in pages_of(env)
    ]
    return "\n\n".join([head(env), *texts]) + "\n"


def write(app: Sphinx, exception: Exception | None) -> None:
    """Write both files when the site is built."""
    if exception is None and app.builder.format == "html":
        root = Path(app.outdir)
        (root / "llms.txt").write_text(listing(app.env), encoding="utf-8")
        (root / "llms-full.txt").write_text(full(app.env), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Let Sphinx call us at the end."""
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
