"""Code inside an article."""

import pytest

from extractors.page import Page

PROSE = (
    "<p>The river had risen in the night, and nobody in the village, said the miller, had ever seen it so high.</p>" * 4
)
LINES = ("import os", "for name in names:", "    print(name)", "    os.remove(name)", "print('the end')")
GUTTERS = {
    "one pre": "<table class=highlight><tr><td class=gutter><pre>{numbers}</pre></td><td class=code><pre>{code}</pre></td></tr></table>",
    "spans": "<table class=lntable><tr><td class=lntd><pre>{spans}</pre></td><td class=lntd><pre>{code}</pre></td></tr></table>",
    "line breaks": "<table class=highlight><tr><td class=gutter><pre>{breaks}</pre></td><td><pre>{code}</pre></td></tr></table>",
    "blocks": "<div class=syntaxhighlighter><div class=gutter>{blocks}</div><div class=code><pre>{code}</pre></div></div>",
}


def text_of(middle: str) -> str:
    source = f"<html><head><title>The river</title></head><body><article><h1>The river</h1>{PROSE}{middle}{PROSE}</article></body></html>"
    return Page(source.encode(), "https://a.example/2024/05/06/river.html").article.text


@pytest.mark.parametrize("gutter", GUTTERS.values(), ids=list(GUTTERS))
def test_line_numbers_of_code_are_no_text(gutter: str) -> None:
    numbers = [str(number) for number in range(1, len(LINES) + 1)]
    text = text_of(
        gutter.format(
            numbers="\n".join(numbers),
            spans="".join(f"<span class=lnt>{number}\n</span>" for number in numbers),
            breaks="<br>".join(numbers),
            blocks="".join(f"<div class=line>{number}</div>" for number in numbers),
            code="\n".join(LINES),
        )
    )
    assert not [line for line in text.splitlines() if line.strip().isdigit()]
    assert "1\t" not in text


def test_code_between_paragraphs_keeps_its_lines() -> None:
    text = text_of("<pre><code>" + "\n".join(LINES) + "</code></pre>")
    assert "\n".join(LINES) in text


def test_numbers_of_a_table_without_code_stay() -> None:
    rows = "".join(
        f"<tr><td>{number}</td><td>The team of the village number {number} by the river</td></tr>"
        for number in range(1, 6)
    )
    assert "3\tThe team" in text_of(f"<table>{rows}</table>")


def test_numbers_in_code_that_do_not_count_lines_stay() -> None:
    assert "17\n4\n99" in text_of("<pre>17\n4\n99</pre>")
