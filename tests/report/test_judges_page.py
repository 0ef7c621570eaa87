"""The page of judges: its parts in order, its numbers, its words, and names from outside."""

import re

import pytest
from click.testing import CliRunner

import ordeval as oe
from ordeval.cli import main
from ordeval.report import judges, render_judges
from tests.report import validations
from tests.report.pages import column, section, table, text_of

PARTS = ["answer", "human", "test", "bias", "confusion", "items", "ranking", "method"]


def sections(page):
    return re.findall(r'<section id="(\w+)"', page)


def test_the_page_begins_with_the_verdict_its_reason_and_every_judge(undrawn):
    found = validations.made()
    page = render_judges(found)
    answer = text_of(section(page, "answer"))
    headline = text_of(re.search(r'<p class="headline">.*?</p>', page)[0])
    assert headline == "good is fit to mark in place of a human."
    assert "Against the same humans it reaches" in answer
    rows = table(page, "Every judge and its verdict")
    assert [row[:2] for row in rows[1:]] == [[one.name, one.verdict] for one in found.ranked]
    assert rows[1][:2] == ["good", "fit"]
    assert 'class="verdict t1"' in page


def test_what_weakens_a_verdict_is_said_once_each_in_a_paragraph_of_its_own(undrawn):
    found = validations.disagreeing()
    assert len(found.best.cautions) == 2  # humans who agree by chance, and a constant answer
    page = render_judges(found)
    paragraphs = [text_of(one) for one in re.findall(r"<p>.*?</p>", section(page, "answer"))]
    for caution in found.best.cautions:
        assert paragraphs.count(caution) == 1
        assert text_of(section(page, "answer")).count(caution) == 1


def test_the_parts_stand_in_the_order_of_the_navigation_and_those_without_content_are_absent(
    undrawn,
):
    page = render_judges(validations.made())
    assert sections(page) == PARTS
    assert re.findall(r"<nav.*?</nav>", page, re.DOTALL)[0].count("<li>") == len(PARTS)
    assert re.findall(r'href="#(\w+)">', page)[1:] == PARTS  # the first is the link that skips
    sliced = render_judges(validations.made(sliced=True))
    assert sections(sliced) == [*PARTS[:5], "slices", *PARTS[5:]]


def test_a_judge_alone_is_shown_without_folds_and_is_not_ranked(undrawn):
    page = render_judges(validations.made(("gpt",)))
    assert "<title>May gpt mark in place of a human?</title>" in page
    assert 'class="system' not in page
    assert "ranking" not in sections(page)
    assert len(table(page, "gpt beside a human")) == 6  # the header and five measures


def test_of_several_judges_the_best_is_open_and_the_others_are_closed(undrawn):
    page = render_judges(validations.made())
    for part in ("human", "test", "bias", "confusion", "items"):
        folds = re.findall(
            r'<details class="system t\d"( open)?>\s*<summary>(.*?)</summary>', section(page, part)
        )
        assert [bool(opened) for opened, _ in folds] == [True, False, False]
        assert [text_of(words).split()[0] for _, words in folds] == ["good", "fair", "poor"]  # fmt: skip


def test_a_name_heads_every_row_of_the_ranking_beside_a_human_and_the_constant_answer(undrawn):
    caption = "The judges ranked as systems, against the shares of all humans"
    rows = table(render_judges(validations.made()), caption)
    assert rows[0][:2] == ["system", "ranks"]
    named = {row[0] for row in rows[1:]}
    assert named >= {"a human", "good", "fair", "poor"}
    assert any(name.startswith("always ") for name in named)


def test_the_numbers_of_a_judge_that_marks_one_class_too_high_are_on_the_page(undrawn):
    # Two humans give 1, 2 and 3 to twenty items each, and agree on all; the judge gives 2, 3 and 4.
    marks = [1, 2, 3] * 20
    humans = validations.ratings({"ann": marks, "bob": marks})
    judge = validations.ratings({"high": [mark + 1 for mark in marks]})
    page = render_judges(oe.judge.validate(humans, judge))
    title = "Where high marks higher or lower than humans"
    assert column(page, title, "difference")[:4] == ["+1.00"] * 4  # all items, and classes 1, 2, 3
    assert column(page, title, "marks")[:4] == ["60", "40", "40", "40"]
    rows = table(page, "Marks of the humans and of high")
    assert rows[1] == ["1", "0", "20 (100%)", "0", "0", "0"]
    assert column(page, "How often high gives each class", "share, judge") == [
        "0.0000", "0.3333", "0.3333", "0.3333", "0.0000",
    ]  # fmt: skip
    said = text_of(section(page, "answer"))
    assert "high is not fit to mark in place of a human." in said
    assert "never gives 1, which humans do" in text_of(section(page, "bias"))
    # on no item is the judge as close as the human, who is right: the advantage is 0 of 60
    assert column(page, "The alternative annotator test of high", "advantage") == ["0.000"] * 2
    assert 'class="verdict t5"' in page


def test_it_says_why_passing_the_test_is_not_enough_and_what_a_constant_answer_does(undrawn):
    part = text_of(section(render_judges(validations.disagreeing()), "test"))
    assert "passing is not enough for the verdict 'fit'" in part
    assert "Always answering 3 would pass this test, too" in part


def test_repeats_have_a_part_of_their_own(undrawn):
    found = validations.repeated()
    page = render_judges(found)
    assert "consistency" in sections(page)
    rows = table(page, "The repeats of gpt")
    assert [row[0] for row in rows] == ["repeat", "1", "2", "3"]
    assert "Asked again, gpt gives the same mark" in text_of(section(page, "consistency"))


def test_classes_that_a_judge_does_not_tell_apart_have_a_table(undrawn):
    # The humans agree on 2 and 3; the judge gives 3 to both, so that it is at chance and they are at 1.
    marks = [1, 2, 3, 4, 5] * 20
    humans = validations.ratings({"ann": marks, "bob": marks})
    judge = validations.ratings({"blunt": [3 if mark == 2 else mark for mark in marks]})
    page = render_judges(oe.judge.validate(humans, judge))
    rows = table(page, "Classes that blunt does not tell apart")
    assert rows[1][0] == "2 and 3"
    assert rows[1][1].startswith("0.50")
    assert rows[1][2] == "1.00"


def test_the_method_has_settings_command_files_and_references(undrawn):
    page = render_judges(
        validations.made(), command="ordeval judge h.csv j.csv", files=[("h.csv", "ab" * 32)]
    )
    method = text_of(section(page, "method"))
    assert "with a margin of 0.05" in method
    assert "epsilon 0.2;" in method
    assert "ordeval judge h.csv j.csv" in method
    assert "ab" * 32 in method
    assert "Nitay Calderon, Roi Reichart and Rotem Dror (2025)" in method
    assert "Klaus Krippendorff (2004)" in method
    assert "@inproceedings{calderon2025" in method
    assert "render_judges(ordeval.judge.validate(humans, judges))" in render_judges(
        validations.made()
    )


@pytest.mark.later
def test_names_from_outside_are_text_on_the_page(monkeypatch):
    monkeypatch.setattr(judges, "MOST_DETAILS", 1)  # the drawings take most of the time
    page = render_judges(validations.hostile(), title="<b>")
    assert page.count("<script") == 1
    assert "<img" not in page
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert "<h1><bdi>&lt;b&gt;</bdi></h1>" in page


@pytest.mark.later
def test_the_same_validation_gives_the_same_bytes(undrawn):
    humans, judge = validations.made().humans, validations.made().judges
    assert len({render_judges(oe.judge.validate(humans, judge)) for _ in range(2)}) == 1


def test_of_very_many_judges_all_have_a_verdict_and_the_best_have_details(undrawn, monkeypatch):
    monkeypatch.setattr(judges, "MOST_DETAILS", 2)
    page = render_judges(validations.made())
    assert len(table(page, "Every judge and its verdict")) == 4
    assert section(page, "bias").count('<details class="system') == 2
    assert "the best 2 of 3 judges are shown in detail." in text_of(section(page, "human"))


def test_a_scale_of_many_classes_has_no_matrix(undrawn):
    marks = list(range(1, 61)) * 2
    humans = validations.ratings({"ann": marks, "bob": marks}, labels=range(1, 61))
    judge = validations.ratings({"gpt": marks}, labels=range(1, 61))
    page = render_judges(oe.judge.validate(humans, judge))
    assert "confusion" not in sections(page)
    assert "confusion" not in re.search(r"<nav.*?</nav>", page, re.DOTALL)[0].lower()


def test_progress_ends_with_all_figures_drawn(undrawn):
    told = []
    render_judges(validations.made(), progress=lambda done, expected: told.append((done, expected)))
    assert told[-1] == (14, 14)  # two charts of all judges, and four of each


def test_the_command_writes_the_page_with_its_origin(tmp_path, undrawn):
    humans, model = tmp_path / "humans.csv", tmp_path / "judges.csv"
    marks = [(at, 1 + at % 3) for at in range(60)]
    rows = [f"{at},{who},{mark}" for at, mark in marks for who in ("ann", "bob")]
    humans.write_text("\n".join(["item,rater,label", *rows]) + "\n", encoding="utf-8")
    given = [f"{at},gpt,{mark}" for at, mark in marks]
    model.write_text("\n".join(["item,rater,label", *given]) + "\n", encoding="utf-8")
    target = tmp_path / "out.html"
    words = ["judge", str(humans), str(model), "-o", str(target), "--title", "Mine"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    page = target.read_text(encoding="utf-8")
    method = text_of(section(page, "method"))
    assert "<h1><bdi>Mine</bdi></h1>" in page
    assert "ordeval judge humans.csv judges.csv -o judges.html" in method
    assert str(tmp_path) not in page
    assert len(re.findall(r"<code>[0-9a-f]{64}</code>", page)) == 2
