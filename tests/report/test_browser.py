"""The report in a browser: drawn, quiet, usable by mouse and keyboard, in both modes and on a phone."""

import csv
from importlib.resources import files
from pathlib import Path

import pytest

from ordeval.agreement.agree import agree
from ordeval.comparison.compare import compare
from ordeval.judge.validate import validate
from ordeval.ratings import Ratings
from ordeval.report import render, render_agreement, render_judges
from ordeval.runs import Runs
from tests.browser import chromium
from tests.report import comparisons, validations

pytestmark = pytest.mark.full

WIDE, PHONE = 1280, 375
CHARTS = 9  # beside the two of each system
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
ORDER = (
    "[...document.querySelectorAll('#board tbody tr:not(.constant)')].filter((row) => !row.hidden)"
    ".map((row) => row.dataset.name)"
)


@pytest.fixture(scope="module")
def browser():
    with chromium() as started:
        yield started


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


def test_a_page_of_33_systems_is_under_2_megabytes_and_one_of_200_under_5(report, pages):
    path, _ = report
    assert path.stat().st_size < 2_000_000
    large = pages("two_hundred_systems", comparisons.two_hundred_systems)
    assert large.stat().st_size < 5_000_000


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_the_report_is_drawn_without_a_request_a_complaint_or_overflow(
    report, opened, width, scheme
):
    path, systems = report
    page = opened(path, width=width, scheme=scheme)
    assert page.evaluate(OVERFLOW) <= 0
    drawings = page.evaluate(DRAWN)
    assert len(drawings) == CHARTS + 2 * systems
    assert all(wide > 100 and high > 60 and marks > 10 for wide, high, marks in drawings), drawings
    assert page.evaluate(OVERFLOW) <= 0  # with every section open, too
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(18, 22, 27)")
    quiet(page, path)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_axe_finds_nothing(report, opened, width, scheme):
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
    assert not told


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
    assert page.locator("#board tbody tr:not(.constant)").count() == 10
    assert page.locator(".tools:visible").count() == 0
    assert page.locator("#board button").count() == 0
    assert not page.locator(".picker").is_visible()
    assert page.locator("#two figure").is_visible()  # how often systems agree needs no script
    page = opened(pages("independent", comparisons.independent), script=False)
    assert not page.locator("#two").is_visible()
    assert not page.locator('nav a[href="#two"]').is_visible()


@pytest.mark.parametrize(
    "case",
    [comparisons.hostile, comparisons.one_system, comparisons.one_case, comparisons.undefined,
     comparisons.nothing_defined, comparisons.many_classes, comparisons.by_raters, *comparisons.LARGE],
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
    assert page.evaluate("document.scripts.length") == 2 + page.locator("#two").count()
    quiet(page, path)


@pytest.fixture(scope="module")
def rated_pages(tmp_path_factory):
    """The page of a comparison whose gold several people made, that of their agreement, and those of judges."""
    folder, comparison = tmp_path_factory.mktemp("rated"), comparisons.by_raters()
    ratings = comparison.runs.ratings
    for name, text in (
        ("comparison", render(comparison)), ("agreement", render_agreement(agree(ratings))),
        ("judges", render_judges(validations.made(sliced=True))), ("one_judge", render_judges(validations.repeated())),
        ("hostile_judges", render_judges(validations.hostile())),
    ):  # fmt: skip
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [WIDE, PHONE])
@pytest.mark.parametrize(
    "name", ["comparison", "agreement", "judges", "one_judge", "hostile_judges"]
)
def test_pages_about_raters_are_drawn_in_silence_and_axe_finds_nothing(
    opened, rated_pages, name, width, scheme
):
    path = rated_pages / f"{name}.html"
    page = opened(path, width=width, scheme=scheme)
    assert page.evaluate(OVERFLOW) <= 0
    drawings = page.evaluate(DRAWN)
    assert len(drawings) >= 4
    assert all(wide > 60 and high > 30 and marks > 1 for wide, high, marks in drawings), drawings
    assert page.evaluate(OVERFLOW) <= 0
    quiet(page, path)
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    assert not [(one["id"], one["nodes"][0]["html"][:200]) for one in found["violations"]]


def test_a_page_of_six_judges_is_under_1_megabyte_and_every_chart_is_drawn(
    shared, opened, tmp_path
):
    data = shared / "data" / "llm_judges2025"
    humans, judges = (
        Ratings.from_file(str(data / f"prompt_quality_{who}.csv.gz"))
        for who in ("humans", "judges")
    )
    path = tmp_path / "judges.html"
    path.write_text(render_judges(validate(humans, judges, epsilon=0.15)), encoding="utf-8")
    assert path.stat().st_size < 1_000_000
    page = opened(path, width=390)
    drawings = page.evaluate(DRAWN)
    assert len(drawings) == 2 + 4 * 6
    assert all(wide > 100 and high > 60 and marks > 10 for wide, high, marks in drawings), drawings
    assert page.evaluate(OVERFLOW) <= 0
    quiet(page, path)


def test_the_keyboard_alone_reads_a_chart_of_judges_and_opens_another_judge(opened, rated_pages):
    page = opened(rated_pages / "judges.html")
    page.locator("#human figure > .scroll").focus()
    page.keyboard.press("ArrowDown")
    tip = page.locator("#tip")
    tip.wait_for(state="visible")
    assert tip.inner_text().startswith("good: ")
    assert tip.inner_text().endswith(", fit")
    closed = page.locator("#bias details.system").nth(1)
    assert not closed.evaluate("(one) => one.open")
    closed.locator("summary").first.focus()
    page.keyboard.press("Enter")
    assert closed.evaluate("(one) => one.open")
    assert closed.locator("svg.drawing").first.is_visible()


def test_names_of_judges_run_nothing_and_leave_the_page_its_order(opened, rated_pages):
    path = rated_pages / "hostile_judges.html"
    page = opened(path, width=390)
    page.evaluate(DRAWN)  # opens every part
    assert page.locator("img, iframe, object, embed").count() == 0
    assert page.evaluate("document.scripts.length") == 1
    quiet(page, path)


def test_on_paper_every_judge_is_open_in_light_colours_within_the_page(
    opened, rated_pages, tmp_path
):
    page = opened(rated_pages / "judges.html", scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(
        "[...document.querySelectorAll('details.system')].every((one) => one.open)"
    )
    page.set_viewport_size({"width": 718, "height": 1000})  # what A4 leaves between its margins
    assert page.evaluate(OVERFLOW) <= 0
    cut = page.evaluate("""() => [...document.querySelectorAll(".folds table, .folds svg")].filter(
      (one) => one.checkVisibility() && one.getBoundingClientRect().right > 719).length""")
    assert cut == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.pdf(path=tmp_path / "judges.pdf", format="A4")
    first, *_ = printed_pages(tmp_path / "judges.pdf")
    assert "goodisfittomarkinplaceofahuman." in first
    assert "poor" in first


def test_two_hundred_systems_and_five_hundred_cases_are_all_in_tables_or_named(opened, pages):
    systems = opened(pages("two_hundred_systems", comparisons.two_hundred_systems))
    assert systems.locator("#board tbody tr:not(.constant)").count() == 200
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


def test_the_header_of_the_leaderboard_is_painted_on_every_page_that_it_reaches(
    opened, pages, tmp_path
):
    page = opened(pages("two_hundred_systems", comparisons.two_hundred_systems))
    page.pdf(path=tmp_path / "report.pdf", format="A4")
    texts = printed_pages(tmp_path / "report.pdf")
    boards = [text for text in texts if text.count("[0.") > 40]  # intervals of many systems
    assert len(boards) > 2
    for text in boards:
        assert "cem_ord" in text
        assert "Minusthe" in text


def printed_pages(path: Path) -> list[str]:
    """The text of each page without blanks, which a printed page has between letters, too."""
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    texts = ["".join(one.get_textpage().get_text_range().split()) for one in document]
    document.close()
    return texts


def test_on_paper_the_summary_comes_first_and_33_systems_take_at_most_16_pages(
    shared, pages, opened, tmp_path
):
    page = opened(pages("llmjudge", lambda: llmjudge(shared)))
    page.pdf(path=tmp_path / "report.pdf", format="A4")
    first, *others = printed_pages(tmp_path / "report.pdf")
    assert "Theanswer" in first
    assert "willia-umbrela1" in first
    assert "Systembysystem" in next(text for text in others if "takenfor" in text)
    assert len(others) < 16


def test_on_paper_all_groups_are_on_the_first_page_and_a_heading_is_with_its_charts(
    pages, opened, tmp_path
):
    names = [f"organisation_model-{at}-instruct-{'v' * 12}" for at in range(21)]
    page = opened(pages("long", lambda: comparisons.made(systems=21, items=300, names=names)))
    page.pdf(path=tmp_path / "report.pdf", format="A4")
    first, *others = printed_pages(tmp_path / "report.pdf")
    assert all(name in first.partition("Groupsofsystems")[2] for name in names)
    headed = next(text for text in others if "Howcertainistheranking?" in text)
    assert "Ranksthatthesystemsmayhave" in headed


@pytest.mark.parametrize("width", [1440, WIDE])
def test_a_leaderboard_with_tiers_and_unanswered_items_is_whole_on_a_desktop(opened, pages, width):
    def comparison():
        gold = [1, 2, 3, 4] * 100
        answers = {
            "meta_meta-llama-3-70b-instruct": [None, *gold[1:]],
            "microsoft_Phi-3-small-8k-instruct": [1 if at % 2 else g for at, g in enumerate(gold)],
        }
        return compare(Runs.from_labels(gold, answers, missing="zero"), n_resamples=99)

    page = opened(pages("tiers", comparison), width=width)
    heads = page.locator("#board thead th").all_inner_texts()
    assert [heads[1].strip(), heads[-1].strip()] == ["Tier", "Answered"]
    assert page.locator(".frame.fits").count() == 1


def test_a_name_on_a_phone_breaks_after_an_underscore_and_not_inside_a_word(opened, pages):
    def comparison():
        gold = [1, 2, 3] * 30
        return compare(gold, {"microsoft_Phi-3-small": gold, "b": [2, *gold[1:]]}, n_resamples=99)

    page = opened(pages("underscore", comparison), width=PHONE)
    tops = page.locator("#board th.sticky bdi").first.evaluate("""(name) => {
      const range = document.createRange();
      return [...name.childNodes].filter((node) => node.nodeType === 3).map((node) => {
        range.selectNodeContents(node);
        return range.getClientRects().length;
      });
    }""")
    assert tops[0] == 1  # 'microsoft_' is on one line


def test_two_systems_can_be_chosen_and_swapped_and_show_their_paired_difference(
    shared, opened, pages
):
    comparison = llmjudge(shared)
    path = pages("llmjudge", lambda: comparison)
    page = opened(path)
    page.locator("#second").select_option(index=32)
    first, last = comparison.systems[0], comparison.systems[-1]
    pair = next(p for p in comparison.pairs if (p.a, p.b, p.metric) == (first, last, "cem_ord"))
    words = page.locator("#versus .headline").inner_text()
    assert (
        f"A minus B is +{pair.difference:.4f} (interval {pair.low:.4f} to {pair.high:.4f})" in words
    )
    assert "A is significantly better" in words
    page.locator("#swap").click()
    words = page.locator("#versus .headline").inner_text()
    assert (
        f"A minus B is {-pair.difference:.4f} (interval {-pair.high:.4f} to {-pair.low:.4f})"
        in words
    )
    assert "B is significantly better" in words
    page.locator("#second").focus()
    page.keyboard.press("End")  # the last option, by the keyboard alone
    assert "Choose two different systems" in page.locator("#versus").inner_text()
    quiet(page, path)


def test_the_answers_of_two_systems_are_subtracted_and_their_agreement_is_counted(opened, pages):
    # Gold 1 1 2 2: A says 1 1 2 1 and B says 1 2 2 1. They agree on three of four items; A alone has the second right.
    def comparison():
        return compare([1, 1, 2, 2], {"A": [1, 1, 2, 1], "B": [1, 2, 2, 1]}, n_resamples=99)

    page = opened(pages("four", comparison))
    rows = page.locator('table:has(caption:text("Answers, A minus B")) tbody tr').all_inner_texts()
    assert [row.split() for row in rows] == [["1", "+1", "-1"], ["2", "0", "0"]]
    words = page.locator("#versus").inner_text()
    assert "A and B give the same answer to 75.0% of the items." in words
    assert "50.0% both are right" in words
    assert "25.0% only A is right" in words
    assert "0.0% only B is right" in words
    assert "25.0% both are wrong" in words


def test_systems_that_share_no_items_are_subtracted_in_percentage_points(opened, pages):
    # Monday has 20 items of gold 3, half of them taken for 2; Tuesday has 20, half of them taken for 1.
    page = opened(pages("independent", comparisons.independent))
    assert page.locator("#first option").all_inner_texts() == ["1. tuesday", "2. monday"]
    rows = page.locator('table:has(caption:text("Answers, A minus B")) tbody tr').all_inner_texts()
    assert [row.split() for row in rows] == [
        ["1", "0", "0", "0"], ["2", "0", "0", "0"], ["3", "+50.0", "-50.0", "0"],
    ]  # fmt: skip
    words = page.locator("#versus").inner_text()
    assert "percentage points of the gold class" in words
    assert "after correction" not in words  # there is one pair


def test_a_mark_says_what_it_shows_to_the_pointer_and_to_the_keyboard(report, opened):
    path, _ = report
    page = opened(path)
    first = page.evaluate(ORDER)[0]
    figure = page.locator("#answer figure > .scroll")
    figure.locator("[data-tip]").first.hover()
    tip = page.locator("#tip")
    assert tip.is_visible()
    assert tip.inner_text().lower().startswith(first)
    page.mouse.move(1, 1)
    assert not tip.is_visible()
    figure.focus()
    page.keyboard.press("ArrowDown")
    tip.wait_for(state="visible")
    assert tip.inner_text().lower().startswith(first)
    page.keyboard.press("ArrowDown")
    page.wait_for_function(
        "(name) => document.getElementById('tip').textContent.toLowerCase().startsWith(name)",
        arg=page.evaluate(ORDER)[1],
    )
    page.keyboard.press("Escape")
    assert not tip.is_visible()
    quiet(page, path)


def test_navigation_and_header_stay_in_sight_while_the_leaderboard_scrolls(report, opened):
    path, _ = report
    page = opened(path, width=1440)
    page.locator("#board tbody tr").nth(9).evaluate("(row) => row.scrollIntoView({block: 'start'})")
    nav, head = (page.locator(one).bounding_box() for one in ("nav", "#board thead th.primary"))
    assert nav["y"] == 0
    assert 0 <= head["y"] <= nav["height"] + 1
