"""Links of the files in the root of the repository lead somewhere."""

import pytest

from tests.conftest import ROOT
from tests.documentation.links import broken_in_markdown, malformed, written_by_the_build


@pytest.mark.parametrize("path", sorted(ROOT.glob("*.md")), ids=lambda path: path.name)
def test_every_link_of_a_file_in_the_root_leads_to_a_file_or_a_heading(path):
    assert not list(broken_in_markdown(path))


def test_a_link_to_a_missing_file_a_missing_heading_or_a_plain_http_address_is_found(tmp_path):
    page = tmp_path / "page.md"
    (tmp_path / "other.md").write_text("# A first `heading`, with words\n")
    page.write_text(
        "# Top\n[a](other.md#a-first-heading-with-words) [b](missing.md) [c](other.md#second) [d](#top)\n"
        "[e](http://example.org) [f](https://example.org/x)\n```\n[g](in-code.md)\n```\n"
    )
    assert list(broken_in_markdown(page)) == [
        "page.md: missing.md leads to no file",
        "page.md: other.md#second leads to no heading",
        "page.md: http://example.org is not a proper address",
    ]


def test_a_link_to_a_page_that_only_a_build_of_the_site_writes_is_found():
    assert written_by_the_build(ROOT / "docs" / "which_measure.md")
    assert written_by_the_build(ROOT / "docs" / "measures" / "mae.md")
    assert not written_by_the_build(ROOT / "docs" / "quickstart.md")


@pytest.mark.parametrize("link", ["http://example.org", "https://example", "ftp://example.org/x"])
def test_an_address_without_https_or_without_a_full_host_is_malformed(link):
    assert malformed(link)
