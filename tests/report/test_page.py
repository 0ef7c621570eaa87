"""The page as a file: valid, inert, whole, and the same every time."""

import csv
import hashlib
import html
import io
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import html5lib
import numpy as np
import pytest
from click.testing import CliRunner

import ordeval as oe
from ordeval.cli import main
from ordeval.report import render
from ordeval.report.charts import distinct_names
from ordeval.report.template import safe_json
from tests.examples import grid
from tests.report import comparisons

SECTIONS = [
    "answer", "leaderboard", "certainty", "two", "systems", "scale", "cases", "slices", "measures", "method",
]  # fmt: skip
OUTLINE = Path(__file__).with_name("outline.txt")


@pytest.fixture(scope="module")
def hostile():
    return render(comparisons.hostile(), title="<script>alert(0)</script> & title")


@pytest.fixture(scope="module")
def plain():
    return comparisons.made(systems=5, items=300, cases=12)


@pytest.fixture(scope="module")
def page(plain):
    return render(plain)


class Elements(HTMLParser):
    """Every element with its attributes, and the text of each script."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.inside = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        self.inside = tag == "script"
        if self.inside:
            self.scripts.append("")

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "script"

    def handle_data(self, data):
        if self.inside:
            self.scripts[-1] += data


def valid(text: str) -> None:
    """Parse as strictly as HTML5 has it; every id is there once, and every reference to one has its target."""
    html5lib.HTMLParser(strict=True).parse(text)
    elements = Elements(text).found
    ids = [attributes["id"] for _, attributes in elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    named = [a[key] for _, a in elements for key in ("aria-labelledby", "for") if key in a]
    named += [
        a["href"][1:] for tag, a in elements if tag == "a" and a.get("href", "").startswith("#")
    ]
    assert {one for names in named for one in names.split()} <= set(ids)


@grid("case", comparisons.SMALL, every=3, ids=lambda case: case.__name__)
def test_a_page_of_any_comparison_is_valid_and_has_the_sections_that_it_has_something_for(case):
    comparison = case()
    text = render(comparison)
    valid(text)
    absent = {"slices"}
    absent |= {"cases"} if len(comparison.scores.cases) < 2 else set()
    absent |= {"two"} if len(comparison.order) == 1 else set()
    absent |= {"certainty"} if comparison.ranked.sum() < 2 else set()
    there = [name for name in SECTIONS if name not in absent]
    assert re.findall(r'<section id="(\w+)"', text) == there
    assert re.findall(r'<li(?: hidden)?><a href="#(\w+)"', text) == there
    assert "nan" not in re.sub(
        r"<script.*?</script>|[a-z]*nan[a-z]+|[a-z]+nan", "", text.lower(), flags=re.DOTALL
    )


def test_hostile_names_leave_the_page_valid_and_add_no_element(hostile):
    valid(hostile)
    elements = Elements(hostile).found
    assert not [
        tag
        for tag, _ in elements
        if tag in {"img", "iframe", "object", "embed", "link", "b-old", "i"}
    ]
    assert [attributes.get("type") for tag, attributes in elements if tag == "script"] == [
        "application/json",
        "application/json",
        None,
    ]
    assert not [name for _, attributes in elements for name in attributes if name.startswith("on")]


def test_every_hostile_name_is_shown_as_it_is(hostile):
    text = html.unescape(re.sub(r"<[^>]*>", "", hostile))
    for name in comparisons.HOSTILE[:6]:
        assert " ".join(name.split()) in text


def test_the_data_in_the_script_block_is_the_leaderboard_and_cannot_end_the_block(hostile):
    data, pairs, _ = Elements(hostile).scripts
    assert not set("<>&\u2028\u2029") & set(pairs)
    assert not set("<>&\u2028\u2029") & set(data)
    header, *rows = csv.reader(io.StringIO(json.loads(data)))
    assert header[:5] == ["rank", "rank_low", "rank_high", "tier", "system"]
    assert header[7] == "cem_ord"
    assert {row[4] for row in rows} == comparisons.downloaded_names()


def test_json_for_a_script_block_reads_back():
    data = {"</script>": "\u2028 & \u2029 <!--", "x": [1.5, None]}
    assert json.loads(safe_json(data)) == data


def test_the_page_names_no_address_but_those_of_namespaces_and_texts(hostile):
    for tag, attributes in Elements(hostile).found:
        for name in ("src", "href", "xlink:href", "action", "data", "srcset"):
            assert not attributes.get(name) or attributes[name].startswith("#"), (tag, attributes)
    style = re.search(r"<style>(.*?)</style>", hostile, re.DOTALL)[1]
    assert "url(" not in style
    assert "@import" not in style


def test_the_policy_allows_the_pages_own_script_and_nothing_else(hostile):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', hostile)[1]
    policy = html.unescape(policy)
    assert policy.startswith("default-src 'none'")
    assert re.search(r"script-src 'sha256-[A-Za-z0-9+/=]{44}';", policy)
    assert "unsafe-eval" not in policy


@pytest.mark.later
def test_the_same_comparison_gives_the_same_bytes(page):
    again = comparisons.made(systems=5, items=300, cases=12)
    assert page == render(again)


@pytest.mark.full
def test_two_processes_that_hash_differently_write_the_same_bytes(files):
    folder, gold, system = files
    pages = []
    for seed in "12":
        page = folder / f"{seed}.html"
        command = [
            sys.executable,
            "-m",
            "ordeval",
            "report",
            gold,
            system,
            "--resamples",
            "99",
            "-o",
            str(page),
        ]
        subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True
        )
        pages.append(page.read_bytes())
    assert pages[0] == pages[1]


def test_a_page_is_made_without_altair_which_takes_longer_to_import_than_the_page_to_draw():
    code = "import sys, ordeval.report; print('altair' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_every_chart_has_a_title_a_description_and_its_data(hostile, page):
    for text in (hostile, page):
        figures = re.findall(r"<figure>(.*?)</figure>", text, re.DOTALL)
        assert len(figures) > 8
        for figure in figures:
            assert re.search(
                r'<svg [^>]*role="img"[^>]*><title id="[^"]+">[^<]+</title><desc id="[^"]+">[^<]+</desc>',
                figure,
            )
            assert len(re.findall(r"<tr>", figure)) >= 2
        assert text.count("<svg") == len(figures)


def test_charts_take_their_colours_from_the_style_sheet(page):
    drawn = "".join(re.findall(r"<svg.*?</svg>", page, re.DOTALL))
    assert not re.findall(r'(?:fill|stroke)="(?!var\(--|none)[^"]*"', drawn)
    used = set(re.findall(r"var\((--[\w-]+)\)", drawn))
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)[1]
    light, dark = style.split("prefers-color-scheme: dark")
    for variable in used:
        assert f"{variable}:" in light
        assert f"{variable}:" in dark


def test_the_best_value_of_each_column_is_marked_by_its_direction(page):
    body = re.search(r'<table id="board">.*?<tbody>(.*?)</tbody>', page, re.DOTALL)[1]
    rows = [
        re.findall(r'<td class="(n[^"]*)" data-value="([^"]*)"', row)
        for row in body.split("<tr ")[1:]
        if not row.startswith('class="constant"')
    ]
    # cem_ord is the better the higher, mae the lower; between them is the difference to the best
    for column, better in ((1, max), (3, min)):
        values = {float(row[column][1]): "best" in row[column][0] for row in rows}
        assert [value for value, marked in values.items() if marked] == [better(values)]


def test_undefined_scores_are_dashes_with_a_reason():
    text = render(comparisons.undefined())
    assert (
        'title="kendall_tau_b: undefined when gold or the predictions are all of one class"' in text
    )
    assert "Why some values or intervals are missing" in text


def test_the_outline_of_the_page_stands_as_it_was_reviewed(plain):
    """Headings and leads, numbers taken out: a change of the page's words is a change of this file, too."""
    text = render(plain, title="Outline")
    lines = re.findall(
        r"<(h[1-3]|summary|figcaption|p class=\"(?:lead|note)\")[^>]*>(.*?)</(?:h\d|summary|figcaption|p)>",
        text,
        re.DOTALL,
    )
    shown = [html.unescape(re.sub(r"<[^>]*>", "", line)) for _, line in lines]
    outline = (
        "\n".join(
            dict.fromkeys(
                re.sub(r"[-\u2212+]?\d[\d.,%]*", "#", " ".join(line.split())) for line in shown
            )
        )
        + "\n"
    )
    assert outline == OUTLINE.read_text(encoding="utf-8")


@pytest.fixture
def files(tmp_path):
    gold, system = tmp_path / "gold.csv", tmp_path / "a.csv"
    gold.write_text("item,label\n" + "".join(f"i{i},{i % 3}\n" for i in range(30)))
    system.write_text("item,label\n" + "".join(f"i{i},{i * i % 3}\n" for i in range(30)))
    return tmp_path, str(gold), str(system)


def test_the_command_writes_the_page_and_says_so_on_stderr(files):
    folder, gold, system = files
    page = folder / "page.html"
    result = CliRunner().invoke(
        main,
        ["report", gold, system, "--metrics", "cem_ord,mae", "--level", "none", "-o", str(page)],
    )
    assert result.exit_code == 0, result.output
    assert result.stdout == ""
    size = round(page.stat().st_size / 1000)
    assert result.stderr == f"{page}: 1 system, {size} kB. Open it in a browser.\n"
    text = page.read_text(encoding="utf-8")
    valid(text)
    told = html.unescape(re.sub(r"<[^>]*>", "", text))
    assert "ordeval report gold.csv a.csv --metrics cem_ord,mae --level none -o report.html" in told


def test_a_page_names_files_by_their_names_and_digests_and_no_folder_of_the_machine(files):
    folder, gold, system = files
    page, bad = folder / "page.html", folder / "bad.csv"
    bad.write_text("item,label\ni0,7\n")
    options = ["--skip-bad", "--level", "none", "-o", str(page)]
    result = CliRunner().invoke(main, ["report", gold, system, str(bad), *options])
    assert result.exit_code == 0, result.output
    text = page.read_text(encoding="utf-8")
    assert str(folder) not in text
    assert "bad.csv" in text
    for name in ("gold.csv", "a.csv"):
        digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        assert re.search(rf"<bdi>{name}</bdi></th><td><code>{digest}</code>", text)


def test_bad_data_leaves_an_old_page_as_it_was(files):
    folder, gold, _ = files
    page, bad = folder / "page.html", folder / "bad.csv"
    page.write_text("old")
    bad.write_text("item,label\ni0,7\n")
    result = CliRunner().invoke(main, ["report", gold, str(bad), "-o", str(page)])
    assert result.exit_code == 3
    assert page.read_text() == "old"
    assert sorted(path.name for path in folder.iterdir()) == [
        "a.csv",
        "bad.csv",
        "gold.csv",
        "page.html",
    ]


def test_a_page_in_a_folder_that_is_not_there_is_refused_before_any_work(files):
    folder, gold, system = files
    result = CliRunner().invoke(
        main, ["report", gold, system, "-o", str(folder / "no" / "page.html")]
    )
    assert result.exit_code == 2
    assert "there is no folder" in result.stderr


@pytest.mark.later
def test_labels_and_names_of_a_million_letters_make_a_page_of_their_beginnings_and_ends():
    labels = [f"{label}{'w' * 1_000_000}" for label in "ab"]
    rng = np.random.default_rng(1)
    gold, said = rng.integers(0, 2, (2, 40))
    found = oe.compare(
        oe.Runs.from_labels(
            [labels[g] for g in gold], {"s" * 1_000_000: [labels[p] for p in said]}, labels=labels
        )
    )
    (data, script) = Elements(text := render(found)).scripts
    assert len(data) > 1_000_000  # the download has all of it
    assert len(text) - len(data) - len(script) < 200_000
    # measuring long labels would take most of the time
    assert {len(name) for name in distinct_names(["x" * 500, "y" * 34, "x"])} == {34, 1}
