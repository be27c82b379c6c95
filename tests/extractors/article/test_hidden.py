"""Text that a page does not show, and text that stands where it does not belong."""

from extractors.page import Page

PROSE = "<p>The river had risen in the night, and nobody in the village, said the miller, had ever seen it so high.</p>"
OTHER = "<p>Our readers wrote to us about the harvest, and some of them, mostly farmers, were not content with the prices.</p>"


def text_of(body: str, head: str = "") -> str:
    source = f"<html><head><title>The river</title>{head}</head><body><h1>The river</h1>{body}</body></html>"
    return Page(source.encode(), "https://a.example/2024/05/06/river.html").article.text


def test_hidden_text_beside_an_article_is_left_out() -> None:
    text = text_of(f'<article>{PROSE * 6}<div style="display: none">{OTHER * 4}</div>{PROSE * 6}</article>')
    assert "river had risen" in text
    assert "harvest" not in text


def test_an_article_that_scripts_show_later_is_read() -> None:
    assert "river had risen" in text_of(f'<article style="display:none">{PROSE * 12}</article>')


def test_answers_that_a_click_unfolds_are_read() -> None:
    item = (
        f'<div class=accordion-item><h3>Why?</h3><div class=accordion-body style="display:none">{OTHER * 3}</div></div>'
    )
    assert "harvest" in text_of(f"<article>{PROSE * 8}{item}</article>")


def test_a_body_that_the_parser_has_put_into_the_head_is_read() -> None:
    text = text_of(
        f"<article>{PROSE * 8}</article><form>Leave a comment <textarea></textarea></form>",
        head="<include src=top.inc>",
    )
    assert "river had risen" in text
