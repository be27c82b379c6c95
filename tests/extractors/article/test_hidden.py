"""Text that a page does not show, and text that stands where it does not belong."""

import pytest

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


@pytest.mark.parametrize(
    "tags", [("<template>", "</template>"), ("<div hidden>", "</div>"), ('<div hidden="">', "</div>")]
)
def test_templates_and_hidden_elements_are_left_out(tags: tuple[str, str]) -> None:
    said = "<p>This box about the newsletter of the paper is shown to nobody before a script has opened it.</p>"
    shown = "".join(f"<p>{number}. {'The river rose by two metres during the night. ' * 4}</p>" for number in range(5))
    page = Page(f"<html><body><h1>River floods</h1>{shown}{tags[0]}{said}{tags[1]}</body></html>".encode())
    assert "newsletter" not in page.article.text
    assert page.article.text.count("two metres") == 20


def test_what_is_hidden_until_it_is_found_is_text() -> None:
    said = f"<div hidden=until-found><p>{'The bridge of the lower town was closed for a week. ' * 4}</p></div>"
    shown = "".join(f"<p>{number}. {'The river rose by two metres during the night. ' * 4}</p>" for number in range(5))
    page = Page(f"<html><body><h1>River floods</h1>{shown}{said}</body></html>".encode())
    assert "bridge" in page.article.text
