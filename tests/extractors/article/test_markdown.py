"""The main text as Markdown."""

from extractors.page import Page

PROSE = (
    "<p>The river <b>had</b> risen in the <a href='/n'>night</a>, and nobody in the village, said the <code>miller</code>, "
    "had ever seen it so high.</p>"
)
PARAGRAPH = (
    "The river **had** risen in the [night](https://a.example/n), and nobody in the village, said the `miller`, "
    "had ever seen it so high."
)
CODE = "import os\nfor name in names:\n    print(name)"


def markdown(middle: str) -> str:
    """Of what stands between paragraphs of an article."""
    body = f"<article><h1>The river</h1>{PROSE * 3}{middle}{PROSE * 3}</article>"
    page = Page(
        f"<html><head><title>The river</title></head><body>{body}</body></html>".encode(), "https://a.example/x/y.html"
    )
    text = page.markdown
    between = text.split(PARAGRAPH)
    assert len(between) == 7
    return between[3].strip("\n")


def test_paragraphs_keep_links_emphasis_and_code() -> None:
    assert markdown("") == ""


def test_a_heading_has_its_level() -> None:
    assert markdown("<h2>What the miller said</h2>") == "## What the miller said"


def test_lists_are_nested_and_numbered() -> None:
    inner = "<ul><li>by the north road, which is open<li>by the river, which is not</ul>"
    items = f"<li>Take the boat of the miller, which is dry.</li><li>Go to the hill behind the village.{inner}</li>"
    assert markdown(f"<ol>{items}</ol>").split("\n") == [
        "1. Take the boat of the miller, which is dry.",
        "2. Go to the hill behind the village.",
        "   - by the north road, which is open",
        "   - by the river, which is not",
    ]


def test_a_quote_is_marked() -> None:
    quote = "It was like the sea, said one of them, when the storm comes."
    assert markdown(f"<blockquote><p>{quote}</p></blockquote>") == f"> {quote}"


def test_code_is_fenced_with_its_language_and_its_lines() -> None:
    assert markdown(f"<pre><code class='language-python'>{CODE}</code></pre>") == f"```python\n{CODE}\n```"


def test_a_table_has_a_head_and_cells() -> None:
    rows = "<tr><th>Year</th><th>Height</th></tr><tr><td>1990</td><td>3 m | high</td></tr>"
    assert markdown(f"<table>{rows}</table>") == "| Year | Height |\n| --- | --- |\n| 1990 | 3 m \\| high |"


def test_a_picture_between_paragraphs_is_kept_with_its_description() -> None:
    assert (
        markdown("<img src=/p.png alt='the river [at night]'>")
        == "![the river \\[at night\\]](https://a.example/p.png)"
    )


def test_signs_of_markdown_in_a_text_are_escaped() -> None:
    said = "1. The *river* of the [north] had risen in the night, and nobody had ever seen it so high."
    assert (
        markdown(f"<p>{said}</p>")
        == "\\1. The \\*river\\* of the \\[north\\] had risen in the night, and nobody had ever seen it so high."
    )


def test_a_page_without_text_has_no_markdown() -> None:
    assert Page(b"", "").markdown == ""
