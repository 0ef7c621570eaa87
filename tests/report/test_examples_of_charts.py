"""Every chart has an example in its docstring, which draws it, and a place in the gallery."""

import doctest
import importlib.util
import inspect
import re

import pytest

import ordeval as oe
from ordeval.report.offline import OfflineChart


@pytest.fixture(scope="module")
def gallery(root):
    """The extension that draws the gallery."""
    path = root / "docs" / "_ext" / "gallery.py"
    spec = importlib.util.spec_from_file_location("gallery", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.later
@pytest.mark.parametrize("name", oe.plot.__all__)
def test_the_example_of_a_chart_runs_and_gives_a_chart_with_a_description(name):
    text = inspect.getdoc(getattr(oe.plot, name))
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    report: list[str] = []
    doctest.DocTestRunner().run(test, out=report.append, clear_globs=False)
    assert not report, "".join(report)
    assert f"oe.plot.{name}(" in text
    chart = test.globs["chart"]
    assert isinstance(chart, OfflineChart)
    assert chart.to_dict()["description"].endswith(".")


@pytest.mark.later
@pytest.mark.parametrize("name", oe.plot.__all__)
def test_a_chart_says_in_a_sentence_when_to_use_it(name):
    summary, use, *_ = inspect.getdoc(getattr(oe.plot, name)).split("\n\n")
    assert summary.startswith("Draw ")
    assert use.startswith("Use it ")


@pytest.mark.later
def test_the_topics_of_the_gallery_have_every_chart_once(gallery):
    shown = [one.name for topic in oe.plot.TOPICS for one in gallery.charts_of(topic)]
    assert sorted(shown) == sorted(oe.plot.__all__)


@pytest.mark.later
def test_the_page_of_the_gallery_shows_a_picture_for_each_theme_and_the_code(gallery):
    example = gallery.example_of(oe.plot.TOPICS[0], "forest")
    assert example.title == "Every system's score with its interval"
    drawn = gallery.Drawn(example, "Points <&> lines.", '<svg viewBox="0 0 300.4 200"></svg>')
    page = gallery.page({"Compare systems": [drawn]})
    words = "Every system&#x27;s score with its interval. Points &lt;&amp;&gt; lines."
    for theme in ("light", "dark"):
        picture = f'<img src="forest-{theme}.svg" class="only-{theme}" alt='
        assert f'{picture}"{words}" width="300" height="200">' in page
        assert f'{picture}"" width' in page  # beside its title
    assert "```python\nimport ordeval as oe\ntask = " in page
    assert "(plot-forest)=\n### Every system's score with its interval\n" in page


@pytest.mark.later
def test_a_picture_has_its_own_colours_for_each_theme_and_no_script(gallery):
    drawn = gallery.draw(gallery.example_of(oe.plot.TOPICS[1], "gold"))
    light, dark = drawn.themed("light"), drawn.themed("dark")
    assert "--paper: #ffffff" in light
    assert "--paper: #12161b" not in light
    assert dark.rindex("--paper: #12161b") > dark.rindex("--paper: #ffffff")  # the last one counts
    assert "<script" not in light + dark
    assert "data-tip" not in light


@pytest.mark.later
def test_the_lines_of_a_title_are_drawn_one_below_the_other(gallery):
    drawn = gallery.draw(gallery.example_of(oe.plot.TOPICS[0], "differences"))
    first, second = re.findall(r"<tspan[^>]*>", drawn.svg)[:2]
    assert "dy" not in first
    assert re.search(r'dy="1[0-9]', second)
