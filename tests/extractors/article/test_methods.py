"""What each method takes from a page, and that no page is too much for it."""

import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.article import METHODS, decay_text, density_text, extract, main_text
from extractors.article.blocks import find_blocks
from extractors.article.explain import explain
from extractors.article.features import block_features
from extractors.kernels.forest import packaged_forest
from extractors.page import Page

PIECES = st.sampled_from(
    "<div class=content> </div> <p> </p> 今天的新闻，很重要。 <li> <ul> </ul> <table><tr><td> </table> <a href=/x>更多</a> <br> "
    "<pre> </pre> <h1>标题</h1> <nav> </nav> <article> </article> Some&nbsp;words, and more of them. <!-- --> <script> "
    "</script> <form> <body> </html> \x00 \xff &#x110000; <title>".split(" ")
)


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=80).map(" ".join))
def test_any_markup_gives_an_article(html: str) -> None:
    for method in METHODS:
        article = extract(Page(html.encode("utf-8", "surrogatepass"), "http://example.org/a"), method)
        assert isinstance(article.text, str)
        assert 0 <= article.confidence <= 1


@given(st.binary(max_size=1500))
def test_any_bytes_give_text(body: bytes) -> None:
    for function in (main_text, density_text, decay_text):
        assert isinstance(function(body), str)


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(ValueError, match="density, decay"):
        extract(Page(b""), "magic")


def test_decay_stops_where_the_body_falls_apart() -> None:
    paragraphs = "".join(f"<p>{'这是正文的一段话，写得不长。' * 4}</p>" for _ in range(6))
    html = f"<div id=nav>{'<a href=/x>导航链接文字</a>' * 20}</div><div id=body>{paragraphs}</div><div>版权所有</div>"
    text = decay_text(html.encode())
    assert text.count("\n") == 5
    assert "导航" not in text
    assert "版权" not in text


def test_density_tolerates_thin_lines_inside_and_ends_after_a_long_run_of_them() -> None:
    dense = "<p>" + "正文的一行，字数很多，标签很少。" * 5 + "</p>"
    thin = '<div class="some-long-class another-class"><a href="/a/long/path/to/somewhere.html">链接</a></div>'
    text = density_text("\n".join([dense, dense, *[thin] * 19, dense, *[thin] * 21, dense]).encode())
    assert text.count("正文的一行") == 15
    assert text.count("链接") == 19


def test_density_reads_on_after_a_lone_headline() -> None:
    thin = '<div class="some-long-class another-class"><a href="/a/long/path/to/somewhere.html">链接</a></div>'
    dense = "<p>" + "正文的一行，字数很多，标签很少。" * 9 + "</p>"
    text = density_text("\n".join(["<h1>一个很长的标题在这里占一行</h1>", *[thin] * 40, dense]).encode())
    assert "正文的一行" in text


def test_code_keeps_its_lines() -> None:
    prose = "<p>This paragraph explains at some length, for whoever reads it, what the code below will do.</p>"
    code = "<pre><code><span>def f():</span>\n    <span>return 1</span>\n</code></pre>"
    text = main_text(f"<article><h1>A title</h1>{prose}{code}{prose}</article>".encode())
    assert "def f():\n    return 1" in text


def test_blocks_are_explained() -> None:
    page = Page("<p>正文里的一个长段落，有逗号，也有句号。</p><footer class=foot>版权所有</footer>".encode())
    body, footer = explain(page)
    assert body.probability > footer.probability
    assert footer.element == "<footer class='foot'>"
    assert len(body.reasons) == 4


def test_reasons_add_up_to_the_score() -> None:
    page = Page(
        f"<h1>标题</h1>{'<p>正文里的一个长段落，有逗号，也有句号。</p>' * 5}<ul><li><a href=/x>链接</a></ul>".encode()
    )
    features, _ = block_features(find_blocks(page.columns))
    forest = packaged_forest("article", "body")
    base = float(forest.leaves.mean(axis=1).sum()) + forest.bias
    for row, score in zip(features.T, forest.scores(features), strict=True):
        assert base + float(forest.reasons(row).sum()) == pytest.approx(float(score), abs=1e-2)


@pytest.mark.parametrize(
    "make",
    [
        lambda n: b"<p>some text, here. " * n,
        lambda n: b"<div><a href=/x>link</a>" * n,
        lambda n: "<br>正文，。".encode() * n,
        lambda n: b"<span>" * n + b"x",
        lambda n: b"<script>" * n,
        lambda n: b"<!--" * n,
        lambda n: b"<pre>a</pre>" * n,
    ],
)
@pytest.mark.parametrize("function", [main_text, density_text, decay_text])
def test_time_is_linear(make: Callable[[int], bytes], function: Callable[[bytes], str]) -> None:
    def cost(n: int) -> float:
        body, start = make(n), time.process_time()
        function(body)
        return time.process_time() - start

    cost(500)
    assert cost(16_000) < 40 * max(cost(2_000), 0.01)
