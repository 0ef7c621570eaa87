"""The report in a browser: drawn, quiet, usable by mouse and keyboard, in both modes and on a phone."""

import csv
import shutil
from importlib.resources import files
from pathlib import Path

import pytest

from ordeval.comparison.compare import compare
from ordeval.report import render
from ordeval.runs import Runs
from tests.report import comparisons

pytestmark = pytest.mark.full

ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
WIDE, PHONE = 1280, 375
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# Every drawing has a place on the page, and marks that take up room in it; a closed section has none until it is open.
DRAWN = """() => {
  for (const one of document.querySelectorAll("details")) one.open = true;
  return [...document.querySelectorAll("svg.drawing")].map((svg) => {
    const box = svg.getBoundingClientRect();
    const marks = [...svg.querySelectorAll("path, text, rect, line")].filter((mark) => {
      const own = mark.getBoundingClientRect();
      return own.width + own.height > 0;
    });
    return [box.width, box.height, marks.length];
  });
}"""
ORDER = "[...document.querySelectorAll('#board tbody tr')].filter((row) => !row.hidden).map((row) => row.dataset.name)"


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    found = next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    assert found, "there is no chromium; 'make test-full' installs it"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=list(ARGUMENTS))
        yield started
        started.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Pages by name, each rendered once."""
    folder = tmp_path_factory.mktemp("pages")
    made: dict[str, Path] = {}

    def page(name: str, comparison) -> Path:
        if name not in made:
            made[name] = folder / f"{name}.html"
            made[name].write_text(render(comparison(), title=f"Report of {name}"), encoding="utf-8")
        return made[name]

    return page


@pytest.fixture
def opened(browser):
    """Open a file; complaints and requests are kept on the page object as `heard`."""
    contexts = []

    def open_(path: Path, *, width: int = WIDE, scheme: str = "light", script: bool = True):
        context = browser.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme, java_script_enabled=script,
            accept_downloads=True, reduced_motion="reduce",
        )  # fmt: skip
        contexts.append(context)
        page = context.new_page()
        page.heard = []
        page.on("console", lambda message: page.heard.append(("console", message.text)))
        page.on("pageerror", lambda error: page.heard.append(("error", str(error))))
        page.on(
            "dialog",
            lambda dialog: (page.heard.append(("dialog", dialog.message)), dialog.dismiss()),
        )
        page.on("request", lambda request: page.heard.append(("request", request.url)))
        page.goto(path.as_uri())
        return page

    yield open_
    for context in contexts:
        context.close()


def quiet(page, path: Path) -> None:
    """The one request is the page itself; nothing was said on the console."""
    assert page.heard == [("request", path.as_uri())]


def llmjudge(folder: Path):
    data = folder / "data" / "llmjudge2024"
    runs = Runs.from_files(
        str(data / "gold.csv.gz"), [str(data / "systems.csv.gz")], missing="zero"
    )
    return compare(runs, n_resamples=999)


def demo():
    from ordeval.cli.demo import shared_task

    return compare(shared_task().runs, n_resamples=999)


@pytest.fixture(scope="module", params=["llmjudge", "demo"])
def report(request, pages):
    if request.param == "llmjudge":
        folder = request.getfixturevalue("shared")
        return pages("llmjudge", lambda: llmjudge(folder)), 33
    return pages("demo", demo), 10


def test_the_page_is_under_3_megabytes(report):
    path, _ = report
    assert path.stat().st_size < 3_000_000


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_the_report_is_drawn_without_a_request_a_complaint_or_overflow(
    report, opened, width, scheme
):
    path, systems = report
    page = opened(path, width=width, scheme=scheme)
    assert page.evaluate(OVERFLOW) <= 0
    drawings = page.evaluate(DRAWN)
    assert len(drawings) == 7 + 2 * systems
    assert all(wide > 100 and high > 60 and marks > 10 for wide, high, marks in drawings), drawings
    assert page.evaluate(OVERFLOW) <= 0  # with every section open, too
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(18, 22, 27)")
    quiet(page, path)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_axe_finds_nothing_serious(report, opened, width, scheme):
    path, _ = report
    page = opened(path, width=width, scheme=scheme)
    page.evaluate(
        "() => { for (const one of [...document.querySelectorAll('details')].slice(0, 12)) one.open = true; }"
    )
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    told = [
        (one["id"], one["impact"], one["nodes"][0]["html"][:200]) for one in found["violations"]
    ]
    assert not [one for one in told if one[1] in {"serious", "critical"}], told


def test_a_click_on_a_heading_sorts_best_first_and_a_second_click_turns_it_around(report, opened):
    path, systems = report
    page = opened(path)
    first = page.evaluate(ORDER)
    assert len(first) == systems
    head = page.locator("#board thead th", has_text="mae")
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"  # an error: the lowest is the best
    values = page.evaluate("""() => {
      const at = document.querySelector("#board th[aria-sort]").cellIndex;
      return [...document.querySelectorAll("#board tbody tr")].map((row) => Number(row.cells[at].dataset.value));
    }""")
    assert values == sorted(values)
    down = page.evaluate(ORDER)
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert page.evaluate(ORDER) != down
    assert page.locator("th[aria-sort]").count() == 1
    page.locator("#board thead button").first.click()  # the rank
    assert page.evaluate(ORDER) == first
    quiet(page, path)


def test_undefined_values_are_last_whichever_way_is_up(opened, pages):
    path = pages("undefined", comparisons.undefined)
    page = opened(path)
    button = page.locator("#board thead th", has_text="kendall").locator("button")
    for _ in range(2):
        button.click()
        assert page.evaluate(ORDER)[-1] == "constant"


def test_the_keyboard_alone_sorts_filters_and_opens_a_system(report, opened):
    path, systems = report
    page = opened(path)
    page.locator("#filter").focus()
    wanted = page.evaluate(ORDER)[-1]
    page.keyboard.type(wanted.upper())
    assert page.evaluate(ORDER) == [wanted]
    assert page.locator("#matches").inner_text() == f"1 of {systems} systems"
    page.keyboard.press("Escape")
    assert len(page.evaluate(ORDER)) == systems
    page.keyboard.press("Tab")  # the download
    page.keyboard.press("Tab")  # the table's frame, which scrolls
    page.keyboard.press("Tab")  # the first heading
    assert page.evaluate("document.activeElement.closest('th').cellIndex") == 0
    before = page.evaluate(ORDER)
    page.keyboard.press("Enter")
    assert page.evaluate(ORDER) == before[::-1]
    page.keyboard.press("Space")
    assert page.evaluate(ORDER) == before
    summary = page.locator("#system-2 summary").first
    summary.focus()
    page.keyboard.press("Enter")
    assert page.locator("#system-2").evaluate("(one) => one.open")
    quiet(page, path)


def test_a_link_in_the_leaderboard_opens_the_section_of_its_system(report, opened):
    path, _ = report
    page = opened(path)
    page.locator("#board tbody a").nth(2).click()
    assert page.locator("#system-3").evaluate("(one) => one.open")


def test_the_download_holds_the_leaderboard_and_no_formula(opened, pages, tmp_path):
    path = pages("hostile", comparisons.hostile)
    page = opened(path)
    with page.expect_download() as waiting:
        page.locator("#csv").click()
    target = tmp_path / "board.csv"
    waiting.value.save_as(target)
    assert waiting.value.suggested_filename == "leaderboard.csv"
    with target.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0][:5] == ["rank", "rank_low", "rank_high", "tier", "system"]
    assert rows[0][5:8] == ["items", "answered", "cem_ord"]
    names = {row[4] for row in rows[1:]}
    assert names == comparisons.downloaded_names()
    assert not [cell for row in rows for cell in row if cell[:1] in tuple("=+@")]
    assert all(0 <= float(row[7]) <= 1 for row in rows[1:])


def test_without_scripts_the_page_is_whole_and_offers_nothing_that_does_nothing(opened, pages):
    path = pages("demo", demo)
    page = opened(path, script=False)
    assert page.locator("#board tbody tr").count() == 10
    assert not page.locator(".tools").is_visible()
    assert page.locator("#board button").count() == 0


@pytest.mark.parametrize(
    "case",
    [comparisons.hostile, comparisons.one_system, comparisons.one_case, comparisons.undefined,
     comparisons.nothing_defined, comparisons.many_classes, *comparisons.LARGE],
    ids=lambda case: case.__name__,
)  # fmt: skip
@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_odd_and_large_comparisons_stay_right_and_inert(opened, pages, case, width):
    path = pages(case.__name__, case)
    page = opened(path, width=width)
    assert page.evaluate(OVERFLOW) <= 0
    drawings = page.evaluate(DRAWN)
    assert drawings
    assert all(wide > 60 and high > 30 and marks > 1 for wide, high, marks in drawings), drawings
    assert page.evaluate(OVERFLOW) <= 0
    assert page.locator("img, iframe, object, embed").count() == 0
    assert page.evaluate("document.scripts.length") == 2
    assert page.locator("section").count() == 8
    quiet(page, path)


def test_two_hundred_systems_and_five_hundred_cases_are_all_in_tables_or_named(opened, pages):
    systems = opened(pages("two_hundred_systems", comparisons.two_hundred_systems))
    assert systems.locator("#board tbody tr").count() == 200
    assert "first 40 of 200 systems" in systems.locator("#certainty .lead").first.inner_text()
    assert "first 60 of 200 systems" in systems.locator("#systems .lead").first.inner_text()
    cases = opened(pages("five_hundred_cases", comparisons.five_hundred_cases))
    assert "60 hardest of 500 cases" in cases.locator("#cases .lead").first.inner_text()


def test_on_paper_every_system_is_open_and_the_colours_are_light(opened, pages, tmp_path):
    path = pages("demo", demo)
    page = opened(path, scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(
        "[...document.querySelectorAll('details.system')].every((one) => one.open)"
    )
    page.set_viewport_size({"width": 718, "height": 1000})  # what A4 leaves between its margins
    assert page.evaluate(OVERFLOW) <= 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate("document.querySelectorAll('details.system[open]').length") == 1
    printed = page.pdf(path=tmp_path / "report.pdf")
    assert printed.startswith(b"%PDF")
