"""The built site: its links lead somewhere, every chart is in the gallery, and language models find all pages."""

import json
import re
from pathlib import Path

import pytest

import ordeval as oe
from tests.documentation.links import BuiltPage, broken_in_site
from tests.documentation.searches import SEARCHES

pytestmark = pytest.mark.full

OF_SPHINX = {"genindex", "search", "py-modindex"}  # pages that are made of the others


@pytest.fixture(scope="module")
def pages(site) -> list[str]:
    """The names of all pages that were written, without those that Sphinx makes of them."""
    names = {path.relative_to(site).with_suffix("").as_posix() for path in site.rglob("*.html")}
    return sorted(name for name in names - OF_SPHINX if not name.startswith("_"))


def test_every_link_of_the_site_leads_to_a_file_and_an_anchor(site):
    assert not list(broken_in_site(site))


def test_every_chart_is_in_the_gallery_with_a_picture_for_each_theme_and_words_for_it(site):
    page = BuiltPage(site / "gallery" / "index.html")
    described = {Path(str(one["src"])).stem for one in page.images if one.get("alt")}
    wanted = {f"{name}-{theme}" for name in oe.plot.__all__ for theme in ("light", "dark")}
    assert described == wanted
    assert {f"plot-{name.replace('_', '-')}" for name in oe.plot.__all__} <= page.anchors
    for name in wanted:
        picture = (site / "_images" / f"{name}.svg").read_text(encoding="utf-8")
        assert picture.startswith("<svg xmlns=")
        assert "script" not in picture


def test_llms_txt_has_a_title_a_summary_and_a_link_to_every_page(site, pages):
    text = (site / "llms.txt").read_text(encoding="utf-8")
    title, blank, summary, *_ = text.splitlines()
    assert (title, blank) == ("# ordeval", "")
    assert summary.startswith("> ordeval scores and compares")
    assert sorted(re.findall(r"^- \[.+\]\((.+)\.html\)", text, re.MULTILINE)) == pages


def test_llms_full_txt_has_the_text_of_every_page(site, pages):
    text = (site / "llms-full.txt").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^<!-- page: (.+)\.html -->$", text, re.MULTILINE)) == pages
    assert not re.search(r"-->\s+---\n", text)  # front matter is for the search alone
    assert "{include}" not in text


@pytest.fixture(scope="module")
def index(site) -> dict:
    """What the search of the site looks words up in."""
    script = (site / "searchindex.js").read_text(encoding="utf-8")
    return json.loads(script.removeprefix("Search.setIndex(").removesuffix(")"))


@pytest.mark.parametrize("phrase", ["inter-annotator agreement", "inter annotator agreement"])
def test_a_phrase_with_a_hyphen_is_indexed_with_it_and_without_it(index, phrase):
    found = [(index["docnames"][file], *rest) for file, *rest in index["indexentries"][phrase]]
    assert ("howto/inter_annotator_agreement", "", True) in found
    # of 'intercoder reliability', which no text has
    assert index["docnames"][index["terms"]["intercod"]] == "howto/agreement"


def test_the_pages_that_searches_must_find_exist(pages):
    assert {page for wanted in SEARCHES.values() for page in wanted} <= set(pages)
