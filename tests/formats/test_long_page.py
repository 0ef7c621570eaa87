"""Long pages of Markdown get a summary, contents and folds, and can be read without them as before."""

import pytest

from ordeval.formats.long_page import LONGEST, condensed, expanded

ROWS = "\n".join(f"| {at} | {at * at} |" for at in range(LONGEST + 1))
PAGE = f"""# Squares

All of them.

## A long table (of squares)

| n | square |
|---|---|
{ROWS}

A remark.

## Short ones

| n | square |
|---|---|
| 1 | 1 |

- one
- two

```text
## not a heading of this page's contents would be wrong
| a | b |
```
""".replace("## not a heading of this page's contents would be wrong", "a block")


def test_a_condensed_page_begins_with_its_title_then_the_summary_then_the_contents():
    lines = condensed(PAGE, ["Squares grow."]).splitlines()
    assert lines[:2] == ["# Squares", ""]
    assert lines[2:13] == [
        "<!-- summary: begin -->",
        "**Summary**",
        "",
        "- Squares grow.",
        "",
        "**On this page**",
        "",
        "- [A long table (of squares)](#a-long-table-of-squares)",
        "- [Short ones](#short-ones)",
        "<!-- summary: end -->",
        "",
    ]


def test_only_long_tables_and_lists_are_folded():
    text = condensed(PAGE, [])
    assert text.count("<details>") == text.count("</details>") == 1
    assert (
        f"<details><summary>Show the table ({LONGEST + 1} rows)</summary>\n\n| n | square |" in text
    )
    assert f"{ROWS}\n\n</details>\n\nA remark." in text
    entries = "\n".join(f"- {at}" for at in range(LONGEST + 1))
    assert f"Show the list ({LONGEST + 1} entries)" in condensed(f"# A\n\n{entries}\n", [])


def test_a_long_block_of_code_is_never_folded_even_if_its_lines_look_like_a_table():
    block = "\n".join(f"| {at} |" for at in range(3 * LONGEST))
    assert "<details>" not in condensed(f"# A\n\n```text\n{block}\n```\n", [])


@pytest.mark.parametrize("summary", [[], ["One.", "Two."]])
def test_a_page_can_be_expanded_to_what_it_was_and_condensed_again(summary):
    text = condensed(PAGE, summary)
    assert expanded(text) == PAGE
    assert condensed(text, summary) == text
    assert condensed(condensed(PAGE, ["An old summary."]), summary) == text
