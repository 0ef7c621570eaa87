"""The site in a browser: nothing is cut off or loaded from elsewhere, and the search finds what people type."""

from urllib.parse import quote, urlsplit

import pytest

from tests.browser import chromium
from tests.documentation.searches import SEARCHES

pytestmark = pytest.mark.full

DESKTOP, PHONE = 1440, 390
TOO_WIDE = """() => [...document.querySelectorAll("article :is(pre, .table-wrapper, .cell_output > *, img)")]
  .filter((one) => one.scrollWidth > one.clientWidth || one.getBoundingClientRect().right > innerWidth)
  .map((one) => one.textContent.trim().slice(0, 80) || one.src)"""
# What a cell of a tutorial printed has a box of its own.
UNWRAPPED = (
    "[...document.querySelectorAll('article table')]"
    ".filter((one) => !one.closest('.table-wrapper, .cell_output')).length"
)
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
RESULTS = "[...document.querySelectorAll('ul.search li a')].map((one) => one.getAttribute('href'))"
ENOUGH = """document.querySelectorAll("ul.search li a").length > 1
  || /finished|did not match/.test(document.querySelector(".search-summary")?.innerText)"""


@pytest.fixture(scope="module")
def browser():
    with chromium() as started:
        yield started


@pytest.fixture
def tab(browser):
    """A page of the browser that keeps the addresses which it asks for, as `asked`."""
    context = browser.new_context(viewport={"width": DESKTOP, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.asked = []
    page.on("request", lambda request: page.asked.append(request.url))
    yield page
    context.close()


def every_page(site) -> list[str]:
    return sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))


@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_no_page_is_wider_than_the_screen_no_block_wider_than_its_column_and_no_other_host_is_asked(
    site, address, tab, width
):
    """On a phone, wide blocks scroll within their own box."""
    tab.set_viewport_size({"width": width, "height": 900})
    found = {}
    for page in every_page(site):
        tab.goto(f"{address}/{page}")
        assert tab.evaluate(UNWRAPPED) == 0, page
        wide = tab.evaluate(TOO_WIDE) if width == DESKTOP else []
        found[page] = [*wide, *(["the page"] if tab.evaluate(OVERFLOW) > 0 else [])]
    assert not {page: wide for page, wide in found.items() if wide}
    assert len(found) > 80
    hosts = {urlsplit(url).netloc for url in tab.asked if not url.startswith("data:")}
    assert hosts == {urlsplit(address).netloc}


def test_a_line_of_125_characters_fits_a_code_block_on_a_desktop(address, tab):
    tab.goto(f"{address}/quickstart.html")
    lines = tab.evaluate("""() => {
      const block = document.querySelector("article .highlight pre");
      block.textContent = "x".repeat(125);
      const one = block.clientHeight;
      block.textContent = "x";
      return one / block.clientHeight;
    }""")
    assert lines == 1


@pytest.mark.parametrize(
    ("page", "language", "copied"),
    [
        ("howto/comparison", "python", "import numpy as np\nimport ordeval as oe\nrng = "),
        ("howto/judges", "console", "ordeval agree humans.csv --raters ann,bob,cy"),
    ],
)
def test_the_copy_button_takes_what_one_types_without_prompts_and_output(
    address, tab, page, language, copied
):
    tab.goto(f"{address}/{page}.html")
    block = tab.locator(f"article .highlight-{language}").first
    block.hover()
    block.locator("button.copybtn").click()
    tab.wait_for_function("navigator.clipboard.readText().then((text) => text !== '')")
    text = tab.evaluate("navigator.clipboard.readText()")
    assert text.startswith(copied)
    assert not [line for line in text.splitlines() if line.startswith((">>>", "...", "$"))]
    assert "significantly" not in text  # which the output has
    assert len(text.splitlines()) == (1 if language == "console" else 10)


@pytest.mark.parametrize("query", SEARCHES)
def test_a_search_finds_its_page_first_or_second(address, tab, query):
    # The summaries below the results are not needed, and take time.
    tab.route(
        "**/*",
        lambda route: (
            route.abort() if route.request.resource_type == "fetch" else route.continue_()
        ),
    )
    tab.goto(f"{address}/search.html?q={quote(query)}")
    tab.wait_for_function(ENOUGH)
    first_two = [link.partition(".html")[0] for link in tab.evaluate(RESULTS)[:2]]
    assert set(first_two) & set(SEARCHES[query]), first_two


def test_pictures_of_the_gallery_follow_the_theme(address, browser):
    for scheme in ("light", "dark"):
        page = browser.new_page(color_scheme=scheme)
        page.goto(f"{address}/gallery/index.html")
        shown = page.locator("article img:visible").evaluate_all(
            "(all) => all.map((one) => one.src)"
        )
        assert shown
        assert all(f"-{scheme}.svg" in one for one in shown)
        page.close()
